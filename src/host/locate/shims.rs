//! PATH, with the programs of a version manager in the place of its shims.

use super::text_file;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// PATH as arbiter has it.
pub(super) fn path_variable() -> OsString {
    env::var_os("PATH").unwrap_or_default()
}

/// The folders of PATH, with the programs of a version manager in the place of its shims: scripts
/// of the same names that find out which version to run by starting several processes, which a bot
/// under `strict` must not do.
pub(crate) fn search_path(path: &OsStr) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for folder in env::split_paths(path) {
        match versions_behind(&folder) {
            Some(versions) => folders.extend(versions),
            None => folders.push(folder),
        }
    }
    folders
}

/// The folders of the programs that shims in PATH start.
pub(super) fn behind_shims(path: &OsStr) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for folder in env::split_paths(path) {
        folders.extend(versions_behind(&folder).unwrap_or_default());
    }
    folders
}

/// The folders with the programs of the versions that `ROOT/version` chooses, if this is the folder
/// `ROOT/shims` of pyenv or a manager like it (rbenv, nodenv, ..). `None` for the shims of other
/// managers and if a version is not there: then the shim itself is found, and its failure seen.
fn versions_behind(folder: &Path) -> Option<Vec<PathBuf>> {
    if !folder.ends_with("shims") {
        return None;
    }
    let root = folder.parent()?;
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("versions")).ok()?.flatten() {
        names.extend(entry.file_name().into_string());
    }
    let chosen = text_file::read(&root.join("version")).unwrap_or_default();
    let mut folders = Vec::new();
    for line in chosen.lines() {
        let (versions, _comment) = line.split_once('#').unwrap_or((line, ""));
        for version in versions.split([' ', '\t', ':']) {
            // `system` means the folders of PATH that follow.
            if version.is_empty() || version == "system" {
                continue;
            }
            folders.push(root.join("versions").join(installed(&names, version)?).join("bin"));
        }
    }
    Some(folders)
}

/// The installed version of this name, or else the newest one that begins with `3.11.` if `3.11`
/// was chosen.
fn installed<'a>(names: &'a [String], version: &str) -> Option<&'a String> {
    if let Some(name) = names.iter().find(|name| *name == version) {
        return Some(name);
    }
    let prefix = format!("{version}.");
    names.iter().filter(|name| name.starts_with(&prefix)).max_by_key(|name| version_numbers(name))
}

/// As numbers, because as a text 3.9 would be newer than 3.11.
fn version_numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_of_pyenv_stand_in_the_place_of_its_shims() {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path();
        for version in ["3.9.1", "3.10.2", "3.10.13", "pypy-7"] {
            fs::create_dir_all(root.join("versions").join(version).join("bin")).unwrap();
        }
        let bin = |version: &str| root.join("versions").join(version).join("bin");
        let shims = root.join("shims");
        for (chosen, folders) in [
            ("3.9.1\n", vec![bin("3.9.1")]),
            ("# ours\n3.10 # newest\n", vec![bin("3.10.13")]),
            ("pypy-7:3.9.1 system", vec![bin("pypy-7"), bin("3.9.1")]),
            ("system", vec![]),
            ("2.7\n3.9.1", vec![shims.clone()]),
            ("../versions/3.9.1", vec![shims.clone()]),
        ] {
            fs::write(root.join("version"), chosen).unwrap();
            let path = env::join_paths([&shims, Path::new("/usr/bin")]).unwrap();
            let expected = [&folders[..], &["/usr/bin".into()]].concat();
            assert_eq!(search_path(&path), expected, "{chosen:?}");
        }
        let other = root.join("other/shims");
        assert_eq!(search_path(other.as_os_str()), [other], "of another manager");
    }
}
