//! Everybody against everybody: rounds, in each of them the pairings in the order of the configuration.

use super::stretch::Stretch;

#[derive(Debug, Clone)]
pub(super) struct RoundRobin {
    bots: usize,
    games: u32,
    rounds: u32,
    /// Round and bots of the next pairing.
    next: Option<(u32, usize, usize)>,
    meeting: u64,
}

impl RoundRobin {
    pub(super) fn new(bots: usize, games: u32, rounds: u32) -> RoundRobin {
        RoundRobin { bots, games, rounds, next: Some((1, 0, 1)), meeting: 0 }
    }

    pub(super) fn next(&mut self) -> Option<Stretch> {
        let (round, low, high) = self.next?;
        let stretch = Stretch::alternating(self.meeting, round, [low, high], self.games);
        self.meeting += 1;
        self.next = if high + 1 < self.bots {
            Some((round, low, high + 1))
        } else if low + 2 < self.bots {
            Some((round, low + 1, low + 2))
        } else {
            (round < self.rounds).then(|| (round + 1, 0, 1))
        };
        Some(stretch)
    }
}
