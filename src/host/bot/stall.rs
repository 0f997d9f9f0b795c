//! Whether arbiter itself was able to look while it waited (docs/reference/clocks.md, Disturbed
//! games).
//!
//! An arbiter that was stopped (`SIGSTOP`, Ctrl-Z, a frozen container) finds the answer and the
//! expired deadline at once when it goes on. Nothing tells then which of them came first, and how
//! long the answer took is unknown. So every wait has a look that is due soon, and is followed by a
//! look whatever ended it: a timer, bytes, the end of the program. A look that comes much later
//! than it was due shows that arbiter did not run.
//!
//! What follows depends on who is waited for. The question to a player of a game is marked
//! ([`StallDetector`]), and its deadline stays where it is: under `basic` a bot can stop arbiter,
//! and must gain no time by that. Of a wait that decides no game, such as the grace period, only
//! the time counts in which arbiter looked ([`Patience`]).

use super::system::{kept_waiting, within};
use rustix::time::{ClockId, clock_gettime};
use std::pin::pin;
use std::time::{Duration, Instant};

/// A look that is this late is worth asking why.
const DELAY: Duration = Duration::from_millis(5);
/// How often arbiter looks while it waits for a person, or where no game is decided.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Notices when the thread that waits for an answer does not run.
#[derive(Debug)]
pub struct StallDetector {
    /// When it looked last.
    looked: Instant,
    /// The processor time of this thread when a timer last made it look.
    worked: Duration,
    /// How long the thread had waited for a processor, as of the last late look.
    run_delay: Option<Duration>,
    /// The longest stall that no bot of the game can have caused.
    longest: Duration,
}

impl StallDetector {
    pub fn start() -> StallDetector {
        StallDetector {
            looked: Instant::now(),
            worked: Duration::ZERO,
            run_delay: run_delay(),
            longest: Duration::ZERO,
        }
    }

    /// A question is asked: what this thread did before does not count.
    pub fn begin(&mut self, now: Instant) {
        self.looked = now;
    }

    /// Looks; returns how late that is, if it is late enough to be [added](StallDetector::add).
    /// `due` is when the look was due at the latest.
    pub fn look(&mut self, due: Option<Instant>) -> Option<Duration> {
        let before = std::mem::replace(&mut self.looked, Instant::now());
        notable(self.looked.saturating_duration_since(due?.max(before)))
    }

    /// The same where a timer made it look, which is followed by work.
    pub fn look_and_work(&mut self, due: Option<Instant>) -> Option<Duration> {
        self.worked = thread_cpu();
        self.look(due)
    }

    /// The work is done, and the next wait begins; returns by how much it took longer than this
    /// thread computed. Work has no look in it, and the thread may be stopped there as well.
    pub fn wait_on(&mut self) -> Option<Duration> {
        let now = Instant::now();
        let passed = notable(now.saturating_duration_since(self.looked));
        self.looked = now;
        notable(passed?.saturating_sub(thread_cpu().saturating_sub(self.worked)))
    }

    /// How late the end of a question at `now` is, which was put at `put`: for its first look, if
    /// an answer was read without a wait, or else for its last one.
    pub fn end(&self, put: Instant, first_look: Duration, now: Instant) -> Option<Duration> {
        let due = if self.looked == put { put + first_look } else { self.looked };
        notable(now.saturating_duration_since(due))
    }

    /// Adds a late look, with the processor time that the bots of the game used meanwhile.
    ///
    /// That may be why the thread did not run, but only as far as it waited for a processor. A
    /// stopped process does not wait for one, however much the bots compute meanwhile.
    pub fn add(&mut self, late: Duration, used_by_bots: Duration) {
        let now = run_delay();
        let before = std::mem::replace(&mut self.run_delay, now);
        let waited = now.zip(before).map(|(now, before)| now.saturating_sub(before));
        self.longest = self.longest.max(beyond_bots(late, used_by_bots, waited));
    }

    /// The longest stall since this was last called.
    pub fn take(&mut self) -> Duration {
        std::mem::take(&mut self.longest)
    }

    /// Waits for a person, who takes no processor time of this machine.
    pub async fn watch<T>(&mut self, answer: impl Future<Output = T>) -> T {
        let mut answer = pin!(answer);
        self.begin(Instant::now());
        loop {
            let due = self.looked + LOOK_EVERY;
            let answered = within(LOOK_EVERY, answer.as_mut()).await;
            if let Some(late) = self.look(Some(due)) {
                self.add(late, Duration::ZERO);
            }
            if let Some(answered) = answered {
                return answered;
            }
        }
    }
}

fn notable(late: Duration) -> Option<Duration> {
    (late > DELAY).then_some(late)
}

