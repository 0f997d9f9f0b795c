//! The keys that decide the games of a tournament: two runs with the same values of them belong
//! together.

use super::entries::{Entrant, JournalHead};
use super::roster::{REMEDY, RosterError, refuse};
use arbiter_config::Config;
use arbiter_game::content::sha256;
use arbiter_rank::schedule::Format;

/// The keys that decide the games of a tournament, with their values; for a file of openings, the
/// hash of its text. A message may name them, so the configuration is one with public names.
pub fn identity(config: &Config, openings: Option<&str>) -> Vec<(String, String)> {
    let mut identity = config.identity();
    if let Some(openings) = openings {
        remove(&mut identity, OPENINGS);
        identity.push((OPENINGS.to_owned(), sha256(openings.as_bytes())));
    }
    identity
}

/// A hash that identifies the tournament, from its keys and its first roster.
pub fn fingerprint(identity: &[(String, String)], roster: &[Entrant]) -> String {
    let mut text = String::new();
    for (key, value) in identity {
        text += &format!("{key} = {value}\n");
    }
    for bot in roster {
        text += &format!("{}\n", bot.program);
    }
    sha256(text.as_bytes())
}

/// Checks that the keys that decide games are those of the journal; in a league there may be more
/// rounds, which only add games.
///
/// # Errors
/// The keys that differ, and what to do.
pub fn check_identity(before: &JournalHead, now: &[(String, String)]) -> Result<(), RosterError> {
    let mut before = before.deciding.clone();
    let mut now = now.to_vec();
    if let Some(format) = value(&now, "schedule.format").and_then(Format::named)
        && format.kind.is_league()
        && rounds(&before) < rounds(&now)
    {
        remove(&mut before, ROUNDS);
        remove(&mut now, ROUNDS);
    }
    let differences = differing_keys(&before, &now, ["was", "is"]);
    if differences.is_empty() {
        return Ok(());
    }
    refuse(format!(
        "the folder holds the results of another tournament: {}; {REMEDY}",
        differences.join("; ")
    ))
}

/// The key of the text of a file of openings.
pub const OPENINGS: &str = "schedule.openings";
const ROUNDS: &str = "schedule.rounds";

fn remove(keys: &mut Vec<(String, String)>, key: &str) {
    keys.retain(|(other, _)| other != key);
}

fn rounds(keys: &[(String, String)]) -> Option<u32> {
    value(keys, ROUNDS)?.parse().ok()
}

pub fn value<'a>(keys: &'a [(String, String)], key: &str) -> Option<&'a str> {
    keys.iter().find(|(other, _)| other == key).map(|(_, value)| value.as_str())
}

/// The keys that decide games and have different values, with both values after these words.
pub fn differing_keys(
    before: &[(String, String)],
    now: &[(String, String)],
    [was, is]: [&str; 2],
) -> Vec<String> {
    let mut differences: Vec<String> = Vec::new();
    for (key, _) in before.iter().chain(now) {
        let old = value(before, key).unwrap_or("(none)");
        let new = value(now, key).unwrap_or("(none)");
        if old == new {
            continue;
        }
        let line = match key.as_str() {
            // Its values are hashes, which say nothing to a reader.
            OPENINGS => "the content of the file of openings".to_owned(),
            _ => format!("{key} {was} {old}, {is} {new}"),
        };
        // A key that both have comes twice.
        if !differences.contains(&line) {
            differences.push(line);
        }
    }
    differences
}
