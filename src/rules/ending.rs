//! Endings by the rules of a game: reason and winner.

use super::{BySide, Side};
use crate::text::words;
use std::fmt;

/// Why the rules ended a game. [`word`](Reason::word) is what a log's `Termination` tag holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// `loa`: all pieces of the winner form one group.
    Connected,
    /// The ply completed only the opponent's goal.
    Suicide,
    /// The ply completed the goals of both sides.
    Simultaneous,
    /// `loa` with `stuck=loss`: the side to move has no move.
    Stuck,
    /// `loa`: two forced passes in a row.
    Stalemate,
    /// `flipflop`: neither side can place a piece, and the winner has more of them.
    MostPieces,
    /// `flipflop`: neither side can place a piece, and both have the same number.
    EqualPieces,
    /// `lineup`, `gekitai`: enough pieces in a row.
    Line,
    /// `lineup`: no empty square is left.
    FullBoard,
    /// `gekitai`: all pieces of the winner are on the board.
    AllPieces,
    /// Another one, of a custom game: [`Position::own_reason`](crate::Position::own_reason) has
    /// its word. Here it would make every position larger.
    Own,
}

impl Reason {
    /// The reasons of arbiter's games.
    pub const ALL: [Reason; 10] = [
        Reason::Connected,
        Reason::Suicide,
        Reason::Simultaneous,
        Reason::Stuck,
        Reason::Stalemate,
        Reason::MostPieces,
        Reason::EqualPieces,
        Reason::Line,
        Reason::FullBoard,
        Reason::AllPieces,
    ];

    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Connected => "connected",
            Reason::Suicide => "suicide",
            Reason::Simultaneous => "simultaneous",
            Reason::Stuck => "stuck",
            Reason::Stalemate => "stalemate",
            Reason::MostPieces => "most-pieces",
            Reason::EqualPieces => "equal-pieces",
            Reason::Line => "line",
            Reason::FullBoard => "full-board",
            Reason::AllPieces => "all-pieces",
            Reason::Own => "own",
        }
    }

    /// The reason of a word in arbiter's games.
    pub fn named(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How the rules ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct Ending {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game is over.
    pub reason: Reason,
}

words! {
    /// Result of a ply that completes the goals of both sides: the rule option `simultaneous`.
    Simultaneous {
        /// Nobody wins.
        Draw = "draw",
        /// The side that played the ply wins.
        Mover = "mover",
    }
}

/// The ending after a ply by `mover`, if there is one. `goals` tells which sides have reached their
/// goal, `reason` is the goal of the mover (docs/reference/rules.md, Common to all games).
#[inline(always)]
pub(super) fn judge(
    mover: Side,
    goals: BySide<bool>,
    reason: Reason,
    simultaneous: Simultaneous,
) -> Option<Ending> {
    Some(match (goals[mover], goals[!mover]) {
        (false, false) => return None,
        (true, false) => Ending { winner: Some(mover), reason },
        // "A ply that completes only the opponent's goal is a suicide: the opponent wins."
        (false, true) => Ending { winner: Some(!mover), reason: Reason::Suicide },
        // "`simultaneous` says what a ply does that completes the goal of both sides." Its reason
        // is the same, whoever wins.
        (true, true) => Ending {
            winner: (simultaneous == Simultaneous::Mover).then_some(mover),
            reason: Reason::Simultaneous,
        },
    })
}
