//! Requirements of a hand-out that no case tests: points that are taken off, and remarks.

use super::objects::Objects;
use super::reader::SourceFacts;
use crate::forbidden::Forbidden;
use crate::{MarkedPart, rounded};
use arbiter_config::assignment::{Requirement, RequirementKind};
use arbiter_rules::text::printable;

/// The part that has the points that are taken off.
const PART: &str = "requirements";
/// How much of a line of the compiler or a name is quoted.
const QUOTED: usize = 300;

/// The names that requirements forbid, in their order.
pub(super) fn forbidden(requirements: &[Requirement]) -> Vec<Forbidden> {
    let mut forbidden = Vec::new();
    for requirement in requirements {
        let Requirement { names, except, .. } = requirement;
        forbidden.push(Forbidden { names: names.clone(), except: except.clone() });
    }
    forbidden
}

/// The part with the points that requirements take off, if the assignment has any that do, and the
/// remarks about the others.
pub(super) fn requirements(objects: &Objects<'_>) -> (Option<MarkedPart>, Vec<String>) {
    let requirements = &objects.compiler.sheet.assignment.requirements;
    let mut part = MarkedPart { name: PART.to_owned(), ..MarkedPart::default() };
    let mut remarks = Vec::new();
    for (index, requirement) in requirements.iter().enumerate() {
        let mut found = violations(index, requirement, objects);
        let Some(last) = found.last_mut() else { continue };
        if !requirement.says.is_empty() {
            *last += &format!(". The hand-out: {}", requirement.says);
        }
        if requirement.points < 0.0 {
            part.points = rounded(part.points + requirement.points);
            part.notes.push(format!("{}: {}", requirement.points, found.join("; ")));
        } else {
            remarks.extend(found);
        }
    }
    for kind in [RequirementKind::FileNames, RequirementKind::Provided, RequirementKind::Called] {
        if !requirements.iter().any(|requirement| requirement.kind == kind) {
            remarks.extend(of_submission(kind, objects));
        }
    }
    let takes_points = requirements.iter().any(|requirement| requirement.points < 0.0);
    (takes_points.then_some(part), remarks)
}

/// How a submission violates a requirement.
fn violations(index: usize, requirement: &Requirement, objects: &Objects<'_>) -> Vec<String> {
    let mut found = of_submission(requirement.kind, objects);
    for (name, source) in objects.sources() {
        if requirement.files.is_empty() || requirement.files.contains(name) {
            found.extend(of_source(index, requirement.kind, name, source));
        }
    }
    found
}

/// The violations of a submission as a whole.
fn of_submission(kind: RequirementKind, objects: &Objects<'_>) -> Vec<String> {
    let mut found = Vec::new();
    match kind {
        RequirementKind::FileNames => found.clone_from(&objects.files.renamed),
        RequirementKind::Provided => {
            for file in objects.needing_own_headers() {
                found.push(format!(
                    "{file} compiles only with a changed header of the course; its functions were \
                     called with that"
                ));
            }
        }
        RequirementKind::Called if !objects.survey.unreached.is_empty() => found.push(format!(
            "main does not lead to a call of {}: the program does without what is asked for",
            objects.survey.unreached.join(", ")
        )),
        _ => {}
    }
    found
}

/// The violation of one file.
fn of_source(
    index: usize,
    kind: RequirementKind,
    name: &str,
    source: &SourceFacts,
) -> Option<String> {
    match kind {
        RequirementKind::Contact => {
            let mut missing = Vec::new();
            for (is_there, what) in [
                (source.has_name, "name"),
                (source.has_number, "student's number"),
                (source.has_address, "e-mail address"),
            ] {
                if !is_there {
                    missing.push(what);
                }
            }
            let missing = missing.join(" and no ");
            (!missing.is_empty())
                .then(|| format!("{name} has no {missing} in a comment at its top"))
        }
        RequirementKind::Comments if !source.has_comments => {
            Some(format!("{name} has no comments below those at its top"))
        }
        RequirementKind::Without => {
            let (used, line) = source.forbidden.get(index)?.as_ref()?;
            Some(format!("{name}:{line} uses {used}"))
        }
        _ => None,
    }
}

/// What in a file only Visual Studio accepts, and what replaced it here.
pub(super) fn only_visual_studio(
    objects: &Objects<'_>,
    name: &str,
    source: &SourceFacts,
) -> Vec<String> {
    let mut reasons = Vec::new();
    for header in &source.included {
        if objects.has_stand_in(header) {
            let header = printable(header.as_bytes(), QUOTED);
            reasons.push(format!(
                "{name} includes {header}, which only Visual Studio has; a small or empty one took \
                 its place"
            ));
        }
    }
    if source.has_void_main {
        reasons.push(format!(
            "{name} has `void main`, which only Visual Studio takes: write `int main()`, as it was \
             compiled here"
        ));
    }
    if let Some(error) = objects.error_without_visual_studio(name) {
        let error = printable(error.as_bytes(), QUOTED);
        reasons.push(format!(
            "{name} compiles only with what Visual Studio includes by itself: include the header \
             that has it. Without: {error}"
        ));
    }
    reasons
}
