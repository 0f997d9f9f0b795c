//! The referee of one game, and the only place where an [`Outcome`] is made.
//!
//! [`Referee::ask`] returns the turn of the side to move; [`Referee::answer`] judges the answer.
//! In a custom game both ask the rules where they must, and wait for them. An event loop uses
//! [`Referee::request`], which returns the question to the rules as it does that to a player.
//! The referee knows neither players nor text. If several faults or endings hold at once, the last
//! section of docs/reference/gamelog.md decides; only `fault` and `judge_position` implement it.
//! [`Referee::events`] returns what was judged.
//!
//! ```
//! use arbiter_game::{Answer, Referee, Settings, Step};
//!
//! let settings = Settings::default();
//! let loa = &settings.ruleset;
//! let mut referee = Referee::new(&settings, loa.start());
//! let turn = referee.ask().expect("the game has just begun");
//! assert_eq!(loa.letter(turn.side), 'B');
//! let mut answer = Answer::ply(loa.read_ply("a2c4").unwrap());
//! assert_eq!(referee.answer(&mut answer), Step::Played);
//! ```

use super::{
    Abort, Allowance, Answer, Event, Fault, LimitExceeded, NOTE_BYTES, Note, Outcome, Played,
    Reply, Settings, Turn,
};
use crate::clock::{Charged, Clock};
use arbiter_rules::own::{Question, RulesAnswer};
use arbiter_rules::{BySide, Ply, Position, Side};
use std::time::Duration;

/// The result of judging an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Step {
    /// The ply was played; ask again.
    Played,
    /// The answer was no legal ply; the same side is asked again, on the same clock.
    Again,
    /// The game is over.
    Over(Outcome),
}

/// What the referee needs to go on.
#[derive(Debug)]
#[must_use]
pub enum Request<'a> {
    /// The answer of the side to move.
    Ask(Turn<'a>),
    /// What the rules of a custom game say. That takes time of neither side.
    AskRules(Question),
    /// Nothing: the game is over.
    Over(Outcome),
}

/// What becomes of a ply as soon as the rules have answered.
#[derive(Debug, Clone)]
enum Due {
    Play(Ply, Option<Note>),
    /// It is illegal. Only the rules of a custom game know why.
    Refuse {
        ply: Ply,
        is_final: bool,
    },
}

/// The time that the answers to one question took so far.
#[derive(Debug, Clone, Copy)]
struct Spent {
    charged: Duration,
    wall: Duration,
    /// `None` if the processor time of an answer is not known.
    cpu: Option<Duration>,
}

impl Spent {
    const NOTHING: Spent =
        Spent { charged: Duration::ZERO, wall: Duration::ZERO, cpu: Some(Duration::ZERO) };

    fn and(self, answer: &Answer, charged: Charged) -> Spent {
        Spent {
            charged: self.charged + charged.time(answer.used, answer.cpu),
            wall: self.wall + answer.used,
            cpu: self.cpu.zip(answer.cpu).map(|(before, more)| before + more),
        }
    }
}

/// The referee of one game.
#[derive(Debug, Clone)]
pub struct Referee {
    settings: Settings,
    charged: Charged,
    max_plies: u32,
    start: Position,
    position: Position,
    clocks: BySide<Clock>,
    /// The hashes of all positions so far, to find repetitions; `positions` confirms them.
    keys: Vec<u64>,
    positions: Vec<Position>,
    /// A filter of hashes (a Bloom filter of one bit a position): a bit that is not set shows that
    /// a position is new, which most are. A game of 100 plies sets at most a tenth of the bits.
    met: [u64; 16],
    plies: Vec<Ply>,
    /// The side that answered last.
    answered: Option<Side>,
    /// Refused answers of the side to move, the time that they took, and why the last one was
    /// refused.
    tried: u32,
    spent: Spent,
    refused: Option<String>,
    /// The last answer or a forced pass, until it is played or refused: while it is there, the
    /// rules of a custom game may have to be asked about it.
    due: Option<Due>,
    outcome: Option<Outcome>,
    /// The events since the last call of [`events`](Referee::events).
    events: Vec<Event>,
}

