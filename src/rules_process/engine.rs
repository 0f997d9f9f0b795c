//! The rules of a file with given options, behind the trait of the room `rules`.

use super::pool::Source;
use super::process::RulesProcess;
use crate::protocol::rules_program::{
    RulesStart, RulesTitle, read_advance, read_at, read_rules, read_set, read_start, read_why,
};
use crate::rules::RulesFault;
use crate::rules::own::{EngineState, RulesEngine};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Asks the processes of a rules file that were told the same options.
pub(super) struct ProcessEngine {
    source: Arc<Source>,
    /// Its number among all engines.
    id: usize,
    /// The options that are told.
    set: Vec<(String, String)>,
    title: RulesTitle,
    start: RulesStart,
}

impl fmt::Debug for ProcessEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.source.launch.file;
        f.debug_struct("ProcessEngine")
            .field("file", file)
            .field("set", &self.set)
            .finish_non_exhaustive()
    }
}

/// What a process says of itself first.
pub(super) fn title_of(process: &mut RulesProcess) -> Result<RulesTitle, RulesFault> {
    process.ask("rules 1", read_rules)
}

/// Tells a process the options, then asks for the start. If it refuses an option, the number of
/// that and its sentence.
pub(super) fn start_of(
    process: &mut RulesProcess,
    set: &[(String, String)],
) -> Result<Result<RulesStart, (usize, String)>, RulesFault> {
    for (at, (key, value)) in set.iter().enumerate() {
        if let Err(why) = process.ask(&format!("set {key} {value}"), read_set)? {
            return Ok(Err((at, why)));
        }
    }
    process.ask("start", |line| read_start(line).map(in_order)).map(Ok)
}

/// The start with moves and squares sorted: their order says nothing, and that of Python's sets is
/// another one in each process.
fn in_order(mut start: RulesStart) -> RulesStart {
    start.state.plies.sort();
    start.state.squares.sort();
    start
}

impl ProcessEngine {
    /// The engine of these options, with a process that was told them and has answered so.
    pub fn new(
        source: &Arc<Source>,
        set: Vec<(String, String)>,
        title: RulesTitle,
        start: RulesStart,
        process: RulesProcess,
    ) -> ProcessEngine {
        static ENGINES: AtomicUsize = AtomicUsize::new(0);
        let id = ENGINES.fetch_add(1, Ordering::Relaxed);
        source.put(id, process);
        ProcessEngine { source: Arc::clone(source), id, set, title, start }
    }

    /// Asks a process, which then waits for the next question; one that fails is ended.
    fn with<T>(
        &self,
        ask: impl FnOnce(&mut RulesProcess) -> Result<T, RulesFault>,
    ) -> Result<T, RulesFault> {
        let mut process = match self.source.take(self.id) {
            Some(process) => process,
            None => self.another()?,
        };
        let answer = ask(&mut process)?;
        self.source.put(self.id, process);
        Ok(answer)
    }

    /// One more process, which must say the same as the first one.
    fn another(&self) -> Result<RulesProcess, RulesFault> {
        let launch = &self.source.launch;
        let mut process = launch.start()?;
        let differs = |question| {
            launch.fault(format_args!("answers `{question}` differently the second time"))
        };
        if title_of(&mut process)? != self.title {
            return Err(differs("rules"));
        }
        match start_of(&mut process, &self.set)? {
            Ok(start) if start == self.start => Ok(process),
            Ok(_) => Err(differs("start")),
            Err(_) => Err(differs("set")),
        }
    }
}

/// Whether a text can be part of a question. Positions and plies of `rules` can.
fn is_field(text: &str) -> bool {
    !text.contains(|letter: char| letter.is_control())
}

impl RulesEngine for ProcessEngine {
    fn advance(&self, position: &str, ply: &str) -> Result<EngineState, RulesFault> {
        if !is_field(position) || !is_field(ply) {
            return Err(RulesFault::new(
                "a position or move with control characters cannot be asked about",
            ));
        }
        let sides = self.start.layout.sides();
        self.with(|process| {
            process.ask(&format!("advance {position}\t{ply}"), |line| read_advance(line, sides))
        })
    }

    fn at(&self, position: &str) -> Result<Result<EngineState, String>, RulesFault> {
        if !is_field(position) {
            return Ok(Err("position: it has control characters".to_owned()));
        }
        let sides = self.start.layout.sides();
        self.with(|process| process.ask(&format!("at {position}"), |line| read_at(line, sides)))
    }

    fn why(&self, position: &str, ply: &str) -> Option<String> {
        if !is_field(position) || !is_field(ply) {
            return None;
        }
        // A fault costs only the sentence.
        self.with(|process| process.ask(&format!("why {position}\t{ply}"), read_why)).ok().flatten()
    }
}
