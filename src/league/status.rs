//! `league.json`: the state of a league as its page and `--status` show it, with public names only.

use super::board::Board;
use super::room::Shortage;
use super::versions::{BotVersions, Versions};
use anyhow::Context;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::tournament::{PublicNames, RunBot, RunEntry};
use arbiter_ground::utc;
use arbiter_rules::text::counted;
use arbiter_run::display::league_file::{
    self, BotVersion, CurvePoint, LEAGUE_FILE, LeagueBot, LeagueGame, LeagueState, NextPairing,
    YesterdaysPlace,
};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The most pairs that are shown as the next ones.
const NEXT: usize = 10;
/// The most versions that are shown.
const VERSIONS: usize = 100;
/// The most points of a curve; of more, some are left out.
const POINTS: usize = 100;
const DAY: Duration = Duration::from_hours(24);

/// What the state and the feed of a league are made of.
pub struct LeagueParts<'a> {
    /// The name of the league.
    pub league: &'a str,
    pub versions: &'a Versions,
    pub names: &'a PublicNames,
    pub anonymizer: &'a Anonymizer,
    /// The ratings that the journal has, the oldest first.
    pub runs: &'a [RunEntry],
    /// Since when no submission is taken any more.
    pub frozen: Option<&'a String>,
}

/// The state as it is now: with the running games and how long each has run, the number of workers,
/// and why nothing begins.
pub fn state(
    parts: &LeagueParts<'_>,
    board: &Board,
    running: Vec<(String, Duration)>,
    workers: usize,
    shortage: Option<&Shortage>,
) -> LeagueState {
    let LeagueParts { versions, names, anonymizer, runs, frozen, .. } = *parts;
    let now = SystemTime::now();
    let mut games = Vec::new();
    for (id, time) in running {
        let since = utc::timestamp(now.checked_sub(time).unwrap_or(now));
        games.push(LeagueGame { id, since });
    }
    let mut next = Vec::new();
    for (bots, why) in board.next_pairs(NEXT) {
        next.push(NextPairing { bots, why });
    }
    let yesterday = utc::timestamp(now.checked_sub(DAY).unwrap_or(now));
    let yesterday = runs.iter().rev().find(|run| run.time <= yesterday);
    let mut shown = Vec::new();
    let mut bots = Vec::new();
    for ((_, own_name), bot) in versions.bots() {
        let name = names.name(own_name);
        for version in &bot.versions {
            if bot.current == Some(version.number) {
                bots.push(LeagueBot {
                    version: version.number,
                    since: version.time.clone(),
                    games: board.games(&name),
                    curve: curve(&name, bot, runs),
                    yesterday: yesterday.and_then(|run| place(&name, run)),
                    name: name.clone(),
                });
            }
            shown.push(BotVersion {
                bot: name.clone(),
                number: version.number,
                time: version.time.clone(),
                state: version.state.word().to_owned(),
                said: anonymizer.clean(&version.said),
            });
        }
    }
    // By the names that others see, whose order says nothing.
    bots.sort_by(|one, other| one.name.cmp(&other.name));
    // Versions of one time: many come within a second, or since the clock was set back.
    shown.sort_by(|one, other| {
        (&other.time, other.number, &other.bot).cmp(&(&one.time, one.number, &one.bot))
    });
    shown.truncate(VERSIONS);
    LeagueState {
        v: 1,
        now: utc::timestamp(now),
        frozen: frozen.cloned(),
        full: shortage.map(Shortage::why),
        workers,
        running: games,
        next,
        versions: shown,
        bots,
    }
}

/// The ratings of a bot over its versions.
fn curve(name: &str, versions: &BotVersions, runs: &[RunEntry]) -> Vec<CurvePoint> {
    let every = runs.len().div_ceil(POINTS).max(1);
    let mut points = Vec::new();
    for run in runs.iter().rev().step_by(every) {
        let Some(rated) = run.bots.iter().find(|bot| bot.name == name) else { continue };
        let RunBot { digest, rating, low, high, .. } = rated;
        // One that was refused has no digest, as a rating of an earlier arbiter may have none.
        let mut played = versions.versions.iter().rev();
        let played = played.find(|one| one.digest.is_some() && one.digest == *digest);
        points.push(CurvePoint {
            time: run.time.clone(),
            version: played.map_or(0, |version| version.number),
            rating: *rating,
            low: *low,
            high: *high,
        });
    }
    points.reverse();
    points
}

/// The place of a bot by its rating in a run.
fn place(name: &str, run: &RunEntry) -> Option<YesterdaysPlace> {
    let own = run.bots.iter().find(|bot| bot.name == name)?.rating?;
    let is_better = |bot: &&RunBot| bot.rating.is_some_and(|rating| rating > own);
    let rank = 1 + run.bots.iter().filter(is_better).count() as u64;
    Some(YesterdaysPlace { rank, rating: Some(own) })
}

/// The state that was written last in a result folder.
///
/// # Errors
/// There is none, or it cannot be read.
pub fn read(results: &Path) -> anyhow::Result<LeagueState> {
    let path = results.join(LEAGUE_FILE);
    league_file::read(&path)
        .with_context(|| format!("{}: no league was played there", path.display()))
}

/// The state as JSON.
///
/// # Errors
/// It cannot be written so.
pub fn json(state: &LeagueState) -> anyhow::Result<String> {
    Ok(serde_json::to_string(state)?)
}

/// The state for a terminal.
pub fn text(league: &LeagueState) -> String {
    let mut text = String::new();
    if let Some(since) = &league.frozen {
        text += &format!("no submission is taken since {since}\n");
    }
    if league.workers > 0 {
        text += &format!("{} beside this machine\n", counted(league.workers as u64, "worker"));
    }
    if let Some(why) = &league.full {
        text += &format!("nothing begins until there is room: {why}\n");
    }
    text += "playing\n";
    for game in &league.running {
        text += &format!("  {}  since {}\n", game.id, game.since);
    }
    text += "next\n";
    for NextPairing { bots: [one, other], why } in &league.next {
        text += &format!("  {one} against {other}: {why}\n");
    }
    text += "newest versions\n";
    for version in league.versions.iter().take(NEXT) {
        let BotVersion { bot, number, time, state, said } = version;
        let said = if said.is_empty() { String::new() } else { format!(": {said}") };
        text += &format!("  {time}  {bot} {number} {state}{said}\n");
    }
    text
}
