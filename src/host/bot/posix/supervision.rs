//! What the warden and the exec stage need of the system: noticing the end of other processes,
//! passing descriptors, and killing the bot.

use crate::sandbox::{PidNamespace, StepError, close_inherited, step};
use arbiter_game::DiskUsage;
use rustix::io::{Errno, FdFlags, fcntl_setfd, retry_on_intr};
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getppid, kill_process, kill_process_group,
    wait, waitid,
};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Flags to send a descriptor. (Without a receiver it is an error: Rust ignores the signal.)
pub(in crate::bot) const SEND_FLAGS: SendFlags = SendFlags::empty();
/// Flags to receive a descriptor.
pub(in crate::bot) const RECEIVE_FLAGS: RecvFlags = RecvFlags::empty();
/// How the warden waits for its bot's exit status: the bot is not reaped, so its pid stays valid
/// until its process group is killed.
pub(in crate::bot) const WAIT_FOR_EXIT: WaitIdOptions =
    WaitIdOptions::EXITED.union(WaitIdOptions::NOWAIT);

/// How often the process group is killed, and the pause after each time. What still exists then
/// cannot be killed: a zombie that its parent does not reap, or a process that hangs in the kernel.
const KILLS: usize = 15_000;
const PAUSE: Duration = Duration::from_millis(1);

/// Makes a received descriptor close-on-exec. (The process has one thread, so it cannot exec before
/// that.)
pub(in crate::bot) fn close_on_exec(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    fcntl_setfd(&descriptor, FdFlags::CLOEXEC)?;
    Ok(descriptor)
}

/// Watches the referee: its end of the channel closes when it has ended. `None` if it has ended
/// already. Also closes pipes of another bot that this process may have inherited, on systems where
/// a pipe becomes close-on-exec only after it is made: an open copy would hide the end of that bot.
pub(in crate::bot) fn watch_referee(
    channel: &File,
    referee: i32,
) -> Result<Option<OwnedFd>, StepError> {
    step("closing inherited descriptors", close_inherited(&[channel.as_fd()]))?;
    if getppid().is_none_or(|parent| parent.as_raw_nonzero().get() != referee) {
        return Ok(None);
    }
    Ok(Some(step("watching the referee", channel.try_clone())?.into()))
}

/// Watches a child of this process: the descriptor is readable when the child has ended. A thread
/// waits for that.
pub(in crate::bot) fn watch_child(child: Pid) -> io::Result<OwnedFd> {
    let (ended, mut end) = io::pipe()?;
    thread::Builder::new().spawn(move || {
        // Both fail harmlessly: if it was reaped already, and if the descriptor was dropped.
        let _ = retry_on_intr(|| waitid(WaitId::Pid(child), WAIT_FOR_EXIT));
        let _ = end.write_all(b".");
    })?;
    Ok(ended.into())
}

/// None: what a process holds is not known here.
pub(in crate::bot) fn deleted_files(_folder: &Path) -> io::Result<DiskUsage> {
    Ok(DiskUsage::default())
}

/// Nothing: here `init` becomes the parent of detached processes, and reaps them.
pub(in crate::bot) fn reap_others(_kept: &[Pid]) {}

/// Kills the bot and its process group, and waits until they have ended. Returns the group if it
/// still exists after [`KILLS`] attempts.
///
/// # Errors
/// `wait` fails for another reason than that there is no child.
pub(in crate::bot) fn kill_all(
    bot: Option<Pid>,
    _namespace: Option<&PidNamespace>,
) -> io::Result<Vec<String>> {
    let Some(bot) = bot else { return Ok(Vec::new()) };
    let mut reaped = false;
    for _ in 0..KILLS {
        let killed = kill_process_group(bot, Signal::KILL); // fails if the group does not exist yet
        if !reaped {
            // Its pid is valid until it is reaped. Fails if it has ended.
            let _ = kill_process(bot, Signal::KILL);
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
