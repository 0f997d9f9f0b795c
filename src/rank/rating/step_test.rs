//! Whether a bot scores what a step asks of it: a test that may be looked at after every pair
//! (definition 20).
//!
//! It is a test by betting: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random
//! variables by betting", Journal of the Royal Statistical Society B 86 (2024), 1-27. A player
//! whose stakes are fair if the bot scores just what is asked hardly ever multiplies the capital by
//! 1 / `wrong` (Ville's inequality), however long both play.

use arbiter_rules::text::words;

/// The number of stakes that each side's capital is divided among.
const STAKES: usize = 8;

words! {
    /// The verdict on a bot at a step.
    #[must_use]
    StepVerdict {
        /// It scores what is asked, or more.
        Passed = "passed",
        /// It scores less.
        NotPassed = "not passed",
    }
}

/// What a step asks, and how sure a verdict is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepRule {
    /// The share of the points that is asked: above 0 and below 1.
    pub score: f64,
    /// The most probability of a wrong verdict, however often and for however long is looked: above
    /// 0, at most 0.5.
    pub wrong: f64,
}

/// A running test of a bot against a step; pairs are added in schedule order.
///
/// ```
/// use arbiter_rank::rating::{StepRule, StepTest, StepVerdict};
/// let mut test = StepTest::new(StepRule { score: 0.5, wrong: 0.05 });
/// while test.verdict().is_none() {
///     test.add(4); // the bot wins both games
/// }
/// assert_eq!((test.verdict(), test.pairs()), (Some(StepVerdict::Passed), 6));
/// assert!((0.95..0.96).contains(&test.confidence().unwrap()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StepTest {
    rule: StepRule,
    counts: [u64; 5],
    /// Of the test whether the bot scores more, and of the test whether it scores less.
    capitals: [Capital; 2],
    verdict: Option<StepVerdict>,
}

impl StepTest {
    /// A forecast looks no further than so many pairs.
    pub const FURTHEST: u64 = 1_000_000;

    /// A test without pairs.
    pub fn new(rule: StepRule) -> StepTest {
        StepTest { rule, counts: [0; 5], capitals: [Capital::default(); 2], verdict: None }
    }

    /// Counts the next pair, given the points of the bot, doubled: 0 to 4. A verdict stands; pairs
    /// after it can only raise its confidence.
    ///
    /// # Panics
    /// If `half_points` is greater than 4.
    pub fn add(&mut self, half_points: usize) {
        self.counts[half_points] += 1;
        for (capital, payout) in self.capitals.iter_mut().zip(self.rule.payouts(half_points)) {
            capital.play(payout);
        }
        for (verdict, capital) in StepVerdict::ALL.into_iter().zip(&self.capitals) {
            if self.verdict.is_none() && capital.most * self.rule.wrong >= 1.0 {
                self.verdict = Some(verdict);
            }
        }
    }

    /// Numbers of pairs by the points of the bot: 0, 1/2, 1, 3/2, 2.
    pub fn counts(&self) -> &[u64; 5] {
        &self.counts
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The share of the points that the bot has; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        let [_, one, two, three, four] = self.counts;
        let half_points = one + 2 * two + 3 * three + 4 * four;
        (self.pairs() > 0).then(|| half_points as f64 / 4.0 / self.pairs() as f64)
    }

    /// The verdict, if there is one.
    pub fn verdict(&self) -> Option<StepVerdict> {
        self.verdict
    }

    /// How sure the verdict is: a bot of which it is wrong gets one as sure with a probability of
    /// at most 1 less this. `None` without a verdict.
    pub fn confidence(&self) -> Option<f64> {
        let capital = &self.capitals[self.verdict? as usize];
        Some(1.0 - 1.0 / capital.most)
    }

