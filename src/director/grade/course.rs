//! What belongs to the games of the courses: the cases of their programs, and the files that a program is built with.

use crate::config::assignment::{Assignment, PartKind};
use crate::grade::cases::{ProgramCase, gekitai, loa};
use crate::rules::Game;

/// The environment variable that holds the script of a case.
pub(super) const SCRIPT: &str = "ARBITER_SCRIPT";

/// The cases of the program of an assignment; none if no part marks one.
pub(super) fn cases_of(assignment: &Assignment, seed: u64) -> Vec<ProgramCase> {
    if !assignment.parts.iter().any(|part| matches!(part.kind, PartKind::Program { .. })) {
        return Vec::new();
    }
    match assignment.game {
        Game::Gekitai => assignment.boards.iter().flat_map(|&board| gekitai::cases(board, seed)).collect(),
        Game::Loa => loa::cases(seed),
        _ => Vec::new(),
    }
}

/// The sources that a program of this game is built with beside the submission: names and content.
pub(super) fn companions(game: Game, scripted: bool) -> &'static [(&'static str, &'static str)] {
    match (game, scripted) {
        (Game::Loa, true) => &[("arbiter-scripted.cpp", include_str!("../../grade/provided/scripted.cpp"))],
        (Game::Loa, false) => &[("arbiter-right.cpp", include_str!("../../grade/provided/right.cpp"))],
        _ => &[],
    }
}
