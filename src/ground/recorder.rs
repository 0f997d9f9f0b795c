//! The games of a run, each kept first, then counted, then shown. Commands that play differ only
//! in where games are kept and where they are shown.

use super::bot_log_writer::BotLogWriter;
use super::failure::Failure;
use super::rules_faults::RulesFaults;
use anyhow::anyhow;
use arbiter_game::clock::duration_text;
use arbiter_play::arena::{Finished, Run};
use arbiter_rank::standings::{Ranking, Scored, Standings};
use arbiter_rules::text::Message;
use std::time::{Duration, Instant};

/// Where the records of a run are kept.
pub trait RecordStore {
    /// Is called about every `tick` and after each event of the run.
    ///
    /// # Errors
    /// The run cannot go on.
    fn look(&mut self, _run: &Run, _screen: &mut dyn RunScreen) -> Result<(), Failure> {
        Ok(())
    }

    /// Puts a finished game where it is kept. Its worker waits for that. On a full disk this is
    /// called again when there may be room.
    ///
    /// # Errors
    /// It cannot be kept, and nothing of it was: a part that was written is removed.
    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure>;

    /// Whether games are still worth playing when nobody reads standard output any more.
    fn outlasts_output(&self) -> bool {
        false
    }

    /// The run is interrupted after `played` games of it. Unless this fails, running games go on.
    ///
    /// # Errors
    /// The run ends at once.
    fn interrupt(
        &mut self,
        interruption: Interruption,
        played: u64,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure>;

    /// Whether a game that finds the disk full waits until there is room; otherwise the run ends
    /// unless a bot that plays may be why it is full.
    fn waits_for_room(&self) -> bool {
        false
    }
}

/// Keeps the games of a short run in memory. Interrupted, it has nothing to finish.
#[derive(Default)]
pub struct KeptGames(pub Vec<Finished>);

impl RecordStore for KeptGames {
    fn look(&mut self, run: &Run, _: &mut dyn RunScreen) -> Result<(), Failure> {
        // With what starts its bots the run stops, too.
        if run.launcher().is_stopped() {
            return Err(Failure::Interrupted(anyhow!("interrupted")));
        }
        Ok(())
    }

    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        self.0.push(finished.clone());
        Ok(())
    }

    fn interrupt(&mut self, _: Interruption, _: u64, _: &mut dyn RunScreen) -> Result<(), Failure> {
        Err(Failure::Interrupted(anyhow!("interrupted")))
    }
}

/// Where a run is shown.
pub trait RunScreen {
    /// Is called about every `tick` and after each event of the run.
    fn draw(&mut self, _run: &Run, _standings: &Standings) {}

    /// Shows a game that is kept.
    ///
    /// # Errors
    /// There is no place left to show it, or it cannot be shown.
    fn game(&mut self, _finished: &Finished) -> Result<(), Failure> {
        Ok(())
    }

    /// Shows a line beside the games.
    fn note(&mut self, _line: &Message) {}
}

/// Shows nothing.
impl RunScreen for () {}

/// A request to end a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// The first signal. Running games may go on for this long.
    First(Duration),
    /// A further signal.
    Again,
    /// Games still run this long after the first signal.
    TooLong(Duration),
}

impl Interruption {
    /// Shows that running games go on.
    ///
    /// # Errors
    /// They do not. `kept` says what is left of the run.
    pub fn announce(self, kept: &str, screen: &mut dyn RunScreen) -> Result<(), Failure> {
        match self {
            Interruption::First(limit) => {
                let limit = duration_text(limit);
                screen.note(&Message::from(format!(
                    "interrupted: the running games have {limit} to end; interrupt again to stop \
                     them"
                )));
                Ok(())
            }
            Interruption::Again => Err(Failure::Interrupted(anyhow!("stopped; {kept}"))),
            Interruption::TooLong(limit) => Err(Failure::Interrupted(anyhow!(
                "stopped: the running games did not end within {} (`finish`); {kept}",
                duration_text(limit)
            ))),
        }
    }
}

/// Records the games of a run.
pub struct Recorder<K, S> {
    pub store: K,
    pub screen: S,
    /// Where what bots wrote is kept, if it is.
    pub logs: Option<BotLogWriter>,
    pub standings: Standings,
    /// The games of this run that are kept.
    pub played: u64,
    /// How the rules of the game failed.
    pub faults: RulesFaults,
    /// How arbiter itself failed last.
    pub broken: Option<String>,
    /// When no further game begins, and running ones are played to their end.
    pub stop_at: Option<Instant>,
}

impl<K: RecordStore, S: RunScreen> Recorder<K, S> {
    pub fn new(store: K, screen: S) -> Recorder<K, S> {
        Recorder {
            store,
            screen,
            logs: None,
            standings: Standings::new(Ranking::Points),
            played: 0,
            faults: RulesFaults::default(),
            broken: None,
            stop_at: None,
        }
    }

    /// # Errors
    /// The run cannot go on.
    pub(super) fn look(&mut self, run: &Run) -> Result<(), Failure> {
        self.store.look(run, &mut self.screen)?;
        self.screen.draw(run, &self.standings);
        Ok(())
    }

    /// Whether the time that the user gave the run is over. It is not asked again once it was.
    pub(super) fn is_time_up(&mut self) -> bool {
        let is_up = self.stop_at.is_some_and(|stop| Instant::now() >= stop);
        if is_up {
            self.screen.note(&Message::from(
                "the time of --stop-after is over: running games are played to their end; the same \
                 command goes on if games are left",
            ));
        }
        is_up
    }

    /// # Errors
    /// As for [`RecordStore::keep`].
    pub(super) fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        // Kept before it counts: a game that is lost with the disk must not be in a table.
        self.store.keep(finished)?;
        self.played += 1;
        self.standings.add(&Scored::from(&finished.record));
        if let Some(broken) = &finished.broken {
            self.broken = Some(broken.clone());
        }
        if let Some(warning) = self.logs.as_mut().and_then(|logs| logs.write(finished)) {
            self.screen.note(&warning);
        }
        Ok(())
    }

    /// # Errors
    /// As for [`RunScreen::game`].
    pub(super) fn show(&mut self, finished: &Finished) -> Result<(), Failure> {
        match self.screen.game(finished) {
            Err(Failure::OutputClosed) if self.store.outlasts_output() => Ok(()),
            shown => shown,
        }
    }

    /// # Errors
    /// The run ends at once.
    pub(super) fn interrupt(&mut self, interruption: Interruption) -> Result<(), Failure> {
        self.store.interrupt(interruption, self.played, &mut self.screen)
    }
}
