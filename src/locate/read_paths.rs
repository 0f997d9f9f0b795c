//! What a program needs to run, found from its command: the interpreter wherever it is installed, what its links
//! lead to, files that its arguments name. Under `strict` this and the system is all that it can read.
//!
//! A program of a stranger's choosing opens nothing by being named: there only what is the organiser's counts, which is
//! what PATH leads to.

use super::access::rustup_home;
use super::links::resolve;
use super::program::{Program, search};
use super::submission::{self, Place, Submission};
use super::system::SYSTEM;
use super::{Own, Purpose, version_manager};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Interpreters of interpreters.
const DEPTH: usize = 16;

/// Paths outside of the system and the bot's own folder, in the order of their names.
pub(crate) fn needed(program: &Program) -> Vec<PathBuf> {
    if program.built_in {
        return Vec::new();
    }
    let home = env::home_dir();
    let mut found = Found { home: home.as_deref(), paths: BTreeSet::new() };
    match &program.access.submission {
        Some(submission) => {
            found.follow_submitted(&program.command, submission, DEPTH);
            submission.outside(program).iter().for_each(|path| found.follow(path, Some(submission), DEPTH));
        }
        None => {
            found.follow(&program.command, None, DEPTH);
            // What a shell is told to do in a build opens nothing by being said.
            if program.access.purpose == Purpose::Play {
                let words = program.arguments.iter().filter_map(|word| word.to_str());
                let words = words.flat_map(|word| word.split([':', '=']));
                let named = words.filter(|word| word.contains(['/', '.'])).map(|word| program.dir.join(word));
                found.paths.extend(named.filter_map(|path| fs::canonicalize(path).ok()));
            }
        }
    }
    let own = match &program.access.own {
        Own::Folder(folder) => Some(folder),
        Own::Files(_) | Own::Nothing => None,
    };
    let open = |path: &PathBuf| is_system(path) || own.is_some_and(|own| path.starts_with(own));
    found.paths.into_iter().filter(|path| !open(path) && path.as_path() != Path::new("/")).collect()
}

/// The folders of the programs that PATH leads to, and the installation around each: what every bot may read.
pub(crate) fn of_search_path(purpose: Purpose) -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut readable: Vec<PathBuf> = version_manager::folders(&path)
        .iter()
        .flat_map(|folder| installation(&folder.join("x"), None))
        .collect();
    if purpose == Purpose::Build {
        let outside = |folder: &PathBuf| !is_system(folder) && folder.is_absolute();
        readable.extend(env::split_paths(&path).filter(outside));
        readable.extend(rustup_home());
    }
    readable
}

/// Where the organiser has programs: the system's folders, those of PATH and what shims there mean, and the installation
/// around each.
pub(super) fn organisers() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let home = env::home_dir();
    let folders =
        env::split_paths(&path).chain(version_manager::folders(&path)).filter(|folder| folder.is_absolute());
    let folders = folders.flat_map(|folder| [fs::canonicalize(&folder).ok(), Some(folder)]).flatten();
    let around = folders.flat_map(|folder| {
        let around = installation(&folder.join("x"), home.as_deref());
        around.into_iter().chain([folder])
    });
    SYSTEM.iter().map(PathBuf::from).chain(around).collect()
}

/// What is found to be needed.
struct Found<'a> {
    home: Option<&'a Path>,
    paths: BTreeSet<PathBuf>,
}

impl Found<'_> {
    /// What a program is: itself, what its links lead to, the installation around each, and its interpreter.
    fn follow(&mut self, program: &Path, submission: Option<&Submission>, depth: usize) {
        if depth == 0 {
            return;
        }
        let way = resolve(program);
        // Looked at again: whoever owns the submission may have put another link there meanwhile.
        if submission.is_some_and(|submission| !submission.leads_to_organisers(&way)) {
            return;
        }
        let end = way.end.ok();
        let links = way.links.into_iter().filter(|link| link.last).map(|link| link.at);
        for place in links.chain(end.clone()).chain([program.to_owned()]) {
            // What a stranger's folder says of an installation is not believed.
            if !submission.is_some_and(|submission| submission.has(&place)) {
                self.paths.extend(installation(&place, self.home));
            }
            self.paths.insert(place);
        }
        if let Some((interpreter, _)) = end.and_then(|end| interpreter(&end, None)) {
            self.follow(&interpreter, None, depth - 1);
        }
    }

    /// What a program that a submission names is of the organiser's.
    fn follow_submitted(&mut self, program: &Path, submission: &Submission, depth: usize) {
        let Ok(Place::Within(end)) = submission.place(program) else { return };
        if let Some(home) = submission.made_from(&end) {
            self.paths.extend(installation(&home.join("python"), self.home));
        }
        match interpreter(program, Some(submission)) {
            None => {}
            Some((interpreter, true)) => self.follow(&interpreter, None, DEPTH),
            Some((interpreter, false)) if depth > 0 => {
                if let Ok(Place::Outside(_)) = submission.place(&interpreter) {
                    self.follow(&interpreter, Some(submission), DEPTH);
                }
                self.follow_submitted(&interpreter, submission, depth - 1);
            }
            Some(_) => {}
        }
    }
}

