//! What is Linux's own: restrictions, deadlines to the microsecond, and all that `/proc` tells of a bot's processes.

mod advice;
mod alarm;
mod attack;
mod descent;
mod family;
mod groups;
mod machine;
mod memory;
mod pid_namespace;
mod sandbox;
mod silence;
mod stages;

use crate::config::Sandbox;

/// The strictest level that there is.
pub const STRICTEST: Sandbox = Sandbox::Strict;
/// Whether it is known how much processor time a bot has used.
pub const TELLS_CPU: bool = true;

pub(crate) use advice::advice;
pub(super) use alarm::{Alarm, within};
pub use attack::attack;
pub(super) use attack::attempts;
pub(super) use descent::end_all;
pub(super) use family::Family;
pub(super) use groups::Group;
pub use groups::{FILL, Groups, fill};
pub(super) use machine::{FOLDER, RSS_PER_KIB, is_program, tasks_of_this_user};
pub(crate) use machine::{core_in_use, ignored_signals, starved, stolen};
pub use machine::{cores, keep_to, myself};
pub(super) use pid_namespace::PidNamespace;
pub use pid_namespace::init;
pub(crate) use sandbox::is_root;
pub(super) use sandbox::{Handed, Lease, SYSTEM, Step, enter, owner};
pub(super) use silence::{look, ticks};
pub(super) use stages::{
    ENDED, HANDING_ON, TAKING, close_on_exec, descriptors, end_with_warden, watch_child, watch_referee,
};
