//! The calls of a submission's functions on one board: made in several places of memory and, if
//! they fail, again in other ways, so that the sentences about them are true and helpful.

use super::functions::{link_calls, missing_functions};
use super::objects::Objects;
use crate::debug_info::ObjectFacts;
use crate::functions::{
    Answer, Answers, Call, Fate, Mode, Place, TestMain, Verdict, input, is_outside, judge,
};
use arbiter_game::ProgramEnd;
use arbiter_host::bot::BotError;
use arbiter_rules::text::printable;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The runs of a build: the board lies before memory without access, and behind it.
pub(super) const MODES: [Mode; 2] =
    [Mode { alone: false, place: Place::Front }, Mode { alone: false, place: Place::End }];
/// The runs in which the board lies amid empty squares and pieces. A call that is right in each of
/// them depends on nothing that it reads beside the board.
const AMID: [Mode; 3] = [
    Mode { alone: false, place: Place::Amid(0) },
    Mode { alone: false, place: Place::Amid(1) },
    Mode { alone: false, place: Place::Amid(2) },
];
/// The build that tells where undefined behaviour is.
const SANITIZER: &str = "-fsanitize=undefined";
/// Builds in which variables without a value have different ones. A compiler that does not know
/// these flags makes no program; then nothing is said.
const WITHOUT_VALUE: [&str; 2] =
    ["-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init=pattern"];
/// How much of a place is shown.
const SHOWN: usize = 200;

/// How slow the calls of each function were so far, on all boards together: one that takes too
/// long, again and again, is not called any more.
pub(super) type Slow = BTreeMap<&'static str, usize>;

/// What came of the calls on a board.
#[derive(Default)]
pub(super) struct BoardCalls {
    /// The verdict on each call.
    pub verdicts: Vec<Verdict>,
    /// The functions that are missing or have another prototype, with a note on each.
    pub missing: BTreeMap<&'static str, String>,
    /// The functions that read memory beside the board, which changes nothing.
    pub harmless: BTreeSet<&'static str>,
    /// Whether the test main came to its end.
    pub ended: bool,
}

/// The calls on a board, and the answers to them so far.
pub(super) struct Trial<'a, 'w> {
    pub objects: &'a Objects<'w>,
    /// The folder that the submission is built in, which several boards may have in common.
    pub dir: &'a Path,
    pub file: &'a str,
    pub calls: &'a [Call],
    pub slow: &'a mut Slow,
    /// The program of the submission with the test main.
    pub program: &'a Path,
    /// The runs of all calls.
    pub runs: Vec<Answers>,
    pub made: BoardCalls,
}

impl Trial<'_, '_> {
    /// Makes all calls in all modes.
    pub fn run_all(
        mut self,
        main: TestMain,
        facts: &ObjectFacts,
        absent: BTreeMap<&'static str, String>,
        is_own_board: bool,
    ) -> Result<BoardCalls, BotError> {
        // 1. All calls. Where the test main does not come to its end, nothing more is tried.
        let all: Vec<&Call> = self.calls.iter().collect();
        let (first, mut ended) = self.run(self.program, MODES[0], &all)?;
        self.runs.push(first);
        if ended {
            ended = self.run_again(MODES[1])?;
        }
        self.made.ended = ended;
        self.made.missing = missing_functions(main, facts, self.runs.first());
        self.made.missing.extend(absent);
        self.judge_all();
        // 2. Failing calls once more, which takes back or explains what is wrong with them.
        if ended {
            self.harmless()?;
            self.alone()?;
        }
        // 3. Other builds, which say the same on every board.
        if ended && is_own_board {
            self.without_value()?;
            self.places()?;
        }
        Ok(self.made)
    }

    /// Judges each call by all of the runs.
    fn judge_all(&mut self) {
        for (index, call) in self.calls.iter().enumerate() {
            let mut all = Verdict::default();
            for run in &self.runs {
                let one = judge(call, &run.calls[index]);
                all.rules = all.rules.or(one.rules);
                if all.text.is_empty() {
                    all.text = one.text;
                }
            }
            self.made.verdicts.push(all);
        }
    }

