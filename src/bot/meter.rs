//! Measures what a bot uses while it is on move, and stops it while it is not.
//!
//! Processor time is read when a question begins and when it is answered. A bot that may not ponder is stopped as soon as it has
//! answered (or is ready) and resumed when the next request is in its pipe. What it used between its answer and its stop, and
//! what it used after the stop because something resumed it, is charged to its next ply. For a bot that may ponder, the
//! processor time off move is added up.

use super::system::ProcessTree;
use crate::game::{LimitExceeded, Pondering, RESUMED, Settings, Silence, Tasks};
use std::time::{Duration, Instant};

/// How often the memory and the processes of a bot on move are looked at.
const MEMORY_EVERY: Duration = Duration::from_millis(5);
/// Processor time is not looked at more often than this.
const CPU_EVERY: Duration = Duration::from_millis(2);

/// If a bot was off move for less than this, its processor time is not read again when its next ply begins: what it used
/// between, mostly the way from its answer to its next `read`, counts for that ply.
const SHORT_WAIT: Duration = Duration::from_micros(20);
/// The processor time of a stopped bot is looked at again if it was off move for longer than this, and counts if it is more
/// than this: until a stop takes effect, a bot uses some.
const WOKEN: Duration = Duration::from_millis(1);
/// In a ply shorter than this a new process or thread cannot have used a notable amount of anything.
const SHORT_PLY: Duration = Duration::from_micros(100);

/// The meter of one bot.
pub(super) struct Meter {
    tree: Option<ProcessTree>,
    settings: Settings,
    /// How many processes and threads it may have; none where that is not limited.
    tasks: Option<Tasks>,
    frozen: bool,
    /// Its processor time at the end of the last question.
    last: Option<Duration>,
    /// When that was.
    ended: Instant,
    /// What it used off move.
    pondered: Duration,
    /// What of it was used after a stop that something undid.
    resumed: Duration,
    /// How long it was on move since its memory was looked at.
    unseen: Duration,
    /// The longest delay of arbiter's own timers.
    late: Duration,
    asked: Asked,
}

/// The question that is being answered.
struct Asked {
    began: Instant,
    /// When its memory was looked at, or the beginning.
    seen: Instant,
    /// The processor time at its beginning.
    before: Option<Duration>,
    /// What of it may be used, where it is charged, and when to look next.
    cpu: Option<(Duration, Instant)>,
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

impl Asked {
    fn new(began: Instant, before: Option<Duration>, cpu: Option<Duration>) -> Asked {
        Asked { began, seen: began, before, cpu: cpu.map(|limit| (limit, began + limit)) }
    }
}

impl Meter {
    pub fn new(tree: Option<ProcessTree>, settings: Settings, tasks: Option<Tasks>) -> Meter {
        let now = Instant::now();
        Meter {
            tree,
            settings,
            tasks,
            frozen: false,
            last: None,
            ended: now,
            pondered: Duration::ZERO,
            resumed: Duration::ZERO,
            unseen: Duration::ZERO,
            late: Duration::ZERO,
            asked: Asked::new(now, None, None),
        }
    }

    /// The processor time of the bot since it was started; none if it is not known.
    pub fn cpu(&mut self) -> Option<Duration> {
        self.tree.as_mut()?.cpu()
    }

    /// What the bot does while it says nothing; none if it is not known.
    pub fn silence(&mut self) -> Option<Silence> {
        self.tree.as_mut()?.silence()
    }

    /// The bot plays another game: what it used between the two is not counted.
    pub fn forget(&mut self) {
        self.last = None;
        self.pondered = Duration::ZERO;
        self.resumed = Duration::ZERO;
    }

    /// Begins a question that may use this much processor time; returns the time of the beginning.
    ///
    /// A stopped bot uses nothing. What it used all the same is charged to this question: the beginning is that much earlier.
    pub fn begin(&mut self, cpu: Option<Duration>) -> Instant {
        let mut now = Instant::now();
        let mut before = self.last.filter(|_| self.frozen || now - self.ended < SHORT_WAIT);
        if before.is_none() {
            before = self.tree.as_mut().and_then(ProcessTree::cpu);
            now = Instant::now();
            if let (Some(before), Some(last)) = (before, self.last) {
                self.pondered += before.saturating_sub(last);
            }
        } else if self.frozen && now - self.ended > WOKEN {
            let used = self.used_while_stopped();
            self.pondered += used;
            now = Instant::now().checked_sub(used).unwrap_or(now);
        }
        self.asked = Asked::new(now, before, cpu);
        now
    }

