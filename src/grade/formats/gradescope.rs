//! `results.json` of Gradescope: `/autograder/results/results.json`.

use super::super::marks::MarkedSubmission;
use super::super::sheet::Sheet;
use super::line::{is_full, line_of, remarks};
use serde_json::json;

pub(super) fn text(sheet: &Sheet, marked: &MarkedSubmission) -> String {
    let mut tests = Vec::new();
    for part in &marked.parts {
        tests.push(json!({
            "name": part.name,
            "score": part.points,
            "max_score": part.most,
            "status": if is_full(part) { "passed" } else { "failed" },
            "output": sheet.part(part),
            "output_format": "md",
            "visibility": "visible",
        }));
    }
    line_of(&json!({
        "score": marked.points(),
        "output": remarks(marked),
        "output_format": "text",
        "tests": tests,
    }))
}
