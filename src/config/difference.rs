//! What differs between two configurations, key by key, with the lines.

use super::section::Reading;
use super::{Config, read};
use arbiter_game::Settings;
use arbiter_game::settings::FIELDS;
use arbiter_rules::Ruleset;
use std::collections::{BTreeMap, BTreeSet};

/// The most keys that are named.
const NAMED: usize = 3;
/// The most characters of a value that are shown.
const SHOWN: usize = 60;

/// A configuration with the text of each of its values, and its line.
struct ReadConfig {
    config: Config,
    values: BTreeMap<String, (usize, String)>,
}

impl ReadConfig {
    fn parse(text: &str, told: Option<&Ruleset>) -> Option<ReadConfig> {
        let reading = Reading::new(text);
        let table = reading.syntax().ok()?;
        let config = read(&reading, reading.root(&table), None, told);
        let config = reading.finish(config).ok()?;
        Some(ReadConfig { config, values: reading.values() })
    }
}

/// What differs between two configurations of one tournament, with the lines of both; none if they
/// differ in comments, in how they are written, and in what belongs to one machine only: settings
/// that decide no game, such as `pin`. `told` is the ruleset of both, if it is that of a game of
/// one's own.
///
/// ```
/// use arbiter_config::difference;
/// let text = "[[bot]]\nname = 'a'\ncommand = './a'\n[[bot]]\nname = 'b'\ncommand = './b'\n";
/// assert_eq!(difference(text, &format!("# mine\n{text}[match]\npin = 'off'\n"), None), None);
/// let other = text.replace("./b", "./c");
/// assert_eq!(difference(text, &other, None).unwrap(), "bot.2.command is './b' (line 6), and './c' (line 6)");
/// ```
#[must_use]
pub fn difference(one: &str, other: &str, told: Option<&Ruleset>) -> Option<String> {
    if one == other {
        return None;
    }
    let [Some(one), Some(other)] = [one, other].map(|text| ReadConfig::parse(text, told)) else {
        return Some("one of them cannot be read".to_owned());
    };
    if of_all_machines(&one.config) == of_all_machines(&other.config) {
        return None;
    }
    let of_a_machine = |path: &&String| {
        let settings = [&one, &other].map(|read| &read.config.settings);
        let fields = FIELDS.iter().filter(|field| !settings.iter().any(|one| field.decides(one)));
        fields.into_iter().any(|field| **path == format!("{}.{}", field.table, field.key))
    };
    let paths: BTreeSet<&String> = one.values.keys().chain(other.values.keys()).collect();
    let text = |value: Option<&(usize, String)>| match value {
        Some((line, value)) => {
            format!("{} (line {line})", value.chars().take(SHOWN).collect::<String>())
        }
        None => "(not there)".to_owned(),
    };
    let mut differing = Vec::new();
    for path in paths.into_iter().filter(|path| !of_a_machine(path)) {
        let values = [&one, &other].map(|read| read.values.get(path));
        if values[0].map(|(_, value)| value) != values[1].map(|(_, value)| value) {
            let [one, other] = values.map(text);
            differing.push(format!("{} is {one}, and {other}", numbered(path)));
        }
    }
    let more = differing.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    Some(differing[..differing.len().min(NAMED)].join("; ") + &more)
}

/// The configuration with the defaults of all settings that decide no game.
fn of_all_machines(config: &Config) -> Config {
    let mut config = config.clone();
    let default = Settings::default();
    let free: Vec<_> = FIELDS.iter().filter(|field| !field.decides(&config.settings)).collect();
    for field in free {
        field.copy(&default, &mut config.settings);
    }
    config
}

/// A path of a key with the tables of a list counted from 1, as people count.
fn numbered(path: &str) -> String {
    let part = |part: &str| {
        part.parse::<usize>().map_or_else(|_| part.to_owned(), |index| (index + 1).to_string())
    };
    match path.split_once('.') {
        Some((table @ ("bot" | "bots"), rest)) => {
            let (index, key) = rest.split_once('.').unwrap_or((rest, ""));
            format!("{table}.{}.{key}", part(index))
        }
        _ => path.to_owned(),
    }
}
