//! What a hand-out asks for and no case shows: each takes its points off once, or is a remark.

use super::checks::known_files;
use super::read::{MOST_POINTS, files};
use crate::section::Section;
use crate::value;
use arbiter_rules::text::words;

/// Something that a hand-out asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// What is asked for.
    pub kind: RequirementKind,
    /// What a submission without it loses: 0 for a remark, or a negative number.
    pub points: f64,
    /// The sentence of the hand-out; empty if the file has none.
    pub says: String,
    /// The submitted files that it is about; all of the assignment if empty.
    pub files: Vec<String>,
    /// Of `without`: the names that may not be used. One that ends with `<` is that of a template.
    pub names: Vec<String>,
    /// Of `without`: the functions that may use them.
    pub except: Vec<String>,
}

words! {
    /// The kinds of requirements.
    RequirementKind {
        /// A name, a student's number and an e-mail address at the top of each file.
        Contact = "contact",
        /// Comments behind those at the top.
        Comments = "comments",
        /// The functions that are asked for are called.
        Called = "called",
        /// The files have the names of the assignment.
        FileNames = "file-names",
        /// What is called compiles with the files of the course.
        Provided = "provided",
        /// Some names are not used.
        Without = "without",
    }
}

/// A requirement; `names` are the files of the assignment.
pub(super) fn requirement(section: &Section<'_>, names: &[String]) -> Option<Requirement> {
    let kind = section.need("kind", value::word::<RequirementKind>, "\"contact\"");
    let penalty = value::number_in(
        -MOST_POINTS..=0.0,
        "write what is taken off: 0 for a remark, or a negative number such as -3",
    );
    let points = section.or("points", penalty, 0.0);
    let says = section.or("says", value::text, String::new());
    let of_files = section.or("files", files, Vec::new());
    let forbidden = section.or("names", value::texts, Vec::new());
    let except = section.or("except", value::texts, Vec::new());
    let kind = kind?;
    if kind == RequirementKind::Without {
        if forbidden.is_empty() {
            let why = "name what may not be used, such as names = [\"vector<\"]";
            section.refuse("names", why);
        }
    } else if !forbidden.is_empty() || !except.is_empty() {
        let key = if forbidden.is_empty() { "except" } else { "names" };
        let why = format!("a requirement of kind \"{kind}\" has no such key");
        section.refuse(key, why);
    }
    known_files(section.reading, &section.path("files"), &of_files, names);
    Some(Requirement { kind, points, says, files: of_files, names: forbidden, except })
}
