//! `loa`, Lines of Action on 8×8 (docs/reference/rules.md, `loa`).
//!
//! Squares are numbered column by column, `a0 a1 … a7 b0 … h7`. So the order of the bits is the
//! order of the squares' names, and plies are generated sorted as text.

use crate::bitboard::{Bitboard, all_if};
use crate::board::{GameBoard, getters};
use crate::cell::{BoardCells, Cell};
use crate::ending::{self, Ending, Reason, Simultaneous};
use crate::game::{Example, GameDescription, GameRules};
use crate::illegal::Illegal;
use crate::notation::PositionError;
use crate::options::{OptionError, OptionSpec, OptionValues, Preset, Range};
use crate::ply::{Ply, PlyError, Square};
use crate::short_text::{ShortText, ShortTexts};
use crate::side::{BySide, Side};
use crate::text::words;
use multiversion::multiversion;
use std::borrow::Cow;

mod lines;
use lines::{DIRECTIONS, LINE, MOVES, RAY};

/// Rows and columns.
const SIZE: usize = 8;
/// The pieces of a side at the start: none are ever added.
const MOST_PIECES: usize = 12;

/// The letters of the two sides: B moves first.
const LETTERS: BySide<char> = BySide { first: 'B', second: 'W' };

/// The rules with their two options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LoaRules {
    simultaneous: Simultaneous,
    stuck: Stuck,
}

words! {
    /// What a side without a move does.
    Stuck {
        /// It passes.
        Pass = "pass",
        /// It has lost.
        Loss = "loss",
    }
}

impl Default for LoaRules {
    fn default() -> LoaRules {
        LoaRules { simultaneous: Simultaneous::Draw, stuck: Stuck::Pass }
    }
}

impl GameRules for LoaRules {
    const GAME: GameDescription<'static> = GameDescription {
        name: "loa",
        title: "Lines of Action",
        letters: LETTERS,
        white: Side::Second,
        options: &[
            OptionSpec::new(
                "simultaneous",
                Range::Words(Simultaneous::WORDS),
                Preset::Word(Cow::Borrowed("draw")),
                "what a ply does that connects both sides: a draw, or the mover wins",
            ),
            OptionSpec::new(
                "stuck",
                Range::Words(Stuck::WORDS),
                Preset::Word(Cow::Borrowed("pass")),
                "what a side without a move does: it passes (two passes in a row are a draw), \
                 or it has lost",
            ),
        ],
        in_short: &[
            "A piece moves in a straight line, along a row, a column or a diagonal, by exactly as \
             many squares as there are pieces of both sides on that whole line.",
            "It may jump over pieces of its own side, not over those of the opponent.",
            "It lands on an empty square, or on a piece of the opponent, which it takes.",
            "Who has all pieces in one group wins; pieces are connected at edges and corners, and \
             one piece alone is a group.",
            "A ply that connects only the opponent loses. Who has no move passes, or has lost \
             where stuck=loss.",
        ],
        example: Some(Example {
            position: "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B",
            ply: "a2c4",
            caption: "a2c4: the diagonal has two pieces, a2 and f7, so the piece moves two \
                      squares.",
        }),
        first_row: 0,
        blocks: false,
        third_field: None,
    };

    fn new(values: &OptionValues<'_>) -> Result<LoaRules, OptionError> {
        Ok(LoaRules {
            simultaneous: values.word("simultaneous").unwrap_or(Simultaneous::Draw),
            stuck: values.word("stuck").unwrap_or(Stuck::Pass),
        })
    }

    fn values(self) -> Vec<(&'static str, String)> {
        vec![("simultaneous", self.simultaneous.to_string()), ("stuck", self.stuck.to_string())]
    }

    fn rows(self) -> usize {
        SIZE
    }

    fn start(self) -> BoardCells {
        // "B has 12 pieces on columns a and h (rows 1-6), W has 12 on rows 0 and 7 (columns b-g)."
        const LAST: usize = SIZE - 1;
        BoardCells::from_fn(SIZE, SIZE, |row, column| {
            match (matches!(row, 0 | LAST), matches!(column, 0 | LAST)) {
                (false, true) => Cell::Piece(Side::First),
                (true, false) => Cell::Piece(Side::Second),
                _ => Cell::Empty, // the corners too
            }
        })
    }

    /// Reads `a2c4`, `a2 c4`, `a2-c4` or `pass`.
    fn read_ply(self, text: &str) -> Result<Ply, PlyError> {
        let bytes = text.as_bytes();
        let (from, to) = match bytes {
            b"pass" => return Ok(Ply::Pass),
            [a, b, c, d] => ([*a, *b], [*c, *d]),
            [a, b, b'-' | b' ', c, d] => ([*a, *b], [*c, *d]),
            _ => return Err(PlyError::new("expected two squares such as a2c4")),
        };
        Ok(Ply::Move(read_square(from)?, read_square(to)?))
    }

    #[inline(always)]
    fn ply_text(self, ply: Ply) -> ShortText {
        match ply {
            Ply::Pass => ShortText::PASS,
            Ply::Place(square) => self.square_name(square).0,
            Ply::Move(from, to) => {
                ShortText::joined(self.square_name(from).0, self.square_name(to).0)
            }
            Ply::Word(_) => ShortText::UNKNOWN,
        }
    }

    #[inline(always)]
    fn square(self, row: usize, column: usize) -> Square {
        Square((column * SIZE + row) as u16)
    }

    #[inline(always)]
    fn row_and_column(self, square: Square) -> (usize, usize) {
        (square.index() % SIZE, square.index() / SIZE)
    }
}

