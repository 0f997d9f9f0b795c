//! The queue of games for the workers: which game each of them plays next, and which games and bots
//! they have. Where the games come from is a [`GameSource`].

use super::game::Assignment;
use super::player::PlayerSpec;
use arbiter_cup::tournament::{AttemptResult, NextAttempt, PlayedGames, Share, TournamentProgress};
use arbiter_game::openings::Openings;
use arbiter_rank::schedule::Pairing;
use arbiter_rules::{BySide, Position};
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

/// What a worker is to do next.
#[derive(Debug)]
pub(super) enum Task {
    Play(Box<Assignment>),
    /// End the bots that it keeps, and ask again.
    EndBots,
    /// No game is left.
    Leave,
    /// The next game cannot be played; the reason.
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

/// The answer of [`GameSource::next`].
#[derive(Debug)]
pub enum NextGame {
    Play(Box<Assignment>),
    /// A running game has to end first, or something else has to [change](super::Run::wake).
    Wait,
    /// No game is left.
    Over,
    /// The next game cannot be played; the reason.
    Broken(String),
}

/// What plays in a run, by name.
pub type Players = HashMap<String, PlayerSpec>;

/// Where the games of a run come from.
pub trait GameSource: Send {
    /// The next game; for every game that it hands out, [`ended`](GameSource::ended) is called.
    fn next(&mut self) -> NextGame;

    /// The game of this index has ended, and is recorded.
    fn ended(&mut self, index: u64, ended: AttemptResult);

    /// Whether this game is the last one of the run: no attempt at it follows either.
    fn is_last(&self, _index: u64) -> bool {
        false
    }

    /// The progress of the tournament, if the games are those of a schedule.
    fn progress(&self) -> Option<&TournamentProgress> {
        None
    }
}

/// The games of a run, and the workers that play them.
pub struct GameQueue {
    source: Box<dyn GameSource>,
    /// Games that workers have taken and that are not settled yet, by index: id and start time.
    playing: BTreeMap<u64, (String, Instant)>,
    /// The workers that may have bots, by number.
    workers: BTreeMap<usize, Stage>,
    closed: bool,
}

impl GameQueue {
    /// A queue of the games of this source.
    pub fn new(source: impl GameSource + 'static) -> GameQueue {
        GameQueue {
            source: Box::new(source),
            playing: BTreeMap::new(),
            workers: BTreeMap::new(),
            closed: false,
        }
    }

    /// The progress of the tournament, if the games are those of a schedule.
    pub fn progress(&self) -> Option<&TournamentProgress> {
        self.source.progress()
    }

    /// The running games, and how long each has run.
    pub fn running(&self) -> Vec<(String, Duration)> {
        self.playing.values().map(|(id, since)| (id.clone(), since.elapsed())).collect()
    }

    /// What this worker is to do; `None` if it has to ask again when something has changed.
    pub(super) fn next(&mut self, worker: usize) -> Option<Task> {
        if self.stage(worker) == Some(Stage::EndsBots) {
            return Some(Task::EndBots);
        }
        if self.closed {
            return Some(Task::Leave);
        }
        match self.source.next() {
            NextGame::Play(assignment) => {
                self.begin(&assignment.pairing);
                self.set_stage(worker, Stage::Playing);
                Some(Task::Play(assignment))
            }
            NextGame::Wait => None,
            NextGame::Over => Some(Task::Leave),
            NextGame::Broken(why) => Some(Task::Broken(why)),
        }
    }

    /// Takes a game that is played by another process, if games still begin.
    pub(super) fn lend(&mut self, take: impl FnOnce() -> Option<Assignment>) -> Option<Assignment> {
        if self.closed {
            return None;
        }
        let assignment = take()?;
        self.begin(&assignment.pairing);
        Some(assignment)
    }

    fn begin(&mut self, pairing: &Pairing) {
        self.playing.insert(pairing.index, (pairing.id.clone(), Instant::now()));
    }

    /// A game is not played by another process any more: it goes back where games come from.
    pub(super) fn take_back(&mut self, index: u64, give_back: impl FnOnce()) {
        self.playing.remove(&index);
        give_back();
    }

    pub(super) fn ended(&mut self, index: u64, ended: AttemptResult) {
        self.playing.remove(&index);
        self.source.ended(index, ended);
    }

