//! What all submissions are marked by.

use super::cases::{ProgramCase, gekitai, loa};
use arbiter_config::assignment::{Assignment, PartKind};
use arbiter_rules::Game;

/// What all submissions are marked by, and their pages are made from.
#[derive(Debug)]
pub struct Sheet {
    pub assignment: Assignment,
    /// The files that the course gives out: names and content.
    pub provided: Vec<(String, Vec<u8>)>,
    /// The cases of whole programs, whose input is shown.
    pub cases: Vec<ProgramCase>,
    /// The seed of all cases: another one has other games.
    pub seed: u64,
}

impl Sheet {
    /// Makes the cases.
    #[must_use]
    pub fn new(assignment: Assignment, provided: Vec<(String, Vec<u8>)>, seed: u64) -> Sheet {
        let has_program =
            assignment.parts.iter().any(|part| matches!(part.kind, PartKind::Program { .. }));
        let cases = match assignment.game {
            Game::Gekitai if has_program => {
                assignment.boards.iter().flat_map(|&board| gekitai::cases(board, seed)).collect()
            }
            Game::Loa if has_program => loa::cases(seed),
            _ => Vec::new(),
        };
        Sheet { assignment, provided, cases, seed }
    }
}
