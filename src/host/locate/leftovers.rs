//! What archives, file managers, version control and file systems leave behind: never a submission,
//! nor part of one.
//!
//! A file that is no content must not be seen: a submission could keep a program in it, and
//! exchange it while its old games count. So what is named here is not in the copy that plays. The
//! one exception are caches of Python in a virtual environment: without them each start would
//! compile all modules again, and two installations of the same packages differ in them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The cache of Python.
pub(super) const CACHE: &str = "__pycache__";
/// The folder of a virtual environment of Python. All that is in it is content, also its caches; in
/// a list of files it is one entry, because it has thousands of them.
pub(super) const VIRTUAL_ENVIRONMENT: &str = ".venv";
/// Names of folders.
const FOLDERS: [&str; 13] = [
    "__MACOSX",
    CACHE,
    ".git",
    ".hg",
    ".svn",
    "lost+found",
    ".AppleDouble",
    ".fseventsd",
    ".Spotlight-V100",
    ".Trashes",
    "@eaDir",
    "$RECYCLE.BIN",
    "System Volume Information",
];
/// Names of files.
const FILES: [&str; 6] =
    [".DS_Store", ".directory", "Thumbs.db", "ehthumbs.db", "desktop.ini", "Icon\r"];
/// How the names of files begin in which macOS keeps attributes that an archive or a file system
/// has no place for.
const APPLE_DOUBLE: &[u8] = b"._";
/// How many folders are entered one below the other.
const DEEPEST: usize = 4;

/// Whether a folder or a regular file with this name is left behind by a tool. A symbolic link
/// never is: it is content, whatever its name.
pub fn is_leftover(name: &[u8], is_folder: bool) -> bool {
    let names: &[&str] = if is_folder { &FOLDERS } else { &FILES };
    // File systems of Windows and macOS ignore the case of names.
    let is_listed = names.iter().any(|listed| listed.as_bytes().eq_ignore_ascii_case(name));
    is_listed || !is_folder && name.starts_with(APPLE_DOUBLE)
}

/// What a folder has, without leftovers and hidden entries.
#[derive(Debug, Default)]
struct Listing {
    folders: Vec<PathBuf>,
    /// Everything else, also links.
    others: Vec<PathBuf>,
}

fn list(folder: &Path) -> io::Result<Listing> {
    let mut found = Listing::default();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_folder = entry.file_type()?.is_dir();
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(b".") || is_leftover(name, is_folder) {
            continue;
        }
        let same = if is_folder { &mut found.folders } else { &mut found.others };
        same.push(entry.path());
    }
    Ok(found)
}

/// What may lie beside a folder that is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Nothing but leftovers and hidden entries: the folder is the only content.
    Nothing,
    /// Any files.
    Files,
}

/// The folder that is meant by `top`, because archives often have everything in a folder of its
/// own: the only folder in a folder is entered, unless `is_it` holds for the outer one. Links are
/// not followed.
pub fn entered(top: &Path, beside: Beside, is_it: impl Fn(&Path) -> bool) -> PathBuf {
    let mut at = top.to_owned();
    for _ in 0..DEEPEST {
        if is_it(&at) {
            break;
        }
        match list(&at) {
            Ok(Listing { folders, others })
                if folders.len() == 1 && (others.is_empty() || beside == Beside::Files) =>
            {
                at.clone_from(&folders[0]);
            }
            _ => break,
        }
    }
    at
}
