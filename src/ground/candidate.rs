//! A bot before its first game: what was found where the organiser named it.

use super::builds::Builds;
use super::trial_progress::TrialProgress;
use arbiter_host::locate::{Program, hide_from_each_other};
use std::path::{Path, PathBuf};

/// A bot of a configuration or of the command line, with its program or the reason why there is
/// none.
pub struct Candidate {
    /// Its own name.
    pub name: String,
    /// What others call it.
    pub shown: String,
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

impl Candidate {
    /// Whether it is a submission whose program was found.
    fn is_copied(&self) -> bool {
        self.program.as_ref().is_ok_and(|program| program.access.is_submitted())
    }

    /// Replaces the program of a submission by one in a copy of its folder, which has this name.
    pub fn copy(&mut self, builds: &Builds, name: &str) {
        if !self.is_copied() {
            return;
        }
        let found = std::mem::replace(&mut self.program, Err(String::new()));
        let Ok(program) = found else { return };
        self.program = match builds.in_copy(name, program) {
            Err(error) => Err(format!("it cannot be copied: {error}")),
            // A build may make what is missing so far.
            Ok(copied) if copied.spec.build.is_some() => Ok(copied),
            // A symlink may point elsewhere from there.
            Ok(copied) => match copied.check() {
                Ok(()) => Ok(copied),
                Err(error) => Err(format!("in its copy: {error}")),
            },
        };
    }

    /// A text that others may read, without the paths of the folders that the bot was found in and
    /// copied to. They are removed as arbiter names them and as a build sees them
    /// (`make: Entering directory '…'`).
    pub fn without_folders(&self, text: &str) -> String {
        let mut text = without(text, &self.place);
        if let Ok(program) = &self.program {
            text = without(&text, &program.dir);
        }
        text
    }
}

fn without(text: &str, folder: &Path) -> String {
    let mut text = text.to_owned();
    for name in [Ok(folder.to_owned()), folder.canonicalize()].into_iter().flatten() {
        let name = name.display().to_string();
        text = text.replace(&format!("{name}/"), "").replace(&name, ".");
    }
    text
}

/// Copies the submissions if there is a place for that, and hides the files of bots whose folders
/// contain each other.
pub fn prepare_folders(candidates: &mut [Candidate], builds: Option<&Builds>) {
    if let Some(builds) = builds {
        let count = candidates.iter().filter(|one| one.is_copied()).count();
        let stage = TrialProgress::begin("copying", count);
        for candidate in candidates.iter_mut() {
            let shown = candidate.shown.clone();
            let name = candidate.name.clone();
            stage.during(&shown, || candidate.copy(builds, &name));
        }
    }
    let found = candidates.iter_mut().filter_map(|candidate| candidate.program.as_mut().ok());
    hide_from_each_other(&mut found.collect::<Vec<_>>());
}
