//! Bots with a clock of their own, as a user plays them: each clock is kept, told and logged, a
//! logged game is played again with both, and a changed clock makes other games. Bots that must be
//! in time have minutes or no clock.

use crate::support::{Ran, arbiter, project, run};
use arbiter::record::{Record, read_log};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Sleeps for these seconds before each answer.
fn sleeps(seconds: &str) -> String {
    format!("python3 {} sleep {seconds}", project("tests/bots/using.py").display())
}

/// Plays a game of a bot that sleeps and is called `sleeper` against `builtin:random`, with a log
/// and a transcript in this folder.
fn play(dir: &Path, sleeper: &str, flags: &[&str]) -> Ran {
    let [log, transcript] =
        ["games.pgn", "lines.txt"].map(|file| dir.join(file).display().to_string());
    let sleeper = sleeps(sleeper);
    let words = [
        "play",
        "loa",
        &*sleeper,
        "builtin:random",
        "--name",
        "sleeper",
        "--start",
        "120s",
        "--json",
    ];
    let ran =
        run(&[&words, &["--seed", "3", "--log", &log, "--transcript", &transcript][..], flags]
            .concat());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    ran
}

fn only_record(dir: &Path) -> Record {
    let log = fs::read(dir.join("games.pgn")).unwrap();
    let record = read_log(&log).next().unwrap().unwrap();
    assert_eq!(record.to_string().as_bytes(), log, "it is written as it was read");
    record
}

fn in_folder(dir: &TempDir, words: &[&str]) -> Ran {
    arbiter(words).current_dir(dir.path()).output().unwrap().into()
}

#[test]
fn the_clock_of_each_side_is_kept_told_and_logged() {
    let dir = tempfile::tempdir().unwrap();
    let ran = play(dir.path(), "3600", &["--time", "none", "--time", "sleeper=0.1+0.5"]);
    assert!(
        ran.stdout.contains("\"termination\":\"timeout\"")
            && ran.stdout.contains("\"winner\":\"random\""),
        "{ran:?}"
    );
    let record = only_record(dir.path());
    assert_eq!(
        (record.time_control.first.as_deref(), record.time_control.second.as_deref()),
        (Some("0.1+0.5"), Some("-"))
    );
    let log = record.to_string();
    assert!(log.contains("\n[WhiteTimeControl \"-\"]\n[BlackTimeControl \"0.1+0.5\"]\n"), "{log}");
    assert!(!log.contains("[TimeControl ") && !log.contains("--time"), "{log}");
    let lines = fs::read_to_string(dir.path().join("lines.txt")).unwrap();
    for told in
        ["sleeper > time 100 500", "sleeper > opponent-time none", "sleeper > clock 100 1000000000"]
    {
        assert!(lines.contains(told), "{told}: {lines}");
    }
    for told in ["random > time none", "random > opponent-time 100 500"] {
        assert!(lines.contains(told), "{told}: {lines}");
    }
    assert!(!lines.contains("random > clock"), "{lines}");

    // The same bot with no clock, or another one, against an opponent that has one: it is in time.
    fs::remove_file(dir.path().join("games.pgn")).unwrap();
    let flags =
        ["--time", "0.1+0", "--time", "random=600+1", "--time", "sleeper=none", "--max-plies", "4"];
    let ran = play(dir.path(), "0.5", &flags);
    assert!(ran.stdout.contains("\"termination\":\"max-plies\""), "{ran:?}");
    let lines = fs::read_to_string(dir.path().join("lines.txt")).unwrap();
    assert!(
        lines.contains("random > time 600000 1000") && lines.contains("sleeper > time none"),
        "{lines}"
    );
    assert!(
        !lines.contains("sleeper > clock") && lines.contains("random > clock 600000 1000000000"),
        "{lines}"
    );
    let verified = in_folder(&dir, &["verify", "games.pgn"]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    let shown = in_folder(&dir, &["replay", "--plain", "games.pgn"]);
    assert!(shown.status == Some(0) && shown.stdout.contains("W "), "{shown:?}");
}

#[test]
fn equal_clocks_are_one_whoever_names_them() {
    let dir = tempfile::tempdir().unwrap();
    let flags = ["--time", "600+1", "--move-time", "random=300s", "--move-time", "sleeper=300s"];
    play(dir.path(), "0", &[&flags[..], &["--max-plies", "2"]].concat());
    let log = only_record(dir.path()).to_string();
    assert!(
        log.contains("\n[TimeControl \"1/300\"]\n") && !log.contains("WhiteTimeControl"),
        "{log}"
    );
    let lines = fs::read_to_string(dir.path().join("lines.txt")).unwrap();
    assert!(
        lines.contains("sleeper > time move 300000") && !lines.contains("opponent-time"),
        "{lines}"
    );
}

#[test]
fn a_game_is_played_again_with_both_clocks() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), "3600", &["--time", "600+1", "--move-time", "sleeper=100ms"]);
    let sleeper = format!("sleeper={}", sleeps("3600"));
    let again = ["rerun", "games.pgn", "--bot", &sleeper, "--bot", "random=builtin:random"];
    let ran = in_folder(&dir, &again);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("the same game: ") && !ran.stderr.contains("has changed"),
        "{ran:?}"
    );
    for (name, told) in [
        ("sleeper", "\ntime move 100\nopponent-time 600000 1000\n"),
        ("random", "\ntime 600000 1000\nopponent-time move 100\n"),
    ] {
        let requests = in_folder(&dir, &["rerun", "games.pgn", "--requests", name]);
        assert!(requests.stdout.contains(told), "{name}: {requests:?}");
    }
    // Other clocks than those of the game are named.
    let ran = in_folder(&dir, &["rerun", "games.pgn", "--bot", &sleeper, "--time", "random=300+0"]);
    let note = "note: --time sleeper=1/0.1 --time random=300+0 instead of sleeper=1/0.1 --time random=600+1, so";
    assert!(ran.status == Some(0) && ran.stderr.contains(note), "{ran:?}");
    let ran = in_folder(&dir, &["rerun", "games.pgn", "--bot", &sleeper, "--time", "alice=300+0"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("there are sleeper, random"), "{ran:?}");
}

