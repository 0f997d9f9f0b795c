//! A program that plays a logged game again.
//!
//! [`RerunRole::Compared`]: the program is asked, and as long as it answers what the log has, the
//! answer takes the time of the log, so that the clocks of the game go as they went. Where it
//! answers something else, the game leaves the log. [`RerunRole::Successor`]: the log is asked, and
//! the program plays on from where the log has no answer.

use super::conditions::Conditions;
use super::player::start_bot;
use arbiter_game::{
    Answer, Event, Forfeit, Pondering, RecordEnded, RecordedPlayer, Reply, Start, Turn, Watcher,
};
use arbiter_host::bot::{Bot, BotError, Opponent};
use arbiter_host::locate::Program;
use std::sync::Arc;
use std::time::Duration;

/// How long a program that a debugger holds may take to get ready.
const UNHURRIED: Duration = Duration::from_hours(24 * 365);

/// A program on one side of a logged game.
#[derive(Debug, Clone)]
pub struct Rerun {
    pub program: Arc<Program>,
    /// The logged game.
    pub record: Arc<RecordedPlayer>,
    /// What the program does in it.
    pub role: RerunRole,
}

/// What a program does in a logged game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RerunRole {
    /// It plays its side, and its answers are compared with those of the log.
    Compared {
        /// What becomes of the game when it leaves the log.
        beyond: Beyond,
        /// The program is stopped for a debugger before it is asked for this ply, or the first of
        /// its plies after that; 0 for before the game. It has no time limits then.
        attach: Option<usize>,
    },
    /// The log plays its side until it has no answer; then the program plays on.
    Successor,
}

/// What becomes of a game that leaves the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// It is broken off.
    End,
    PlayOn,
}

/// The player of a [`Rerun`].
pub(super) struct Rerunner {
    pub bot: Bot,
    record: RecordedPlayer,
    role: RerunRole,
    watcher: Option<Arc<dyn Watcher>>,
    name: String,
    /// As [`RerunRole::Compared`], until the program was stopped.
    attach: Option<usize>,
    /// A successor has taken over.
    took_over: bool,
}

impl Rerunner {
    /// Starts the program.
    ///
    /// # Errors
    /// The program cannot be run, or arbiter itself failed.
    pub async fn start(
        rerun: &Rerun,
        name: &str,
        conditions: &Conditions,
        start: &Start<'_>,
        watcher: Option<&Arc<dyn Watcher>>,
    ) -> Result<Rerunner, BotError> {
        let attach = match rerun.role {
            RerunRole::Compared { attach, .. } => attach,
            RerunRole::Successor => None,
        };
        let mut settings = conditions.settings.clone();
        if attach.is_some() {
            settings.time.start = UNHURRIED;
            settings.time.pondering = Pondering::On; // arbiter neither stops nor resumes it
        }
        let launcher = &conditions.launcher;
        let mut rerunner = Rerunner {
            bot: start_bot(&rerun.program, name, launcher, &settings, start, watcher).await?,
            record: RecordedPlayer::clone(&rerun.record),
            role: rerun.role,
            watcher: watcher.cloned(),
            name: name.to_owned(),
            attach,
            took_over: false,
        };
        rerunner.stop_for_debugger(0);
        Ok(rerunner)
    }

    /// Sends the start of the game and waits until the player is ready; returns what came instead,
    /// if it does not get ready.
    ///
    /// # Errors
    /// arbiter itself failed.
    pub async fn ready(
        &mut self,
        start: &Start<'_>,
        opponent: Opponent<'_>,
    ) -> Result<Result<(), Answer>, BotError> {
        let ready = self.bot.ready(start, opponent).await?;
        if self.role == RerunRole::Successor && !self.record.got_ready(start.you) {
            return Ok(Err(Answer::default()));
        }
        Ok(ready)
    }

    /// Asks for a ply.
    ///
    /// # Errors
    /// arbiter itself failed, or the game has left the log and is not to be played on.
    pub async fn ask(
        &mut self,
        turn: &Turn<'_>,
        opponent: Opponent<'_>,
    ) -> Result<Answer, BotError> {
        let logged = self.record.answer(turn);
        match (self.role, logged) {
            (RerunRole::Successor, Ok(answer)) => Ok(answer),
            (RerunRole::Successor, Err(_)) => {
                self.took_over = true;
                self.bot.ask(turn, opponent).await
            }
            (RerunRole::Compared { beyond: Beyond::End, .. }, Err(ended)) => Err(broken(&ended)),
            (RerunRole::Compared { .. }, logged) => self.compare(turn, logged.ok(), opponent).await,
        }
    }

    async fn compare(
        &mut self,
        turn: &Turn<'_>,
        logged: Option<Answer>,
        opponent: Opponent<'_>,
    ) -> Result<Answer, BotError> {
        self.stop_for_debugger(turn.number());
        let is_held = self.is_held();
        let allowance = if is_held { Default::default() } else { turn.allowance };
        let answer = self.bot.ask(&Turn { allowance, ..*turn }, opponent).await?;
        Ok(match logged {
            Some(logged) if agree(&answer, &logged) => {
                Answer { used: logged.used, cpu: logged.cpu, ..answer }
            }
            // A refused try is followed by another question, whose answer gets the time of the
            // whole ply.
            Some(Answer { reply: Some(Reply::Ply(_)), .. }) if is_refused(turn, &answer) => {
                untimed(answer)
            }
            _ if is_held => untimed(answer),
            _ => answer,
        })
    }

    /// Whether the program is, or was, stopped for a debugger and has no time limits.
    fn is_held(&self) -> bool {
        matches!(self.role, RerunRole::Compared { attach: Some(_), .. })
    }

    /// Stops the program, if it is to be stopped before this ply, and says so.
    fn stop_for_debugger(&mut self, ply: usize) {
        if self.attach.take_if(|attach| *attach <= ply).is_none() {
            return;
        }
        if let (Some(pid), Some(watcher)) = (self.bot.stop_program(), &self.watcher) {
            watcher.event(Event::Held { player: self.name.clone(), pid });
        }
    }

    /// A sentence on why it lost, and the offending reply.
    pub async fn explain(&mut self, forfeit: &Forfeit<'_>) -> (String, Vec<u8>) {
        if self.role == RerunRole::Successor && !self.took_over {
            return self.record.explain();
        }
        self.bot.explain(forfeit).await
    }
}

/// The error that breaks the game off where the log has no answer.
pub(super) fn broken(ended: &RecordEnded) -> BotError {
    BotError::Broken(ended.to_string())
}

/// Whether the program answers with the ply of the log, without a fault.
fn agree(answer: &Answer, logged: &Answer) -> bool {
    let is_garbled = answer.garbled.is_some_and(|garbled| !garbled.is_closed_pipe());
    let is_sound = answer.exceeded.is_none() && !is_garbled;
    is_sound && matches!(logged.reply, Some(Reply::Ply(_))) && answer.reply == logged.reply
}

/// Whether the answer is no legal ply.
fn is_refused(turn: &Turn<'_>, answer: &Answer) -> bool {
    match &answer.reply {
        Some(Reply::Ply(ply)) => !turn.position.is_legal(*ply),
        Some(Reply::Illegal(_)) => true,
        Some(Reply::Resign) | None => false,
    }
}

/// The answer without its times.
fn untimed(answer: Answer) -> Answer {
    Answer { used: Duration::ZERO, cpu: Some(Duration::ZERO), ..answer }
}
