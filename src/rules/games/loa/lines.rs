//! Tables of rays, lines and moves on the 8×8 board, computed at compile time; squares are numbered
//! column by column. In constant functions there is neither `for` nor a closure.

/// Directions 0 to 3, then the opposite of each as 4 to 7.
pub(super) const DIRECTIONS: usize = 8;
const STEPS: [(i8, i8); DIRECTIONS] =
    [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];

/// `RAY[direction][square]`: the squares beyond `square`, up to the edge.
pub(super) const RAY: [[u64; 64]; DIRECTIONS] = rays();
/// `LINE[direction mod 4][square]`: the whole line through `square`, `square` included.
pub(super) const LINE: [[u64; 64]; 4] = whole_lines();
/// `MOVES[direction][square][n]` for directions 0 to 3: the moves of n squares in that direction
/// and in the opposite one.
pub(super) static MOVES: [[[OppositeMoves; 9]; 64]; 4] = moves();

/// Two moves of the same length from one square in opposite directions.
#[derive(Clone, Copy)]
pub(super) struct OppositeMoves {
    /// The squares between start and target.
    pub(super) over: [u64; 2],
    /// The target square; the empty set if it is off the board.
    pub(super) to: [u64; 2],
}

const fn moves() -> [[[OppositeMoves; 9]; 64]; 4] {
    let mut table = [[[OppositeMoves { over: [0; 2], to: [0; 2] }; 9]; 64]; 4];
    let mut index = 0;
    while index < 8 * 64 * 8 {
        let direction = index / 512;
        let square = index / 8 % 64;
        let count = index % 8 + 1;
        let moves = &mut table[direction % 4][square][count];
        let mut between = 1;
        while between < count {
            if let Some(over) = step(square, direction, between as i8) {
                moves.over[direction / 4] |= 1 << over;
            }
            between += 1;
        }
        if let Some(to) = step(square, direction, count as i8) {
            moves.to[direction / 4] |= 1 << to;
        }
        index += 1;
    }
    table
}

const fn step(square: usize, direction: usize, count: i8) -> Option<usize> {
    let (column_step, row_step) = STEPS[direction];
    let column = (square / 8) as i8 + column_step * count;
    let row = (square % 8) as i8 + row_step * count;
    if column < 0 || column > 7 || row < 0 || row > 7 {
        None
    } else {
        Some(column as usize * 8 + row as usize)
    }
}

const fn rays() -> [[u64; 64]; DIRECTIONS] {
    let mut table = [[0; 64]; DIRECTIONS];
    let mut direction = 0;
    while direction < DIRECTIONS {
        let mut square = 0;
        while square < 64 {
            let mut count = 1;
            while let Some(to) = step(square, direction, count) {
                table[direction][square] |= 1 << to;
                count += 1;
            }
            square += 1;
        }
        direction += 1;
    }
    table
}

const fn whole_lines() -> [[u64; 64]; 4] {
    let mut table = [[0; 64]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut square = 0;
        while square < 64 {
            table[direction][square] =
                RAY[direction][square] | RAY[direction + 4][square] | 1 << square;
            square += 1;
        }
        direction += 1;
    }
    table
}
