//! The ratings by Newton's method (definitions 6 and 7).

use super::K;
use super::groups::RatingGroups;
use super::information::{Information, InformationFrom};
use super::likelihood::{Likelihood, Values};

/// Maximum number of Newton steps (definition 7). They suffice by far: the function is strictly
/// concave, and the virtual draws keep its maximum near.
const STEPS: usize = 200;

/// The information is computed anew when no value of it may be right within a factor of e to the
/// power of this any more: when the advantage in some game has changed by so much. Within it a step
/// by the information of before gains as well, and costs the square of the number of bots and not
/// the cube.
const NEAR: f64 = 0.3;

/// The values of greatest likelihood, searched from these on until no value changes by more than
/// `still`, in Elo. The mean rating of each group without anchors stays.
pub(super) fn maximize(
    likelihood: &Likelihood<'_>,
    groups: &RatingGroups,
    mut at: Values,
    still: f64,
) -> Values {
    let from = InformationFrom::GamesAndDraws;
    let mut information = Information::new(likelihood, groups, &at, from);
    let mut moved = 0.0;
    for _ in 0..STEPS {
        if moved > NEAR {
            information = Information::new(likelihood, groups, &at, from);
            moved = 0.0;
        }
        let step = information.solve(groups, &likelihood.gradient(&at));
        let largest = step.largest() / K;
        // If no advantage changes by more than 1, the curvature changes by at most a factor of e,
        // and a Newton step is known to gain: the logistic loss is self-concordant (F. Bach,
        // "Self-concordant analysis for logistic regression", Electronic Journal of Statistics 4,
        // 2010, 384-414).
        let safe = if moved == 0.0 { 1.0 } else { NEAR };
        moved += line_search(likelihood, &mut at, &step, safe);
        if largest < still {
            break;
        }
    }
    at
}

/// Goes this step, halved until it raises the likelihood; returns by how much it changes the
/// advantage in some game. A step that changes none by more than `safe` is known to raise it. Then
/// the likelihoods, which differ by less than rounding, are not compared.
fn line_search(likelihood: &Likelihood<'_>, at: &mut Values, step: &Values, safe: f64) -> f64 {
    let mut far: f64 = 0.0;
    for (first, second, _) in likelihood.graph.games() {
        far = far.max(step.advantage(first, second).abs());
    }
    let mut part = 1.0;
    if far > safe {
        let before = likelihood.logarithm(at);
        while part * far > safe && likelihood.logarithm(&at.plus(part, step)) <= before {
            part /= 2.0;
        }
    }
    *at = at.plus(part, step);
    part * far
}
