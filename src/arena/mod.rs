//! Playing games: the loop of ask and answer, and the workers that run it.
//!
//! Knows the pure rooms of the game and `bot`; neither files nor screens. One ply, end to end: `game::play` asks the
//! referee who is to decide, writes the turn block, has the bot asked, and hands what came to the referee.

mod desk;
mod ending;
pub mod game;
mod machine;
mod prepare;
mod workers;

pub use desk::{Desk, Known, ended};
pub use game::{Assignment, Contest, Disturbed, Event, Finished, Quoted, Seat};
pub use prepare::{Trial, Written, prepare};
pub use workers::{Audience, Match, Pin, Run, Told, Waited, run};
