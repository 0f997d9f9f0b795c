//! PATH, with the programs of a version manager in the place of its shims.

use super::links;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// PATH as arbiter has it.
pub(super) fn path_variable() -> OsString {
    env::var_os("PATH").unwrap_or_default()
}

/// The folders of PATH, with the programs of a version manager in the place of its shims: scripts
/// with their names that start several processes to find out which of them to run, which a bot
/// under `strict` may not.
pub(crate) fn search_path(path: &OsStr) -> Vec<PathBuf> {
    let of_folder = |folder: PathBuf| versions_behind(&folder).unwrap_or_else(|| vec![folder]);
    env::split_paths(path).flat_map(of_folder).collect()
}

/// The folders of the programs that shims in PATH start.
pub(super) fn behind_shims(path: &OsStr) -> Vec<PathBuf> {
    env::split_paths(path).filter_map(|folder| versions_behind(&folder)).flatten().collect()
}

/// The folders with the programs of the versions that `ROOT/version` chooses, if this is the folder
/// `ROOT/shims` of pyenv or a manager like it (rbenv, nodenv, ..). `None` for the shims of other
/// managers and if a version is not there: then the shim itself is found, and its failure seen.
fn versions_behind(folder: &Path) -> Option<Vec<PathBuf>> {
    let root = folder.parent().filter(|_| folder.ends_with("shims"))?;
    let names: Vec<String> = fs::read_dir(root.join("versions"))
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let chosen = links::read(&root.join("version")).unwrap_or_default();
    let lines = chosen.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words = lines.flat_map(|line| line.split([' ', '\t', ':']));
    let mut folders = Vec::new();
    // `system` means the folders of PATH that follow.
    for version in words.filter(|word| !word.is_empty() && *word != "system") {
        let name = names.iter().find(|name| *name == version).or_else(|| newest(&names, version));
        folders.push(root.join("versions").join(name?).join("bin"));
    }
    Some(folders)
}

/// The newest version that begins with `3.11.`, if `3.11` was chosen.
fn newest<'a>(names: &'a [String], version: &str) -> Option<&'a String> {
    let numbers = |name: &str| -> Vec<u32> {
        name.split('.').map(|part| part.parse().unwrap_or(0)).collect()
    };
    let begins =
        |name: &&String| name.strip_prefix(version).is_some_and(|rest| rest.starts_with('.'));
    names.iter().filter(begins).max_by_key(|name| numbers(name))
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
