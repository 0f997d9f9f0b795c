//! The bots of a tournament: each is found, built, started and asked for `ready` before the first
//! game. Errors are reported for all bots at once.

use super::ready_bot::ReadyBot;
use super::trial::{Refusal, TrialSetup};
use crate::tables::report::hidden_folder;
use anyhow::{Context, anyhow};
use arbiter_config::ConfigErrors;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::text::first_of;
use arbiter_cup::tournament::{Absentee, Entrant, JournalContents, PublicNames};
use arbiter_ground::bot_names::{refuse_equal_aliases, refuse_equal_names, suggest_names};
use arbiter_ground::builds::Builds;
use arbiter_ground::candidate::{Candidate, prepare_folders};
use arbiter_ground::finder::finder;
use arbiter_ground::output::complain;
use arbiter_ground::parallel::map_in_parallel;
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::submissions::{submission, submitted};
use arbiter_ground::trial_progress::TrialProgress;
use arbiter_host::bot::{Launcher, myself};
use arbiter_host::locate::{ContentRules, Program};
use arbiter_play::arena::Cores;
use arbiter_rules::text::{Message, one_line};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most bots of a folder that are named.
const SHARERS: usize = 3;

/// All bots of the configuration, after their test.
#[derive(Debug, Default)]
pub struct Entrants {
    /// In the order of the configuration.
    pub bots: Vec<ReadyBot>,
    /// Bots from folders that cannot be scheduled, with the reason that tables show, and that for
    /// the author.
    pub absent: Vec<(Absentee, Refusal)>,
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
        let finder = finder(from, &launcher.program, game, trust);
        let mut candidates = Vec::new();
        for bot in &config.bots {
            candidates.push(Candidate {
                name: bot.name.clone(),
                shown: names.name(&bot.name),
                identity: bot.identity(),
                place: from.clone(),
                folder: None,
                program: finder.configured(bot).map_err(|error| error.to_string()),
                excluded: false,
            });
        }
        for (number, submissions) in config.folders.iter().enumerate() {
            let Some(copies) = &request.copies else {
                candidates.extend(submitted(submissions, names, from, &finder)?);
                continue;
            };
            for (name, copy) in &copies[number] {
                let bot = submission(name.clone(), copy.clone(), submissions, names, &finder);
                candidates.push(bot);
            }
        }
        // An excluded folder that has the name of a [[bot]] would look as if that bot did not play.
        candidates
            .retain(|one| !one.excluded || config.bots.iter().all(|bot| bot.name != one.name));
        if !names.are_aliases() {
            suggest_names(&mut candidates);
        }
        refuse_equal_names(&mut candidates, contents, names)?;
        refuse_equal_aliases(&mut candidates, contents, names)?;
        prepare_folders(&mut candidates, builds);
        Ok(Candidates(candidates))
    }

    /// Finds all bots without a journal and without copies, only to inspect them.
    ///
    /// # Errors
    /// As for [`find`](Candidates::find).
    pub(crate) fn look(request: &TournamentRequest) -> anyhow::Result<Candidates> {
        let launcher = Launcher::new(myself(), request.config.settings.limits.sandbox);
        // No alias is shown, so none needs the key.
        let names = PublicNames::of(request.config.publish.names, None);
        Candidates::find(request, &launcher, None, &JournalContents::default(), &names)
    }

    /// Warns of bots that run in one folder, because they can read each other's files.
    /// `anonymizer` is for the names of folders.
    pub(crate) fn warn_of_shared_folders(&self, anonymizer: &Anonymizer) {
        let mut sharers: BTreeMap<&Path, Vec<&str>> = BTreeMap::new();
        for one in &self.0 {
            if let Ok(program) = &one.program
                && !program.built_in
            {
                sharers.entry(program.source()).or_default().push(&one.shown);
            }
        }
        for (dir, bots) in &sharers {
            let names = match &bots[..] {
                [] | [_] => continue,
                [others @ .., last] if bots.len() <= SHARERS => {
                    format!("{} and {last}", others.join(", "))
                }
                _ => first_of(bots, SHARERS),
            };
            let note = Message::from(format!("note: {names} share the folder "));
            let note = note.quoted(dir.display().to_string()).own("; give each a `dir` of its own");
            complain(anonymizer.message(&note));
        }
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
        let mut unbuilt = Vec::new();
        for candidate in &self.0 {
            let (None, Ok(program)) = (&candidate.folder, &candidate.program) else { continue };
            let name = candidate.name.clone();
            let rules = ContentRules { patterns: program.spec.digest.as_deref(), organisers };
            let found = program.content(rules, None).context(name.clone())?;
            let mut earlier = roster.iter().find(|bot| bot.private_name() == name).cloned();
            if program.spec.build.is_some()
                && let Some(earlier) = &mut earlier
            {
                // The build makes them anew, so their earlier content says nothing.
                for made in earlier.products.values_mut() {
                    *made = None;
                }
            }
            let identity = candidate.identity.clone();
            let content = &found.content;
            unbuilt.push(Entrant::new(name, identity, content, BTreeMap::new(), earlier.as_ref()));
        }
        Ok(unbuilt)
    }

    /// The names of all bots, of those that cannot play too.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|candidate| &candidate.name)
    }

    /// The names of the bots whose programs were found.
    pub(crate) fn found_names(&self) -> impl Iterator<Item = &String> {
        self.0.iter().filter(|candidate| candidate.program.is_ok()).map(|found| &found.name)
    }

    /// The programs that were found, with the names of their bots.
    pub fn programs(&self) -> impl Iterator<Item = (String, &Program)> {
        self.0.iter().filter_map(|candidate| {
            Some((candidate.shown.clone(), candidate.program.as_ref().ok()?))
        })
    }

    /// What others may see before the first game: if names are not published, neither those that
    /// are `known` and those beside them nor the folders of bots, which are named after their
    /// authors.
    pub fn anonymizer(&self, names: &PublicNames, known: &BTreeSet<String>) -> Anonymizer {
        if !names.are_aliases() {
            return Anonymizer::unchanged();
        }
        let mut hidden = known.clone();
        let mut folders = Vec::new();
        for candidate in &self.0 {
            if let Ok(program) = &candidate.program {
                hidden.extend(program.display());
                folders.extend(hidden_folder(&program.dir));
                folders.extend(hidden_folder(program.source()));
            }
            folders.extend(hidden_folder(&candidate.place));
        }
        Anonymizer::hiding(hidden, folders)
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
        let results = try_all(&self.0, trial, workers);
        let mut entrants = Entrants::default();
        let mut errors = Vec::new();
        for (candidate, tried) in self.0.into_iter().zip(results) {
            match tried {
                Ok(bot) => entrants.bots.push(bot),
                Err(refusal) if candidate.folder.is_some() => {
                    entrants.absent.push(absent(candidate, refusal, trial.names));
                }
                Err(Refusal { why, kept, .. }) => {
                    let why = anonymizer.clean(&(why + &kept));
                    errors.push(format!("{}: {why}", candidate.shown));
                }
            }
        }
        if errors.is_empty() { Ok(entrants) } else { Err(anyhow!(errors.join("\narbiter: "))) }
    }
}

