//! The three bots that come with the program: [`random`](Player::NAMES), `greedy` and `search`.
//!
//! Owns [`Player`], a bot's whole side of the conversation of protocol.md: lines in, lines out. Knows what
//! any bot could know, the rules and the protocol; not who referees, nor how lines travel. It never reads the
//! time: whoever lets it think also tells it how long it has been thinking. All three follow the plies of
//! `since` on a board of their own, so they ask for no `board` and no `moves`, and all three play one game
//! after another.
//!
//! ```
//! use arbiter::builtin::{Action, Player};
//! use std::time::Duration;
//! let mut player = Player::named("search").unwrap();
//! for line in ["arena 1", "game loa", "you B", "time 10000 100", "seed 7"] {
//!     assert_eq!(player.hear(line).unwrap(), None);
//! }
//! assert_eq!(player.hear("start").unwrap(), Some(Action::Say("ready reuse lean\n".into())));
//! for line in ["turn 1", "since", "clock 10000 10000"] {
//!     assert_eq!(player.hear(line).unwrap(), None);
//! }
//! assert_eq!(player.hear("go").unwrap(), Some(Action::Think));
//! let said = player.think(&mut || Duration::from_secs(1)); // a clock that says: time is up
//! assert!(said.lines().last().unwrap().starts_with("move "));
//! assert_eq!(player.hear("quit").unwrap(), Some(Action::Quit));
//! ```

mod evaluation;
mod greedy;
mod listen;
mod order;
mod pace;
mod random;
mod search;
mod table;
#[cfg(test)]
mod tests;

pub use listen::ProtocolError;

use crate::rules::Ply;
use listen::{Heard, Listener};
use search::Search;
use std::fmt::Write;
use std::time::Duration;

/// What the bots say to `start`: they play further games, and need no `board` and no `moves`.
const READY: &str = "ready reuse lean";

/// What is to be done about a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Action {
    /// Print this, newline included, and flush.
    Say(String),
    /// Call [`Player::think`] and print what it returns.
    Think,
    /// Stop.
    Quit,
}

/// One of the bots, with what it knows of the game it is in.
#[derive(Debug, Clone)]
pub struct Player {
    mind: Mind,
    listener: Listener,
}

#[derive(Debug, Clone)]
enum Mind {
    Random,
    Greedy,
    Search(Box<Search>),
}

impl Player {
    /// The names there are.
    pub const NAMES: [&str; 3] = ["random", "greedy", "search"];

    /// The bot of that name.
    ///
    /// ```
    /// use arbiter::builtin::Player;
    /// assert!(Player::NAMES.into_iter().all(|name| Player::named(name).is_some()));
    /// assert!(Player::named("Random").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Player> {
        let mind = match name {
            "random" => Mind::Random,
            "greedy" => Mind::Greedy,
            "search" => Mind::Search(Box::default()),
            _ => return None,
        };
        Some(Player { mind, listener: Listener::default() })
    }

    /// What it says when a game's start block is over, without a newline; [`Player::hear`] says it by itself.
    #[must_use]
    pub fn ready_line(&self) -> &'static str {
        READY
    }

    /// Takes in a line of the referee; most ask for nothing. Lines that mean nothing to it are ignored.
    ///
    /// # Errors
    /// A sentence that says why the game cannot be followed; there is no going on after that.
    pub fn hear(&mut self, line: &str) -> Result<Option<Action>, ProtocolError> {
        Ok(match self.listener.hear(line)? {
            Heard::Nothing => None,
            Heard::Start => {
                if let Mind::Search(search) = &mut self.mind {
                    search.forget();
                }
                Some(Action::Say(format!("{READY}\n")))
            }
            Heard::Go => Some(Action::Think),
            Heard::Quit => Some(Action::Quit),
        })
    }

    /// Answers the question that [`Action::Think`] announced: the lines to print, each with its newline, the
    /// last of them `move PLY`. `now` says how much time has passed since the `go` line was read.
    ///
    /// Without a question the answer is empty. After `illegal` it is a random ply among those not tried yet.
    pub fn think(&mut self, now: &mut dyn FnMut() -> Duration) -> String {
        let mut said = String::new();
        let Some(mut turn) = self.listener.turn() else { return said };
        let position = *turn.position();
        let first = !turn.refused();
        let ply = match &mut self.mind {
            Mind::Greedy if first => greedy::choose(&position, turn.generator()),
            Mind::Search(search) if first => {
                let found = search.think(&turn.history(), turn.limit(), turn.generator(), now);
                if let Some(found) = &found {
                    let _ = writeln!(said, "info {found}"); // writing to a String cannot fail
                }
                found.map(|found| found.ply())
            }
            Mind::Random | Mind::Greedy | Mind::Search(_) => random::choose(turn.untried(), turn.generator()),
        };
        // Every ply was refused: the first one is as good as any.
        let ply = ply.or_else(|| position.plies().next()).unwrap_or(Ply::Pass);
        turn.answer(ply);
        let _ = writeln!(said, "move {}", position.ruleset().ply_text(ply));
        said
    }
}
