//! Which program a BOT on the command line means, and whether it can be run at all.

use super::system::is_program;
use super::{Access, Launcher, Own, Purpose, needs, shim};
use crate::config::manifest::{self, Trust};
use crate::config::{BotConfig, Command, Dialect, FolderConfig};
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
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
    pub launcher: &'a Launcher,
    /// Their names.
    pub builtin: &'a [&'a str],
}

/// How much of a `bot.toml` is read.
const MANIFEST_BYTES: u64 = 64 * 1024;

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
        if let Some((dialect @ ("codingame" | "riddles"), rest)) = bot.split_once(':') {
            return Err(ProgramError(format!("{dialect}:{rest}: the dialect `{dialect}` is not spoken yet")));
        }
        if bot.trim().is_empty() {
            return Err(ProgramError(
                "a BOT is empty; name a program, a folder or builtin:random".to_owned(),
            ));
        }
        let path = self.from.join(bot);
        if path.is_dir() {
            return manifest(&path, Trust::Own);
        }
        if path.exists() {
            return program(&[bot.to_owned()], self.from, None, None);
        }
        let words = shlex::split(bot).ok_or_else(|| ProgramError(format!("{bot}: unclosed quote")))?;
        program(&words, self.from, None, None)
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
                program(&words, self.from, dir.as_deref(), bot.build.as_ref())?
            }
        };
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
    /// As for [`find`](Finder::find), and that nothing was submitted.
    pub fn submitted(&self, dir: &Path, folder: &FolderConfig) -> Result<Program, ProgramError> {
        let mut found = match &folder.command {
            _ if dir.join("bot.toml").is_file() => manifest(dir, Trust::Stranger)?,
            Some(command) => program(&words(command)?, dir, Some(dir), None)?,
            None => return Err(ProgramError("not submitted: there is no bot.toml".to_owned())),
        };
        found.name = file_name(&absolute(dir));
        found.access.trust = if dir.join("bot.toml").is_file() { Trust::Stranger } else { Trust::Own };
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
            command: self.launcher.program.clone(),
            arguments: vec!["bot".into(), name.into()],
            dir: self.from.to_owned(),
            env: Vec::new(),
            build: None,
            built_in: true,
            access: Access::default(),
        })
    }
}

/// The bot of a folder with a `bot.toml`.
fn manifest(dir: &Path, trust: Trust) -> Result<Program, ProgramError> {
    let path = dir.join("bot.toml");
    let error = |what: String| ProgramError(format!("{}: {what}", path.display()));
    if !path.is_file() {
        return Err(ProgramError(format!(
            "{}: the folder has no bot.toml; write one with a line such as command = \"python3 bot.py\"",
            dir.display()
        )));
    }
    let mut text = String::new();
    let read = File::open(&path).and_then(|file| file.take(MANIFEST_BYTES).read_to_string(&mut text));
    read.map_err(|why| error(why.to_string()))?;
    let manifest = manifest::parse(&text, trust)
        .map_err(|errors| ProgramError(errors.display(&path.display().to_string()).to_string()))?;
    speakable(manifest.dialect).map_err(|why| error(why.to_string()))?;
    let found =
        words(&manifest.command).and_then(|words| program(&words, dir, Some(dir), manifest.build.as_ref()));
    let mut found = found.map_err(|why| error(format!("command: {why}")))?;
    found.name = manifest.name.unwrap_or_else(|| file_name(&absolute(dir)));
    Ok(found)
}

