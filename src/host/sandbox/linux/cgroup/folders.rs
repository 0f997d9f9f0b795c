//! The folders of control groups: making them, and removing those whose maker has ended.
//!
//! A process holds a lock on the first folder of each group that it has made, so a group that can
//! be locked is left over.

use crate::files::list;
use crate::sandbox::folder_lock::{is_named, lock_folder};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The prefix of the names of the groups of a run.
pub(super) const RUN: &str = "arbiter-";
/// The prefix of the names of the groups of bots, which are in the group of their run.
pub(super) const BOT: &str = "bot-";
/// Number of names that are tried; some are taken by left-over groups or by a process with the same
/// pid in another pid namespace.
const MAX_NAMES: u32 = 1000;
/// How often removing a group is tried, and how long is waited between, while another warden may be
/// removing the last group in it, or its last process is still ending.
const MAX_REMOVALS: u32 = 10;
const REMOVAL_PAUSE: Duration = Duration::from_millis(10);

/// The folders of a group, one in each hierarchy. Dropping it removes the group and left-over
/// groups in it.
#[derive(Debug)]
pub(super) struct CgroupFolders {
    folders: Vec<PathBuf>,
    _lock: File,
}

impl CgroupFolders {
    /// Makes a group in `parents`, which is one group in each hierarchy.
    pub fn make(parents: &[PathBuf], prefix: &str) -> io::Result<CgroupFolders> {
        for number in 0..MAX_NAMES {
            let name = format!("{prefix}{}-{number}", std::process::id());
            match CgroupFolders::make_named(&below(parents, &name)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made,
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn make_named(folders: &[PathBuf]) -> io::Result<CgroupFolders> {
        let Some((first, others)) = folders.split_first() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        fs::create_dir(first)?;
        // Before it is locked, another process may take it for left over; then another name is
        // tried.
        let lock = lock_folder(first)?.ok_or(io::ErrorKind::AlreadyExists)?;
        let mut made = CgroupFolders { folders: vec![first.clone()], _lock: lock };
        for folder in others {
            fs::create_dir(folder)?;
            made.folders.push(folder.clone());
        }
        Ok(made)
    }

    /// Its folders, one in each hierarchy.
    pub fn paths(&self) -> &[PathBuf] {
        &self.folders
    }
}

impl Drop for CgroupFolders {
    fn drop(&mut self) {
        remove(&self.folders);
        // If arbiter was killed, its wardens remove the group of the run. If a warden was just
        // being started, the next run does: until that process has become the warden it holds
        // arbiter's lock.
        let mut above = Vec::new();
        for folder in &self.folders {
            above.extend(folder.parent().map(Path::to_owned));
        }
        if above.first().is_some_and(|folder| has_name(folder, RUN)) {
            remove_if_left_over(&above);
        }
    }
}

/// Whether the folder of a group is named by arbiter.
fn has_name(folder: &Path, prefix: &str) -> bool {
    folder.file_name().is_some_and(|name| is_named(name, prefix, 10))
}

/// Removes the groups in `parents` with this prefix whose makers have ended.
pub(super) fn remove_left_over(parents: &[PathBuf], prefix: &str) {
    let Some(first) = parents.first() else { return };
    for group in list(first) {
        if has_name(&group, prefix)
            && let Some(name) = group.file_name().and_then(OsStr::to_str)
        {
            remove_if_left_over(&below(parents, name));
        }
    }
}

/// Removes a group if its maker has ended.
pub(super) fn remove_if_left_over(folders: &[PathBuf]) {
    let Some(first) = folders.first() else { return };
    for _ in 0..MAX_REMOVALS {
        let Ok(Some(lock)) = lock_folder(first) else { return };
        if has_name(first, BOT) {
            // Processes in it belong to a bot whose warden was killed. Fails before Linux 5.14 and
            // in cgroup v1.
            if let Ok(mut file) = File::options().write(true).open(first.join("cgroup.kill")) {
                let _ = file.write_all(b"1");
            }
        }
        remove(folders);
        drop(lock);
        // Meanwhile another warden may have removed the last group in it and left this one because
        // it was locked.
        if !first.exists() || groups_in(first).next().is_some() {
            return;
        }
        thread::sleep(REMOVAL_PAUSE);
    }
}

/// Removes a group with the groups in it whose makers have ended. A group with processes cannot be
/// removed; the next run tries again. The folder that is locked is removed last, and only if the
/// others are gone: the next run finds them by it.
fn remove(folders: &[PathBuf]) {
    if folders.iter().rev().all(|folder| fs::remove_dir(folder).is_ok()) {
        return;
    }
    remove_left_over(folders, BOT);
    for (number, folder) in folders.iter().enumerate().rev() {
        for other in groups_in(folder) {
            if !has_name(&other, BOT) {
                let _ = fs::remove_dir(other);
            }
        }
        if number > 0 || folders[1..].iter().all(|other| !other.exists()) {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The groups in a group.
fn groups_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    list(folder).filter(|path| path.is_dir())
}

fn below(parents: &[PathBuf], name: &str) -> Vec<PathBuf> {
    parents.iter().map(|parent| parent.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn groups_are_removed_when_their_maker_has_ended_and_not_before() {
        let (memory, pids) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let parents = [memory.path().to_owned(), pids.path().to_owned()];
        let run = CgroupFolders::make(&parents, RUN).unwrap();
        let other = CgroupFolders::make(&parents, RUN).unwrap();
        assert_eq!(names(memory.path()), names(pids.path()));
        assert_eq!(names(memory.path()).len(), 2);
        let bot = CgroupFolders::make(run.paths(), BOT).unwrap();
        for folder in [&memory, &pids] {
            // The groups of a killed run and of its bot, and one that is not arbiter's.
            fs::create_dir_all(folder.path().join("arbiter-1-0/bot-2-0")).unwrap();
            fs::create_dir(folder.path().join("arbiter-1-0/referee")).unwrap();
            fs::create_dir(folder.path().join("arbiter-cup.service")).unwrap();
        }
        remove_left_over(&parents, RUN);
        remove_left_over(run.paths(), BOT);
        assert_eq!(names(memory.path()).len(), 3, "locked groups are kept");
        assert_eq!(names(memory.path()), names(pids.path()));
        assert!(bot.paths().iter().all(|folder| folder.is_dir()));
        drop(other);
        drop(run); // the warden of its bot still runs
        assert!(bot.paths().iter().all(|folder| folder.is_dir()));
        drop(bot);
        remove_left_over(&parents, RUN);
        assert_eq!(
            (names(memory.path()), names(pids.path())),
            (vec!["arbiter-cup.service".into()], vec!["arbiter-cup.service".into()])
        );
    }

    #[test]
    fn a_group_that_cannot_be_removed_everywhere_yet_is_found_again() {
        let (memory, pids) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let parents = [memory.path().to_owned(), pids.path().to_owned()];
        let [first, other] = [&memory, &pids].map(|folder| folder.path().join("arbiter-1-0"));
        fs::create_dir(&first).unwrap();
        fs::create_dir(&other).unwrap();
        fs::write(other.join("process"), "").unwrap();
        remove_left_over(&parents, RUN);
        assert!(first.is_dir() && other.is_dir());
        fs::remove_file(other.join("process")).unwrap();
        remove_left_over(&parents, RUN);
        assert!(!first.exists() && !other.exists());
    }

    /// The wardens of a game start at the same time, and each removes left-over groups.
    #[test]
    fn wardens_that_start_together_do_not_remove_each_others_groups() {
        let (memory, pids) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let parents = [memory.path().to_owned(), pids.path().to_owned()];
        let begin = || {
            for _ in 0..300 {
                remove_left_over(&parents, BOT);
                let made = CgroupFolders::make(&parents, BOT).unwrap();
                assert!(made.paths().iter().all(|folder| folder.is_dir()));
            }
        };
        thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(begin))));
        assert_eq!((names(memory.path()), names(pids.path())), (vec![], vec![]));
    }

    #[test]
    fn a_name_that_is_taken_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join(format!("{BOT}{}-0", std::process::id()));
        fs::create_dir(&taken).unwrap();
        let made = CgroupFolders::make(&[folder.path().to_owned()], BOT).unwrap();
        assert_ne!(made.paths(), [taken]);
        assert!(CgroupFolders::make(&[folder.path().join("none")], BOT).is_err());
        assert!(CgroupFolders::make(&[], BOT).is_err());
    }
}
