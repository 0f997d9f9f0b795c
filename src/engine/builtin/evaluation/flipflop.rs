//! FlipFlop on the usual board: the classes of squares, the pieces beside an empty corner and
//! beside any empty square, mobility, parity and the second piece of a turn. These are the parts of
//! evaluations of Othello (P. Rosenbloom, "A world-championship-level Othello program", Artificial
//! Intelligence 19, 1982, 279-320; M. Buro, "Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello", 1997), with the weights of three phases, between which a
//! position takes the mean.

use super::Level::{Nodes, Noise};
use super::{Evaluation, GameKnowledge, piece_lead};
use arbiter_rules::{Cell, Position, Ruleset, Side};
use multiversion::multiversion;

/// What the bots know of FlipFlop.
pub(super) const FLIPFLOP: GameKnowledge = GameKnowledge {
    levels: &[
        Noise(1_600),
        Noise(200),
        Noise(40),
        Nodes(30),
        Nodes(130),
        Nodes(450),
        Nodes(1_500),
        Nodes(5_500),
        Nodes(30_000),
    ],
    cells_value,
    fitted,
};

/// Rows and columns of the usual board.
const SIZE: usize = 8;
/// Squares of the usual board.
const SQUARES: usize = SIZE * SIZE;
/// Number of features.
const FEATURES: usize = 17;
/// The squares of each class: those that symmetries of the board make equal, from the corner to the
/// centre.
static CLASSES: [u64; 10] = classes();
/// Each corner, the square diagonally inwards, and the two beside it on the edges.
const CORNERS: [(u32, u32, [u32; 2]); 4] =
    [(0, 9, [1, 8]), (7, 14, [6, 15]), (56, 49, [48, 57]), (63, 54, [62, 55])];

const fn classes() -> [u64; 10] {
    let mut classes = [0; 10];
    let mut at = 0;
    while at < SQUARES {
        let row = at % SIZE;
        let column = at / SIZE;
        let row = if row < SIZE / 2 { row } else { SIZE - 1 - row };
        let column = if column < SIZE / 2 { column } else { SIZE - 1 - column };
        let (a, b) = if row < column { (row, column) } else { (column, row) };
        // The classes are a triangle, row by row: a1 b1 c1 d1, b2 c2 d2, c3 d3, d4.
        classes[[0, 4, 7, 9][a] + b - a] |= 1 << at;
        at += 1;
    }
    classes
}

fn fitted(ruleset: &Ruleset) -> Option<Box<dyn Evaluation>> {
    (ruleset.rows() == SIZE).then(|| Box::new(FlipFlopEvaluation::new()) as _)
}

/// The evaluation of FlipFlop on the usual board.
#[derive(Debug)]
struct FlipFlopEvaluation {
    /// The weights of the features, by the number of pieces on the board.
    weights: Vec<[f32; FEATURES]>,
}

impl FlipFlopEvaluation {
    fn new() -> FlipFlopEvaluation {
        let mut weights = vec![[0.0; FEATURES]; SQUARES + 1];
        for (filled, blended) in weights.iter_mut().enumerate() {
            // From 0 at the start, with four pieces, to 1 on the full board.
            let phase = (filled as f32 - 4.0) / 60.0;
            let shares = [
                (1.0 - 2.0 * phase).max(0.0),
                1.0 - (2.0 * phase - 1.0).abs(),
                (2.0 * phase - 1.0).max(0.0),
            ];
            for (share, of_phase) in std::iter::zip(shares, WEIGHTS) {
                for (weight, part) in std::iter::zip(&mut *blended, of_phase) {
                    *weight += share * part;
                }
            }
        }
        FlipFlopEvaluation { weights }
    }
}

impl Evaluation for FlipFlopEvaluation {
    fn value(&self, position: &Position) -> i32 {
        value(&self.weights, position)
    }
}

#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn value(weights: &[[f32; FEATURES]], position: &Position) -> i32 {
    let side = position.side();
    let own = position.bits(side).unwrap_or(0);
    let theirs = position.bits(!side).unwrap_or(0);
    let filled = (own | theirs).count_ones();
    let features = features(position, own, theirs);
    let mut sum = 0.0;
    for (feature, weight) in std::iter::zip(features, &weights[filled as usize]) {
        sum += feature * weight;
    }
    sum as i32
}

