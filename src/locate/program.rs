//! Which program a BOT on the command line means, and whether it can be run at all.

use super::access::rustup_home;
use super::submission::{self, Submission};
use super::{Access, Own, Purpose, read_paths, runnable, version_manager};
use crate::config::manifest::{self, Trust};
use crate::config::{BotConfig, Command, FolderConfig};
use crate::protocol::Dialect;
use crate::text::Word;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// A bot's program: what to run, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The name that `bot.toml`, the file or the built-in gives it.
    pub name: String,
    /// The program, as a path that does not depend on the working directory.
    pub command: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Where it runs.
    pub dir: PathBuf,
    /// Variables of its environment beside those that every bot gets.
    pub env: Vec<(String, String)>,
    /// What to run with `sh -c` in `dir` before the first game.
    pub build: Option<String>,
    /// It is one of arbiter's own.
    pub built_in: bool,
    /// What it speaks.
    pub dialect: Dialect,
    /// What it may reach under `strict`.
    pub access: Access,
}

/// Why a BOT means no program that can be run: the user's error, with its cure.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ProgramError(String);

/// Where bots are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Finder<'a> {
    /// Relative paths count from here.
    pub from: &'a Path,
    /// The program that has the built-in bots.
    pub program: &'a Path,
    /// Their names.
    pub builtin: &'a [&'a str],
}

impl Finder<'_> {
    /// Finds the program that BOT means: an executable or script file, a folder with a `bot.toml`, a quoted command
    /// line, or `builtin:NAME`.
    ///
    /// # Errors
    /// A sentence that says what is missing or in the way, and what would help.
    pub fn find(&self, bot: &str) -> Result<Program, ProgramError> {
        if let Some(name) = bot.strip_prefix("builtin:") {
            return self.built_in(name);
        }
        if bot == "human" {
            return Err(ProgramError("human: a person at the terminal cannot be a bot yet".to_owned()));
        }
        if let Some((word, rest)) = bot.split_once(':')
            && let Some(dialect) = Dialect::named(word)
        {
            speakable(dialect).map_err(|why| ProgramError(format!("{bot}: {why}")))?;
            return Ok(Program { dialect, ..self.find(rest)? });
        }
        if bot.trim().is_empty() {
            return Err(ProgramError(
                "a BOT is empty; name a program, a folder or builtin:random".to_owned(),
            ));
        }
        let path = self.from.join(bot);
        if path.is_dir() {
            return own_manifest(&path);
        }
        if path.exists() {
            return program(&[bot.to_owned()], self.from, None, None, None).and_then(Program::ready);
        }
        let words = shlex::split(bot).ok_or_else(|| ProgramError(format!("{bot}: unclosed quote")))?;
        program(&words, self.from, None, None, None)?.ready()
    }

    /// Finds the program of a `[[bot]]`.
    ///
    /// # Errors
    /// As for [`find`](Finder::find).
    pub fn configured(&self, bot: &BotConfig) -> Result<Program, ProgramError> {
        speakable(bot.dialect)?;
        let mut found = match &bot.command {
            Command::Line(line) if bot.dir.is_none() && bot.build.is_none() => self.find(line)?,
            command => {
                let words = words(command)?;
                let dir = bot.dir.as_ref().map(|dir| self.from.join(dir));
                if let Some(dir) = dir.as_ref().filter(|dir| !dir.is_dir()) {
                    return Err(ProgramError(format!("dir: {}: no such folder", dir.display())));
                }
                program(&words, self.from, dir.as_deref(), bot.build.as_ref(), None)?.ready()?
            }
        };
        found.dialect = bot.dialect;
        found.name.clone_from(&bot.name);
        found.env = bot.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        for path in &bot.read {
            let path = found.dir.join(path);
            if !path.exists() {
                return Err(ProgramError(format!("read: {}: no such file or folder", path.display())));
            }
            found.access.read.push(path);
        }
        Ok(found)
    }

    /// Finds the program of the bot in a sub-folder of a `[[bots]]` folder: what its `bot.toml` says, which is a
    /// stranger's text, or else the command for all.
    ///
    /// # Errors
    /// As for [`find`](Finder::find); that nothing was submitted; that it leads elsewhere.
    pub fn submitted(&self, dir: &Path, folder: &FolderConfig) -> Result<Program, ProgramError> {
        let dir = absolute(dir);
        let mut submission = Submission::of(&dir).map_err(ProgramError)?;
        let mut found = match (submission.read("bot.toml").map_err(ProgramError)?, &folder.command) {
            (Some(text), _) => manifest(&text, &dir, Some(&submission))?,
            (None, Some(command)) => {
                submission.words = Trust::Own;
                program(&words(command)?, &dir, Some(&dir), None, Some(&submission))?.ready()?
            }
            (None, None) => return Err(ProgramError("not submitted: there is no bot.toml".to_owned())),
        };
        found.name = file_name(&dir);
        Ok(found)
    }

    fn built_in(&self, name: &str) -> Result<Program, ProgramError> {
        if !self.builtin.contains(&name) {
            let known: Vec<String> = self.builtin.iter().map(|name| format!("builtin:{name}")).collect();
            let known = known.join(", ");
            return Err(ProgramError(format!("builtin:{name}: there is no such bot; there are {known}")));
        }
        Ok(Program {
            name: name.to_owned(),
            command: self.program.to_owned(),
            arguments: vec!["bot".into(), name.into()],
            dir: self.from.to_owned(),
            env: Vec::new(),
            build: None,
            built_in: true,
            dialect: Dialect::default(),
            access: Access::default(),
        })
    }
}

