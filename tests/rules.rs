//! The rules engine against the shared vectors, against a slow and obvious second implementation, and
//! against laws that hold in every position; and the replay of logs against the rules.
//!
//! Vectors of a game that is not there yet are left out; they come in with the game, by [`Game::named`].
//! Today `loa` is there, and `flipflop`, `lineup` and `gekitai` are not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod slow;

use arbiter::record::{Abort, Fault, Outcome, Played, Record, read_log, read_raw};
use arbiter::replay::replay;
use arbiter::rules::{Ending, Game, Ply, Position, Reason, Ruleset, Side, Square, divide, perft};
use arbiter::seed::Generator;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const START: &str = "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B";
/// B has no move, W has.
const STUCK: &str = "BW6/WW6/8/8/8/8/6WW/6WB B";
/// Neither side has a move.
const DEAD: &str = "8/2W1B1W1/1B1B1B1B/2W1B1W1/1W1W1W1W/2W1B1W1/1B1B1B1B/2W1B1W1 B";
/// Every setting of the two options of `loa`: `simultaneous`, `stuck`.
const SETTINGS: [(&str, &str); 4] =
    [("draw", "pass"), ("draw", "loss"), ("mover", "pass"), ("mover", "loss")];

fn loa((simultaneous, stuck): (&str, &str)) -> Ruleset {
    let set = [("simultaneous", simultaneous), ("stuck", stuck)];
    Ruleset::named("loa", &set.map(|(key, value)| (key.to_owned(), value.to_owned()))).unwrap()
}

fn ply_texts(position: &Position) -> Vec<String> {
    position.plies().map(|ply| position.ruleset().ply_text(ply).to_string()).collect()
}

/// The ending with the winner's letter and the reason's word.
fn ending(position: &Position) -> Option<(Option<char>, &'static str)> {
    let letter = |side| position.ruleset().letter(side);
    position.ending().map(|Ending { winner, reason }| (winner.map(letter), reason.word()))
}

// ------------------------------------------------------------------------------------------- shared vectors

fn vectors(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name)
}

