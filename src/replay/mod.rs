//! What can be done with a logged game without its players: [`replay()`] checks it with the same referee that
//! judges games, [`compare`] says where another game leaves it, and [`Requests`] are what a bot was sent in
//! it.

mod comparison;
mod requests;
mod validity;

pub use comparison::{Difference, compare};
pub use requests::Requests;
pub use validity::{Divergence, contradiction_of_id, replay};
