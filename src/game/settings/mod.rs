//! The settings of a game, as one value with one default.
//!
//! A configuration reads [`Settings`], and `arbiter play` overwrites defaults by flags. Settings
//! are written as flags ([`Settings::flags`]) and as the keys that identify a tournament's games
//! ([`Settings::identity`]). The table and key of a setting in a configuration, its flag, its
//! possible values and whether it decides games are defined once, in its row of [`FIELDS`]. Only
//! the time control has no row, because it is one value of several keys.

mod field;
mod units;

pub use field::{FIELDS, Field, FieldKind, FieldValue};
pub use units::{SIZE_UNITS, parse_size, size_text};

use super::usage::{DiskUsage, Tasks};
use crate::clock::{Charged, TimeControl, WallCap, duration_text};
use arbiter_rules::text::words;
use arbiter_rules::{BySide, Ruleset, Side};
use std::time::Duration;

/// The most processor time that a bot may use in a game while it is not on move and its processes
/// are stopped. Something may resume them; but a stop also takes effect only at the end of a system
/// call, which may be a long one.
pub const RESUMED: Duration = Duration::from_millis(50);

/// The limit of a bot's scratch folder under `strict`.
pub const SCRATCH: DiskUsage = DiskUsage { bytes: 64 << 20, files: 4096 };

/// The default of `stall`. It is no part of a tournament's identity, so that folders can be resumed
/// that were begun before this limit existed.
const STALL: Duration = Duration::from_hours(1);

/// The settings of a game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// The game, with its options.
    pub ruleset: Ruleset,
    /// `[time]`: clocks and timeouts.
    pub time: TimeSettings,
    /// `[match]`: the rules of a match beside those of the game.
    pub rules: MatchSettings,
    /// `[limits]`: the resources and isolation of bots.
    pub limits: Limits,
}

/// `[time]`: clocks and timeouts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeSettings {
    /// The clock of each side: a stock and an increment, or a time for each ply, or no clock.
    pub control: BySide<TimeControl>,
    /// A separate limit for a bot's first move.
    pub first_move: Option<Duration>,
    /// How long a bot may take to get ready.
    pub start: Duration,
    /// How long a bot may take to exit after its last line.
    pub grace: Duration,
    /// How far a move may exceed its limit without losing.
    pub margin: Duration,
    /// Which time is charged.
    pub clock: ClockKind,
    /// The cap on the wall time of a ply, when processor time is charged.
    pub wall_cap: WallCap,
    /// How long a program without a clock may take for a move.
    pub stall: Duration,
    /// How long running games may go on after an interruption.
    pub finish: Duration,
    /// Whether a bot runs while it is not on move.
    pub pondering: Pondering,
}

/// `[match]`: the rules of a match beside those of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchSettings {
    /// Answers before an illegal one loses; at least 1.
    pub attempts: u32,
    /// The number of plies that draws; 0 for the larger of 400 and twice the number of squares.
    pub max_plies: u32,
    /// The occurrence of a position that draws, at least 2; 0 for never.
    pub repetition: u32,
    /// Whether a bot is sent all legal plies in each turn.
    pub tell_moves: bool,
    /// Whether a worker has a core of its own.
    pub pin: Pin,
    /// Whether a game that the machine disturbed is played again.
    pub replay_disturbed: bool,
}

/// `[limits]`: the resources and isolation of bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The level of isolation.
    pub sandbox: Sandbox,
    /// The level below which nothing is played; `None` if every level will do.
    pub require_isolation: Option<Sandbox>,
    /// Memory of all processes of a bot, in bytes.
    pub memory: u64,
    /// The most processes that a bot may have; more than 1 allows fork.
    pub processes: u32,
    /// The most threads that the processes of a bot may have together.
    pub threads: u32,
    /// The most bytes that a bot may write to stdout for a ply; its stderr is cut at ten times this
    /// in a game.
    pub output: u64,
    /// How long the `build` of a bot may take.
    pub build_time: Duration,
    /// How long the rules of a custom game may take for an answer.
    pub rules_time: Duration,
}

