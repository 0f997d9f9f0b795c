//! Loading a rules file: what it is, how it is started, and what it says of itself.

use super::copy::{PrivateCopy, read_once};
use super::engine::{Began, ProcessEngine, start_of, title_of};
use super::pool::{ProcessPool, WITHOUT_OPTIONS, locked};
use super::process::{Launch, RulesProcess};
use super::trial;
use crate::bot::{Launcher, Waiting, blocking, run_within};
use crate::locate::{
    ContentRules, Finder, InstalledAdapter, Program, Trust, copy_folder, is_command,
};
use crate::sandbox::STRICTEST;
use arbiter_config::{BotSpec, StartCommand, game_manifest};
use arbiter_game::adapters::Adapter;
use arbiter_game::content::{sha256, short_digest};
use arbiter_game::protocol::rules_program::RulesTitle;
use arbiter_game::{Exit, Limits};
use arbiter_rules::own::{
    OwnDefinition, OwnOption, Rules, RulesSource, option_specs, option_values,
};
use arbiter_rules::{Game, OptionError, OptionSpec, RulesFault, Ruleset};
use std::any::Any;
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The driver of rules in Python, which is also the module by which a bot in Python loads them.
pub const DRIVER: &str = include_str!("arbiter_rules.py");
/// Its name beside the rules.
pub const DRIVER_NAME: &str = "arbiter_rules.py";
/// How Python is started: without the user's packages and variables, and without writing byte code.
const PYTHON: [&str; 4] = ["python3", "-I", "-S", "-B"];
/// The settings of a folder.
const SETTINGS: &str = "game.toml";

/// Why a rules file cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RulesFileError {
    /// The file or folder is not what it must be.
    #[error("{path}: {what}")]
    Unusable {
        /// The path as it was given.
        path: String,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// The rules fail.
    #[error("{0}")]
    Rules(Box<RulesFault>),
}

/// The rules of a custom game, read from a file or folder. What it was when it was read is
/// what runs.
pub struct RulesFile {
    /// Its path, as the user gave it.
    path: String,
    name: String,
    file: String,
    digest: String,
    title: RulesTitle,
    specs: Vec<OptionSpec>,
    /// The content of a file; that of a folder is in the private copy.
    content: Option<Vec<u8>>,
    pool: Arc<ProcessPool>,
    /// The adapter that comes with the game.
    adapter: Option<Adapter>,
    /// What was defined so far: the same options need no further process.
    made: Mutex<Vec<OwnDefinition>>,
}

impl From<RulesFault> for RulesFileError {
    fn from(fault: RulesFault) -> RulesFileError {
        RulesFileError::Rules(Box::new(fault))
    }
}

/// What the path of a rules file leads to.
struct Found {
    program: Program,
    copy: PrivateCopy,
    /// As 64 hex digits.
    digest: String,
    content: Option<Vec<u8>>,
    /// The folder that the file of an adapter lies in.
    beside: PathBuf,
    /// The name of that file, unless the rules say it themselves.
    adapter: Option<String>,
}

impl RulesFile {
    /// Reads a rules file (`*.py`, a program, or a folder with a `game.toml`), starts it in the
    /// sandbox of this launcher, or the strictest that this system has, and asks for its options.
    ///
    /// # Errors
    /// It cannot be read or run, its name is no name of a game, or the rules fail.
    pub fn load(
        path: &Path,
        launcher: &Launcher,
        limits: &Limits,
    ) -> Result<Arc<RulesFile>, RulesFileError> {
        let (name, file) = names(path).map_err(|why| unusable(path, &*why))?;
        let launcher = Launcher { sandbox: launcher.sandbox.min(STRICTEST), ..launcher.clone() };
        // 1. The private copy: what is read now is what runs later, whatever becomes of the file.
        let found = find(path, &name, &launcher, limits).map_err(|why| unusable(path, &*why))?;
        let Found { mut program, copy, digest, content, beside, adapter } = found;
        program.access.read_only = true;
        let launch = Launch {
            file: file.clone(),
            program,
            launcher: Mutex::new(launcher),
            limits: Mutex::new(*limits),
        };
        let pool = Arc::new(ProcessPool::new(launch, copy));
        // 2. A process says which options there are, and waits for those of the first ruleset.
        let mut process = blocking(pool.launch.start(Waiting::Thread))?;
        let title = blocking(title_of(&mut process, Waiting::Thread))?;
        drop(pool.put(WITHOUT_OPTIONS, process));
        // 3. The adapter last: it is tried in a game by these rules.
        let mut game_adapter = None;
        if let Some(adapter_file) = title.adapter.clone().or(adapter) {
            game_adapter =
                Some(read_adapter(&beside, adapter_file).map_err(|why| unusable(path, &*why))?);
        }
        let loaded = Arc::new(RulesFile {
            path: path.display().to_string(),
            name,
            file,
            digest: short_digest(&digest),
            specs: option_specs(&title.options),
            title,
            content,
            adapter: game_adapter,
            pool,
            made: Mutex::default(),
        });
        loaded.try_adapter(limits).map_err(|why| unusable(path, &*why))?;
        Ok(loaded)
    }

