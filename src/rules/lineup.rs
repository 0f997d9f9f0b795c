//! `lineup`, Line 'em Up on n×n (docs/rules.md, `lineup`).
//!
//! Squares are numbered column by column, with one unused number after each column. A line that would leave
//! the board at the bottom meets the unused number, so lines are found by shifts alone. On boards of up to
//! ten rows the order of the numbers is the order of the squares' names.

use super::bitboard::{Bitboard, WideBitboard};
use super::ending::{self, Simultaneous};
use super::options::{NONE, Number, OptionError, OptionSpec, OptionValues, Preset, Range};
use super::position::AnyBoard;
use super::text::{self, BoardCells, PositionError, PositionFormat, Word};
use super::{
    BySide, Cell, Ending, Illegal, Ply, PlyError, Reason, Ruleset, Side, Square, board, keys, ruleset,
};
use crate::seed::Generator;

/// The letters of the two sides: O moves first.
pub(super) const LETTERS: BySide<char> = BySide { first: 'O', second: 'X' };

/// A bitboard for every board size up to 19×19.
pub(super) type LargeLineupBitboard = WideBitboard<6>;
/// Boards up to this size fit into one word.
const SMALL: usize = 7;

/// The options, in the order in which `arbiter games` prints them.
pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "n",
        range: Range::Numbers { from: 3, to: Number::Fixed(19) },
        default: Preset::Number(Number::Fixed(5)),
        about: "rows and columns",
    },
    OptionSpec {
        key: "s",
        range: Range::Numbers { from: 3, to: Number::Size },
        default: Preset::Number(Number::UpToSize(4)),
        about: "pieces in a row that win",
    },
    OptionSpec {
        key: "blocks",
        range: Range::Squares,
        default: Preset::Squares { size: 5, squares: "d0,b1,a2,d2,b3,c4" },
        about: "blocked squares, on which no piece can be placed",
    },
    OptionSpec {
        key: "b",
        range: Range::Numbers { from: 0, to: Number::TwiceSize },
        default: Preset::Nothing,
        about: "instead of blocks: how many blocks to place at random",
    },
    OptionSpec {
        key: "seed",
        range: Range::Numbers { from: 0, to: Number::Fixed(u64::MAX) },
        default: Preset::Number(Number::Fixed(0)),
        about: "with b: the seed of the random blocks",
    },
];

/// The ruleset with its options. Blocks placed at random are stored like blocks that were named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineupRules {
    n: u8,
    s: u8,
    blocks: LargeLineupBitboard,
}

impl LineupRules {
    pub(super) fn new(set: &[(String, String)]) -> Result<LineupRules, OptionError> {
        let values = OptionValues::new("lineup", OPTIONS, set)?;
        let mut rules = LineupRules {
            n: values.number("n") as u8,
            s: values.number("s") as u8,
            blocks: LargeLineupBitboard::default(),
        };
        match (values.given("b"), values.given("blocks")) {
            (Some(_), Some(_)) => {
                return Err(OptionError::Conflict {
                    key: "b",
                    conflict: "places blocks at random; it cannot be given together with `blocks`",
                });
            }
            (Some(_), None) => rules.draw_blocks(values.number("b"), values.number("seed")),
            (None, _) if values.given("seed").is_some() => {
                return Err(OptionError::Conflict { key: "seed", conflict: "has no effect without `b`" });
            }
            (None, _) => rules.read_blocks(&values.text("blocks"))?,
        }
        Ok(rules)
    }

    /// Places `count` blocks on random squares: each is drawn from the squares left, listed in row order.
    fn draw_blocks(&mut self, count: u64, seed: u64) {
        let mut generator = Generator::new(&[&"lineup", &self.n, &count, &seed]);
        let size = self.size();
        let mut left: Vec<Square> = (0..size * size).map(|at| self.square(at / size, at % size)).collect();
        for _ in 0..count {
            let drawn = left.remove(generator.below(left.len() as u64) as usize);
            self.blocks = self.blocks | LargeLineupBitboard::one(drawn.index());
        }
    }

    fn read_blocks(&mut self, value: &str) -> Result<(), OptionError> {
        let error = |wanted: String| OptionError::Value { key: "blocks", value: value.to_owned(), wanted };
        let names = value.split(',').filter(|_| !value.is_empty() && value != NONE);
        for name in names {
            let (row, column) =
                text::read_square(name, self.size(), 0).map_err(|what| error(format!("`{name}`: {what}")))?;
            let block = self.square(row, column).index();
            if self.blocks.has(block) {
                return Err(error(format!("{name} is there twice")));
            }
            self.blocks = self.blocks | LargeLineupBitboard::one(block);
        }
        Ok(())
    }

