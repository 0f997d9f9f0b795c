//! Which lines a piece traps, by bits: on 8×8 for four ways at once in the lanes of a wide register, on larger boards
//! step by step.

use super::{Large, Piece};
use crate::rules::bits::{Bits, Wide};
use std::ops::{Shl, Shr};

/// A set of squares of boards of some sizes, and what is found out with it.
pub(in crate::rules) trait Grid: Bits {
    /// All squares of a board of size n.
    fn all(n: usize) -> Self;

    /// The squares that lie, some way, straight behind an unbroken run of `theirs` that begins beside an `own` one:
    /// horizontally and vertically for a first piece, diagonally for a second.
    fn ends(own: Self, theirs: Self, piece: Piece, n: usize) -> Self;

    /// Whether one of these squares is among the empty ones.
    #[inline(always)]
    fn has_end(own: Self, theirs: Self, empty: Self, piece: Piece, n: usize) -> bool {
        !(Self::ends(own, theirs, piece, n) & empty).is_empty()
    }

    /// Those of `theirs` that lie in unbroken runs between a square and an `own` one, any way.
    fn trapped(square: usize, own: Self, theirs: Self, n: usize) -> Self;
}

/// Four ways side by side: a processor with wide registers does with all what it does with one.
type Lanes = [u64; 4];

/// The squares where trapped pieces can stand, unless they lie in a column: not in the first and last column, which
/// would be wrapped around.
const INNER_8: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Two ways, as distances between squares, each forwards and backwards.
#[derive(Clone, Copy)]
struct Ways(usize, usize);

impl Ways {
    /// Those in which a piece has to trap, and where trapped pieces can stand.
    #[inline(always)]
    fn of(piece: Piece) -> (Ways, Lanes) {
        match piece {
            Piece::First => (Ways(1, 8), [INNER_8, INNER_8, !0, !0]),
            Piece::Second => (Ways(9, 7), [INNER_8; 4]),
        }
    }

    #[inline(always)]
    fn shift(self, sets: Lanes, steps: usize) -> Lanes {
        let (a, b) = (self.0 * steps, self.1 * steps);
        [sets[0] << a, sets[1] >> a, sets[2] << b, sets[3] >> b]
    }

    /// The unbroken runs of `theirs` that begin beside `from`: at most six squares long, doubled each time.
    #[inline(always)]
    fn runs(self, from: Lanes, theirs: Lanes) -> Lanes {
        let one = and(self.shift(from, 1), theirs);
        let two = or(one, and(theirs, self.shift(one, 1)));
        let pairs = and(theirs, self.shift(theirs, 1));
        let four = or(two, and(pairs, self.shift(two, 2)));
        or(four, and(pairs, self.shift(four, 2)))
    }
}

#[inline(always)]
fn and(a: Lanes, b: Lanes) -> Lanes {
    [a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]]
}

#[inline(always)]
fn or(a: Lanes, b: Lanes) -> Lanes {
    [a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]]
}

#[inline(always)]
fn any(sets: Lanes) -> u64 {
    (sets[0] | sets[1]) | (sets[2] | sets[3])
}

/// Those runs behind which an own piece stands.
#[inline(always)]
fn closed(placed: u64, own: u64, theirs: u64, piece: Piece) -> u64 {
    let (ways, within) = Ways::of(piece);
    let runs = ways.runs([placed; 4], and([theirs; 4], within));
    let ends = and(ways.shift(runs, 1), [own; 4]);
    let kept = |end: u64| u64::from(end != 0).wrapping_neg();
    any(and(runs, [kept(ends[0]), kept(ends[1]), kept(ends[2]), kept(ends[3])]))
}

impl Grid for u64 {
    #[inline(always)]
    fn all(_: usize) -> u64 {
        !0
    }

    #[inline(always)]
    fn ends(own: u64, theirs: u64, piece: Piece, _: usize) -> u64 {
        let (ways, within) = Ways::of(piece);
        any(ways.shift(ways.runs([own; 4], and([theirs; 4], within)), 1))
    }

    /// Mostly there is one behind a single piece, which is sooner found.
    #[inline(always)]
    fn has_end(own: u64, theirs: u64, empty: u64, piece: Piece, n: usize) -> bool {
        let (ways, within) = Ways::of(piece);
        let single = and(ways.shift([own; 4], 1), and([theirs; 4], within));
        any(ways.shift(single, 1)) & empty != 0 || u64::ends(own, theirs, piece, n) & empty != 0
    }

    #[inline(always)]
    fn trapped(square: usize, own: u64, theirs: u64, _: usize) -> u64 {
        closed(1 << square, own, theirs, Piece::First) | closed(1 << square, own, theirs, Piece::Second)
    }
}

impl Grid for Large {
    #[inline]
    fn all(n: usize) -> Large {
        ALL[n / 2]
    }

    fn ends(own: Large, theirs: Large, piece: Piece, n: usize) -> Large {
        let ways = match piece {
            Piece::First => [(1, INNER[n / 2]), (n, ALL[n / 2])],
            Piece::Second => [(n + 1, INNER[n / 2]), (n - 1, INNER[n / 2])],
        };
        let mut ends = Large::default();
        for (by, within) in ways {
            let theirs = theirs & within;
            for shift in [Shl::shl, Shr::shr] {
                let mut last = shift(own, by) & theirs;
                while !last.is_empty() {
                    let next = shift(last, by);
                    ends = ends | next;
                    last = next & theirs;
                }
            }
        }
        ends
    }

    fn trapped(square: usize, own: Large, theirs: Large, n: usize) -> Large {
        let (last, column) = (n as isize - 1, (square % n) as isize);
        let mut trapped = Large::default();
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)] {
            let (mut at, mut column) = (square as isize, column);
            let mut run = Large::default();
            loop {
                (at, column) = (at + down * n as isize + right, column + right);
                if !(0..=last).contains(&column) || !(0..n as isize * n as isize).contains(&at) {
                    break;
                }
                if own.has(at as usize) {
                    trapped = trapped | run;
                }
                if !theirs.has(at as usize) {
                    break;
                }
                run = run | Large::one(at as usize);
            }
        }
        trapped
    }
}

/// By half the size.
static INNER: [Large; 13] = grids(1);
static ALL: [Large; 13] = grids(0);

/// For each size the squares that are so far from the left and right edges.
const fn grids(margin: usize) -> [Large; 13] {
    let mut grids = [Wide([0; 9]); 13];
    let mut half = 4;
    while half <= 12 {
        let n = 2 * half;
        let mut square = 0;
        while square < n * n {
            if square % n >= margin && square % n + margin < n {
                grids[half].0[square / 64] |= 1 << (square % 64);
            }
            square += 1;
        }
        half += 1;
    }
    grids
}