/// The features of a position, as the side to move sees it.
#[inline(always)]
fn features(position: &Position, own: u64, theirs: u64) -> [f32; FEATURES] {
    let empty = !(own | theirs);
    let lead = |set: u64| (own & set).count_ones() as f32 - (theirs & set).count_ones() as f32;
    let mut features = [0.0; FEATURES];
    for (feature, class) in std::iter::zip(&mut features, CLASSES) {
        *feature = lead(class);
    }
    // Pieces beside empty squares: left and right without going round to the next row.
    let no_first = 0xfefe_fefe_fefe_fefe_u64;
    let line = empty | empty << 8 | empty >> 8;
    features[10] = lead(line | (line << 1 & no_first) | ((line & no_first) >> 1));
    // Mobility, of first pieces on both sides.
    let is_second = position.piece() == Some(2);
    let now = position.ply_count() as f32;
    let mut own_to_move = now;
    let mut theirs_to_move = 0.0;
    if let Some(turned) = position.turned() {
        theirs_to_move = turned.ply_count() as f32;
        // Turned twice, the side is at its first piece again.
        if is_second && let Some(at_first_piece) = turned.turned() {
            own_to_move = at_first_piece.ply_count() as f32;
        }
    }
    features[11] = own_to_move - theirs_to_move;
    // Mobility of the second piece, which `pass` declines.
    features[12] = if is_second { now - 1.0 } else { 0.0 };
    // Parity: who places the last piece; then the tempo.
    features[13] = if empty.count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
    features[14] = 1.0;
    for (corner, diagonal, edges) in CORNERS {
        if empty >> corner & 1 == 1 {
            features[15] += lead(1 << diagonal);
            features[16] += lead(1 << edges[0] | 1 << edges[1]);
        }
    }
    features
}

/// A piece in a corner cannot be captured, one on an edge rarely. A piece beside an empty corner
/// lets the opponent take that corner.
const CORNER: i32 = 2_000;
const EDGE: i32 = 300;
const BESIDE_CORNER: i32 = -500;
const ELSEWHERE: i32 = 100;

/// The value of a piece depends on its square; near the end only the number of pieces counts.
fn cells_value(position: &Position, side: Side) -> i32 {
    let ruleset = position.ruleset();
    let size = ruleset.rows();
    let squares = (size * size) as u32;
    let free = squares - position.piece_count(side) - position.piece_count(!side);
    if free * 8 < squares {
        return piece_lead(position, side) * ELSEWHERE;
    }
    let mut sum = 0;
    for (row, column) in ruleset.cells() {
        let Cell::Piece(owner) = position.cell(row, column) else { continue };
        // How far the nearest corner is, and where it lies.
        let down = row.min(size - 1 - row);
        let across = column.min(size - 1 - column);
        let corner_row = if row < size / 2 { 0 } else { size - 1 };
        let corner_column = if column < size / 2 { 0 } else { size - 1 };
        let value = match (down, across) {
            (0, 0) => CORNER,
            (0 | 1, 0 | 1) if position.cell(corner_row, corner_column) == Cell::Empty => {
                BESIDE_CORNER
            }
            (0, _) | (_, 0) => EDGE,
            _ => ELSEWHERE,
        };
        sum += if owner == side { value } else { -value };
    }
    sum
}

/// The weights at the start, half way and at the end, fitted to 242,000 positions. In order: the
/// classes of squares a1 b1 c1 d1 b2 c2 d2 c3 d3 d4, pieces beside empty squares, mobility,
/// mobility of the second piece, parity, tempo, the square diagonally beside an empty corner, those
/// on the edges beside it.
const WEIGHTS: [[f32; FEATURES]; 3] = [
    [
        55.04, 37.46, 6.96, -16.62, -53.3, -4.66, -3.54, -10.01, 0.44, 4.81, 2.23, -0.98, -2.26,
        -3.6, 21.94, 13.48, -46.78,
    ],
    [
        64.32, 31.31, 5.41, -0.89, -20.88, 1.09, -2.58, 1.39, 0.45, -2.01, -1.87, 5.1, 2.42, 0.31,
        -21.74, -17.38, -62.36,
    ],
    [
        59.36, 47.17, -0.89, 15.14, 38.75, 0.28, -0.09, 18.29, 15.07, 14.86, -21.83, 43.47, 9.11,
        -3.69, 6.72, -40.37, -31.8,
    ],
];
