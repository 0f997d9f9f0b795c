//! `gekitai`, Gekitai on n×n (rules.md, section `gekitai`).
//!
//! Squares are numbered column by column, eight numbers a column whatever the size, so that one set of tables serves
//! all boards and the order of the numbers is that of the squares' names.

use super::bits::Bits;
use super::ending::{self, Simultaneous};
use super::options::{Number, OptionError, OptionSpec, Preset, Range, Settled};
use super::position::AnyBoard;
use super::text::{self, Cells, Form, PositionError};
use super::{
    BySide, Cell, Ending, Illegal, Ply, PlyError, Reason, Ruleset, Side, Square, board, keys, ruleset,
};

/// The letters of the two sides: X moves first.
pub(super) const LETTERS: BySide<char> = BySide { first: 'X', second: 'O' };
/// The number of the first row.
pub(super) const FIRST_ROW: usize = 1;
/// Numbers from one column to the next.
const COLUMN: usize = 8;
/// The largest board.
const MOST: usize = 8;

/// The options, in the order of `arbiter games`.
pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "n",
        range: Range::Numbers { from: 5, to: Number::Fixed(MOST as u64) },
        default: Preset::Number(Number::Fixed(6)),
        about: "rows and columns",
    },
    OptionSpec {
        key: "p",
        range: Range::Numbers { from: 1, to: Number::HalfSquares },
        default: Preset::Number(Number::For { size: 5, then: 6, otherwise: 8 }),
        about: "pieces of each side; all of them on the board win",
    },
    OptionSpec {
        key: "l",
        range: Range::Numbers { from: 2, to: Number::Size },
        default: Preset::Number(Number::Fixed(3)),
        about: "pieces in a row that win",
    },
    OptionSpec {
        key: "simultaneous",
        range: Range::Words(&Simultaneous::WORDS),
        default: Preset::Word("draw"),
        about: "what a ply does that reaches the goals of both sides: a draw, or the mover wins",
    },
];

/// The rules with their options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    n: u8,
    p: u8,
    l: u8,
    simultaneous: Simultaneous,
}

impl Rules {
    pub(super) fn new(set: &[(String, String)]) -> Result<Rules, OptionError> {
        let settled = Settled::new("gekitai", OPTIONS, set)?;
        Ok(Rules {
            n: settled.number("n") as u8,
            p: settled.number("p") as u8,
            l: settled.number("l") as u8,
            simultaneous: Simultaneous::named(&settled.text("simultaneous")),
        })
    }

    pub(super) fn values(self) -> Vec<(&'static str, String)> {
        vec![
            ("n", self.n.to_string()),
            ("p", self.p.to_string()),
            ("l", self.l.to_string()),
            ("simultaneous", self.simultaneous.word().to_owned()),
        ]
    }

    pub(super) fn size(self) -> usize {
        usize::from(self.n)
    }

    pub(super) fn in_a_row(self) -> usize {
        usize::from(self.l)
    }

    pub(super) fn start(self) -> AnyBoard {
        AnyBoard::Gekitai(Board::new(self, &Cells::from_fn(self.size(), |_, _| Cell::Empty), Side::First))
    }

    pub(super) fn read_position(self, text: &str) -> Result<AnyBoard, PositionError> {
        let form = Form { size: self.size(), letters: LETTERS, blocks: false, extra: None };
        let (cells, side, _) = form.read(text)?;
        for side in Side::BOTH {
            let count = cells.count(side);
            if count > usize::from(self.p) {
                return Err(PositionError::new(format_args!(
                    "position: {count} pieces of {}; there are at most {}",
                    LETTERS[side], self.p
                )));
            }
        }
        Ok(AnyBoard::Gekitai(Board::new(self, &cells, side)))
    }

    /// Reads `c3`.
    pub(super) fn read_ply(self, text: &str) -> Result<Ply, PlyError> {
        let (row, column) = text::read_square(text, self.size(), FIRST_ROW)?;
        Ok(Ply::Place(self.square(row, column)))
    }

    pub(super) fn push_ply(self, out: &mut String, ply: Ply) {
        match ply {
            Ply::Pass => out.push_str("pass"),
            Ply::Place(square) | Ply::Move(_, square) => {
                let (row, column) = self.place(square);
                text::push_square(out, column, row + FIRST_ROW);
            }
        }
    }

    pub(super) fn square(self, row: usize, column: usize) -> Square {
        Square((column * COLUMN + row) as u16)
    }

    pub(super) fn place(self, square: Square) -> (usize, usize) {
        (square.index() % COLUMN, square.index() / COLUMN)
    }
}

/// All squares, by the board's size.
static ALL: [u64; MOST + 1] = all();
/// The squares with room for so many more rows below them, in their column of the largest board.
static ROOM: [u64; MOST + 1] = rooms();
/// The eight neighbours of a square.
static NEAR: [[u64; 8]; 64] = squares_away(1);
/// Behind each neighbour, as seen from the square, the next one.
static BEHIND: [[u64; 8]; 64] = squares_away(2);

