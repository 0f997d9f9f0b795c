//! Points of cases.

use super::marks::{CaseMark, MarkedSubmission};
use arbiter_config::assignment::{Board, Weights};
use std::collections::{BTreeMap, BTreeSet};

/// The most of a part's points for text that a fault of text costs, as a share.
const TEXT_FAULT: f64 = 0.5;

/// What a part, or a function, is worth.
#[derive(Debug, Clone, Copy)]
pub struct Worth<'a> {
    /// The most points.
    pub most: f64,
    /// The share of them that is earned by the printed text.
    pub text: f64,
    /// The weight of each class of cases, by default 1.
    pub weights: &'a Weights,
}

impl Worth<'_> {
    /// The points for these cases, rounded to 0.1. Without cases there are none.
    pub fn points(&self, cases: &[CaseMark]) -> f64 {
        if cases.is_empty() {
            return 0.0;
        }
        let each = self.weight_of_each(cases);
        let kept = kept_by_text(cases, &each);
        let mut printed = 0.0;
        for (case, weight) in std::iter::zip(cases, &each) {
            printed += if case.has_text { weight * kept } else { 0.0 };
        }
        let rules = by_rules(cases, &each);
        // A function that knows no rules prints nothing wrong either.
        let has_constants = cases.iter().any(|case| case.constant.is_some());
        let printed = if has_constants { rules * kept } else { printed };
        rounded(self.most * ((1.0 - self.text) * rules + self.text * printed))
    }

    /// What each case weighs: the weight of its class, shared by its cases. All together are 1.
    fn weight_of_each(&self, cases: &[CaseMark]) -> Vec<f64> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for case in cases {
            *counts.entry(case.class).or_default() += 1;
        }
        let mut all = 0.0;
        for class in counts.keys() {
            all += self.weight(class);
        }
        let mut each = Vec::new();
        for case in cases {
            each.push(if all > 0.0 {
                self.weight(case.class) / counts[case.class] as f64 / all
            } else {
                1.0 / cases.len() as f64 // all classes weigh nothing
            });
        }
        each
    }

    fn weight(&self, class: &str) -> f64 {
        self.weights.get(class).copied().unwrap_or(1.0)
    }
}

/// What faults of text leave of the points for the text, as a share. A fault costs at most
/// [`TEXT_FAULT`]: the share that the cases in which it shows have of the cases of their classes,
/// so that a message that is wrong wherever it belongs is a whole fault, however rare it is. One
/// that shows in a single case costs what that case weighs, so that what is another text in each
/// case costs all.
fn kept_by_text(cases: &[CaseMark], weights: &[f64]) -> f64 {
    #[derive(Default)]
    struct Fault<'a> {
        cases: usize,
        weight: f64,
        classes: BTreeSet<&'a str>,
    }
    let mut all = 0.0;
    let mut classes: BTreeMap<&str, f64> = BTreeMap::new();
    let mut faults: BTreeMap<&[String; 2], Fault<'_>> = BTreeMap::new();
    for (case, weight) in std::iter::zip(cases, weights) {
        if !case.has_text {
            continue;
        }
        all += weight;
        *classes.entry(case.class).or_default() += weight;
        let kinds: BTreeSet<_> = case.text.iter().map(|difference| &difference.key).collect();
        for kind in kinds {
            let fault = faults.entry(kind).or_default();
            fault.cases += 1;
            fault.weight += weight;
            fault.classes.insert(case.class);
        }
    }
    let mut kept: f64 = 1.0;
    for fault in faults.values() {
        let mut of = all;
        if fault.cases > 1 {
            of = fault.classes.iter().map(|class| classes[class]).sum();
        }
        // Cases that weigh nothing show nothing.
        if of > 0.0 {
            kept -= (fault.weight / of).min(TEXT_FAULT);
        }
    }
    kept.max(0.0)
}

/// The share that cases earn by the rules. On each board, and among the cases of each kind, only
/// that counts by which they are better than the best function that ignores its arguments.
fn by_rules(cases: &[CaseMark], weights: &[f64]) -> f64 {
    #[derive(Default)]
    struct Group<'a> {
        weight: f64,
        earned: f64,
        constants: BTreeMap<&'a str, f64>,
    }
    let mut groups: BTreeMap<(Option<Board>, &str), Group<'_>> = BTreeMap::new();
    for (case, weight) in std::iter::zip(cases, weights) {
        let group = groups.entry((case.board, case.kind)).or_default();
        group.weight += weight;
        group.earned += weight * case.share;
        if let Some(constant) = &case.constant {
            *group.constants.entry(constant).or_default() += weight;
        }
    }
    let mut share = 0.0;
    for group in groups.values() {
        // What a function earns that ignores its arguments; only points beyond that count.
        let best = group.constants.values().copied().fold(0.0, f64::max);
        // Where a constant function is right everywhere, that is what is asked for.
        if best < group.weight - ERROR {
            share += group.weight * ((group.earned - best) / (group.weight - best)).max(0.0);
        } else {
            share += group.earned;
        }
    }
    share
}

/// The classes of cases, each once, in the order of the cases.
pub(super) fn classes<'a>(cases: impl IntoIterator<Item = &'a CaseMark>) -> Vec<&'static str> {
    let mut classes = Vec::new();
    for case in cases {
        if !classes.contains(&case.class) {
            classes.push(case.class);
        }
    }
    classes
}

