//! Whether results scatter more or less than those of independent games (definition 9).

use super::groups::RatingGroups;
use super::likelihood::{Values, chances};
use crate::standings::{Encounter, Encounters, Score};

/// The assumed clusters of independent games that the estimate starts from: sums of squares and variances
/// begin at 10 (definition 9).
const PRIOR: f64 = 10.0;

/// The same for a single bot, for values below 1.
const PRIOR_OF_BOT: f64 = 2.5;

/// How widely results scatter, as a multiple of the variance of independent games.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scatter {
    /// G: the pairs and single games.
    pub(super) clusters: u64,
    /// φ, of points of one bot; none without games.
    pub(super) of_points: Option<f64>,
    /// φ_h, of points of the first sides; none without games.
    pub(super) of_first_side: Option<f64>,
    /// V_i: the variance of independent games, summed over the clusters of each bot.
    variances: Vec<f64>,
}

/// Sums over clusters.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    clusters: u64,
    /// Of the squares of e: points of one bot less those expected.
    points: f64,
    /// Of the squares of f: points of the first sides less those expected.
    first_side: f64,
    /// Of the variances of independent games.
    variance: f64,
}

impl Scatter {
    /// `parameters` is K, the number of estimated values.
    pub(super) fn new(
        encounters: &Encounters,
        groups: &RatingGroups,
        at: &Values,
        parameters: usize,
    ) -> Scatter {
        let mut total = Sums::default();
        let mut variances = vec![0.0; groups.of.len()];
        for ((a, b), encounter) in encounters.iter().filter(|((a, b), _)| a != b) {
            let sums = sums(encounter, [at.advantage(a, b), at.advantage(b, a)]);
            total.clusters += sums.clusters;
            total.points += sums.points;
            total.first_side += sums.first_side;
            total.variance += sums.variance;
            variances[a] += sums.variance;
            variances[b] += sums.variance;
        }
        let [clusters, parameters] = [total.clusters as f64, parameters as f64];
        let ratio = |squares: f64| {
            let estimable = clusters > parameters;
            let ratio = (PRIOR + squares) / (PRIOR + total.variance * (1.0 - parameters / clusters));
            (total.clusters > 0).then_some(if estimable { ratio } else { 1.0 })
        };
        Scatter {
            clusters: total.clusters,
            of_points: ratio(total.points),
            of_first_side: ratio(total.first_side),
            variances,
        }
    }

    /// φ_i: a value below 1 is believed of a bot only as far as its own games could show it.
    pub(super) fn of_bot(&self, bot: usize) -> f64 {
        let all = self.of_points.unwrap_or(1.0);
        let variance = self.variances[bot];
        if all >= 1.0 { all } else { (PRIOR_OF_BOT + variance * all) / (PRIOR_OF_BOT + variance) }
    }
}

/// The sums over an encounter. `advantages` are those of the first sides in the two games of a pair.
fn sums(encounter: &Encounter, advantages: [f64; 2]) -> Sums {
    let [chances, chances_back] = advantages.map(chances);
    let [own, back] = [chances, chances_back].map(|[p, q]| p * q);
    let excess = |score: Score, [p, q]: [f64; 2]| match score {
        Score::Loss => -p,
        Score::Draw => (q - p) / 2.0,
        Score::Win => q,
    };
    let mut sums = Sums::default();
    let mut add = |count: u32, points: f64, first_side: f64, variance: f64| {
        sums.clusters += u64::from(count);
        let count = f64::from(count);
        sums.points += count * points * points;
        sums.first_side += count * first_side * first_side;
        sums.variance += count * variance;
    };
    for score in Score::ALL {
        let first = excess(score, chances);
        add(encounter.singles[score as usize], first, first, own);
        for answer in Score::ALL {
            let other = excess(answer, chances_back);
            let count = encounter.pairs[score as usize][answer as usize];
            add(count, first - other, first + other, own + back);
        }
    }
    sums
}
