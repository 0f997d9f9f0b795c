//! The queue of games for the workers: those of the tournament's progress without the ones that
//! were played before.

use super::game::Assignment;
use arbiter_cup::tournament::{
    AttemptResult, NextAttempt, PlayedGames, Share, TournamentProgress, TournamentRules,
};
use arbiter_game::openings::Openings;
use arbiter_rank::schedule::{Format, Schedule, ScheduleError};
use arbiter_rules::{BySide, Position, Ruleset};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What a worker is to do next.
#[derive(Debug)]
pub(super) enum Task {
    Play(Box<Assignment>),
    /// End the bots that it keeps, and ask again.
    EndBots,
    /// No game is left.
    Leave,
    /// The next game has no opening; the reason.
    Broken(String),
}

/// What a worker does that may have bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It plays a game.
    Playing,
    /// It waits, and keeps bots for its next game.
    Waiting,
    /// It is to end the bots that it keeps.
    EndsBots,
}

/// The games that are still to be played.
#[derive(Debug)]
pub struct GameQueue {
    progress: TournamentProgress,
    openings: Openings,
    known: PlayedGames,
    share: Share,
    /// Games that workers have taken and that are not settled yet, by index: id and start time.
    playing: BTreeMap<u64, (String, Instant)>,
    /// The workers that may have bots, by number.
    workers: BTreeMap<usize, Stage>,
    closed: bool,
    /// The games of the schedule in its order, if the queue is a row.
    row: Vec<RowGame>,
    only: Option<String>,
}

/// A game of a row.
#[derive(Debug, Clone)]
pub struct RowGame {
    pub id: String,
    /// The names of the bots that play, which a schedule need not allow.
    pub players: BySide<String>,
    pub start: Position,
}

impl GameQueue {
    /// A queue of the games of this progress, each from its opening; `known` games are not played
    /// again.
    pub fn new(progress: TournamentProgress, openings: Openings, known: PlayedGames) -> GameQueue {
        GameQueue {
            progress,
            openings,
            known,
            share: Share::default(),
            playing: BTreeMap::new(),
            workers: BTreeMap::new(),
            closed: false,
            row: Vec::new(),
            only: None,
        }
    }

    /// Leaves out all games but this share of them.
    pub fn share(self, share: Share) -> GameQueue {
        GameQueue { share, ..self }
    }

    /// A queue of these games one after another, each of which is played once.
    ///
    /// # Errors
    /// There is no game.
    pub fn row(row: Vec<RowGame>) -> Result<GameQueue, ScheduleError> {
        let names = ["first", "second"].map(String::from);
        let schedule =
            Schedule::new(Format { games: row.len() as u32, ..Format::default() }, &names)?;
        let rules = TournamentRules { tries: 1, ..TournamentRules::default() };
        let progress = TournamentProgress::new(schedule, rules);
        let openings = Openings::start(Ruleset::default().start()); // not asked for
        Ok(GameQueue { row, ..GameQueue::new(progress, openings, PlayedGames::new()) })
    }

    /// Leaves out all games but the one of this id.
    pub fn only(self, id: String) -> GameQueue {
        GameQueue { only: Some(id), ..self }
    }

    /// The progress of the tournament.
    pub fn progress(&self) -> &TournamentProgress {
        &self.progress
    }

    /// The running games, and how long each has run.
    pub fn running(&self) -> Vec<(String, Duration)> {
        self.playing.values().map(|(id, since)| (id.clone(), since.elapsed())).collect()
    }

    /// What this worker is to do; `None` if it has to ask again when a game has ended.
    pub(super) fn next(&mut self, worker: usize) -> Option<Task> {
        if self.stage(worker) == Some(Stage::EndsBots) {
            return Some(Task::EndBots);
        }
        while !self.closed {
            let (mut pairing, attempt) = match self.progress.next() {
                NextAttempt::Play(pairing, attempt) => (pairing, attempt),
                NextAttempt::Wait => return None,
                NextAttempt::Over => break,
            };
            if self.only.as_ref().is_some_and(|only| *only != pairing.id) {
                self.progress.left_out(pairing.index);
                continue;
            }
            // Games that are known only advance the schedule; an earlier run or another one
            // reported them.
            let elsewhere = self.share.known(&pairing.id, attempt);
            let is_own = elsewhere.is_none() && self.share.has(&pairing);
            let here = self.known.remove(&(pairing.id.clone(), attempt));
            if let Some(ended) = elsewhere.or(here) {
                self.ended(pairing.index, ended);
                continue;
            }
            if !is_own {
                self.progress.left_out(pairing.index);
                continue;
            }
            let (players, start) = match self.row.get(pairing.index as usize) {
                Some(game) => {
                    pairing.id.clone_from(&game.id);
                    (game.players.clone(), Ok(game.start.clone()))
                }
                None => {
                    let schedule = self.progress.schedule();
                    let first = schedule.name(pairing.first).to_owned();
                    let second = schedule.name(pairing.second).to_owned();
                    (BySide { first, second }, self.openings.get(pairing.opening))
                }
            };
            return Some(match start {
                Ok(start) => {
                    self.playing.insert(pairing.index, (pairing.id.clone(), Instant::now()));
                    self.set_stage(worker, Stage::Playing);
                    Task::Play(Box::new(Assignment { pairing, players, attempt, start }))
                }
                Err(error) => Task::Broken(error.to_string()),
            });
        }
        Some(Task::Leave)
    }

    pub(super) fn ended(&mut self, index: u64, ended: AttemptResult) {
        self.playing.remove(&index);
        self.progress.ended(index, ended);
        drop(self.progress.counted()); // nobody asks a queue for them
    }

    /// Whether this game is the last of a row: no attempt at it follows either.
    pub(super) fn ends_row(&self, index: u64) -> bool {
        self.row.len() as u64 == index + 1
    }

    /// Whether a worker has to wait until this game is settled.
    pub(super) fn is_open(&self, index: u64) -> bool {
        self.playing.contains_key(&index)
    }

    /// What a worker does; `None` if it has no bots.
    pub(super) fn stage(&self, worker: usize) -> Option<Stage> {
        self.workers.get(&worker).copied()
    }

    /// Whether a worker plays a game.
    pub(super) fn is_playing(&self) -> bool {
        self.workers.values().any(|&stage| stage == Stage::Playing)
    }

    /// Whether a worker has yet to end bots.
    pub(super) fn ends_bots(&self) -> bool {
        self.workers.values().any(|&stage| stage == Stage::EndsBots)
    }

    pub(super) fn set_stage(&mut self, worker: usize, stage: Stage) {
        self.workers.insert(worker, stage);
    }

    /// The worker has no bots any more.
    pub(super) fn has_left(&mut self, worker: usize) {
        self.workers.remove(&worker);
    }

    /// Has the workers end the bots that they keep for their next games.
    pub(super) fn end_kept_bots(&mut self) {
        for stage in self.workers.values_mut() {
            if *stage == Stage::Waiting {
                *stage = Stage::EndsBots;
            }
        }
    }

    /// Stops the queue: no more games begin.
    pub(super) fn close(&mut self) {
        self.closed = true;
    }
}
