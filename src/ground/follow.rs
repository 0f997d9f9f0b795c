//! One way to run games: the loop over the events of a run, for every command that plays.

use super::failure::Failure;
use super::recorder::{Interruption, KeptGames, RecordStore, Recorder, RunScreen};
use anyhow::anyhow;
use arbiter_play::arena::{Finished, Run, RunEvent, RunUpdate};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Nothing is drawn at a tick of a run that is not shown, so the tick may be long.
const UNSEEN_TICK: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// All games were played.
    Played,
    /// Its time was over; the games that were running then are played.
    TimeUp,
    /// The user interrupted it, a person left, or the program ends; the games that were running
    /// then are played.
    Interrupted,
    /// The rules of the game failed in several ways; the games that were running then are played.
    RulesFail,
    /// arbiter itself failed; how.
    Broken(String),
}

/// Follows a run until it is over.
///
/// # Errors
/// The first error of the recorder.
pub fn follow<K: RecordStore, S: RunScreen>(
    run: &mut Run,
    tick: Duration,
    recorder: &mut Recorder<K, S>,
) -> Result<RunEnd, Failure> {
    let limit = run.finish_time();
    let mut end = RunEnd::Played;
    let mut interrupted: Option<Instant> = None;
    let mut unkept = VecDeque::new();
    loop {
        recorder.look(run)?;
        if end == RunEnd::Played && recorder.is_time_up() {
            run.close();
            end = RunEnd::TimeUp;
        }
        // A bot without a clock may take an hour for a ply, and whoever stops a service or a job
        // waits for a minute or two.
        let left = interrupted.map(|since| limit.saturating_sub(since.elapsed()));
        match run.wait(left.map_or(tick, |left| tick.min(left))) {
            RunUpdate::Event(RunEvent::Finished(finished)) => {
                if finished.is_without_person() {
                    run.close();
                    end = RunEnd::Interrupted;
                }
                if let Some(fault) = &finished.fault {
                    recorder.faults.add(fault);
                }
                if recorder.faults.are_too_many() && end == RunEnd::Played {
                    run.close();
                    end = RunEnd::RulesFail;
                }
                unkept.push_back(finished);
            }
            RunUpdate::Event(RunEvent::Interrupted) => {
                recorder.interrupt(if interrupted.is_none() {
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
                recorder.interrupt(Interruption::TooLong(limit))?;
            }
            RunUpdate::Quiet => {}
            RunUpdate::Over => {
                recorder.look(run)?;
                return Ok(end);
            }
        }
        keep_games(run, &mut unkept, recorder)?;
    }
}

/// Follows a run that is not shown; returns its games in the order in which they ended.
///
/// # Errors
/// arbiter itself failed, or the user interrupted it.
pub fn games_of(mut run: Run) -> Result<Vec<Finished>, Failure> {
    let mut recorder = Recorder::new(KeptGames::default(), ());
    match follow(&mut run, UNSEEN_TICK, &mut recorder) {
        Ok(RunEnd::Broken(what)) => Err(Failure::Unfinished(anyhow!(what))),
        Ok(RunEnd::Played | RunEnd::TimeUp | RunEnd::Interrupted | RunEnd::RulesFail) => {
            Ok(recorder.store.0)
        }
        Err(failure) => {
            run.break_off();
            Err(failure)
        }
    }
}

/// Puts finished games where they are kept. On a full disk a game stays in the queue as long as a
/// bot may be why it is full: one that waits for its next game is ended first, since it may hold
/// files that it has deleted, and one that plays may do so until its game is over.
///
/// # Errors
/// A game cannot be kept, or not be shown.
fn keep_games<K: RecordStore, S: RunScreen>(
    run: &Run,
    unkept: &mut VecDeque<Box<Finished>>,
    recorder: &mut Recorder<K, S>,
) -> Result<(), Failure> {
    while let Some(mut finished) = unkept.pop_front() {
        let mut kept = recorder.keep(&mut finished);
        if kept.as_ref().is_err_and(Failure::is_disk_full) {
            // Before the last try, so that no game ends between it and this look.
            let is_playing = run.is_playing();
            run.end_kept_bots();
            kept = recorder.keep(&mut finished);
            let waits = is_playing || recorder.store.waits_for_room();
            if waits && kept.as_ref().is_err_and(Failure::is_disk_full) {
                unkept.push_front(finished);
                return Ok(());
            }
        }
        kept?;
        run.settle(finished.pairing.index, finished.record.outcome.into());
        recorder.show(&finished)?;
    }
    Ok(())
}
