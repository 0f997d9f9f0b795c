//! A bot's program: the command that runs it, where it runs, and what it may reach.

use super::access::{Access, FolderAccess, Purpose};
use super::installation::rustup_home;
use super::submission::Trust;
use arbiter_config::BotSpec;
use arbiter_game::Start;
use arbiter_game::adapters::Adapter;
use arbiter_game::protocol::console::{self, Context, Place, Template, Values};
use arbiter_game::protocol::{Conversation, Dialect, Variation};
use arbiter_rules::text::{display_name, printable};
use arbiter_rules::{Game, Ruleset};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// Extensions of files that are arguments of an interpreter.
const SCRIPT_EXTENSIONS: [&str; 7] = ["py", "sh", "js", "pl", "rb", "jar", "class"];

/// The name in `games` of a `bot.toml` that stands for every game.
pub const ANY_GAME: &str = "any";

/// Maximum number of bytes of the name of a game that a message quotes.
const QUOTED_GAME: usize = 40;

/// An adapter with the interpreter that runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledAdapter {
    pub adapter: Adapter,
    /// The absolute path of Python.
    pub python: PathBuf,
    /// Who has named it.
    pub chosen_by: Trust,
}

/// A bot's program, where it was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// The bot's name by its configuration, `bot.toml`, file or the built-in.
    pub name: String,
    /// What its configuration and its `bot.toml` say of it.
    pub spec: BotSpec,
    /// The absolute path of the program to start.
    pub command: PathBuf,
    pub arguments: Vec<OsString>,
    /// The command as it was written: the words of a command line, or `builtin:NAME`.
    pub words: Vec<String>,
    /// The working directory.
    pub dir: PathBuf,
    /// Whether it is one of the bots inside arbiter.
    pub built_in: bool,
    /// How the lines sent to it differ from those sent to other programs, where `check` tries that.
    pub variation: Variation,
    /// What translates between arbiter's protocol and what it speaks.
    pub adapter: Option<InstalledAdapter>,
    /// What it may reach under `strict`.
    pub access: Access,
}

/// Why a BOT cannot be found or run: an error of the user, with what helps.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ProgramError(pub(super) String);

impl From<String> for ProgramError {
    fn from(why: String) -> ProgramError {
        ProgramError(why)
    }
}

impl Program {
    /// A conversation with it.
    ///
    /// # Errors
    /// arbiter does not speak its dialect, or the dialect needs a table that it does not have, or
    /// has no words for its variation.
    pub fn conversation(&self) -> Result<Box<dyn Conversation>, String> {
        let dialect = self.spec.dialect();
        let mut conversation = match (dialect, self.spec.table()) {
            (Dialect::Console, Some(table)) => console::conversation(table),
            (dialect, _) => dialect.conversation()?,
        };
        if conversation.vary(self.variation) {
            Ok(conversation)
        } else {
            Err(format!("the dialect `{dialect}` has no words for that"))
        }
    }

    /// Checks the values in the words of a command in the dialect `console`.
    ///
    /// # Errors
    /// A sentence: one of them is no value of a game.
    pub(super) fn check_values(&self) -> Result<(), String> {
        if self.spec.table().is_none() {
            return Ok(());
        }
        for word in &self.arguments {
            if let Some(word) = word.to_str()
                && let Err(why) = Template::parse(word).and_then(|text| text.check(Place::Command))
            {
                return Err(format!("command: {why}"));
            }
        }
        Ok(())
    }

    /// Checks that it plays this game by the key `games` of its `bot.toml`.
    ///
    /// # Errors
    /// A sentence that says what would be right: the game is not in `games`, or a name there is
    /// unknown.
    pub fn check_plays(&self, game: &Game) -> Result<(), String> {
        let games = &self.spec.games;
        for name in games {
            // Rules of a custom game are loaded before bots are found, so its name is known.
            if name != ANY_GAME && Ruleset::named(name, "").is_err() {
                return Err(format!(
                    "`games` in its bot.toml names {}, which is no game of arbiter ({}) nor the \
                     custom game that is played; a bot of several custom games writes \
                     games = [\"{ANY_GAME}\"]",
                    printable(name.as_bytes(), QUOTED_GAME),
                    Game::NAMES.join(", ")
                ));
            }
        }
        let game = game.name();
        if games.is_empty() || games.iter().any(|name| name == game || name == ANY_GAME) {
            return Ok(());
        }
        Err(format!(
            "by `games` in its bot.toml it plays {}, not {game}: add \"{game}\" there, or write \
             games = [\"{ANY_GAME}\"] if it chooses from the line `moves` in whatever game",
            games.join(", ")
        ))
    }