impl Referee {
    /// Begins a game from `start`. It may be over at once: the position is judged as if the side
    /// not to move had just moved, and forced passes are played here.
    pub fn new(settings: &Settings, start: Position) -> Referee {
        let mut referee = Referee::begin(settings, start);
        referee.wait_for_rules();
        referee
    }

    /// Begins a game on an event loop: if the rules have to be asked about a forced pass, that is
    /// the first [request](Referee::request).
    pub fn begin(settings: &Settings, start: Position) -> Referee {
        let time = &settings.time;
        let mut referee = Referee {
            settings: settings.clone(),
            charged: time.charged(),
            max_plies: settings.max_plies(),
            position: start.clone(),
            start,
            clocks: time.control.map(|control| Clock::new(control, time.first_move, time.margin)),
            keys: Vec::with_capacity(256),
            positions: Vec::with_capacity(256),
            met: [0; 16],
            plies: Vec::with_capacity(256),
            answered: None,
            tried: 0,
            spent: Spent::NOTHING,
            refused: None,
            due: None,
            outcome: None,
            events: Vec::with_capacity(4),
        };
        referee.judge_position();
        referee.pass_if_forced();
        referee.settle_due();
        referee
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The plies so far, forced passes included.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Why the last answer to the current question was refused, if one was.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// The events since the last call: plies played and answers refused. The end of the game is in
    /// [`outcome`](Referee::outcome).
    pub fn events(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.events.drain(..)
    }

    /// What is needed to go on.
    pub fn request(&self) -> Request<'_> {
        if let Some(outcome) = self.outcome {
            Request::Over(outcome)
        } else if let Some(question) = self.question() {
            Request::AskRules(question)
        } else {
            Request::Ask(self.turn())
        }
    }

    /// What the rules have to be asked about the ply that is due.
    fn question(&self) -> Option<Question> {
        match self.due.as_ref()? {
            Due::Play(ply, _) | Due::Refuse { ply, .. } => self.position.question(*ply),
        }
    }