    /// Tries the adapter that comes with the game against a stand-in for a bot.
    fn try_adapter(self: &Arc<Self>, limits: &Limits) -> Result<(), Box<dyn Error>> {
        let Some(adapter) = &self.adapter else { return Ok(()) };
        let ruleset = self.ruleset(&[])?;
        let launcher = locked(&self.pool.launch.launcher).clone();
        let installed = InstalledAdapter::of_organiser(adapter.clone())?;
        trial::try_adapter(&installed, BTreeMap::new(), &ruleset.start(), &launcher, limits)
            .map_err(|what| trial::failed_before(&installed, &what).into())
    }

    /// The file of the rules of a game; `None` if the game has none that can be run.
    pub fn of(game: &Game) -> Option<&RulesFile> {
        let source: &dyn Any = &**game.source()?;
        source.downcast_ref()
    }

    /// Runs the rules under this launcher from now on, with this time for an answer. It is the
    /// launcher of the run: which namespaces and control groups work is found out only after the
    /// rules have been loaded.
    pub fn run_under(&self, launcher: &Launcher, answer: Duration) {
        let launch = &self.pool.launch;
        locked(&launch.launcher).clone_from(launcher);
        locked(&launch.limits).rules_time = answer;
        self.pool.end_idle();
    }

    /// The file or folder, without the folders above it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The ruleset with these options; those not given have their defaults.
    ///
    /// # Errors
    /// An unknown option, a value that the option does not have, or rules that fail.
    pub fn ruleset(self: &Arc<Self>, set: &[(String, String)]) -> Result<Ruleset, OptionError> {
        let rules: Rules = Arc::clone(self) as Rules;
        Ruleset::by_rules(&rules, set)
    }

    /// A process that has said its options and received none.
    fn fresh(&self) -> Result<RulesProcess, RulesFault> {
        if let Some(process) = self.pool.take(WITHOUT_OPTIONS) {
            return Ok(process);
        }
        let mut process = blocking(self.pool.launch.start(Waiting::Thread))?;
        if blocking(title_of(&mut process, Waiting::Thread))? == self.title {
            Ok(process)
        } else {
            Err(self.pool.launch.fault("answers `rules` differently the second time"))
        }
    }

    /// The definition with these values of all options, of which those in `given` are sent.
    fn define(
        &self,
        values: &[(String, String)],
        given: Vec<(String, String)>,
    ) -> Result<OwnDefinition, OptionError> {
        let (process, began) =
            self.begin(&given).map_err(|fault| OptionError::Rules(Box::new(fault)))?;
        let start = match began {
            Began::Start(start) => *start,
            // The rules refuse a value that they listed.
            Began::Refused { option, wanted } => {
                let (key, value) = given[option].clone();
                return Err(OptionError::Value { key, value, wanted });
            }
        };
        let engine =
            ProcessEngine::new(&self.pool, given, self.title.clone(), start.clone(), process);
        Ok(OwnDefinition {
            name: self.name.clone(),
            title: self.title.title.clone(),
            file: self.file.clone(),
            digest: self.digest.clone(),
            options: self.title.options.clone(),
            values: values.to_owned(),
            layout: start.layout,
            black: self.title.black,
            start: start.state,
            engine: Some(Arc::new(engine)),
        })
    }

