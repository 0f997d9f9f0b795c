//! The bots of a tournament: each is found, built, started and asked for `ready` before the first
//! game. Errors are reported for all bots at once.

use crate::arena::Cores;
use crate::bot::Launcher;
use crate::builtin::BuiltinBot;
use crate::config::{ConfigErrors, Names};
use crate::ground::bot_names::{refuse_equal_names, suggest_names};
use crate::ground::builds::Builds;
use crate::ground::candidate::{Candidate, Refusal, TrialSetup, Tried, changing, without};
use crate::ground::output::complain;
use crate::ground::request::TournamentRequest;
use crate::ground::submissions::submitted;
use crate::ground::trial_progress::TrialProgress;
use crate::locate::{
    ContentRules, Finder, FoundContent, Program, ProgramError, hide_from_each_other,
};
use crate::report::anonymizer::{Anonymizer, Public};
use crate::text::one_line;
use crate::tournament::{Absentee, Entrant, JournalContents, PublicNames};
use anyhow::{Context, anyhow};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

/// A bot that can be scheduled.
#[derive(Debug, Clone)]
pub struct ReadyBot {
    pub entrant: Entrant,
    pub program: Arc<Program>,
    /// The files that it plays with, as they were before the first game.
    pub found: FoundContent,
    /// Names of those that its build or the bot itself makes.
    changing: BTreeSet<String>,
    /// The organiser's files that may lie in its folder.
    organisers: Vec<PathBuf>,
}

impl ReadyBot {
    /// Takes the form in which it is scheduled: another run may know more files that its build or
    /// the bot made.
    pub fn schedule(&mut self, entrant: &Entrant) {
        self.changing.extend(changing(entrant, &self.program));
        self.entrant = entrant.clone();
    }

    /// What has changed since the first game, by its names; `last` is the last look at its files.
    /// Files that were not there count if `all` does.
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
        ContentRules { patterns: self.program.spec.digest.as_deref(), organisers: &self.organisers }
    }
}

/// All bots of the configuration, after their test.
#[derive(Debug, Default)]
pub struct Entrants {
    /// In the order of the configuration.
    pub bots: Vec<ReadyBot>,
    /// Bots from folders that cannot be scheduled.
    pub absent: Vec<RefusedBot>,
}

/// A bot from a folder that cannot be scheduled.
#[derive(Debug)]
pub struct RefusedBot {
    /// Its name, with the reason that tables show.
    pub absentee: Absentee,
    /// The command of its build, if it has one.
    pub build: Option<String>,
    /// The reason for its author.
    pub refusal: Refusal,
}

/// All bots of the configuration, before any of them is started.
pub struct Candidates(Vec<Candidate>);

impl Candidates {
    /// Finds all bots, and copies the submissions if there is a place for that. `contents` is what
    /// the journal knows of them, `names` what others call them.
    ///
    /// # Errors
    /// A folder of submissions cannot be read, or two bots have one name.
    pub fn find(
        request: &TournamentRequest,
        launcher: &Launcher,
        builds: Option<&Builds>,
        contents: &JournalContents,
        names: &PublicNames,
    ) -> anyhow::Result<Candidates> {
        let TournamentRequest { config, from, .. } = request;
        let trust = request.trust.of_folders(launcher.sandbox);
        let game = config.settings.ruleset.game();
        let finder =
            Finder { from, program: &launcher.program, builtin: BuiltinBot::check, game, trust };
        let mut candidates = Vec::new();
        for bot in &config.bots {
            candidates.push(Candidate {
                name: bot.name.clone(),
                shown: Anonymizer::unchanged().name(&names.name(&bot.name)),
                identity: bot.identity(),
                place: from.clone(),
                folder: None,
                program: finder.configured(bot).map_err(|error| error.to_string()),
                excluded: false,
            });
        }
        for submissions in &config.folders {
            candidates.extend(submitted(submissions, names, from, &finder)?);
        }
        // A folder of the same name that does not play would be told as if the bot did not.
        let is_own = |one: &Candidate| config.bots.iter().any(|bot| bot.name == one.name);
        candidates.retain(|one| !(one.excluded && is_own(one)));
        if !names.are_aliases() {
            suggest_names(&mut candidates);
        }
        refuse_equal_names(&mut candidates, contents, names)?;
        if let Some(builds) = builds {
            let stage = TrialProgress::begin(
                "copying",
                candidates.iter().filter(|one| one.is_submitted()).count(),
            );
            for candidate in &mut candidates {
                candidate.copy(builds, &stage);
            }
        }
        let mut found: Vec<&mut Program> =
            candidates.iter_mut().filter_map(|candidate| candidate.program.as_mut().ok()).collect();
        hide_from_each_other(&mut found);
        Ok(Candidates(candidates))
    }

