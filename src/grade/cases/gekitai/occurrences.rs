//! What occurs in a game of Gekitai: pushes and their edges, lines, results and refusals. Each has
//! a label, and a game has a set of them.

use arbiter_rules::{Cell, Ending, Ply, Position, Reason, Ruleset, Side, SquareChange};
use std::cmp::Ordering;

/// What may occur in a game; the first [`CLASSES`] are classes of cases. A set of them is a number
/// with their bits.
pub(super) const LABELS: [&str; 31] = [
    "occupied square",
    "row or column outside",
    "lower case",
    "a blank between",
    "push over an edge",
    "push over a corner",
    "blocked push",
    "own piece pushed",
    "other piece pushed",
    "a pushed-off piece played again",
    "line in a row",
    "line in a column",
    "line in a falling diagonal",
    "line in a rising diagonal",
    "all pieces",
    "suicide",
    "both lines",
    "push over the upper edge",
    "push over the lower edge",
    "push over the left edge",
    "push over the right edge",
    "push over the upper left corner",
    "push over the upper right corner",
    "push over the lower left corner",
    "push over the lower right corner",
    "win of X",
    "win of O",
    "capital letter",
    "line that touches the last column",
    "line that touches the last row",
    "refused moves",
];
pub(super) const CLASSES: usize = 17;
pub(super) const OCCUPIED: usize = 0;
pub(super) const OUTSIDE: usize = 1;
pub(super) const LOWER: usize = 2;
pub(super) const BLANK: usize = 3;
pub(super) const EDGE: usize = 4;
pub(super) const CORNER: usize = 5;
const BLOCKED: usize = 6;
const PUSHED_OWN: usize = 7;
pub(super) const AGAIN: usize = 9;
pub(super) const LINES: usize = 10;
pub(super) const ALL_PIECES: usize = 14;
pub(super) const SUICIDE: usize = 15;
pub(super) const BOTH_LINES: usize = 16;
pub(super) const EDGES: usize = 17;
pub(super) const CORNERS: usize = 21;
pub(super) const WINS: usize = 25;
pub(super) const CAPITAL: usize = 27;
pub(super) const LAST_COLUMN: usize = 28;
pub(super) const LAST_ROW: usize = 29;
pub(super) const REFUSED: usize = 30;

/// A game that ends with its last ply, and what occurs in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Game {
    pub plies: Vec<Ply>,
    pub labels: u32,
}

/// The rules of a board, with what is looked up in them again and again.
pub(super) struct Rules {
    pub ruleset: Ruleset,
    /// Every line that wins.
    pub lines: Vec<Line>,
}

/// A line that wins: its squares as a set, and what occurs in a game that it ends.
pub(super) struct Line {
    pub squares: u64,
    labels: u32,
}

impl Rules {
    pub fn new(ruleset: Ruleset) -> Rules {
        let lines = lines(&ruleset);
        Rules { ruleset, lines }
    }

    /// How many pieces each player has.
    pub fn pieces(&self) -> u32 {
        for (key, value) in self.ruleset.options() {
            if key == "p" {
                return value.parse().unwrap_or(8);
            }
        }
        8
    }
}

/// Every line that wins.
fn lines(ruleset: &Ruleset) -> Vec<Line> {
    let mut lines = Vec::new();
    for line in ruleset.winning_lines() {
        let [first, .., last] = line[..] else { continue };
        let kind = match (last.0.cmp(&first.0), last.1.cmp(&first.1)) {
            (Ordering::Equal, _) => LINES,
            (_, Ordering::Equal) => LINES + 1,
            (down, right) if down == right => LINES + 2,
            _ => LINES + 3,
        };
        let in_last_row = line.iter().any(|at| at.0 + 1 == ruleset.rows());
        let in_last_column = line.iter().any(|at| at.1 + 1 == ruleset.columns());
        let labels = 1 << kind
            | u32::from(in_last_row) << LAST_ROW
            | u32::from(in_last_column) << LAST_COLUMN;
        let mut squares = 0;
        for (row, column) in line {
            squares |= 1 << ruleset.square(row, column).index();
        }
        lines.push(Line { squares, labels });
    }
    lines
}

/// A game on its way, and what has occurred in it.
#[derive(Clone)]
pub(super) struct Record<'a> {
    rules: &'a Rules,
    pub position: Position,
    pub plies: Vec<Ply>,
    pub labels: u32,
    /// Pieces that each player has placed in all.
    placed: [u32; 2],
}

