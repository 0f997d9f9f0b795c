//! What the machine did to a game that was neither bot's doing.
//!
//! Three signs are looked for: that our own timers went off late, that the processors were somebody else's meanwhile
//! (steal time, on virtual machines), and that programs waited for memory. Each says only that times of this game are
//! not to be trusted much; none says which ply it was.

use crate::bot::{starved, stolen};
use std::time::{Duration, Instant};

/// A timer that goes off this late has made its game's times worthless: it is the margin that a ply has by default.
const LATE: Duration = Duration::from_millis(20);
/// Stolen time and waits for memory count from here, and when they are this part of the time.
const NOTABLE: Duration = Duration::from_millis(50);
const PART: u32 = 50;
/// The machine is not looked at more often: a look takes as long as several plies.
const EVERY: Duration = Duration::from_millis(100);

/// A worker's view of the machine: as it was at the end of some game.
pub(super) struct Machine {
    seen: Instant,
    counters: Counters,
}

/// What the kernel counts since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counters {
    /// Time of all processors together that the machine below this one gave to others.
    stolen: Duration,
    /// How long programs had to wait for memory.
    starved: Duration,
}

impl Machine {
    pub fn new() -> Machine {
        Machine { seen: Instant::now(), counters: Counters::read() }
    }

    /// A game is over in which timers went off so late at worst: what disturbed it, if anything did. Short games that
    /// follow one another are looked at together, and the last of them answers for all.
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
        assert_eq!(signs(counters(200, 200), 60), 0, "in a minute that is nothing");
        assert!(Machine::new().disturbance(LATE).is_none());
        let sign = Machine::new().disturbance(Duration::from_millis(70));
        assert_eq!(sign.as_deref(), Some("a timer went off 70 ms late"));
    }
}
