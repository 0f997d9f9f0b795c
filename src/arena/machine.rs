//! Detects when the machine disturbed a game, through neither bot's fault (docs/clocks.md, Disturbed games).
//!
//! There are four signs: arbiter's own timers fired late, a bot that lost by its time could run and was not run, the host of a
//! virtual machine took the processors (steal time), or programs waited for memory. Each says only that the times of this
//! game are unreliable, not which ply was affected.
//!
//! A bot that loses would like its game to be played again, so a sign is a reason for that only as far as no bot of the
//! game can have caused it:
//!
//! - A bot can keep arbiter from running. What the bots use while a timer is late is not counted as a delay (see the
//!   meter of a bot), nor is a wait of one bot while the other one runs. If arbiter's control group has a limit of processor time and exceeds it, bots can have used it up.
//! - A host that limits the processor time of a machine takes more when bots compute more. So only what was taken
//!   beyond the processor time of the bots counts.
//! - A bot can wait for memory when it likes, by filling its limit. So waiting counts only where control groups show that
//!   other programs than bots waited too.

use crate::bot::{Delays, Launcher, starved, stolen, throttled};
use crate::rules::BySide;
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
    /// The processor time of bots since then; none if it is not known.
    used: Option<Duration>,
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
    /// Time that the control group of arbiter was not let run, because it had used up its processor time.
    throttled: Duration,
}

impl Machine {
    pub fn new(launcher: Launcher) -> Machine {
        let counters = Counters::read(&launcher);
        Machine { launcher, seen: Instant::now(), counters, used: Some(Duration::ZERO) }
    }

    /// What disturbed a game that is over, if anything did. Counters of short games are read together, and a disturbance is
    /// attributed to the last of them.
    pub fn disturbance(&mut self, delays: BySide<Delays>) -> Option<Disturbance> {
        let BySide { first, second } = delays;
        let late = first.timer.max(second.timer);
        let not_run = first.not_run.max(second.not_run);
        let used = first.used.zip(second.used).map(|(first, second)| first + second);
        self.used = self.used.zip(used).map(|(before, more)| before + more);
        let mut signs = Vec::new();
        let passed = self.seen.elapsed();
        if passed >= EVERY || late > LATE || !not_run.is_zero() {
            let now = Counters::read(&self.launcher);
            let before = std::mem::replace(&mut self.counters, now);
            let used = self.used.replace(Duration::ZERO);
            self.seen = Instant::now();
            signs = signs_between(before, now, [late, not_run], used, passed);
        }
        let annuls = signs.iter().any(|&(_, annuls)| annuls);
        let signs: Vec<String> = signs.into_iter().map(|(sign, _)| sign).collect();
        (!signs.is_empty()).then(|| Disturbance { signs: signs.join(", "), annuls })
    }
}

