//! Restricting a bot: the policy, and how a process applies it to itself before it becomes the bot
//! (docs/reference/isolation.md).
//!
//! Knows programs and the paths that they need (`locate`), and nothing of running bots: `bot`
//! starts the process that is to be restricted, watches it, and runs the isolation probe, whose
//! attempts and whose judgement are here.
//!
//! Who runs (`bot` has the whole list):
//!
//! - The *warden*, with arbiter's rights, makes [`Scratch`], `UserLease`, `Cgroup` and
//!   `PidNamespace` before the bot starts, and releases them after its end.
//! - *Pid 1* of the bot's pid namespace, without rights, waits for the warden's end, with which all
//!   processes of the bot end.
//! - The *exec stage*, with the warden's rights, calls `restrict_self` and becomes the bot.
//! - The *bot* is the attacker. It controls its code, the content of its folder and of its scratch
//!   folder, and every process that it starts. It chooses neither the policy nor a path in it:
//!   `locate` has decided which paths of a submission are followed.

mod folder_lock;
mod isolation;
mod open_files;
mod policy;
mod probe_category;
mod resource_limit;
mod scratch;

// The only place of this room that chooses by system. `RUSTFLAGS='--cfg arbiter_posix'` builds the
// POSIX file on Linux, so that it can be tested there.
#[cfg_attr(all(target_os = "linux", not(arbiter_posix)), path = "linux/mod.rs")]
#[cfg_attr(not(all(target_os = "linux", not(arbiter_posix))), path = "posix.rs")]
mod system;

use arbiter_game::Sandbox;
pub use isolation::{Isolation, ProbeResult};
pub use open_files::raise_open_files;
pub(crate) use open_files::{limit_open_files, open_files_of_bots};
pub use policy::{Namespaces, Policy};
pub use probe_category::ProbeCategory;
pub use scratch::{Scratch, temporary_folder};
use std::io;
pub(crate) use system::{
    Cgroup, OwnershipTransfer, PidNamespace, UserLease, close_inherited, die_with_parent,
    missing_capabilities, owner_unless_root, restrict_self,
};
pub use system::{Cgroups, STRICTEST, advice, fill_memory, is_root, run_probes, throttled};

/// A failed step: what was to be done, and the error.
pub(crate) type StepError = (&'static str, io::Error);

/// The result of a step, whose error names it.
pub(crate) fn step<T>(
    name: &'static str,
    result: Result<T, impl Into<io::Error>>,
) -> Result<T, StepError> {
    result.map_err(|error| (name, error.into()))
}

/// First argument of the program when it runs the isolation probe in the place of a bot.
pub const PROBE: &str = "__probe";
/// First argument of the program when it tests whether a control group limits memory.
pub const FILL: &str = "__fill";
