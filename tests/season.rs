//! The simulated season of `benches/season`, small: shards that are killed, stopped and out of disk, merged
//! after each round, lose no game and leave nothing behind.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::process::Command;
use support::{ARBITER, Ran, has, project};

#[test]
fn a_small_season_with_faults_of_all_kinds_has_every_game_once_and_leaks_nothing() {
    if !has("cc", "benches/season") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let size = ["--bots", "16", "--games", "192", "--rounds", "3", "--endings", "1", "--passing", "1"];
    let mut season = Command::new("python3");
    season.arg(project("benches/season/season.py")).args(["--arbiter", ARBITER, "--measure", "0.2"]);
    let ran: Ran = season.args(size).arg("--dir").arg(dir.path()).output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("checks that failed: 0"), "{ran:?}");
}
