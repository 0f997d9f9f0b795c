//! What the stages above a bot ask of the system: who is watched by whom, and how everything is ended.

use crate::bot::exec_stage::close_inherited;
use crate::sandbox::{PidNamespace, Step};
use rustix::io::{Errno, FdFlags, fcntl_setfd, retry_on_intr};
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{
    Pid, Resource, Signal, WaitId, WaitIdOptions, WaitOptions, getppid, getrlimit, kill_process,
    kill_process_group, wait, waitid,
};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::thread;
use std::time::Duration;

/// How a descriptor is sent down the channel. (To nobody is an error in any case: Rust ignores the signal.)
pub(in crate::bot) const HANDING_ON: SendFlags = SendFlags::empty();
/// How it is taken.
pub(in crate::bot) const TAKING: RecvFlags = RecvFlags::empty();
/// How a warden asks for the end of its bot, which keeps its number until all of its group is killed.
pub(in crate::bot) const ENDED: WaitIdOptions = WaitIdOptions::EXITED.union(WaitIdOptions::NOWAIT);

/// Descriptors above this number are not looked for.
const MOST_DESCRIPTORS: u64 = 1 << 16;
/// How often a group is killed, and how long each time is waited for it to go. What is still there then cannot be
/// killed: a zombie that is not reaped, or a process that hangs in the kernel.
const KILLS: usize = 15_000;
const PAUSE: Duration = Duration::from_millis(1);

/// Has a taken descriptor close at the next exec. (Whoever takes one has a single thread, so none came between.)
pub(in crate::bot) fn close_on_exec(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    fcntl_setfd(&descriptor, FdFlags::CLOEXEC)?;
    Ok(descriptor)
}

/// Watches the referee, whom the warden obeys: its end of the channel closes when it is gone. None if it is gone
/// already. Another bot's pipes, which may have come down by accident where a pipe cannot be made close-on-exec from
/// its first moment, are closed here: that they stay open would hide the end of that bot.
pub(in crate::bot) fn watch_referee(channel: &File, referee: i32) -> Result<Option<OwnedFd>, Step> {
    let watched = |error| ("watching the referee", error);
    close_inherited(channel).map_err(watched)?;
    if getppid().is_none_or(|parent| parent.as_raw_nonzero().get() != referee) {
        return Ok(None);
    }
    Ok(Some(channel.try_clone().map_err(watched)?.into()))
}

/// Watches a child of this process: what is returned is readable when it has ended. A thread waits for that.
pub(in crate::bot) fn watch_child(child: Pid) -> io::Result<OwnedFd> {
    let (ended, mut end) = io::pipe()?;
    thread::Builder::new().spawn(move || {
        let _ = retry_on_intr(|| waitid(WaitId::Pid(child), ENDED)); // it may have been taken in already
        let _ = end.write_all(b"."); // perhaps nobody wants to know any more
    })?;
    Ok(ended.into())
}

/// The numbers that a descriptor of this process may have.
pub(in crate::bot) fn descriptors() -> io::Result<Vec<i32>> {
    let most = getrlimit(Resource::Nofile).current.unwrap_or(MOST_DESCRIPTORS).min(MOST_DESCRIPTORS);
    Ok((0..most as i32).collect())
}

/// Kills the bot and its process group, and waits until they are gone. Returns what is left after [`KILLS`] attempts:
/// none as a rule.
///
/// # Errors
/// `wait` fails in a way that has nothing to do with the bot.
pub(in crate::bot) fn end_all(
    bot: Option<Pid>,
    _namespace: Option<&mut PidNamespace>,
) -> io::Result<Vec<String>> {
    let Some(bot) = bot else { return Ok(Vec::new()) };
    let mut reaped = false;
    for _ in 0..KILLS {
        let killed = kill_process_group(bot, Signal::KILL); // it may not have one yet
        if !reaped {
            let _ = kill_process(bot, Signal::KILL); // it may have ended; its number is its own until it is reaped
        }
        while !reaped {
            match wait(WaitOptions::NOHANG) {
                Err(Errno::CHILD) => reaped = true,
                Err(Errno::INTR) | Ok(Some(_)) => {}
                Err(error) => return Err(error.into()),
                Ok(None) => break,
            }
        }
        if reaped && killed.is_err() {
            return Ok(Vec::new());
        }
        thread::sleep(PAUSE);
    }
    Ok(vec![format!("the process group {}", bot.as_raw_nonzero())])
}
