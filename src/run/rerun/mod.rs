//! A logged game that is played again, as it was.

mod debugging;
mod logged;
mod programs;
mod verdict;

pub use debugging::Shown;
pub use logged::LoggedGame;
pub use programs::{PlayerChoice, Players};
pub use verdict::PlayedAgain;

use anyhow::anyhow;
use arbiter_ground::failure::Failure;
use arbiter_ground::follow::games_of;
use arbiter_ground::preparation::Preparation;
use arbiter_play::arena::{self, GameQueue, GameRow, Match, RowGame};
use arbiter_rules::BySide;
use debugging::Observer;
use std::sync::Arc;

/// Plays the game again; `then` is the program that plays on where the game leaves the log.
///
/// # Errors
/// The game cannot be played, or the user interrupted it.
pub fn play_again(
    game: &LoggedGame,
    players: Players,
    then: Option<&str>,
    shown: Shown,
    preparation: Preparation,
) -> Result<PlayedAgain, Failure> {
    let record = &game.record;
    let id = record.id.as_deref().unwrap_or("?").to_owned();
    let only = RowGame { id, names: record.players.clone(), start: record.start.clone() };
    let conditions = preparation.conditions;
    let observer = Arc::new(Observer::new(shown, game.anonymizer.clone()));
    // The copies of submissions stay until the game is over.
    let Players { sides: BySide { first, second }, copies: _copies } = players;
    let names = record.players.clone();
    let bots = [(names.first, first), (names.second, second)].into();
    let watchers = vec![Arc::clone(&observer) as _];
    let queue = GameQueue::new(GameRow::new(vec![only], bots));
    let plan = Match { conditions, concurrency: 1, watchers };
    let Some(finished) = games_of(arena::run(plan, queue))?.pop() else {
        return Err(Failure::Unfinished(anyhow!("the game did not begin")));
    };
    Ok(PlayedAgain::new(finished, observer.asked(), game, then))
}
