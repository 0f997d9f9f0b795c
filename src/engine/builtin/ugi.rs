//! Reads the lines of the Universal Game Interface (docs/reference/protocol.md, ugi), which has no
//! game of unknown rules, no illegal answers and no pondering.

use super::game::GameInProgress;
use super::reader::{ProtocolError, RefereeCommand, number};
use super::time_management::{DEPTH, SearchLimit, TimeSource, search_limit};
use arbiter_game::clock::TimeControl;
use arbiter_rules::seed::Generator;
use arbiter_rules::{Ruleset, Side};
use std::time::Duration;

/// The state of the conversation.
#[derive(Debug, Clone)]
pub(super) struct UgiReader {
    /// The name of the bot.
    name: String,
    game_name: String,
    options: Vec<(String, String)>,
    seed: u64,
    /// `None` until a line needs it: then it begins under the options that were set.
    game: Option<GameInProgress>,
}

impl UgiReader {
    /// No game yet.
    pub(super) fn new(name: &str) -> UgiReader {
        UgiReader {
            name: name.to_owned(),
            game_name: "loa".to_owned(),
            options: Vec::new(),
            seed: 0,
            game: None,
        }
    }

    /// Reads a line, without its newline.
    pub(super) fn receive(&mut self, line: &str) -> Result<RefereeCommand, ProtocolError> {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "ugi" => {
                let name = &self.name;
                return Ok(RefereeCommand::Say(format!(
                    "id name arbiter {name}\nid author arbiter\n\
                     option name Game type string default loa\n\
                     option name RandomSeed type string default 0\nugiok\n"
                )));
            }
            "isready" => return Ok(RefereeCommand::Say("readyok\n".to_owned())),
            "setoption" => self.set_option(line, rest)?,
            "uginewgame" => {
                self.game = None;
                return Ok(RefereeCommand::Start(String::new()));
            }
            "position" => self.set_position(rest)?,
            "go" => {
                let side = self.game()?.position().side();
                let limit = search_for(line, side)?;
                self.game()?.ask(limit, false).map_err(ProtocolError::new)?;
                return Ok(RefereeCommand::Go);
            }
            "query" => {
                return Ok(match self.response(rest)? {
                    Some(response) => RefereeCommand::Say(format!("response {response}\n")),
                    None => RefereeCommand::Nothing,
                });
            }
            "quit" => return Ok(RefereeCommand::Quit),
            _ => {}
        }
        Ok(RefereeCommand::Nothing)
    }

    /// The game, if it has a question that is not answered yet.
    pub(super) fn turn(&mut self) -> Option<&mut GameInProgress> {
        self.game.as_mut().filter(|game| game.limit().is_some())
    }

    /// The game, which begins now if there is none.
    fn game(&mut self) -> Result<&mut GameInProgress, ProtocolError> {
        let game = match self.game.take() {
            Some(game) => game,
            None => {
                let ruleset = Ruleset::with_options(&self.game_name, &self.options);
                let ruleset = ruleset.map_err(ProtocolError::new)?;
                GameInProgress::new(&ruleset, Generator::from_state(self.seed))
            }
        };
        Ok(self.game.insert(game))
    }

    /// Takes `name K value V`. Another game has other options, so those of the last one are
    /// forgotten.
    fn set_option(&mut self, line: &str, rest: &str) -> Result<(), ProtocolError> {
        let option = rest.strip_prefix("name ").unwrap_or_default();
        let Some((name, value)) = option.split_once(" value ") else { return Ok(()) };
        // Options are those of a game from its beginning.
        self.game = None;
        match name {
            "Game" => {
                value.clone_into(&mut self.game_name);
                self.options.clear();
            }
            "RandomSeed" => self.seed = number(line, value)?,
            _ => {
                self.options.retain(|(key, _)| key != name);
                self.options.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    /// Takes `startpos` or `fen TEXT`, and after `moves` the plies from there.
    fn set_position(&mut self, rest: &str) -> Result<(), ProtocolError> {
        let (text, plies) = rest.split_once(" moves").unwrap_or((rest, ""));
        let game = self.game()?;
        let ruleset = game.history[0].ruleset();
        let start = match text.strip_prefix("fen ") {
            Some(text) => ruleset.read_position(text).map_err(ProtocolError::new)?,
            None if text == "startpos" => ruleset.start(),
            None => {
                let what = "after `position` comes `startpos`, or `fen` and a position";
                return Err(ProtocolError::new(what));
            }
        };
        // Each time all plies of the game are sent.
        game.history = vec![start];
        for ply in plies.split_ascii_whitespace() {
            game.play(ply).map_err(|what| ProtocolError::new(format_args!("position, {what}")))?;
        }
        Ok(())
    }

    /// The response to a query; `None` if the interface does not define it.
    fn response(&mut self, query: &str) -> Result<Option<&'static str>, ProtocolError> {
        let position = self.game()?.position();
        let is_true = match query {
            "gameover" => position.ending().is_some(),
            "p1turn" => position.side() == Side::First,
            "result" => {
                let Some(ending) = position.ending() else { return Ok(Some("none")) };
                return Ok(Some(match ending.winner {
                    None => "draw",
                    Some(Side::First) => "p1win",
                    Some(Side::Second) => "p2win",
                }));
            }
            _ => return Ok(None),
        };
        Ok(Some(if is_true { "true" } else { "false" }))
    }
}

/// The limit that a line `go` sets to the side that is to move. The reader does not read while the
/// bot thinks, so a search that is to end at `stop` ends at the usual depth.
fn search_for(line: &str, side: Side) -> Result<SearchLimit, ProtocolError> {
    let (own, increment) = match side {
        Side::First => ("p1time", "p1inc"),
        Side::Second => ("p2time", "p2inc"),
    };
    let source = TimeSource::MainClock;
    // The first of these words that is there decides, however many are given.
    if let Some(each) = time_after(line, "movetime")? {
        return Ok(search_limit(TimeControl::Ply(each), Some(each), source));
    }
    if let Some(own) = time_after(line, own)? {
        let increment = time_after(line, increment)?.unwrap_or_default();
        return Ok(search_limit(TimeControl::Game { base: own, increment }, Some(own), source));
    }
    if let Some(nodes) = number_after(line, "nodes")? {
        return Ok(SearchLimit { nodes, ..SearchLimit::depth(u32::MAX) });
    }
    let depth = number_after(line, "depth")?.unwrap_or(DEPTH.into());
    Ok(SearchLimit::depth(u32::try_from(depth).unwrap_or(u32::MAX)))
}

/// The milliseconds after this word, if the word is there.
fn time_after(line: &str, name: &str) -> Result<Option<Duration>, ProtocolError> {
    Ok(number_after(line, name)?.map(Duration::from_millis))
}

/// The number after this word, if the word is there.
fn number_after(line: &str, name: &str) -> Result<Option<u64>, ProtocolError> {
    let mut words = line.split_ascii_whitespace().skip_while(|&word| word != name);
    if words.next().is_none() {
        return Ok(None);
    }
    number(line, words.next().unwrap_or_default()).map(Some)
}
