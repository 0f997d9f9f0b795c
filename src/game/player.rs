//! The messages between arbiter and a player of any kind: a process, a logged game, a person.
//!
//! A player gets a [`Start`], then a [`Turn`] whenever it is to move, which it answers with an
//! [`Answer`], and finally an [`End`].

use super::{DiskUsage, Outcome, Settings, Tasks};
use arbiter_rules::seed::RunSeed;
use arbiter_rules::{BySide, Ply, Position, Ruleset, Side};
use std::fmt;
use std::time::{Duration, Instant};

/// The message that a game begins.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The game's id and random bits.
    pub sent: &'a SentLines,
    /// The position that the game begins from.
    pub position: &'a Position,
    /// The player's side.
    pub you: Side,
    /// The settings of the game.
    pub settings: &'a Settings,
}

/// What only the bots of one game are sent: the lines `id` and `seed`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentLines {
    pub id: String,
    /// 64 random bits for each player.
    pub seeds: BySide<u64>,
}

impl SentLines {
    /// The lines for the game with this id, in a run with this seed.
    pub fn new(run: &RunSeed, game: &str, ruleset: &Ruleset) -> SentLines {
        let seeds = BySide::from_fn(|side| run.bot_seed(game, ruleset.letter(side)));
        SentLines { id: run.sent_id(game), seeds }
    }
}

/// A question for the side to move.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// The side that decides.
    pub side: Side,
    /// The board, before the ply that is asked for.
    pub position: &'a Position,
    /// All moves of the game so far, forced passes included.
    pub plies: &'a [Ply],
    /// The time that the next ply of each side may use, increment included; `None` without a clock.
    pub clocks: BySide<Option<Duration>>,
    /// When the flag falls: the most time that may be charged, margin included; `None` without a
    /// clock.
    pub limit: Option<Duration>,
    /// How long the answer may take.
    pub allowance: Allowance,
    /// Why the last answer to this turn was no legal ply, if there was one.
    pub refused: Option<&'a str>,
    /// Whether the last question of the game went to the same side.
    pub same_side_again: bool,
}

impl<'a> Turn<'a> {
    /// A question without a clock.
    pub fn unlimited(position: &'a Position, plies: &'a [Ply]) -> Turn<'a> {
        Turn {
            side: position.side(),
            position,
            plies,
            clocks: BySide::default(),
            limit: None,
            allowance: Allowance::default(),
            refused: None,
            same_side_again: false,
        }
    }

    /// The number of the ply that is asked for, from 1.
    pub fn number(&self) -> usize {
        self.plies.len() + 1
    }
}

/// A [`Turn`] for a person, whom a user interface asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonTurn {
    /// The person's side.
    pub side: Side,
    /// The number of the ply, from 1.
    pub number: usize,
    /// When the flag falls; `None` without a clock.
    pub deadline: Option<Instant>,
    /// Why the last answer to this turn was no legal ply, if there was one.
    pub refused: Option<String>,
}

/// How much time the answer to one question may take, from the first byte of the question on;
/// margins included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allowance {
    /// Wall time; `None` without a clock.
    pub wall: Option<Duration>,
    /// Processor time; `None` unless it is charged.
    pub cpu: Option<Duration>,
    /// Wall time of a program without a clock; `None` with a clock. It limits neither a person nor
    /// a logged game.
    pub stall: Option<Duration>,
}

/// The message that a game is over, for one of its players.
#[derive(Debug, Clone, Copy)]
pub struct End<'a> {
    /// The player's side.
    pub you: Side,
    /// The last position.
    pub position: &'a Position,
    /// All moves of the game, forced passes included.
    pub plies: &'a [Ply],
    /// How the game ended.
    pub outcome: Outcome,
    /// After a forfeit, what the losing player did, for that player only.
    pub detail: Option<&'a str>,
}

/// What a player decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// A ply, which may or may not be legal.
    Ply(Ply),
    /// Something that is no ply; why, in a sentence for the author of the player.
    Illegal(String),
    /// The player gives up.
    Resign,
}

/// The answer to one question: the facts at the end of the wait, not judged yet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The decision, if a complete answer came.
    pub reply: Option<Reply>,
    /// The player's `info` about the ply, for the log; any bytes.
    pub info: Vec<u8>,
    /// Wall time from the first byte of the question to the end of the answer or of the wait.
    pub used: Duration,
    /// Processor time in the same interval, if it is known.
    pub cpu: Option<Duration>,
    /// The limit that the player exceeded, if any.
    pub exceeded: Option<LimitExceeded>,
    /// How the player's program ended, if it has.
    pub exit: Option<Exit>,
    /// What it did before the answer that breaks the protocol, if anything.
    pub garbled: Option<Garbled>,
    /// The player cannot be asked again if the answer is illegal, even if the match allows it.
    pub is_final: bool,
}

