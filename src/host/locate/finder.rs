//! Finding the program that a BOT means: on the command line, in a `[[bot]]`, or in a sub-folder of
//! a `[[bots]]` folder.

use super::access::{Access, FolderAccess};
use super::adapter::Adapters;
use super::command::{Command, NOTHING_NAMED, Named, Place, absolute};
use super::hints::{list_hint, other_name_hint, shell_hint, similar_name_hint};
use super::leftovers::{Beside, entered};
use super::program::{InstalledAdapter, Program, ProgramError, file_name};
use super::run_by::{Inside, RunBy, inside, lines_for, run_by_of};
use super::runnable::check;
use super::submission::{Submission, Trust};
use super::text_file;
use arbiter_config::{BotSpec, ConsoleTable, FolderConfig, StartCommand, console, manifest};
use arbiter_game::protocol::Dialect;
use arbiter_rules::Game;
use std::error::Error;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// Finds the programs of bots.
#[derive(Debug, Clone, Copy)]
pub struct Finder<'a> {
    /// The folder that relative paths start from.
    pub from: &'a Path,
    /// Arbiter's own program, which contains the built-in bots.
    pub program: &'a Path,
    /// Checks the name of a built-in bot for the game that is played; the error is a sentence.
    pub builtin: fn(&str, &Game) -> Result<(), String>,
    pub game: &'a Game,
    /// Whether the `bot.toml` of a folder that is named as a BOT is trusted. If not, its command
    /// opens only files in that folder, and programs of the system and of PATH.
    pub trust: Trust,
}

