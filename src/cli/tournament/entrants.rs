//! Who plays: every bot is found, built, started and asked for `ready` before the first game, and what is wrong is said
//! of all of them at once.

use crate::arena::{Contest, Quoted, Trial, Written, prepare};
use crate::bot::{BotError, Finder, Program, hide_from_each_other};
use crate::builtin::Player;
use crate::cli::complain;
use crate::config::{BotConfig, Command, Config, FolderConfig, is_bot_name};
use crate::store::ResultFolder;
use crate::store::journal::{Absentee, Entrant, Head};
use anyhow::{Context, anyhow, bail};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A bot that can be scheduled.
#[derive(Debug, Clone)]
pub(super) struct Bot {
    pub entrant: Entrant,
    pub program: Arc<Program>,
}

/// All bots that the configuration names.
#[derive(Debug, Default)]
pub(super) struct Entrants {
    /// In the order of the configuration.
    pub bots: Vec<Bot>,
    /// Bots from folders that cannot be scheduled.
    pub absent: Vec<Absentee>,
}

/// Whose mistake it is when a bot cannot be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answerable {
    /// The organiser's: nothing is played.
    Organiser,
    /// Its author's: the bot is not scheduled.
    Author,
}

/// A bot that was found, or not.
struct Candidate {
    entrant: Entrant,
    answerable: Answerable,
    /// The folder that its reasons are told from: where it lies is nobody's business who reads the table.
    place: PathBuf,
    program: Result<Program, String>,
}

impl Entrants {
    /// Finds, builds and tries out all bots. Those that a journal's head has scheduled already stay scheduled whatever
    /// is wrong with them now: they forfeit.
    ///
    /// # Errors
    /// A bot of the organiser's own cannot be found, built or started; all of them are named.
    pub fn gather(
        config: &Config,
        from: &Path,
        contest: &Contest,
        folder: &ResultFolder,
        before: Option<&Head>,
        workers: usize,
    ) -> anyhow::Result<Entrants> {
        let finder = Finder { from, launcher: &contest.launcher, builtin: &Player::NAMES };
        let mut candidates = Vec::new();
        for bot in &config.bots {
            candidates.push(Candidate {
                entrant: Entrant { name: bot.name.clone(), program: bot.deciding() },
                answerable: Answerable::Organiser,
                place: from.to_owned(),
                program: finder.configured(bot).map_err(|error| error.to_string()),
            });
        }
        for submissions in &config.folders {
            candidates.extend(submitted(submissions, from, &finder)?);
        }
        refuse_equal_names(&candidates)?;
        let mut found: Vec<&mut Program> =
            candidates.iter_mut().filter_map(|candidate| candidate.program.as_mut().ok()).collect();
        hide_from_each_other(&mut found);
        warn_of_shared_folders(&candidates);
        let tried = try_all(&candidates, contest, config, folder, workers);
        let scheduled: HashSet<&str> =
            before.into_iter().flat_map(|head| &head.roster).map(|bot| bot.name.as_str()).collect();
        let (mut entrants, mut errors) = (Entrants::default(), Vec::new());
        for (candidate, tried) in candidates.into_iter().zip(tried) {
            let Candidate { entrant, answerable, place, program } = candidate;
            match (tried, program) {
                (Ok(()), Ok(program)) => entrants.bots.push(Bot { entrant, program: Arc::new(program) }),
                (Err(why), Ok(program)) if scheduled.contains(&*entrant.name) => {
                    complain(format_args!("{}: {why}; it has begun to play and forfeits now", entrant.name));
                    entrants.bots.push(Bot { entrant, program: Arc::new(program) });
                }
                (Err(reason), _) | (_, Err(reason)) => match answerable {
                    Answerable::Organiser => errors.push(format!("{}: {reason}", entrant.name)),
                    Answerable::Author => {
                        let reason = without(&reason, &place);
                        entrants.absent.push(Absentee { name: entrant.name, reason });
                    }
                },
            }
        }
        if errors.is_empty() { Ok(entrants) } else { Err(anyhow!(errors.join("\narbiter: "))) }
    }
}

