//! What belongs to the games of the courses: the cases of their programs, and the files that a program is built with.

use crate::config::assignment::{Assignment, PartKind};
use crate::grade::cases::ProgramCase;
use crate::rules::Game;

/// The file with the script of a case, in the folder that the program runs in.
pub(super) const SCRIPT: &str = "script.txt";

/// The cases of the program of an assignment; none if no part marks one.
pub(super) fn cases_of(assignment: &Assignment, _seed: u64) -> Vec<ProgramCase> {
    if !assignment.parts.iter().any(|part| matches!(part.kind, PartKind::Program { .. })) {
        return Vec::new();
    }
    Vec::new()
}

/// The sources that a program of this game is built with beside the submission: names and content.
pub(super) fn companions(_game: Game, _scripted: bool) -> &'static [(&'static str, &'static str)] {
    &[]
}
