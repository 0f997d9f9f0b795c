//! What is kept from a bot: a plain list of restrictions that a process puts on itself before it becomes the bot.
//!
//! | level | what |
//! |---|---|
//! | `off` | nothing: for debugging |
//! | `basic` | hygiene (`confine`) and limits (`limits`): what would harm by accident |
//! | `strict` | and an allow-list of files (`files`), a view of the machine without the rest where it can be had (`spaces`), a list of refused system calls (`calls`), no rights of the administrator (`user`), a scratch folder of its own (`scratch`) |
//!
//! Of these layers each has holes that another closes: Landlock knows nothing of changes of mode, seccomp nothing of
//! paths, neither of memory. What is in force on a machine is not derived from its version but tried (`canary`).

mod advice;
mod cgroup;
mod landlock;
mod namespaces;
mod pid_namespace;
mod probe;
mod rlimits;
mod seccomp;
mod user;

pub(crate) use advice::advice;
pub(crate) use cgroup::Group;
pub use cgroup::{FILL, Groups, fill};
pub(crate) use pid_namespace::PidNamespace;
pub use pid_namespace::init;
pub use probe::attack;
pub(super) use probe::attempts;
pub(crate) use user::{Handed, Lease, is_root, owner};

use self::landlock::Files;
use self::seccomp::Calls;
use super::{Namespaces, Policy, Sandbox};
use crate::locate::Own;
use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// The strictest level that there is.
pub const STRICTEST: Sandbox = Sandbox::Strict;

/// What was being done, and what went wrong with it.
pub(crate) type Step = (&'static str, io::Error);

/// Puts the restrictions of a policy on this process, which is about to become `command`.
pub(crate) fn enter(policy: &Policy, command: &OsStr) -> Result<(), Step> {
    fn step<T>(name: &'static str, result: io::Result<T>) -> Result<T, Step> {
        result.map_err(|error| (name, error))
    }
    step("first for the out-of-memory killer", std::fs::write("/proc/self/oom_score_adj", "1000"))?;
    if policy.sandbox != Sandbox::Strict {
        return step("limits", rlimits::set(policy));
    }
    let command = Path::new(command);
    let root = is_root();
    let places = landlock::places(policy, command, root);
    let has_namespaces = policy.namespaces != Namespaces::None;
    if has_namespaces {
        step("namespaces", namespaces::enter(policy, &places))?;
    }
    // Behind that, so that the processes of a user that is new to the kernel are counted from nothing.
    step("limits", rlimits::set(policy))?;
    // Opened before the rights are given up, and put on after.
    let files = step("listing files", Files::open(policy, &places))?;
    if root || has_namespaces {
        step("giving up rights", user::give_up_rights(policy, &needed(policy, command)))?;
    }
    // A change of user makes the kernel forget it.
    step("to end with its warden", end_with_warden())?;
    step("no new rights", rustix::thread::set_no_new_privs(true).map_err(io::Error::from))?;
    step("closing files", files.close())?;
    let calls = step("listing system calls", Calls::new(policy))?;
    step("closing system calls", calls.close())
}

/// What the program cannot do without.
fn needed(policy: &Policy, command: &Path) -> Vec<PathBuf> {
    let own = match &policy.own {
        Own::Nothing => None,
        Own::Folder(folder) | Own::Files(folder) => Some(folder.clone()),
    };
    policy.needed.iter().cloned().chain(own).chain([command.to_owned()]).collect()
}

/// Has the kernel end this process when its warden ends.
pub(crate) fn end_with_warden() -> io::Result<()> {
    let warden = getppid();
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() == warden { Ok(()) } else { Err(io::Error::other("it is gone")) }
}