/// A reason that everybody may read: where the folder lies is nobody's business, as it is named here or as a build sees it
/// (`make: Entering directory '…'`).
fn without(reason: &str, place: &Path) -> String {
    let seen = place.canonicalize().unwrap_or_else(|_| place.to_owned());
    [place, &seen].iter().fold(reason.to_owned(), |reason, place| {
        let place = place.display().to_string();
        reason.replace(&format!("{place}/"), "").replace(&place, ".")
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
        if !dir.is_dir() || name.starts_with('.') {
            continue;
        }
        let program = match is_bot_name(&name) {
            true => finder.submitted(&dir, folder).map_err(|error| error.to_string()),
            false => Err("the folder's name cannot be a bot's: letters, digits, `.`, `_` and `-`".to_owned()),
        };
        let entrant = Entrant { program: deciding(&name, folder, program.as_ref().ok()), name };
        found.push(Candidate { entrant, answerable: Answerable::Author, place: dir, program });
    }
    found.sort_by(|a, b| a.entrant.name.cmp(&b.entrant.name));
    Ok(found)
}

/// What decides how a submitted bot plays, wherever its folder is.
fn deciding(name: &str, folder: &FolderConfig, program: Option<&Program>) -> String {
    let command = match (program, &folder.command) {
        (Some(program), _) => Command::Words(
            std::iter::once(program.command.file_name().unwrap_or_default())
                .chain(program.arguments.iter().map(|word| &**word))
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
        ),
        (None, Some(command)) => command.clone(),
        (None, None) => Command::Words(Vec::new()),
    };
    let mut bot = BotConfig::new(name, command);
    bot.build = program.and_then(|program| program.build.clone());
    bot.deciding()
}

fn refuse_equal_names(candidates: &[Candidate]) -> anyhow::Result<()> {
    let mut names = HashSet::new();
    for candidate in candidates {
        let name = &candidate.entrant.name;
        if !names.insert(name.to_ascii_lowercase()) {
            bail!("two bots are called {name} (capitals do not tell them apart); rename one of them");
        }
    }
    Ok(())
}

/// Bots that run in one folder can read and disturb each other.
fn warn_of_shared_folders(candidates: &[Candidate]) {
    for (index, one) in candidates.iter().enumerate() {
        let earlier = &candidates[..index];
        let Ok(program) = &one.program else { continue };
        let shares = |other: &&Candidate| {
            other
                .program
                .as_ref()
                .is_ok_and(|other| other.dir == program.dir && !program.built_in && !other.built_in)
        };
        if let Some(other) = earlier.iter().find(shares) {
            let (one, other, dir) = (&one.entrant.name, &other.entrant.name, program.dir.display());
            complain(format_args!(
                "note: {other} and {one} share the folder {dir}; give each a `dir` of its own"
            ));
        }
    }
}

/// Builds and tries out every candidate, some at a time; the results are in their order.
fn try_all(
    candidates: &[Candidate],
    contest: &Contest,
    config: &Config,
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
                    let result = try_out(candidate, contest, config, folder);
                    results.lock().unwrap_or_else(PoisonError::into_inner)[at] = result;
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn try_out(
    candidate: &Candidate,
    contest: &Contest,
    config: &Config,
    folder: &ResultFolder,
) -> Result<(), String> {
    let Ok(program) = &candidate.program else { return Ok(()) };
    let name = &candidate.entrant.name;
    // Reasons of submitted bots stand in tables that others read.
    let quoted = match candidate.answerable {
        Answerable::Organiser => Quoted::Yes,
        Answerable::Author => contest.stderr,
    };
    let mut written = Written::default();
    let build_time = config.limits.build_time;
    let tried = prepare(contest, name, program, build_time, Trial::Ready, quoted, &mut written);
    let mut kept = String::new();
    let trial = Some(written.trial).filter(|trial| !trial.is_empty());
    for (file, written) in [("build.log", written.build), ("trial.log", trial)] {
        let Some(written) = written else { continue };
        let kept_there = folder.write_bot_log(name, file, &written);
        kept_there.map_err(|error| format!("keeping what it wrote in {file}: {error}"))?;
        if quoted == Quoted::No {
            kept = format!(" (what it wrote is in bots/{name}/{file})");
        }
    }
    tried.map_err(|error| match error {
        BotError::Unstartable(why) => why + &kept,
        BotError::Broken(what) => format!("arbiter: {what}"),
    })
}
