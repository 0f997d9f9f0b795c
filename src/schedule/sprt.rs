//! SPRT: the first bot against the second in pairs of games, until there is a verdict.

use super::NextBatch;
use super::batch::{GameBatch, PreviousGames};
use super::results::Results;

#[derive(Debug, Clone)]
pub(super) struct SprtSchedule {
    max_pairs: u32,
    ahead: u32,
    /// Pairs that have been handed out.
    pairs: u32,
}

impl SprtSchedule {
    pub(super) fn new(max_pairs: u32, ahead: u32) -> SprtSchedule {
        SprtSchedule { max_pairs, ahead, pairs: 0 }
    }

    /// A pair may start while fewer than `ahead` pairs have started beyond the unbroken prefix of finished
    /// pairs. This bounds the games that are wasted when the verdict falls, and the verdict does not depend
    /// on the concurrency.
    pub(super) fn next(&mut self, results: &Results) -> NextBatch {
        if self.pairs == self.max_pairs {
            return NextBatch::Over;
        }
        let played = 2 * u64::from(self.pairs);
        if u64::from(self.pairs).saturating_sub(results.prefix() / 2) >= u64::from(self.ahead) {
            return NextBatch::Wait;
        }
        self.pairs += 1;
        let (bots, previous) = ([0, 1], PreviousGames::default());
        NextBatch::Play(GameBatch { meeting: 0, round: 1, bots, previous, played, end: played + 2 })
    }
}
