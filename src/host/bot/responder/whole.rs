//! A program that is given all of its input at once, and runs to its end or is ended: a build, a
//! homework, the isolation probe.

use super::{
    BotError, CLOSING, LOOK_EVERY, NoAnswer, Pipes, Responder, Waiting, blocking, read_pipe,
};
use crate::bot::excerpt::Excerpt;
use crate::bot::process::ENDED_WITH_ITS_WARDEN;
use crate::bot::spawn::attempt;
use crate::bot::stall::Patience;
use crate::bot::{Launcher, TELLS_CPU};
use crate::locate::Program;
use arbiter_game::{Exit, Limits, ProgramEnd, ProgramRun};
use arbiter_rules::text::printable;
use rustix::io::{Errno, retry_on_intr};
use std::time::{Duration, Instant};

/// A program that has used no more processor time than this since it last did something still does
/// nothing.
const IDLE_USE: Duration = Duration::from_millis(5);
/// What of the time between two looks counts as waiting at most: arbiter may not have been run
/// itself.
const MAX_WAIT_OF_LOOK: Duration = Duration::from_millis(100);
/// How many times as long a program may do nothing in all as it may at once.
const TOTAL_SILENCE: u32 = 3;
/// The most lines of output and of standard error that are shown, and bytes of each.
const SHOWN_LINES: usize = 12;
const SHOWN_BYTES: usize = 200;
/// Bytes that are read before limits and time are looked at again.
const AT_ONCE: usize = 1 << 20;
/// How many times its processor time a program may run where the system does not tell processor
/// time.
const WALL_TIME: u32 = 10;

/// When a run is ended.
#[derive(Debug, Clone, Copy)]
pub struct RunBounds {
    /// The processor time of all its processes.
    pub processor_time: Duration,
    /// How long it may do nothing: neither write, nor run, nor wait for a processor.
    pub silence: Duration,
    /// The bytes of its output.
    pub output: usize,
}

/// Runs a program to its end: writes `input` and the end of input, and reads what it writes. It is
/// ended with everything that it started when it exceeds a bound.
///
/// # Errors
/// The program cannot be started, the launcher is stopped, or something in arbiter or on the
/// machine failed.
pub fn run_whole(
    launcher: &Launcher,
    program: &Program,
    limits: &Limits,
    input: &[u8],
    bounds: &RunBounds,
) -> Result<ProgramRun, BotError> {
    let mut run = Running::start(launcher, program, limits)?;
    let end = run.run(launcher, input, bounds)?;
    let Running { mut responder, activity: Activity { mut used, .. }, .. } = run;
    if matches!(end, ProgramEnd::Ended(_)) {
        // The warden knows more processor time than was seen: that of processes that ended at once.
        let is_gone = |it: &Responder| it.state.gone.is_some() && it.stderr_ended;
        blocking(responder.wait_until(CLOSING, is_gone));
        if let Some(usage) = responder.state.gone {
            used = used.max(usage.user + usage.system);
        }
    }
    let stderr = responder.stderr.bytes();
    let mut output = std::mem::take(&mut responder.line);
    output.truncate(bounds.output);
    Ok(ProgramRun { output, stderr, end, processor_time: used })
}

/// How a program ended that had a time for its run.
#[derive(Debug)]
pub struct TimedRun {
    /// `None` if it was ended because its time was over.
    pub exit: Option<Exit>,
    pub output: Excerpt,
    pub stderr: Excerpt,
}

impl TimedRun {
    /// How it ended, as the rest of a sentence; `time` is what it had.
    pub fn how(&self, time: Duration) -> String {
        match self.exit {
            Some(exit) => exit.to_string(),
            None => format!("took longer than {} s", time.as_secs_f64()),
        }
    }

    /// The last lines that it wrote, indented, each with a newline before it.
    pub fn shown(&self) -> String {
        let lines = self.last_lines(SHOWN_LINES);
        lines.iter().map(|line| format!("\n  {}", printable(line, SHOWN_BYTES))).collect()
    }

    /// The last lines of its output, and those of its standard error.
    pub fn last_lines(&self, count: usize) -> Vec<Vec<u8>> {
        [&self.output, &self.stderr].map(|written| written.last_lines(count)).concat()
    }
}

