//! Copies of submissions that have a `build`: it runs in the copy, and the copy plays. Whoever submitted finds the folder as
//! it was, and what a build leaves behind goes with the copy.

use crate::bot::Launcher;
use crate::game::Sandbox;
use crate::locate::{copy_folder, remove_folder};
use crate::sandbox::{Namespaces, is_root};
use crate::store::ResultFolder;
use anyhow::{Context, bail};
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The folder of the copies, which is there as long as this.
pub(super) struct Builds {
    folder: PathBuf,
    mode: u32,
}

impl Builds {
    /// For a run whose journal is held: what an earlier one was killed with is removed.
    ///
    /// # Errors
    /// It cannot be.
    pub fn new(results: &ResultFolder, launcher: &Launcher) -> anyhow::Result<Builds> {
        // Builds run in it, and so do not share arbiter's working directory.
        let folder = std::path::absolute(results.builds()).context("the result folder")?;
        let context = || format!("{}: removing what is left of an earlier run", folder.display());
        match fs::symlink_metadata(&folder) {
            Ok(there) if there.is_dir() => remove_folder(&folder).with_context(context)?,
            Ok(_) => bail!("{} is not a folder; name another with --out", folder.display()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(context),
        }
        // Closed to other accounts. Where each bot is a user of its own, and has no view of the machine in which nothing lies
        // above its folder, that user has to pass.
        let passed =
            is_root() && launcher.sandbox == Sandbox::Strict && launcher.namespaces == Namespaces::None;
        Ok(Builds { folder, mode: if passed { 0o711 } else { 0o700 } })
    }

    /// Copies the submission of this name.
    ///
    /// # Errors
    /// It cannot be copied.
    pub fn copy(&self, name: &str, source: &Path) -> io::Result<PathBuf> {
        if !self.folder.is_dir() {
            DirBuilder::new().create(&self.folder)?;
            fs::set_permissions(&self.folder, Permissions::from_mode(self.mode))?;
        }
        let copy = self.folder.join(name);
        copy_folder(source, &copy)?;
        Ok(copy)
    }
}

impl Drop for Builds {
    fn drop(&mut self) {
        // The run has come to its end whether that is removed or not; the next one tries again, and says why it cannot.
        let _ = remove_folder(&self.folder);
    }
}
