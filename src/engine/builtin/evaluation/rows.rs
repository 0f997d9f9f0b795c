//! Games of pieces in a row: the lines that one side alone can still fill, by the number of its
//! pieces in them.

use super::Level::{Nodes, Noise};
use super::{Evaluation, GameKnowledge, fits_into_a_word, piece_lead};
use arbiter_rules::{Cell, LARGEST_BOARD, Position, Ruleset, Side};
use multiversion::multiversion;

/// What the bots know of Gekitai.
pub(super) const GEKITAI: GameKnowledge = GameKnowledge {
    levels: &[
        Noise(100_000),
        Noise(1_600),
        Noise(400),
        Noise(50),
        Nodes(180),
        Nodes(300),
        Nodes(1_000),
        Nodes(4_700),
        Nodes(30_000),
    ],
    cells_value: gekitai_cells_value,
    fitted: |ruleset| fitted(ruleset, &GEKITAI_WEIGHTS),
};

/// What the bots know of Line 'em Up.
pub(super) const LINEUP: GameKnowledge = GameKnowledge {
    levels: &[
        Noise(100_000),
        Noise(3_500),
        Noise(1_400),
        Noise(600),
        Noise(250),
        Noise(50),
        Nodes(300),
        Nodes(30_000),
    ],
    cells_value: lines_value,
    fitted: |ruleset| fitted(ruleset, &LINEUP_WEIGHTS),
};

/// The longest line whose pieces are counted.
const LONGEST: usize = 8;

/// What lines and pieces are worth, in tenths.
#[derive(Debug)]
struct RowsWeights {
    /// An open line of the side to move that wants so many more pieces, from one on; each further
    /// one is worth a quarter of it.
    own: [i32; 2],
    /// The same for the other side.
    theirs: [i32; 2],
    /// A piece of the side to move, and of the other side.
    pieces: [i32; 2],
    /// To be the side to move.
    tempo: i32,
}

/// Fitted to 215,000 positions.
const GEKITAI_WEIGHTS: RowsWeights =
    RowsWeights { own: [561, 127], theirs: [-507, -128], pieces: [85, -52], tempo: 1_078 };
/// Chosen, not fitted: a line that wants one piece decides nearly every game.
const LINEUP_WEIGHTS: RowsWeights =
    RowsWeights { own: [2_000, 500], theirs: [-1_800, -450], pieces: [0, 0], tempo: 250 };

fn fitted(ruleset: &Ruleset, weights: &'static RowsWeights) -> Option<Box<dyn Evaluation>> {
    fits_into_a_word(ruleset).then(|| Box::new(RowsEvaluation::new(ruleset, weights)) as _)
}

/// The evaluation of a game of pieces in a row, on a board of at most 64 squares.
#[derive(Debug)]
struct RowsEvaluation {
    /// Down, to the right, falling and rising.
    directions: [Direction; 4],
    length: usize,
    own: [i32; LONGEST],
    theirs: [i32; LONGEST],
    weights: &'static RowsWeights,
}

/// The lines of one direction.
#[derive(Debug, Clone, Copy)]
struct Direction {
    /// The first squares of the lines without a block.
    starts: u64,
    /// The distance of two neighbouring squares.
    step: u32,
}

impl RowsEvaluation {
    fn new(ruleset: &Ruleset, weights: &'static RowsWeights) -> RowsEvaluation {
        let length = ruleset.in_a_row().unwrap_or(LONGEST).min(LONGEST);
        let ways = [(0, 1), (1, 0), (1, 1), (1, -1)];
        RowsEvaluation {
            directions: ways.map(|way| Direction::new(ruleset, length, way)),
            length,
            own: by_count(length, weights.own),
            theirs: by_count(length, weights.theirs),
            weights,
        }
    }
}

/// What an open line of this length is worth, by the number of pieces in it.
fn by_count(length: usize, [last, before]: [i32; 2]) -> [i32; LONGEST] {
    let mut worth = [0; LONGEST];
    for (count, of_count) in worth.iter_mut().enumerate().take(length).skip(1) {
        *of_count = match length - count {
            1 => last,
            wanted => before >> (2 * (wanted - 2)), // a quarter is two bits less
        };
    }
    worth
}

