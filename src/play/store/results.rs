//! The result folder of a tournament and the paths in it (docs/reference/configuration.md, The
//! result folder).

use super::BotLogs;
use super::folder_handle::FolderHandle;
use super::journal::{Journal, JournalError};
use super::replace::{Replacement, remove_if_there, replace, replace_derived, replace_private};
use arbiter_host::files::{self, make_folder};
use arbiter_rules::text::printable;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The names that a [`ResultFolder`] replaces. If one of them exists without a journal, the folder
/// is not a result folder.
const DERIVED: [&str; 12] = [
    "games.pgn",
    "standings.json",
    "standings.md",
    MILESTONES,
    "junit.xml",
    PAGE,
    ALIASES,
    MISSING,
    BUILDS,
    RULES,
    LINKS,
    LINKS_TABLE,
];

/// The folder of the pages for authors that may be published, and the organiser's list of them.
const LINKS: &str = "feedback-links";
const LINKS_TABLE: &str = "feedback-links.txt";

/// The organiser's list of the names of bots and their aliases.
const ALIASES: &str = "aliases.txt";

/// The folder of the copies in which submissions are built.
const BUILDS: &str = "builds";

/// The folder of the copy of the rules of a custom game, for people.
const RULES: &str = "rules-copy";

/// The page of a result folder.
pub const PAGE: &str = "report.html";

/// The ids of games that a merge did not find.
pub const MISSING: &str = "missing.txt";

/// The milestones of bots, for other programs.
pub const MILESTONES: &str = "milestones.csv";

/// The files of a bot that are written before its first game.
const FIRST_OUTPUTS: [&str; 2] = ["build.log", "trial.log"];

/// The names in a folder that can be read as text; empty if there is no such folder.
fn entries(dir: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.file_name().into_string().ok());
    }
    Ok(names)
}

/// Whether there is a file, and no link to one.
fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_file())
}

/// A folder with the results of one tournament.
#[derive(Debug, Clone)]
pub struct ResultFolder {
    /// What messages call it.
    dir: PathBuf,
    files: FolderHandle,
}

/// Why a folder cannot take results.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It has a file that the results would replace, and no journal.
    #[error(
        "{dir} has a {file} but no journal.jsonl, so it is not a result folder; name another one \
         with --out"
    )]
    Foreign { dir: PathBuf, file: &'static str },
    /// It is something else, such as a configuration that is named like its results.
    #[error(
        "{dir} is no folder, and the results need one of this name: if it is the configuration, \
         rename it to {dir}.toml, or name another folder with --out"
    )]
    Taken { dir: PathBuf },
    /// A system call failed.
    #[error("{dir}: {error}")]
    Io { dir: PathBuf, error: io::Error },
}

