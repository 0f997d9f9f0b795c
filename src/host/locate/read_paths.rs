//! The paths that a program has to read to run, found from its command: its interpreter and the
//! installation around it, the targets of its links, and files that its arguments name. Under
//! `strict` a program can read these, the folders of the system and little else.
//!
//! The command of a submission cannot open a path by naming it, except programs of the organiser's
//! that it starts.

use super::access::{FolderAccess, Purpose};
use super::env_command::commands;
use super::installation::{installation_around, is_system, rustup_home};
use super::links::resolve;
use super::program::{Program, file_name};
use super::script::{Shebang, shebang};
use super::search_path::programs_of_path;
use super::shims::{behind_shims, path_variable};
use super::submission::{Location, Submission};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// How often the interpreter of an interpreter is looked for.
const MAX_INTERPRETERS: usize = 16;

/// The paths that a program has to read, sorted, without those in folders of the system and in its
/// own folder.
pub(crate) fn read_paths(program: &Program) -> Vec<PathBuf> {
    let mut paths = ReadPaths::for_program(program).paths;
    paths.retain(|path| !is_system(path) && path != Path::new("/"));
    if let FolderAccess::Folder(own) = &program.access.folder {
        paths.retain(|path| !path.starts_with(own));
    }
    paths.into_iter().collect()
}

/// The file name of a program that it needs, if nothing is open around that: it lies neither in the
/// system nor in the bot's folder, and in no installation that is known.
pub(crate) fn unknown_installation(program: &Program) -> Option<String> {
    let path = ReadPaths::for_program(program).unknown?;
    (path.parent() != Some(&program.dir)).then(|| file_name(&path))
}

/// What every program may read because of PATH: the installations of the programs that version
/// managers have there, which a script may start by their names; and in a build all programs in
/// PATH, the installations around them, and the folders of rustup.
pub(crate) fn search_path_folders(program: &Program) -> Vec<PathBuf> {
    let kept = kept_folders(program);
    let mut found = Vec::new();
    for folder in behind_shims(&path_variable()) {
        found.extend(installation_around(&folder, &kept));
    }
    // A build command is a line of shell, which may start anything.
    if program.access.purpose == Purpose::Build {
        found.extend(programs_of_path(program.access.submission.as_ref(), &kept));
        found.extend(rustup_home());
    }
    found
}

/// Directories that must stay closed even if an interpreter lies inside them, canonical: the user's
/// home, the folder of the configuration, and those of submissions.
fn kept_folders(program: &Program) -> Vec<PathBuf> {
    let mut kept = program.access.kept.clone();
    if let Some(submission) = &program.access.submission {
        kept.extend_from_slice(submission.untrusted());
    }
    kept.extend(env::home_dir());
    kept.iter().filter_map(|path| fs::canonicalize(path).ok()).collect()
}

/// Collects the paths that a program has to read.
struct ReadPaths<'a> {
    submission: Option<&'a Submission>,
    /// The folder that it runs in.
    dir: &'a Path,
    /// See [`kept_folders`].
    kept: Vec<PathBuf>,
    paths: BTreeSet<PathBuf>,
    /// A program around which nothing is open.
    unknown: Option<PathBuf>,
}