fn lines(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(vectors(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn set(case: &Value) -> Vec<(String, String)> {
    let value = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    case["set"].as_object().unwrap().iter().map(|(key, set)| (key.clone(), value(set))).collect()
}

/// The cases of a file whose game is there, with their rules; there is at least one.
fn cases(name: &str) -> Vec<(Value, Ruleset)> {
    let there = |case: &Value| Game::named(case["game"].as_str().unwrap()).is_some();
    let rules = |case: &Value| Ruleset::named(case["game"].as_str().unwrap(), &set(case)).unwrap();
    let cases: Vec<_> =
        lines(name).into_iter().filter(there).map(|case| (case.clone(), rules(&case))).collect();
    assert_ne!(cases.len(), 0, "no case of {name} is used");
    cases
}

fn position(case: &Value, ruleset: Ruleset) -> Position {
    let Some(text) = case["position"].as_str() else { return ruleset.start() };
    let position = ruleset.read_position(text).unwrap();
    assert_eq!(position.to_string(), text);
    position
}

#[test]
fn perft_is_that_of_the_vectors() {
    for (case, ruleset) in cases("perft.jsonl") {
        let position = position(&case, ruleset);
        for (depth, count) in (1..).zip(case["perft"].as_array().unwrap()) {
            assert_eq!(perft(&position, depth), count.as_u64().unwrap(), "depth {depth} of {case}");
        }
    }
}

#[test]
fn divide_is_that_of_the_vectors() {
    for (case, ruleset) in cases("divide.jsonl") {
        let depth = case["depth"].as_u64().unwrap() as u32;
        let counts = divide(&position(&case, ruleset), depth);
        let expected = case["divide"].as_object().unwrap().iter();
        let expected: BTreeMap<_, _> = expected.map(|(ply, n)| (ply.clone(), n.as_u64().unwrap())).collect();
        assert_eq!(counts.len(), expected.len(), "{case}");
        assert_eq!(counts.into_iter().collect::<BTreeMap<_, _>>(), expected, "{case}");
    }
}

#[test]
fn legal_plies_are_those_of_the_vectors() {
    for (case, ruleset) in cases("moves.jsonl") {
        let position = position(&case, ruleset);
        assert_eq!(Value::from(ply_texts(&position)), case["moves"], "{case}");
        assert!(position.plies().all(|ply| position.check(ply).is_ok()), "{case}");
    }
}

#[test]
fn bad_positions_and_options_are_refused() {
    for (case, ruleset) in cases("bad-positions.jsonl") {
        assert!(ruleset.read_position(case["position"].as_str().unwrap()).is_err(), "{case}");
    }
    // A game that is not there yet is refused like one that never will be.
    let options = lines("bad-options.jsonl");
    assert_ne!(options.len(), 0);
    for case in options {
        assert!(Ruleset::named(case["game"].as_str().unwrap(), &set(&case)).is_err(), "{case}");
    }
}

fn all_outcomes() -> Vec<Outcome> {
    let winners = [None, Some(Side::First), Some(Side::Second)];
    let by_rules = |reason| winners.map(|winner| Outcome::Rules(Ending { winner, reason }));
    let by_side = |side| {
        Fault::ALL.map(|fault| Outcome::Forfeit(side, fault)).into_iter().chain([Outcome::Resigned(side)])
    };
    let aborted = [Abort::Broken, Abort::NoStart].map(Outcome::Aborted);
    let mut all = vec![Outcome::Repetition, Outcome::MaxPlies];
    all.extend(Reason::ALL.into_iter().flat_map(by_rules));
    all.extend(Side::BOTH.into_iter().flat_map(by_side).chain(aborted));
    all
}

/// Whether a game with plies that nothing has ended may be logged as ending so: not by what plies show.
fn may_break_off(outcome: Outcome, on_move: Side) -> bool {
    match outcome {
        Outcome::Rules(_) | Outcome::Repetition | Outcome::MaxPlies => false,
        Outcome::Forfeit(_, Fault::NoStart) | Outcome::Aborted(Abort::NoStart) => false,
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
    for (case, ruleset) in cases("outcomes.jsonl") {
        let start = position(&case, ruleset);
        assert_eq!(start.ending(), None, "{case}");
        let ply = ruleset.read_ply(case["ply"].as_str().unwrap()).unwrap();
        assert_eq!(start.check(ply), Ok(()), "{case}");
        let after = start.after(ply);
        assert_eq!(after.to_string(), case["after"].as_str().unwrap(), "{case}");
        assert_eq!(ruleset.read_position(&after.to_string()).unwrap().ending(), after.ending(), "{case}");
        let end = after.ending().map(Outcome::Rules);
        assert_eq!(end.map_or("none", Outcome::word), case["outcome"], "{case}");
        assert_eq!(end.map_or("none", Outcome::termination), case["termination"], "{case}");
        let winner = end.and_then(Outcome::winner).map(|side| ruleset.letter(side).to_string());
        assert_eq!(Value::from(winner), case["winner"], "{case}");

        // A pass that is forced after the ply is a ply of the log too.
        let (mut plies, mut last) = (vec![ply], after);
        while let Some(pass) = last.forced_pass() {
            plies.push(pass);
            last.play(pass);
        }
        let end = last.ending().map(Outcome::Rules);
        for outcome in all_outcomes() {
            let log = record(start, &plies, outcome);
            let found = replay(&log);
            let valid = end.map_or(may_break_off(outcome, last.side()), |end| outcome == end);
            assert_eq!(found.is_ok(), valid, "{case}: {outcome:?}: {found:?}");
            if valid {
                assert_eq!(read_log(log.to_string().as_bytes()).next(), Some(Ok(log)), "{case}");
            }
            if plies.len() > 1 {
                let blamed = replay(&record(start, &[ply], outcome)).unwrap_err().ply;
                assert_eq!(blamed, Some(if outcome.termination() == "no-start" { 1 } else { 2 }), "{case}");
            }
        }
    }
}

#[test]
fn valid_logs_are_valid() {
    let mut used = 0;
    for entry in fs::read_dir(vectors("games")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pgn") {
            continue;
        }
        for raw in read_raw(&fs::read(&path).unwrap()) {
            let raw = raw.unwrap();
            if Game::named(&raw.tag("Game").unwrap().value).is_some() {
                used += 1;
                let found = replay(&Record::from_raw(&raw).unwrap());
                assert_eq!(found, Ok(()), "{}, game {}", path.display(), raw.number);
            }
        }
    }
    assert!(used >= 24, "{used} games were used; of loa alone there are 24");
}

/// Game and ply of what is first found to be wrong in a log.
fn first_finding(log: &[u8]) -> Option<(usize, Option<usize>)> {
    read_raw(log).find_map(|raw| {
        let read = raw.and_then(|raw| Ok((raw.number, Record::from_raw(&raw)?)));
        match read {
            Ok((number, record)) => replay(&record).err().map(|divergence| (number, divergence.ply)),
            Err(error) => Some((error.game, error.ply)),
        }
    })
}

#[test]
fn what_is_wrong_with_a_log_is_found_where_it_is() {
    let mut used = 0;
    for bad in lines("games/bad/index.jsonl") {
        let log = fs::read(vectors("games/bad").join(bad["file"].as_str().unwrap())).unwrap();
        let game = bad["game"].as_u64().unwrap() as usize;
        let text = String::from_utf8_lossy(&log);
        let names = text.lines().filter_map(|line| line.strip_prefix("[Game \"")?.strip_suffix("\"]"));
        if names.take(game).all(|name| Game::named(name).is_some()) {
            used += 1;
            let ply = bad["ply"].as_u64().map(|ply| ply as usize);
            assert_eq!(first_finding(&log), Some((game, ply)), "{bad}");
        }
    }
    assert_ne!(used, 0, "no bad log is used");
}

// ------------------------------------------------------------------------- what the vectors have no case of

/// Options, position, plies to play from it, and the ending after the last one.
type Case<'a> = ((&'a str, &'a str), &'a str, &'a [&'a str], Option<(Option<char>, &'a str)>);

#[test]
fn loa_ends_as_its_rules_say() {
    const STUCK_NEXT: &str = "BW6/W2W4/8/8/8/8/6WW/6WB W"; // d1b1 leaves B without a move
    const BOTH: &str = "WB6/8/B7/8/8/8/8/7W B"; // a2a0 captures the last piece but one, and connects B
    const CHAIN: &str = "BW6/W2W4/2W5/3W4/4W3/5W2/6WW/6WB W"; // d1b1 connects W, and leaves B without a move
    let by = |winner, reason| Some((Some(winner), reason));
    let drawn = |reason| Some((None, reason));
    let cases: &[Case<'_>] = &[
        // stuck=loss ends the game as soon as the side to move has no move, a set-up position too.
        (("draw", "pass"), STUCK_NEXT, &["d1b1"], None),
        (("draw", "loss"), STUCK_NEXT, &["d1b1"], by('W', "stuck")),
        (("mover", "loss"), STUCK_NEXT, &["d1b1"], by('W', "stuck")),
        (("draw", "loss"), STUCK, &[], by('W', "stuck")),
        (("draw", "loss"), "BW6/WW6/8/8/8/8/6WW/6WB W", &[], None),
        (("draw", "loss"), "WB6/BB6/8/8/8/8/6BB/6BW W", &[], by('B', "stuck")),
        (("draw", "loss"), DEAD, &[], by('W', "stuck")),
        (("draw", "loss"), CHAIN, &["d1b1"], by('W', "connected")),
        (("draw", "pass"), CHAIN, &["d1b1"], by('W', "connected")),
        // Two forced passes in a row, counted from the set-up position on.
        (("draw", "pass"), DEAD, &[], None),
        (("draw", "pass"), DEAD, &["pass"], None),
        (("draw", "pass"), DEAD, &["pass", "pass"], drawn("stalemate")),
        (("mover", "pass"), DEAD, &["pass", "pass"], drawn("stalemate")),
        (("draw", "pass"), "BW6/WW6/4W3/8/8/8/6WW/6WB B", &["pass", "e2d2", "pass"], None),
        // Set-up positions that are over, as if the side not to move had just moved.
        (("draw", "pass"), "BB6/8/8/8/8/8/W6W/8 W", &[], by('B', "connected")),
        (("draw", "pass"), "BB6/8/8/8/8/8/W6W/8 B", &[], by('B', "suicide")),
        (("draw", "pass"), "B7/8/8/8/8/8/W7/7W W", &[], by('B', "connected")),
        (("draw", "pass"), "B7/1B6/8/8/8/8/6W1/7W W", &[], drawn("simultaneous")),
        (("mover", "pass"), "B7/1B6/8/8/8/8/6W1/7W W", &[], by('B', "simultaneous")),
        (("mover", "loss"), "B7/1B6/8/8/8/8/6W1/7W B", &[], by('W', "simultaneous")),
        // No group goes around the edge: h0 is no neighbour of a1, nor a7 of b0.
        (("draw", "pass"), "7B/B7/W7/8/8/8/8/7W B", &[], None),
        (("draw", "pass"), "1B5W/8/8/W7/8/8/8/B7 B", &[], None),
        // Capture of the last piece but one.
        (("draw", "pass"), BOTH, &["a2a0"], drawn("simultaneous")),
        (("mover", "pass"), BOTH, &["a2a0"], by('B', "simultaneous")),
        (("draw", "pass"), "W7/8/B7/8/8/8/4B3/7W B", &["a2a0"], by('W', "suicide")),
        (("mover", "pass"), "W7/8/B7/8/8/8/4B3/7W B", &["a2a0"], by('W', "suicide")),
    ];
    for &(setting, text, plies, expected) in cases {
        let ruleset = loa(setting);
        let mut position = ruleset.read_position(text).unwrap();
        for text in plies {
            let ply = ruleset.read_ply(text).unwrap();
            assert_eq!(position.check(ply), Ok(()), "{setting:?} {position}: {text}");
            position.play(ply);
        }
        assert_eq!(ending(&position), expected, "{setting:?} {text} {plies:?}");
        assert_eq!(position.plies().next().is_none(), expected.is_some());
        assert_eq!(perft(&position, 1) == 0, expected.is_some());
        if expected.is_some() {
            assert!(position.check(Ply::Pass).is_err(), "nothing is played after the end");
        }
    }
}

#[test]
fn reading_a_position_is_strict_and_says_where() {
    let rows = |third: &str| format!("1WWWWWW1/B6B/{third}/B6B/B6B/B6B/B6B/1WWWWWW1 B");
    let side = |side: &str| START.replace(" B", side);
    let cases = [
        (rows("B0B5B"), &["row 3", "`0`"][..]),
        (rows("B06B"), &["row 3", "`06`"]),
        (rows("44"), &["row 3", "44 empty squares"]),
        (rows("B99999999999999999999999B"), &["row 3", "99999999999999999999999"]),
        (rows("B5B"), &["row 3", "7 squares wide"]),
        (rows("B7B"), &["row 3", "9 squares wide"]),
        (rows("BBBBBBBBB"), &["row 3", "9 squares wide"]),
        (rows(""), &["row 3", "0 squares wide"]),
        (rows("B6b"), &["row 3", "'b'"]),
        (rows("B6é"), &["row 3", "'é'"]),
        (rows("B\t5B"), &["row 3", "'\\t'"]),
        (rows("B-6B"), &["row 3", "'-'"]),
        (rows("B6B/8"), &["9 rows where 8"]),
        (rows("B6B").replacen("/B6B", "", 1), &["7 rows where 8"]),
        (rows("B6B").replace(" ", "/ "), &["9 rows where 8"]),
        (rows("BB5B"), &["13 pieces of B", "at most 12"]),
        (rows("BW5B"), &["13 pieces of W", "at most 12"]),
        ("B6B/8/8/8/8/8/8/8 B".to_owned(), &["no piece of W"]),
        ("W6W/8/8/8/8/8/8/8 B".to_owned(), &["no piece of B"]),
        (side(""), &["1 field", "side to move"]),
        (side(" X"), &["side to move", "\"X\""]),
        (side(" b"), &["side to move", "\"b\""]),
        (side(" BW"), &["side to move", "\"BW\""]),
        (side(" B\n"), &["side to move", "\"B\\n\""]),
        (side(" B 1"), &["3 fields"]),
        (side("  B"), &["space"]),
        (side(" B "), &["space"]),
        (format!(" {START}"), &["space"]),
        (String::new(), &["position"]),
    ];
    for (text, words) in cases {
        let message = loa(SETTINGS[0]).read_position(&text).unwrap_err().to_string();
        assert!(words.iter().all(|&word| message.contains(word)), "{text:?}: {message}");
    }
}

#[test]
fn what_is_no_ply_is_refused() {
    let texts = [
        "", "a2", "a2c", "a2c44", "A2c4", "a2C4", "a8c4", "i2c4", "a2c9", "a2--c4", "a2  c4", " a2c4",
        "a2c4 ",
    ];
    for text in
        texts.into_iter().chain(["a2xc4", "a2\tc4", "Pass", "pass ", "é2c4", "aéc4", "0", "a2-c", "a2c4\n"])
    {
        assert!(loa(SETTINGS[0]).read_ply(text).is_err(), "{text:?}");
    }
}

// ---------------------------------------------------------------------------------- the slow implementation

/// Removes a random one.
fn draw<T>(from: &mut Vec<T>, generator: &mut Generator) -> T {
    from.swap_remove(generator.below(from.len() as u64) as usize)
}

/// A board to play from, of one of five kinds: the start; many pieces anywhere; few; pieces shut up in
/// corners, which soon have no move; nobody has a move.
fn set_up(kind: usize, setting: (&'static str, &'static str), generator: &mut Generator) -> slow::Loa {
    let [side, shut] = [(); 2].map(|()| ['B', 'W'][generator.below(2) as usize]);
    let mut board = slow::Loa::empty(side, setting);
    match kind {
        0 => board = slow::Loa::read(START, setting),
        1 | 2 => {
            let mut free: Vec<_> = slow::squares().collect();
            for letter in ['B', 'W'] {
                let count = if kind == 1 { 1 + generator.below(12) } else { 2 + generator.below(2) };
                (0..count).for_each(|_| board.put(draw(&mut free, generator), letter));
            }
        }
        3 => {
            let mut corners = vec![(0, 0), (0, 7), (7, 0), (7, 7)];
            for _ in 0..2 + generator.below(2) {
                let (row, column) = draw(&mut corners, generator);
                let [near_row, near_column] = [row, column].map(|n: i32| (n - 1).abs());
                board.put((row, column), shut);
                for beside in [(near_row, column), (row, near_column), (near_row, near_column)] {
                    board.put(beside, slow::opponent(shut));
                }
            }
            let mut middle: Vec<_> = slow::squares()
                .filter(|&(row, column)| (2..6).contains(&row) && (2..6).contains(&column))
                .collect();
            for letter in [shut, slow::opponent(shut)] {
                (0..generator.below(3)).for_each(|_| board.put(draw(&mut middle, generator), letter));
            }
        }
        _ => board = slow::Loa::read(DEAD, setting),
    }
    board
}

#[test]
fn random_games_are_the_same_by_the_slow_rules() {
    let mut generator = Generator::from_state(20_261_121);
    let mut seen = BTreeSet::new();
    for number in 0..200 {
        for setting in SETTINGS {
            let mut slow = set_up(number % 5, setting, &mut generator);
            let mut fast = loa(setting).read_position(&slow.text()).unwrap();
            for _ in 0..300 {
                assert_eq!(fast.to_string(), slow.text());
                assert_eq!(ending(&fast), slow.ending(), "{setting:?} {fast}, {} passes", slow.passes);
                if let Some((winner, reason)) = slow.ending() {
                    seen.insert((setting, reason, winner.is_some()));
                    assert_eq!(ply_texts(&fast), [""; 0]);
                    break;
                }
                let plies = slow.plies();
                assert_eq!(ply_texts(&fast), plies, "{fast}");
                // The rarest end is played wherever it can be, else any ply.
                let connects_both = |&ply: &Ply| {
                    fast.after(ply).ending().is_some_and(|end| end.reason == Reason::Simultaneous)
                };
                let any = fast.plies().nth(generator.below(plies.len() as u64) as usize);
                let ply = fast.plies().find(connects_both).or(any).unwrap();
                slow.play(&fast.ruleset().ply_text(ply).to_string());
                fast.play(ply);
            }
        }
    }
    for setting @ (simultaneous, stuck) in SETTINGS {
        let last = if stuck == "loss" { ("stuck", true) } else { ("stalemate", false) };
        for (reason, won) in
            [("connected", true), ("suicide", true), ("simultaneous", simultaneous == "mover"), last]
        {
            assert!(seen.contains(&(setting, reason, won)), "{setting:?} {reason}: no game ended so");
        }
    }
    assert_eq!(seen.len(), 16, "{seen:?}");
}

// ----------------------------------------------------------------------------------------------------- laws

/// A position somewhere in a random game from one of the boards of [`set_up`], and whether the last ply was a
/// pass.
fn reached() -> impl Strategy<Value = (Position, bool)> {
    (any::<u64>(), 0..5_usize, 0..4_usize).prop_map(|(seed, kind, setting)| {
        let mut generator = Generator::from_state(seed);
        let board = set_up(kind, SETTINGS[setting], &mut generator);
        let mut position = loa(SETTINGS[setting]).read_position(&board.text()).unwrap();
        let mut met = vec![(position, false)];
        while met.len() < 150 && position.ending().is_none() {
            let ply = draw(&mut position.plies().collect(), &mut generator);
            position.play(ply);
            met.push((position, ply == Ply::Pass));
        }
        draw(&mut met, &mut generator)
    })
}

fn every_move() -> impl Iterator<Item = Ply> {
    (0..64).flat_map(|from| (0..64).map(move |to| Ply::Move(Square(from), Square(to))))
}

#[test]
fn every_move_has_a_text_and_is_read_back() {
    let ruleset = loa(SETTINGS[0]);
    let texts: Vec<_> = every_move().map(|ply| ruleset.ply_text(ply).to_string()).collect();
    assert!(texts.is_sorted(), "the order of squares is that of their names");
    assert_eq!(ruleset.ply_text(Ply::Pass).to_string(), "pass");
    assert_eq!(ruleset.read_ply("pass"), Ok(Ply::Pass));
    for (ply, text) in every_move().zip(texts) {
        let (from, to) = text.split_at(2);
        for written in [text.clone(), format!("{from} {to}"), format!("{from}-{to}")] {
            assert_eq!(ruleset.read_ply(&written), Ok(ply), "{written}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn position_texts_are_read_back((position, passed) in reached()) {
        let read = position.ruleset().read_position(&position.to_string()).unwrap();
        prop_assert_eq!(read.to_string(), position.to_string());
        prop_assert!(read.repeats(&position));
        prop_assert_eq!(read.key(), position.key());
        // Forced passes are no part of the text: they are counted from the set-up position on.
        prop_assert!(passed || (read == position && read.ending() == position.ending()));
    }

    #[test]
    fn exactly_the_listed_plies_may_be_played((position, _) in reached()) {
        let listed: BTreeSet<_> = position.plies().collect();
        let places = (0..64).map(|square| Ply::Place(Square(square)));
        for ply in every_move().chain(places).chain([Ply::Pass]) {
            prop_assert_eq!(position.check(ply).is_ok(), listed.contains(&ply), "{} {:?}", position, ply);
        }
        prop_assert_eq!(listed.is_empty(), position.ending().is_some());
        let forced = listed.contains(&Ply::Pass);
        prop_assert_eq!(position.forced_pass(), forced.then_some(Ply::Pass));
        prop_assert!(!forced || listed.len() == 1);
    }

    #[test]
    fn lists_and_boards_are_written_as_they_are((position, _) in reached()) {
        let texts = ply_texts(&position);
        prop_assert!(texts.is_sorted_by(|a, b| a < b), "{:?}", texts);
        let mut pushed = "before".to_owned();
        position.push_plies(&mut pushed);
        prop_assert_eq!(pushed, ["before".to_owned()].into_iter().chain(texts).collect::<Vec<_>>().join(" "));

        let letter = |side| position.ruleset().letter(side);
        let cell = |row, column| position.cell(row, column).map_or('.', letter);
        let rows = (0..8).map(|row| (0..8).map(|column| cell(row, column)).chain(['\n']).collect::<String>());
        let mut pushed = "before".to_owned();
        position.push_board(&mut pushed);
        prop_assert_eq!(&pushed, &format!("before{}", rows.collect::<String>()));
        for side in Side::BOTH {
            let count = pushed.matches(letter(side)).count();
            prop_assert_eq!(position.piece_count(side) as usize, count);
            prop_assert!((1..=12).contains(&count));
        }
    }

    #[test]
    fn keys_are_those_of_what_stands((position, _) in reached()) {
        let ruleset = position.ruleset();
        let mut keys = BTreeSet::from([position.key()]);
        for ply in position.plies() {
            let after = position.after(ply);
            prop_assert_eq!(after.key(), ruleset.read_position(&after.to_string()).unwrap().key());
            prop_assert!(keys.insert(after.key()), "two positions have one key after {:?}", ply);
        }
    }

    #[test]
    fn divide_sums_to_perft((position, _) in reached()) {
        prop_assert_eq!(perft(&position, 0), 1);
        prop_assert_eq!(divide(&position, 0), []);
        for depth in 1..=3 {
            let rows = divide(&position, depth);
            prop_assert_eq!(rows.iter().map(|(_, count)| count).sum::<u64>(), perft(&position, depth));
            prop_assert_eq!(rows.into_iter().map(|(text, _)| text).collect::<Vec<_>>(), ply_texts(&position));
        }
    }

    #[test]
    fn mirrored_positions_have_the_mirrored_plies((position, _) in reached()) {
        let ruleset = position.ruleset();
        let board = slow::Loa::read(&position.to_string(), SETTINGS[0]);
        // Read again, it has forgotten its passes, as its mirrors have.
        let position = ruleset.read_position(&position.to_string()).unwrap();
        let maps: [fn(slow::Square) -> slow::Square; 3] = [
            |(row, column)| (row, 7 - column),
            |(row, column)| (7 - row, column),
            |(row, column)| (column, row),
        ];
        for map in maps {
            let mirrored = ruleset.read_position(&board.mapped(map).text()).unwrap();
            prop_assert_eq!(mirrored.ending(), position.ending());
            prop_assert_eq!(perft(&mirrored, 2), perft(&position, 2));
            let mirror = |name: &str| slow::name(map(slow::square(name)));
            let mirror_ply = |text: String| match text.as_str() {
                "pass" => text,
                squares => mirror(&squares[..2]) + &mirror(&squares[2..]),
            };
            let expected: BTreeSet<_> = ply_texts(&position).into_iter().map(mirror_ply).collect();
            prop_assert_eq!(ply_texts(&mirrored), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
