//! The three built-in bots: [`random`](BuiltinBot::NAMES), `greedy` and `search`.
//!
//! Owns [`BuiltinBot`], the bot's side of the conversation of docs/reference/protocol.md: lines in,
//! lines out. Uses only the rules and the protocol, as any bot could; knows neither the referee nor
//! how lines are transferred. It never reads the time: the caller passes a function that returns
//! the time used so far.
//!
//! All three bots follow the plies of `since` on their own board, so they need no `board` and no
//! `moves` lines, and they play several games one after another. `random` also plays games whose
//! rules it does not know, from their `moves` lines.
//!
//! A line goes to the reader of its dialect, which keeps the game; a question to the bot's
//! strategy, of which `search` alone has rooms of its own: evaluation, tree, move ordering,
//! transposition table, time management.
//!
//! ```
//! use arbiter_engine::builtin::{Action, BuiltinBot};
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
//! // A clock that says that the time is used up.
//! let said = player.think(&mut || Duration::from_secs(1));
//! assert!(said.lines().last().unwrap().starts_with("move "));
//! assert_eq!(player.receive("quit").unwrap(), Some(Action::Quit));
//! ```

mod evaluation;
mod game;
mod greedy;
mod levels;
mod move_ordering;
mod native;
mod options;
mod random;
mod reader;
mod search;
#[cfg(test)]
mod tests;
mod time_management;
mod transposition;
mod ugi;
mod unknown_game;

pub use reader::ProtocolError;

use arbiter_rules::{Game, Ply};
use native::NativeReader;
use options::SearchOptions;
use reader::{Reader, RefereeCommand};
use search::AlphaBetaSearch;
use std::fmt::Write;
use std::time::Duration;
use ugi::UgiReader;

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
    reader: Reader,
}

