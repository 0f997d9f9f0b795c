//! All known kinds of broken bots: each must get its verdict and its explanation, leave a valid
//! log, and leave no process. A healthy match beside them must not be affected.
//!
//! The bots are in tests/bots. No test here asserts a time: late answers are late by a minute.

use crate::support::broken_bots::Ends::{Forfeits, Plays, Resigns};
use crate::support::broken_bots::{Row, compile, installed, line};
use crate::support::{
    POSIX, broken, marker, moves, plays_all, processes_with, run, sample_of_kinds, write_program,
};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

/// Words of the table of bots that say what a silent bot does.
const OF_SILENCE: [&str; 4] = [
    "\"ready\" appeared",
    "not flushed (write print(…, flush=True))",
    "still computing",
    "it sleeps",
];

/// No healthy bot is near this limit on any machine.
const CALM: [&str; 4] = ["--move-time", "120s", "--start", "120s"];

/// A healthy match but for its number of games; the same seed makes it the same games.
const NEIGHBOURS: &str =
    "play loa builtin:random builtin:greedy --json --strict --seed 1 --time 60+1 --start 120s -n";

/// The games of the healthy match, and the pause before it is played again. A match that goes on
/// without a pause takes a processor from the other tests, so it does that only in full tests.
const FULL: (usize, Duration) = (40, Duration::ZERO);
const SAMPLED: (usize, Duration) = (8, Duration::from_millis(300));

/// A bot's side, and its place on the command line.
type Seat = (char, usize);
const SEATS: [Seat; 2] = [('B', 0), ('W', 1)];

/// A finished game of a broken bot.
struct Played {
    game: Value,
    /// The moves of its log.
    moves: String,
    /// What is wrong with it, except for the verdict.
    complaints: Vec<String>,
}

/// Plays a bot on one side against a healthy one, and checks that no process is left.
fn play(bot: &str, (side, place): Seat, dir: &Path, options: &[&str]) -> Played {
    let marker = marker(&side.to_string());
    let file = |ending: &str| format!("{}/{marker}.{ending}", dir.display());
    let line = line(bot, dir, &marker);
    let mut bots = ["builtin:random"; 2];
    bots[place] = &line;
    let log = file("pgn");
    let ran =
        run(&[&["play", "loa", bots[0], bots[1], "--json", "--seed", "1", "--log", &log], options]
            .concat());
    let left = processes_with(&marker); // checked at once: arbiter does not end before its bots
    let verified = run(&["verify", &log]);
    let game: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();

    let mut complaints = Vec::new();
    let mut expect = |holds: bool, what: &str| {
        if !holds {
            complaints.push(format!("{bot} as {side}: {what}: {ran:?}"));
        }
    };
    expect(ran.status == Some(0), "its exit status");
    expect(
        ran.stderr.is_empty() && ran.stdout.lines().count() == 1,
        "a line on stdout and nothing else",
    );
    expect(game[if side == 'B' { "white" } else { "black" }] == "random", "its seat");
    let pid = fs::read_to_string(file("pid")).unwrap_or_default();
    if POSIX && !pid.is_empty() {
        let _ = Command::new("kill").args(["-9", pid.trim()]).status(); // a daemon is not found there
    } else {
        expect(left.is_empty(), &format!("processes left over: {left:#?}"));
    }
    expect(
        verified.status == Some(0) && verified.stdout.contains("1 game, valid"),
        &format!("{verified:?}"),
    );
    if bot.contains("MARKER.pid") {
        expect(!pid.is_empty(), "its daemon never ran");
    }
    Played { game, moves: moves(&fs::read_to_string(&log).unwrap_or_default()), complaints }
}

/// Plays a row on one side and returns the mistakes. `healthy` has the moves of a healthy bot on
/// that side.
fn judge(&(bot, what, ends, words): &Row, seat: Seat, dir: &Path, healthy: &str) -> Vec<String> {
    let options = match ends {
        Forfeits("no-start") => ["--move-time", "120s", "--start", "5s"],
        Forfeits("timeout") => ["--move-time", "2s", "--start", "120s"],
        _ => CALM,
    };
    let Played { game, moves, mut complaints } = play(bot, seat, dir, &options);
    let word = |key: &str| game[key].as_str().unwrap_or_default();
    let (outcome, termination, detail) = (word("outcome"), word("termination"), word("detail"));
    let lost =
        word("winner") == "random" && word("result") == if seat.0 == 'B' { "1-0" } else { "0-1" };
    let holds = match ends {
        Plays => {
            // Another name gives another seed, and so other moves of the opponent.
            matches!(outcome, "win" | "suicide" | "draw")
                && (bot.starts_with('$') || moves == healthy)
        }
        Resigns => (outcome, termination) == ("win", "resign") && lost,
        Forfeits(expected) => (outcome, termination) == ("forfeit", expected) && lost,
    };
    if !holds {
        complaints.push(format!("{bot} as {} ({what}) does not end as {ends:?}: {game}", seat.0));
    }
    if matches!(ends, Forfeits(_)) == game["detail"].is_null() {
        complaints.push(format!("{bot} as {}: a detail goes with a forfeit: {game}", seat.0));
    }
    let words = words.iter().filter(|word| !POSIX || !OF_SILENCE.contains(word));
    for word in words.map(|word| word.replace("SIDE", &seat.0.to_string())) {
        if !detail.contains(&word) {
            complaints.push(format!(
                "{bot} as {} ({what}): its author does not read {word:?}: {detail}",
                seat.0
            ));
        }
    }
    complaints
}

