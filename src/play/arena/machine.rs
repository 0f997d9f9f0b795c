//! Detects when the machine disturbed a game, through neither bot's fault
//! (docs/reference/clocks.md, Disturbed games).
//!
//! There are five signs: arbiter itself did not run while it waited for an answer, the machine was
//! suspended, a bot that lost by its time could run and was not run, the host of a virtual machine
//! took the processors (steal time), or programs waited for memory. Each says only that the times
//! of this game are unreliable, not which ply was affected.
//!
//! A bot that loses would like its game to be played again, so a sign is a reason for that only as
//! far as no bot of the game can have caused it:
//!
//! - A bot can keep arbiter from running. What the bots use while arbiter waits for a processor is
//!   not counted as a stall (see `StallDetector`), nor is a wait of one bot while the other one
//!   runs. If arbiter's control group has a limit of processor time and exceeds it, bots can have
//!   used it up.
//! - A host that limits the processor time of a machine takes more when bots compute more. So only
//!   what was taken beyond the processor time of the bots counts.
//! - A bot can wait for memory when it likes, by filling its limit. So waiting counts only where
//!   control groups show that other programs than bots waited too.

use arbiter_host::bot::{Delays, Launcher, starved, stolen, suspended, throttled};
use arbiter_rules::BySide;
use std::time::{Duration, Instant};

/// A stall of more than this counts as a disturbance: it is the default margin of a ply.
pub(super) const STALLED: Duration = Duration::from_millis(20);
/// Stolen time and waits for memory count if they are at least this long and at least this part
/// (1/n) of the time.
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
    /// The processor time of bots since then, if it is known.
    used: Option<Duration>,
    /// How long the machine had been suspended when the game began.
    suspended: Duration,
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
    /// Time that bots of this run waited for memory; `None` where no control group counts it.
    starved_bots: Option<Duration>,
    /// Time that the control group of arbiter was not let run, because it had used up its processor
    /// time.
    throttled: Duration,
}

impl Machine {
    pub fn new(launcher: Launcher) -> Machine {
        let counters = Counters::read(&launcher);
        let used = Some(Duration::ZERO);
        let suspended = suspended();
        Machine { launcher, seen: Instant::now(), counters, used, suspended }
    }

    /// A game begins: a machine that was suspended between two games has disturbed none.
    pub fn begin_game(&mut self) {
        self.suspended = suspended();
    }

    /// What disturbed a game that is over, if anything did. Counters of short games are read
    /// together, and a disturbance is attributed to the last of them.
    pub fn disturbance(&mut self, delays: BySide<Delays>) -> Option<Disturbance> {
        let BySide { first, second } = delays;
        let found = Found {
            stalled: first.stalled.max(second.stalled),
            suspended: suspended().saturating_sub(self.suspended),
            not_run: first.not_run.max(second.not_run),
        };
        self.used = match (self.used, first.used, second.used) {
            (Some(before), Some(first), Some(second)) => Some(before + first + second),
            _ => None,
        };
        let mut signs = Vec::new();
        let passed = self.seen.elapsed();
        if passed >= EVERY || found.is_sign() {
            let now = Counters::read(&self.launcher);
            let before = std::mem::replace(&mut self.counters, now);
            let used = self.used.replace(Duration::ZERO);
            self.seen = Instant::now();
            signs = signs_between(before, now, found, used, passed);
        }
        if signs.is_empty() {
            return None;
        }
        let (signs, annuls): (Vec<String>, Vec<bool>) = signs.into_iter().unzip();
        Some(Disturbance { signs: signs.join(", "), annuls: annuls.contains(&true) })
    }
}

/// What was found in the questions of one game.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    /// How long arbiter itself did not run.
    stalled: Duration,
    /// How long the machine was suspended.
    suspended: Duration,
    /// How long a bot was not run that may have lost its time by that.
    not_run: Duration,
}

impl Found {
    fn is_stalled(self) -> bool {
        self.stalled > STALLED
    }

    /// Whether the machine was suspended. The two clocks that show it are not read at one moment.
    fn is_suspended(self) -> bool {
        self.suspended >= NOTABLE
    }

    fn is_sign(self) -> bool {
        self.is_stalled() || self.is_suspended() || !self.not_run.is_zero()
    }
}

/// Every sign, and whether no bot can have caused it; `used` is the processor time of the bots.
fn signs_between(
    before: Counters,
    now: Counters,
    found: Found,
    used: Option<Duration>,
    passed: Duration,
) -> Vec<(String, bool)> {
    let stolen = now.stolen.saturating_sub(before.stolen);
    let starved = now.starved.saturating_sub(before.starved);
    // What bots can have caused is left out; where it is not known, that may be all.
    let by_others = match (before.starved_bots, now.starved_bots) {
        (Some(before), Some(now)) => starved.saturating_sub(now.saturating_sub(before)),
        _ => Duration::ZERO,
    };
    let beyond_bots = match used {
        Some(used) => stolen.saturating_sub(used),
        None => Duration::ZERO,
    };
    let Found { stalled, suspended, not_run } = found;
    let mut signs = Vec::new();
    // A control group that is out of processor time keeps arbiter and its bots from running alike.
    let has_time = now.throttled == before.throttled;
    if found.is_stalled() {
        let ms = stalled.as_millis();
        signs.push((format!("arbiter itself did not run for {ms} ms"), has_time));
    }
    if found.is_suspended() {
        let seconds = suspended.as_secs_f64();
        signs.push((format!("the machine was suspended for {seconds:.1} s"), true));
    }
    if !not_run.is_zero() {
        let ms = not_run.as_millis();
        let sign =
            format!("the bot that lost by its time could run and had no processor for {ms} ms");
        signs.push((sign, has_time));
    }
    if is_notable(stolen, passed) {
        let ms = stolen.as_millis();
        let sign = format!("{ms} ms of processor time went to other machines on this one");
        signs.push((sign, is_notable(beyond_bots, passed)));
    }
    if is_notable(starved, passed) {
        let sign = format!("programs waited {} ms for memory", starved.as_millis());
        signs.push((sign, is_notable(by_others, passed)));
    }
    signs
}

