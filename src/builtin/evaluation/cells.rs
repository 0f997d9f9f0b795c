//! Boards of any size, cell by cell, with values in hundredths of a unit that differs from game to
//! game.

use super::WIN;
use crate::rules::{BySide, Cell, Game, LARGEST_BOARD, Position, Side};

/// The strategies for boards of any size, cell by cell.
#[derive(Debug)]
pub(super) struct CellsEvaluation;

impl super::Evaluation for CellsEvaluation {
    fn value(&self, position: &Position) -> i32 {
        evaluate(position, position.side())
    }
}

/// The static value of an unfinished position for a side: higher is better, always far from a won
/// or lost game.
pub(in crate::builtin) fn evaluate(position: &Position, side: Side) -> i32 {
    let ruleset = position.ruleset();
    let value = match (ruleset.game(), ruleset.in_a_row()) {
        (Game::Loa, _) => loa(position, side),
        (Game::FlipFlop, _) => flipflop(position, side),
        (Game::Gekitai, Some(length)) => {
            lines(position, side, length) + GEKITAI_PIECE * piece_lead(position, side)
        }
        // What is known of any other game.
        (_, Some(length)) => lines(position, side, length),
        (_, None) => piece_lead(position, side) * ELSEWHERE,
    };
    value.clamp(-WIN / 2, WIN / 2)
}

/// Pieces of a side less pieces of the other side.
fn piece_lead(position: &Position, side: Side) -> i32 {
    position.piece_count(side) as i32 - position.piece_count(!side) as i32
}

/// A piece in a corner cannot be captured, one on an edge rarely. A piece beside an empty corner
/// lets the opponent take that corner.
const CORNER: i32 = 2_000;
const EDGE: i32 = 300;
const BESIDE_CORNER: i32 = -500;
const ELSEWHERE: i32 = 100;

/// FlipFlop: the value of a piece depends on its square; near the end only the number of pieces
/// counts.
fn flipflop(position: &Position, side: Side) -> i32 {
    let ruleset = position.ruleset();
    let size = ruleset.rows();
    let squares = (size * size) as u32;
    let free = squares - position.piece_count(side) - position.piece_count(!side);
    if free * 8 < squares {
        return piece_lead(position, side) * ELSEWHERE;
    }
    let edge = |at: usize| at == 0 || at == size - 1;
    let near = |at: usize| at <= 1 || at >= size - 2;
    let corner = |at: usize| if at < size / 2 { 0 } else { size - 1 };
    let mut sum = 0;
    for (row, column) in ruleset.cells() {
        let Cell::Piece(owner) = position.cell(row, column) else { continue };
        let value = match (edge(row), edge(column)) {
            (true, true) => CORNER,
            _ if near(row)
                && near(column)
                && position.cell(corner(row), corner(column)) == Cell::Empty =>
            {
                BESIDE_CORNER
            }
            (false, false) => ELSEWHERE,
            _ => EDGE,
        };
        sum += if owner == side { value } else { -value };
    }
    sum
}

/// Value of one more piece on the board, in Gekitai, where having all of them there wins.
const GEKITAI_PIECE: i32 = 150;

/// Games of `length` in a row: every line of that length with pieces of only one side counts for
/// that side, four times as much with each further piece in it.
fn lines(position: &Position, side: Side, length: usize) -> i32 {
    let ruleset = position.ruleset();
    let rows = ruleset.rows() as i32;
    let columns = ruleset.columns() as i32;
    let length = length as i32;
    let mut cells = [Cell::Empty; LARGEST_BOARD * LARGEST_BOARD];
    for at in 0..rows * columns {
        cells[at as usize] = position.cell((at / columns) as usize, (at % columns) as usize);
    }
    let mut sum = 0;
    for at in 0..rows * columns {
        let row = at / columns;
        let column = at % columns;
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let last_row = row + down * (length - 1);
            let last_column = column + right * (length - 1);
            if last_row >= rows || !(0..columns).contains(&last_column) {
                continue;
            }
            let step = down * columns + right;
            let mut counts = [0_u32; 3];
            for number in 0..length {
                counts[match cells[(at + number * step) as usize] {
                    Cell::Empty => continue,
                    Cell::Piece(owner) if owner == side => 0,
                    Cell::Piece(_) => 1,
                    Cell::Block => 2,
                }] += 1;
            }
            sum += match counts {
                [0, 0, _] => 0,
                [own, 0, 0] => 4_i32.pow(own.min(6)),
                [0, theirs, 0] => -4_i32.pow(theirs.min(6)),
                _ => 0,
            };
        }
    }
    sum
}

