//! Gauntlet: the first bots of the configuration, the challengers, play against all others. Challengers do
//! not play each other.

use super::batch::GameBatch;

#[derive(Debug, Clone)]
pub(super) struct Gauntlet {
    bots: usize,
    challengers: usize,
    games: u32,
    rounds: u32,
    /// Round, challenger and opponent of the next pairing; none after the last.
    next: Option<(u32, usize, usize)>,
    meeting: u64,
}

impl Gauntlet {
    pub(super) fn new(bots: usize, challengers: usize, games: u32, rounds: u32) -> Gauntlet {
        Gauntlet { bots, challengers, games, rounds, next: Some((1, 0, challengers)), meeting: 0 }
    }

    pub(super) fn next(&mut self) -> Option<GameBatch> {
        let (round, challenger, opponent) = self.next?;
        let batch = GameBatch::alternating(self.meeting, round, [challenger, opponent], self.games);
        self.meeting += 1;
        self.next = if opponent + 1 < self.bots {
            Some((round, challenger, opponent + 1))
        } else if challenger + 1 < self.challengers {
            Some((round, challenger + 1, self.challengers))
        } else {
            (round < self.rounds).then(|| (round + 1, 0, self.challengers))
        };
        Some(batch)
    }
}
