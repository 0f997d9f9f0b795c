//! The pid namespace of a bot. When its first process ends, the kernel kills every other process in it and
//! waits for them (pid_namespaces(7)).
//!
//! Processes: the *warden* makes the namespace and stays outside, so that the bot is its child and `wait`
//! returns the bot's exit status. Pid 1 (`arbiter __init`) is the first process inside. The exec stage, which
//! becomes the bot, is started next. The bot cannot signal pid 1: the kernel does not deliver signals from
//! inside that pid 1 does not handle.
//!
//! Pid 1 holds the read end of a pipe whose write end only the warden has. However the warden ends, pid 1
//! ends too, and with it every process in the namespace.

use super::is_root;
use crate::sandbox::INIT;
use nix::sched::{CloneFlags, unshare};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, getegid, geteuid, pidfd_open, set_dumpable_behavior,
};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
use std::fs;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

/// The capabilities that the exec stage needs in the user namespace: to mount, and to drop capabilities from
/// the bounding set.
const CAPABILITIES: [CapabilitySet; 2] = [CapabilitySet::SYS_ADMIN, CapabilitySet::SETPCAP];

/// A pid namespace with its pid 1.
pub(crate) struct PidNamespace {
    init: Child,
    /// Readable when pid 1 has ended.
    ended: OwnedFd,
}

impl PidNamespace {
    /// Makes a pid namespace for the processes that this process starts from now on. An ordinary user needs a
    /// user namespace for that: this process is in it afterwards with all capabilities, and so are its forks.
    ///
    /// `program` is arbiter's own program, to start pid 1.
    ///
    /// # Errors
    /// The machine does not allow it.
    pub fn enter(program: &Path) -> io::Result<PidNamespace> {
        if is_root() {
            unshare(CloneFlags::CLONE_NEWPID)?;
        } else {
            let (user, group) = (geteuid().as_raw(), getegid().as_raw());
            unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID)?;
            fs::write("/proc/self/setgroups", "deny")?;
            fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
            fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
        }
        let init = Command::new(program)
            .arg0("arbiter")
            .arg(INIT)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let ended = pidfd_open(Pid::from_child(&init), PidfdFlags::empty())?;
        Ok(PidNamespace { init, ended })
    }

    /// The pid of its pid 1 outside of the namespace.
    pub fn init(&self) -> u32 {
        self.init.id()
    }

    /// Kills pid 1, so that the kernel kills all other processes.
    pub fn kill(&mut self) {
        let _ = self.init.kill(); // fails only if it has ended
    }

    /// Waits until pid 1 has ended, for a millisecond at most. The caller must reap its children meanwhile:
    /// pid 1 ends only after all other processes in the namespace, and these include children of the caller.
    ///
    /// # Errors
    /// Waiting fails.
    pub fn wait_a_moment(&self) -> io::Result<()> {
        let moment = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
        match poll(&mut [PollFd::new(&self.ended, PollFlags::IN)], Some(&moment)) {
            Err(Errno::INTR) | Ok(_) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Gives up all capabilities that this process has in its user namespace, except those that the exec stage
/// needs.
pub(super) fn limit_capabilities() -> io::Result<()> {
    let needed = CAPABILITIES.into_iter().fold(CapabilitySet::empty(), |all, capability| all | capability);
    let none = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: needed, permitted: needed, inheritable: none })?)
}

/// Runs pid 1 of a pid namespace: waits until the warden has ended. Orphaned processes become its children.
/// It does not reap them, so that they count against the bot's limit of processes (see `bot`, `kill`).
pub fn pid_1() -> ExitCode {
    // Keeps the bot from reading its memory and descriptors in `/proc`.
    let not_dumpable = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let ended = io::stdin().read_to_end(&mut Vec::new());
    ExitCode::from(u8::from(not_dumpable.is_err() || ended.is_err()))
}