    /// Whether this game is the last of the run.
    pub(super) fn is_last(&self, index: u64) -> bool {
        self.source.is_last(index)
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

/// The games of a tournament: those of its progress without the ones that were played before.
#[derive(Debug)]
pub struct ScheduledGames {
    progress: TournamentProgress,
    openings: Openings,
    players: Players,
    known: PlayedGames,
    share: Share,
    only: Option<String>,
}

impl ScheduledGames {
    /// The games of this progress between these players, each from its opening; `known` games are
    /// not played again.
    pub fn new(
        progress: TournamentProgress,
        openings: Openings,
        players: Players,
        known: PlayedGames,
    ) -> ScheduledGames {
        let share = Share::default();
        ScheduledGames { progress, openings, players, known, share, only: None }
    }

    /// Leaves out all games but this share of them.
    pub fn share(self, share: Share) -> ScheduledGames {
        ScheduledGames { share, ..self }
    }

    /// Leaves out all games but the one of this id.
    pub fn only(self, id: String) -> ScheduledGames {
        ScheduledGames { only: Some(id), ..self }
    }

    fn assignment(&mut self, pairing: Pairing, attempt: u32) -> Result<Assignment, String> {
        let schedule = self.progress.schedule();
        let names = BySide { first: pairing.first, second: pairing.second };
        let names = names.map(|bot| schedule.name(bot).to_owned());
        let players = seated(names, &self.players)?;
        let start = self.openings.get(pairing.opening).map_err(|error| error.to_string())?;
        Ok(Assignment { pairing, players, attempt, start })
    }
}

impl GameSource for ScheduledGames {
    fn next(&mut self) -> NextGame {
        loop {
            let (pairing, attempt) = match self.progress.next() {
                NextAttempt::Play(pairing, attempt) => (pairing, attempt),
                NextAttempt::Wait => return NextGame::Wait,
                NextAttempt::Over => return NextGame::Over,
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
            return match self.assignment(pairing, attempt) {
                Ok(assignment) => NextGame::Play(Box::new(assignment)),
                Err(why) => NextGame::Broken(why),
            };
        }
    }

    fn ended(&mut self, index: u64, ended: AttemptResult) {
        self.progress.ended(index, ended);
        drop(self.progress.counted()); // nobody asks a queue for them
    }

    fn progress(&self) -> Option<&TournamentProgress> {
        Some(&self.progress)
    }
}

/// A game of a row.
#[derive(Debug, Clone)]
pub struct RowGame {
    pub id: String,
    /// The names of the bots that play, which a schedule need not allow.
    pub names: BySide<String>,
    pub start: Position,
}

/// Games one after another, each of which is played once.
#[derive(Debug)]
pub struct GameRow {
    games: Vec<RowGame>,
    players: Players,
    /// The number of games that were handed out, and of those that have ended.
    begun: usize,
    ended: usize,
}

impl GameRow {
    /// These games between these players.
    pub fn new(games: Vec<RowGame>, players: Players) -> GameRow {
        GameRow { games, players, begun: 0, ended: 0 }
    }
}

impl GameSource for GameRow {
    fn next(&mut self) -> NextGame {
        let Some(game) = self.games.get(self.begun) else {
            return if self.ended < self.begun { NextGame::Wait } else { NextGame::Over };
        };
        let RowGame { id, names, start } = game.clone();
        let players = match seated(names, &self.players) {
            Ok(players) => players,
            Err(why) => return NextGame::Broken(why),
        };
        let pairing = Pairing::alone(id, self.begun as u64);
        self.begun += 1;
        NextGame::Play(Box::new(Assignment { pairing, players, attempt: 1, start }))
    }

    fn ended(&mut self, _: u64, _: AttemptResult) {
        self.ended += 1;
    }

    fn is_last(&self, index: u64) -> bool {
        self.games.len() as u64 == index + 1
    }
}

/// These players, with their names.
///
/// # Errors
/// There is none of a name.
fn seated(
    names: BySide<String>,
    players: &Players,
) -> Result<BySide<(String, PlayerSpec)>, String> {
    for name in [&names.first, &names.second] {
        if !players.contains_key(name) {
            return Err(format!("the run has no bot called {name}"));
        }
    }
    Ok(names.map(|name| {
        let player = players[&name].clone();
        (name, player)
    }))
}
