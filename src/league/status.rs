//! `league.json`: the state of a league as its page and `--status` show it, with public names only.

use super::board::Board;
use super::versions::{State, Versions};
use anyhow::Context;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::tournament::PublicNames;
use arbiter_ground::utc;
use arbiter_host::files;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The name of the file in a result folder.
pub const STATUS: &str = "league.json";

/// The most pairs that are shown as the next ones.
const NEXT: usize = 10;
/// The most versions that are shown.
const VERSIONS: usize = 100;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    pub v: u32,
    /// When it was written, in the form of RFC 3339, as all times in it.
    pub now: String,
    /// Since when no new game begins, if so.
    pub frozen: Option<String>,
    pub running: Vec<RunningGame>,
    pub next: Vec<NextGames>,
    /// The newest first.
    pub versions: Vec<ShownVersion>,
    pub bots: Vec<ShownBot>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunningGame {
    pub id: String,
    pub since: String,
}

/// A pair of games that is next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NextGames {
    pub bots: [String; 2],
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShownVersion {
    pub bot: String,
    pub number: u64,
    pub time: String,
    pub state: State,
    pub said: String,
}

/// A bot that plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShownBot {
    pub name: String,
    pub version: u64,
    pub since: String,
}

/// What the state is made of.
pub struct StatusParts<'a> {
    pub board: &'a Board,
    pub versions: &'a Versions,
    pub names: &'a PublicNames,
    pub anonymizer: &'a Anonymizer,
    /// The running games, and how long each has run.
    pub running: Vec<(String, Duration)>,
    pub frozen: Option<String>,
}

impl Status {
    pub fn new(parts: StatusParts<'_>) -> Status {
        let StatusParts { board, versions, names, anonymizer, running, frozen } = parts;
        let now = SystemTime::now();
        let mut games = Vec::new();
        for (id, time) in running {
            let since = utc::timestamp(now.checked_sub(time).unwrap_or(now));
            games.push(RunningGame { id, since });
        }
        let mut next = Vec::new();
        for (bots, why) in board.next_pairs(NEXT) {
            next.push(NextGames { bots, why });
        }
        let mut shown = Vec::new();
        let mut bots = Vec::new();
        for ((_, own_name), bot) in versions.bots() {
            let name = names.name(own_name);
            for version in &bot.versions {
                if bot.current == Some(version.number) {
                    bots.push(ShownBot {
                        name: name.clone(),
                        version: version.number,
                        since: version.time.clone(),
                    });
                }
                shown.push(ShownVersion {
                    bot: name.clone(),
                    number: version.number,
                    time: version.time.clone(),
                    state: version.state,
                    said: anonymizer.clean(&version.said),
                });
            }
        }
        // By the names of others, whose order says nothing.
        bots.sort_by(|one, other| one.name.cmp(&other.name));
        shown.sort_by(|one, other| {
            let key = |version: &ShownVersion| (version.time.clone(), version.bot.clone());
            key(other).cmp(&key(one))
        });
        shown.truncate(VERSIONS);
        Status {
            v: 1,
            now: utc::timestamp(now),
            frozen,
            running: games,
            next,
            versions: shown,
            bots,
        }
    }

    /// The state that was written last in a result folder.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn read(results: &Path) -> anyhow::Result<Status> {
        let path = results.join(STATUS);
        let text = files::read(&path)
            .with_context(|| format!("{}: no league was played there", path.display()))?;
        serde_json::from_slice(&text).with_context(|| path.display().to_string())
    }

    /// As JSON, in a line.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn json(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    /// The state for a terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(since) = &self.frozen {
            text += &format!("frozen since {since}: no new game begins\n\n");
        }
        text += "playing\n";
        for game in &self.running {
            text += &format!("  {}  since {}\n", game.id, game.since);
        }
        text += "next\n";
        for NextGames { bots: [one, other], why } in &self.next {
            text += &format!("  {one} against {other}: {why}\n");
        }
        text += "newest versions\n";
        for version in self.versions.iter().take(NEXT) {
            let ShownVersion { bot, number, time, state, said } = version;
            let said = if said.is_empty() { String::new() } else { format!(": {said}") };
            text += &format!("  {time}  {bot} {number} {}{said}\n", state.word());
        }
        text
    }
}
