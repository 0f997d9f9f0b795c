//! Which forced wins `builtin:search?depth=N` finds of those that take N plies by the exhaustive
//! search of the room `proof`: all of them, but for what its reductions and its pruning hide.
//!
//! `ARBITER_ALL=1`, as in `.ci/slow`, looks at 200 games of each.

#![allow(clippy::print_stderr, reason = "how many are found is to be seen")]

use crate::plays_all;
use arbiter_engine::builtin::{Action, BuiltinBot};
use arbiter_game::proof::{Proof, Prover};
use arbiter_rules::{Position, Ruleset};
use std::time::Duration;

/// The most plies of a win that is looked at, and the nodes of a proof.
const PLIES: u32 = 7;
const NODES: u64 = 60_000;
/// The positions of a game that are looked at: so many at its end.
const AT_THE_END: usize = 10;

fn bot(name: &str, ruleset: Ruleset, seed: u64) -> BuiltinBot {
    let mut bot = BuiltinBot::named(name).unwrap().speaking_ugi();
    for line in [
        format!("setoption name Game value {}", ruleset.game().name()),
        format!("setoption name RandomSeed value {seed}"),
    ] {
        assert_eq!(bot.receive(&line), Ok(None));
    }
    bot
}

/// What the bot says of a position without a history: its `info` and its answer.
fn said(bot: &mut BuiltinBot, position: &Position) -> String {
    assert_eq!(bot.receive(&format!("position fen {position}")), Ok(None));
    assert_eq!(bot.receive("go"), Ok(Some(Action::Think)));
    bot.think(&mut || Duration::ZERO)
}

/// The positions of a game between weak searches: they leave wins that take a few plies.
fn game(ruleset: Ruleset, seed: u64) -> Vec<Position> {
    let mut bots = ["search?depth=2&noise=200", "search?depth=1&noise=200"]
        .map(|name| bot(name, ruleset.clone(), seed));
    let mut positions = vec![ruleset.start()];
    while positions.last().unwrap().ending().is_none() && positions.len() < 200 {
        let position = positions.last().unwrap();
        let said = said(&mut bots[(positions.len() + seed as usize) % 2], position);
        let ply = ruleset.read_ply(said.trim_end().rsplit(' ').next().unwrap()).unwrap();
        positions.push(position.after(ply));
    }
    positions.pop();
    positions
}

/// Whether the bot knows that a position is won.
fn finds(name: &str, position: &Position) -> bool {
    let said = said(&mut bot(name, position.ruleset(), 1), position);
    // A win has the value 10000 less a hundredth for each ply.
    let score = said.split(" score ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    score.parse::<f64>().unwrap() > 9_990.0
}

#[test]
fn forced_wins_are_found_at_their_depth_or_soon_after() {
    for game_name in ["loa", "gekitai"] {
        let ruleset = Ruleset::named(game_name, "").unwrap();
        // Those that are missed at their depth, and up to three plies deeper.
        let (mut proved, mut missed) = (0, [0; 4]);
        for seed in 0..if plays_all() { 200 } else { 12 } {
            for position in game(ruleset.clone(), seed).iter().rev().take(AT_THE_END) {
                let proof = Prover::new(position.side()).prove(position, PLIES, NODES);
                let Proof::Wins { within, .. } = proof else { continue };
                proved += 1;
                for (deeper, count) in (0..).zip(&mut missed) {
                    *count +=
                        u32::from(!finds(&format!("search?depth={}", within + deeper), position));
                }
            }
        }
        eprintln!(
            "{game_name}: {proved} forced wins, missed at their depth and 1, 2, 3 plies deeper: \
             {missed:?}"
        );
        assert!(
            proved > 20
                && missed[0] * 2 < proved
                && missed[1] * 5 < proved
                && missed[3] * 20 < proved
        );
    }
}
