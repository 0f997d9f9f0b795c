//! `lineup`, Line 'em Up on n×n (docs/reference/rules.md, `lineup`).
//!
//! Squares are numbered column by column, with one unused number after each column. A line that
//! would leave the board at the bottom meets the unused number, so lines are found by shifts alone.
//! On boards of up to ten rows the order of the numbers is the order of the squares' names.

use crate::bitboard::{Bitboard, WideBitboard};
use crate::board::{GameBoard, Placements, getters};
use crate::cell::{BoardCells, Cell};
use crate::ending::{self, Ending, Reason, Simultaneous};
use crate::game::{Example, GameDescription, GameRules};
use crate::illegal::Illegal;
use crate::keys;
use crate::notation;
use crate::number_text::numbers_as_text;
use crate::options::{NONE, Number, OptionError, OptionSpec, OptionValues, Preset, Range};
use crate::ply::{Ply, Square};
use crate::seed::Generator;
use crate::side::{BySide, Side};

/// The smallest and the largest board size.
const SMALLEST: usize = 3;
const LARGEST: usize = 20;
/// Boards up to this size fit into one word: seven columns have 56 numbers, eight would have 72.
const SMALL: usize = 7;

/// A bitboard for every board size: twenty columns have 420 numbers, seven words 448 bits.
type LargeBitboard = WideBitboard<7>;

/// A board of up to 7×7.
pub(crate) type SmallBoard = LineupBoard<u64>;
/// A board of any size.
pub(crate) type LargeBoard = LineupBoard<LargeBitboard>;

/// The rules with their options. Blocks placed at random are stored like blocks that were named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LineupRules {
    n: u8,
    s: u8,
    blocks: LargeBitboard,
}

impl LineupRules {
    /// Places `count` blocks on random squares: each is drawn from the squares left, listed in row
    /// order.
    fn draw_blocks(&mut self, count: u64, seed: u64) {
        let mut generator = Generator::new(&[&"lineup", &self.n, &count, &seed]);
        let size = self.rows();
        let mut left: Vec<usize> =
            (0..size * size).map(|at| self.square(at / size, at % size).index()).collect();
        for _ in 0..count {
            // The others keep their order, on which the later draws depend.
            self.blocks.add(left.remove(generator.below(left.len() as u64) as usize));
        }
    }

    /// Adds the blocks of a list; the error says what is wrong with it.
    fn read_blocks(&mut self, value: &str) -> Result<(), String> {
        if matches!(value, "" | NONE) {
            return Ok(());
        }
        for name in value.split(',') {
            let (row, column) = notation::read_square(name, (self.rows(), self.rows()), 0)
                .map_err(|what| format!("`{name}`: {what}"))?;
            let block = self.square(row, column).index();
            if self.blocks.has(block) {
                return Err(format!("{name} is there twice"));
            }
            self.blocks.add(block);
        }
        Ok(())
    }
}

impl GameRules for LineupRules {
    const GAME: GameDescription<'static> = GameDescription {
        name: "lineup",
        title: "Line 'em Up",
        letters: BySide { first: 'O', second: 'X' },
        white: Side::First,
        options: &[
            OptionSpec::new(
                "n",
                Range::Numbers { from: SMALLEST as u64, to: Number::Fixed(LARGEST as u64) },
                Preset::Number(Number::Fixed(5)),
                "rows and columns",
            ),
            OptionSpec::new(
                "s",
                Range::Numbers { from: 3, to: Number::Size },
                Preset::Number(Number::UpToSize(4)),
                "pieces in a row that win",
            ),
            OptionSpec::new(
                "blocks",
                Range::Squares,
                Preset::Squares { size: 5, squares: "d0,b1,a2,d2,b3,c4" },
                "blocked squares, on which no piece can be placed",
            ),
            OptionSpec::new(
                "b",
                Range::Numbers { from: 0, to: Number::TwiceSize },
                Preset::Nothing,
                "instead of blocks: how many blocks to place at random",
            ),
            OptionSpec::new(
                "seed",
                Range::Numbers { from: 0, to: Number::Fixed(u64::MAX) },
                Preset::Number(Number::Fixed(0)),
                "with b: the seed of the random blocks",
            ),
        ],
        in_short: &[
            "The sides place a piece each in turn on an empty square; O begins.",
            "No piece can be placed on a block, which is dark and empty.",
            "Who has s pieces or more in a row wins: in a row, a column or a diagonal, without a \
             gap.",
            "Pieces are never moved or taken.",
            "A full board without such a line is a draw.",
        ],
        example: Some(Example {
            position: "2#2/OOO2/1XX2/1#1X1/5 O",
            ply: "d1",
            caption: "d1: four in a row.",
        }),
        first_row: 0,
        blocks: true,
        third_field: None,
    };

    fn new(values: &OptionValues<'_>) -> Result<LineupRules, OptionError> {
        let mut rules = LineupRules {
            n: values.number("n") as u8,
            s: values.number("s") as u8,
            blocks: LargeBitboard::default(),
        };
        match (values.given("b"), values.given("blocks")) {
            (Some(_), Some(_)) => {
                return Err(OptionError::Conflict {
                    key: "b".to_owned(),
                    conflict: "places blocks at random; it cannot be given together with `blocks`",
                });
            }
            (Some(_), None) => rules.draw_blocks(values.number("b"), values.number("seed")),
            (None, _) if values.given("seed").is_some() => {
                return Err(OptionError::Conflict {
                    key: "seed".to_owned(),
                    conflict: "has no effect without `b`",
                });
            }
            (None, _) => {
                let value = values.text("blocks");
                if let Err(wanted) = rules.read_blocks(&value) {
                    return Err(OptionError::Value { key: "blocks".to_owned(), value, wanted });
                }
            }
        }
        Ok(rules)
    }

    fn values(self) -> Vec<(&'static str, String)> {
        // Row by row, so that the same blocks have one text, however they were given.
        let mut blocks = Vec::new();
        for row in 0..self.rows() {
            for column in 0..self.rows() {
                let square = self.square(row, column);
                if self.blocks.has(square.index()) {
                    blocks.push(self.square_name(square).to_string());
                }
            }
        }
        let blocks = if blocks.is_empty() { NONE.to_owned() } else { blocks.join(",") };
        vec![("n", self.n.to_string()), ("s", self.s.to_string()), ("blocks", blocks)]
    }

    fn rows(self) -> usize {
        usize::from(self.n)
    }

    fn is_small(self) -> bool {
        self.rows() <= SMALL
    }

    fn in_a_row(self) -> Option<usize> {
        Some(usize::from(self.s))
    }

    fn start(self) -> BoardCells {
        BoardCells::from_fn(self.rows(), self.rows(), |row, column| {
            if self.blocks.has(self.square(row, column).index()) {
                Cell::Block
            } else {
                Cell::Empty
            }
        })
    }

    #[inline]
    fn square(self, row: usize, column: usize) -> Square {
        Square((column * (self.rows() + 1) + row) as u16)
    }

    #[inline]
    fn row_and_column(self, square: Square) -> (usize, usize) {
        (square.index() % (self.rows() + 1), square.index() / (self.rows() + 1))
    }
}

