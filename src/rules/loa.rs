//! `loa`, Lines of Action on 8×8 (rules.md, section `loa`).
//!
//! Squares are numbered column by column, `a0 a1 … a7 b0 … h7`, so that the order of the bits is the order of
//! the squares' names: plies come out of the generator sorted as text.

use super::options::{OptionError, OptionSpec, Range};
use super::text::{self, PositionError};
use super::{BySide, Ending, Illegal, Ply, PlyError, Reason, Side, Square};

mod lines;
use lines::{DIRECTIONS, JUMP, LINE, RAY};

/// The letters of the two sides: B moves first.
pub(super) const LETTERS: BySide<char> = BySide { first: 'B', second: 'W' };
/// Rows and columns.
pub(super) const SIZE: usize = 8;
const START: BySide<u64> = BySide { first: 0x7e00_0000_0000_007e, second: 0x0081_8181_8181_8100 };
const MOST_PIECES: u32 = 12;

/// The options, in the order of `arbiter games`.
pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "simultaneous",
        range: Range::Words(&["draw", "mover"]),
        default: "draw",
        about: "what a ply does that connects both sides: a draw, or the mover wins",
    },
    OptionSpec {
        key: "stuck",
        range: Range::Words(&["pass", "loss"]),
        default: "pass",
        about: "what a side without a move does: it passes (two passes in a row are a draw), or it has lost",
    },
];

/// The rules with their two options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    simultaneous: Simultaneous,
    stuck: Stuck,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Simultaneous {
    Draw,
    Mover,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stuck {
    Pass,
    Loss,
}

impl Rules {
    pub(super) fn new(set: &[(String, String)]) -> Result<Rules, OptionError> {
        let values = super::options::settle("loa", OPTIONS, set)?;
        Ok(Rules {
            simultaneous: if values[0] == "mover" { Simultaneous::Mover } else { Simultaneous::Draw },
            stuck: if values[1] == "loss" { Stuck::Loss } else { Stuck::Pass },
        })
    }

    pub(super) fn values(self) -> [&'static str; 2] {
        [
            match self.simultaneous {
                Simultaneous::Draw => "draw",
                Simultaneous::Mover => "mover",
            },
            match self.stuck {
                Stuck::Pass => "pass",
                Stuck::Loss => "loss",
            },
        ]
    }

    pub(super) fn start(self) -> Board {
        Board::judged(self, START, Side::First)
    }

    pub(super) fn read_position(self, text: &str) -> Result<Board, PositionError> {
        let fields = text::fields(text, 2)?;
        let mut pieces = BySide::<u64>::default();
        text::read_rows(fields[0], SIZE, "BW", |row, column, letter| {
            let side = if letter == LETTERS.first { Side::First } else { Side::Second };
            pieces[side] |= bit(column * SIZE + row);
        })?;
        for side in Side::BOTH {
            let letter = LETTERS[side];
            match pieces[side].count_ones() {
                0 => return Err(PositionError::new(format_args!("position: there is no piece of {letter}"))),
                1..=MOST_PIECES => {}
                many => {
                    return Err(PositionError::new(format_args!(
                        "position: {many} pieces of {letter}; there are at most {MOST_PIECES}"
                    )));
                }
            }
        }
        let side = match fields[1] {
            "B" => Side::First,
            "W" => Side::Second,
            other => {
                return Err(PositionError::new(format_args!(
                    "position: unknown side to move {other:?}; it is B or W"
                )));
            }
        };
        Ok(Board::judged(self, pieces, side))
    }

    /// Reads `a2c4`, `a2 c4`, `a2-c4` or `pass`.
    pub(super) fn read_ply(self, text: &str) -> Result<Ply, PlyError> {
        let bytes = text.as_bytes();
        let (from, to) = match bytes {
            b"pass" => return Ok(Ply::Pass),
            [a, b, c, d] => ([*a, *b], [*c, *d]),
            [a, b, b'-' | b' ', c, d] => ([*a, *b], [*c, *d]),
            _ => return Err(PlyError::new("expected two squares such as a2c4")),
        };
        Ok(Ply::Move(read_square(from)?, read_square(to)?))
    }
}

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
    Ok(Square(u16::from(column - b'a') * 8 + u16::from(row - b'0')))
}

/// Appends the ply's canonical text.
#[inline]
pub(super) fn push_ply(out: &mut String, ply: Ply) {
    match ply {
        Ply::Pass => out.push_str("pass"),
        Ply::Place(square) => out.push_str(name(square)),
        Ply::Move(from, to) => {
            out.push_str(name(from));
            out.push_str(name(to));
        }
    }
}

/// The squares' names, one after the other.
const NAMES: &str = "a0a1a2a3a4a5a6a7b0b1b2b3b4b5b6b7c0c1c2c3c4c5c6c7d0d1d2d3d4d5d6d7\
                     e0e1e2e3e4e5e6e7f0f1f2f3f4f5f6f7g0g1g2g3g4g5g6g7h0h1h2h3h4h5h6h7";

