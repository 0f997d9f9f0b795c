//! What a bot uses, who is charged for it, and when the bot is stopped (docs/reference/clocks.md).
//!
//! A *question* is what a bot is asked at one time: to get ready, or a ply. It lasts from
//! [`begin`](Meter::begin) to [`end`](Meter::end), and its wall time is measured by who asks. The
//! meter says what stands behind that time:
//!
//! - What the bot used on move: processor time, memory and processes, in this file.
//! - What it used off move, in [`off_move`]. A bot that may not ponder is stopped between its
//!   questions. What it used all the same is charged to its next question, and given back to its
//!   opponent if both have one core. For a bot that may ponder it is only added up.
//! - What the machine took, in [`waits`]: time in which the bot or arbiter could run and was not
//!   run. Where processor time is charged, it extends the deadline; where wall time is charged, it
//!   marks a game as disturbed.
//!
//! # Lazily
//!
//! Two quick bots play a ply in less time than one read of `/proc` takes, or a timer that is set,
//! or a stop and a resume. So a question reads one processor clock, at its end; its beginning takes
//! over the value of the last end where nothing can have been used between. All else is looked at
//! only if time has passed in which it can have changed by a notable amount: after [`SHORT_PLY`],
//! and then every [`LOOK_EVERY`]. Short plies add up until they are as long as that.

mod off_move;
mod waits;

pub use off_move::Opponent;
pub use waits::Delays;

#[cfg(test)]
pub(super) use off_move::CLEANING;

use super::run_delay::RunDelay;
use super::system::{ProcessTree, cores, kept_waiting};
use arbiter_game::{LimitExceeded, Settings, Silence, Tasks};
use off_move::OffMove;
use std::time::{Duration, Instant};
use waits::Waits;

/// How often a bot on move is looked at. The dearest part of a look, the memory of a process, takes
/// 12 µs, so looks cost a quarter of a percent of one core for each process.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// In a ply shorter than this a new process or thread cannot have used a notable amount of
/// anything, and stopping the opponent costs more than the opponent could use.
const SHORT_PLY: Duration = Duration::from_micros(100);
/// Number of short plies in a row after which a bot counts as quick.
const QUICK_PLIES: usize = 4;

/// The meter of one bot.
pub(super) struct Meter {
    tree: Option<ProcessTree>,
    settings: Settings,
    /// How many processes and threads it may have; `None` where that is not limited.
    tasks: Option<Tasks>,
    /// Whether both bots have one core, so that what one of them uses the other one waits for.
    shares_core: bool,
    question: Question,
    /// How long the last question took, and when it ended.
    took: Duration,
    ended: Instant,
    /// How many plies in a row it has answered quickly.
    quick: usize,
    /// How long it was on move since its memory was looked at.
    unseen: Duration,
    off_move: OffMove,
    waits: Waits,
}

/// The question that is being answered.
struct Question {
    /// From when on time is charged.
    began: Instant,
    /// When it was put. Earlier than this no timer can have been set for it.
    put: Instant,
    /// When its memory was looked at, or the beginning.
    looked: Instant,
    /// The processor time at its beginning.
    before: Option<Duration>,
    /// What of it may be used, where it is charged, and when to look next.
    cpu: Option<(Duration, Instant)>,
    run_delay: RunDelay,
    /// How long the bot waited for a processor until the end of the question.
    waited: Duration,
    /// How much later its deadline is, because of what the machine took.
    extension: Duration,
}

/// What a bot on move has used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    /// Processor time.
    Cpu,
    /// What a limit allows.
    Limit(LimitExceeded),
}

/// What a question took.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Used {
    pub cpu: Option<Duration>,
    /// The limit that it exceeded.
    pub exceeded: Option<LimitExceeded>,
}

/// What becomes of a bot after a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It waits for another, while its opponent is asked.
    Wait,
    /// It is ready, and waits for the first one, which may take long.
    Start,
    /// It has said nothing, and is not asked again.
    Leave,
}

impl Question {
    fn new(
        began: Instant,
        put: Instant,
        before: Option<Duration>,
        cpu: Option<Duration>,
    ) -> Question {
        Question {
            began,
            put,
            looked: put,
            before,
            cpu: cpu.map(|limit| (limit, began + limit)),
            run_delay: RunDelay::default(),
            waited: Duration::ZERO,
            extension: Duration::ZERO,
        }
    }
}

impl Meter {
    /// A meter of the processes of a bot that runs; `None` if they are not known.
    pub fn new(tree: Option<ProcessTree>, settings: Settings, tasks: Option<Tasks>) -> Meter {
        let now = Instant::now();
        Meter {
            tree,
            settings,
            tasks,
            shares_core: cores().len() == 1,
            question: Question::new(now, now, None, None),
            took: Duration::ZERO,
            ended: now,
            quick: 0,
            unseen: Duration::ZERO,
            off_move: OffMove::default(),
            waits: Waits::new(),
        }
    }

    /// The processor time of the bot since it was started; `None` if it is not known.
    pub fn cpu(&mut self) -> Option<Duration> {
        self.tree.as_mut()?.cpu()
    }

