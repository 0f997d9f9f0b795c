//! The two sides of a game, and pairs indexed by them.

use std::ops::{Index, IndexMut, Not};

/// One of the two sides.
///
/// `First` is the side that moves first in the ruleset's own start position, even if the other side
/// is to move in the start position of a given game (docs/reference/rules.md, Position text). Its
/// letter depends on the game: [`Ruleset::letter`](crate::Ruleset::letter).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side that moves first in the start position.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// Both sides, the first one first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];
}

impl Not for Side {
    type Output = Side;

    /// The opponent.
    #[inline]
    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// Two values, one for each side, so that no code is written twice for the two players.
///
/// ```
/// use arbiter_rules::{BySide, Side};
/// let mut points = BySide { first: 0, second: 0 };
/// points[Side::Second] += 1;
/// assert_eq!(points, BySide { first: 0, second: 1 });
/// assert_eq!(points.swapped(), BySide { first: 1, second: 0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BySide<T> {
    /// The first side's.
    pub first: T,
    /// The second side's.
    pub second: T,
}

impl<T> BySide<T> {
    /// Makes a pair by calling `make` for each side, the first one first.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> BySide<T> {
        BySide { first: make(Side::First), second: make(Side::Second) }
    }

    /// One side's value, then its opponent's.
    #[inline]
    pub fn from_own(side: Side, own: T, opponents: T) -> BySide<T> {
        match side {
            Side::First => BySide { first: own, second: opponents },
            Side::Second => BySide { first: opponents, second: own },
        }
    }

    /// One side's value and its opponent's.
    #[inline]
    pub fn seen_by(self, side: Side) -> (T, T) {
        match side {
            Side::First => (self.first, self.second),
            Side::Second => (self.second, self.first),
        }
    }

    /// The same values with the sides exchanged.
    pub fn swapped(self) -> BySide<T> {
        BySide { first: self.second, second: self.first }
    }

    /// The value of both sides, if it is the same.
    pub fn common(self) -> Option<T>
    where
        T: PartialEq,
    {
        (self.first == self.second).then_some(self.first)
    }

    /// Maps both values.
    pub fn map<U>(self, mut make: impl FnMut(T) -> U) -> BySide<U> {
        BySide { first: make(self.first), second: make(self.second) }
    }

    /// Borrows both values.
    pub fn as_ref(&self) -> BySide<&T> {
        BySide { first: &self.first, second: &self.second }
    }

    /// Borrows both values mutably.
    pub fn as_mut(&mut self) -> BySide<&mut T> {
        BySide { first: &mut self.first, second: &mut self.second }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
