//! Detects when the machine disturbed a game, through neither bot's fault.
//!
//! There are three signs: arbiter's own timers fired late, the host of a virtual machine took the processors
//! (steal time), or programs waited for memory. Each says only that the times of this game are unreliable,
//! not which ply was affected.

use crate::bot::{starved, stolen};
use std::time::{Duration, Instant};

/// A timer that fires later than this counts as a disturbance: it is the default margin of a ply.
const LATE: Duration = Duration::from_millis(20);
/// Stolen time and waits for memory count if they are at least this long and at least this part (1/n) of the
/// time.
const NOTABLE: Duration = Duration::from_millis(50);
const PART: u32 = 50;
/// The least time between two readings of the counters: a reading takes as long as several plies.
const EVERY: Duration = Duration::from_millis(100);

/// The counters of the machine as a worker last read them, at the end of a game.
pub(super) struct Machine {
    seen: Instant,
    counters: Counters,
}

/// Counters of the kernel since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counters {
    /// Time, summed over all processors, that the host gave to other machines.
    stolen: Duration,
    /// Time that programs waited for memory.
    starved: Duration,
}

impl Machine {
    pub fn new() -> Machine {
        Machine { seen: Instant::now(), counters: Counters::read() }
    }

    /// What disturbed a game that is over, if anything did; `late` is the worst delay of its timers. Counters
    /// of short games are read together, and a disturbance is attributed to the last of them.
    pub fn disturbance(&mut self, late: Duration) -> Option<String> {
        let mut signs = Vec::new();
        if late > LATE {
            signs.push(format!("a timer went off {} ms late", late.as_millis()));
        }
        let passed = self.seen.elapsed();
        if passed >= EVERY {
            let now = Counters::read();
            let before = std::mem::replace(&mut self.counters, now);
            self.seen = Instant::now();
            signs.extend(signs_between(before, now, passed));
        }
        (!signs.is_empty()).then(|| signs.join(", "))
    }
}

fn signs_between(before: Counters, now: Counters, passed: Duration) -> Vec<String> {
    let notable = |time: Duration| time >= NOTABLE && time * PART >= passed;
    let stolen = now.stolen.saturating_sub(before.stolen);
    let starved = now.starved.saturating_sub(before.starved);
    let stolen = notable(stolen)
        .then(|| format!("{} ms of processor time went to other machines on this one", stolen.as_millis()));
    let starved = notable(starved).then(|| format!("programs waited {} ms for memory", starved.as_millis()));
    stolen.into_iter().chain(starved).collect()
}

impl Counters {
    fn read() -> Counters {
        Counters { stolen: stolen(), starved: starved() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_is_no_disturbance_and_much_is() {
        let counters = |stolen, starved| {
            let [stolen, starved] = [stolen, starved].map(Duration::from_millis);
            Counters { stolen, starved }
        };
        let signs = |now, seconds| signs_between(counters(100, 100), now, Duration::from_secs(seconds)).len();
        assert_eq!(signs(counters(100, 100), 1), 0);
        assert_eq!(signs(counters(140, 149), 1), 0, "less than 50 ms each");
        assert_eq!(signs(counters(150, 100), 1), 1);
        assert_eq!(signs(counters(200, 200), 1), 2);
        assert_eq!(signs(counters(200, 200), 60), 0, "too small a part of a minute");
        assert!(Machine::new().disturbance(LATE).is_none());
        let sign = Machine::new().disturbance(Duration::from_millis(70));
        assert_eq!(sign.as_deref(), Some("a timer went off 70 ms late"));
    }
}
