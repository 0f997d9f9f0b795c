//! Copies of submissions: a `build` runs in the copy, and the copy plays. The submitted folder is
//! not changed, and its author cannot change what plays; products of the build are removed with the
//! copy.

use anyhow::{Context, bail};
use arbiter_game::Sandbox;
use arbiter_host::bot::Launcher;
use arbiter_host::files::identity;
use arbiter_host::locate::{Program, copy_submission, remove_folder};
use arbiter_host::sandbox::{Namespaces, is_root};
use arbiter_play::store::ResultFolder;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The folder of the copies; it is removed on drop.
pub struct Builds {
    folder: PathBuf,
    /// The result folder that it is in: another run may have its name by now, and copies of its
    /// own.
    results: Option<ResultFolder>,
    mode: u32,
}

/// The mode of a folder through which other users may pass, without listing it.
const PASSED: u32 = 0o711;

/// Lets other users pass through a folder that the umask of the shell has closed to them, if
/// everything in it is closed to them as well.
fn let_pass(folder: &Path) -> io::Result<()> {
    let mode = fs::metadata(folder)?.permissions().mode();
    if mode & 0o001 != 0 {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        if entry?.metadata()?.permissions().mode() & 0o007 != 0 {
            return Ok(()); // its owner has closed the folder and not its files
        }
    }
    fs::set_permissions(folder, Permissions::from_mode(mode & 0o777 | 0o011))
}

impl Builds {
    /// Prepares the folder for a run that has locked the journal: removes copies that a killed run
    /// has left.
    ///
    /// # Errors
    /// They cannot be removed.
    pub fn new(results: &ResultFolder, launcher: &Launcher) -> anyhow::Result<Builds> {
        // Absolute, because builds run in this folder and not in arbiter's working directory.
        let folder = std::path::absolute(results.builds()).context("the result folder")?;
        let mut builds = Builds::in_folder(folder, launcher)?;
        builds.results = Some(results.clone());
        if builds.mode == PASSED {
            let_pass(results.dir()).with_context(|| results.dir().display().to_string())?;
        }
        Ok(builds)
    }

    /// Prepares this folder, whose path is absolute; removes what is in it.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn in_folder(folder: PathBuf, launcher: &Launcher) -> anyhow::Result<Builds> {
        let context = || format!("{}: removing what is left of an earlier run", folder.display());
        match fs::symlink_metadata(&folder) {
            Ok(there) if there.is_dir() => remove_folder(&folder).with_context(context)?,
            Ok(_) => bail!("{} is not a folder; name another with --out", folder.display()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(context),
        }
        // Closed to other accounts. But a bot that is a user of its own, without a mount namespace,
        // must be able to pass through this folder to its copy.
        let passed = is_root()
            && launcher.sandbox == Sandbox::Strict
            && launcher.namespaces == Namespaces::None;
        Ok(Builds { folder, results: None, mode: if passed { PASSED } else { 0o700 } })
    }

    /// The program of a submission of this name, in a copy; any other program as it is.
    ///
    /// # Errors
    /// The submission cannot be copied.
    pub fn in_copy(&self, name: &str, program: Program) -> io::Result<Program> {
        let Some(submission) = &program.access.submission else { return Ok(program) };
        if !submission.is_submitted() {
            return Ok(program);
        }
        if !self.folder.is_dir() {
            DirBuilder::new().create(&self.folder)?;
            fs::set_permissions(&self.folder, Permissions::from_mode(self.mode))?;
        }
        let copy = self.folder.join(name);
        copy_submission(submission, &copy)?;
        program.in_copy(&copy)
    }

    /// Whether bots are no longer found in their copies, because the result folder was renamed.
    pub fn are_moved(&self) -> bool {
        let Some(results) = &self.results else { return false };
        // No bot has a copy yet.
        let Ok(kept) = fs::metadata(results.kept_builds()) else { return false };
        match fs::metadata(&self.folder) {
            Ok(named) => identity(&named) != identity(&kept),
            Err(_) => true,
        }
    }
}

impl Drop for Builds {
    fn drop(&mut self) {
        // An error is ignored: the run is over, and the next one removes the folder again and
        // reports errors.
        let _ = match &self.results {
            Some(results) => remove_folder(&results.kept_builds()),
            None => remove_folder(&self.folder),
        };
    }
}
