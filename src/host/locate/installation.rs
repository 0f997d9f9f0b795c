//! Programs that are installed on this machine: PATH, and the folders around a program that it
//! needs to run.

use super::shims::{path_variable, search_path};
use super::system::SYSTEM_FOLDERS;
use super::text_file;
use crate::files::list;
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
/// and what belongs to it. In their order: a virtual environment of Python, conda, Java since 9, a
/// JDK and a JRE up to 8, Go, Julia, Lua, Homebrew.
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
    let folder = match env::var_os("RUSTUP_HOME") {
        Some(named) => PathBuf::from(named),
        None => env::home_dir()?.join(".rustup"),
    };
    folder.is_dir().then_some(folder)
}

/// Whether a canonical path is a program that the organiser has installed: one of the system, of a
/// folder of PATH, or behind a shim there.
pub(super) fn is_installed(program: &Path) -> bool {
    let Some(folder) = program.parent() else { return false };
    if is_system(folder) {
        return true;
    }
    for searched in search_path(&path_variable()) {
        if searched.is_absolute()
            && (searched == folder || fs::canonicalize(&searched).is_ok_and(|end| end == folder))
        {
            return true;
        }
    }
    false
}

/// The files and folders of the known installation around a folder of programs, a `bin`; for a
/// virtual environment of Python also those of the installation that it was made from. Empty for
/// any other folder and for one of the system. None of them contains one of the `kept` paths, which
/// are canonical.
pub(super) fn installation_around(bin: &Path, kept: &[PathBuf]) -> Vec<PathBuf> {
    let Some(root) = above_bin(bin) else { return Vec::new() };
    let mut found = parts(root, kept);
    if let Ok(settings) = text_file::read(&root.join(PYVENV_SETTINGS))
        && let Some(base_bin) = pyvenv_base(&settings)
        && let Some(base) = above_bin(&base_bin)
    {
        found.extend(parts(base, kept));
    }
    found
}

/// The folder above a `bin`; `None` for other folders and those of the system.
fn above_bin(folder: &Path) -> Option<&Path> {
    let is_bin = folder.ends_with("bin") || folder.ends_with("sbin");
    if is_bin && !is_system(folder) { folder.parent() } else { None }
}

/// What an installation of a known kind consists of. The rest of the folder stays closed: a `bin`
/// may lie in a course or a home.
fn parts(root: &Path, kept: &[PathBuf]) -> Vec<PathBuf> {
    let Ok(canonical) = fs::canonicalize(root) else { return Vec::new() };
    let mut candidates = Vec::new();
    for (mark, parts) in KINDS {
        if root.join(mark).exists() {
            candidates.extend(parts.iter().map(|part| root.join(part)));
        }
    }
    for folder in LIBRARIES {
        candidates.extend(list(&root.join(folder)).filter(|path| is_of_runtime(path)));
    }
    let mut found = Vec::new();
    for part in candidates {
        // A link could lead to anything.
        if let Ok(end) = fs::canonicalize(&part)
            && end.starts_with(&canonical)
            && !kept.iter().any(|path| path.starts_with(&end))
        {
            found.push(part);
        }
    }
    found
}

/// Whether an entry of a folder of libraries is a shared library, or the folder of a runtime.
fn is_of_runtime(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_library = name.ends_with(".so") || name.contains(".so.");
    (is_library && path.is_file()) || (is_runtime(&name) && path.is_dir())
}

/// Whether a name is that of a runtime, with or without a version.
fn is_runtime(name: &str) -> bool {
    RUNTIMES.iter().filter_map(|runtime| name.strip_prefix(runtime)).any(|version| {
        version.is_empty()
            || matches!(version.trim_start_matches(['-', '.']).as_bytes(), [b'0'..=b'9', ..])
    })
}

/// The folder with the programs that a virtual environment was made from, by the text of its
/// settings.
pub(super) fn pyvenv_base(settings: &str) -> Option<PathBuf> {
    for line in settings.lines() {
        if let Some((key, bin)) = line.split_once('=')
            && key.trim() == "home"
        {
            return Some(PathBuf::from(bin.trim()));
        }
    }
    None
}