impl Answer {
    /// An answer with this ply that took no time.
    pub fn ply(ply: Ply) -> Answer {
        Answer { reply: Some(Reply::Ply(ply)), ..Answer::default() }
    }
}

/// A limit that a player exceeded, with the amount that it used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LimitExceeded {
    /// Memory: the bytes that its processes had.
    Memory(u64),
    /// Processes or threads: the numbers that it had.
    Tasks(Tasks),
    /// Bytes on standard output for one ply.
    Output,
    /// The scratch folder: what it had in it.
    Scratch(DiskUsage),
}

/// The longest line that a bot may write, in bytes without the newline (docs/reference/protocol.md,
/// The answer).
pub const LINE_CAP: usize = 64 * 1024;

/// What a program did that breaks the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Garbled {
    /// A line with a NUL byte.
    Nul,
    /// A line that is longer than [`LINE_CAP`].
    TooLong,
    /// The program closed its standard output while it was running.
    OutputClosed,
    /// The program closed its standard input while it was running, so it cannot read the question.
    InputClosed,
    /// A console program asks again for the opponent's ply: it has refused the ply, which is legal.
    Refused,
    /// A console program was told all blocked squares and asks for a further one.
    FurtherBlock,
    /// The table of a console program has no words for what has to be sent.
    Untold,
    /// The processes, which are stopped while the program is not on move, were resumed and used
    /// this processor time.
    Resumed(Duration),
    /// The program says that it is at fault, and why.
    Declared,
}

impl Garbled {
    /// Whether it is only the end of a pipe, which comes after a complete answer.
    pub fn is_closed_pipe(self) -> bool {
        match self {
            Garbled::OutputClosed | Garbled::InputClosed => true,
            Garbled::Nul
            | Garbled::TooLong
            | Garbled::Refused
            | Garbled::FurtherBlock
            | Garbled::Untold
            | Garbled::Resumed(_)
            | Garbled::Declared => false,
        }
    }
}

/// Why a program does not answer, as far as its state shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Silence {
    Computing,
    /// It waits for more input, even after its input was closed.
    Waiting,
    /// It waited for more input, and wrote nothing when its input was closed.
    Mute,
    /// It neither computes nor waits for input.
    Sleeping,
    /// It wrote these bytes when it got one more line than the question has, and not before.
    AfterLine(Vec<u8>),
    /// It wrote these bytes when the last line of the question was sent again, and not before.
    AskedAgain(Vec<u8>),
    /// It wrote these bytes when its input was closed, and not before.
    AtEndOfInput(Vec<u8>),
    /// It wrote these bytes by itself, after the time was over.
    Late(Vec<u8>),
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Exit {
    /// By itself, with this status.
    Status(i32),
    Signal(i32),
}

impl fmt::Display for Exit {
    /// The rest of a sentence about the program: `ended with exit status 3`, `was ended by SIGSEGV
    /// (…)`. Signals have their names on Linux (signal(7)), with their usual meaning.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signal = match *self {
            Exit::Status(status) => return write!(f, "ended with exit status {status}"),
            Exit::Signal(signal) => signal,
        };
        let name = match signal {
            1 => "SIGHUP",
            2 => "SIGINT",
            3 => "SIGQUIT",
            4 => "SIGILL (illegal instruction)",
            5 => "SIGTRAP",
            6 => "SIGABRT (it aborted itself)",
            7 => "SIGBUS (bad memory access)",
            8 => "SIGFPE (division by zero)",
            9 => "SIGKILL",
            11 => "SIGSEGV (bad memory access)",
            13 => "SIGPIPE",
            14 => "SIGALRM",
            15 => "SIGTERM",
            24 => "SIGXCPU (processor time limit)",
            25 => "SIGXFSZ (file size limit)",
            31 => "SIGSYS (forbidden system call)",
            _ => return write!(f, "was ended by signal {signal}"),
        };
        write!(f, "was ended by {name}")
    }
}

/// A program that received all of its input at once, and ended by itself or was killed.
#[derive(Debug, Clone)]
pub struct ProgramRun {
    /// Its standard output, up to the limit of the run.
    pub output: Vec<u8>,
    /// The end of its standard error.
    pub stderr: Vec<u8>,
    pub end: ProgramEnd,
    /// The processor time of all its processes, as far as it was seen.
    pub processor_time: Duration,
}

/// How a [`ProgramRun`] ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramEnd {
    /// By itself or by a signal.
    Ended(Exit),
    /// It used up its processor time.
    Computing,
    /// It neither used processor time nor wrote anything, and did not end.
    Waiting,
    /// It wrote more than the limit of the run.
    Endless,
    /// It exceeded a limit of memory or processes.
    Exceeded(LimitExceeded),
}
