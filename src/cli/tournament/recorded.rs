//! A tournament as its journal has it: what was asked for, who plays, and every game by its place.

use crate::arena;
use crate::cli::conditions::TRIES;
use crate::config::{Config, Format as ConfigFormat, Model as ConfigModel};
use crate::course::{Course, Ended, Rules, Settled, Step};
use crate::rating::{Model, Sprt};
use crate::record::{Record, read_log};
use crate::schedule::{Format, Schedule};
use crate::store::journal::{Game, Head, Journal, JournalError};
use anyhow::{Context, anyhow};
use std::collections::HashMap;
use std::path::Path;

/// The schedule that a configuration asks for. `ahead` is how many pairs a test may begin beyond the finished ones.
fn format(config: &Config, ahead: u32) -> Format {
    let schedule = &config.schedule;
    let (games, rounds) = (schedule.games, schedule.rounds);
    match schedule.format {
        ConfigFormat::RoundRobin => Format::RoundRobin { games, rounds },
        ConfigFormat::Gauntlet => {
            Format::Gauntlet { challengers: schedule.challengers as usize, games, rounds }
        }
        ConfigFormat::Swiss => Format::Swiss { games, rounds },
        ConfigFormat::Knockout => Format::Knockout { best_of: schedule.best_of },
        ConfigFormat::Sprt => Format::Sprt { max_pairs: config.sprt.max_pairs, ahead },
    }
}

/// The test that a configuration asks for.
fn sprt(config: &Config) -> Option<Sprt> {
    let test = &config.sprt;
    let model = match test.model {
        ConfigModel::Normalized => Model::Normalized,
        ConfigModel::Logistic => Model::Logistic,
    };
    let sprt = Sprt { elo0: test.elo0, elo1: test.elo1, alpha: test.alpha, beta: test.beta, model };
    (config.schedule.format == ConfigFormat::Sprt).then_some(sprt)
}

/// The course of a tournament that nothing has been played of.
///
/// # Errors
/// These bots cannot play in this format.
pub(super) fn course(config: &Config, names: &[String], ahead: u32) -> anyhow::Result<Course> {
    let schedule = Schedule::new(format(config, ahead), names)?;
    let stop_after_forfeits = config.schedule.stop_after_forfeits;
    Ok(Course::new(schedule, Rules { tries: TRIES, stop_after_forfeits, sprt: sprt(config) }))
}

/// How many games the tournament has, where that can be told beforehand.
pub(super) fn total(config: &Config, bots: usize) -> Option<u64> {
    format(config, 0).games(bots)
}

/// The games of a journal: where each stands and how it ended, by id and attempt.
#[derive(Debug, Default)]
pub(super) struct Places {
    games: HashMap<(String, u32), (u64, Ended)>,
    /// A game that cannot be read, which only somebody who writes journals by hand can bring about.
    error: Option<anyhow::Error>,
}

impl Places {
    /// Adds a game.
    pub fn add(&mut self, place: u64, game: &Game) {
        match read(game) {
            Ok(record) => {
                let known = (place, arena::ended(record.outcome));
                self.games.insert((game.id.clone(), game.attempt), known);
            }
            Err(error) => drop(self.error.get_or_insert(error)),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.games.len()
    }

    /// What the course has to know of them.
    pub fn known(&self) -> arena::Known {
        self.games.iter().map(|(game, &(_, ended))| (game.clone(), ended)).collect()
    }
}

/// The record that a line of the journal holds.
fn read(game: &Game) -> anyhow::Result<Record> {
    let context = || format!("the journal's game {}", game.id);
    let record = read_log(game.log.as_bytes()).next().ok_or_else(|| anyhow!("has no log"));
    record.and_then(|record| Ok(record?)).with_context(context)
}

/// A tournament, as far as it is recorded.
#[derive(Debug)]
pub(super) struct Recorded {
    pub config: Config,
    pub head: Head,
    pub journal: Journal,
    pub places: Places,
}

impl Recorded {
    /// Looks at a journal, without going on with it.
    ///
    /// # Errors
    /// It cannot be read, or is not one.
    pub fn look(path: &Path) -> anyhow::Result<Recorded> {
        let mut places = Places::default();
        let opened = Journal::look(path, |place, game| places.add(place, game))?;
        let head = opened.head.ok_or_else(|| JournalError::Foreign(path.to_owned()))?;
        let config = Config::parse(&head.config).map_err(|errors| {
            anyhow!("{}: its configuration cannot be read: {}", path.display(), errors.display("cup.toml"))
        })?;
        Ok(Recorded { config, head, journal: opened.journal, places })
    }

    /// Walks through what counts, in schedule order, and gives the course back as far as the records go.
    ///
    /// # Errors
    /// A game cannot be read any more, or `each` fails.
    pub fn walk(
        &self,
        mut each: impl FnMut(&Settled, &Game, Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<Course> {
        if let Some(error) = &self.places.error {
            return Err(anyhow!("{error:#}"));
        }
        let mut course = course(&self.config, &self.head.names(), u32::MAX)?;
        let mut left = self.places.count();
        loop {
            let (index, known) = match course.next() {
                Step::Play(pairing, attempt) => {
                    (pairing.index, self.places.games.get(&(pairing.id, attempt)))
                }
                Step::Wait | Step::Over => return Ok(course),
            };
            match known {
                Some(&(_, ended)) => {
                    left -= 1;
                    course.ended(index, ended);
                }
                None => course.left_out(index),
            }
            for settled in course.settled().collect::<Vec<_>>() {
                let place = self.places.games.get(&(settled.pairing.id.clone(), settled.attempt));
                let Some(&(place, _)) = place else { continue };
                let game = self.journal.game(place)?;
                let record = read(&game)?;
                each(&settled, &game, record)?;
            }
            if left == 0 && known.is_none() {
                return Ok(course); // nothing of what comes after that is known
            }
        }
    }
}
