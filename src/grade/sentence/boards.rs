//! What is wrong with the board after a move, in words of the move: where its piece belongs, what
//! it pushes, and what it must leave alone.

use arbiter_rules::{Ruleset, SquareChange};

/// The boards around a move: before it, after it, and as it was printed.
pub(super) struct Boards<'a> {
    pub ruleset: &'a Ruleset,
    pub before: Vec<String>,
    pub right: &'a [String],
    pub printed: &'a [String],
}

impl Boards<'_> {
    /// The first difference, after the changes of the move those of other squares.
    pub fn difference(&self, changes: &[((usize, usize), SquareChange)]) -> String {
        let mut arrived = None;
        for &(at, change) in changes {
            if matches!(change, SquareChange::Arrived | SquareChange::Took) {
                arrived = arrived.or(Some(at));
            }
        }
        if let Some(at) = arrived
            && self.differs(at)
        {
            return format!(
                "the {} belongs on {}; {}",
                self.piece(self.right, at),
                self.name(at),
                self.found(at)
            );
        }
        for &(from, change) in changes {
            match (change, arrived) {
                (SquareChange::PushedFrom, Some(placed)) => {
                    if let Some(wrong) = self.wrongly_pushed(placed, from) {
                        return wrong;
                    }
                }
                (SquareChange::PushedOff, _) if self.differs(from) => {
                    let what =
                        if self.stayed(from) { "it stayed".to_owned() } else { self.found(from) };
                    return format!(
                        "the {} on {} is pushed off the board; {what}",
                        self.piece(&self.before, from),
                        self.name(from)
                    );
                }
                (SquareChange::Left, _) if self.differs(from) => {
                    return format!(
                        "the square {} is empty; {}",
                        self.name(from),
                        self.found(from)
                    );
                }
                _ => {}
            }
        }
        self.other_difference(arrived)
    }

    /// What is wrong with a piece that the placed one pushes from this square to the next.
    fn wrongly_pushed(&self, placed: (usize, usize), from: (usize, usize)) -> Option<String> {
        let to = beyond(placed, from)?;
        if !self.differs(from) && !self.differs(to) {
            return None;
        }
        let what = if self.stayed(from) && self.differs(from) {
            if self.differs(to) { "it stayed" } else { "it is on both squares" }
        } else if cell(self.printed, to) == Some('.') {
            "it is gone"
        } else {
            "another piece is there"
        };
        Some(format!(
            "the {} on {} belongs on {}; {what}",
            self.piece(&self.before, from),
            self.name(from),
            self.name(to)
        ))
    }

    /// The first difference on squares that the move does not change. A square on which something
    /// stood tells more than one that was empty.
    fn other_difference(&self, arrived: Option<(usize, usize)>) -> String {
        let mut first_empty = None;
        for at in self.ruleset.cells() {
            if !self.differs(at) {
                continue;
            }
            if cell(&self.before, at) == Some('.') {
                first_empty = first_empty.or(Some(at));
                continue;
            }
            let mut why = String::new();
            if let Some(placed) = arrived
                && let Some(behind) = self.behind(placed, at)
            {
                why = format!(" because {} is occupied", self.name(behind));
            }
            let what = if cell(self.printed, at) == Some('.') {
                "it is gone".to_owned()
            } else {
                self.found(at)
            };
            let piece = self.piece(&self.before, at);
            return format!("the {piece} on {} stays{why}; {what}", self.name(at));
        }
        match first_empty {
            Some(at) => format!("the square {} is empty; {}", self.name(at), self.found(at)),
            None => "the board is another one".to_owned(),
        }
    }

    fn differs(&self, at: (usize, usize)) -> bool {
        cell(self.right, at) != cell(self.printed, at)
    }

    fn stayed(&self, at: (usize, usize)) -> bool {
        cell(self.printed, at) == cell(&self.before, at)
    }

    /// The occupied square behind a neighbour of the placed piece.
    fn behind(&self, placed: (usize, usize), at: (usize, usize)) -> Option<(usize, usize)> {
        let near = placed.0.abs_diff(at.0) <= 1 && placed.1.abs_diff(at.1) <= 1 && placed != at;
        let behind = beyond(placed, at)?;
        let occupied = cell(&self.before, behind).is_some_and(|c| c != '.');
        if near && occupied { Some(behind) } else { None }
    }

    fn piece(&self, board: &[String], at: (usize, usize)) -> char {
        cell(board, at).unwrap_or('.')
    }

    /// What the printed board has on a square.
    fn found(&self, at: (usize, usize)) -> String {
        match self.piece(self.printed, at) {
            '.' => "it is empty".to_owned(),
            piece => format!("{piece} stands there"),
        }
    }

    fn name(&self, (row, column): (usize, usize)) -> String {
        square_name(self.ruleset, row, column)
    }
}

/// The square as far behind `at` as `from` is before it; `None` above and left of the board.
fn beyond(from: (usize, usize), at: (usize, usize)) -> Option<(usize, usize)> {
    Some(((2 * at.0).checked_sub(from.0)?, (2 * at.1).checked_sub(from.1)?))
}

fn cell(board: &[String], (row, column): (usize, usize)) -> Option<char> {
    board.get(row)?.chars().nth(column)
}

pub(super) fn square_name(ruleset: &Ruleset, row: usize, column: usize) -> String {
    ruleset.column_name(column) + &ruleset.row_name(row)
}