    /// How long the bot has waited for a processor since it was started; `None` if it is not known.
    pub fn waited(&self) -> Option<Duration> {
        self.tree.as_ref()?.waited()
    }

    /// What the bot does while it says nothing; `None` if it is not known.
    pub fn silence(&mut self) -> Option<Silence> {
        self.tree.as_mut()?.silence()
    }

    /// Whether the bot is known to be one process with one thread.
    pub fn is_single(&self) -> bool {
        self.tree.as_ref().is_some_and(ProcessTree::is_single)
    }

    /// Whether the bot waits for its standard input; `None` if it is not known.
    pub fn waits_for_input(&mut self) -> Option<bool> {
        self.tree.as_mut()?.waits_for_input()
    }

    /// Begins a question that may use this much processor time; returns the time of the beginning.
    ///
    /// A stopped bot uses nothing. What it used all the same is charged to this question: the
    /// beginning is that much earlier.
    pub fn begin(&mut self, cpu: Option<Duration>) -> Instant {
        // The time after that: what it takes to look at a stopped bot is not charged to it.
        let (before, charged) = self.end_rest();
        let now = Instant::now();
        self.waits.cpu_seen = before;
        self.waits.stalls.begin(now);
        self.question = Question::new(now.checked_sub(charged).unwrap_or(now), now, before, cpu);
        self.question.began
    }

    /// When to [look](Meter::look) while the bot has not answered.
    pub fn next_look(&self) -> Instant {
        let memory = self.question.looked + LOOK_EVERY;
        match self.question.cpu {
            Some((_, cpu)) => memory.min(cpu),
            None => memory,
        }
    }

    /// Checks the limits of the bot on move.
    pub fn look(&mut self) -> Option<Over> {
        let now = Instant::now();
        let tree = self.tree.as_mut()?;
        let may_differ = tree.look();
        // 1. Processor time, when it can be used up at the earliest.
        if let Some((limit, at)) = self.question.cpu
            && now >= at
        {
            let used = between(self.question.before, tree.cpu()).unwrap_or_default();
            let left = limit.saturating_sub(used);
            if left.is_zero() {
                return Some(Over::Cpu);
            }
            // It takes one thread this long to use up what is left.
            self.question.cpu = Some((limit, now + left.max(LOOK_EVERY)));
        }
        // 2. Processes and threads, if one was started since the last look.
        if let Some(allowed) = self.tasks
            && may_differ
        {
            let had = tree.tasks();
            if had.processes > allowed.processes || had.threads > allowed.threads {
                return Some(Over::Limit(LimitExceeded::Tasks(had)));
            }
        }
        // 3. Memory, and at the first look of a question what its threads have waited so far.
        if now >= self.question.looked + LOOK_EVERY {
            self.question.looked = now;
            if self.question.run_delay.first.is_none() {
                let at_answer = self.waits.threads_at_answer.take().zip(kept_waiting());
                self.question.run_delay.first = match at_answer {
                    Some((times, arbiter)) => Some(times.since_stop(arbiter)),
                    None => tree.times(),
                };
            }
            let used = tree.memory();
            if used > self.settings.limits.memory {
                return Some(Over::Limit(LimitExceeded::Memory(used)));
            }
        }
        None
    }

    /// Ends the question after this time; `next` says whether the bot is asked again.
    pub fn end(&mut self, took: Duration, next: Next) -> Used {
        let now = self.question.began + took;
        // While it may still run: a stopped bot is not run either.
        self.end_waits(now, next);
        if self.tree.is_none() {
            return Used::default();
        }
        // Stopped before its memory is looked at, which takes longer than a short ply.
        self.rest(took, next);
        let cpu = between(self.question.before, self.off_move.cpu_at_answer);
        let exceeded = self.exceeded_after(took);
        self.note_threads();
        self.took = took;
        self.ended = now;
        self.quick = if next == Next::Wait && took < SHORT_PLY { self.quick + 1 } else { 0 };
        Used { cpu, exceeded }
    }

    /// The limit that the bot has exceeded, after a question that took `took`. A short one is not
    /// looked at, but several short ones are.
    fn exceeded_after(&mut self, took: Duration) -> Option<LimitExceeded> {
        self.unseen += took;
        if self.unseen < LOOK_EVERY {
            return None;
        }
        self.unseen = Duration::ZERO;
        let peak = self.tree.as_ref()?.peak();
        (peak > self.settings.limits.memory).then_some(LimitExceeded::Memory(peak))
    }

    /// Whether it answered its last question quickly; true if it was asked none.
    pub fn was_quick(&self) -> bool {
        self.took < SHORT_PLY
    }

    /// Whether it answered its last [`QUICK_PLIES`] plies of this game quickly.
    pub fn is_quick(&self) -> bool {
        self.quick >= QUICK_PLIES
    }

    /// When the question was put that is being answered.
    pub fn asked_at(&self) -> Instant {
        self.question.put
    }
}

/// What was used between two readings of a processor clock; `None` if one of them is not known.
fn between(before: Option<Duration>, after: Option<Duration>) -> Option<Duration> {
    Some(after?.saturating_sub(before?))
}
