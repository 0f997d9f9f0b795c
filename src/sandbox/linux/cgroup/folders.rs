//! The folders of control groups: making them, and removing those whose maker does not live any more.
//!
//! A process holds a lock (flock(2)) on the first folder of each group that it made, and the kernel gives the lock up
//! with the process, however it ends. So a group that can be locked is left over. Process ids would not tell: they are
//! used again, and a process in another pid namespace has none here.

use rustix::fs::{FlockOperation, flock};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How the names of the groups of a run begin.
pub(super) const RUN: &str = "arbiter-";
/// How those of bots begin, which lie in the group of their run.
pub(super) const BOT: &str = "bot-";
/// Names that are tried: others are taken by groups that are left over, or made by a process in another pid namespace.
const NAMES: u32 = 1000;
/// How often a group is tried to be removed whose last group another warden may be removing.
const ATTEMPTS: u32 = 10;

/// A group in each of one or more hierarchies. Dropping it removes it, and what is left over in it.
#[derive(Debug)]
pub(super) struct Folders {
    folders: Vec<PathBuf>,
    _lock: File,
}

impl Folders {
    /// Makes a group below the same group of each hierarchy.
    pub fn make(parents: &[PathBuf], prefix: &str) -> io::Result<Folders> {
        for number in 0..NAMES {
            let name = format!("{prefix}{}-{number}", std::process::id());
            match Folders::make_named(&below(parents, &name)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made,
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn make_named(folders: &[PathBuf]) -> io::Result<Folders> {
        let Some((first, others)) = folders.split_first() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        fs::create_dir(first)?;
        // Another process may find it without a lock, and take it for left over: then another name is tried.
        let lock = lock(first)?.ok_or(io::ErrorKind::AlreadyExists)?;
        let mut made = Folders { folders: vec![first.clone()], _lock: lock };
        for folder in others {
            fs::create_dir(folder)?;
            made.folders.push(folder.clone());
        }
        Ok(made)
    }

    /// Its folders, one a hierarchy.
    pub fn paths(&self) -> &[PathBuf] {
        &self.folders
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        remove(&self.folders);
        // If arbiter was killed, its wardens remove what it made; the next run does if one of them was just being
        // started, because such a process holds all that arbiter held until it has become the warden.
        let above: Option<Vec<PathBuf>> =
            self.folders.iter().map(|folder| folder.parent().map(Path::to_owned)).collect();
        let above = above.unwrap_or_default();
        if above.first().is_some_and(|folder| is_named(folder.file_name().unwrap_or_default(), RUN)) {
            remove_if_left_over(&above);
        }
    }
}

/// Removes the groups with such names whose makers do not live any more.
pub(super) fn remove_left_over(parents: &[PathBuf], prefix: &str) {
    let Some(entries) = parents.first().and_then(|parent| fs::read_dir(parent).ok()) else { return };
    for name in entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()) {
        if is_named(OsStr::new(&name), prefix) {
            remove_if_left_over(&below(parents, &name));
        }
    }
}

/// Removes one group if its maker does not live any more.
pub(super) fn remove_if_left_over(folders: &[PathBuf]) {
    let Some(first) = folders.first() else { return };
    for _ in 0..ATTEMPTS {
        let Ok(Some(lock)) = lock(first) else { return };
        if first.file_name().is_some_and(|name| is_named(name, BOT)) {
            // Whatever is in there was started by a bot whose warden was killed.
            let kill = File::options().write(true).open(first.join("cgroup.kill"));
            let _ = kill.and_then(|mut file| io::Write::write_all(&mut file, b"1")); // cgroup v2 since Linux 5.14
        }
        remove(folders);
        drop(lock);
        // Another warden may have removed the last group in it meanwhile, and have left it because of this lock.
        if !first.exists() || groups_in(first).next().is_some() {
            return;
        }
    }
}

/// Removes a group with the groups below it, but for those whose makers live. The folder that is locked goes last.
/// What holds processes cannot be removed and stays: the next run tries again.
fn remove(folders: &[PathBuf]) {
    remove_left_over(folders, BOT);
    for folder in folders.iter().rev() {
        for other in
            groups_in(folder).filter(|path| !path.file_name().is_some_and(|name| is_named(name, BOT)))
        {
            let _ = fs::remove_dir(other);
        }
        let _ = fs::remove_dir(folder);
    }
}

/// The groups in a group.
fn groups_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path())
}

/// Locks a folder for as long as the file is open; none if another process has locked it, or removed it meanwhile.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    let file = match File::open(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
        locked => locked?,
    }
    let held = file.metadata()?;
    let same = fs::metadata(folder).is_ok_and(|now| (now.dev(), now.ino()) == (held.dev(), held.ino()));
    Ok(same.then_some(file))
}

/// Whether a name is one that [`Folders::make`] gives: others, such as `arbiter-cup.service`, are not ours.
fn is_named(name: &OsStr, prefix: &str) -> bool {
    let numbers = name.to_str().and_then(|name| name.strip_prefix(prefix)?.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
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
    fn groups_go_with_their_maker_and_not_before() {
        let (memory, pids) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let parents = [memory.path().to_owned(), pids.path().to_owned()];
        let run = Folders::make(&parents, RUN).unwrap();
        let other = Folders::make(&parents, RUN).unwrap();
        assert_eq!(names(memory.path()), names(pids.path()));
        assert_eq!(names(memory.path()).len(), 2);
        let bot = Folders::make(run.paths(), BOT).unwrap();
        for folder in [&memory, &pids] {
            // Of a run that was killed, and its bot; and what is none of ours.
            fs::create_dir_all(folder.path().join("arbiter-1-0/bot-2-0")).unwrap();
            fs::create_dir(folder.path().join("arbiter-1-0/referee")).unwrap();
            fs::create_dir(folder.path().join("arbiter-cup.service")).unwrap();
        }
        remove_left_over(&parents, RUN);
        remove_left_over(run.paths(), BOT);
        assert_eq!(names(memory.path()).len(), 3, "the lock says who lives");
        assert_eq!(names(memory.path()), names(pids.path()));
        assert!(bot.paths().iter().all(|folder| folder.is_dir()));
        drop(other);
        drop(run); // its bot's warden still lives
        assert!(bot.paths().iter().all(|folder| folder.is_dir()));
        drop(bot);
        remove_left_over(&parents, RUN);
        assert_eq!(
            (names(memory.path()), names(pids.path())),
            (vec!["arbiter-cup.service".into()], vec!["arbiter-cup.service".into()])
        );
    }

    /// The wardens of a game begin at the same time, and each removes what is left over.
    #[test]
    fn wardens_that_begin_together_do_not_remove_each_others_groups() {
        let (memory, pids) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let parents = [memory.path().to_owned(), pids.path().to_owned()];
        let begin = || {
            for _ in 0..300 {
                remove_left_over(&parents, BOT);
                let made = Folders::make(&parents, BOT).unwrap();
                assert!(made.paths().iter().all(|folder| folder.is_dir()));
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(begin))));
        assert_eq!((names(memory.path()), names(pids.path())), (vec![], vec![]));
    }

    #[test]
    fn a_name_that_is_taken_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join(format!("{BOT}{}-0", std::process::id()));
        fs::create_dir(&taken).unwrap();
        let made = Folders::make(&[folder.path().to_owned()], BOT).unwrap();
        assert_ne!(made.paths(), [taken]);
        assert!(Folders::make(&[folder.path().join("none")], BOT).is_err());
        assert!(Folders::make(&[], BOT).is_err());
    }
}
