//! Checks of an assignment's values that are valid one by one but not together.

use super::shape::{Board, Part, PartKind, Toolchain};
use crate::nearest::did_you_mean;
use crate::section::Reading;
use arbiter_rules::Game;
use std::collections::BTreeMap;

/// The functions that can be marked, in the order of the hand-out; in loa the members of the class.
pub(super) fn functions_of(game: &Game) -> &'static [&'static str] {
    match game.name() {
        "gekitai" => &["is_valid_move", "pieces_on_board", "pieces_in_line", "move", "print"],
        "flipflop" => {
            &["InitializeBoard", "DisplayBoard", "PlacePiece", "IsThisMoveValid", "IsAnyMoveValid"]
        }
        "loa" => &[
            "LinesOfAction",
            "printGame",
            "getCurrentPlayer",
            "swapPlayer",
            "move",
            "hasConnected",
            "gameOver",
        ],
        _ => &[],
    }
}

/// Refuses parts that the game or the toolchain cannot have, files that the assignment does not
/// have, and an assignment without parts or points.
pub(super) fn parts(
    reading: &Reading<'_>,
    game: &Game,
    files: &[String],
    toolchain: &Toolchain,
    parts: &[(String, Part)],
) {
    for (path, part) in parts {
        let kind = format!("{path}.kind");
        match (&part.kind, toolchain) {
            (PartKind::Program { .. }, _) if game.name() == "flipflop" => {
                let why = "flipflop has no part \"program\": its hand-out fixes no text of the \
                           program; write \"functions\"";
                reading.refuse(&kind, why);
            }
            (PartKind::Games { .. }, Toolchain::Command(_)) if game.name() == "lineup" => {}
            (PartKind::Games { .. }, _) => {
                let why = "\"games\" is marked in lineup alone, of a program that `command` starts";
                reading.refuse(&kind, why);
            }
            _ if game.name() == "lineup" => {
                let why = "the hand-out of lineup fixes no function and no text; write \"games\", \
                           with `command`";
                reading.refuse(&kind, why);
            }
            (
                PartKind::Builds { .. } | PartKind::Globals { .. } | PartKind::Functions { .. },
                Toolchain::Command(_),
            ) => {
                let why = "with `command` nothing is compiled, so only \"program\" can be marked; \
                           write `compile`, or leave the part out";
                reading.refuse(&kind, why);
            }
            _ => {}
        }
        known_files(reading, &format!("{path}.files"), &part.files, files);
    }
    let mut points = 0.0;
    for (_, part) in parts {
        points += part.most();
    }
    // A part with a mistake is not among them, and may have points.
    if reading.sound(&["part"]) && points <= 0.0 {
        let why = "there is nothing to earn; add a [[part]] with kind and points for each thing \
                   that is marked";
        reading.refuse("part", why);
    }
}

/// Refuses what is said of a program that plays where none does.
pub(super) fn player(reading: &Reading<'_>, game: &Game) {
    for key in ["build", "adapter", "console"] {
        if reading.has(key) && game.name() != "lineup" {
            let why =
                format!("`{key}` is about a program that plays, and {} has none", game.name());
            reading.refuse(key, why);
        }
    }
}

/// Refuses names at a path that are none of the `files` of the assignment.
pub(super) fn known_files(reading: &Reading<'_>, path: &str, named: &[String], files: &[String]) {
    for name in named {
        if !files.contains(name) {
            let near = did_you_mean(name, files.iter().map(String::as_str));
            let why = format!("`{name}` is none of the `files` of the assignment{near}");
            reading.refuse(path, why);
        }
    }
}

/// The measures of a board that are constants in a submission to gekitai, by the keys of their
/// options.
fn constant_measures(board: &Board) -> [(char, Option<u32>); 3] {
    [('n', Some(board.n)), ('p', board.p), ('l', board.l)]
}

/// Refuses boards that the rules refuse, and boards that a submission cannot be built for.
pub(super) fn boards(
    reading: &Reading<'_>,
    game: &Game,
    boards: &[(String, Board)],
    constants: &BTreeMap<char, String>,
) {
    let name = game.name();
    match name {
        "loa" if !boards.is_empty() => {
            return reading.refuse("boards", "loa has one board; leave `boards` out");
        }
        "gekitai" | "flipflop" | "lineup" if boards.is_empty() && reading.sound(&["boards"]) => {
            let example = match name {
                "gekitai" => "{n=6, p=8, l=3}",
                "lineup" => "{n=4, b=4, s=3}",
                _ => "{n=8}",
            };
            let why = format!("the file needs `boards`, such as boards = [ {example} ]");
            return reading.refuse("boards", why);
        }
        _ => {}
    }
    for (at, (path, board)) in boards.iter().enumerate() {
        if let Err(error) = board.ruleset(game) {
            reading.refuse(path, error.to_string());
        }
        if boards[..at].iter().any(|(_, other)| other == board) {
            reading.refuse(path, "this board is there twice; remove one of them");
        }
    }
    if name != "gekitai" {
        if let Some(key) = constants.keys().next() {
            let message = format!(
                "{name} has no constants that differ between boards; leave [constants] out"
            );
            reading.refuse(&format!("constants.{key}"), message);
        }
        return;
    }
    // A submission is built once for each board, with these constants changed in its text.
    let Some((_, first)) = boards.first() else { return };
    for (at, (key, value)) in constant_measures(first).into_iter().enumerate() {
        let differs = boards.iter().any(|(_, board)| constant_measures(board)[at].1 != value);
        if differs && !constants.contains_key(&key) && reading.sound(&[&format!("constants.{key}")])
        {
            let capital = key.to_ascii_uppercase();
            let why = format!(
                "boards differ in `{key}`, so [constants] needs the name of that constant, such as \
                 {key} = \"{capital}\""
            );
            reading.refuse("boards", why);
        }
    }
}
