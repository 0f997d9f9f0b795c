//! Adapters: programs that translate between arbiter's protocol and a bot of another kind
//! (docs/reference/adapters.md). The built-in ones are Python files in this folder, each with
//! an explanation at its top; an organiser may write others.
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
/// The value of [`BOT`] if a stand-in that says nothing takes the place of the bot.
pub const STAND_IN: &str = "stand-in";

/// The program that loads module and adapter from the command line.
const BOOT: &str = include_str!("boot.py");
/// The module that adapters are written with.
const MODULE: &str = include_str!("arbiter_adapter.py");

/// Where an adapter runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    /// Beside its bot, joined to it by pipes.
    Beside,
    /// In the place of the bot, whose command is the adapter's arguments.
    Around,
    /// In the place of the bot, which is a file in Python: the arguments are the file and a name in
    /// it.
    Python,
}

/// The class that an adapter for files in Python uses.
const PYTHON_BOT: &str = "PythonBot";
/// The class that an adapter uses which starts its bot itself.
const FILES_BOT: &str = "FilesBot";

/// The built-in adapters, by name.
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
    /// The built-in adapter of this name.
    pub fn named(name: &str) -> Option<Adapter> {
        let &(name, form, source) = KNOWN.iter().find(|(known, ..)| *known == name)?;
        Some(Adapter { name: name.to_owned(), source: source.into(), form })
    }

    /// The names of the built-in adapters.
    pub fn names() -> impl Iterator<Item = &'static str> {
        KNOWN.iter().map(|(name, ..)| *name)
    }

    /// The adapter of an organiser's file, with its name and its text.
    pub fn of_file(name: String, source: String) -> Adapter {
        // Its source shows where it runs, so that a file needs no other description.
        let form = if source.contains(PYTHON_BOT) {
            Form::Python
        } else if source.contains(FILES_BOT) {
            Form::Around
        } else {
            Form::Beside
        };
        Adapter { name, source: source.into(), form }
    }

    /// Whether it runs beside its bot. Otherwise the bot's command is its arguments.
    pub fn runs_beside(&self) -> bool {
        self.form == Form::Beside
    }

    /// Whether its bots are functions and classes in Python.
    pub fn is_python(&self) -> bool {
        self.form == Form::Python
    }

    /// Whether its bot reads and writes files in its folder.
    pub fn uses_files(&self) -> bool {
        self.form == Form::Around
    }

    /// The source, which belongs to the content of a bot behind it.
    pub fn text(&self) -> &str {
        &self.source
    }

    /// The arguments of `python3` that start it.
    pub fn words(&self) -> Vec<String> {
        // Beside its bot it needs nothing from the folders and variables of the user; a bot in
        // Python needs its packages.
        let flags: &[&str] = if self.runs_beside() { &["-I", "-S", "-B"] } else { &["-B"] };
        let sources = ["-c", BOOT, MODULE, &self.name, &self.source];
        flags.iter().chain(&sources).map(ToString::to_string).collect()
    }
}
