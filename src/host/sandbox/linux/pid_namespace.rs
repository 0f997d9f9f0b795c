//! The pid namespace of a bot. When its first process ends, the kernel kills every other process in
//! it and waits for them (pid_namespaces(7)).
//!
//! Processes: the *warden* makes the namespace and stays outside, so that the bot is its child and
//! `wait` returns the bot's exit status. Pid 1, a fork of the warden, is the first process inside.
//! The exec stage, which becomes the bot, is started next. The bot cannot signal pid 1: the kernel
//! does not deliver signals from inside that pid 1 does not handle. It cannot read the memory and
//! the descriptors of pid 1 in `/proc` either, because pid 1 is not dumpable.
//!
//! Pid 1 holds the read end of a pipe whose write end only the warden has. However the warden ends,
//! pid 1 ends too, and with it every process in the namespace.

use super::user::keep_capabilities;
use super::{close_inherited, is_root};
use fork::{Fork, fork};
use nix::sched::{CloneFlags, unshare};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, getegid, geteuid, pidfd_open, pidfd_send_signal,
    set_dumpable_behavior,
};
use rustix::thread::{CapabilitySet, set_name};
use std::env;
use std::fs;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, OwnedFd};

/// The capabilities that the exec stage needs in the user namespace: to mount, and to drop
/// capabilities from the bounding set.
pub(super) const EXEC_STAGE_CAPABILITIES: CapabilitySet =
    CapabilitySet::SYS_ADMIN.union(CapabilitySet::SETPCAP);

/// A pid namespace with its pid 1.
pub(crate) struct PidNamespace {
    init: Pid,
    /// Refers to pid 1; readable when it has ended.
    process: OwnedFd,
    /// When this closes, pid 1 ends.
    _lives: PipeWriter,
}

impl PidNamespace {
    /// Makes a pid namespace for the processes that this process, which must have no other thread,
    /// starts from now on. An ordinary user needs a user namespace for that: this process is in it
    /// afterwards with all capabilities, and so are its forks.
    ///
    /// # Errors
    /// The machine does not allow it.
    pub fn enter() -> io::Result<PidNamespace> {
        if is_root() {
            unshare(CloneFlags::CLONE_NEWPID)?;
        } else {
            let user = geteuid().as_raw();
            let group = getegid().as_raw();
            unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID)?;
            fs::write("/proc/self/setgroups", "deny")?;
            fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
            fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
        }
        let (warden_ends, lives) = io::pipe()?;
        // Before it exists, so that there is no moment at which a bot could read its memory.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        let init = match fork()? {
            Fork::Child => {
                drop(lives);
                // Without dropping anything: what the warden holds for the bot is the warden's to
                // remove.
                std::process::exit(i32::from(pid_1(warden_ends).is_err()))
            }
            Fork::Parent(init) => Pid::from_raw(init).ok_or(io::ErrorKind::InvalidData)?,
        };
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        let process = pidfd_open(init, PidfdFlags::empty())?;
        Ok(PidNamespace { init, process, _lives: lives })
    }

    /// The pid of its pid 1 outside of the namespace.
    pub fn init(&self) -> u32 {
        self.init.as_raw_nonzero().get().unsigned_abs()
    }

    /// Kills pid 1, so that the kernel kills all other processes.
    pub fn kill(&self) {
        let _ = pidfd_send_signal(&self.process, Signal::KILL); // fails only if it has ended
    }

    /// Waits until pid 1 has ended, for a millisecond at most. The caller must reap its children
    /// meanwhile: pid 1 ends only after all other processes in the namespace, and these include
    /// children of the caller.
    ///
    /// # Errors
    /// Waiting fails.
    pub fn wait_a_moment(&self) -> io::Result<()> {
        let moment = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
        match poll(&mut [PollFd::new(&self.process, PollFlags::IN)], Some(&moment)) {
            Err(Errno::INTR) | Ok(_) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Runs pid 1 of a pid namespace: waits until the warden has ended. Orphaned processes become its
/// children. It does not reap them, so that they count against the bot's limit of processes (see
/// `bot`, `kill`).
fn pid_1(warden_ends: PipeReader) -> io::Result<()> {
    // It holds none of the warden's rights and descriptors: an open copy of the bot's pipes would
    // hide their end.
    keep_capabilities(CapabilitySet::empty())?;
    rustix::stdio::dup2_stdin(&warden_ends)?;
    rustix::stdio::dup2_stdout(&warden_ends)?;
    rustix::stdio::dup2_stderr(&warden_ends)?;
    close_inherited(&[warden_ends.as_fd()])?;
    env::set_current_dir("/")?;
    set_name(c"arbiter-pid-1")?; // it has the warden's command line
    retry_on_intr(|| rustix::io::read(&warden_ends, &mut [0_u8; 1]))?; // nothing is written to it
    Ok(())
}
