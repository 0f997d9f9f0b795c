//! A bot of the configuration on its way into the tournament: it is copied, built, and asked for
//! `ready`.

use super::builds::Builds;
use super::output::complain;
use super::trial_progress::TrialProgress;
use crate::arena::{self, Conditions, TrialDepth};
use crate::bot::BotError;
use crate::config::Names;
use crate::game::StderrAccess;
use crate::locate::{ContentRules, FoundContent, Program};
use crate::report::anonymizer::Public;
use crate::report::feedback::FailedStep;
use crate::store::ResultFolder;
use crate::tournament::{Entrant, JournalContents};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Why a bot cannot play.
#[derive(Debug, Clone, Default)]
pub struct Refusal {
    pub why: String,
    /// Where the organiser finds what the bot wrote; empty if the reason quotes it or it wrote
    /// nothing.
    pub kept: String,
    /// The step that failed, if its program was run, with its output.
    pub failed: Option<(FailedStep, Vec<u8>)>,
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal { why, ..Refusal::default() }
    }
}

/// A bot of the configuration, with its program or the reason why there is none.
pub struct Candidate {
    pub name: String,
    /// What others call it.
    pub shown: Public<String>,
    /// The part of its configuration that decides how it plays.
    pub identity: String,
    /// The folder of the submission or the configuration; it is removed from reasons that tables
    /// show.
    pub place: PathBuf,
    /// The `[[bots]]` folder of a submission, as the configuration names it. Without one the
    /// organiser has to act when the bot cannot be run, and nothing is played; else its author has
    /// to, and the bot is not scheduled.
    pub folder: Option<String>,
    pub program: Result<Program, String>,
    /// Whether the organiser leaves it out.
    pub excluded: bool,
}

/// A bot as it is scheduled, the files that it plays with, and those of them that may change; or
/// why it cannot play.
pub type Tried = Result<(Entrant, FoundContent, BTreeSet<String>), Refusal>;

/// What bots are tried out with.
pub struct TrialSetup<'a> {
    pub conditions: &'a Conditions,
    pub folder: &'a ResultFolder,
    /// What the journal knows of them.
    pub contents: &'a JournalContents,
    /// The organiser's files that may lie in a bot's folder.
    pub organisers: &'a [PathBuf],
    /// What others may read of them.
    pub names: Names,
}

/// Names of the files that may change during a run: what the build or the bot made, but for the
/// program itself.
pub fn changing(entrant: &Entrant, program: &Program) -> BTreeSet<String> {
    let made = entrant.products.keys().filter(|name| !program.program_files().contains(*name));
    made.cloned().collect()
}

impl Candidate {
    /// Whether it is a submission whose program was found.
    pub fn is_submitted(&self) -> bool {
        self.program.as_ref().is_ok_and(|program| program.access.is_submitted())
    }

    /// Replaces the program of a submission by one in a copy of its folder.
    pub fn copy(&mut self, builds: &Builds, stage: &TrialProgress) {
        if !self.is_submitted() {
            return;
        }
        let found = std::mem::replace(&mut self.program, Err(String::new()));
        self.program = found.and_then(|program| {
            let copied = stage.during(&self.shown, || builds.in_copy(&self.name, program));
            let copied = copied.map_err(|error| format!("it cannot be copied: {error}"))?;
            // A link may lead elsewhere from there.
            let checked = if copied.spec.build.is_none() { copied.check() } else { Ok(()) };
            checked.map(|()| copied).map_err(|error| format!("in its copy: {error}"))
        });
    }

    /// Reads what the bot consists of, and builds it.
    pub fn build(
        &self,
        trial: &TrialSetup<'_>,
        stage: &TrialProgress,
    ) -> Result<(&Program, FoundContent), Refusal> {
        let program = self.program.as_ref().map_err(String::clone)?;
        let submitted = self.read(program, trial, None)?;
        if program.spec.build.is_some() {
            let mut output = Vec::new();
            let conditions = trial.conditions;
            let stderr = self.stderr(trial);
            let built = stage
                .during(&self.shown, || arena::build(conditions, program, stderr, &mut output));
            self.judge(built, FailedStep::Build, Some(self.of_place(program, &output)), trial)?;
        }
        Ok((program, submitted))
    }