/// Cost of each group beyond the first.
const GROUP: i32 = 40;
/// Weight of the pieces' mean distance from their centre.
const SPREAD: i32 = 12;
/// Weight of the distance of that centre from the middle of the board.
const OFF_MIDDLE: i32 = 20;

/// Lines of Action: the pieces of a side should stand close together, near the middle, in few
/// groups. Uses means, not sums: a capture is no advantage in itself, since few pieces are
/// connected sooner than many.
fn loa(position: &Position, side: Side) -> i32 {
    let mut spreads = BySide::<PieceSpread>::default();
    for (row, column) in position.ruleset().cells() {
        if let Cell::Piece(owner) = position.cell(row, column) {
            spreads[owner].add(row as i32, column as i32);
        }
    }
    let value = |side| spreads[side].value() - GROUP * (position.group_count(side) as i32 - 1);
    value(side) - value(!side)
}

/// The squares of one side's pieces, with their sums.
#[derive(Default)]
struct PieceSpread {
    places: [(i32, i32); 12],
    count: i32,
    rows: i32,
    columns: i32,
}

impl PieceSpread {
    fn add(&mut self, row: i32, column: i32) {
        self.places[self.count as usize] = (row, column);
        self.count += 1;
        self.rows += row;
        self.columns += column;
    }

    /// Lower if the pieces are farther from their centre than their number requires (one fits into
    /// the centre, eight around it), and if that centre is farther from the middle of the board.
    fn value(&self) -> i32 {
        let count = self.count.max(1);
        let way = |&(row, column): &(i32, i32)| {
            let rows = (row * count - self.rows).abs();
            let columns = (column * count - self.columns).abs();
            100 * rows.max(columns) + 25 * rows.min(columns)
        };
        let ways: i32 = self.places[..self.count as usize].iter().map(way).sum();
        let least = if count <= 9 { count - 1 } else { 2 * count - 10 };
        let off_middle = |sum: i32| (2 * sum - 7 * count).abs();
        let off_middle = off_middle(self.rows) + off_middle(self.columns);
        -(SPREAD * (ways / count - 100 * least) + OFF_MIDDLE * off_middle) / count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    fn loa(text: &str) -> Position {
        let loa = Ruleset::named("loa", "").expect("loa is a game");
        loa.read_position(text).expect("a position of loa")
    }

    #[test]
    fn values_of_the_two_sides_are_opposite() {
        let start = loa("1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B");
        assert_eq!(evaluate(&start, Side::First), 0, "the start position is symmetrical");
        let better = loa("8/8/2B5/3B4/8/3B4/W6W/W6W B");
        assert!(evaluate(&better, Side::First) > 0);
        assert_eq!(evaluate(&better, Side::First), -evaluate(&better, Side::Second));
    }

    #[test]
    fn every_game_has_its_strategy() {
        // The sign of the value for the first side; 0 if the position is equal for both.
        for (game, text, sign) in [
            ("flipflop", "W7/8/8/3WB3/3BW3/5B2/8/8 W 1", 1),
            ("flipflop", "W7/8/8/3WB3/3BW3/8/8/7B W 1", 0),
            ("flipflop", "8/8/8/3WB3/3BW3/8/1B6/8 W 1", 1), // B stands beside an empty corner
            ("lineup", "OO3/5/5/5/3XX X", 0),
            ("lineup", "5/OO3/5/5/X#X#1 O", 1),
            ("gekitai", "6/1XX3/6/6/6/O4O X", 1),
            ("gekitai", "6/6/6/6/6/6 O", 0),
        ] {
            let position =
                Ruleset::named(game, "").expect("a game").read_position(text).expect("a position");
            assert_eq!(evaluate(&position, Side::First).signum(), sign, "{game} {text}");
            assert_eq!(
                evaluate(&position, Side::First),
                -evaluate(&position, Side::Second),
                "{game} {text}"
            );
        }
    }

    #[test]
    fn worths_stay_far_below_a_win() {
        let worst = loa("B1B1B1B1/8/B6B/8/3WW3/3WW3/B6B/B1B1B1B1 B"); // twelve pieces all around the edge
        assert!(evaluate(&worst, Side::First) < 0);
        assert!(evaluate(&worst, Side::First).abs() < WIN / 100);
    }
}
