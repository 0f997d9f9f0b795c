//! Gekitai.

use super::{
    ALL, Ending, Slow, at, cell, has_line, holding, judged, listed, name, number, opponent, option,
};
use super::{ray, read_position, write_rows};

pub struct Gekitai {
    rows: Vec<Vec<char>>,
    side: char,
    /// How many pieces each side has, in hand and on the board.
    p: usize,
    /// How many in a row win.
    l: usize,
    simultaneous: String,
}

pub fn start_text(set: &[(String, String)]) -> String {
    let n = number(set, "n", 6);
    format!("{} X", write_rows(&vec![vec!['.'; n]; n]))
}

impl Gekitai {
    pub fn read(set: &[(String, String)], position: &str) -> Gekitai {
        let (rows, side) = read_position(position);
        let p = number(set, "p", if rows.len() == 5 { 6 } else { 8 });
        let simultaneous = option(set, "simultaneous", "draw").to_owned();
        Gekitai { rows, side, p, l: number(set, "l", 3), simultaneous }
    }
}

impl Slow for Gekitai {
    fn rows(&self) -> &[Vec<char>] {
        &self.rows
    }

    fn text(&self) -> String {
        format!("{} {}", write_rows(&self.rows), self.side)
    }

    /// Any empty square: a side without a piece in hand has all of them on the board, so the game
    /// is over.
    fn plies(&self) -> Vec<String> {
        if self.ending().is_some() {
            return Vec::new();
        }
        listed(holding(&self.rows, '.').into_iter().map(|cell| name(cell, 1)).collect())
    }

    fn play(&mut self, ply: &str) {
        let placed = cell(ply, 1);
        let before = self.rows.clone(); // all pushes are judged on the board before any of them
        self.rows[placed.0][placed.1] = self.side;
        for direction in ALL {
            let ahead = ray(&before, placed, direction);
            let Some(&near) = ahead.first() else { continue };
            let behind = ahead.get(1).copied();
            if at(&before, near) == '.' || behind.is_some_and(|behind| at(&before, behind) != '.') {
                continue; // nothing to push, or no room
            }
            self.rows[near.0][near.1] = '.';
            if let Some((row, column)) = behind {
                self.rows[row][column] = at(&before, near);
            }
        }
        self.side = opponent(self.side);
    }

    fn ending(&self) -> Ending {
        let goal = |letter| {
            let all = holding(&self.rows, letter).len() == self.p;
            let line = has_line(&self.rows, letter, self.l);
            if line { Some("line") } else { all.then_some("all-pieces") }
        };
        judged(self.side, goal, &self.simultaneous)
    }
}
