//! The levels of `builtin:search`: opponents of known strength, from one that takes a win but
//! otherwise plays at random to one that searches 30,000 nodes.
//!
//! They are limited by nodes, or by depth with values that are wrong by the seed of the game, so
//! they are equally strong on every machine. A level is frozen: `docs/search.md` has the ratings,
//! and a test holds the plies.

use super::options::SearchOptions;
use crate::rules::Game;

/// What a level is limited by.
#[derive(Debug, Clone, Copy)]
enum LevelLimit {
    /// It looks one ply ahead, with values that are wrong by up to half of this, in hundredths of a
    /// logit.
    Noise(u32),
    /// It searches so many nodes.
    Nodes(u64),
}
use LevelLimit::{Nodes, Noise};

const LOA: &[LevelLimit] = &[
    Noise(100_000),
    Noise(3_000),
    Noise(1_200),
    Noise(440),
    Noise(60),
    Nodes(200),
    Nodes(900),
    Nodes(5_000),
    Nodes(30_000),
];
const FLIPFLOP: &[LevelLimit] = &[
    Noise(1_600),
    Noise(200),
    Noise(40),
    Nodes(30),
    Nodes(130),
    Nodes(450),
    Nodes(1_500),
    Nodes(5_500),
    Nodes(30_000),
];
const LINEUP: &[LevelLimit] = &[
    Noise(100_000),
    Noise(3_500),
    Noise(1_400),
    Noise(600),
    Noise(250),
    Noise(50),
    Nodes(300),
    Nodes(30_000),
];
const GEKITAI: &[LevelLimit] = &[
    Noise(100_000),
    Noise(1_600),
    Noise(400),
    Noise(50),
    Nodes(180),
    Nodes(300),
    Nodes(1_000),
    Nodes(4_700),
    Nodes(30_000),
];

/// The levels of a game, the weakest first; none of a game whose levels nobody has measured.
fn of(game: Game) -> &'static [LevelLimit] {
    match game {
        Game::Loa => LOA,
        Game::FlipFlop => FLIPFLOP,
        Game::Lineup => LINEUP,
        Game::Gekitai => GEKITAI,
        _ => &[],
    }
}

/// The number of levels of a game.
pub(super) fn count(game: Game) -> usize {
    of(game).len()
}

impl SearchOptions {
    /// The options that the level stands for in this game, the strongest if it has fewer; these
    /// options, if there is no level.
    pub(super) fn in_game(self, game: Game) -> SearchOptions {
        let levels = of(game);
        let limit = self.level.and_then(|level| levels.get(level - 1).or(levels.last()));
        match limit {
            None => self,
            Some(&Noise(noise)) => SearchOptions { noise, depth: Some(1), ..self },
            Some(&Nodes(nodes)) => SearchOptions { nodes: Some(nodes), ..self },
        }
    }
}