impl ResultFolder {
    /// Opens the folder, or creates it, and keeps it open: a run goes on in it, also if it is
    /// renamed and another run begins under its name.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn open(dir: &Path) -> Result<ResultFolder, FolderError> {
        let dir = dir.to_owned();
        let files = match make_folder(&dir).and_then(|()| FolderHandle::keep_open(&dir)) {
            Ok(files) => files,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(FolderError::Taken { dir });
            }
            Err(error) => return Err(FolderError::Io { dir, error }),
        };
        let folder = ResultFolder { dir, files };
        if folder.journal().exists() {
            return Ok(folder);
        }
        // Without a journal, what is called like a result may be a file of the user's own.
        for file in DERIVED {
            if folder.dir.join(file).exists() {
                return Err(FolderError::Foreign { dir: folder.dir, file });
            }
        }
        Ok(folder)
    }

    /// An existing folder, for reading.
    pub fn existing(dir: &Path) -> ResultFolder {
        ResultFolder { dir: dir.to_owned(), files: FolderHandle::by_path(dir) }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The file of the journal.
    pub fn journal(&self) -> PathBuf {
        self.dir.join("journal.jsonl")
    }

    /// Renames the journal to the first of `journal.1.jsonl`, `journal.2.jsonl` … that is free.
    ///
    /// # Errors
    /// It cannot be renamed.
    pub fn put_journal_away(&self) -> Result<(), JournalError> {
        let path = self.files.join("journal.jsonl");
        let mut number = 1;
        while self.files.join(format!("journal.{number}.jsonl")).exists() {
            number += 1;
        }
        let renamed = fs::rename(&path, self.files.join(format!("journal.{number}.jsonl")));
        renamed.map_err(|error| JournalError::Io { path, error })
    }

    /// The folders that [`put_away`](ResultFolder::put_away) has made of this one, by their
    /// numbers.
    ///
    /// # Errors
    /// The folder above cannot be read.
    pub fn put_away_before(&self) -> io::Result<Vec<ResultFolder>> {
        let begin = format!("{}~", self.dir.file_name().unwrap_or_default().to_string_lossy());
        let above = match self.dir.parent() {
            Some(above) if !above.as_os_str().is_empty() => above,
            _ => Path::new("."),
        };
        let mut numbers = Vec::new();
        for name in entries(above)? {
            if let Some(Ok(number)) = name.strip_prefix(&begin).map(str::parse::<u32>) {
                numbers.push(number);
            }
        }
        numbers.sort_unstable();
        Ok(numbers.into_iter().map(|number| self.numbered(number)).collect())
    }

    /// The folder of this name with a number. No bot has a `~` in its name, so the folder of
    /// another bot is not called so.
    fn numbered(&self, number: u32) -> ResultFolder {
        let name = self.dir.file_name().unwrap_or_default().to_string_lossy();
        ResultFolder::existing(&self.dir.with_file_name(format!("{name}~{number}")))
    }

    /// Renames the folder, whose journal no run may have locked, to the first of `NAME~1`, `NAME~2`
    /// … that is free.
    ///
    /// # Errors
    /// A run is going on in it, its journal cannot be read, or it cannot be renamed.
    pub fn put_away(&self) -> Result<ResultFolder, JournalError> {
        let mut number = 1;
        while fs::symlink_metadata(self.numbered(number).dir).is_ok() {
            number += 1;
        }
        let away = self.numbered(number);
        self.rename(&away)?;
        Ok(away)
    }

    /// Gives the folder, whose journal no run may have locked, the path of another one, which must
    /// not exist.
    ///
    /// # Errors
    /// As for [`put_away`](ResultFolder::put_away).
    pub fn rename(&self, to: &ResultFolder) -> Result<(), JournalError> {
        // Under the lock, so that no run begins in it meanwhile.
        let lock = Journal::open(&self.journal(), |_, _| {})?;
        let renamed = fs::rename(&self.dir, &to.dir);
        drop(lock);
        renamed.map_err(|error| JournalError::Io { path: self.dir.clone(), error })
    }

    /// The folder for copies of submissions that are built; it exists only during a run. Other
    /// processes find it by this path.
    pub fn builds(&self) -> PathBuf {
        self.dir.join(BUILDS)
    }

    /// The same folder for this process, as long as this value lives: also if the result folder has
    /// another name now.
    pub fn kept_builds(&self) -> PathBuf {
        self.files.join(BUILDS)
    }

    /// The folder of the pages for authors that may be published.
    pub fn links(&self) -> PathBuf {
        self.dir.join(LINKS)
    }

    /// Empties the folder of the copy of the rules of a custom game, and fills it by `write`.
    ///
    /// # Errors
    /// It cannot be emptied or created, or `write` fails.
    pub fn replace_rules(&self, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        let dir = self.files.join(RULES);
        match fs::remove_dir_all(&dir) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir(&dir)?,
        }
        write(&dir)
    }

    /// The content of the copy of rules that are this file; `None` if there is no such file.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn rules_copy(&self, file: &str) -> io::Result<Option<Vec<u8>>> {
        let path = self.files.join(RULES).join(file);
        // The name comes from a journal, which may be another person's: it must not lead elsewhere.
        let is_name = Path::new(file).file_name().is_some_and(|name| name == file);
        if is_name && is_file(&path) { files::read(&path).map(Some) } else { Ok(None) }
    }

    /// The folder of what each bot wrote, with a folder for each bot.
    ///
    /// # Errors
    /// The folder `bots` cannot be created.
    pub fn bot_logs(&self) -> io::Result<BotLogs> {
        BotLogs::create_in(self.files.child("bots"))
    }

    /// Copies the log of a bot and game from another result folder.
    ///
    /// # Errors
    /// It cannot be read or written.
    pub fn copy_bot_log(&self, from: &ResultFolder, bot: &str, game: &str) -> io::Result<()> {
        let there = BotLogs { dir: from.files.child("bots") };
        self.bot_logs()?.copy(&there, bot, game)
    }

    /// Writes what a bot wrote before its first game to a file of this name.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_bot_log(&self, bot: &str, file: &str, printed: &[u8]) -> io::Result<()> {
        let mut lines = Vec::new();
        for line in printed.split(|&byte| byte == b'\n') {
            lines.push(printable(line.trim_ascii_end(), usize::MAX));
        }
        let path = self.files.join("bots").join(bot).join(file);
        replace_derived(&path, lines.join("\n").as_bytes())
    }

    /// Copies from the folders of other runs what they have beside games: the output of builds and
    /// tests, and the pages of the bots that do not play (all but `bots`), also those at these
    /// addresses. If folders differ in a text, the first in the order of bytes is taken, so that
    /// the order of the folders decides nothing.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn copy_first_outputs(
        &self,
        from: &[&ResultFolder],
        bots: &BTreeSet<String>,
        addresses: &BTreeSet<&str>,
    ) -> io::Result<()> {
        let mut texts: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
        for folder in from {
            let mut paths = folder.first_outputs(bots)?;
            for address in addresses {
                let page = Path::new(LINKS).join(format!("{address}.html"));
                if is_file(&folder.files.join(&page)) {
                    paths.push(page);
                }
            }
            for path in paths {
                let text = files::read(&folder.files.join(&path))?;
                match texts.get(&path) {
                    Some(least) if *least <= text => {}
                    _ => _ = texts.insert(path, text),
                }
            }
        }
        for (path, text) in texts {
            replace_derived(&self.files.join(path), &text)?;
        }
        Ok(())
    }

    /// The paths in this folder of what was written before the first game.
    fn first_outputs(&self, bots: &BTreeSet<String>) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for bot in entries(&self.files.join("bots"))? {
            for file in FIRST_OUTPUTS {
                let log = Path::new("bots").join(&bot).join(file);
                if is_file(&self.files.join(&log)) {
                    found.push(log);
                }
            }
        }
        for page in entries(&self.files.join("feedback"))? {
            let is_of_other = page.strip_suffix(".md").is_some_and(|bot| !bots.contains(bot));
            let path = Path::new("feedback").join(&page);
            if is_of_other && !page.starts_with('.') && is_file(&self.files.join(&path)) {
                found.push(path);
            }
        }
        Ok(found)
    }

    /// Replaces a file of the folder that is there only if it has a text, or removes it.
    ///
    /// # Errors
    /// It cannot be written or removed.
    pub fn replace_or_remove(&self, file: &str, text: Option<&str>) -> io::Result<()> {
        match text {
            Some(text) => self.replace(file, text),
            None => remove_if_there(&self.files.join(file)),
        }
    }

    /// Begins the replacement of `games.pgn`.
    ///
    /// # Errors
    /// No file can be created in the folder.
    pub fn new_games(&self) -> io::Result<Replacement> {
        Replacement::begin(&self.files.join("games.pgn"))
    }

    /// Replaces a file of the folder, by its name.
    ///
    /// # Errors
    /// It cannot be written; the old file then stays.
    pub fn replace(&self, file: &str, text: &str) -> io::Result<()> {
        replace(&self.files.join(file), text)
    }

    /// Replaces the list of the names of bots and their aliases, which is for the organiser alone.
    ///
    /// # Errors
    /// It cannot be written; the old list then stays.
    pub fn replace_aliases(&self, text: &str) -> io::Result<()> {
        replace_private(&self.files.join(ALIASES), text)
    }

    /// Replaces the feedback page of a bot, which is for its author alone. One that has this text
    /// is not touched.
    ///
    /// # Errors
    /// It cannot be written; the old file then stays.
    pub fn replace_feedback(&self, bot: &str, text: &str) -> io::Result<()> {
        let path = self.files.join("feedback").join(format!("{bot}.md"));
        replace_derived(&path, text.as_bytes())
    }

    /// Replaces the list of the pages for authors, which only the owner of the folder may read, and
    /// removes pages that are not among these. With none of them there is no list.
    ///
    /// # Errors
    /// A file cannot be written or removed.
    pub fn replace_links_table(&self, addresses: &BTreeSet<&str>, text: &str) -> io::Result<()> {
        let dir = self.files.join(LINKS);
        for name in entries(&dir)? {
            let address = name.strip_suffix(".html").unwrap_or(&name);
            let is_address =
                address.len() == 40 && address.bytes().all(|byte| byte.is_ascii_hexdigit());
            if is_address && !addresses.contains(address) {
                let path = dir.join(&name);
                if is_file(&path) { fs::remove_file(path)? } else { fs::remove_dir_all(path)? }
            }
        }
        if addresses.is_empty() {
            remove_if_there(&self.files.join(LINKS_TABLE))
        } else {
            replace_private(&self.files.join(LINKS_TABLE), text)
        }
    }

    /// Replaces the page for an author at this address.
    ///
    /// # Errors
    /// It cannot be written; the old file then stays.
    pub fn replace_link(&self, address: &str, page: &str) -> io::Result<()> {
        let path = self.files.join(LINKS).join(format!("{address}.html"));
        replace_derived(&path, page.as_bytes())
    }

    /// Replaces the logs beside the page for an author at this address, by the ids of the games.
    ///
    /// # Errors
    /// One cannot be written or removed.
    pub fn replace_link_games(&self, address: &str, games: &[(String, String)]) -> io::Result<()> {
        replace_logs(&self.files.join(LINKS).join(address), games)
    }

    /// The folder of the logs of a bot's lost games, beside its feedback page. For a name that
    /// could be that of another bot's page it is not the name itself.
    pub fn feedback_games(bot: &str) -> String {
        let is_like_a_page = bot.to_ascii_lowercase().ends_with(".md");
        if is_like_a_page { format!("{bot}~") } else { bot.to_owned() }
    }

    /// Replaces the logs of the games that a bot's feedback page names, by their ids.
    ///
    /// # Errors
    /// One cannot be written or removed.
    pub fn replace_feedback_games(&self, bot: &str, games: &[(String, String)]) -> io::Result<()> {
        replace_logs(&self.files.join("feedback").join(ResultFolder::feedback_games(bot)), games)
    }
}

/// Replaces the logs in a folder, by the ids of their games. Files that have the right content are
/// not touched, and logs of other games are removed.
fn replace_logs(dir: &Path, games: &[(String, String)]) -> io::Result<()> {
    for (id, text) in games {
        if id.contains('/') {
            return Err(io::Error::other(format!("the game's id {id} is no file name")));
        }
        replace_derived(&dir.join(format!("{id}.pgn")), text.as_bytes())?;
    }
    for name in entries(dir)? {
        if let Some(log) = name.strip_suffix(".pgn")
            && !log.is_empty()
            && games.iter().all(|(id, _)| id != log)
        {
            fs::remove_file(dir.join(name))?;
        }
    }
    Ok(())
}