/// The processor time of this thread.
fn thread_cpu() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// How long this thread has waited for a processor; `None` if the kernel does not count that.
fn run_delay() -> Option<Duration> {
    kept_waiting().filter(|waited| !waited.is_zero())
}

/// What of a late look the bots cannot have caused, if the thread `waited` for a processor.
fn beyond_bots(late: Duration, used_by_bots: Duration, waited: Option<Duration>) -> Duration {
    let by_bots = match waited {
        Some(waited) => waited.min(used_by_bots),
        None => used_by_bots,
    };
    late.saturating_sub(by_bots)
}

/// How late a look must be until a wait is extended: timers are late by less on any machine.
const NOTICED: Duration = Duration::from_millis(20);

/// The end of a wait that decides no game: time in which arbiter did not look does not count.
#[derive(Debug)]
pub(super) struct Patience(Instant);

impl Patience {
    pub fn new(time: Duration) -> Patience {
        Patience(Instant::now() + time)
    }

    /// The end as it is now.
    pub fn deadline(&self) -> Instant {
        self.0
    }

    /// When to look next.
    pub fn next_look(&self) -> Instant {
        self.0.min(Instant::now() + LOOK_EVERY)
    }

    /// What is left of the wait.
    pub fn left(&self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Looks, which was due at `due` at the latest; returns whether the wait is over.
    pub fn is_over(&mut self, due: Instant) -> bool {
        let now = Instant::now();
        let late = now.saturating_duration_since(due);
        if late > NOTICED {
            // What came meanwhile is seen when the event loop has had its turn.
            self.0 = (self.0 + late).max(now + LOOK_EVERY);
        }
        now >= self.0
    }
}

/// The result of the future; `None` if it does not come within this time.
pub(super) async fn patiently<T>(time: Duration, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut patience = Patience::new(time);
    loop {
        let due = patience.next_look();
        let left = due.saturating_duration_since(Instant::now());
        if let Some(value) = within(left, future.as_mut()).await {
            return Some(value);
        }
        if patience.is_over(due) {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn bots_excuse_a_late_look_only_as_far_as_this_thread_waited_for_a_processor() {
        for (used, waited, stalled, why) in [
            (0, Some(0), 3000, "stopped"),
            (200, Some(1), 2999, "stopped while a bot computed"),
            (9000, Some(1), 2999, "stopped while a bot with several threads computed"),
            (3000, Some(3000), 0, "not run because a bot was"),
            (200, Some(3000), 2800, "not run because other programs were"),
            (200, None, 2800, "unknown"),
        ] {
            assert_eq!(beyond_bots(ms(3000), ms(used), waited.map(ms)), ms(stalled), "{why}");
        }
    }

    #[test]
    fn every_gap_between_two_looks_is_late_whatever_comes_behind_it() {
        let mut stalls = StallDetector::start();
        let long_ago = Instant::now().checked_sub(ms(3000)).unwrap();
        stalls.begin(long_ago);
        assert!(stalls.look(Some(long_ago + ms(5))) > Some(ms(2900)));
        assert_eq!(stalls.look(None), None, "nothing was due");
        stalls.begin(Instant::now() + ms(60_000));
        assert_eq!(stalls.look(Some(long_ago)), None, "it was busy when the look was due");
        stalls.look_and_work(None);
        stalls.begin(long_ago);
        assert!(stalls.wait_on() > Some(ms(2000)), "stopped while it worked");
        let put = Instant::now();
        stalls.begin(put);
        assert_eq!(stalls.end(put, ms(5), put + ms(10)), None);
        assert_eq!(stalls.end(put, ms(5), put + ms(905)), Some(ms(900)));
        stalls.begin(put + ms(600));
        assert_eq!(stalls.end(put, ms(5), put + ms(905)), Some(ms(305)), "since its last look");
    }

    #[test]
    fn time_in_which_arbiter_did_not_look_is_no_part_of_a_wait() {
        let mut patience = Patience::new(ms(60_000));
        let (begin, end) = (Instant::now(), patience.deadline());
        assert!(patience.next_look() <= begin + ms(1000) && patience.deadline() == end);
        assert!(!patience.is_over(Instant::now()) && patience.deadline() == end, "a look in time");
        assert!(!patience.is_over(begin.checked_sub(ms(90_000)).unwrap()));
        assert!(patience.deadline() >= end + ms(90_000));
        let mut late_look = Patience::new(Duration::ZERO);
        assert!(!late_look.is_over(begin.checked_sub(ms(90_000)).unwrap()), "one more look");
        let mut look_in_time = Patience::new(Duration::ZERO);
        assert!(look_in_time.is_over(Instant::now()));
    }
}
