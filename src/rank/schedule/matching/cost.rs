//! Costs in several parts, compared lexicographically: an earlier part outranks all later parts.

use std::ops::{Add, Sub};

/// A cost, a price or a slack: parts in order of importance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost<const K: usize>(pub(super) [i128; K]);

impl<const K: usize> Cost<K> {
    pub const NOTHING: Self = Cost([0; K]);

    pub fn times(self, factor: i128) -> Self {
        Cost(self.0.map(|part| part * factor))
    }

    /// Half of an even cost.
    pub fn half(self) -> Self {
        debug_assert!(
            self.0.iter().all(|part| part % 2 == 0),
            "prices in the trees have the same parity"
        );
        Cost(self.0.map(|part| part / 2))
    }
}

impl<const K: usize> Add for Cost<K> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        for (part, more) in self.0.iter_mut().zip(other.0) {
            *part += more;
        }
        self
    }
}

impl<const K: usize> Sub for Cost<K> {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        for (part, less) in self.0.iter_mut().zip(other.0) {
            *part -= less;
        }
        self
    }
}