#[test]
fn every_broken_bot_in_both_seats_beside_a_healthy_match() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let rows = sample_of_kinds(installed(), 12, |row| match row.2 {
        Plays => "plays",
        Resigns => "resigns",
        Forfeits(termination) => termination,
    });
    let bots: Vec<&str> = rows.iter().map(|row| row.0).collect();
    compile(&bots, dir);
    let healthy = SEATS.map(|seat| play("healthy", seat, dir, &CALM).moves);
    let (healthy_games, pause) = if plays_all() { FULL } else { SAMPLED };
    let number = healthy_games.to_string();
    let neighbours: Vec<&str> = NEIGHBOURS.split(' ').chain([&*number]).collect();
    let alone = run(&neighbours);
    let lines = alone.stdout.lines().count();
    assert_eq!((alone.status, lines), (Some(0), healthy_games + 1), "{alone:?}");

    let rows = rows.into_iter().enumerate();
    let games = rows.flat_map(|(number, row)| SEATS.map(|seat| (number, row, seat)));
    // In both seats; or those of the sample each in one seat, which take turns.
    let games = games.filter(|&(number, _, seat)| plays_all() || number % SEATS.len() == seat.1);
    let games: Vec<(&Row, Seat)> = games.map(|(_, row, seat)| (row, seat)).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let play_on = || {
        let mut complaints = Vec::new();
        while let Some(&(row, seat)) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            complaints.extend(judge(row, seat, dir, &healthy[seat.1]));
        }
        complaints
    };
    let (complaints, disturbed) = thread::scope(|scope| {
        let beside = scope.spawn(|| {
            // Until the last broken bot has played, so that each of them has a healthy match
            // beside it, or begins soon before one, on a machine of any speed.
            while !done.load(Ordering::Relaxed) {
                let ran = run(&neighbours);
                if ran.status != Some(0) || ran.stdout != alone.stdout {
                    return Some(ran);
                }
                thread::sleep(pause);
            }
            None
        });
        let players: Vec<_> = (0..4).map(|_| scope.spawn(play_on)).collect();
        let played: Vec<_> = players.into_iter().map(ScopedJoinHandle::join).collect();
        done.store(true, Ordering::Relaxed);
        let complaints: Vec<String> =
            played.into_iter().flat_map(|played| played.unwrap()).collect();
        (complaints, beside.join().unwrap())
    });
    assert!(disturbed.is_none(), "the healthy match beside was disturbed: {disturbed:?}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn an_illegal_answer_may_be_followed_by_another_where_the_match_allows_it() {
    let dir = tempfile::tempdir().unwrap();
    for seat in SEATS {
        let play = |bot, attempts| {
            play(bot, seat, dir.path(), &[&CALM[..], &["--attempts", attempts]].concat())
        };
        let healthy = play("healthy", "1");
        // A second answer that came before the first was refused does not count.
        for bot in ["illegal", "illegal-and-legal"] {
            let played = play(bot, "2");
            assert_eq!(
                (played.complaints, played.moves),
                (vec![], healthy.moves.clone()),
                "{}",
                played.game
            );
        }
        let stubborn = play("illegal-always", "3");
        assert_eq!(
            (stubborn.complaints, &stubborn.game["termination"]),
            (vec![], &"illegal-move".into())
        );
    }
}

#[test]
fn strict_asks_for_forfeits_of_everybody_or_of_one_bot() {
    let play = |behaviour: &str, strict: &str| {
        let bot = broken(behaviour);
        let ran =
            run(&[&["play", "loa", &bot, "builtin:random", "--json", strict], &CALM[..]].concat());
        let game: Value = serde_json::from_str(&ran.stdout).unwrap();
        (ran.status, format!("{} {}", game["outcome"], game["termination"]).replace('"', ""))
    };
    for (strict, status) in [("--strict", 1), ("--strict=broken", 1), ("--strict=random", 0)] {
        assert_eq!(
            play("illegal", strict),
            (Some(status), "forfeit illegal-move".to_owned()),
            "{strict}"
        );
        assert_eq!(
            play("exit-at-once", strict),
            (Some(status), "forfeit no-start".to_owned()),
            "{strict}"
        );
        assert_eq!(play("resigns", strict), (Some(0), "win resign".to_owned()), "{strict}");
    }
}