impl<'a> ReadPaths<'a> {
    fn new(dir: &'a Path, submission: Option<&'a Submission>, kept: Vec<PathBuf>) -> ReadPaths<'a> {
        ReadPaths { submission, dir, kept, paths: BTreeSet::new(), unknown: None }
    }

    fn for_program(program: &'a Program) -> ReadPaths<'a> {
        let mut found =
            ReadPaths::new(&program.dir, program.access.submission.as_ref(), kept_folders(program));
        if program.built_in {
            return found;
        }
        found.add_all(&program.commands().0, MAX_INTERPRETERS);
        if let Some(adapter) = &program.adapter {
            found.add(&adapter.python, MAX_INTERPRETERS);
        }
        // The arguments of a build are a shell script, not paths.
        if found.submission.is_none() && program.access.purpose == Purpose::Play {
            for word in &program.arguments {
                for part in word.to_str().unwrap_or_default().split([':', '=']) {
                    if part.contains(['/', '.']) {
                        found.paths.extend(fs::canonicalize(program.dir.join(part)));
                    }
                }
            }
        }
        found
    }

    /// Adds a program with its interpreter. One that a submission names is added only if it leads
    /// to a program of the organiser's; of one in the submission, what it needs of the organiser's.
    fn add(&mut self, program: &Path, depth: usize) {
        let script = match self.submission {
            None => self.add_installed(program),
            Some(submission) => match submission.locate(program) {
                Ok(Location::Inside(end)) => {
                    if let Some(bin) = submission.pyvenv_base(&end) {
                        self.paths.extend(installation_around(&bin, &self.kept));
                    }
                    shebang(program, Some(submission))
                }
                Ok(Location::Outside(_)) => self.add_installed(program),
                Ok(Location::Missing(_)) | Err(_) => None,
            },
        };
        if depth > 0
            && let Some(Shebang { program: interpreter, words }) = script
        {
            let path = self.dir.join(interpreter);
            self.add_all(&commands(&path, words, self.dir, self.submission).0, depth - 1);
        }
    }

    /// Adds the programs of a command line. Of those before the last, which are `env`, no
    /// interpreter is looked for.
    fn add_all(&mut self, programs: &[PathBuf], depth: usize) {
        if let Some((last, before)) = programs.split_last() {
            for program in before {
                self.add(program, 0);
            }
            self.add(last, depth);
        }
    }

    /// Adds a program outside of the submission: its path, the targets of its links, and the
    /// installation around each. Returns its first line, if it is a script.
    fn add_installed(&mut self, program: &Path) -> Option<Shebang> {
        let path = match self.submission {
            None => resolve(program),
            Some(submission) => {
                let path = submission.resolve(program);
                // Checked here too: a link may have been replaced since the command was checked.
                if !submission.may_run(&path) {
                    return None;
                }
                path
            }
        };
        // Of `venv/bin/python -> /opt/py/bin/python3` both ends have an installation around them.
        let end = path.end.ok();
        let mut places = Vec::new();
        for link in path.links {
            if link.last {
                places.push(link.at);
            }
        }
        places.extend(end.clone());
        places.push(program.to_owned());
        let mut is_known = false;
        for place in places {
            // A submission must not choose an installation by a `bin` folder or settings of its
            // own.
            if !self.submission.is_some_and(|submission| submission.contains(&place))
                && let Some(folder) = place.parent()
            {
                let around = installation_around(folder, &self.kept);
                is_known |= !around.is_empty() || is_system(&place);
                self.paths.extend(around);
            }
            self.paths.insert(place);
        }
        if !is_known {
            self.unknown = end.clone();
        }
        shebang(&end?, None)
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
        let mut found = ReadPaths::new(Path::new("/"), None, vec![home.to_owned()]);
        found.add(program, MAX_INTERPRETERS);
        found.paths.into_iter().collect()
    }

    fn is_open(paths: &[PathBuf], file: &Path) -> bool {
        let end = fs::canonicalize(file).unwrap();
        paths.iter().any(|path| fs::canonicalize(path).is_ok_and(|path| end.starts_with(path)))
    }

    /// Installations: the folder in a home, a program in it, files that the program needs, and
    /// files beside them that are not opened.
    const KINDS: [(&str, &str, &[&str], &[&str]); 16] = [
        ("", "bin/tool", &["lib/libtool.so.1"], &["share/tool"]),
        (
            "",
            "bin/python3",
            &["lib/python3.12/os.py", "lib64/python3.12/x", "lib/libpython3.12.so.1.0"],
            &["lib/python/x"],
        ),
        ("", "bin/pypy3", &["lib/pypy3.10/os.py", "bin/libpypy3.10-c.so"], &["lib/pypy-ours/x"]),
        ("course", "bin/python3", &["lib/python3.12/os.py"], &["share/x", "etc/x", "bin/grade"]),
        (
            "course",
            "bin/python3",
            &["pyvenv.cfg", "lib/python3.12/site-packages/x.py"],
            &["lib/key"],
        ),
        (
            "course",
            "bin/python3",
            &["conda-meta/history", "lib/x/y", "share/zoneinfo/UTC"],
            &["bin/grade"],
        ),
        (
            "jdk-21",
            "bin/java",
            &["lib/jvm.cfg", "lib/server/libjvm.so", "conf/security/x"],
            &["bin/grade"],
        ),
        ("jdk8", "bin/java", &["jre/lib/rt.jar", "lib/amd64/jli/libjli.so"], &["bin/grade"]),
        ("jre8", "bin/java", &["lib/rt.jar", "lib/amd64/jvm.cfg"], &["conf/x"]),
        ("node-v20", "bin/node", &["lib/node_modules/npm/x.js"], &["lib/x", "include/x"]),
        ("opt/ruby", "bin/ruby", &["lib/ruby/3.3.0/x.rb"], &["lib/rubys/x"]),
        ("brew", "bin/python3", &["bin/brew", "Cellar/a/1/lib/x", "lib/ld.so"], &["var/x"]),
        (
            ".pyenv/versions/3.12.1",
            "bin/python3",
            &["lib/python3.12/os.py", "lib/libpython3.12.so.1.0"],
            &["any/x", "../3.11.2/lib/x"],
        ),
        (
            ".nvm/versions/node/v20",
            "bin/node",
            &["lib/node_modules/npm/x.js"],
            &["../v21/lib/node_modules/x"],
        ),
        (".sdkman/candidates/java/21", "bin/java", &["lib/jvm.cfg", "conf/x"], &["../17/lib/x"]),
        (".goenv/versions/1.22.1", "bin/go", &["pkg/tool/x", "src/fmt/x.go"], &["any/x"]),
    ];

    #[test]
    fn a_program_needs_its_installation_and_nothing_beside_it() {
        for (folder, program, needed, others) in KINDS {
            let temporary = tempfile::tempdir().unwrap();
            let home = fs::canonicalize(temporary.path()).unwrap();
            let root = home.join(folder);
            touch(&root, &[program]);
            touch(&root, needed);
            touch(&root, others);
            let mut secrets: Vec<PathBuf> = others.iter().map(|path| root.join(path)).collect();
            let beside = ["solutions/key", ".ssh/id_rsa", "notes.txt"];
            touch(&root, &beside);
            secrets.extend(beside.into_iter().map(|path| root.join(path)));
            let found = paths_of(&root.join(program), &home);
            for path in needed.iter().chain([&program]) {
                assert!(
                    is_open(&found, &root.join(path)),
                    "{folder} {program}: {path} is closed: {found:?}"
                );
            }
            for path in secrets {
                assert!(!is_open(&found, &path), "{folder} {program}: {path:?} is open: {found:?}");
            }
        }
    }

    #[test]
    fn an_installation_is_found_behind_links_and_no_link_leads_out_of_it() {
        let temporary = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(temporary.path()).unwrap();
        touch(
            &home,
            &[
                ".sdkman/candidates/java/21/bin/java",
                ".sdkman/candidates/java/21/lib/jvm.cfg",
                "course/bin/python3",
                "solutions/key",
                "lib/x.so",
            ],
        );
        // SDKMAN with its link to the current version.
        let java = home.join(".sdkman/candidates/java");
        symlink("21", java.join("current")).unwrap();
        let found = paths_of(&java.join("current/bin/java"), &home);
        assert!(
            is_open(&found, &java.join("21/lib/jvm.cfg"))
                && found.contains(&java.join("21/bin/java")),
            "{found:?}"
        );
        let course = home.join("course");
        fs::create_dir(course.join("lib")).unwrap();
        symlink("../../solutions", course.join("lib/python3.12")).unwrap();
        symlink("../../lib/x.so", course.join("lib/x.so")).unwrap();
        let program = course.join("bin/python3");
        assert_eq!(paths_of(&program, &home), [program]);
    }

    #[test]
    fn what_contains_the_home_the_configuration_or_submissions_is_not_opened() {
        let temporary = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(temporary.path()).unwrap();
        touch(&root, &["bin/python3", "lib/python3.12/os.py", "cup/cup.toml", "lib/libpython3.so"]);
        let program = root.join("bin/python3");
        let [library, shared] = ["lib/python3.12", "lib/libpython3.so"].map(|path| root.join(path));
        assert_eq!(
            paths_of(&program, &root.join("bin")),
            [program.clone(), shared.clone(), library.clone()]
        );
        assert_eq!(
            paths_of(&program, &root.join("cup")),
            [program.clone(), shared.clone(), library.clone()]
        );
        assert_eq!(paths_of(&program, &library), [program, shared]);
    }

    #[test]
    fn a_virtual_environment_needs_the_installation_that_it_was_made_from() {
        let temporary = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(temporary.path()).unwrap();
        touch(
            &home,
            &["opt/py/bin/python3.12", "opt/py/lib/python3.12/os.py", "bot/venv/bin/other"],
        );
        touch(&home, &["bot/venv/lib/python3.12/x", "opt/py/key"]);
        let (base, venv) = (home.join("opt/py"), home.join("bot/venv"));
        symlink(base.join("bin/python3.12"), venv.join("bin/python3")).unwrap();
        write_pyvenv(&venv, &base.join("bin"));
        let found = paths_of(&venv.join("bin/python3"), &home);
        let libraries =
            [base.join("lib/python3.12"), venv.join("lib/python3.12"), venv.join("pyvenv.cfg")];
        for path in libraries.iter().chain([&base.join("bin/python3.12")]) {
            assert!(found.contains(path), "{path:?}: {found:?}");
        }
        assert!(!is_open(&found, &base.join("key")), "{found:?}");
        // One that names itself.
        write_pyvenv(&venv, &venv.join("bin"));
        assert!(paths_of(&venv.join("bin/other"), &home).contains(&libraries[1]));
    }

    /// Says in a virtual environment which folder the Python is in that it was made from.
    fn write_pyvenv(venv: &Path, bin: &Path) {
        let settings = format!("home = {}\nversion = 3.12\n", bin.display());
        fs::write(venv.join("pyvenv.cfg"), settings).unwrap();
    }

    #[test]
    fn a_script_needs_its_interpreter() {
        let temporary = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(temporary.path()).unwrap();
        touch(&home, &["ruby/bin/ruby", "ruby/lib/ruby/3.3.0/x"]);
        let (script, ruby) = (home.join("bot.rb"), home.join("ruby/bin/ruby"));
        for line in ["RUBY -w", "/usr/bin/env -S A=5 RUBY -w"] {
            fs::write(
                &script,
                format!("#! {}\nputs", line.replace("RUBY", ruby.to_str().unwrap())),
            )
            .unwrap();
            let found = paths_of(&script, &home);
            assert!(
                found.contains(&home.join("ruby/lib/ruby")) && found.contains(&ruby),
                "{line}: {found:?}"
            );
        }
        // A script that names itself as its interpreter, through itself.
        let itself = home.join("env");
        fs::write(&itself, format!("#!{0} {0} {0} {0}", itself.display())).unwrap();
        assert_eq!(paths_of(&itself, &home), [itself]);
    }
}