/// Reads the name of a square. Only lower case is valid here, unlike in the games whose names
/// `notation::read_square` reads.
fn read_square(name: [u8; 2]) -> Result<Square, PlyError> {
    let [column, row] = name;
    if !(b'a'..=b'h').contains(&column) {
        return Err(PlyError::new(format_args!(
            "column {:?} is not on the board; columns are a to h, in lower case",
            char::from(column)
        )));
    }
    if !(b'0'..=b'7').contains(&row) {
        return Err(PlyError::new(format_args!(
            "row {:?} is not on the board; rows are 0 to 7",
            char::from(row)
        )));
    }
    Ok(Square(u16::from(column - b'a') * SIZE as u16 + u16::from(row - b'0')))
}

/// Board, side to move and ending of a game of Lines of Action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LoaBoard {
    pieces: BySide<u64>,
    side: Side,
    /// Consecutive forced passes that led to this position.
    passes: u8,
    rules: LoaRules,
    ending: Option<Ending>,
}

impl LoaBoard {
    /// The squares to which the piece on `from`, of the side to move, may move.
    #[inline(always)]
    fn targets(&self, from: usize) -> u64 {
        let own = self.pieces[self.side];
        let theirs = self.pieces[!self.side];
        let all = own | theirs;
        let mut targets = 0;
        // "A piece moves in one of eight directions exactly as many squares as there are pieces of
        // either side on the whole line (both ways, itself included). It may jump its own side's
        // pieces, never the opponent's."
        for (squares, moves) in LINE.iter().zip(&MOVES) {
            let moves = &moves[from][(all & squares[from]).count_ones() as usize];
            for way in 0..2 {
                targets |= moves.to[way] & all_if(theirs & moves.over[way] == 0);
            }
        }
        // "It lands on an empty square or on an opponent's piece, which is captured; never on its
        // own."
        targets & !own
    }

    /// Whether the side to move has no move.
    fn is_stuck(&self) -> bool {
        self.pieces[self.side].squares().all(|from| self.targets(from) == 0)
    }

    /// The ending of this position, judged as if the side not to move had just moved; `connected`
    /// tells which sides have all pieces in one group.
    #[inline(always)]
    fn judge(&self, connected: BySide<bool>) -> Option<Ending> {
        let mover = !self.side;
        let ending = ending::judge(mover, connected, Reason::Connected, self.rules.simultaneous);
        if ending.is_some() {
            return ending;
        }
        // "Two forced passes in a row, counted from the set-up position on": a draw.
        if self.passes >= 2 {
            return Some(Ending { winner: None, reason: Reason::Stalemate });
        }
        // "As soon as the side to move has no move and the game is not over otherwise, the other
        // side wins."
        if self.rules.stuck == Stuck::Loss && self.is_stuck() {
            return Some(Ending { winner: Some(mover), reason: Reason::Stuck });
        }
        None
    }
}

