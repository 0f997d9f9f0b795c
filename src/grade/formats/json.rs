//! All marks and cases as one object. A test compares the fields with `marks.schema.json`.

use super::super::marks::{CaseMark, MarkedPart, MarkedSubmission};
use super::super::sheet::Sheet;
use super::line::line_of;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct Marks<'a> {
    r#type: &'static str,
    v: u32,
    assignment: &'a str,
    game: &'a str,
    submissions: Vec<Submission<'a>>,
}

#[derive(Serialize)]
struct Submission<'a> {
    name: &'a str,
    points: f64,
    most: f64,
    parts: &'a [MarkedPart],
    remarks: &'a [String],
}

#[derive(Serialize)]
struct Case<'a> {
    name: &'a str,
    class: &'static str,
    labels: &'a [&'static str],
    share: f64,
    sentence: Option<&'a str>,
    place: Option<&'a str>,
}

pub(super) fn text(sheet: &Sheet, class: &[MarkedSubmission]) -> String {
    let submissions = class.iter().map(|marked| Submission {
        name: &marked.name,
        points: marked.points(),
        most: marked.most(),
        parts: &marked.parts,
        remarks: &marked.remarks,
    });
    let assignment = &*sheet.assignment.name;
    let game = sheet.assignment.game.name();
    line_of(&Marks { r#type: "marks", v: 2, assignment, game, submissions: submissions.collect() })
}

impl Serialize for CaseMark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let CaseMark { name, class, labels, share, found, .. } = self;
        let sentence = found.as_ref().map(|found| &*found.sentence);
        let place = found.as_ref().and_then(|found| found.place.as_deref());
        Case { name, class, labels, share: *share, sentence, place }.serialize(serializer)
    }
}