    /// The program as it is started for a game: in the dialect `console` with the values of the
    /// game in its command.
    ///
    /// # Errors
    /// A sentence: the game does not have one of them, or the program does not play it or cannot.
    pub fn for_game(&self, start: &Start<'_>) -> Result<Cow<'_, Program>, String> {
        self.check_plays(start.position.ruleset().game())?;
        let Some(table) = self.spec.table() else { return Ok(Cow::Borrowed(self)) };
        table.check_game(start)?;
        let values = Values::new(table, start);
        let mut program = self.clone();
        for word in &mut program.arguments {
            if let Some(text) = word.to_str() {
                *word = Template::parse(text)?.text(&values, Context::Nothing)?.into();
            }
        }
        Ok(Cow::Owned(program))
    }

    /// The same program in a copy of its submission, with the folder that it was copied from. The
    /// folder above the copy must exist.
    ///
    /// # Errors
    /// It does not.
    pub fn in_copy(mut self, copy: &Path) -> io::Result<Program> {
        let from = std::mem::replace(&mut self.dir, copy.to_owned());
        for path in [&mut self.command, &mut self.access.file] {
            if let Ok(below) = path.strip_prefix(&from) {
                *path = copy.join(below);
            }
        }
        for word in &mut self.arguments {
            if let Ok(below) = Path::new(word).strip_prefix(&from) {
                *word = copy.join(below).into();
            }
        }
        for word in &mut self.words {
            if let Ok(below) = Path::new(word).strip_prefix(&from)
                && let Ok(path) = copy.join(below).into_os_string().into_string()
            {
                *word = path;
            }
        }
        self.access.folder = FolderAccess::Folder(copy.to_owned());
        if let Some(submission) = &mut self.access.submission {
            *submission = submission.in_copy(copy)?;
        }
        self.access.copied_from = Some(from);
        Ok(self)
    }

    /// What tables show after its name: what its author calls it.
    pub fn display(&self) -> Option<String> {
        self.spec.label.as_deref().and_then(display_name)
    }

    /// The folder that the author knows: where the program was copied from, or else where it runs.
    pub fn source(&self) -> &Path {
        self.access.copied_from.as_deref().unwrap_or(&self.dir)
    }

    /// A program that runs the bot's `build` command, if it has one.
    pub fn builder(&self) -> Option<Program> {
        let build = self.spec.build.as_ref()?;
        let mut builder = Program::of_shell(&self.name, build, &self.dir, Purpose::Build);
        let folder = builder.access.folder;
        builder.access = Access { folder, purpose: Purpose::Build, ..self.access.clone() };
        builder.spec.env.clone_from(&self.spec.env);
        if let Some(home) = rustup_home()
            && let Some(home) = home.to_str()
        {
            builder.spec.env.entry("RUSTUP_HOME".to_owned()).or_insert(home.to_owned());
        }
        Some(builder)
    }

    /// A line of the shell that runs in a folder, to which it has access.
    pub fn of_shell(name: &str, line: &str, dir: &Path, purpose: Purpose) -> Program {
        Program {
            name: name.to_owned(),
            command: PathBuf::from("/bin/sh"),
            arguments: vec!["-c".into(), line.into()],
            dir: dir.to_owned(),
            access: Access {
                folder: FolderAccess::Folder(dir.to_owned()),
                purpose,
                ..Access::default()
            },
            ..Program::default()
        }
    }

    /// The two shell lines that give it a folder of its own, to be run where its file lies; `None`
    /// if it has one. DATA stands for the files and folders that it reads.
    pub fn lines_for_own_folder(&self) -> Option<[String; 2]> {
        let FolderAccess::Files(_) = &self.access.folder else { return None };
        let file = file_name(&self.access.file);
        let mut words = self.words.clone();
        for word in &mut words {
            if file_name(Path::new(word)) == file {
                *word = if self.access.from_path { file.clone() } else { format!("./{file}") };
            }
        }
        let command = shlex::try_join(words.iter().map(String::as_str)).ok()?;
        let setting = format!("command = {command:?}");
        let setting = shlex::try_quote(&setting).ok()?;
        let folder = format!("{}-bot", self.name);
        let folder = shlex::try_quote(&folder).ok()?;
        // An interpreter stays where it is.
        let mut moved = "DATA".to_owned();
        if self.dir.join(&file).exists() {
            moved = format!("{} DATA", shlex::try_quote(&file).ok()?);
        }
        Some([
            format!("mkdir {folder} && mv {moved} {folder}"),
            format!("echo {setting} >{folder}/bot.toml"),
        ])
    }

    /// The file name of its script, or else of its program; its extension shows the programming
    /// language.
    pub fn script_name(&self) -> String {
        let script = self.arguments.iter().map(Path::new).find(|word| is_script(word));
        file_name(script.unwrap_or(&self.command))
    }
}

/// Whether a file with this name is an argument of an interpreter.
pub(super) fn is_script(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    SCRIPT_EXTENSIONS.contains(&extension)
}

/// The last component of a path.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// If the folder of a bot contains other bots, hides these from it.
pub fn hide_from_each_other(programs: &mut [&mut Program]) {
    let mut private = Vec::new();
    for program in programs.iter() {
        private.extend(program.access.private().map(Path::to_owned));
    }
    private.sort(); // by components: what lies in a folder comes together, right after it
    private.dedup();
    for program in programs {
        let (FolderAccess::Folder(folder) | FolderAccess::Files(folder)) = &program.access.folder
        else {
            continue;
        };
        let mut hidden = Vec::new();
        for other in &private[private.partition_point(|path| path <= folder)..] {
            if !other.starts_with(folder) {
                break;
            }
            if *other != program.access.file {
                hidden.push(other.clone());
            }
        }
        program.access.hidden = hidden;
    }
}