impl GameBoard for LoaBoard {
    type Rules = LoaRules;
    type Plies = LoaPlies;
    type Set = u64;

    getters! { rules: LoaRules, pieces: BySide<u64>, side: Side, ending: Option<Ending> }

    fn blank(rules: LoaRules, side: Side) -> LoaBoard {
        LoaBoard { pieces: BySide::default(), side, passes: 0, rules, ending: None }
    }

    fn set_up(self, _: &str) -> Result<LoaBoard, PositionError> {
        for side in Side::BOTH {
            let letter = LETTERS[side];
            let count = self.piece_count(side) as usize;
            // "A position without any piece of one side is a reading error."
            if count == 0 {
                return Err(PositionError::new(format_args!(
                    "position: there is no piece of {letter}"
                )));
            }
            if count > MOST_PIECES {
                return Err(PositionError::new(format_args!(
                    "position: {count} pieces of {letter}; there are at most {MOST_PIECES}"
                )));
            }
        }
        Ok(self)
    }

    #[inline(always)]
    fn plies(&self) -> LoaPlies {
        let mut plies = LoaPlies { board: *self, from: 0, movers: 0, targets: 0, pass: false };
        if self.ending.is_none() {
            plies.movers = self.pieces[self.side];
            plies.pass = !plies.advance();
        }
        plies
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        if self.ending.is_some() {
            return 0;
        }
        let mut count = 0;
        for from in self.pieces[self.side].squares() {
            count += self.targets(from).count_ones();
        }
        u64::from(count).max(1)
    }

    fn check(&self, ply: Ply) -> Result<(), Illegal> {
        self.broken_rules(ply).into_iter().next().map_or(Ok(()), Err)
    }

    fn broken_rules(&self, ply: Ply) -> Vec<Illegal> {
        let (source, target) = match ply {
            Ply::Move(from, to) if from.index().max(to.index()) < SIZE * SIZE => (from, to),
            Ply::Pass if self.is_stuck() => return Vec::new(),
            Ply::Pass => return vec![Illegal::Pass("a side that has no move")],
            _ => return vec![Illegal::Unknown],
        };
        let from = self.rules.square_name(source);
        let to = self.rules.square_name(target);
        let source = source.index();
        let target = target.index();
        let letter = LETTERS[self.side];
        let (own, theirs) = self.pieces.seen_by(self.side);
        let mut broken = Vec::new();
        if theirs.has(source) {
            broken.push(Illegal::OpponentsPiece { letter, from });
        } else if !own.has(source) {
            broken.push(Illegal::NoPiece { letter, from });
        }
        let mut between = 0;
        let mut directions = 0..DIRECTIONS;
        if let Some(direction) = directions.find(|&way| RAY[way][source].has(target)) {
            // The squares that one ray has in common with the opposite one from the other end.
            between = RAY[direction][source] & RAY[(direction + 4) % 8][target];
            let distance = between.count_ones() as usize + 1;
            let pieces = ((own | theirs) & LINE[direction % 4][source]).count_ones() as usize;
            if distance != pieces {
                broken.push(Illegal::WrongDistance { from, to, pieces, distance });
            }
        } else {
            broken.push(Illegal::NotOnOneLine { from, to });
        }
        if own.has(target) && source != target {
            broken.push(Illegal::OntoOwnPiece { letter, to });
        }
        if between & theirs != 0 {
            broken.push(Illegal::OverOpponent { from, to });
        }
        broken
    }

    #[inline(always)]
    fn after(&self, ply: Ply) -> LoaBoard {
        let mover = self.side;
        let (mut own, mut theirs) = self.pieces.seen_by(mover);
        let mut own_connected = false;
        let mut theirs_connected = false;
        let mut passes = 0;
        // "Goal: all of one's pieces form one group under 8-adjacency." Looked at for both sides
        // only where the ply can have changed it.
        if let Ply::Move(from, to) = ply {
            let from = from.index();
            let to = to.index();
            own ^= u64::one(from) | u64::one(to);
            if theirs.has(to) {
                // A capture may connect the opponent: "only the opponent: `suicide`".
                theirs ^= u64::one(to);
                theirs_connected = connected(theirs);
            }
            own_connected = connected(own);
        } else {
            passes = self.passes.saturating_add(1);
        }
        let mut next = LoaBoard {
            pieces: BySide::from_own(mover, own, theirs),
            side: !mover,
            passes,
            rules: self.rules,
            ending: None,
        };
        // Before the ply neither side was connected, or the game would have been over. A side that
        // neither moved nor lost a piece is still not connected.
        next.ending = next.judge(BySide::from_own(mover, own_connected, theirs_connected));
        next
    }

