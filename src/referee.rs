//! The judge of one game, and the only place where an [`Outcome`] is made.
//!
//! [`Referee::ask`] says who is to decide and for how long; [`Referee::answer`] takes what the question brought
//! and judges it. Between the two somebody else talks to a bot, or reads a log: the referee knows neither.
//! What decides when several things hold at once is gamelog.md's last section, and stands in `fault` and
//! `settle` alone.
//!
//! ```
//! use arbiter::clock::TimeControl;
//! use arbiter::protocol::{Answer, Reply};
//! use arbiter::referee::{Referee, Step, Terms};
//! use arbiter::rules::Ruleset;
//!
//! let loa = Ruleset::named("loa", &[]).unwrap();
//! let mut referee = Referee::new(Terms::new(loa.start(), TimeControl::Unlimited));
//! let ask = referee.ask().expect("the game has just begun");
//! assert_eq!(loa.letter(ask.side), 'B');
//! let answer = Answer { reply: Some(Reply::Move(b"a2c4")), ..Answer::default() };
//! assert_eq!(referee.answer(&answer), Step::Played);
//! ```

use crate::clock::{Charged, Clock, TimeControl};
use crate::protocol::{Answer, Garbled, Reply, native};
use crate::record::{Abort, Fault, NOTE_BYTES, Note, Outcome, Played};
use crate::rules::{BySide, Ply, Position, Side};
use std::time::Duration;

/// What a match allows.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Where the game begins; the ruleset is in it.
    pub start: Position,
    /// The clock of each side.
    pub time: TimeControl,
    /// A limit of its own for each bot's first ply.
    pub first_move: Option<Duration>,
    /// What a ply may be over its limit without losing.
    pub margin: Duration,
    /// Which time a ply is charged with.
    pub charged: Charged,
    /// The number of plies that draws; 0 for never.
    pub max_plies: u32,
    /// The occurrence of a position that draws; 0 for never.
    pub repetition: u32,
    /// Answers before an illegal one loses; at least 1.
    pub attempts: u32,
}

impl Terms {
    /// The defaults of cli.md for a game from this position.
    #[must_use]
    pub fn new(start: Position, time: TimeControl) -> Terms {
        let size = start.ruleset().size() as u32;
        Terms {
            start,
            time,
            first_move: None,
            margin: Duration::from_millis(20),
            charged: Charged::Wall,
            max_plies: (2 * size * size).max(400),
            repetition: 3,
            attempts: 1,
        }
    }
}

/// A question that is to be put to a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// Who decides.
    pub side: Side,
    /// The number of the ply to come, from 1.
    pub turn: usize,
    /// What is left for this ply, increment included; none without a clock.
    pub budget: Option<Duration>,
    /// When the flag falls: what may be charged, the margin included.
    pub limit: Option<Duration>,
    /// How much wall time may pass from now, whichever time is charged.
    pub wall: Option<Duration>,
    /// What the opponent has.
    pub opponent: Option<Duration>,
}

/// What an answer led to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Step {
    /// The ply was played; ask again.
    Played,
    /// The answer was illegal for this reason, and the side may try again on the same clock.
    Again(String),
    /// The game is over.
    Over(Outcome),
}

/// What the answers to one question took so far.
#[derive(Debug, Clone, Copy)]
struct Spent {
    charged: Duration,
    wall: Duration,
    /// None as soon as that of one answer is not known.
    cpu: Option<Duration>,
}

impl Spent {
    const NOTHING: Spent = Spent { charged: Duration::ZERO, wall: Duration::ZERO, cpu: Some(Duration::ZERO) };

    fn and(self, answer: &Answer<'_>, charged: Charged) -> Spent {
        Spent {
            charged: self.charged + charged.of(answer.used, answer.cpu),
            wall: self.wall + answer.used,
            cpu: self.cpu.zip(answer.cpu).map(|(before, more)| before + more),
        }
    }
}