    /// How many more pairs lead to a verdict if they have the scores of those so far, in the same
    /// shares. `None` with a verdict, without pairs, and if the bot scores just what is asked or
    /// takes more than a million pairs.
    ///
    /// ```
    /// use arbiter_rank::rating::{StepRule, StepTest};
    /// let mut test = StepTest::new(StepRule { score: 0.5, wrong: 0.05 });
    /// [4, 4].into_iter().for_each(|half_points| test.add(half_points));
    /// assert_eq!(test.forecast(), Some(4)); // six pairs, all of them won
    /// ```
    pub fn forecast(&self) -> Option<u64> {
        if self.pairs() == 0 || self.verdict.is_some() || !self.is_enough(Self::FURTHEST) {
            return None;
        }
        // The logarithm is convex in the number of pairs, so what is enough stays enough.
        let mut too_few = 0;
        let mut enough = Self::FURTHEST;
        while enough - too_few > 1 {
            let middle = u64::midpoint(too_few, enough);
            if self.is_enough(middle) {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        Some(enough)
    }

    /// Whether there is a verdict after so many more pairs with the same shares of the scores.
    fn is_enough(&self, more: u64) -> bool {
        let times = 1.0 + more as f64 / self.pairs() as f64;
        let needed = -self.rule.wrong.ln();
        self.log_capital(0, times) >= needed || self.log_capital(1, times) >= needed
    }

    /// The logarithm of a capital if the pairs were so many times as many.
    fn log_capital(&self, side: usize, times: f64) -> f64 {
        let mut logs = [0.0; STAKES];
        for (stake, log) in (1..).zip(&mut logs) {
            for (half_points, count) in self.counts.into_iter().enumerate() {
                if count > 0 {
                    let payout = self.rule.payouts(half_points)[side];
                    *log += times * count as f64 * growth(stake, payout).ln();
                }
            }
            *log -= (STAKES as f64).ln();
        }
        // The parts themselves may be too large or too small for a number: only their ratios to the
        // largest one are taken.
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most.is_finite() {
            most + logs.iter().map(|log| (log - most).exp()).sum::<f64>().ln()
        } else {
            most
        }
    }
}

impl StepRule {
    /// What a stake of 1 pays after a pair: that the bot scores more than is asked, and that it
    /// scores less. If that is wrong, neither pays more than 1 in the mean.
    fn payouts(self, half_points: usize) -> [f64; 2] {
        let score = half_points as f64 / 4.0;
        [score / self.score, (1.0 - score) / (1.0 - self.score)]
    }
}

/// The factor by which the capital of a stake changes: so many parts of [`STAKES`] are staked, the
/// rest is kept.
fn growth(stake: usize, payout: f64) -> f64 {
    let part = stake as f64 / STAKES as f64;
    1.0 - part + part * payout
}

/// The capital of a player who began with 1. It is changed by multiplication alone, so that it is
/// the same on all machines.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Capital {
    parts: [f64; STAKES],
    /// The most that it was.
    most: f64,
}

impl Default for Capital {
    fn default() -> Capital {
        Capital { parts: [1.0 / STAKES as f64; STAKES], most: 1.0 }
    }
}

impl Capital {
    fn play(&mut self, payout: f64) {
        for (stake, part) in (1..).zip(&mut self.parts) {
            *part *= growth(stake, payout);
        }
        self.most = self.most.max(self.parts.iter().sum());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn test_of(rule: StepRule, pairs: &[usize]) -> StepTest {
        let mut test = StepTest::new(rule);
        for &half_points in pairs {
            test.add(half_points);
        }
        test
    }

    /// The exact probability of this verdict within so many pairs, if a pair has these
    /// probabilities of its points.
    fn probability_of(
        rule: StepRule,
        chances: [f64; 5],
        pairs: usize,
        verdict: StepVerdict,
    ) -> f64 {
        // Capitals follow from the counts, whatever the order was.
        let mut running = HashMap::from([([0; 5], (1.0, StepTest::new(rule)))]);
        let mut found = 0.0;
        for _ in 0..pairs {
            let mut next: HashMap<[u64; 5], (f64, StepTest)> = HashMap::new();
            for (probability, test) in running.into_values() {
                for (half_points, chance) in
                    chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0)
                {
                    let mut test = test.clone();
                    test.add(half_points);
                    let probability = probability * chance;
                    match test.verdict() {
                        Some(reached) if reached == verdict => found += probability,
                        Some(_) => {}
                        None => next.entry(test.counts).or_insert((0.0, test)).0 += probability,
                    }
                }
            }
            running = next;
        }
        found
    }

    /// The exact probabilities of wrong verdicts at the least favourable bot, which scores just
    /// what is asked: with games that are won or lost, with draws, and with pairs whose games end
    /// alike.
    #[test]
    fn a_wrong_verdict_is_as_rare_as_is_asked() {
        for score in [0.5, 0.8] {
            let (lost, won): (f64, f64) = (1.0 - score, score);
            let games = [lost * lost, 0.0, 2.0 * lost * won, 0.0, won * won];
            let draw = 0.6 * lost.min(won);
            let [low, high] = [lost - draw / 2.0, won - draw / 2.0];
            let drawn = [
                low * low,
                2.0 * low * draw,
                draw * draw + 2.0 * low * high,
                2.0 * draw * high,
                high * high,
            ];
            let alike = [lost, 0.0, 0.0, 0.0, won];
            for (chances, pairs) in [(games, 60), (drawn, 26), (alike, 60)] {
                for verdict in StepVerdict::ALL {
                    let rule = StepRule { score, wrong: 0.05 };
                    let found = probability_of(rule, chances, pairs, verdict);
                    assert!(
                        0.0 < found && found <= 0.05,
                        "{score} {chances:?} {verdict:?}: {found}"
                    );
                }
            }
        }
    }

