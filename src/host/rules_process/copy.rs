//! The private copy of a rules file: what was read once is what every process runs, whatever
//! becomes of the author's file.

use crate::files;
use crate::locate::copy_folder;
use crate::sandbox::{Scratch, temporary_folder};
use std::fs::{self, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The most bytes of a rules file.
const LARGEST: u64 = 256 << 20;

/// A folder that is removed with everything in it when this is dropped.
pub(super) struct PrivateCopy(Scratch);

impl PrivateCopy {
    /// An empty one, which processes under another user id can read.
    pub fn new() -> io::Result<PrivateCopy> {
        let folder = Scratch::make(&temporary_folder())?;
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
        Ok(PrivateCopy(folder))
    }

    /// The path of the copy of a folder, which is made.
    pub fn of_folder(&self, from: &Path, name: &str) -> io::Result<PathBuf> {
        let to = self.0.path().join(name);
        copy_folder(from, &to)?;
        Ok(to)
    }

    /// The folder with these files in it: name, content and mode.
    pub fn of_files(&self, files: &[(&str, &[u8], u32)]) -> io::Result<PathBuf> {
        for (name, content, mode) in files {
            let path = self.0.path().join(name);
            fs::write(&path, content)?;
            fs::set_permissions(&path, Permissions::from_mode(*mode))?;
        }
        Ok(self.0.path().to_owned())
    }
}

/// The content of a file, and whether its owner may execute it.
///
/// # Errors
/// It cannot be read, is no regular file, or is too large.
pub(super) fn read_once(path: &Path) -> io::Result<(Vec<u8>, bool)> {
    let file = files::open(path)?;
    let is_executable = file.metadata()?.permissions().mode() & 0o100 != 0;
    let mut content = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut content)?;
    if content.len() as u64 > LARGEST {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("has more than {} MiB", LARGEST >> 20),
        ));
    }
    Ok((content, is_executable))
}