impl<'a> Record<'a> {
    pub fn new(rules: &'a Rules) -> Record<'a> {
        Record {
            rules,
            position: rules.ruleset.start(),
            plies: Vec::new(),
            labels: 0,
            placed: [0; 2],
        }
    }

    /// The game with one more ply, which ends it; `None` if the hand-out leaves the result open.
    pub fn ended_by(&self, ply: Ply) -> Option<Game> {
        let mut record = self.clone();
        record.play(ply);
        let Ending { reason, .. } = record.position.ending()?;
        if reason == Reason::Simultaneous {
            for side in Side::BOTH {
                if record.position.piece_count(side) == self.rules.pieces() {
                    return None;
                }
            }
        }
        Some(Game { plies: record.plies, labels: record.labels })
    }

    /// Plays a ply, and adds what occurs.
    pub fn play(&mut self, ply: Ply) {
        let mover = self.position.side();
        self.labels |= self.pushes(ply);
        self.position.play(ply);
        self.plies.push(ply);
        let index = usize::from(mover == Side::Second);
        self.placed[index] += 1;
        match self.position.ending() {
            None if self.placed[index] >= self.rules.pieces() => self.labels |= 1 << AGAIN,
            None => {}
            Some(ending) => self.labels |= self.ended(ending),
        }
    }

    /// What occurs around a piece when it is placed.
    fn pushes(&self, ply: Ply) -> u32 {
        let ruleset = &self.rules.ruleset;
        let Ply::Place(square) = ply else { return 0 };
        let placed = ruleset.row_and_column(square);
        let size = ruleset.rows();
        let changes = self.position.changes(ply);
        let mut labels = 0;
        for row in placed.0.saturating_sub(1)..(placed.0 + 2).min(size) {
            for column in placed.1.saturating_sub(1)..(placed.1 + 2).min(size) {
                let Cell::Piece(side) = self.position.cell(row, column) else { continue };
                let change =
                    changes.iter().find(|(at, _)| *at == (row, column)).map(|(_, change)| *change);
                labels |= match change {
                    None => 1 << BLOCKED,
                    Some(_) if side == self.position.side() => 1 << PUSHED_OWN,
                    Some(_) => 1 << (PUSHED_OWN + 1),
                };
                if change == Some(SquareChange::PushedOff) {
                    labels |= over((row, column), placed, size);
                }
            }
        }
        labels
    }

    /// What occurs when a game ends so.
    fn ended(&self, ending: Ending) -> u32 {
        let sides = match ending.winner {
            Some(side) => vec![side],
            None => Side::BOTH.to_vec(),
        };
        let mut labels = match ending {
            Ending { reason: Reason::Suicide, .. } => 1 << SUICIDE,
            Ending { winner: None, .. } => 1 << BOTH_LINES,
            _ => 0,
        };
        if let Some(side) = ending.winner {
            labels |= 1 << (WINS + usize::from(side == Side::Second));
        }
        for side in sides {
            labels |=
                u32::from(self.position.piece_count(side) == self.rules.pieces()) << ALL_PIECES;
            let pieces = self.position.bits(side).unwrap_or_default();
            for line in &self.rules.lines {
                if pieces & line.squares == line.squares {
                    labels |= line.labels;
                }
            }
        }
        labels
    }
}

/// Which edge or corner a piece is pushed over.
fn over(at: (usize, usize), placed: (usize, usize), size: usize) -> u32 {
    match (leaves(at.0, placed.0, size), leaves(at.1, placed.1, size)) {
        (Some(row), Some(column)) => 1 << CORNER | 1 << (CORNERS + 2 * row + column),
        (Some(row), None) => 1 << EDGE | 1 << (EDGES + row),
        (None, Some(column)) => 1 << EDGE | 1 << (EDGES + 2 + column),
        (None, None) => 0,
    }
}

/// At which end of a row or column of this size a piece is pushed over the edge: 0 at the first
/// square, 1 at the last.
fn leaves(at: usize, placed: usize, size: usize) -> Option<usize> {
    if at == 0 && placed == 1 {
        Some(0)
    } else if at + 1 == size && placed + 1 == at {
        Some(1)
    } else {
        None
    }
}
