//! What the stages above a bot ask of Linux: who is watched by whom, who ends with whom, how descriptors are handed on.

use crate::sandbox::Step;
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{Pid, PidfdFlags, WaitIdOptions, getpid, getppid, pidfd_open, set_child_subreaper};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

/// How a descriptor is sent down the channel: to nobody is an error, not a signal.
pub(in crate::bot) const HANDING_ON: SendFlags = SendFlags::NOSIGNAL;
/// How it is taken: close-on-exec from its first moment.
pub(in crate::bot) const TAKING: RecvFlags = RecvFlags::CMSG_CLOEXEC;
/// How a warden asks for the end of its bot, which is then taken in.
pub(in crate::bot) const ENDED: WaitIdOptions = WaitIdOptions::EXITED;

/// Has a taken descriptor close at the next exec: the kernel has seen to it already.
pub(in crate::bot) fn close_on_exec(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    Ok(descriptor)
}

/// Has everything that detaches itself below end up here, and watches the referee, whom the warden obeys: what is
/// returned is readable when it is gone. None if it is gone already.
pub(in crate::bot) fn watch_referee(_channel: &File, referee: i32) -> Result<Option<OwnedFd>, Step> {
    set_child_subreaper(Some(getpid())).map_err(|e| ("becoming a subreaper", e.into()))?;
    let parent = getppid().filter(|pid| pid.as_raw_nonzero().get() == referee);
    let Some(parent) = parent else { return Ok(None) }; // it died before it could be watched
    let referee = pidfd_open(parent, PidfdFlags::empty()).map_err(|e| ("watching the referee", e.into()))?;
    Ok((getppid() == Some(parent)).then_some(referee))
}

/// Watches a child of this process: what is returned is readable when it has ended.
pub(in crate::bot) fn watch_child(child: Pid) -> io::Result<OwnedFd> {
    Ok(pidfd_open(child, PidfdFlags::empty())?)
}

/// The numbers of this process's descriptors.
pub(in crate::bot) fn descriptors() -> io::Result<Vec<i32>> {
    let mut open = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        open.extend(entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()));
    }
    Ok(open)
}