    /// Ignores the number of forced passes, which is no part of the position text.
    #[inline]
    fn repeats(&self, other: &LoaBoard) -> bool {
        self.side == other.side && self.pieces == other.pieces
    }

    fn with_cells(&self, cells: &BoardCells) -> LoaBoard {
        let mut board = LoaBoard { pieces: self.pieces_in(cells), ..*self };
        board.ending = board.judge(board.pieces.map(connected));
        board
    }

    fn push_plies(&self, out: &mut String) {
        push_plies(self, out);
    }

    #[inline(always)]
    fn turned(&self) -> LoaBoard {
        LoaBoard { side: !self.side, passes: 0, ..*self }
    }

    fn group_count(&self, side: Side) -> u32 {
        let mut pieces = self.pieces[side];
        let mut count = 0;
        while pieces != 0 {
            // Takes away the group of the lowest piece.
            pieces ^= spread(pieces & pieces.wrapping_neg(), pieces);
            count += 1;
        }
        count
    }
}

/// Uses the processor's instructions that count bits, and loops, as `perft` does.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn push_plies(board: &LoaBoard, out: &mut String) {
    let mut texts = ShortTexts::new(out);
    for ply in board.plies() {
        texts.push(board.rules.ply_text(ply));
    }
    texts.flush();
}

/// The neighbours of these squares.
#[inline(always)]
fn around(squares: u64) -> u64 {
    const NOT_ROW_0: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_ROW_7: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // A column is eight bits, so the neighbours in other columns are eight bits away. One in the
    // same column is a bit away, and must not come out in the column beside it.
    let beside = squares << 8 | squares >> 8;
    let three = squares | beside;
    beside | three << 1 & NOT_ROW_0 | three >> 1 & NOT_ROW_7
}

/// The pieces connected to those of `group` under 8-adjacency, `group` included.
#[inline(always)]
fn spread(mut group: u64, pieces: u64) -> u64 {
    loop {
        let grown = (group | around(group)) & pieces;
        if grown == group {
            return group;
        }
        group = grown;
    }
}

/// Whether all pieces form one group. A piece without neighbours is tested first: it is quick, and
/// usually decides.
#[inline(always)]
fn connected(pieces: u64) -> bool {
    let lowest = pieces & pieces.wrapping_neg();
    if pieces & !around(pieces) != 0 {
        return pieces == lowest;
    }
    spread(lowest, pieces) == pieces
}

/// The legal plies of a board, sorted as text.
#[derive(Debug, Clone)]
pub(crate) struct LoaPlies {
    board: LoaBoard,
    /// The piece whose moves come now, and the squares to which they are left.
    from: u16,
    targets: u64,
    /// The pieces after it.
    movers: u64,
    /// Whether the one ply is a pass.
    pass: bool,
}

impl LoaPlies {
    /// Advances to the next piece that can move; false if there is none.
    #[inline(always)]
    fn advance(&mut self) -> bool {
        while let Some(from) = self.movers.pop() {
            self.targets = self.board.targets(from);
            if self.targets != 0 {
                self.from = from as u16;
                return true;
            }
        }
        false
    }
}

impl Iterator for LoaPlies {
    type Item = Ply;

    #[inline(always)]
    fn next(&mut self) -> Option<Ply> {
        if self.targets == 0 {
            return std::mem::take(&mut self.pass).then_some(Ply::Pass);
        }
        let to = self.targets.trailing_zeros() as u16;
        self.targets &= self.targets - 1;
        let ply = Ply::Move(Square(self.from), Square(to));
        if self.targets == 0 {
            self.advance();
        }
        Some(ply)
    }
}
