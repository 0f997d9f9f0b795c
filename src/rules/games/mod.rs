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
use super::game::{GameDescription, GameRules};
use super::notation::PositionError;
use super::options::{OptionError, OptionValues};
use super::own::{OwnBoard, OwnGame, OwnPlies, OwnRules};
use super::side::Side;

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
