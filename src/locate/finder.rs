//! Finding the program that a BOT means: on the command line, in a `[[bot]]`, or in a sub-folder of a
//! `[[bots]]` folder.

use super::access::{Access, FolderAccess};
use super::leftovers::{Beside, entered, is_leftover};
use super::links;
use super::program::{Program, ProgramError, file_name};
use super::runnable::{named_nearly, of_a_shell, other_name, several_words};
use super::script::{Interpreter, interpreter, shebang};
use super::search_path::find_in_path;
use super::submission::{Submission, Trust};
use super::version_manager;
use crate::config::{BotConfig, FolderConfig, StartCommand};
use crate::config::{console, manifest};
use crate::protocol::Dialect;
use crate::protocol::console::Table;
use crate::text::{Word, display_name};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Finds the programs of bots.
#[derive(Debug, Clone, Copy)]
pub struct Finder<'a> {
    /// The folder that relative paths start from.
    pub from: &'a Path,
    /// Arbiter's own program, which contains the built-in bots.
    pub program: &'a Path,
    /// Checks the name of a built-in bot; the error is a sentence.
    pub builtin: fn(&str) -> Result<(), String>,
    /// Whether the `bot.toml` of a folder that is named as a BOT is trusted. If not, its command opens only
    /// files in that folder, and programs of the system and of PATH.
    pub trust: Trust,
}

