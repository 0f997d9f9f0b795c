//! Lines of Action, after Winands, van den Herik and Uiterwijk, "An Evaluation Function for Lines
//! of Action" (Advances in Computer Games 10, 2004, 249-260): concentration, solid formations
//! (quads), uniformity, connectedness, pieces at the edge (their part of centralisation and walls),
//! mobility and the side to move. Their centre of mass, the number of groups and the central
//! squares were fitted to a weight of nearly nothing beside these.

use super::Level::{Nodes, Noise};
use super::{Evaluation, GameKnowledge, fits_into_a_word};
use arbiter_rules::{BySide, Cell, Position, Ruleset, Side};
use multiversion::multiversion;

/// What the bots know of Lines of Action.
pub(super) const LOA: GameKnowledge = GameKnowledge {
    levels: &[
        Noise(100_000),
        Noise(3_000),
        Noise(1_200),
        Noise(440),
        Noise(60),
        Nodes(200),
        Nodes(900),
        Nodes(5_000),
        Nodes(30_000),
    ],
    cells_value,
    fitted,
};

/// A column, and the squares that have one above them in their column.
const COLUMN: u64 = 0xff;
const HAS_ABOVE: u64 = 0xfefe_fefe_fefe_fefe;
/// The first row of every column.
const ROW: u64 = 0x0101_0101_0101_0101;
/// The squares of the four edges.
const EDGE: u64 = 0xff81_8181_8181_81ff;
/// Number of features of the pieces of one side.
const FEATURES: usize = 7;
/// In the order of [`formation`]; a fit to 119,600 positions gives the same within 0.3.
const WEIGHTS: [f32; FEATURES] = [-1.43, 5.46, -1.81, 28.4, -1.9, -6.9, 15.4];
/// A ply more than the other side could choose from.
const MOBILITY: f32 = 2.36;
/// To be the side to move.
const TEMPO: f32 = 32.9;

fn fitted(ruleset: &Ruleset) -> Option<Box<dyn Evaluation>> {
    fits_into_a_word(ruleset).then(|| Box::new(LoaEvaluation) as _)
}

/// The evaluation of Lines of Action on the usual board.
#[derive(Debug)]
struct LoaEvaluation;

impl Evaluation for LoaEvaluation {
    fn value(&self, position: &Position) -> i32 {
        let side = position.side();
        // There is always a set. One piece, so that nothing is divided by 0.
        let own = position.bits(side).unwrap_or(1);
        let theirs = position.bits(!side).unwrap_or(1);
        let other_plies = position.turned().map_or(0, |turned| turned.ply_count());
        let mobility = position.ply_count() as f32 - other_plies as f32;
        (formations(own, theirs) + MOBILITY * mobility + TEMPO) as i32
    }

    fn passing_is_bad(&self) -> bool {
        true
    }
}

/// The value of the pieces of one side less that of the other's.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn formations(own: u64, theirs: u64) -> f32 {
    let mine = formation(own);
    let other = formation(theirs);
    let mut sum = 0.0;
    for at in 0..FEATURES {
        sum += WEIGHTS[at] * (mine[at] - other[at]) as f32;
    }
    sum
}

/// The features of the pieces of one side, of which there is at least one.
#[inline(always)]
fn formation(own: u64) -> [i32; FEATURES] {
    let count = own.count_ones() as i32;
    let centre = Centre::of(own, count);
    let largest = largest_group(own);
    // What the largest group lacks of four pieces, or of all but one.
    let wanted = (count - 1).min(4);
    [
        centre.distance(own, count), // concentration
        solid_quads(own, centre.rows / count, centre.columns / count),
        centre.area, // uniformity
        count,
        100 * (count - largest) / count, // connectedness, in percent outside the largest group
        (own & EDGE).count_ones() as i32,
        wanted - largest.min(wanted),
    ]
}

/// The sums of rows and columns, of which the means are the centre of mass, and the rectangle
/// around the pieces.
#[derive(Debug, Clone, Copy)]
struct Centre {
    rows: i32,
    columns: i32,
    /// Squares of the rectangle.
    area: i32,
}

impl Centre {
    #[inline(always)]
    fn of(own: u64, count: i32) -> Centre {
        let mut rows = 0;
        let mut columns = 0;
        let mut in_rows = 0_u32;
        let mut in_columns = 0_u32;
        for at in 0..8 {
            let row = (own >> at & ROW).count_ones();
            let column = (own >> (8 * at) & COLUMN).count_ones();
            rows += at * row as i32;
            columns += at * column as i32;
            in_rows |= u32::from(row != 0) << at;
            in_columns |= u32::from(column != 0) << at;
        }
        debug_assert!(count > 0, "a side has a piece");
        Centre { rows, columns, area: extent(in_rows) * extent(in_columns) }
    }