    /// A process that has received these options, and its answer.
    fn begin(&self, given: &[(String, String)]) -> Result<(RulesProcess, Began), RulesFault> {
        let mut process = self.fresh()?;
        let began = blocking(start_of(&mut process, given, Waiting::Thread))?;
        Ok((process, began))
    }
}

impl RulesSource for RulesFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn title(&self) -> &str {
        &self.title.title
    }

    fn digest(&self) -> &str {
        &self.digest
    }

    fn path(&self) -> Option<String> {
        Some(self.path.clone())
    }

    fn adapter(&self) -> Option<(&str, &str)> {
        let adapter = self.adapter.as_ref()?;
        Some((&adapter.name, adapter.text()))
    }

    fn save_copy(&self, folder: &Path) -> io::Result<()> {
        let to = folder.join(&self.file);
        match &self.content {
            Some(content) => fs::write(to, content),
            None => copy_folder(&self.pool.launch.program.dir, &to),
        }
    }

    fn options(&self) -> &[OwnOption] {
        &self.title.options
    }

    fn with_options(&self, set: &[(String, String)]) -> Result<OwnDefinition, OptionError> {
        let values = option_values(&self.name, &self.specs, set)?;
        // The lock is held while a definition is made, so that one process is started for it.
        let mut made = locked(&self.made);
        if let Some(definition) = made.iter().find(|made| made.values == values) {
            return Ok(definition.clone());
        }
        let mut given = values.clone();
        given.retain(|(key, _)| set.iter().any(|(named, _)| named == key));
        let definition = self.define(&values, given)?;
        made.push(definition.clone());
        Ok(definition)
    }
}

impl fmt::Debug for RulesFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RulesFile { file, digest, .. } = self;
        f.debug_struct("RulesFile")
            .field("file", file)
            .field("digest", digest)
            .finish_non_exhaustive()
    }
}

fn unusable(path: &Path, why: &dyn Error) -> RulesFileError {
    RulesFileError::Unusable { path: path.display().to_string(), what: why.to_string() }
}

/// The name of the game, and of the file.
fn names(path: &Path) -> Result<(String, String), Box<dyn Error>> {
    let is_folder = path.is_dir();
    let stem = if is_folder { path.file_name() } else { path.file_stem() };
    let name = stem.and_then(OsStr::to_str);
    let file = path.file_name().and_then(OsStr::to_str);
    let (Some(name), Some(file)) = (name, file) else {
        return Err("has no name; the name of a game is that of its file or folder".into());
    };
    let is_usual = name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    if !(1..=40).contains(&name.len()) || !is_usual {
        let what = if is_folder { "folder" } else { "file without its ending" };
        return Err(format!(
            "`{name}` is no name of a game; \
             the name of the {what} has at most 40 small letters, digits and -"
        )
        .into());
    }
    if Game::named(name).is_some() {
        return Err(format!("`{name}` is a game of arbiter; give the rules another name").into());
    }
    Ok((name.to_owned(), file.to_owned()))
}

/// Reads the content once, and finds how the private copy of it is started.
fn find(
    path: &Path,
    name: &str,
    launcher: &Launcher,
    limits: &Limits,
) -> Result<Found, Box<dyn Error>> {
    let copy = PrivateCopy::new()?;
    if path.is_dir() {
        return folder(path, name, copy, launcher, limits);
    }
    let file = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let (content, is_executable) = read_once(path)?;
    let mut words: Vec<String> = Vec::new();
    let dir = if path.extension() == Some(OsStr::new("py")) {
        if !is_command(PYTHON[0]) {
            return Err("rules in Python need python3, which is not in PATH".into());
        }
        words.extend(PYTHON.map(str::to_owned));
        words.extend([DRIVER_NAME.to_owned(), file.to_owned()]);
        copy.of_files(&[(file, &content, 0o644), (DRIVER_NAME, DRIVER.as_bytes(), 0o644)])?
    } else {
        words.push(format!("./{file}"));
        copy.of_files(&[(file, &content, if is_executable { 0o755 } else { 0o644 })])?
    };
    let program = program_in(path, &dir, StartCommand::Words(words), None)?;
    let beside = path.parent().unwrap_or(Path::new("")).to_owned();
    let digest = sha256(&content);
    Ok(Found { program, copy, digest, content: Some(content), beside, adapter: None })
}

