//! What stands on the squares of a board.

use super::{BySide, Side};

/// The content of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A piece of a side.
    Piece(Side),
    /// A block: no piece can be placed there.
    Block,
}

/// The letter of a block.
pub(super) const BLOCK: char = '#';

impl Cell {
    /// The letter of the content; `None` for an empty square.
    #[inline]
    pub(super) fn letter(self, letters: BySide<char>) -> Option<char> {
        match self {
            Cell::Empty => None,
            Cell::Piece(side) => Some(letters[side]),
            Cell::Block => Some(BLOCK),
        }
    }
}

/// The content of every square of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BoardCells {
    /// Row by row, the top one first.
    pub(super) cells: Vec<Cell>,
    pub(super) columns: usize,
}

impl BoardCells {
    /// Calls `cell` for each row, from the top, and column.
    pub(super) fn from_fn(
        rows: usize,
        columns: usize,
        cell: impl Fn(usize, usize) -> Cell,
    ) -> BoardCells {
        let mut cells = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                cells.push(cell(row, column));
            }
        }
        BoardCells { cells, columns }
    }

    /// Row, column and content of every square.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, usize, Cell)> {
        let cells = self.cells.iter().enumerate();
        cells.map(|(at, &cell)| (at / self.columns, at % self.columns, cell))
    }
}
