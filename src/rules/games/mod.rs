//! The games: each has one file or folder here, and one row in the table below.
//!
//! A row has the name of the game's variants, its rules ([`GameRules`]) and its board
//! ([`GameBoard`]). In brackets stands a faster board for small sizes, if there is one
//! ([`GameRules::is_small`]). A game knows neither the other games nor
//! [`Position`](super::Position) and [`Ruleset`](super::Ruleset), which stand above the table.

#[macro_use]
mod dispatch;
mod flipflop;
mod gekitai;
mod lineup;
mod loa;

use super::board::GameBoard;
use super::game::{Example, GameDescription, GameRules};
use super::notation::PositionError;
use super::options::{OptionError, OptionSpec, OptionValues};
use super::own::{OwnBoard, OwnGame, OwnPlies, OwnRules, Rules};
use super::side::{BySide, Side};
use std::fmt;

games! { $
    /// Lines of Action.
    Loa(loa::LoaRules) => Loa(loa::LoaBoard);
    /// FlipFlop.
    FlipFlop(flipflop::FlipFlopRules) =>
        [FlipFlop(flipflop::SmallBoard)] LargeFlipFlop(flipflop::LargeBoard);
    /// Line 'em Up.
    Lineup(lineup::LineupRules) =>
        [Lineup(lineup::SmallBoard)] LargeLineup(lineup::LargeBoard);
    /// Gekitai.
    Gekitai(gekitai::GekitaiRules) => Gekitai(gekitai::GekitaiBoard);
}

#[expect(clippy::single_component_path_imports, reason = "macros reach other modules only so")]
pub(super) use {each, each_rules, map};

impl From<OwnRules> for AnyRules {
    fn from(rules: OwnRules) -> AnyRules {
        let game = Game::Own(rules.game().clone());
        AnyRules::Own(rules, game)
    }
}

/// The rules of a configuration that names no game: Lines of Action with its default options.
impl Default for AnyRules {
    fn default() -> AnyRules {
        AnyRules::Loa(loa::LoaRules::default())
    }
}

impl Game {
    /// The name in commands and logs.
    pub fn name(&self) -> &str {
        self.description().name
    }

    /// The name in texts for people.
    pub fn title(&self) -> &str {
        self.description().title
    }

    /// How it is played, in some lines for people; letters such as `n` are rule options. Empty for
    /// a custom game.
    pub fn in_short(&self) -> &'static [&'static str] {
        self.description().in_short
    }

    /// A ply that shows how it is played, if there is one.
    pub fn example(&self) -> Option<Example> {
        self.description().example
    }

    /// The game of arbiter of that name.
    pub fn named(name: &str) -> Option<Game> {
        Game::ALL.into_iter().find(|game| game.name() == name)
    }

    /// The game's rule options with defaults and ranges.
    pub fn options(&self) -> &[OptionSpec] {
        self.description().options
    }

    /// The letters of the two sides.
    pub fn letters(&self) -> BySide<char> {
        self.description().letters
    }

    /// The side that a log calls `White` (docs/reference/gamelog.md, Tags).
    pub fn white(&self) -> Side {
        self.description().white
    }

    /// Whether its rules stand outside of arbiter: each new position is a question to them, and
    /// neither proofs nor bots that search know them.
    pub fn asks_rules(&self) -> bool {
        matches!(&self, Game::Own(_))
    }

    /// The file of its rules; `None` if arbiter has them itself.
    pub fn rules_file(&self) -> Option<RulesFileName<'_>> {
        match self {
            Game::Own(own) => Some(RulesFileName { file: own.file(), digest: own.digest() }),
            _ => None,
        }
    }

    /// The rules of a custom game, if the user has given them.
    pub fn source(&self) -> Option<&Rules> {
        match self {
            Game::Own(own) => own.source(),
            _ => None,
        }
    }
}

/// The file of a custom game's rules, as logs name it: `connect4.py 0123456789ab`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesFileName<'a> {
    /// The file or folder, without the folders above it.
    pub file: &'a str,
    /// The first hex digits of the digest of its content.
    pub digest: &'a str,
}

impl fmt::Display for RulesFileName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.file, self.digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ruleset;

    #[test]
    fn the_example_of_a_game_is_legal_and_shows_something() {
        for game in Game::ALL {
            let ruleset = Ruleset::named(game.name(), "").unwrap();
            let example = game.example().unwrap();
            let before = ruleset.read_position(example.position).unwrap();
            let ply = ruleset.read_ply(example.ply).unwrap();
            before.check(ply).unwrap_or_else(|why| panic!("{}: {why}", game.name()));
            let changes = before.changes(ply);
            let won = before.after(ply).winning_squares();
            assert!(changes.len() + won.len() > 1, "{}", game.name());
            assert!(example.caption.starts_with(example.ply), "{}", example.caption);
        }
    }
}