words! {
    /// Which time a bot is charged with.
    ClockKind {
        /// Wall time.
        Wall = "wall",
        /// The processor time of the bot's processes.
        Cpu = "cpu",
    }

    /// Whether a bot may think while it is not on move.
    Pondering {
        /// It is frozen.
        Off = "off",
        /// It runs.
        On = "on",
    }

    /// Whether a worker and its two bots have a core of their own.
    Pin {
        /// Only if bots off move are frozen and there are as many cores as workers.
        Auto = "auto",
        /// Never.
        Off = "off",
        /// Always; a bot that thinks on its opponent's time then takes the opponent's core.
        On = "on",
    }

    /// The level of isolation of a bot, from the lowest to the highest.
    Sandbox {
        /// No isolation.
        Off = "off",
        /// A clean environment, no inherited files, and limits: against harm by accident.
        Basic = "basic",
        /// Also no access to other files, to the network and to other processes.
        Strict = "strict",
    }
}

impl Default for TimeSettings {
    fn default() -> Self {
        TimeSettings {
            control: BySide::default(),
            first_move: None,
            start: Duration::from_secs(10),
            grace: Duration::from_millis(500),
            margin: Duration::from_millis(20),
            clock: ClockKind::Wall,
            wall_cap: WallCap::DEFAULT,
            stall: STALL,
            finish: Duration::from_secs(60),
            pondering: Pondering::Off,
        }
    }
}

impl Default for MatchSettings {
    fn default() -> Self {
        MatchSettings {
            attempts: 1,
            max_plies: 0,
            repetition: 3,
            tell_moves: true,
            pin: Pin::Auto,
            replay_disturbed: false,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            sandbox: Sandbox::Strict,
            require_isolation: None,
            memory: 512 << 20,
            processes: 1,
            threads: 64,
            output: 1 << 20,
            build_time: Duration::from_secs(300),
            rules_time: Duration::from_secs(10),
        }
    }
}

impl TimeSettings {
    /// The time that a ply is charged with.
    pub fn charged(&self) -> Charged {
        match self.clock {
            ClockKind::Wall => Charged::Wall,
            ClockKind::Cpu => Charged::Cpu(self.wall_cap),
        }
    }

    /// Whether games can depend on `stall`: a side has no clock, and the limit is not the default.
    fn stall_decides(&self) -> bool {
        let BySide { first, second } = self.control;
        [first, second].contains(&TimeControl::Unlimited) && self.stall != STALL
    }
}

impl Limits {
    /// The most processes and threads of a bot.
    pub fn tasks(&self) -> Tasks {
        Tasks { processes: self.processes, threads: self.threads }
    }
}

impl Settings {
    /// The defaults of `arbiter play` (docs/reference/commands.md, Flags): those of a
    /// configuration, but with the sandbox `basic`.
    pub fn of_play() -> Settings {
        let mut settings = Settings::default();
        settings.limits.sandbox = Sandbox::Basic;
        settings
    }

    /// The default settings for a game of this ruleset.
    pub fn for_ruleset(ruleset: Ruleset) -> Settings {
        Settings { ruleset, ..Settings::default() }
    }

    /// These settings with another time control, for both sides.
    pub fn with_control(&self, control: TimeControl) -> Settings {
        self.with_own_clocks(BySide::from_fn(|_| Some(control)))
    }

    /// These settings with the clocks that bots have of their own; `None` for a bot without one.
    pub fn with_own_clocks(&self, own: BySide<Option<TimeControl>>) -> Settings {
        let mut settings = self.clone();
        for side in Side::BOTH {
            if let Some(control) = own[side] {
                settings.time.control[side] = control;
            }
        }
        settings
    }

    /// The number of plies that draws.
    pub fn max_plies(&self) -> u32 {
        let squares = (self.ruleset.rows() * self.ruleset.columns()) as u32;
        if self.rules.max_plies > 0 { self.rules.max_plies } else { (2 * squares).max(400) }
    }

    /// The most time that both bots together can use in a game, by the clocks and the limit of
    /// plies; `None` if one of them has no clock.
    pub fn longest_game(&self) -> Option<Duration> {
        let mut total = self.time.first_move.unwrap_or_default().saturating_mul(2);
        let mut longest_ply = Duration::ZERO;
        for side in Side::BOTH {
            let (stock, ply) = match self.time.control[side] {
                TimeControl::Game { base, increment } => (base, increment),
                TimeControl::Ply(each) => (Duration::ZERO, each),
                TimeControl::Unlimited => return None,
            };
            total += stock;
            longest_ply = longest_ply.max(ply);
        }
        // A side may have several plies in a row, so the longer ply counts for all of them.
        Some(total + longest_ply.saturating_mul(self.max_plies()))
    }

