//! Version managers (pyenv, asdf and others), and the programs that their shims start.
//!
//! A shim is what a manager puts into PATH in the place of a program: the `python3` of pyenv is a
//! shell script that starts several processes to find out which Python to run. A bot under `strict`
//! may start no process, so the shim is resolved here, before the bot is started.
//!
//! pyenv, rbenv, nodenv, goenv, plenv and jenv keep shims in `ROOT/shims` and versions in
//! `ROOT/versions`, and choose by an environment variable, by a file in the working directory or
//! above it, or by `ROOT/version`. The other managers (asdf, mise, volta) are asked: `asdf which
//! node`.

use super::links;
use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Managers with the folders of pyenv, and the language of each, which is part of the name of its
/// version file.
const MANAGERS: [(&str, &str); 6] = [
    ("pyenv", "python"),
    ("rbenv", "ruby"),
    ("nodenv", "node"),
    ("goenv", "go"),
    ("plenv", "perl"),
    ("jenv", "java"),
];
/// Managers that are asked which program a shim means.
const OTHERS: [&str; 3] = ["asdf", "mise", "volta"];

/// Where managers with the folders of pyenv keep what they install, in the manner of
/// [`INSTALLATIONS`].
const VERSIONS: &str = "versions/*";

/// Where other version managers keep what they install: the name of the manager's folder, which may
/// begin with a dot, and the folders from there to an installation, with `*` for any name.
const INSTALLATIONS: [(&str, &str); 14] = [
    ("asdf", "installs/*/*"),
    ("fnm", "node-versions/*/installation"),
    ("gvm", "gos/*"),
    ("ghcup", "ghc/*"),
    ("hostedtoolcache", "*/*/*"), // runners of GitHub
    ("jabba", "jdk/*"),
    ("mise", "installs/*/*"),
    ("nvm", "versions/node/*"),
    ("rustup", "toolchains/*"),
    ("rvm", "rubies/*"),
    ("rye", "py/*"),
    ("sdkman", "candidates/*/*"),
    ("uv", "python/*"),
    ("volta", "tools/image/*/*"),
];

/// The folder of the version manager that keeps an installation; none if none does.
pub(super) fn keeper(installation: &Path) -> Option<&Path> {
    let like_pyenv = MANAGERS.map(|(manager, _)| (manager, VERSIONS));
    like_pyenv.into_iter().chain(INSTALLATIONS).find_map(|(manager, below)| {
        let mut at = installation;
        for part in below.rsplit('/') {
            let name = at.file_name()?;
            at = at.parent().filter(|_| part == "*" || name == part)?;
        }
        let name = at.file_name()?.to_str()?;
        (name.strip_prefix('.').unwrap_or(name) == manager).then_some(at)
    })
}

/// Whether the version manager that a folder of PATH belongs to also keeps this installation.
pub(super) fn keeps_also(folder_of_path: &Path, installation: &Path) -> bool {
    let shims = || ShimFolder::containing(&folder_of_path.join("any"));
    keeper(installation).is_some_and(|manager| folder_of_path.starts_with(manager))
        || shims().is_some_and(|shims| installation.parent() == Some(&shims.root.join("versions")))
}