/// The adapter of a game, in this folder.
fn read_adapter(folder: &Path, name: String) -> Result<Adapter, Box<dyn Error>> {
    if name.contains('/') {
        return Err(format!("adapter: {name}: it is the name of a file beside the rules").into());
    }
    let text = read_text(&folder.join(&name)).map_err(|why| format!("adapter: {name}: {why}"))?;
    Ok(Adapter::of_file(name, text))
}

fn read_text(path: &Path) -> Result<String, Box<dyn Error>> {
    let (text, _) = read_once(path)?;
    String::from_utf8(text).map_err(|_| "is not UTF-8".into())
}

/// The program of a command in a private copy.
fn program_in(
    path: &Path,
    dir: &Path,
    command: StartCommand,
    build: Option<String>,
) -> Result<Program, String> {
    let builtin = |_: &str, _: &Game| Err("a built-in bot is no program of rules".to_owned());
    let finder =
        Finder { from: dir, program: Path::new(""), builtin, game: &Game::Loa, trust: Trust::Own };
    let bot = BotSpec { dir: Some(".".to_owned()), build, ..BotSpec::new("rules", command) };
    let above = path.parent().unwrap_or(Path::new("."));
    let mut program =
        finder.configured(&bot).map_err(|error| of_original(&error.to_string(), dir, path))?;
    // The folder of the original, which may have the organiser's other files.
    program.access.kept = vec![std::path::absolute(above).unwrap_or_else(|_| above.to_owned())];
    Ok(program)
}

/// A message about the private copy in terms of the original, whose paths the user knows.
fn of_original(what: &str, dir: &Path, path: &Path) -> String {
    let original = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    what.replace(&*dir.to_string_lossy(), &original.to_string_lossy())
}

/// A folder with a `game.toml`.
fn folder(
    path: &Path,
    name: &str,
    copy: PrivateCopy,
    launcher: &Launcher,
    limits: &Limits,
) -> Result<Found, Box<dyn Error>> {
    let dir = copy.of_folder(path, name)?;
    let settings = dir.join(SETTINGS);
    if !settings.exists() {
        return Err(format!(
            "the folder has no {SETTINGS}; it has a line such as rules = \"java -jar rules.jar\""
        )
        .into());
    }
    let text = read_text(&settings).map_err(|why| format!("{SETTINGS}: {why}"))?;
    let manifest = game_manifest::parse(&text).map_err(|errors| errors.sentence(SETTINGS))?;
    let program = program_in(path, &dir, manifest.command, manifest.build)?;
    let all = ["*".to_owned()];
    let rules = ContentRules { patterns: Some(&all), organisers: &[] };
    // Before the build: what it makes may differ from run to run, for example by times in it.
    let digest = program.content(rules, None)?.content.digest();
    build(&program, launcher, limits).map_err(|what| of_original(&what, &dir, path))?;
    let adapter = manifest.adapter;
    Ok(Found { program, copy, digest, content: None, beside: dir, adapter })
}

/// Runs the `build` of a folder in its private copy, in the sandbox and the time of a bot's build.
fn build(program: &Program, launcher: &Launcher, limits: &Limits) -> Result<(), String> {
    let Some(builder) = program.builder() else { return Ok(()) };
    let command = program.spec.build.as_deref().unwrap_or_default();
    let limit = limits.build_time;
    let run = run_within(launcher, &builder, limits, limit)
        .map_err(|error| format!("its build `{command}` cannot be run: {error}"))?;
    if run.exit == Some(Exit::Status(0)) {
        return program.check().map_err(|error| format!("after its build `{command}`: {error}"));
    }
    Err(format!("its build `{command}` {}{}", run.how(limit), run.shown()))
}
