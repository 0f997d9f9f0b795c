//! Putting an unpacked upload into the place of a submission. A process may be killed at any
//! moment; the folder is then the old one or the new one, at the latest after [`recover`].

use arbiter_host::locate::remove_folder;
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// How all names begin that uploads use in a `[[bots]]` folder.
const HIDDEN: &str = ".upload-";
/// A complete folder, before it is in its place.
const NEW: &str = ".upload-new-";
/// The folder that was there before.
const OLD: &str = ".upload-old-";

/// Numbers of files and folders of this process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// A hidden folder in a `[[bots]]` folder, removed when this is dropped.
pub(super) struct HiddenFolder {
    path: PathBuf,
}

impl HiddenFolder {
    /// Makes one that only its owner can open.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn new(bots: &Path) -> io::Result<HiddenFolder> {
        let mut builder = fs::DirBuilder::new();
        builder.mode(0o700);
        let path = with_free_name(bots, |path| builder.create(path).map(|()| path.to_owned()))?;
        Ok(HiddenFolder { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for HiddenFolder {
    fn drop(&mut self) {
        let _ = remove_folder(&self.path); // else `recover` does
    }
}

/// A file without a name in a `[[bots]]` folder: its space is freed when it is closed, also by a
/// kill.
///
/// # Errors
/// It cannot be made.
pub(super) fn hidden_file(bots: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(0o600);
    with_free_name(bots, |path| {
        let file = options.open(path)?;
        fs::remove_file(path)?;
        Ok(file)
    })
}

/// Makes something under an unused hidden name.
fn with_free_name<T>(bots: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = bots.join(format!("{HIDDEN}{}-{number}", process::id()));
        match make(&path) {
            // Left by a process that was killed.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made,
        }
    }
}

/// Puts a complete folder of the same file system into the place of a submission. Only one at a
/// time may be put there.
///
/// # Errors
/// A folder cannot be renamed; the old one then stays.
pub(super) fn replace(bots: &Path, name: &str, complete: &Path) -> io::Result<()> {
    settle(bots, name)?;
    let new = bots.join(format!("{NEW}{name}"));
    let old = bots.join(format!("{OLD}{name}"));
    let place = bots.join(name);
    // 1. From here on it is complete under this name.
    fs::rename(complete, &new)?;
    // 2. Between these two a kill leaves no folder of the name: `settle` finds the old one, and so
    //    knows that the new one was on its way.
    let had_one = is_there(&place);
    if had_one {
        fs::rename(&place, &old)?;
    }
    if let Err(error) = fs::rename(&new, &place) {
        if had_one {
            fs::rename(&old, &place)?;
        }
        let _ = remove(&new);
        return Err(error);
    }
    // 3. The submission is in its place, so what fails now is no error: it is hidden, and removed
    //    later.
    if had_one {
        let _ = discard(bots, &old);
    }
    Ok(())
}

/// Puts all submissions of a `[[bots]]` folder into their places, and removes what else uploads
/// left there when their process was killed. Before the first upload of a process.
///
/// # Errors
/// The folder cannot be listed, or something in it cannot be renamed.
pub(super) fn recover(bots: &Path) -> io::Result<()> {
    // All names first: what cannot be removed gets another hidden name, and must not be found again.
    let entries: Vec<DirEntry> = fs::read_dir(bots)?.collect::<io::Result<_>>()?;
    for entry in entries {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with(HIDDEN)) else { continue };
        match name.strip_prefix(NEW).or_else(|| name.strip_prefix(OLD)) {
            Some(bot) => settle(bots, bot)?,
            None => discard(bots, &bots.join(name))?,
        }
    }
    Ok(())
}

/// Finishes a replacement that was interrupted.
fn settle(bots: &Path, name: &str) -> io::Result<()> {
    let new = bots.join(format!("{NEW}{name}"));
    let old = bots.join(format!("{OLD}{name}"));
    let place = bots.join(name);
    if is_there(&old) {
        if !is_there(&place) {
            fs::rename(if is_there(&new) { &new } else { &old }, &place)?;
        }
        discard(bots, &old)?;
    }
    // Its author has not been told that it was taken.
    discard(bots, &new)
}

/// Removes a folder, or whatever has its name. What belongs to another user, such as a first bot
/// that the organiser has put there, may not be removable: then it stays under a hidden name, and
/// keeps no upload from its place.
fn discard(bots: &Path, path: &Path) -> io::Result<()> {
    if remove(path).is_ok() {
        return Ok(());
    }
    let left = with_free_name(bots, |free| {
        if is_there(free) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        fs::rename(path, free).map(|()| free.to_owned())
    })?;
    tracing::warn!("{}: it cannot be removed, and is of no use any more", left.display());
    Ok(())
}

/// Removes a folder, or whatever has its name.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => remove_folder(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The names in a folder.
    fn names(bots: &Path) -> BTreeSet<String> {
        let entries = fs::read_dir(bots).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn put(bots: &Path, name: &str, text: &str) -> PathBuf {
        fs::create_dir(bots.join(name)).unwrap();
        fs::write(bots.join(name).join("bot"), text).unwrap();
        bots.join(name)
    }

    #[test]
    fn a_new_folder_takes_the_place_of_the_old_one() {
        let place = tempfile::tempdir().unwrap();
        let bots = place.path();
        put(bots, "ann", "old");
        put(bots, ".upload-old-ann", "older");
        for text in ["new", "newer"] {
            let hidden = HiddenFolder::new(bots).unwrap();
            let complete = put(hidden.path(), "new", text);
            replace(bots, "ann", &complete).unwrap();
            assert_eq!(fs::read_to_string(bots.join("ann/bot")).unwrap(), text);
        }
        assert_eq!(names(bots), ["ann".to_owned()].into(), "nothing is left behind");
    }

    #[test]
    fn after_a_kill_there_is_the_old_folder_or_the_new_one() {
        // What is there of `ann`, `.upload-new-ann` and `.upload-old-ann` after each step.
        for (there, is_new) in [
            (["ann", ""], Some(false)),
            (["ann", ".upload-new-ann"], Some(false)),
            ([".upload-old-ann", ".upload-new-ann"], Some(true)),
            ([".upload-old-ann", "ann"], Some(true)),
            ([".upload-new-ann", ""], None), // of a submission that was not there before
        ] {
            let place = tempfile::tempdir().unwrap();
            let bots = place.path();
            put(bots, ".upload-1-2", "half");
            for name in there.into_iter().filter(|name| !name.is_empty()) {
                let is_old = name.contains("old") || name == "ann" && there[0] == "ann";
                put(bots, name, if is_old { "old" } else { "new" });
            }
            recover(bots).unwrap();
            let found = fs::read_to_string(bots.join("ann/bot")).ok();
            let expected = is_new.map(|new| if new { "new" } else { "old" }.to_owned());
            assert_eq!(found, expected, "{there:?}");
            assert_eq!(names(bots).len(), usize::from(is_new.is_some()), "{there:?}");
        }
    }

    #[test]
    fn what_is_hidden_is_gone_with_its_process() {
        let place = tempfile::tempdir().unwrap();
        let file = hidden_file(place.path()).unwrap();
        assert!(names(place.path()).is_empty());
        drop(file);
        let hidden = HiddenFolder::new(place.path()).unwrap();
        put(hidden.path(), "new", "text");
        drop(hidden);
        assert!(names(place.path()).is_empty());
    }
}