    pub(super) fn values(self) -> Vec<(&'static str, String)> {
        let mut blocks = String::new();
        for row in 0..self.size() {
            for column in (0..self.size()).filter(|&column| self.blocks.has(self.square(row, column).index()))
            {
                if !blocks.is_empty() {
                    blocks.push(',');
                }
                Word::square(column, row).push_to(&mut blocks);
            }
        }
        if blocks.is_empty() {
            blocks.push_str(NONE);
        }
        vec![("n", self.n.to_string()), ("s", self.s.to_string()), ("blocks", blocks)]
    }

    pub(super) fn size(self) -> usize {
        usize::from(self.n)
    }

    pub(super) fn in_a_row(self) -> usize {
        usize::from(self.s)
    }

    pub(super) fn start(self) -> AnyBoard {
        let cells = BoardCells::from_fn(self.size(), |row, column| {
            if self.blocks.has(self.square(row, column).index()) { Cell::Block } else { Cell::Empty }
        });
        self.board(&cells, Side::First)
    }

    fn board(self, cells: &BoardCells, side: Side) -> AnyBoard {
        if self.size() <= SMALL {
            AnyBoard::Lineup(LineupBoard::new(self, cells, side))
        } else {
            AnyBoard::LargeLineup(LineupBoard::new(self, cells, side))
        }
    }

    /// Reads a position. The blocks are those of the text, not those of the options.
    pub(super) fn read_position(self, text: &str) -> Result<AnyBoard, PositionError> {
        let form = PositionFormat { size: self.size(), letters: LETTERS, blocks: true, extra: None };
        let (cells, side, _) = form.read(text)?;
        Ok(self.board(&cells, side))
    }

    /// Reads `d0`.
    pub(super) fn read_ply(self, text: &str) -> Result<Ply, PlyError> {
        let (row, column) = text::read_square(text, self.size(), 0)?;
        Ok(Ply::Place(self.square(row, column)))
    }

    pub(super) fn word(self, ply: Ply) -> Word {
        match ply {
            Ply::Pass => Word::PASS,
            Ply::Place(square) | Ply::Move(_, square) => {
                let (row, column) = self.row_and_column(square);
                Word::square(column, row)
            }
        }
    }

    #[inline]
    pub(super) fn square(self, row: usize, column: usize) -> Square {
        Square((column * (self.size() + 1) + row) as u16)
    }

    #[inline]
    pub(super) fn row_and_column(self, square: Square) -> (usize, usize) {
        (square.index() % (self.size() + 1), square.index() / (self.size() + 1))
    }
}

/// A bitboard for boards of some sizes.
pub(super) trait LineupBitboard: Bitboard {
    /// All squares of a board of size `n`.
    fn all(n: usize) -> Self;
    /// The same set with as many words as the largest board needs.
    fn large(self) -> LargeLineupBitboard;
}

impl LineupBitboard for u64 {
    fn all(n: usize) -> u64 {
        ALL[n].0[0]
    }

    fn large(self) -> LargeLineupBitboard {
        WideBitboard([self, 0, 0, 0, 0, 0])
    }
}

impl LineupBitboard for LargeLineupBitboard {
    fn all(n: usize) -> LargeLineupBitboard {
        ALL[n]
    }

    fn large(self) -> LargeLineupBitboard {
        self
    }
}

/// All squares of a board, by its size.
static ALL: [LargeLineupBitboard; 20] = grids();

const fn grids() -> [LargeLineupBitboard; 20] {
    let mut grids = [WideBitboard([0; 6]); 20];
    let mut n = 3;
    while n <= 19 {
        let mut square = 0;
        while square < n * (n + 1) {
            if square % (n + 1) < n {
                grids[n].0[square / 64] |= 1 << (square % 64);
            }
            square += 1;
        }
        n += 1;
    }
    grids
}

/// Board, side to move and ending of a game of Line 'em Up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct LineupBoard<B> {
    pieces: BySide<B>,
    empty: B,
    n: u8,
    s: u8,
    side: Side,
    ending: Option<Ending>,
}

impl<B: LineupBitboard> LineupBoard<B> {
    fn new(rules: LineupRules, cells: &BoardCells, side: Side) -> LineupBoard<B> {
        let blank = LineupBoard {
            pieces: BySide::default(),
            empty: B::default(),
            n: rules.n,
            s: rules.s,
            side,
            ending: None,
        };
        board::GameBoard::with_cells(&blank, cells)
    }

    fn rules(&self) -> LineupRules {
        LineupRules { n: self.n, s: self.s, blocks: board::GameBoard::blocks(self).large() }
    }

    /// The squares on which the next piece may be placed.
    #[inline(always)]
    fn open(&self) -> B {
        if self.ending.is_some() { B::default() } else { self.empty }
    }

    /// Whether a side has `s` in a row. The length of the lines found doubles with each step; the last step
    /// adds the rest.
    #[inline(always)]
    fn has_line(&self, side: Side) -> bool {
        let down = usize::from(self.n) + 1;
        let s = usize::from(self.s);
        let mut lines = B::default();
        for step in [1, down - 1, down, down + 1] {
            let mut runs = self.pieces[side];
            let mut length = 1;
            while 2 * length <= s {
                runs = runs & (runs >> (step * length));
                length *= 2;
            }
            lines = lines | runs & (runs >> (step * (s - length)));
        }
        !lines.is_empty()
    }