fn is_notable(time: Duration, passed: Duration) -> bool {
    time >= NOTABLE && time * PART >= passed
}

impl Counters {
    fn read(launcher: &Launcher) -> Counters {
        let starved_bots = launcher.starved_bots();
        Counters { stolen: stolen(), starved: starved(), starved_bots, throttled: throttled() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_game::Sandbox;

    const SECOND: Duration = Duration::from_secs(1);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Whether each sign is a reason to play again, in a second in which the counters went from
    /// nothing to these.
    fn annulling(now: Counters, late: Duration, used: Option<Duration>) -> Vec<bool> {
        let before = Counters {
            starved_bots: now.starved_bots.map(|_| Duration::ZERO),
            ..Counters::default()
        };
        signs_between(before, now, Found { stalled: late, ..Found::default() }, used, SECOND)
            .into_iter()
            .map(|(_, annuls)| annuls)
            .collect()
    }

    #[test]
    fn little_is_no_disturbance_and_much_is() {
        let counters = |stolen, starved| Counters {
            stolen: ms(stolen),
            starved: ms(starved),
            ..Counters::default()
        };
        let edge = Found { stalled: STALLED, suspended: ms(49), ..Found::default() };
        let signs = |now, seconds| {
            signs_between(counters(100, 100), now, edge, None, Duration::from_secs(seconds)).len()
        };
        assert_eq!(signs(counters(100, 100), 1), 0);
        assert_eq!(signs(counters(140, 149), 1), 0, "less than 50 ms each");
        assert_eq!(signs(counters(150, 100), 1), 1);
        assert_eq!(signs(counters(200, 200), 1), 2);
        assert_eq!(signs(counters(200, 200), 60), 0, "too small a part of a minute");
        let mut machine = Machine::new(Launcher::new("arbiter".into(), Sandbox::Off));
        let mut noted = |stalled, not_run| {
            let found = machine.disturbance(BySide {
                first: Delays { not_run, ..Delays::default() },
                second: Delays { stalled, ..Delays::default() },
            });
            found.map(|found| found.signs).unwrap_or_default()
        };
        assert!(!noted(STALLED, Duration::ZERO).contains("arbiter itself"));
        assert!(noted(ms(70), Duration::ZERO).starts_with("arbiter itself did not run for 70 ms"));
        assert!(noted(STALLED, ms(900)).contains("had no processor for 900 ms"));
    }

    #[test]
    fn a_stall_and_a_bot_that_is_not_run_annul_unless_arbiters_own_group_used_up_its_processor_time()
     {
        let throttled = Counters { throttled: ms(1), ..Counters::default() };
        for (now, annuls) in [(Counters::default(), true), (throttled, false)] {
            let found = Found { stalled: ms(70), not_run: ms(70), ..Found::default() };
            let signs = signs_between(Counters::default(), now, found, None, SECOND);
            assert_eq!(
                signs.into_iter().map(|(_, annulled)| annulled).collect::<Vec<_>>(),
                [annuls; 2]
            );
        }
    }

    #[test]
    fn a_machine_that_was_suspended_annuls() {
        let found = Found { suspended: Duration::from_secs(3600), ..Found::default() };
        let signs = signs_between(Counters::default(), Counters::default(), found, None, SECOND);
        assert_eq!(signs, [("the machine was suspended for 3600.0 s".to_owned(), true)]);
    }

    #[test]
    fn processor_time_that_the_host_took_annuls_as_far_as_bots_did_not_compute() {
        let stolen = Counters { stolen: ms(400), ..Counters::default() };
        for (used, annuls) in
            [(Some(0), true), (Some(349), true), (Some(351), false), (None, false)]
        {
            assert_eq!(annulling(stolen, Duration::ZERO, used.map(ms)), [annuls], "{used:?}");
        }
    }

    #[test]
    fn a_bot_that_waits_for_memory_does_not_annul_its_game() {
        let signs = |starved, bots: Option<u64>| {
            let now = Counters {
                starved: ms(starved),
                starved_bots: bots.map(ms),
                ..Counters::default()
            };
            annulling(now, Duration::ZERO, None)
        };
        assert_eq!(signs(430, None), [false], "without control groups it may have been a bot");
        assert_eq!(signs(430, Some(430)), [false]);
        assert_eq!(signs(430, Some(400)), [false]);
        assert_eq!(signs(430, Some(200)), [true], "others waited for 230 ms at least");
    }
}
