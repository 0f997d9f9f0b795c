//! `gekitai`, Gekitai on n×n (docs/reference/rules.md, `gekitai`).
//!
//! Squares are numbered column by column, eight numbers a column for every board size. So one set
//! of tables serves all boards, and the order of the numbers is the order of the squares' names.

use crate::bitboard::{Bitboard, all_if};
use crate::board::{GameBoard, Placements, getters};
use crate::cell::{BoardCells, Cell};
use crate::changes::SquareChange;
use crate::ending::{self, Ending, Reason, Simultaneous};
use crate::game::{Example, GameDescription, GameRules};
use crate::illegal::Illegal;
use crate::notation::PositionError;
use crate::options::{Number, OptionError, OptionSpec, OptionValues, Preset, Range};
use crate::ply::{Ply, Square};
use crate::side::{BySide, Side};
use std::borrow::Cow;

/// The numbers of a column: the difference between neighbouring squares in one row.
const COLUMN: usize = 8;
/// The largest board size.
const LARGEST: usize = 8;

/// The letters of the two sides: X moves first.
const LETTERS: BySide<char> = BySide { first: 'X', second: 'O' };

/// The rules with their options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct GekitaiRules {
    n: u8,
    p: u8,
    l: u8,
    simultaneous: Simultaneous,
}

impl GameRules for GekitaiRules {
    const GAME: GameDescription<'static> = GameDescription {
        name: "gekitai",
        title: "Gekitai",
        letters: LETTERS,
        white: Side::First,
        options: &[
            OptionSpec::new(
                "n",
                Range::Numbers { from: 5, to: Number::Fixed(LARGEST as u64) },
                Preset::Number(Number::Fixed(6)),
                "rows and columns",
            ),
            OptionSpec::new(
                "p",
                Range::Numbers { from: 1, to: Number::HalfSquares },
                Preset::Number(Number::For { size: 5, then: 6, otherwise: 8 }),
                "pieces of each side; all of them on the board win",
            ),
            OptionSpec::new(
                "l",
                Range::Numbers { from: 2, to: Number::Size },
                Preset::Number(Number::Fixed(3)),
                "pieces in a row that win",
            ),
            OptionSpec::new(
                "simultaneous",
                Range::Words(Simultaneous::WORDS),
                Preset::Word(Cow::Borrowed("draw")),
                "what a ply does that reaches the goals of both sides: a draw, or the mover \
                 wins",
            ),
        ],
        in_short: &[
            "The sides place a piece each in turn on an empty square; X begins.",
            "It pushes each piece around it, of either side, one square straight away.",
            "A piece that has another one behind it is not pushed. One that is pushed off the \
             board goes back to its owner.",
            "Who has l pieces in a row, or all p pieces on the board, after the pushes, wins.",
            "A ply that reaches only the goal of the opponent loses; for one that reaches both \
             goals see simultaneous.",
        ],
        example: Some(Example {
            position: "X5/6/2X3/6/6/6 O",
            ply: "b2",
            caption: "b2: the piece on c3 is pushed to d4, and the one on a1 off the board.",
        }),
        first_row: 1,
        blocks: false,
        third_field: None,
    };

    fn new(values: &OptionValues<'_>) -> Result<GekitaiRules, OptionError> {
        Ok(GekitaiRules {
            n: values.number("n") as u8,
            p: values.number("p") as u8,
            l: values.number("l") as u8,
            simultaneous: values.word("simultaneous").unwrap_or(Simultaneous::Draw),
        })
    }

    fn values(self) -> Vec<(&'static str, String)> {
        vec![
            ("n", self.n.to_string()),
            ("p", self.p.to_string()),
            ("l", self.l.to_string()),
            ("simultaneous", self.simultaneous.to_string()),
        ]
    }

    fn rows(self) -> usize {
        usize::from(self.n)
    }

    fn in_a_row(self) -> Option<usize> {
        Some(usize::from(self.l))
    }

    fn start(self) -> BoardCells {
        BoardCells::from_fn(self.rows(), self.columns(), |_, _| Cell::Empty)
    }

    #[inline(always)]
    fn square(self, row: usize, column: usize) -> Square {
        Square((column * COLUMN + row) as u16)
    }

    #[inline(always)]
    fn row_and_column(self, square: Square) -> (usize, usize) {
        (square.index() % COLUMN, square.index() / COLUMN)
    }
}