impl Finder<'_> {
    /// Finds the program of a BOT: an executable or script file, a folder with a `bot.toml`, a quoted command
    /// line, or `builtin:NAME`.
    ///
    /// # Errors
    /// What is missing or wrong, and what the user can do.
    pub fn find(&self, bot: &str) -> Result<Program, ProgramError> {
        self.named(bot).map(|program| self.keeping(program))
    }

    /// The program, around whose interpreter nothing is opened that contains the configuration.
    fn keeping(&self, mut program: Program) -> Program {
        program.access.kept = vec![absolute(self.from)];
        program
    }

    fn named(&self, bot: &str) -> Result<Program, ProgramError> {
        if let Some(name) = bot.strip_prefix("builtin:") {
            return self.built_in(name);
        }
        if bot == "human" {
            return Err(ProgramError("human: a person can play in `arbiter play`, not here".to_owned()));
        }
        if let Some((word, rest)) = bot.split_once(':')
            && let Some(dialect) = Dialect::named(word)
        {
            if let Some((second, _)) = rest.split_once(':')
                && Dialect::named(second).is_some()
            {
                return Err(ProgramError(format!(
                    "{bot}: it names two dialects, {word} and {second}; name one"
                )));
            }
            if rest == "human" {
                return Err(ProgramError(format!("{bot}: a person has no dialect; write human")));
            }
            let found = Program { dialect, ..self.named(rest)? };
            return checked(found).map_err(|why| ProgramError(format!("{bot}: {why}")));
        }
        if bot.trim().is_empty() {
            return Err(ProgramError(
                "a BOT is empty; name a program, a folder or builtin:random".to_owned(),
            ));
        }
        let path = self.from.join(bot);
        if path.is_dir() {
            return folder_program(&path, self.trust);
        }
        let words = match path.exists() {
            true => vec![bot.to_owned()],
            false => shlex::split(bot).ok_or_else(|| ProgramError(format!("{bot}: unclosed quote")))?,
        };
        command_program(&words, self.from, None, None, None)
    }

    /// Finds the program of a `[[bot]]`.
    ///
    /// # Errors
    /// As for [`find`](Finder::find); also when a path in `dir` or `read` does not exist.
    pub fn configured(&self, bot: &BotConfig) -> Result<Program, ProgramError> {
        let mut found = match &bot.command {
            StartCommand::Line(line) if bot.dir.is_none() && bot.build.is_none() => self.named(line)?,
            command => {
                let mut words = words(command)?;
                let prefix = words.first().and_then(|first| first.split_once(':'));
                let prefix = prefix.and_then(|(word, rest)| Some((Dialect::named(word)?, rest.to_owned())));
                let dialect = prefix.map_or_else(Dialect::default, |(dialect, rest)| {
                    words[0] = rest;
                    dialect
                });
                let dir = bot.dir.as_ref().map(|dir| self.from.join(dir));
                if let Some(dir) = dir.as_ref().filter(|dir| !dir.is_dir()) {
                    return Err(ProgramError(format!("dir: {}: no such folder", dir.display())));
                }
                let found = command_program(&words, self.from, dir.as_deref(), bot.build.as_ref(), None)?;
                Program { dialect, ..found }
            }
        };
        found.dialect = bot.dialect.unwrap_or(found.dialect);
        if let Some(file) = &bot.console {
            found.console = Some(self.table(file)?);
        }
        found.scratch |= bot.scratch;
        let mut found = checked(found)?;
        found.name.clone_from(&bot.name);
        found.time = bot.time;
        found.env = bot.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        for path in &bot.read {
            let path = absolute(&self.from.join(path));
            if !path.exists() {
                return Err(ProgramError(format!(
                    "read: {}: no such file or folder (paths are relative to the configuration)",
                    path.display()
                )));
            }
            found.access.read.push(path);
        }
        Ok(self.keeping(found))
    }

    /// Finds the program of a submission, which is a sub-folder of a `[[bots]]` folder: the command of its
    /// `bot.toml`, whose author is not trusted, or else the command that the configuration gives for all. If its only
    /// content is a folder, the submission is that folder.
    ///
    /// # Errors
    /// As for [`find`](Finder::find); also when there is no command, and when its paths lead out of the
    /// submission.
    pub fn submitted(&self, dir: &Path, folder: &FolderConfig) -> Result<Program, ProgramError> {
        let dir = absolute(dir);
        let outer = Submission::new(&dir).map_err(ProgramError)?;
        let inner_dir = entered(&dir, Beside::Nothing, has_manifest);
        let inner = outer.within(&inner_dir);
        let table = folder.console.as_ref().map(|file| self.table(file)).transpose()?;
        let mut found = match (inner.read("bot.toml").map_err(ProgramError)?, &folder.command) {
            (Some(text), _) => manifest_program(&text, &inner_dir, Some(&inner), table)?,
            (None, Some(command)) => {
                let words = words(command)?;
                // The command may name a file in the folder, as `python3 src/bot.py`.
                let found = organisers_program(&words, &dir, &outer);
                let found = if found.is_err() && inner_dir != dir {
                    organisers_program(&words, &inner_dir, &inner).or(found)
                } else {
                    found
                };
                checked(with_table(found?, table))?
            }
            (None, None) => return Err(ProgramError("not submitted: there is no bot.toml".to_owned())),
        };
        found.name = file_name(&dir);
        Ok(self.keeping(found))
    }

    /// The table of a file of the organiser.
    fn table(&self, file: &str) -> Result<Arc<Table>, ProgramError> {
        let path = self.from.join(file);
        let text = links::read(&path)
            .map_err(|error| ProgramError(format!("console: {}: {error}", path.display())))?;
        let table = console::parse(&text)
            .map_err(|errors| ProgramError(errors.display(&path.display().to_string()).to_string()))?;
        Ok(Arc::new(table))
    }

    fn built_in(&self, name: &str) -> Result<Program, ProgramError> {
        (self.builtin)(name).map_err(|why| ProgramError(format!("builtin:{name}: {why}")))?;
        Ok(Program {
            name: name.to_owned(),
            command: self.program.to_owned(),
            arguments: vec!["bot".into(), name.into()],
            words: vec![format!("builtin:{name}")],
            dir: self.from.to_owned(),
            built_in: true,
            ..Program::default()
        })
    }
}

/// The program of a folder with a `bot.toml` that is named as a BOT.
fn folder_program(dir: &Path, trust: Trust) -> Result<Program, ProgramError> {
    let path = dir.join("bot.toml");
    if fs::symlink_metadata(&path).is_err() {
        let (shown, command) = (dir.display(), likely_command(dir));
        let named = command
            .iter()
            .map(|word| if dir.join(word).exists() { format!("{shown}/{word}") } else { word.clone() });
        let near = named_nearly(&path).unwrap_or_default();
        return Err(ProgramError(format!(
            "{shown}: the folder has no bot.toml{near}; name the program in it instead, such as \"{}\", or write {shown}/bot.toml \
             with the line command = \"{}\"",
            named.collect::<Vec<_>>().join(" "),
            command.join(" ")
        )));
    }
    let wrong = |why: String| ProgramError(format!("{}: {why}", path.display()));
    let dir = absolute(dir);
    let submission = match trust {
        Trust::Own => None,
        Trust::Stranger => Some(Submission::named(&dir).map_err(|error| wrong(error.to_string()))?),
    };
    let text = match &submission {
        None => links::read(&path).map_err(|error| wrong(error.to_string()))?,
        Some(submission) => submission.read("bot.toml").map_err(&wrong)?.unwrap_or_default(),
    };
    manifest_program(&text, &dir, submission.as_ref(), None)
}

