//! What differs between two configurations, key by key, with the lines.

use super::section::read_file;
use super::{Config, LeagueConfig, read};
use arbiter_game::Settings;
use arbiter_game::settings::FIELDS;
use arbiter_rules::Ruleset;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of keys that are named.
const NAMED: usize = 3;
/// Maximum number of characters of a value that are shown.
const SHOWN: usize = 60;

/// A configuration with the text of each of its values, and its line.
struct ReadConfig {
    config: Config,
    values: BTreeMap<String, (usize, String)>,
}

impl ReadConfig {
    fn parse(text: &str, recorded: Option<&Ruleset>) -> Option<ReadConfig> {
        let read = read_file(text, |root| {
            let config = read(root, None, recorded)?;
            Some(ReadConfig { config, values: root.reading.values() })
        });
        read.ok()
    }
}

/// What differs between two configurations of one tournament, with the lines of both; `None` if
/// they differ only in comments, in how they are written, and in what belongs to one machine:
/// settings that decide no game, such as `pin`. `recorded` is the ruleset of both, if it is a
/// custom game.
///
/// ```
/// use arbiter_config::difference;
/// let text = "[[bot]]\nname = 'a'\ncommand = './a'\n[[bot]]\nname = 'b'\ncommand = './b'\n";
/// assert_eq!(difference(text, &format!("# mine\n{text}[match]\npin = 'off'\n"), None), None);
/// let other = text.replace("./b", "./c");
/// let differs = "bot.2.command is './b' (line 6), and './c' (line 6)";
/// assert_eq!(difference(text, &other, None).unwrap(), differs);
/// ```
pub fn difference(one: &str, other: &str, recorded: Option<&Ruleset>) -> Option<String> {
    if one == other {
        return None;
    }
    let [Some(one), Some(other)] = [one, other].map(|text| ReadConfig::parse(text, recorded))
    else {
        return Some("one of them cannot be read".to_owned());
    };
    if without_local_settings(&one.config) == without_local_settings(&other.config) {
        return None;
    }
    let paths: BTreeSet<&String> = one.values.keys().chain(other.values.keys()).collect();
    let mut differing = Vec::new();
    for path in paths {
        let old = one.values.get(path);
        let new = other.values.get(path);
        // A key may stand on another line and still have the same value.
        let is_same = old.map(|(_, text)| text) == new.map(|(_, text)| text);
        if !is_same && (decides(&one.config, path) || decides(&other.config, path)) {
            differing.push(format!("{} is {}, and {}", numbered(path), shown(old), shown(new)));
        }
    }
    let more = differing.len().saturating_sub(NAMED);
    differing.truncate(NAMED);
    if more > 0 {
        differing.push(format!("and {more} more"));
    }
    Some(differing.join("; "))
}

/// Whether the key of this path decides games, as all keys do that are neither settings nor about
/// how a league takes submissions.
fn decides(config: &Config, path: &str) -> bool {
    let (table, _) = path.split_once('.').unwrap_or((path, ""));
    if matches!(table, "league" | "uploads") {
        return false;
    }
    for field in FIELDS {
        if path.split_once('.') == Some((field.table, field.key)) {
            return field.decides(&config.settings);
        }
    }
    true
}

fn shown(value: Option<&(usize, String)>) -> String {
    let Some((line, text)) = value else { return "(not there)".to_owned() };
    let start: String = text.chars().take(SHOWN).collect();
    format!("{start} (line {line})")
}

/// The configuration with the defaults of all settings that decide no game, which may differ from
/// machine to machine.
fn without_local_settings(config: &Config) -> Config {
    let mut common = config.clone();
    common.league = LeagueConfig::default();
    common.uploads = None;
    let default = Settings::default();
    for field in FIELDS {
        // By the settings as they were written: whether one decides may depend on another one.
        if !field.decides(&config.settings) {
            field.copy(&default, &mut common.settings);
        }
    }
    common
}

/// A path of a key with the tables of a list counted from 1, as people count.
fn numbered(path: &str) -> String {
    if let Some((table @ ("bot" | "bots"), rest)) = path.split_once('.') {
        let (index, key) = rest.split_once('.').unwrap_or((rest, ""));
        if let Ok(index) = index.parse::<usize>() {
            return format!("{table}.{}.{key}", index + 1);
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a key decides may depend on another one that differs, too.
    #[test]
    fn a_key_that_decides_in_one_of_the_two_is_named() {
        let bots = "[[bot]]\nname = 'a'\ncommand = './a'\n[[bot]]\nname = 'b'\ncommand = './b'\n";
        let wall = format!("{bots}[time]\nmove = '1s'\nwall-cap = '2x'\n");
        let cpu = format!("{bots}[time]\nmove = '1s'\nwall-cap = '3x'\nclock = 'cpu'\n");
        let said = difference(&wall, &cpu, None).unwrap();
        assert!(said.contains("wall-cap is '2x'") && said.contains("clock is"), "{said}");
    }
}
