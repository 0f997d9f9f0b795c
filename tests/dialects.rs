//! Bots of CodinGame play unchanged: whole games of its dialect, by real processes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::fs;
use std::path::Path;
use support::{Ran, has, has_strict, project, run};

/// Limits that no healthy bot reaches.
const CALM: [&str; 6] = ["--move-time", "120s", "--start", "120s", "--name", "one"];

/// The side to move wins by our a6c4, which is `g8e6` in the dialect.
const WON: &str = "8/6W1/6W1/3BB3/5B2/5BB1/BWW5/8 B";
const WON_BY_SECOND: &str = "8/6B1/6B1/3WW3/5W2/5WW1/WBB5/8 W";
/// The first side can only pass; and both sides.
const STUCK: &str = "BW6/WW6/8/8/8/8/6WW/6WB B";
const BOTH_STUCK: &str = "8/2W1B1W1/1B1B1B1B/2W1B1W1/1W1W1W1W/2W1B1W1/1B1B1B1B/2W1B1W1 B";

/// A BOT of the dialect that answers so, one argument a turn, and then plays on its own.
fn codingame(answers: &[&str]) -> String {
    let file = project("tests/bots/codingame.py");
    let answers: String = answers.iter().map(|answer| format!(" '{answer}'")).collect();
    format!("codingame:python3 {}{answers}", file.display())
}

/// Plays a game of `one` and `two`; returns what it printed and its log, which `verify` accepts.
fn play(dir: &Path, one: &str, two: &str, options: &[&str]) -> (Ran, String) {
    let log = dir.join("game.pgn");
    let _ = fs::remove_file(&log);
    let path = log.to_str().unwrap();
    let base = ["play", "loa", one, two, "--name", "two", "--log", path];
    let ran = run(&[&base[..4], &CALM[..], &base[4..], options].concat());
    let verified = run(&["verify", path]);
    assert_eq!(verified.status, Some(0), "{ran:?} {verified:?}");
    let text = fs::read_to_string(&log).unwrap();
    (ran, text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn both_sides_win_lose_and_draw() {
    if !has("python3", "bots of other sites") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let native = || "builtin:random".to_owned();
    let won = "1-0 two (W) win connected 1 ply";
    let won_by_second = "0-1 two (W) win connected 1 ply";
    let drawn = "1/2-1/2 two (W) draw stalemate 2 plies";
    for (one, two, position, expected) in [
        (codingame(&["g8e6 a win"]), codingame(&[]), WON, won),
        (codingame(&["g8e6"]), native(), WON, won),
        (codingame(&[]), codingame(&["g8e6"]), WON_BY_SECOND, won_by_second),
        (native(), codingame(&["g8e6"]), WON_BY_SECOND, won_by_second),
        (codingame(&["pass"]), codingame(&["random"]), BOTH_STUCK, drawn),
        (codingame(&["pass I see"]), native(), BOTH_STUCK, drawn),
        (native(), codingame(&["pass"]), BOTH_STUCK, drawn),
    ] {
        let (ran, log) = play(dir.path(), &one, &two, &["--position", position]);
        let line = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.status == Some(0) && line.contains(expected), "{one} {two}: {ran:?}");
        assert_eq!(
            one.contains("a win"),
            log.contains(" a win}"),
            "a comment is information: {log}"
        );
        let timed = log.matches("pass {0.").count();
        let asked = [&one, &two].iter().filter(|bot| bot.starts_with("codingame:")).count();
        assert!(
            position != BOTH_STUCK || timed == asked,
            "whoever is asked for a pass has used time: {log}"
        );
    }
}

#[test]
fn a_whole_game_from_the_start_has_no_fault() {
    if !has("python3", "bots of other sites") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let noisy = codingame(&["noise/MOVE", "/MOVE/MOVE", "MOVE/stop"]);
    let (ran, log) =
        play(dir.path(), &codingame(&[]), &noisy, &["--opening-plies", "3", "--seed", "4"]);
    assert!(ran.status == Some(0) && !log.contains("forfeit"), "{ran:?} {log}");
    assert!(log.matches(" after ").count() > 2, "comments of the bot: {log}");
}

#[test]
fn an_illegal_answer_loses_at_once_in_squares_of_the_site() {
    if !has("python3", "bots of other sites") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (one, options, expected) in [
        (
            codingame(&["c8c7", "MOVE"]),
            &[][..],
            "expected one of 36 legal plies such as \"b8h8\"; came \"c8c7\": the line from c8 to c7 holds 2 pieces",
        ),
        (codingame(&["pass"]), &[][..], "came \"pass\": pass is only for a side that has no move"),
        (
            codingame(&["b8b6"]),
            &["--position", STUCK][..],
            "legal plies such as \"pass\"; came \"b8b6\": ",
        ),
        (codingame(&["exit"]), &[][..], "after an answer keep reading until the end of input"),
    ] {
        let (ran, log) =
            play(dir.path(), &one, "builtin:random", &[options, &["--attempts", "3"]].concat());
        assert!(ran.stdout.contains(expected) && ran.stdout.contains("0-1"), "{one}: {ran:?}");
        assert!(log.contains("[Result \"1-0\"]"), "the second side is White in the log: {log}");
    }
}

#[test]
fn a_bot_that_does_not_answer_is_told_what_was_expected() {
    if !has("python3", "bots of other sites") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let quick = ["--time", "1.5+0", "--margin", "0s"];
    for (one, expected) in [
        (
            codingame(&["thinking"]),
            "\"thinking\" came, which is not an answer: a line must begin with one of the moves",
        ),
        (codingame(&["C8C6"]), "\"C8C6\" came: write \"c8c6\""),
        (codingame(&[""]), "an empty line came; after the list of legal moves, print \"b8h8\""),
    ] {
        let log = dir.path().join("game.pgn");
        let base = [
            "play",
            "loa",
            &one,
            "builtin:random",
            "--start",
            "120s",
            "--log",
            log.to_str().unwrap(),
        ];
        let ran = run(&[&base[..], &quick].concat());
        assert!(ran.stdout.contains(expected) && ran.stdout.contains("timeout"), "{one}: {ran:?}");
    }
}

#[test]
fn random_follows_from_the_seed() {
    if !has("python3", "bots of other sites") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let one = codingame(&["random"; 12]);
    let plies = |seed: &str| {
        let (ran, log) =
            play(dir.path(), &one, "builtin:greedy", &["--seed", seed, "--max-plies", "24"]);
        assert!(ran.status == Some(0) && !log.contains("forfeit"), "{ran:?}");
        let moves = log.split("1. ").nth(1).unwrap().to_owned();
        let outside = moves
            .split('{')
            .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest).to_owned());
        outside.collect::<String>()
    };
    assert_eq!(plies("5"), plies("5"));
    assert_ne!(plies("5"), plies("6"));
}

