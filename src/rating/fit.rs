//! The ratings by Newton's method (definitions 6 and 7).

use super::K;
use super::game_graph::HeadToHead;
use super::groups::RatingGroups;
use super::information::{Information, InformationFrom};
use super::likelihood::{Likelihood, Values};

/// The search ends when no value changes by more than this, in Elo (definition 7).
const STILL: f64 = 1e-7;

/// Maximum number of Newton steps (definition 7). They suffice by far: the function is strictly concave, and
/// the virtual draws keep its maximum near.
const STEPS: usize = 200;

/// The values of greatest likelihood; ratings have mean 0 in each group.
pub(super) fn maximize(likelihood: &Likelihood<'_>, groups: &RatingGroups) -> Values {
    let mut at = Values::zeros(groups.of.len());
    for _ in 0..STEPS {
        let information = Information::new(likelihood, groups, &at, InformationFrom::GamesAndDraws);
        let step = information.solve(groups, &likelihood.gradient(&at));
        let found = step.largest() / K < STILL;
        at = line_search(likelihood, at, &step);
        if found {
            break;
        }
    }
    at
}

/// Halves a step until it raises the likelihood.
fn line_search(likelihood: &Likelihood<'_>, at: Values, step: &Values) -> Values {
    let far = |edge: &HeadToHead| edge.games().map(|(first, second, _)| step.advantage(first, second).abs());
    let far = likelihood.graph.edges.iter().flat_map(far).fold(0.0, f64::max);
    let mut before = None;
    let mut part = 1.0;
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
