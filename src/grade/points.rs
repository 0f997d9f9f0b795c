//! Points of cases.

use super::marks::{CaseMark, MarkedSubmission};

/// The points of a part that is worth `most`: shared equally among the classes of its cases, those
/// of a class among its cases, rounded to 0.1. Without cases there are none.
#[must_use]
pub fn points(most: f64, cases: &[CaseMark]) -> f64 {
    let classes = classes(cases);
    let shares: f64 = classes
        .iter()
        .map(|class| {
            let of: Vec<f64> =
                cases.iter().filter(|case| case.class == *class).map(|case| case.share).collect();
            of.iter().sum::<f64>() / of.len() as f64
        })
        .sum();
    rounded(most * shares / classes.len().max(1) as f64)
}

/// The classes of cases, each once, in the order of the cases.
pub(super) fn classes(cases: &[CaseMark]) -> Vec<&'static str> {
    let mut classes = Vec::new();
    for case in cases {
        if !classes.contains(&case.class) {
            classes.push(case.class);
        }
    }
    classes
}

/// Points rounded to 0.1, halves up.
///
/// ```
/// use arbiter_grade::rounded;
/// // Neither number is one half exactly: the nearest `f64` of 0.15 is below it.
/// assert_eq!([rounded(0.05), rounded(0.15), rounded(0.1 + 0.2), rounded(33.349)], [0.1, 0.2, 0.3, 33.3]);
/// ```
#[must_use]
pub fn rounded(points: f64) -> f64 {
    // Far less than any difference between marks, and far more than the error of a sum of them.
    const ERROR: f64 = 1e-9;
    (points * 10.0 + 0.5 + ERROR).floor() / 10.0
}

impl MarkedSubmission {
    /// The points of all parts, rounded to 0.1. What requirements take off leaves no less than 0.
    #[must_use]
    pub fn points(&self) -> f64 {
        rounded(self.parts.iter().map(|part| part.points).sum::<f64>().max(0.0))
    }

    /// The most points of all parts.
    #[must_use]
    pub fn most(&self) -> f64 {
        rounded(self.parts.iter().map(|part| part.most).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn case(class: &'static str, share: f64) -> CaseMark {
        let (name, labels) = (String::new(), Vec::new());
        CaseMark { name, class, labels, length: 1, share, level: None, found: None }
    }

    #[test]
    fn classes_share_equally() {
        let cases = [case("a", 1.0), case("b", 1.0), case("b", 0.0), case("c", 0.5)];
        assert_eq!(points(40.0, &cases), 26.7); // (1 + 1/2 + 1/2) / 3
        assert_eq!(points(40.0, &[]), 0.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        /// Twentieths are rounded as whole numbers are, whatever sum they come from.
        #[test]
        fn halves_are_rounded_up(twentieths in prop::collection::vec(0..2000_u32, 1..20)) {
            let sum: u32 = twentieths.iter().sum();
            let points = rounded(twentieths.iter().map(|part| f64::from(*part) * 0.05).sum());
            prop_assert_eq!(points, f64::from(sum.div_ceil(2)) / 10.0);
            prop_assert_eq!(rounded(points), points);
        }
    }
}
