//! The player of one side: a program, the log of a game, both (`rerun`), or a person.
//!
//! A further kind of player is a variant of [`PlayerSpec`] and of [`Player`], with its code in a
//! file of its own.

use super::conditions::Conditions;
use super::person::Person;
use super::rerun::{Rerun, Rerunner, broken};
use arbiter_game::{Answer, End, Forfeit, RecordedPlayer, Settings, Start, Turn, Watcher};
use arbiter_host::bot::{Bot, BotError, Delays, ExitReport, Launcher, LineSink, Notes, Opponent};
use arbiter_host::locate::Program;
use std::sync::Arc;

/// What sits on a side: the description of a player from the command line to the worker that starts
/// it.
#[derive(Debug, Clone)]
pub enum PlayerSpec {
    /// A program, which runs below a warden process of its own.
    Program(Arc<Program>),
    /// The plies of a logged game.
    Recorded(Arc<RecordedPlayer>),
    /// A program that plays a logged game again.
    Rerun(Rerun),
    /// A person at a user interface.
    Person(Person),
}

/// A player that is running, and is asked for plies.
pub(super) enum Player {
    Process(Box<Bot>),
    Recorded(Box<RecordedPlayer>),
    Rerun(Box<Rerunner>),
    Person(Person),
}

/// What a player leaves after a game.
#[derive(Debug, Default)]
pub(super) struct PlayerEnd {
    pub notes: Notes,
    /// How its program ended; `None` if it plays on, or has no program.
    pub exit: Option<ExitReport>,
}

impl PlayerSpec {
    /// The program that is run for this side, if there is one.
    pub fn program(&self) -> Option<&Arc<Program>> {
        match self {
            PlayerSpec::Program(program) | PlayerSpec::Rerun(Rerun { program, .. }) => {
                Some(program)
            }
            PlayerSpec::Recorded(_) | PlayerSpec::Person(_) => None,
        }
    }

    /// The same, to be changed before it is started.
    pub fn program_mut(&mut self) -> Option<&mut Program> {
        match self {
            PlayerSpec::Program(program) | PlayerSpec::Rerun(Rerun { program, .. }) => {
                Some(Arc::make_mut(program))
            }
            PlayerSpec::Recorded(_) | PlayerSpec::Person(_) => None,
        }
    }
}

impl Player {
    /// Starts the player for a game that begins.
    ///
    /// # Errors
    /// The program cannot be run, or arbiter itself failed.
    pub async fn start(
        spec: &PlayerSpec,
        name: &str,
        conditions: &Conditions,
        start: &Start<'_>,
        watcher: Option<&Arc<dyn Watcher>>,
    ) -> Result<Player, BotError> {
        Ok(match spec {
            PlayerSpec::Program(program) => {
                let launcher = &conditions.launcher;
                let bot = start_bot(program, name, launcher, &conditions.settings, start, watcher);
                Player::Process(Box::new(bot.await?))
            }
            PlayerSpec::Recorded(player) => {
                Player::Recorded(Box::new(RecordedPlayer::clone(player)))
            }
            PlayerSpec::Rerun(rerun) => Player::Rerun(Box::new(
                Rerunner::start(rerun, name, conditions, start, watcher).await?,
            )),
            PlayerSpec::Person(person) => Player::Person(person.clone()),
        })
    }

    /// Its program, if it has one.
    pub fn bot(&mut self) -> Option<&mut Bot> {
        match self {
            Player::Process(bot) => Some(bot),
            Player::Recorded(_) | Player::Person(_) => None,
            Player::Rerun(rerunner) => Some(&mut rerunner.bot),
        }
    }

    /// Sends the start of a game and waits until the player is ready, while the opponent waits; if
    /// it does not get ready, returns what came instead.
    ///
    /// # Errors
    /// arbiter itself failed.
    pub async fn ready(
        &mut self,
        start: &Start<'_>,
        opponent: Opponent<'_>,
    ) -> Result<Result<(), Answer>, BotError> {
        match self {
            Player::Process(bot) => bot.ready(start, opponent).await,
            Player::Recorded(player) if player.got_ready(start.you) => Ok(Ok(())),
            Player::Recorded(_) => Ok(Err(Answer::default())),
            Player::Rerun(rerunner) => rerunner.ready(start, opponent).await,
            Player::Person(_) => Ok(Ok(())),
        }
    }

