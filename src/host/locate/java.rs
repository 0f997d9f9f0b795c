//! The class that the command of a Java program names, as a file.

use super::content::paths_in;
use super::program::Program;
use std::fs;
use std::path::{Path, PathBuf};

/// The most entries that are looked at in a folder and those in it, and the most folders above a
/// class.
const MAX_ENTRIES: usize = 2_000;
const MAX_DEPTH: usize = 6;

/// Of a program that `java` runs: the file that has the name of a class in its command, compiled or
/// else its source, relative to the folder that it runs in where it lies there. It may be in a
/// sub-folder, and have other capitals. No link is followed.
pub(crate) fn class_file(program: &Program) -> Option<String> {
    if program.command.file_name()? != "java" {
        return None;
    }
    let mut folders = Vec::new();
    let mut classes = Vec::new();
    for word in program.words.iter().skip(1) {
        if !program.access.is_submitted() {
            folders.extend(paths_in(word).map(|path| program.dir.join(path)));
        }
        let name = word.strip_suffix(".class").or(word.strip_suffix(".java")).unwrap_or(word);
        classes.extend(name.rsplit(['.', '/']).next());
    }
    folders.push(program.dir.clone());
    for extension in ["class", "java"] {
        let wanted: Vec<String> =
            classes.iter().map(|class| format!("{class}.{extension}")).collect();
        for folder in &folders {
            if let Some(found) = find(folder, &wanted, MAX_DEPTH, &mut { MAX_ENTRIES }) {
                let below = found.strip_prefix(&program.dir).unwrap_or(&found);
                return Some(below.to_string_lossy().into_owned());
            }
        }
    }
    None
}

/// A file with one of these names in the folder, or in a folder in it.
fn find(folder: &Path, wanted: &[String], depth: usize, left: &mut usize) -> Option<PathBuf> {
    let mut inner = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        *left = left.checked_sub(1)?;
        let kind = entry.file_type().ok()?;
        let name = entry.file_name();
        if kind.is_file() && wanted.iter().any(|wanted| name.eq_ignore_ascii_case(wanted)) {
            return Some(entry.path());
        }
        if kind.is_dir() && depth > 0 {
            inner.push(entry.path());
        }
    }
    inner.iter().find_map(|subfolder| find(subfolder, wanted, depth - 1, left))
}
