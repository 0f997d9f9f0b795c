//! Limits on the rating of a bot that is alone in its group (definition 7).

use super::groups::RatingGroups;
use super::head_to_head::HeadToHead;
use super::likelihood::{Values, ln_chance};
use super::{K, TAIL};

/// A one-sided 95 % limit on the rating of a bot that won, or lost, all its games against group 1, in Elo and
/// on the scale of group 1 (definition 7).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RatingLimit {
    /// It won all of them: its rating is at least this.
    AtLeast(f64),
    /// It lost all of them: its rating is at most this.
    AtMost(f64),
}

impl RatingLimit {
    /// The limit on a scale shifted so that `zero` becomes 0.
    pub(super) fn less(self, zero: f64) -> RatingLimit {
        match self {
            RatingLimit::AtLeast(rating) => RatingLimit::AtLeast(rating - zero),
            RatingLimit::AtMost(rating) => RatingLimit::AtMost(rating - zero),
        }
    }
}

/// Results of a lone bot against group 1. An offset is the number that the bot's rating is compared with: the
/// opponent's rating, plus or minus the first side's advantage.
#[derive(Debug, Clone, Default)]
struct LoneResults {
    won: bool,
    lost: bool,
    /// Offsets with the number of games.
    games: Vec<(f64, f64)>,
}

/// The limits of all bots; none for bots in larger groups. `at` are the ratings of group 1.
pub(super) fn limits(
    groups: &RatingGroups,
    head_to_heads: &[HeadToHead],
    at: &Values,
) -> Vec<Option<RatingLimit>> {
    let mut results = vec![LoneResults::default(); groups.of.len()];
    let alone = |bot: usize| groups.members[groups.of[bot]].len() == 1;
    for head_to_head in head_to_heads {
        for (bot, other, own) in [(head_to_head.a, head_to_head.b, 0), (head_to_head.b, head_to_head.a, 1)] {
            if !alone(bot) || groups.of[other] != 0 || alone(other) {
                continue;
            }
            let [as_first, as_second] = [head_to_head.by_first[own], head_to_head.by_first[1 - own]];
            let results = &mut results[bot];
            results.won |= as_first.first_scored() || as_second.second_scored();
            results.lost |= as_first.second_scored() || as_second.first_scored();
            results.games.push((at.ratings[other] - at.first_side, as_first.count as f64));
            results.games.push((at.ratings[other] + at.first_side, as_second.count as f64));
        }
    }
    results.into_iter().map(LoneResults::limit).collect()
}

impl LoneResults {
    fn limit(self) -> Option<RatingLimit> {
        match (self.won, self.lost) {
            (true, false) => Some(RatingLimit::AtLeast(lowest(&self.games) / K)),
            // Losing all games is winning all games with every sign reversed.
            (false, true) => {
                let turned: Vec<(f64, f64)> =
                    self.games.iter().map(|&(offset, count)| (-offset, count)).collect();
                Some(RatingLimit::AtMost(-lowest(&turned) / K))
            }
            (true, true) | (false, false) => None,
        }
    }
}

/// The rating at which the probability of winning all these games is 0.05; there is at least one game.
fn lowest(games: &[(f64, f64)]) -> f64 {
    let logarithm =
        |rating: f64| games.iter().map(|&(offset, count)| count * ln_chance(rating - offset)).sum::<f64>();
    let played = || games.iter().filter(|(_, count)| *count > 0.0);
    let total: f64 = played().map(|(_, count)| count).sum();
    // If all opponents were equal there would be a closed form; it brackets the solution with the weakest and
    // the strongest opponent.
    let plain = -(-TAIL.ln() / total).exp_m1().ln();
    let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
    for (offset, _) in played() {
        low = low.min(offset + plain);
        high = high.max(offset + plain);
    }
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if logarithm(middle) < TAIL.ln() {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_together_have_probability_one_in_twenty() {
        let one = lowest(&[(0.7, 1.0)]);
        assert!((ln_chance(one - 0.7).exp() - TAIL).abs() < 1e-12);
        let games = [(0.7, 3.0), (-1.2, 1_000_000.0), (4.0, 2.0), (9.0, 0.0)];
        let rating = lowest(&games);
        let logarithm: f64 = games.iter().map(|&(offset, count)| count * ln_chance(rating - offset)).sum();
        assert!((logarithm - TAIL.ln()).abs() < 1e-8, "{logarithm}");
    }
}
