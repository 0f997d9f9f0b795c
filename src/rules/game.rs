//! What each game says of itself: a description, and the rules of its boards.

use super::cell::BoardCells;
use super::notation::{self, PositionFormat};
use super::options::{OptionSpec, OptionValues};
use super::short_text::ShortText;
use super::{BySide, OptionError, Ply, PlyError, Side, Square, SquareName, Symmetry};
use std::fmt::Debug;
use std::hash::Hash;

/// A ply that shows how a game is played, under its default options.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The position text before it.
    pub position: &'static str,
    /// The ply.
    pub ply: &'static str,
    /// What is seen, in a sentence.
    pub caption: &'static str,
}

/// What is known of a game without the values of its options.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameDescription<'a> {
    /// The name in commands and logs.
    pub(super) name: &'a str,
    /// The name in texts for people.
    pub(super) title: &'a str,
    /// The letters of the two sides.
    pub(super) letters: BySide<char>,
    /// The side that a log calls `White`.
    pub(super) white: Side,
    /// The options, in the order in which `arbiter games` prints them.
    pub(super) options: &'a [OptionSpec],
    /// How it is played, in some lines for people; empty for a custom game.
    pub(super) in_short: &'static [&'static str],
    /// A ply that shows how it is played, if there is one.
    pub(super) example: Option<Example>,
    /// The number of the first row in the names of squares.
    pub(super) first_row: usize,
    /// Whether a position text may have blocks.
    pub(super) blocks: bool,
    /// The third field of a position text and what it means, in games that have one.
    pub(super) third_field: Option<&'static str>,
}

/// The rules of a game with the values of its options.
///
/// The defaults of the methods are for games that place one piece a ply, on squares that are named
/// by a letter and a number.
pub(super) trait GameRules: Copy + Eq + Hash + Debug {
    /// What is known without the options.
    const GAME: GameDescription<'static>;

    /// The rules with these options, which are known and in their ranges.
    ///
    /// # Errors
    /// Values that contradict each other.
    fn new(values: &OptionValues<'_>) -> Result<Self, OptionError>;

    /// Every option with its value.
    fn values(self) -> Vec<(&'static str, String)>;

    /// Number of rows.
    fn rows(self) -> usize;

    /// Number of columns, at most 26; boards are mostly square.
    fn columns(self) -> usize {
        self.rows()
    }

    /// Whether the game's board type for small boards is used, if it has one.
    fn is_small(self) -> bool {
        false
    }

    /// The squares of the start position.
    fn start(self) -> BoardCells;

    /// Whether the sides play one ply each in turn.
    fn alternates(self) -> bool {
        true
    }

    /// How many pieces in a row win, in games with such a goal.
    fn in_a_row(self) -> Option<usize> {
        None
    }

    /// The symmetries under which the rules are invariant, the identity first.
    fn symmetries(self) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    /// The square at a row, counted from the top, and a column.
    fn square(self, row: usize, column: usize) -> Square;

    /// Row and column of a square.
    fn row_and_column(self, square: Square) -> (usize, usize);

    /// The form of position texts.
    fn position_format(self) -> PositionFormat {
        PositionFormat {
            rows: self.rows(),
            columns: self.columns(),
            letters: Self::GAME.letters,
            blocks: Self::GAME.blocks,
            extra: Self::GAME.third_field,
        }
    }

    /// The name of a column.
    fn column_name(self, column: usize) -> String {
        char::from(b'a' + column as u8).to_string()
    }

    /// The name of a row, counted from the top.
    fn row_name(self, row: usize) -> String {
        (row + Self::GAME.first_row).to_string()
    }

    /// The name of a square.
    #[inline(always)]
    fn square_name(self, square: Square) -> SquareName {
        let (row, column) = self.row_and_column(square);
        SquareName(ShortText::square(column, row + Self::GAME.first_row))
    }

    /// Reads a ply.
    ///
    /// # Errors
    /// A sentence that describes what a ply looks like.
    fn read_ply(self, text: &str) -> Result<Ply, PlyError> {
        let (row, column) =
            notation::read_square(text, (self.rows(), self.columns()), Self::GAME.first_row)?;
        Ok(Ply::Place(self.square(row, column)))
    }

    /// The canonical text of a ply.
    #[inline(always)]
    fn ply_text(self, ply: Ply) -> ShortText {
        match ply {
            Ply::Pass => ShortText::PASS,
            Ply::Place(square) | Ply::Move(_, square) => self.square_name(square).0,
            Ply::Word(_) => ShortText::UNKNOWN,
        }
    }
}