    /// Tests the bot, whose files were `submitted`, and reads again what it consists of.
    pub fn try_start(
        &self,
        program: &Program,
        submitted: &FoundContent,
        trial: &TrialSetup<'_>,
    ) -> Tried {
        let mut output = Vec::new();
        let depth = TrialDepth::Ready;
        let conditions = trial.conditions;
        let stderr = self.stderr(trial);
        let tried = arena::try_start(conditions, &self.name, program, depth, stderr, &mut output);
        let output = Some(self.of_place(program, &output)).filter(|output| !output.is_empty());
        self.judge(tried, FailedStep::Start, output, trial)?;
        let earlier = trial.contents.entrant(&self.name);
        let built = match &program.spec.build {
            Some(_) => self.read(program, trial, Some(submitted))?,
            None => submitted.clone(),
        };
        // Where only the program itself is known, it is the content, though the build makes it.
        let in_place = program.access.copied_from.is_none();
        let (content, products) = match program.owns_folder() && program.spec.digest.is_none() {
            true if !in_place => (&submitted.content, BTreeMap::new()),
            true => (&submitted.content, submitted.made_since(&built)),
            false => (&built.content, BTreeMap::new()),
        };
        let name = self.name.clone();
        let identity = self.identity.clone();
        let entrant = Entrant::new(name, identity, content, products, earlier);
        let display = program.display();
        let entrant = Entrant { folder: self.folder.clone(), display, ..entrant };
        let changing = changing(&entrant, program);
        Ok((entrant, built, changing))
    }

    /// What the program wrote, for its author: without the folders that it was copied from and to.
    fn of_place(&self, program: &Program, output: &[u8]) -> Vec<u8> {
        if self.folder.is_none() {
            return output.to_owned();
        }
        without(&String::from_utf8_lossy(output), [&self.place, &program.dir].into_iter())
            .into_bytes()
    }

    fn read(
        &self,
        program: &Program,
        trial: &TrialSetup<'_>,
        earlier: Option<&FoundContent>,
    ) -> Result<FoundContent, String> {
        let rules =
            ContentRules { patterns: program.spec.digest.as_deref(), organisers: trial.organisers };
        program.content(rules, earlier).map_err(|error| error.to_string())
    }

    /// Whether the reason why it cannot play may quote its output: others can read the reasons of
    /// submitted bots in tables.
    fn stderr(&self, trial: &TrialSetup<'_>) -> StderrAccess {
        if self.folder.is_none() { StderrAccess::Public } else { trial.conditions.stderr }
    }

    /// Keeps the output of a step in the bot's folder, and says why the bot cannot play if the step
    /// failed.
    fn judge(
        &self,
        done: Result<(), BotError>,
        step: FailedStep,
        output: Option<Vec<u8>>,
        trial: &TrialSetup<'_>,
    ) -> Result<(), Refusal> {
        let name = &self.name;
        let file = match step {
            FailedStep::Build => "build.log",
            FailedStep::Start => "trial.log",
        };
        let mut kept = String::new();
        if let Some(output) = &output {
            // A bot that could play plays, even if the disk has no room for what it wrote.
            if let Err(error) = trial.folder.write_bot_log(name, file, output) {
                complain(format_args!(
                    "warning: {}: {file} cannot be written: {error}",
                    self.shown
                ));
            } else if self.stderr(trial) != StderrAccess::Public {
                kept = format!(" (what it wrote is in bots/{name}/{file})");
            }
        }
        done.map_err(|error| match error {
            BotError::Unstartable(why) => {
                Refusal { why, kept, failed: Some((step, output.unwrap_or_default())) }
            }
            BotError::Broken(what) => format!("arbiter: {what}").into(),
        })
    }
}

/// The reason without the paths of these folders, because others may read it. Paths are removed as
/// arbiter names them and as a build sees them (`make: Entering directory '…'`).
pub fn without<'a>(reason: &str, folders: impl Iterator<Item = &'a PathBuf>) -> String {
    let seen = folders.flat_map(|folder| [Some(folder.clone()), folder.canonicalize().ok()]);
    seen.flatten().fold(reason.to_owned(), |reason, folder| {
        let folder = folder.display().to_string();
        reason.replace(&format!("{folder}/"), "").replace(&folder, ".")
    })
}