/// The judge of one game.
#[derive(Debug, Clone)]
pub struct Referee {
    terms: Terms,
    position: Position,
    clocks: BySide<Clock>,
    /// Every position so far, hashes apart: a repetition is searched by hash and confirmed by board. Most positions
    /// are new, and then one bit of `met` says so.
    keys: Vec<u64>,
    positions: Vec<Position>,
    met: [u64; 16],
    plies: Vec<Played>,
    /// Answers that the side to move has had, and what they took: as it is charged, by the wall, and of the processor.
    tried: u32,
    spent: Spent,
    outcome: Option<Outcome>,
}

impl Referee {
    /// Opens a game. It may be over at once: a set-up position is judged as if the side not to move had just
    /// moved, and forced passes are played here.
    #[must_use]
    pub fn new(terms: Terms) -> Referee {
        let clock = Clock::new(terms.time, terms.first_move, terms.margin);
        let mut referee = Referee {
            position: terms.start,
            clocks: BySide { first: clock, second: clock },
            keys: Vec::with_capacity(128),
            positions: Vec::with_capacity(128),
            met: [0; 16],
            plies: Vec::with_capacity(128),
            tried: 0,
            spent: Spent::NOTHING,
            outcome: None,
            terms,
        };
        referee.settle();
        referee.pass_if_forced();
        referee
    }

    /// What the match allows.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The board as it is.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The plies so far, forced passes among them.
    #[must_use]
    pub fn plies(&self) -> &[Played] {
        &self.plies
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Ends the refereeing: the plies as they were played.
    #[must_use]
    pub fn into_plies(self) -> Vec<Played> {
        self.plies
    }

    /// Who is to decide, and with how much time; none when the game is over.
    #[must_use]
    pub fn ask(&self) -> Option<Ask> {
        if self.outcome.is_some() {
            return None;
        }
        let side = self.position.side();
        let left = |time: Option<Duration>| time.map(|time| time.saturating_sub(self.spent.charged));
        Some(Ask {
            side,
            turn: self.plies.len() + 1,
            budget: left(self.clocks[side].budget()),
            limit: left(self.clocks[side].limit()),
            wall: self.wall_limit(side).map(|limit| limit.saturating_sub(self.spent.wall)),
            opponent: self.clocks[!side].budget(),
        })
    }

    /// How much wall time the ply of that side may take.
    fn wall_limit(&self, side: Side) -> Option<Duration> {
        let Terms { charged, margin, .. } = self.terms;
        self.clocks[side].budget().map(|budget| charged.wall_limit(budget, margin))
    }

    /// Judges what the question to the side on move brought.
    ///
    /// After the end it changes nothing and returns the outcome again.
    pub fn answer(&mut self, answer: &Answer<'_>) -> Step {
        if let Some(outcome) = self.outcome {
            return Step::Over(outcome);
        }
        let side = self.position.side();
        let spent = self.spent.and(answer, self.terms.charged);
        let over_time = self.clocks[side].limit().is_some_and(|limit| spent.charged > limit)
            || self.wall_limit(side).is_some_and(|limit| spent.wall > limit);
        if let Some(fault) = fault(answer, over_time) {
            return self.end(Outcome::Forfeit(side, fault));
        }
        let ply = match answer.reply {
            Some(Reply::Resign) => return self.end(Outcome::Resigned(side)),
            Some(Reply::Move(words)) => native::legal_ply(&self.position, words),
            None => return self.end(Outcome::Forfeit(side, Fault::Timeout)), // nothing came, and nothing else is known
        };
        match ply {
            Ok(ply) => {
                let charged = self.clocks[side].charge(spent.charged);
                debug_assert!(charged.is_ok(), "a fallen flag was judged above");
                let text = answer.info.unwrap_or_default();
                let note = Note {
                    wall: Some(micros(spent.wall)),
                    cpu: spent.cpu.map(micros),
                    text: text[..text.len().min(NOTE_BYTES)].to_vec(),
                };
                self.play(ply, Some(note));
                self.outcome.map_or(Step::Played, Step::Over)
            }
            Err(reason) => {
                self.tried += 1;
                self.spent = spent;
                if self.tried >= self.terms.attempts {
                    return self.end(Outcome::Forfeit(side, Fault::IllegalMove));
                }
                Step::Again(reason)
            }
        }
    }

    /// Ends a game whose bots did not both say that they were ready: one that did not has lost, and when
    /// neither did the game counts for nobody.
    pub fn fail_start(&mut self, failed: BySide<bool>) -> Step {
        if failed.first || failed.second {
            // Nobody has decided anything: passes that were forced from the start are no plies of this game.
            self.plies.clear();
            self.position = self.terms.start;
        }
        match (failed.first, failed.second) {
            (true, true) => self.end(Outcome::Aborted(Abort::NoStart)),
            (true, false) => self.end(Outcome::Forfeit(Side::First, Fault::NoStart)),
            (false, true) => self.end(Outcome::Forfeit(Side::Second, Fault::NoStart)),
            (false, false) => self.outcome.map_or(Step::Played, Step::Over),
        }
    }

    /// Breaks the game off: something of ours failed, or the run was interrupted. A game that is over stays as
    /// it ended.
    pub fn abort(&mut self) -> Outcome {
        *self.outcome.get_or_insert(Outcome::Aborted(Abort::Broken))
    }

    /// Takes the game's outcome back, whatever it was: something that is neither bot's fault makes it worthless.
    pub fn annul(&mut self) {
        self.outcome = Some(Outcome::Aborted(Abort::Broken));
    }

    /// How often the position on the board has occurred so far.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let key = self.position.key();
        let places = self.keys.iter().enumerate().filter(|&(_, &earlier)| earlier == key);
        places.filter(|&(at, _)| self.positions[at].repeats(&self.position)).count()
    }

