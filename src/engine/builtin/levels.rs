//! The levels of `builtin:search`: opponents of known strength, from one that takes a win but
//! otherwise plays at random to one that searches 30,000 nodes.
//!
//! They are limited by nodes, or by depth with values that are wrong by the seed of the game, so
//! they are equally strong on every machine. A level is frozen: `docs/reference/search.md` has the
//! ratings, and a test holds the plies.

use super::evaluation::{Level, knowledge_of};
use super::options::SearchOptions;
use arbiter_rules::Game;

/// The number of levels of a game.
pub(super) fn count(game: &Game) -> usize {
    knowledge_of(game).levels.len()
}

impl SearchOptions {
    /// The options that the level stands for in this game, the strongest if it has fewer; these
    /// options, if there is no level.
    pub(super) fn in_game(self, game: &Game) -> SearchOptions {
        let levels = knowledge_of(game).levels;
        let Some(level) = self.level else { return self };
        match levels.get(level - 1).or(levels.last()) {
            None => self,
            Some(&Level::Noise(noise)) => SearchOptions { noise, depth: Some(1), ..self },
            Some(&Level::Nodes(nodes)) => SearchOptions { nodes: Some(nodes), ..self },
        }
    }
}
