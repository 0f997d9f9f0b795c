//! How pairings of a knockout were decided.

/// The result of a pairing of a knockout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    /// The round, from 1.
    pub round: u32,
    /// The number of the pairing in the schedule, from 0.
    pub meeting: u64,
    /// The bot that reaches the next round, or has won the tournament.
    pub winner: usize,
    /// The bot that is out.
    pub loser: usize,
    /// How it was decided.
    pub decision: Decision,
}

/// How a pairing of a knockout was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// By the points of its regular games.
    Games,
    /// By this further pair, from 1, the first one that was not level.
    FurtherPair(u32),
    /// All games were level, so the better seed won.
    Seed,
}
