//! The programs that a worker plays with: the same versions as the league has, copied from the
//! shared folder, built and started on this machine.

use super::super::intake::Place;
use super::super::retired::Retired;
use super::super::trials::VersionTrials;
use super::super::versions::{Versions, build_name};
use anyhow::anyhow;
use arbiter_cup::tournament::{Entrant, JournalContents, PublicNames};
use arbiter_ground::builds::Builds;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::complain;
use arbiter_ground::preparation::Preparation;
use arbiter_ground::request::TournamentRequest;
use arbiter_host::locate::{Program, remove_folder};
use arbiter_play::store::ResultFolder;
use arbiter_run::entrants::Candidates;
use arbiter_run::trial::TrialSetup;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// When a program that could not be run is tried again: the reason may have been the machine's.
const AGAIN: Duration = Duration::from_mins(5);

/// A program with the digest of its content, or why it could not be run here.
struct KnownProgram {
    digest: Option<String>,
    program: Result<Arc<Program>, String>,
    since: Instant,
}

impl KnownProgram {
    fn new(digest: Option<String>, program: Result<Arc<Program>, String>) -> KnownProgram {
        KnownProgram { digest, program, since: Instant::now() }
    }
}

/// What is known of the bots of a league, by their public names.
pub struct Programs {
    pub trials: VersionTrials,
    /// The result folder of the league.
    results: PathBuf,
    /// The folder of the copies that play.
    copies: PathBuf,
    known: HashMap<String, KnownProgram>,
    retired: Retired,
}

impl Programs {
    /// Builds and starts the bots that the configuration names one by one; submissions follow when
    /// they are to play, in copies in `scratch`. `request` is without submissions.
    ///
    /// # Errors
    /// One of these bots does not start.
    pub fn start(
        request: &TournamentRequest,
        mut preparation: Preparation,
        names: PublicNames,
        contents: &JournalContents,
        results: &Path,
        scratch: &Path,
    ) -> Result<Programs, Failure> {
        let launcher = &preparation.conditions.launcher;
        let copies = scratch.join("builds");
        let builds = Builds::in_folder(copies.clone(), launcher)?;
        let folder = ResultFolder::open(&scratch.join("trials"))?;
        let candidates = Candidates::find(request, launcher, None, contents, &names)?;
        let anonymizer = candidates.anonymizer(&names, &contents.private_names);
        preparation.separate_users(candidates.programs(), &anonymizer)?;
        preparation
            .try_adapters(candidates.programs().map(|(_, program)| program))
            .map_err(|why| anyhow!(anonymizer.clean(&why)))?;
        let trial = TrialSetup {
            conditions: &preparation.conditions,
            folder: &folder,
            contents,
            organisers: &[],
            names: &names,
        };
        let mut known = HashMap::new();
        for bot in candidates.try_out(&trial, 1, &anonymizer)?.bots {
            let Entrant { name, digest, .. } = bot.entrant;
            known.insert(name, KnownProgram::new(digest, Ok(bot.program)));
        }
        let trials = VersionTrials {
            config: request.config.clone(),
            from: request.from.clone(),
            preparation,
            names,
            folder,
            builds,
            organisers: Vec::new(),
        };
        let results = results.to_owned();
        Ok(Programs { trials, results, retired: Retired::in_folder(copies.clone()), copies, known })
    }

    /// The program of this version of a bot.
    ///
    /// # Errors
    /// It cannot be run here; why.
    pub fn of(&mut self, bot: &Entrant) -> Result<Arc<Program>, String> {
        if let Some(known) = self.known.get(&bot.name)
            && known.digest == bot.digest
            && (known.program.is_ok() || known.since.elapsed() < AGAIN)
        {
            return known.program.clone();
        }
        let Some(folder) = &bot.folder else {
            return Err(format!("{} is another program on this machine", bot.name));
        };
        let folder = self.trials.config.folders.iter().position(|one| one.folder == *folder);
        let place = (folder.unwrap_or_default(), bot.private_name().to_owned());
        let program = self.ready(&place, bot).map_err(|why| format!("{}: {why}", bot.name));
        if let Err(why) = &program {
            complain(format_args!("note: the league plays the games of {why}"));
        }
        let known = KnownProgram::new(bot.digest.clone(), program.clone());
        if let Some(KnownProgram { program: Ok(before), .. }) =
            self.known.insert(bot.name.clone(), known)
        {
            self.retired.add(before);
        }
        self.retired.remove_unused();
        program
    }

    /// Copies, builds and starts the version of a submission that has the digest of this one.
    fn ready(&self, place: &Place, wanted: &Entrant) -> Result<Arc<Program>, String> {
        let versions = Versions::read(&self.results, &self.trials.config);
        let versions = versions.map_err(|error| error.to_string())?;
        let Some((number, copy)) = versions.of_digest(place, wanted.digest.as_deref()) else {
            return Err("its files are not in the shared folder any more".to_owned());
        };
        let build = build_name(place, number);
        let conditions = &self.trials.preparation.conditions;
        let why = match self.trials.start(conditions, place, copy, &build) {
            Ok(ready) if ready.entrant.digest == wanted.digest => return Ok(ready.program),
            Ok(_) => "its files differ from those that play".to_owned(),
            Err(refusal) => refusal.why,
        };
        // An error means that nothing was built, or that the end of this process removes it.
        let _ = remove_folder(&self.copies.join(build));
        Err(why)
    }
}
