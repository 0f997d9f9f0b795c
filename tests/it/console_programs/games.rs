//! Console programs play by their tables: those of bots/console, and wrong ones, each with its
//! verdict and its sentence. `.ci/slow` plays all (`ARBITER_ALL`), otherwise it is one in two of
//! the programs, and of the wrong ones the first of each verdict and one in five of the others.
//!
//! No test here asserts a time.

use crate::support::{POSIX, has, project, run, sample, sample_of_kinds};
use arbiter::config::console;
use arbiter::game::{SentLines, Settings};
use arbiter::protocol::console::conversation;
use arbiter::record::read_log;
use arbiter::replay::Requests;
use arbiter::rules::Side;
use arbiter::seed::RunSeed;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Clocks that no machine is too slow for.
const CALM: [&str; 6] = ["--start", "60s", "--move-time", "60s", "--grace", "10s"];

/// The games of a match, with the log checked by `verify`.
fn play(arguments: &[&str], dir: &Path) -> Vec<Value> {
    let log = dir.join(format!("{}.pgn", crate::support::random()));
    let log = log.to_str().unwrap();
    let ran = run(&[&["play"], arguments, &["--json", "--seed", "7", "--log", log]].concat());
    assert_eq!(ran.status, Some(0), "{arguments:?}: {ran:?}");
    let verified = run(&["verify", log]);
    assert_eq!(
        verified.status,
        Some(0),
        "{arguments:?}: {verified:?}\n{}",
        fs::read_to_string(log).unwrap()
    );
    let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.filter(|line: &Value| line["type"] == "game").collect()
}

/// How a game ended for the bot of this name: `win`, `loss` or `draw` by the rules, or its
/// termination.
fn ending(game: &Value, name: &str) -> String {
    let own = if game["white"] == name { "1-0" } else { "0-1" };
    match (game["outcome"].as_str().unwrap(), game["result"].as_str().unwrap()) {
        ("draw", _) => "draw".to_owned(),
        ("win" | "suicide", result) if result == own => "win".to_owned(),
        ("win" | "suicide", _) => "loss".to_owned(),
        _ => game.to_string(),
    }
}

#[test]
fn the_console_programs_play_both_sides_and_win_lose_and_draw() {
    let dir = tempfile::tempdir().unwrap();
    let bots = dir.path().join("bots");
    let copied = Command::new("cp").arg("-r").arg(project("bots/console")).arg(&bots).status();
    assert!(copied.unwrap().success());
    let all: BTreeSet<&str> = ["win", "loss", "draw"].into();
    let programs = [
        ("board-python", "boardy", "loa", &[][..]),
        ("menus-python", "menno", "lineup", &[]),
        ("stderr-c", "ceecil", "gekitai", &[]),
        ("numbers-python", "numa", "lineup", &["--set", "blocks=none"]),
        ("trace-python", "tracy", "lineup", &["--set", "blocks=none"]),
    ];
    for (folder, name, game, options) in sample(programs, 2) {
        let bot = bots.join(folder);
        if folder.ends_with("-c") {
            if !has("cc", "a console program in C") {
                continue;
            }
            let built = Command::new("cc")
                .args(["-O1", "-o", "gekitai", "gekitai.c"])
                .current_dir(&bot)
                .status();
            assert!(built.unwrap().success());
        }
        let mut endings = BTreeSet::new();
        for (opponent, plies) in
            [("builtin:random", "400"), ("builtin:greedy", "400"), ("builtin:random", "4")]
        {
            let bot = bot.to_str().unwrap();
            let arguments =
                [&[game, bot, opponent, "-n", "6", "--max-plies", plies], options, &CALM].concat();
            endings.extend(play(&arguments, dir.path()).iter().map(|game| ending(game, name)));
        }
        let endings: BTreeSet<&str> = endings.iter().map(String::as_str).collect();
        assert_eq!(endings, all, "{name}");
    }
}

/// A behaviour of tests/bots/console.py; its side, first or second; its termination, empty for a
/// game that ends by the rules; and words of the sentence.
type Row = (&'static str, usize, &'static str, &'static [&'static str]);

const WRONG: &[Row] = &[
    ("healthy", 0, "", &[]),
    ("healthy", 1, "", &[]),
    ("twice", 0, "", &[]),
    (
        "silent",
        0,
        "no-start",
        &["expected 'Size .*: ' or 'your move: ' within 10.000 s", "it printed nothing"],
    ),
    (
        "deaf",
        1,
        "no-start",
        &["last printed: \"Size of the board:\"", "has read nothing of what it was sent"],
    ),
    (
        "dies-in-setup",
        0,
        "no-start",
        &["last printed: \"no configuration\"; then the program ended with exit status 3"],
    ),
    (
        "prompts-for-ever",
        1,
        "no-start",
        &["expected 'Size .*: ' or 'your move: '; the program wrote more than"],
    ),
    (
        "never-prompts",
        1,
        "no-start",
        &[
            "expected 'Size .*: ' or 'your move: '",
            "last printed: \"Please choose a square with the mouse.\"",
        ],
    ),
    (
        "never-prompts",
        0,
        "timeout",
        &["expected a move 'I play (?<text>[a-z]\\d+)' within 5", "with the mouse"],
    ),
    ("refuses", 1, "protocol", &["asks for it again: \"", "is not allowed! | your move:\""]),
    ("refuses", 0, "protocol", &["was sent the opponent's move, which is legal"]),
    ("two-persons", 0, "timeout", &["last printed: \"your move:\"", "arbiter hotseat"]),
    (
        "two-persons",
        1,
        "protocol",
        &["asks for it again: \"your move:\"", "a person for the moves of both sides"],
    ),
    (
        "moves-unasked",
        1,
        "no-start",
        &["expected 'Size .*: ' or 'your move: '", "last printed: \"I play a0\""],
    ),
    (
        "off-board",
        0,
        "illegal-move",
        &["expected one of 25 legal moves such as \"a0\"; came \"I play z9\": "],
    ),
    ("floods", 1, "output-limit", &["wrote more than"]),
    ("computes", 0, "timeout", &["it was still computing"]),
    (
        "exits",
        1,
        "crash",
        &[
            "expected a move",
            "last printed: \"your move:\"; then the program ended with exit status 0",
        ],
    ),
];