#[test]
fn clocks_of_bots_that_are_not_there_are_refused() {
    let play = |flags: &[&str]| {
        run(&[&["play", "loa", "builtin:random", "builtin:greedy"], flags].concat())
    };
    for (flags, why) in [
        (
            &["--time", "carol=1+0"][..],
            "--time carol=1+0: no bot of that name can have its own clock here; there are random, greedy",
        ),
        (
            &["--time", "random=1+0", "--time", "random=2+0"],
            "--time random=1+0 cannot be used with --time random=2+0",
        ),
        (
            &["--time", "greedy=1+0", "--move-time", "greedy=1s"],
            "--time greedy=1+0 cannot be used with --move-time greedy=1s",
        ),
        (
            &["--time", "none", "--move-time", "1s"],
            "--time none cannot be used with --move-time 1s",
        ),
        (&["--time", "random=0+1"], "the time must be more than 0"),
        (&["--time", "random="], "write BASE+INC in seconds"),
        (&["--move-time", "random=5x"], "500ms"),
    ] {
        let ran = play(flags);
        assert!(ran.status == Some(2) && ran.stderr.contains(why), "{flags:?}: {ran:?}");
    }
    let tried = run(&["try", "loa", "builtin:random", "builtin:greedy", "--time", "random=none"]);
    assert!(tried.status == Some(2) && tried.stderr.contains("a test needs a clock"), "{tried:?}");
}

/// A tournament of three built-in bots, of which `cat` has these keys too.
fn cup(dir: &TempDir, own: &str) -> Ran {
    let mut config =
        "name = 'cup'\ngame = 'lineup'\n[options]\nn = 4\ns = 3\n[time]\nmove = '120s'\n[limits]\n\
                      sandbox = 'basic'\n[schedule]\nopening-plies = 2\n"
            .to_owned();
    for (name, more) in [("ant", ""), ("bee", ""), ("cat", own)] {
        config.push_str(&format!("[[bot]]\nname = '{name}'\ncommand = 'builtin:random'\n{more}\n"));
    }
    fs::write(dir.path().join("cup.toml"), config).unwrap();
    in_folder(dir, &["tournament", "cup.toml", "--out", "out"])
}

