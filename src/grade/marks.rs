//! What a submission has earned, part by part and case by case.

use arbiter_config::assignment::{Board, Level};
use std::sync::LazyLock;

/// The largest board that has a label.
const LARGEST: u32 = 26;
/// The labels of boards by their size.
static SIZES: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..=LARGEST).map(|n| format!("N = {n}")).collect());
/// The label of all boards but that of the submission.
const OTHER_SIZE: &str = "another N than that of the submission";

/// One case, judged.
#[derive(Debug, Clone)]
pub struct CaseMark {
    /// Its name, unlike that of any other case of the assignment: `n6-push-corner-2`. Names its
    /// files in `--cases`.
    pub name: String,
    /// The class whose points it shares.
    pub class: &'static str,
    /// All classes that occur in it, for the naming of failures; its own is one of them.
    pub labels: Vec<&'static str>,
    /// How long it is for a reader: entries of input, or squares of a board. The shortest failing
    /// case is shown first.
    pub length: usize,
    /// The share of its points that it earned: 0 to 1.
    pub share: f64,
    /// The level of agreement; none where cases have no levels, or none holds.
    pub level: Option<Level>,
    /// What is wrong, if it has not earned all.
    pub found: Option<Found>,
}

impl CaseMark {
    /// It with the labels of its board, so that failures on one board are named by it.
    #[must_use]
    pub fn on_board(mut self, board: Option<Board>, own: bool) -> CaseMark {
        if let Some(size) = board.and_then(|board| SIZES.get(board.n as usize)) {
            self.labels.push(size);
            if !own {
                self.labels.push(OTHER_SIZE);
            }
        }
        self
    }
}

/// What is wrong in a case.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// One sentence, in the words of the rules: `after c3 the X on d4 belongs on e5; it stayed`.
    pub sentence: String,
    /// The first difference or the call with its board, both sides: lines of a fixed-width text.
    pub shown: String,
    /// File and line of the submission, where they are known.
    pub place: Option<String>,
    /// Whether the case tells a reader nothing, and counts as wrong: it was not run, or is right by
    /// chance.
    pub uninformative: bool,
}

impl Found {
    /// What is said of a case that tells a reader nothing.
    #[must_use]
    pub fn uninformative(sentence: impl Into<String>) -> Found {
        Found { sentence: sentence.into(), uninformative: true, ..Found::default() }
    }
}

/// One part of an assignment, marked.
#[derive(Debug, Clone)]
pub struct MarkedPart {
    /// Its name in the assignment; for a function `functions: move`.
    pub name: String,
    /// The points that it earned, rounded to 0.1.
    pub points: f64,
    /// The most points.
    pub most: f64,
    /// What is to be said of the part as a whole: warnings, a missing function with the prototype
    /// that was found, a missing file.
    pub notes: Vec<String>,
    /// Its cases, in the order of the assignment; empty where it has none.
    pub cases: Vec<CaseMark>,
}

/// A submission, marked.
#[derive(Debug, Clone)]
pub struct MarkedSubmission {
    /// The name of its folder or file.
    pub name: String,
    /// Its parts, in the order of the assignment.
    pub parts: Vec<MarkedPart>,
    /// Remarks, which cost no points.
    pub remarks: Vec<String>,
}
