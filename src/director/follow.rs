//! One way to run games: the loop over the events of a run, for every command that plays.

use super::Failure;
use super::rules_faults::RulesFaults;
use crate::arena::{Finished, Run, RunEvent, RunUpdate};
use crate::clock::duration_text;
use anyhow::anyhow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What a command does with the games of its run.
pub trait GameKeeper {
    /// Is called before the run is waited for, so about every `tick` and after each event.
    ///
    /// # Errors
    /// The run cannot go on.
    fn look(&mut self, _run: &Run) -> Result<(), Failure> {
        Ok(())
    }

    /// Puts a finished game where it is kept. Its worker waits for that. If the disk is full this
    /// is called again when there may be room.
    ///
    /// # Errors
    /// It cannot be kept, and nothing of it was: a part that was written is removed.
    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure>;

    /// Shows a game that is kept.
    ///
    /// # Errors
    /// There is no place left to show it, or it cannot be shown.
    fn show(&mut self, _finished: &Finished) -> Result<(), Failure> {
        Ok(())
    }

    /// Whether the time that the user gave the run is over. Then no further game begins, and running
    /// games are played to their end. It is not asked again once it was.
    fn is_time_up(&mut self) -> bool {
        false
    }

    /// The run is interrupted. Unless this fails, running games go on.
    ///
    /// # Errors
    /// The run ends at once.
    fn interrupt(&mut self, interruption: Interruption) -> Result<(), Failure>;
}

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
    pub fn announce(self, kept: &str, note: impl FnOnce(&str)) -> Result<(), Failure> {
        match self {
            Interruption::First(limit) => {
                let limit = duration_text(limit);
                note(&format!(
                    "interrupted: the running games have {limit} to end; interrupt again to stop them"
                ));
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// All games were played.
    Played,
    /// Its time was over; the games that were running then are played.
    TimeUp,
    /// The user interrupted it, or a person left; the games that were running then are played.
    Interrupted,
    /// The rules of the game failed in several ways; the games that were running then are played.
    RulesFail,
    /// arbiter itself failed; how.
    Broken(String),
}

/// Follows a run until it is over.
///
/// # Errors
/// The first error of the keeper.
pub fn follow(run: &mut Run, tick: Duration, keeper: &mut impl GameKeeper) -> Result<RunEnd, Failure> {
    let limit = run.finish_time();
    let mut end = RunEnd::Played;
    let mut faults = RulesFaults::default();
    let mut interrupted: Option<Instant> = None;
    let mut unkept = VecDeque::new();
    loop {
        keeper.look(run)?;
        if end == RunEnd::Played && keeper.is_time_up() {
            run.close();
            end = RunEnd::TimeUp;
        }
        // A bot without a clock may take an hour for a ply, and whoever stops a service or a job
        // waits for a minute or two.
        let left = interrupted.map(|since| limit.saturating_sub(since.elapsed()));
        match run.wait(left.map_or(tick, |left| tick.min(left))) {
            RunUpdate::Event(RunEvent::Finished(finished)) => {
                if finished.person_left() {
                    run.close();
                    end = RunEnd::Interrupted;
                }
                finished.fault.iter().for_each(|fault| faults.add(fault));
                if faults.are_too_many() && end == RunEnd::Played {
                    run.close();
                    end = RunEnd::RulesFail;
                }
                unkept.push_back(finished);
            }
            RunUpdate::Event(RunEvent::Interrupted) => {
                keeper.interrupt(if interrupted.is_none() {
                    Interruption::First(limit)
                } else {
                    Interruption::Again
                })?;
                interrupted.get_or_insert_with(Instant::now);
                run.close();
                if matches!(end, RunEnd::Played | RunEnd::TimeUp) {
                    end = RunEnd::Interrupted;
                }
            }
            RunUpdate::Event(RunEvent::Broken(what)) => {
                run.close();
                if !matches!(end, RunEnd::Broken(_)) {
                    end = RunEnd::Broken(what);
                }
            }
            RunUpdate::Quiet if left == Some(Duration::ZERO) => {
                keeper.interrupt(Interruption::TooLong(limit))?;
            }
            RunUpdate::Quiet => {}
            RunUpdate::Over => {
                keeper.look(run)?;
                return Ok(end);
            }
        }
        keep_games(run, &mut unkept, keeper)?;
    }
}

/// Puts finished games where they are kept. On a full disk a game stays in the queue as long as a bot
/// may be why it is full: one that waits for its next game is ended first, since it may hold files that
/// it has deleted, and one that plays may do so until its game is over.
///
/// # Errors
/// A game cannot be kept, or not be shown.
fn keep_games(
    run: &Run,
    unkept: &mut VecDeque<Box<Finished>>,
    keeper: &mut impl GameKeeper,
) -> Result<(), Failure> {
    while let Some(mut finished) = unkept.pop_front() {
        let mut kept = keeper.keep(&mut finished);
        if kept.as_ref().is_err_and(Failure::is_disk_full) {
            // Before the last try, so that no game ends between it and this look.
            let is_playing = run.is_playing();
            run.end_kept_bots();
            kept = keeper.keep(&mut finished);
            if is_playing && kept.as_ref().is_err_and(Failure::is_disk_full) {
                unkept.push_front(finished);
                return Ok(());
            }
        }
        kept?;
        run.settle(finished.pairing.index, finished.record.outcome.into());
        keeper.show(&finished)?;
    }
    Ok(())
}