/// A bitboard for boards of some sizes.
pub(crate) trait LineupBitboard: Bitboard {
    /// All squares of a board of size `n`.
    fn all(n: usize) -> Self;
    /// The same set with as many words as the largest board needs.
    fn large(self) -> LargeBitboard;
}

impl LineupBitboard for u64 {
    fn all(n: usize) -> u64 {
        ALL[n].0[0]
    }

    fn large(self) -> LargeBitboard {
        WideBitboard([self, 0, 0, 0, 0, 0, 0])
    }
}

impl LineupBitboard for LargeBitboard {
    fn all(n: usize) -> LargeBitboard {
        ALL[n]
    }

    fn large(self) -> LargeBitboard {
        self
    }
}

/// All squares of a board, by its size.
static ALL: [LargeBitboard; LARGEST + 1] = all();

const fn all() -> [LargeBitboard; LARGEST + 1] {
    let mut all = [WideBitboard([0; 7]); LARGEST + 1];
    let mut n = SMALLEST;
    while n <= LARGEST {
        let mut square = 0;
        while square < n * (n + 1) {
            if square % (n + 1) < n {
                all[n].0[square / 64] |= 1 << (square % 64);
            }
            square += 1;
        }
        n += 1;
    }
    all
}

/// Board, side to move and ending of a game of Line 'em Up.
///
/// Two sets of squares tell pieces, blocks and empty squares apart. A third one would make this the
/// largest board, and every position, of all games, has the size of the largest board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LineupBoard<B> {
    /// Of each side: its pieces, the blocks, and the numbers that are no squares.
    taken: BySide<B>,
    n: u8,
    s: u8,
    side: Side,
    ending: Option<Ending>,
}

impl<B: LineupBitboard> LineupBoard<B> {
    /// The empty squares. Without a mask: the numbers that are no squares are taken.
    #[inline(always)]
    fn empty(&self) -> B {
        !(self.taken.first | self.taken.second)
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        // Word by word: on a large board nearly always the first one says it.
        let mut words = self.taken.first.words().zip(self.taken.second.words());
        words.all(|(first, second)| first | second == u64::MAX)
    }

    /// The squares on which the next piece may be placed.
    #[inline(always)]
    fn open(&self) -> B {
        if self.ending.is_some() { B::default() } else { self.empty() }
    }

    #[inline(always)]
    fn pieces_of(&self, side: Side) -> B {
        self.taken[side] & !self.taken[!side]
    }

    /// Whether there are `s` of these pieces in a row. The length of the lines found doubles with
    /// each step; the last step adds the rest.
    #[inline(always)]
    fn has_line(&self, pieces: B) -> bool {
        let column = usize::from(self.n) + 1;
        let s = usize::from(self.s);
        let mut lines = B::default();
        for step in [1, column - 1, column, column + 1] {
            let mut runs = pieces;
            let mut length = 1;
            while 2 * length <= s {
                runs = runs & (runs >> (step * length));
                length *= 2;
            }
            lines = lines | runs & (runs >> (step * (s - length)));
        }
        !lines.is_empty()
    }

