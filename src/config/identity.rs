//! The keys that decide games, as text: a tournament is continued only if they are the same
//! (docs/reference/tournaments.md, Games, pairs, ids).

use super::bot_spec::BotSpec;
use super::start_command::StartCommand;
use super::{Config, MilestonesConfig, ScheduleConfig, SprtConfig};
use arbiter_rank::rating::StepRule;
use arbiter_rank::schedule::{Format, Stop};
use std::fmt::Display;

/// Dotted keys with the texts of their values.
struct Keys(Vec<(String, String)>);

impl Keys {
    fn put(&mut self, key: &str, value: impl Display) {
        self.0.push((key.to_owned(), value.to_string()));
    }

    /// Adds the key if tournaments of this format differ by it.
    fn put_used(&mut self, format: &Format, key: &str, value: impl Display) {
        if format.uses(key) {
            self.put(key, value);
        }
    }
}

impl Config {
    /// The dotted key and the canonical text of everything that decides games, in a fixed order:
    /// two configurations that differ here must not share a result folder. Defaults count as if
    /// they were written, and keys that the format does not use are left out.
    ///
    /// Not included: bots, because more of them only add games (see [`BotSpec::identity`]); the
    /// text of a file of openings, which its reader has to add; and `name`, `[ratings]`,
    /// `[expect]`, `[publish]`, `[league]`, `[uploads]`, `[milestones]` unless it stops games,
    /// `restored`, `tie-break`, `grace`, `finish`, `pin`, `require-isolation`, `build-time` and
    /// `rules-time`, which change no game.
    ///
    /// ```
    /// # use arbiter_config::{Config, DEFAULT};
    /// let keys = Config::parse(DEFAULT).unwrap().identity();
    /// assert!(keys.contains(&("time.base".into(), "10s".into())));
    /// ```
    pub fn identity(&self) -> Vec<(String, String)> {
        // The order is part of the fingerprint of a tournament: the game and its options stand
        // before the schedule, the other settings after it.
        let mut settings = self.settings.identity().into_iter();
        let mut keys = Keys(settings.by_ref().take(2).collect());
        let ScheduleConfig {
            format,
            opening_plies,
            openings,
            seed,
            seeds,
            stop_after_forfeits,
            restored: _, // it says which games count, and may change during a season
            tie_break: _,
        } = &self.schedule;
        let SprtConfig { elo0, elo1, alpha, beta, model } = &self.sprt;
        keys.put("schedule.format", format.kind.word);
        for (key, number) in format.numbers() {
            if key.starts_with("schedule.") {
                keys.put_used(format, key, number);
            }
        }
        match openings {
            Some(file) => keys.put("schedule.openings", quoted(file)),
            None => keys.put("schedule.opening-plies", opening_plies),
        }
        keys.put("schedule.seed", seed);
        // Only a tournament that has them: the others are older than this key.
        if let Some(folder) = seeds {
            keys.put("schedule.seeds", quoted(folder));
        }
        keys.put("schedule.stop-after-forfeits", stop_after_forfeits);
        keys.put_used(format, "sprt.elo0", elo0);
        keys.put_used(format, "sprt.elo1", elo1);
        keys.put_used(format, "sprt.alpha", alpha);
        keys.put_used(format, "sprt.beta", beta);
        keys.put_used(format, "sprt.model", model.word());
        for (key, number) in format.numbers() {
            if !key.starts_with("schedule.") {
                keys.put_used(format, key, number);
            }
        }
        let MilestonesConfig { steps, rule: StepRule { score, wrong } } = &self.milestones;
        match format.stop {
            Stop::Played => {} // they decide no game
            Stop::Decided => {
                keys.put("milestones.steps", list(steps));
                keys.put("milestones.score", score);
                keys.put("milestones.wrong", wrong);
                keys.put("milestones.stop", format.stop.word());
            }
        }
        keys.0.extend(settings);
        keys.0
    }
}

impl BotSpec {
    /// The canonical text of the bot: one line in the manner of TOML, with every key.
    ///
    /// ```
    /// use arbiter_config::{BotSpec, StartCommand};
    /// let bot = BotSpec::new("randy", StartCommand::Line("builtin:random".into()));
    /// let start = r#"name = "randy", command = "builtin:random", dir = "", "#;
    /// assert!(bot.identity().starts_with(start));
    /// ```
    pub fn identity(&self) -> String {
        // The digest of a bot's content has the table, the adapter and `scratch`; a label and the
        // games that its author lists change nothing.
        let BotSpec {
            name,
            command,
            dir,
            build,
            dialect,
            env,
            read,
            time,
            digest: _,
            console: _,
            adapter: _,
            scratch: _,
            label: _,
            games: _,
        } = self;
        let command = match command {
            Some(StartCommand::Line(line)) => quoted(line),
            Some(StartCommand::Words(words)) => list(words),
            None => list(&[]),
        };
        let mut variables = Vec::new();
        for (key, value) in env {
            variables.push(format!("{} = {}", quoted(key), quoted(value)));
        }
        let mut text = format!(
            "name = {}, command = {command}, dir = {}, build = {}, dialect = {}, env = {{{}}}, \
             read = {}",
            quoted(name),
            quoted(dir.as_deref().unwrap_or_default()),
            quoted(build.as_deref().unwrap_or_default()),
            quoted(dialect.unwrap_or_default().word()),
            variables.join(", "),
            list(read),
        );
        // Only a bot with a clock of its own: the texts of the others are older than this key.
        if let Some(time) = time {
            text += &format!(", time = \"{time}\"");
        }
        text
    }
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
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