/// A submission that does not play, with what tables and its author's page say of it.
fn absent(bot: Candidate, mut refusal: Refusal, names: &PublicNames) -> (Absentee, Refusal) {
    // Lines of a bot.toml that a message quotes can give its author away; they are for the author
    // alone.
    let told = if names.are_aliases() {
        ConfigErrors::without_lines(&refusal.why)
    } else {
        refusal.why.clone()
    };
    let reason = one_line(&bot.without_folders(&(told + &refusal.kept)));
    refusal.why = one_line(&bot.without_folders(&refusal.why));
    if let Ok(program) = &bot.program {
        refusal.build.clone_from(&program.spec.build);
    }
    let Candidate { name, folder, excluded, .. } = bot;
    (Absentee { name, private: None, reason, folder, excluded }.named(names), refusal)
}

/// Tries out every candidate, `workers` at a time; the results are in the order of the candidates.
/// All are built before any is tested, so that a test is not disturbed by builds and has the
/// conditions of a game.
fn try_all(
    candidates: &[Candidate],
    trial: &TrialSetup<'_>,
    workers: usize,
) -> Vec<Result<ReadyBot, Refusal>> {
    let mut builds = 0;
    for bot in candidates {
        builds += usize::from(matches!(&bot.program, Ok(program) if program.spec.build.is_some()));
    }
    let building = TrialProgress::begin("building", builds);
    let built = map_in_parallel(candidates, workers, || (), |bot| trial.build(bot, &building));
    drop(building);
    let to_test = built.iter().filter(|result| result.is_ok()).count();
    let testing = TrialProgress::begin("testing", to_test);
    let cores = Cores::new(&trial.conditions.settings, workers);
    let tested: Vec<_> = candidates.iter().zip(built).collect();
    map_in_parallel(
        &tested,
        workers,
        || pin(&cores),
        |(bot, result)| {
            let (program, submitted) = result.as_ref().map_err(Refusal::clone)?;
            testing.during(&bot.shown, || trial.try_start(bot, program, submitted))
        },
    )
}

fn pin(cores: &Cores) {
    if let Err(error) = cores.pin() {
        tracing::warn!("a bot is tested on any core: {error}");
    }
}
