//! The bots of a tournament: each is found, built, started and asked for `ready` before the first game.
//! Errors are reported for all bots at once.

use super::builds::Builds;
use crate::arena::{Conditions, TrialDepth, Written, prepare};
use crate::bot::{BotError, Launcher};
use crate::builtin::BuiltinBot;
use crate::cli::complain;
use crate::config::{BotConfig, Config, FolderConfig, StartCommand, is_bot_name};
use crate::game::StderrAccess;
use crate::locate::{Finder, Program, hide_from_each_other};
use crate::store::ResultFolder;
use crate::tournament::{Absentee, Entrant, JournalHead};
use anyhow::{Context, anyhow, bail};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A bot that can be scheduled.
#[derive(Debug, Clone)]
pub(super) struct ReadyBot {
    pub entrant: Entrant,
    pub program: Arc<Program>,
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
    entrant: Entrant,
    answerable: Answerable,
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
        let finder = Finder { from, program: &launcher.program, builtin: &BuiltinBot::NAMES };
        let mut candidates = Vec::new();
        for bot in &config.bots {
            candidates.push(Candidate {
                entrant: Entrant { name: bot.name.clone(), program: bot.identity() },
                answerable: Answerable::Organiser,
                place: from.to_owned(),
                program: finder.configured(bot).map_err(|error| error.to_string()),
            });
        }
        for submissions in &config.folders {
            candidates.extend(submitted(submissions, from, &finder)?);
        }
        refuse_equal_names(&candidates)?;
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
            .filter_map(|candidate| Some((candidate.entrant.name.as_str(), candidate.program.as_ref().ok()?)))
    }

    /// Builds and tests all of them. A bot that the journal's head has already scheduled stays scheduled even
    /// if it fails now: it forfeits its games.
    ///
    /// # Errors
    /// A bot of the organiser cannot be found, built or started; the error names all such bots.
    pub fn try_out(
        self,
        conditions: &Conditions,
        folder: &ResultFolder,
        before: Option<&JournalHead>,
        workers: usize,
    ) -> anyhow::Result<Entrants> {
        let tried = try_all(&self.0, conditions, folder, workers);
        let scheduled: HashSet<&str> =
            before.into_iter().flat_map(|head| &head.roster).map(|bot| bot.name.as_str()).collect();
        let (mut entrants, mut errors) = (Entrants::default(), Vec::new());
        for (candidate, tried) in self.0.into_iter().zip(tried) {
            let Candidate { entrant, answerable, place, program } = candidate;
            let folders = [Some(place), program.as_ref().ok().map(|program| program.dir.clone())];
            match (tried, program) {
                (Ok(()), Ok(program)) => entrants.bots.push(ReadyBot { entrant, program: Arc::new(program) }),
                (Err(why), Ok(program)) if scheduled.contains(&*entrant.name) => {
                    complain(format_args!(
                        "{}: {why}; it is already scheduled, so it forfeits its games",
                        entrant.name
                    ));
                    entrants.bots.push(ReadyBot { entrant, program: Arc::new(program) });
                }
                (Err(reason), _) | (_, Err(reason)) => match answerable {
                    Answerable::Organiser => errors.push(format!("{}: {reason}", entrant.name)),
                    Answerable::Author => {
                        let reason = without(&reason, folders.iter().flatten());
                        entrants.absent.push(Absentee { name: entrant.name, reason });
                    }
                },
            }
        }
        if errors.is_empty() { Ok(entrants) } else { Err(anyhow!(errors.join("\narbiter: "))) }
    }
}

impl Candidate {
    /// Replaces the program of a submission that has a build by one in a copy of its folder.
    fn copy(&mut self, builds: &Builds) {
        let name = &self.entrant.name;
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
            false => {
                Err("the folder's name is not a valid bot name: use letters, digits, `.`, `_` and `-`"
                    .to_owned())
            }
        };
        let entrant = Entrant { program: deciding(&name, folder, program.as_ref().ok()), name };
        found.push(Candidate { entrant, answerable: Answerable::Author, place: dir, program });
    }
    found.sort_by(|a, b| a.entrant.name.cmp(&b.entrant.name));
    Ok(found)
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

fn refuse_equal_names(candidates: &[Candidate]) -> anyhow::Result<()> {
    let mut names = HashSet::new();
    for candidate in candidates {
        let name = &candidate.entrant.name;
        if !names.insert(name.to_ascii_lowercase()) {
            bail!("two bots are called {name} (case is ignored); rename one of them");
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
            let (one, other, dir) = (&one.entrant.name, &other.entrant.name, program.source().display());
            complain(format_args!(
                "note: {other} and {one} share the folder {dir}; give each a `dir` of its own"
            ));
        }
    }
}

/// Builds and tests every candidate, `workers` at a time; the results are in the order of the candidates.
fn try_all(
    candidates: &[Candidate],
    conditions: &Conditions,
    folder: &ResultFolder,
    workers: usize,
) -> Vec<Result<(), String>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Result<(), String>>> = Mutex::new(vec![Ok(()); candidates.len()]);
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, candidates.len().max(1)) {
            scope.spawn(|| {
                while let Some((at, candidate)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    candidates.get(at).map(|candidate| (at, candidate))
                } {
                    let result = try_out(candidate, conditions, folder);
                    results.lock().unwrap_or_else(PoisonError::into_inner)[at] = result;
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn try_out(candidate: &Candidate, conditions: &Conditions, folder: &ResultFolder) -> Result<(), String> {
    let Ok(program) = &candidate.program else { return Ok(()) };
    let name = &candidate.entrant.name;
    // Others can read the reasons of submitted bots in tables.
    let stderr = match candidate.answerable {
        Answerable::Organiser => StderrAccess::Public,
        Answerable::Author => conditions.stderr,
    };
    let mut written = Written::default();
    let tried = prepare(conditions, name, program, TrialDepth::Ready, stderr, &mut written);
    let mut kept = String::new();
    let trial = Some(written.trial).filter(|trial| !trial.is_empty());
    for (file, written) in [("build.log", written.build), ("trial.log", trial)] {
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
