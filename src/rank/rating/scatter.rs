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
    pub clusters: u64,
    /// D: the number of copies of each cluster, on average over their variances.
    pub repetition: f64,
    /// φ, of points of one bot; `None` without games.
    pub of_points: Option<f64>,
    /// φ_h, of points of the first sides; `None` without games.
    pub of_first_side: Option<f64>,
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
    /// The scatter of these games around the expected scores at these ratings. `parameters` is K,
    /// the number of estimated values.
    pub fn new(
        encounters: &Encounters,
        groups: &RatingGroups,
        at: &Values,
        parameters: usize,
    ) -> Scatter {
        let mut total = Sums::default();
        let mut variances = vec![0.0; groups.of.len()];
        for ((a, b), encounter) in encounters.iter() {
            if a == b {
                continue; // a bot's games against itself say nothing of its rating
            }
            let of_two = Sums::over(encounter, [at.advantage(a, b), at.advantage(b, a)]);
            total.clusters += of_two.clusters;
            total.points += of_two.points;
            total.first_side += of_two.first_side;
            total.variance += of_two.variance;
            total.of_copies += of_two.of_copies;
            variances[a] += of_two.variance;
            variances[b] += of_two.variance;
        }
        let repetition =
            total.of_copies.max(f64::MIN_POSITIVE) / total.variance.max(f64::MIN_POSITIVE);
        Scatter {
            clusters: total.clusters,
            repetition,
            of_points: total.ratio(total.points, repetition, parameters),
            of_first_side: total.ratio(total.first_side, repetition, parameters),
            variances,
        }
    }

    /// φ_i: a value below 1 is believed of a bot only as far as its own games could show it.
    pub fn of_bot(&self, bot: usize) -> f64 {
        let all = self.of_points.unwrap_or(1.0);
        let variance = self.variances[bot];
        if all >= 1.0 { all } else { (PRIOR_OF_BOT + variance * all) / (PRIOR_OF_BOT + variance) }
    }
}

impl Sums {
    /// The sums over an encounter. `advantages` are those of the first sides in the two games of a
    /// pair.
    fn over(encounter: &Encounter, advantages: [f64; 2]) -> Sums {
        let [there, back] = advantages.map(chances);
        let mut sums = Sums::default();
        for (cluster, occurred) in encounter.clusters() {
            let (points, first_side, variance) = match cluster {
                Cluster::Single(score) => {
                    let excess = excess(score, there);
                    (excess, excess, there[0] * there[1])
                }
                // The first sides of the two games are different bots: for one bot the second
                // excess counts with the other sign.
                Cluster::Pair([score, answer]) => {
                    let first = excess(score, there);
                    let other = excess(answer, back);
                    (first - other, first + other, there[0] * there[1] + back[0] * back[1])
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

    /// φ of these squares of excesses; `None` without games.
    fn ratio(&self, squares: f64, repetition: f64, parameters: usize) -> Option<f64> {
        let clusters = self.clusters as f64;
        let parameters = parameters as f64;
        if self.clusters == 0 {
            return None;
        }
        if clusters <= parameters {
            return Some(repetition); // the fit leaves nothing over to scatter
        }
        // As in a regression, each estimated value takes its part of the squares.
        let expected = self.variance * (1.0 - parameters / clusters);
        Some((PRIOR * repetition + squares) / (PRIOR + expected))
    }
}

/// The points of a first side with these chances of winning and losing, less those expected.
/// Written without `score - p`, which loses the digits of far favourites.
fn excess(score: Score, [p, q]: [f64; 2]) -> f64 {
    match score {
        Score::Loss => -p,
        Score::Draw => (q - p) / 2.0,
        Score::Win => q,
    }
}