    /// The most wall time of a game; `None` without a clock. If processor time is charged, each ply
    /// may take the cap of the whole stock, because a bot that sleeps uses up nothing of it.
    pub fn longest_wall(&self) -> Option<Duration> {
        let longest = self.longest_game()?;
        let charged @ Charged::Cpu(_) = self.time.charged() else { return Some(longest) };
        let plies = self.max_plies();
        let mut budget = self.time.first_move.unwrap_or_default();
        for side in Side::BOTH {
            budget = budget.max(match self.time.control[side] {
                TimeControl::Game { base, increment } => base + increment.saturating_mul(plies),
                TimeControl::Ply(each) => each,
                TimeControl::Unlimited => Duration::ZERO,
            });
        }
        Some(charged.wall_limit(budget, self.time.margin).saturating_mul(plies))
    }

    /// The dotted key and the canonical text of every setting that decides games, in a fixed order:
    /// games that were played under settings that differ here must not share a result folder.
    ///
    /// ```
    /// # use arbiter_game::Settings;
    /// let identity = Settings::default().identity();
    /// assert_eq!(identity[0], ("game".into(), "loa".into()));
    /// assert!(identity.contains(&("time.base".into(), "10s".into())));
    /// ```
    pub fn identity(&self) -> Vec<(String, String)> {
        let mut keys = vec![
            ("game".to_owned(), self.ruleset.game().name().to_owned()),
            ("options".to_owned(), self.ruleset.options_text()),
        ];
        // The digest of the rules: a changed file is another game.
        if let Some(rules) = self.ruleset.game().rules_file() {
            keys.push(("rules".to_owned(), rules.to_string()));
        }
        let BySide { first, second } = self.time.control;
        for (key, value) in first.keys() {
            keys.push((format!("time.{key}"), value));
        }
        if first != second {
            for (key, value) in second.keys() {
                keys.push((format!("time.second.{key}"), value));
            }
        }
        for field in FIELDS.iter().filter(|field| field.decides(self)) {
            keys.push((format!("{}.{}", field.table, field.key), field.text(self)));
        }
        keys
    }

    /// The flags of `arbiter play` that turn the settings `from` into these, as words of the
    /// command line, without the game and its options, and without clocks that differ: their flags
    /// name the bots.
    ///
    /// ```
    /// # use arbiter_game::Settings;
    /// let mut settings = Settings::of_play();
    /// settings.limits.memory = 64 << 20;
    /// assert_eq!(settings.flags(&Settings::of_play()), ["--memory", "64MiB"]);
    /// ```
    pub fn flags(&self, from: &Settings) -> Vec<String> {
        let mut flags = Vec::new();
        if let Some(control) = self.time.control.common()
            && self.time.control != from.time.control
        {
            flags.extend(match control {
                TimeControl::Ply(time) => ["--move-time".to_owned(), duration_text(time)],
                TimeControl::Unlimited => ["--time".to_owned(), "none".to_owned()],
                control @ TimeControl::Game { .. } => ["--time".to_owned(), control.to_string()],
            });
        }
        for field in FIELDS.iter().filter(|field| field.text(self) != field.text(from)) {
            match field.kind {
                FieldKind::Truth => flags.push(format!("--{}={}", field.key, field.text(self))),
                _ => flags.extend([format!("--{}", field.key), field.text(self)]),
            }
        }
        flags
    }

    /// The tag `Settings` of a game log: the flags of `arbiter play` that differ from its defaults,
    /// of those settings that decide games, as words for a shell.
    ///
    /// ```
    /// # use arbiter_game::Settings;
    /// assert_eq!(Settings::of_play().tag(), "");
    /// assert_eq!(Settings::default().tag(), "--sandbox strict");
    /// ```
    pub fn tag(&self) -> String {
        // Settings that decide nothing get their default, and so no flag.
        let mut deciding = self.clone();
        for field in FIELDS.iter().filter(|field| !field.decides(self)) {
            field.copy(&Settings::of_play(), &mut deciding);
        }
        let mut flags = deciding.flags(&Settings::of_play());
        for flag in &mut flags {
            // No other character of a flag has a meaning for a shell.
            if flag.contains('=') {
                *flag = format!("'{flag}'");
            }
        }
        flags.join(" ")
    }

    /// Checks that limits do not contradict each other; the error is about `threads`.
    ///
    /// # Errors
    /// There are fewer threads than processes.
    pub fn check(&self) -> Result<(), String> {
        let Limits { processes, threads, .. } = self.limits;
        if threads < processes {
            return Err(format!(
                "each of {processes} `processes` has a thread at least, so `threads` cannot be \
                 {threads}"
            ));
        }
        Ok(())
    }
}