#[test]
fn two_bots_that_never_start_both_lose() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("games.pgn");
    let log = log.to_str().unwrap();
    let (silent, leaving) = (broken("silent-start"), broken("exit-3-at-start"));
    let ran = run(&[
        "play", "loa", &silent, &leaving, "-n", "2", "--json", "--start", "5s", "--log", log,
    ]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("neither bot started in any game"), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");
    for line in ran.stdout.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            (&game["outcome"], &game["termination"]),
            (&"forfeit".into(), &"no-start".into()),
            "{game}"
        );
        assert_eq!(
            (&game["winner"], &game["result"], &game["plies"]),
            (&Value::Null, &"*".into(), &0.into())
        );
        let detail = game["detail"].as_str().unwrap();
        assert!(detail.contains("broken: expected \"ready\" within 5 s"), "{detail}");
        assert!(
            detail.contains("broken-2: expected \"ready\"; the program ended with exit status 3"),
            "{detail}"
        );
    }
    let verified = run(&["verify", log]);
    assert!(
        verified.status == Some(0) && verified.stdout.contains("2 games, valid"),
        "{verified:?}"
    );
}

/// A BOT that cannot be run; its content, as an executable file or as the bot.toml of a folder; and
/// words of the error. DIR is a folder of the test.
const USER_ERRORS: [(&str, &str, &[&str]); 21] = [
    ("", "", &["a BOT is empty"]),
    (" ", "", &["a BOT is empty"]),
    ("python3 'bot.py", "", &["python3 'bot.py: a quote in it is not closed"]),
    ("builtin:deepblue", "", &["builtin:deepblue", "builtin:random"]),
    ("no/such/bot", "", &["no/such/bot: no such file"]),
    ("nosuchbot", "", &["nosuchbot: no such file, folder or command"]),
    ("tests/bots/not-executable.sh", "", &["chmod +x", "tests/bots/not-executable.sh"]),
    (
        "tests/bots/wrong-interpreter.sh",
        "",
        &["wrong-interpreter.sh", "interpreter", "/no/such/interpreter"],
    ),
    ("tests/bots/crlf-script.sh", "", &["crlf-script.sh", "Windows"]),
    ("DIR/env.py", "#!/usr/bin/env nosuchpython\n", &["env.py", "not installed: nosuchpython"]),
    ("DIR/no-first-line.py", "import sys\nprint('ready')\n", &["no-first-line.py", "#!"]),
    ("DIR/cut.off", "\x7fELF", &["cut.off"]),
    ("DIR", "", &["bot.toml", "command = "]),
    ("DIR/key", "command = './bot'\ncomand = 1\n", &["key/bot.toml:2", "`comand`", "`command`"]),
    ("DIR/toml", "command = python3 bot.py\n", &["toml/bot.toml:1", "command = python3"]),
    ("DIR/type", "command = 3\n", &["type/bot.toml:1", "command = 3"]),
    ("DIR/nothing", "name = 'conny'\n", &["nothing/bot.toml:1", "needs `command`"]),
    ("DIR/program", "command = './bot'\n", &["program/bot.toml", "program/bot: no such file"]),
    (
        "DIR/dialect",
        "command = 'sh x.sh'\ndialect = 'klingon'\n",
        &["dialect/bot.toml:2", "'klingon'"],
    ),
    (
        "DIR/build",
        "command = './bot'\nbuild = 'echo oops; exit 2'\n",
        &["build", "exit status 2", "oops"],
    ),
    ("DIR/idle", "command = './bot'\nbuild = 'true'\n", &["idle/bot: no such file"]),
];

#[test]
fn a_bot_that_cannot_be_run_is_the_users_error_before_any_game() {
    let dir = tempfile::tempdir().unwrap();
    let bots = USER_ERRORS.map(|(bot, text, words)| {
        let bot = bot.replace("DIR", dir.path().to_str().unwrap());
        let path = Path::new(&bot);
        if !text.is_empty() && path.extension().is_some() {
            write_program(path, text);
        } else if !text.is_empty() {
            fs::create_dir(path).unwrap();
            fs::write(path.join("bot.toml"), text).unwrap();
        }
        (bot, words)
    });
    let log = dir.path().join("games.pgn");
    let mut complaints = Vec::new();
    let mut play = |first: &str, second: &str, words: &[&str]| {
        let _ = fs::remove_file(&log); // it need not be there
        let ran = run(&["play", "loa", first, second, "--json", "--log", log.to_str().unwrap()]);
        let games = ran.stdout.len() + fs::read(&log).unwrap_or_default().len();
        if ran.status != Some(2) || games > 0 || words.iter().any(|word| !ran.stderr.contains(word))
        {
            complaints.push(format!("{first:?} against {second:?}, expected {words:?}: {ran:?}"));
        }
    };
    for ((bot, words), (other, others)) in bots.iter().zip(bots.iter().cycle().skip(1)) {
        play(bot, "builtin:random", words);
        play("builtin:random", bot, words);
        play(bot, other, &[*words, others].concat()); // if both are wrong, both are named
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