/// How a bot chooses a ply.
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
    /// use arbiter_engine::builtin::BuiltinBot;
    /// assert!(BuiltinBot::NAMES.into_iter().all(|name| BuiltinBot::named(name).is_ok()));
    /// assert!(BuiltinBot::named("search?nodes=5000").is_ok());
    /// assert!(BuiltinBot::named("Random").is_err());
    /// assert!(BuiltinBot::named("search?").is_err());
    /// ```
    ///
    /// # Errors
    /// A sentence that names what there is.
    pub fn named(name: &str) -> Result<BuiltinBot, String> {
        if name.ends_with('?') {
            let why = "options are missing behind the `?`";
            return Err(format!("{why}; leave it out, or write `search?nodes=5000`"));
        }
        let strategy = match name.split_once('?').unwrap_or((name, "")) {
            ("random", "") => Strategy::Random,
            ("greedy", "") => Strategy::Greedy,
            ("search", options) => {
                Strategy::Search(Box::new(AlphaBetaSearch::new(SearchOptions::read(options)?)))
            }
            ("random" | "greedy", options) => {
                return Err(format!(
                    "`{options}`: options are for builtin:search; this bot has none"
                ));
            }
            _ => {
                // Other programs separate options by other characters.
                if let Some((bot, options)) = name.split_once([':', ',', '/', ' '])
                    && BuiltinBot::NAMES.contains(&bot)
                {
                    return Err(format!("options follow a `?`: write builtin:{bot}?{options}"));
                }
                let names = BuiltinBot::NAMES.map(|bot| format!("builtin:{bot}")).join(", ");
                return Err(format!("there is no such bot; there are {names}"));
            }
        };
        // Who draws among the moves that are listed needs no rules.
        let plays_any = matches!(strategy, Strategy::Random);
        let reader = Box::new(NativeReader::new(plays_any));
        Ok(BuiltinBot { strategy, reader: Reader::Native(reader) })
    }

    /// The same bot, before its first line, speaking the Universal Game Interface instead of
    /// arbiter's own dialect.
    ///
    /// ```
    /// use arbiter_engine::builtin::{Action, BuiltinBot};
    /// use std::time::Duration;
    /// let mut player = BuiltinBot::named("greedy").unwrap().speaking_ugi();
    /// assert_eq!(player.receive("position startpos moves a1c1").unwrap(), None);
    /// let response = Action::Say("response false\n".into());
    /// assert_eq!(player.receive("query p1turn").unwrap(), Some(response));
    /// assert_eq!(player.receive("go movetime 100").unwrap(), Some(Action::Think));
    /// assert!(player.think(&mut || Duration::ZERO).starts_with("bestmove "));
    /// ```
    pub fn speaking_ugi(self) -> BuiltinBot {
        let name = match self.strategy {
            Strategy::Random => "random",
            Strategy::Greedy => "greedy",
            Strategy::Search(_) => "search",
        };
        BuiltinBot { reader: Reader::Ugi(UgiReader::new(name)), ..self }
    }

    /// Checks the name of a bot that is to play this game.
    ///
    /// ```
    /// use arbiter_engine::builtin::BuiltinBot;
    /// use arbiter_rules::Game;
    /// assert_eq!(BuiltinBot::check("greedy", &Game::Loa), Ok(()));
    /// let unknown = BuiltinBot::check("gredy", &Game::Loa).unwrap_err();
    /// let bots = "builtin:random, builtin:greedy, builtin:search";
    /// assert_eq!(unknown, format!("there is no such bot; there are {bots}"));
    /// assert!(BuiltinBot::check("search?level=9", &Game::Lineup).is_err());
    /// ```
    ///
    /// # Errors
    /// A sentence that says what there is.
    pub fn check(name: &str, game: &Game) -> Result<(), String> {
        let strategy = BuiltinBot::named(name)?.strategy;
        if game.asks_rules() && name != "random" {
            let why = "it knows the rules of arbiter's games only";
            return Err(format!("{why}; in any other game there is builtin:random"));
        }
        let most = levels::count(game);
        if let Strategy::Search(search) = strategy
            && search.level() > Some(most)
        {
            return Err(format!("{} has the levels 1 to {most}", game.name()));
        }
        Ok(())
    }

    /// Reads a line of the referee; most lines need no action. Unknown lines are ignored.
    ///
    /// # Errors
    /// A sentence that says why the game cannot be followed; the conversation cannot continue after
    /// that.
    pub fn receive(&mut self, line: &str) -> Result<Option<Action>, ProtocolError> {
        Ok(match self.reader.receive(line)? {
            RefereeCommand::Nothing => None,
            RefereeCommand::Start(ready) => {
                if let Strategy::Search(search) = &mut self.strategy {
                    search.forget();
                }
                (!ready.is_empty()).then_some(Action::Say(ready))
            }
            RefereeCommand::Say(said) => Some(Action::Say(said)),
            RefereeCommand::Go => Some(Action::Think),
            RefereeCommand::Quit => Some(Action::Quit),
        })
    }

    /// Answers the question that [`Action::Think`] announced: the lines to print, each with its
    /// newline, the last of them `move PLY`, in the other dialect `bestmove PLY`. `now` returns the
    /// time since the `go` line was read.
    ///
    /// Empty if there is no question. After `illegal` the answer is a random ply that was not tried
    /// for this question.
    pub fn think(&mut self, now: &mut dyn FnMut() -> Duration) -> String {
        let mut said = String::new();
        let word = match &mut self.reader {
            Reader::Native(reader) => {
                if let Some(game) = reader.unknown_game() {
                    return match game.choose() {
                        Some(ply) => format!("move {ply}\n"),
                        None => said,
                    };
                }
                "move"
            }
            Reader::Ugi(_) => "bestmove",
        };
        let Some(turn) = self.reader.turn() else { return said };
        let Some(limit) = turn.limit() else { return said };
        let position = turn.position().clone();
        let is_first_try = !turn.was_refused();
        let ply = match &mut self.strategy {
            Strategy::Greedy if is_first_try => greedy::choose(&position, &mut turn.generator),
            Strategy::Search(search) if is_first_try => {
                let found =
                    search.think(&turn.history, turn.draws, limit, &mut turn.generator, now);
                if let Some(found) = &found {
                    let _ = writeln!(said, "info {found}"); // writing to a String cannot fail
                }
                found.map(|found| found.ply())
            }
            // After an illegal answer: the same search would find the same ply again.
            Strategy::Random | Strategy::Greedy | Strategy::Search(_) => {
                random::choose(turn.untried(), &mut turn.generator)
            }
        };
        // All legal plies were refused; the first one is answered again.
        let ply = ply.or_else(|| position.plies().next()).unwrap_or(Ply::Pass);
        turn.answer(ply);
        let _ = writeln!(said, "{word} {}", position.ruleset().ply_text(ply));
        said
    }

    /// Searches on after an answer, in the position that is expected next, until `line_waits` says
    /// that a line is there to be read; what it finds makes the search for the next answer faster.
    /// Returns at once where the referee allows no pondering, and for all bots but `search` on a
    /// clock.
    pub fn ponder(&mut self, line_waits: &mut dyn FnMut() -> bool) {
        if let Strategy::Search(search) = &mut self.strategy
            && let Reader::Native(reader) = &self.reader
            && let Some(game) = reader.pondered_game()
        {
            search.ponder(&game.history, game.draws, game.generator.clone(), line_waits);
        }
    }
}
