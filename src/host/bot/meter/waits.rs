//! What the machine took from a question: time in which the bot on move, or arbiter itself, could
//! run and was not run.
//!
//! Whether arbiter ran shows in its looks ([`StallDetector`]), whether the bot was run in its
//! processor time and its threads ([`RunDelay`](crate::bot::run_delay)). What the bots of the game
//! used meanwhile is subtracted from both: a bot must gain nothing by keeping the machine busy.

use super::{LOOK_EVERY, Meter, Next, Opponent, between};
use crate::bot::run_delay::TreeTimes;
use crate::bot::stall::StallDetector;
use crate::bot::system::ProcessTree;
use arbiter_game::ClockKind;
use std::mem;
use std::time::{Duration, Instant};

/// Maximum total extension of a deadline.
const MAX_EXTENSION: Duration = Duration::from_secs(60);
/// Minimum of one extension.
const MIN_EXTENSION: Duration = Duration::from_millis(1);
/// A bot that is not run for longer than this at the end of its time may have lost by that: it is
/// the default margin of a ply.
const NOT_RUN: Duration = Duration::from_millis(20);

/// What the machine took from the questions to a bot, until it is reported.
pub(super) struct Waits {
    /// Whether arbiter itself was able to look while the bot was asked.
    pub stalls: StallDetector,
    /// The processor time of the bot as of the last look, to see whether it delayed a timer.
    pub cpu_seen: Option<Duration>,
    /// The processor time as of the last [`Meter::take_delays`].
    cpu_reported: Duration,
    /// How long the bot was not run, if it may have lost its time by that.
    not_run: Duration,
    /// How long it waited for a processor in the long questions of this game.
    waited: Duration,
    /// The times of its threads when it was stopped after a long question.
    pub threads_at_answer: Option<TreeTimes>,
}

/// What tells whether the machine disturbed a game, or a bot of it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delays {
    /// How long arbiter itself did not run, as far as no bot of the game can have caused that.
    pub stalled: Duration,
    /// The processor time of the bot; `None` if it is not known.
    pub used: Option<Duration>,
    /// How long it could run and was not run, while its opponent was not either, if it may have
    /// lost its time by that.
    pub not_run: Duration,
    /// How long it waited for a processor while it was asked. Waits in short questions do not
    /// count.
    pub waited: Duration,
}

impl Default for Delays {
    fn default() -> Delays {
        Delays {
            stalled: Duration::ZERO,
            used: Some(Duration::ZERO),
            not_run: Duration::ZERO,
            waited: Duration::ZERO,
        }
    }
}

impl Waits {
    pub fn new() -> Waits {
        Waits {
            stalls: StallDetector::start(),
            cpu_seen: None,
            cpu_reported: Duration::ZERO,
            not_run: Duration::ZERO,
            waited: Duration::ZERO,
            threads_at_answer: None,
        }
    }
}

impl Meter {
    /// Looks when bytes came; `planned` is when a timer would have gone off.
    pub fn heard(&mut self, planned: Option<Instant>, opponent: &mut Opponent<'_>) {
        let late = self.waits.stalls.look(planned);
        self.add_stall(late, opponent);
    }

    /// Looks when a timer has gone off that was set for `planned`.
    pub fn woke(&mut self, planned: Option<Instant>, opponent: &mut Opponent<'_>) {
        let late = self.waits.stalls.look_and_work(planned);
        let used = self.used_by_both(opponent);
        if let Some(late) = late {
            self.waits.stalls.add(late, used);
        }
    }

    /// What the bots of the game used since the last look: they may have kept arbiter from running.
    fn used_by_both(&mut self, opponent: &mut Opponent<'_>) -> Duration {
        let by_opponent = opponent.used_since_look();
        self.look_at_run_delay(by_opponent).unwrap_or_default() + by_opponent
    }

    /// What a timer made arbiter look for is done, and the next wait of the same question begins.
    pub fn wait_on(&mut self, opponent: &mut Opponent<'_>) {
        let late = self.waits.stalls.wait_on();
        self.add_stall(late, opponent);
    }

    /// Adds a look that was late, if it was.
    fn add_stall(&mut self, late: Option<Duration>, opponent: &mut Opponent<'_>) {
        if let Some(late) = late {
            let used = self.used_by_both(opponent);
            self.waits.stalls.add(late, used);
        }
    }

    /// The processor time since the last look; `None` if it is not known.
    pub(super) fn used_since_look(&mut self) -> Option<Duration> {
        let now = self.cpu();
        let before = mem::replace(&mut self.waits.cpu_seen, now);
        between(before, now)
    }

    /// Looks whether the bot is run; `by_opponent` is what its opponent has used since the last
    /// look. Returns what the bot used since then.
    fn look_at_run_delay(&mut self, by_opponent: Duration) -> Option<Duration> {
        let used = self.used_since_look();
        let can_run = || self.tree.as_ref().is_some_and(ProcessTree::can_run);
        self.question.run_delay.look(Instant::now(), used, by_opponent, can_run);
        used
    }

