//! Which pieces a placed piece captures, with bitboards: on 8×8 four directions at once in the
//! lanes of a wide register, on larger boards step by step.

use super::{LARGEST, LargeBitboard, PieceOfTurn, SMALL};
use crate::bitboard::{Bitboard, WideBitboard, all_if};
use std::ops::{Shl, Shr};

/// A bitboard with the move generation of FlipFlop.
pub(crate) trait FlipFlopBitboard: Bitboard {
    /// All squares of a board of size `n`.
    fn all(n: usize) -> Self;

    /// The squares directly behind an unbroken line of `theirs` that begins beside a piece of
    /// `own`: in the horizontal and vertical directions for a first piece, in the diagonal ones for
    /// a second.
    fn ends(own: Self, theirs: Self, piece: PieceOfTurn, n: usize) -> Self;

    /// Whether one of these squares is in `empty`. Most positions have one soon, so this is quicker
    /// than to find all of them.
    fn has_end(own: Self, theirs: Self, empty: Self, piece: PieceOfTurn, n: usize) -> bool;

    /// The pieces of `theirs` in unbroken lines between `square` and a piece of `own`, in all eight
    /// directions.
    fn trapped(square: usize, own: Self, theirs: Self, n: usize) -> Self;
}

/// Four bitboards, one a direction, so that the compiler uses vector instructions.
type Lanes = [u64; 4];

/// The squares where a piece captured in a horizontal or diagonal direction can stand: all but the
/// first and last column. This also keeps shifts from wrapping around to the next row.
const INNER_8: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Two directions as distances between square numbers; each is used forwards and backwards.
#[derive(Clone, Copy)]
struct DirectionPair(usize, usize);

impl DirectionPair {
    /// The directions in which a piece has to capture, and for each the squares where captured
    /// pieces can stand.
    #[inline(always)]
    fn of(piece: PieceOfTurn) -> (DirectionPair, Lanes) {
        match piece {
            PieceOfTurn::First => (DirectionPair(1, 8), [INNER_8, INNER_8, !0, !0]),
            PieceOfTurn::Second => (DirectionPair(9, 7), [INNER_8; 4]),
        }
    }

    #[inline(always)]
    fn shift(self, sets: Lanes, steps: usize) -> Lanes {
        let a = self.0 * steps;
        let b = self.1 * steps;
        [sets[0] << a, sets[1] >> a, sets[2] << b, sets[3] >> b]
    }

