//! The bots of a tournament: each is found, built, started and asked for `ready` before the first game.
//! Errors are reported for all bots at once.

use super::builds::Builds;
use crate::arena::{Conditions, TrialDepth, Written, prepare};
use crate::bot::{BotError, Launcher};
use crate::builtin::BuiltinBot;
use crate::cli::complain;
use crate::cli::play::bot_name;
use crate::cli::trust::TrustFlag;
use crate::config::{BOT_NAME_LETTERS, BotConfig, Config, FolderConfig, StartCommand, is_bot_name};
use crate::content::Content;
use crate::game::StderrAccess;
use crate::locate::{ContentRules, Finder, FoundContent, Program, ProgramError, hide_from_each_other};
use crate::store::ResultFolder;
use crate::tournament::{Absentee, Entrant, JournalContents};
use anyhow::{Context, anyhow, bail};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A bot that can be scheduled.
#[derive(Debug, Clone)]
pub(super) struct ReadyBot {
    pub entrant: Entrant,
    pub program: Arc<Program>,
    /// The files that it plays with, as they were before the first game.
    pub found: FoundContent,
    /// Names of those that its build or the bot itself makes.
    changing: BTreeSet<String>,
    /// Patterns of the files that are its content, if its configuration has them.
    patterns: Option<Vec<String>>,
    /// The organiser's files that may lie in its folder.
    organisers: Vec<PathBuf>,
}

impl ReadyBot {
    /// What has changed since the first game, by its names; `last` is the last look at its files. Files that were not
    /// there count if `all` does.
    pub fn changes(&self, last: &mut FoundContent, all: bool) -> Vec<String> {
        let Ok(now) = self.program.content(self.rules(), Some(last)) else {
            return vec!["its folder".to_owned()];
        };
        let before = self.found.content.without(&self.changing);
        let appeared = if all { BTreeSet::new() } else { self.found.appeared_in(&now) };
        let files = now.content.without(&self.changing).without(&appeared).differences(&before);
        *last = now;
        files
    }

    /// The files of its content that were not there before the first game.
    ///
    /// # Errors
    /// Its folder cannot be read.
    pub fn appeared(&self) -> Result<BTreeSet<String>, ProgramError> {
        Ok(self.found.appeared_in(&self.program.content(self.rules(), Some(&self.found))?))
    }

    fn rules(&self) -> ContentRules<'_> {
        ContentRules { patterns: self.patterns.as_deref(), organisers: &self.organisers }
    }
}

/// All bots of the configuration, after their test.
#[derive(Debug, Default)]
pub(super) struct Entrants {
    /// In the order of the configuration.
    pub bots: Vec<ReadyBot>,
    /// Bots from folders that cannot be scheduled.
    pub absent: Vec<Absentee>,
}

/// Who has to act when a bot cannot be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answerable {
    /// The organiser: nothing is played.
    Organiser,
    /// The bot's author: the bot is not scheduled.
    Author,
}

/// A bot of the configuration, with its program or the reason why there is none.
struct Candidate {
    name: String,
    /// The part of its configuration that decides how it plays.
    identity: String,
    answerable: Answerable,
    /// Patterns of the files that are its content, if its configuration has them.
    patterns: Option<Vec<String>>,
    /// The folder of the submission or the configuration; it is removed from reasons that tables show.
    place: PathBuf,
    program: Result<Program, String>,
}

/// All bots of the configuration, before any of them is started.
pub(super) struct Candidates(Vec<Candidate>);

impl Candidates {
    /// Finds all bots, and copies the submissions that have a build.
    ///
    /// # Errors
    /// A folder of submissions cannot be read, or two bots have one name.
    pub fn find(
        config: &Config,
        from: &Path,
        launcher: &Launcher,
        builds: &Builds,
    ) -> anyhow::Result<Candidates> {
        let trust = TrustFlag::default().of_folders(launcher.sandbox);
        let finder = Finder { from, program: &launcher.program, builtin: &BuiltinBot::NAMES, trust };
        let mut candidates = Vec::new();
        for bot in &config.bots {
            candidates.push(Candidate {
                name: bot.name.clone(),
                identity: bot.identity(),
                answerable: Answerable::Organiser,
                patterns: bot.digest.clone(),
                place: from.to_owned(),
                program: finder.configured(bot).map_err(|error| error.to_string()),
            });
        }
        for submissions in &config.folders {
            candidates.extend(submitted(submissions, from, &finder)?);
        }
        refuse_equal_names(&mut candidates)?;
        candidates.iter_mut().for_each(|candidate| candidate.copy(builds));
        let mut found: Vec<&mut Program> =
            candidates.iter_mut().filter_map(|candidate| candidate.program.as_mut().ok()).collect();
        hide_from_each_other(&mut found);
        warn_of_shared_folders(&candidates);
        Ok(Candidates(candidates))
    }

    /// The programs that were found, with the names of their bots.
    pub fn programs(&self) -> impl Iterator<Item = (&str, &Program)> {
        self.0
            .iter()
            .filter_map(|candidate| Some((candidate.name.as_str(), candidate.program.as_ref().ok()?)))
    }

