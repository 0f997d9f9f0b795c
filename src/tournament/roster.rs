//! Whether a journal may be continued: what decides games has to be the same, and the roster may only have grown.

use super::entries::{Absentee, Entrant, JOURNAL_VERSION, JournalHead};
use crate::config::Config;
use crate::schedule::FormatName;
use sha2::{Digest, Sha256};

/// Why the journal of a folder cannot be continued: what differs, and how to play both tournaments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RosterError(String);

/// The head that the journal of a tournament has now. `before` is the head that it had; `text` is the configuration's text,
/// `identity` is what [`identity`] returned, `entrants` and `absent` are in the order of the configuration.
///
/// # Errors
/// The journal is of other bots.
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

/// What decides the games of a tournament, key by key; of a file of openings, the hash of its text.
#[must_use]
pub fn identity(config: &Config, openings: Option<&str>) -> Vec<(String, String)> {
    let mut identity = config.identity();
    if let Some(openings) = openings {
        identity.retain(|(key, _)| key != "schedule.openings");
        identity.push(("schedule.openings".to_owned(), hash(openings)));
    }
    identity
}

/// Identifies the tournament as it was begun.
fn fingerprint(identity: &[(String, String)], roster: &[Entrant]) -> String {
    let keys = identity.iter().map(|(key, value)| format!("{key} = {value}\n"));
    let bots = roster.iter().map(|bot| format!("{}\n", bot.program));
    hash(&keys.chain(bots).collect::<String>())
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

const CURE: &str = "go on with the old configuration, or name another folder with --out";

/// Checks that a journal is of a tournament in which the same decides games.
///
/// # Errors
/// What differs, and how to play both.
pub fn check_identity(before: &JournalHead, now: &[(String, String)]) -> Result<(), RosterError> {
    let of = |keys: &[(String, String)], key: &str| {
        let found = keys.iter().find(|(other, _)| other == key);
        found.map_or_else(|| "(none)".to_owned(), |(_, value)| value.clone())
    };
    let keys = before.deciding.iter().chain(now).map(|(key, _)| key.as_str());
    let mut differing: Vec<&str> = keys.filter(|key| of(&before.deciding, key) != of(now, key)).collect();
    differing.dedup();
    let mut said: Vec<String> = Vec::new();
    for key in differing {
        let line = match key {
            "schedule.openings" => "what the file of openings says".to_owned(),
            _ => format!("{key} was {}, is {}", of(&before.deciding, key), of(now, key)),
        };
        if !said.contains(&line) {
            said.push(line);
        }
    }
    if said.is_empty() {
        return Ok(());
    }
    refuse(format!("the folder holds the results of another tournament: {}; {CURE}", said.join("; ")))
}

fn refuse<T>(why: String) -> Result<T, RosterError> {
    Err(RosterError(why))
}

/// The roster when a tournament is continued: in a round-robin or gauntlet new bots only add games; in other formats it is
/// the roster that it began with.
fn scheduled(
    config: &Config,
    before: &JournalHead,
    entrants: Vec<Entrant>,
    mut absent: Vec<Absentee>,
) -> Result<(Vec<Entrant>, Vec<Absentee>), RosterError> {
    for Entrant { name, .. } in &before.roster {
        if let Some(absent) = absent.iter().find(|absent| absent.name == *name) {
            let reason = &absent.reason;
            return refuse(format!(
                "{name} has played in this folder and cannot be found any more: {reason}"
            ));
        }
        if !entrants.iter().any(|bot| bot.name == *name) {
            return refuse(format!(
                "{name} has played in this folder and is not in the configuration any more; {CURE}"
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
                    "the folder's games were played with the bots in another order: {order}; {CURE}"
                ));
            }
        } else if before.absent.iter().any(|absent| absent.name == *name) && !grows {
            let reason = "could not be started when the tournament began".to_owned();
            absent.push(Absentee { name: name.clone(), reason });
            continue;
        } else if !grows {
            let format = format.word();
            return refuse(format!("{name} is new, and a {format} cannot take in another bot; {CURE}"));
        } else if format == FormatName::Gauntlet && place < config.schedule.challengers as usize {
            return refuse(format!(
                "{name} is new and stands among the challengers; put it behind the other bots, or {CURE}"
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
        "{} was another program when its games were played: {}; it is now {}; {CURE}",
        now.name, before.program, now.program
    ))
}

fn list(roster: &[Entrant]) -> String {
    roster.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join(", ")
}
