//! What can be done with a logged game without its players: [`replay()`] checks it with the referee
//! that judges games, [`compare`] says where another game differs from it, [`Requests`] are what a
//! bot was sent in it, and [`Timeline`] is what screens and pictures show of it.

mod comparison;
mod requests;
mod timeline;
mod validity;

pub use comparison::{Difference, compare};
pub use requests::Requests;
pub use timeline::{MOST_PLIES, Measured, Moment, TimedPly, Timeline};
pub use validity::{Divergence, contradiction_of_id, replay};
