//! What decides games, as texts: a run is only gone on with where they are the same (tournaments.md, Games, pairs, ids).

use super::bots::{BotConfig, Command};
use super::value::{duration_text, size_text};
use super::words::{ClockKind, Disturbed, Format};
use super::{Config, LimitsConfig, MatchConfig, ScheduleConfig, SprtConfig, TimeConfig};
use crate::clock::{TimeControl, WallCap};
use std::fmt::Display;

/// Dotted keys with the texts of their values.
struct Keys(Vec<(String, String)>);

impl Keys {
    fn put(&mut self, key: &str, value: impl Display) {
        self.0.push((key.to_owned(), value.to_string()));
    }
}

impl Config {
    /// The dotted key and the canonical text of everything that decides games, in a fixed order: two configurations
    /// that differ here must not share a result folder. Defaults count as if they had been written, and keys that mean
    /// nothing for the format are left out.
    ///
    /// Not among them: bots, whose coming and going only adds games (see [`BotConfig::deciding`]); what a file of
    /// openings says, which its reader has to add; and `name`, `[ratings]`, `[expect]`, `[publish]`, `pin`,
    /// `require-isolation` and `build-time`, with which every game would have been the same.
    ///
    /// ```
    /// # use arbiter::config::{Config, DEFAULT};
    /// let keys = Config::parse(DEFAULT).unwrap().deciding();
    /// assert!(keys.contains(&("time.base".into(), "10s".into())));
    /// ```
    #[must_use]
    pub fn deciding(&self) -> Vec<(String, String)> {
        let mut keys = Keys(Vec::new());
        keys.put("game", self.ruleset.game().name());
        keys.put("options", self.ruleset.options_text());
        schedule(&mut keys, &self.schedule);
        if self.schedule.format == Format::Sprt {
            sprt(&mut keys, &self.sprt);
        }
        time(&mut keys, &self.time);
        match_rules(&mut keys, &self.match_rules);
        limits(&mut keys, &self.limits);
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
    } = schedule;
    keys.put("schedule.format", format.word());
    match format {
        Format::Knockout => keys.put("schedule.best-of", best_of),
        Format::Sprt => {}
        Format::RoundRobin | Format::Gauntlet | Format::Swiss => {
            keys.put("schedule.games", games);
            keys.put("schedule.rounds", rounds);
        }
    }
    if *format == Format::Gauntlet {
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

fn time(keys: &mut Keys, time: &TimeConfig) {
    let TimeConfig { control, first_move, start, margin, clock, wall_cap, pondering } = time;
    match *control {
        TimeControl::Game { base, increment } => {
            keys.put("time.base", duration_text(base));
            keys.put("time.increment", duration_text(increment));
        }
        TimeControl::Ply(time) => keys.put("time.move", duration_text(time)),
        TimeControl::Unlimited => keys.put("time.base", "none"),
    }
    keys.put("time.first-move", duration_text(first_move.unwrap_or_default()));
    keys.put("time.start", duration_text(*start));
    keys.put("time.margin", duration_text(*margin));
    keys.put("time.clock", clock.word());
    if *clock == ClockKind::Cpu {
        let WallCap { factor, plus } = wall_cap;
        keys.put("time.wall-cap", format_args!("{factor}x+{}", duration_text(*plus)));
    }
    keys.put("time.pondering", pondering.word());
}

fn match_rules(keys: &mut Keys, rules: &MatchConfig) {
    let MatchConfig { attempts, max_plies, repetition, pin: _, replay_disturbed } = rules;
    keys.put("match.attempts", attempts);
    keys.put("match.max-plies", max_plies);
    keys.put("match.repetition", repetition);
    keys.put("match.replay-disturbed", *replay_disturbed == Disturbed::Replayed);
}

fn limits(keys: &mut Keys, limits: &LimitsConfig) {
    let LimitsConfig { sandbox, require_isolation: _, memory, processes, threads, output, build_time: _ } =
        limits;
    keys.put("limits.sandbox", sandbox.word());
    keys.put("limits.memory", size_text(*memory));
    keys.put("limits.processes", processes);
    keys.put("limits.threads", threads);
    keys.put("limits.output", size_text(*output));
}

impl BotConfig {
    /// The canonical text of all that is said of the bot: one line as TOML would write it, with every key.
    ///
    /// ```
    /// use arbiter::config::{BotConfig, Command};
    /// let bot = BotConfig::new("randy", Command::Line("builtin:random".into()));
    /// assert!(bot.deciding().starts_with(r#"name = "randy", command = "builtin:random", dir = "", "#));
    /// ```
    #[must_use]
    pub fn deciding(&self) -> String {
        let BotConfig { name, command, dir, build, dialect, env, read } = self;
        let command = match command {
            Command::Line(line) => quoted(line),
            Command::Words(words) => list(words),
        };
        let optional = |text: &Option<String>| quoted(text.as_deref().unwrap_or_default());
        let env = env.iter().map(|(key, value)| format!("{} = {}", quoted(key), quoted(value)));
        let env = env.collect::<Vec<_>>().join(", ");
        format!(
            "name = {}, command = {command}, dir = {}, build = {}, dialect = {}, env = {{{env}}}, read = {}",
            quoted(name),
            optional(dir),
            optional(build),
            quoted(dialect.word()),
            list(read),
        )
    }
}

fn list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
}

/// A text in quotes, on one line, such that no two texts look alike.
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
