//! Round-robin: all bots against all others. Each round has all pairings in the order of the configuration.

use super::batch::GameBatch;

#[derive(Debug, Clone)]
pub(super) struct RoundRobin {
    bots: usize,
    games: u32,
    rounds: u32,
    /// Round and bots of the next pairing; none after the last.
    next: Option<(u32, usize, usize)>,
    meeting: u64,
}

impl RoundRobin {
    pub(super) fn new(bots: usize, games: u32, rounds: u32) -> RoundRobin {
        RoundRobin { bots, games, rounds, next: Some((1, 0, 1)), meeting: 0 }
    }

    pub(super) fn next(&mut self) -> Option<GameBatch> {
        let (round, low, high) = self.next?;
        let batch = GameBatch::alternating(self.meeting, round, [low, high], self.games);
        self.meeting += 1;
        self.next = if high + 1 < self.bots {
            Some((round, low, high + 1))
        } else if low + 2 < self.bots {
            Some((round, low + 1, low + 2))
        } else {
            (round < self.rounds).then(|| (round + 1, 0, 1))
        };
        Some(batch)
    }
}
