//! `flipflop`, FlipFlop on n×n (docs/reference/rules.md, `flipflop`).
//!
//! Squares have the numbers that the game prints: row by row from the upper left, from 0.

use crate::bitboard::WideBitboard;
use crate::board::{GameBoard, Placements, getters};
use crate::cell::{BoardCells, Cell};
use crate::changes::SquareChange;
use crate::ending::{Ending, Reason};
use crate::game::{Example, GameDescription, GameRules};
use crate::illegal::{Illegal, SquareName};
use crate::keys;
use crate::notation::PositionError;
use crate::number_text::{is_number, sorted_as_text};
use crate::options::{Number, OptionError, OptionSpec, OptionValues, Preset, Range};
use crate::ply::{Ply, PlyError, Square};
use crate::short_text::ShortText;
use crate::side::{BySide, Side};

mod captures;
use captures::FlipFlopBitboard;

/// The smallest board size; it fits into one word.
const SMALL: usize = 8;
/// Rows and columns of the largest board.
const LARGEST: usize = 24;

/// A bitboard for board sizes 10×10 to 24×24: 576 squares are nine words.
type LargeBitboard = WideBitboard<9>;

/// A board of 8×8.
pub(crate) type SmallBoard = FlipFlopBoard<u64>;
/// A board of 10×10 to 24×24.
pub(crate) type LargeBoard = FlipFlopBoard<LargeBitboard>;

/// The letters of the two sides: W moves first.
const LETTERS: BySide<char> = BySide { first: 'W', second: 'B' };

/// The rules with their option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FlipFlopRules {
    n: u8,
}

impl GameRules for FlipFlopRules {
    const GAME: GameDescription<'static> = GameDescription {
        name: "flipflop",
        title: "FlipFlop",
        letters: LETTERS,
        white: Side::First,
        options: &[OptionSpec::new(
            "n",
            Range::Even { from: SMALL as u64, to: LARGEST as u64 },
            Preset::Number(Number::Fixed(SMALL as u64)),
            "rows and columns",
        )],
        in_short: &[
            "Pieces of the opponent in a line between a placed piece and another one of its side, \
             without a gap, are trapped: they change sides.",
            "The first piece of a turn must trap a line in its row or column; trapped lines change \
             sides in all eight directions.",
            "If it captured two pieces or more, a second piece may follow that traps a line on a \
             diagonal; pass declines it.",
            "Who cannot place a first piece passes.",
            "The game is over when neither side can. Who has more pieces wins.",
        ],
        example: Some(Example {
            position: "8/8/8/8/1WBB4/1WBB4/8/8 W 1",
            ply: "36",
            caption: "36: two pieces are trapped between 33 and 36 and change sides, so White may \
                      place a second piece.",
        }),
        first_row: 0,
        blocks: false,
        third_field: Some("the piece to place, 1 or 2"),
    };

    fn new(values: &OptionValues<'_>) -> Result<FlipFlopRules, OptionError> {
        Ok(FlipFlopRules { n: values.number("n") as u8 })
    }

    fn values(self) -> Vec<(&'static str, String)> {
        vec![("n", self.n.to_string())]
    }

    fn rows(self) -> usize {
        usize::from(self.n)
    }

    fn is_small(self) -> bool {
        self.rows() == SMALL
    }

    fn alternates(self) -> bool {
        false
    }

    fn start(self) -> BoardCells {
        // "The four centre squares start W B / B W (W on the upper left)."
        let centre = [self.rows() / 2 - 1, self.rows() / 2];
        BoardCells::from_fn(self.rows(), self.rows(), |row, column| {
            if !centre.contains(&row) || !centre.contains(&column) {
                Cell::Empty
            } else if row == column {
                Cell::Piece(Side::First)
            } else {
                Cell::Piece(Side::Second)
            }
        })
    }

    fn square(self, row: usize, column: usize) -> Square {
        Square((row * self.rows() + column) as u16)
    }

    fn row_and_column(self, square: Square) -> (usize, usize) {
        (square.index() / self.rows(), square.index() % self.rows())
    }

    fn column_name(self, column: usize) -> String {
        column.to_string()
    }

    fn row_name(self, row: usize) -> String {
        (row * self.rows()).to_string()
    }

    fn square_name(self, square: Square) -> SquareName {
        SquareName(ShortText::number(square.index()))
    }

    /// Reads `20` or `pass`.
    fn read_ply(self, text: &str) -> Result<Ply, PlyError> {
        if text == "pass" {
            return Ok(Ply::Pass);
        }
        let last = self.rows() * self.rows() - 1;
        if !is_number(text) {
            return Err(PlyError::new(format_args!(
                "expected a square's number, 0 to {last}, or pass"
            )));
        }
        match text.parse() {
            Ok(square) if usize::from(square) <= last => Ok(Ply::Place(Square(square))),
            _ => Err(PlyError::new(format_args!(
                "square {text} is not on the board; squares are 0 to {last}"
            ))),
        }
    }
}

