//! `arbiter grade` gives programs with one fault each the marks that a person would give
//! (tests/grade/faults). Needs g++. `.ci/slow` marks all of them (`ARBITER_ALL`), otherwise it is
//! the first of each assignment, that of gekitai on two of its boards.

use super::with_small_iostream;
use crate::support::{arbiter, has, has_strict, plays_all, project, run, sample_of_kinds};
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::path::Path;

const TABLES: [&str; 3] = [
    include_str!("../../grade/faults/marks.toml"),
    include_str!("../../grade/faults/compiling.toml"),
    include_str!("../../grade/faults/further.toml"),
];
/// The files of each assignment, and the right programs that they are made from.
const RIGHT: [(&str, &[(&str, &str)]); 3] = [
    ("gekitai", &[("gekitai.cpp", "src/grade/provided/gekitai.cpp")]),
    (
        "loa",
        &[
            ("LinesOfAction.cpp", "src/grade/provided/right.cpp"),
            ("gameplay.cpp", "src/grade/provided/gameplay.cpp"),
        ],
    ),
    ("flipflop", &[("flipflop.cpp", "tests/grade/functions/flipflop.cpp")]),
];
/// What the hand-outs ask for at the top of each file.
const TOP: &str = "// Ada Lovelace, 1155123456, ada@link.cuhk.edu.hk\n";

#[derive(Deserialize)]
struct Table {
    #[serde(default)]
    fault: Vec<Fault>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    name: String,
    assignment: String,
    /// The file with the fault; any of an assignment that has one.
    #[serde(default)]
    file: Option<String>,
    /// The part whose points are compared; otherwise the sum of all parts.
    #[serde(default)]
    part: Option<String>,
    fair: f64,
    #[serde(default = "within")]
    within: f64,
    changes: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    find: String,
    put: String,
}

fn within() -> f64 {
    5.0
}

impl Fault {
    /// Writes the submission with this fault into a folder.
    fn write(&self, folder: &Path, right: &[(&str, &str)]) {
        fs::create_dir_all(folder).unwrap();
        for (name, path) in right {
            let mut text = fs::read_to_string(project(path)).unwrap();
            if self.file.as_deref().is_none_or(|file| file == *name) {
                for Change { find, put } in &self.changes {
                    assert!(text.contains(find), "{}: {name} has no {find:?}", self.name);
                    text = text.replace(find, put);
                }
            }
            if !plays_all() && self.assignment != "loa" {
                text = with_small_iostream(&text);
            }
            fs::write(folder.join(name), TOP.to_owned() + &text).unwrap();
        }
    }

    /// What `arbiter grade` gave it, if that is not what is fair.
    fn complaint(&self, marked: &Value) -> Option<String> {
        let mut whole = marked;
        if let Some(name) = &self.part {
            whole = marked["parts"].as_array()?.iter().find(|part| part["name"] == **name)?;
        }
        let points = whole["points"].as_f64()?;
        // Points have one digit behind the point.
        let is_fair = (points - self.fair).abs() < self.within + 0.01;
        (!is_fair).then(|| format!("{}: {points}, {} is fair", self.name, self.fair))
    }
}

#[test]
fn marks_are_those_of_a_fair_teaching_assistant() {
    if !has("g++", "marks of C++") || !has_strict("marking under strict") {
        return;
    }
    let tables = TABLES.map(|table| toml::from_str::<Table>(table).unwrap().fault);
    let faults = tables.into_iter().flatten();
    let faults = sample_of_kinds(faults, 50, |fault| fault.assignment.clone());
    let place = tempfile::tempdir().unwrap();
    let mut complaints = Vec::new();
    for (assignment, right) in RIGHT {
        let faults: Vec<&Fault> =
            faults.iter().filter(|fault| fault.assignment == assignment).collect();
        if faults.is_empty() {
            continue;
        }
        let class = place.path().join(assignment);
        for (number, fault) in faults.iter().enumerate() {
            fault.write(&class.join(format!("{number:03}")), right);
        }
        let mut table = assignment.to_owned();
        if assignment == "gekitai" && !plays_all() {
            let whole = run(&["grade", "--print-default", assignment]).stdout;
            let text = whole.replace(", {n=7, p=8, l=3}, {n=8, p=8, l=4} ]", " ]");
            assert_ne!(text, whole);
            table = place.path().join("gekitai.toml").display().to_string();
            fs::write(&table, text).unwrap();
        }
        let class = class.to_str().unwrap();
        let output =
            arbiter(&["grade", &table, "--class", class, "--format", "json"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let marks: Value = serde_json::from_slice(&output.stdout).unwrap();
        let marked = marks["submissions"].as_array().unwrap();
        assert_eq!(marked.len(), faults.len());
        complaints.extend(
            std::iter::zip(faults, marked).filter_map(|(fault, marked)| fault.complaint(marked)),
        );
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