    /// Takes back what is wrong with calls that only read memory beside the board, and return the
    /// same whatever is there.
    fn harmless(&mut self) -> Result<(), BotError> {
        let calls = self.calls;
        let mut outside = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            if self.made.verdicts[index].rules.is_none() {
                continue;
            }
            let mut answers = self.runs.iter().map(|run| &run.calls[index]);
            if answers.all(|answer| is_outside(answer) || is_right(call, answer)) {
                outside.push(index);
            }
        }
        if outside.is_empty() {
            return Ok(());
        }
        let runs = self.run_in(AMID, &outside)?;
        for (at, &index) in outside.iter().enumerate() {
            if runs.iter().all(|run| is_right(&calls[index], &run.calls[at])) {
                self.made.verdicts[index] = judge(&calls[index], &runs[0].calls[at]);
                self.made.harmless.insert(calls[index].function);
            }
        }
        Ok(())
    }

    /// The calls that are worth making once more: their functions are there, and what was slow once
    /// is not waited for again.
    fn worth_repeating(&self) -> Vec<usize> {
        let mut indices = Vec::new();
        for (index, call) in self.calls.iter().enumerate() {
            if !self.made.missing.contains_key(call.function) && !is_slow(&self.runs, index) {
                indices.push(index);
            }
        }
        indices
    }

    /// The answers to calls, and whether the test main came to its end.
    fn run(
        &mut self,
        program: &Path,
        mode: Mode,
        calls: &[&Call],
    ) -> Result<(Answers, bool), BotError> {
        let seconds = self.objects.compiler.sheet.assignment.time.as_secs().max(1);
        let text = input(mode, seconds, self.slow, calls.iter().copied());
        let run = self.objects.compiler.runner.run_calls(program, text.as_bytes())?;
        let answers = Answers::read(&run.output, calls.len());
        for (call, answer) in calls.iter().zip(&answers.calls) {
            *self.slow.entry(call.function).or_default() += answer.slow;
        }
        Ok((answers, matches!(run.end, ProgramEnd::Ended(_))))
    }

    /// The answers to the calls of these indices in each of these modes.
    fn run_in(
        &mut self,
        modes: impl IntoIterator<Item = Mode>,
        indices: &[usize],
    ) -> Result<Vec<Answers>, BotError> {
        let calls = calls_at(self.calls, indices);
        let mut runs = Vec::new();
        for mode in modes {
            runs.push(self.run(self.program, mode, &calls)?.0);
        }
        Ok(runs)
    }

    /// Makes the calls of the first run in another mode; those that were slow are not made again,
    /// and what is not made keeps its answer. Returns whether the test main came to its end.
    fn run_again(&mut self, mode: Mode) -> Result<bool, BotError> {
        let mut made: Vec<usize> = (0..self.calls.len()).collect();
        made.retain(|&index| !is_slow(&self.runs, index));
        let (run, ended) = self.run(self.program, mode, &calls_at(self.calls, &made))?;
        let mut answers = Answers { there: run.there, calls: self.runs[0].calls.clone() };
        for (index, answer) in made.into_iter().zip(run.calls) {
            if answer.fate != Fate::Skipped {
                answers.calls[index] = answer;
            }
        }
        self.runs.push(answers);
        Ok(ended)
    }

    /// Repeats failing calls, each in a fresh process: one that then passes depends on calls before
    /// it, which is said of it.
    fn alone(&mut self) -> Result<(), BotError> {
        let calls = self.calls;
        let failing = self.failing();
        if failing.is_empty() {
            return Ok(());
        }
        let alone = MODES.map(|mode| Mode { alone: true, ..mode });
        let runs = self.run_in(alone, &failing)?;
        for (at, &index) in failing.iter().enumerate() {
            let passes = runs.iter().all(|run| is_right(&calls[index], &run.calls[at]));
            if let Some(found) = &mut self.made.verdicts[index].rules
                && passes
            {
                found.sentence += "; called first it is right, so it depends on earlier calls";
            }
        }
        Ok(())
    }

    /// The calls that fail and are worth making once more.
    fn failing(&self) -> Vec<usize> {
        let mut failing = self.worth_repeating();
        failing.retain(|&index| self.made.verdicts[index].rules.is_some());
        failing
    }

    /// Finds calls that depend on variables without a value.
    fn without_value(&mut self) -> Result<(), BotError> {
        let calls = self.calls;
        let tried = self.worth_repeating();
        let all = calls_at(calls, &tried);
        let mut runs = Vec::new();
        for (number, flag) in WITHOUT_VALUE.into_iter().enumerate() {
            let Some(program) = self.rebuilt(flag, &number.to_string())? else { return Ok(()) };
            runs.push(self.run(&program, MODES[0], &all)?.0);
        }
        for (at, index) in tried.into_iter().enumerate() {
            if runs.iter().any(|run| run.calls[at].fate == Fate::Skipped) {
                continue;
            }
            let [zero, pattern] =
                [0, 1].map(|build: usize| judge(&calls[index], &runs[build].calls[at]).rules);
            // Where both are wrong, the value does not matter; where it does, one may be right.
            if zero.is_some() != pattern.is_some() {
                let mut one = zero.or(pattern).unwrap_or_default();
                one.sentence += "; what it does depends on a variable without a value";
                self.made.verdicts[index].rules = Some(one);
            }
        }
        Ok(())
    }

    /// Finds file and line of failing calls by a build that checks for undefined behaviour.
    fn places(&mut self) -> Result<(), BotError> {
        let failing = self.failing();
        if failing.is_empty() {
            return Ok(());
        }
        let Some(program) = self.rebuilt(SANITIZER, "checked")? else { return Ok(()) };
        let mode = Mode { alone: true, place: Place::Front };
        let (answers, _) = self.run(&program, mode, &calls_at(self.calls, &failing))?;
        for (answer, index) in answers.calls.iter().zip(failing) {
            if let Some(found) = &mut self.made.verdicts[index].rules {
                found.place = place(answer);
            }
        }
        Ok(())
    }

    /// Compiles the file once more with a flag and links it; `None` if that does not succeed.
    fn rebuilt(&self, flag: &str, name: &str) -> Result<Option<PathBuf>, BotError> {
        if self.objects.has_been_over() {
            return Ok(None); // it would be so again, for a minute
        }
        let object = format!("arbiter-{name}.o");
        let compiled = self.objects.compile_source(self.dir, self.file, &[flag], &object)?;
        if compiled.file.is_none() {
            return Ok(None);
        }
        let out = format!("arbiter-calls-{name}");
        match link_calls(self.objects, self.dir, &object, &out, &[flag]) {
            Ok((program, _)) => Ok(Some(program)),
            Err(failure) => failure.of_submission().map(|_| None),
        }
    }
}

/// Whether an answer is right by the rules.
fn is_right(call: &Call, answer: &Answer) -> bool {
    judge(call, answer).rules.is_none()
}

/// The calls of these indices.
fn calls_at<'a>(calls: &'a [Call], indices: &[usize]) -> Vec<&'a Call> {
    indices.iter().map(|&index| &calls[index]).collect()
}

/// File, line and what is wrong there: `gekitai.cpp:12:5: runtime error: index 6 out of bounds for
/// type 'char [6]'`.
fn place(answer: &Answer) -> Option<String> {
    let errors = String::from_utf8_lossy(&answer.errors).into_owned();
    let line = errors.lines().find(|line| line.contains(": runtime error: "))?;
    let line = line.rsplit('/').next().unwrap_or(line).replace(": runtime error: ", ": ");
    Some(printable(line.as_bytes(), SHOWN))
}

/// Whether a call was slow in one of these runs, or was not made because others were.
fn is_slow(runs: &[Answers], index: usize) -> bool {
    runs.iter().any(|run| run.calls[index].slow > 0 || run.calls[index].fate == Fate::Skipped)
}