    /// Asks for a ply, while the opponent waits.
    ///
    /// # Errors
    /// arbiter itself failed, the logged game has no answer, the opponent is a person who has left,
    /// or the program ends.
    pub async fn ask(
        &mut self,
        turn: &Turn<'_>,
        opponent: Option<&mut Player>,
    ) -> Result<Answer, BotError> {
        match opponent {
            Some(Player::Person(person)) => tokio::select! {
                biased;
                answered = self.answer(turn, Opponent::default()) => answered,
                left = person.left() => Err(left),
            },
            opponent => self.answer(turn, as_opponent(opponent)).await,
        }
    }

    async fn answer(
        &mut self,
        turn: &Turn<'_>,
        mut opponent: Opponent<'_>,
    ) -> Result<Answer, BotError> {
        match self {
            Player::Process(bot) => bot.ask(turn, opponent).await,
            Player::Recorded(player) => player.answer(turn).map_err(|ended| broken(&ended)),
            Player::Rerun(rerunner) => rerunner.ask(turn, opponent).await,
            Player::Person(person) => {
                opponent.stop();
                person.ask(turn).await
            }
        }
    }

    /// A sentence on why it lost, and the offending reply.
    pub async fn explain(&mut self, forfeit: &Forfeit<'_>) -> (String, Vec<u8>) {
        match self {
            Player::Process(bot) => bot.explain(forfeit).await,
            Player::Recorded(player) => player.explain(),
            Player::Rerun(rerunner) => rerunner.explain(forfeit).await,
            Player::Person(person) => person.explain(forfeit),
        }
    }

    /// Sends the end of the game.
    pub fn end(&mut self, end: &End<'_>) {
        if let Some(bot) = self.bot() {
            bot.end(end);
        }
    }

    /// Whether it can play another game.
    pub fn is_reusable(&mut self) -> bool {
        self.bot().is_none_or(|bot| bot.is_reusable())
    }

    /// What tells whether the machine disturbed its questions, since this was last called.
    pub fn take_delays(&mut self) -> Delays {
        match self {
            Player::Process(bot) => bot.take_delays(),
            Player::Recorded(_) => Delays::default(),
            Player::Rerun(rerunner) => rerunner.bot.take_delays(),
            Player::Person(person) => person.take_delays(),
        }
    }

    /// What it wrote for its author since the last call.
    pub fn take_notes(&mut self) -> Notes {
        self.bot().map_or_else(Notes::default, Bot::take_notes)
    }

    /// Ends the player and all processes that it started.
    pub async fn stop(self) -> PlayerEnd {
        let bot = match self {
            Player::Process(bot) => *bot,
            Player::Rerun(rerunner) => rerunner.bot,
            Player::Recorded(_) | Player::Person(_) => return PlayerEnd::default(),
        };
        let mut exit = bot.stop().await;
        PlayerEnd { notes: std::mem::take(&mut exit.notes), exit: Some(exit) }
    }
}

/// Starts a program for a game that begins.
pub(super) async fn start_bot(
    program: &Program,
    name: &str,
    launcher: &Launcher,
    settings: &Settings,
    start: &Start<'_>,
    watcher: Option<&Arc<dyn Watcher>>,
) -> Result<Bot, BotError> {
    let sink = watcher.map(|watcher| LineSink::new(name, Arc::clone(watcher)));
    let program = program.for_game(start).map_err(BotError::Unstartable)?;
    Bot::start(launcher, &program, settings, sink).await
}

/// The player, for its opponent, which is asked while it waits.
pub(super) fn as_opponent(player: Option<&mut Player>) -> Opponent<'_> {
    player.and_then(Player::bot).map(Bot::as_opponent).unwrap_or_default()
}
