//! Statistics of a match of two bots from the counts of its games or pairs (definition 12).

use super::Z;
use super::normal::normal_cdf;
use std::f64::consts::LN_10;

/// The probability of winning all games at the one-sided 95 % limit (definition 12).
const TAIL: f64 = 0.05;

/// Statistics of one bot against another, from the first one's view (definition 12). Elo is
/// logistic Elo, nElo normalized Elo. If the variance is 0, there are no intervals, and what
/// depends on them is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MatchStatistics {
    /// Mean score of a game, from 0 to 1.
    pub score: f64,
    /// Variance of the score of a game, or of a pair as a share of its two points.
    pub variance: f64,
    /// Standard error of `score`.
    pub standard_error: f64,
    /// The difference in Elo; `None` if all games were won or all were lost.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval; `None` if it is minus infinity.
    pub elo_low: Option<f64>,
    /// The upper end of its 95 % interval; `None` if it is infinity.
    pub elo_high: Option<f64>,
    /// Half the width of the interval; `None` if one of its ends is infinite.
    pub elo_error: Option<f64>,
    /// The difference in normalized Elo.
    pub nelo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority: the probability that the bot is the stronger one.
    pub los: Option<f64>,
    /// If all games were won: the Elo at which that has probability 0.05.
    pub elo_at_least: Option<f64>,
    /// If all games were lost: the Elo at which that has probability 0.05.
    pub elo_at_most: Option<f64>,
}

impl MatchStatistics {
    /// From the numbers of games lost, drawn and won; `None` if there are no games.
    pub fn of_games(counts: [u64; 3]) -> Option<MatchStatistics> {
        MatchStatistics::from_counts(counts, 1.0)
    }

    /// From the numbers of pairs in which the bot had 0, 1/2, 1, 3/2, 2 points; `None` if there are
    /// no pairs.
    pub fn of_pairs(counts: [u64; 5]) -> Option<MatchStatistics> {
        MatchStatistics::from_counts(counts, 2.0)
    }

    /// From counts of the possible scores, in even steps from 0 to 1.
    fn from_counts<const N: usize>(counts: [u64; N], games_a_unit: f64) -> Option<MatchStatistics> {
        let all: u64 = counts.iter().sum();
        if all == 0 {
            return None;
        }
        let units = all as f64;
        let last = (N - 1) as f64;
        let mut score = 0.0;
        for (step, count) in counts.into_iter().enumerate() {
            score += step as f64 / last * (count as f64 / units);
        }
        if counts.contains(&all) {
            return Some(MatchStatistics::without_variance(score, games_a_unit * units));
        }
        let mut variance = 0.0;
        for (step, count) in counts.into_iter().enumerate() {
            variance += count as f64 / units * (step as f64 / last - score).powi(2);
        }
        let standard_error = (variance / units).sqrt();
        let [elo_low, elo_high] = [score - Z * standard_error, score + Z * standard_error].map(elo);
        // The standard deviation of a single game: the mean of two games has half the variance.
        let deviation = (variance * games_a_unit).sqrt();
        Some(MatchStatistics {
            score,
            variance,
            standard_error,
            elo: elo(score),
            elo_low,
            elo_high,
            elo_error: elo_low.zip(elo_high).map(|(low, high)| (high - low) / 2.0),
            nelo: Some(nelo(score - 0.5, deviation)),
            nelo_error: Some(nelo(Z * standard_error, deviation)),
            los: Some(normal_cdf((score - 0.5) / standard_error)),
            ..MatchStatistics::default()
        })
    }

    /// The statistics if every unit had the same score.
    fn without_variance(score: f64, games: f64) -> MatchStatistics {
        // Elo(s) of s = 0.05^(1/games), computed without s, which may be too near to 1.
        let limit = -400.0 * (-TAIL.ln() / games).exp_m1().log10();
        MatchStatistics {
            score,
            elo: elo(score),
            los: (score == 0.5).then_some(0.5),
            elo_at_least: (score == 1.0).then_some(limit),
            elo_at_most: (score == 0.0).then_some(-limit),
            ..MatchStatistics::default()
        }
    }
}

