//! The Universal Game Interface, in games of real programs: the built-in bots that speak it, one
//! that plays a custom game, and wrong ones.

use crate::support::{judge_all, moves, plays_all, project, run};
use arbiter::builtin::{Action, BuiltinBot};
use arbiter::protocol::Dialect;
use arbiter::rules::{Game, Ruleset};
use proptest::collection::vec;
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::time::Duration;

const OWN: &str = "games/connect4.py";

/// `tests/bots/ugi.py` with a fault, as a BOT.
fn ugi(fault: &str) -> String {
    format!(
        "ugi:python3 {} {} '{fault}'",
        project("tests/bots/ugi.py").display(),
        project(OWN).display()
    )
}

/// The log of a match, which `verify` accepts.
fn log_of(dir: &Path, game: &str, bots: [&str; 2], more: &[&str]) -> String {
    let file = dir.join("games.pgn");
    let _ = fs::remove_file(&file);
    let log = file.to_str().unwrap();
    let base = ["play", game, bots[0], bots[1], "--seed", "5", "--start", "120s", "--log", log];
    let ran = run(&[&base[..], more].concat());
    assert_eq!(ran.status, Some(0), "{bots:?}: {ran:?}");
    let rules: &[&str] = if game == OWN { &["--rules", game] } else { &[] };
    let verified = run(&[&["verify", log], rules].concat());
    assert_eq!(verified.status, Some(0), "{bots:?}: {verified:?}");
    fs::read_to_string(file).unwrap()
}

/// The plies of all games of a log.
fn plies(log: &str) -> String {
    let lines: Vec<&str> = log.lines().filter(|line| !line.starts_with('[')).collect();
    moves(&format!("\n\n{}", lines.join(" ")))
}

#[test]
fn a_built_in_bot_plays_the_same_in_both_dialects() {
    let dir = tempfile::tempdir().unwrap();
    for game in Game::NAMES {
        for name in BuiltinBot::NAMES {
            let bot = format!("builtin:{name}");
            // The Universal Game Interface does not tell the limit of plies, which the search looks
            // at.
            let more = ["--time", "none", "--opening-plies", "3", "--max-plies", "0", "-n", "2"];
            let [native, ugi] = [bot.clone(), format!("ugi:{bot}")]
                .map(|bot| plies(&log_of(dir.path(), game, [&bot, "builtin:random"], &more)));
            assert_eq!(native, ugi, "{game}, {name}");
            assert!(ugi.contains("2. "), "{game}, {name}: {ugi}");
        }
    }
}

#[test]
fn games_on_the_clock_are_played() {
    let dir = tempfile::tempdir().unwrap();
    for time in [
        &["--time", "1+0.1", "--first-move", "50ms", "--margin", "600s"][..],
        &["--move-time", "20ms", "--margin", "600s"],
    ] {
        let more = [time, &["--max-plies", "6", "-n", "2"]].concat();
        let log = log_of(dir.path(), "loa", ["ugi:builtin:search", "ugi:builtin:greedy"], &more);
        assert_eq!(log.matches("[Termination \"max-plies\"]").count(), 2, "{log}");
        assert!(log.contains("depth "), "the log has its `info`: {log}");
    }
}

#[test]
fn a_custom_game_is_played_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let more = ["--time", "600+1", "--opening-plies", "2", "-n", "4"];
    let log = log_of(dir.path(), OWN, [&ugi(""), "builtin:random"], &more);
    let finished =
        log.matches("[Outcome \"win\"]").count() + log.matches("[Outcome \"draw\"]").count();
    assert_eq!((finished, log.contains("resign")), (4, false), "{log}");
}

#[test]
fn what_wrong_programs_do_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let short = ["--start", "2s", "--time", "none"];
    let patient = ["--start", "120s", "--time", "none"];
    let clock = ["--start", "120s", "--move-time", "300ms"];
    #[rustfmt::skip]
    let rows: [(&str, &[&str], &str, &str); 7] = [
        ("never-ugiok", &short, "no-start", "after \"ugi\", print \"ugiok\""),
        ("no-readyok", &short, "no-start", "\"bestmove 1\" came, which is not \"readyok\"; after \"isready\", print \"readyok\""),
        ("dies", &patient, "no-start", "expected \"readyok\"; the program ended with exit status 3"),
        ("before-go", &clock, "timeout", "forfeit timeout  0 plies  ugi: expected an answer within 0.320 s"),
        ("zz9", &patient, "illegal-move", "such as \"bestmove 1\"; came \"bestmove zz9\": it is not among the 7 legal moves here"),
        ("(none)", &patient, "illegal-move", "came \"bestmove (none)\": that is how a program prints a value that is not there"),
        ("resign", &patient, "resign", "resign"),
    ];
    let complaints = judge_all(&rows, rows.len(), |row| complaint(dir.path(), row));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Plays a game of a wrong program: its fault, flags, the termination and what is said.
fn complaint(
    dir: &Path,
    &(fault, flags, reason, sentence): &(&str, &[&str], &str, &str),
) -> Option<String> {
    let log = dir.join(format!("{fault}.pgn"));
    let bot = ugi(fault);
    let attempts = ["--attempts", "3", "--log", log.to_str().unwrap()];
    let ran = run(&[&["play", OWN, &bot, "builtin:random"], flags, &attempts[..]].concat());
    let text = fs::read_to_string(&log).unwrap();
    let holds =
        text.contains(&format!("[Termination \"{reason}\"]")) && ran.stdout.contains(sentence);
    (!holds).then(|| format!("{fault}: {ran:?} {text}"))
}

