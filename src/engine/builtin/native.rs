//! Reads the lines of arbiter's own dialect (docs/reference/protocol.md).

use super::game::GameInProgress;
use super::reader::{ProtocolError, RefereeCommand, number};
use super::time_management::{self, TimeSource};
use super::unknown_game::UnknownGame;
use arbiter_game::clock::TimeControl;
use arbiter_rules::seed::Generator;
use arbiter_rules::{OptionError, Ruleset, Side};
use std::time::Duration;

/// The bots' answer to `start`: they play further games, and need no `board` and no `moves` lines.
pub(super) const READY: &str = "ready reuse lean";
/// The answer of one that does not know the rules of the game.
const READY_FOR_MOVES: &str = "ready reuse";

/// The state of the conversation with the referee.
#[derive(Debug, Clone, Default)]
pub(super) struct NativeReader {
    start_block: StartBlock,
    game: Option<StartedGame>,
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
    /// Whether the first ply has its own time limit (`time first`).
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
enum StartedGame {
    Known(NativeGame),
    /// Its rules are not known.
    Unknown(UnknownGame),
}

/// A game whose rules are known, and what this dialect has beside it.
#[derive(Debug, Clone)]
struct NativeGame {
    game: GameInProgress,
    you: Option<Side>,
    time: TimeControl,
    /// Whether the first ply has its own time limit (`time first`).
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
    /// The first number of `clock`.
    own: Option<Duration>,
}

impl NativeReader {
    /// No game yet.
    pub(super) fn new(plays_any: bool) -> NativeReader {
        NativeReader { plays_any, ..NativeReader::default() }
    }

    /// Reads a line, without its newline.
    pub(super) fn receive(&mut self, line: &str) -> Result<RefereeCommand, ProtocolError> {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, &mut self.game) {
            ("quit", _) => return Ok(RefereeCommand::Quit),
            // It begins a game, which knows nothing of the one before.
            ("arena", _) => *self = NativeReader::new(self.plays_any),
            ("start", _) => {
                let block = std::mem::take(&mut self.start_block);
                let generator = Generator::from_state(block.seed);
                let ready = match block.begin()? {
                    Begun::Known(game) => {
                        self.game = Some(StartedGame::Known(game));
                        READY
                    }
                    Begun::Unknown(_) if self.plays_any => {
                        self.game = Some(StartedGame::Unknown(UnknownGame::new(generator)));
                        READY_FOR_MOVES
                    }
                    Begun::Unknown(error) => return Err(ProtocolError::new(error)),
                };
                return Ok(RefereeCommand::Start(format!("{ready}\n")));
            }
            ("end", _) => self.game = None,
            (_, Some(StartedGame::Known(game))) => return game.receive(line, word, rest),
            (_, Some(StartedGame::Unknown(game))) => return Ok(game.receive(word, rest)),
            ("go", None) => return Err(ProtocolError::new("`go` outside a game")),
            (_, None) => self.start_block.receive(line, word, rest)?,
        }
        Ok(RefereeCommand::Nothing)
    }

    /// The game, if it allows pondering.
    pub(super) fn pondered_game(&self) -> Option<&GameInProgress> {
        match &self.game {
            Some(StartedGame::Known(known)) if known.game.may_ponder => Some(&known.game),
            _ => None,
        }
    }

    /// The game, if it has a question that is not answered yet.
    pub(super) fn turn(&mut self) -> Option<&mut GameInProgress> {
        match &mut self.game {
            Some(StartedGame::Known(known)) if known.game.limit().is_some() => {
                Some(&mut known.game)
            }
            _ => None,
        }
    }

    /// The game whose rules are not known, if it is played.
    pub(super) fn unknown_game(&mut self) -> Option<&mut UnknownGame> {
        match &mut self.game {
            Some(StartedGame::Unknown(game)) => Some(game),
            _ => None,
        }
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
        Ok(Begun::Known(NativeGame {
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
    Known(NativeGame),
    /// There are no rules for the game.
    Unknown(OptionError),
}

impl NativeGame {
    /// Reads a line of the game, as its first word and the rest.
    fn receive(
        &mut self,
        line: &str,
        word: &str,
        rest: &str,
    ) -> Result<RefereeCommand, ProtocolError> {
        match word {
            "go" => return self.go().map(|()| RefereeCommand::Go),
            // Only before the first turn: later ones repeat the game for bots that want them.
            "position" if self.questions == 0 && self.turn_block.turn.is_none() => {
                let read = self.game.position().ruleset().read_position(rest);
                self.game.history = vec![read.map_err(ProtocolError::new)?];
            }
            "turn" => self.turn_block.turn = Some(number(line, rest)?),
            "since" => rest.clone_into(&mut self.turn_block.since),
            "clock" => {
                let own = rest.split(' ').next().unwrap_or(rest);
                self.turn_block.own = Some(Duration::from_millis(number(line, own)?));
            }
            "illegal" => self.was_refused = true,
            _ => {}
        }
        Ok(RefereeCommand::Nothing)
    }

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
