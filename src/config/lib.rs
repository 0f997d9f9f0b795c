//! The configuration of a tournament: turns its text into a [`Config`] or a list of all errors.
//!
//! Owns the keys, their defaults and the messages about mistakes; the contract is
//! docs/reference/configuration.md. It knows no files, programs or time: whether a bot's
//! program or a file of openings exists is checked when it is opened. [`manifest`] reads a bot's
//! own `bot.toml`.
//!
//! `section` reads a table key by key and collects the errors, `value` reads each kind of value;
//! with these `tables` and `bot_spec` say which keys there are. `checks` compares values that are
//! right one by one.
//!
//! ```
//! use arbiter_config::Config;
//! let config = Config::parse("
//!     name = 'spring-cup'
//!     [schedule]
//!     games = 10
//!     [[bot]]
//!     name = 'conny'
//!     command = 'bots/conny/conny'
//!     [[bot]]
//!     name = 'randy'
//!     command = 'builtin:random'
//! ").unwrap();
//! assert_eq!((config.schedule.format.games, config.schedule.format.rounds), (10, 1));
//!
//! let errors = Config::parse("game = 'loa'\n[schedule]\ngmaes = 10").unwrap_err();
//! assert!(errors.display("cup.toml").to_string().contains(
//!     "cup.toml:3: unknown key `gmaes` in [schedule]; did you mean `games`?"
//! ));
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types, reason = "it only computes")]

pub mod assignment;
mod bot_spec;
mod checks;
pub mod console;
mod difference;
pub mod game_manifest;
mod identity;
pub mod manifest;
mod nearest;
mod problem;
mod section;
mod shape;
mod start_command;
mod tables;
mod value;
mod words;
mod written;

pub use bot_spec::{BotSpec, ConsoleTable, FolderConfig};
pub use difference::difference;
pub use problem::{ConfigError, ConfigErrors};
pub use shape::{
    Expectation, LeagueConfig, MilestonesConfig, PublishConfig, RatingsConfig, ScheduleConfig,
    SprtConfig, UploadsConfig,
};
pub use start_command::StartCommand;
pub use value::BOT_NAME_LETTERS;
pub use words::{FeedbackPlace, Junit, Names, Relation, Restored};
pub use written::settings_tables;

use arbiter_game::Settings;
use arbiter_game::clock::TimeControl;
use arbiter_rules::own::Rules;
use arbiter_rules::{BySide, Game, Ruleset};
use checks::Players;
use section::{Section, read_file, without_paths};
use std::collections::BTreeMap;
use std::time::Duration;

/// A commented file to start from, with every key at its default and two built-in bots.
pub const DEFAULT: &str = include_str!("default.toml");

/// The configuration of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The name of the tournament, used for the result folder and the log's `Event`; without one
    /// the file's name is used.
    pub name: Option<String>,
    /// The settings of each game.
    pub settings: Settings,
    /// Which games are played.
    pub schedule: ScheduleConfig,
    /// The test, if the format is one.
    pub sprt: SprtConfig,
    /// The steps that bots are measured by.
    pub milestones: MilestonesConfig,
    /// How submissions are taken, if the format has no end.
    pub league: LeagueConfig,
    /// How authors hand in by their links; `None` if they cannot.
    pub uploads: Option<UploadsConfig>,
    /// What ratings are relative to.
    pub ratings: RatingsConfig,
    /// The expected score shares, in the order of the file.
    pub expect: Vec<Expectation>,
    /// The bots that are named one by one, in the order of the file.
    pub bots: Vec<BotSpec>,
    /// The folders of bots, in the order of the file.
    pub folders: Vec<FolderConfig>,
    /// The names that tables show after those of bots, by these.
    pub display_names: BTreeMap<String, String>,
    pub publish: PublishConfig,
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// All errors, each with its line: of the TOML syntax; else unknown keys, wrong types,
    /// impossible values, and values that contradict each other.
    pub fn parse(text: &str) -> Result<Config, ConfigErrors> {
        Config::parse_with(text, None, None)
    }

    /// Reads a configuration whose game has these rules if it is a custom game.
    ///
    /// # Errors
    /// As for [`parse`](Config::parse).
    pub fn parse_by(text: &str, rules: Option<&Rules>) -> Result<Config, ConfigErrors> {
        Config::parse_with(text, rules, None)
    }

    /// Reads a configuration whose game and options are these if it is a custom game: as a journal
    /// records them, whose rules need not be there.
    ///
    /// # Errors
    /// As for [`parse`](Config::parse).
    pub fn parse_told(text: &str, recorded: Option<&Ruleset>) -> Result<Config, ConfigErrors> {
        Config::parse_with(text, None, recorded)
    }

    fn parse_with(
        text: &str,
        rules: Option<&Rules>,
        recorded: Option<&Ruleset>,
    ) -> Result<Config, ConfigErrors> {
        read_file(text, |root| read(root, rules, recorded))
    }

    /// The most time of their clocks that two of its bots can use in a game; `None` without a
    /// clock.
    pub fn longest_game(&self) -> Option<Duration> {
        self.longest(Settings::longest_game)
    }

    /// The most wall time that a game of two of its bots can take; `None` without a clock.
    pub fn longest_wall(&self) -> Option<Duration> {
        self.longest(Settings::longest_wall)
    }

    fn longest(&self, of: fn(&Settings) -> Option<Duration>) -> Option<Duration> {
        let mut clocks: Vec<Option<TimeControl>> = self.bots.iter().map(|bot| bot.time).collect();
        if !self.folders.is_empty() {
            // Bots of folders have the clock of the tournament, and two of them may meet.
            clocks.extend([None, None]);
        }
        let mut games = Vec::new();
        for (at, &first) in clocks.iter().enumerate() {
            for &second in &clocks[at + 1..] {
                games.push(of(&self.settings.with_own_clocks(BySide { first, second })));
            }
        }
        if games.is_empty() {
            games.push(of(&self.settings));
        }
        games.into_iter().max().flatten()
    }
}