    /// The unbroken lines of `theirs` that begin beside `from`, at most six squares long. The
    /// length doubles with each step.
    #[inline(always)]
    fn runs(self, from: Lanes, theirs: Lanes) -> Lanes {
        // Between two pieces of a row of eight there are six squares at most: 1, 2, 4, 6.
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

/// The lines of `theirs` beside `placed` that end at a piece of `own`.
#[inline(always)]
fn closed(placed: u64, own: u64, theirs: u64, piece: PieceOfTurn) -> u64 {
    let (ways, within) = DirectionPair::of(piece);
    // "A line is trapped in a direction when the next squares that way are one or more opponent
    // pieces followed by a piece of one's own."
    let runs = ways.runs([placed; 4], and([theirs; 4], within));
    let ends = and(ways.shift(runs, 1), [own; 4]);
    // A direction without an end captures nothing. Masks instead of branches, as for the rest.
    let kept =
        [all_if(ends[0] != 0), all_if(ends[1] != 0), all_if(ends[2] != 0), all_if(ends[3] != 0)];
    any(and(runs, kept))
}

impl FlipFlopBitboard for u64 {
    #[inline(always)]
    fn all(_: usize) -> u64 {
        !0
    }

    #[inline(always)]
    fn ends(own: u64, theirs: u64, piece: PieceOfTurn, _: usize) -> u64 {
        let (ways, within) = DirectionPair::of(piece);
        any(ways.shift(ways.runs([own; 4], and([theirs; 4], within)), 1))
    }

    /// Looks behind single pieces first: usually one of those squares is empty, and the longer
    /// search is not needed.
    #[inline(always)]
    fn has_end(own: u64, theirs: u64, empty: u64, piece: PieceOfTurn, n: usize) -> bool {
        let (ways, within) = DirectionPair::of(piece);
        let single = and(ways.shift([own; 4], 1), and([theirs; 4], within));
        any(ways.shift(single, 1)) & empty != 0 || u64::ends(own, theirs, piece, n) & empty != 0
    }

    #[inline(always)]
    fn trapped(square: usize, own: u64, theirs: u64, _: usize) -> u64 {
        closed(1 << square, own, theirs, PieceOfTurn::First)
            | closed(1 << square, own, theirs, PieceOfTurn::Second)
    }
}

impl FlipFlopBitboard for LargeBitboard {
    #[inline]
    fn all(n: usize) -> LargeBitboard {
        ALL[n / 2]
    }

    fn ends(
        own: LargeBitboard,
        theirs: LargeBitboard,
        piece: PieceOfTurn,
        n: usize,
    ) -> LargeBitboard {
        let mut ends = LargeBitboard::default();
        any_end(&own, &theirs, piece, n, |found| {
            ends = ends | found;
            false
        });
        ends
    }

    /// Leaves at the first one.
    fn has_end(
        own: LargeBitboard,
        theirs: LargeBitboard,
        empty: LargeBitboard,
        piece: PieceOfTurn,
        n: usize,
    ) -> bool {
        any_end(&own, &theirs, piece, n, |found| !(found & empty).is_empty())
    }

    fn trapped(
        square: usize,
        own: LargeBitboard,
        theirs: LargeBitboard,
        n: usize,
    ) -> LargeBitboard {
        // Above and below, the number of the square tells; at the sides, the column.
        let is_on_board = |at: isize, column: isize| {
            (0..n as isize).contains(&column) && (0..n as isize * n as isize).contains(&at)
        };
        let mut trapped = LargeBitboard::default();
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)]
        {
            let step = down * n as isize + right;
            let mut at = square as isize + step;
            let mut column = (square % n) as isize + right;
            while is_on_board(at, column) && theirs.has(at as usize) {
                at += step;
                column += right;
            }
            if is_on_board(at, column) && own.has(at as usize) {
                // Back to the placed piece.
                loop {
                    at -= step;
                    if at == square as isize {
                        break;
                    }
                    trapped.add(at as usize);
                }
            }
        }
        trapped
    }
}

/// Goes through the squares directly behind unbroken lines of `theirs` that begin beside a piece of
/// `own`, in the directions of this piece, the ends of shorter lines first. Returns whether
/// `is_wanted` says so of some of them; it is not asked about others then.
fn any_end(
    own: &LargeBitboard,
    theirs: &LargeBitboard,
    piece: PieceOfTurn,
    n: usize,
    mut is_wanted: impl FnMut(LargeBitboard) -> bool,
) -> bool {
    let ways = match piece {
        PieceOfTurn::First => [(1, INNER[n / 2]), (n, ALL[n / 2])],
        PieceOfTurn::Second => [(n + 1, INNER[n / 2]), (n - 1, INNER[n / 2])],
    };
    for (by, within) in ways {
        // Without the first and the last column no shift goes round to the next row.
        let theirs = *theirs & within;
        for shift in [Shl::shl, Shr::shr] {
            let mut last = shift(*own, by) & theirs;
            while !last.is_empty() {
                let next = shift(last, by);
                if is_wanted(next) {
                    return true;
                }
                last = next & theirs;
            }
        }
    }
    false
}

/// All squares of a board, and those that are in neither the first nor the last column. Board sizes
/// are even; the index is half of one.
static ALL: [LargeBitboard; LARGEST / 2 + 1] = grids(0);
static INNER: [LargeBitboard; LARGEST / 2 + 1] = grids(1);

/// For each board size the squares at least `margin` columns away from the left and right edges.
const fn grids(margin: usize) -> [LargeBitboard; LARGEST / 2 + 1] {
    let mut grids = [WideBitboard([0; 9]); LARGEST / 2 + 1];
    let mut half = SMALL / 2;
    while half <= LARGEST / 2 {
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