/// The bot of one's own folder with a `bot.toml`.
fn own_manifest(dir: &Path) -> Result<Program, ProgramError> {
    let path = dir.join("bot.toml");
    if fs::symlink_metadata(&path).is_err() {
        return Err(ProgramError(format!(
            "{}: the folder has no bot.toml; write one with a line such as command = \"python3 bot.py\"",
            dir.display()
        )));
    }
    let text =
        submission::read(&path).map_err(|error| ProgramError(format!("{}: {error}", path.display())))?;
    manifest(&text, dir, None)
}

/// The bot of a folder, by what its `bot.toml` says.
fn manifest(text: &str, dir: &Path, submission: Option<&Submission>) -> Result<Program, ProgramError> {
    let path = dir.join("bot.toml");
    let error = |what: String| ProgramError(format!("{}: {what}", path.display()));
    let trust = if submission.is_some() { Trust::Stranger } else { Trust::Own };
    let manifest = manifest::parse(text, trust)
        .map_err(|errors| ProgramError(errors.display(&path.display().to_string()).to_string()))?;
    speakable(manifest.dialect).map_err(|why| error(why.to_string()))?;
    let found = words(&manifest.command)
        .and_then(|words| program(&words, dir, Some(dir), manifest.build.as_ref(), submission)?.ready());
    let mut found = found.map_err(|why| error(format!("command: {why}")))?;
    found.dialect = manifest.dialect;
    found.name = manifest.name.unwrap_or_else(|| file_name(&absolute(dir)));
    Ok(found)
}

fn speakable(dialect: Dialect) -> Result<(), ProgramError> {
    match dialect.conversation() {
        Some(_) => Ok(()),
        None => Err(ProgramError(format!("the dialect `{}` is not spoken yet", dialect.word()))),
    }
}

fn words(command: &Command) -> Result<Vec<String>, ProgramError> {
    command.words().ok_or_else(|| ProgramError("command: unclosed quote".to_owned()))
}

/// A command given by its words; `dir` where it runs, else the folder of its program or script; what a build makes need
/// not be there before it.
fn program(
    words: &[String],
    from: &Path,
    dir: Option<&Path>,
    build: Option<&String>,
    submission: Option<&Submission>,
) -> Result<Program, ProgramError> {
    let Some((first, rest)) = words.split_first() else {
        return Err(ProgramError("no program is named".to_owned()));
    };
    // Of a submission not even that something is there is told by a link of it.
    let is_file = |path: &Path| match submission {
        Some(_) => fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_dir()),
        None => path.is_file(),
    };
    let (named, command) = if first.contains('/') || (rest.is_empty() && is_file(&from.join(first))) {
        (true, absolute(&from.join(first)))
    } else {
        (false, search(first)?)
    };
    let mut arguments: Vec<OsString> = rest.iter().map(OsString::from).collect();
    let mut home = command.clone();
    let own: fn(PathBuf) -> Own = if dir.is_some() { Own::Folder } else { Own::Files };
    if !named && dir.is_none() {
        // `python3 bots/x/bot.py`: the bot is the script, it runs in the script's folder and still has to be found.
        let script = rest.iter().position(|word| !word.starts_with('-') && from.join(word).is_file());
        home = match script {
            Some(at) => {
                let path = absolute(&from.join(&rest[at]));
                arguments[at] = path.clone().into();
                path
            }
            None => from.join(first),
        };
    }
    let dir = absolute(&dir.map_or_else(|| home.parent().unwrap_or(from).to_owned(), Path::to_owned));
    Ok(Program {
        name: stem(&home),
        command,
        arguments,
        access: Access {
            own: own(dir.clone()),
            file: home,
            from_path: !named,
            submission: submission.cloned(),
            ..Access::default()
        },
        dir,
        env: Vec::new(),
        build: build.cloned(),
        built_in: false,
        dialect: Dialect::default(),
    })
}