/// Far less than any difference between marks, and far more than the error of a sum of them.
const ERROR: f64 = 1e-9;

/// Points rounded to 0.1, halves up.
///
/// ```
/// use arbiter_grade::rounded;
/// // Neither number is one half exactly: the nearest `f64` of 0.15 is below it.
/// assert_eq!([rounded(0.05), rounded(0.15), rounded(0.1 + 0.2), rounded(33.349)], [0.1, 0.2, 0.3, 33.3]);
/// ```
pub fn rounded(points: f64) -> f64 {
    (points * 10.0 + 0.5 + ERROR).floor() / 10.0
}

impl MarkedSubmission {
    /// The points of all parts, rounded to 0.1. What requirements take off leaves no less than 0.
    pub fn points(&self) -> f64 {
        rounded(self.parts.iter().map(|part| part.points).sum::<f64>().max(0.0))
    }

    /// The most points of all parts.
    pub fn most(&self) -> f64 {
        rounded(self.parts.iter().map(|part| part.most).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::TextDifference;
    use proptest::prelude::*;

    fn case(class: &'static str, share: f64) -> CaseMark {
        CaseMark { class, share, length: 1, has_text: share > 0.0, ..CaseMark::default() }
    }

    fn worth(most: f64, text: f64, weights: &Weights) -> Worth<'_> {
        Worth { most, text, weights }
    }

    #[test]
    fn classes_share_by_their_weights() {
        let cases = [case("a", 1.0), case("b", 1.0), case("b", 0.0), case("c", 0.5)];
        let equal = Weights::new();
        assert_eq!(worth(40.0, 0.0, &equal).points(&cases), 26.7); // (1 + 1/2 + 1/2) / 3
        assert_eq!(worth(40.0, 0.0, &equal).points(&[]), 0.0);
        let weights = [("a".to_owned(), 0.0), ("b".to_owned(), 3.0)].into();
        assert_eq!(worth(40.0, 0.0, &weights).points(&cases), 20.0); // (3/2 + 1/2) / 4
    }

    fn with_faults(case: CaseMark, faults: &[usize]) -> CaseMark {
        let difference = |fault: &usize| TextDifference {
            key: [String::new(), fault.to_string()],
            sentence: String::new(),
            shown: String::new(),
            printed: String::new(),
            range: 0..0,
            in_board: false,
        };
        CaseMark { text: faults.iter().map(difference).collect(), ..case }
    }

    #[test]
    fn a_fault_of_text_costs_half_where_it_belongs_and_little_in_a_single_case() {
        let weights = Weights::new();
        let worth = worth(40.0, 0.2, &weights);
        let points = |faults: [&[usize]; 6]| {
            let mut cases = Vec::new();
            for (class, of_case) in std::iter::zip(["a", "a", "a", "a", "b", "b"], faults) {
                cases.push(with_faults(case(class, 1.0), of_case));
            }
            worth.points(&cases)
        };
        assert_eq!(points([&[]; 6]), 40.0);
        assert_eq!(points([&[1]; 6]), 36.0);
        assert_eq!(points([&[1, 2]; 6]), 32.0);
        // In all cases of a class, in some of them, in one: of its weight 1/2 it has 1/4.
        assert_eq!(points([&[], &[], &[], &[], &[1], &[1]]), 36.0);
        assert_eq!(points([&[1], &[1], &[], &[], &[], &[]]), 36.0);
        assert_eq!(points([&[1], &[], &[], &[], &[], &[]]), 39.0);
        // Another fault in each case is many faults.
        assert_eq!(points([&[1], &[2], &[3], &[4], &[5], &[6]]), 32.0);
        // Where the game is another one, nothing is earned by its words.
        assert_eq!(worth.points(&[case("a", 0.0)]), 0.0);
    }

    #[test]
    fn chance_earns_nothing() {
        let weights = Weights::new();
        let truth = |class, right: bool, kind, share| CaseMark {
            constant: Some(right.to_string()),
            kind,
            ..case(class, share)
        };
        let of = |first: [f64; 2], second: [f64; 2]| {
            let cases = [
                truth("yes", true, "first", first[0]),
                truth("no", false, "first", first[1]),
                truth("yes", true, "second", second[0]),
                truth("no", false, "second", second[1]),
            ];
            worth(10.0, 0.0, &weights).points(&cases)
        };
        assert_eq!(of([1.0, 1.0], [1.0, 1.0]), 10.0);
        assert_eq!(of([1.0, 0.0], [1.0, 0.0]), 0.0);
        assert_eq!(of([0.0, 0.0], [1.0, 1.0]), 5.0);
        assert_eq!(of([1.0, 0.0], [1.0, 1.0]), 5.0);
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

        /// More cases that are right never cost points.
        #[test]
        fn points_grow_with_the_cases_that_are_right(right in prop::collection::vec(any::<(bool, bool)>(), 1..12), at in 0..12_usize) {
            let weights = Weights::new();
            let points = |cases: &[CaseMark]| worth(10.0, 0.2, &weights).points(cases);
            let mut cases: Vec<CaseMark> = right
                .iter()
                .map(|(right, truth)| CaseMark { constant: Some(truth.to_string()), ..case("a", f64::from(u8::from(*right))) })
                .collect();
            let before = points(&cases);
            let at = at % cases.len();
            cases[at].share = 1.0;
            prop_assert!(points(&cases) >= before);
        }
    }
}
