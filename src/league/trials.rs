//! Builds and starts a version from a copy of its files: the league tries it so, and a worker
//! before it plays with it.

use super::intake::Place;
use arbiter_config::Config;
use arbiter_cup::tournament::{JournalContents, PublicNames};
use arbiter_ground::builds::Builds;
use arbiter_ground::candidate::Candidate;
use arbiter_ground::finder::finder;
use arbiter_ground::preparation::Preparation;
use arbiter_ground::submissions::submission;
use arbiter_ground::trial_progress::TrialProgress;
use arbiter_host::locate::Trust;
use arbiter_play::arena::Conditions;
use arbiter_play::store::ResultFolder;
use arbiter_run::ready_bot::ReadyBot;
use arbiter_run::trial::{Refusal, TrialSetup};
use std::path::PathBuf;

/// What versions are built and started with.
pub struct VersionTrials {
    pub config: Config,
    /// The folder that relative paths of the configuration start from.
    pub from: PathBuf,
    pub preparation: Preparation,
    pub names: PublicNames,
    /// Where what builds and bots write is kept.
    pub folder: ResultFolder,
    pub builds: Builds,
    /// The organiser's files that may lie in a bot's folder.
    pub organisers: Vec<PathBuf>,
}

impl VersionTrials {
    /// The submission of this name in this folder.
    pub fn submission(&self, (number, name): &Place, dir: PathBuf) -> Candidate {
        let Conditions { settings, launcher, .. } = &self.preparation.conditions;
        let game = settings.ruleset.game();
        let finder = finder(&self.from, &launcher.program, game, Trust::Stranger);
        submission(name.clone(), dir, &self.config.folders[*number], &self.names, &finder)
    }

    /// Builds and starts the version in `dir`, in a copy that is made in the folder of this name.
    ///
    /// # Errors
    /// Why it cannot play.
    pub fn start(
        &self,
        conditions: &Conditions,
        place: &Place,
        dir: PathBuf,
        build: &str,
    ) -> Result<ReadyBot, Refusal> {
        let mut candidate = self.submission(place, dir);
        candidate.copy(&self.builds, build);
        let trial = TrialSetup {
            conditions,
            folder: &self.folder,
            contents: &JournalContents::default(), // copies make nothing that a journal would know
            organisers: &self.organisers,
            names: &self.names,
        };
        let stage = TrialProgress::begin("building", 0);
        let (built, submitted) = trial.build(&candidate, &stage)?;
        trial.try_start(&candidate, built, &submitted)
    }
}