    fn end(&mut self, outcome: Outcome) -> Step {
        self.outcome = Some(outcome);
        Step::Over(outcome)
    }

    fn play(&mut self, ply: Ply, note: Option<Note>) {
        self.position.play(ply);
        self.plies.push(Played { ply, note });
        self.tried = 0;
        self.spent = Spent::NOTHING;
        self.settle();
        self.pass_if_forced();
    }

    /// Forced passes are plies that nobody is asked for and that cost no time.
    fn pass_if_forced(&mut self) {
        if self.outcome.is_none()
            && let Some(pass) = self.position.forced_pass()
        {
            self.play(pass, None);
        }
    }

    /// Judges the position on the board: first the game's rules, then repetition, then length.
    fn settle(&mut self) {
        let key = self.position.key();
        let (word, bit) = ((key >> 6) as usize % self.met.len(), 1 << (key % 64));
        let met = self.met[word] & bit != 0;
        self.met[word] |= bit;
        self.keys.push(key);
        self.positions.push(self.position);
        let terms = &self.terms;
        self.outcome = if let Some(ending) = self.position.ending() {
            Some(Outcome::Rules(ending))
        } else if terms.repetition > 0
            && (met || terms.repetition == 1)
            && self.occurrences() >= terms.repetition as usize
        {
            Some(Outcome::Repetition)
        } else if terms.max_plies > 0 && self.plies.len() >= terms.max_plies as usize {
            Some(Outcome::MaxPlies)
        } else {
            None
        };
    }
}

/// The fault that decides, of all that hold at once: a complete answer line within the limit counts before exit
/// and end of file; otherwise the first in the order of [`Fault`].
fn fault(answer: &Answer<'_>, over_time: bool) -> Option<Fault> {
    let answered = answer.reply.is_some();
    let garbled = match answer.garbled {
        Some(Garbled::Nul | Garbled::TooLong) => true,
        Some(Garbled::Closed | Garbled::Deaf) => !answered,
        None => false,
    };
    [
        (over_time, Fault::Timeout),
        (answer.over_memory.is_some(), Fault::MemoryLimit),
        (answer.over_processes.is_some(), Fault::ProcessLimit),
        (answer.over_output.is_some(), Fault::OutputLimit),
        (answer.exit.is_some() && !answered, Fault::Crash),
        (garbled, Fault::Protocol),
    ]
    .into_iter()
    .find_map(|(holds, fault)| holds.then_some(fault))
}

fn micros(time: Duration) -> Duration {
    Duration::from_micros(time.as_micros() as u64)
}

#[cfg(test)]
mod tests;