    /// Builds and tests all of them, and reads what they consist of.
    ///
    /// # Errors
    /// A bot of the organiser cannot be found, built or started; the error names all such bots.
    pub fn try_out(self, trial: &TrialSetup<'_>, workers: usize) -> anyhow::Result<Entrants> {
        let tried = try_all(&self.0, trial, workers);
        let (mut entrants, mut errors) = (Entrants::default(), Vec::new());
        for (candidate, tried) in self.0.into_iter().zip(tried) {
            let Candidate { name, answerable, patterns, place, program, .. } = candidate;
            let folders = [Some(place), program.as_ref().ok().map(|program| program.dir.clone())];
            match (tried, program) {
                (Ok((entrant, found, changing)), Ok(program)) => {
                    let (program, organisers) = (Arc::new(program), trial.organisers.to_owned());
                    entrants.bots.push(ReadyBot { entrant, program, found, changing, patterns, organisers });
                }
                (Err(reason), _) | (_, Err(reason)) => match answerable {
                    Answerable::Organiser => errors.push(format!("{name}: {reason}")),
                    Answerable::Author => {
                        let reason = without(&reason, folders.iter().flatten());
                        entrants.absent.push(Absentee { name, reason });
                    }
                },
            }
        }
        if errors.is_empty() { Ok(entrants) } else { Err(anyhow!(errors.join("\narbiter: "))) }
    }
}

/// What bots are tried out with.
pub(super) struct TrialSetup<'a> {
    pub conditions: &'a Conditions,
    pub folder: &'a ResultFolder,
    /// What the journal knows of them.
    pub contents: &'a JournalContents,
    /// The organiser's files that may lie in a bot's folder.
    pub organisers: &'a [PathBuf],
}

impl Candidate {
    /// Replaces the program of a submission that has a build by one in a copy of its folder.
    fn copy(&mut self, builds: &Builds) {
        let name = &self.name;
        let is_built = |program: &Program| self.answerable == Answerable::Author && program.build.is_some();
        self.program = match std::mem::replace(&mut self.program, Err(String::new())) {
            Ok(program) if is_built(&program) => {
                let copied = builds.copy(name, &program.dir).and_then(|copy| program.in_copy(&copy));
                copied.map_err(|error| format!("it cannot be copied to be built: {error}"))
            }
            program => program,
        };
    }
}

/// The reason without the paths of these folders, because others may read it. Paths are removed as arbiter
/// names them and as a build sees them (`make: Entering directory '…'`).
fn without<'a>(reason: &str, folders: impl Iterator<Item = &'a PathBuf>) -> String {
    let seen = folders.flat_map(|folder| [Some(folder.clone()), folder.canonicalize().ok()]);
    seen.flatten().fold(reason.to_owned(), |reason, folder| {
        let folder = folder.display().to_string();
        reason.replace(&format!("{folder}/"), "").replace(&folder, ".")
    })
}

