//! Hashes of positions: made from the bits of a board when somebody asks, which costs a few multiplications, less than
//! to keep a Zobrist hash up to date through plies that turn or push many pieces, and nothing where nobody asks.

use super::bits::Bits;
use super::{BySide, Side};

/// Odd numbers without a pattern: the fractions of the square roots of 2, 3, 5 and 7.
const ROOTS: [u64; 4] =
    [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];

/// The hash of what stands where and of who is to move; `more` is whatever else tells positions apart. It is the same
/// in every build.
#[inline(always)]
pub(super) fn hash<B: Bits>(pieces: BySide<B>, side: Side, more: u64) -> u64 {
    let mut hash = fold(more ^ ROOTS[2], side as u64 ^ ROOTS[3]);
    for (first, second) in pieces.first.words().zip(pieces.second.words()) {
        hash = fold(first ^ ROOTS[0] ^ hash, second ^ ROOTS[1] ^ hash.rotate_left(32));
    }
    fold(hash ^ ROOTS[0], ROOTS[2])
}

/// Both halves of the product over each other (as in W. Yi's wyhash): every bit of either factor changes about half of
/// them.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}
