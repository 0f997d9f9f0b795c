//! The rules of a file with given options, behind the trait of the room `rules`.

use super::pool::ProcessPool;
use super::process::RulesProcess;
use crate::bot::{Waiting, blocking};
use arbiter_game::protocol::rules_program::{
    RulesStart, RulesTitle, read_advance, read_at, read_rules, read_set, read_start, read_why,
};
use arbiter_rules::RulesFault;
use arbiter_rules::own::{Answering, EngineAnswer, EngineQuestion, RulesEngine};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Asks the processes of a rules file that have received the same options.
pub(super) struct ProcessEngine {
    pool: Arc<ProcessPool>,
    /// Its number among all engines.
    id: usize,
    /// The options that each process receives.
    set: Vec<(String, String)>,
    title: RulesTitle,
    start: RulesStart,
}

impl fmt::Debug for ProcessEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.pool.launch.file;
        f.debug_struct("ProcessEngine")
            .field("file", file)
            .field("set", &self.set)
            .finish_non_exhaustive()
    }
}

/// What a process says of itself first.
pub(super) async fn title_of(
    process: &mut RulesProcess,
    waiting: Waiting,
) -> Result<RulesTitle, RulesFault> {
    process.ask("rules 1", waiting, read_rules).await
}

/// How a process answers its options.
pub(super) enum Began {
    Start(Box<RulesStart>),
    /// It refuses the option with this index, and says what it wants.
    Refused {
        option: usize,
        wanted: String,
    },
}

/// Sends the options to a process, then asks for the start.
pub(super) async fn start_of(
    process: &mut RulesProcess,
    set: &[(String, String)],
    waiting: Waiting,
) -> Result<Began, RulesFault> {
    for (option, (key, value)) in set.iter().enumerate() {
        let answer = process.ask(&format!("set {key} {value}"), waiting, read_set).await?;
        if let Err(wanted) = answer {
            return Ok(Began::Refused { option, wanted });
        }
    }
    let mut start = process.ask("start", waiting, read_start).await?;
    // Moves and squares sorted: their order says nothing, and that of Python's sets is another one
    // in each process.
    start.state.plies.sort();
    start.state.squares.sort();
    Ok(Began::Start(Box::new(start)))
}

impl ProcessEngine {
    /// The engine of these options, with a process that has received them and given these answers.
    pub fn new(
        pool: &Arc<ProcessPool>,
        set: Vec<(String, String)>,
        title: RulesTitle,
        start: RulesStart,
        process: RulesProcess,
    ) -> ProcessEngine {
        static ENGINES: AtomicUsize = AtomicUsize::new(0);
        let id = ENGINES.fetch_add(1, Ordering::Relaxed);
        drop(pool.put(id, process));
        ProcessEngine { pool: Arc::clone(pool), id, set, title, start }
    }

    /// Asks a process, which then waits for the next question; one that fails is ended.
    async fn ask<T>(
        &self,
        question: &str,
        waiting: Waiting,
        read: impl FnOnce(&[u8]) -> Result<T, RulesFault>,
    ) -> Result<T, RulesFault> {
        // Taken out of the pool, so that no other thread asks it meanwhile.
        let mut process = match self.pool.take(self.id) {
            Some(process) => process,
            None => self.another(waiting).await?,
        };
        let answer = process.ask(question, waiting, read).await;
        let over = if answer.is_ok() { self.pool.put(self.id, process) } else { Some(process) };
        // Ended here and not by dropping it, which would block an event loop.
        if let Some(over) = over {
            over.end().await;
        }
        answer
    }

    /// One more process, which must say the same as the first one.
    async fn another(&self, waiting: Waiting) -> Result<RulesProcess, RulesFault> {
        let mut process = self.pool.launch.start(waiting).await?;
        match self.prepare(&mut process, waiting).await {
            Ok(()) => Ok(process),
            Err(fault) => {
                process.end().await;
                Err(fault)
            }
        }
    }

    async fn prepare(
        &self,
        process: &mut RulesProcess,
        waiting: Waiting,
    ) -> Result<(), RulesFault> {
        // Rules that read the time or a random number would give two workers different games.
        let differs = if title_of(process, waiting).await? != self.title {
            "rules"
        } else {
            match start_of(process, &self.set, waiting).await? {
                Began::Start(start) if *start == self.start => return Ok(()),
                Began::Start(_) => "start",
                Began::Refused { .. } => "set",
            }
        };
        let what = format_args!("answers `{differs}` differently the second time");
        Err(self.pool.launch.fault(what))
    }

    async fn answer_to(
        &self,
        question: &EngineQuestion,
        waiting: Waiting,
    ) -> Result<EngineAnswer, RulesFault> {
        let sides = self.start.layout.sides();
        match question {
            EngineQuestion::Advance(position, ply) if is_field(position) && is_field(ply) => {
                let asked = format!("advance {position}\t{ply}");
                let state = self.ask(&asked, waiting, |line| read_advance(line, sides)).await;
                state.map(EngineAnswer::State)
            }
            EngineQuestion::Advance(..) => Err(RulesFault::new(
                "a position or move with control characters cannot be asked about",
            )),
            EngineQuestion::At(position) if is_field(position) => {
                let asked = format!("at {position}");
                let read = self.ask(&asked, waiting, |line| read_at(line, sides)).await?;
                Ok(read.map_or_else(EngineAnswer::NoPosition, EngineAnswer::State))
            }
            EngineQuestion::At(_) => {
                let why = "position: it has control characters".to_owned();
                Ok(EngineAnswer::NoPosition(why))
            }
            EngineQuestion::Why(position, ply) if is_field(position) && is_field(ply) => {
                let asked = format!("why {position}\t{ply}");
                // A fault costs only the sentence.
                let why = self.ask(&asked, waiting, read_why).await.ok().flatten();
                Ok(EngineAnswer::Why(why))
            }
            EngineQuestion::Why(..) => Ok(EngineAnswer::Why(None)),
        }
    }
}

/// Whether a text can be part of a question. Positions and plies of `rules` can.
fn is_field(text: &str) -> bool {
    !text.contains(|letter: char| letter.is_control())
}

impl RulesEngine for ProcessEngine {
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
        blocking(self.answer_to(question, Waiting::Thread))
    }

    fn answering<'a>(&'a self, question: &'a EngineQuestion) -> Answering<'a> {
        Box::pin(self.answer_to(question, Waiting::EventLoop))
    }
}