/// The bots of a `[[bots]]` folder, by name.
fn submitted(folder: &FolderConfig, from: &Path, finder: &Finder<'_>) -> anyhow::Result<Vec<Candidate>> {
    let path = from.join(&folder.folder);
    let context = || format!("[[bots]] folder {}", path.display());
    let mut found = Vec::new();
    for entry in path.read_dir().with_context(context)? {
        let dir = entry.with_context(context)?.path();
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Links are listed without following them: following would reveal whether the target exists.
        if name.starts_with('.') || !(dir.is_dir() || dir.is_symlink()) {
            continue;
        }
        let program = match is_bot_name(&name) {
            true => finder.submitted(&dir, folder).map_err(|error| error.to_string()),
            false => Err(format!(
                "the folder's name cannot be the name of a bot: use {BOT_NAME_LETTERS}, \
                 a letter or digit first: {}",
                renaming(&dir, &name)
            )),
        };
        let identity = deciding(&name, folder, program.as_ref().ok());
        found.push(Candidate {
            name,
            identity,
            answerable: Answerable::Author,
            patterns: None,
            place: dir,
            program,
        });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The command that gives a folder a name that a bot may have, to be run where the folder is.
fn renaming(dir: &Path, name: &str) -> String {
    let fitting = bot_name(name);
    let numbered = (2..).map(|number: u64| format!("{fitting}-{number}"));
    let is_free = |name: &String| dir.with_file_name(name).symlink_metadata().is_err();
    let free = std::iter::once(fitting.clone()).chain(numbered).find(is_free).unwrap_or_default();
    format!("mv -- {} {free}", shlex::try_quote(name).unwrap_or_default())
}

/// The part of a submitted bot's configuration that decides how it plays, without the path of its folder.
fn deciding(name: &str, folder: &FolderConfig, program: Option<&Program>) -> String {
    let command = match (program, &folder.command) {
        (Some(program), _) => StartCommand::Words(
            std::iter::once(program.command.file_name().unwrap_or_default())
                .chain(program.arguments.iter().map(|word| &**word))
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
        ),
        (None, Some(command)) => command.clone(),
        (None, None) => StartCommand::Words(Vec::new()),
    };
    let mut bot = BotConfig::new(name, command);
    bot.build = program.and_then(|program| program.build.clone());
    bot.dialect = program.map(|program| program.dialect);
    bot.identity()
}

/// Refuses two bots of one name. Of submissions only the first plays, so that no stranger's folder stops the others.
fn refuse_equal_names(candidates: &mut [Candidate]) -> anyhow::Result<()> {
    let mut names = HashSet::new();
    for candidate in candidates {
        let name = &candidate.name;
        if names.insert(name.to_ascii_lowercase()) {
            continue;
        }
        match candidate.answerable {
            Answerable::Organiser => {
                bail!("two bots are called {name} (case is ignored); rename one of them")
            }
            Answerable::Author => {
                candidate.program = Err("another bot has this name (case is ignored)".to_owned());
            }
        }
    }
    Ok(())
}

/// Warns of bots that run in one folder, because they can read each other's files.
fn warn_of_shared_folders(candidates: &[Candidate]) {
    for (index, one) in candidates.iter().enumerate() {
        let earlier = &candidates[..index];
        let Ok(program) = &one.program else { continue };
        let shares = |other: &&Candidate| {
            other
                .program
                .as_ref()
                .is_ok_and(|other| other.source() == program.source() && !program.built_in && !other.built_in)
        };
        if let Some(other) = earlier.iter().find(shares) {
            let (one, other, dir) = (&one.name, &other.name, program.source().display());
            complain(format_args!(
                "note: {other} and {one} share the folder {dir}; give each a `dir` of its own"
            ));
        }
    }
}

/// A bot as it is scheduled, the files that it plays with, and those of them that may change; or why it cannot play.
type Tried = Result<(Entrant, FoundContent, BTreeSet<String>), String>;

/// Tries out every candidate, `workers` at a time; the results are in the order of the candidates.
fn try_all(candidates: &[Candidate], trial: &TrialSetup<'_>, workers: usize) -> Vec<Tried> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Tried>> = Mutex::new(vec![Err(String::new()); candidates.len()]);
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, candidates.len().max(1)) {
            scope.spawn(|| {
                while let Some((at, candidate)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    candidates.get(at).map(|candidate| (at, candidate))
                } {
                    let result = candidate.program.as_ref().map_err(String::clone);
                    let result = result.and_then(|program| candidate.try_out(program, trial));
                    results.lock().unwrap_or_else(PoisonError::into_inner)[at] = result;
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Candidate {
    /// Reads what the bot consists of, builds it and tests it.
    fn try_out(&self, program: &Program, trial: &TrialSetup<'_>) -> Tried {
        let rules = ContentRules { patterns: self.patterns.as_deref(), organisers: trial.organisers };
        let read = |earlier| program.content(rules, earlier).map_err(|error| error.to_string());
        let submitted = read(None)?;
        self.build_and_start(program, trial)?;
        let earlier = trial.contents.entrant(&self.name);
        let built = if program.build.is_some() { read(Some(&submitted))? } else { submitted.clone() };
        // Where only the program itself is known, it is the content, though the build makes it.
        let in_place = program.access.copied_from.is_none();
        let (content, products) = match program.owns_folder() && self.patterns.is_none() {
            true if !in_place => (&submitted.content, BTreeMap::new()),
            true => (&submitted.content, submitted.made_since(&built)),
            false => (&built.content, BTreeMap::new()),
        };
        let entrant = self.entrant(content, products, earlier);
        // What the build or the bot made may change, but for the program itself.
        let mut changing: BTreeSet<String> = entrant.products.keys().cloned().collect();
        changing.retain(|name| !program.program_files().contains(name));
        Ok((entrant, built, changing))
    }

    fn entrant(
        &self,
        content: &Content,
        products: BTreeMap<String, Option<String>>,
        earlier: Option<&Entrant>,
    ) -> Entrant {
        Entrant::new(self.name.clone(), self.identity.clone(), content, products, earlier)
    }

    fn build_and_start(&self, program: &Program, trial: &TrialSetup<'_>) -> Result<(), String> {
        let TrialSetup { conditions, folder, .. } = trial;
        let name = &self.name;
        // Others can read the reasons of submitted bots in tables.
        let stderr = match self.answerable {
            Answerable::Organiser => StderrAccess::Public,
            Answerable::Author => conditions.stderr,
        };
        let mut written = Written::default();
        let tried = prepare(conditions, name, program, TrialDepth::Ready, stderr, &mut written);
        let mut kept = String::new();
        let said = Some(written.trial).filter(|said| !said.is_empty());
        for (file, written) in [("build.log", written.build), ("trial.log", said)] {
            let Some(written) = written else { continue };
            let kept_there = folder.write_bot_log(name, file, &written);
            kept_there.map_err(|error| format!("keeping what it wrote in {file}: {error}"))?;
            if stderr == StderrAccess::Private {
                kept = format!(" (what it wrote is in bots/{name}/{file})");
            }
        }
        tried.map_err(|error| match error {
            BotError::Unstartable(why) => why + &kept,
            BotError::Broken(what) => format!("arbiter: {what}"),
        })
    }
}
