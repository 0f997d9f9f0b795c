//! The last line that an autograder of Autolab prints: the score of each problem.

use super::super::marks::MarkedSubmission;
use super::line::line_of;
use std::collections::BTreeMap;

pub(super) fn text(marked: &MarkedSubmission) -> String {
    let scores: BTreeMap<&str, f64> =
        marked.parts.iter().map(|part| (&*part.name, part.points)).collect();
    line_of(&BTreeMap::from([("scores", scores)]))
}
