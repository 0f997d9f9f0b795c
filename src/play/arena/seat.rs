//! A bot in a worker: its player is started for a game, and kept for the next one if it can play
//! again.

use super::conditions::Conditions;
use super::player::{Player, PlayerEnd, PlayerSpec, as_opponent};
use arbiter_game::clock::TimeControl;
use arbiter_game::{Answer, End, LimitExceeded, Outcome, Start, Watcher};
use arbiter_host::bot::{BotError, Delays, ExitReport};
use std::sync::Arc;
use std::time::Duration;

/// A bot in a worker, for as many games in a row as it plays there.
pub(super) struct Seat {
    /// The name of the bot.
    pub name: String,
    spec: PlayerSpec,
    /// Its player while that runs, also between games.
    pub player: Option<Player>,
    /// Of a player that ended before the end of the game: what it left, and what it had delayed and
    /// used.
    ended: Option<(PlayerEnd, Delays)>,
}

impl Seat {
    /// A seat whose player is not started yet.
    pub fn new(name: String, spec: PlayerSpec) -> Seat {
        Seat { name, spec, player: None, ended: None }
    }

    /// Whether this player of this name sits here: a bot may have got another program since.
    pub fn is_of(&self, name: &str, spec: &PlayerSpec) -> bool {
        let is_same = match (self.spec.program(), spec.program()) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        is_same && self.name == name
    }

    /// The clock of its program, if that has one of its own; those of a game that is played again
    /// are in its settings.
    pub fn own_clock(&self) -> Option<TimeControl> {
        match &self.spec {
            PlayerSpec::Program(program) => program.spec.time,
            PlayerSpec::Recorded(_) | PlayerSpec::Rerun(_) | PlayerSpec::Person(_) => None,
        }
    }

    /// Ends the player, if one was kept; returns how its program ended.
    pub async fn leave(&mut self) -> Option<ExitReport> {
        self.player.take()?.stop().await.exit
    }

    /// Starts the player if it was not kept, sends the start of the game, and waits until it is
    /// ready.
    ///
    /// # Errors
    /// [`BotError::Unstartable`] with a sentence about the player when it is not ready through its
    /// own fault, else [`BotError::Broken`].
    pub async fn get_ready(
        &mut self,
        conditions: &Conditions,
        start: &Start<'_>,
        watcher: Option<&Arc<dyn Watcher>>,
        mut opponent: Option<&mut Player>,
    ) -> Result<(), BotError> {
        let mut kept = self.player.take();
        loop {
            let was_kept = kept.is_some();
            let mut player = match kept.take() {
                Some(player) => player,
                None => {
                    as_opponent(opponent.as_deref_mut()).stop();
                    Player::start(&self.spec, &self.name, conditions, start, watcher)
                        .await
                        .map_err(cannot_be_run)?
                }
            };
            match player.ready(start, as_opponent(opponent.as_deref_mut())).await? {
                Ok(()) => {
                    self.player = Some(player);
                    return Ok(());
                }
                // What it did after its last game is no fault, so it is started again like one that
                // was not kept.
                Err(answer) if was_kept && is_from_before(&answer) => {
                    player.stop().await;
                }
                Err(answer) => {
                    let forfeit = conditions.no_start(start.position, &answer, conditions.stderr);
                    let (sentence, _) = player.explain(&forfeit).await;
                    let delays = player.take_delays();
                    self.ended = Some((player.stop().await, delays));
                    return Err(BotError::Unstartable(sentence));
                }
            }
        }
    }

    /// How long its program, which runs, has waited for a processor; `None` if that is not known.
    pub fn waited(&mut self) -> Option<Duration> {
        self.player.as_mut()?.bot()?.waited()
    }

    /// What the player had to do with delays in this game.
    pub fn take_delays(&mut self) -> Delays {
        match &self.ended {
            Some((_, delays)) => *delays,
            None => self.player.as_mut().map(Player::take_delays).unwrap_or_default(),
        }
    }

    /// Sends the player the end of the game, then keeps it or ends it.
    pub async fn finish(&mut self, end: &End<'_>) -> PlayerEnd {
        let Some(mut player) = self.player.take() else {
            return self.ended.take().map(|(ended, _)| ended).unwrap_or_default();
        };
        player.end(end);
        let at_fault = match end.outcome {
            Outcome::Forfeit(loser, _) => loser == end.you,
            Outcome::NeitherStarted | Outcome::Aborted(_) => true,
            _ => false,
        };
        if player.is_reusable() && !at_fault {
            let notes = player.take_notes();
            self.player = Some(player);
            return PlayerEnd { notes, exit: None };
        }
        player.stop().await
    }
}

/// The error of a start, as a sentence about the player where that is to blame.
fn cannot_be_run(error: BotError) -> BotError {
    match error {
        BotError::Unstartable(why) => BotError::Unstartable(format!("cannot be run: {why}")),
        broken @ BotError::Broken(_) => broken,
    }
}

/// Whether a kept player may have done this between two games, when it was not asked.
fn is_from_before(answer: &Answer) -> bool {
    answer.exit.is_some()
        || answer.garbled.is_some()
        || matches!(answer.exceeded, Some(LimitExceeded::Output | LimitExceeded::Scratch(_)))
}
