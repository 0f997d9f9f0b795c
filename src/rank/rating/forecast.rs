//! How many pairs a running SPRT still needs (definition 18).

use super::MatchStatistics;
use super::sprt::{Model, Trial, mean_of, ratio_of};

/// The least number of pairs that a forecast is made from.
const LEAST: u64 = 20;

/// Maximum of the squared coefficient of variation of the number of pairs. The estimate is that of
/// one bound; the other one cuts long tests short.
const MOST_VARIATION: f64 = 1.25;

/// A drift below this many variances of a step counts as 0, because the formula for the mean
/// divides by it.
const NO_DRIFT: f64 = 1e-4;

impl Trial {
    /// About how many pairs the test still needs. `None` before 20 pairs, after a verdict, and
    /// where the mean step of the log-likelihood ratio is not clearly off zero, which is within its
    /// standard error (definition 18).
    ///
    /// ```
    /// use arbiter_rank::rating::{Model, Sprt, Trial};
    /// let model = Model::Normalized;
    /// let sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model };
    /// let mut trial = Trial::new(sprt);
    /// for pair in 0..20 {
    ///     assert_eq!(trial.forecast(), None);
    ///     trial.add(if pair % 2 == 0 { 2 } else { 3 });
    /// }
    /// let forecast = trial.forecast().unwrap();
    /// assert!((10.0..40.0).contains(&forecast), "{forecast}");
    /// ```
    pub fn forecast(&self) -> Option<f64> {
        let count: u64 = self.counts().iter().sum();
        if count < LEAST || self.verdict().is_some() {
            return None;
        }
        let count = count as f64;
        let llr = self.llr();
        let deviation = self.step_deviation()?;
        if llr.abs() <= deviation * count.sqrt() {
            return None;
        }
        // `found` is f of the definition, `error` e², `spread` c, `step` m, `left` D.
        let variance = deviation * deviation;
        let found = llr / count;
        let error = variance / count;
        // True steps lie around 0: as far as those of the hypotheses, or as far as this one clearly
        // does.
        let spread = (variance * variance).max(found * found - error);
        let step = found * spread / (spread + error);
        let (lower, upper) = self.sprt().bounds();
        let left = if llr > 0.0 { upper - llr } else { llr - lower };
        let variation = (variance / (left * step.abs())).min(MOST_VARIATION);
        // Few tests take very long, so the median is below the mean.
        Some((mean_time((lower, upper), llr, step, variance) / (1.0 + variation).sqrt()).max(1.0))
    }

    /// The standard deviation of the step that a pair adds to the log-likelihood ratio, in the
    /// normal approximation; `None` if all pairs had the same score and the model needs their
    /// variance.
    fn step_deviation(&self) -> Option<f64> {
        let sprt = self.sprt();
        match sprt.model {
            Model::Normalized => Some(ratio_of(sprt.elo1) - ratio_of(sprt.elo0)),
            Model::Logistic => {
                let variance = MatchStatistics::of_pairs(*self.counts())?.variance;
                let distance = mean_of(sprt.elo1) - mean_of(sprt.elo0);
                (variance > 0.0).then(|| distance / variance.sqrt())
            }
        }
    }
}

/// The mean time until a Wiener process at `at`, with this drift and variance for a unit of time,
/// leaves the interval between the bounds (D. Cox and H. Miller, The Theory of Stochastic
/// Processes, 1965, on absorbing barriers).
fn mean_time((lower, upper): (f64, f64), at: f64, drift: f64, variance: f64) -> f64 {
    if drift.abs() < NO_DRIFT * variance {
        return (upper - at) * (at - lower) / variance;
    }
    if drift < 0.0 {
        // Mirrored, because the exponentials would be too large.
        return mean_time((-upper, -lower), -at, -drift, variance);
    }
    // The probability of leaving at the upper bound.
    let rate = -2.0 * drift / variance;
    let up = (rate * (at - lower)).exp_m1() / (rate * (upper - lower)).exp_m1();
    (up * (upper - at) - (1.0 - up) * (at - lower)) / drift
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::Sprt;

    #[test]
    fn the_mean_time_is_that_of_a_wiener_process() {
        let bounds = (-3.0, 2.0);
        // Without drift: the product of the distances; with a large one: the distance over the
        // drift.
        assert!((mean_time(bounds, 0.0, 0.0, 1.0) - 6.0).abs() < 1e-12);
        assert!((mean_time(bounds, 0.0, 50.0, 1.0) - 2.0 / 50.0).abs() < 1e-9);
        assert!((mean_time(bounds, 0.0, -50.0, 1.0) - 3.0 / 50.0).abs() < 1e-9);
        // The two formulas meet.
        let [with, without] = [1.01e-4, 0.99e-4].map(|drift| mean_time(bounds, 0.5, drift, 1.0));
        assert!((with - without).abs() < 1e-3, "{with} {without}");
        assert!(mean_time(bounds, 1.9, 0.2, 1.0) < mean_time(bounds, 1.0, 0.2, 1.0));
        assert!((mean_time(bounds, 0.0, -1e6, 1.0) - 3e-6).abs() < 1e-12);
    }

    #[test]
    fn far_from_both_hypotheses_it_is_the_distance_over_the_step() {
        let sprt = Sprt { elo0: 0.0, elo1: 1.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        let mut trial = Trial::new(sprt);
        let lost = [0, 0, 1, 0, 1];
        lost.into_iter().cycle().take(300).for_each(|points| trial.add(points));
        let forecast = trial.forecast().unwrap();
        let followed = lost.into_iter().cycle().take_while(|&points| {
            trial.add(points);
            trial.verdict().is_none()
        });
        let followed = followed.count() as f64;
        assert!(
            followed > 300.0 && (0.8..1.2).contains(&(forecast / followed)),
            "{forecast} {followed}"
        );
    }
}
