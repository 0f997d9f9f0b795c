//! Adapters: programs that translate between arbiter's protocol and a bot of another kind
//! (docs/bots-as-they-are.md). Those that come along are Python files in this folder, each with its page of
//! explanation at its top; an organiser's own is one such file.
//!
//! An adapter is started with its source on its command line, so what was read once is what runs,
//! and there are no files to copy or to protect.
//!
//! ```
//! use arbiter_game::adapters::Adapter;
//! assert!(Adapter::named("gtp").unwrap().runs_beside());
//! assert!(!Adapter::named("python").unwrap().runs_beside());
//! assert!(Adapter::named("gpt").is_none());
//! ```

use std::borrow::Cow;

/// The environment variable by which an adapter finds its bot: the descriptors that it reads from
/// and writes to.
pub const BOT: &str = "ARBITER_BOT";
/// Its value where a stand-in that says nothing takes the place of the bot.
pub const STAND_IN: &str = "stand-in";

/// What loads module and adapter from the command line.
const BOOT: &str = include_str!("boot.py");
/// The module that adapters are written with.
pub const MODULE: &str = include_str!("arbiter_adapter.py");

/// Where an adapter runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    /// Beside its bot, joined to it by pipes.
    Beside,
    /// In the place of the bot, whose command it gets as its words.
    Around,
    /// In the place of the bot, which is a file in Python: its words are the file and a name in it.
    Python,
}

/// What an adapter for files in Python is made of. One that names it gets a file and no command.
const PYTHON_BOT: &str = "PythonBot";
/// What one that starts its bot itself is made of.
const FILES_BOT: &str = "FilesBot";

/// The adapters that come along, by name.
const KNOWN: [(&str, Form, &str); 7] = [
    ("gtp", Form::Beside, include_str!("gtp.py")),
    ("gomocup", Form::Beside, include_str!("gomocup.py")),
    ("uci", Form::Beside, include_str!("uci.py")),
    ("xboard", Form::Beside, include_str!("xboard.py")),
    ("codingame", Form::Beside, include_str!("codingame.py")),
    ("files", Form::Around, include_str!("files.py")),
    ("python", Form::Python, include_str!("python.py")),
];

/// An adapter with its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// Its name, as a configuration gives it.
    pub name: String,
    source: Cow<'static, str>,
    form: Form,
}

impl Adapter {
    /// The adapter of this name that comes along.
    #[must_use]
    pub fn named(name: &str) -> Option<Adapter> {
        let &(name, form, source) = KNOWN.iter().find(|(known, ..)| *known == name)?;
        Some(Adapter { name: name.to_owned(), source: source.into(), form })
    }

    /// The names of those that come along.
    pub fn names() -> impl Iterator<Item = &'static str> {
        KNOWN.iter().map(|(name, ..)| *name)
    }

    /// One of a file with this name and this text.
    #[must_use]
    pub fn of_file(name: String, source: String) -> Adapter {
        let form = if source.contains(PYTHON_BOT) {
            Form::Python
        } else if source.contains(FILES_BOT) {
            Form::Around
        } else {
            Form::Beside
        };
        Adapter { name, source: source.into(), form }
    }

    /// Whether it runs beside its bot. Otherwise the bot's command is its words.
    #[must_use]
    pub fn runs_beside(&self) -> bool {
        self.form == Form::Beside
    }

    /// Whether its bots are functions and classes in Python.
    #[must_use]
    pub fn is_python(&self) -> bool {
        self.form == Form::Python
    }

    /// What belongs to the content of a bot behind it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.source
    }

    /// The words behind `python3` that start it. One that runs beside its bot is kept from the
    /// folders and variables of the user; a bot in Python needs its own packages.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let flags: &[&str] = if self.runs_beside() { &["-I", "-S", "-B"] } else { &["-B"] };
        let sources = ["-c", BOOT, MODULE, &self.name, &self.source];
        flags.iter().chain(&sources).map(ToString::to_string).collect()
    }
}
