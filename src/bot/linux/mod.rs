//! What is Linux's own: restrictions, deadlines to the microsecond, and all that `/proc` tells of a bot's processes.

mod alarm;
mod machine;
mod memory;
mod process_tree;
mod silence;
mod supervision;

/// Whether it is known how much processor time a bot has used.
pub const TELLS_CPU: bool = true;

pub(super) use alarm::{Alarm, within};
pub(super) use machine::{RSS_PER_KIB, tasks_of_this_user};
pub(crate) use machine::{core_in_use, ignored_signals, starved, stolen};
pub use machine::{cores, keep_to, myself};
pub(super) use process_tree::{Family, end_all};
pub(super) use silence::{look, ticks};
pub(super) use supervision::{
    ENDED, HANDING_ON, TAKING, close_on_exec, descriptors, watch_child, watch_referee,
};