const fn all() -> [u64; MOST + 1] {
    let mut table = [0; MOST + 1];
    let mut n = 1;
    while n <= MOST {
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

const fn rooms() -> [u64; MOST + 1] {
    let mut table = [0; MOST + 1];
    let mut steps = 0;
    while steps <= MOST {
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

/// For each square those that are `steps` away in each of the eight directions, as sets; empty off the largest board.
const fn squares_away(steps: isize) -> [[u64; 8]; 64] {
    const DIRECTIONS: [(isize, isize); 8] =
        [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];
    let mut table = [[0; 8]; 64];
    let mut index = 0;
    while index < 8 * 64 {
        let (square, (right, down)) = (index / 8, DIRECTIONS[index % 8]);
        let column = (square / COLUMN) as isize + right * steps;
        let row = (square % COLUMN) as isize + down * steps;
        if column >= 0 && column < MOST as isize && row >= 0 && row < MOST as isize {
            table[square][index % 8] = 1 << (column * COLUMN as isize + row);
        }
        index += 1;
    }
    table
}

/// Board, side to move and what is known of the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Board {
    pieces: BySide<u64>,
    rules: Rules,
    side: Side,
    ending: Option<Ending>,
}

impl Board {
    fn new(rules: Rules, cells: &Cells, side: Side) -> Board {
        let blank = Board { pieces: BySide::default(), rules, side, ending: None };
        board::Board::with_cells(&blank, cells)
    }

    #[inline(always)]
    fn empty(&self) -> u64 {
        ALL[usize::from(self.rules.n)] & !(self.pieces.first | self.pieces.second)
    }

    /// The squares for the next piece.
    #[inline(always)]
    fn open(&self) -> u64 {
        if self.ending.is_some() { 0 } else { self.empty() }
    }

    /// Judges the position as if the side not to move had just moved.
    #[inline(always)]
    fn judge(&self) -> Option<Ending> {
        let mover = !self.side;
        let (own, theirs) = self.pieces.seen_by(mover);
        let Rules { p, l, simultaneous, .. } = self.rules;
        let (own_line, their_line) = (has_line(own, l), has_line(theirs, l));
        let has_all = |pieces: u64| pieces.count_ones() == u32::from(p);
        let goals = BySide::of(mover, own_line | has_all(own), their_line | has_all(theirs));
        let reason = if own_line { Reason::Line } else { Reason::AllPieces };
        ending::judge(mover, goals, reason, simultaneous)
    }
}

/// Whether pieces stand l in a row: runs of two, made longer as far as it takes. The steps are written out so that they
/// are constants.
#[inline(always)]
fn has_line(pieces: u64, l: u8) -> bool {
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

/// Where lines begin that are longer by so much, down, right, and both ways between. A square that many columns on is
/// off the board for the shift itself; rows need room.
#[inline(always)]
fn longer([down, right, falling, rising]: [u64; 4], by: usize) -> [u64; 4] {
    [
        down & down >> by & ROOM[by],
        right & right >> (COLUMN * by),
        falling & falling >> (COLUMN * by + by) & ROOM[by],
        rising & rising >> (COLUMN * by - by) & ROOM[by] << by,
    ]
}

/// All bits or none.
#[inline(always)]
fn all_if(holds: bool) -> u64 {
    u64::from(holds).wrapping_neg()
}

impl board::Board for Board {
    type Plies = board::Placements<u64>;
    type Set = u64;

    #[inline(always)]
    fn pieces(&self) -> BySide<u64> {
        self.pieces
    }

    #[inline(always)]
    fn square(&self, row: usize, column: usize) -> usize {
        column * COLUMN + row
    }

    fn ruleset(&self) -> Ruleset {
        Ruleset(ruleset::Rules::Gekitai(self.rules))
    }

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn ending(&self) -> Option<Ending> {
        self.ending
    }

    #[inline(always)]
    fn plies(&self) -> board::Placements<u64> {
        board::Placements::new(self.open(), false)
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        u64::from(self.open().count())
    }

    fn check(&self, ply: Ply) -> Result<(), Illegal> {
        let square = match ply {
            Ply::Place(square) => square,
            Ply::Pass => return Err(Illegal::new("there is no passing")),
            Ply::Move(..) => return Err(Illegal::new("a ply is one square")),
        };
        if square.index() >= 64 || !ALL[usize::from(self.rules.n)].has(square.index()) {
            return Err(Illegal::new("the square is not on the board"));
        }
        if self.empty().has(square.index()) {
            return Ok(());
        }
        let (row, column) = self.rules.place(square);
        let mut name = String::new();
        text::push_square(&mut name, column, row + FIRST_ROW);
        Err(Illegal::new(format_args!("there is a piece on {name}")))
    }

    #[inline(always)]
    fn after(&self, ply: Ply) -> Board {
        let Ply::Place(square) = ply else { return *self };
        let (mover, placed) = (self.side, square.index());
        let (mut own, mut theirs) = self.pieces.seen_by(mover);
        let board = ALL[usize::from(self.rules.n)];
        // Without branches: which neighbours there are is anybody's guess. All look at the board before any push.
        let (before, occupied) = ((own, theirs), own | theirs);
        for (near, behind) in std::iter::zip(&NEAR[placed], &BEHIND[placed]) {
            let to = behind & board;
            let free = all_if(to & occupied == 0);
            own ^= (near | to) & free & all_if(before.0 & near != 0);
            theirs ^= (near | to) & free & all_if(before.1 & near != 0);
        }
        let pieces = BySide::of(mover, own | u64::one(placed), theirs);
        let mut next = Board { pieces, rules: self.rules, side: !mover, ending: None };
        next.ending = next.judge();
        next
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        keys::hash(self.pieces, self.side, 0)
    }

    fn with_cells(&self, cells: &Cells) -> Board {
        let mut board = Board { pieces: self.pieces_in(cells), ..*self };
        board.ending = board.judge();
        board
    }
}
