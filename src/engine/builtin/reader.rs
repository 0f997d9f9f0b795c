//! Reads the referee's lines and keeps the state of the game that they describe.

use super::game::GameInProgress;
use super::listed::ListedGame;
use super::time_management::{self, TimeSource};
use arbiter_game::clock::TimeControl;
use arbiter_rules::seed::Generator;
use arbiter_rules::{OptionError, Ruleset, Side};
use std::fmt;
use std::time::Duration;

/// The bots' answer to `start`: they play further games, and need no `board` and no `moves` lines.
pub(super) const READY: &str = "ready reuse lean";
/// The answer of one that does not know the rules of the game.
const READY_FOR_MOVES: &str = "ready reuse";

/// Why a bot cannot follow the game; a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProtocolError(String);

impl ProtocolError {
    pub(super) fn new(what: impl fmt::Display) -> ProtocolError {
        ProtocolError(what.to_string())
    }
}

/// What the bot has to do about a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RefereeCommand {
    Nothing,
    /// A new game starts: forget the last one, and print this, if it is not empty.
    Start(String),
    /// Print this, newline included.
    Say(String),
    /// Answer with a ply.
    Go,
    /// Stop.
    Quit,
}

/// The state of the conversation with the referee.
#[derive(Debug, Clone, Default)]
pub(super) struct RefereeReader {
    start_block: StartBlock,
    game: Option<ToldGame>,
    /// The game in place of that, if its rules are not known.
    listed: Option<ListedGame>,
    /// Whether the bot plays games whose rules it does not know.
    plays_any: bool,
}

/// The lines of the start block received so far.
#[derive(Debug, Clone, Default)]
struct StartBlock {
    game: Option<String>,
    options: Vec<(String, String)>,
    you: Option<String>,
    time: Option<TimeControl>,
    first: bool,
    /// The plies after which the game is drawn, 0 for never.
    plies: usize,
    /// How often a position occurs at the most, 0 for any number; `None` if nothing was said.
    repetition: Option<u32>,
    /// Whether the bot may use the time of its opponent.
    may_ponder: bool,
    seed: u64,
}

/// The game after the line `start`.
#[derive(Debug, Clone)]
struct ToldGame {
    game: GameInProgress,
    you: Option<Side>,
    time: TimeControl,
    /// Whether the first ply has its own time limit.
    first: bool,
    turn_block: TurnBlock,
    /// Number of questions so far; a question repeated after an illegal answer counts once.
    questions: u32,
    /// Whether the last answer was illegal.
    was_refused: bool,
}

/// The lines of the turn block received so far.
#[derive(Debug, Clone, Default)]
struct TurnBlock {
    turn: Option<usize>,
    since: String,
    own: Option<Duration>,
}

impl RefereeReader {
    /// No game yet.
    pub(super) fn new(plays_any: bool) -> RefereeReader {
        RefereeReader { plays_any, ..RefereeReader::default() }
    }

    /// Reads a line, without its newline.
    pub(super) fn receive(&mut self, line: &str) -> Result<RefereeCommand, ProtocolError> {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, &mut self.game) {
            ("quit", _) => return Ok(RefereeCommand::Quit),
            // It begins a game, which knows nothing of the one before.
            ("arena", _) => *self = RefereeReader::new(self.plays_any),
            ("start", _) => {
                let block = std::mem::take(&mut self.start_block);
                let generator = Generator::from_state(block.seed);
                let ready = match block.begin()? {
                    Begun::Known(game) => {
                        self.game = Some(game);
                        READY
                    }
                    // Who draws among the moves that are listed needs no rules.
                    Begun::Unknown(_) if self.plays_any => {
                        self.listed = Some(ListedGame::new(generator));
                        READY_FOR_MOVES
                    }
                    Begun::Unknown(error) => return Err(ProtocolError::new(error)),
                };
                return Ok(RefereeCommand::Start(format!("{ready}\n")));
            }
            ("end", _) => {
                self.game = None;
                self.listed = None;
            }
            (_, None) if self.listed.is_some() => {
                let asks = self.listed.as_mut().is_some_and(|game| game.receive(word, rest));
                return Ok(if asks { RefereeCommand::Go } else { RefereeCommand::Nothing });
            }
            ("go", Some(game)) => return game.go().map(|()| RefereeCommand::Go),
            ("go", None) => return Err(ProtocolError::new("`go` outside a game")),
            // Only before the first turn: later ones are told for bots that want them.
            ("position", Some(game)) if game.questions == 0 && game.turn_block.turn.is_none() => {
                let read = game.game.position().ruleset().read_position(rest);
                game.game.history = vec![read.map_err(ProtocolError::new)?];
            }
            ("turn", Some(game)) => game.turn_block.turn = Some(number(line, rest)?),
            ("since", Some(game)) => rest.clone_into(&mut game.turn_block.since),
            ("clock", Some(game)) => {
                let own = rest.split(' ').next().unwrap_or(rest);
                game.turn_block.own = Some(Duration::from_millis(number(line, own)?));
            }
            ("illegal", Some(game)) => game.was_refused = true,
            (_, Some(_)) => {}
            (_, None) => self.start_block.receive(line, word, rest)?,
        }
        Ok(RefereeCommand::Nothing)
    }

    /// The game, if it allows pondering.
    pub(super) fn pondered(&self) -> Option<&GameInProgress> {
        self.game.as_ref().map(|told| &told.game).filter(|game| game.may_ponder)
    }

    /// The game, if it has a question that is not answered yet.
    pub(super) fn turn(&mut self) -> Option<&mut GameInProgress> {
        self.game.as_mut().map(|told| &mut told.game).filter(|game| game.asked().is_some())
    }

    /// The game whose rules are not known, if it is played.
    pub(super) fn listed(&mut self) -> Option<&mut ListedGame> {
        self.listed.as_mut()
    }
}

