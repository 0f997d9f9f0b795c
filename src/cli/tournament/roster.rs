//! Whether a journal may be gone on with: what decides games has to be the same, and who plays may only have grown.

use super::entrants::{Bot, Entrants};
use crate::config::{Config, Format};
use crate::store::journal::{Absentee, Entrant, Head, VERSION};
use anyhow::{anyhow, bail};
use sha2::{Digest, Sha256};

/// The head that a journal of this tournament has now, and the bots that it schedules, in its order.
///
/// # Errors
/// The journal is of other bots: which, and how to play both.
pub(super) fn head(
    name: &str,
    text: &str,
    config: &Config,
    deciding: Vec<(String, String)>,
    entrants: Entrants,
    before: Option<&Head>,
) -> anyhow::Result<(Head, Vec<Bot>)> {
    let (bots, mut absent) = match before {
        None => (entrants.bots, entrants.absent),
        Some(before) => scheduled(config, before, entrants)?,
    };
    absent.sort();
    let head = Head {
        v: VERSION,
        name: name.to_owned(),
        fingerprint: before
            .map_or_else(|| fingerprint(&deciding, &bots), |before| before.fingerprint.clone()),
        config: text.to_owned(),
        deciding,
        roster: bots.iter().map(|bot| bot.entrant.clone()).collect(),
        absent,
    };
    Ok((head, bots))
}

/// What decides games, key by key; of a file of openings, what is in it.
pub(super) fn deciding(config: &Config, openings: Option<&str>) -> Vec<(String, String)> {
    let mut deciding = config.identity();
    if let Some(openings) = openings {
        deciding.retain(|(key, _)| key != "schedule.openings");
        deciding.push(("schedule.openings".to_owned(), hash(openings)));
    }
    deciding
}

/// Identifies the tournament as it was begun.
fn fingerprint(deciding: &[(String, String)], bots: &[Bot]) -> String {
    let keys = deciding.iter().map(|(key, value)| format!("{key} = {value}\n"));
    let bots = bots.iter().map(|bot| format!("{}\n", bot.entrant.program));
    hash(&keys.chain(bots).collect::<String>())
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

const CURE: &str = "go on with the old configuration, or name another folder with --out";

/// That a journal is of a tournament in which the same decides games.
///
/// # Errors
/// What differs, and how to play both.
pub(super) fn same_rules(before: &Head, now: &[(String, String)]) -> anyhow::Result<()> {
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
    bail!("the folder holds the results of another tournament: {}; {CURE}", said.join("; "))
}

/// Who is scheduled when a tournament is gone on with: in a round-robin or gauntlet new bots only add games; otherwise
/// it is those with whom it began.
fn scheduled(
    config: &Config,
    before: &Head,
    entrants: Entrants,
) -> anyhow::Result<(Vec<Bot>, Vec<Absentee>)> {
    for Entrant { name, .. } in &before.roster {
        if let Some(absent) = entrants.absent.iter().find(|absent| absent.name == *name) {
            bail!("{name} has played in this folder and cannot be found any more: {}", absent.reason);
        }
        if !entrants.bots.iter().any(|bot| bot.entrant.name == *name) {
            bail!("{name} has played in this folder and is not in the configuration any more; {CURE}");
        }
    }
    let mut known = before.roster.iter();
    let (mut bots, mut absent) = (Vec::new(), entrants.absent);
    let grows = matches!(config.schedule.format, Format::RoundRobin | Format::Gauntlet);
    for (place, bot) in entrants.bots.into_iter().enumerate() {
        let name = &bot.entrant.name;
        let earlier = before.roster.iter().find(|entrant| entrant.name == *name);
        if let Some(earlier) = earlier {
            same_bot(earlier, &bot.entrant)?;
            if known.next() != Some(earlier) {
                bail!(
                    "the folder's games were played with the bots in another order: {}; {CURE}",
                    list(&before.roster)
                );
            }
        } else if before.absent.iter().any(|absent| absent.name == *name) && !grows {
            let reason = "could not be started when the tournament began".to_owned();
            absent.push(Absentee { name: name.clone(), reason });
            continue;
        } else if !grows {
            bail!(
                "{name} is new, and a {} cannot take in another bot; {CURE}",
                config.schedule.format.word()
            );
        } else if config.schedule.format == Format::Gauntlet && place < config.schedule.challengers as usize {
            bail!("{name} is new and stands among the challengers; put it behind the other bots, or {CURE}");
        }
        bots.push(bot);
    }
    Ok((bots, absent))
}

fn same_bot(before: &Entrant, now: &Entrant) -> anyhow::Result<()> {
    if before.program == now.program {
        return Ok(());
    }
    Err(anyhow!(
        "{} was another program when its games were played: {}; it is now {}; {CURE}",
        now.name,
        before.program,
        now.program
    ))
}

fn list(roster: &[Entrant]) -> String {
    roster.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join(", ")
}
