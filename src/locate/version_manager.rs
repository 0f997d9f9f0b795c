//! Shims of version managers: the `python3` that pyenv puts into PATH is a shell script that starts many processes to
//! find out which Python is meant. No bot may do that under `strict`, so it is found out here, before.
//!
//! pyenv, rbenv, nodenv, goenv and plenv keep their shims in `ROOT/shims` and versions in `ROOT/versions`, and choose
//! by a variable, by a file in the working directory or above it, or by `ROOT/version`. Other managers (asdf, mise,
//! volta) are asked: `asdf which node`.

use super::submission::{self, Submission};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Managers that keep their versions as pyenv does: the language, which names variable and file, and the manager.
const MANAGERS: [(&str, &str); 6] = [
    ("pyenv", "python"),
    ("rbenv", "ruby"),
    ("nodenv", "node"),
    ("goenv", "go"),
    ("plenv", "perl"),
    ("jenv", "java"),
];
/// Managers that only they themselves understand.
const OTHERS: [&str; 3] = ["asdf", "mise", "volta"];

/// The program that a shim would run for a bot in `dir`; none if `found` is no shim.
///
/// # Errors
/// It is one, and which program it means cannot be found out; with what helps.
pub(super) fn resolve(
    found: &Path,
    dir: &Path,
    submission: Option<&Submission>,
) -> Result<Option<PathBuf>, String> {
    // A stranger has no shims: the folder is only called like one.
    if submission.is_some_and(|submission| submission.has(found)) {
        return Ok(None);
    }
    let read = |path: &Path| match submission.filter(|submission| submission.has(path)) {
        Some(submission) => submission.read(path).ok().flatten(),
        None => submission::read(path).ok(),
    };
    resolve_with(found, dir, &read, &|name| env::var(name).ok())
}

/// PATH with folders of shims replaced by the folders of what they mean, so that a bot's shell script finds it too.
pub(crate) fn without_shims(path: &OsStr) -> OsString {
    let folders = env::split_paths(path).flat_map(|folder| match meant(&folder) {
        Some(folders) => folders,
        None => vec![folder],
    });
    env::join_paths(folders).unwrap_or_else(|_| path.to_owned())
}

/// The folders of programs that the shims in PATH mean.
pub(super) fn folders(path: &OsStr) -> Vec<PathBuf> {
    env::split_paths(path).filter_map(|folder| meant(&folder)).flatten().collect()
}

/// The folders of programs that a folder of shims means; none if it is not such a folder.
fn meant(folder: &Path) -> Option<Vec<PathBuf>> {
    let shims = Shims::of(&folder.join("any"))?;
    let versions =
        shims.versions(Path::new("/"), &|path| submission::read(path).ok(), &|name| env::var(name).ok());
    Some(versions.iter().filter_map(|version| shims.folder(version)).collect())
}

/// A folder of shims as pyenv has it.
struct Shims {
    root: PathBuf,
    manager: &'static str,
    language: &'static str,
}

impl Shims {
    fn of(program: &Path) -> Option<Shims> {
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
        Some(Shims { root: root.to_owned(), manager, language })
    }

    /// Which versions are chosen for a program in `dir`, in their order.
    fn versions(
        &self,
        dir: &Path,
        read: &dyn Fn(&Path) -> Option<String>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Vec<String> {
        let name = format!("{}_VERSION", self.manager.to_uppercase());
        let file = format!(".{}-version", self.language);
        let said = variable(&name)
            .filter(|text| !text.trim().is_empty())
            .or_else(|| dir.ancestors().find_map(|dir| read(&dir.join(&file))))
            .or_else(|| submission::read(&self.root.join("version")).ok())
            .unwrap_or_else(|| "system".to_owned());
        let lines = said.lines().map(|line| line.split('#').next().unwrap_or_default());
        // A version is a name. A bot's folder may have such a file, and must not choose a path by it.
        let sound = |word: &&str| !word.contains('/') && !word.starts_with('.') && !word.is_empty();
        let words: Vec<&str> = lines.flat_map(|line| line.split([' ', '\t', ':'])).filter(sound).collect();
        words.into_iter().map(str::to_owned).collect()
    }

    /// The folder of the programs of a version; `3.11` means the newest that begins so.
    fn folder(&self, version: &str) -> Option<PathBuf> {
        let versions = self.root.join("versions");
        let plain = version.strip_prefix(self.language).and_then(|rest| rest.strip_prefix('-'));
        let version = plain.unwrap_or(version);
        let exact = versions.join(version).join("bin");
        if exact.is_dir() {
            return Some(exact);
        }
        let begins = |name: &String| name.strip_prefix(version).is_some_and(|rest| rest.starts_with('.'));
        let names = fs::read_dir(&versions).ok()?.flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).filter(begins);
        let newest = names
            .max_by_key(|name| name.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>())?;
        Some(versions.join(newest).join("bin")).filter(|folder| folder.is_dir())
    }
}