/// All squares of a board; the index is its size.
static ALL: [u64; LARGEST + 1] = all();
/// `ROOM[k]`: the squares with at least k rows below them on the largest board.
static ROOM: [u64; LARGEST + 1] = rooms();
/// The eight neighbours of a square as single-bit sets; 0 where there is none.
static NEAR: [[u64; 8]; 64] = squares_away(1);
/// For each neighbour the next square in the same direction.
static BEHIND: [[u64; 8]; 64] = squares_away(2);

const fn all() -> [u64; LARGEST + 1] {
    let mut table = [0; LARGEST + 1];
    let mut n = 1;
    while n <= LARGEST {
        let mut square = 0;
        while square < 64 {
            if square / COLUMN < n && square % COLUMN < n {
                table[n] |= 1 << square;
            }
            square += 1;
        }
        n += 1;
    }
    table
}

const fn rooms() -> [u64; LARGEST + 1] {
    let mut table = [0; LARGEST + 1];
    let mut steps = 0;
    while steps <= LARGEST {
        let mut square = 0;
        while square < 64 {
            if square % COLUMN + steps < COLUMN {
                table[steps] |= 1 << square;
            }
            square += 1;
        }
        steps += 1;
    }
    table
}

/// For each square those that are `steps` away in each of the eight directions, as single-bit sets;
/// 0 off the largest board.
const fn squares_away(steps: isize) -> [[u64; 8]; 64] {
    const DIRECTIONS: [(isize, isize); 8] =
        [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];
    let mut table = [[0; 8]; 64];
    let mut index = 0;
    while index < 8 * 64 {
        let square = index / 8;
        let (right, down) = DIRECTIONS[index % 8];
        let column = (square / COLUMN) as isize + right * steps;
        let row = (square % COLUMN) as isize + down * steps;
        if column >= 0 && column < LARGEST as isize && row >= 0 && row < LARGEST as isize {
            table[square][index % 8] = 1 << (column * COLUMN as isize + row);
        }
        index += 1;
    }
    table
}

/// Board, side to move and ending of a game of Gekitai.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct GekitaiBoard {
    pieces: BySide<u64>,
    rules: GekitaiRules,
    side: Side,
    ending: Option<Ending>,
}

impl GekitaiBoard {
    #[inline(always)]
    fn empty(&self) -> u64 {
        ALL[usize::from(self.rules.n)] & !(self.pieces.first | self.pieces.second)
    }

    /// The ending of this position, judged as if the side not to move had just moved.
    #[inline(always)]
    fn judge(&self) -> Option<Ending> {
        let mover = !self.side;
        let (own, theirs) = self.pieces.seen_by(mover);
        let GekitaiRules { p, l, simultaneous, .. } = self.rules;
        // "Goals: l consecutive own pieces in a row, column or diagonal; or all p own pieces on the
        // board; both looked at after the pushes."
        let own_line = has_line(own, l);
        let their_line = has_line(theirs, l);
        let own_all = own.count_ones() == u32::from(p);
        let their_all = theirs.count_ones() == u32::from(p);
        let goals = BySide::from_own(mover, own_line | own_all, their_line | their_all);
        // "`line`, or `all-pieces` when there is no line"
        let reason = if own_line { Reason::Line } else { Reason::AllPieces };
        ending::judge(mover, goals, reason, simultaneous)
    }
}

/// Whether `l` pieces stand in a row. Lines of two are extended until they have length `l`. The
/// steps are written out so that the shift distances are constants.
#[inline(always)]
fn has_line(pieces: u64, l: u8) -> bool {
    // A line of length k is where two lines of length j begin that are k - j squares apart.
    let two = longer([pieces; 4], 1);
    let [down, right, falling, rising] = match l {
        2 => two,
        3 => longer(two, 1),
        4 => longer(two, 2),
        5 => longer(longer(two, 2), 1),
        6 => longer(longer(two, 2), 2),
        7 => longer(longer(two, 2), 3),
        _ => longer(longer(two, 2), 4),
    };
    (down | right) | (falling | rising) != 0
}

