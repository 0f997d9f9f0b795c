//! `arbiter rerun` and the feedback's commands as a user runs them, with real processes: the same
//! game again by both bots, by one against the log, or fed by a pipe; where a game leaves its log;
//! and what a log cannot make arbiter do.

#[allow(dead_code, reason = "shared with the tests of tournaments")]
mod again;
mod debugger;
mod leaving;
mod logs;
mod recorded_player;

use crate::support::place::Place;
use crate::support::{Ran, arbiter, moves};
use std::path::Path;

/// Answers a legal ply that depends on its argument and on the number of the ply. With a further
/// argument it does something else at its third ply: `crash`, `illegal`, `resign`, `closed` or
/// `twice` (an illegal ply, then a legal one).
const NTH: &str = r#"
import os, sys
step, special = int(sys.argv[1]), sys.argv[2:]
moves, asked = [], 0
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "start": print("ready", flush=True)
    elif word == "moves": moves = rest
    elif word == "illegal": asked -= 1; special = []
    elif word == "go":
        asked += 1
        ply = moves[asked * step % len(moves)]
        if asked == 3 and special:
            if special[0] == "crash": sys.exit(3)
            if special[0] == "resign": print("resign", flush=True); continue
            if special[0] == "closed": print("move \0", flush=True); continue
            ply = "z99"
        print("move", ply, flush=True)
"#;

/// Runs a rerun with these arguments, in the folder of the test.
fn rerun(place: &Place, arguments: &[&str]) -> Ran {
    in_folder(&place.path(""), arguments)
}

/// The same in another folder.
fn in_folder(folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = arbiter(&["rerun"]);
    command.args(arguments).current_dir(folder).output().unwrap().into()
}

/// Plays a game of `lineup` between two bots with these flags, and returns its log, `game.pgn`.
fn game(place: &Place, first: &str, second: &str, flags: &[&str]) -> String {
    let mut command = arbiter(&["play", "lineup", first, second, "--set", "n=4", "--set", "s=3"]);
    command.args(["--time", "120+1", "--seed", "5", "--log", "game.pgn"]).args(flags);
    let ran: Ran = command.current_dir(place.path("")).output().unwrap().into();
    assert!(matches!(ran.status, Some(0)), "{ran:?}");
    place.text("game.pgn")
}

/// Checks that it was the same game.
#[track_caller]
fn assert_same(ran: &Ran) {
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(
        ran.stdout.starts_with("the same game: ") && ran.stdout.lines().count() == 1,
        "{ran:?}"
    );
}

/// The moves of the log of a rerun, which is then removed.
fn moves_of(place: &Place, file: &str) -> String {
    let log = place.text(file);
    std::fs::remove_file(place.path(file)).unwrap();
    moves(&log)
}
