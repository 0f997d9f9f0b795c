//! What a program needs to run, found from its command: the interpreter wherever it is installed, what its links
//! lead to, files that its arguments name. Under `strict` this and the system is all that it can read.
//!
//! A program of a stranger's choosing opens nothing by being named: there only what PATH leads to counts, which is
//! the organiser's.

use super::process::Launcher;
use super::program::{Program, search};
use super::system::{SYSTEM, tasks_of_this_user};
use super::{Own, Policy, Purpose, Sandbox, shim};
use crate::config::manifest::Trust;
use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Links that are followed, and interpreters of interpreters.
const DEPTH: usize = 16;

impl Launcher {
    /// What a program is restricted to.
    pub(super) fn policy(&self, program: &Program) -> Policy {
        let mut policy = Policy::new(self.sandbox);
        policy.purpose = program.access.purpose;
        policy.memory = self.memory;
        policy.processes = self.processes;
        policy.threads = self.threads;
        policy.tasks = tasks_of_this_user();
        policy.scratch = env::temp_dir();
        if self.sandbox != Sandbox::Strict {
            return policy;
        }
        policy.namespaces = self.namespaces;
        policy.group = self.groups.as_ref().map(|groups| groups.folder().to_owned());
        policy.own = program.access.own.clone();
        policy.hidden.clone_from(&program.access.hidden);
        policy.needed = needed(program);
        policy.needed.extend(program.access.read.iter().cloned());
        let path = env::var_os("PATH").unwrap_or_default();
        policy.readable =
            shim::folders(&path).iter().flat_map(|folder| installation(&folder.join("x"), None)).collect();
        if program.access.purpose == Purpose::Build {
            let outside = |folder: &PathBuf| !is_system(folder) && folder.is_absolute();
            policy.readable.extend(env::split_paths(&path).filter(outside));
            policy.readable.extend(program.access.build_tools());
        }
        policy
    }
}

/// Paths outside of the system and the bot's own folder, in the order of their names.
pub(super) fn needed(program: &Program) -> Vec<PathBuf> {
    if program.built_in {
        return Vec::new();
    }
    let home = env::home_dir();
    let home = home.as_deref();
    let mut found = BTreeSet::new();
    match program.access.trust {
        Trust::Own => follow(&program.command, home, &mut found, DEPTH),
        Trust::Stranger if program.access.from_path => follow(&program.command, home, &mut found, DEPTH),
        Trust::Stranger => {
            if let Some(interpreter) = interpreter(&program.command).filter(|(_, by_path)| *by_path) {
                follow(&interpreter.0, home, &mut found, DEPTH);
            }
        }
    }
    if program.access.trust == Trust::Own {
        let words = program.arguments.iter().filter_map(|word| word.to_str());
        let named = words.flat_map(|word| word.split([':', '='])).filter(|word| word.contains(['/', '.']));
        for path in named.map(|word| program.dir.join(word)).filter(|path| path.exists()) {
            found.extend(fs::canonicalize(&path).ok());
        }
    }
    let own = match &program.access.own {
        Own::Folder(folder) => Some(folder),
        Own::Files(_) | Own::Nothing => None,
    };
    let open = |path: &PathBuf| is_system(path) || own.is_some_and(|own| path.starts_with(own));
    found.into_iter().filter(|path| !open(path) && path.as_path() != Path::new("/")).collect()
}

/// What a program is: itself, what its links lead to, the installation around it, and its interpreter.
fn follow(program: &Path, home: Option<&Path>, found: &mut BTreeSet<PathBuf>, depth: usize) {
    if depth == 0 {
        return;
    }
    found.insert(program.to_owned());
    found.extend(installation(program, home));
    let above = program.parent().and_then(|folder| fs::canonicalize(folder).ok());
    let real = above.map(|folder| folder.join(program.file_name().unwrap_or_default()));
    if let Some(real) = real.filter(|real| real != program) {
        return follow(&real, home, found, depth - 1); // through a folder that is a link
    }
    if let Ok(target) = fs::read_link(program) {
        let target = program.parent().unwrap_or(Path::new("/")).join(target);
        return follow(&plain(&target), home, found, depth - 1);
    }
    if let Some((interpreter, _)) = interpreter(program) {
        follow(&interpreter, home, found, depth - 1);
    }
}

/// A path with `..` taken as written: links to programs are short and do not lead through links to folders and back.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
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
    if let Ok(settings) = fs::read_to_string(root.join("pyvenv.cfg")) {
        let made_from =
            settings.lines().filter_map(|line| line.split_once('=')).find(|(key, _)| key.trim() == "home");
        if let Some((_, bin)) = made_from {
            found.extend(installation(&Path::new(bin.trim()).join("python"), home));
        }
    }
    found
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
pub(super) fn interpreter(script: &Path) -> Option<(PathBuf, bool)> {
    let (interpreter, words) = first_line(script)?;
    if !interpreter.ends_with("env") {
        return Some((interpreter, false));
    }
    let name = words.iter().find(|word| !word.starts_with('-') && !word.contains('='))?;
    Some((search(name).ok()?, true))
}

/// What the first line of a script says: its interpreter, and the words behind it.
pub(super) fn first_line(script: &Path) -> Option<(PathBuf, Vec<String>)> {
    let mut head = [0; 256];
    if !fs::metadata(script).is_ok_and(|meta| meta.is_file()) {
        return None; // a pipe with a name would be waited for
    }
    let count = File::open(script).and_then(|mut file| file.read(&mut head)).ok()?;
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
        let mut found = BTreeSet::new();
        follow(program, Some(home), &mut found, DEPTH);
        found.into_iter().collect()
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
        assert_eq!(first_line(&script).map(|line| line.1), Some(vec!["-w".to_owned()]));
        assert_eq!(first_line(&home.join("ruby/bin/ruby")), None);
        let pipe = home.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(first_line(&pipe), None, "nobody waits for somebody to write into it");
    }
}