    /// Whether the piece on this square is part of a line of `s`; `own` and `theirs` are what its
    /// side and the other one have [taken](LineupBoard::taken). On large boards it walks from the
    /// square; shifting a whole board costs more there.
    #[inline(always)]
    fn has_line_through(&self, own: &B, theirs: &B, square: usize) -> bool {
        if size_of::<B>() == size_of::<u64>() {
            return self.has_line(*own & !*theirs);
        }
        let column = usize::from(self.n) + 1;
        let end = usize::from(self.n) * column;
        // Loops: closures are functions of their own, and whether they are compiled into this one
        // changes with code elsewhere.
        for step in [1, column - 1, column, column + 1] {
            let mut length = 1;
            let mut after = square + step;
            while after < end && own.has(after) && !theirs.has(after) {
                length += 1;
                after += step;
            }
            let mut first = square;
            while first >= step && own.has(first - step) && !theirs.has(first - step) {
                length += 1;
                first -= step;
            }
            if length >= usize::from(self.s) {
                return true;
            }
        }
        false
    }

    /// The ending of this position, judged as if the side not to move had just moved.
    fn judge(&self) -> Option<Ending> {
        let mover = !self.side;
        let goals = self.pieces().map(|pieces| self.has_line(pieces));
        let full = self.is_full().then_some(Ending { winner: None, reason: Reason::FullBoard });
        ending::judge(mover, goals, Reason::Line, Simultaneous::Draw).or(full)
    }
}

impl<B: LineupBitboard> GameBoard for LineupBoard<B> {
    type Rules = LineupRules;
    type Plies = Placements<B>;
    type Set = B;

    getters! { side: Side, ending: Option<Ending> }

    fn blank(rules: LineupRules, side: Side) -> LineupBoard<B> {
        let taken = BySide::from_fn(|_| !B::default());
        LineupBoard { taken, n: rules.n, s: rules.s, side, ending: None }
    }

    #[inline(always)]
    fn pieces(&self) -> BySide<B> {
        BySide { first: self.pieces_of(Side::First), second: self.pieces_of(Side::Second) }
    }

    #[inline(always)]
    fn rules(&self) -> LineupRules {
        LineupRules { n: self.n, s: self.s, blocks: self.blocks().large() }
    }

    #[inline(always)]
    fn blocks(&self) -> B {
        B::all(usize::from(self.n)) & self.taken.first & self.taken.second
    }

    #[inline(always)]
    fn square(&self, row: usize, column: usize) -> usize {
        column * (usize::from(self.n) + 1) + row
    }

    #[inline(always)]
    fn plies(&self) -> Placements<B> {
        Placements::new(self.open(), false)
    }

    fn sorted_plies(&self) -> impl Iterator<Item = Ply> {
        let size = usize::from(self.n);
        let squares = self.open();
        let names = (0..size).flat_map(move |column| {
            numbers_as_text(size).map(move |row| column * (size + 1) + row)
        });
        names.filter(move |&at| squares.has(at)).map(|square| Ply::Place(Square(square as u16)))
    }

    fn check(&self, ply: Ply) -> Result<(), Illegal> {
        let Ply::Place(square) = ply else { return Err(Illegal::Unknown) };
        let rules = self.rules();
        let index = square.index();
        if index >= size_of::<B>() * 8 || !B::all(rules.rows()).has(index) {
            return Err(Illegal::Unknown);
        }
        if self.empty().has(index) {
            return Ok(());
        }
        let name = rules.square_name(square);
        Err(if rules.blocks.has(index) { Illegal::Blocked(name) } else { Illegal::Occupied(name) })
    }

    #[inline(always)]
    fn turned(&self) -> Self {
        LineupBoard { side: !self.side, ..*self }
    }

    #[inline(always)]
    fn after(&self, ply: Ply) -> Self {
        let Ply::Place(square) = ply else { return *self };
        let mover = self.side;
        let (mut own, theirs) = self.taken.seen_by(mover);
        own.add(square.index());
        let taken = BySide::from_own(mover, own, theirs);
        let mut next = LineupBoard { taken, side: !mover, ending: None, ..*self };
        // The opponent has no line here: the game would have been over before.
        if next.has_line_through(&own, &theirs, square.index()) {
            next.ending = Some(Ending { winner: Some(mover), reason: Reason::Line });
        } else if next.is_full() {
            next.ending = Some(Ending { winner: None, reason: Reason::FullBoard });
        }
        next
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        let all = B::all(usize::from(self.n));
        keys::hash(self.taken.map(|taken| taken & all), self.side, 0)
    }

    fn with_cells(&self, cells: &BoardCells) -> LineupBoard<B> {
        let mut empty = B::default();
        for (row, column, cell) in cells.all() {
            if cell == Cell::Empty {
                empty.add(self.square(row, column));
            }
        }
        let pieces = self.pieces_in(cells);
        let taken = BySide { first: !(empty | pieces.second), second: !(empty | pieces.first) };
        let mut board = LineupBoard { taken, ..*self };
        board.ending = board.judge();
        board
    }
}
