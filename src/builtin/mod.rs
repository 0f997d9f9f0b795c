//! The three built-in bots: [`random`](BuiltinBot::NAMES), `greedy` and `search`.
//!
//! Owns [`BuiltinBot`], the bot's side of the conversation of docs/protocol.md: lines in, lines out. Uses only the
//! rules and the protocol, as any bot could; knows neither the referee nor how lines are transferred. It
//! never reads the time: the caller passes a function that returns the time used so far. All three bots
//! follow the plies of `since` on their own board, so they need no `board` and no `moves` lines, and they
//! play several games one after another.
//!
//! ```
//! use arbiter::builtin::{Action, BuiltinBot};
//! use std::time::Duration;
//! let mut player = BuiltinBot::named("search").unwrap();
//! for line in ["arena 1", "game loa", "you B", "time 10000 100", "seed 7"] {
//!     assert_eq!(player.receive(line).unwrap(), None);
//! }
//! assert_eq!(player.receive("start").unwrap(), Some(Action::Say("ready reuse lean\n".into())));
//! for line in ["turn 1", "since", "clock 10000 10000"] {
//!     assert_eq!(player.receive(line).unwrap(), None);
//! }
//! assert_eq!(player.receive("go").unwrap(), Some(Action::Think));
//! let said = player.think(&mut || Duration::from_secs(1)); // a clock that says that the time is used up
//! assert!(said.lines().last().unwrap().starts_with("move "));
//! assert_eq!(player.receive("quit").unwrap(), Some(Action::Quit));
//! ```

mod evaluation;
mod greedy;
mod move_ordering;
mod random;
mod reader;
mod search;
#[cfg(test)]
mod tests;
mod time_management;
mod transposition;

pub use reader::ProtocolError;

use crate::rules::Ply;
use reader::{RefereeCommand, RefereeReader};
use search::AlphaBetaSearch;
use std::fmt::Write;
use std::time::Duration;

/// The bots' answer to `start`: they play further games, and need no `board` and no `moves` lines.
const READY: &str = "ready reuse lean";

/// What the caller has to do after a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Action {
    /// Print this, newline included, and flush.
    Say(String),
    /// Call [`BuiltinBot::think`] and print what it returns.
    Think,
    /// Stop.
    Quit,
}

/// One of the bots with its state of the current game.
#[derive(Debug, Clone)]
pub struct BuiltinBot {
    strategy: Strategy,
    reader: RefereeReader,
}

#[derive(Debug, Clone)]
enum Strategy {
    Random,
    Greedy,
    Search(Box<AlphaBetaSearch>),
}

impl BuiltinBot {
    /// The names of the bots.
    pub const NAMES: [&str; 3] = ["random", "greedy", "search"];

    /// The bot of that name.
    ///
    /// ```
    /// use arbiter::builtin::BuiltinBot;
    /// assert!(BuiltinBot::NAMES.into_iter().all(|name| BuiltinBot::named(name).is_some()));
    /// assert!(BuiltinBot::named("Random").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<BuiltinBot> {
        let strategy = match name {
            "random" => Strategy::Random,
            "greedy" => Strategy::Greedy,
            "search" => Strategy::Search(Box::default()),
            _ => return None,
        };
        Some(BuiltinBot { strategy, reader: RefereeReader::default() })
    }

    /// Reads a line of the referee; most lines need no action. Unknown lines are ignored.
    ///
    /// # Errors
    /// A sentence that says why the game cannot be followed; the conversation cannot continue after that.
    pub fn receive(&mut self, line: &str) -> Result<Option<Action>, ProtocolError> {
        Ok(match self.reader.receive(line)? {
            RefereeCommand::Nothing => None,
            RefereeCommand::Start => {
                if let Strategy::Search(search) = &mut self.strategy {
                    search.forget();
                }
                Some(Action::Say(format!("{READY}\n")))
            }
            RefereeCommand::Go => Some(Action::Think),
            RefereeCommand::Quit => Some(Action::Quit),
        })
    }

    /// Answers the question that [`Action::Think`] announced: the lines to print, each with its newline, the
    /// last of them `move PLY`. `now` returns the time since the `go` line was read.
    ///
    /// Empty if there is no question. After `illegal` the answer is a random ply that was not tried for this
    /// question.
    pub fn think(&mut self, now: &mut dyn FnMut() -> Duration) -> String {
        let mut said = String::new();
        let Some(turn) = self.reader.turn() else { return said };
        let position = turn.position().clone();
        let first = !turn.refused();
        let ply = match &mut self.strategy {
            Strategy::Greedy if first => greedy::choose(&position, &mut turn.generator),
            Strategy::Search(search) if first => {
                let found = search.think(&turn.history, turn.limit(), &mut turn.generator, now);
                if let Some(found) = &found {
                    let _ = writeln!(said, "info {found}"); // writing to a String cannot fail
                }
                found.map(|found| found.ply())
            }
            Strategy::Random | Strategy::Greedy | Strategy::Search(_) => {
                random::choose(turn.untried(), &mut turn.generator)
            }
        };
        // All legal plies were refused; the first one is answered again.
        let ply = ply.or_else(|| position.plies().next()).unwrap_or(Ply::Pass);
        turn.answer(ply);
        let _ = writeln!(said, "move {}", position.ruleset().ply_text(ply));
        said
    }
}