/// The square's name, `a0` to `h7`.
#[inline]
fn name(square: Square) -> &'static str {
    let at = square.index() * 2;
    &NAMES[at..at + 2]
}

#[inline]
const fn bit(square: usize) -> u64 {
    1 << square
}

/// Board, side to move and what is known of the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Board {
    pieces: BySide<u64>,
    key: u64,
    side: Side,
    /// Forced passes in a row up to here.
    passes: u8,
    rules: Rules,
    ending: Option<Ending>,
}

impl Board {
    fn judged(rules: Rules, pieces: BySide<u64>, side: Side) -> Board {
        let mut board = Board { pieces, key: lines::key(pieces, side), side, passes: 0, rules, ending: None };
        board.ending = board.judge();
        board
    }

    #[inline]
    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    #[inline]
    pub(super) fn side(&self) -> Side {
        self.side
    }

    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    pub(super) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Same pieces and same side to move; forced passes do not tell positions apart.
    #[inline]
    pub(super) fn repeats(&self, other: &Board) -> bool {
        self.key == other.key && self.side == other.side && self.pieces == other.pieces
    }

    pub(super) fn pieces(&self, side: Side) -> u64 {
        self.pieces[side]
    }

    /// Appends a space and its text for every legal ply. This is written for every question, so it goes by the board's
    /// bits into a buffer that holds the most there can be: eight targets of each piece.
    pub(super) fn push_plies(&self, out: &mut String) {
        const WORD: usize = 5;
        if self.ending.is_some() {
            return;
        }
        let names = NAMES.as_bytes();
        let mut text = [b' '; MOST_PIECES as usize * DIRECTIONS * WORD];
        let mut length = 0;
        for from in bits(self.pieces[self.side]) {
            for to in bits(self.targets(from)) {
                let word = &mut text[length..length + WORD];
                word[1..3].copy_from_slice(&names[2 * from..2 * from + 2]);
                word[3..5].copy_from_slice(&names[2 * to..2 * to + 2]);
                length += WORD;
            }
        }
        out.push_str(if length == 0 { " pass" } else { str::from_utf8(&text[..length]).unwrap_or_default() });
    }

    /// The board as letters, row by row, each row ended by a newline.
    pub(super) fn push_board(&self, out: &mut String) {
        const WIDTH: usize = SIZE + 1;
        let mut text = *b"........\n........\n........\n........\n........\n........\n........\n........\n";
        for side in Side::BOTH {
            for square in bits(self.pieces[side]) {
                text[square % SIZE * WIDTH + square / SIZE] = LETTERS[side] as u8;
            }
        }
        out.push_str(str::from_utf8(&text).unwrap_or_default()); // it is ASCII
    }

    #[inline]
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<Side> {
        let square = bit(column * SIZE + row);
        if self.pieces.first & square != 0 {
            Some(Side::First)
        } else if self.pieces.second & square != 0 {
            Some(Side::Second)
        } else {
            None
        }
    }

    /// Where the piece of the side to move on `from` may go.
    #[inline]
    fn targets(&self, from: usize) -> u64 {
        let own = self.pieces[self.side];
        let theirs = self.pieces[!self.side];
        let all = own | theirs;
        let mut targets = 0;
        for (line, squares) in LINE.iter().enumerate() {
            let count = (all & squares[from]).count_ones() as usize;
            for direction in [line, line + DIRECTIONS / 2] {
                // A jump off the board ends where it began: on an own piece, which is no target.
                let to = usize::from(JUMP[direction][from][count]);
                let between = RAY[direction][from] & RAY[(direction + 4) % DIRECTIONS][to];
                targets |= u64::from(theirs & between == 0) << to;
            }
        }
        targets & !own
    }

    fn stuck(&self) -> bool {
        bits(self.pieces[self.side]).all(|from| self.targets(from) == 0)
    }

    #[inline]
    pub(super) fn plies(&self) -> Plies {
        if self.ending.is_some() {
            return Plies { board: *self, from: 0, movers: 0, targets: 0, pass: false };
        }
        let mut plies =
            Plies { board: *self, from: 0, movers: self.pieces[self.side], targets: 0, pass: false };
        plies.pass = !plies.advance();
        plies
    }