/// Reads the tables and checks their values; `None` if a required value has an error, which is then
/// reported. A custom game has these rules, or else the ruleset that a journal has recorded.
fn read(root: &Section<'_>, rules: Option<&Rules>, recorded: Option<&Ruleset>) -> Option<Config> {
    let reading = root.reading;
    let name = root.take("name", value::title);
    let game = root.or("game", value::text, "loa".to_owned());
    let options = root.table("options", "[options]", tables::options);
    let mut schedule = root.table("schedule", "[schedule]", tables::schedule);
    // Both have numbers of the format too.
    let sprt = root.table("sprt", "[sprt]", |section| tables::sprt(section, &mut schedule.format));
    let milestones = root.table("milestones", "[milestones]", |section| {
        tables::milestones(section, &mut schedule.format)
    });
    let league = root.table("league", "[league]", tables::league);
    let uploads = root.table("uploads", "[uploads]", tables::uploads);
    let uploads = reading.has("uploads").then_some(uploads);
    let ratings = root.table("ratings", "[ratings]", tables::ratings);
    let mut settings = Settings::default();
    let control = root.table("time", "[time]", |section| {
        let control = tables::control(section, TimeControl::default());
        tables::settings(section, "time", &mut settings);
        control
    });
    settings.time.control = BySide::from_fn(|_| control);
    for (table, heading) in [("match", "[match]"), ("limits", "[limits]")] {
        root.table(table, heading, |section| tables::settings(section, table, &mut settings));
    }
    let expect = root.table("expect", "[expect]", tables::expect);
    let bots = root.tables("bot", "[[bot]]", |section| bot_spec::bot(section, control));
    let folders = root.tables("bots", "[[bots]]", bot_spec::folder);
    let display_names = root.table("names", "[names]", tables::display_names);
    let publish = root.table("publish", "[publish]", tables::publish);

    // Only now are values compared with each other: a check may need those of any table, and skips
    // values that were refused above.
    checks::format_keys(reading, &schedule);
    checks::names(reading, &bots);
    checks::folders(reading, &folders);
    let bots = without_paths(bots);
    let folders = without_paths(folders);
    let players = Players { bots: &bots, folders: &folders };
    checks::players(reading, &schedule, players);
    checks::uploads(reading, uploads.as_ref(), &schedule, &folders, &publish);
    checks::restored(reading, &schedule);
    checks::tie_break(reading, &schedule);
    checks::seeds(reading, &schedule);
    checks::openings(reading, &schedule);
    checks::sprt(reading, &sprt);
    checks::limits(reading, &settings);
    checks::mentions(reading, &ratings, &expect, players);
    checks::milestones(reading, &milestones, &schedule, &ratings, &bots);
    // The rules of a custom game, and what a journal records of it, say nothing of built-in games.
    let is_built_in = Game::named(&game).is_some();
    let (rules, recorded) = if is_built_in { (None, None) } else { (rules, recorded) };
    settings.ruleset = match recorded {
        Some(ruleset) => ruleset.clone(),
        None if reading.sound(&["game"]) => checks::ruleset(reading, &game, rules, options)?,
        None => return None,
    };
    Some(Config {
        name,
        settings,
        schedule,
        sprt,
        milestones,
        league,
        uploads,
        ratings,
        expect,
        bots,
        folders,
        display_names,
        publish,
    })
}

#[cfg(test)]
mod tests;