fn resolve_with(
    found: &Path,
    dir: &Path,
    read: &dyn Fn(&Path) -> Option<String>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<PathBuf>, String> {
    let Some(shims) = Shims::of(found) else { return ask(found) };
    let name = found.file_name().unwrap_or_default();
    let versions = shims.versions(dir, read, variable);
    for version in &versions {
        let program = if version == "system" {
            outside_shims(name, variable)
        } else {
            shims.folder(version).map(|folder| folder.join(name)).filter(|program| program.is_file())
        };
        if program.is_some() {
            return Ok(program);
        }
    }
    let (shown, manager) = (name.to_string_lossy(), shims.manager);
    let chosen = if versions.is_empty() { "no version".to_owned() } else { versions.join(", ") };
    Err(format!(
        "{}: {manager} chooses {chosen}, which has no {shown}; choose another with `{manager} global VERSION`, or name \
         the program itself, as in {}/versions/VERSION/bin/{shown}",
        found.display(),
        shims.root.display()
    ))
}

/// The first program of that name in a folder of PATH that is none of shims.
fn outside_shims(name: &OsStr, variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let path = variable("PATH")?;
    let mut folders = env::split_paths(&path).filter(|folder| !folder.ends_with("shims"));
    folders.find_map(|folder| Some(folder.join(name)).filter(|program| program.is_file()))
}

/// Asks another manager which program its shim means.
fn ask(found: &Path) -> Result<Option<PathBuf>, String> {
    let target = fs::canonicalize(found).unwrap_or_else(|_| found.to_owned());
    let target = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let in_shims = found.parent().is_some_and(|folder| folder.ends_with("shims"));
    let by_folder = || {
        let root = found.parent()?.parent()?.file_name()?.to_string_lossy().into_owned();
        OTHERS.into_iter().find(|manager| root.trim_start_matches('.') == *manager)
    };
    let by_target =
        OTHERS.into_iter().find(|manager| target == *manager || target == format!("{manager}-shim"));
    let name = found.file_name().unwrap_or_default();
    let Some(manager) =
        by_target.filter(|manager| name != *manager).or_else(|| by_folder().filter(|_| in_shims))
    else {
        return Ok(None);
    };
    // Not in the bot's folder: a stranger's file there could tell the manager to run something.
    let answer =
        Command::new(manager).arg("which").arg(name).stdin(Stdio::null()).stderr(Stdio::null()).output();
    let path = answer.ok().filter(|answer| answer.status.success());
    let path = path.map(|answer| PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim()));
    match path.filter(|path| path.is_file() && path != found) {
        Some(path) => Ok(Some(path)),
        None => Err(format!(
            "{}: it is a shim of {manager}, and `{manager} which {}` does not say what it means; name the program itself",
            found.display(),
            name.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> Option<String> {
        submission::read(path).ok()
    }

    /// A made-up pyenv with these versions, each with a `python3`, and a bot's folder.
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
    fn pyenvs_python_is_found_as_pyenv_would_find_it() {
        let (temporary, root, dir) = pyenv(&["3.9.1", "3.10.2", "3.10.13"], "3.9.1\n");
        let shim = root.join("shims/python3");
        let nothing = |_: &str| None;
        let version = |version: &str| Ok(Some(root.join(format!("versions/{version}/bin/python3"))));
        assert_eq!(resolve_with(&shim, &dir, &read, &nothing), version("3.9.1"));
        fs::write(temporary.path().join("bots/.python-version"), "# ours\n3.10.2\n").unwrap();
        assert_eq!(resolve_with(&shim, &dir, &read, &nothing), version("3.10.2"));
        fs::write(dir.join(".python-version"), "3.10").unwrap();
        assert_eq!(resolve_with(&shim, &dir, &read, &nothing), version("3.10.13"));
        let variable = |name: &str| (name == "PYENV_VERSION").then(|| "4.0:python-3.9.1".to_owned());
        assert_eq!(resolve_with(&shim, &dir, &read, &variable), version("3.9.1"));
    }

    #[test]
    fn a_shim_that_means_nothing_gets_an_error_with_its_cure() {
        let (_temporary, root, dir) = pyenv(&["3.9.1"], "2.7");
        let error = resolve_with(&root.join("shims/python3"), &dir, &read, &|_| None).unwrap_err();
        assert!(error.contains("pyenv chooses 2.7") && error.contains("pyenv global"), "{error}");
        fs::write(dir.join(".python-version"), "../../../bin /usr").unwrap();
        let error = resolve_with(&root.join("shims/python3"), &dir, &read, &|_| None).unwrap_err();
        assert!(error.contains("no version"), "{error}");
    }

    #[test]
    fn the_systems_own_is_looked_for_outside_of_shims() {
        let (temporary, root, dir) = pyenv(&["3.9.1"], "system");
        let system = temporary.path().join("usr/bin");
        fs::create_dir_all(&system).unwrap();
        fs::write(system.join("python3"), "").unwrap();
        let path = env::join_paths([root.join("shims"), system.clone()]).unwrap().into_string().unwrap();
        let variable = |name: &str| (name == "PATH").then(|| path.clone());
        assert_eq!(
            resolve_with(&root.join("shims/python3"), &dir, &read, &variable),
            Ok(Some(system.join("python3")))
        );
        assert_eq!(resolve_with(&system.join("python3"), &dir, &read, &variable), Ok(None));
    }
}