/// The folders of the installation that a program belongs to: what lies around its `bin`, and for a virtual
/// environment of Python also what it was made from.
fn installation(program: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let Some(folder) = program.parent().filter(|folder| !is_system(folder)) else { return Vec::new() };
    let Some(root) = folder.parent().filter(|_| folder.ends_with("bin") || folder.ends_with("sbin")) else {
        return Vec::new();
    };
    let mut found = if is_wide(root, home) {
        ["lib", "lib64", "libexec", "include"]
            .map(|name| root.join(name))
            .into_iter()
            .filter(|dir| dir.is_dir())
            .collect()
    } else {
        vec![root.to_owned()]
    };
    if let Some(bin) = submission::read(&root.join(SETTINGS)).ok().as_deref().and_then(made_from) {
        found.extend(installation(&bin.join("python"), home));
    }
    found
}

/// Where a virtual environment of Python keeps its settings.
pub(super) const SETTINGS: &str = "pyvenv.cfg";

/// The folder of the programs that a virtual environment was made from, from its settings.
pub(super) fn made_from(settings: &str) -> Option<PathBuf> {
    let mut lines = settings.lines().filter_map(|line| line.split_once('='));
    lines.find(|(key, _)| key.trim() == "home").map(|(_, bin)| PathBuf::from(bin.trim()))
}

/// Whether a folder holds more than one installation: it is somebody's home, or has such below it.
fn is_wide(root: &Path, home: Option<&Path>) -> bool {
    const SHARED: [&str; 8] = ["/", "/home", "/root", "/opt", "/srv", "/mnt", "/tmp", "/var"];
    SHARED.iter().any(|shared| root == Path::new(shared))
        || root.parent() == Some(Path::new("/home"))
        || home.is_some_and(|home| home.starts_with(root) || root == home.join(".local"))
}

fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// The interpreter of a script, and whether PATH said where it is.
pub(super) fn interpreter(script: &Path, submission: Option<&Submission>) -> Option<(PathBuf, bool)> {
    let (interpreter, words) = first_line(script, submission)?;
    if !interpreter.ends_with("env") {
        return Some((interpreter, false));
    }
    let name = words.iter().find(|word| !word.starts_with('-') && !word.contains('='))?;
    Some((search(name).ok()?, true))
}

/// What the first line of a script says: its interpreter, and the words behind it.
pub(super) fn first_line(script: &Path, submission: Option<&Submission>) -> Option<(PathBuf, Vec<String>)> {
    let mut head = [0; 256];
    let count = submission::open(script, submission).and_then(|mut file| file.read(&mut head)).ok()?;
    let line = head[..count].strip_prefix(b"#!")?;
    let line = String::from_utf8_lossy(line.split(|&byte| byte == b'\n').next()?).into_owned();
    let mut words = line.split_whitespace().map(str::to_owned);
    Some((PathBuf::from(words.next()?), words.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn touch(root: &Path, files: &[&str]) {
        for file in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "\x7fELF").unwrap();
        }
    }

    fn followed(program: &Path, home: &Path) -> Vec<PathBuf> {
        let mut found = Found { home: Some(home), paths: BTreeSet::new() };
        found.follow(program, None, DEPTH);
        found.paths.into_iter().collect()
    }

    #[test]
    fn an_interpreter_brings_its_installation() {
        let temporary = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(temporary.path()).unwrap();
        // nvm, and SDKMAN with its link to the current version.
        touch(
            &home,
            &[".nvm/versions/node/v20/bin/node", ".sdkman/candidates/java/21/bin/java", "bin/tool", "lib/x"],
        );
        let java = home.join(".sdkman/candidates/java");
        symlink("21", java.join("current")).unwrap();
        let node = home.join(".nvm/versions/node/v20");
        assert_eq!(followed(&node.join("bin/node"), &home), [node.clone(), node.join("bin/node")]);
        let found = followed(&java.join("current/bin/java"), &home);
        assert!(found.contains(&java.join("21")) && found.contains(&java.join("21/bin/java")), "{found:?}");
        // What lies in the home folder does not open the home folder.
        assert_eq!(followed(&home.join("bin/tool"), &home), [home.join("bin/tool"), home.join("lib")]);
    }

    #[test]
    fn a_virtual_environment_brings_what_it_was_made_from() {
        let temporary = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(temporary.path()).unwrap();
        touch(&home, &["opt/py/bin/python3.12", "bot/venv/bin/other"]);
        let (base, venv) = (home.join("opt/py"), home.join("bot/venv"));
        symlink(base.join("bin/python3.12"), venv.join("bin/python3")).unwrap();
        fs::write(
            venv.join("pyvenv.cfg"),
            format!("home = {}\nversion = 3.12\n", base.join("bin").display()),
        )
        .unwrap();
        let found = followed(&venv.join("bin/python3"), &home);
        assert!(
            [&base, &venv, &base.join("bin/python3.12")].iter().all(|path| found.contains(path)),
            "{found:?}"
        );
    }

    #[test]
    fn a_script_brings_its_interpreter() {
        let temporary = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(temporary.path()).unwrap();
        touch(&home, &["ruby/bin/ruby"]);
        let script = home.join("bot.rb");
        fs::write(&script, format!("#! {} -w\nputs", home.join("ruby/bin/ruby").display())).unwrap();
        assert!(followed(&script, &home).contains(&home.join("ruby")));
        assert_eq!(first_line(&script, None).map(|line| line.1), Some(vec!["-w".to_owned()]));
        assert_eq!(first_line(&home.join("ruby/bin/ruby"), None), None);
        let pipe = home.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(first_line(&pipe, None), None, "a pipe with a name is not waited for");
    }
}
