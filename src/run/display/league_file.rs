//! What a league says of itself, `league.json`. Its process replaces the file whenever something
//! changes; the page shows it.

use anyhow::ensure;
use arbiter_ground::output::complain;
use arbiter_host::files;
use arbiter_show::serve::LeagueChange;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::{self, Metadata};
use std::io::Read;
use std::mem;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The name of the file in a result folder.
pub const LEAGUE_FILE: &str = "league.json";
/// The name of the Atom feed of a league, which stands beside it.
pub const ATOM_FILE: &str = "feed.xml";
/// A larger file is left out.
const MAX_BYTES: u64 = 4 << 20;
/// The version of the file that the page understands.
const VERSION: u64 = 1;

/// The file, with public names only.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LeagueState {
    pub v: u64,
    /// When this was so; all times are in the form of RFC 3339.
    pub now: String,
    /// Since when the league takes no more versions.
    pub frozen: Option<String>,
    /// The number of workers that play beside the league's own process.
    #[serde(default)]
    pub workers: usize,
    /// Why nothing begins now: there is no room on the disk.
    pub full: Option<String>,
    pub running: Vec<LeagueGame>,
    pub next: Vec<NextPairing>,
    /// The newest first.
    pub versions: Vec<BotVersion>,
    pub bots: Vec<LeagueBot>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeagueGame {
    pub id: String,
    pub since: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NextPairing {
    pub bots: [String; 2],
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BotVersion {
    pub bot: String,
    pub number: u64,
    /// When it was handed in.
    pub time: String,
    /// `waits`, `builds`, `checks`, `plays`, `refused`, `replaced` or `withdrawn`.
    pub state: String,
    /// What its author is told.
    pub said: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeagueBot {
    pub name: String,
    /// The version that plays, and since when.
    pub version: u64,
    pub since: String,
    pub games: u64,
    pub curve: Vec<CurvePoint>,
    pub yesterday: Option<YesterdaysPlace>,
}

/// A rating at a time; `low` or `high` is `None` where the interval has no bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    pub time: String,
    pub version: u64,
    pub rating: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct YesterdaysPlace {
    pub rank: u64,
    pub rating: Option<f64>,
}

/// The file beside a journal, as it was last read.
#[derive(Debug)]
pub struct LeagueFile {
    path: PathBuf,
    /// Inode and time of the last change, in seconds and nanoseconds; `None` if there was no file.
    stamp: Option<(u64, i64, i64)>,
    state: Option<LeagueState>,
    /// Why it was not shown the last time, which is said once.
    trouble: String,
}

impl LeagueFile {
    pub fn beside(journal: &Path) -> LeagueFile {
        let path = journal.with_file_name(LEAGUE_FILE);
        LeagueFile { path, stamp: None, state: None, trouble: String::new() }
    }

    /// The state as JSON, if there is one.
    pub fn text(&self) -> Option<String> {
        self.state.as_ref().map(|state| json!(state).to_string())
    }

    /// Reads the file if it is another one than before. Returns what has changed in it. A file that
    /// cannot be shown is as good as none: its league is at fault, and the games go on.
    pub fn read_on(&mut self) -> Option<LeagueChange> {
        // Before it is read: if it is replaced in between, it is read once more.
        let stamp = file_stamp(&self.path);
        if stamp == self.stamp {
            return None;
        }
        self.stamp = stamp;
        let before = mem::take(&mut self.state);
        if stamp.is_some() {
            match read(&self.path) {
                Ok(state) => self.state = Some(state),
                Err(error) => {
                    let trouble = format!("{error:#}");
                    if trouble != self.trouble {
                        complain(format_args!(
                            "note: the page does not show league.json: {trouble}"
                        ));
                    }
                    self.trouble = trouble;
                }
            }
        }
        if self.state == before {
            return None;
        }
        let whole = self.text().unwrap_or_else(|| "null".to_owned());
        let changed = match (&before, &self.state) {
            (Some(before), Some(after)) => difference(before, after).to_string(),
            _ => whole.clone(),
        };
        Some(LeagueChange { whole, changed })
    }
}

fn file_stamp(path: &Path) -> Option<(u64, i64, i64)> {
    let meta = fs::metadata(path).ok().filter(Metadata::is_file)?;
    Some((meta.ino(), meta.mtime(), meta.mtime_nsec()))
}

/// Reads the file.
///
/// # Errors
/// It cannot be read, is too large, or has another form or version.
pub fn read(path: &Path) -> anyhow::Result<LeagueState> {
    let mut text = Vec::new();
    files::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    ensure!(text.len() as u64 <= MAX_BYTES, "it is larger than 4 MiB");
    let state: LeagueState = serde_json::from_slice(&text)?;
    ensure!(state.v == VERSION, "its version is {}, expected {VERSION}", state.v);
    Ok(state)
}

/// The fields that differ, and `now`. Curves are long, and a game changes only those of few bots:
/// if the bots are the same ones, `changed` has those that differ.
fn difference(before: &LeagueState, after: &LeagueState) -> Value {
    let old = json!(before);
    let mut new = json!(after);
    let Some(fields) = new.as_object_mut() else { return new };
    fields.retain(|field, value| field == "now" || old[field] != *value);
    let names = before.bots.iter().map(|bot| &bot.name);
    if names.eq(after.bots.iter().map(|bot| &bot.name)) {
        let mut changed = Vec::new();
        for (old_bot, new_bot) in before.bots.iter().zip(&after.bots) {
            if old_bot != new_bot {
                changed.push(new_bot);
            }
        }
        fields.remove("bots");
        fields.insert("changed".to_owned(), json!(changed));
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bot(name: &str, games: u64) -> Value {
        json!({ "name": name, "version": 1, "since": "2026-11-29T10:00:00Z", "games": games,
            "curve": [], "yesterday": null })
    }

    fn league(running: &[&str], bots: &[Value]) -> Value {
        let mut games = Vec::new();
        for id in running {
            games.push(json!({ "id": id, "since": "2026-11-29T10:00:00Z" }));
        }
        json!({ "v": 1, "now": "2026-11-29T10:00:00Z", "frozen": null, "full": null,
            "workers": 0, "running": games, "next": [], "versions": [], "bots": bots })
    }

    /// Replaces the file, as a league does.
    fn replace(file: &LeagueFile, text: &str) {
        let new = file.path.with_extension("new");
        fs::write(&new, text).unwrap();
        fs::rename(new, &file.path).unwrap();
    }

    fn values(change: Option<LeagueChange>) -> [Value; 2] {
        let change = change.unwrap();
        [change.whole, change.changed].map(|text| serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn a_league_that_is_replaced_is_read_once_and_only_what_changed_is_sent() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = LeagueFile::beside(&dir.path().join("journal.jsonl"));
        assert!(file.read_on().is_none() && file.text().is_none(), "it is no league");
        let first = league(&["a~b.1"], &[bot("a", 0), bot("b", 0)]);
        replace(&file, &first.to_string());
        assert_eq!(values(file.read_on()), [first.clone(), first]);
        assert!(file.read_on().is_none());
        let second = league(&["a~b.1"], &[bot("a", 0), bot("b", 1)]);
        replace(&file, &second.to_string());
        let [whole, changed] = values(file.read_on());
        assert_eq!(whole, second);
        assert_eq!(changed, json!({ "now": second["now"], "changed": [bot("b", 1)] }));
        let third = league(&[], &[bot("b", 1)]);
        replace(&file, &third.to_string());
        let expected = json!({ "now": third["now"], "running": [], "bots": [bot("b", 1)] });
        assert_eq!(values(file.read_on())[1], expected);
        assert_eq!(serde_json::from_str::<Value>(&file.text().unwrap()).unwrap(), third);
    }

    #[test]
    fn a_file_that_is_too_large_or_has_another_form_is_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = LeagueFile::beside(&dir.path().join("journal.jsonl"));
        let known = league(&[], &[]).to_string();
        let large = known.clone() + &" ".repeat(MAX_BYTES as usize);
        let later = known.replace("\"v\":1", "\"v\":2");
        for other in [large, later, known.replace("[]", "3"), "{".to_owned()] {
            replace(&file, &known);
            assert!(file.read_on().is_some());
            replace(&file, &other);
            assert_eq!(values(file.read_on()), [Value::Null, Value::Null], "{other:.200}");
        }
        replace(&file, &known);
        assert!(file.read_on().is_some());
        fs::remove_file(&file.path).unwrap();
        assert_eq!(values(file.read_on()), [Value::Null, Value::Null], "there is no league now");
    }
}
