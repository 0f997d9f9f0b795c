//! FlipFlop.

use super::{
    ALL, Cell, DIAGONAL, Direction, Ending, STRAIGHT, Slow, at, holding, listed, opponent, ray,
};
use super::{read_position, write_rows};
use std::cmp::Ordering;

pub struct FlipFlop {
    rows: Vec<Vec<char>>,
    side: char,
    /// Whether the turn's second piece is to be placed or declined: EXTRA is 2.
    second: bool,
}

pub fn start_text(set: &[(String, String)]) -> String {
    let n = super::number(set, "n", 8);
    let mut rows = vec![vec!['.'; n]; n];
    rows[n / 2 - 1][n / 2 - 1] = 'W';
    rows[n / 2 - 1][n / 2] = 'B';
    rows[n / 2][n / 2 - 1] = 'B';
    rows[n / 2][n / 2] = 'W';
    format!("{} W 1", write_rows(&rows))
}

/// A square's number: row by row from the upper left.
pub fn number((row, column): Cell, n: usize) -> String {
    (row * n + column).to_string()
}

pub fn cell(number: &str, n: usize) -> Cell {
    let number: usize = number.parse().unwrap();
    (number / n, number % n)
}

impl FlipFlop {
    pub fn read(position: &str) -> FlipFlop {
        let (rows, side) = read_position(position);
        FlipFlop { rows, side, second: position.ends_with(" 2") }
    }

    /// The opponent's pieces that a side's piece on a square would trap in one direction; none
    /// without a line.
    fn trapped(&self, side: char, cell: Cell, direction: Direction) -> Vec<Cell> {
        let ahead = ray(&self.rows, cell, direction);
        let mut line = ahead.clone();
        line.truncate(
            ahead.iter().take_while(|&&end| at(&self.rows, end) == opponent(side)).count(),
        );
        if ahead.get(line.len()).is_none_or(|&end| at(&self.rows, end) != side) {
            line.clear(); // it runs to an empty square or to the edge
        }
        line
    }

    /// The empty squares where a side's piece traps a line in one of the directions.
    fn placements(&self, side: char, directions: [Direction; 4]) -> Vec<Cell> {
        let traps = |cell| {
            directions.iter().any(|&direction| !self.trapped(side, cell, direction).is_empty())
        };
        holding(&self.rows, '.').into_iter().filter(|&cell| traps(cell)).collect()
    }
}

impl Slow for FlipFlop {
    fn rows(&self) -> &[Vec<char>] {
        &self.rows
    }

    fn text(&self) -> String {
        format!("{} {} {}", write_rows(&self.rows), self.side, if self.second { 2 } else { 1 })
    }

    fn plies(&self) -> Vec<String> {
        if self.ending().is_some() {
            return Vec::new();
        }
        let directions = if self.second { DIAGONAL } else { STRAIGHT };
        let cells = self.placements(self.side, directions).into_iter();
        let mut plies: Vec<String> = cells.map(|cell| number(cell, self.rows.len())).collect();
        if self.second {
            plies.push("pass".to_owned()); // it may be declined
        }
        listed(plies)
    }

    fn play(&mut self, ply: &str) {
        let mut captured = Vec::new();
        if ply != "pass" {
            let cell = cell(ply, self.rows.len());
            captured = ALL
                .into_iter()
                .flat_map(|direction| self.trapped(self.side, cell, direction))
                .collect();
            for &(row, column) in captured.iter().chain([&cell]) {
                self.rows[row][column] = self.side;
            }
        }
        let earned = captured.len() >= 2 && !self.placements(self.side, DIAGONAL).is_empty();
        self.second = !self.second && earned;
        if !self.second {
            self.side = opponent(self.side);
        }
    }

    fn ending(&self) -> Ending {
        if self.second || ['W', 'B'].iter().any(|&side| !self.placements(side, STRAIGHT).is_empty())
        {
            return None;
        }
        let [white, black] = ['W', 'B'].map(|side| holding(&self.rows, side).len());
        match white.cmp(&black) {
            Ordering::Greater => Some((Some('W'), "most-pieces")),
            Ordering::Less => Some((Some('B'), "most-pieces")),
            Ordering::Equal => Some((None, "equal-pieces")),
        }
    }
}