    /// Whether a piece of a side on this square is part of a line of `s`. On large boards it walks from the square;
    /// shifting a whole board costs more there.
    #[inline(always)]
    fn has_line_through(&self, side: Side, square: usize) -> bool {
        if size_of::<B>() == size_of::<u64>() {
            return self.has_line(side);
        }
        let pieces = &self.pieces[side];
        let down = usize::from(self.n) + 1;
        let end = usize::from(self.n) * down;
        [1, down - 1, down, down + 1].into_iter().any(|step| {
            let is_own = |at: &usize| *at < end && pieces.has(*at);
            let after = (1..).map(|steps| square + steps * step).take_while(is_own).count();
            let before = (1..).map_while(|steps| square.checked_sub(steps * step)).take_while(is_own).count();
            before + 1 + after >= usize::from(self.s)
        })
    }

    /// The ending of this position, judged as if the side not to move had just moved.
    fn judge(&self) -> Option<Ending> {
        let mover = !self.side;
        let goals = BySide::from_fn(|side| self.has_line(side));
        let full = self.empty.is_empty().then_some(Ending { winner: None, reason: Reason::FullBoard });
        ending::judge(mover, goals, Reason::Line, Simultaneous::Draw).or(full)
    }
}

impl<B: LineupBitboard> board::GameBoard for LineupBoard<B> {
    type Plies = board::Placements<B>;
    type Set = B;

    #[inline(always)]
    fn pieces(&self) -> BySide<B> {
        self.pieces
    }

    #[inline(always)]
    fn blocks(&self) -> B {
        B::all(usize::from(self.n)) & !(self.pieces.first | self.pieces.second | self.empty)
    }

    #[inline(always)]
    fn square(&self, row: usize, column: usize) -> usize {
        column * (usize::from(self.n) + 1) + row
    }

    fn ruleset(&self) -> Ruleset {
        Ruleset(ruleset::AnyRules::Lineup(self.rules()))
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
    fn plies(&self) -> board::Placements<B> {
        board::Placements::new(self.open(), false)
    }

    fn sorted_plies(&self) -> impl Iterator<Item = Ply> {
        let size = usize::from(self.n);
        let squares = self.open();
        let names = (0..size)
            .flat_map(move |column| text::numbers_as_text(size).map(move |row| column * (size + 1) + row));
        names.filter(move |&at| squares.has(at)).map(|square| Ply::Place(Square(square as u16)))
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        u64::from(self.open().count())
    }

    fn check(&self, ply: Ply) -> Result<(), Illegal> {
        let square = match ply {
            Ply::Place(square) => square.index(),
            Ply::Pass => return Err(Illegal::new("there is no passing")),
            Ply::Move(..) => return Err(Illegal::new("a ply is one square")),
        };
        let rules = self.rules();
        if square >= size_of::<B>() * 8 || !B::all(rules.size()).has(square) {
            return Err(Illegal::new("the square is not on the board"));
        }
        if self.empty.has(square) {
            return Ok(());
        }
        let (row, column) = rules.row_and_column(Square(square as u16));
        let name = Word::square(column, row);
        Err(match self.cell(row, column) {
            Cell::Block => Illegal::new(format_args!("{name} is blocked")),
            Cell::Piece(_) | Cell::Empty => Illegal::new(format_args!("there is a piece on {name}")),
        })
    }

    #[inline(always)]
    fn after(&self, ply: Ply) -> Self {
        let Ply::Place(square) = ply else { return *self };
        let mover = self.side;
        let placed = B::one(square.index());
        let (own, theirs) = self.pieces.seen_by(mover);
        let pieces = BySide::of(mover, own | placed, theirs);
        let mut next =
            LineupBoard { pieces, empty: self.empty ^ placed, side: !mover, ending: None, ..*self };
        // The opponent has no line here: the game would have been over before.
        if next.has_line_through(mover, square.index()) {
            next.ending = Some(Ending { winner: Some(mover), reason: Reason::Line });
        } else if next.empty.is_empty() {
            next.ending = Some(Ending { winner: None, reason: Reason::FullBoard });
        }
        next
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        let blocks = self.blocks();
        keys::hash(self.pieces.map(|pieces| pieces | blocks), self.side, 0)
    }

    fn with_cells(&self, cells: &BoardCells) -> LineupBoard<B> {
        let empty = cells.all().filter(|&(_, _, cell)| cell == Cell::Empty);
        let empty = empty.fold(B::default(), |set, (row, column, _)| set | B::one(self.square(row, column)));
        let mut board = LineupBoard { pieces: self.pieces_in(cells), empty, ..*self };
        board.ending = board.judge();
        board
    }
}