    /// Warns of bots that run in one folder. `anonymizer` is for the names of folders.
    pub fn warn_of_shared_folders(&self, anonymizer: &Anonymizer) {
        warn_of_shared_folders(&self.0, anonymizer);
    }

    /// The bots that the configuration names one by one, with their contents before anything is
    /// built, as a journal with this roster knows them. Those whose programs are not there are left
    /// out.
    ///
    /// # Errors
    /// The files of one cannot be read.
    pub fn unbuilt(
        &self,
        organisers: &[PathBuf],
        roster: &[Entrant],
    ) -> anyhow::Result<Vec<Entrant>> {
        let own = self.0.iter().filter(|candidate| candidate.folder.is_none());
        let found = own.filter_map(|candidate| Some((candidate, candidate.program.as_ref().ok()?)));
        let unbuilt = found.map(|(Candidate { name, identity, .. }, program)| {
            let rules = ContentRules { patterns: program.spec.digest.as_deref(), organisers };
            let found = program.content(rules, None).with_context(|| name.clone())?;
            let mut earlier = roster.iter().find(|bot| bot.name == *name).cloned();
            if program.spec.build.is_some() {
                // The build makes them anew.
                let products = earlier.iter_mut().flat_map(|bot| bot.products.values_mut());
                for made in products {
                    *made = None;
                }
            }
            let name = name.clone();
            let identity = identity.clone();
            Ok(Entrant::new(name, identity, &found.content, BTreeMap::new(), earlier.as_ref()))
        });
        unbuilt.collect()
    }

    /// The names of the bots whose programs were found.
    pub fn names(&self) -> Vec<String> {
        let found = self.0.iter().filter(|candidate| candidate.program.is_ok());
        found.map(|candidate| candidate.name.clone()).collect()
    }

    /// The names of all bots, of those that cannot play too.
    pub fn all_names(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|candidate| &candidate.name)
    }

    /// The programs that were found, with the names of their bots.
    pub fn programs(&self) -> impl Iterator<Item = (Public<String>, &Program)> {
        self.0.iter().filter_map(|candidate| {
            Some((candidate.shown.clone(), candidate.program.as_ref().ok()?))
        })
    }

    /// Replaces the folders of all bots if names are not published: a folder is named after its
    /// author.
    pub fn anonymizer(&self, names: Names) -> Anonymizer {
        let folders = self.0.iter().filter(|_| names == Names::Alias).flat_map(|candidate| {
            let program = candidate.program.as_ref().ok();
            let own = program.map(|program| [program.dir.clone(), program.source().to_owned()]);
            own.into_iter().flatten().chain([candidate.place.clone()])
        });
        let seen = folders.flat_map(|folder| [folder.canonicalize().ok(), Some(folder)]).flatten();
        Anonymizer::new([], seen.map(|folder| (folder.display().to_string(), ".")))
    }

    /// Builds and tests all of them, and reads what they consist of. `anonymizer` is for errors.
    ///
    /// # Errors
    /// A bot of the organiser cannot be found, built or started; the error names all such bots.
    pub fn try_out(
        self,
        trial: &TrialSetup<'_>,
        workers: usize,
        anonymizer: &Anonymizer,
    ) -> anyhow::Result<Entrants> {
        let tried = try_all(&self.0, trial, workers);
        let mut entrants = Entrants::default();
        let mut errors = Vec::new();
        for (candidate, tried) in self.0.into_iter().zip(tried) {
            let Candidate { name, shown, place, folder, program, excluded, .. } = candidate;
            let folders = [Some(place), program.as_ref().ok().map(|program| program.dir.clone())];
            let build = program.as_ref().ok().and_then(|program| program.spec.build.clone());
            let ready = tried.and_then(|tried| Ok((tried, Arc::new(program?))));
            match (ready, folder) {
                (Ok(((entrant, found, changing), program)), _) => {
                    let organisers = trial.organisers.to_owned();
                    entrants.bots.push(ReadyBot { entrant, program, found, changing, organisers });
                }
                (Err(Refusal { why, kept, .. }), None) => {
                    errors.push(anonymizer.without_folders(&format!("{shown}: {why}{kept}")));
                }
                (Err(refusal), folder) => {
                    let public = |text: &str| one_line(&without(text, folders.iter().flatten()));
                    let told = match trial.names {
                        Names::Name => refusal.why.clone(),
                        Names::Alias => ConfigErrors::without_lines(&refusal.why),
                    };
                    let reason = public(&(told + &refusal.kept));
                    let absentee = Absentee { name, reason, folder, excluded };
                    let refusal = Refusal { why: public(&refusal.why), ..refusal };
                    entrants.absent.push(RefusedBot { absentee, build, refusal });
                }
            }
        }
        if errors.is_empty() { Ok(entrants) } else { Err(anyhow!(errors.join("\narbiter: "))) }
    }
}

