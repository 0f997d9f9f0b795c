//! Custom games before real bots: lines of `moves` longer than a pipe, and bots that do not
//! know the rules.

use crate::support::conditions::conditions;
use crate::support::{has, project, sample_bot};
use arbiter::arena::{self, Finished, GameQueue, GameRow, Match, PlayerSpec, RowGame, RunEvent};
use arbiter::builtin::BuiltinBot;
use arbiter::locate::{Finder, Trust};
use arbiter::rules::own::{
    EngineAnswer, EngineEnding, EngineQuestion, EngineState, OwnDefinition, RulesEngine,
};
use arbiter::rules::{BySide, Layout, RulesFault, Ruleset};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// A game of six plies, each one of as many words as a position may have, of the longest that there
/// are.
#[derive(Debug)]
struct Many;

impl RulesEngine for Many {
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
        let EngineQuestion::Advance(position, _) = question else {
            unreachable!("every position is reached from the start")
        };
        let played: u64 = position.rsplit(' ').next().unwrap().parse().unwrap();
        Ok(EngineAnswer::State(many(played + 1)))
    }
}

fn many(played: u64) -> EngineState {
    let side = if played.is_multiple_of(2) { 'X' } else { 'O' };
    let ending = EngineEnding { winner: None, reason: "full-board".to_owned(), margin: None };
    EngineState {
        position: format!("1 {side} {played}"),
        plies: (0..2000).map(|number| format!("{number:x<31}")).collect(),
        ending: (played == 6).then_some(ending),
        ..EngineState::default()
    }
}

fn ruleset() -> Ruleset {
    let layout = Layout::usual(BySide { first: 'X', second: 'O' }, 1, 1).unwrap();
    let told = OwnDefinition::told("many", "many.py", "00", Vec::new(), layout);
    Ruleset::own(OwnDefinition { start: many(0), engine: Some(Arc::new(Many)), ..told }).unwrap()
}

/// One game between two BOTs, without a clock.
fn play(bots: [&str; 2]) -> Finished {
    let ruleset = ruleset();
    let here = project("");
    let finder = Finder {
        from: &here,
        program: Path::new(env!("CARGO_BIN_EXE_arbiter")),
        builtin: BuiltinBot::check,
        game: ruleset.game(),
        trust: Trust::Own,
    };
    let player = |bot| PlayerSpec::Program(Arc::new(finder.find(bot).unwrap()));
    let bots = bots.map(player);
    let names = BySide { first: "a".to_owned(), second: "b".to_owned() };
    let bots = [names.first.clone(), names.second.clone()].into_iter().zip(bots).collect();
    let plan = Match { conditions: conditions(&ruleset), concurrency: 1, watchers: Vec::new() };
    let only = RowGame { id: "a~b.1".to_owned(), names, start: ruleset.start() };
    let mut run = arena::run(plan, GameQueue::new(GameRow::new(vec![only], bots)));
    let Some(RunEvent::Finished(finished)) = run.next() else { panic!("the game was broken off") };
    run.settle(finished.pairing.index, finished.record.outcome.into());
    assert!(run.next().is_none());
    *finished
}

#[test]
fn bots_that_read_their_moves_play_any_game() {
    let dir = tempfile::tempdir().unwrap();
    let in_c = sample_bot("random-c", dir.path());
    let mut bots = vec!["bots/random-python", "bots/minimal-shell"];
    if has("cc", "the bot in C") && has("make", "the bot in C") {
        let made = Command::new("make").args(["-C", &in_c]).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        bots.push(&in_c);
    }
    for bot in bots {
        let record = play([bot, "builtin:random"]).record;
        assert_eq!(
            (record.outcome.word(), record.plies.len()),
            ("draw", 6),
            "{bot}: {:?}",
            record.detail
        );
    }
}

#[test]
fn a_built_in_bot_that_knows_its_games_alone_says_so() {
    for name in ["greedy", "search"] {
        let why = BuiltinBot::check(name, ruleset().game()).unwrap_err();
        assert_eq!(
            why,
            "it knows the rules of arbiter's games only; in any other game there is builtin:random"
        );
    }
}
