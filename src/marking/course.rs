//! What belongs to the games of the courses: the cases of their programs, and the files that a
//! program is built with.

use crate::config::assignment::{Assignment, PartKind};
use crate::grade::cases::{ProgramCase, gekitai, loa};
use crate::grade::{RIGHT, SCRIPTED};
use crate::rules::Game;

/// The file with the script of a case, in the folder that the program runs in.
pub(super) const SCRIPT: &str = "script.txt";

/// The cases of the program of an assignment; none if no part marks one.
pub(super) fn cases_of(assignment: &Assignment, seed: u64) -> Vec<ProgramCase> {
    if !assignment.parts.iter().any(|part| matches!(part.kind, PartKind::Program { .. })) {
        return Vec::new();
    }
    match assignment.game {
        Game::Gekitai => {
            assignment.boards.iter().flat_map(|&board| gekitai::cases(board, seed)).collect()
        }
        Game::Loa => loa::cases(seed),
        _ => Vec::new(),
    }
}

/// The source that a program of this game is built with beside the submission, if there is one: its
/// name and content.
pub(super) fn companion(game: Game, scripted: bool) -> Option<(&'static str, &'static str)> {
    match (game, scripted) {
        (Game::Loa, true) => Some(("arbiter-scripted.cpp", SCRIPTED)),
        (Game::Loa, false) => Some(("arbiter-right.cpp", RIGHT)),
        _ => None,
    }
}
