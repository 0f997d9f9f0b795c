//! Why a ply is illegal: the rule that it breaks, with the sentence for it.

use super::short_text::ShortText;
use crate::text::counted;
use std::fmt;

/// A rule of docs/reference/rules.md that a ply breaks in a position.
///
/// [`Display`](fmt::Display) writes the sentence that the bot's author reads. A variant is needed
/// only for a rule that marking or a test tells from others; [`Other`](Illegal::Other) serves for
/// the rest.
///
/// ```
/// use arbiter_rules::{Illegal, Ruleset};
/// let loa = Ruleset::named("loa", "").unwrap();
/// let why = loa.start().check(loa.read_ply("a1a4").unwrap()).unwrap_err();
/// assert!(matches!(why, Illegal::WrongDistance { pieces: 6, distance: 3, .. }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// A ply of another game or of another board; no text is read as one.
    #[error("there is no such ply in this game")]
    Unknown,
    /// `loa`, `flipflop`: a pass, which only these sides may choose.
    #[error("pass is only for {0}")]
    Pass(&'static str),
    /// `lineup`, `gekitai`: a piece is put on another one.
    #[error("there is a piece on {0}")]
    Occupied(SquareName),
    /// `lineup`: a piece is put on a block.
    #[error("{0} is blocked")]
    Blocked(SquareName),
    /// `flipflop`: a piece is put on another one.
    #[error("square {0} is not empty")]
    NotEmpty(SquareName),
    /// `flipflop`: a first piece must trap a line horizontally or vertically.
    #[error("a first piece on {0} traps no line horizontally or vertically")]
    NoStraightLine(SquareName),
    /// `flipflop`: a second piece must trap a line diagonally.
    #[error("a second piece on {0} traps no line diagonally")]
    NoDiagonalLine(SquareName),
    /// `loa`: the square that the side of this letter moves from is empty.
    #[error("there is no piece of {letter} on {from}: it is empty")]
    NoPiece {
        /// The letter of the side to move.
        letter: char,
        /// Where the move begins.
        from: SquareName,
    },
    /// `loa`: the piece that the side of this letter moves is not its own.
    #[error("there is no piece of {letter} on {from}: the piece there is the opponent's")]
    OpponentsPiece {
        /// The letter of the side to move.
        letter: char,
        /// Where the move begins.
        from: SquareName,
    },
    /// `loa`: the move follows no row, column or diagonal, or stays on its square.
    #[error("{from} and {to} are not on one line")]
    NotOnOneLine {
        /// Where the move begins.
        from: SquareName,
        /// Where it ends.
        to: SquareName,
    },
    /// `loa`: a move is as long as its whole line has pieces.
    #[error(
        "the line from {from} to {to} holds {}, so the move there is {} long, not {distance}",
        counted(*.pieces as u64, "piece"),
        counted(*.pieces as u64, "square")
    )]
    WrongDistance {
        /// Where the move begins.
        from: SquareName,
        /// Where it ends.
        to: SquareName,
        /// The pieces on the line, of both sides.
        pieces: usize,
        /// The length of the move in squares.
        distance: usize,
    },
    /// `loa`: the move ends on a piece of the side of this letter, which makes it.
    #[error("{letter}'s own piece is on {to}")]
    OntoOwnPiece {
        /// The letter of the side to move.
        letter: char,
        /// Where the move ends.
        to: SquareName,
    },
    /// `loa`: the move jumps over a piece of the opponent.
    #[error("an opponent's piece stands between {from} and {to}")]
    OverOpponent {
        /// Where the move begins.
        from: SquareName,
        /// Where it ends.
        to: SquareName,
    },
    /// A rule of a custom game, or one that needs no variant.
    #[error("{0}")]
    Other(String),
}

/// The name of a square as people write it: `c3`, in `flipflop` a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SquareName(pub(super) ShortText);

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