/// The most bots of a folder that are named.
const SHARERS: usize = 3;

/// Warns of bots that run in one folder, because they can read each other's files.
fn warn_of_shared_folders(candidates: &[Candidate], anonymizer: &Anonymizer) {
    let mut sharers: BTreeMap<&Path, Vec<&str>> = BTreeMap::new();
    for one in candidates {
        if let Some(program) = one.program.as_ref().ok().filter(|program| !program.built_in) {
            sharers.entry(program.source()).or_default().push(&one.shown);
        }
    }
    for (dir, bots) in sharers.iter().filter(|(_, bots)| bots.len() > 1) {
        let names = match &bots[..] {
            [others @ .., last] if bots.len() <= SHARERS => {
                format!("{} and {last}", others.join(", "))
            }
            _ => format!("{} and {} more", bots[..SHARERS].join(", "), bots.len() - SHARERS),
        };
        let note = format!(
            "note: {names} share the folder {}; give each a `dir` of its own",
            dir.display()
        );
        complain(anonymizer.message_without_folders(&note.into()));
    }
}

/// Tries out every candidate, `workers` at a time; the results are in the order of the candidates.
/// All are built before any is tested, so that a test is not disturbed by builds and has the
/// conditions of a game.
fn try_all(candidates: &[Candidate], trial: &TrialSetup<'_>, workers: usize) -> Vec<Tried> {
    let is_built = |candidate: &&Candidate| matches!(&candidate.program, Ok(program) if program.spec.build.is_some());
    let stage = TrialProgress::begin("building", candidates.iter().filter(is_built).count());
    let built = in_parallel(candidates, workers, || (), |candidate| candidate.build(trial, &stage));
    drop(stage);
    let stage = TrialProgress::begin("testing", built.iter().filter(|built| built.is_ok()).count());
    let cores = Cores::new(&trial.conditions.settings, workers);
    let pin = || {
        cores.pin().unwrap_or_else(|error| tracing::warn!("a bot is tested on any core: {error}"))
    };
    let built: Vec<_> = candidates.iter().zip(built).collect();
    in_parallel(&built, workers, pin, |(candidate, built)| {
        let (program, submitted) = built.as_ref().map_err(Refusal::clone)?;
        stage.during(&candidate.shown, || candidate.try_start(program, submitted, trial))
    })
}

/// Does the work on every item, `workers` at a time; the results are in the order of the items.
/// Each thread calls `begin` first.
fn in_parallel<'a, A: Sync, T: Send>(
    items: &'a [A],
    workers: usize,
    begin: impl Fn() + Sync,
    work: impl Fn(&'a A) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || {
        begin();
        let taken = std::iter::from_fn(|| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, work(item)))
        });
        taken.collect::<Vec<_>>()
    };
    let mut done = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..workers.clamp(1, items.len().max(1))).map(|_| scope.spawn(take)).collect();
        let join = |thread: ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    done.sort_by_key(|&(at, _)| at);
    done.into_iter().map(|(_, result)| result).collect()
}