/// Runs a program without input to its end, for this time at most; then it is ended with everything
/// that it started. Its limits are the kernel's alone: a build may compute and write as it likes.
///
/// # Errors
/// As for [`run_whole`].
pub fn run_within(
    launcher: &Launcher,
    program: &Program,
    limits: &Limits,
    time: Duration,
) -> Result<TimedRun, BotError> {
    let mut run = Running::start(launcher, program, limits)?;
    let mut output = Excerpt::default();
    let mut patience = Patience::new(time);
    let exit = loop {
        refuse_if_stopped(launcher)?;
        run.write(&[])?;
        let due = patience.next_look();
        run.wait(false)?;
        run.read(AT_ONCE)?;
        output.push(&run.responder.line);
        run.responder.line.clear();
        let state = &run.responder.state;
        if let Some(failure) = &state.failure {
            return Err(failure.clone());
        }
        // A program that kills its warden ends with it.
        let exit = state.exit.or(state.over.then_some(ENDED_WITH_ITS_WARDEN));
        // Its output is read to the end, which comes when nothing of it is left.
        if exit.is_some() && run.output_ended || patience.is_over(due) {
            break exit;
        }
    };
    let Running { mut responder, .. } = run;
    if exit.is_some() {
        blocking(responder.wait_until(CLOSING, |responder| responder.stderr_ended));
    }
    Ok(TimedRun { exit, output, stderr: responder.stderr.clone() })
}

/// Fails when the launcher is stopped, so that what waits for a program ends.
fn refuse_if_stopped(launcher: &Launcher) -> Result<(), BotError> {
    if launcher.is_stopped() {
        return Err(BotError::Broken("interrupted".to_owned()));
    }
    Ok(())
}

/// A program on its way.
struct Running {
    responder: Responder,
    output_ended: bool,
    began: Instant,
    looked: Instant,
    activity: Activity,
}

/// What a program does, as far as it is seen.
#[derive(Debug, Default)]
struct Activity {
    /// Its processor time at the last look.
    used: Duration,
    /// Its processor time when it last did something.
    marked: Duration,
    /// How long it has done nothing since, and in all.
    waits: Duration,
    all_waits: Duration,
}

impl Activity {
    /// Records a look that came `passed` after the one before; returns why the run ends, if it
    /// does. A program that waits for a processor does something.
    fn record_look(
        &mut self,
        passed: Duration,
        used: Option<Duration>,
        can_run: impl FnOnce() -> bool,
        bounds: &RunBounds,
    ) -> Option<ProgramEnd> {
        self.used = used.unwrap_or(self.used);
        if self.used >= bounds.processor_time {
            return Some(ProgramEnd::Computing);
        }
        if self.used > self.marked + IDLE_USE {
            self.marked = self.used;
            self.waits = Duration::ZERO;
        } else if !can_run() {
            self.waits += passed.min(MAX_WAIT_OF_LOOK);
            self.all_waits += passed.min(MAX_WAIT_OF_LOOK);
        }
        let waits =
            self.waits >= bounds.silence || self.all_waits >= bounds.silence * TOTAL_SILENCE;
        waits.then_some(ProgramEnd::Waiting)
    }

    /// Records that it has written something.
    fn record_output(&mut self) {
        self.waits = Duration::ZERO;
    }
}

impl Running {
    fn start(launcher: &Launcher, program: &Program, limits: &Limits) -> Result<Running, BotError> {
        let started = Responder::start(launcher, program, limits, usize::MAX, Waiting::Thread);
        Ok(Running {
            responder: blocking(started)?,
            output_ended: false,
            began: Instant::now(),
            looked: Instant::now(),
            activity: Activity::default(),
        })
    }

    fn run(
        &mut self,
        launcher: &Launcher,
        input: &[u8],
        bounds: &RunBounds,
    ) -> Result<ProgramEnd, BotError> {
        let mut rest = input;
        let mut closing = None;
        loop {
            refuse_if_stopped(launcher)?;
            rest = self.write(rest)?;
            self.wait(!rest.is_empty())?;
            self.read(bounds.output)?;
            if self.responder.line.len() > bounds.output {
                return Ok(ProgramEnd::Endless);
            }
            let state = &self.responder.state;
            if let Some(exceeded) = state.exceeded {
                return Ok(ProgramEnd::Exceeded(exceeded));
            }
            if let Some(failure) = &state.failure {
                return Err(failure.clone());
            }
            // Its output is read to the end, which comes when nothing of it is left.
            let ended = state.exit;
            if state.over || ended.is_some() {
                let closing = closing.get_or_insert_with(|| Patience::new(CLOSING));
                if !self.output_ended && !closing.is_over(closing.deadline()) {
                    continue;
                }
                let Some(exit) = ended else {
                    let what = "the end of the program was not reported";
                    return Err(BotError::Broken(what.to_owned()));
                };
                return Ok(ProgramEnd::Ended(exit));
            }
            if let Some(end) = self.look(bounds)? {
                return Ok(end);
            }
        }
    }