/// How the folder's program is probably started: its first script whose name is that of a program, else any script; an
/// example if there is none.
fn likely_command(dir: &Path) -> Vec<String> {
    const INTERPRETERS: [(&str, &str); 4] = [("py", "python3"), ("js", "node"), ("sh", "sh"), ("rb", "ruby")];
    const NAMES: [&str; 4] = ["bot", "main", "player", "agent"];
    let names = dir.read_dir().into_iter().flatten().flatten().map(|entry| entry.file_name());
    let names = names.filter(|name| !is_leftover(name.as_encoded_bytes(), false));
    let scripts = names.filter_map(|name| {
        let path = Path::new(&name);
        let (_, interpreter) =
            INTERPRETERS.iter().find(|(ending, _)| path.extension().is_some_and(|is| is == *ending))?;
        let rank = NAMES.iter().position(|known| path.file_stem().is_some_and(|stem| stem == *known));
        Some((rank.unwrap_or(NAMES.len()), name.into_string().ok()?, *interpreter))
    });
    let (_, script, interpreter) = scripts.min().unwrap_or((0, "bot.py".to_owned(), "python3"));
    vec![interpreter.to_owned(), script]
}

/// The program of a submission in `dir` by the command that the organiser gives for all.
fn organisers_program(
    words: &[String],
    dir: &Path,
    submission: &Submission,
) -> Result<Program, ProgramError> {
    let mut submission = submission.clone();
    submission.command_by = Trust::Own;
    command_program(words, dir, Some(dir), None, Some(&submission))
}

/// Whether a folder is that of a bot: there is a `bot.toml` in it.
#[must_use]
pub fn has_manifest(dir: &Path) -> bool {
    dir.join("bot.toml").symlink_metadata().is_ok()
}

/// The program of a folder by the text of its `bot.toml`. A table of the organiser counts alone.
fn manifest_program(
    text: &str,
    dir: &Path,
    submission: Option<&Submission>,
    table: Option<Arc<Table>>,
) -> Result<Program, ProgramError> {
    let path = dir.join("bot.toml");
    let error = |what: String| ProgramError(format!("{}: {what}", path.display()));
    let parse = if table.is_some() { manifest::parse_for_table } else { manifest::parse };
    let manifest = parse(text).map_err(|errors| {
        ProgramError(match submission {
            // Tables show it, and the folder is its author's own.
            Some(submission) if submission.is_submitted() => errors.sentence("bot.toml"),
            _ => errors.display(&path.display().to_string()).to_string(),
        })
    })?;
    let found = words(&manifest.command)
        .and_then(|words| command_program(&words, dir, Some(dir), manifest.build.as_ref(), submission));
    let mut found = found.map_err(|why| error(format!("command: {why}")))?;
    found.dialect = manifest.dialect;
    found.console = manifest.console.map(Arc::new);
    found.scratch = manifest.scratch;
    found.games = manifest.games;
    let mut found = checked(with_table(found, table)).map_err(|why| error(why.to_string()))?;
    found.display = manifest.name.as_deref().and_then(display_name);
    found.name = manifest.name.unwrap_or_else(|| file_name(&absolute(dir)));
    Ok(found)
}

/// The program with a table of the organiser, if there is one.
fn with_table(found: Program, table: Option<Arc<Table>>) -> Program {
    match table {
        Some(table) => Program { dialect: Dialect::Console, console: Some(table), ..found },
        None => found,
    }
}

/// The program, whose dialect arbiter speaks. A table that another dialect does not use is left out.
fn checked(mut found: Program) -> Result<Program, ProgramError> {
    if found.dialect != Dialect::Console {
        found.console = None;
    }
    if found.scratch && (found.built_in || !found.owns_folder()) {
        let why = "scratch = true: it has no folder of its own, which would be copied; write `dir`, or name a folder with a bot.toml";
        return Err(ProgramError(why.to_owned()));
    }
    found.conversation().map_err(ProgramError)?;
    found.check_values().map_err(ProgramError)?;
    if found.built_in {
        found.arguments.truncate(2); // the command and the name of the bot
        match found.dialect {
            Dialect::Native => {}
            Dialect::Ugi => found.arguments.extend(["--dialect".into(), found.dialect.word().into()]),
            _ => {
                return Err(ProgramError(
                    "a built-in bot speaks the dialects native and ugi alone".to_owned(),
                ));
            }
        }
    }
    Ok(found)
}

