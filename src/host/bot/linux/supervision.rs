//! What the warden and the exec stage need of Linux: noticing the end of other processes, and
//! passing descriptors.

use crate::sandbox::{StepError, step};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{
    Pid, PidfdFlags, WaitIdOptions, getpid, getppid, pidfd_open, set_child_subreaper,
};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

/// Flags to send a descriptor: without a receiver it is an error, not a signal.
pub(in crate::bot) const SEND_FLAGS: SendFlags = SendFlags::NOSIGNAL;
/// Flags to receive a descriptor: it is close-on-exec at once.
pub(in crate::bot) const RECEIVE_FLAGS: RecvFlags = RecvFlags::CMSG_CLOEXEC;
/// How the warden waits for its bot's exit status: the bot is reaped.
pub(in crate::bot) const WAIT_FOR_EXIT: WaitIdOptions = WaitIdOptions::EXITED;

/// Makes a received descriptor close-on-exec: it is already.
pub(in crate::bot) fn close_on_exec(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    Ok(descriptor)
}

/// Makes this process a child subreaper, so that detached processes below it become its children,
/// and watches the referee: the descriptor is readable when the referee has ended. `None` if it has
/// ended already.
pub(in crate::bot) fn watch_referee(
    _channel: &File,
    referee: i32,
) -> Result<Option<OwnedFd>, StepError> {
    step("becoming a subreaper", set_child_subreaper(Some(getpid())))?;
    let Some(parent) = getppid() else { return Ok(None) };
    if parent.as_raw_nonzero().get() != referee {
        return Ok(None); // it ended before it could be watched
    }
    let watched = step("watching the referee", pidfd_open(parent, PidfdFlags::empty()))?;
    // If it ended meanwhile, another process may have its pid, and is watched.
    Ok((getppid() == Some(parent)).then_some(watched))
}

/// Watches a child of this process: the descriptor is readable when the child has ended.
pub(in crate::bot) fn watch_child(child: Pid) -> io::Result<OwnedFd> {
    Ok(pidfd_open(child, PidfdFlags::empty())?)
}

/// Reaps the ended children of this process except these.
pub(in crate::bot) fn reap_others(kept: &[Pid]) {
    let kept: Vec<i32> = kept.iter().map(|kept| kept.as_raw_nonzero().get()).collect();
    let ended = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG;
    // Looks before it reaps: the exit status of a kept one must stay.
    while let Ok(seen) = waitid(Id::All, ended | WaitPidFlag::WNOWAIT)
        && let Some(pid) = seen.pid()
        && !kept.contains(&pid.as_raw())
    {
        let _ = waitid(Id::Pid(pid), ended);
    }
}