    /// The question for the side to move; `None` when the game is over.
    pub fn ask(&self) -> Option<Turn<'_>> {
        self.outcome.is_none().then(|| self.turn())
    }

    fn turn(&self) -> Turn<'_> {
        let side = self.position.side();
        // Earlier attempts at this ply have used a part of its time.
        let limit = unspent(self.clocks[side].limit(), self.spent.charged);
        let charges_cpu = matches!(self.charged, Charged::Cpu(_));
        let wall = unspent(self.wall_limit(side), self.spent.wall);
        let stall = self.settings.time.stall.saturating_sub(self.spent.wall);
        Turn {
            side,
            position: &self.position,
            plies: &self.plies,
            clocks: BySide::from_own(
                side,
                unspent(self.clocks[side].budget(), self.spent.charged),
                self.clocks[!side].budget(),
            ),
            limit,
            allowance: Allowance {
                wall,
                cpu: if charges_cpu { limit } else { None },
                stall: wall.is_none().then_some(stall),
            },
            refused: self.refused.as_deref(),
            same_side_again: self.answered == Some(side),
        }
    }

    /// The limit of wall time for the ply of this side.
    fn wall_limit(&self, side: Side) -> Option<Duration> {
        let budget = self.clocks[side].budget()?;
        Some(self.charged.wall_limit(budget, self.settings.time.margin))
    }

    /// Judges the answer of the side to move; the `info` of a ply that is played is moved out of
    /// the answer.
    ///
    /// After the end of the game it changes nothing and returns the outcome again.
    pub fn answer(&mut self, answer: &mut Answer) -> Step {
        self.hear(answer);
        self.wait_for_rules();
        match (self.outcome, &self.refused) {
            (Some(outcome), _) => Step::Over(outcome),
            (None, Some(_)) => Step::Again,
            (None, None) => Step::Played,
        }
    }

    /// Asks the rules all that is due, and waits for them.
    fn wait_for_rules(&mut self) {
        while let Some(question) = self.question() {
            self.hear_rules(question.wait());
        }
    }

    /// Takes the answer of the rules to a [request](Referee::request).
    pub fn hear_rules(&mut self, answer: RulesAnswer) {
        // The positions of a custom game share what the rules have said, so this one knows it now.
        answer.keep();
        self.settle_due();
    }

    /// Judges the answer of the side to move as [`answer`](Referee::answer) does, as far as that
    /// needs no rules: the next [request](Referee::request) may be one to them.
    pub fn hear(&mut self, answer: &mut Answer) {
        if self.outcome.is_some() {
            return;
        }
        let side = self.position.side();
        self.answered = Some(side);
        let spent = self.spent.and(answer, self.charged);
        let over_time = self.clocks[side].limit().is_some_and(|limit| spent.charged > limit)
            || self.wall_limit(side).is_some_and(|limit| spent.wall > limit);
        // A fault comes first: what the answer says does not count then.
        if let Some(fault) = fault(answer, over_time) {
            self.outcome = Some(Outcome::Forfeit(side, fault));
            return;
        }
        self.spent = spent;
        match &answer.reply {
            Some(Reply::Resign) => self.outcome = Some(Outcome::Resigned(side)),
            Some(Reply::Illegal(reason)) => self.refuse(reason.clone(), answer.is_final),
            Some(Reply::Ply(ply)) if self.position.is_legal(*ply) => {
                // In whole microseconds, as the note has it, so that clocks can be computed from a
                // log.
                let charged = self.clocks[side].charge(micros(spent.charged));
                debug_assert!(charged.is_ok(), "a fallen flag was judged above");
                let mut text = std::mem::take(&mut answer.info);
                text.truncate(NOTE_BYTES);
                let note =
                    Note { wall: Some(micros(spent.wall)), cpu: spent.cpu.map(micros), text };
                self.due = Some(Due::Play(*ply, Some(note)));
            }
            Some(Reply::Ply(ply)) => {
                self.due = Some(Due::Refuse { ply: *ply, is_final: answer.is_final });
            }
            // No answer, and no other fault is known.
            None => self.outcome = Some(Outcome::Forfeit(side, Fault::Timeout)),
        }
        self.settle_due();
    }

    /// Plays or refuses what is due, unless the rules have to be asked before. A loop, because
    /// forced passes may follow a ply.
    fn settle_due(&mut self) {
        while self.question().is_none()
            && let Some(due) = self.due.take()
        {
            match due {
                Due::Play(ply, note) => self.play(ply, note),
                Due::Refuse { ply, is_final } => {
                    let mut reason = String::new();
                    if let Err(illegal) = self.position.check(ply) {
                        reason = illegal.to_string();
                    }
                    self.refuse(reason, is_final);
                }
            }
        }
    }

    /// Refuses the answer of the side to move, which is no legal ply.
    fn refuse(&mut self, reason: String, is_final: bool) {
        let side = self.position.side();
        self.tried += 1;
        self.refused = Some(reason.clone());
        if is_final || self.tried >= self.settings.rules.attempts {
            self.outcome = Some(Outcome::Forfeit(side, Fault::IllegalMove));
        } else {
            self.events.push(Event::Refused { side, reason });
        }
    }

    /// Ends a game whose players did not both get ready: those that failed lose.
    pub fn fail_start(&mut self, failed: BySide<bool>) -> Step {
        if failed.first || failed.second {
            // The game did not begin, so passes that were forced at the start are not part of it.
            self.due = None;
            self.plies.clear();
            self.events.clear();
            self.position = self.start.clone();
        }
        match (failed.first, failed.second) {
            (true, true) => self.end(Outcome::NeitherStarted),
            (true, false) => self.end(Outcome::Forfeit(Side::First, Fault::NoStart)),
            (false, true) => self.end(Outcome::Forfeit(Side::Second, Fault::NoStart)),
            (false, false) => self.outcome.map_or(Step::Played, Step::Over),
        }
    }

    /// Aborts the game because arbiter itself failed or the run was interrupted. A game that is
    /// over keeps its outcome.
    pub fn abort(&mut self) -> Outcome {
        *self.outcome.get_or_insert(Outcome::Aborted(Abort::Broken))
    }

    /// Aborts the game even if it has an outcome, because the machine disturbed it.
    pub fn annul(&mut self) {
        self.outcome = Some(Outcome::Aborted(Abort::Broken));
    }

    /// How often the current position has occurred so far.
    pub fn occurrences(&self) -> usize {
        let key = self.position.key();
        let mut count = 0;
        for (earlier, position) in self.keys.iter().zip(&self.positions) {
            count += usize::from(*earlier == key && position.repeats(&self.position));
        }
        count
    }

    fn end(&mut self, outcome: Outcome) -> Step {
        self.outcome = Some(outcome);
        Step::Over(outcome)
    }

    fn play(&mut self, ply: Ply, note: Option<Note>) {
        let side = self.position.side();
        self.position.play(ply);
        self.plies.push(ply);
        self.events.push(Event::Played {
            side,
            number: self.plies.len(),
            played: Played { ply, note },
        });
        self.tried = 0;
        self.spent = Spent::NOTHING;
        self.refused = None;
        self.judge_position();
        self.pass_if_forced();
    }

    /// A forced pass is due, without a question and without charging time.
    fn pass_if_forced(&mut self) {
        if self.outcome.is_none()
            && let Some(pass) = self.position.forced_pass()
        {
            self.due = Some(Due::Play(pass, None));
        }
    }

    /// Judges the current position: first by the game's rules, then repetition, then length.
    fn judge_position(&mut self) {
        // The lowest 6 bits of the hash choose the bit, the next 4 the word.
        let key = self.position.key();
        let word = (key >> 6) as usize % self.met.len();
        let bit = 1 << (key % 64);
        let met = self.met[word] & bit != 0;
        self.met[word] |= bit;
        self.keys.push(key);
        self.positions.push(self.position.clone());
        let repetition = self.settings.rules.repetition;
        self.outcome = if self.position.fault().is_some() {
            Some(Outcome::Aborted(Abort::Rules))
        } else if let Some(outcome) = Outcome::by_rules(&self.position) {
            Some(outcome)
        } else if repetition > 0
            // No match has a limit of 1, but a log may claim it: then the start is a draw.
            && (met || repetition == 1)
            && self.occurrences() >= repetition as usize
        {
            Some(Outcome::Repetition)
        } else if self.plies.len() >= self.max_plies as usize {
            Some(Outcome::MaxPlies)
        } else {
            None
        };
    }
}

/// The fault that counts if several hold at once: the first in the order of [`Fault`], except that
/// a complete answer line within the limit counts before exit and end of file.
fn fault(answer: &Answer, over_time: bool) -> Option<Fault> {
    let answered = answer.reply.is_some();
    let garbled = answer.garbled.is_some_and(|garbled| !(answered && garbled.is_closed_pipe()));
    [
        (over_time, Fault::Timeout),
        (matches!(answer.exceeded, Some(LimitExceeded::Memory(_))), Fault::MemoryLimit),
        (matches!(answer.exceeded, Some(LimitExceeded::Tasks(_))), Fault::ProcessLimit),
        (answer.exceeded.is_some(), Fault::OutputLimit),
        (answer.exit.is_some() && !answered, Fault::Crash),
        (garbled, Fault::Protocol),
    ]
    .into_iter()
    .find_map(|(holds, fault)| holds.then_some(fault))
}

/// What is left of a time of which this much is spent.
fn unspent(time: Option<Duration>, spent: Duration) -> Option<Duration> {
    Some(time?.saturating_sub(spent))
}

fn micros(time: Duration) -> Duration {
    Duration::from_micros(time.as_micros() as u64)
}

#[cfg(test)]
mod tests;
