//! Whether the machine is unchanged: files to the bit, and no process, socket or kernel object
//! left.

use crate::support::{processes_with, random};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Every file below a folder: all its attributes except the time of the last read, and its content.
pub type Picture = BTreeMap<PathBuf, (String, Vec<u8>)>;

/// Records some folders.
pub fn picture(folders: &[PathBuf]) -> Picture {
    let mut picture = Picture::new();
    for folder in folders {
        look(folder, &mut picture);
    }
    picture
}

fn look(path: &Path, picture: &mut Picture) {
    let meta = fs::symlink_metadata(path).unwrap();
    let known = (meta.mode(), meta.uid(), meta.gid(), meta.nlink(), meta.size());
    let times = (meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec());
    let content = match (meta.is_file(), meta.is_dir()) {
        (true, _) => fs::read(path).unwrap_or_default(),
        (_, true) => Vec::new(),
        _ => fs::read_link(path).unwrap_or_default().into_os_string().into_encoded_bytes(),
    };
    picture.insert(path.to_owned(), (format!("{known:?} {times:?}"), content));
    if meta.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        for entry in entries {
            look(&entry.unwrap().path(), picture);
        }
    }
}

/// What was added, removed or changed between two records.
pub fn changes(before: &Picture, after: &Picture) -> Vec<PathBuf> {
    let changed = before.iter().filter(|(path, known)| after.get(*path) != Some(known));
    let new = after.keys().filter(|path| !before.contains_key(*path));
    changed.map(|(path, _)| path).chain(new).cloned().collect()
}

/// Names for what a bot makes in the kernel, so that it can be found; no other bot of any run has
/// them.
pub struct Objects {
    /// For objects with a name.
    pub name: String,
    /// For objects with a number (System V); private objects never have it.
    pub key: u32,
}

impl Objects {
    pub fn new() -> Objects {
        let random = random();
        let [.., a, b, c, d] = random.to_ne_bytes();
        Objects {
            name: format!("arbiter-{random:016x}"),
            key: u32::from_ne_bytes([a, b, c, d]) >> 1 | 1,
        }
    }
}

/// What a game has left behind: processes by their marker; shared memory, sockets, keys and other
/// kernel objects by the names that the bot was given.
pub fn traces(marker: &str, Objects { name, key }: &Objects) -> Vec<String> {
    let mut found = processes_with(marker);
    let shared = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    let shared = shared.map(|entry| entry.path().display().to_string());
    found.extend(shared.filter(|path| path.contains(name)));
    let lines_with = |file: &str, word: &str| {
        let text = fs::read_to_string(file).unwrap_or_default(); // some kernels lack some of these files
        let found = text
            .lines()
            .filter(|line| line.split_ascii_whitespace().any(|part| part.contains(word)));
        found.map(|line| format!("{file}: {line}")).collect::<Vec<_>>()
    };
    found.extend(lines_with("/proc/net/unix", name));
    found.extend(lines_with("/proc/keys", name));
    for file in ["shm", "sem", "msg"] {
        let file = format!("/proc/sysvipc/{file}");
        found.extend(lines_with(&file, &key.to_string()).into_iter().filter(|line| {
            line.split_ascii_whitespace().nth(1).is_some_and(|first| first == key.to_string())
        }));
    }
    found
}

/// The entries of a folder.
pub fn content(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}