impl Direction {
    /// The direction of so many columns to the right and rows down.
    fn new(ruleset: &Ruleset, length: usize, (right, down): (i32, i32)) -> Direction {
        let start = ruleset.start();
        let number =
            |row: i32, column: i32| ruleset.square(row as usize, column as usize).index() as u32;
        let inside = |row: i32, column: i32| {
            (0..ruleset.rows() as i32).contains(&row)
                && (0..ruleset.columns() as i32).contains(&column)
                && start.cell(row as usize, column as usize) != Cell::Block
        };
        let mut direction = Direction { starts: 0, step: 0 };
        // A line that leaves the board or crosses a block is never filled.
        for (row, column) in ruleset.cells() {
            let row = row as i32;
            let column = column as i32;
            if (0..length as i32).all(|step| inside(row + step * down, column + step * right)) {
                direction.starts |= 1 << number(row, column);
                direction.step = number(row + down, column + right) - number(row, column);
            }
        }
        direction
    }
}

impl Evaluation for RowsEvaluation {
    fn value(&self, position: &Position) -> i32 {
        let side = position.side();
        let own = position.bits(side).unwrap_or(0);
        let theirs = position.bits(!side).unwrap_or(0);
        value(self, own, theirs)
    }
    fn is_steady(&self) -> bool {
        true
    }
}

#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn value(rows: &RowsEvaluation, own: u64, theirs: u64) -> i32 {
    let [own_piece, their_piece] = rows.weights.pieces;
    let mut sum = rows.weights.tempo
        + own_piece * own.count_ones() as i32
        + their_piece * theirs.count_ones() as i32;
    for &Direction { starts, step } in &rows.directions {
        let mine = Counts::of(own, step, rows.length);
        let other = Counts::of(theirs, step, rows.length);
        let mine_open = starts & !other.any();
        let other_open = starts & !mine.any();
        for count in 1..rows.length {
            sum += rows.own[count] * (mine.equal(count) & mine_open).count_ones() as i32;
            sum += rows.theirs[count] * (other.equal(count) & other_open).count_ones() as i32;
        }
    }
    sum / 10
}

/// For each square the number of pieces on the line that begins there, as the three binary digits.
#[derive(Debug, Clone, Copy)]
struct Counts([u64; 3]);

impl Counts {
    #[inline(always)]
    fn of(pieces: u64, step: u32, length: usize) -> Counts {
        let mut digits = [pieces, 0, 0];
        // Adds the squares of the line one after the other, all lines at once, digit by digit.
        for number in 1..length as u32 {
            let more = pieces >> (step * number);
            let carry = digits[0] & more;
            digits[0] ^= more;
            digits[2] |= digits[1] & carry;
            digits[1] ^= carry;
        }
        Counts(digits)
    }

    #[inline(always)]
    fn any(self) -> u64 {
        self.0[0] | self.0[1] | self.0[2]
    }

    #[inline(always)]
    fn equal(self, count: usize) -> u64 {
        let digit = |at: usize| if count >> at & 1 == 1 { self.0[at] } else { !self.0[at] };
        digit(0) & digit(1) & digit(2)
    }
}

/// Value of one more piece on the board, in Gekitai, where having all of them there wins.
const GEKITAI_PIECE: i32 = 150;

fn gekitai_cells_value(position: &Position, side: Side) -> i32 {
    lines_value(position, side) + GEKITAI_PIECE * piece_lead(position, side)
}

/// Every line that wins with pieces of only one side counts for that side, four times as much with
/// each further piece in it.
pub(super) fn lines_value(position: &Position, side: Side) -> i32 {
    let ruleset = position.ruleset();
    let rows = ruleset.rows() as i32;
    let columns = ruleset.columns() as i32;
    let length = ruleset.in_a_row().unwrap_or(LONGEST) as i32;
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
            let mut counts = [0_u32; 3]; // own pieces, the other side's, blocks
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
                // Bounded, because 4^16 does not fit; `evaluate` bounds the sum.
                [own, 0, 0] => 4_i32.pow(own.min(6)),
                [0, theirs, 0] => -4_i32.pow(theirs.min(6)),
                _ => 0,
            };
        }
    }
    sum
}
