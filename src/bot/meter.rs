//! What a bot uses while it is asked, and whether it may run while it is not.
//!
//! Processor time is read when a question is put and when it is answered. A bot that may not ponder is stopped as soon
//! as it has answered (or has said that it is ready) and goes on when the next request is in its pipe; whatever it used
//! between its answer and its stop is charged to its next ply. Of one that may ponder the time off move is summed up.

use super::system::ProcessTree;
use crate::game::{LimitExceeded, Pondering, Settings, Tasks};
use std::time::{Duration, Instant};

/// How often the memory and the processes of a bot on move are looked at.
const MEMORY_EVERY: Duration = Duration::from_millis(5);
/// Processor time is not looked at more often than this.
const CPU_EVERY: Duration = Duration::from_millis(2);

/// A bot that ran for less than this off move is not looked at when its next ply begins: what it used, the way from its
/// answer to its next `read` as a rule, counts for that ply.
const SHORT_WAIT: Duration = Duration::from_micros(20);
/// A bot that is stopped and has used more than this meanwhile let itself go on.
const WOKEN: Duration = Duration::from_millis(1);
/// In a ply shorter than this nothing can have been started that used anything to speak of.
const SHORT_PLY: Duration = Duration::from_micros(100);

/// The meter of one bot.
pub(super) struct Meter {
    family: Option<ProcessTree>,
    settings: Settings,
    /// Processes and threads that it may be; none where it is not kept to that.
    tasks: Option<Tasks>,
    frozen: bool,
    /// Its processor time at the end of the last question.
    last: Option<Duration>,
    /// When that was.
    ended: Instant,
    /// What it used off move.
    pondered: Duration,
    /// How long it was on move since its memory was looked at.
    unseen: Duration,
    /// How late our timers went off at worst.
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
    pub fn new(family: Option<ProcessTree>, settings: Settings, tasks: Option<Tasks>) -> Meter {
        let now = Instant::now();
        Meter {
            family,
            settings,
            tasks,
            frozen: false,
            last: None,
            ended: now,
            pondered: Duration::ZERO,
            unseen: Duration::ZERO,
            late: Duration::ZERO,
            asked: Asked::new(now, None, None),
        }
    }

    /// The bot plays another game: what it used between the two is not counted.
    pub fn forget(&mut self) {
        self.last = None;
        self.pondered = Duration::ZERO;
    }

    /// A question is about to be put that may use so much processor time: when it begins, which is now.
    pub fn begin(&mut self, cpu: Option<Duration>) -> Instant {
        let mut now = Instant::now();
        let mut before = self.last.filter(|_| self.frozen || now - self.ended < SHORT_WAIT);
        // One that is stopped uses nothing; what it used all the same is not its next ply's.
        let woken = self.frozen
            && now - self.ended > WOKEN
            && self.family.as_mut().and_then(ProcessTree::cpu) > self.last.map(|last| last + WOKEN);
        if before.is_none() || woken {
            before = self.family.as_mut().and_then(ProcessTree::cpu);
            now = Instant::now();
        }
        if let (Some(before), Some(last)) = (before, self.last) {
            self.pondered += before.saturating_sub(last);
        }
        self.asked = Asked::new(now, before, cpu);
        now
    }

    /// Lets the bot run, if it is stopped.
    pub fn thaw(&mut self) {
        if self.frozen {
            self.frozen = false;
            self.family.iter_mut().for_each(ProcessTree::resume);
        }
    }

    /// When to [look](Meter::look) while the bot has not answered.
    pub fn next_look(&self) -> Option<Instant> {
        let memory = self.asked.seen + MEMORY_EVERY;
        Some(self.asked.cpu.map_or(memory, |(_, cpu)| memory.min(cpu)))
    }

    /// Looks whether the bot has too much of anything.
    pub fn look(&mut self) -> Option<Over> {
        let now = Instant::now();
        let family = self.family.as_mut()?;
        let may_differ = family.look();
        if let Some((limit, at)) = self.asked.cpu.filter(|&(_, at)| now >= at) {
            let used = family.cpu().zip(self.asked.before).map(|(now, before)| now.saturating_sub(before));
            let left = used.map_or(limit, |used| limit.saturating_sub(used));
            if left.is_zero() {
                return Some(Over::Cpu);
            }
            // It takes one thread this long to use up what is left.
            self.asked.cpu = Some((limit, at.max(now) + left.max(CPU_EVERY)));
        }
        if let Some(allowed) = self.tasks.filter(|_| may_differ) {
            let had = family.tasks();
            if had.processes > allowed.processes || had.threads > allowed.threads {
                return Some(Over::Limit(LimitExceeded::Tasks(had)));
            }
        }
        if now >= self.asked.seen + MEMORY_EVERY {
            self.asked.seen = now;
            let used = family.memory();
            return (used > self.settings.limits.memory).then_some(Over::Limit(LimitExceeded::Memory(used)));
        }
        None
    }

    /// The question is over after this time, for a bot that is kept waiting for the next or for one that is not.
    pub fn end(&mut self, took: Duration, next: Next) -> Used {
        let Some(family) = &mut self.family else { return Used::default() };
        let frozen = next == Next::Wait && self.settings.time.pondering == Pondering::Off;
        if frozen {
            family.stop();
        } else if took >= SHORT_PLY {
            family.look();
        }
        self.frozen = frozen;
        self.last = family.cpu();
        let cpu = self.last.zip(self.asked.before).map(|(after, before)| after.saturating_sub(before));
        let mut exceeded = None;
        // A short ply is not looked at, but several short ones are.
        self.unseen += took;
        if self.unseen >= MEMORY_EVERY {
            self.unseen = Duration::ZERO;
            let limit = self.settings.limits.memory;
            exceeded = Some(family.peak()).filter(|&peak| peak > limit).map(LimitExceeded::Memory);
        }
        self.ended = self.asked.began + took;
        Used { cpu, exceeded }
    }

    /// A timer has gone off that was to go off at this time.
    pub fn woke(&mut self, planned: Option<Instant>) {
        self.late = self.late.max(planned.map_or(Duration::ZERO, |planned| planned.elapsed()));
    }

    /// How late timers went off at worst since this was last asked.
    pub fn take_late(&mut self) -> Duration {
        std::mem::take(&mut self.late)
    }

    /// Processor time that the bot used while it was not on move, since this was last asked.
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
