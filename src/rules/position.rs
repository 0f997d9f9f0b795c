//! Board and side to move, whichever the game.

use super::board::Board;
use super::perft::{self, Last};
use super::text::{self, BLOCK, Cells};
use super::{BySide, Ending, Illegal, Ply, Ruleset, Side, Symmetry, flipflop, gekitai, lineup, loa};
use std::fmt;

/// What is on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A piece of a side.
    Piece(Side),
    /// A block, in `lineup`: nobody can use the square.
    Block,
}

impl Cell {
    /// The letter of what is there.
    #[inline]
    pub(super) fn letter(self, letters: BySide<char>) -> Option<char> {
        match self {
            Cell::Empty => None,
            Cell::Piece(side) => Some(letters[side]),
            Cell::Block => Some(BLOCK),
        }
    }
}

/// Board and side to move, with the rules that govern it. It is copied rather than changed back: [`after`] writes no
/// more than its game needs.
///
/// [`Display`](fmt::Display) writes the position text. Two positions are equal when everything that the rules
/// look at is equal; [`repeats`](Position::repeats) is the weaker equality of draws by repetition.
///
/// [`after`]: Position::after
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position(pub(super) AnyBoard);

/// One arm a game and width of board; nothing outside this room sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AnyBoard {
    Loa(loa::Board),
    FlipFlop(flipflop::Board<u64>),
    LargeFlipFlop(flipflop::Board<flipflop::Large>),
    Lineup(lineup::Board<u64>),
    LargeLineup(lineup::Board<lineup::Large>),
    Gekitai(gekitai::Board),
}

/// Does the same with whichever of an enum's arms it is.
macro_rules! each {
    ($kind:ident, $of:expr, $board:ident => $do:expr) => {
        match $of {
            $kind::Loa($board) => $do,
            $kind::FlipFlop($board) => $do,
            $kind::LargeFlipFlop($board) => $do,
            $kind::Lineup($board) => $do,
            $kind::LargeLineup($board) => $do,
            $kind::Gekitai($board) => $do,
        }
    };
}

/// Makes a value of one enum from the same arm of another.
macro_rules! map {
    ($from:ident => $to:ident, $of:expr, $board:ident => $do:expr) => {
        match $of {
            $from::Loa($board) => $to::Loa($do),
            $from::FlipFlop($board) => $to::FlipFlop($do),
            $from::LargeFlipFlop($board) => $to::LargeFlipFlop($do),
            $from::Lineup($board) => $to::Lineup($do),
            $from::LargeLineup($board) => $to::LargeLineup($do),
            $from::Gekitai($board) => $to::Gekitai($do),
        }
    };
}

impl Position {
    /// The rules it is played by.
    #[must_use]
    pub fn ruleset(&self) -> Ruleset {
        each!(AnyBoard, &self.0, board => board.ruleset())
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub fn side(&self) -> Side {
        each!(AnyBoard, &self.0, board => board.side())
    }

    /// Which piece of its turn the side to move places, 1 or 2, in `flipflop`, whose turns have two.
    #[must_use]
    pub fn piece(&self) -> Option<u8> {
        each!(AnyBoard, &self.0, board => board.piece())
    }

    /// Whether and how the rules say that the game is over here.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        each!(AnyBoard, &self.0, board => board.ending())
    }

