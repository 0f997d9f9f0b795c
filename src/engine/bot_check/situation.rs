//! The situations that a bot is put in: their names, in the order of what to mend first, and what
//! is said of each.

use super::moments::MomentKind;

/// A situation, in the order of what its author should mend first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Situation {
    /// Its build command works.
    Builds,
    /// Its program can be run.
    Starts,
    /// It gets ready in time.
    Ready,
    /// It answers in the start position.
    Opening,
    /// It answers in a position of this kind.
    Moment(MomentKind),
    /// The game does not begin in its usual position.
    OtherStart,
    /// It plays a game to its end.
    WholeGame,
    /// Hundreds of plies come at once.
    LongGame,
    /// The smallest board that the options of the game allow.
    SmallestBoard,
    /// The largest one.
    LargestBoard,
    /// Other values of this option.
    Option(String),
    /// The clock of the settings.
    LongClock,
    /// A clock of 100 ms and 10 ms.
    ShortClock,
    /// A time for each ply.
    TimeMove,
    /// No clock.
    TimeNone,
    /// Lines that it does not know.
    UnknownLines,
    /// An answer of it is refused.
    Refusal,
    /// Several games in one process.
    Reuse,
    /// It ends at `quit`.
    Quit,
    /// It ends at the end of its input.
    EndOfInput,
    /// Limits that are a fifth lower.
    Limits,
    /// Without the environment variable that makes Python flush.
    Flush,
    /// It writes answers only when it is asked.
    OneAnswer,
    /// Its standard output has lines that are none of the protocol.
    Stdout,
    /// The same game with the same seed.
    SameSeed,
}

impl Situation {
    /// Its name, and its sentence.
    fn words(&self) -> (&'static str, &'static str) {
        match self {
            Situation::Builds => ("builds", "its build command makes the program"),
            Situation::Starts => ("starts", "its program can be run"),
            Situation::Ready => ("ready", "it gets ready in time"),
            Situation::Opening => ("opening", "it answers in the start position, and once more"),
            Situation::WholeGame => ("whole-game", "it plays a game to its end"),
            Situation::Moment(kind) => match kind {
                MomentKind::Capture => {
                    ("capture", "pieces were taken, moved or recoloured, and can be again")
                }
                MomentKind::OneLegalPly => ("one-legal-ply", "there is only one legal move"),
                MomentKind::LastPly => ("last-ply", "a move of it can end the game"),
                MomentKind::ForcedPass => ("forced-pass", "a forced pass stands in `since`"),
                MomentKind::SecondPieceTaken => {
                    ("second-piece-taken", "the opponent has placed two pieces in its turn")
                }
                MomentKind::SecondPieceDeclined => {
                    ("second-piece-declined", "the opponent has declined its second piece")
                }
            },
            Situation::OtherStart => {
                ("other-start", "the game begins from another position than usual")
            }
            Situation::LongGame => (
                "long-game",
                "it takes over in a game that is very long, so `since` is a long line",
            ),
            Situation::SmallestBoard => ("smallest-board", "the board is the smallest of the game"),
            Situation::LargestBoard => ("largest-board", "the board is the largest of the game"),
            Situation::Option(_) => ("option", ""), // the callers add its key
            Situation::LongClock => ("clock", "it keeps to its clock over ten plies"),
            Situation::ShortClock => {
                ("short-clock", "its clock has 100 ms, and 10 ms more for each move")
            }
            Situation::TimeMove => ("time-move", "each move has a time of its own (`time move`)"),
            Situation::TimeNone => {
                ("time-none", "there is no clock (`time none`, and no line `clock`)")
            }
            Situation::UnknownLines => {
                ("unknown-lines", "lines that it does not know come before `start` and in a turn")
            }
            Situation::Refusal => {
                ("attempts", "its answer is refused by a line `illegal`, and it is asked again")
            }
            Situation::Reuse => {
                ("reuse", "it plays three games in one process, as it wishes by `reuse`")
            }
            Situation::Quit => ("quit", "it ends by itself after `quit`"),
            Situation::EndOfInput => {
                ("end-of-input", "it ends by itself at the end of its input, without `quit`")
            }
            Situation::Limits => {
                ("limits", "its memory, threads and output stay a fifth below the limits")
            }
            Situation::Flush => (
                "flush",
                "it flushes its output itself, without PYTHONUNBUFFERED=1, which arbiter sets",
            ),
            Situation::OneAnswer => ("one-answer", "it answers only to `go`, and once"),
            Situation::Stdout => {
                ("stdout", "it writes only lines of the protocol to standard output")
            }
            Situation::SameSeed => {
                ("same-seed", "with the same `seed` it plays the same moves again")
            }
        }
    }

    /// Its name, which is also that of its file: `option-stuck`.
    pub fn name(&self) -> String {
        match self {
            Situation::Option(key) => format!("{}-{key}", self.words().0),
            _ => self.words().0.to_owned(),
        }
    }

    /// What is tried, in one sentence.
    pub fn what(&self) -> String {
        match self {
            Situation::Option(key) => {
                format!("the option `{key}` of the game has other values than usual")
            }
            _ => self.words().1.to_owned(),
        }
    }

    /// Whether a failure may be one of a slow machine, so that only one that comes again counts.
    pub fn is_about_time(&self) -> bool {
        matches!(&self, Situation::LongClock | Situation::ShortClock | Situation::Flush)
    }
}
