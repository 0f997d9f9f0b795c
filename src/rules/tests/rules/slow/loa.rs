//! Lines of Action.

use super::{
    ALL, Cell, Ending, Slow, at, cell, holding, judged, listed, name, opponent, option, ray,
};
use super::{read_position, write_rows};

pub const START: &str = "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B";

pub struct Loa {
    rows: Vec<Vec<char>>,
    side: char,
    /// Consecutive forced passes: the position text does not contain them, so they are counted.
    passes: u32,
    simultaneous: String,
    stuck: String,
}

impl Loa {
    pub fn read(set: &[(String, String)], position: &str) -> Loa {
        let (rows, side) = read_position(position);
        let simultaneous = option(set, "simultaneous", "draw").to_owned();
        let stuck = option(set, "stuck", "pass").to_owned();
        Loa { rows, side, passes: 0, simultaneous, stuck }
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in holding(&self.rows, self.side) {
            for (down, right) in ALL {
                let ahead = ray(&self.rows, from, (down, right));
                let line = [&ahead[..], &ray(&self.rows, from, (-down, -right))].concat();
                let count = 1 + line.iter().filter(|&&cell| at(&self.rows, cell) != '.').count();
                if count > ahead.len() {
                    continue; // off the board
                }
                let (between, to) = (&ahead[..count - 1], ahead[count - 1]);
                let jumps_opponent =
                    between.iter().any(|&cell| at(&self.rows, cell) == opponent(self.side));
                if !jumps_opponent && at(&self.rows, to) != self.side {
                    moves.push(name(from, 0) + &name(to, 0));
                }
            }
        }
        moves
    }

    fn is_connected(&self, letter: char) -> bool {
        let mut left = holding(&self.rows, letter);
        let mut reached = vec![left.pop().unwrap()];
        while let Some((row, column)) = reached.pop() {
            let near = |&(r, c): &Cell| row.abs_diff(r) <= 1 && column.abs_diff(c) <= 1;
            reached.extend(left.iter().copied().filter(near));
            left.retain(|cell| !near(cell));
        }
        left.is_empty()
    }
}

impl Slow for Loa {
    fn rows(&self) -> &[Vec<char>] {
        &self.rows
    }

    fn text(&self) -> String {
        format!("{} {}", write_rows(&self.rows), self.side)
    }

    fn plies(&self) -> Vec<String> {
        if self.ending().is_some() { Vec::new() } else { listed(self.moves()) }
    }

    fn play(&mut self, ply: &str) {
        if ply == "pass" {
            self.passes += 1;
        } else {
            self.passes = 0;
            let (from, to) = (cell(&ply[..2], 0), cell(&ply[2..], 0));
            self.rows[from.0][from.1] = '.';
            self.rows[to.0][to.1] = self.side;
        }
        self.side = opponent(self.side);
    }

    fn ending(&self) -> Ending {
        let goal = |letter| self.is_connected(letter).then_some("connected");
        let decided = judged(self.side, goal, &self.simultaneous);
        if decided.is_none() && self.stuck == "loss" && self.moves().is_empty() {
            return Some((Some(opponent(self.side)), "stuck"));
        }
        if decided.is_none() && self.passes >= 2 {
            return Some((None, "stalemate"));
        }
        decided
    }
}
