//! A pid namespace around a bot: when its first process ends, the kernel kills every other process in it, and waits for
//! them (pid_namespaces(7)).
//!
//! Cast: the *warden* makes the namespace and stays outside, so that the bot is its child, and the bot's exit status and
//! signal are known as those of any child; *init* (`arbiter __init`) is pid 1 inside; the second stage, which becomes the
//! bot, is started next. The bot cannot signal init: the kernel keeps signals that pid 1 does not handle from it when they
//! come from inside.
//!
//! Init holds the read end of a pipe whose write end only the warden has. It ends when the warden does, however that
//! ends, and with it the namespace.

use super::is_root;
use crate::sandbox::INIT;
use nix::sched::{CloneFlags, unshare};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, getegid, geteuid, pidfd_open, set_dumpable_behavior,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, configure_capability_in_ambient_set, set_capabilities,
};
use std::fs;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

/// The rights that the second stage needs in the user namespace: to mount, and to give up rights for good.
const RIGHTS: [CapabilitySet; 2] = [CapabilitySet::SYS_ADMIN, CapabilitySet::SETPCAP];

/// A pid namespace, and its first process.
pub(crate) struct PidNamespace {
    init: Child,
    ended: OwnedFd,
}

impl PidNamespace {
    /// Makes one: what this process starts from now on is in it. An ordinary user needs a user namespace for that, in
    /// which this process is then, with all rights in it; what it starts has those that the second stage needs.
    ///
    /// `program` is what to start init with.
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
            keep_rights_over_exec()?;
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

    /// The number of its first process, as the referee sees it.
    pub fn init(&self) -> u32 {
        self.init.id()
    }

    /// Kills its first process, and so all of them.
    pub fn kill(&mut self) {
        let _ = self.init.kill(); // it may have ended, which is as good
    }

    /// Waits for the end of all processes in it but those that are this process's own children, for a millisecond at most:
    /// those have to be reaped meanwhile.
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

/// A program that this process starts has these rights too, though its user is not root: capabilities(7), ambient set.
fn keep_rights_over_exec() -> io::Result<()> {
    let all = RIGHTS.into_iter().fold(CapabilitySet::empty(), |all, right| all | right);
    let own = capabilities(None)?;
    set_capabilities(None, CapabilitySets { inheritable: all, ..own })?;
    RIGHTS.into_iter().try_for_each(|right| Ok(configure_capability_in_ambient_set(right, true)?))
}

/// Runs the first process of a pid namespace: waits until the warden is gone. Processes that lose their parent become its
/// children; it does not reap them, so that they count as long as the bot lives (see `descent`).
pub fn init() -> ExitCode {
    let closed_to_the_bot = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let ended = io::stdin().read_to_end(&mut Vec::new());
    ExitCode::from(u8::from(closed_to_the_bot.is_err() || ended.is_err()))
}
