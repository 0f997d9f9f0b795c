//! Running bots on other systems than Linux, with what every Unix has.
//!
//! A bot leads a session of its own. What it starts is in its process group unless it leaves that;
//! the group is stopped, resumed and killed as one. Compared with Linux:
//!
//! - There is no `strict`, and so no isolation probe.
//! - A process that leaves the group, such as a daemon, is not found and outlives the game. If a
//!   bot kills its warden, it runs until it is killed by hand.
//! - Memory in use is not measured; there are resource limits, as far as the system enforces them.
//!   What a silent bot is doing is unknown.
//! - The processor time of the bot's own program is known on FreeBSD only, that of its other
//!   processes nowhere.
//! - Deadlines are exact to a millisecond, workers are not pinned to cores, and of what disturbs a
//!   game only an arbiter that did not run is known. A signal that arbiter was started to ignore
//!   ends a tournament nevertheless; it can be resumed.

/// Whether deadlines need timers of the event loop.
pub const EVENT_LOOP_TIMERS: bool = true;

mod alarm;
mod machine;
mod process_tree;
mod supervision;

pub(super) use alarm::{Alarm, within};
pub(super) use machine::{RSS_PER_KIB, starved_in, tasks_of_this_user};
pub use machine::{core_in_use, ignored_signals, kept_waiting, starved, stolen, suspended};
pub use machine::{cores, keep_to, myself};
pub(super) use process_tree::ProcessTree;
pub use process_tree::TELLS_CPU;
pub(super) use supervision::{
    RECEIVE_FLAGS, SEND_FLAGS, WAIT_FOR_EXIT, close_on_exec, deleted_files, kill_all, reap_others,
    watch_child, watch_referee,
};
