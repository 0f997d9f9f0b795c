//! The paths that a program has to read to run, found from its command: its interpreter and the installation
//! around it, the targets of its links, and files that its arguments name. Under `strict` a program can read
//! these, the folders of the system and little else.
//!
//! The command of a submission cannot open a path by naming it: of its paths only those count that lead to
//! programs of the organiser's.

use super::access::{FolderAccess, Purpose};
use super::installation::{installation, is_system, rustup_home};
use super::links::resolve;
use super::program::Program;
use super::script::{Interpreter, interpreter};
use super::submission::{Location, Submission};
use super::version_manager;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// How often the interpreter of an interpreter is looked for.
const MAX_INTERPRETERS: usize = 16;

/// The paths that a program has to read, sorted, without those in folders of the system and in its own
/// folder.
pub(crate) fn read_paths(program: &Program) -> Vec<PathBuf> {
    if program.built_in {
        return Vec::new();
    }
    let home = env::home_dir();
    let mut found = ReadPaths { home: home.as_deref(), paths: BTreeSet::new() };
    match &program.access.submission {
        Some(submission) => {
            found.add_submitted(&program.command, submission, MAX_INTERPRETERS);
            for path in outside_paths(program, submission) {
                found.add(&path, Some(submission), MAX_INTERPRETERS);
            }
        }
        None => {
            found.add(&program.command, None, MAX_INTERPRETERS);
            // The arguments of a build are a shell script, not paths.
            if program.access.purpose == Purpose::Play {
                let words = program.arguments.iter().filter_map(|word| word.to_str());
                let words = words.flat_map(|word| word.split([':', '=']));
                let named = words.filter(|word| word.contains(['/', '.'])).map(|word| program.dir.join(word));
                found.paths.extend(named.filter_map(|path| fs::canonicalize(path).ok()));
            }
        }
    }
    let own = match &program.access.folder {
        FolderAccess::Folder(folder) => Some(folder),
        FolderAccess::Files(_) | FolderAccess::Nothing => None,
    };
    let open = |path: &PathBuf| is_system(path) || own.is_some_and(|own| path.starts_with(own));
    found.paths.into_iter().filter(|path| !open(path) && path.as_path() != Path::new("/")).collect()
}

/// What every program may read because of PATH: the installations of the programs that shims in it start, and
/// in a build all of its folders and those of rustup.
pub(crate) fn search_path_folders(purpose: Purpose) -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let behind_shims = version_manager::programs_behind_shims(&path);
    let mut folders: Vec<PathBuf> =
        behind_shims.iter().flat_map(|folder| installation(&folder.join("x"), None)).collect();
    if purpose == Purpose::Build {
        let outside = |folder: &PathBuf| !is_system(folder) && folder.is_absolute();
        folders.extend(env::split_paths(&path).filter(outside));
        folders.extend(rustup_home());
    }
    folders
}

/// The paths in the command of a submission that lead to programs of the organiser's.
fn outside_paths(program: &Program, submission: &Submission) -> Vec<PathBuf> {
    let is_outside = |path: &PathBuf| matches!(submission.locate(path), Ok(Location::Outside(_)));
    let arguments = match program.access.purpose {
        Purpose::Play => &program.arguments[..],
        Purpose::Build => &[],
    };
    let named = submission.paths_in(arguments, &program.dir).filter(is_outside);
    let by_path = program.access.from_path;
    let command = Some(program.command.clone()).filter(|path| by_path || is_outside(path));
    command.into_iter().chain(named).collect()
}

/// Collects the paths that a program has to read.
struct ReadPaths<'a> {
    /// The user's home folder.
    home: Option<&'a Path>,
    paths: BTreeSet<PathBuf>,
}

impl ReadPaths<'_> {
    /// Adds a program: its path, the targets of its links, the installation around each, and its interpreter.
    /// One that a submission names is added only if it leads to a program of the organiser's.
    fn add(&mut self, program: &Path, submission: Option<&Submission>, depth: usize) {
        if depth == 0 {
            return;
        }
        let path = resolve(program);
        // Checked here too: the link may have been replaced since the command was checked.
        if submission.is_some_and(|submission| !submission.leads_to_organisers(&path)) {
            return;
        }
        let end = path.end.ok();
        let links = path.links.into_iter().filter(|link| link.last).map(|link| link.at);
        for place in links.chain(end.clone()).chain([program.to_owned()]) {
            // A submission must not choose an installation by a `bin` folder or settings of its own.
            if !submission.is_some_and(|submission| submission.contains(&place)) {
                self.paths.extend(installation(&place, self.home));
            }
            self.paths.insert(place);
        }
        if let Some(Interpreter { path, .. }) = end.and_then(|end| interpreter(&end, None)) {
            self.add(&path, None, depth - 1);
        }
    }

    /// Adds what a program in a submission needs of the organiser's: its interpreter, and the installation
    /// that its virtual environment was made from.
    fn add_submitted(&mut self, program: &Path, submission: &Submission, depth: usize) {
        let Ok(Location::Inside(end)) = submission.locate(program) else { return };
        if let Some(home) = submission.pyvenv_base(&end) {
            self.paths.extend(installation(&home.join("python"), self.home));
        }
        match interpreter(program, Some(submission)) {
            None => {}
            Some(Interpreter { path, from_path: true }) => self.add(&path, None, MAX_INTERPRETERS),
            Some(Interpreter { path, from_path: false }) if depth > 0 => {
                if let Ok(Location::Outside(_)) = submission.locate(&path) {
                    self.add(&path, Some(submission), MAX_INTERPRETERS);
                }
                self.add_submitted(&path, submission, depth - 1);
            }
            Some(_) => {}
        }
    }
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

    fn paths_of(program: &Path, home: &Path) -> Vec<PathBuf> {
        let mut found = ReadPaths { home: Some(home), paths: BTreeSet::new() };
        found.add(program, None, MAX_INTERPRETERS);
        found.paths.into_iter().collect()
    }

    #[test]
    fn a_program_needs_its_installation() {
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
        assert_eq!(paths_of(&node.join("bin/node"), &home), [node.clone(), node.join("bin/node")]);
        let found = paths_of(&java.join("current/bin/java"), &home);
        assert!(found.contains(&java.join("21")) && found.contains(&java.join("21/bin/java")), "{found:?}");
        // A program in the `bin` of the home folder does not need the home folder.
        assert_eq!(paths_of(&home.join("bin/tool"), &home), [home.join("bin/tool"), home.join("lib")]);
    }

    #[test]
    fn a_virtual_environment_needs_the_installation_that_it_was_made_from() {
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
        let found = paths_of(&venv.join("bin/python3"), &home);
        assert!(
            [&base, &venv, &base.join("bin/python3.12")].iter().all(|path| found.contains(path)),
            "{found:?}"
        );
    }

    #[test]
    fn a_script_needs_its_interpreter() {
        let temporary = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(temporary.path()).unwrap();
        touch(&home, &["ruby/bin/ruby"]);
        let script = home.join("bot.rb");
        fs::write(&script, format!("#! {} -w\nputs", home.join("ruby/bin/ruby").display())).unwrap();
        assert!(paths_of(&script, &home).contains(&home.join("ruby")));
    }
}
