//! `results.json` of PrairieLearn: `/grade/results/results.json`.

use super::super::marks::MarkedSubmission;
use super::super::sheet::Sheet;
use super::line::{line_of, remarks};
use serde_json::json;

pub(super) fn text(sheet: &Sheet, marked: &MarkedSubmission) -> String {
    let mut tests = Vec::new();
    for part in &marked.parts {
        tests.push(json!({
            "name": part.name,
            "points": part.points,
            "max_points": part.most,
            "output": sheet.part_as_text(part),
        }));
    }
    let most = marked.most();
    // From 0 to 1.
    let score = if most > 0.0 { (marked.points() / most).min(1.0) } else { 0.0 };
    let output = remarks(marked);
    line_of(&json!({ "gradable": true, "score": score, "output": output, "tests": tests }))
}
