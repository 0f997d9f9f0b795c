//! A bot's own `bot.toml`: how it is started, and information from its author (docs/protocol.md, bot.toml).
//!
//! Other keys are refused: only the organiser decides where a bot runs, what it may read and how much it may
//! use, because the file may come from an untrusted submission. The caller limits the length of the text.
//!
//! ```
//! use arbiter::config::manifest;
//! let manifest = manifest::parse("command = 'python3 bot.py'").unwrap();
//! assert_eq!(manifest.command.words().unwrap(), ["python3", "bot.py"]);
//! let errors = manifest::parse("command = './bot'\nread = ['/etc']").unwrap_err();
//! assert_eq!(errors.errors()[0].line, 2);
//! ```

use super::console;
use super::problem::ConfigErrors;
use super::section::Reading;
use super::start_command::{COMMAND_EXAMPLE, StartCommand};
use super::value;
use crate::protocol::Dialect;
use crate::protocol::console::Table;

/// The content of a `bot.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The name that its author gives it, any text. For a submission it is a label that never enters results.
    pub name: Option<String>,
    /// How it is started, in the folder of the file.
    pub command: StartCommand,
    /// The command that builds its program, run in the same folder before the first game.
    pub build: Option<String>,
    /// Its protocol.
    pub dialect: Dialect,
    /// What it prints and is sent, in the dialect `console`.
    pub console: Option<Table>,
    /// Whether it runs in a copy of its folder, in which it may write.
    pub scratch: bool,
    pub authors: Vec<String>,
    /// The language that it is written in.
    pub language: Option<String>,
    /// The games that it plays, or `any`; empty if the file does not say.
    pub games: Vec<String>,
}

/// The keys that only an organiser may write.
const ORGANISER: &[&str] = &[
    "dir",
    "read",
    "env",
    "limits",
    "sandbox",
    "memory",
    "processes",
    "threads",
    "output",
    "digest",
    "time",
];

/// Reads a `bot.toml`.
///
/// # Errors
/// Everything that is wrong with it, each with its line.
pub fn parse(text: &str) -> Result<Manifest, ConfigErrors> {
    read(text, false)
}

/// Reads the `bot.toml` of a program that talks by a table of the organiser: its own table and dialect do not count.
///
/// # Errors
/// As for [`parse`], but for what `[console]` has.
pub fn parse_for_table(text: &str) -> Result<Manifest, ConfigErrors> {
    read(text, true)
}

fn read(text: &str, has_table: bool) -> Result<Manifest, ConfigErrors> {
    let reading = Reading::new(text);
    let table = reading.syntax()?;
    let root = reading.root(&table);
    let name = root.take("name", value::text);
    let command = root.need("command", value::command, COMMAND_EXAMPLE);
    let build = root.take("build", value::text);
    let dialect = root.or("dialect", value::word, Dialect::default());
    let scratch = root.or("scratch", value::truth, false);
    let console = match has_table {
        true => root.take("console", |_| Ok(())).and(None),
        false => console::table_of(&reading, &root),
    };
    match (dialect == Dialect::Console, reading.has("console")) {
        (true, false) if !has_table => reading.refuse(
            "dialect",
            "`dialect = \"console\"` needs the table [console], which says what the program prints and is sent".to_owned(),
        ),
        (false, true) if !has_table && reading.sound(&["dialect"]) => reading.refuse(
            "console",
            "[console] needs `dialect = \"console\"` above it".to_owned(),
        ),
        _ => {}
    }
    let authors = root.or("authors", value::text_or_texts, Vec::new());
    let language = root.take("language", value::text);
    let games = root.or("games", value::texts, Vec::new());
    for key in ORGANISER {
        root.refuse(key, "only the organiser's configuration may set it");
    }
    root.close();
    let manifest = command.map(|command| Manifest {
        name,
        command,
        build,
        dialect,
        console,
        scratch,
        authors,
        language,
        games,
    });
    reading.finish(manifest)
}
