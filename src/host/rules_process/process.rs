//! One process of the rules, asked one question at a time.

use super::pool::locked;
use crate::bot::{BotError, Launcher, NoAnswer, Responder, Waiting};
use crate::locate::Program;
use arbiter_game::{LimitExceeded, Limits, Tasks};
use arbiter_rules::RulesFault;
use arbiter_rules::text::printable;
use std::sync::Mutex;

/// Maximum number of bytes of an answer.
const LONGEST_ANSWER: usize = 1 << 20;
/// How much of standard error is kept with a fault: lines, and bytes of each.
const STDERR_LINES: usize = 24;
const STDERR_LINE: usize = 160;
/// How much of an unexpected line is shown.
const SHOWN: usize = 60;

/// How a process of the rules is started.
#[derive(Debug)]
pub(super) struct Launch {
    /// The file or folder of the rules, without the folders above it.
    pub file: String,
    pub program: Program,
    /// Another one when the isolation of the run is known.
    pub launcher: Mutex<Launcher>,
    pub limits: Mutex<Limits>,
}

/// A running process. Dropping it ends it with everything that it started.
pub(super) struct RulesProcess {
    responder: Responder,
    file: String,
    /// The folder of the private copy, which is removed from messages: no user knows it.
    dir: String,
    limits: Limits,
}

impl Launch {
    /// Starts a process.
    ///
    /// # Errors
    /// The program cannot be run, or something in arbiter or on the machine failed.
    pub async fn start(&self, waiting: Waiting) -> Result<RulesProcess, RulesFault> {
        // Copies, because nothing may be locked while it waits.
        let launcher = locked(&self.launcher).clone();
        let limits = *locked(&self.limits);
        let program = &self.program;
        match Responder::start(&launcher, program, &limits, LONGEST_ANSWER, waiting).await {
            Ok(responder) => {
                let dir = format!("{}/", program.dir.display());
                Ok(RulesProcess { responder, file: self.file.clone(), dir, limits })
            }
            Err(BotError::Unstartable(why)) => {
                Err(self.fault(format_args!("cannot be started: {why}")))
            }
            Err(BotError::Broken(what)) => {
                Err(self.fault(format_args!("could not be started: {what}")))
            }
        }
    }

    /// A fault of the rules as a whole.
    pub fn fault(&self, what: impl std::fmt::Display) -> RulesFault {
        RulesFault { place: Some(self.file.as_str().into()), ..RulesFault::new(what) }
    }
}

impl RulesProcess {
    /// Asks a question, and reads the answer with a function for its form.
    ///
    /// # Errors
    /// There is no answer, or it is wrong. The process is of no more use.
    pub async fn ask<T>(
        &mut self,
        question: &str,
        waiting: Waiting,
        read: impl FnOnce(&[u8]) -> Result<T, RulesFault>,
    ) -> Result<T, RulesFault> {
        let limit = self.limits.rules_time;
        let answer = match self.responder.ask(&format!("{question}\n"), limit, waiting).await {
            Ok(line) => read(line),
            Err(none) => Err(RulesFault::new(sentence(&none, &self.limits))),
        };
        answer.map_err(|fault| self.about(fault))
    }

    /// Ends it, waiting as for its last answer.
    pub async fn end(self) {
        self.responder.end().await;
    }

    /// The fault with the file of the rules and the end of standard error.
    fn about(&self, mut fault: RulesFault) -> RulesFault {
        // Unless it names a more exact place already.
        fault.place.get_or_insert_with(|| self.file.as_str().into());
        let lines = self.responder.stderr().last_lines(STDERR_LINES);
        let lines: Vec<String> = lines.iter().map(|line| printable(line, STDERR_LINE)).collect();
        RulesFault { stderr: lines.join("\n").replace(&self.dir, "").into(), ..fault }
    }
}

/// What is wrong when no answer came.
fn sentence(none: &NoAnswer, limits: &Limits) -> String {
    let Limits { memory, processes, threads, rules_time, .. } = *limits;
    match none {
        NoAnswer::Late => format!("{} {} s", RulesFault::LATE, rules_time.as_secs_f64()),
        NoAnswer::Ended(Some(exit)) => exit.to_string(),
        NoAnswer::Ended(None) => "ended".to_owned(),
        NoAnswer::Closed => "closed its standard input or output, and did not end".to_owned(),
        NoAnswer::TooLong => format!("wrote a line of more than {} KiB", LONGEST_ANSWER >> 10),
        NoAnswer::Unasked(line) => {
            let line = printable(line.trim_ascii_end(), SHOWN);
            format!("wrote `{line}` beside its answers; each question has one line as its answer")
        }
        NoAnswer::Exceeded(LimitExceeded::Memory(_)) => {
            format!("used more memory than {} MiB", memory >> 20)
        }
        NoAnswer::Exceeded(LimitExceeded::Tasks(Tasks { processes: had, .. }))
            if *had > processes =>
        {
            format!("had more processes than {processes}")
        }
        NoAnswer::Exceeded(LimitExceeded::Tasks(_)) => format!("had more threads than {threads}"),
        NoAnswer::Exceeded(LimitExceeded::Output | LimitExceeded::Scratch(_)) => {
            "wrote more than it may".to_owned()
        }
        NoAnswer::Broken(what) => format!("could not be asked: {what}"),
    }
}
