//! What finds the programs of bots, the built-in ones among them.

use arbiter_engine::builtin::BuiltinBot;
use arbiter_host::locate::{Finder, Trust};
use arbiter_rules::Game;
use std::path::Path;

/// Finds bots of this game. Relative paths start from `from`; `program` is arbiter's own.
pub fn finder<'a>(from: &'a Path, program: &'a Path, game: &'a Game, trust: Trust) -> Finder<'a> {
    Finder { from, program, builtin: BuiltinBot::check, game, trust }
}
