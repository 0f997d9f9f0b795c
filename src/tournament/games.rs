//! The games of a tournament: those that its configuration asks for, and those in its journal.

use super::TRIES;
use super::entries::RecordedGame;
use super::progress::{AttemptResult, CountedGame, NextAttempt, TournamentProgress, TournamentRules};
use crate::config::{Config, SprtConfig};
use crate::game::Outcome;
use crate::rating::Sprt;
use crate::record::{LogError, Record, read_log};
use crate::rules::Side;
use crate::schedule::{Format, FormatName, Schedule, ScheduleError};
use std::collections::HashMap;

/// The format of a configuration. `ahead` is how many pairs a test may begin beyond the finished ones.
fn format(config: &Config, ahead: u32) -> Format {
    let schedule = &config.schedule;
    let (games, rounds) = (schedule.games, schedule.rounds);
    match schedule.format {
        FormatName::RoundRobin => Format::RoundRobin { games, rounds },
        FormatName::Gauntlet => {
            Format::Gauntlet { challengers: schedule.challengers as usize, games, rounds }
        }
        FormatName::Swiss => Format::Swiss { games, rounds },
        FormatName::Knockout => Format::Knockout { best_of: schedule.best_of },
        FormatName::Sprt => Format::Sprt { max_pairs: config.sprt.max_pairs, ahead },
    }
}

/// The test of a configuration; none if the format is another.
fn sprt(config: &Config) -> Option<Sprt> {
    let SprtConfig { elo0, elo1, alpha, beta, model, max_pairs: _ } = config.sprt;
    let sprt = Sprt { elo0, elo1, alpha, beta, model };
    (config.schedule.format == FormatName::Sprt).then_some(sprt)
}

/// The progress of a tournament before its first game.
///
/// # Errors
/// These bots cannot play in this format.
pub fn progress(config: &Config, names: &[String], ahead: u32) -> Result<TournamentProgress, ScheduleError> {
    let schedule = Schedule::new(format(config, ahead), names)?;
    let stop_after_forfeits = config.schedule.stop_after_forfeits;
    let rules = TournamentRules { tries: TRIES, stop_after_forfeits, sprt: sprt(config) };
    Ok(TournamentProgress::new(schedule, rules))
}

/// The number of games of the tournament, if it is known beforehand.
#[must_use]
pub fn total_games(config: &Config, bots: usize) -> Option<u64> {
    format(config, 0).games(bots)
}

/// Results of games that were played before, by id and attempt.
pub type PlayedGames = HashMap<(String, u32), AttemptResult>;

impl From<Outcome> for AttemptResult {
    fn from(outcome: Outcome) -> AttemptResult {
        let half_points = match outcome.winner() {
            Some(Side::First) => [2, 0],
            Some(Side::Second) => [0, 2],
            None => [1, 1],
        };
        match outcome {
            Outcome::Aborted(_) => AttemptResult::Aborted,
            Outcome::Forfeit(..) => AttemptResult::Forfeited(half_points),
            _ => AttemptResult::Scored(half_points),
        }
    }
}

/// Why the log of a game in a journal cannot be read: another program has changed it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the journal's game {id}: {}", error.as_ref().map_or_else(|| "has no log".to_owned(), LogError::to_string))]
pub struct RecordedGameError {
    id: String,
    error: Option<LogError>,
}

impl RecordedGame {
    /// Parses the game's log.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn record(&self) -> Result<Record, RecordedGameError> {
        let error = |error| RecordedGameError { id: self.id.clone(), error };
        match read_log(self.log.as_bytes()).next() {
            Some(record) => record.map_err(|why| error(Some(why))),
            None => Err(error(None)),
        }
    }
}

/// The games of a journal by id and attempt: position in the journal and result.
#[derive(Debug, Default)]
pub struct GameIndex {
    games: HashMap<(String, u32), (u64, AttemptResult)>,
    /// The first game that cannot be read.
    error: Option<RecordedGameError>,
}

impl GameIndex {
    /// Adds the game at this position of the journal.
    pub fn add(&mut self, place: u64, game: &RecordedGame) {
        match game.record() {
            Ok(record) => {
                let known = (place, AttemptResult::from(record.outcome));
                self.games.insert((game.id.clone(), game.attempt), known);
            }
            Err(error) => drop(self.error.get_or_insert(error)),
        }
    }

    /// The number of games.
    #[must_use]
    pub fn count(&self) -> usize {
        self.games.len()
    }

    /// The results of all of them.
    #[must_use]
    pub fn played(&self) -> PlayedGames {
        self.games.iter().map(|(game, &(_, result))| (game.clone(), result)).collect()
    }

    /// Advances a new progress by the games of the journal, in schedule order, as far as possible. `each`
    /// gets every game that counts with its position in the journal.
    ///
    /// # Errors
    /// A game of the journal cannot be read, the bots cannot play in this format, or `each` fails.
    pub fn walk<E: From<RecordedGameError> + From<ScheduleError>>(
        &self,
        config: &Config,
        names: &[String],
        mut each: impl FnMut(&CountedGame, u64) -> Result<(), E>,
    ) -> Result<TournamentProgress, E> {
        if let Some(error) = &self.error {
            return Err(error.clone().into());
        }
        let mut progress = progress(config, names, u32::MAX)?;
        let mut left = self.games.len();
        loop {
            let (index, known) = match progress.next() {
                NextAttempt::Play(pairing, attempt) => {
                    (pairing.index, self.games.get(&(pairing.id, attempt)))
                }
                NextAttempt::Wait | NextAttempt::Over => return Ok(progress),
            };
            match known {
                Some(&(_, result)) => {
                    left -= 1;
                    progress.ended(index, result);
                }
                None => progress.left_out(index),
            }
            for counted in progress.counted().collect::<Vec<_>>() {
                let place = self.games.get(&(counted.pairing.id.clone(), counted.attempt));
                let Some(&(place, _)) = place else { continue };
                each(&counted, place)?;
            }
            if left == 0 && known.is_none() {
                return Ok(progress); // no game after this one is in the journal
            }
        }
    }
}
