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

mod calls;
mod files;
mod limits;
mod spaces;
mod user;

pub(in crate::bot) use files::SYSTEM;
pub(crate) use user::is_root;
pub(in crate::bot) use user::{Handed, Lease, owner};

use super::stages::end_with_warden;
use crate::bot::{Namespaces, Own, Policy, Sandbox};
use calls::Calls;
use files::Files;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// What was being done, and what went wrong with it.
pub(in crate::bot) type Step = (&'static str, io::Error);

/// Puts the restrictions of a policy on this process, which is about to become `command`.
pub(in crate::bot) fn enter(policy: &Policy, command: &OsStr) -> Result<(), Step> {
    fn step<T>(name: &'static str, result: io::Result<T>) -> Result<T, Step> {
        result.map_err(|error| (name, error))
    }
    step("first for the out-of-memory killer", std::fs::write("/proc/self/oom_score_adj", "1000"))?;
    if policy.sandbox != Sandbox::Strict {
        return step("limits", limits::set(policy));
    }
    let command = Path::new(command);
    let root = is_root();
    let places = files::places(policy, command, root);
    let namespaces = policy.namespaces != Namespaces::None;
    if namespaces {
        step("namespaces", spaces::enter(policy, &places))?;
    }
    // Behind that, so that the processes of a user that is new to the kernel are counted from nothing.
    step("limits", limits::set(policy))?;
    // Opened before the rights are given up, and put on after.
    let files = step("listing files", Files::open(policy, &places))?;
    if root || namespaces {
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
