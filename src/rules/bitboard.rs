//! Bitboards: sets of squares, one bit a square. A board that fits into one word uses `u64`, a
//! larger one [`WideBitboard`]. The type is chosen at compile time, so each game is written once.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A set of squares; square n is bit n.
pub(super) trait Bitboard:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
    /// The set of one square.
    fn one(square: usize) -> Self;

    /// Adds a square, in place.
    fn add(&mut self, square: usize);

    /// Whether the set has a square.
    fn has(self, square: usize) -> bool;

    /// Whether the set is empty.
    fn is_empty(self) -> bool;

    /// Number of squares in the set.
    fn count(self) -> u32;

    /// Removes and returns the lowest square; none if the set is empty.
    fn pop(&mut self) -> Option<usize>;

    /// The words of the set, the lowest first.
    fn words(self) -> impl Iterator<Item = u64>;

    /// The squares in ascending order.
    #[inline(always)]
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
}

/// The squares of a set in ascending order.
#[derive(Debug, Clone)]
pub(super) struct Squares<B>(B);

impl<B: Bitboard> Iterator for Squares<B> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        self.0.pop()
    }

    #[inline(always)]
    fn count(self) -> usize {
        self.0.count() as usize
    }

    /// Goes through one word after the other: `next` looks for a word that is not empty each time.
    #[inline(always)]
    fn fold<T, F: FnMut(T, usize) -> T>(self, first: T, mut add: F) -> T {
        self.0.words().enumerate().fold(first, |mut folded, (at, mut word)| {
            while let Some(bit) = word.pop() {
                folded = add(folded, at * 64 + bit);
            }
            folded
        })
    }
}

/// All bits set if `holds`, else none: a mask in place of a branch that cannot be predicted.
#[inline(always)]
pub(super) fn all_if(holds: bool) -> u64 {
    u64::from(holds).wrapping_neg()
}

impl Bitboard for u64 {
    #[inline(always)]
    fn one(square: usize) -> u64 {
        1 << square
    }

    #[inline(always)]
    fn add(&mut self, square: usize) {
        *self |= 1 << square;
    }

