//! What several formats write in the same way.

use super::super::marks::{MarkedPart, MarkedSubmission};
use arbiter_cup::report::escape;

/// Whether a part has earned all of its points.
pub(super) fn is_full(part: &MarkedPart) -> bool {
    part.points >= part.most
}

/// The remarks as one text.
pub(super) fn remarks(marked: &MarkedSubmission) -> String {
    let lines: Vec<String> = marked.remarks.iter().map(|remark| escape::line(remark)).collect();
    lines.join("\n")
}

/// A value as one line of JSON that a terminal and a CI workflow show as it is.
pub(super) fn line_of(value: &impl serde::Serialize) -> String {
    escape::json(serde_json::to_string(value).unwrap_or_default()) // writing to memory cannot fail
}
