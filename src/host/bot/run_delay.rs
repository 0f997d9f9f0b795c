//! How long a bot on move could run and the machine did not run it (docs/reference/clocks.md, A bot
//! that is not run).
//!
//! Owns the arithmetic, and reads neither `/proc` nor the time. The kernel adds a wait to the
//! counter of its thread when the wait ends. A wait that lasts shows in looks: if a thread can run
//! and the processor time of all processes stays the same, none of them is run.
//!
//! A bot must gain nothing by waits that it causes itself. So of the wait of a thread only what is
//! more than its other threads used meanwhile counts, and a thread that has lowered its own
//! priority is left out by the reader of `/proc`.

use std::time::{Duration, Instant};

/// A thread, as one look shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadTimes {
    pub id: i32,
    /// Its processor time.
    pub ran: Duration,
    /// How long it has waited for a processor, without the wait that lasts.
    pub waited: Duration,
}

/// The id of the thread of arbiter that waits for the answer.
pub(super) const ARBITER: i32 = 0;

/// All threads of a bot at one moment. The thread of arbiter that waits for the answer counts as
/// one, with the id 0 and without processor time: an answer that it reads late comes late.
#[derive(Debug, Clone, Default)]
pub(super) struct TreeTimes {
    /// The processor time of all processes of the bot.
    pub cpu: Duration,
    pub threads: Vec<ThreadTimes>,
}

impl TreeTimes {
    /// The times at the beginning of a question to a bot whose threads had these times when it was
    /// stopped. What arbiter waited since then is no wait of this question.
    pub fn since_stop(self, arbiter_waited: Duration) -> TreeTimes {
        let mut times = self;
        for thread in &mut times.threads {
            if thread.id == ARBITER {
                thread.waited = arbiter_waited;
            }
        }
        times
    }

    /// The longest time that one thread has waited since `before`, less what the others used:
    ///
    /// ```text
    /// max over threads of (Δwaited(thread) - (Δcpu(all) - Δran(thread)))
    /// ```
    ///
    /// A wait that lasts is not counted.
    fn ended_waits(&self, before: &TreeTimes) -> Duration {
        let used_by_all = self.cpu.saturating_sub(before.cpu);
        let mut longest = Duration::ZERO;
        for now in &self.threads {
            let mut ran = now.ran;
            let mut waited = now.waited;
            if let Some(was) = before.threads.iter().find(|was| was.id == now.id) {
                ran = ran.saturating_sub(was.ran);
                waited = waited.saturating_sub(was.waited);
            }
            let used_by_others = used_by_all.saturating_sub(ran);
            longest = longest.max(waited.saturating_sub(used_by_others));
        }
        longest
    }
}

/// What one question shows of the waits of a bot.
#[derive(Debug, Default)]
pub(super) struct RunDelay {
    /// The threads at the beginning of the question or soon after it; `None` if it has just begun.
    pub first: Option<TreeTimes>,
    /// Since which look no process of the bot was run although a thread could run, and what its
    /// opponent had used by then.
    since: Option<(Instant, Duration)>,
    /// What its opponent has used since the beginning of the question.
    opponent: Duration,
}

impl RunDelay {
    /// Records a look at `now`: what the bot (`None` if that is not known) and its opponent have
    /// used since the look before, and whether a thread can run, which is asked only where it
    /// matters.
    pub fn look(
        &mut self,
        now: Instant,
        used: Option<Duration>,
        opponent: Duration,
        can_run: impl FnOnce() -> bool,
    ) {
        self.opponent += opponent;
        if used != Some(Duration::ZERO) {
            self.since = None;
        } else if self.since.is_none() && can_run() {
            self.since = Some((now, self.opponent)); // what can run can do so until it is run
        }
    }

    /// Whether the bot was not run as of the last look.
    pub fn lasts(&self) -> bool {
        self.since.is_some()
    }

    /// How long the bot is not run by now, as far as looks show it.
    fn lasting(&self, now: Instant) -> Duration {
        self.since.map_or(Duration::ZERO, |(since, _)| now.saturating_duration_since(since))
    }

    /// The same less what its opponent used meanwhile, which it may have waited for.
    pub fn lasting_without_opponent(&self, now: Instant) -> Duration {
        let Some((_, used_before)) = self.since else { return Duration::ZERO };
        self.lasting(now).saturating_sub(self.opponent.saturating_sub(used_before))
    }

    /// How long the bot waited while its opponent was not run either, of `total` that it waited, if
    /// that may be why it needed the `took` that it did. It must be at least half of that: on a
    /// busy machine there are short waits in every ply, and a bot that is losing could be late for
    /// them.
    pub fn kept(&self, total: Duration, took: Duration) -> Option<Duration> {
        let waited = total.saturating_sub(self.opponent);
        (!waited.is_zero() && waited >= took / 2).then_some(waited)
    }

    /// The same if that made late an answer that was `allowed` less than it took: without the wait
    /// it was in time.
    pub fn made_late(
        &self,
        total: Duration,
        took: Duration,
        allowed: Duration,
    ) -> Option<Duration> {
        let waited = self.kept(total, took)?;
        (took > allowed && took.saturating_sub(waited) <= allowed).then_some(waited)
    }

