//! What is Linux's own: restrictions, deadlines to the microsecond, and all that `/proc` tells of a bot's processes.

mod alarm;
mod attack;
mod descent;
mod family;
mod groups;
mod sandbox;
mod silence;

pub(super) use alarm::{Alarm, within};
pub(super) use attack::attempts;
pub use attack::{ATTACK, Aim, attack};
pub(super) use descent::end_all;
pub(super) use family::Family;
pub(super) use groups::Group;
pub use groups::Groups;
pub(crate) use sandbox::is_root;
pub(super) use sandbox::{Lease, SYSTEM, Step, enter, owner};
pub(super) use silence::{Doing, look, ticks};
