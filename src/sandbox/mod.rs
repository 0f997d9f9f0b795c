//! What is kept from a bot: a policy, and how a process puts it on itself before it becomes the bot.
//!
//! Knows programs, and nothing of running bots: it is handed a process that is to be restricted.

mod isolation;
mod policy;
mod scratch;

// What the system gives: of Linux its own, elsewhere what POSIX has. With `RUSTFLAGS='--cfg arbiter_posix'` Linux has to
// do with that too, so that it can be tried here.
#[cfg_attr(all(target_os = "linux", not(arbiter_posix)), path = "linux/mod.rs")]
#[cfg_attr(not(all(target_os = "linux", not(arbiter_posix))), path = "posix.rs")]
mod system;

use crate::game::Sandbox;
pub use isolation::{Aim, Isolation, Tried};
pub use policy::{Namespaces, Policy};
pub(crate) use scratch::Scratch;
pub use system::{FILL, Groups, STRICTEST, attack, fill, init};
pub(crate) use system::{
    Group, Handed, Lease, PidNamespace, Step, advice, end_with_warden, enter, is_root, owner,
};

/// Word by which the program, started as the first process of a pid namespace, knows that it is one.
pub const INIT: &str = "__init";
/// Word by which the program, started as a bot, knows that it is the attacker.
pub const ATTACK: &str = "__attack";
