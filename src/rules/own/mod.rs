//! Custom games (docs/reference/custom-games.md): rules that stand outside of arbiter, behind
//! [`RulesEngine`]. `Own` in a name means that it is one of a custom game.
//!
//! A position is nothing but its text, so an engine is a function from texts to texts; it may be a
//! process, a table or another rules library. What it says is checked here against the board of the
//! game ([`Layout`]); what is wrong with it is a [`RulesFault`], which is never a player's.
//!
//! From what the user names to a position: [`Rules`] with values of their options are an
//! [`OwnDefinition`], which a [`Ruleset`](crate::Ruleset) contains; its positions ask the engine of
//! the definition by [`Question`]s.
//!
//! A position that a log tells needs no engine:
//! [`Position::record_next`](crate::Position::record_next) keeps the position after a ply
//! with the position before it.

mod board;
mod definition;
mod game;
mod layout;
mod options;
mod question;
mod reasons;
mod ruleset;
pub mod sample;
mod source;
mod state;
mod words;

pub use definition::{OwnDefinition, OwnOption};
pub use game::OwnGame;
pub use layout::Layout;
pub use options::{option_specs, option_values};
pub use question::{Question, RulesAnswer};
pub use source::{Rules, RulesSource};

pub use reasons::OwnReason;
pub use words::PlyWord;

pub(super) use board::{OwnBoard, OwnPlies};
pub(super) use ruleset::OwnRules;

use super::{Margin, RulesFault, Side};
use std::fmt::Debug;
use std::future::ready;
use std::pin::Pin;

// The limits of docs/reference/custom-games.md. They bound what one answer of an engine can make
// arbiter keep and print.

/// The most rows, and the most columns, of a board.
pub const MOST_ROWS: usize = 32;

/// The most bytes of a ply that is a word, of a reason, and of a key or value of an option.
pub const LONGEST_WORD: usize = 31;

/// The most squares of a ply.
pub const MOST_SQUARES: usize = 64;

/// The most legal plies of a position.
pub const MOST_PLIES: usize = 2_000;

/// What an engine says about a position: its text, and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineState {
    /// The position text: rows, side to move, and whatever else must be remembered, in words.
    pub position: String,
    /// The texts of the legal moves; empty if the game is over.
    pub plies: Vec<String>,
    /// How the game has ended; `None` while it goes on.
    pub ending: Option<EngineEnding>,
    /// What must be equal for a repetition; the whole position if it is missing.
    pub identity: Option<String>,
    /// Row and column of the squares of those plies that are no names of squares, for clicks and
    /// marks.
    pub squares: Vec<(String, Vec<(usize, usize)>)>,
}

/// How a game has ended, in the words of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineEnding {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The reason, such as `most-pieces`.
    pub reason: String,
    /// By how much the winner has won, if the rules say so.
    pub margin: Option<Margin>,
}

/// A question to an engine, in texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineQuestion {
    /// What follows from a position after a legal ply: the texts of both.
    Advance(String, String),
    /// What follows from a position.
    At(String),
    /// Why a ply is illegal in a position: the text of the position, then that of the ply.
    Why(String, String),
}

/// What an engine says to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineAnswer {
    /// What follows from a position.
    State(EngineState),
    /// Why a text is no position.
    NoPosition(String),
    /// Why a ply is illegal, if the engine says so.
    Why(Option<String>),
}

impl EngineAnswer {
    /// What follows from the position that was asked about.
    ///
    /// # Errors
    /// It is no position, or another question was answered.
    pub fn state(self) -> Result<EngineState, RulesFault> {
        match self {
            EngineAnswer::State(state) => Ok(state),
            EngineAnswer::NoPosition(why) => Err(RulesFault::new(why)),
            EngineAnswer::Why(_) => Err(RulesFault::new("they answered another question")),
        }
    }
}

/// An answer that is on its way.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<EngineAnswer, RulesFault>> + 'a>>;

/// The rules of one game with given options.
///
/// An answer depends on nothing but the texts of the question. It may take as long as the engine
/// allows itself.
pub trait RulesEngine: Debug + Send + Sync {
    /// Asks a question, and blocks the thread until the answer is there.
    ///
    /// # Errors
    /// The engine fails, or its answer is none.
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault>;

    /// Asks a question on the event loop that polls the future; an engine that never has to wait
    /// answers at once.
    fn answering<'a>(&'a self, question: &'a EngineQuestion) -> Answering<'a> {
        Box::pin(ready(self.answer(question)))
    }
}
