//! Which pieces a placed piece captures, with bitboards: on 8×8 four directions at once in the lanes of a
//! wide register, on larger boards step by step.

use super::{LARGEST, LargeFlipFlopBitboard, PieceOfTurn};
use crate::rules::bitboard::{Bitboard, WideBitboard};

/// A bitboard with the move generation of FlipFlop.
pub(in crate::rules) trait FlipFlopBitboard: Bitboard {
    /// The difference between the internal numbers of a square and the one below it.
    const ROW: usize;

    /// All squares of a board of size `n`.
    fn all(n: usize) -> Self;

    /// The squares directly behind an unbroken line of `theirs` that begins beside a piece of `own`: in the
    /// horizontal and vertical directions for a first piece, in the diagonal ones for a second. Some may be beside the board.
    fn ends(own: Self, theirs: Self, piece: PieceOfTurn) -> Self;

    /// Whether one of [`ends`](FlipFlopBitboard::ends) is in `empty`.
    fn has_end(own: Self, theirs: Self, empty: Self, piece: PieceOfTurn) -> bool;

    /// The pieces of `theirs` in unbroken lines between `square` and a piece of `own`, in all eight
    /// directions.
    fn trapped(square: usize, own: Self, theirs: Self) -> Self;
}

/// Four bitboards, one a direction, so that the compiler uses vector instructions.
type Lanes = [u64; 4];

/// The squares where a piece captured in a horizontal or diagonal direction can stand: all but the first and
/// last column. This also keeps shifts from wrapping around to the next row.
const INNER_8: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Two directions as distances between square numbers; each is used forwards and backwards.
#[derive(Clone, Copy)]
struct DirectionPair(usize, usize);

impl DirectionPair {
    /// The directions in which a piece has to capture, and for each the squares where captured pieces can
    /// stand.
    #[inline(always)]
    fn of(piece: PieceOfTurn) -> (DirectionPair, Lanes) {
        match piece {
            PieceOfTurn::First => (DirectionPair(1, 8), [INNER_8, INNER_8, !0, !0]),
            PieceOfTurn::Second => (DirectionPair(9, 7), [INNER_8; 4]),
        }
    }

    #[inline(always)]
    fn shift(self, sets: Lanes, steps: usize) -> Lanes {
        let (a, b) = (self.0 * steps, self.1 * steps);
        [sets[0] << a, sets[1] >> a, sets[2] << b, sets[3] >> b]
    }

    /// The unbroken lines of `theirs` that begin beside `from`, at most six squares long. The length doubles
    /// with each step.
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

/// The lines of `theirs` beside `placed` that end at a piece of `own`.
#[inline(always)]
fn closed(placed: u64, own: u64, theirs: u64, piece: PieceOfTurn) -> u64 {
    let (ways, within) = DirectionPair::of(piece);
    let runs = ways.runs([placed; 4], and([theirs; 4], within));
    let ends = and(ways.shift(runs, 1), [own; 4]);
    let kept = |end: u64| u64::from(end != 0).wrapping_neg();
    any(and(runs, [kept(ends[0]), kept(ends[1]), kept(ends[2]), kept(ends[3])]))
}

impl FlipFlopBitboard for u64 {
    const ROW: usize = 8;

    #[inline(always)]
    fn all(_: usize) -> u64 {
        !0
    }

    #[inline(always)]
    fn ends(own: u64, theirs: u64, piece: PieceOfTurn) -> u64 {
        let (ways, within) = DirectionPair::of(piece);
        any(ways.shift(ways.runs([own; 4], and([theirs; 4], within)), 1))
    }

    /// Looks behind single pieces first: usually one of those squares is empty, and the longer search is not
    /// needed.
    #[inline(always)]
    fn has_end(own: u64, theirs: u64, empty: u64, piece: PieceOfTurn) -> bool {
        let (ways, within) = DirectionPair::of(piece);
        let single = and(ways.shift([own; 4], 1), and([theirs; 4], within));
        any(ways.shift(single, 1)) & empty != 0 || u64::ends(own, theirs, piece) & empty != 0
    }

    #[inline(always)]
    fn trapped(square: usize, own: u64, theirs: u64) -> u64 {
        closed(1 << square, own, theirs, PieceOfTurn::First)
            | closed(1 << square, own, theirs, PieceOfTurn::Second)
    }
}

impl FlipFlopBitboard for LargeFlipFlopBitboard {
    const ROW: usize = 32;

    #[inline(always)]
    fn all(n: usize) -> LargeFlipFlopBitboard {
        ALL[n / 2]
    }

    #[inline(always)]
    fn ends(
        own: LargeFlipFlopBitboard,
        theirs: LargeFlipFlopBitboard,
        piece: PieceOfTurn,
    ) -> LargeFlipFlopBitboard {
        let mut ends = LargeFlipFlopBitboard::default();
        any_end(&own, &theirs, piece, |found| {
            ends = ends | found;
            false
        });
        ends
    }