impl StartBlock {
    fn receive(&mut self, line: &str, word: &str, rest: &str) -> Result<(), ProtocolError> {
        match word {
            "game" => self.game = Some(rest.to_owned()),
            "option" => {
                let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
                self.options.push((key.to_owned(), value.to_owned()));
            }
            "you" => self.you = Some(rest.to_owned()),
            "time" => match rest.split_once(' ') {
                None if rest == "none" => self.time = Some(TimeControl::Unlimited),
                Some(("first", _)) => self.first = true,
                Some(("move", ms)) => {
                    self.time = Some(TimeControl::Ply(Duration::from_millis(number(line, ms)?)));
                }
                Some((base, increment)) => {
                    let base = Duration::from_millis(number(line, base)?);
                    let increment = Duration::from_millis(number(line, increment)?);
                    self.time = Some(TimeControl::Game { base, increment });
                }
                None => {
                    return Err(ProtocolError::new(format_args!(
                        "`{line}`: there is no such time control"
                    )));
                }
            },
            "limit" => match rest.split_once(' ') {
                Some(("plies", plies)) => self.plies = number(line, plies)?,
                Some(("repetition", times)) => self.repetition = Some(number(line, times)?),
                Some(("pondering", state)) => self.may_ponder = state == "on",
                _ => {}
            },
            "seed" => self.seed = number(line, rest)?,
            _ => {}
        }
        Ok(())
    }

    fn begin(self) -> Result<Begun, ProtocolError> {
        let Some(name) = self.game else {
            return Err(ProtocolError::new("`start` without a `game` line"));
        };
        let ruleset = match Ruleset::with_options(&name, &self.options) {
            Ok(ruleset) => ruleset,
            Err(error @ OptionError::Game { .. }) => return Ok(Begun::Unknown(error)),
            Err(error) => return Err(ProtocolError::new(error)),
        };
        let mut you = None;
        if let Some(letter) = self.you {
            let mut sides = Side::BOTH.into_iter();
            you = sides.find(|&side| letter == ruleset.letter(side).to_string());
            if you.is_none() {
                let what = format_args!("`you {letter}` names no side of {name}");
                return Err(ProtocolError::new(what));
            }
        }
        let mut game = GameInProgress::new(&ruleset, Generator::from_state(self.seed));
        if self.plies > 0 {
            game.draws.plies = self.plies;
        }
        game.draws.repetition = self.repetition != Some(0);
        game.may_ponder = self.may_ponder;
        Ok(Begun::Known(ToldGame {
            game,
            you,
            time: self.time.unwrap_or(TimeControl::Unlimited),
            first: self.first,
            turn_block: TurnBlock::default(),
            questions: 0,
            was_refused: false,
        }))
    }
}

/// What a start block leads to.
enum Begun {
    Known(ToldGame),
    /// There are no rules for the game.
    Unknown(OptionError),
}

impl ToldGame {
    /// Ends the turn block: plays its plies and checks that it is the bot's turn.
    fn go(&mut self) -> Result<(), ProtocolError> {
        let own = self.follow()?;
        let position = self.game.position();
        let to_move = position.side();
        // A game that is over by the rules has an error of its own, in `ask`.
        if position.ending().is_none() && self.you.is_some_and(|you| you != to_move) {
            let letter = position.ruleset().letter(to_move);
            return Err(ProtocolError::new(format_args!(
                "asked for a move, but {letter} is to move"
            )));
        }
        // After an illegal answer the same question comes again.
        let again = std::mem::take(&mut self.was_refused) && self.questions > 0;
        self.questions += u32::from(!again);
        let source = if self.first && self.questions == 1 {
            TimeSource::OwnLimit
        } else {
            TimeSource::MainClock
        };
        let limit = time_management::search_limit(self.time, own, source);
        self.game.ask(limit, again).map_err(ProtocolError::new)
    }

    /// Plays the plies of `since`. Their first index follows from the turn's number, so a repeated
    /// block may contain them again or not. Returns the time that the bot has.
    fn follow(&mut self) -> Result<Option<Duration>, ProtocolError> {
        // "turn N" is the number of the ply that is asked for, so N - 1 plies come before it.
        let block = std::mem::take(&mut self.turn_block);
        let words: Vec<&str> = block.since.split_ascii_whitespace().collect();
        if let Some(turn) = block.turn {
            let positions = turn.saturating_sub(words.len()); // before the plies of `since`
            if positions == 0 || positions > self.game.history.len() {
                return Err(ProtocolError::new(format_args!(
                    "turn {turn} cannot come after {} known plies and {} since then",
                    self.game.history.len() - 1,
                    words.len()
                )));
            }
            self.game.history.truncate(positions);
        }
        for word in words {
            self.game
                .play(word)
                .map_err(|what| ProtocolError::new(format_args!("since, {what}")))?;
        }
        Ok(block.own)
    }
}

/// Parses a number of a line.
pub(super) fn number<N: std::str::FromStr>(line: &str, text: &str) -> Result<N, ProtocolError> {
    text.parse().map_err(|_| ProtocolError::new(format_args!("`{line}`: `{text}` is not a number")))
}
