//! The restrictions on Linux: a plain list that a process applies to itself before it becomes the
//! bot.
//!
//! - `off`: none, for debugging.
//! - `basic`, against accidents: inherited descriptors closed (`descriptors`) and resource limits
//!   (`rlimits`).
//! - `strict`: also an allow-list of files (`landlock`), a root folder without anything else where
//!   the machine allows it (`namespaces`), refused system calls (`seccomp`), no capabilities
//!   (`user`), a scratch folder of its own (`scratch`).
//!
//! Each of these layers has gaps that another closes: Landlock does not cover changes of mode,
//! seccomp does not see paths, and neither limits memory. What they achieve on a machine is not
//! derived from its version but tried (`probe`).

mod advice;
mod bpf;
mod cgroup;
mod descriptors;
mod landlock;
mod namespaces;
mod pid_namespace;
mod probe;
mod rlimits;
mod seccomp;
mod syscalls;
mod user;

pub use advice::advice;
pub(crate) use cgroup::Cgroup;
pub use cgroup::{Cgroups, fill_memory, throttled};
pub(crate) use descriptors::close_inherited;
pub(crate) use pid_namespace::PidNamespace;
pub(super) use probe::probes;
pub use probe::run_probes;
pub(super) use user::is_bot_user;
pub use user::is_root;
pub(crate) use user::{OwnershipTransfer, UserLease, missing_capabilities, owner_unless_root};

use self::landlock::FileAllowList;
use self::seccomp::SyscallFilters;
use super::{Namespaces, Policy, Sandbox, StepError, step};
use crate::locate::FolderAccess;
use rustix::fs::Mode;
use rustix::process::{Signal, getppid, set_parent_process_death_signal, umask};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// The strictest level that this system has.
pub const STRICTEST: Sandbox = Sandbox::Strict;

/// Applies the restrictions of a policy to this process, which is about to become `command`.
///
/// # Errors
/// The first step that failed. The process must not exec then.
pub(crate) fn restrict_self(policy: &Policy, command: &OsStr) -> Result<(), StepError> {
    let victim = std::fs::write("/proc/self/oom_score_adj", "1000");
    step("making it the first victim of the out-of-memory killer", victim)?;
    if policy.sandbox != Sandbox::Strict {
        return step("resource limits", rlimits::set(policy));
    }
    // Another user id must be able to read the folders that lead to the bot's files, and what a
    // build makes, whatever the umask of the shell is.
    umask(Mode::from_bits_retain(0o022));
    let command = Path::new(command);
    let root = is_root();
    let paths = landlock::allowed_paths(policy, command, root);
    let has_namespaces = policy.namespaces != Namespaces::None;
    if has_namespaces && !root {
        let kept = pid_namespace::EXEC_STAGE_CAPABILITIES;
        step("limiting capabilities", user::keep_capabilities(kept))?;
    }
    if has_namespaces {
        step("namespaces", namespaces::enter(policy, &paths))?;
    }
    // After the namespaces: the kernel counts processes from zero for a user that is new in a user
    // namespace.
    step("resource limits", rlimits::set(policy))?;
    // Its paths are opened while this process still has the rights to.
    let files = step("opening the allowed files", FileAllowList::new(policy, &paths))?;
    if root || has_namespaces {
        let required = required_paths(policy, command);
        step("giving up capabilities", user::give_up_rights(policy, &required))?;
    }
    // Again: a change of user clears it.
    step("dying with the warden", die_with_parent())?;
    // Without it an ordinary user may apply neither of the next two.
    step("no_new_privs", rustix::thread::set_no_new_privs(true))?;
    step("landlock", files.apply())?;
    // Last: the steps above make calls that it refuses.
    let filters = step("building seccomp filters", SyscallFilters::new(policy))?;
    step("seccomp", filters.apply())
}

/// The paths without which the program cannot run.
fn required_paths(policy: &Policy, command: &Path) -> Vec<PathBuf> {
    let mut paths = policy.required.clone();
    if let FolderAccess::Folder(folder) | FolderAccess::Files(folder) = &policy.folder {
        paths.push(folder.clone());
    }
    paths.push(command.to_owned());
    paths
}

/// Has the kernel kill this process when its parent ends (`PR_SET_PDEATHSIG`).
///
/// # Errors
/// The call fails, or the parent has ended already.
pub(crate) fn die_with_parent() -> io::Result<()> {
    let parent = getppid();
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() == parent { Ok(()) } else { Err(io::Error::other("it has ended already")) }
}
