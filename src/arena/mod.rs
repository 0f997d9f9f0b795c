//! Playing games: the loop of ask and answer, and the workers that run it.
//!
//! Knows the pure rooms of the game and `bot`; neither files nor screens. One ply, end to end: `game::play` asks the
//! referee who is to decide, writes the turn block, has the bot asked, and hands what came to the referee.

mod conditions;
mod game;
mod machine;
mod player;
mod prepare;
mod queue;
mod workers;

pub use conditions::Conditions;
pub use game::{Assignment, Finished};
pub use player::Contender;
pub use prepare::{TrialDepth, Written, prepare};
pub use queue::GameQueue;
pub use workers::{Match, Run, RunEvent, RunUpdate, run};
