//! The player of one side, whichever kind it is: a program, or the log of a game.
//!
//! Another kind of player is a variant of [`Contender`] and of [`Player`] here, and a file of its own for what it does.

use super::conditions::Conditions;
use crate::bot::{Bot, BotError, ExitReport, LineSink, Notes};
use crate::game::{Answer, End, Forfeit, RecordedPlayer, Start, Turn, Watcher};
use crate::locate::Program;
use std::sync::Arc;
use std::time::Duration;

/// What plays under a name.
#[derive(Debug, Clone)]
pub enum Contender {
    /// A program, below a process of its own.
    Program(Arc<Program>),
    /// The plies of a logged game.
    Recorded(Arc<RecordedPlayer>),
}

/// A player in a game.
pub(super) enum Player {
    Process(Box<Bot>),
    Recorded(Arc<RecordedPlayer>),
}

/// What a player that was told to leave left behind.
#[derive(Debug, Default)]
pub(super) struct Left {
    pub notes: Notes,
    /// How its program ended, if it had one.
    pub report: Option<ExitReport>,
}

impl Player {
    /// Starts what plays under this name.
    ///
    /// # Errors
    /// The program cannot be run, or something of arbiter failed.
    pub async fn start(
        contender: &Contender,
        name: &str,
        conditions: &Conditions,
        watcher: Option<&Arc<dyn Watcher>>,
    ) -> Result<Player, BotError> {
        Ok(match contender {
            Contender::Program(program) => {
                let sink = watcher.map(|watcher| LineSink::new(name, Arc::clone(watcher)));
                let bot = Bot::start(&conditions.launcher, program, &conditions.settings, sink).await?;
                Player::Process(Box::new(bot))
            }
            Contender::Recorded(player) => Player::Recorded(Arc::clone(player)),
        })
    }

    /// Tells it that a game begins and waits until it is ready; what came instead, if it did not get ready.
    ///
    /// # Errors
    /// Something of arbiter failed.
    pub async fn ready(&mut self, start: &Start<'_>) -> Result<Result<(), Answer>, BotError> {
        match self {
            Player::Process(bot) => bot.ready(start).await,
            Player::Recorded(_) => Ok(Ok(())),
        }
    }

    /// Asks for a ply.
    ///
    /// # Errors
    /// Something of arbiter failed, or the logged game has no answer.
    pub async fn ask(&mut self, turn: &Turn<'_>) -> Result<Answer, BotError> {
        match self {
            Player::Process(bot) => bot.ask(turn).await,
            Player::Recorded(player) => {
                player.answer(turn).map_err(|error| BotError::Broken(error.to_string()))
            }
        }
    }

    /// Why it lost, in a sentence, and the offending reply.
    pub async fn explain(&mut self, forfeit: &Forfeit<'_>) -> (String, Vec<u8>) {
        match self {
            Player::Process(bot) => bot.explain(forfeit).await,
            Player::Recorded(_) => {
                (forfeit.refused.unwrap_or("the log has no answer").to_owned(), Vec::new())
            }
        }
    }

    /// Tells it that the game is over.
    pub fn end(&mut self, end: &End<'_>) {
        match self {
            Player::Process(bot) => bot.end(end),
            Player::Recorded(_) => {}
        }
    }

    /// Whether it can play another game.
    pub fn is_reusable(&self) -> bool {
        match self {
            Player::Process(bot) => bot.is_reusable(),
            Player::Recorded(_) => true,
        }
    }

    /// How late arbiter's own timers went off at worst while it was asked, since this was last called.
    pub fn take_late(&mut self) -> Duration {
        match self {
            Player::Process(bot) => bot.take_late(),
            Player::Recorded(_) => Duration::ZERO,
        }
    }

    /// What it wrote for its author since this was last called.
    pub fn take_notes(&mut self) -> Notes {
        match self {
            Player::Process(bot) => bot.take_notes(),
            Player::Recorded(_) => Notes::default(),
        }
    }

    /// Ends it, and all that it started.
    pub async fn stop(self) -> Left {
        match self {
            Player::Process(bot) => {
                let mut report = bot.stop().await;
                Left { notes: std::mem::take(&mut report.notes), report: Some(report) }
            }
            Player::Recorded(_) => Left::default(),
        }
    }
}
