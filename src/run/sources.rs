//! The journals of several runs of one tournament, read to be merged.

use anyhow::{Context, anyhow, bail};
use arbiter_config::Config;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::tournament::{
    GameSummary, JournalEntry, JournalHead, JournalPlace, MergedGames, PlayedGames,
    PreviousResults, RecordedGameError, RunEntry, check_configurations, merged_head, results_after,
};
use arbiter_ground::failure::Failure;
use arbiter_ground::output::complain;
use arbiter_play::store::ResultFolder;
use arbiter_play::store::journal::{Journal, JournalError, line_sha256};
use arbiter_rank::schedule::Dependence;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A result folder with a journal.
#[derive(Debug)]
pub struct SourceFolder {
    /// What messages call it.
    pub name: String,
    pub folder: ResultFolder,
    pub journal: Journal,
    /// Its newest head.
    head: JournalHead,
    pub runs: Vec<RunEntry>,
    /// The results of other runs that its games were chosen by.
    pub previous: BTreeSet<PreviousResults>,
}

/// How a journal is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalAccess {
    /// Without a lock: its run may still be playing.
    Read,
    Lock,
}

impl JournalAccess {
    fn open(
        self,
        path: &Path,
        each: impl FnMut(u64, JournalEntry),
    ) -> Result<Journal, JournalError> {
        match self {
            JournalAccess::Read => Journal::read_only(path, each),
            JournalAccess::Lock => Journal::open(path, each),
        }
    }
}

/// Result folders of one tournament, and all of their games.
#[derive(Debug, Default)]
pub struct Sources {
    pub folders: Vec<SourceFolder>,
    pub games: MergedGames,
    /// The number of games, and the time that their bots thought together.
    thought: (u32, Duration),
    /// The journals that were read, by their real paths.
    read: BTreeSet<PathBuf>,
}

impl Sources {
    /// Reads these folders.
    ///
    /// # Errors
    /// As for [`add`](Sources::add).
    pub fn read(dirs: &[PathBuf]) -> Result<Sources, Failure> {
        let mut sources = Sources::default();
        for dir in dirs {
            sources.add(dir, JournalAccess::Read)?;
        }
        Ok(sources)
    }

    /// Reads a folder, once. One whose run has not recorded anything yet is noted and left out.
    ///
    /// # Errors
    /// There is no such folder, or its journal cannot be read.
    pub fn add(&mut self, dir: &Path, access: JournalAccess) -> Result<(), Failure> {
        let name = dir.display().to_string();
        let folder = ResultFolder::existing(dir);
        if !dir.is_dir() {
            return Err(anyhow!("{name}: there is no such folder").into());
        }
        let path = folder.journal();
        let Ok(real) = path.canonicalize() else {
            complain(format_args!("note: {name} has no journal yet"));
            return Ok(());
        };
        if !self.read.insert(real) {
            return Ok(());
        }
        let mut head = None;
        let mut runs = Vec::new();
        let mut previous = BTreeSet::new();
        let mut error = None;
        let mut line = 0;
        let journal = access.open(&path, |place, entry| {
            line += 1;
            let sha256 = line_sha256(&entry).unwrap_or_default();
            match entry {
                JournalEntry::Head(newer) => {
                    previous.extend(newer.previous.clone());
                    head = Some(newer);
                }
                JournalEntry::Game(game) => {
                    // The folder gets this number below. No game comes before the first head, so
                    // one without a head has no game either.
                    let at = JournalPlace { journal: self.folders.len(), place, line };
                    match game.record() {
                        Ok(record) => {
                            let times =
                                record.plies.iter().filter_map(|ply| ply.note.as_ref()?.wall);
                            self.thought.0 += 1;
                            self.thought.1 += times.sum::<Duration>();
                            self.games.add(at, GameSummary::new(&game, &record), sha256);
                        }
                        Err(why) => _ = error.get_or_insert((line, why)),
                    }
                }
                JournalEntry::Run(run) => runs.push(run),
            }
        })?;
        if let Some((number, error)) = error {
            return Err(anyhow!(error).context(format!("{}:{number}", path.display())).into());
        }
        match head {
            Some(head) => {
                self.folders.push(SourceFolder { name, folder, journal, head, runs, previous })
            }
            None => complain(format_args!("note: {name} has no games yet")),
        }
        Ok(())
    }