#[test]
fn the_built_in_bots_speak_no_other_dialect() {
    let ran = run(&["play", "loa", "console:builtin:greedy", "builtin:random"]);
    let named = ran.stderr.contains("console:builtin:greedy: ");
    assert!(ran.status == Some(2) && named, "{ran:?}");
    let ran = run(&["bot", "greedy", "--dialect", "console"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("native, ugi"), "{ran:?}");
}

/// What a built-in bot says to these lines.
fn said(lines: &[&str]) -> String {
    let mut bot = BuiltinBot::named("greedy").unwrap().speaking_ugi();
    let mut said = String::new();
    for line in lines {
        match bot.receive(line).unwrap() {
            Some(Action::Say(text)) => said += &text,
            Some(Action::Think) => said += &bot.think(&mut || Duration::ZERO),
            Some(Action::Quit) => said += "(quit)",
            None => {}
        }
    }
    said
}

#[test]
fn the_built_in_bots_answer_as_the_interface_says() {
    let greeting = said(&["ugi", "isready", "hello", "stop", "query depth", "uginewgame", "quit"]);
    assert!(
        greeting.starts_with("id name arbiter greedy\n")
            && greeting.ends_with("\nugiok\nreadyok\n(quit)"),
        "{greeting}"
    );
    let lineup = [
        "setoption name Game value lineup",
        "setoption name n value 3",
        "setoption name s value 3",
    ];
    let queries = ["query gameover", "query p1turn", "query result"];
    for (position, responses) in [
        ("position startpos", ["false", "true", "none"]),
        ("position startpos moves a0", ["false", "false", "none"]),
        ("position startpos moves a0 b0 a1 b1 a2", ["true", "false", "p1win"]),
        ("position fen 3/3/3 X moves a0 b0 a1 b1 a2", ["true", "true", "p2win"]),
        ("position startpos moves a0 b0 c0 b1 a1 c1 b2 a2 c2", ["true", "false", "draw"]),
    ] {
        let expected = responses.map(|response| format!("response {response}\n")).concat();
        assert_eq!(
            said(&[&lineup[..], &[position], &queries[..]].concat()),
            expected,
            "{position}"
        );
    }
    for go in [
        "go",
        "go depth 1",
        "go infinite",
        "go nodes 9",
        "go movetime 10",
        "go p1time 10 p2time 10 p1inc 0 p2inc 0",
    ] {
        let lines =
            [&lineup[..], &["position startpos moves a0 b0 a1 b1", go, "query gameover"]].concat();
        assert_eq!(said(&lines), "bestmove a2\nresponse false\n", "{go}");
    }
    for (line, error) in [
        ("position elsewhere", "after `position` comes `startpos`, or `fen` and a position"),
        ("position startpos moves a0a0", "position, `a0a0`: "),
        ("go movetime soon", "`go movetime soon`: `soon` is not a number"),
        ("go depth", "`go depth`: `` is not a number"),
        ("setoption name RandomSeed value x", "`x` is not a number"),
    ] {
        let mut bot = BuiltinBot::named("random").unwrap().speaking_ugi();
        let why = bot.receive(line).unwrap_err().to_string();
        assert!(why.contains(error), "{line}: {why}");
    }
}

/// Lines of either side, nearly right.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let words = "ugi|ugiok|readyok|isready|uginewgame|stop|setoption name|value|Game|RandomSeed|lineup|flipflop|n|3|position|startpos|fen|\
                 moves|a0|b1|a1c1|pass|27|go|p1time|p2time|p1inc|movetime|depth|1|infinite|query|gameover|p1turn|result|bestmove|info|ponder|resign|\
                 8/8/8/3WB3/3BW3/8/8/8 W 1|99999999999999999999|.{0,5}";
    vec(vec(words, 0..6).prop_map(|words| words.join(" ")), 0..30)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if plays_all() { 400 } else { 100 }))]

    #[test]
    fn no_line_harms_a_built_in_bot(lines in lines()) {
        let mut bot = BuiltinBot::named("greedy").unwrap().speaking_ugi();
        for line in lines {
            match bot.receive(&line) {
                Err(error) => prop_assert!(!error.to_string().is_empty()),
                Ok(Some(Action::Think)) => {
                    let said = bot.think(&mut || Duration::ZERO);
                    prop_assert!(said.starts_with("bestmove "), "{}", said);
                }
                Ok(_) => {}
            }
        }
    }

    #[test]
    fn no_line_harms_the_referee(lines in lines(), bytes in vec(any::<u8>(), 0..80), game in prop::sample::select(Game::ALL.to_vec())) {
        let position = Ruleset::named(game.name(), "").unwrap().start();
        let mut conversation = Dialect::Ugi.conversation().unwrap();
        let (mut sent, mut is_ready) = (String::new(), false);
        for line in lines.iter().map(String::as_bytes).chain([&bytes[..]]) {
            let _ = conversation.nearly_a_ply(&position, line);
            match conversation.read(&position, line) {
                arbiter::protocol::ParsedLine::Prompt => conversation.push_prompted(&mut sent),
                arbiter::protocol::ParsedLine::Ready(words) => {
                    prop_assert!(conversation.ready_with(words).is_empty());
                    is_ready = true;
                }
                _ => {}
            }
            prop_assert_eq!(conversation.is_ready(), is_ready);
        }
    }
}
