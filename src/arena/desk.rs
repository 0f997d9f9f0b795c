//! Where workers get their games: the course of the tournament, with what is known of it already.

use super::game::Assignment;
use crate::course::{Course, Ended, Step};
use crate::openings::Openings;
use crate::record::Outcome;
use crate::rules::Side;
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

/// Games that were played before, by id and attempt.
pub type Known = HashMap<(String, u32), Ended>;

/// How a game with this outcome counts.
#[must_use]
pub fn ended(outcome: Outcome) -> Ended {
    let half_points = match outcome.winner() {
        Some(Side::First) => [2, 0],
        Some(Side::Second) => [0, 2],
        None => [1, 1],
    };
    match outcome {
        Outcome::Aborted(_) => Ended::Aborted,
        Outcome::Forfeit(..) => Ended::Forfeited(half_points),
        _ => Ended::Scored(half_points),
    }
}

/// What a worker is told.
#[derive(Debug)]
pub(super) enum Order {
    /// Play this game.
    Play(Box<Assignment>),
    /// Come again when some game has ended.
    Wait,
    /// There is nothing more to do.
    Leave,
    /// The game has nowhere to begin.
    Broken(String),
}

/// The games that are still to be played.
#[derive(Debug)]
pub struct Desk {
    course: Course,
    openings: Openings,
    known: Known,
    /// Games that workers have taken, until they are settled: id and when that was, by index.
    playing: BTreeMap<u64, (String, Instant)>,
    closed: bool,
    id: Option<String>,
}

impl Desk {
    /// Games of this course, each from its opening; those that are known are not played again.
    #[must_use]
    pub fn new(course: Course, openings: Openings, known: Known) -> Desk {
        Desk { course, openings, known, playing: BTreeMap::new(), closed: false, id: None }
    }

    /// Gives every game this id, which is what its bots' seeds come from: to play a game of another run again.
    #[must_use]
    pub fn with_id(self, id: Option<String>) -> Desk {
        Desk { id, ..self }
    }

    /// The course as far as it has come.
    #[must_use]
    pub fn course(&self) -> &Course {
        &self.course
    }

    /// The games that are being played, and for how long.
    #[must_use]
    pub fn running(&self) -> Vec<(String, Duration)> {
        self.playing.values().map(|(id, since)| (id.clone(), since.elapsed())).collect()
    }

    pub(super) fn next(&mut self) -> Order {
        while !self.closed {
            let (mut pairing, attempt) = match self.course.next() {
                Step::Play(pairing, attempt) => (pairing, attempt),
                Step::Wait => return Order::Wait,
                Step::Over => break,
            };
            // What is known lets the course go on; what is settled by it is nobody's news.
            if let Some(ended) = self.known.remove(&(pairing.id.clone(), attempt)) {
                self.course.ended(pairing.index, ended);
                self.course.settled().for_each(drop);
                continue;
            }
            pairing.id = self.id.clone().unwrap_or(pairing.id);
            return match self.openings.get(pairing.opening) {
                Ok(start) => {
                    self.playing.insert(pairing.index, (pairing.id.clone(), Instant::now()));
                    Order::Play(Box::new(Assignment { pairing, attempt, start }))
                }
                Err(error) => Order::Broken(error.to_string()),
            };
        }
        Order::Leave
    }

    pub(super) fn ended(&mut self, index: u64, ended: Ended) {
        self.playing.remove(&index);
        self.course.ended(index, ended);
        self.course.settled().for_each(drop);
    }

    /// Whether a worker has to wait until this game is settled.
    pub(super) fn is_open(&self, index: u64) -> bool {
        self.playing.contains_key(&index)
    }

    /// No more games are to begin.
    pub(super) fn close(&mut self) {
        self.closed = true;
    }
}