    /// How long the bot waited in this question, by these times of its threads and the looks.
    pub fn total(&self, now: Instant, times: &TreeTimes) -> Duration {
        let lasting = self.lasting(now);
        match &self.first {
            Some(first) => times.ended_waits(first) + lasting,
            None => lasting,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Threads with these ids, and what they ran and waited, in milliseconds.
    fn times(cpu: u64, threads: &[(i32, u64, u64)]) -> TreeTimes {
        let thread = |&(id, ran, waited)| ThreadTimes { id, ran: ms(ran), waited: ms(waited) };
        TreeTimes { cpu: ms(cpu), threads: threads.iter().map(thread).collect() }
    }

    #[test]
    fn a_wait_counts_as_far_as_no_other_thread_of_the_bot_ran() {
        let first = times(100, &[(0, 0, 900), (7, 90, 40), (8, 10, 5)]);
        for (now, expected, why) in [
            (times(100, &[(0, 0, 900), (7, 90, 40), (8, 10, 5)]), 0, "nothing happened"),
            (times(150, &[(0, 0, 900), (7, 140, 340), (8, 10, 5)]), 300, "other programs ran"),
            (times(400, &[(0, 0, 900), (7, 90, 340), (8, 310, 5)]), 0, "its other thread ran"),
            (times(400, &[(0, 0, 900), (7, 90, 440), (8, 310, 5)]), 100, "both ran"),
            (
                times(400, &[(0, 0, 900), (7, 90, 340), (8, 10, 5)]),
                0,
                "a process of it ran that has ended",
            ),
            (
                times(100, &[(0, 0, 900), (7, 90, 340), (8, 10, 305)]),
                300,
                "both waited at the same time",
            ),
            (times(120, &[(0, 0, 900), (9, 20, 70)]), 70, "a new thread"),
            (times(300, &[(0, 0, 1500), (7, 290, 40), (8, 10, 5)]), 400, "arbiter was not run"),
            (
                times(300, &[(0, 0, 1100), (7, 290, 40), (8, 10, 5)]),
                0,
                "arbiter was not run because the bot was",
            ),
            (times(120, &[]), 0, "it has ended"),
        ] {
            assert_eq!(now.ended_waits(&first), ms(expected), "{why}");
        }
    }

    #[test]
    fn a_wait_lasts_as_long_as_no_process_of_the_bot_is_run() {
        let start = Instant::now();
        let none = Some(Duration::ZERO);
        let mut delay = RunDelay::default();
        let asked = || panic!("asked where it does not matter");
        delay.look(start, Some(ms(1)), ms(40), asked); // it has just run, and may run again at once
        delay.look(start + ms(5), none, ms(0), || false); // it sleeps
        assert_eq!(delay.lasting(start + ms(10)), ms(0));
        delay.look(start + ms(10), none, ms(0), || true);
        delay.look(start + ms(1010), none, ms(300), asked); // arbiter itself was late to look
        delay.look(start + ms(1015), none, ms(2), asked);
        assert_eq!(delay.lasting(start + ms(1015)), ms(1005));
        assert_eq!(delay.lasting_without_opponent(start + ms(1015)), ms(703), "its opponent ran");
        delay.look(start + ms(1020), Some(Duration::from_nanos(1)), ms(0), asked);
        assert_eq!(delay.lasting(start + ms(1020)), ms(0), "it was run");
        delay.look(start + ms(1025), none, ms(0), || true);
        delay.look(start + ms(1030), None, ms(0), asked);
        assert_eq!(delay.lasting(start + ms(1030)), ms(0), "it has ended");
    }

    #[test]
    fn a_late_answer_is_the_machines_if_it_came_in_time_without_a_long_wait() {
        let mut delay = RunDelay::default();
        delay.look(Instant::now(), None, ms(30), || false);
        for (waited, took, allowed, expected) in [
            (630, 1100, 1000, Some(600)), // its opponent used 30 ms
            (630, 900, 1000, None),       // it was in time
            (630, 1700, 1000, None),      // it was late without the wait as well
            (180, 1100, 1000, None),      // a short wait
        ] {
            let found = delay.made_late(ms(waited), ms(took), ms(allowed));
            assert_eq!(found, expected.map(ms), "{waited} {took}");
        }
        // One that has not answered may have been late for its waits if they were half of its time.
        for (waited, took, expected) in [(630, 1100, Some(600)), (530, 1100, None), (30, 0, None)] {
            assert_eq!(delay.kept(ms(waited), ms(took)), expected.map(ms), "{waited} {took}");
        }
    }

    #[test]
    fn what_arbiter_waited_while_another_bot_was_asked_is_no_wait_of_this_question() {
        let first = times(100, &[(0, 0, 900), (7, 90, 40)]).since_stop(ms(1900));
        let of_bot = times(120, &[(0, 0, 1910), (7, 110, 340)]).ended_waits(&first);
        assert_eq!(of_bot, ms(300), "that of the bot before the first look counts");
        let of_arbiter = times(120, &[(0, 0, 1960), (7, 110, 40)]).ended_waits(&first);
        assert_eq!(of_arbiter, ms(40), "and that of arbiter since then");
    }

    #[test]
    fn what_has_ended_and_what_lasts_add_up() {
        let now = Instant::now();
        let mut delay = RunDelay { first: Some(times(10, &[(7, 10, 100)])), ..RunDelay::default() };
        delay.look(now, Some(Duration::ZERO), ms(0), || true);
        assert_eq!(delay.total(now + ms(50), &times(20, &[(7, 20, 130)])), ms(80));
        delay.first = None;
        assert_eq!(delay.total(now + ms(50), &times(20, &[(7, 20, 130)])), ms(50), "no first look");
    }
}
