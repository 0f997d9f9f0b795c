//! Detects when the machine disturbed a game, through neither bot's fault.
//!
//! There are three signs: arbiter's own timers fired late, the host of a virtual machine took the processors
//! (steal time), or programs waited for memory. Each says only that the times of this game are unreliable,
//! not which ply was affected.
//!
//! A bot can wait for memory when it likes, by filling its limit. So waiting is a reason to play a game again
//! only where control groups show that other programs than bots waited too.

use crate::bot::{Launcher, starved, stolen};
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
    /// What starts the bots of this run.
    launcher: Launcher,
    seen: Instant,
    counters: Counters,
}

/// How the machine disturbed a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Disturbance {
    /// The signs, for the log.
    pub signs: String,
    /// Whether no bot can have caused it, so that the game may be played again.
    pub annuls: bool,
}

/// Counters of the kernel since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counters {
    /// Time, summed over all processors, that the host gave to other machines.
    stolen: Duration,
    /// Time that programs waited for memory.
    starved: Duration,
    /// Time that bots of this run waited for memory; none where no control group counts it.
    starved_bots: Option<Duration>,
}

impl Machine {
    pub fn new(launcher: Launcher) -> Machine {
        let counters = Counters::read(&launcher);
        Machine { launcher, seen: Instant::now(), counters }
    }

    /// What disturbed a game that is over, if anything did; `late` is the worst delay of its timers. Counters
    /// of short games are read together, and a disturbance is attributed to the last of them.
    pub fn disturbance(&mut self, late: Duration) -> Option<Disturbance> {
        let mut signs = Vec::new();
        if late > LATE {
            signs.push((format!("a timer went off {} ms late", late.as_millis()), true));
        }
        let passed = self.seen.elapsed();
        if passed >= EVERY {
            let now = Counters::read(&self.launcher);
            let before = std::mem::replace(&mut self.counters, now);
            self.seen = Instant::now();
            signs.extend(signs_between(before, now, passed));
        }
        let annuls = signs.iter().any(|&(_, annuls)| annuls);
        let signs: Vec<String> = signs.into_iter().map(|(sign, _)| sign).collect();
        (!signs.is_empty()).then(|| Disturbance { signs: signs.join(", "), annuls })
    }
}

/// Every sign, and whether no bot can have caused it.
fn signs_between(before: Counters, now: Counters, passed: Duration) -> Vec<(String, bool)> {
    let notable = |time: Duration| time >= NOTABLE && time * PART >= passed;
    let stolen = now.stolen.saturating_sub(before.stolen);
    let starved = now.starved.saturating_sub(before.starved);
    let by_bots = before.starved_bots.zip(now.starved_bots).map(|(before, now)| now.saturating_sub(before));
    let by_others = by_bots.map_or(Duration::ZERO, |by_bots| starved.saturating_sub(by_bots));
    let stolen_text =
        || format!("{} ms of processor time went to other machines on this one", stolen.as_millis());
    let starved_text = || format!("programs waited {} ms for memory", starved.as_millis());
    let stolen = notable(stolen).then(|| (stolen_text(), true));
    let starved = notable(starved).then(|| (starved_text(), notable(by_others)));
    stolen.into_iter().chain(starved).collect()
}

impl Counters {
    fn read(launcher: &Launcher) -> Counters {
        Counters { stolen: stolen(), starved: starved(), starved_bots: launcher.starved_bots() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Sandbox;

    #[test]
    fn little_is_no_disturbance_and_much_is() {
        let counters = |stolen, starved| {
            let [stolen, starved] = [stolen, starved].map(Duration::from_millis);
            Counters { stolen, starved, starved_bots: None }
        };
        let signs = |now, seconds| signs_between(counters(100, 100), now, Duration::from_secs(seconds)).len();
        assert_eq!(signs(counters(100, 100), 1), 0);
        assert_eq!(signs(counters(140, 149), 1), 0, "less than 50 ms each");
        assert_eq!(signs(counters(150, 100), 1), 1);
        assert_eq!(signs(counters(200, 200), 1), 2);
        assert_eq!(signs(counters(200, 200), 60), 0, "too small a part of a minute");
        let machine = || Machine::new(Launcher::new("arbiter".into(), Sandbox::Off));
        assert!(machine().disturbance(LATE).is_none());
        let found = machine().disturbance(Duration::from_millis(70)).unwrap();
        assert_eq!(found, Disturbance { signs: "a timer went off 70 ms late".to_owned(), annuls: true });
    }

    #[test]
    fn a_bot_that_waits_for_memory_does_not_annul_its_game() {
        let signs = |stolen, starved, bots: Option<u64>| {
            let [stolen, starved] = [stolen, starved].map(Duration::from_millis);
            let starved_bots = bots.map(Duration::from_millis);
            let before = Counters { starved_bots: bots.map(|_| Duration::ZERO), ..Counters::default() };
            let now = Counters { stolen, starved, starved_bots };
            signs_between(before, now, Duration::from_secs(1)).into_iter().map(|(_, annuls)| annuls).collect()
        };
        let none: Vec<bool> = signs(0, 430, None);
        assert_eq!(none, [false], "without control groups it may have been a bot");
        assert_eq!(signs(0, 430, Some(430)), [false]);
        assert_eq!(signs(0, 430, Some(400)), [false]);
        assert_eq!(signs(0, 430, Some(200)), [true], "others waited for 230 ms at least");
        assert_eq!(signs(100, 430, None), [true, false]);
    }
}
