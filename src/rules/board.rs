//! The operations that every game implements for its board. [`Position`](super::Position) forwards
//! to one of them.

use super::bitboard::{Bitboard, Squares};
use super::cell::{BLOCK, BoardCells};
use super::game::GameRules;
use super::keys;
use super::notation::PositionError;
use super::short_text::{ShortTexts, ascii};
use super::{BySide, Cell, Ending, Illegal, Ply, Side, Square, SquareChange};
use std::fmt::Debug;
use std::hash::Hash;

/// The most rows and the most columns that a board of arbiter's games has: the largest one of
/// `flipflop`. Those of custom games may have [more](super::own::MOST_ROWS).
pub const LARGEST_BOARD: usize = 24;

/// Methods of [`GameBoard`] that return the field of their name.
macro_rules! getters {
    ($($field:ident: $type:ty),+) => {$(
        #[inline(always)]
        fn $field(&self) -> $type {
            self.$field
        }
    )+};
}

pub(super) use getters;

/// Number of groups of these squares, given by row and column, each once. Squares are connected at
/// edges and corners (docs/reference/rules.md, `loa`).
///
/// ```
/// use arbiter_rules::group_count;
/// assert_eq!(group_count([(0, 0), (1, 1), (1, 3)]), 2);
/// ```
pub fn group_count(squares: impl IntoIterator<Item = (usize, usize)>) -> u32 {
    let mut left: Vec<_> = squares.into_iter().collect();
    let mut count = 0;
    while let Some(first) = left.pop() {
        count += 1;
        // Each square of the group takes its neighbours out of those that are left.
        let mut group = vec![first];
        while let Some((row, column)) = group.pop() {
            group.extend(
                left.extract_if(.., |&mut (r, c)| row.abs_diff(r) <= 1 && column.abs_diff(c) <= 1),
            );
        }
    }
    count
}

/// Board and side to move of one game.
pub(super) trait GameBoard: Copy + Eq + Hash + Debug {
    /// The rules with their options.
    type Rules: GameRules;

    /// The legal plies, see [`GameBoard::plies`].
    type Plies: Iterator<Item = Ply> + Clone + Debug;

    /// A set of its squares.
    type Set: Bitboard;

    /// The empty board.
    fn blank(rules: Self::Rules, side: Side) -> Self;

    /// The board with these squares.
    fn new(rules: Self::Rules, cells: &BoardCells, side: Side) -> Self {
        Self::blank(rules, side).with_cells(cells)
    }

    /// The board as a position text sets it up, of which `extra` is the third field, empty in games
    /// that have none.
    ///
    /// # Errors
    /// The game does not allow such a position.
    fn set_up(self, extra: &str) -> Result<Self, PositionError> {
        debug_assert!(extra.is_empty());
        Ok(self)
    }

    /// The rules with their options.
    fn rules(&self) -> Self::Rules;

    /// The pieces of each side.
    fn pieces(&self) -> BySide<Self::Set>;

    /// The squares on which no piece can be placed, in games that have such squares.
    #[inline(always)]
    fn blocks(&self) -> Self::Set {
        Self::Set::default()
    }

    /// The number of the square at a row, counted from the top, and a column.
    #[inline(always)]
    fn square(&self, row: usize, column: usize) -> usize {
        self.rules().square(row, column).index()
    }

    /// The side to move.
    fn side(&self) -> Side;

    /// 1 or 2: which piece of its turn the side to move places, in games whose turns have two.
    fn piece(&self) -> Option<u8> {
        None
    }

    /// How the game has ended; none while it goes on.
    fn ending(&self) -> Option<Ending>;

    /// The legal plies in the order of the squares' numbers; none when the game is over.
    fn plies(&self) -> Self::Plies;

    /// The legal plies sorted by their text. The default is for games whose square numbers sort
    /// like their names.
    fn sorted_plies(&self) -> impl Iterator<Item = Ply> {
        self.plies()
    }

    /// Number of legal plies.
    #[inline(always)]
    fn count(&self) -> u64 {
        self.plies().count() as u64
    }

    /// Returns the rule that a ply breaks, the first if there are several. The caller has checked
    /// that the game is not over.
    fn check(&self, ply: Ply) -> Result<(), Illegal>;

    /// Every rule that a ply breaks, whether or not the game is over. The default is for games in
    /// which a ply breaks one rule at most.
    fn broken_rules(&self, ply: Ply) -> Vec<Illegal> {
        self.check(ply).err().into_iter().collect()
    }

    /// The board after a legal ply.
    fn after(&self, ply: Ply) -> Self;

