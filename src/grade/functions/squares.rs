//! The squares of a square board, of which the calls of a game's functions are made.

use arbiter_engine::hotseat::push_cells;
use arbiter_rules::seed::Generator;
use arbiter_rules::{Ply, Position, Ruleset};
use std::fmt::Write;

/// A square as row and column; it may lie off the board. Also the step from one to another.
pub(super) type Square = (isize, isize);

/// The square that is `steps` times `step` away.
pub(super) fn along(from: Square, step: Square, steps: isize) -> Square {
    (from.0 + steps * step.0, from.1 + steps * step.1)
}

/// The squares of a board, row by row: the letter of a piece, or `.`.
#[derive(Debug, Clone)]
pub(super) struct Squares {
    pub(super) n: usize,
    pub(super) letters: Vec<char>,
}

impl Squares {
    pub(super) fn empty(n: usize) -> Squares {
        Squares { n, letters: vec!['.'; n * n] }
    }

    pub(super) fn of(position: &Position) -> Squares {
        let n = position.ruleset().rows();
        let mut letters = Vec::with_capacity(n * n);
        for index in 0..n * n {
            letters.push(position.letter(index / n, index % n).unwrap_or('.'));
        }
        Squares { n, letters }
    }

    /// The index of a square that is on the board.
    pub(super) fn index(&self, (row, column): Square) -> Option<usize> {
        let row = usize::try_from(row).ok()?;
        let column = usize::try_from(column).ok()?;
        (row < self.n && column < self.n).then_some(row * self.n + column)
    }

    /// The square of an index.
    pub(super) fn square(&self, index: usize) -> Square {
        ((index / self.n) as isize, (index % self.n) as isize)
    }

    /// The letter on a square; `None` off the board.
    pub(super) fn at(&self, square: Square) -> Option<char> {
        self.index(square).map(|index| self.letters[index])
    }

    /// Puts a piece; nothing happens off the board.
    pub(super) fn put(&mut self, square: Square, letter: char) {
        if let Some(index) = self.index(square) {
            self.letters[index] = letter;
        }
    }

    /// Puts a piece on the square at each of these multiples of `step`.
    pub(super) fn put_line(
        &mut self,
        from: Square,
        step: Square,
        steps: impl IntoIterator<Item = isize>,
        letter: char,
    ) {
        for count in steps {
            self.put(along(from, step, count), letter);
        }
    }

    pub(super) fn count(&self, player: char) -> usize {
        self.letters.iter().filter(|&&letter| letter == player).count()
    }

    /// The rows joined by `/`.
    pub(super) fn rows(&self) -> String {
        let mut rows = String::new();
        for (number, row) in self.letters.chunks(self.n).enumerate() {
            rows += if number == 0 { "" } else { "/" };
            rows.extend(row);
        }
        rows
    }

    /// The board as `hotseat` prints it, see [`push_cells`].
    pub(super) fn printed(&self, rules: &Ruleset, first_letter: u8, width: usize) -> String {
        let mut text = String::new();
        push_cells(rules, &self.rows().replace('/', "\n"), first_letter, width, &mut text);
        text
    }

    /// The position with these pieces; `rest` is what its text has behind the board. None if the
    /// rules refuse it.
    pub(super) fn position(&self, rules: &Ruleset, rest: &str) -> Option<Position> {
        let mut text = String::new();
        for (row, letters) in self.letters.chunks(self.n).enumerate() {
            text += if row == 0 { "" } else { "/" };
            for run in letters.chunk_by(|a, b| *a == '.' && *b == '.') {
                let _ = match run {
                    ['.', ..] => write!(text, "{}", run.len()),
                    _ => write!(text, "{}", run[0]),
                };
            }
        }
        rules.read_position(&format!("{text} {rest}")).ok()
    }

    /// Labels for the edges of the board that a square touches.
    pub(super) fn edges_at(&self, (row, column): Square) -> Vec<&'static str> {
        let last = self.n as isize - 1;
        let mut labels = Vec::new();
        for (touches, label) in [
            (row == 0, "first row"),
            (row == last, "last row"),
            (column == 0, "first column"),
            (column == last, "last column"),
        ] {
            if touches {
                labels.push(label);
            }
        }
        labels
    }
}

/// A number below `n`, or 0.
pub(super) fn below(random: &mut Generator, n: usize) -> usize {
    random.below(n.max(1) as u64) as usize
}

/// The position after so many random plies, or fewer if there are no more.
pub(super) fn after_random(
    mut position: Position,
    plies: usize,
    random: &mut Generator,
) -> Position {
    for _ in 0..plies {
        let all: Vec<Ply> = position.plies().collect();
        if all.is_empty() {
            break;
        }
        position = position.after(all[below(random, all.len())]);
    }
    position
}
