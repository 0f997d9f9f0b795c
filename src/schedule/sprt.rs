//! A test of the first bot against the second: pairs one after the other until a verdict falls.

use super::Step;
use super::results::Results;
use super::stretch::{Earlier, Stretch};

#[derive(Debug, Clone)]
pub(super) struct Sprt {
    max_pairs: u32,
    ahead: u32,
    /// Pairs that have been handed out.
    pairs: u32,
}

impl Sprt {
    pub(super) fn new(max_pairs: u32, ahead: u32) -> Sprt {
        Sprt { max_pairs, ahead, pairs: 0 }
    }

    /// A pair may begin while fewer than `ahead` have begun beyond the unbroken prefix of finished pairs: so what is
    /// played in vain when the verdict falls is bounded, and the verdict itself does not depend on the concurrency.
    pub(super) fn next(&mut self, results: &Results) -> Step {
        if self.pairs == self.max_pairs {
            return Step::Over;
        }
        let played = 2 * u64::from(self.pairs);
        if u64::from(self.pairs).saturating_sub(results.prefix() / 2) >= u64::from(self.ahead) {
            return Step::Wait;
        }
        self.pairs += 1;
        let (bots, earlier) = ([0, 1], Earlier::default());
        Step::Play(Stretch { meeting: 0, round: 1, bots, earlier, played, end: played + 2 })
    }
}
