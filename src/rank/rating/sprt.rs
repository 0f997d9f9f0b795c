//! The sequential probability ratio test of two bots by pairs of games (definition 13): A. Wald,
//! "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945),
//! 117-186, with a generalised likelihood ratio, because the distribution of a pair is not known
//! under either hypothesis.

use super::K;
use arbiter_rules::text::words;
use std::f64::consts::{LN_10, SQRT_2};

/// Replaces a count of 0, so that every score remains possible.
const ZERO_COUNT: f64 = 0.001;

/// Hypotheses are clamped to this absolute value, in Elo, because larger ones exceed floating-point
/// range; such differences do not occur.
const FURTHEST: f64 = 10_000.0;

words! {
    /// The model in which the Elo of the hypotheses is defined.
    Model {
        /// The mean score above 1/2, in standard deviations of a game, is elo · ln 10/800.
        Normalized = "normalized",
        /// The mean score is 1/(1 + 10^(-elo/400)).
        Logistic = "logistic",
    }
}

/// The verdict of an SPRT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub enum Hypothesis {
    /// The difference is `elo0`.
    H0,
    /// The difference is `elo1`.
    H1,
}

/// A test of two hypotheses on the difference of two bots (definition 13).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The difference under H0, in Elo of the model; values beyond ±10,000 are treated as ±10,000.
    pub elo0: f64,
    /// The difference under H1, likewise.
    pub elo1: f64,
    /// Allowed probability of the verdict H1 when H0 holds.
    pub alpha: f64,
    /// Allowed probability of the verdict H0 when H1 holds.
    pub beta: f64,
    /// The model of `elo0` and `elo1`.
    pub model: Model,
}

impl Sprt {
    /// The log-likelihood ratios at which H0 and H1 are accepted: Wald's approximations.
    pub fn bounds(&self) -> (f64, f64) {
        // Differences of logarithms: a quotient overflows for a very small rate.
        let [alpha, beta] = [self.alpha, self.beta];
        (beta.ln() - (1.0 - alpha).ln(), (1.0 - beta).ln() - alpha.ln())
    }

    /// The generalised log-likelihood ratio of H1 to H0, from the numbers of pairs in which the
    /// tested bot had 0, 1/2, 1, 3/2, 2 points; 0 if there are no pairs.
    pub fn llr(&self, counts: &[u64; 5]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = counts.map(|count| if count == 0 { ZERO_COUNT } else { count as f64 });
        self.loss(&counts, self.elo0) - self.loss(&counts, self.elo1)
    }

    /// The loss of log-likelihood if the difference must be `elo`.
    fn loss(&self, counts: &[f64; 5], elo: f64) -> f64 {
        let elo = elo.clamp(-FURTHEST, FURTHEST);
        match self.model {
            Model::Logistic => loss_at_mean(counts, elo),
            Model::Normalized => loss_at_ratio(*counts, ratio_of(elo)),
        }
    }

    /// The hypothesis accepted at this log-likelihood ratio, if a bound is reached.
    pub fn verdict(&self, llr: f64) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(Hypothesis::H1)
        } else if llr <= lower {
            Some(Hypothesis::H0)
        } else {
            None
        }
    }
}

/// A running SPRT: pairs are added in schedule order, and the first pair at which a bound is
/// reached decides.
///
/// ```
/// use arbiter_rank::rating::{Hypothesis, Model, Sprt, Trial};
/// let sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
/// let mut trial = Trial::new(sprt);
/// while trial.verdict().is_none() {
///     trial.add(4); // the tested bot wins both games
/// }
/// assert_eq!(trial.verdict(), Some(Hypothesis::H1));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    sprt: Sprt,
    counts: [u64; 5],
    llr: f64,
}

impl Trial {
    /// A test without pairs.
    pub fn new(sprt: Sprt) -> Trial {
        Trial { sprt, counts: [0; 5], llr: 0.0 }
    }

    /// Counts the next pair, given the points of the tested bot, doubled: 0 to 4. Pairs after the
    /// verdict are ignored.
    ///
    /// # Panics
    /// If `half_points` is greater than 4.
    pub fn add(&mut self, half_points: usize) {
        assert!(half_points < self.counts.len(), "a pair has two points");
        if self.verdict().is_none() {
            self.counts[half_points] += 1;
            self.llr = self.sprt.llr(&self.counts);
        }
    }

    /// The parameters of the test.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// Numbers of pairs by the points of the tested bot: 0, 1/2, 1, 3/2, 2.
    pub fn counts(&self) -> &[u64; 5] {
        &self.counts
    }

