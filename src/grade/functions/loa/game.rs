//! A board of Lines of Action with the player on turn, as the members of the class have them: with
//! rows and columns from the top left, and squares that may lie off the board.

use crate::functions::squares::{Square, Squares, along};
use arbiter_rules::{Ending, Position, Ruleset, group_count};
use std::ops::Range;

/// The width and height of the board.
pub(super) const N: isize = 8;

/// A board with the player on turn.
#[derive(Debug, Clone)]
pub(super) struct Game {
    pub squares: Squares,
    pub player: char,
}

impl Game {
    /// The board with these rows.
    pub fn of(rows: &str, player: char) -> Game {
        let letters = rows.chars().filter(|&letter| letter != '/').collect();
        Game { squares: Squares { n: N as usize, letters }, player }
    }

    /// The board of a position of the rules.
    pub fn at_position(position: &Position) -> Game {
        let player = position.ruleset().letter(position.side());
        Game { squares: Squares::of(position), player }
    }

    /// The position of the rules with this board; `None` if they do not have it.
    pub fn position(&self, rules: &Ruleset) -> Option<Position> {
        self.squares.position(rules, &self.player.to_string())
    }

    pub fn empty(player: char) -> Game {
        Game { squares: Squares::empty(N as usize), player }
    }

    /// A board with the same letter on all squares.
    pub fn full(letter: char) -> Game {
        Game::of(&letter.to_string().repeat(64), 'B')
    }

    /// A board with pieces of the player on turn on these squares alone.
    pub fn with(player: char, squares: &[Square]) -> Game {
        let mut game = Game::empty(player);
        for &square in squares {
            game.put(square, player);
        }
        game
    }

    /// The letter on a square; none off the board.
    pub fn at(&self, square: Square) -> Option<char> {
        self.squares.at(square)
    }

    /// Puts a piece on a square of the board.
    pub fn put(&mut self, square: Square, letter: char) {
        self.squares.put(square, letter);
    }

    pub fn count(&self, player: char) -> usize {
        self.squares.count(player)
    }

    /// The board with the other members, as the test main reads and writes them.
    pub fn state(&self) -> String {
        let player = self.player;
        let next = other(self.player);
        format!("{},{player},{next},{},{}", self.squares.rows(), self.count('B'), self.count('W'))
    }

    pub fn has_piece(&self, square: Square) -> bool {
        !matches!(self.at(square), None | Some('.'))
    }

    /// The letters on the squares that these numbers of steps lead to, as far as they are on the
    /// board.
    pub fn letters(&self, from: Square, step: Square, steps: Range<isize>) -> Vec<char> {
        let mut letters = Vec::new();
        for count in steps {
            letters.extend(self.at(along(from, step, count)));
        }
        letters
    }

    /// The letters on the line through a square in a direction.
    pub fn line(&self, from: Square, step: Square) -> Vec<char> {
        self.letters(from, step, -N..N + 1)
    }

    /// The number of pieces on that line.
    pub fn on_line(&self, from: Square, step: Square) -> isize {
        self.line(from, step).iter().filter(|&&letter| letter != '.').count() as isize
    }

    /// The letters on the squares between two squares of a line, or of what looks like one.
    pub fn between(&self, from: Square, to: Square) -> Vec<char> {
        self.letters(from, direction(from, to), 1..distance(from, to))
    }

    /// Whether there are pieces on a line before the square from which this step is made.
    pub fn has_pieces_behind(&self, from: Square, step: Square) -> bool {
        self.letters(from, step, -N..0).iter().any(|&letter| letter != '.')
    }

    /// Whether there are no pieces on a square and around it.
    pub fn is_lonely(&self, (row, column): Square) -> bool {
        for down in -1..=1 {
            for right in -1..=1 {
                if self.has_piece((row + down, column + right)) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a class that takes a move for one along a diagonal finds nothing else wrong with it.
    pub fn is_valid_diagonal(&self, from: Square, to: Square) -> bool {
        self.on_line(from, direction(from, to)) == distance(from, to)
            && !self.between(from, to).contains(&other(self.player))
    }

    /// Whether all pieces of a player are one group.
    pub fn is_connected(&self, player: char) -> bool {
        let mut squares = Vec::new();
        for (index, letter) in self.squares.letters.iter().enumerate() {
            if *letter == player {
                squares.push((index / self.squares.n, index % self.squares.n));
            }
        }
        group_count(squares) == 1
    }

    /// What `gameOver` returns; `None` if the rules do not have the board.
    pub fn over(&self, rules: &Ruleset) -> Option<char> {
        Some(match self.position(rules)?.ending() {
            None => '-',
            Some(Ending { winner: None, .. }) => 'D',
            Some(Ending { winner: Some(side), .. }) => rules.letter(side),
        })
    }
}

/// The step of a move in the direction of its end.
pub(super) fn direction(from: Square, to: Square) -> Square {
    ((to.0 - from.0).signum(), (to.1 - from.1).signum())
}

/// The length of a move.
pub(super) fn distance(from: Square, to: Square) -> isize {
    (to.0 - from.0).abs().max((to.1 - from.1).abs())
}

pub(super) fn other(player: char) -> char {
    if player == 'B' { 'W' } else { 'B' }
}

/// The name of a square, also of one near the board: `a0`.
pub(super) fn square_name((row, column): Square) -> String {
    [letter(b'a', column), letter(b'0', row)].iter().collect()
}

/// The letter or digit so far behind this one.
fn letter(first: u8, by: isize) -> char {
    char::from(first.wrapping_add_signed(by as i8))
}

/// Squares of a block of two columns, row by row.
pub(super) fn block((row, column): Square, count: isize) -> Vec<Square> {
    let mut squares = Vec::new();
    for index in 0..count {
        squares.push((row + index / 2, column + index % 2));
    }
    squares
}
