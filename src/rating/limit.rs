//! What can be said of a bot alone in its group (definition 7).

use super::fit::{Values, ln_chance};
use super::groups::Groups;
use super::meetings::Meeting;
use super::{K, TAIL};

/// A one-sided limit of 95 % on the rating of a bot that won, or lost, all its games against group 1, in Elo and on the
/// scale of group 1 (definition 7).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// It won them all: its rating is at least this.
    AtLeast(f64),
    /// It lost them all: its rating is at most this.
    AtMost(f64),
}

impl Limit {
    /// On a scale whose zero is at `zero` of this one.
    pub(super) fn less(self, zero: f64) -> Limit {
        match self {
            Limit::AtLeast(rating) => Limit::AtLeast(rating - zero),
            Limit::AtMost(rating) => Limit::AtMost(rating - zero),
        }
    }
}

/// What a lone bot has done to group 1. An offset is what the bot's rating is compared with: the opponent's, and the
/// first side's advantage on whichever side it was.
#[derive(Debug, Clone, Default)]
struct Feats {
    won: bool,
    lost: bool,
    /// Offsets, and how many games.
    games: Vec<(f64, f64)>,
}

/// The limits of all bots, none for those in larger groups; `at` are the ratings of group 1.
pub(super) fn limits(groups: &Groups, meetings: &[Meeting], at: &Values) -> Vec<Option<Limit>> {
    let mut feats = vec![Feats::default(); groups.of.len()];
    let alone = |bot: usize| groups.members[groups.of[bot]].len() == 1;
    for meeting in meetings {
        for (bot, other, own) in [(meeting.a, meeting.b, 0), (meeting.b, meeting.a, 1)] {
            if !alone(bot) || groups.of[other] != 0 || alone(other) {
                continue;
            }
            let [as_first, as_second] = [meeting.by_first[own], meeting.by_first[1 - own]];
            let feats = &mut feats[bot];
            feats.won |= as_first.first_scored() || as_second.second_scored();
            feats.lost |= as_first.second_scored() || as_second.first_scored();
            feats.games.push((at.ratings[other] - at.first_side, as_first.count as f64));
            feats.games.push((at.ratings[other] + at.first_side, as_second.count as f64));
        }
    }
    feats.into_iter().map(Feats::limit).collect()
}

impl Feats {
    fn limit(self) -> Option<Limit> {
        match (self.won, self.lost) {
            (true, false) => Some(Limit::AtLeast(lowest(&self.games) / K)),
            // To lose to all is to win against all with every sign turned.
            (false, true) => {
                let turned: Vec<(f64, f64)> =
                    self.games.iter().map(|&(offset, count)| (-offset, count)).collect();
                Some(Limit::AtMost(-lowest(&turned) / K))
            }
            (true, true) | (false, false) => None,
        }
    }
}

/// The rating at which it has probability 0.05 to win all these games, of which there is one at least.
fn lowest(games: &[(f64, f64)]) -> f64 {
    let logarithm =
        |rating: f64| games.iter().map(|&(offset, count)| count * ln_chance(rating - offset)).sum::<f64>();
    let played = || games.iter().filter(|(_, count)| *count > 0.0);
    let total: f64 = played().map(|(_, count)| count).sum();
    // Were all opponents as weak as the weakest, or as strong as the strongest, the answer would be plain.
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