    /// The log-likelihood ratio after the last counted pair.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// The hypothesis that was accepted, if one was.
    pub fn verdict(&self) -> Option<Hypothesis> {
        self.sprt.verdict(self.llr)
    }
}

/// The mean score of a pair above 1/2, in standard deviations of a pair, at this normalized Elo.
pub(super) fn ratio_of(elo: f64) -> f64 {
    SQRT_2 * elo * LN_10 / 800.0
}

/// The mean score at this logistic Elo.
pub(super) fn mean_of(elo: f64) -> f64 {
    1.0 / (1.0 + (-K * elo).exp())
}

/// The loss of log-likelihood if the mean must be that of `elo`.
fn loss_at_mean(counts: &[f64; 5], elo: f64) -> f64 {
    // Each value less the mean, computed from the end that keeps precision.
    let [mean, rest] = [mean_of(elo), mean_of(-elo)];
    let mut distances = [0.0; 5];
    for (distance, a) in distances.iter_mut().zip([0.0, 0.25, 0.5, 0.75, 1.0]) {
        *distance = if elo < 0.0 { a - mean } else { rest - (1.0 - a) };
    }
    match tilt(counts, distances) {
        Some(tilted) => tilted.loss,
        None => 0.0,
    }
}

/// The loss of log-likelihood if the mean above 1/2 must be `ratio` standard deviations.
///
/// Let the ratio be t > 0. With s the deviation and c = 1/2 + t s, the condition is, for the right
/// s, that φ = a - 1/2 - t ((a - c)²/s + s)/2 has mean 0: the tangent of the condition. Every s
/// gives a tangent, whose loss is a one-dimensional convex problem. As t·sd - mean is concave, each
/// tangent's loss is at least the true loss if the counts' own ratio is below t, at most the true
/// loss if it is above, and equal for the right s. So the least, or the greatest, tangent loss is
/// searched for; there the mean under the tangent, less c, changes from positive to negative. In
/// the second case, a tangent that the counts themselves satisfy has loss 0.
fn loss_at_ratio(mut counts: [f64; 5], ratio: f64) -> f64 {
    if ratio == 0.0 {
        return loss_at_mean(&counts, 0.0);
    }
    if ratio < 0.0 {
        counts.reverse();
    }
    let t = ratio.abs();
    let below = own_ratio(&counts) < t;
    // If the counts' own ratio is above t, there is only one local optimum, which a coarse grid
    // finds.
    let stride = if below { 1 } else { PARTS as i32 };
    let mut best = if below { f64::INFINITY } else { f64::NEG_INFINITY };
    for (low, high) in deviations(t) {
        // Whether the mean under the tangent is above the tangent's own; its loss may be the best.
        // The grid is finer near both ends, where the right s is when counts are small.
        let mut rises_at = |y: f64| {
            let part = 1.0 / (1.0 + y.abs().exp()) * (high - low);
            let deviation = if y < 0.0 { low + part } else { high - part };
            let (tilted, rises) = tangent(&counts, t, deviation)?;
            let loss = if !below && tilted.theta < 0.0 { 0.0 } else { tilted.loss };
            best = if below { best.min(loss) } else { best.max(loss) };
            Some(rises)
        };
        let mut last = (-ENDS - stride, true);
        for y in (-ENDS..=ENDS + stride).step_by(stride as usize) {
            // Beyond the grid the slope points inwards.
            let rises = if y > ENDS { Some(false) } else { rises_at(f64::from(y) / PARTS) };
            let Some(rises) = rises else { continue };
            if last.1 && !rises {
                let mut left = f64::from(last.0) / PARTS;
                let mut right = f64::from(y) / PARTS;
                for _ in 0..HALVINGS {
                    let middle = f64::midpoint(left, right);
                    match rises_at(middle) {
                        Some(true) => left = middle,
                        Some(false) => right = middle,
                        None => break,
                    }
                }
            }
            last = (y, rises);
        }
    }
    if best.is_finite() { best } else { 0.0 }
}

/// Grid steps per factor of e near an end, where there can be several local optima. Optima closer
/// than a step have the same loss to about six digits.
const PARTS: f64 = 16.0;

/// Grid steps up to an end of an interval: about e^-30 of its length.
const ENDS: i32 = 480;

/// Number of bisections: to about 1e-11 of the distance to the nearer end. The loss is flat there,
/// so its error is of the order of the square.
const HALVINGS: usize = 36;

