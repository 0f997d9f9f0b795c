//! `junit.xml`: a test suite a submission, a test case a part. Files of equal marks are equal:
//! there are no times in them.

use super::super::marks::MarkedSubmission;
use super::super::page::shortest;
use super::super::sheet::Sheet;
use super::line::{is_full, remarks};
use arbiter_cup::report::escape;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

pub(super) fn text(sheet: &Sheet, class: &[MarkedSubmission]) -> String {
    let mut report = Report::new(escape::line(&sheet.assignment.name));
    for marked in class {
        let name = escape::line(&marked.name);
        let mut suite = TestSuite::new(name.as_str());
        for part in &marked.parts {
            let mut status = TestCaseStatus::success();
            if !is_full(part) {
                status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                let sentence =
                    shortest(&part.cases).and_then(|case| Some(&case.found.as_ref()?.sentence));
                let text = part.text.first().map(|fault| &fault.sentence);
                let why = sentence
                    .or(part.notes.first())
                    .or(text)
                    .map_or(String::new(), |why| format!(": {why}"));
                status.set_type("marks");
                status.set_message(escape::line(&format!("{} of {}{why}", part.points, part.most)));
                status.set_description(sheet.part_as_text(part));
            }
            let mut case = TestCase::new(escape::line(&part.name), status);
            case.set_classname(name.as_str());
            suite.add_test_case(case);
        }
        if !marked.remarks.is_empty() {
            suite.set_system_out(remarks(marked));
        }
        report.add_test_suite(suite);
    }
    report.to_string().unwrap_or_default() // writing to memory cannot fail
}
