//! PATH: the commands that it leads to, and what a build may read because of it.

use super::installation::{installation_around, is_system};
use super::shims::{path_variable, search_path};
use super::submission::Submission;
use crate::files::list;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf, absolute};

/// Programs that a build may start from one folder of PATH.
const MAX_PROGRAMS: usize = 1000;

/// Looks a command up in PATH. For a submission, entries are left out that are relative, and the
/// folders of other submissions.
pub(super) fn find_in_path(name: &str, submission: Option<&Submission>) -> Option<PathBuf> {
    for folder in searched_folders(submission) {
        if let Ok(path) = absolute(folder.join(name))
            && is_executable(&path)
        {
            return Some(path);
        }
    }
    None
}

/// The folders of PATH that are searched for a program, or for one of a submission.
fn searched_folders(submission: Option<&Submission>) -> impl Iterator<Item = PathBuf> {
    let folders = search_path(&path_variable()).into_iter();
    folders.filter(move |folder| submission.is_none_or(|one| one.may_search(folder)))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Whether a word is a command that PATH leads to.
pub fn is_command(word: &str) -> bool {
    find_in_path(word, None).is_some()
}

/// What a build may read because of PATH: the programs in its folders, and the installations around
/// those. Not whole folders: a folder of PATH may contain more than programs, such as a home.
pub(super) fn programs_of_path(submission: Option<&Submission>, kept: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in searched_folders(submission) {
        if folder.is_absolute() && !is_system(&folder) {
            let programs = list(&folder).filter(|path| is_executable(path));
            found.extend(programs.take(MAX_PROGRAMS));
            found.extend(installation_around(&folder, kept));
        }
    }
    found
}