    /// The mean time that the bots of a game thought together; `None` without games.
    pub fn mean_time(&self) -> Option<Duration> {
        let (games, time) = self.thought;
        time.checked_div(games)
    }

    /// The newest heads of these journals.
    pub fn heads(&self) -> impl Iterator<Item = &JournalHead> {
        self.folders.iter().map(|source| &source.head)
    }

    /// The head of all journals together, with that of a run that reads them if it is given, and
    /// the configuration.
    ///
    /// # Errors
    /// They do not belong together, are those of a sequential test, or there are none.
    pub fn head(&self, own: Option<&JournalHead>) -> anyhow::Result<(JournalHead, Config)> {
        // A run that reads them goes by its own configuration, which may have changed since in what
        // decides no game.
        let mut read = Vec::new();
        for source in &self.folders {
            read.push((source.name.clone(), &source.head));
        }
        let mut heads = read.clone();
        if let Some(own) = own {
            heads.insert(0, ("this run".to_owned(), own));
        }
        let merged = merged_head(&heads);
        let head = match merged.and_then(|head| check_configurations(&read).map(|()| head)) {
            Ok(head) => head,
            Err(error) => bail!("{}", anonymizer_of(&heads).message(&error.0)),
        };
        let config = head
            .configuration()
            .map_err(|errors| anyhow!("{}", errors.display("cup.toml").to_string().trim_end()))
            .context("the configuration in the journals")?;
        let config = head.public_names().config(&config);
        if config.schedule.format.kind.dependence == Dependence::Pairs {
            bail!(
                "a sequential test is played by one run, because each pair decides whether another \
                 is played: its journal cannot be merged"
            );
        }
        Ok((head, config))
    }

    /// Checks that the games of every folder were chosen by the results that `known` has, and are
    /// those of the schedule.
    ///
    /// # Errors
    /// The games of a round were played after other results, or a game is not one of the schedule;
    /// the folder is named, or the line.
    pub fn check_games(
        &self,
        head: &JournalHead,
        config: &Config,
        known: &PlayedGames,
    ) -> anyhow::Result<()> {
        let mut counts = BTreeSet::new();
        for source in &self.folders {
            counts.extend(source.previous.iter().map(|previous| previous.games));
        }
        let found = if counts.is_empty() {
            Vec::new()
        } else {
            results_after(config, &head.bots(), known, &counts)?
        };
        for source in &self.folders {
            for previous in &source.previous {
                let games = previous.games;
                if found.iter().any(|found| found.games == games && found != previous) {
                    bail!(
                        "{}: its games after the first {games} were chosen by other results of \
                         these than the merged ones; merge without it, or without the folder that \
                         changed them",
                        source.name
                    );
                }
            }
        }
        // What is merged can be read only if each game is one of the schedule.
        let (mut index, places) = self.games.all(head);
        let Err(error) = index.check::<anyhow::Error>(config, head) else { return Ok(()) };
        // The index knows the game by its number among all of them; its author knows a line.
        if let Some(RecordedGameError { place: Some(place), .. }) = error.downcast_ref()
            && let Some(at) = places.get(*place as usize)
        {
            let journal = self.folders[at.journal].folder.journal();
            return Err(error.context(format!("{}:{}", journal.display(), at.line)));
        }
        Err(error)
    }
}

/// Hides the own names of the bots in these heads, if others call them otherwise.
fn anonymizer_of(heads: &[(String, &JournalHead)]) -> Anonymizer {
    let mut hidden = BTreeSet::new();
    for (_, head) in heads {
        for (public, private) in head.known_names() {
            if public != private {
                hidden.insert(private.to_owned());
            }
        }
        if hidden.is_empty() {
            continue;
        }
        for bot in &head.roster {
            hidden.extend(bot.display.clone());
        }
        // A message may quote the lines in which two configurations differ.
        if let Ok(config) = head.configuration() {
            for bot in config.bots {
                hidden.insert(bot.name);
            }
            for folder in config.folders {
                hidden.extend(folder.exclude);
            }
            hidden.extend(config.display_names.into_values());
        }
    }
    if hidden.is_empty() { Anonymizer::unchanged() } else { Anonymizer::hiding(hidden, []) }
}