fn words(command: &StartCommand) -> Result<Vec<String>, ProgramError> {
    command.words().ok_or_else(|| ProgramError("command: unclosed quote".to_owned()))
}

/// The program of a command line, as it is started. It runs in `dir`, or else in the folder of its program or script. The files
/// need not exist yet if there is a build.
fn command_program(
    words: &[String],
    from: &Path,
    dir: Option<&Path>,
    build: Option<&String>,
    submission: Option<&Submission>,
) -> Result<Program, ProgramError> {
    let Some((first, rest)) = words.split_first() else {
        return Err(ProgramError("no program is named".to_owned()));
    };
    // A link of a submission is not followed here: the result would show whether its target exists.
    let is_file = |path: &Path| match submission {
        Some(_) => fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_dir()),
        None => path.is_file(),
    };
    let (named, command) = if first.contains('/') || (rest.is_empty() && is_file(&from.join(first))) {
        (true, absolute(&from.join(first)))
    } else {
        let found = find_in_path(first, submission).ok_or_else(|| {
            ProgramError(if first.starts_with("builtin:") {
                format!(
                    "{first}: a built-in bot is a BOT on the command line, or the `command = \"{first}\"` of a [[bot]] without `dir` and `build`"
                )
            } else {
                format!(
                    "{first}: no such file, folder or command (a built-in bot is written builtin:random){}{}{}",
                    several_words(first),
                    other_name(first, submission),
                    of_a_shell(words)
                )
            })
        })?;
        (false, found)
    };
    let mut arguments: Vec<OsString> = rest.iter().map(OsString::from).collect();
    let mut home = command.clone();
    let access: fn(PathBuf) -> FolderAccess =
        if dir.is_some() { FolderAccess::Folder } else { FolderAccess::Files };
    if !named && dir.is_none() {
        // `python3 bots/x/bot.py`: the bot is the script; it runs in the folder of the script, whose path
        // becomes absolute.
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
    startable(Program {
        name: stem(&home),
        command,
        arguments,
        words: words.to_vec(),
        access: Access {
            folder: access(dir.clone()),
            file: home,
            from_path: !named,
            submission: submission.cloned(),
            ..Access::default()
        },
        dir,
        build: build.cloned(),
        ..Program::default()
    })
}

/// The program as it is started: checked unless a build has still to make its files, and with the program
/// that a version manager's shim starts in the place of the shim.
fn startable(mut program: Program) -> Result<Program, ProgramError> {
    if program.build.is_none() {
        program.check()?;
    }
    replace_shim(&mut program).map_err(ProgramError)?;
    Ok(program)
}

/// Replaces a shim by the program that it starts: the command itself, or the interpreter of a script.
fn replace_shim(program: &mut Program) -> Result<(), String> {
    let Program { command, arguments, dir, access: Access { submission, .. }, .. } = program;
    let submission = submission.as_ref();
    if let Some(target) = resolve_shim(command, dir, submission)? {
        *command = target;
        return Ok(());
    }
    let Some(Interpreter { path, from_path }) = interpreter(command, submission) else { return Ok(()) };
    if let Some(target) = resolve_shim(&path, dir, submission)? {
        // As the kernel starts a script: the interpreter, the words of the first line, the script, and its
        // arguments.
        let words = shebang(command, submission).map(|line| line.words).unwrap_or_default();
        let behind_name =
            words.iter().skip_while(|word| from_path && !path.ends_with(word)).skip(from_path.into());
        let script = command.strip_prefix(&dir).unwrap_or(command).to_owned();
        let before = behind_name.map(OsString::from).chain([script.into()]);
        arguments.splice(0..0, before.collect::<Vec<_>>());
        *command = target;
    }
    Ok(())
}

/// The program that a shim starts for a bot in `dir`; none if `program` is no shim. A version file in a
/// submission is read as that of a submission.
fn resolve_shim(
    program: &Path,
    dir: &Path,
    submission: Option<&Submission>,
) -> Result<Option<PathBuf>, String> {
    // A folder `shims` in a submission is no version manager's.
    if submission.is_some_and(|submission| submission.contains(program)) {
        return Ok(None);
    }
    let read = |path: &Path| match submission.filter(|submission| submission.contains(path)) {
        Some(submission) => submission.read(path).ok().flatten(),
        None => links::read(path).ok(),
    };
    version_manager::resolve(program, dir, &read, &|name| env::var(name).ok())
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// An absolute path without `.`; `..` and links are kept.
fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.components().filter(|part| *part != Component::CurDir).collect()
}
