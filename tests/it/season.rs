//! The simulated season of `benches/season`, small: shards that are killed, stopped and out of
//! disk, merged after each round, lose no game and leave nothing behind. And the league whose start
//! and end it measures.

use crate::support::{ARBITER, Ran, has, plays_all, project};
use std::process::Command;

#[test]
fn the_bench_of_a_league_measures_a_small_one() {
    if !has("cc", "benches/season") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let size = ["--bots", "3", "--games", "6", "--times", "2", "--concurrency", "1"];
    let mut league = Command::new("python3");
    league.arg(project("benches/season/league.py")).args(["--arbiter", ARBITER]);
    let ran: Ran = league.args(size).arg("--dir").arg(dir.path()).output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let line = |what: &str| ran.stdout.lines().find(|line| line.contains(what)).map(str::to_owned);
    for what in [
        "in an empty folder",
        "to the first new game",
        "Ctrl-C to report.html",
        "Ctrl-C to the end",
    ] {
        assert!(line(what).is_some_and(|line| line.ends_with(" s")), "{what}: {ran:?}");
    }
    assert_eq!(dir.path().read_dir().unwrap().count(), 0, "{ran:?}");
}

#[test]
fn a_small_season_with_faults_of_all_kinds_has_every_game_once_and_leaks_nothing() {
    if !has("cc", "benches/season") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    // In a sample games end early, as draws, so that no lost game is analysed.
    let [bots, games, plies] = if plays_all() { ["16", "192", "0"] } else { ["6", "36", "70"] };
    let mut season = Command::new("python3");
    season.arg(project("benches/season/season.py")).args(["--arbiter", ARBITER]);
    season.args(["--bots", bots, "--games", games, "--plies", plies, "--rounds", "3"]);
    season.args(["--endings", "1", "--passing", "1", "--measure", "0.2"]);
    let ran: Ran = season.arg("--dir").arg(dir.path()).output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("checks that failed: 0"), "{ran:?}");
}
