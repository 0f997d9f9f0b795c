//! Hashes of positions, computed from the bitboards when they are asked for. That costs a few
//! multiplications: less than updating a Zobrist hash in plies that flip or push many pieces, and
//! nothing where no hash is needed.

use super::bitboard::Bitboard;
use super::{BySide, Side};

/// Constants with irregular bits: the fractional parts of the square roots of 2, 3, 5 and 7.
const ROOTS: [u64; 4] =
    [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];

/// The hash of the pieces, the side to move and `more`, which is whatever else distinguishes
/// positions. It is the same in every build.
#[inline(always)]
pub(super) fn hash<B: Bitboard>(pieces: BySide<B>, side: Side, more: u64) -> u64 {
    // The state goes crosswise into both factors, so that equal words in other places, or of the
    // other side, give another hash.
    let mut hash = fold(more ^ ROOTS[2], side as u64 ^ ROOTS[3]);
    for (first, second) in pieces.first.words().zip(pieces.second.words()) {
        hash = fold(first ^ ROOTS[0] ^ hash, second ^ ROOTS[1] ^ hash.rotate_left(32));
    }
    fold(hash ^ ROOTS[0], ROOTS[2])
}

/// The upper half of the 128-bit product XOR the lower half (as in W. Yi's wyhash): each bit of a
/// factor changes about half of the result's bits.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}