/// The counts' own ratio: the mean above 1/2 in standard deviations.
fn own_ratio(counts: &[f64; 5]) -> f64 {
    let mean = average(counts, OFFSETS);
    mean / average(counts, OFFSETS.map(|offset| (offset - mean).powi(2))).sqrt()
}

/// The mean of these values, with the counts as weights.
fn average(counts: &[f64; 5], values: [f64; 5]) -> f64 {
    let products = values.iter().zip(counts).map(|(value, count)| value * count);
    products.sum::<f64>() / counts.iter().sum::<f64>()
}

/// The scores of a pair, less 1/2.
const OFFSETS: [f64; 5] = [-0.5, -0.25, 0.0, 0.25, 0.5];

/// The standard deviations for which a distribution on the scores exists whose mean exceeds 1/2 by
/// t of them: one interval, or two if t is so large that all scores must lie near 3/4 or near 1.
fn deviations(t: f64) -> Vec<(f64, f64)> {
    let low = t / 4.0 / (1.0 + t * t); // on 1/2 and 3/4 alone
    let high = 0.5 / (1.0 + t * t).sqrt(); // on 0 and 1 alone
    // On 3/4 and 1 alone: a u² - 3/4 u + 1/8 = 0 for the mean 1/2 + u.
    let a = 1.0 + 1.0 / (t * t);
    let discriminant = 0.5625 - 0.5 * a;
    if discriminant <= 0.0 {
        return vec![(low, high)];
    }
    let left = (0.75 - discriminant.sqrt()) / (2.0 * a) / t;
    let right = (0.75 + discriminant.sqrt()) / (2.0 * a) / t;
    vec![(low, left), (right, high)]
}

/// The most likely distribution under the tangent at this deviation, and whether its mean is above
/// the tangent's own.
fn tangent(counts: &[f64; 5], t: f64, deviation: f64) -> Option<(Tilted, bool)> {
    let center = t * deviation;
    let values = OFFSETS.map(|b| b - t * ((b - center).powi(2) / deviation + deviation) / 2.0);
    let tilted = tilt(counts, values)?;
    let mean: f64 = tilted.shares.iter().zip(OFFSETS).map(|(share, b)| share * b).sum();
    Some((tilted, mean > center))
}

/// The most likely distribution under a linear condition.
struct Tilted {
    /// The loss of log-likelihood caused by the condition.
    loss: f64,
    /// The Lagrange multiplier; positive if the counts' own mean is positive and must decrease.
    theta: f64,
    shares: [f64; 5],
}

/// The distribution of greatest likelihood under which the values have mean 0: each share is
/// divided by 1 + θ·value, with θ chosen accordingly (the empirical likelihood of A. Owen,
/// Biometrika 75, 1988, 237-249; for the test, proposition 1.1 of M. Van den Bergh, "Comparing the
/// approximations for the GLLR"). `None` if no distribution has mean 0, because all values have the
/// same sign.
fn tilt(counts: &[f64; 5], values: [f64; 5]) -> Option<Tilted> {
    let least = values.into_iter().fold(0.0, f64::min);
    let most = values.into_iter().fold(0.0, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let scale = most.max(-least);
    let values = values.map(|value| value / scale);
    // The mean decreases from one pole to the other.
    let mut low = -1.0 / (most / scale);
    let mut high = -1.0 / (least / scale);
    let mut theta = 0.0;
    for round in 1..=400 {
        let mut mean = 0.0;
        let mut fall = 0.0;
        for (count, value) in counts.iter().zip(values) {
            let part = value / (1.0 + theta * value);
            mean += count * part;
            fall += count * part * part;
        }
        if mean == 0.0 {
            break;
        }
        if mean > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        // Newton's method, or bisection where Newton leaves the interval, and in every fourth
        // round.
        let newton = theta + mean / fall;
        let middle = f64::midpoint(low, high);
        let next = if newton > low && newton < high && round % 4 != 0 { newton } else { middle };
        if next <= low || next >= high || (next - theta).abs() <= 1e-15 * theta.abs() {
            break;
        }
        theta = next;
    }
    let total: f64 = counts.iter().sum();
    let mut tilted = Tilted { loss: 0.0, theta, shares: [0.0; 5] };
    for ((count, value), share) in counts.iter().zip(values).zip(&mut tilted.shares) {
        tilted.loss += count * (theta * value).ln_1p();
        *share = count / total / (1.0 + theta * value);
    }
    Some(tilted)
}

#[cfg(test)]
mod tests;
