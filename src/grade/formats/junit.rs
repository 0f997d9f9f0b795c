//! `junit.xml`: a test suite a submission, a test case a part. Files of equal marks are equal:
//! there are no times in them.

use super::super::marks::MarkedSubmission;
use super::super::page::shortest;
use super::super::sheet::Sheet;
use super::line::{is_full, remarks};
use arbiter_cup::report::junit_xml::{file, problem, suite, test_case};

pub(super) fn text(sheet: &Sheet, class: &[MarkedSubmission]) -> String {
    let mut suites = Vec::new();
    for marked in class {
        let mut cases = Vec::new();
        for part in &marked.parts {
            let mut failure = None;
            if !is_full(part) {
                let sentence =
                    shortest(&part.cases).and_then(|case| Some(&case.found.as_ref()?.sentence));
                let text = part.text.first().map(|fault| &fault.sentence);
                let why = sentence
                    .or(part.notes.first())
                    .or(text)
                    .map_or(String::new(), |why| format!(": {why}"));
                let message = format!("{} of {}{why}", part.points, part.most);
                failure = Some(problem("failure", "marks", &message, sheet.part_as_text(part)));
            }
            cases.push(test_case(&part.name, &marked.name, failure));
        }
        let mut submission = suite(&marked.name, cases);
        submission.push_output("system-out", remarks(marked));
        suites.push(submission);
    }
    file(&sheet.assignment.name, suites)
}
