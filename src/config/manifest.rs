//! A bot's own `bot.toml`: how it is started, and information from its author
//! (docs/reference/protocol.md, bot.toml).
//!
//! Other keys are refused: only the organiser decides where a bot runs, what it may read and how
//! much it may use, because the file may come from an untrusted submission. The caller limits the
//! length of the text.
//!
//! ```
//! use arbiter_config::manifest;
//! let manifest = manifest::parse("command = 'python3 bot.py'").unwrap();
//! assert_eq!(manifest.command.unwrap().words().unwrap(), ["python3", "bot.py"]);
//! let errors = manifest::parse("command = './bot'\nread = ['/etc']").unwrap_err();
//! assert_eq!(errors.errors()[0].line, 2);
//! ```

use super::bot_spec::{BotSpec, ConsoleTable};
use super::console;
use super::problem::ConfigErrors;
use super::section::{Section, read_file};
use super::start_command::COMMAND_EXAMPLE;
use super::value;
use arbiter_game::protocol::Dialect;
use std::sync::Arc;

/// The keys that only an organiser may write.
#[rustfmt::skip]
const ORGANISER: &[&str] = &[
    "dir", "read", "env", "limits", "sandbox", "memory", "processes", "threads", "output",
    "digest", "time",
];

/// Reads a `bot.toml`.
///
/// # Errors
/// Everything that is wrong with it, each with its line.
pub fn parse(text: &str) -> Result<BotSpec, ConfigErrors> {
    read_file(text, |root| read(root, false))
}

/// Reads the `bot.toml` of a program that talks by a table of the organiser: its own table and
/// dialect do not count.
///
/// # Errors
/// As for [`parse`], but for what `[console]` has.
pub fn parse_for_table(text: &str) -> Result<BotSpec, ConfigErrors> {
    read_file(text, |root| read(root, true))
}

/// `has_table` if the organiser has given the table by which the program talks.
fn read(root: &Section<'_>, has_table: bool) -> Option<BotSpec> {
    let reading = root.reading;
    let label = root.take("name", value::text);
    let command = root.need("command", value::command, COMMAND_EXAMPLE);
    let build = root.take("build", value::text);
    let dialect = root.take("dialect", value::dialect);
    let adapter = root.take("adapter", value::text);
    let scratch = root.or("scratch", value::truth, false);
    let mut console = None;
    if has_table {
        // Known, so that it is no error, but not read: the table of the organiser counts.
        root.take("console", |_| Ok(()));
    } else {
        console = console::table_of(root);
        // The table and the dialect belong together.
        let is_console = dialect == Some(Dialect::Console);
        if is_console && !reading.has("console") {
            let why = "`dialect = \"console\"` needs the table [console], \
                       which says what the program prints and is sent";
            reading.refuse("dialect", why);
        } else if !is_console && reading.has("console") && reading.sound(&["dialect"]) {
            reading.refuse("console", "[console] needs `dialect = \"console\"` above it");
        }
    }
    // For people: arbiter makes no use of them.
    root.take("authors", value::text_or_texts);
    root.take("language", value::text);
    let games = root.or("games", value::texts, Vec::new());
    for key in ORGANISER {
        root.forbid(key, "only the organiser's configuration may set it");
    }
    Some(BotSpec {
        label,
        command: Some(command?),
        build,
        dialect,
        adapter,
        console: console.map(Arc::new).map(ConsoleTable::Table),
        scratch,
        games,
        ..BotSpec::default()
    })
}
