//! What every game does with a board; [`Position`](super::Position) hands everything on to one of these.

use super::bits::{Bits, Squares};
use super::text::Cells;
use super::{BySide, Cell, Ending, Illegal, Ply, Ruleset, Side, Square};
use std::fmt::Debug;
use std::hash::Hash;

/// Board and side to move of one game.
pub(super) trait Board: Copy + Eq + Hash + Debug {
    /// The legal plies, see [`Board::plies`].
    type Plies: Iterator<Item = Ply> + Clone + Debug;

    /// A set of its squares.
    type Set: Bits;

    /// The pieces of each side.
    fn pieces(&self) -> BySide<Self::Set>;

    /// The number of the square in a row, from the top, and a column.
    fn square(&self, row: usize, column: usize) -> usize;

    /// The rules it is played by.
    fn ruleset(&self) -> Ruleset;

    /// The side to move.
    fn side(&self) -> Side;

    /// Which piece of its turn the side to move places, where a turn has two.
    fn piece(&self) -> Option<u8> {
        None
    }

    /// Whether and how the game is over.
    fn ending(&self) -> Option<Ending>;

    /// The legal plies, in the order of the squares' numbers; none when the game is over.
    fn plies(&self) -> Self::Plies;

    /// The legal plies sorted by their text, where that is another order.
    fn sorted_plies(&self) -> impl Iterator<Item = Ply> {
        self.plies()
    }

    /// How many legal plies there are.
    fn count(&self) -> u64;

    /// Says why a ply may not be played; the game is not over.
    fn check(&self, ply: Ply) -> Result<(), Illegal>;

    /// The board after a legal ply.
    fn after(&self, ply: Ply) -> Self;

    /// The hash of board and side to move.
    fn key(&self) -> u64;

    /// What stands in a row, from the top, and a column.
    #[inline(always)]
    fn cell(&self, row: usize, column: usize) -> Cell {
        let (pieces, square) = (self.pieces(), self.square(row, column));
        match Side::BOTH.into_iter().find(|&side| pieces[side].has(square)) {
            Some(side) => Cell::Piece(side),
            None => Cell::Empty,
        }
    }

    /// The pieces of each side in these cells.
    fn pieces_in(&self, cells: &Cells) -> BySide<Self::Set> {
        let mut pieces = BySide::default();
        for (row, column, cell) in cells.all() {
            if let Cell::Piece(side) = cell {
                pieces[side] = pieces[side] | Self::Set::one(self.square(row, column));
            }
        }
        pieces
    }

    /// The same side to move on another board, judged anew.
    fn with_cells(&self, cells: &Cells) -> Self;

    /// How many pieces a side has on the board.
    fn piece_count(&self, side: Side) -> u32 {
        self.pieces()[side].count()
    }

    /// Into how many groups a side's pieces fall, under 8-adjacency.
    fn group_count(&self, side: Side) -> u32 {
        let size = self.ruleset().size();
        let squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        let mut left: Vec<_> =
            squares.filter(|&(row, column)| self.cell(row, column) == Cell::Piece(side)).collect();
        let mut count = 0;
        while let Some(first) = left.pop() {
            count += 1;
            let mut group = vec![first];
            while let Some((row, column)) = group.pop() {
                let near = |&mut (r, c): &mut (usize, usize)| row.abs_diff(r) <= 1 && column.abs_diff(c) <= 1;
                group.extend(left.extract_if(.., near));
            }
        }
        count
    }

    /// Appends the board, top row first: a letter or `.` for each square, a newline after each row.
    fn push_board(&self, out: &mut String) {
        let ruleset = self.ruleset();
        let letters = ruleset.game().letters();
        for row in 0..ruleset.size() {
            let letter = |column| self.cell(row, column).letter(letters).unwrap_or('.');
            out.extend((0..ruleset.size()).map(letter));
            out.push('\n');
        }
    }

    /// Appends a space and its text for every legal ply, sorted.
    fn push_plies(&self, out: &mut String) {
        let ruleset = self.ruleset();
        for ply in self.sorted_plies() {
            out.push(' ');
            ruleset.push_ply(out, ply);
        }
    }
}

/// The legal plies of games that place pieces: squares in the order of their numbers, then perhaps `pass`.
#[derive(Debug, Clone)]
pub(super) struct Placements<B> {
    squares: Squares<B>,
    pass: bool,
}

impl<B: Bits> Placements<B> {
    #[inline(always)]
    pub(super) fn new(squares: B, pass: bool) -> Placements<B> {
        Placements { squares: squares.squares(), pass }
    }
}

impl<B: Bits> Iterator for Placements<B> {
    type Item = Ply;

    #[inline(always)]
    fn next(&mut self) -> Option<Ply> {
        match self.squares.next() {
            Some(square) => Some(Ply::Place(Square(square as u16))),
            None => std::mem::take(&mut self.pass).then_some(Ply::Pass),
        }
    }
}