    /// How long the bot could run by now and was not run, while its opponent was not either; `None`
    /// if it is run.
    fn not_run(&mut self) -> Option<Duration> {
        self.look_at_run_delay(Duration::ZERO);
        let run_delay = &self.question.run_delay;
        run_delay.lasts().then(|| run_delay.lasting_without_opponent(Instant::now()))
    }

    /// Where processor time is charged, extends the deadline by what the machine has kept the bot
    /// waiting; false if that is nothing new.
    pub fn extend(&mut self, deadline: &mut Option<Instant>) -> bool {
        if self.settings.time.clock == ClockKind::Wall {
            return false;
        }
        // A wait of less would come again and again, each time for the price of a look.
        let more = self.next_extension();
        if more < MIN_EXTENSION {
            return false;
        }
        self.question.extension += more;
        if let Some(deadline) = deadline {
            *deadline += more;
        }
        true
    }

    /// Records at the end of a question whether arbiter, or the bot, was not run.
    pub(super) fn end_waits(&mut self, now: Instant, next: Next) {
        if let Some(late) = self.waits.stalls.end(self.question.put, LOOK_EVERY, now) {
            let used = self.used_since_look().unwrap_or_default();
            self.waits.stalls.add(late, used);
        }
        if self.question.run_delay.lasts() {
            self.waits.not_run = match self.not_run() {
                Some(time) if next == Next::Leave && time > NOT_RUN => time,
                _ => Duration::ZERO,
            };
        }
    }

    /// Adds what the threads of the bot waited in a question that was long enough for a look.
    pub(super) fn note_threads(&mut self) {
        self.waits.threads_at_answer = None;
        if self.question.run_delay.first.is_none() {
            return;
        }
        self.waits.threads_at_answer = self.tree.as_mut().and_then(ProcessTree::times);
        if let Some(times) = &self.waits.threads_at_answer {
            self.question.waited = self.question.run_delay.total(Instant::now(), times);
            self.waits.waited += self.question.waited;
        }
    }

    /// The bot has said nothing for the `took` that it had: records what it waited, if that may be
    /// why.
    pub fn note_silence(&mut self, took: Duration) {
        if self.settings.time.clock == ClockKind::Wall {
            let kept = self.question.run_delay.kept(self.question.waited, took).unwrap_or_default();
            self.waits.not_run = self.waits.not_run.max(kept);
        }
    }

    /// How long the machine has kept the bot waiting in this question.
    fn waited_on_move(&mut self) -> Duration {
        match self.tree.as_mut().and_then(ProcessTree::times) {
            Some(times) => self.question.run_delay.total(Instant::now(), &times),
            None => Duration::ZERO,
        }
    }

    /// The part of the waits by which the deadline may be extended and was not yet.
    fn next_extension(&mut self) -> Duration {
        self.waited_on_move().min(MAX_EXTENSION).saturating_sub(self.question.extension)
    }

    /// The wall time of an answer that took `took` and may take `allowed`, if it is to be judged by
    /// that. Where processor time is charged and it took longer, what the machine kept the bot
    /// waiting is subtracted.
    pub fn without_delay(
        &mut self,
        took: Duration,
        allowed: Option<Duration>,
        opponent: &mut Opponent<'_>,
    ) -> Duration {
        if let Some(allowed) = allowed
            && took > allowed
        {
            match self.settings.time.clock {
                ClockKind::Cpu => {
                    let more = self.next_extension();
                    self.question.extension += more;
                }
                ClockKind::Wall => {
                    let waited = self.waited_on_move();
                    let by_opponent = opponent.used_since_look();
                    let run_delay = &mut self.question.run_delay;
                    run_delay.look(Instant::now(), None, by_opponent, || false);
                    let made_late = run_delay.made_late(waited, took, allowed);
                    self.waits.not_run = made_late.unwrap_or_default();
                }
            }
        }
        took.saturating_sub(self.question.extension)
    }

    /// How long the bot could run and was not run, if its deadline cannot be extended any more.
    pub fn given_up(&mut self) -> Option<Duration> {
        let may_extend = self.question.extension + MIN_EXTENSION <= MAX_EXTENSION;
        if may_extend { None } else { self.not_run() }
    }

    /// The delays and the processor time since this was last called.
    pub fn take_delays(&mut self) -> Delays {
        let now = self.cpu();
        let before = mem::replace(&mut self.waits.cpu_reported, now.unwrap_or_default());
        Delays {
            stalled: self.waits.stalls.take(),
            used: now.map(|now| now.saturating_sub(before)),
            not_run: mem::take(&mut self.waits.not_run),
            waited: mem::take(&mut self.waits.waited),
        }
    }
}
