//! A logged game that is played again, as it was.

mod debugging;
mod logged;
mod programs;
mod verdict;

pub use logged::LoggedGame;
pub use programs::{PlayerChoice, Players};
pub use verdict::PlayedAgain;

use crate::arena::{self, Finished, GameQueue, Match};
use crate::ground::failure::Failure;
use crate::ground::follow::{RunEnd, follow};
use crate::ground::preparation::Preparation;
use crate::ground::recorder::{Interruption, RecordStore, Recorder, RunScreen};
use crate::rules::BySide;
use anyhow::anyhow;
use debugging::Observer;
use std::sync::Arc;
use std::time::Duration;

/// Nothing is shown beside the events of the game, so this is no matter of speed.
const TICK: Duration = Duration::from_secs(1);

/// Plays the game again; `then` is the program that plays on where the game leaves the log.
///
/// # Errors
/// The game cannot be played, or the user interrupted it.
pub fn play_again(
    game: &LoggedGame,
    players: Players,
    then: Option<&str>,
    preparation: Preparation,
) -> Result<PlayedAgain, Failure> {
    let record = &game.record;
    let id = record.id.clone().unwrap_or_else(|| "?".to_owned());
    let queue = GameQueue::single_game(id, record.players.clone(), record.start.clone())
        .map_err(|error| anyhow!(error))?;
    let conditions = preparation.conditions;
    let observer =
        Arc::new(Observer::new(conditions.stop_before.is_some(), game.anonymizer.clone()));
    // The copies of submissions stay until the game is over.
    let Players { sides: BySide { first, second }, copies: _copies } = players;
    let bots =
        [(record.players.first.clone(), first), (record.players.second.clone(), second)].into();
    let plan =
        Match { conditions, bots, concurrency: 1, watchers: vec![Arc::clone(&observer) as _] };
    let mut recorder = Recorder::new(OnlyGame(None), ());
    let end = follow(&mut arena::run(plan, queue), TICK, &mut recorder)?;
    match (recorder.store.0, end) {
        (Some(finished), _) => Ok(PlayedAgain::new(finished, observer.asked(), game, then)),
        (None, RunEnd::Broken(what)) => Err(Failure::Unfinished(anyhow!(what))),
        (None, _) => Err(Failure::Unfinished(anyhow!("the game did not begin"))),
    }
}

/// The game of a run of one.
struct OnlyGame(Option<Finished>);

impl RecordStore for OnlyGame {
    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        self.0 = Some(finished.clone());
        Ok(())
    }

    fn interrupt(&mut self, _: Interruption, _: u64, _: &mut dyn RunScreen) -> Result<(), Failure> {
        Err(Failure::Interrupted(anyhow!("interrupted")))
    }
}
