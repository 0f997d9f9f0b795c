//! One way to run games: the loop over the events of a run, for every command that plays.

use super::Failure;
use super::rules_faults::RulesFaults;
use crate::arena::{Finished, Run, RunEvent, RunUpdate};
use std::time::Duration;

/// What a command does with the games of its run.
pub trait GameKeeper {
    /// Is called before the run is waited for, so about every `tick` and after each event.
    ///
    /// # Errors
    /// The run cannot go on.
    fn look(&mut self, _run: &Run) -> Result<(), Failure> {
        Ok(())
    }

    /// Puts a finished game where it is kept. Its worker waits for that.
    ///
    /// # Errors
    /// It cannot be kept.
    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure>;

    /// Shows a game that is kept.
    ///
    /// # Errors
    /// There is no place left to show it, or it cannot be shown.
    fn show(&mut self, _finished: &Finished) -> Result<(), Failure> {
        Ok(())
    }

    /// The user interrupts the run for this time, from 1. Unless it fails, running games are played to their end.
    ///
    /// # Errors
    /// The run ends at once.
    fn interrupt(&mut self, time: u32) -> Result<(), Failure>;
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// All games were played.
    Played,
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
    let (mut end, mut interruptions, mut faults) = (RunEnd::Played, 0, RulesFaults::default());
    loop {
        keeper.look(run)?;
        match run.wait(tick) {
            RunUpdate::Event(RunEvent::Finished(mut finished)) => {
                if finished.person_left() {
                    run.close();
                    end = RunEnd::Interrupted;
                }
                finished.fault.iter().for_each(|fault| faults.add(fault));
                if faults.are_too_many() && end == RunEnd::Played {
                    run.close();
                    end = RunEnd::RulesFail;
                }
                keeper.keep(&mut finished)?;
                run.settle(finished.pairing.index, finished.record.outcome.into());
                keeper.show(&finished)?;
            }
            RunUpdate::Event(RunEvent::Interrupted) => {
                interruptions += 1;
                keeper.interrupt(interruptions)?;
                run.close();
                if end == RunEnd::Played {
                    end = RunEnd::Interrupted;
                }
            }
            RunUpdate::Event(RunEvent::Broken(what)) => {
                run.close();
                if !matches!(end, RunEnd::Broken(_)) {
                    end = RunEnd::Broken(what);
                }
            }
            RunUpdate::Quiet => {}
            RunUpdate::Over => {
                keeper.look(run)?;
                return Ok(end);
            }
        }
    }
}
