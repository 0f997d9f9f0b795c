//! Running bots on Linux: deadlines to the microsecond, and everything that `/proc` shows of a
//! bot's processes.

mod alarm;
mod deleted_files;
mod group;
mod machine;
mod memory;
mod proc;
mod process_tree;
mod silence;
mod stop_tests;
mod supervision;

/// Whether the processor time of a bot can be read.
pub const TELLS_CPU: bool = true;

/// Whether deadlines need timers of the event loop, which cost something in every ply.
pub const EVENT_LOOP_TIMERS: bool = false;

pub(super) use alarm::{Alarm, within};
pub(super) use deleted_files::deleted_files;
pub(super) use machine::{RSS_PER_KIB, starved_in, tasks_of_this_user};
pub use machine::{core_in_use, ignored_signals, kept_waiting, starved, stolen, suspended};
pub use machine::{cores, keep_to, myself};
pub(super) use process_tree::{ProcessTree, kill_all};
pub(super) use supervision::{
    RECEIVE_FLAGS, SEND_FLAGS, WAIT_FOR_EXIT, close_on_exec, reap_others, watch_child,
    watch_referee,
};