/// A bot folder with a program of this command.
fn wrong_bot(dir: &Path, command: &str) -> String {
    let table = r#"
        dialect = "console"
        [console]
        setup = [{ prompt = 'Size .*: ', send = "{n}" }]
        ask = [{ prompt = 'your move: ', send = "{ply.text}" }]
        move = 'I play (?<text>[a-z]\d+)'
    "#;
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("bot.toml"), format!("name = \"wrong\"\ncommand = '{command}'\n{table}"))
        .unwrap();
    dir.to_str().unwrap().to_owned()
}

/// Plays a game of lineup with a wrong program on this side and returns what is wrong with its end.
fn judge(bot: &str, &(behaviour, side, termination, words): &Row, dir: &Path) -> Option<String> {
    let mut bots = ["builtin:random"; 2];
    bots[side] = bot;
    // A short limit only where the verdict is that it is over.
    let limits = match termination {
        "no-start" => ["--start", "10s", "--move-time", "60s"],
        "timeout" => ["--start", "60s", "--move-time", "5s"],
        _ => ["--start", "60s", "--move-time", "60s"],
    };
    let limits = [&["--set", "blocks=none"], &limits[..]].concat();
    // What a silent program does is not known there.
    let words = if POSIX && ["computes", "unflushed"].contains(&behaviour) { &[] } else { words };
    let games = play(&[&["lineup", bots[0], bots[1]], &limits[..]].concat(), dir);
    let game = &games[0];
    let detail = game["detail"].as_str().unwrap_or_default();
    let is_right = match termination {
        "" => detail.is_empty() && game["outcome"] != "forfeit",
        _ => game["termination"] == termination && words.iter().all(|word| detail.contains(word)),
    };
    let native = ["\"ready\"", "\"go\"", "\"quit\""].iter().any(|word| detail.contains(word));
    (!is_right || native).then(|| format!("{behaviour} on side {side}: {game}"))
}

#[test]
fn each_wrong_program_gets_its_verdict_and_its_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let complaints: Vec<String> = std::thread::scope(|scope| {
        let judge = |row: &'static Row| {
            let own = dir.path().join(format!("{}-{}", row.0, row.1));
            let program = project("tests/bots/console.py");
            let bot =
                wrong_bot(&own, &format!("python3 {} {} {{first:1|2}}", program.display(), row.0));
            scope.spawn(move || judge(&bot, row, &own))
        };
        let games: Vec<_> = sample_of_kinds(WRONG, 5, |row| row.2).into_iter().map(judge).collect();
        games.into_iter().filter_map(|game| game.join().unwrap()).collect()
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_program_in_c_that_does_not_flush_is_told_of_stdbuf_and_plays_no_game() {
    if !has("cc", "a console program that does not flush") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let bot = wrong_bot(&dir.path().join("unflushed"), "./unflushed");
    let built = Command::new("cc")
        .args(["-o", "unflushed"])
        .arg(project("tests/bots/console.c"))
        .current_dir(&bot)
        .status();
    assert!(built.unwrap().success());
    let row: Row = (
        "unflushed",
        0,
        "no-start",
        &["it printed nothing; \"Size of the board: \" came only when", "`stdbuf -o0 ./player`"],
    );
    assert_eq!(judge(&bot, &row, dir.path()), None);
}

#[test]
fn the_requests_of_a_logged_game_are_what_the_program_is_sent_at_its_prompts() {
    let table = fs::read_to_string(project("bots/console/menus-python/bot.toml")).unwrap();
    let table = &table[table.find("[console]").unwrap()..];
    let log = "[White \"menno\"] [Black \"randy\"] [Result \"1-0\"] [Game \"lineup\"] [Options \"n=5 s=4 blocks=c2\"]
        [Outcome \"win\"] [Termination \"resign\"] 1. c1 {0.012s} b3 {0.012s} 2. b2 {0.012s} 1-0";
    let record = read_log(log.as_bytes()).next().unwrap().unwrap();
    let sent = SentLines::new(&RunSeed::Open(1), "menno~randy.1", &record.ruleset());
    let settings = Settings::for_ruleset(record.ruleset());
    for (you, rest) in [(Side::First, "1\n3\nB\n"), (Side::Second, "2\n1\nC\n2\nB\n")] {
        let mut conversation = conversation(&Arc::new(console::parse(table).unwrap()));
        let requests = Requests::in_dialect(&record, &settings, &sent, you, &mut *conversation);
        assert_eq!(requests.text(), format!("5\n4\n1\n2\nC\n{rest}"));
    }
}
