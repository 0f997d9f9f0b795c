//! The rules engine, the record and the replay, tested with all shared vectors and with further
//! vectors for cases that the shared ones miss.

use crate::games::slow::{self, Slow};
use crate::games::{self, Set, settings, texts};
use arbiter_game::record::{Record, read_log, read_raw};
use arbiter_game::replay::replay;
use arbiter_game::{Abort, Fault, Outcome, Played};
use arbiter_rules::{
    Ending, Game, Ply, Position, Reason, Ruleset, Side, divide, perft, perft_playing,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn vectors(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors").join(name)
}

fn lines(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(vectors(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// One line of a file: a position of a game with some of its options.
struct Case {
    value: Value,
    set: Set,
    ruleset: Ruleset,
    position: Position,
}

impl Case {
    fn new(value: Value) -> Case {
        let set = set(&value);
        let ruleset = Ruleset::with_options(value["game"].as_str().unwrap(), &set).unwrap();
        let position = match value["position"].as_str() {
            None => ruleset.start(),
            Some(text) => ruleset.read_position(text).unwrap(),
        };
        assert_eq!(
            position.to_string(),
            value["position"].as_str().unwrap_or(&position.to_string())
        );
        Case { value, set, ruleset, position }
    }

    fn slow(&self) -> Box<dyn Slow> {
        let name = self.ruleset.game().name();
        // Random blocks are drawn by the engine.
        let drawn = self.set.iter().any(|(key, _)| key == "b");
        let set = if drawn { &settings(&self.ruleset) } else { &self.set };
        match self.value["position"].as_str() {
            None => slow::start(name, set),
            Some(text) => slow::read(name, set, text),
        }
    }
}

fn set(case: &Value) -> Set {
    let value = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    case["set"].as_object().unwrap().iter().map(|(key, set)| (key.clone(), value(set))).collect()
}

/// Checks every line of a shared file, and of the further file of the same name if there is one.
/// Every game must have lines.
fn each(name: &str, mut check: impl FnMut(&Case)) {
    let own = format!("own/{name}");
    let files = [Some(name), vectors(&own).exists().then_some(&own)];
    let mut used = BTreeMap::new();
    for file in files.into_iter().flatten() {
        let cases = lines(file);
        assert_eq!(
            cases.len(),
            fs::read_to_string(vectors(file)).unwrap().matches("\"game\":").count()
        );
        for case in cases {
            let case = Case::new(case);
            check(&case);
            *used.entry(case.ruleset.game().clone()).or_insert(0) += 1;
        }
    }
    assert_eq!(used.len(), Game::ALL.len(), "a game has no line: {used:?}");
}

/// The number of sequences of `depth` plies, each played from the beginning.
fn slow_perft(case: &Case, path: &mut Vec<String>, depth: usize) -> u64 {
    let mut slow = case.slow();
    for ply in path.iter() {
        slow.play(ply);
    }
    let plies = slow.plies();
    if depth == 1 {
        return plies.len() as u64;
    }
    let after = |ply: String| {
        path.push(ply);
        let count = slow_perft(case, path, depth - 1);
        path.pop();
        count
    };
    plies.into_iter().map(after).sum()
}

#[test]
fn perft_is_that_of_the_vectors() {
    let mut slow = 0;
    each("perft.jsonl", |case| {
        for (depth, count) in (1..).zip(case.value["perft"].as_array().unwrap()) {
            let (position, count) = (&case.position, count.as_u64().unwrap());
            assert_eq!(perft(position, depth), count, "depth {depth} of {}", case.value);
            assert_eq!(perft_playing(position, depth), count, "depth {depth} of {}", case.value);
            let most = if case.ruleset.rows() > 11 { 400 } else { 3_000 };
            if count <= most {
                assert_eq!(
                    slow_perft(case, &mut Vec::new(), depth as usize),
                    count,
                    "{}",
                    case.value
                );
                slow += 1;
            }
        }
    });
    assert!(slow > 50, "only {slow} counts were cheap enough for the slow implementation");
}

#[test]
fn divide_is_that_of_the_vectors() {
    each("divide.jsonl", |case| {
        let depth = case.value["depth"].as_u64().unwrap() as u32;
        let counts = divide(&case.position, depth);
        let expected = case.value["divide"].as_object().unwrap().iter();
        let expected: BTreeMap<_, _> =
            expected.map(|(ply, n)| (ply.clone(), n.as_u64().unwrap())).collect();
        assert_eq!(counts.len(), expected.len(), "{}", case.value);
        assert_eq!(counts.into_iter().collect::<BTreeMap<_, _>>(), expected, "{}", case.value);
    });
}

#[test]
fn legal_plies_are_those_of_the_vectors() {
    each("moves.jsonl", |case| {
        let texts = texts(&case.position);
        assert_eq!(texts, case.slow().plies(), "{}", case.value);
        assert_eq!(Value::from(texts), case.value["moves"], "{}", case.value);
        assert!(
            case.position.plies().all(|ply| case.position.check(ply).is_ok()),
            "{}",
            case.value
        );
    });
}

#[test]
fn bad_positions_and_options_are_refused() {
    for case in lines("bad-positions.jsonl") {
        let ruleset = Ruleset::with_options(case["game"].as_str().unwrap(), &set(&case)).unwrap();
        assert!(ruleset.read_position(case["position"].as_str().unwrap()).is_err(), "{case}");
    }
    for case in lines("bad-options.jsonl") {
        assert!(
            Ruleset::with_options(case["game"].as_str().unwrap(), &set(&case)).is_err(),
            "{case}"
        );
    }
    let counts = ["bad-positions.jsonl", "bad-options.jsonl"].map(|name| lines(name).len());
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

/// Every outcome of a built-in game, possible or not: a drawn suicide is none that a log can have.
pub fn all_outcomes() -> Vec<Outcome> {
    let mut all = vec![
        Outcome::Repetition,
        Outcome::MaxPlies,
        Outcome::Aborted(Abort::Broken),
        Outcome::NeitherStarted,
    ];
    for reason in Reason::ALL {
        for winner in [None, Some(Side::First), Some(Side::Second)] {
            all.push(Outcome::Rules(Ending { winner, reason }));
        }
    }
    for side in Side::BOTH {
        all.push(Outcome::Resigned(side));
        all.extend(Fault::ALL.map(|fault| Outcome::Forfeit(side, fault)));
    }
    all
}

/// Whether a log may give this outcome to a game whose plies have not ended it.
fn may_break_off(outcome: Outcome, on_move: Side) -> bool {
    match outcome {
        Outcome::Rules(_) | Outcome::Own { .. } | Outcome::Repetition | Outcome::MaxPlies => false,
        Outcome::Forfeit(_, Fault::NoStart) | Outcome::NeitherStarted => false,
        Outcome::Aborted(Abort::Rules) => false,
        Outcome::Resigned(loser) | Outcome::Forfeit(loser, Fault::Timeout | Fault::IllegalMove) => {
            loser == on_move
        }
        Outcome::Forfeit(..) | Outcome::Aborted(Abort::Broken) => true,
    }
}

fn record(start: Position, plies: &[Ply], outcome: Outcome) -> Record {
    let empty =
        br#"[White "w"] [Black "b"] [Result "*"] [Game "loa"] [Outcome "aborted"] [Termination "aborted"] *"#;
    let plies = plies.iter().map(|&ply| Played { ply, note: None }).collect();
    let empty = read_log(empty).next().unwrap().unwrap();
    Record { start, plies, outcome, max_plies: Some(400), repetition: Some(3), ..empty }
}

#[test]
fn outcomes_are_those_of_the_vectors_and_replay_accepts_no_other() {
    each("outcomes.jsonl", |Case { value: case, ruleset, position: start, .. }| {
        assert_eq!(start.ending(), None, "{case}");
        let ply = ruleset.read_ply(case["ply"].as_str().unwrap()).unwrap();
        assert_eq!(start.check(ply), Ok(()), "{case}");
        let after = start.after(ply);
        assert_eq!(after.to_string(), case["after"].as_str().unwrap(), "{case}");
        assert_eq!(
            ruleset.read_position(&after.to_string()).unwrap().ending(),
            after.ending(),
            "{case}"
        );
        let end = after.ending().map(Outcome::Rules);
        assert_eq!(end.map_or("none", Outcome::word), case["outcome"], "{case}");
        assert_eq!(
            end.as_ref().map_or("none", Outcome::termination),
            case["termination"],
            "{case}"
        );
        let winner = end.and_then(Outcome::winner).map(|side| ruleset.letter(side).to_string());
        assert_eq!(Value::from(winner), case["winner"], "{case}");

        // A forced pass after the ply is a ply of the log too.
        let (mut plies, mut last) = (vec![ply], after);
        while let Some(pass) = last.forced_pass() {
            plies.push(pass);
            last.play(pass);
        }
        let end_of_log = last.ending().map(Outcome::Rules);
        for outcome in all_outcomes() {
            let log = record(start.clone(), &plies, outcome);
            let found = replay(&log);
            let valid = match end_of_log {
                Some(by_rules) => outcome == by_rules,
                None => may_break_off(outcome, last.side()),
            };
            assert_eq!(found.is_ok(), valid, "{case}: {outcome:?}: {found:?}");
            if valid {
                assert_eq!(read_log(log.to_string().as_bytes()).next(), Some(Ok(log)), "{case}");
            }
            if plies.len() > 1 {
                let blamed = replay(&record(start.clone(), &[ply], outcome)).unwrap_err().ply;
                let expected = if outcome.termination() == "no-start" { 1 } else { 2 };
                assert_eq!(blamed, Some(expected), "{case}: {outcome:?}");
            }
        }
    });
}

#[test]
fn outcomes_are_those_of_the_slow_rules() {
    each("outcomes.jsonl", |case| {
        let mut slow = case.slow();
        assert_eq!(slow.ending(), None, "{}", case.value);
        let ply = case.value["ply"].as_str().unwrap();
        assert!(slow.plies().iter().any(|it| it == ply), "{}", case.value);
        slow.play(ply);
        assert_eq!(slow.text(), case.value["after"].as_str().unwrap());
        let (winner, reason) = slow.ending().unwrap_or((None, "none"));
        assert_eq!(reason, case.value["termination"], "{}", case.value);
        assert_eq!(Value::from(winner.map(String::from)), case.value["winner"], "{}", case.value);
    });
}

#[test]
fn valid_logs_are_valid() {
    let mut used = 0;
    for entry in fs::read_dir(vectors("games")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue; // invalid logs
        }
        let log = fs::read(&path).unwrap();
        let games: Vec<_> = read_raw(&log).collect::<Result<_, _>>().unwrap();
        assert_eq!(
            games.len(),
            String::from_utf8_lossy(&log).matches("[Event ").count(),
            "{}",
            path.display()
        );
        for raw in &games {
            let found = replay(&Record::from_raw(raw, None).unwrap());
            assert_eq!(found, Ok(()), "{}, game {}", path.display(), raw.number);
        }
        used += games.len();
    }
    assert!(used >= 86, "{used} games were used; there were 86");
}

/// Game and ply of the first error in a log.
fn first_finding(log: &[u8]) -> Option<(usize, Option<usize>)> {
    read_raw(log).find_map(|raw| {
        let read = raw.and_then(|raw| Ok((raw.number, Record::from_raw(&raw, None)?)));
        match read {
            Ok((number, record)) => {
                replay(&record).err().map(|divergence| (number, divergence.ply))
            }
            Err(error) => Some((error.game, error.ply)),
        }
    })
}

#[test]
fn what_is_wrong_with_a_log_is_found_where_it_is() {
    let index = lines("games/bad/index.jsonl");
    for bad in &index {
        let log = fs::read(vectors("games/bad").join(bad["file"].as_str().unwrap())).unwrap();
        let game = bad["game"].as_u64().unwrap() as usize;
        let ply = bad["ply"].as_u64().map(|ply| ply as usize);
        assert_eq!(first_finding(&log), Some((game, ply)), "{bad}");
    }
    let logs = fs::read_dir(vectors("games/bad")).unwrap().count() - 1; // without the index
    assert_eq!(index.len(), logs);
}

#[test]
fn loa_has_as_many_sequences_as_others_have_counted() {
    let start = games::rules("loa", "").start();
    assert_eq!(perft(&start, 5), 55_963_132);
    // Takes a minute in a debug build.
    if crate::plays_all() {
        assert_eq!(perft(&start, 6), 1_938_494_632);
    }
}