    /// The legal plies in a fixed order, none when the game is over; a side that cannot move has the one
    /// ply [`Ply::Pass`]. Allocates nothing.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> Plies {
        Plies(map!(AnyBoard => AnyPlies, &self.0, board => board.plies()))
    }

    /// The legal plies sorted by their text, as lists for people, bots and openings are.
    #[must_use]
    pub fn sorted_plies(&self) -> Vec<Ply> {
        each!(AnyBoard, &self.0, board => board.sorted_plies().collect())
    }

    /// How many legal plies there are; for most games sooner told than listed.
    #[inline]
    #[must_use]
    pub fn ply_count(&self) -> u64 {
        each!(AnyBoard, &self.0, board => board.count())
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
        each!(AnyBoard, &self.0, board => board.check(ply))
    }

    /// Plays a legal ply: one of [`plies`](Position::plies), or one that [`check`](Position::check) let through.
    /// Another one is a mistake of the caller, who gets a position that means nothing, or a panic.
    #[inline]
    pub fn play(&mut self, ply: Ply) {
        each!(AnyBoard, &mut self.0, board => *board = board.after(ply));
    }

    /// The position after a legal ply.
    #[inline]
    #[must_use]
    pub fn after(&self, ply: Ply) -> Position {
        Position(map!(AnyBoard => AnyBoard, &self.0, board => board.after(ply)))
    }

    /// A 64-bit hash of board, blocks and side to move, the same in every run.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        each!(AnyBoard, &self.0, board => board.key())
    }

    /// Whether this is the same board with the same side to move, which is what counts for repetition.
    #[inline]
    #[must_use]
    pub fn repeats(&self, other: &Position) -> bool {
        match (&self.0, &other.0) {
            (AnyBoard::Loa(a), AnyBoard::Loa(b)) => a.repeats(b),
            (a, b) => a == b,
        }
    }

    /// What stands in a cell: `row` counts from the row that is printed first, `column` from the left; both are below
    /// [`Ruleset::size`], or the answer means nothing, or it panics.
    #[inline]
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Cell {
        each!(AnyBoard, &self.0, board => board.cell(row, column))
    }

    /// How many pieces a side has on the board.
    #[must_use]
    pub fn piece_count(&self, side: Side) -> u32 {
        each!(AnyBoard, &self.0, board => board.piece_count(side))
    }

    /// Into how many groups a side's pieces fall, under 8-adjacency.
    #[must_use]
    pub fn group_count(&self, side: Side) -> u32 {
        each!(AnyBoard, &self.0, board => board.group_count(side))
    }

    /// The position turned or mirrored, blocks included. All four games are the same game then: see [`Symmetry`].
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Position {
        let size = self.ruleset().size();
        let cells = Cells::from_fn(size, |row, column| {
            let (row, column) = symmetry.inverse().cell(size, (row, column));
            self.cell(row, column)
        });
        Position(map!(AnyBoard => AnyBoard, &self.0, board => board.with_cells(&cells)))
    }

    /// Appends the board, the row that is printed first at the top: for every square its letter, `#` for a block, or
    /// `.` for an empty one; a newline after each row.
    #[inline]
    pub fn push_board(&self, out: &mut String) {
        each!(AnyBoard, &self.0, board => board.push_board(out));
    }

    /// Appends a space and its text for every legal ply, sorted.
    #[inline]
    pub fn push_plies(&self, out: &mut String) {
        each!(AnyBoard, &self.0, board => board.push_plies(out));
    }

    /// `perft`, inside the game.
    pub(super) fn sequences(&self, depth: u32, last: Last) -> u64 {
        each!(AnyBoard, &self.0, board => perft::sequences(board, depth, last))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ruleset = self.ruleset();
        let letters = ruleset.game().letters();
        let mut out = String::new();
        text::push_rows(&mut out, ruleset.size(), |row, column| self.cell(row, column).letter(letters));
        write!(f, "{out} {}", letters[self.side()])?;
        self.piece().map_or(Ok(()), |piece| write!(f, " {piece}"))
    }
}

/// The legal plies of a position, see [`Position::plies`].
#[derive(Debug, Clone)]
pub struct Plies(AnyPlies);

#[derive(Debug, Clone)]
enum AnyPlies {
    Loa(<loa::Board as Board>::Plies),
    FlipFlop(<flipflop::Board<u64> as Board>::Plies),
    LargeFlipFlop(<flipflop::Board<flipflop::Large> as Board>::Plies),
    Lineup(<lineup::Board<u64> as Board>::Plies),
    LargeLineup(<lineup::Board<lineup::Large> as Board>::Plies),
    Gekitai(<gekitai::Board as Board>::Plies),
}

impl Iterator for Plies {
    type Item = Ply;

    #[inline]
    fn next(&mut self) -> Option<Ply> {
        each!(AnyPlies, &mut self.0, plies => plies.next())
    }
}