/// Which piece of a turn is to be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PieceOfTurn {
    First,
    Second,
}

/// Board, side to move and ending of a game of FlipFlop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FlipFlopBoard<B> {
    pieces: BySide<B>,
    n: u8,
    side: Side,
    piece: PieceOfTurn,
    ending: Option<Ending>,
}

impl<B: FlipFlopBitboard> FlipFlopBoard<B> {
    /// Rows and columns; a constant for boards of one word, so that the compiler divides by shifts.
    #[inline(always)]
    fn size(&self) -> usize {
        if size_of::<B>() == size_of::<u64>() { SMALL } else { usize::from(self.n) }
    }

    #[inline(always)]
    fn empty(&self) -> B {
        !(self.pieces.first | self.pieces.second) & B::all(self.size())
    }

    /// The squares on which a side may place a piece.
    #[inline(always)]
    fn placements(&self, side: Side, piece: PieceOfTurn) -> B {
        let (own, theirs) = self.pieces.seen_by(side);
        B::ends(own, theirs, piece, self.size()) & self.empty()
    }

    /// The squares for the next piece, and whether `pass` is legal.
    #[inline(always)]
    fn choices(&self) -> (B, bool) {
        if self.ending.is_some() {
            return (B::default(), false);
        }
        // "It may be declined with `pass`": the second piece. "A side with no first placement
        // passes (forced)."
        let placements = self.placements(self.side, self.piece);
        (placements, self.piece == PieceOfTurn::Second || placements.is_empty())
    }

    #[inline(always)]
    fn can_place(&self, side: Side, piece: PieceOfTurn) -> bool {
        let (own, theirs) = self.pieces.seen_by(side);
        B::has_end(own, theirs, self.empty(), piece, self.size())
    }

    /// The ending of this position: "When a turn is over (never between its two pieces) and neither
    /// side has a first placement, the game is over: more pieces wins, equal is a draw."
    #[inline(always)]
    fn judge(&self) -> Option<Ending> {
        if self.piece == PieceOfTurn::Second
            || self.can_place(self.side, PieceOfTurn::First)
            || self.can_place(!self.side, PieceOfTurn::First)
        {
            return None;
        }
        let first = self.pieces.first.count();
        let second = self.pieces.second.count();
        if first == second {
            return Some(Ending { winner: None, reason: Reason::EqualPieces });
        }
        let winner = if first > second { Side::First } else { Side::Second };
        Some(Ending { winner: Some(winner), reason: Reason::MostPieces })
    }
}

impl<B: FlipFlopBitboard> GameBoard for FlipFlopBoard<B> {
    type Rules = FlipFlopRules;
    type Plies = Placements<B>;
    type Set = B;

    getters! { pieces: BySide<B>, side: Side, ending: Option<Ending> }

    fn blank(FlipFlopRules { n }: FlipFlopRules, side: Side) -> FlipFlopBoard<B> {
        FlipFlopBoard {
            pieces: BySide::default(),
            n,
            side,
            piece: PieceOfTurn::First,
            ending: None,
        }
    }

