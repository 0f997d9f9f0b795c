//! Programs that are installed on this machine: PATH, and the folders around a program that it needs to run.

use super::links;
use super::system::SYSTEM_FOLDERS;
use super::version_manager;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The file with the settings of a virtual environment of Python.
pub(super) const PYVENV_SETTINGS: &str = "pyvenv.cfg";

/// Folders that every bot may read: programs and libraries of the system.
pub(crate) fn system_folders() -> impl Iterator<Item = &'static Path> {
    SYSTEM_FOLDERS.iter().map(Path::new)
}

/// Whether a path lies in a folder of the system.
pub(super) fn is_system(path: &Path) -> bool {
    system_folders().any(|system| path.starts_with(system))
}

/// Looks a command up in PATH.
pub(super) fn find_in_path(name: &str) -> Option<PathBuf> {
    let executable = |path: &PathBuf| {
        fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|dir| dir.join(name)).find(executable)
}

/// Whether a word is a command that PATH leads to.
#[must_use]
pub fn is_command(word: &str) -> bool {
    find_in_path(word).is_some()
}

/// The folders of rustup with the Rust compilers, if rustup is used here. They are not around the programs in
/// PATH; those find them by the variable `RUSTUP_HOME` or in the home folder, and a build has another home
/// folder.
pub(super) fn rustup_home() -> Option<PathBuf> {
    let named = env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let home = named.or_else(|| env::home_dir().map(|home| home.join(".rustup")));
    home.filter(|folder| folder.is_dir())
}

/// Folders of programs that the organiser has installed: those of the system, those of PATH and of the
/// programs that shims in it start, and the installation around each.
pub(super) fn organiser_folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let home = env::home_dir();
    let folders = env::split_paths(&path).chain(version_manager::programs_behind_shims(&path));
    let folders = folders.filter(|folder| folder.is_absolute());
    let folders = folders.flat_map(|folder| [fs::canonicalize(&folder).ok(), Some(folder)]).flatten();
    let around = folders.flat_map(|folder| {
        let around = installation(&folder.join("x"), home.as_deref());
        around.into_iter().chain([folder])
    });
    system_folders().map(Path::to_owned).chain(around).collect()
}

/// The folders of the installation that a program belongs to: what is beside its `bin`, and for a virtual
/// environment of Python also the installation that it was made from. Empty for a program of the system or
/// outside of a `bin`.
pub(super) fn installation(program: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let Some(folder) = program.parent().filter(|folder| !is_system(folder)) else { return Vec::new() };
    let Some(root) = folder.parent().filter(|_| folder.ends_with("bin") || folder.ends_with("sbin")) else {
        return Vec::new();
    };
    let mut found = if is_shared(root, home) {
        ["lib", "lib64", "libexec", "include"]
            .map(|name| root.join(name))
            .into_iter()
            .filter(|dir| dir.is_dir())
            .collect()
    } else {
        vec![root.to_owned()]
    };
    if let Some(bin) = links::read(&root.join(PYVENV_SETTINGS)).ok().as_deref().and_then(pyvenv_base) {
        found.extend(installation(&bin.join("python"), home));
    }
    found
}

/// The folder with the programs that a virtual environment was made from, by the text of its settings.
pub(super) fn pyvenv_base(settings: &str) -> Option<PathBuf> {
    let mut lines = settings.lines().filter_map(|line| line.split_once('='));
    lines.find(|(key, _)| key.trim() == "home").map(|(_, bin)| PathBuf::from(bin.trim()))
}

/// Whether a folder holds more than one installation: a home folder, or one that contains home folders or
/// whole disks.
fn is_shared(root: &Path, home: Option<&Path>) -> bool {
    const SHARED: [&str; 8] = ["/", "/home", "/root", "/opt", "/srv", "/mnt", "/tmp", "/var"];
    SHARED.iter().any(|shared| root == Path::new(shared))
        || root.parent() == Some(Path::new("/home"))
        || home.is_some_and(|home| home.starts_with(root) || root == home.join(".local"))
}
