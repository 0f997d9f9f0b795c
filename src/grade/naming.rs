//! The naming of failures: what failing cases have in common.

use super::marks::CaseMark;
use super::points::classes;

/// The most labels that are tried in all combinations; further ones are left out.
const MOST: usize = 16;

/// What the failing cases of a part share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Naming {
    /// Every case fails.
    All,
    /// The failing cases are those that have all of these labels.
    Shared(Vec<&'static str>),
    /// There are no such labels: this class has the most failing cases.
    Largest(&'static str),
}

impl Naming {
    /// The smallest set of labels that all failing cases share and no passing one has, else the
    /// class with most failing cases; of equal ones the first. None if no case fails.
    pub(super) fn of(cases: &[CaseMark]) -> Option<Naming> {
        let (failing, passing): (Vec<&CaseMark>, Vec<&CaseMark>) =
            cases.iter().partition(|case| fails(case));
        let first = failing.first()?;
        if passing.is_empty() {
            return Some(Naming::All);
        }
        let mut common: Vec<&'static str> = Vec::new();
        for label in &first.labels {
            if common.len() < MOST
                && !common.contains(label)
                && failing.iter().all(|case| case.labels.contains(label))
            {
                common.push(label);
            }
        }
        let chosen = |set: u32| {
            common.iter().enumerate().filter(move |(at, _)| set >> at & 1 == 1).map(|(_, it)| *it)
        };
        let is_own = |set: &u32| {
            !passing.iter().any(|case| chosen(*set).all(|label| case.labels.contains(&label)))
        };
        let sets = (1..1_u32 << common.len()).filter(is_own);
        if let Some(set) = sets.min_by_key(|set| (set.count_ones(), *set)) {
            return Some(Naming::Shared(chosen(set).collect()));
        }
        let count = |class: &&str| failing.iter().filter(|case| case.class == *class).count();
        // `max_by_key` takes the last of equal ones.
        classes(cases).into_iter().rev().max_by_key(count).map(Naming::Largest)
    }

    /// It as the middle of a sentence.
    pub(super) fn words(&self) -> String {
        match self {
            Naming::All => "all cases".to_owned(),
            Naming::Shared(labels) => labels.join(", together with "),
            Naming::Largest(class) => (*class).to_owned(),
        }
    }
}

/// Whether a case has not earned all of its points.
pub(super) fn fails(case: &CaseMark) -> bool {
    case.share < 1.0
}

#[cfg(test)]
mod tests {
    use super::super::samples::case;
    use super::*;
    use proptest::prelude::*;

    fn labelled(rows: &[(&[&'static str], bool)]) -> Vec<CaseMark> {
        let row = |(labels, passes): &(&[&'static str], bool)| CaseMark {
            labels: labels.to_vec(),
            ..case("case", labels[0], f64::from(u8::from(*passes)))
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn failures_are_named_by_what_they_share() {
        let of = |rows: &[(&[&'static str], bool)]| Naming::of(&labelled(rows));
        assert_eq!(of(&[(&["a"], true)]), None);
        assert_eq!(of(&[(&["a"], false)]), Some(Naming::All));
        let one: [(&[_], _); 3] =
            [(&["a", "edge"], false), (&["b", "edge"], false), (&["a"], true)];
        assert_eq!(of(&one), Some(Naming::Shared(vec!["edge"])));
        let two: [(&[_], _); 3] = [(&["edge", "O"], false), (&["edge"], true), (&["O"], true)];
        assert_eq!(of(&two), Some(Naming::Shared(vec!["edge", "O"])));
        let none: [(&[_], _); 5] =
            [(&["c"], false), (&["a"], false), (&["b"], false), (&["b"], false), (&["a"], true)];
        assert_eq!(of(&none), Some(Naming::Largest("b")));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        /// The labels are those of exactly the failing cases, and no smaller set is.
        #[test]
        fn shared_labels_tell_failing_from_passing(rows in prop::collection::vec((1..64_u32, any::<bool>()), 0..12)) {
            const LABELS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
            let labels = |set: u32| (0..6).filter(|at| set >> at & 1 == 1).map(|at| LABELS[at]).collect::<Vec<_>>();
            let cases: Vec<_> = rows
                .iter()
                .map(|(set, passes)| CaseMark { labels: labels(*set), ..case("x", labels(*set)[0], f64::from(u8::from(*passes))) })
                .collect();
            let has = |case: &CaseMark, set: &[&str]| set.iter().all(|label| case.labels.contains(label));
            let tells = |set: &[&str]| cases.iter().all(|case| has(case, set) == fails(case));
            let smallest = (1..64).map(labels).filter(|set| tells(set)).map(|set| set.len()).min();
            match Naming::of(&cases) {
                None => prop_assert!(!cases.iter().any(fails)),
                Some(Naming::All) => prop_assert!(cases.iter().all(fails)),
                Some(Naming::Shared(set)) => {
                    prop_assert!(tells(&set));
                    prop_assert_eq!(Some(set.len()), smallest);
                }
                Some(Naming::Largest(class)) => {
                    prop_assert_eq!(smallest, None);
                    prop_assert!(cases.iter().any(|case| fails(case) && case.class == class));
                }
            }
        }
    }
}