    #[inline(always)]
    fn has(self, square: usize) -> bool {
        self >> square & 1 != 0
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn words(self) -> impl Iterator<Item = u64> {
        std::iter::once(self)
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<usize> {
        if *self == 0 {
            return None;
        }
        let lowest = self.trailing_zeros() as usize;
        *self &= *self - 1;
        Some(lowest)
    }
}

/// A bitboard of `W` words, the lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct WideBitboard<const W: usize>(pub(super) [u64; W]);

impl<const W: usize> Default for WideBitboard<W> {
    fn default() -> WideBitboard<W> {
        WideBitboard([0; W])
    }
}

impl<const W: usize> WideBitboard<W> {
    /// The word with this index; 0 outside the bitboard.
    #[inline]
    fn word(self, number: Option<usize>) -> u64 {
        number.and_then(|number| self.0.get(number)).copied().unwrap_or(0)
    }
}

/// Operators that join two bitboards word by word.
macro_rules! word_by_word {
    ($($trait:ident $method:ident $operator:tt;)+) => {$(
        impl<const W: usize> $trait for WideBitboard<W> {
            type Output = WideBitboard<W>;

            #[inline]
            fn $method(self, other: WideBitboard<W>) -> WideBitboard<W> {
                WideBitboard(std::array::from_fn(|word| self.0[word] $operator other.0[word]))
            }
        }
    )+};
}

word_by_word! {
    BitAnd bitand &;
    BitOr bitor |;
    BitXor bitxor ^;
}

impl<const W: usize> Not for WideBitboard<W> {
    type Output = WideBitboard<W>;

    #[inline]
    fn not(self) -> WideBitboard<W> {
        WideBitboard(self.0.map(|word| !word))
    }
}

impl<const W: usize> Shl<usize> for WideBitboard<W> {
    type Output = WideBitboard<W>;

    #[inline]
    fn shl(self, by: usize) -> WideBitboard<W> {
        let words = by / 64;
        let bits = by % 64;
        if words == 0 {
            // The usual case, without index arithmetic. What a word carries into the next one is
            // shifted in two steps: `bits` may be 0, and a shift by 64 overflows.
            let mut carried = 0;
            return WideBitboard(self.0.map(|word| {
                let shifted = word << bits | carried;
                carried = word >> 1 >> (63 - bits);
                shifted
            }));
        }
        WideBitboard(std::array::from_fn(|at| {
            let low = self.word(at.checked_sub(words + 1));
            self.word(at.checked_sub(words)) << bits | low >> 1 >> (63 - bits)
        }))
    }
}

impl<const W: usize> Shr<usize> for WideBitboard<W> {
    type Output = WideBitboard<W>;

    #[inline]
    fn shr(self, by: usize) -> WideBitboard<W> {
        let words = by / 64;
        let bits = by % 64;
        if words == 0 {
            let mut shifted = self.0.map(|word| word >> bits);
            for (low, high) in shifted.iter_mut().zip(&self.0[1..]) {
                *low |= high << 1 << (63 - bits);
            }
            return WideBitboard(shifted);
        }
        WideBitboard(std::array::from_fn(|at| {
            let high = self.word(Some(at + words + 1));
            self.word(Some(at + words)) >> bits | high << 1 << (63 - bits)
        }))
    }
}

impl<const W: usize> Bitboard for WideBitboard<W> {
    #[inline]
    fn one(square: usize) -> WideBitboard<W> {
        let mut set = WideBitboard::default();
        set.add(square);
        set
    }

    #[inline]
    fn add(&mut self, square: usize) {
        self.0[square / 64] |= 1 << (square % 64);
    }

    #[inline]
    fn has(self, square: usize) -> bool {
        self.0[square / 64] >> (square % 64) & 1 != 0
    }

    #[inline]
    fn is_empty(self) -> bool {
        // Without a branch for each word.
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn words(self) -> impl Iterator<Item = u64> {
        self.0.into_iter()
    }

    #[inline]
    fn pop(&mut self) -> Option<usize> {
        let (at, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        word.pop().map(|bit| at * 64 + bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    type Set = WideBitboard<3>;

    fn set(squares: &BTreeSet<usize>) -> Set {
        squares.iter().fold(Set::default(), |set, &square| set | Set::one(square))
    }

    fn sets() -> impl Strategy<Value = BTreeSet<usize>> {
        prop::collection::btree_set(0..192_usize, 0..40)
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn wide_sets_are_sets(a in sets(), b in sets(), by in 0..200_usize) {
            let (wide, other) = (set(&a), set(&b));
            let listed = |set: Set| set.squares().collect::<BTreeSet<_>>();
            prop_assert_eq!(&listed(wide), &a);
            prop_assert_eq!(wide.count() as usize, a.len());
            prop_assert_eq!(wide.is_empty(), a.is_empty());
            prop_assert!((0..192).all(|square| wide.has(square) == a.contains(&square)));
            prop_assert_eq!(listed(wide & other), &a & &b);
            prop_assert_eq!(listed(wide | other), &a | &b);
            prop_assert_eq!(listed(wide ^ other), &a ^ &b);
            prop_assert_eq!(listed(!wide), (0..192).filter(|square| !a.contains(square)).collect());
            let moved = |map: &dyn Fn(usize) -> Option<usize>| {
                a.iter()
                    .filter_map(|&square| map(square))
                    .filter(|&square| square < 192)
                    .collect::<BTreeSet<_>>()
            };
            prop_assert_eq!(listed(wide << by), moved(&|square| Some(square + by)));
            prop_assert_eq!(listed(wide >> by), moved(&|square| square.checked_sub(by)));
        }
    }
}
