//! Random options and positions, texts of the engine's results, and the slow second implementation,
//! for the tests of the rules. Those of `arbiter-game` include this file by its path.

#![allow(dead_code, reason = "the two crates use different parts")]

pub mod setup;
#[path = "../slow/mod.rs"]
pub mod slow;

use arbiter_rules::seed::Generator;
use arbiter_rules::{Ending, Game, Number, Ply, Position, Range, Ruleset};

/// Options, as they are set: key and value.
pub type Set = Vec<(String, String)>;

/// The rules of a game with options such as `n=7 l=4`.
pub fn rules(game: &str, options: &str) -> Ruleset {
    Ruleset::named(game, options).unwrap_or_else(|e| panic!("{game} {options}: {e}"))
}

/// All options of a ruleset as key and value.
pub fn settings(ruleset: &Ruleset) -> Set {
    ruleset.options().into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The text of a ply.
pub fn text(position: &Position, ply: Ply) -> String {
    position.ruleset().ply_text(ply).to_string()
}

/// The texts of the legal plies, sorted as the engine sorts them.
pub fn texts(position: &Position) -> Vec<String> {
    position.sorted_plies().into_iter().map(|ply| text(position, ply)).collect()
}

/// The ending as the winner's letter and the reason's word, like the slow implementation.
pub fn ending(position: &Position) -> Option<(Option<char>, &'static str)> {
    let letter = |side| position.ruleset().letter(side);
    position.ending().map(|Ending { winner, reason }| (winner.map(letter), reason.word()))
}

/// How many rows a game's boards have.
pub fn sizes(game: &Game) -> Vec<usize> {
    let option = game.options().iter().find(|option| option.key == "n");
    let (from, to, step) = match option.map(|option| &option.range) {
        Some(&Range::Numbers { from, to: Number::Fixed(to) }) => (from, to, 1),
        Some(&Range::Even { from, to }) => (from, to, 2),
        _ => return vec![rules(game.name(), "").rows()],
    };
    (from as usize..=to as usize).step_by(step).collect()
}

/// A random number below `n`.
pub fn below(generator: &mut Generator, n: usize) -> usize {
    generator.below(n as u64) as usize
}

/// A random element.
pub fn pick<T: Clone>(generator: &mut Generator, from: &[T]) -> T {
    from[below(generator, from.len())].clone()
}

/// A random position of a random game: any game, options, size and set-up.
#[derive(Debug, Clone)]
pub struct Reached {
    pub position: Position,
    /// Whether the last ply was a pass: consecutive forced passes are not part of a position's
    /// text.
    pub passed: bool,
}

/// Plays a random number of random plies from a random position.
pub fn reached(game: &Game, generator: &mut Generator) -> Reached {
    let size = pick(generator, &sizes(game));
    let ruleset =
        Ruleset::with_options(game.name(), &setup::some_options(game, size, generator)).unwrap();
    let kind = below(generator, setup::KINDS);
    let mut position = match setup::some_position(kind, &ruleset, generator) {
        None => ruleset.start(),
        // If no second piece can be placed, the position has a first piece to place.
        Some(text) => ruleset
            .read_position(&text)
            .unwrap_or_else(|_| ruleset.read_position(&text.replace(" 2", " 1")).unwrap()),
    };
    let mut passed = false;
    for _ in 0..below(generator, 2 * size * size).min(below(generator, 150)) {
        if position.ending().is_some() {
            break;
        }
        let plies: Vec<Ply> = position.plies().collect();
        let ply = pick(generator, &plies);
        position.play(ply);
        passed = ply == Ply::Pass;
    }
    Reached { position, passed }
}