    /// Where four fifths are asked, "four of five wins" passes a bot that scores one half in 19 %
    /// of cases.
    #[test]
    fn four_of_five_wins_pass_the_wrong_bot() {
        let wins = |games: i32| 0.5_f64.powi(games);
        assert!((5.0 * wins(5) + wins(5) - 0.1875).abs() < 1e-12);
        let rule = StepRule { score: 0.8, wrong: 0.05 };
        let chances = [0.25, 0.0, 0.5, 0.0, 0.25];
        assert!(probability_of(rule, chances, 60, StepVerdict::Passed) < 0.001);
        assert!(probability_of(rule, chances, 60, StepVerdict::NotPassed) > 0.999);
    }

    #[test]
    fn clear_bots_take_few_pairs() {
        let pairs = |score: f64, half_points: usize| {
            let mut test = StepTest::new(StepRule { score, wrong: 0.05 });
            while test.verdict().is_none() {
                test.add(half_points);
            }
            (test.pairs(), test.verdict())
        };
        let (passed, not_passed) = (Some(StepVerdict::Passed), Some(StepVerdict::NotPassed));
        assert_eq!((pairs(0.5, 4), pairs(0.5, 0)), ((6, passed), (6, not_passed)));
        assert_eq!((pairs(0.8, 4), pairs(0.8, 0)), ((19, passed), (3, not_passed)));
        assert_eq!(pairs(0.8, 2).1, not_passed);
        assert_eq!(test_of(StepRule { score: 0.5, wrong: 0.05 }, &[2; 1000]).verdict(), None);
    }

    proptest! {
        #[test]
        fn what_follows_a_verdict_does_not_change_it(pairs in prop::collection::vec(0..5_usize, 1..200), score in 0.05..0.95) {
            let rule = StepRule { score, wrong: 0.05 };
            let (mut test, mut verdict, mut sure) = (StepTest::new(rule), None, None);
            for &half_points in &pairs {
                test.add(half_points);
                prop_assert!(verdict.is_none() || test.verdict() == verdict);
                prop_assert!(test.confidence() >= sure);
                prop_assert!(test.confidence().is_none_or(|share| (0.95..=1.0).contains(&share)));
                (verdict, sure) = (test.verdict(), test.confidence());
            }
        }

        #[test]
        fn the_other_side_is_the_mirror(pairs in prop::collection::vec(0..5_usize, 1..100), part in 1..16_u32) {
            let score = f64::from(part) / 16.0; // so that 1 - score is exact
            let mirrored: Vec<usize> = pairs.iter().map(|half_points| 4 - half_points).collect();
            let one = test_of(StepRule { score, wrong: 0.05 }, &pairs);
            let other = test_of(StepRule { score: 1.0 - score, wrong: 0.05 }, &mirrored);
            let turned = other.verdict().map(|verdict| match verdict {
                StepVerdict::Passed => StepVerdict::NotPassed,
                StepVerdict::NotPassed => StepVerdict::Passed,
            });
            prop_assert_eq!((one.verdict(), one.forecast()), (turned, other.forecast()));
        }

        /// The forecast is the number of pairs that a bot needs that goes on as before.
        #[test]
        fn a_forecast_comes_true_if_the_score_stays(pattern in prop::collection::vec(0..5_usize, 1..6), score in 0.1..0.9) {
            let mut test = test_of(StepRule { score, wrong: 0.05 }, &pattern);
            let Some(forecast) = test.forecast().filter(|more| *more < 3_000) else { return Ok(()) };
            let more = pattern.iter().cycle().take_while(|&&half_points| {
                test.add(half_points);
                test.verdict().is_none()
            });
            let more = more.count() as u64 + 1;
            // Within a repetition of the pattern the score is not the same.
            let length = pattern.len() as u64;
            prop_assert!(more.abs_diff(forecast) <= 3 * length + forecast / 10, "{} {}", more, forecast);
        }
    }

    #[test]
    fn endless_games_give_no_infinite_number() {
        let rule = StepRule { score: 0.5, wrong: 0.05 };
        for half_points in [0, 4] {
            let test = test_of(rule, &[half_points; 5_000]);
            assert_eq!((test.confidence(), test.forecast()), (Some(1.0), None));
        }
        let even = test_of(rule, &[[0, 4]; 2_000].concat());
        assert_eq!((even.verdict(), even.forecast()), (None, None));
    }
}
