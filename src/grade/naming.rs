//! The naming of failures: what failing cases have in common.

use super::marks::CaseMark;
use super::points::classes;
use arbiter_config::assignment::Board;

/// The most labels that are tried in all combinations, which are 2 to the power of their number;
/// further ones are left out.
const MOST: usize = 16;

/// The failing cases of a part, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Naming {
    pub common: Common,
    /// The only board on which cases fail, if there are others.
    pub board: Option<String>,
}

/// What failing cases share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Common {
    /// Every case fails.
    All,
    /// The failing cases are those that have all of these labels.
    Shared(Vec<&'static str>),
    /// There are no such labels: this class has the most failing cases.
    Largest(&'static str),
}

impl Naming {
    /// What the failing cases share; if all of them are on one board of several, what they share
    /// among the cases of that board. None if no case fails.
    pub(super) fn of(cases: &[CaseMark]) -> Option<Naming> {
        let failing = cases.iter().find(|case| fails(case))?;
        let (here, elsewhere): (Vec<&CaseMark>, Vec<&CaseMark>) =
            cases.iter().partition(|case| case.board == failing.board);
        if elsewhere.is_empty() || elsewhere.iter().any(|case| fails(case)) {
            let all: Vec<&CaseMark> = cases.iter().collect();
            return Some(Naming { common: Common::of(&all)?, board: None });
        }
        let board = board_words(failing.board, cases[0].board);
        Some(Naming { common: Common::of(&here)?, board })
    }

    /// It as the middle of a sentence.
    pub(super) fn words(&self) -> String {
        let mut words = self.common.words();
        if let Some(board) = &self.board {
            words += &format!(", only {board}");
        }
        words
    }
}

/// A board by what tells it from the usual one: `on the board of 8 rows with L = 4`.
fn board_words(board: Option<Board>, usual: Option<Board>) -> Option<String> {
    let board = board?;
    let usual = usual.map(Board::options).unwrap_or_default();
    let mut words = format!("on the board of {} rows", board.n);
    let mut joint = " with";
    for (key, value) in board.options() {
        if key != "n" && !usual.contains(&(key, value)) {
            words += &format!("{joint} {} = {value}", key.to_ascii_uppercase());
            joint = " and";
        }
    }
    Some(words)
}

impl Common {
    /// The smallest set of labels that all failing cases share and no passing one has, else the
    /// class with most failing cases; of equal ones the first. None if no case fails.
    fn of(cases: &[&CaseMark]) -> Option<Common> {
        let (failing, passing): (Vec<&CaseMark>, Vec<&CaseMark>) =
            cases.iter().partition(|case| fails(case));
        let first = failing.first()?;
        if passing.is_empty() {
            return Some(Common::All);
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
        if let Some(set) = smallest_own(&common, &passing) {
            return Some(Common::Shared(set));
        }
        // No set of labels tells them apart, perhaps because there are several faults.
        let mut largest = None;
        let mut most = (0, 0);
        for class in classes(cases.iter().copied()) {
            let mut failing = failing.clone();
            failing.retain(|case| case.class == class);
            // What was not run tells nothing of its class.
            let run = failing.iter().filter(|case| !is_uninformative(case)).count();
            if (run, failing.len()) > most {
                most = (run, failing.len());
                largest = Some(class);
            }
        }
        largest.map(Common::Largest)
    }

    fn words(&self) -> String {
        match self {
            Common::All => "all cases".to_owned(),
            Common::Shared(labels) => labels.join(", together with "),
            Common::Largest(class) => (*class).to_owned(),
        }
    }
}

/// The smallest set of these labels that no passing case has whole, of equal ones the first.
fn smallest_own(labels: &[&'static str], passing: &[&CaseMark]) -> Option<Vec<&'static str>> {
    // A bit a label.
    let mut smallest: Option<u32> = None;
    for set in 1..1_u32 << labels.len() {
        if smallest.is_some_and(|known| known.count_ones() <= set.count_ones()) {
            continue;
        }
        let chosen = labels_of(labels, set);
        if !passing.iter().any(|case| chosen.iter().all(|label| case.labels.contains(label))) {
            smallest = Some(set);
        }
    }
    Some(labels_of(labels, smallest?))
}

/// The labels of a set that has a bit for each.
fn labels_of(labels: &[&'static str], set: u32) -> Vec<&'static str> {
    let chosen = labels.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
    chosen.map(|(_, label)| *label).collect()
}

/// Whether a case fails without telling a reader anything.
pub(super) fn is_uninformative(case: &CaseMark) -> bool {
    case.found.as_ref().is_some_and(|found| found.uninformative)
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
        let of = |rows: &[(&[&'static str], bool)]| {
            Naming::of(&labelled(rows)).map(|naming| naming.common)
        };
        assert_eq!(of(&[(&["a"], true)]), None);
        assert_eq!(of(&[(&["a"], false)]), Some(Common::All));
        let one: [(&[_], _); 3] =
            [(&["a", "edge"], false), (&["b", "edge"], false), (&["a"], true)];
        assert_eq!(of(&one), Some(Common::Shared(vec!["edge"])));
        let two: [(&[_], _); 3] = [(&["edge", "O"], false), (&["edge"], true), (&["O"], true)];
        assert_eq!(of(&two), Some(Common::Shared(vec!["edge", "O"])));
        let none: [(&[_], _); 5] =
            [(&["c"], false), (&["a"], false), (&["b"], false), (&["b"], false), (&["a"], true)];
        assert_eq!(of(&none), Some(Common::Largest("b")));
    }

    #[test]
    fn a_board_is_named_if_cases_fail_on_no_other() {
        let mut cases =
            labelled(&[(&["a"], true), (&["a", "edge"], false), (&["a"], true), (&["a"], true)]);
        for (case, (n, l)) in cases.iter_mut().zip([(6, 3), (8, 4), (8, 4), (6, 3)]) {
            case.board = Some(Board { n, p: Some(8), l: Some(l), ..Board::default() });
        }
        assert_eq!(words_of(&cases), "edge, only on the board of 8 rows with L = 4");
        cases[2].share = 0.0;
        assert_eq!(words_of(&cases), "all cases, only on the board of 8 rows with L = 4");
        cases[3].share = 0.0;
        assert_eq!(words_of(&cases), "a");
    }

    fn words_of(cases: &[CaseMark]) -> String {
        Naming::of(cases).unwrap().words()
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
            match Naming::of(&cases).map(|naming| naming.common) {
                None => prop_assert!(!cases.iter().any(fails)),
                Some(Common::All) => prop_assert!(cases.iter().all(fails)),
                Some(Common::Shared(set)) => {
                    prop_assert!(tells(&set));
                    prop_assert_eq!(Some(set.len()), smallest);
                }
                Some(Common::Largest(class)) => {
                    prop_assert_eq!(smallest, None);
                    prop_assert!(cases.iter().any(|case| fails(case) && case.class == class));
                }
            }
        }
    }
}
