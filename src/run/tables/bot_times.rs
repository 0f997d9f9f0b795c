//! What tables and pages say of the times of bots that no clock shows: those that waited for a
//! processor, and those that slept where processor time is charged (docs/reference/clocks.md).

use arbiter_game::record::SideTimes;
use arbiter_game::{ClockKind, Pondering, Settings};
use arbiter_rules::BySide;
use arbiter_rules::text::counted;
use std::thread;

/// Maximum number of sleeping bots that are named.
const NAMED: usize = 10;

/// The times of the games that count, by the numbers of the bots.
#[derive(Debug, Default)]
pub(crate) struct BotTimes {
    /// Of each bot, the games in which it slept.
    slept: Vec<SideTimes>,
    /// The number of games in which a bot waited for a notable part of its time, and of all.
    waiting: u64,
    games: u64,
}

impl BotTimes {
    pub fn new(bots: usize) -> BotTimes {
        BotTimes { slept: vec![SideTimes::default(); bots], ..BotTimes::default() }
    }

    /// Adds a game of these bots; its log has times only if they are notable.
    pub fn add(&mut self, [first, second]: [usize; 2], times: Option<&BySide<SideTimes>>) {
        self.games += 1;
        let Some(times) = times else { return };
        self.waiting += u64::from(!times.first.waited.is_zero() || !times.second.waited.is_zero());
        for (bot, of_bot) in [(first, times.first), (second, times.second)] {
            if of_bot.sleeps() {
                self.slept[bot].add_all(of_bot);
            }
        }
    }

    /// What the author of a bot reads of its sleep; `None` if it did not sleep.
    pub fn sleep(&self, bot: usize, clock: ClockKind) -> Option<String> {
        let charged = match clock {
            ClockKind::Wall => "wall time is charged, so sleeping and waiting cost as much",
            ClockKind::Cpu => "processor time is charged, and wall time is limited by `wall-cap`",
        };
        Some(format!("{}: {charged}", self.slept(bot)?))
    }

    fn slept(&self, bot: usize) -> Option<String> {
        let slept = self.slept.get(bot)?;
        if slept.plies == 0 {
            return None;
        }
        let wall = (slept.wall / slept.plies).as_secs_f64();
        let cpu = (slept.cpu / slept.plies).as_secs_f64();
        Some(format!("{wall:.2} s of wall time a move, of which it computed for {cpu:.2} s"))
    }

    /// What a table has to say of them.
    pub fn notes(&self, names: &[String], clock: ClockKind) -> Vec<String> {
        let mut notes = Vec::new();
        if self.waiting > 0 {
            let cure = match clock {
                ClockKind::Wall => {
                    "; with clock = \"wall\" that is their own time: play fewer games at once \
                     (--concurrency), or set clock = \"cpu\""
                }
                ClockKind::Cpu => ", which no clock charged",
            };
            notes.push(format!(
                "in {} of {} bots waited for a processor for more than a tenth of their time{cure}",
                self.waiting,
                counted(self.games, "game")
            ));
        }
        let mut sleepers = 0;
        for (bot, name) in names.iter().enumerate() {
            let Some(what) = self.slept(bot) else { continue };
            sleepers += 1;
            if sleepers <= NAMED {
                notes.push(format!("{name} took {what}"));
            }
        }
        if sleepers > NAMED {
            let more = sleepers - NAMED;
            notes.push(format!("and {more} more bots slept for most of their wall time"));
        }
        notes
    }
}

/// What is said before the first game of a run that plays more games at once than there are cores
/// to think on, where the time charged is that which passes; `None` if nothing is to be said.
pub fn crowd(settings: &Settings, at_once: u64) -> Option<String> {
    let cores = thread::available_parallelism().map_or(1, usize::from) as u64;
    // A bot that is not on move is stopped, unless it ponders.
    let thinking = if settings.time.pondering == Pondering::On { 2 } else { 1 };
    let has_clock = settings.longest_game().is_some();
    if settings.time.clock == ClockKind::Cpu || !has_clock || at_once * thinking <= cores {
        return None;
    }
    let most = (cores / thinking).max(1);
    let cores = counted(cores, "core");
    let cure = if at_once > most {
        format!("play {most} at a time (--concurrency {most}), or ")
    } else {
        String::new()
    };
    Some(format!(
        "note: {} at a time on {cores}: bots will wait for a processor, and with the clock \
         \"wall\" that is their own time, by which they may lose; {cure}charge processor time \
         (the clock \"cpu\")",
        counted(at_once, "game")
    ))
}
