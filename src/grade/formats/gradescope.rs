//! `results.json` of Gradescope: `/autograder/results/results.json`.

use super::super::marks::MarkedSubmission;
use super::super::sheet::Sheet;
use super::line::{is_full, line_of, remarks};
use serde::Serialize;

#[derive(Serialize)]
struct Results {
    score: f64,
    output: String,
    output_format: &'static str,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    score: f64,
    max_score: f64,
    status: &'static str,
    output: String,
    output_format: &'static str,
    visibility: &'static str,
}

pub(super) fn text(sheet: &Sheet, marked: &MarkedSubmission) -> String {
    let tests = marked.parts.iter().map(|part| Test {
        name: part.name.clone(),
        score: part.points,
        max_score: part.most,
        status: if is_full(part) { "passed" } else { "failed" },
        output: sheet.part(part),
        output_format: "md",
        visibility: "visible",
    });
    let tests = tests.collect();
    line_of(&Results {
        score: marked.points(),
        output: remarks(marked),
        output_format: "text",
        tests,
    })
}
