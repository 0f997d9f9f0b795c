//! A player that plays the plies of a log: against a program it repeats the game, and it says where it cannot.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arbiter::arena::{self, Conditions, Contender, Finished, GameQueue, Match, RunEvent};
use arbiter::bot::Launcher;
use arbiter::clock::TimeControl;
use arbiter::game::{Outcome, Sandbox, Settings, StderrAccess};
use arbiter::locate::Finder;
use arbiter::locate::Trust;
use arbiter::openings::Openings;
use arbiter::record::Record;
use arbiter::rules::{BySide, Game, Ply, Ruleset, Side};
use arbiter::schedule::{Format, Schedule};
use arbiter::tournament::{PlayedGames, TournamentProgress, TournamentRules};
use std::path::Path;
use std::sync::Arc;

const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");

fn program(name: &str) -> Contender {
    let here = std::env::current_dir().unwrap();
    let finder = Finder {
        from: &here,
        program: Path::new(ARBITER),
        builtin: &["random", "greedy"],
        trust: Trust::Own,
    };
    Contender::Program(Arc::new(finder.find(&format!("builtin:{name}")).unwrap()))
}

/// One game from the start position, without a clock.
fn play(game: Game, contenders: BySide<Contender>) -> Finished {
    let ruleset = Ruleset::named(game.name(), "").unwrap();
    let settings = Settings { ruleset, ..Settings::of_play() }.with_control(TimeControl::Unlimited);
    let names = ["a", "b"].map(String::from);
    let plan = Match {
        conditions: Conditions {
            settings,
            event: "test".to_owned(),
            date: "2026.01.01".to_owned(),
            seed: 1,
            isolation: "basic".to_owned(),
            launcher: Launcher::new(ARBITER.into(), Sandbox::Basic),
            tries: 1,
            stderr: StderrAccess::Public,
            stop_before: None,
            pause: std::time::Duration::ZERO,
        },
        bots: names.iter().cloned().zip([contenders.first, contenders.second]).collect(),
        concurrency: 1,
        watchers: Vec::new(),
    };
    let schedule = Schedule::new(Format::RoundRobin { games: 1, rounds: 1 }, &names).unwrap();
    let progress =
        TournamentProgress::new(schedule, TournamentRules { tries: 1, ..TournamentRules::default() });
    let mut run =
        arena::run(plan, GameQueue::new(progress, Openings::start(ruleset.start()), PlayedGames::new()));
    let Some(RunEvent::Finished(finished)) = run.next() else { panic!("the game was broken off") };
    run.settle(finished.pairing.index, finished.record.outcome.into());
    assert!(run.next().is_none());
    *finished
}

fn plies(record: &Record) -> Vec<Ply> {
    record.plies.iter().map(|played| played.ply).collect()
}

fn recorded(record: &Record) -> Contender {
    Contender::Recorded(Arc::new(record.player()))
}

#[test]
fn a_game_is_repeated_with_the_log_on_either_side_or_both() {
    for game in Game::ALL {
        let original = play(game, BySide { first: program("random"), second: program("greedy") }).record;
        for contenders in [
            BySide { first: recorded(&original), second: program("greedy") },
            BySide { first: program("random"), second: recorded(&original) },
            BySide { first: recorded(&original), second: recorded(&original) },
        ] {
            let repeated = play(game, contenders).record;
            assert_eq!(plies(&repeated), plies(&original), "{game:?}");
            assert_eq!(repeated.outcome, original.outcome, "{game:?}");
        }
    }
}

#[test]
fn a_log_can_end_by_resigning_and_says_where_it_has_no_ply() {
    let mut original = play(Game::Loa, BySide { first: program("random"), second: program("greedy") }).record;
    original.plies.truncate(4);
    let both = |record: &Record| BySide { first: recorded(record), second: recorded(record) };
    let resigned = Record { outcome: Outcome::Resigned(Side::First), ..original.clone() };
    assert_eq!(play(Game::Loa, both(&resigned)).record.outcome, Outcome::Resigned(Side::First));
    let ended = play(Game::Loa, both(&original));
    assert!(matches!(ended.record.outcome, Outcome::Aborted(_)));
    assert_eq!(ended.broken.as_deref(), Some("the logged game has no ply 5"));
    // Against another opponent the game leaves the log.
    let other = play(Game::Loa, BySide { first: program("greedy"), second: recorded(&original) });
    let left = other.broken.expect("the random bot's first ply is not the greedy one's");
    assert!(left.ends_with("is not the one of the logged game"), "{left}");
}