#[test]
fn a_tournament_keeps_own_clocks_and_plays_the_games_of_a_changed_one_again() {
    let dir = tempfile::tempdir().unwrap();
    let journal = || fs::read_to_string(dir.path().join("out/journal.jsonl")).unwrap();
    let games = || journal().matches("{\"type\":\"game\"").count();
    let ran = cup(&dir, "time = { base = '600s', increment = '1s' }");
    assert!(ran.status == Some(0) && games() == 6, "{ran:?}");
    let log = fs::read_to_string(dir.path().join("out/games.pgn")).unwrap();
    let records: Vec<Record> = read_log(log.as_bytes()).map(Result::unwrap).collect();
    for record in &records {
        let control = |name: &str| if name == "cat" { "600+1" } else { "1/120" };
        let expected = record.players.as_ref().map(|name| Some(control(name)));
        assert_eq!(record.time_control.as_ref().map(Option::as_deref), expected, "{record}");
    }
    // The clock of the tournament is no clock of its own.
    let ran = cup(&dir, "time = { move = '120s' }");
    assert!(
        ran.stderr.contains("cat changed (its clock): 4 of its games are played again")
            && games() == 10,
        "{ran:?}"
    );
    let ran = cup(&dir, "");
    assert!(ran.status == Some(0) && !ran.stderr.contains("changed") && games() == 10, "{ran:?}");
    let ran = cup(&dir, "time = { base = '600s', increment = '1s' }");
    assert!(
        ran.stderr.contains("games of this content that count again: 4") && games() == 10,
        "{ran:?}"
    );
    // A game of the journal is played again with its clocks.
    let requests = in_folder(&dir, &["rerun", "out", "ant~cat.1", "--requests", "cat"]);
    assert!(
        requests.stdout.contains("\ntime 600000 1000\nopponent-time move 120000\n"),
        "{requests:?}"
    );
    let again = in_folder(&dir, &["rerun", "out", "ant~cat.1"]);
    assert!(again.status == Some(0) && again.stdout.contains("the same game: "), "{again:?}");
    // The clocks of both of a game bound it, the slowest ones of the tournament.
    let plan = in_folder(&dir, &["tournament", "cup.toml", "--out", "new", "--print-plan"]);
    assert!(plan.status == Some(0) && plan.stdout.contains("a game: at most "), "{plan:?}");
}

#[test]
fn a_test_of_two_bots_takes_a_clock_of_either() {
    let dir = tempfile::tempdir().unwrap();
    let words = [
        "try",
        "lineup",
        "builtin:random",
        "builtin:greedy",
        "--set",
        "n=4",
        "--set",
        "s=3",
        "--max-pairs",
        "1",
    ];
    let ran = in_folder(
        &dir,
        &[&words[..], &["--time", "600+1", "--move-time", "greedy=120s", "--out", "out"]].concat(),
    );
    assert!(ran.status.is_some_and(|status| [0, 1, 4].contains(&status)), "{ran:?}");
    let log = fs::read_to_string(dir.path().join("out/games.pgn")).unwrap();
    for record in read_log(log.as_bytes()).map(Result::unwrap) {
        let control = |name: &str| if name == "greedy" { "1/120" } else { "600+1" };
        let expected = record.players.as_ref().map(|name| Some(control(name)));
        assert_eq!(record.time_control.as_ref().map(Option::as_deref), expected, "{record}");
    }
}

#[test]
fn standings_say_which_bots_had_several_clocks() {
    let dir = tempfile::tempdir().unwrap();
    let game = |number: u32, clocks: &str| {
        format!(
            "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[GameId \"{number}\"]\n{clocks}\n\n1-0\n\n"
        )
    };
    let both = "[TimeControl \"10+0.1\"]";
    let log = game(1, both) + &game(2, "[WhiteTimeControl \"10+0.1\"]\n[BlackTimeControl \"1+0\"]");
    fs::write(dir.path().join("games.pgn"), log).unwrap();
    let ran = in_folder(&dir, &["standings", "games.pgn"]);
    let note =
        "b had several clocks in the games (1+0, 10+0.1): they are rated as those of one bot";
    assert!(ran.stderr.contains(note) && !ran.stderr.contains("a had"), "{ran:?}");
    fs::write(dir.path().join("games.pgn"), game(1, both) + &game(2, both)).unwrap();
    let ran = in_folder(&dir, &["standings", "games.pgn"]);
    assert!(ran.status == Some(0) && !ran.stderr.contains("several clocks"), "{ran:?}");
}
