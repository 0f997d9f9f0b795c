//! A player that plays the plies of a log: against a program it repeats the game, and it says where
//! it cannot.

use crate::support::conditions::conditions;
use arbiter::arena::{self, Finished, GameQueue, Match, PlayerSpec, RunEvent, ScheduledGames};
use arbiter::builtin::BuiltinBot;
use arbiter::config::Config;
use arbiter::content::Content;
use arbiter::game::{Fault, Outcome, RecordedPlayer};
use arbiter::game_id::game_id;
use arbiter::locate::Finder;
use arbiter::locate::Trust;
use arbiter::openings::Openings;
use arbiter::record::Record;
use arbiter::rules::{BySide, Game, Ply, Ruleset, Side};
use arbiter::schedule::{Format, Schedule};
use arbiter::seed::{Generator, SecretKey};
use arbiter::tournament::roster::{self, KeySource, RunPlan};
use arbiter::tournament::{
    Entrant, JournalContents, PlayedGames, Shard, Share, TournamentProgress, TournamentRules,
    progress,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");

fn program(name: &str) -> PlayerSpec {
    let here = std::env::current_dir().unwrap();
    let finder = Finder {
        from: &here,
        program: Path::new(ARBITER),
        builtin: BuiltinBot::check,
        game: &Game::Loa,
        trust: Trust::Own,
    };
    PlayerSpec::Program(Arc::new(finder.find(&format!("builtin:{name}")).unwrap()))
}

/// One game from the start position.
fn play(game: &Game, players: BySide<PlayerSpec>) -> Finished {
    let ruleset = Ruleset::named(game.name(), "").unwrap();
    let names = ["a", "b"].map(String::from);
    let plan = Match { conditions: conditions(&ruleset), concurrency: 1, watchers: Vec::new() };
    let schedule = Schedule::new(Format { games: 1, ..Format::default() }, &names).unwrap();
    let progress = TournamentProgress::new(
        schedule,
        TournamentRules { tries: 1, ..TournamentRules::default() },
    );
    let openings = Openings::start(ruleset.start());
    let players = names.iter().cloned().zip([players.first, players.second]).collect();
    let games = ScheduledGames::new(progress, openings, players, PlayedGames::new());
    let mut run = arena::run(plan, GameQueue::new(games));
    let Some(RunEvent::Finished(finished)) = run.next() else { panic!("the game was broken off") };
    run.settle(finished.pairing.index, finished.record.outcome.into());
    assert!(run.next().is_none());
    *finished
}

fn plies(record: &Record) -> Vec<Ply> {
    record.plies.iter().map(|played| played.ply).collect()
}

fn recorded(record: &Record) -> PlayerSpec {
    PlayerSpec::Recorded(Arc::new(record.player()))
}

#[test]
fn a_game_is_repeated_with_the_log_on_either_side_or_both() {
    for game in Game::ALL {
        let original =
            play(&game, BySide { first: program("random"), second: program("greedy") }).record;
        for players in [
            BySide { first: recorded(&original), second: program("greedy") },
            BySide { first: program("random"), second: recorded(&original) },
            BySide { first: recorded(&original), second: recorded(&original) },
        ] {
            let repeated = play(&game, players).record;
            assert_eq!(plies(&repeated), plies(&original), "{game:?}");
            assert_eq!(repeated.outcome, original.outcome, "{game:?}");
        }
    }
}

#[test]
fn a_log_can_end_by_resigning_and_says_where_it_has_no_ply() {
    let mut original =
        play(&Game::Loa, BySide { first: program("random"), second: program("greedy") }).record;
    original.plies.truncate(4);
    let both = |record: &Record| BySide { first: recorded(record), second: recorded(record) };
    let resigned = Record { outcome: Outcome::Resigned(Side::First), ..original.clone() };
    assert_eq!(play(&Game::Loa, both(&resigned)).record.outcome, Outcome::Resigned(Side::First));
    let ended = play(&Game::Loa, both(&original));
    assert!(matches!(ended.record.outcome, Outcome::Aborted(_)));
    assert_eq!(ended.broken.as_deref(), Some("the logged game has no ply 5"));
    // Against another opponent the game leaves the log.
    let other = play(&Game::Loa, BySide { first: program("greedy"), second: recorded(&original) });
    let left = other.broken.expect("the random bot's first ply is not the greedy one's");
    assert!(left.ends_with("is not the one of the logged game"), "{left}");
}

/// A player that crashes at once when it is the first, and says which bot it is.
fn crashing(name: &str) -> PlayerSpec {
    let crash = Outcome::Forfeit(Side::First, Fault::Crash);
    let player =
        RecordedPlayer::new(Vec::new(), crash).explained(Some(format!("?: I am {name}")), None);
    PlayerSpec::Recorded(Arc::new(player))
}

/// Whatever the order in which bots are found and scheduled, the players of a game are the two bots
/// of its id, on the sides of its pairing.
#[test]
fn each_game_is_played_by_the_bots_of_its_id() {
    let config = |format: &str, own: usize| {
        let games = if format == "knockout" { "best-of = 2" } else { "games = 2\nrounds = 2" };
        let mut text =
            format!("[schedule]\nformat = '{format}'\n{games}\n[publish]\nnames = 'alias'\n");
        for bot in 0..own {
            text += &format!("[[bot]]\nname = 'own{bot}'\ncommand = './own'\n");
        }
        Config::parse(&(text + "[[bots]]\nfolder = 'in'\n")).unwrap()
    };
    let mut reordered = 0;
    for seed in 0..120_u64 {
        let mut generator = Generator::from_state(seed);
        let formats = ["round-robin", "gauntlet", "swiss", "knockout"];
        let format = formats[generator.below(4) as usize];
        let (own, submitted) = (generator.below(3) as usize, 2 + generator.below(4));
        let config = config(format, own);
        let named = (0..own).map(|bot| format!("own{bot}"));
        let named =
            named.chain((0..submitted).map(|bot| format!("{}{bot}", generator.below(1000))));
        let found: Vec<String> = named.collect();
        let entrant = |name: &String| {
            Entrant::new(name.clone(), name.clone(), &Content::default(), BTreeMap::new(), None)
        };
        let plan = RunPlan {
            name: "cup",
            text: "",
            config: &config,
            openings: None,
            entrants: found.iter().map(entrant).collect(),
            absent: Vec::new(),
            keep_changed: false,
            shard: None,
            key: KeySource::Drawn(SecretKey::new(&seed.to_be_bytes())),
            seeds: None,
            other: None,
        };
        let head = roster::head(plan, &JournalContents::default()).unwrap();
        let scheduled = head.names();
        let names = head.public_names();
        let public = found.iter().map(|name| names.name(name));
        reordered += usize::from(!public.clone().eq(scheduled.iter().cloned()));
        let workers = 1 + generator.below(3) as usize;
        let progress = progress(&config, &head.bots(), workers as u32).unwrap();
        let count = 1 + generator.below(3);
        let shard: Shard = format!("{}/{count}", 1 + generator.below(count)).parse().unwrap();
        let share = Share::new(shard, PlayedGames::new());
        let ruleset = Ruleset::named("lineup", "").unwrap();
        let plan =
            Match { conditions: conditions(&ruleset), concurrency: workers, watchers: Vec::new() };
        let openings = Openings::start(ruleset.start());
        let players = public.map(|name| (name.clone(), crashing(&name))).collect();
        let games = ScheduledGames::new(progress, openings, players, PlayedGames::new());
        let mut run = arena::run_beside(plan, GameQueue::new(games.share(share)));
        while let Some(event) = run.next() {
            let RunEvent::Finished(finished) = event else {
                panic!("{format}, seed {seed}: the run was broken off")
            };
            let Finished { record, pairing, .. } = *finished;
            let sides = [pairing.first, pairing.second].map(|bot| &*scheduled[bot]);
            assert_eq!(
                [&*record.players.first, &*record.players.second],
                sides,
                "{format}, seed {seed}"
            );
            assert_eq!(
                pairing.id,
                game_id(sides[0], sides[1], pairing.number),
                "{format}, seed {seed}"
            );
            let said = format!("{}: I am {}", sides[0], sides[0]);
            assert_eq!(record.detail, Some(said), "{format}, seed {seed}");
            run.settle(pairing.index, record.outcome.into());
        }
    }
    assert!(reordered > 60, "{reordered}");
}
