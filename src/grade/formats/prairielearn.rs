//! `results.json` of PrairieLearn: `/grade/results/results.json`.

use super::super::marks::MarkedSubmission;
use super::super::sheet::Sheet;
use super::line::{line_of, remarks};
use serde::Serialize;

#[derive(Serialize)]
struct Results {
    gradable: bool,
    /// From 0 to 1.
    score: f64,
    output: String,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    points: f64,
    max_points: f64,
    output: String,
}

pub(super) fn text(sheet: &Sheet, marked: &MarkedSubmission) -> String {
    let tests = marked.parts.iter().map(|part| Test {
        name: part.name.clone(),
        points: part.points,
        max_points: part.most,
        output: sheet.part_as_text(part),
    });
    let most = marked.most();
    let score = if most > 0.0 { (marked.points() / most).min(1.0) } else { 0.0 };
    line_of(&Results { gradable: true, score, output: remarks(marked), tests: tests.collect() })
}