/// The Elo at which this score is expected; `None` outside of (0, 1).
fn elo(score: f64) -> Option<f64> {
    if score <= 0.0 || score >= 1.0 {
        return None;
    }
    // This form gives 0 and not -0 for an even score.
    Some(400.0 * (score / (1.0 - score)).log10())
}

/// Normalized Elo of a mean score that exceeds 1/2 by `excess`, with this standard deviation of a
/// game (M. Van den Bergh, "Comments on normalized Elo", section 2).
fn nelo(excess: f64, deviation: f64) -> f64 {
    excess / deviation * 800.0 / LN_10
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_games_give_no_statistics() {
        assert_eq!(MatchStatistics::of_games([0; 3]), None);
        assert_eq!(MatchStatistics::of_pairs([0; 5]), None);
    }

    #[test]
    fn all_won_gives_a_limit() {
        let won = MatchStatistics::of_games([0, 0, 10]).unwrap();
        // 0.05^(1/10) = 0.741134449…
        assert!((won.elo_at_least.unwrap() - 182.731).abs() < 0.01, "{won:?}");
        assert_eq!(
            (won.elo, won.nelo, won.los, won.elo_error, won.elo_at_most),
            (None, None, None, None, None)
        );
        assert_eq!(
            MatchStatistics::of_pairs([0, 0, 0, 0, 5]).unwrap().elo_at_least,
            won.elo_at_least
        );
        let lost = MatchStatistics::of_pairs([5, 0, 0, 0, 0]).unwrap();
        assert_eq!(lost.elo_at_most, won.elo_at_least.map(|limit| -limit));
        assert_eq!(lost.elo_at_least, None);
        let single = MatchStatistics::of_games([0, 0, 1]).unwrap();
        assert!((single.elo_at_least.unwrap() - 400.0 * (0.05_f64 / 0.95).log10()).abs() < 1e-9);
    }

    #[test]
    fn all_alike_has_no_width() {
        let drawn = MatchStatistics::of_games([0, 9, 0]).unwrap();
        assert_eq!((drawn.elo, drawn.los), (Some(0.0), Some(0.5)));
        assert_eq!(
            (drawn.elo_low, drawn.elo_high, drawn.elo_error, drawn.nelo),
            (None, None, None, None)
        );
        let quarter = MatchStatistics::of_pairs([0, 7, 0, 0, 0]).unwrap();
        assert!((quarter.elo.unwrap() + 400.0 * 3_f64.log10()).abs() < 1e-9);
        assert_eq!((quarter.los, quarter.elo_at_most, quarter.elo_at_least), (None, None, None));
    }

    proptest! {
        #[test]
        fn the_opponent_sees_the_same_from_the_other_side(counts in prop::array::uniform5(0..50_u64)) {
            let mut turned = counts;
            turned.reverse();
            let (Some(own), Some(other)) = (MatchStatistics::of_pairs(counts), MatchStatistics::of_pairs(turned)) else {
                prop_assert_eq!(counts, [0; 5]);
                return Ok(());
            };
            let near = |a: Option<f64>, b: Option<f64>, sum: f64| match (a, b) {
                (Some(a), Some(b)) => (a + b - sum).abs() < 1e-7,
                (a, b) => a.is_none() && b.is_none(),
            };
            prop_assert!(near(own.elo, other.elo, 0.0));
            prop_assert!(near(own.elo_low, other.elo_high, 0.0));
            prop_assert!(near(own.nelo, other.nelo, 0.0));
            prop_assert!(near(own.los, other.los, 1.0));
            prop_assert!(near(own.elo_at_least, other.elo_at_most, 0.0));
            let figures = [own.elo, own.elo_low, own.elo_high, own.elo_error, own.nelo, own.nelo_error, own.los];
            prop_assert!(figures.into_iter().flatten().all(f64::is_finite));
        }
    }
}
