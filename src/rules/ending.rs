//! How the rules of a game end it.

use super::Side;
use std::fmt;

/// Why the rules ended a game; the word is what a log's `Termination` says.
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
}

impl Reason {
    /// Every reason, for reading and for tables.
    pub const ALL: [Reason; 5] =
        [Reason::Connected, Reason::Suicide, Reason::Simultaneous, Reason::Stuck, Reason::Stalemate];

    /// The word in logs and in the protocol's `end` line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Reason::Connected => "connected",
            Reason::Suicide => "suicide",
            Reason::Simultaneous => "simultaneous",
            Reason::Stuck => "stuck",
            Reason::Stalemate => "stalemate",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The verdict of the rules on a position that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct Ending {
    /// Who won, or nobody.
    pub winner: Option<Side>,
    /// By what.
    pub reason: Reason,
}