/// Every sign, and whether no bot can have caused it; `late` is the longest delay of a timer, `not_run` how long a bot was not
/// run, `used` the processor time of the bots.
fn signs_between(
    before: Counters,
    now: Counters,
    [late, not_run]: [Duration; 2],
    used: Option<Duration>,
    passed: Duration,
) -> Vec<(String, bool)> {
    let notable = |time: Duration| time >= NOTABLE && time * PART >= passed;
    let stolen = now.stolen.saturating_sub(before.stolen);
    let starved = now.starved.saturating_sub(before.starved);
    let by_bots = before.starved_bots.zip(now.starved_bots).map(|(before, now)| now.saturating_sub(before));
    let by_others = by_bots.map_or(Duration::ZERO, |by_bots| starved.saturating_sub(by_bots));
    let beyond_bots = used.map_or(Duration::ZERO, |used| stolen.saturating_sub(used));
    let late_text = || format!("a timer went off {} ms late", late.as_millis());
    let not_run_text = || {
        let ms = not_run.as_millis();
        format!("the bot that lost by its time could run and had no processor for {ms} ms")
    };
    let stolen_text =
        || format!("{} ms of processor time went to other machines on this one", stolen.as_millis());
    let starved_text = || format!("programs waited {} ms for memory", starved.as_millis());
    let has_time = now.throttled == before.throttled;
    let late = (late > LATE).then(|| (late_text(), has_time));
    let not_run = (!not_run.is_zero()).then(|| (not_run_text(), has_time));
    let stolen = notable(stolen).then(|| (stolen_text(), notable(beyond_bots)));
    let starved = notable(starved).then(|| (starved_text(), notable(by_others)));
    late.into_iter().chain(not_run).chain(stolen).chain(starved).collect()
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
    use crate::game::Sandbox;

    const SECOND: Duration = Duration::from_secs(1);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Whether each sign is a reason to play again, in a second in which the counters went from nothing to these.
    fn annulling(now: Counters, late: Duration, used: Option<Duration>) -> Vec<bool> {
        let before =
            Counters { starved_bots: now.starved_bots.map(|_| Duration::ZERO), ..Counters::default() };
        signs_between(before, now, [late, Duration::ZERO], used, SECOND)
            .into_iter()
            .map(|(_, annuls)| annuls)
            .collect()
    }

    #[test]
    fn little_is_no_disturbance_and_much_is() {
        let counters =
            |stolen, starved| Counters { stolen: ms(stolen), starved: ms(starved), ..Counters::default() };
        let signs = |now, seconds| {
            signs_between(counters(100, 100), now, [LATE, Duration::ZERO], None, Duration::from_secs(seconds))
                .len()
        };
        assert_eq!(signs(counters(100, 100), 1), 0);
        assert_eq!(signs(counters(140, 149), 1), 0, "less than 50 ms each");
        assert_eq!(signs(counters(150, 100), 1), 1);
        assert_eq!(signs(counters(200, 200), 1), 2);
        assert_eq!(signs(counters(200, 200), 60), 0, "too small a part of a minute");
        let mut machine = Machine::new(Launcher::new("arbiter".into(), Sandbox::Off));
        let mut signs = |timer, not_run| {
            let found = machine.disturbance(BySide {
                first: Delays { not_run, ..Delays::default() },
                second: Delays { timer, ..Delays::default() },
            });
            found.map(|found| found.signs).unwrap_or_default()
        };
        assert!(!signs(LATE, Duration::ZERO).contains(" ms late"));
        assert!(signs(ms(70), Duration::ZERO).starts_with("a timer went off 70 ms late"));
        assert!(signs(LATE, ms(900)).contains("had no processor for 900 ms"));
    }

    #[test]
    fn a_late_timer_and_a_bot_that_is_not_run_annul_unless_arbiters_own_group_used_up_its_processor_time() {
        let throttled = Counters { throttled: ms(1), ..Counters::default() };
        for (now, annuls) in [(Counters::default(), true), (throttled, false)] {
            let signs = signs_between(Counters::default(), now, [ms(70), ms(70)], None, SECOND);
            assert_eq!(signs.into_iter().map(|(_, annuls)| annuls).collect::<Vec<_>>(), [annuls; 2]);
        }
    }

    #[test]
    fn processor_time_that_the_host_took_annuls_as_far_as_bots_did_not_compute() {
        let stolen = Counters { stolen: ms(400), ..Counters::default() };
        for (used, annuls) in [(Some(0), true), (Some(349), true), (Some(351), false), (None, false)] {
            assert_eq!(annulling(stolen, Duration::ZERO, used.map(ms)), [annuls], "{used:?}");
        }
    }

    #[test]
    fn a_bot_that_waits_for_memory_does_not_annul_its_game() {
        let signs = |starved, bots: Option<u64>| {
            let now = Counters { starved: ms(starved), starved_bots: bots.map(ms), ..Counters::default() };
            annulling(now, Duration::ZERO, None)
        };
        assert_eq!(signs(430, None), [false], "without control groups it may have been a bot");
        assert_eq!(signs(430, Some(430)), [false]);
        assert_eq!(signs(430, Some(400)), [false]);
        assert_eq!(signs(430, Some(200)), [true], "others waited for 230 ms at least");
    }
}
