//! The bots of a tournament: `[[bot]]` and `[[bots]]`.

use super::section::{Section, Value};
use super::start_command::{COMMAND_EXAMPLE, StartCommand};
use super::{tables, value};
use crate::clock::TimeControl;
use crate::protocol::Dialect;
use std::collections::BTreeMap;

/// A `[[bot]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotConfig {
    /// Its name, unique ignoring case.
    pub name: String,
    pub command: StartCommand,
    /// The folder that it runs in; by default that of its program or script.
    pub dir: Option<String>,
    /// The command that builds its program, run in the same folder before the first game.
    pub build: Option<String>,
    /// Its protocol; none for the one that its command or its `bot.toml` names.
    pub dialect: Option<Dialect>,
    /// The file of its table, in the dialect `console`; none for that of its `bot.toml`.
    pub console: Option<String>,
    /// Whether it runs in a copy of its folder, in which it may write; also if its `bot.toml` says so.
    pub scratch: bool,
    /// Variables of its environment.
    pub env: BTreeMap<String, String>,
    /// More files and folders that it may read under `strict`.
    pub read: Vec<String>,
    /// Patterns of the files in its folder that are its content; none for the usual ones.
    pub digest: Option<Vec<String>>,
    /// Its clock; none for that of the tournament.
    pub time: Option<TimeControl>,
}

impl BotConfig {
    /// A bot with defaults for all other keys.
    #[must_use]
    pub fn new(name: impl Into<String>, command: StartCommand) -> BotConfig {
        BotConfig {
            name: name.into(),
            command,
            dir: None,
            build: None,
            dialect: None,
            console: None,
            scratch: false,
            env: BTreeMap::new(),
            read: Vec::new(),
            digest: None,
            time: None,
        }
    }
}

/// A `[[bots]]`: a folder in which each sub-folder is a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderConfig {
    pub folder: String,
    /// How bots without a `bot.toml` are started; if it is missing, they count as not submitted.
    pub command: Option<StartCommand>,
    /// The file of the table by which all of them talk, in the dialect `console`.
    pub console: Option<String>,
    /// The names of those that do not play.
    pub exclude: Vec<String>,
}

/// A `[[bot]]` of a tournament with this clock.
pub(super) fn bot(section: &Section<'_>, usual: TimeControl) -> Option<BotConfig> {
    let name = section.need("name", value::bot_name, "\"conny\"");
    let command = section.need("command", value::command, COMMAND_EXAMPLE);
    let dir = section.take("dir", value::text);
    let build = section.take("build", value::text);
    let console = section.take("console", value::text);
    let dialect = section.take("dialect", |value| match value::word(value)? {
        Dialect::Console => Ok(Dialect::Console),
        _ if console.is_some() => {
            Err("`console` names a table, which needs the dialect \"console\"".to_owned().into())
        }
        dialect => Ok(dialect),
    });
    let dialect = dialect.or(console.as_ref().map(|_| Dialect::Console));
    let scratch = section.or("scratch", value::truth, false);
    let env = section.table("env", "env", environment);
    let read = section.or("read", value::texts, Vec::new());
    let digest = section.take("digest", value::texts);
    let time = section.table("time", "[bot.time]", |section| tables::control(section, usual));
    let time = Some(time).filter(|&own| own != usual);
    // Without a command an error is reported; the bot is kept so that its name can be compared with the others.
    let command = command.unwrap_or(StartCommand::Words(Vec::new()));
    Some(BotConfig { name: name?, command, dir, build, dialect, console, scratch, env, read, digest, time })
}

pub(super) fn folder(section: &Section<'_>) -> Option<FolderConfig> {
    let folder = section.need("folder", value::text, "\"submissions\"");
    let command = section.take("command", value::command);
    let exclude = section.or("exclude", value::texts, Vec::new());
    let console = section.take("console", value::text);
    Some(FolderConfig { folder: folder?, command, console, exclude })
}

fn environment(section: &Section<'_>) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    for (key, place, value) in section.entries() {
        if key.is_empty() || key.contains(['=', '\0']) {
            section.wrong(place, format!("`{key}` cannot name a variable of the environment"));
        }
        let read = |value: &Value<'_>| value::variable(value);
        variables.extend(section.read_value(key, value, read).map(|text| (key.to_owned(), text)));
    }
    variables
}
