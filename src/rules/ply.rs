//! A ply: one decision by one side, in the representation that all games share.

pub use super::own::PlyWord;
use std::fmt;

/// A square. Its number depends on the game and the size of the board, and is not always the one in
/// texts: [`Ruleset::row_and_column`](crate::Ruleset::row_and_column) and
/// [`Ruleset::square`](crate::Ruleset::square) translate it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u16);

impl Square {
    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One decision by one side.
///
/// Its text depends on the game: [`Ruleset::read_ply`](crate::Ruleset::read_ply) reads it,
/// [`Ruleset::ply_text`](crate::Ruleset::ply_text) writes the one canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ply {
    /// The side has no move, or declines a second piece.
    Pass,
    /// A piece is put on a square.
    Place(Square),
    /// A piece moves from the first square to the second.
    Move(Square, Square),
    /// A move of a custom game that is neither.
    Word(PlyWord),
}

/// Why a text is not a ply of the game: a sentence that describes what a ply looks like.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlyError(String);

impl PlyError {
    pub(super) fn new(what: impl fmt::Display) -> PlyError {
        PlyError(what.to_string())
    }
}
