//! Tables of the 8×8 board, made at compile time; squares are numbered column by column.

use crate::rules::{BySide, Side};

/// Directions 0 to 3 and, opposite to each, 4 to 7.
pub(super) const DIRECTIONS: usize = 8;
const STEPS: [(i8, i8); DIRECTIONS] = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];

/// `RAY[direction][square]`: the squares beyond `square`, to the edge.
pub(super) const RAY: [[u64; 64]; DIRECTIONS] = rays();
/// `LINE[direction mod 4][square]`: the whole line through `square`, itself included.
pub(super) const LINE: [[u64; 64]; 4] = whole_lines();
/// `JUMP[direction][square][n]`: the square n steps away, or `square` itself where that is off the board.
pub(super) static JUMP: [[[u8; 9]; 64]; DIRECTIONS] = jumps();

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
            table[direction][square] = RAY[direction][square] | RAY[direction + 4][square] | 1 << square;
            square += 1;
        }
        direction += 1;
    }
    table
}

const fn jumps() -> [[[u8; 9]; 64]; DIRECTIONS] {
    let mut table = [[[0; 9]; 64]; DIRECTIONS];
    let mut direction = 0;
    while direction < DIRECTIONS {
        let mut square = 0;
        while square < 64 {
            let mut count = 0;
            while count <= 8 {
                let to = step(square, direction, count);
                table[direction][square][count as usize] = match to {
                    Some(to) => to as u8,
                    None => square as u8,
                };
                count += 1;
            }
            square += 1;
        }
        direction += 1;
    }
    table
}

/// Zobrist keys (A. L. Zobrist 1970): one a side and square, one for the side to move. The numbers come from
/// SplitMix64 with a fixed state, so that a position has the same hash in every build.
static KEYS: [[u64; 64]; 2] = keys();
/// Flipped with every ply.
pub(super) const SIDE_KEY: u64 = mix(0x6c6f_6121);

const fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys() -> [[u64; 64]; 2] {
    let mut table = [[0; 64]; 2];
    let mut index = 0;
    while index < 128 {
        table[index / 64][index % 64] = mix(index as u64 + 1);
        index += 1;
    }
    table
}

#[inline]
pub(super) fn piece_key(side: Side, square: usize) -> u64 {
    KEYS[side as usize][square]
}

/// The hash of a whole position.
pub(super) fn key(pieces: BySide<u64>, side: Side) -> u64 {
    let mut key = if side == Side::First { 0 } else { SIDE_KEY };
    for side in Side::BOTH {
        for square in super::bits(pieces[side]) {
            key ^= piece_key(side, square);
        }
    }
    key
}