impl Program {
    /// The program as it is started: what a build is to make need not be there yet, and what a version manager's shim means
    /// is put in the shim's place.
    fn ready(mut self) -> Result<Program, ProgramError> {
        if self.build.is_none() {
            self.check()?;
        }
        self.without_shim().map_err(ProgramError)?;
        Ok(self)
    }

    /// Puts what a shim means in its place: the command itself, or the interpreter of a script.
    fn without_shim(&mut self) -> Result<(), String> {
        let Program { command, arguments, dir, access: Access { submission, .. }, .. } = self;
        let submission = submission.as_ref();
        if let Some(meant) = version_manager::resolve(command, dir, submission)? {
            *command = meant;
            return Ok(());
        }
        let Some((interpreter, by_path)) = read_paths::interpreter(command, submission) else {
            return Ok(());
        };
        if let Some(meant) = version_manager::resolve(&interpreter, dir, submission)? {
            // As the system starts a script: its interpreter, what its first line says, the script, and the arguments.
            let said =
                read_paths::first_line(command, submission).map(|(_, words)| words).unwrap_or_default();
            let behind_name =
                said.iter().skip_while(|word| by_path && !interpreter.ends_with(word)).skip(by_path.into());
            let script = command.strip_prefix(&dir).unwrap_or(command).to_owned();
            let before = behind_name.map(OsString::from).chain([script.into()]);
            arguments.splice(0..0, before.collect::<Vec<_>>());
            *command = meant;
        }
        Ok(())
    }

    /// The same program in a copy of its submission, whose parent is there, with the folder that it is a copy of.
    ///
    /// # Errors
    /// The parent is not there.
    pub fn in_copy(mut self, copy: &Path) -> io::Result<Program> {
        let moved = |path: &Path| path.strip_prefix(&self.dir).map(|below| copy.join(below));
        let (command, file) = (moved(&self.command), moved(&self.access.file));
        self.command = command.unwrap_or(self.command);
        self.access.file = file.unwrap_or(self.access.file);
        self.access.own = Own::Folder(copy.to_owned());
        if let Some(submission) = &mut self.access.submission {
            *submission = submission.in_copy(copy)?;
        }
        self.access.copied_from = Some(std::mem::replace(&mut self.dir, copy.to_owned()));
        Ok(self)
    }

    /// The folder that is known to its author: the one that it was copied from, if it was.
    #[must_use]
    pub fn source(&self) -> &Path {
        self.access.copied_from.as_deref().unwrap_or(&self.dir)
    }

    /// The bot's `build` command as a program of its own, if it has one.
    #[must_use]
    pub fn builder(&self) -> Option<Program> {
        let build = self.build.as_ref()?;
        let rustup = rustup_home().and_then(|home| home.into_os_string().into_string().ok());
        let rustup = rustup.map(|home| ("RUSTUP_HOME".to_owned(), home));
        Some(Program {
            name: self.name.clone(),
            command: PathBuf::from("/bin/sh"),
            arguments: vec!["-c".into(), build.into()],
            dir: self.dir.clone(),
            env: rustup.into_iter().chain(self.env.clone()).collect(),
            build: None,
            built_in: false,
            dialect: self.dialect,
            access: Access {
                own: Own::Folder(self.dir.clone()),
                purpose: Purpose::Build,
                ..self.access.clone()
            },
        })
    }

    /// The name of its script, or else of its program.
    pub(crate) fn spoken_of(&self) -> String {
        let is_script = |word: &&OsString| {
            Path::new(word).extension().is_some_and(|e| e.to_str().is_some_and(|e| INTERPRETED.contains(&e)))
        };
        let script = self.arguments.iter().find(is_script).map(Path::new);
        file_name(script.unwrap_or(&self.command))
    }

    /// Whether its file can be run, as far as looking at it tells: after a build, what it should have made.
    ///
    /// # Errors
    /// It cannot.
    pub fn check(&self) -> Result<(), ProgramError> {
        runnable::check(self).map_err(ProgramError)
    }
}

/// Extensions of files that another program runs.
const INTERPRETED: [&str; 7] = ["py", "sh", "js", "pl", "rb", "jar", "class"];

/// Looks a command up in PATH.
pub(super) fn search(name: &str) -> Result<PathBuf, ProgramError> {
    let executable = |path: &PathBuf| {
        fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|dir| dir.join(name)).find(executable).ok_or_else(|| {
        ProgramError(format!(
            "{name}: no such file, folder or command (a bot of arbiter's own is builtin:random)"
        ))
    })
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The path from the root, without `.` and with `..` taken as written.
fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.components().filter(|part| *part != Component::CurDir).collect()
}