    /// Writes as much of the input as fits now, and returns the rest; closes the pipe after all of
    /// it.
    fn write<'a>(&mut self, mut rest: &'a [u8]) -> Result<&'a [u8], BotError> {
        while let Some(input) = &self.responder.input {
            match retry_on_intr(|| rustix::io::write(input, rest)) {
                _ if rest.is_empty() => self.responder.input = None,
                Ok(count) => rest = &rest[count..],
                Err(Errno::AGAIN) => break,
                Err(Errno::PIPE) => {
                    rest = &[]; // it reads no more
                    self.responder.input = None;
                }
                Err(error) => return Err(BotError::broken("writing input", error)),
            }
        }
        Ok(rest)
    }

    /// Waits until a pipe has something or can take something, until the next look at most.
    fn wait(&mut self, writes: bool) -> Result<(), BotError> {
        let pipes = Pipes { output: !self.output_ended, input: writes };
        let waited = blocking(self.responder.wait(Instant::now() + LOOK_EVERY, pipes));
        attempt("waiting for a program", waited)
    }

    /// Reads what the program has written, a chunk more than `most` bytes at most.
    fn read(&mut self, most: usize) -> Result<(), BotError> {
        let Responder { output, chunk, line, .. } = &mut self.responder;
        while !self.output_ended && line.len() <= most {
            match read_pipe(&*output, chunk) {
                Ok(0) => self.output_ended = true,
                Ok(count) => {
                    line.extend_from_slice(&chunk[..count]);
                    self.activity.record_output();
                }
                Err(Errno::AGAIN) => break,
                Err(error) => return Err(BotError::broken("reading output", error)),
            }
        }
        Ok(())
    }

    /// Looks at limits and processor time, if that is due; returns why the run ends, if it does.
    fn look(&mut self, bounds: &RunBounds) -> Result<Option<ProgramEnd>, BotError> {
        let passed = self.looked.elapsed();
        if passed < LOOK_EVERY {
            return Ok(None);
        }
        self.looked = Instant::now();
        match self.responder.look() {
            Ok(()) => {}
            Err(NoAnswer::Exceeded(exceeded)) => return Ok(Some(ProgramEnd::Exceeded(exceeded))),
            Err(other) => return Err(BotError::Broken(format!("{other:?}"))),
        }
        let Some(tree) = &mut self.responder.tree else { return Ok(None) };
        let used = tree.cpu();
        if used.is_none() && !TELLS_CPU && self.began.elapsed() > bounds.processor_time * WALL_TIME
        {
            return Ok(Some(ProgramEnd::Computing));
        }
        Ok(self.activity.record_look(passed, used, || tree.can_run(), bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: RunBounds = RunBounds {
        processor_time: Duration::from_secs(2),
        silence: Duration::from_millis(500),
        output: 100,
    };

    /// Which look of many ends a run, and why: what each sees is its number of milliseconds of
    /// processor time, and whether the program can run and has written something.
    fn end(look: impl Fn(u64) -> (u64, bool, bool)) -> Option<(u64, ProgramEnd)> {
        let mut activity = Activity::default();
        (1..1000).find_map(|number| {
            let (used, can_run, wrote) = look(number);
            if wrote {
                activity.record_output();
            }
            let used = Some(Duration::from_millis(used));
            // A machine that is busy looks seldom: more than 100 ms of the time between two looks
            // do not count.
            let passed = Duration::from_millis(100 + 400 * (number % 2));
            Some((number, activity.record_look(passed, used, || can_run, &BOUNDS)?))
        })
    }

    #[test]
    fn a_program_that_does_something_does_not_wait() {
        for (case, look, expected) in [
            (
                "nothing",
                (|_| (3, false, false)) as fn(u64) -> (u64, bool, bool),
                Some((5, ProgramEnd::Waiting)),
            ),
            ("little", |number| (number, false, false), Some((5, ProgramEnd::Waiting))),
            ("computes", |number| (number * 10, false, false), Some((200, ProgramEnd::Computing))),
            ("has no processor", |_| (3, true, false), None),
            ("writes without end", |number| (3, true, number % 2 == 0), None),
            (
                "begins to wait",
                |number| (10 * number.min(9), false, false),
                Some((14, ProgramEnd::Waiting)),
            ),
            (
                "writes at times",
                |number| (3, false, number % 4 == 0),
                Some((15, ProgramEnd::Waiting)),
            ),
        ] {
            assert_eq!(end(look), expected, "{case}");
        }
        let mut activity = Activity { used: Duration::from_secs(1), ..Activity::default() };
        assert_eq!(activity.record_look(MAX_WAIT_OF_LOOK, None, || true, &BOUNDS), None);
        assert_eq!(activity.used, Duration::from_secs(1), "what was seen before stays");
    }
}
