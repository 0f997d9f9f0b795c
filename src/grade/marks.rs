//! What a submission has earned, part by part and case by case.

use super::cases::ProgramCase;
use super::functions::Call;
use super::words::TextDifference;
use arbiter_config::assignment::Board;
use serde::Serialize;

/// The label of cases on all boards but that of the submission.
const OTHER_SIZE: &str = "another N than that of the submission";

/// One case, judged.
#[derive(Debug, Clone, Default)]
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
    /// The board that it is on; `None` in a game of one board.
    pub board: Option<Board>,
    /// Cases among which a function that is constant earns nothing: those of the first piece of a
    /// turn, for instance. Empty if there are no such kinds.
    pub kind: &'static str,
    /// The behaviour of a function that ignores its arguments and is right here; `None` if no such
    /// function is right.
    pub constant: Option<String>,
    /// The share of its points that it earned by the rules: 0 to 1.
    pub share: f64,
    /// What is wrong, if it has not earned all.
    pub found: Option<Found>,
    /// Whether what is printed can be compared, because all else happens as it should.
    pub has_text: bool,
    /// Where what is printed differs.
    pub text: Vec<TextDifference>,
}

impl CaseMark {
    /// The mark of a program's case.
    pub(super) fn of_program(case: &ProgramCase, share: f64) -> CaseMark {
        CaseMark {
            name: case.name.clone(),
            class: case.class,
            labels: case.labels.clone(),
            length: case.entries.len(),
            board: case.board,
            share,
            ..CaseMark::default()
        }
    }

    /// The mark of a call that was not made, with the reason.
    pub(super) fn of_call(call: &Call, board: Option<Board>) -> CaseMark {
        CaseMark {
            name: call.name.clone(),
            class: call.class,
            labels: call.labels.clone(),
            length: call.length,
            board,
            kind: call.kind,
            constant: call.constant(),
            ..CaseMark::default()
        }
    }

    /// It with the label of a board that is not the submission's own, so that what fails on all of
    /// these is named so.
    pub fn on_board(mut self, own: Option<Board>) -> CaseMark {
        if self.board != own {
            self.labels.push(OTHER_SIZE);
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
    /// Whether the case tells a reader nothing, and counts as wrong: it was not run.
    pub uninformative: bool,
}

impl Found {
    /// What is said of a case that tells a reader nothing.
    pub fn uninformative(sentence: impl Into<String>) -> Found {
        Found { sentence: sentence.into(), uninformative: true, ..Found::default() }
    }
}

/// A fault of what a submission prints. It costs once, however often it shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextFault {
    /// One sentence: "`:` is printed in place of `:·`".
    pub sentence: String,
    /// The first place where it shows: lines of a fixed-width text.
    #[serde(skip)]
    pub shown: String,
    /// File and line of the submission that print it, where they are known.
    pub place: Option<String>,
    /// The number of cases in which it shows.
    pub cases: usize,
}

/// One part of an assignment, marked. Its fields are those of `--format json`, in their order.
#[derive(Debug, Clone, Default, Serialize)]
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
    /// The faults of what it prints, the most frequent first.
    pub text: Vec<TextFault>,
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