    /// The processor time of a stopped bot since it was stopped, if it is more than [`WOKEN`].
    fn used_while_stopped(&mut self) -> Duration {
        let (Some(tree), Some(last)) = (&mut self.tree, self.last) else { return Duration::ZERO };
        tree.look_at_others();
        let used = tree.cpu().map_or(Duration::ZERO, |now| now.saturating_sub(last));
        if used <= WOKEN {
            return Duration::ZERO;
        }
        if !tree.is_stopped() {
            self.resumed += used;
        }
        used
    }

    /// The processor time that the bot used in this game after something resumed it while it was stopped, if it is more than
    /// the match allows.
    pub fn resumed(&self) -> Option<Duration> {
        Some(self.resumed).filter(|&used| used > RESUMED)
    }

    /// Lets the bot run, if it is stopped.
    pub fn thaw(&mut self) {
        if self.frozen {
            self.frozen = false;
            self.tree.iter_mut().for_each(ProcessTree::resume);
        }
    }

    /// When to [look](Meter::look) while the bot has not answered.
    pub fn next_look(&self) -> Option<Instant> {
        let memory = self.asked.seen + MEMORY_EVERY;
        Some(self.asked.cpu.map_or(memory, |(_, cpu)| memory.min(cpu)))
    }

    /// Checks the limits of the bot on move.
    pub fn look(&mut self) -> Option<Over> {
        let now = Instant::now();
        let tree = self.tree.as_mut()?;
        let may_differ = tree.look();
        if let Some((limit, at)) = self.asked.cpu.filter(|&(_, at)| now >= at) {
            let used = tree.cpu().zip(self.asked.before).map(|(now, before)| now.saturating_sub(before));
            let left = used.map_or(limit, |used| limit.saturating_sub(used));
            if left.is_zero() {
                return Some(Over::Cpu);
            }
            // It takes one thread this long to use up what is left.
            self.asked.cpu = Some((limit, at.max(now) + left.max(CPU_EVERY)));
        }
        if let Some(allowed) = self.tasks.filter(|_| may_differ) {
            let had = tree.tasks();
            if had.processes > allowed.processes || had.threads > allowed.threads {
                return Some(Over::Limit(LimitExceeded::Tasks(had)));
            }
        }
        if now >= self.asked.seen + MEMORY_EVERY {
            self.asked.seen = now;
            let used = tree.memory();
            return (used > self.settings.limits.memory).then_some(Over::Limit(LimitExceeded::Memory(used)));
        }
        None
    }

    /// Ends the question after this time; `next` says whether the bot is asked again.
    pub fn end(&mut self, took: Duration, next: Next) -> Used {
        let Some(tree) = &mut self.tree else { return Used::default() };
        let frozen = next == Next::Wait && self.settings.time.pondering == Pondering::Off;
        if frozen {
            tree.stop();
        } else if took >= SHORT_PLY {
            tree.look();
        }
        self.frozen = frozen;
        self.last = tree.cpu();
        let cpu = self.last.zip(self.asked.before).map(|(after, before)| after.saturating_sub(before));
        let mut exceeded = None;
        // A short ply is not looked at, but several short ones are.
        self.unseen += took;
        if self.unseen >= MEMORY_EVERY {
            self.unseen = Duration::ZERO;
            let limit = self.settings.limits.memory;
            exceeded = Some(tree.peak()).filter(|&peak| peak > limit).map(LimitExceeded::Memory);
        }
        self.ended = self.asked.began + took;
        Used { cpu, exceeded }
    }

    /// Notes that a timer went off that was set for this time.
    pub fn woke(&mut self, planned: Option<Instant>) {
        self.late = self.late.max(planned.map_or(Duration::ZERO, |planned| planned.elapsed()));
    }

    /// The longest delay of a timer since this was last called.
    pub fn take_late(&mut self) -> Duration {
        std::mem::take(&mut self.late)
    }

    /// Processor time that the bot used while it was not on move, since this was last called.
    pub fn take_pondered(&mut self) -> Duration {
        std::mem::take(&mut self.pondered)
    }
}

/// What becomes of a bot after a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It waits for another.
    Wait,
    /// It has said nothing, and is not asked again.
    Leave,
}
