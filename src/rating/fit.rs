//! The maximum of the likelihood by Newton's method (definition 8).

use super::K;
use super::information::Information;
use super::likelihood::{Likelihood, Values};

/// The search ends when no rating changes by more than this, in Elo (definition 8).
const STILL: f64 = 1e-9;

/// Below this step size, in Elo, Newton's method converges quadratically. A step that does not shrink is
/// rounding error, which can exceed `STILL` when results are lopsided.
const DWINDLING: f64 = 1e-4;

/// The step limit of the second attempt, in logarithms of odds.
const SHORT: f64 = 2.0;

/// The maximum and the information there; none if it is not found in `steps` steps (definition 8).
///
/// Unlimited steps converge fast in ladders of many bots. Where few games stand beside very many, they can
/// diverge into flat regions; then the search starts again with limited steps.
pub(super) fn maximize(likelihood: &Likelihood<'_>, steps: usize) -> Option<(Values, Information)> {
    [f64::INFINITY, SHORT].into_iter().find_map(|stride| newton(likelihood, stride, steps))
}

/// Newton's method with steps in which no advantage changes by more than `stride`.
fn newton(likelihood: &Likelihood<'_>, stride: f64, steps: usize) -> Option<(Values, Information)> {
    let mut at = Values::zeros(likelihood.groups.of.len());
    let mut last = f64::INFINITY;
    for _ in 0..steps {
        let gradient = likelihood.gradient(&at);
        // A damped step is short without being near the maximum, so it does not end the search.
        if let Some(information) = Information::of(likelihood, &at, 0.0) {
            let step = information.solve(likelihood.groups, &gradient);
            let size = step.largest() / K;
            if size < STILL || (size < DWINDLING && size > last / 2.0) {
                return Some((at.plus(1.0, &step), information));
            }
            last = size;
            at = line_search(likelihood, at, &step, stride);
        } else {
            let damped = [1e-12, 1e-9, 1e-6, 1e-3, 1.0]
                .iter()
                .find_map(|&part| Information::of(likelihood, &at, part))?;
            at = line_search(likelihood, at, &damped.solve(likelihood.groups, &gradient), stride);
        }
    }
    None
}

/// Halves a step until it raises the likelihood.
fn line_search(likelihood: &Likelihood<'_>, at: Values, step: &Values, stride: f64) -> Values {
    let far =
        likelihood.games().map(|(first, second, _)| step.advantage(first, second).abs()).fold(0.0, f64::max);
    let mut before = None;
    let mut part = (stride / far).min(1.0);
    loop {
        let there = at.plus(part, step);
        // If no advantage changes by more than 1, the curvature changes by at most a factor of e, and a
        // Newton step is known to gain. Then the likelihoods, which differ by less than rounding, are not
        // compared.
        if part * far <= 1.0
            || likelihood.logarithm(&there) > *before.get_or_insert_with(|| likelihood.logarithm(&at))
        {
            return there;
        }
        part /= 2.0;
    }
}
