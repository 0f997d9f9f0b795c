//! Bots of other sites play unchanged: whole games of the dialects `codingame` and `riddles`, by real processes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::fs;
use std::path::Path;
use support::{Ran, has, has_strict, project, run};

/// Limits that no healthy bot reaches.
const CALM: [&str; 6] = ["--move-time", "120s", "--start", "120s", "--name", "one"];

/// The side to move wins by our a6c4, which is g8e6 and `move 6,0 4,2`.
const WON: &str = "8/6W1/6W1/3BB3/5B2/5BB1/BWW5/8 B";
const WON_BY_SECOND: &str = "8/6B1/6B1/3WW3/5W2/5WW1/WBB5/8 W";
/// The first side can only pass; and both sides.
const STUCK: &str = "BW6/WW6/8/8/8/8/6WW/6WB B";
const BOTH_STUCK: &str = "8/2W1B1W1/1B1B1B1B/2W1B1W1/1W1W1W1W/2W1B1W1/1B1B1B1B/2W1B1W1 B";

/// A BOT of a dialect that answers so, one argument a turn, and then plays on its own.
fn bot(dialect: &str, answers: &[&str]) -> String {
    let file = project(&format!("tests/bots/{dialect}.py"));
    let answers: String = answers.iter().map(|answer| format!(" '{answer}'")).collect();
    format!("{dialect}:python3 {}{answers}", file.display())
}

fn codingame(answers: &[&str]) -> String {
    bot("codingame", answers)
}

fn riddles(answers: &[&str]) -> String {
    bot("riddles", answers)
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
fn both_sides_of_both_dialects_win_lose_and_draw() {
    if !has("python3", "bots of other sites") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (first, native) = (|dialect: &str| bot(dialect, &[]), "builtin:random".to_owned());
    let won = "1-0 two (W) win connected 1 ply";
    let won_by_second = "0-1 two (W) win connected 1 ply";
    let drawn = "1/2-1/2 two (W) draw stalemate 2 plies";
    for (one, two, position, expected) in [
        (codingame(&["g8e6 a win"]), first("riddles"), WON, won),
        (riddles(&["move 6,0 4,2"]), first("codingame"), WON, won),
        (riddles(&["move 6,0  4,2"]), native.clone(), WON, won),
        (first("riddles"), codingame(&["g8e6"]), WON_BY_SECOND, won_by_second),
        (native, codingame(&["g8e6"]), WON_BY_SECOND, won_by_second),
        (first("codingame"), riddles(&["move 6,0 4,2"]), WON_BY_SECOND, won_by_second),
        (codingame(&["pass"]), codingame(&["random"]), BOTH_STUCK, drawn),
        (codingame(&["pass"]), riddles(&[]), BOTH_STUCK, drawn),
        (riddles(&[]), codingame(&["pass I see"]), BOTH_STUCK, drawn),
        (riddles(&[]), riddles(&[]), BOTH_STUCK, drawn),
    ] {
        let (ran, log) = play(dir.path(), &one, &two, &["--position", position]);
        let line = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.status == Some(0) && line.contains(expected), "{one} {two}: {ran:?}");
        assert_eq!(one.contains("a win"), log.contains(" a win}"), "a comment is information: {log}");
        let timed = log.matches("pass {0.").count();
        let asked = [&one, &two].iter().filter(|bot| bot.starts_with("codingame:")).count();
        assert!(position != BOTH_STUCK || timed == asked, "whoever is asked for a pass has used time: {log}");
    }
}

#[test]
fn a_whole_game_from_the_start_has_no_fault() {
    if !has("python3", "bots of other sites") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (one, two) in [
        (codingame(&[]), riddles(&[])),
        (riddles(&[]), codingame(&["noise/MOVE", "/MOVE/MOVE", "MOVE/stop"])),
    ] {
        let (ran, log) = play(dir.path(), &one, &two, &["--opening-plies", "3", "--seed", "4"]);
        assert!(ran.status == Some(0) && !log.contains("forfeit"), "{ran:?} {log}");
        assert!(log.matches(" after ").count() > 2, "comments of the bot: {log}");
    }
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
        (codingame(&["b8b6"]), &["--position", STUCK][..], "legal plies such as \"pass\"; came \"b8b6\": "),
        (
            riddles(&["move 2,0 2,1", "MOVE"]),
            &[][..],
            "expected one of 36 legal plies such as \"move 1,0 7,0\"; came \"move 2,0 2,1\": the line from 2,0 to 2,1 holds 2 pieces",
        ),
        (riddles(&["pass"]), &[][..], "came \"pass\": this dialect has no pass"),
        (riddles(&["move 2,0"]), &[][..], "came \"move 2,0\": after the word move stand two squares"),
        (codingame(&["exit"]), &[][..], "after an answer keep reading until the end of input"),
        (riddles(&["exit"]), &[][..], "after an answer keep reading until the end of input"),
    ] {
        let (ran, log) = play(dir.path(), &one, "builtin:random", &[options, &["--attempts", "3"]].concat());
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
        (riddles(&["2,0 2,2"]), "\"2,0 2,2\" came: write \"move 2,0 2,2\""),
        (riddles(&["resign"]), "this dialect has no word for giving up"),
        (riddles(&[""]), "an empty line came; after \"action move\", print \"move 1,0 7,0\""),
    ] {
        let log = dir.path().join("game.pgn");
        let base = ["play", "loa", &one, "builtin:random", "--start", "120s", "--log", log.to_str().unwrap()];
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
        let (ran, log) = play(dir.path(), &one, "builtin:greedy", &["--seed", seed, "--max-plies", "24"]);
        assert!(ran.status == Some(0) && !log.contains("forfeit"), "{ran:?}");
        let moves = log.split("1. ").nth(1).unwrap().to_owned();
        let outside =
            moves.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest).to_owned());
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
    for dialect in ["codingame", "riddles"] {
        let one = bot(dialect, &[]);
        let ran = run(&["play", "gekitai", &one, "builtin:random"]);
        let why = format!("the dialect `{dialect}` knows only the game loa, not gekitai");
        assert!(ran.status == Some(2) && ran.stderr.contains(&why) && ran.stderr.contains(&one), "{ran:?}");
        let file = format!("configs/{dialect}.toml has these rules");
        let games = ["play", "loa", &one, &one, "--position", WON, "-n", "2", "--move-time", "120s"];
        let ran = run(&games);
        assert_eq!(ran.stderr.matches(&file).count(), 1, "{ran:?}");
        assert!(fs::exists(project(&format!("configs/{dialect}.toml"))).unwrap());
    }
    let games = ["play", "loa", &riddles(&[]), "builtin:random", "--position", WON];
    let ran = run(&[&games[..], &["--max-plies", "199", "--repetition", "0"]].concat());
    assert!(!ran.stderr.contains("configs/"), "{ran:?}");
}