    /// Leaves at the first one.
    #[inline(always)]
    fn has_end(
        own: LargeFlipFlopBitboard,
        theirs: LargeFlipFlopBitboard,
        empty: LargeFlipFlopBitboard,
        piece: PieceOfTurn,
    ) -> bool {
        any_end(&own, &theirs, piece, |found| !(found & empty).is_empty())
    }

    #[inline(always)]
    fn trapped(
        square: usize,
        own: LargeFlipFlopBitboard,
        theirs: LargeFlipFlopBitboard,
    ) -> LargeFlipFlopBitboard {
        const DOWN: isize = LargeFlipFlopBitboard::ROW as isize;
        const NUMBERS: usize = LARGEST * LargeFlipFlopBitboard::ROW;
        let mut trapped = LargeFlipFlopBitboard::default();
        for step in [1, DOWN - 1, DOWN, DOWN + 1, -1, 1 - DOWN, -DOWN, -1 - DOWN] {
            let mut end = square.wrapping_add_signed(step);
            while end < NUMBERS && theirs.has(end) {
                end = end.wrapping_add_signed(step);
            }
            if end < NUMBERS && own.has(end) {
                let mut at = square.wrapping_add_signed(step);
                while at != end {
                    trapped.add(at);
                    at = at.wrapping_add_signed(step);
                }
            }
        }
        trapped
    }
}

/// Goes through the squares directly behind unbroken lines of `theirs` that begin beside a piece of `own`, in the
/// directions of this piece, the ends of shorter lines first. Some of them are beside the board. Returns whether
/// `is_wanted` says so of some of them; it is not asked about others then.
#[inline(always)]
fn any_end(
    own: &LargeFlipFlopBitboard,
    theirs: &LargeFlipFlopBitboard,
    piece: PieceOfTurn,
    mut is_wanted: impl FnMut(LargeFlipFlopBitboard) -> bool,
) -> bool {
    let is_wanted = &mut is_wanted;
    match piece {
        PieceOfTurn::First => {
            any_end_of::<0, 1>(own, theirs, is_wanted)
                || any_end_of::<0, -1>(own, theirs, is_wanted)
                || any_end_of::<1, 0>(own, theirs, is_wanted)
                || any_end_of::<-1, 0>(own, theirs, is_wanted)
        }
        PieceOfTurn::Second => {
            any_end_of::<1, 1>(own, theirs, is_wanted)
                || any_end_of::<1, -1>(own, theirs, is_wanted)
                || any_end_of::<-1, 1>(own, theirs, is_wanted)
                || any_end_of::<-1, -1>(own, theirs, is_wanted)
        }
    }
}

/// [`any_end`] in one direction.
#[inline(always)]
fn any_end_of<const DOWN: i8, const RIGHT: i8>(
    own: &LargeFlipFlopBitboard,
    theirs: &LargeFlipFlopBitboard,
    is_wanted: &mut impl FnMut(LargeFlipFlopBitboard) -> bool,
) -> bool {
    let mut last = step::<DOWN, RIGHT>(*own) & *theirs;
    while !last.is_empty() {
        let next = step::<DOWN, RIGHT>(last);
        if is_wanted(next) {
            return true;
        }
        last = next & *theirs;
    }
    false
}

/// The squares so many rows below and columns to the right of these. A step over an edge leads to a number that is not on the
/// board, or to none.
#[inline(always)]
fn step<const DOWN: i8, const RIGHT: i8>(squares: LargeFlipFlopBitboard) -> LargeFlipFlopBitboard {
    const LAST: usize = LARGEST / 2 - 1;
    const ROW: usize = LargeFlipFlopBitboard::ROW;
    let words = squares.0;
    let words: [u64; LAST + 1] = match DOWN {
        1 => std::array::from_fn(|at| words[at] << ROW | if at > 0 { words[at - 1] >> ROW } else { 0 }),
        -1 => std::array::from_fn(|at| words[at] >> ROW | if at < LAST { words[at + 1] << ROW } else { 0 }),
        _ => words,
    };
    WideBitboard(match RIGHT {
        1 => words.map(|word| word << 1),
        -1 => words.map(|word| word >> 1),
        _ => words,
    })
}

/// The squares of each board size, indexed by half of it.
static ALL: [LargeFlipFlopBitboard; LARGEST / 2 + 1] = {
    let mut boards = [WideBitboard([0; LARGEST / 2]); LARGEST / 2 + 1];
    let mut half = 1;
    while half < boards.len() {
        let row = (1 << (2 * half)) - 1;
        let mut word = 0;
        while word < half {
            boards[half].0[word] = row | row << LargeFlipFlopBitboard::ROW;
            word += 1;
        }
        half += 1;
    }
    boards
};
