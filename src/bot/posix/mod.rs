//! What every Unix has, for those that are not Linux: bots play there, and less is kept from them.
//!
//! A bot leads a session of its own, and what it starts is in its process group as long as it does not leave it. That
//! group is stopped, let go on and killed as one. What is not there, and is of Linux:
//!
//! - `strict`, and so nothing that would have to be tried out.
//! - Whatever leaves the group, as a daemon does, is not caught: it survives the game. A bot that kills its warden
//!   survives it too, until it is killed by hand.
//! - Memory that is in use is not seen: there are process limits, as far as the system heeds them. Nor is it seen
//!   what a silent bot is doing.
//! - Processor time of the bot's own program is known on FreeBSD, of others' and elsewhere it is not.
//! - Deadlines are exact to a millisecond; workers are not pinned to cores; signals that arbiter was started to ignore
//!   end a tournament all the same, which then goes on where it stopped; nobody knows what disturbed a game but late
//!   timers.

mod alarm;
mod machine;
mod process_tree;
mod supervision;

pub(super) use alarm::{Alarm, within};
pub(super) use machine::{RSS_PER_KIB, tasks_of_this_user};
pub(crate) use machine::{core_in_use, ignored_signals, starved, stolen};
pub use machine::{cores, keep_to, myself};
pub use process_tree::TELLS_CPU;
pub(super) use process_tree::{Family, look, ticks};
pub(super) use supervision::{
    ENDED, HANDING_ON, TAKING, close_on_exec, descriptors, end_all, watch_child, watch_referee,
};