#[test]
fn requests_are_those_of_the_dialect() {
    if !has("python3", "bots of other sites") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), &codingame(&[]), &riddles(&[]), &["--max-plies", "4"]);
    let log = dir.path().join("game.pgn");
    let requests = |name: &str| run(&["rerun", log.to_str().unwrap(), "--requests", name]);
    let one = requests("codingame:one").stdout;
    assert!(one.starts_with("b\n.bbbbbb.\nw......w\n") && !one.contains("quit"), "{one}");
    assert_eq!(one.matches("\nnull\n").count(), 1, "{one}");
    let two = requests("riddles:two").stdout;
    assert!(
        two.starts_with("settings timebank 120000\n") && two.contains("settings your_bot player1\n"),
        "{two}"
    );
    assert!(two.ends_with("\naction move 120000\n") && two.contains("\nupdate game round 2\n"), "{two}");
    assert!(requests("one").stdout.starts_with("arena 1\n"));
}

#[test]
fn a_tournament_of_all_dialects_under_strict() {
    if !has("python3", "bots of other sites") || !has_strict("bots of other sites under strict") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (name, dialect) in [("cody", "codingame"), ("rita", "riddles")] {
        let folder = dir.path().join("in").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(project(&format!("tests/bots/{dialect}.py")), folder.join("bot.py")).unwrap();
        fs::write(folder.join("bot.toml"), format!("command = 'python3 bot.py'\ndialect = '{dialect}'\n"))
            .unwrap();
    }
    let console = dir.path().join("in/boardy");
    fs::create_dir_all(&console).unwrap();
    for file in ["bot.toml", "loa.py"] {
        fs::copy(project("bots/console/board-python").join(file), console.join(file)).unwrap();
    }
    let config = "name = 'sites'\ngame = 'loa'\n[schedule]\ngames = 2\n[time]\nmove = '120s'\nstart = '120s'\n\
         [match]\nmax-plies = 60\n\
         [[bot]]\nname = 'carl'\ncommand = 'codingame:python3 bot.py'\ndir = 'in/cody'\n\
         [[bot]]\nname = 'rudi'\ncommand = 'python3 bot.py'\ndir = 'in/rita'\ndialect = 'riddles'\n\
         [[bot]]\nname = 'ugo'\ncommand = 'ugi:builtin:random'\n\
         [[bot]]\nname = 'native'\ncommand = 'builtin:greedy'\n[[bots]]\nfolder = 'in'\n";
    fs::write(dir.path().join("sites.toml"), config).unwrap();
    let (file, out) = (dir.path().join("sites.toml"), dir.path().join("out"));
    let ran = run(&["tournament", file.to_str().unwrap(), "--out", out.to_str().unwrap(), "--strict"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for dialect in ["codingame", "riddles"] {
        assert_eq!(ran.stderr.matches(&format!("configs/{dialect}.toml")).count(), 1, "{ran:?}");
    }
    let verified = run(&["standings", out.to_str().unwrap(), "--verify"]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    let requests =
        |bot: &str, game: &str| run(&["rerun", out.to_str().unwrap(), game, "--requests", bot]).stdout;
    assert!(requests("cody", "cody~native.1").contains("\n.bbbbbb.\n"));
    assert!(requests("rudi", "native~rudi.1").starts_with("settings timebank "));
    assert!(requests("native", "native~rudi.1").starts_with("arena 1\n"));
    assert!(requests("ugo", "rudi~ugo.1").starts_with("ugi\nsetoption name Game value loa\n"));
    let boards = requests("boardy", "boardy~native.2");
    assert_eq!(boards.lines().next().map(|line| line.split(' ').count()), Some(8), "{boards}");
}
