//! The eight ways to turn and mirror a square board.

use super::{Ply, Ruleset, Square};

/// A turn or mirror image of the board.
///
/// None of the four games tells one from another: the image of a position has the images of its plies, and ends as
/// it ends. A search or an opening book may treat all eight as one.
///
/// ```
/// use arbiter::rules::{Ruleset, Symmetry};
/// let gekitai = Ruleset::named("gekitai", &[]).unwrap();
/// let position = gekitai.read_position("1X4/6/6/6/6/O5 X").unwrap();
/// let ply = gekitai.read_ply("c1").unwrap();
/// for symmetry in Symmetry::ALL {
///     let image = position.image(symmetry);
///     assert_eq!(image.after(symmetry.ply(gekitai, ply)), position.after(ply).image(symmetry));
/// }
/// // One of the eight, whichever the position was: the one with the lowest hash.
/// let canonical = Symmetry::ALL.map(|symmetry| position.image(symmetry)).into_iter().min_by_key(|it| it.key());
/// # assert!(canonical.is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Rows and columns change places, first of all.
    transposed: bool,
    /// The order of rows is turned around.
    upside_down: bool,
    /// The order of columns is turned around.
    left_right: bool,
}

impl Symmetry {
    /// All eight, the one that changes nothing first.
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

    /// The one that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Symmetry {
        if self.transposed {
            Symmetry { upside_down: self.left_right, left_right: self.upside_down, ..self }
        } else {
            self
        }
    }

    /// Where a cell (row, column) of a board with so many rows goes; both are below `size`, else it may panic.
    #[must_use]
    pub fn cell(self, size: usize, (row, column): (usize, usize)) -> (usize, usize) {
        let (row, column) = if self.transposed { (column, row) } else { (row, column) };
        let around = |turn: bool, at: usize| if turn { size - 1 - at } else { at };
        (around(self.upside_down, row), around(self.left_right, column))
    }

    /// The image of a ply.
    #[must_use]
    pub fn ply(self, ruleset: Ruleset, ply: Ply) -> Ply {
        let image = |square: Square| {
            let (row, column) = self.cell(ruleset.size(), ruleset.place(square));
            ruleset.square(row, column)
        };
        match ply {
            Ply::Pass => Ply::Pass,
            Ply::Place(square) => Ply::Place(image(square)),
            Ply::Move(from, to) => Ply::Move(image(from), image(to)),
        }
    }
}
