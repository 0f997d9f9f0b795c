//! Workers: processes that play games of a league, also on other machines that share its folder.
//!
//! A worker has a folder `league/workers/NAME` in the result folder. Each file in it has one writer
//! and is replaced as a whole:
//!
//! | file | written by | |
//! | --- | --- | --- |
//! | `alive.json` | the worker | its `SignOfLife`, which changes as long as it lives |
//! | `TOKEN.lease` | the league | a `Lease`: a game that it is to play |
//! | `TOKEN.game` | the worker | the `Delivery`: the game, or why it was not played |
//!
//! The league alone decides what becomes of a game, so there is nothing to agree on, neither locks
//! nor clocks:
//!
//! - When the sign of life has not changed for `worker-timeout`, by the league's own clock, the
//!   leases are withdrawn and the league plays the games itself. A worker that was stopped or cut
//!   off and comes back delivers to a token that is no lease any more, which is removed.
//! - A delivery is removed after the journal has its game. A league that is killed in between finds
//!   the game in the journal, and before that the lease, whose game it then goes on waiting for.
//! - A worker leaves by removing its sign of life, after its last delivery.

mod leases;
mod programs;
mod worker;

pub use leases::Leases;
pub use worker::play_for_league;

use super::board::GameBetween;
use arbiter_cup::tournament::{JournalHead, RecordedGame};
use arbiter_game::content::sha256;
use arbiter_host::bot::Notes;
use arbiter_host::files;
use arbiter_play::store::{ResultFolder, replace_private};
use arbiter_rules::seed::SecretKey;
use rustix::fs::{CWD, OFlags};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

const ALIVE: &str = "alive.json";
const LEASE: &str = "lease";
const GAME: &str = "game";

/// The most bytes of a file that are read: logs of games with what bots wrote are smaller.
const MOST_BYTES: u64 = 64 << 20;

/// What shows that a worker lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SignOfLife {
    /// The number of games that it plays at a time.
    games: u16,
    /// Counts on.
    beat: u64,
}

/// A game that a worker is to play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Lease {
    /// The version of arbiter that gives it: another one may play differently.
    arbiter: String,
    /// The [`league_id`].
    league: String,
    game: GameBetween,
}

/// What became of a lease.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Delivery {
    Played(Box<PlayedGame>),
    /// The worker cannot play it, for this reason.
    Declined(String),
}

/// A game that a worker has played.
#[derive(Debug, Serialize, Deserialize)]
struct PlayedGame {
    game: RecordedGame,
    /// What the bots wrote, the first side first.
    notes: [Notes; 2],
}

/// The folder of the workers of a league.
fn workers_folder(results: &Path) -> io::Result<PathBuf> {
    Ok(std::path::absolute(results)?.join("league/workers"))
}

/// What tells a league from another one in the same folder, also from that of another season: its
/// configuration and first bots, its key, and the file of its journal.
///
/// # Errors
/// There is no journal.
fn league_id(head: &JournalHead, results: &Path) -> io::Result<String> {
    let file = fs::metadata(ResultFolder::existing(results).journal())?.ino();
    let key = head.key.as_ref().map(SecretKey::secret_text).unwrap_or_default();
    Ok(sha256(format!("{} {key} {file}", head.fingerprint).as_bytes()))
}

/// Makes a folder that other users cannot enter, unless it is there.
fn make_private(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

fn lease_file(worker: &Path, token: &str) -> PathBuf {
    worker.join(format!("{token}.{LEASE}"))
}

fn game_file(worker: &Path, token: &str) -> PathBuf {
    worker.join(format!("{token}.{GAME}"))
}

/// The tokens of the files of a worker that have this extension, sorted; empty if it has no folder.
fn tokens(worker: &Path, extension: &str) -> io::Result<Vec<String>> {
    let mut tokens = Vec::new();
    let entries = match fs::read_dir(worker) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(tokens),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = PathBuf::from(entry.file_name());
        // A folder of such a name cannot be read or removed as a file.
        let is_file = entry.file_type()?.is_file();
        if is_file
            && name.extension().is_some_and(|found| found == extension)
            && let Some(token) = name.file_stem().and_then(|stem| stem.to_str())
            && !token.starts_with('.')
        {
            tokens.push(token.to_owned());
        }
    }
    tokens.sort();
    Ok(tokens)
}

/// Reads a file that one of the two sides has written; a link is an error.
fn read<T: DeserializeOwned>(path: &Path) -> io::Result<T> {
    let file = files::open_at(CWD, path, OFlags::NOFOLLOW)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// Replaces a file that the other side reads.
fn write(path: &Path, value: &impl Serialize) -> io::Result<()> {
    replace_private(path, &serde_json::to_string(value)?)
}