    /// The squares that a legal ply changes, each once, in any order.
    fn changes(&self, ply: Ply) -> Vec<(Square, SquareChange)> {
        match ply {
            Ply::Pass | Ply::Word(_) => Vec::new(),
            Ply::Place(to) => vec![(to, SquareChange::Arrived)],
            Ply::Move(from, to) => {
                let took = self.pieces()[!self.side()].has(to.index());
                let change = if took { SquareChange::Took } else { SquareChange::Arrived };
                vec![(from, SquareChange::Left), (to, change)]
            }
        }
    }

    /// The hash of board and side to move.
    #[inline(always)]
    fn key(&self) -> u64 {
        keys::hash(self.pieces(), self.side(), 0)
    }

    /// Whether board and side to move are the same, which is the equality that counts for
    /// repetition.
    #[inline]
    fn repeats(&self, other: &Self) -> bool {
        self == other
    }

    /// The content of the square at a row, counted from the top, and a column.
    #[inline(always)]
    fn cell(&self, row: usize, column: usize) -> Cell {
        let pieces = self.pieces();
        let square = self.square(row, column);
        match Side::BOTH.into_iter().find(|&side| pieces[side].has(square)) {
            Some(side) => Cell::Piece(side),
            None if self.blocks().has(square) => Cell::Block,
            None => Cell::Empty,
        }
    }

    /// The pieces of each side as bitboards.
    fn pieces_in(&self, cells: &BoardCells) -> BySide<Self::Set> {
        let mut pieces = BySide::<Self::Set>::default();
        for (row, column, cell) in cells.all() {
            if let Cell::Piece(side) = cell {
                pieces[side].add(self.square(row, column));
            }
        }
        pieces
    }

    /// This position with other squares; the ending is computed again.
    fn with_cells(&self, cells: &BoardCells) -> Self;

    /// The same board with the other side to move, at the first piece of its turn. Its ending
    /// stays: whether the other side could move at all is not looked at.
    fn turned(&self) -> Self;

    /// The pieces of a side as the bits of a word, by the numbers of their squares; none on a board
    /// that needs more words.
    #[inline(always)]
    fn bits(&self, side: Side) -> Option<u64> {
        let mut words = self.pieces()[side].words();
        words.next().filter(|_| words.next().is_none())
    }

    /// Number of pieces of a side on the board.
    fn piece_count(&self, side: Side) -> u32 {
        self.pieces()[side].count()
    }

    /// Number of groups of a side's pieces, connected under 8-adjacency.
    fn group_count(&self, side: Side) -> u32 {
        let rules = self.rules();
        let squares = self.pieces()[side].squares();
        group_count(squares.map(|square| rules.row_and_column(Square(square as u16))))
    }

    /// Appends the board, top row first: one letter or `.` a square, a newline after each row.
    fn push_board(&self, out: &mut String) {
        let rules = self.rules();
        let letters = Self::Rules::GAME.letters;
        let width = rules.columns() + 1;
        let mut text = [b'.'; LARGEST_BOARD * (LARGEST_BOARD + 1)];
        let text = &mut text[..rules.rows() * width];
        for row in text.chunks_exact_mut(width) {
            row[width - 1] = b'\n';
        }
        let pieces = self.pieces();
        for (set, letter) in
            [(pieces.first, letters.first), (pieces.second, letters.second), (self.blocks(), BLOCK)]
        {
            // Not `for`, which calls `next` for each square: `Squares` has a faster `fold`.
            set.squares().for_each(|square| {
                let (row, column) = rules.row_and_column(Square(square as u16));
                text[row * width + column] = letter as u8;
            });
        }
        out.push_str(ascii(text));
    }

    /// Appends every legal ply, sorted by text, each with a space before it.
    fn push_plies(&self, out: &mut String) {
        let rules = self.rules();
        let mut texts = ShortTexts::new(out);
        for ply in self.sorted_plies() {
            texts.push(rules.ply_text(ply));
        }
        texts.flush();
    }
}

/// The legal plies of games that place pieces: the squares in ascending order, then `pass` if it is
/// legal.
#[derive(Debug, Clone)]
pub(super) struct Placements<B> {
    squares: Squares<B>,
    pass: bool,
}

impl<B: Bitboard> Placements<B> {
    #[inline(always)]
    pub(super) fn new(squares: B, pass: bool) -> Placements<B> {
        Placements { squares: squares.squares(), pass }
    }
}

impl<B: Bitboard> Iterator for Placements<B> {
    type Item = Ply;

    #[inline(always)]
    fn next(&mut self) -> Option<Ply> {
        match self.squares.next() {
            Some(square) => Some(Ply::Place(Square(square as u16))),
            None => std::mem::take(&mut self.pass).then_some(Ply::Pass),
        }
    }

    #[inline(always)]
    fn count(self) -> usize {
        self.squares.count() + usize::from(self.pass)
    }
}