/// Extends lines by `by` squares: down, right, and along both diagonals; returns the first squares
/// of the longer lines. The shift itself removes lines that leave the board to the right; [`ROOM`]
/// removes those that leave a column.
#[inline(always)]
fn longer([down, right, falling, rising]: [u64; 4], by: usize) -> [u64; 4] {
    [
        down & down >> by & ROOM[by],
        right & right >> (COLUMN * by),
        falling & falling >> (COLUMN * by + by) & ROOM[by],
        rising & rising >> (COLUMN * by - by) & ROOM[by] << by,
    ]
}

/// The square of a single-bit set.
fn square_of(set: u64) -> Square {
    Square(set.trailing_zeros() as u16)
}

impl GameBoard for GekitaiBoard {
    type Rules = GekitaiRules;
    type Plies = Placements<u64>;
    type Set = u64;

    getters! { rules: GekitaiRules, pieces: BySide<u64>, side: Side, ending: Option<Ending> }

    fn blank(rules: GekitaiRules, side: Side) -> GekitaiBoard {
        GekitaiBoard { pieces: BySide::default(), rules, side, ending: None }
    }

    fn set_up(self, _: &str) -> Result<GekitaiBoard, PositionError> {
        let most = self.rules.p;
        for side in Side::BOTH {
            let count = self.piece_count(side);
            if count > u32::from(most) {
                return Err(PositionError::new(format_args!(
                    "position: {count} pieces of {}; there are at most {most}",
                    LETTERS[side]
                )));
            }
        }
        Ok(self)
    }

    #[inline(always)]
    fn plies(&self) -> Placements<u64> {
        Placements::new(if self.ending.is_some() { 0 } else { self.empty() }, false)
    }

    fn check(&self, ply: Ply) -> Result<(), Illegal> {
        let Ply::Place(square) = ply else { return Err(Illegal::Unknown) };
        if square.index() >= 64 || !ALL[usize::from(self.rules.n)].has(square.index()) {
            return Err(Illegal::Unknown);
        }
        if self.empty().has(square.index()) {
            return Ok(());
        }
        Err(Illegal::Occupied(self.rules.square_name(square)))
    }

    #[inline(always)]
    fn after(&self, ply: Ply) -> GekitaiBoard {
        let Ply::Place(square) = ply else { return *self };
        let mover = self.side;
        let placed = square.index();
        let (mut own, mut theirs) = self.pieces.seen_by(mover);
        let board = ALL[usize::from(self.rules.n)];
        // "Each of the eight neighbours that holds a piece of either side is then pushed one square
        // straight away from it, if the square behind is empty, or off the board." All eight pushes
        // are judged on the board before any of them. Without branches: which neighbours exist
        // cannot be predicted. A push off the board has no `to`, so it only removes the piece.
        let before = (own, theirs);
        let occupied = own | theirs;
        for (near, behind) in std::iter::zip(&NEAR[placed], &BEHIND[placed]) {
            let to = behind & board;
            let free = all_if(to & occupied == 0);
            own ^= (near | to) & free & all_if(before.0 & near != 0);
            theirs ^= (near | to) & free & all_if(before.1 & near != 0);
        }
        let pieces = BySide::from_own(mover, own | u64::one(placed), theirs);
        let mut next = GekitaiBoard { pieces, rules: self.rules, side: !mover, ending: None };
        next.ending = next.judge();
        next
    }

    #[inline(always)]
    fn turned(&self) -> GekitaiBoard {
        GekitaiBoard { side: !self.side, ..*self }
    }

    fn changes(&self, ply: Ply) -> Vec<(Square, SquareChange)> {
        let Ply::Place(square) = ply else { return Vec::new() };
        let board = ALL[usize::from(self.rules.n)];
        let occupied = self.pieces.first | self.pieces.second;
        let mut changes = vec![(square, SquareChange::Arrived)];
        for (&near, &behind) in std::iter::zip(&NEAR[square.index()], &BEHIND[square.index()]) {
            let to = behind & board;
            // "If the square behind is occupied it stays."
            if near & occupied != 0 && to == 0 {
                changes.push((square_of(near), SquareChange::PushedOff));
            } else if near & occupied != 0 && to & occupied == 0 {
                changes.push((square_of(near), SquareChange::PushedFrom));
                changes.push((square_of(to), SquareChange::PushedTo));
            }
        }
        changes
    }

    fn with_cells(&self, cells: &BoardCells) -> GekitaiBoard {
        let mut board = GekitaiBoard { pieces: self.pieces_in(cells), ..*self };
        board.ending = board.judge();
        board
    }
}
