//! The result folder of a tournament: what lies where in it.

use super::BotLogs;
use super::replace::{Replacement, replace};
use crate::text::printable;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is replaced in a [`ResultFolder`], and so what tells that a folder without a journal is none.
const DERIVED: [&str; 5] = ["games.pgn", "standings.json", "standings.md", "junit.xml", BUILDS];

/// The folder of the copies that are built.
const BUILDS: &str = "builds";

/// A folder with the results of one tournament.
#[derive(Debug, Clone)]
pub struct ResultFolder {
    dir: PathBuf,
}

/// Why a folder cannot take results.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// There are files that the results would replace.
    #[error(
        "{dir} has a {file} but no journal.jsonl, so it is not a result folder; name another one with --out"
    )]
    Foreign {
        /// The folder.
        dir: PathBuf,
        /// The file.
        file: &'static str,
    },
    /// The system refused.
    #[error("{dir}: {error}")]
    Io {
        /// The folder.
        dir: PathBuf,
        /// What it said.
        error: io::Error,
    },
}

impl ResultFolder {
    /// Makes the folder, if it is not there.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn open(dir: &Path) -> Result<ResultFolder, FolderError> {
        fs::create_dir_all(dir).map_err(|error| FolderError::Io { dir: dir.to_owned(), error })?;
        let folder = ResultFolder::of(dir);
        if !folder.journal().exists()
            && let Some(file) = DERIVED.into_iter().find(|file| dir.join(file).exists())
        {
            return Err(FolderError::Foreign { dir: dir.to_owned(), file });
        }
        Ok(folder)
    }

    /// A folder that is there already, to look at.
    #[must_use]
    pub fn of(dir: &Path) -> ResultFolder {
        ResultFolder { dir: dir.to_owned() }
    }

    /// Where it is.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The file of the journal.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.dir.join("journal.jsonl")
    }

    /// Where submissions are copied to that are built, as long as a run goes on.
    #[must_use]
    pub fn builds(&self) -> PathBuf {
        self.dir.join(BUILDS)
    }

    /// What each bot wrote, a folder a bot.
    ///
    /// # Errors
    /// The folder `bots` cannot be made.
    pub fn bot_logs(&self) -> io::Result<BotLogs> {
        BotLogs::create(&self.dir.join("bots"))
    }

    /// Keeps what a bot wrote before its first game, in a file of this name.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_bot_log(&self, bot: &str, file: &str, printed: &[u8]) -> io::Result<()> {
        let dir = self.dir.join("bots").join(bot);
        fs::create_dir_all(&dir)?;
        let lines = printed.split(|&b| b == b'\n').map(|line| printable(line.trim_ascii_end(), usize::MAX));
        fs::write(dir.join(file), lines.collect::<Vec<_>>().join("\n"))
    }

    /// Begins a new `games.pgn`.
    ///
    /// # Errors
    /// Nothing can be written in the folder.
    pub fn new_games(&self) -> io::Result<Replacement> {
        Replacement::of(&self.dir.join("games.pgn"))
    }

    /// Replaces a file of the folder, by its name.
    ///
    /// # Errors
    /// It cannot be written; the old one is still there then.
    pub fn replace(&self, file: &str, text: &str) -> io::Result<()> {
        replace(&self.dir.join(file), text)
    }

    /// Replaces what is for the author of a bot alone.
    ///
    /// # Errors
    /// It cannot be written; the old one is still there then.
    pub fn replace_feedback(&self, bot: &str, text: &str) -> io::Result<()> {
        let dir = self.dir.join("feedback");
        fs::create_dir_all(&dir)?;
        replace(&dir.join(format!("{bot}.md")), text)
    }
}
