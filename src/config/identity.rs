//! The keys that decide games, as text: a tournament is continued only if they are the same (docs/tournaments.md,
//! Games, pairs, ids).

use super::bots::BotConfig;
use super::start_command::StartCommand;
use super::{Config, ScheduleConfig, SprtConfig};
use crate::schedule::FormatName;
use std::fmt::Display;

/// Dotted keys with the texts of their values.
struct Keys(Vec<(String, String)>);

impl Keys {
    fn put(&mut self, key: &str, value: impl Display) {
        self.0.push((key.to_owned(), value.to_string()));
    }
}

impl Config {
    /// The dotted key and the canonical text of everything that decides games, in a fixed order: two
    /// configurations that differ here must not share a result folder. Defaults count as if they were
    /// written, and keys that the format does not use are left out.
    ///
    /// Not included: bots, because more of them only add games (see [`BotConfig::identity`]); the text of a
    /// file of openings, which its reader has to add; and `name`, `[ratings]`, `[expect]`, `[publish]`,
    /// `restored`, `pin`, `require-isolation` and `build-time`, which change no game.
    ///
    /// ```
    /// # use arbiter::config::{Config, DEFAULT};
    /// let keys = Config::parse(DEFAULT).unwrap().identity();
    /// assert!(keys.contains(&("time.base".into(), "10s".into())));
    /// ```
    #[must_use]
    pub fn identity(&self) -> Vec<(String, String)> {
        let mut settings = self.settings.identity().into_iter();
        let mut keys = Keys(settings.by_ref().take(2).collect()); // the game and its options stand before the schedule
        schedule(&mut keys, &self.schedule);
        if self.schedule.format == FormatName::Sprt {
            sprt(&mut keys, &self.sprt);
        }
        keys.0.extend(settings);
        keys.0
    }
}

fn schedule(keys: &mut Keys, schedule: &ScheduleConfig) {
    let ScheduleConfig {
        format,
        games,
        rounds,
        challengers,
        best_of,
        opening_plies,
        openings,
        seed,
        stop_after_forfeits,
        restored: _, // it says which games count, and may change during a season
    } = schedule;
    keys.put("schedule.format", format.word());
    match format {
        FormatName::Knockout => keys.put("schedule.best-of", best_of),
        FormatName::Sprt => {}
        FormatName::RoundRobin | FormatName::Gauntlet | FormatName::Swiss => {
            keys.put("schedule.games", games);
            keys.put("schedule.rounds", rounds);
        }
    }
    if *format == FormatName::Gauntlet {
        keys.put("schedule.challengers", challengers);
    }
    match openings {
        Some(file) => keys.put("schedule.openings", quoted(file)),
        None => keys.put("schedule.opening-plies", opening_plies),
    }
    keys.put("schedule.seed", seed);
    keys.put("schedule.stop-after-forfeits", stop_after_forfeits);
}

fn sprt(keys: &mut Keys, sprt: &SprtConfig) {
    let SprtConfig { elo0, elo1, alpha, beta, model, max_pairs } = sprt;
    keys.put("sprt.elo0", elo0);
    keys.put("sprt.elo1", elo1);
    keys.put("sprt.alpha", alpha);
    keys.put("sprt.beta", beta);
    keys.put("sprt.model", model.word());
    keys.put("sprt.max-pairs", max_pairs);
}

impl BotConfig {
    /// The canonical text of the bot: one line in the manner of TOML, with every key.
    ///
    /// ```
    /// use arbiter::config::{BotConfig, StartCommand};
    /// let bot = BotConfig::new("randy", StartCommand::Line("builtin:random".into()));
    /// assert!(bot.identity().starts_with(r#"name = "randy", command = "builtin:random", dir = "", "#));
    /// ```
    #[must_use]
    pub fn identity(&self) -> String {
        // What belongs to its content is no part of what it is.
        let BotConfig { name, command, dir, build, dialect, env, read, digest: _ } = self;
        let command = match command {
            StartCommand::Line(line) => quoted(line),
            StartCommand::Words(words) => list(words),
        };
        let optional = |text: &Option<String>| quoted(text.as_deref().unwrap_or_default());
        let env = env.iter().map(|(key, value)| format!("{} = {}", quoted(key), quoted(value)));
        let env = env.collect::<Vec<_>>().join(", ");
        format!(
            "name = {}, command = {command}, dir = {}, build = {}, dialect = {}, env = {{{env}}}, read = {}",
            quoted(name),
            optional(dir),
            optional(build),
            quoted(dialect.unwrap_or_default().word()),
            list(read),
        )
    }
}

fn list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
}

/// A text in quotes on one line, different for different texts.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
