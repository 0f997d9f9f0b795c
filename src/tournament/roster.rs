//! Decides whether a journal may be continued: the keys that decide games must be the same, and the roster
//! may only grow.

use super::entries::{Absentee, Entrant, JOURNAL_VERSION, JournalHead};
use crate::config::Config;
use crate::schedule::FormatName;
use sha2::{Digest, Sha256};

/// Why the journal of a folder cannot be continued: what differs, and how to play both tournaments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RosterError(String);

/// The new head of a tournament's journal. `before` is its old head, `text` the text of the configuration,
/// `identity` the result of [`identity`]; `entrants` and `absent` are in the order of the configuration.
///
/// # Errors
/// The bots of the journal are not those of the configuration.
pub fn head(
    name: &str,
    text: &str,
    config: &Config,
    identity: Vec<(String, String)>,
    (entrants, absent): (Vec<Entrant>, Vec<Absentee>),
    before: Option<&JournalHead>,
) -> Result<JournalHead, RosterError> {
    let (roster, mut absent) = match before {
        None => (entrants, absent),
        Some(before) => scheduled(config, before, entrants, absent)?,
    };
    absent.sort();
    let fingerprint =
        before.map_or_else(|| fingerprint(&identity, &roster), |before| before.fingerprint.clone());
    Ok(JournalHead {
        v: JOURNAL_VERSION,
        name: name.to_owned(),
        fingerprint,
        config: text.to_owned(),
        deciding: identity,
        roster,
        absent,
    })
}

/// The keys that decide the games of a tournament, with their values; for a file of openings, the hash of its
/// text.
#[must_use]
pub fn identity(config: &Config, openings: Option<&str>) -> Vec<(String, String)> {
    let mut identity = config.identity();
    if let Some(openings) = openings {
        identity.retain(|(key, _)| key != "schedule.openings");
        identity.push(("schedule.openings".to_owned(), hash(openings)));
    }
    identity
}

/// A hash that identifies the tournament, from its keys and its first roster.
fn fingerprint(identity: &[(String, String)], roster: &[Entrant]) -> String {
    let keys = identity.iter().map(|(key, value)| format!("{key} = {value}\n"));
    let bots = roster.iter().map(|bot| format!("{}\n", bot.program));
    hash(&keys.chain(bots).collect::<String>())
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

const REMEDY: &str = "continue with the old configuration, or name another folder with --out";

/// Checks that the keys that decide games are those of the journal.
///
/// # Errors
/// The keys that differ, and what to do.
pub fn check_identity(before: &JournalHead, now: &[(String, String)]) -> Result<(), RosterError> {
    let of = |keys: &[(String, String)], key: &str| {
        let found = keys.iter().find(|(other, _)| other == key);
        found.map_or_else(|| "(none)".to_owned(), |(_, value)| value.clone())
    };
    let keys = before.deciding.iter().chain(now).map(|(key, _)| key.as_str());
    let mut differing: Vec<&str> = keys.filter(|key| of(&before.deciding, key) != of(now, key)).collect();
    differing.dedup();
    let mut differences: Vec<String> = Vec::new();
    for key in differing {
        let line = match key {
            "schedule.openings" => "the content of the file of openings".to_owned(),
            _ => format!("{key} was {}, is {}", of(&before.deciding, key), of(now, key)),
        };
        if !differences.contains(&line) {
            differences.push(line);
        }
    }
    if differences.is_empty() {
        return Ok(());
    }
    refuse(format!(
        "the folder holds the results of another tournament: {}; {REMEDY}",
        differences.join("; ")
    ))
}

fn refuse<T>(why: String) -> Result<T, RosterError> {
    Err(RosterError(why))
}

/// The roster of a continued tournament: in a round-robin or gauntlet new bots only add games; other formats
/// keep the roster of their beginning.
fn scheduled(
    config: &Config,
    before: &JournalHead,
    entrants: Vec<Entrant>,
    mut absent: Vec<Absentee>,
) -> Result<(Vec<Entrant>, Vec<Absentee>), RosterError> {
    for Entrant { name, .. } in &before.roster {
        if let Some(absent) = absent.iter().find(|absent| absent.name == *name) {
            let reason = &absent.reason;
            return refuse(format!("{name} has played in this folder and cannot be found now: {reason}"));
        }
        if !entrants.iter().any(|bot| bot.name == *name) {
            return refuse(format!(
                "{name} has played in this folder and is no longer in the configuration; {REMEDY}"
            ));
        }
    }
    let mut known = before.roster.iter();
    let mut roster = Vec::new();
    let format = config.schedule.format;
    let grows = matches!(format, FormatName::RoundRobin | FormatName::Gauntlet);
    for (place, entrant) in entrants.into_iter().enumerate() {
        let name = &entrant.name;
        let earlier = before.roster.iter().find(|bot| bot.name == *name);
        if let Some(earlier) = earlier {
            check_program(earlier, &entrant)?;
            if known.next() != Some(earlier) {
                let order = list(&before.roster);
                return refuse(format!(
                    "the folder's games were played with the bots in another order: {order}; {REMEDY}"
                ));
            }
        } else if before.absent.iter().any(|absent| absent.name == *name) && !grows {
            let reason = "could not be started when the tournament began".to_owned();
            absent.push(Absentee { name: name.clone(), reason });
            continue;
        } else if !grows {
            let format = format.word();
            return refuse(format!("{name} is new, and a bot cannot be added to a {format}; {REMEDY}"));
        } else if format == FormatName::Gauntlet && place < config.schedule.challengers as usize {
            return refuse(format!(
                "{name} is new and is one of the challengers; put it after the other bots, or {REMEDY}"
            ));
        }
        roster.push(entrant);
    }
    Ok((roster, absent))
}

fn check_program(before: &Entrant, now: &Entrant) -> Result<(), RosterError> {
    if before.program == now.program {
        return Ok(());
    }
    refuse(format!(
        "{} was another program when its games were played: {}; it is now {}; {REMEDY}",
        now.name, before.program, now.program
    ))
}

fn list(roster: &[Entrant]) -> String {
    roster.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join(", ")
}