fn speakable(dialect: Dialect) -> Result<(), ProgramError> {
    match dialect {
        Dialect::Native => Ok(()),
        other => Err(ProgramError(format!("the dialect `{}` is not spoken yet", other.word()))),
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
) -> Result<Program, ProgramError> {
    let Some((first, rest)) = words.split_first() else {
        return Err(ProgramError("no program is named".to_owned()));
    };
    let (named, mut command) = if first.contains('/') || (rest.is_empty() && from.join(first).is_file()) {
        (true, absolute(&from.join(first)))
    } else {
        (false, search(first)?)
    };
    if build.is_none() {
        check(&command)?;
    }
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
    let build = build.cloned();
    by_itself(&mut command, &mut arguments, &dir)?;
    Ok(Program {
        name: stem(&home),
        command,
        arguments,
        access: Access { own: own(dir.clone()), file: home, from_path: !named, ..Access::default() },
        dir,
        env: Vec::new(),
        build,
        built_in: false,
    })
}

/// Puts what a version manager's shim means in its place: the command itself, or the interpreter of a script.
fn by_itself(command: &mut PathBuf, arguments: &mut Vec<OsString>, dir: &Path) -> Result<(), ProgramError> {
    if let Some(meant) = shim::resolve(command, dir).map_err(ProgramError)? {
        *command = meant;
        return Ok(());
    }
    let Some((interpreter, by_path)) = needs::interpreter(command) else { return Ok(()) };
    if let Some(meant) = shim::resolve(&interpreter, dir).map_err(ProgramError)? {
        // As the system starts a script: its interpreter, what its first line says, the script, and the arguments.
        let said = needs::first_line(command).map(|(_, words)| words).unwrap_or_default();
        let behind_name =
            said.iter().skip_while(|word| by_path && !interpreter.ends_with(word)).skip(by_path.into());
        let script = command.strip_prefix(dir).unwrap_or(command).to_owned();
        let before = behind_name.map(OsString::from).chain([script.into()]);
        arguments.splice(0..0, before.collect::<Vec<_>>());
        *command = meant;
    }
    Ok(())
}

impl Program {
    /// The bot's `build` command as a program of its own, if it has one.
    #[must_use]
    pub fn builder(&self) -> Option<Program> {
        let build = self.build.as_ref()?;
        Some(Program {
            name: self.name.clone(),
            command: PathBuf::from("/bin/sh"),
            arguments: vec!["-c".into(), build.into()],
            dir: self.dir.clone(),
            env: self.env.clone(),
            build: None,
            built_in: false,
            access: Access {
                own: Own::Folder(self.dir.clone()),
                purpose: Purpose::Build,
                trust: Trust::Stranger, // what a shell is told to do opens nothing by being said
                ..self.access.clone()
            },
        })
    }

    /// The name of its script, or else of its program.
    pub(super) fn spoken_of(&self) -> String {
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
        check(&self.command)
    }
}

/// Extensions of files that another program runs.
const INTERPRETED: [&str; 7] = ["py", "sh", "js", "pl", "rb", "jar", "class"];

/// How to name the interpreter of a script, where its name tells.
fn by_interpreter(path: &Path) -> String {
    let interpreter = match path.extension().and_then(|extension| extension.to_str()) {
        Some("py") => "python3",
        Some("sh") => "sh",
        Some("js") => "node",
        Some("pl") => "perl",
        Some("rb") => "ruby",
        Some("jar") => "java -jar",
        _ => return String::new(),
    };
    format!(": \"{interpreter} {}\"", path.display())
}

/// Whether the file can be run, as far as looking at it tells.
fn check(path: &Path) -> Result<(), ProgramError> {
    let shown = path.display();
    let missing = |what: &str| Err(ProgramError(format!("{shown}: {what}")));
    let unstartable = |what: String| Err(ProgramError(format!("{shown}: {what}")));
    let Ok(meta) = fs::metadata(path) else { return missing("no such file") };
    if meta.is_dir() {
        return unstartable("is a folder, not a program".to_owned());
    }
    if !meta.is_file() {
        return unstartable("is not a file".to_owned());
    }
    if meta.permissions().mode() & 0o111 == 0 {
        return unstartable(format!(
            "may not be executed; run `chmod +x {shown}`, or name its interpreter{}",
            by_interpreter(path)
        ));
    }
    let mut head = [0; 256];
    let Ok(count) = File::open(path).and_then(|mut file| file.read(&mut head)) else { return Ok(()) };
    let head = &head[..count];
    let Some(line) = head.strip_prefix(b"#!") else {
        // Anything else the system would give to a shell, which makes something else of it than its author meant.
        return match is_program(head) {
            true => Ok(()),
            false => unstartable(format!(
                "is no program for this machine, and no script with a first line such as #!/usr/bin/env python3; \
                 add that line, or name its interpreter{}",
                by_interpreter(path)
            )),
        };
    };
    let line = &line[..line.iter().position(|&b| b == b'\n').unwrap_or(line.len())];
    if line.ends_with(b"\r") {
        return unstartable(format!(
            "its first line ends like a Windows line (CR LF), so its interpreter is not found; run `sed -i 's/\\r$//' {shown}`"
        ));
    }
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace();
    let interpreter = words.next().unwrap_or_default();
    if interpreter.is_empty() {
        return unstartable("its first line, #!, names no interpreter".to_owned());
    }
    if !Path::new(interpreter).exists() {
        return unstartable(format!("its first line names an interpreter that is not there: {interpreter}"));
    }
    if interpreter.ends_with("/env")
        && let Some(name) = words.find(|word| !word.starts_with('-') && !word.contains('='))
        && search(name).is_err()
    {
        return unstartable(format!("its first line names an interpreter that is not installed: {name}"));
    }
    Ok(())
}

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
