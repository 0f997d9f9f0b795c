//! What is said of a bot, in a `[[bot]]`, a `[[bots]]` or a `bot.toml`.

use super::section::{Section, fails};
use super::start_command::{COMMAND_EXAMPLE, StartCommand};
use super::{tables, value};
use arbiter_game::clock::TimeControl;
use arbiter_game::protocol::Dialect;
use arbiter_game::protocol::console::Table;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is said of a bot: by the organiser in a `[[bot]]`, or for all bots of a `[[bots]]`, and by
/// its author in a [`bot.toml`](super::manifest).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BotSpec {
    /// Its name in results, unique ignoring case. A `bot.toml` cannot give it.
    pub name: String,
    /// What its author calls it in its `bot.toml`, any text. For a submission it is a label that
    /// never enters results.
    pub label: Option<String>,
    /// How it is started. A `[[bots]]` may leave that to the `bot.toml` of each bot.
    pub command: Option<StartCommand>,
    /// The folder that it runs in; by default that of its program or script.
    pub dir: Option<String>,
    /// The command that builds its program, run in the same folder before the first game.
    pub build: Option<String>,
    /// Its protocol; `None` for the one that its command names, or the usual one.
    pub dialect: Option<Dialect>,
    /// What translates between arbiter's protocol and its own: the name of an adapter that comes
    /// along, or a file of the organiser.
    pub adapter: Option<String>,
    /// What it prints and is sent, in the dialect `console`.
    pub console: Option<ConsoleTable>,
    /// Whether it runs in a copy of its folder inside its scratch folder, made anew each time it is
    /// started.
    pub scratch: bool,
    /// Variables of its environment, in addition to those that every bot gets.
    pub env: BTreeMap<String, String>,
    /// More files and folders that it may read under `strict`.
    pub read: Vec<String>,
    /// Patterns of the files in its folder that are its content; `None` for the usual ones.
    pub digest: Option<Vec<String>>,
    /// Its clock; `None` for that of the tournament.
    pub time: Option<TimeControl>,
    /// The games that it plays by its `bot.toml`, or `any`; empty if that does not say.
    pub games: Vec<String>,
}

/// A table of the dialect `console`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConsoleTable {
    /// A file of the organiser.
    File(String),
    /// That of a `bot.toml`, or of a file that was read.
    Table(Arc<Table>),
}

impl BotSpec {
    /// A bot with defaults for all other keys.
    pub fn new(name: impl Into<String>, command: StartCommand) -> BotSpec {
        BotSpec { name: name.into(), command: Some(command), ..BotSpec::default() }
    }

    /// Its protocol.
    pub fn dialect(&self) -> Dialect {
        self.dialect.unwrap_or_default()
    }

    /// Its table, if that was read.
    pub fn table(&self) -> Option<&Arc<Table>> {
        match &self.console {
            Some(ConsoleTable::Table(table)) => Some(table),
            Some(ConsoleTable::File(_)) | None => None,
        }
    }

    /// What the organiser says, laid over what its `bot.toml` says.
    pub fn over(self, manifest: BotSpec) -> BotSpec {
        BotSpec {
            label: manifest.label,
            build: self.build.or(manifest.build),
            dialect: self.dialect.or(manifest.dialect),
            adapter: self.adapter.or(manifest.adapter),
            console: self.console.or(manifest.console),
            scratch: self.scratch || manifest.scratch,
            games: manifest.games,
            ..self
        }
    }
}

/// A `[[bots]]`: a folder in which each sub-folder is a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderConfig {
    pub folder: String,
    /// What holds for all of them: how bots without a `bot.toml` are started (if that is missing,
    /// they count as not submitted), and the table by which they talk.
    pub bots: BotSpec,
    /// The names of those that do not play.
    pub exclude: Vec<String>,
}

/// A `[[bot]]` of a tournament with this clock.
pub(super) fn bot(section: &Section<'_>, usual: TimeControl) -> Option<BotSpec> {
    let name = section.need("name", value::bot_name, "\"conny\"");
    let command = section.need("command", value::command, COMMAND_EXAMPLE);
    let dir = section.take("dir", value::text);
    let build = section.take("build", value::text);
    let console = section.take("console", value::text);
    let dialect = section.take("dialect", |value| match value::dialect(value)? {
        Dialect::Console => Ok(Dialect::Console),
        _ if console.is_some() => {
            fails("`console` names a table, which needs the dialect \"console\"")
        }
        dialect => Ok(dialect),
    });
    let scratch = section.or("scratch", value::truth, false);
    let adapter = section.take("adapter", value::text);
    let env = section.table("env", "env", environment);
    let read = section.or("read", value::texts, Vec::new());
    let digest = section.take("digest", value::texts);
    let time = section.table("time", "[bot.time]", |section| tables::control(section, usual));
    // Without a command an error is reported; the bot is kept so that its name can be compared with
    // the others.
    Some(BotSpec {
        name: name?,
        label: None,
        command,
        dir,
        build,
        // A table needs no second word that says how the bot speaks.
        dialect: dialect.or(console.is_some().then_some(Dialect::Console)),
        adapter,
        console: console.map(ConsoleTable::File),
        scratch,
        env,
        read,
        digest,
        time: Some(time).filter(|own| *own != usual),
        games: Vec::new(),
    })
}

pub(super) fn folder(section: &Section<'_>) -> Option<FolderConfig> {
    let folder = section.need("folder", value::text, "\"submissions\"");
    let command = section.take("command", value::command);
    let exclude = section.or("exclude", value::texts, Vec::new());
    let console = section.take("console", value::text).map(ConsoleTable::File);
    let adapter = section.take("adapter", value::text);
    let bots = BotSpec { command, adapter, console, ..BotSpec::default() };
    Some(FolderConfig { folder: folder?, bots, exclude })
}

fn environment(section: &Section<'_>) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    for (key, place, value) in section.entries() {
        if key.is_empty() || key.contains(['=', '\0']) {
            section
                .reading
                .report(place, format!("`{key}` cannot name a variable of the environment"));
        }
        if let Some(text) = section.read_value(key, value, value::argument) {
            variables.insert(key.to_owned(), text);
        }
    }
    variables
}
