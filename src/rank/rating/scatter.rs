//! Whether results scatter more or less than those of independent games (definition 9).

use super::groups::RatingGroups;
use super::likelihood::{Values, chances};
use crate::standings::{Cluster, Encounter, Encounters, Score};

/// The assumed clusters of independent games that the estimate starts from: sums of squares and
/// variances begin at 10 (definition 9).
const PRIOR: f64 = 10.0;

/// The same for a single bot, for values below 1.
const PRIOR_OF_BOT: f64 = 2.5;

/// How widely results scatter, as a multiple of the variance of independent games.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scatter {
    /// G: the pairs and single games, those that repeat each other as one.
    pub(super) clusters: u64,
    /// D: the number of copies of each cluster, on average over their variances.
    pub(super) repetition: f64,
    /// φ, of points of one bot; none without games.
    pub(super) of_points: Option<f64>,
    /// φ_h, of points of the first sides; none without games.
    pub(super) of_first_side: Option<f64>,
    /// V_i: the variance of independent games, summed over the games of each bot.
    variances: Vec<f64>,
}

/// Sums over clusters.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    clusters: u64,
    /// Of the squares of E: points of one bot less those expected.
    points: f64,
    /// Of the squares of F: points of the first sides less those expected.
    first_side: f64,
    /// Of V, the variances of independent games.
    variance: f64,
    /// Of V times the number of copies.
    of_copies: f64,
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
            total.of_copies += sums.of_copies;
            variances[a] += sums.variance;
            variances[b] += sums.variance;
        }
        let clusters = total.clusters as f64;
        let parameters = parameters as f64;
        let repetition =
            total.of_copies.max(f64::MIN_POSITIVE) / total.variance.max(f64::MIN_POSITIVE);
        let ratio = |squares: f64| {
            let estimable = clusters > parameters;
            let ratio = (PRIOR * repetition + squares)
                / (PRIOR + total.variance * (1.0 - parameters / clusters));
            (total.clusters > 0).then_some(if estimable { ratio } else { repetition })
        };
        Scatter {
            clusters: total.clusters,
            repetition,
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

/// The sums over an encounter. `advantages` are those of the first sides in the two games of a
/// pair.
fn sums(encounter: &Encounter, advantages: [f64; 2]) -> Sums {
    let [chances, chances_back] = advantages.map(chances);
    let [own, back] = [chances, chances_back].map(|[p, q]| p * q);
    let excess = |score: Score, [p, q]: [f64; 2]| match score {
        Score::Loss => -p,
        Score::Draw => (q - p) / 2.0,
        Score::Win => q,
    };
    let mut sums = Sums::default();
    for (cluster, occurred) in encounter.clusters() {
        let (points, first_side, variance) = match cluster {
            Cluster::Single(score) => {
                let excess = excess(score, chances);
                (excess, excess, own)
            }
            Cluster::Pair([score, answer]) => {
                let first = excess(score, chances);
                let other = excess(answer, chances_back);
                (first - other, first + other, own + back)
            }
        };
        let copies = occurred.copies as f64;
        let squares = occurred.squares as f64;
        sums.clusters += occurred.clusters;
        sums.points += squares * points * points;
        sums.first_side += squares * first_side * first_side;
        sums.variance += copies * variance;
        sums.of_copies += squares * variance;
    }
    sums
}
