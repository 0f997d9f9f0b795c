//! Replaces a file atomically: readers see the old file or the new one, never a part of either.

use arbiter_host::files;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A file that is written beside the one that it replaces.
#[derive(Debug)]
pub struct Replacement {
    file: BufWriter<File>,
    /// In the same folder as the target, so that it can be renamed; a file that a crash leaves is
    /// replaced next time.
    beside: PathBuf,
    target: PathBuf,
    is_committed: bool,
}

impl Replacement {
    /// Begins to write the replacement of this file.
    ///
    /// # Errors
    /// No file can be created in the folder.
    pub fn begin(target: &Path) -> io::Result<Replacement> {
        Replacement::with_mode(target, 0o666)
    }

    /// The same with these permissions, as far as the umask allows them.
    fn with_mode(target: &Path, mode: u32) -> io::Result<Replacement> {
        let beside = path_beside(target);
        remove_if_there(&beside)?; // it may be a link or a pipe
        let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&beside)?;
        let file = BufWriter::new(file);
        Ok(Replacement { file, beside, target: target.to_owned(), is_committed: false })
    }

    /// Syncs the file to disk and renames it to the target.
    ///
    /// # Errors
    /// It cannot be written or renamed; the old file then stays.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        self.commit_unsynced()
    }

    /// Renames the file to the target without a sync.
    ///
    /// # Errors
    /// As for [`commit`](Replacement::commit).
    fn commit_unsynced(mut self) -> io::Result<()> {
        self.file.flush()?;
        fs::rename(&self.beside, &self.target)?;
        self.is_committed = true;
        Ok(())
    }
}

/// What could not be written whole gives back its room: on a full disk the journal needs it.
impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_committed {
            let _ = fs::remove_file(&self.beside); // an error in drop cannot be handled
        }
    }
}

/// Removes a file, if there is one.
///
/// # Errors
/// It cannot be removed.
pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The path of the file that is to replace this one, in the same folder.
pub(super) fn path_beside(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.new"))
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Replaces a file by this text.
///
/// # Errors
/// It cannot be written; the old file then stays.
pub fn replace(target: &Path, text: &str) -> io::Result<()> {
    written(Replacement::begin(target)?, text)
}

/// Replaces a file by this text, and only its owner can read it.
///
/// # Errors
/// It cannot be written; the old file then stays.
pub fn replace_private(target: &Path, text: &str) -> io::Result<()> {
    written(Replacement::with_mode(target, 0o600)?, text)
}

fn written(mut file: Replacement, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.commit()
}

/// Replaces a file by this text unless it has that already; its folder is created if it is not
/// there. It is not synced: a sync takes milliseconds, and there may be tens of thousands of such
/// files. If the machine crashes, the file may be empty or old until the next call.
///
/// # Errors
/// It cannot be written; the old file then stays.
pub fn replace_derived(target: &Path, text: &[u8]) -> io::Result<()> {
    if files::read(target).is_ok_and(|before| before == text) {
        return Ok(());
    }
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = Replacement::begin(target)?;
    file.write_all(text)?;
    file.commit_unsynced()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn a_derived_file_is_replaced_only_by_another_text() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("page.md");
        let inode = || fs::metadata(&path).unwrap().ino();
        replace_derived(&path, b"one").unwrap();
        let first = inode();
        replace_derived(&path, b"one").unwrap();
        assert_eq!(inode(), first);
        // Kept open, so that the new file has another number.
        let old = File::open(&path).unwrap();
        replace_derived(&path, b"two").unwrap();
        assert_ne!(inode(), first);
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        drop(old);
    }
}
