//! Lines of Action as a Python file against the built-in game, ply by ply:
//! tests/own/lines-of-action.py through a real process.
//!
//! A position text of the file has a field more than the built-in one, which is cut off where texts
//! are compared. `ARBITER_ALL=1`, as in `.ci/slow`, plays 10,000 games.

use arbiter::bot::Launcher;
use arbiter::game::{Answer, Limits, Outcome, Referee, Sandbox, Settings};
use arbiter::rules::own::RulesSource;
use arbiter::rules::{Position, Ruleset, perft};
use arbiter::rules_process::RulesFile;
use arbiter::seed::Generator;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The options under which games are played.
const OPTIONS: [&str; 3] = [
    "simultaneous=draw stuck=pass",
    "simultaneous=mover stuck=pass",
    "simultaneous=draw stuck=loss",
];

fn rules() -> Arc<RulesFile> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/own/lines-of-action.py");
    let launcher = Launcher::new(env!("CARGO_BIN_EXE_arbiter").into(), Sandbox::Basic);
    RulesFile::load(&file, &launcher, &Limits::default()).unwrap()
}

/// The text without its last field.
fn cut(position: &Position) -> String {
    position.to_string().rsplit_once(' ').unwrap().0.to_owned()
}

fn plies(position: &Position) -> String {
    let mut text = String::new();
    position.push_plies(&mut text);
    text
}

#[test]
fn lines_of_action_in_python_is_the_built_in_game() {
    let games = if crate::support::plays_all() { 10_000 } else { 15 };
    let rules = rules();
    let mut ends: BTreeMap<String, u32> = BTreeMap::new();
    for number in 0..games {
        let options = OPTIONS[number % OPTIONS.len()];
        let built_in = Ruleset::named("loa", options).unwrap();
        let own = rules.ruleset(&arbiter::rules::split_options(options).unwrap()).unwrap();
        let mut generator = Generator::new(&[&"own-loa", &number]);
        // A third of the games is short, and some have so few plies or repetitions allowed that the
        // referee ends them.
        let limit = |ruleset: &Ruleset| {
            let mut settings = Settings::for_ruleset(ruleset.clone());
            settings.rules.max_plies = if number % 5 == 0 { 30 } else { 400 };
            settings.rules.repetition = if number % 3 == 0 { 2 } else { 3 };
            settings
        };
        let mut one = Referee::new(&limit(&built_in), built_in.start());
        let mut other = Referee::new(&limit(&own), own.start());
        loop {
            assert_eq!(one.outcome(), other.outcome(), "{} {}", one.position(), other.position());
            assert_eq!(one.position().to_string(), cut(other.position()));
            if one.outcome().is_none() {
                assert_eq!(plies(one.position()), plies(other.position()), "{}", one.position());
            }
            assert_eq!(one.occurrences(), other.occurrences(), "{}", one.position());
            if let Some(outcome) = one.outcome() {
                *ends.entry(outcome.termination().to_owned()).or_default() += 1;
                assert!(matches!(
                    outcome,
                    Outcome::Rules(_) | Outcome::Repetition | Outcome::MaxPlies
                ));
                break;
            }
            // Often a ply back and forth, so that positions repeat.
            let legal = one.position().sorted_plies();
            let back = one.plies().iter().rev().nth(1).and_then(|ply| {
                let text = built_in.ply_text(*ply).to_string();
                built_in.read_ply(&format!("{}{}", &text[2..], &text[..2])).ok()
            });
            let back = back.filter(|ply| legal.contains(ply) && generator.below(4) == 0);
            let ply = back.unwrap_or_else(|| legal[generator.below(legal.len() as u64) as usize]);
            let text = built_in.ply_text(ply).to_string();
            let _ = one.answer(&mut Answer::ply(ply));
            let _ = other.answer(&mut Answer::ply(own.read_ply(&text).unwrap()));
        }
    }
    for end in ["connected", "suicide", "repetition", "max-plies"] {
        assert!(ends.contains_key(end), "no game ended by {end}: {ends:?}");
    }
}

#[test]
fn its_perft_is_that_of_the_built_in_game() {
    let own = Ruleset::own(rules().with_options(&[]).unwrap()).unwrap();
    let built_in = Ruleset::named("loa", "").unwrap();
    for depth in 0..=2 {
        assert_eq!(perft(&own.start(), depth), perft(&built_in.start(), depth));
    }
}

/// A log of the Python file is one of the built-in game, but for what tells of the rules and the
/// last field of its positions.
#[test]
fn its_log_is_valid_by_both_rules_and_its_page_has_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (own, built_in, page) = (path("own.pgn"), path("loa.pgn"), path("page.html"));
    let rules = "tests/own/lines-of-action.py";
    let played = crate::support::run(&[
        "play",
        rules,
        "builtin:random",
        "builtin:random",
        "-n",
        "4",
        "--seed",
        "7",
        "--opening-plies",
        "4",
        "--name",
        "one",
        "--name",
        "two",
        "--log",
        &own,
    ]);
    assert_eq!(played.status, Some(0), "{played:?}");
    let log = std::fs::read_to_string(&own).unwrap();
    let mut told = String::new();
    for line in
        log.lines().filter(|line| !line.starts_with("[Rules ") && !line.starts_with("[Board "))
    {
        told += &match line.strip_prefix("[FEN \"") {
            Some(position) => format!("[FEN \"{}\"]\n", position.rsplit_once(' ').unwrap().0),
            None => line.replace("[Game \"lines-of-action\"]", "[Game \"loa\"]") + "\n",
        };
    }
    // The log says that White is the side that begins; in the built-in game that is Black.
    let swapped = ["White", "Black"].map(|side| (format!("[{side} \""), format!("[{side}? \"")));
    let mut text = told;
    for (from, to) in &swapped {
        text = text.replace(from, to);
    }
    let text = text.replace("[White? \"", "[Black \"").replace("[Black? \"", "[White \"");
    let text = text.replace("1-0", "1~0").replace("0-1", "1-0").replace("1~0", "0-1");
    std::fs::write(&built_in, text).unwrap();
    for arguments in [&["verify", &own, "--rules", rules][..], &["verify", &built_in]] {
        let ran = crate::support::run(arguments);
        assert_eq!(ran.status, Some(0), "{arguments:?}: {ran:?}");
        assert!(ran.stdout.contains("4 games, valid"), "{ran:?}");
    }
    let shown = crate::support::run(&["report", &own, "--output", &page]);
    assert!(shown.stdout.contains("4 games"), "{shown:?}");
}
