//! Line 'em Up.

use super::{
    Ending, Slow, cell, has_line, holding, judged, listed, name, number, opponent, option,
};
use super::{read_position, write_rows};

pub struct LineUp {
    rows: Vec<Vec<char>>,
    side: char,
    /// How many in a row win.
    s: usize,
    simultaneous: String,
}

/// The board with its blocks; n=5 has six by default.
pub fn start_text(set: &[(String, String)]) -> String {
    let n = number(set, "n", 5);
    let blocks = option(set, "blocks", if n == 5 { "d0,b1,a2,d2,b3,c4" } else { "none" });
    let mut rows = vec![vec!['.'; n]; n];
    for block in blocks.split(',').filter(|&block| block != "none") {
        let (row, column) = cell(block, 0);
        rows[row][column] = '#';
    }
    format!("{} O", write_rows(&rows))
}

impl LineUp {
    /// The blocks are those of the text, not those of the options.
    pub fn read(set: &[(String, String)], position: &str) -> LineUp {
        let (rows, side) = read_position(position);
        let s = number(set, "s", rows.len().min(4));
        LineUp { rows, side, s, simultaneous: option(set, "simultaneous", "draw").to_owned() }
    }
}

impl Slow for LineUp {
    fn rows(&self) -> &[Vec<char>] {
        &self.rows
    }

    fn text(&self) -> String {
        format!("{} {}", write_rows(&self.rows), self.side)
    }

    fn plies(&self) -> Vec<String> {
        if self.ending().is_some() {
            return Vec::new();
        }
        listed(holding(&self.rows, '.').into_iter().map(|cell| name(cell, 0)).collect())
    }

    fn play(&mut self, ply: &str) {
        let (row, column) = cell(ply, 0);
        self.rows[row][column] = self.side;
        self.side = opponent(self.side);
    }

    /// Only a set-up position can be a `suicide` or `simultaneous`: a ply never makes the
    /// opponent's line.
    fn ending(&self) -> Ending {
        let goal = |letter| has_line(&self.rows, letter, self.s).then_some("line");
        let decided = judged(self.side, goal, &self.simultaneous);
        let is_full = holding(&self.rows, '.').is_empty();
        decided.or(is_full.then_some((None, "full-board")))
    }
}
