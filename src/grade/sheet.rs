//! What all submissions are marked by.

use super::cases::{ProgramCase, gekitai, loa};
use arbiter_config::assignment::{Assignment, PartKind};
use arbiter_rules::Game;
use std::path::PathBuf;

/// What all submissions are marked by, and their pages are made from.
#[derive(Debug)]
pub struct Sheet {
    pub assignment: Assignment,
    /// The folder of its file, in which what it names lies.
    pub folder: PathBuf,
    /// The files that the course gives out: names and content.
    pub provided: Vec<(String, Vec<u8>)>,
    /// The cases of whole programs, whose input is shown.
    pub cases: Vec<ProgramCase>,
    /// The seed of all cases: another one has other games.
    pub seed: u64,
}

impl Sheet {
    /// Makes the cases.
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
        Sheet { assignment, folder: PathBuf::new(), provided, cases, seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::calls;
    use arbiter_config::assignment::{BUILT_IN, Board, Weights, parse};
    use std::collections::BTreeSet;

    /// Fails unless these are the classes that have weights.
    fn check<'a>(what: &str, classes: impl Iterator<Item = &'a str>, weights: &'a Weights) {
        let classes: BTreeSet<&str> = classes.collect();
        let weighed: BTreeSet<&str> = weights.keys().map(String::as_str).collect();
        assert_eq!(classes, weighed, "{what}");
    }

    #[test]
    fn every_class_of_cases_has_a_weight_and_every_weight_a_class() {
        for (name, text) in BUILT_IN {
            let sheet = Sheet::new(parse(text, name).unwrap(), Vec::new(), 1);
            let boards: Vec<Board> = match &sheet.assignment.boards[..] {
                [] => vec![Board { n: 8, ..Board::default() }],
                boards => boards.to_vec(),
            };
            let all: Vec<_> = boards.into_iter().flat_map(|board| calls(name, board, 1)).collect();
            for part in &sheet.assignment.parts {
                match &part.kind {
                    PartKind::Program { weights, .. } => {
                        check(name, sheet.cases.iter().map(|case| case.class), weights);
                    }
                    PartKind::Functions { points, weights, .. } => {
                        for function in points.keys() {
                            let of_it = all.iter().filter(|call| call.function == function);
                            check(function, of_it.map(|call| call.class), &weights[function]);
                        }
                    }
                    PartKind::Builds { .. } | PartKind::Globals { .. } | PartKind::Games { .. } => {
                    }
                }
            }
        }
    }
}