    /// Concentration: the mean distance of the pieces from their centre, less what so many pieces
    /// need at least, in hundredths of a square.
    #[inline(always)]
    fn distance(self, own: u64, count: i32) -> i32 {
        let mut sum = 0;
        let mut pieces = own;
        while pieces != 0 {
            let at = pieces.trailing_zeros() as i32;
            pieces &= pieces - 1;
            // Times `count`, so that the centre needs no fraction.
            let down = ((at & 7) * count - self.rows).abs();
            let across = ((at >> 3) * count - self.columns).abs();
            sum += way(down, across);
        }
        (sum / count - 100 * least_distance(count)) / count
    }
}

/// The number of lines from the first to the last one of a set.
#[inline(always)]
fn extent(set: u32) -> i32 {
    32 - set.leading_zeros() as i32 - set.trailing_zeros() as i32
}

/// How far a king goes, in hundredths of a square, with a quarter more for each diagonal step.
#[inline(always)]
fn way(down: i32, across: i32) -> i32 {
    100 * down.max(across) + 25 * down.min(across)
}

/// The sum of the distances from the centre that so many pieces need at least: one fits into the
/// centre, eight around it, the others are two squares away.
#[inline(always)]
fn least_distance(count: i32) -> i32 {
    if count <= 9 { count - 1 } else { 2 * count - 10 }
}

/// Squares of 2×2 with three or four pieces, at most two rows and columns from the centre of mass.
#[inline(always)]
fn solid_quads(own: u64, row: i32, column: i32) -> i32 {
    // Each square of 2×2 at once: its four squares, seen from the first one.
    let a = own;
    let b = (own & HAS_ABOVE) >> 1;
    let c = own >> 8;
    let d = (own & HAS_ABOVE) >> 9;
    let three_or_four = (a & b & (c | d)) | (c & d & (a | b));
    let mut near_columns = 0;
    let mut near_rows = 0;
    for near in (column - 2).max(0)..=(column + 1).min(6) {
        near_columns |= COLUMN << (8 * near);
    }
    for near in (row - 2).max(0)..=(row + 1).min(6) {
        near_rows |= ROW << near;
    }
    (three_or_four & near_columns & near_rows).count_ones() as i32
}

/// The number of pieces of the largest group.
#[inline(always)]
fn largest_group(own: u64) -> i32 {
    let mut rest = own;
    let mut largest = 0;
    // A group that is larger than what is left of the pieces is the largest.
    while rest.count_ones() > largest {
        let mut group = rest & rest.wrapping_neg();
        loop {
            let line = group | group << 8 | group >> 8;
            let grown = (line | (line & HAS_ABOVE) >> 1 | (line << 1 & HAS_ABOVE)) & own;
            if grown == group {
                break;
            }
            group = grown;
        }
        rest &= !group;
        largest = largest.max(group.count_ones());
    }
    largest as i32
}

/// Cost of each group beyond the first.
const GROUP: i32 = 40;
/// Weight of the pieces' mean distance from their centre.
const SPREAD: i32 = 12;
/// Weight of the distance of that centre from the middle of the board.
const OFF_MIDDLE: i32 = 20;

/// The pieces of a side should stand close together, near the middle, in few groups. Uses means,
/// not sums: a capture is no advantage in itself, since few pieces are connected sooner than many.
fn cells_value(position: &Position, side: Side) -> i32 {
    let mut spreads = BySide::<PieceSpread>::default();
    for (row, column) in position.ruleset().cells() {
        if let Cell::Piece(owner) = position.cell(row, column) {
            spreads[owner].add(row as i32, column as i32);
        }
    }
    let value = |owner| spreads[owner].value() - GROUP * (position.group_count(owner) as i32 - 1);
    value(side) - value(!side)
}

/// The squares of one side's pieces, with their sums. A side has at most twelve.
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

    /// Lower if the pieces are farther from their centre than their number requires, and if that
    /// centre is farther from the middle of the board.
    fn value(&self) -> i32 {
        let count = self.count.max(1);
        let mut ways = 0;
        for (row, column) in &self.places[..self.count as usize] {
            ways += way((row * count - self.rows).abs(), (column * count - self.columns).abs());
        }
        let spread = ways / count - 100 * least_distance(count);
        let off_middle = (2 * self.rows - 7 * count).abs() + (2 * self.columns - 7 * count).abs();
        -(SPREAD * spread + OFF_MIDDLE * off_middle) / count
    }
}
