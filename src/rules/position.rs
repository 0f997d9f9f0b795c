//! Board and side to move, whichever the game.

use super::ruleset::Rules;
use super::{Ending, Illegal, Ply, Ruleset, Side, loa, text};
use std::fmt;

/// Board and side to move, with the rules that govern it; small enough to copy.
///
/// [`Display`](fmt::Display) writes the position text. Two positions are equal when everything that the rules
/// look at is equal; [`repeats`](Position::repeats) is the weaker equality of draws by repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position(pub(super) Board);

/// One arm a game; nothing outside this room sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Board {
    Loa(loa::Board),
}

impl Position {
    /// The rules it is played by.
    #[must_use]
    pub fn ruleset(&self) -> Ruleset {
        match &self.0 {
            Board::Loa(board) => Ruleset(Rules::Loa(board.rules())),
        }
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub fn side(&self) -> Side {
        match &self.0 {
            Board::Loa(board) => board.side(),
        }
    }

    /// Whether and how the rules say that the game is over here.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        match &self.0 {
            Board::Loa(board) => board.ending(),
        }
    }

    /// The legal plies sorted by their text, none when the game is over; a side that cannot move has the one
    /// ply [`Ply::Pass`]. Allocates nothing.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> Plies {
        match &self.0 {
            Board::Loa(board) => Plies(Inner::Loa(board.plies())),
        }
    }

    /// The forced pass, if that is all the side to move has.
    #[inline]
    #[must_use]
    pub fn forced_pass(&self) -> Option<Ply> {
        self.plies().next().filter(|&ply| ply == Ply::Pass)
    }

    /// Whether a ply may be played here.
    ///
    /// # Errors
    /// A sentence for the bot's author that says why it may not.
    pub fn check(&self, ply: Ply) -> Result<(), Illegal> {
        if self.ending().is_some() {
            return Err(Illegal::new("the game is over"));
        }
        match &self.0 {
            Board::Loa(board) => board.check(ply),
        }
    }

    /// Plays a legal ply: one of [`plies`](Position::plies), or one that [`check`](Position::check) let through.
    /// Another one is a mistake of the caller, who gets a position that means nothing, or a panic.
    #[inline]
    pub fn play(&mut self, ply: Ply) {
        match &mut self.0 {
            Board::Loa(board) => board.play(ply),
        }
    }

    /// The position after a legal ply.
    #[inline]
    #[must_use]
    pub fn after(&self, ply: Ply) -> Position {
        let mut next = *self;
        next.play(ply);
        next
    }

    /// A 64-bit hash of board and side to move (Zobrist), the same in every run.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        match &self.0 {
            Board::Loa(board) => board.key(),
        }
    }

    /// Whether this is the same board with the same side to move, which is what counts for repetition.
    #[inline]
    #[must_use]
    pub fn repeats(&self, other: &Position) -> bool {
        match (&self.0, &other.0) {
            (Board::Loa(a), Board::Loa(b)) => a.repeats(b),
        }
    }

    /// What stands in a cell: `row` counts from the row that is printed first, `column` from the left.
    #[inline]
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<Side> {
        match &self.0 {
            Board::Loa(board) => board.cell(row, column),
        }
    }

    /// How many pieces a side has on the board.
    #[must_use]
    pub fn piece_count(&self, side: Side) -> u32 {
        match &self.0 {
            Board::Loa(board) => board.pieces(side).count_ones(),
        }
    }

    /// Into how many groups a side's pieces fall, under 8-adjacency.
    #[must_use]
    pub fn group_count(&self, side: Side) -> u32 {
        match &self.0 {
            Board::Loa(board) => loa::groups(board.pieces(side)),
        }
    }

    /// Appends the board, the row that is printed first at the top: for every square its letter, or `.` for an empty
    /// one; a newline after each row.
    #[inline]
    pub fn push_board(&self, out: &mut String) {
        match &self.0 {
            Board::Loa(board) => board.push_board(out),
        }
    }

    /// Appends a space and its text for every legal ply, sorted.
    #[inline]
    pub fn push_plies(&self, out: &mut String) {
        match &self.0 {
            Board::Loa(board) => board.push_plies(out),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ruleset = self.ruleset();
        let letters = ruleset.game().letters();
        let mut out = String::new();
        text::push_rows(&mut out, ruleset.size(), |row, column| {
            self.cell(row, column).map(|side| letters[side])
        });
        write!(f, "{out} {}", letters[self.side()])
    }
}

/// The legal plies of a position, sorted by their text.
#[derive(Debug, Clone)]
pub struct Plies(Inner);

#[derive(Debug, Clone)]
enum Inner {
    Loa(loa::Plies),
}

impl Iterator for Plies {
    type Item = Ply;

    #[inline]
    fn next(&mut self) -> Option<Ply> {
        match &mut self.0 {
            Inner::Loa(plies) => plies.next(),
        }
    }
}
