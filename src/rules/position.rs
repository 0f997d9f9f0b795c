//! Positions of any of the games.

use super::board::GameBoard;
use super::perft::{self, LastPly};
use super::text::{self, BLOCK, BoardCells};
use super::{BySide, Ending, Illegal, Ply, Ruleset, Side, Symmetry, flipflop, gekitai, lineup, loa};
use std::fmt;

/// The content of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A piece of a side.
    Piece(Side),
    /// A block, in `lineup`: no piece can be placed there.
    Block,
}

impl Cell {
    /// The letter of the content; none for an empty square.
    #[inline]
    pub(super) fn letter(self, letters: BySide<char>) -> Option<char> {
        match self {
            Cell::Empty => None,
            Cell::Piece(side) => Some(letters[side]),
            Cell::Block => Some(BLOCK),
        }
    }
}

/// Board and side to move, with the ruleset. Positions are copied instead of taking plies back; [`after`]
/// writes no more than its game needs.
///
/// [`Display`](fmt::Display) writes the position text. Two positions are equal if everything that the rules
/// depend on is equal; [`repeats`](Position::repeats) is the weaker equality of draws by repetition.
///
/// [`after`]: Position::after
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position(pub(super) AnyBoard);

/// One variant for each game and bitboard width; private to this module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AnyBoard {
    Loa(loa::LoaBoard),
    FlipFlop(flipflop::FlipFlopBoard<u64>),
    LargeFlipFlop(flipflop::FlipFlopBoard<flipflop::LargeFlipFlopBitboard>),
    Lineup(lineup::LineupBoard<u64>),
    LargeLineup(lineup::LineupBoard<lineup::LargeLineupBitboard>),
    Gekitai(gekitai::GekitaiBoard),
}

/// Evaluates the expression with the content of whichever variant it is.
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

/// Converts each variant of one enum to the variant of the same name of another.
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
    /// The ruleset with its options.
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

    /// 1 or 2: which piece of its turn the side to move places, in `flipflop`, whose turns have two; none in
    /// other games.
    #[must_use]
    pub fn piece(&self) -> Option<u8> {
        each!(AnyBoard, &self.0, board => board.piece())
    }

    /// How the rules have ended the game in this position; none while it goes on.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        each!(AnyBoard, &self.0, board => board.ending())
    }

    /// The legal plies in a fixed order; none when the game is over. A side that cannot move has the one ply
    /// [`Ply::Pass`]. Does not allocate.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> Plies {
        Plies(map!(AnyBoard => AnyPlies, &self.0, board => board.plies()))
    }

    /// The legal plies sorted by their text. Lists for people, bots and openings use this order.
    #[must_use]
    pub fn sorted_plies(&self) -> Vec<Ply> {
        each!(AnyBoard, &self.0, board => board.sorted_plies().collect())
    }

    /// Number of legal plies; faster than counting [`plies`](Position::plies) in most games.
    #[inline]
    #[must_use]
    pub fn ply_count(&self) -> u64 {
        each!(AnyBoard, &self.0, board => board.count())
    }

    /// [`Ply::Pass`], if it is the only legal ply.
    #[inline]
    #[must_use]
    pub fn forced_pass(&self) -> Option<Ply> {
        self.plies().next().filter(|&ply| ply == Ply::Pass)
    }

    /// Checks whether a ply is legal.
    ///
    /// # Errors
    /// A sentence for the bot's author that says why it is illegal.
    pub fn check(&self, ply: Ply) -> Result<(), Illegal> {
        if self.ending().is_some() {
            return Err(Illegal::new("the game is over"));
        }
        each!(AnyBoard, &self.0, board => board.check(ply))
    }

    /// Plays a legal ply: one of [`plies`](Position::plies), or one that [`check`](Position::check) accepted.
    /// For any other ply the resulting position is meaningless, or the call panics.
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

    /// A 64-bit hash of board, blocks and side to move; it is the same in every run and build.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        each!(AnyBoard, &self.0, board => board.key())
    }

    /// Whether board and side to move are the same, which is the equality that counts for repetition.
    #[inline]
    #[must_use]
    pub fn repeats(&self, other: &Position) -> bool {
        match (&self.0, &other.0) {
            (AnyBoard::Loa(a), AnyBoard::Loa(b)) => a.repeats(b),
            (a, b) => a == b,
        }
    }

    /// The content of a square: `row` counts from the row that is printed first, `column` from the left. If
    /// either is not below [`Ruleset::size`], the answer is meaningless, or the call panics.
    #[inline]
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Cell {
        each!(AnyBoard, &self.0, board => board.cell(row, column))
    }

    /// Number of pieces of a side on the board.
    #[must_use]
    pub fn piece_count(&self, side: Side) -> u32 {
        each!(AnyBoard, &self.0, board => board.piece_count(side))
    }

    /// Number of groups of a side's pieces, connected under 8-adjacency.
    #[must_use]
    pub fn group_count(&self, side: Side) -> u32 {
        each!(AnyBoard, &self.0, board => board.group_count(side))
    }

    /// The position rotated or mirrored, blocks included. The rules of all four games are invariant under
    /// this, see [`Symmetry`].
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Position {
        let size = self.ruleset().size();
        let cells = BoardCells::from_fn(size, |row, column| {
            let (row, column) = symmetry.inverse().cell(size, (row, column));
            self.cell(row, column)
        });
        Position(map!(AnyBoard => AnyBoard, &self.0, board => board.with_cells(&cells)))
    }

    /// Appends the board, the row that is printed first at the top: a square's letter, `#` for a block, `.`
    /// for an empty square; a newline after each row.
    #[inline]
    pub fn push_board(&self, out: &mut String) {
        each!(AnyBoard, &self.0, board => board.push_board(out));
    }

    /// Appends every legal ply, sorted by text, each with a space before it.
    #[inline]
    pub fn push_plies(&self, out: &mut String) {
        each!(AnyBoard, &self.0, board => board.push_plies(out));
    }

    /// `perft` for the board type of the game.
    pub(super) fn sequences(&self, depth: u32, last: LastPly) -> u64 {
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
    Loa(<loa::LoaBoard as GameBoard>::Plies),
    FlipFlop(<flipflop::FlipFlopBoard<u64> as GameBoard>::Plies),
    LargeFlipFlop(<flipflop::FlipFlopBoard<flipflop::LargeFlipFlopBitboard> as GameBoard>::Plies),
    Lineup(<lineup::LineupBoard<u64> as GameBoard>::Plies),
    LargeLineup(<lineup::LineupBoard<lineup::LargeLineupBitboard> as GameBoard>::Plies),
    Gekitai(<gekitai::GekitaiBoard as GameBoard>::Plies),
}

impl Iterator for Plies {
    type Item = Ply;

    #[inline]
    fn next(&mut self) -> Option<Ply> {
        each!(AnyPlies, &mut self.0, plies => plies.next())
    }
}
