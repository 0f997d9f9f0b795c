//! A ply: one decision by one side, in the representation that all four games share.

/// A square, numbered as its game numbers them (see the game's module); 24×24 is the largest board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u16);

impl Square {
    /// The number as an index.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One decision by one side.
///
/// Its text depends on the game: [`Ruleset::read_ply`](crate::rules::Ruleset::read_ply) reads it,
/// [`Ruleset::ply_text`](crate::rules::Ruleset::ply_text) writes the one canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ply {
    /// The side has no move, or declines a second piece.
    Pass,
    /// A piece is put on a square.
    Place(Square),
    /// A piece moves from the first square to the second.
    Move(Square, Square),
}