    /// Says why a ply may not be played.
    pub(super) fn check(&self, ply: Ply) -> Result<(), Illegal> {
        let (from, to) = match ply {
            Ply::Move(from, to) => (from, to),
            Ply::Pass if self.stuck() => return Ok(()),
            Ply::Pass => return Err(Illegal::new("pass is only for a side that has no move")),
            Ply::Place(_) => return Err(Illegal::new("a ply is two squares, from and to")),
        };
        let letter = LETTERS[self.side];
        let (source, target) = (from.index(), to.index());
        if source.max(target) >= SIZE * SIZE {
            return Err(Illegal::new("a square is not on the board"));
        }
        if self.pieces[self.side] & bit(source) == 0 {
            let there = if self.pieces[!self.side] & bit(source) == 0 {
                "it is empty"
            } else {
                "the piece there is the opponent's"
            };
            return Err(Illegal::new(format_args!(
                "there is no piece of {letter} on {}: {there}",
                name(from)
            )));
        }
        if self.targets(source) & bit(target) != 0 {
            return Ok(());
        }
        let all = self.pieces.first | self.pieces.second;
        let Some(direction) = (0..DIRECTIONS).find(|&d| RAY[d][source] & bit(target) != 0) else {
            return Err(Illegal::new(format_args!("{} and {} are not on one line", name(from), name(to))));
        };
        let count = (all & LINE[direction % 4][source]).count_ones();
        let between = RAY[direction][source] & RAY[(direction + 4) % 8][target];
        let distance = between.count_ones() + 1;
        Err(if distance != count {
            Illegal::new(format_args!(
                "the line from {} to {} holds {count} piece{}, so the move there is {count} square{} long, not {distance}",
                name(from),
                name(to),
                if count == 1 { "" } else { "s" },
                if count == 1 { "" } else { "s" },
            ))
        } else if self.pieces[self.side] & bit(target) != 0 {
            Illegal::new(format_args!("a piece of one's own is on {}", name(to)))
        } else {
            Illegal::new(format_args!("an opponent's piece stands between {} and {}", name(from), name(to)))
        })
    }

    /// Plays a legal ply.
    #[inline]
    pub(super) fn play(&mut self, ply: Ply) {
        let mover = self.side;
        match ply {
            Ply::Move(from, to) => {
                let (from, to) = (from.index(), to.index());
                self.pieces[mover] ^= bit(from) | bit(to);
                self.key ^= lines::piece_key(mover, from) ^ lines::piece_key(mover, to);
                if self.pieces[!mover] & bit(to) != 0 {
                    self.pieces[!mover] ^= bit(to);
                    self.key ^= lines::piece_key(!mover, to);
                }
                self.passes = 0;
            }
            Ply::Pass | Ply::Place(_) => self.passes = self.passes.saturating_add(1),
        }
        self.side = !mover;
        self.key ^= lines::SIDE_KEY;
        self.ending = self.judge();
    }

    /// Judges the position as if the side not to move had just moved.
    fn judge(&self) -> Option<Ending> {
        let mover = !self.side;
        let ended = |winner, reason| Some(Ending { winner, reason });
        match (connected(self.pieces[mover]), connected(self.pieces[self.side])) {
            (true, false) => ended(Some(mover), Reason::Connected),
            (false, true) => ended(Some(self.side), Reason::Suicide),
            (true, true) => {
                let winner = (self.rules.simultaneous == Simultaneous::Mover).then_some(mover);
                ended(winner, Reason::Simultaneous)
            }
            (false, false) if self.passes >= 2 => ended(None, Reason::Stalemate),
            (false, false) if self.rules.stuck == Stuck::Loss && self.stuck() => {
                ended(Some(mover), Reason::Stuck)
            }
            (false, false) => None,
        }
    }
}

/// The group under 8-adjacency that holds the lowest of the pieces; empty when there are none.
#[inline]
fn group(pieces: u64) -> u64 {
    const NOT_ROW_0: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_ROW_7: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let mut group = pieces & pieces.wrapping_neg();
    loop {
        let columns = group | group << 8 | group >> 8;
        let grown = (columns | (columns << 1 & NOT_ROW_0) | (columns >> 1 & NOT_ROW_7)) & pieces;
        if grown == group {
            return group;
        }
        group = grown;
    }
}

/// Whether all pieces form one group.
#[inline]
fn connected(pieces: u64) -> bool {
    group(pieces) == pieces
}

/// How many groups the pieces form.
#[must_use]
pub(super) fn groups(mut pieces: u64) -> u32 {
    let mut count = 0;
    while pieces != 0 {
        pieces ^= group(pieces);
        count += 1;
    }
    count
}

fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(next)
    })
}

/// The legal plies of a board, sorted as text.
#[derive(Debug, Clone)]
pub(super) struct Plies {
    board: Board,
    from: u16,
    movers: u64,
    targets: u64,
    pass: bool,
}

impl Plies {
    /// Goes on to the next piece that can move; false when there is none.
    #[inline]
    fn advance(&mut self) -> bool {
        while self.movers != 0 {
            let from = self.movers.trailing_zeros() as usize;
            self.movers &= self.movers - 1;
            self.targets = self.board.targets(from);
            if self.targets != 0 {
                self.from = from as u16;
                return true;
            }
        }
        false
    }
}

impl Iterator for Plies {
    type Item = Ply;

    #[inline]
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
