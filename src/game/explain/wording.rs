//! How a dialect words what a player should have written.

use arbiter_rules::{Ply, Position};

/// The wording of a dialect in messages to a player's author.
pub trait Wording {
    /// The answer that plays this ply, such as `move a2c4`.
    fn ply(&self, position: &Position, ply: Ply) -> String;

    /// The line by which a player gets ready, such as `ready`; empty in a dialect without one,
    /// where it is never waited for.
    fn ready(&self) -> &'static str {
        ""
    }

    /// The request for what is wanted, as the rest of a phrase that begins with `after each`: a
    /// line in quotes, such as `"go"`, or a word such as `prompt`.
    fn request(&self, wanted: Wanted) -> &'static str;

    /// Whether the player has written back the line that asked for what is wanted. False in a
    /// dialect whose requests are no lines, or in which such a line is an answer too.
    fn is_request(&self, _line: &[u8], _wanted: Wanted) -> bool {
        false
    }

    /// What a player must read before it may end: a line in quotes, such as `"quit"`, or words.
    fn quit(&self) -> &'static str;

    /// If a line is a legal ply except for its form: what is wrong, as a clause such as `"a2c4"
    /// came without the word move: write "move a2c4"`.
    fn nearly_a_ply(&self, position: &Position, line: &[u8]) -> Option<NearlyAPly>;

    /// What is wrong with a line that is no answer, as the rest of a sentence after the quoted
    /// line.
    fn not_an_answer(&self, line: &[u8], wanted: Wanted) -> String;

    /// What is expected of a console program, and what it printed last; `None` in a dialect of
    /// lines.
    fn waited_for(&self) -> Option<Waited> {
        None
    }
}

/// What a console program should print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waited {
    /// The patterns that it may print next, as a list in words.
    pub expected: String,
    /// The last words that it printed.
    pub printed: Vec<u8>,
    /// What goes wrong, as a clause, if that is known or probable.
    pub trouble: Option<String>,
}

/// A line that is nearly an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearlyAPly {
    /// What is wrong with it, as a clause.
    pub mistake: String,
    /// What to write instead.
    pub correction: String,
}

/// What a player is expected to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The line that it is ready.
    Ready,
    /// An answer to a turn.
    Answer,
}