    fn set_up(self, extra: &str) -> Result<FlipFlopBoard<B>, PositionError> {
        match extra {
            "1" => return Ok(self),
            "2" => {}
            other => {
                return Err(PositionError::new(format_args!(
                    "position: the third field is {other:?}; it is 1 or 2, the piece of the turn \
                     that is to be placed"
                )));
            }
        }
        // "EXTRA `2` in a position with no second placement is a reading error."
        let board = FlipFlopBoard { piece: PieceOfTurn::Second, ending: None, ..self };
        if !board.can_place(board.side, PieceOfTurn::Second) {
            return Err(PositionError::new(format_args!(
                "position: the third field is 2, but {} can place no second piece",
                LETTERS[board.side]
            )));
        }
        Ok(board)
    }

    #[inline(always)]
    fn rules(&self) -> FlipFlopRules {
        FlipFlopRules { n: self.n }
    }

    #[inline(always)]
    fn square(&self, row: usize, column: usize) -> usize {
        row * self.size() + column
    }

    fn piece(&self) -> Option<u8> {
        Some(match self.piece {
            PieceOfTurn::First => 1,
            PieceOfTurn::Second => 2,
        })
    }

    #[inline(always)]
    fn plies(&self) -> Placements<B> {
        let (placements, pass) = self.choices();
        Placements::new(placements, pass)
    }

    fn sorted_plies(&self) -> impl Iterator<Item = Ply> {
        let (placements, pass) = self.choices();
        let sorted = sorted_as_text::<{ LARGEST * LARGEST }>(placements.squares());
        sorted.map(|square| Ply::Place(Square(square as u16))).chain(pass.then_some(Ply::Pass))
    }

    fn check(&self, ply: Ply) -> Result<(), Illegal> {
        let placements = self.placements(self.side, self.piece);
        let square = match ply {
            Ply::Pass if self.piece == PieceOfTurn::Second || placements.is_empty() => {
                return Ok(());
            }
            Ply::Pass => {
                return Err(Illegal::Pass("a second piece, or for a side that can place none"));
            }
            Ply::Place(square) if square.index() < self.size() * self.size() => square,
            _ => return Err(Illegal::Unknown),
        };
        if placements.has(square.index()) {
            return Ok(());
        }
        let name = self.rules().square_name(square);
        // "A turn's first piece must trap at least one line horizontally or vertically. Its second
        // piece must trap at least one line diagonally."
        Err(if !self.empty().has(square.index()) {
            Illegal::NotEmpty(name)
        } else if self.piece == PieceOfTurn::First {
            Illegal::NoStraightLine(name)
        } else {
            Illegal::NoDiagonalLine(name)
        })
    }

    #[inline(always)]
    fn after(&self, ply: Ply) -> Self {
        let side = self.side;
        let mut next =
            FlipFlopBoard { side: !side, piece: PieceOfTurn::First, ending: None, ..*self };
        if let Ply::Place(square) = ply {
            let (own, theirs) = self.pieces.seen_by(side);
            // "Either captures (recolours) the trapped lines in all eight directions."
            let captured = B::trapped(square.index(), own, theirs, self.size());
            let placed = own | captured | B::one(square.index());
            next.pieces = BySide::from_own(side, placed, theirs ^ captured);
            // "The second piece is offered only when the first captured two or more pieces and a
            // second placement exists." Then the same side is to move.
            let earned = self.piece == PieceOfTurn::First && captured.count() >= 2;
            if earned && next.can_place(side, PieceOfTurn::Second) {
                next.side = side;
                next.piece = PieceOfTurn::Second;
                return next;
            }
        }
        next.ending = next.judge();
        next
    }

    #[inline(always)]
    fn turned(&self) -> Self {
        FlipFlopBoard { side: !self.side, piece: PieceOfTurn::First, ..*self }
    }

    fn changes(&self, ply: Ply) -> Vec<(Square, SquareChange)> {
        let Ply::Place(square) = ply else { return Vec::new() };
        let (own, theirs) = self.pieces.seen_by(self.side);
        let mut changes = vec![(square, SquareChange::Arrived)];
        for captured in B::trapped(square.index(), own, theirs, self.size()).squares() {
            changes.push((Square(captured as u16), SquareChange::Recoloured));
        }
        changes
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        keys::hash(self.pieces, self.side, self.piece as u64)
    }

    fn with_cells(&self, cells: &BoardCells) -> FlipFlopBoard<B> {
        let mut board = FlipFlopBoard { pieces: self.pieces_in(cells), ..*self };
        board.ending = board.judge();
        board
    }
}
