//! Marks that tests make up.

#![cfg(test)]

use super::marks::{CaseMark, Found, MarkedPart, MarkedSubmission};
use super::points::Worth;
use super::sheet::Sheet;
use arbiter_config::assignment::{Weights, built_in, parse};
use std::path::PathBuf;

/// The sheet that the marks are of, without cases.
pub(super) fn gekitai() -> Sheet {
    let assignment = parse(built_in("gekitai").unwrap(), "gekitai").unwrap();
    let folder = PathBuf::new();
    Sheet { assignment, folder, provided: Vec::new(), cases: Vec::new(), seed: 1 }
}

/// A case of a class that is its only label.
pub(super) fn case(name: &str, class: &'static str, share: f64) -> CaseMark {
    let found = Found {
        sentence: format!("{name}: after c3 the X on d4 belongs on e5; it stayed"),
        shown: "expected  4 · · X ↵\nprinted   4 · X · ↵".to_owned(),
        place: None,
        uninformative: false,
    };
    CaseMark {
        name: name.to_owned(),
        class,
        labels: vec![class],
        length: 3,
        share,
        found: (share < 1.0).then_some(found),
        has_text: true,
        ..CaseMark::default()
    }
}

/// A submission with a part of cases, whose shares these are, and one without.
pub(super) fn submission(name: &str, shares: [f64; 4]) -> MarkedSubmission {
    let names = [
        ("occupied-1", "occupied square"),
        ("edge-1", "push over an edge"),
        ("edge-2", "push over an edge"),
        ("draw-1", "draw"),
    ];
    let mut cases = Vec::new();
    for ((case_name, class), share) in names.into_iter().zip(shares) {
        cases.push(case(case_name, class, share));
    }
    cases[1].length = 9;
    let parts = vec![
        MarkedPart {
            name: "builds".into(),
            points: 4.0,
            most: 5.0,
            notes: vec!["a.cpp:3:1: warning: unused".into()],
            ..MarkedPart::default()
        },
        MarkedPart {
            name: "program".into(),
            points: Worth { most: 40.0, text: 0.0, weights: &Weights::new() }.points(&cases),
            most: 40.0,
            cases,
            ..MarkedPart::default()
        },
    ];
    MarkedSubmission { name: name.to_owned(), parts, remarks: vec!["a.cpp calls system()".into()] }
}