/// The program that a shim starts for a bot in `dir`; none if `program` is no shim. `read` gives
/// the content of a version file, `variable` the value of an environment variable.
///
/// # Errors
/// It is a shim whose program cannot be found out, with what the user can do.
pub(super) fn resolve(
    program: &Path,
    dir: &Path,
    read: &dyn Fn(&Path) -> Option<String>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<PathBuf>, String> {
    let Some(shims) = ShimFolder::containing(program) else { return ask_manager(program) };
    let name = program.file_name().unwrap_or_default();
    let versions = shims.versions(dir, read, variable);
    for version in &versions {
        let found = if version == "system" {
            outside_shims(name, variable)
        } else {
            shims
                .programs(version)
                .map(|folder| folder.join(name))
                .filter(|program| program.is_file())
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    let shown = name.to_string_lossy();
    let manager = shims.manager;
    let chosen = if versions.is_empty() { "no version".to_owned() } else { versions.join(", ") };
    Err(format!(
        "{}: {manager} chooses {chosen}, which has no {shown}; choose another with `{manager} global VERSION`, or name \
         the program itself, as in {}/versions/VERSION/bin/{shown}",
        program.display(),
        shims.root.display()
    ))
}

/// PATH with each folder of shims replaced by the folders of the programs that they start, so that
/// a shell script of a bot finds those programs.
pub(crate) fn without_shims(path: &OsStr) -> OsString {
    let folders = env::split_paths(path).flat_map(|folder| match programs_of(&folder) {
        Some(folders) => folders,
        None => vec![folder],
    });
    env::join_paths(folders).unwrap_or_else(|_| path.to_owned())
}

/// The folders of the programs that the shims in PATH start.
pub(super) fn programs_behind_shims(path: &OsStr) -> Vec<PathBuf> {
    env::split_paths(path).filter_map(|folder| programs_of(&folder)).flatten().collect()
}

/// The folders of the programs that the shims of a folder of PATH start; none if it is no folder of
/// shims. Looked up once a run: every start of a bot asks.
fn programs_of(folder: &Path) -> Option<Vec<PathBuf>> {
    static KNOWN: Mutex<BTreeMap<PathBuf, Option<Vec<PathBuf>>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(folder.to_owned()).or_insert_with(|| look_up_programs(folder)).clone()
}

fn look_up_programs(folder: &Path) -> Option<Vec<PathBuf>> {
    let shims = ShimFolder::containing(&folder.join("any"))?;
    let versions =
        shims.versions(Path::new("/"), &|path| links::read(path).ok(), &|name| env::var(name).ok());
    Some(versions.iter().filter_map(|version| shims.programs(version)).collect())
}

/// A folder of shims of a manager with the folders of pyenv.
struct ShimFolder {
    /// The folder above it, `ROOT`.
    root: PathBuf,
    manager: &'static str,
    language: &'static str,
}

impl ShimFolder {
    /// The folder of shims that a program lies in, if it is one.
    fn containing(program: &Path) -> Option<ShimFolder> {
        let folder = program.parent()?;
        let root = folder.parent()?;
        if folder.file_name()? != "shims" || !root.join("versions").is_dir() {
            return None;
        }
        let name = root.file_name()?.to_string_lossy();
        let is_it = |(manager, _): &&(&'static str, &str)| {
            name.trim_start_matches('.') == *manager
                || root.join("libexec").join(manager).exists()
                || root.join("bin").join(manager).exists()
        };
        let &(manager, language) = MANAGERS.iter().find(is_it)?;
        Some(ShimFolder { root: root.to_owned(), manager, language })
    }

    /// The versions chosen for a program in `dir`; the manager takes the first that has the
    /// program.
    fn versions(
        &self,
        dir: &Path,
        read: &dyn Fn(&Path) -> Option<String>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Vec<String> {
        let name = format!("{}_VERSION", self.manager.to_uppercase());
        let file = format!(".{}-version", self.language);
        let text = variable(&name)
            .filter(|text| !text.trim().is_empty())
            .or_else(|| dir.ancestors().find_map(|dir| read(&dir.join(&file))))
            .or_else(|| links::read(&self.root.join("version")).ok())
            .unwrap_or_else(|| "system".to_owned());
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        // The version file may come with a bot: a version is only a name, so that it cannot choose
        // a path.
        let is_name =
            |word: &&str| !word.contains('/') && !word.starts_with('.') && !word.is_empty();
        let words: Vec<&str> =
            lines.flat_map(|line| line.split([' ', '\t', ':'])).filter(is_name).collect();
        words.into_iter().map(str::to_owned).collect()
    }

    /// The folder with the programs of a version; `3.11` is the newest version that begins with
    /// `3.11.`.
    fn programs(&self, version: &str) -> Option<PathBuf> {
        let versions = self.root.join("versions");
        let plain = version.strip_prefix(self.language).and_then(|rest| rest.strip_prefix('-'));
        let version = plain.filter(|plain| !plain.starts_with('.')).unwrap_or(version);
        let exact = versions.join(version).join("bin");
        if exact.is_dir() {
            return Some(exact);
        }
        let begins =
            |name: &String| name.strip_prefix(version).is_some_and(|rest| rest.starts_with('.'));
        let names = fs::read_dir(&versions).ok()?.flatten();
        let names =
            names.map(|entry| entry.file_name().to_string_lossy().into_owned()).filter(begins);
        let newest = names.max_by_key(|name| {
            name.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>()
        })?;
        Some(versions.join(newest).join("bin")).filter(|folder| folder.is_dir())
    }
}

/// The first program of this name in PATH that is no shim.
fn outside_shims(name: &OsStr, variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let path = variable("PATH")?;
    let is_searched = |folder: &PathBuf| folder.is_absolute() && !folder.ends_with("shims");
    let mut folders = env::split_paths(&path).filter(is_searched);
    folders.find_map(|folder| Some(folder.join(name)).filter(|program| program.is_file()))
}

/// Asks a manager with other folders than pyenv which program its shim starts; none if `program` is
/// no such shim.
fn ask_manager(program: &Path) -> Result<Option<PathBuf>, String> {
    let target = fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
    let target = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let in_shims = program.parent().is_some_and(|folder| folder.ends_with("shims"));
    let by_folder = || {
        let root = program.parent()?.parent()?.file_name()?.to_string_lossy().into_owned();
        OTHERS.into_iter().find(|manager| root.trim_start_matches('.') == *manager)
    };
    let by_target = OTHERS
        .into_iter()
        .find(|manager| target == *manager || target == format!("{manager}-shim"));
    let name = program.file_name().unwrap_or_default();
    let Some(manager) =
        by_target.filter(|manager| name != *manager).or_else(|| by_folder().filter(|_| in_shims))
    else {
        return Ok(None);
    };
    // Not in the bot's folder: a file there could make the manager run another program.
    let answer = Command::new(manager)
        .arg("which")
        .arg(name)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let path = answer.ok().filter(|answer| answer.status.success());
    let path = path.map(|answer| PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim()));
    match path.filter(|path| path.is_file() && path != program) {
        Some(path) => Ok(Some(path)),
        None => Err(format!(
            "{}: a shim of {manager} whose program is unknown (`{manager} which {}` names none); name the program itself",
            program.display(),
            name.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> Option<String> {
        links::read(path).ok()
    }

    /// A pyenv root with these versions, each with a `python3`, and the folder of a bot.
    fn pyenv(versions: &[&str], global: &str) -> (tempfile::TempDir, PathBuf, PathBuf) {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().join(".pyenv");
        for version in versions {
            fs::create_dir_all(root.join("versions").join(version).join("bin")).unwrap();
            fs::write(root.join("versions").join(version).join("bin/python3"), "").unwrap();
        }
        fs::create_dir_all(root.join("shims")).unwrap();
        fs::write(root.join("shims/python3"), "#!/usr/bin/env bash").unwrap();
        fs::write(root.join("version"), global).unwrap();
        let dir = temporary.path().join("bots/one");
        fs::create_dir_all(&dir).unwrap();
        (temporary, root, dir)
    }

    #[test]
    fn a_version_is_chosen_as_pyenv_chooses_it() {
        let (temporary, root, dir) = pyenv(&["3.9.1", "3.10.2", "3.10.13"], "3.9.1\n");
        let shim = root.join("shims/python3");
        let nothing = |_: &str| None;
        let version =
            |version: &str| Ok(Some(root.join(format!("versions/{version}/bin/python3"))));
        assert_eq!(resolve(&shim, &dir, &read, &nothing), version("3.9.1"));
        fs::write(temporary.path().join("bots/.python-version"), "# ours\n3.10.2\n").unwrap();
        assert_eq!(resolve(&shim, &dir, &read, &nothing), version("3.10.2"));
        fs::write(dir.join(".python-version"), "3.10").unwrap();
        assert_eq!(resolve(&shim, &dir, &read, &nothing), version("3.10.13"));
        let variable =
            |name: &str| (name == "PYENV_VERSION").then(|| "4.0:python-3.9.1".to_owned());
        assert_eq!(resolve(&shim, &dir, &read, &variable), version("3.9.1"));
    }

    #[test]
    fn a_shim_without_a_program_is_an_error_that_says_what_helps() {
        let (_temporary, root, dir) = pyenv(&["3.9.1"], "2.7");
        let error = resolve(&root.join("shims/python3"), &dir, &read, &|_| None).unwrap_err();
        assert!(error.contains("pyenv chooses 2.7") && error.contains("pyenv global"), "{error}");
        fs::create_dir(root.join("bin")).unwrap();
        fs::write(root.join("bin/python3"), "").unwrap();
        fs::write(dir.join(".python-version"), "python-..").unwrap();
        let error = resolve(&root.join("shims/python3"), &dir, &read, &|_| None).unwrap_err();
        assert!(error.contains("pyenv chooses python-.., which has no python3"), "{error}");
        fs::write(dir.join(".python-version"), "../../../bin /usr").unwrap();
        let error = resolve(&root.join("shims/python3"), &dir, &read, &|_| None).unwrap_err();
        assert!(error.contains("no version"), "{error}");
    }

    #[test]
    fn the_version_system_is_the_next_program_in_path_that_is_no_shim() {
        let (temporary, root, dir) = pyenv(&["3.9.1"], "system");
        let system = temporary.path().join("usr/bin");
        fs::create_dir_all(&system).unwrap();
        fs::write(system.join("python3"), "").unwrap();
        let path =
            env::join_paths([root.join("shims"), system.clone()]).unwrap().into_string().unwrap();
        let variable = |name: &str| (name == "PATH").then(|| path.clone());
        assert_eq!(
            resolve(&root.join("shims/python3"), &dir, &read, &variable),
            Ok(Some(system.join("python3")))
        );
        assert_eq!(resolve(&system.join("python3"), &dir, &read, &variable), Ok(None));
    }
}