impl Finder<'_> {
    /// Finds the program of a BOT: an executable or script file, a folder with a `bot.toml`, a
    /// quoted command line, or `builtin:NAME`.
    ///
    /// # Errors
    /// What is missing or wrong, and what the user can do.
    pub fn find(&self, bot: &str) -> Result<Program, ProgramError> {
        let spec = BotSpec::new("", StartCommand::Line(bot.to_owned()));
        let found = self.program_of(&spec, None)?;
        Ok(self.with_closed_configuration(checked(found).map_err(|why| format!("{bot}: {why}"))?))
    }

    /// Keeps the folder of the configuration closed even if the program's interpreter lies there.
    fn with_closed_configuration(&self, mut program: Program) -> Program {
        program.access.kept = vec![absolute(self.from)];
        program
    }

    /// The program of a bot of the user or organiser. It runs in `dir`, or else where it lies.
    fn program_of(&self, bot: &BotSpec, dir: Option<&Path>) -> Result<Program, String> {
        let place = Place { from: self.from, submission: None, adapters: self.adapters() };
        let command = Command::read(bot, place)?;
        let is_alone = dir.is_none() && bot.build.is_none();
        let mut found = match &command.named {
            Some(Named::BuiltIn(name)) if is_alone => self.built_in(name, &command.words)?,
            Some(Named::Folder(folder)) if command.words.len() == 1 && is_alone => {
                self.folder_program(folder)?
            }
            _ => command_program(&command, place, dir, bot.clone())?,
        };
        let console = self.table(bot)?;
        let spec = BotSpec { console, ..command.spec(bot)? };
        if let Some(name) = &spec.adapter {
            found.adapter = Some(self.adapters().installed(name)?);
        }
        found.spec = spec.over(found.spec);
        Ok(found)
    }

    /// Finds the program of a `[[bot]]`.
    ///
    /// # Errors
    /// As for [`find`](Finder::find); also when a path in `dir` or `read` does not exist.
    pub fn configured(&self, bot: &BotSpec) -> Result<Program, ProgramError> {
        let dir = bot.dir.as_ref().map(|dir| self.from.join(dir));
        if let Some(dir) = &dir
            && !dir.is_dir()
        {
            return Err(format!("dir: {}: no such folder", dir.display()).into());
        }
        let mut found = checked(self.program_of(bot, dir.as_deref())?)?;
        found.name.clone_from(&bot.name);
        for path in &bot.read {
            let path = absolute(&self.from.join(path));
            if !path.exists() {
                return Err(format!(
                    "read: {}: no such file or folder (paths are relative to the configuration)",
                    path.display()
                )
                .into());
            }
            found.access.read.push(path);
        }
        Ok(self.with_closed_configuration(found))
    }

    /// Finds the program of a submission, which is a sub-folder of a `[[bots]]` folder: the command
    /// of its `bot.toml`, whose author is not trusted, or else the command that the configuration
    /// gives for all. If its only content is a folder, the submission is that folder.
    ///
    /// # Errors
    /// As for [`find`](Finder::find); also when there is no command, and when its paths lead out of
    /// the submission.
    pub fn submitted(&self, dir: &Path, folder: &FolderConfig) -> Result<Program, ProgramError> {
        let dir = absolute(dir);
        let outer = Submission::new(&dir)?;
        let inner_dir = entered(&dir, Beside::Nothing, has_manifest);
        let inner = outer.within(&inner_dir);
        let bots = BotSpec { console: self.table(&folder.bots)?, ..folder.bots.clone() };
        let mut found = match (inner.read("bot.toml")?, &bots.command) {
            (Some(text), _) => self.manifest_program(&text, &inner_dir, Some(&inner), &bots)?,
            (None, Some(_)) => {
                // The outer folder first: `python3 src/bot.py` names the only folder in it. If
                // neither works, the message is about the outer one, which its author knows.
                let mut program = self.organisers_program(&bots, &dir, &outer);
                if program.is_err() && inner_dir != dir {
                    program = self.organisers_program(&bots, &inner_dir, &inner).or(program);
                }
                let mut program = with_table(program?, bots.console);
                program.adapter = self.adapter_of(&program.spec)?;
                checked(program)?
            }
            (None, None) => return Err(nothing_submitted(&inner_dir).into()),
        };
        found.name = file_name(&dir);
        Ok(self.with_closed_configuration(found))
    }

    /// The adapter that the user or organiser names for a bot, or for all of a `[[bots]]` folder.
    ///
    /// # Errors
    /// There is none of this name, its file cannot be read, or Python is missing.
    pub fn adapter_of(&self, bot: &BotSpec) -> Result<Option<InstalledAdapter>, ProgramError> {
        match &bot.adapter {
            Some(name) => Ok(Some(self.adapters().installed(name)?)),
            None => Ok(None),
        }
    }

    /// The adapters that the user or organiser may name.
    fn adapters(&self) -> Adapters<'_> {
        Adapters { files: Some(self.from), game: self.game }
    }

    /// The table of a bot; a file of the organiser is read.
    fn table(&self, bot: &BotSpec) -> Result<Option<ConsoleTable>, String> {
        let Some(ConsoleTable::File(file)) = &bot.console else { return Ok(bot.console.clone()) };
        let path = self.from.join(file);
        let shown = path.display().to_string();
        let text = text_file::read(&path).map_err(|error| format!("console: {shown}: {error}"))?;
        let table = console::parse(&text).map_err(|errors| errors.display(&shown).to_string())?;
        Ok(Some(ConsoleTable::Table(Arc::new(table))))
    }

    /// The program of a folder with a `bot.toml` that is named as a BOT, by its absolute path.
    fn folder_program(&self, dir: &Path) -> Result<Program, String> {
        if !has_manifest(dir) {
            return Err(without_manifest(dir));
        }
        let (submission, text) = self
            .read_manifest(dir)
            .map_err(|why| format!("{}: {why}", dir.join("bot.toml").display()))?;
        self.manifest_program(&text, dir, submission.as_ref(), &BotSpec::default())
    }

    /// Reads the `bot.toml` of a folder that is named as a BOT. The folder is a submission unless
    /// the user trusts it.
    fn read_manifest(&self, dir: &Path) -> Result<(Option<Submission>, String), Box<dyn Error>> {
        if self.trust == Trust::Own {
            return Ok((None, text_file::read(&dir.join("bot.toml"))?));
        }
        let submission = Submission::named(dir)?;
        let text = submission.read("bot.toml")?.unwrap_or_default();
        Ok((Some(submission), text))
    }

    /// The program of a folder by the text of its `bot.toml`. The organiser's table replaces that
    /// of the file, and the organiser's adapter is used if the file names none.
    fn manifest_program(
        &self,
        text: &str,
        dir: &Path,
        submission: Option<&Submission>,
        bots: &BotSpec,
    ) -> Result<Program, String> {
        let shown = dir.join("bot.toml").display().to_string();
        let parse =
            if bots.console.is_some() { manifest::parse_for_table } else { manifest::parse };
        let bot = parse(text).map_err(|errors| match submission {
            // Tables show it, and the folder is its author's own.
            Some(submission) if submission.is_submitted() => errors.sentence("bot.toml"),
            _ => errors.display(&shown).to_string(),
        })?;
        self.parsed_program(bot, dir, submission, bots).map_err(|why| format!("{shown}: {why}"))
    }

    /// The program of a folder by its `bot.toml`, as [`manifest_program`](Self::manifest_program).
    fn parsed_program(
        &self,
        mut bot: BotSpec,
        dir: &Path,
        submission: Option<&Submission>,
        bots: &BotSpec,
    ) -> Result<Program, String> {
        // The default says no more than a file without the key.
        bot.dialect = bot.dialect.filter(|dialect| *dialect != Dialect::default());
        let mut files = submission.is_none().then_some(dir);
        if bot.adapter.is_none() && bots.adapter.is_some() {
            bot.adapter.clone_from(&bots.adapter);
            files = Some(self.from);
        }
        let adapters = Adapters { files, game: self.game };
        let mut found = folder_command(&bot, Place { from: dir, submission, adapters })
            .map_err(|why| format!("command: {why}"))?;
        if let Some(name) = &found.spec.adapter {
            found.adapter = Some(adapters.installed(name)?);
        }
        let mut found = checked(with_table(found, bots.console.clone()))?;
        found.name = bot.label.unwrap_or_else(|| file_name(dir));
        Ok(found)
    }

    /// The program of a submission in `dir` by the command that the organiser gives for all.
    fn organisers_program(
        &self,
        bots: &BotSpec,
        dir: &Path,
        submission: &Submission,
    ) -> Result<Program, String> {
        let mut submission = submission.clone();
        submission.command_by = Trust::Own;
        let adapters = self.adapters();
        folder_command(bots, Place { from: dir, submission: Some(&submission), adapters })
    }

    fn built_in(&self, name: &str, words: &[String]) -> Result<Program, String> {
        if words.len() > 1 {
            return Err(format!(
                "{}: a built-in bot takes no arguments; its options follow its name, as in \
                 builtin:search?nodes=5000",
                words.join(" ")
            ));
        }
        (self.builtin)(name, self.game).map_err(|why| format!("builtin:{name}: {why}"))?;
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

/// Why a folder is no submission, and what its author probably has to write.
fn nothing_submitted(dir: &Path) -> String {
    let what = "not submitted: there is no bot.toml";
    match inside(dir, false) {
        Inside::Empty => "not submitted: the folder is empty".to_owned(),
        Inside::Likely(name) => {
            format!("{what}; there is {name}: {}", lines_for("bot.toml", Some(&name)))
        }
        Inside::Other => what.to_owned(),
    }
}

/// That a folder has no `bot.toml`, and what to do.
fn without_manifest(dir: &Path) -> String {
    let path = dir.join("bot.toml");
    let near = similar_name_hint(&path).unwrap_or_default();
    let manifest = path.display().to_string();
    let found = format!("{}: the folder has no bot.toml", dir.display());
    match inside(dir, true) {
        Inside::Empty => format!("{found}: it is empty"),
        Inside::Likely(name) => {
            let file = dir.join(&name);
            let mut instead = String::new();
            if let Some(kind) = run_by_of(&file)
                && kind.compile.is_empty()
            {
                let bot = RunBy::fill(kind.bot, &file);
                instead = format!("name the program in it instead, such as \"{bot}\", or ");
            }
            format!("{found}{near}; {instead}{}", lines_for(&manifest, Some(&name)))
        }
        Inside::Other => format!(
            "{found}{near}; name the program in it instead, or {}",
            lines_for(&manifest, None)
        ),
    }
}

/// Whether a folder is that of a bot: there is a `bot.toml` in it.
pub fn has_manifest(dir: &Path) -> bool {
    dir.join("bot.toml").symlink_metadata().is_ok()
}

/// The program with a table of the organiser, if there is one.
fn with_table(mut found: Program, table: Option<ConsoleTable>) -> Program {
    if table.is_some() {
        (found.spec.dialect, found.spec.console) = (Some(Dialect::Console), table);
    }
    found
}

/// The program, if arbiter speaks its dialect and its settings agree with each other. A table that
/// another dialect does not use is left out.
fn checked(mut found: Program) -> Result<Program, String> {
    if found.spec.dialect() != Dialect::Console {
        found.spec.console = None;
    }
    if found.spec.scratch && (found.built_in || !found.owns_folder()) {
        let why = "scratch = true: it has no folder of its own, which would be copied; \
                   write `dir`, or name a folder with a bot.toml";
        return Err(why.to_owned());
    }
    if let Some(InstalledAdapter { adapter, .. }) = &found.adapter {
        if found.built_in {
            return Err(format!("a built-in bot needs no adapter; leave {} out", adapter.name));
        }
        if adapter.uses_files() && !found.spec.scratch {
            return Err(format!(
                "adapter: {}: its bot reads and writes files in its folder, which two games would \
                 share; write scratch = true, for a copy of the folder in each game",
                adapter.name
            ));
        }
    }
    found.conversation()?;
    found.check_values()?;
    if found.built_in {
        found.arguments.truncate(2); // the command and the name of the bot
        match found.spec.dialect() {
            Dialect::Native => {}
            Dialect::Ugi => {
                found.arguments.extend(["--dialect".into(), Dialect::Ugi.word().into()]);
            }
            _ => {
                let why = "a built-in bot speaks the dialects native and ugi alone";
                return Err(why.to_owned());
            }
        }
    }
    Ok(found)
}

/// The program of a bot that runs in the folder where its command is looked up.
fn folder_command(bot: &BotSpec, place: Place<'_>) -> Result<Program, String> {
    let command = Command::read(bot, place)?;
    command_program(&command, place, Some(place.from), command.spec(bot)?)
}

/// The program of a command, as it is started. It runs in `dir`, or else in the folder of its
/// program or script. The files need not exist yet if there is a build.
fn command_program(
    command: &Command,
    Place { from, submission, .. }: Place<'_>,
    dir: Option<&Path>,
    spec: BotSpec,
) -> Result<Program, String> {
    let words = &command.words;
    let Some((first, rest)) = words.split_first() else { return Err(NOTHING_NAMED.to_owned()) };
    let mut arguments: Vec<OsString> = rest.iter().map(OsString::from).collect();
    let (program, home, from_path) = match &command.named {
        Some(Named::File(path) | Named::Folder(path)) => (path, path.clone(), false),
        Some(Named::InPath(path)) if dir.is_some() => (path, path.clone(), true),
        Some(Named::InPath(path)) => {
            // `python3 bots/x/bot.py`: the bot is the script; it runs in the folder of the script,
            // whose path becomes absolute.
            let mut home = absolute(&from.join(first));
            for (word, argument) in rest.iter().zip(&mut arguments) {
                if !word.starts_with('-') && from.join(word).is_file() {
                    home = absolute(&from.join(word));
                    *argument = home.clone().into();
                    break;
                }
            }
            (path, home, true)
        }
        Some(Named::BuiltIn(_)) => {
            return Err(format!(
                "{first}: a built-in bot is a BOT on the command line, or the \
                 `command = \"{first}\"` of a [[bot]] without `dir` and `build`"
            ));
        }
        None => {
            return Err(format!(
                "{first}: no such file, folder or command \
                 (a built-in bot is written builtin:random){}{}{}",
                list_hint(first),
                other_name_hint(first, submission),
                shell_hint(words, submission.is_none())
            ));
        }
    };
    let access = if dir.is_some() { FolderAccess::Folder } else { FolderAccess::Files };
    let dir = absolute(dir.or(home.parent()).unwrap_or(from));
    let program = Program {
        name: home.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        command: program.clone(),
        arguments,
        words: words.clone(),
        access: Access {
            folder: access(dir.clone()),
            file: home,
            from_path,
            submission: submission.cloned(),
            ..Access::default()
        },
        dir,
        spec,
        ..Program::default()
    };
    // A build has still to make its files.
    if program.spec.build.is_none() {
        check(&program)?;
    }
    Ok(program)
}
