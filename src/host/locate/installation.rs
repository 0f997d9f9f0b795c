//! Programs that are installed on this machine: PATH, and the folders around a program that it
//! needs to run.

use super::links;
use super::shims::{path_variable, search_path};
use super::system::SYSTEM_FOLDERS;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of libraries beside a `bin`; PyPy has its library in the `bin` itself.
const LIBRARIES: [&str; 4] = ["lib", "lib64", "lib32", "bin"];
/// Folders in them that belong to a runtime, also with more of a version behind the name.
const RUNTIMES: [&str; 21] = [
    "R",
    "elixir",
    "erlang",
    "ghc",
    "guile",
    "julia",
    "lua",
    "mono",
    "node_modules",
    "ocaml",
    "perl5",
    "php",
    "pypy2",
    "pypy3",
    "python2",
    "python3",
    "ruby",
    "sbcl",
    "swipl",
    "tcl8",
    "tk8",
];
/// Kinds of installations that consist of more than that: a file or folder by which one is known,
/// and what belongs to it.
const KINDS: [(&str, &[&str]); 9] = [
    (PYVENV_SETTINGS, &[PYVENV_SETTINGS]),
    ("conda-meta/history", &["conda-meta", "lib", "libexec", "share", "ssl", "etc/fonts"]),
    ("lib/jvm.cfg", &["lib", "conf", "release"]),
    ("jre/lib/rt.jar", &["jre", "lib", "release"]),
    ("lib/rt.jar", &["lib", "release"]),
    ("pkg/tool", &["pkg", "src", "lib", "VERSION", "go.env"]),
    ("share/julia/base", &["share/julia", "etc/julia"]),
    ("share/lua", &["share/lua"]),
    ("bin/brew", &["bin/brew", "Cellar", "opt", "lib", "share"]),
];

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

/// The folders of rustup with the Rust compilers, if rustup is used here. They are not around the
/// programs in PATH; those find them by the variable `RUSTUP_HOME` or in the home folder, and a
/// build has another home folder.
pub(super) fn rustup_home() -> Option<PathBuf> {
    let named = env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let home = named.or_else(|| env::home_dir().map(|home| home.join(".rustup")));
    home.filter(|folder| folder.is_dir())
}

/// Whether a canonical path is a program that the organiser has installed: one of the system, of a
/// folder of PATH, or behind a shim there.
pub(super) fn is_installed(program: &Path) -> bool {
    let Some(folder) = program.parent() else { return false };
    if is_system(folder) {
        return true;
    }
    let mut searched =
        search_path(&path_variable()).into_iter().filter(|searched| searched.is_absolute());
    searched.any(|searched| {
        searched == folder || fs::canonicalize(&searched).is_ok_and(|end| end == folder)
    })
}

/// The files and folders of the installation that a program in a `bin` belongs to, as far as it is
/// known as one; for a virtual environment of Python also those of the installation that it was
/// made from. Empty for a program of the system. None of them is a folder that contains one of the
/// `kept` paths, which are canonical.
pub(super) fn installation(program: &Path, kept: &[PathBuf]) -> Vec<PathBuf> {
    let Some(root) = root(program) else { return Vec::new() };
    let base = links::read(&root.join(PYVENV_SETTINGS)).ok().as_deref().and_then(pyvenv_base);
    let base = base.map(|bin| bin.join("python"));
    let roots = [Some(root), base.as_deref().and_then(self::root)];
    roots.into_iter().flatten().flat_map(|root| parts(root, kept)).collect()
}

/// The folder above the `bin` that a program lies in; none for a program of the system.
fn root(program: &Path) -> Option<&Path> {
    let folder = program.parent().filter(|folder| !is_system(folder))?;
    folder.parent().filter(|_| folder.ends_with("bin") || folder.ends_with("sbin"))
}

/// What is open of an installation: what its kind consists of. Other things may lie beside that: the
/// `bin` may be that of a course or a home.
fn parts(root: &Path, kept: &[PathBuf]) -> Vec<PathBuf> {
    let Ok(canonical) = fs::canonicalize(root) else { return Vec::new() };
    // A link could lead to anything.
    let may_open = |part: &PathBuf| {
        let end = fs::canonicalize(part).ok().filter(|end| end.starts_with(&canonical));
        end.is_some_and(|end| !kept.iter().any(|path| path.starts_with(&end)))
    };
    let kinds = KINDS.iter().filter(|(mark, _)| root.join(mark).exists());
    let of_kinds = kinds.flat_map(|(_, parts)| parts.iter().map(|part| root.join(part)));
    let of_runtimes = LIBRARIES
        .iter()
        .flat_map(|folder| entries(&root.join(folder)))
        .filter(|path| is_of_runtime(path));
    of_kinds.chain(of_runtimes).filter(may_open).collect()
}

/// Whether an entry of a folder of libraries is a shared library, or the folder of a runtime.
fn is_of_runtime(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_version = |rest: &str| {
        rest.is_empty()
            || rest.trim_start_matches(['-', '.']).starts_with(|first: char| first.is_ascii_digit())
    };
    let is_runtime =
        || RUNTIMES.iter().any(|runtime| name.strip_prefix(runtime).is_some_and(is_version));
    let is_library = name.ends_with(".so") || name.contains(".so.");
    (is_library && path.is_file()) || (is_runtime() && path.is_dir())
}

pub(super) fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// The folder with the programs that a virtual environment was made from, by the text of its
/// settings.
pub(super) fn pyvenv_base(settings: &str) -> Option<PathBuf> {
    let mut lines = settings.lines().filter_map(|line| line.split_once('='));
    lines.find(|(key, _)| key.trim() == "home").map(|(_, bin)| PathBuf::from(bin.trim()))
}
