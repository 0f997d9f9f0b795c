//! The symmetries of a board: eight of a square one, four of others.

use super::{Ply, Ruleset, Square};

/// A rotation or reflection of the board.
///
/// A game is invariant under those that [`Ruleset::symmetries`](crate::Ruleset::symmetries)
/// lists: the image of a position has the images of its plies, and the same ending. A search or an
/// opening book may treat all images as one position.
///
/// ```
/// use arbiter_rules::{Ruleset, Symmetry};
/// let gekitai = Ruleset::named("gekitai", "").unwrap();
/// let position = gekitai.read_position("1X4/6/6/6/6/O5 X").unwrap();
/// let ply = gekitai.read_ply("c1").unwrap();
/// for &symmetry in gekitai.symmetries() {
///     let image = position.image(symmetry);
///     assert_eq!(image.after(symmetry.ply(&gekitai, ply)), position.after(ply).image(symmetry));
/// }
/// assert_eq!(gekitai.symmetries(), Symmetry::ALL);
/// // The representative of the eight images: the one with the lowest hash.
/// let images = Symmetry::ALL.map(|symmetry| position.image(symmetry));
/// let canonical = images.into_iter().min_by_key(|image| image.key());
/// # assert!(canonical.is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Rows and columns are exchanged; this is applied first.
    transposed: bool,
    /// The order of rows is reversed.
    upside_down: bool,
    /// The order of columns is reversed.
    left_right: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry { transposed: false, upside_down: false, left_right: false }; 8];
        let mut number = 0;
        while number < 8 {
            all[number] = Symmetry {
                transposed: number & 4 != 0,
                upside_down: number & 2 != 0,
                left_right: number & 1 != 0,
            };
            number += 1;
        }
        all
    };

    /// The inverse symmetry.
    pub fn inverse(self) -> Symmetry {
        // Reflections are their own inverses; after a transposition rows are columns.
        if self.transposed {
            Symmetry { upside_down: self.left_right, left_right: self.upside_down, ..self }
        } else {
            self
        }
    }

    /// The image of a cell (row, column) of a board with so many rows and columns, which are as
    /// many if the symmetry exchanges them. If the cell is not on the board, the call may panic.
    pub fn cell(
        self,
        (rows, columns): (usize, usize),
        (row, column): (usize, usize),
    ) -> (usize, usize) {
        let (mut row, mut column) = if self.transposed { (column, row) } else { (row, column) };
        if self.upside_down {
            row = rows - 1 - row;
        }
        if self.left_right {
            column = columns - 1 - column;
        }
        (row, column)
    }

    /// The image of a ply.
    pub fn ply(self, ruleset: &Ruleset, ply: Ply) -> Ply {
        match ply {
            Ply::Pass => Ply::Pass,
            Ply::Place(square) => Ply::Place(self.square(ruleset, square)),
            Ply::Move(from, to) => Ply::Move(self.square(ruleset, from), self.square(ruleset, to)),
            Ply::Word(word) => Ply::Word(word), // of a game without symmetries
        }
    }

    fn square(self, ruleset: &Ruleset, square: Square) -> Square {
        let size = (ruleset.rows(), ruleset.columns());
        let (row, column) = self.cell(size, ruleset.row_and_column(square));
        ruleset.square(row, column)
    }
}