#[test]
fn other_games_are_refused_and_other_rules_are_noted() {
    if !has("python3", "bots of other sites") {
        return;
    }
    let one = codingame(&[]);
    let ran = run(&["play", "gekitai", &one, "builtin:random"]);
    let why = "the dialect `codingame` knows only the game loa, not gekitai";
    assert!(
        ran.status == Some(2) && ran.stderr.contains(why) && ran.stderr.contains(&one),
        "{ran:?}"
    );
    let ran =
        run(&["play", "loa", &one, &one, "--position", WON, "-n", "2", "--move-time", "120s"]);
    assert_eq!(ran.stderr.matches("configs/codingame.toml has these rules").count(), 1, "{ran:?}");
    assert!(fs::exists(project("configs/codingame.toml")).unwrap());
    let times = ["--move-time", "150ms", "--first-move", "1s", "--margin", "120s"];
    let rules = ["--max-plies", "150", "--repetition", "0", "--set", "simultaneous=mover"];
    let games = ["play", "loa", &one, "builtin:random", "--position", WON];
    let ran = run(&[&games[..], &times, &rules].concat());
    assert!(!ran.stderr.contains("configs/"), "{ran:?}");
}

#[test]
fn requests_are_those_of_the_dialect() {
    if !has("python3", "bots of other sites") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), &codingame(&[]), "builtin:random", &["--max-plies", "4"]);
    let log = dir.path().join("game.pgn");
    let requests = |name: &str| run(&["rerun", log.to_str().unwrap(), "--requests", name]);
    let one = requests("codingame:one").stdout;
    assert!(one.starts_with("b\n.bbbbbb.\nw......w\n") && !one.contains("quit"), "{one}");
    assert_eq!(one.matches("\nnull\n").count(), 1, "{one}");
    assert!(requests("one").stdout.starts_with("arena 1\n"));
}

#[test]
fn a_tournament_of_all_dialects_under_strict() {
    if !has("python3", "bots of other sites") || !has_strict("bots of other sites under strict") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let cody = dir.path().join("in/cody");
    fs::create_dir_all(&cody).unwrap();
    fs::copy(project("tests/bots/codingame.py"), cody.join("bot.py")).unwrap();
    fs::write(cody.join("bot.toml"), "command = 'python3 bot.py'\ndialect = 'codingame'\n")
        .unwrap();
    let console = dir.path().join("in/boardy");
    fs::create_dir_all(&console).unwrap();
    for file in ["bot.toml", "loa.py"] {
        fs::copy(project("bots/console/board-python").join(file), console.join(file)).unwrap();
    }
    let config = "name = 'sites'\ngame = 'loa'\n[schedule]\ngames = 2\n[time]\nmove = '120s'\nstart = '120s'\n\
         [match]\nmax-plies = 60\n\
         [[bot]]\nname = 'carl'\ncommand = 'codingame:python3 bot.py'\ndir = 'in/cody'\n\
         [[bot]]\nname = 'rudi'\ncommand = 'python3 bot.py'\ndir = 'in/cody'\ndialect = 'codingame'\n\
         [[bot]]\nname = 'ugo'\ncommand = 'ugi:builtin:random'\n\
         [[bot]]\nname = 'native'\ncommand = 'builtin:greedy'\n[[bots]]\nfolder = 'in'\n";
    fs::write(dir.path().join("sites.toml"), config).unwrap();
    let (file, out) = (dir.path().join("sites.toml"), dir.path().join("out"));
    let ran =
        run(&["tournament", file.to_str().unwrap(), "--out", out.to_str().unwrap(), "--strict"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.stderr.matches("configs/codingame.toml").count(), 1, "{ran:?}");
    let verified = run(&["standings", out.to_str().unwrap(), "--verify"]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    let requests = |bot: &str, game: &str| {
        run(&["rerun", out.to_str().unwrap(), game, "--requests", bot]).stdout
    };
    assert!(requests("cody", "cody~native.1").contains("\n.bbbbbb.\n"));
    assert!(requests("rudi", "native~rudi.1").contains("\n.bbbbbb.\n"));
    assert!(requests("native", "native~rudi.1").starts_with("arena 1\n"));
    assert!(requests("ugo", "rudi~ugo.1").starts_with("ugi\nsetoption name Game value loa\n"));
    let boards = requests("boardy", "boardy~native.2");
    assert_eq!(boards.lines().next().map(|line| line.split(' ').count()), Some(8), "{boards}");
}
