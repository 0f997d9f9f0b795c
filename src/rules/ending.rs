//! Endings by the rules of a game: reason and winner.

use super::{BySide, Side};
use crate::text::words;

words! {
    /// Why the rules ended a game. [`word`](Reason::word) is what a log's `Termination` tag holds.
    Reason {
        /// `loa`: all pieces of the winner form one group.
        Connected = "connected",
        /// The ply completed only the opponent's goal.
        Suicide = "suicide",
        /// The ply completed the goals of both sides.
        Simultaneous = "simultaneous",
        /// `loa` with `stuck=loss`: the side to move has no move.
        Stuck = "stuck",
        /// `loa`: two forced passes in a row.
        Stalemate = "stalemate",
        /// `flipflop`: neither side can place a piece, and the winner has more of them.
        MostPieces = "most-pieces",
        /// `flipflop`: neither side can place a piece, and both have the same number.
        EqualPieces = "equal-pieces",
        /// `lineup`, `gekitai`: enough pieces in a row.
        Line = "line",
        /// `lineup`: no empty square is left.
        FullBoard = "full-board",
        /// `gekitai`: all pieces of the winner are on the board.
        AllPieces = "all-pieces",
    }
}

/// How the rules ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct Ending {
    /// The winner; none for a draw.
    pub winner: Option<Side>,
    /// Why the game is over.
    pub reason: Reason,
}

words! {
    /// Result of a ply that completes the goals of both sides: the rule option `simultaneous`.
    Simultaneous {
        Draw = "draw",
        Mover = "mover",
    }
}

/// The ending after a ply by `mover`, if there is one. `goals` tells which sides have reached their goal,
/// `reason` is the goal of the mover (docs/rules.md, Common to all games).
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
        (false, true) => Ending { winner: Some(!mover), reason: Reason::Suicide },
        (true, true) => Ending {
            winner: (simultaneous == Simultaneous::Mover).then_some(mover),
            reason: Reason::Simultaneous,
        },
    })
}
