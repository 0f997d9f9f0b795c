//! `arbiter tournament --init`: a configuration to start from, and the workflow that plays it.

use super::new::write_new;
use anyhow::{Context, anyhow, bail};
use arbiter_config::Config;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::complain;
use arbiter_host::files::make_folder;
use arbiter_rank::schedule::is_bot_name;
use arbiter_rules::Game;
use clap::{Args, ValueEnum};
use std::fmt::Display;
use std::fs;
use std::io::{ErrorKind, IsTerminal, Write, stderr, stdin};
use std::path::{Path, PathBuf};

/// What a configuration is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Purpose {
    /// Submissions of a class, played after each push
    Class,
    /// A league, played each night
    League,
    /// A test whether a version of a bot is better than another
    Versions,
}

impl Purpose {
    /// The configuration and the workflow, in which @BOTS@, @GAME@ and @NAME@ stand for what is
    /// asked, @REPOSITORY@ for where arbiter comes from.
    fn templates(self) -> [&'static str; 2] {
        match self {
            Purpose::Class => [include_str!("class.toml"), include_str!("class.yml")],
            Purpose::League => [include_str!("league.toml"), include_str!("league.yml")],
            Purpose::Versions => [include_str!("versions.toml"), include_str!("versions.yml")],
        }
    }

    fn word(self) -> &'static str {
        match self {
            Purpose::Class => "class",
            Purpose::League => "league",
            Purpose::Versions => "versions",
        }
    }

    /// The folder of the bots, if no other is named.
    fn folder(self) -> &'static str {
        if self == Purpose::Versions { "bots" } else { "submissions" }
    }
}

/// The group of these options in the help.
const NEW: &str = "A new configuration";

/// The options for a new configuration.
#[derive(Debug, Args)]
pub(super) struct Init {
    /// Write a commented configuration, and the workflow that plays it, and play nothing; what is
    /// not given is asked for on a terminal
    #[arg(long, value_name = "PURPOSE", num_args = 0..=1, require_equals = true)]
    #[arg(help_heading = NEW)]
    #[expect(
        clippy::option_option,
        reason = "--init, --init=PURPOSE or neither, as clap reads it"
    )]
    init: Option<Option<Purpose>>,
    /// Its game
    #[arg(long, value_name = "GAME", requires = "init", value_parser = game, help_heading = NEW)]
    game: Option<Game>,
    /// The folder with a sub-folder for each bot, seen from the configuration; with --init=versions
    /// they are new and old
    #[arg(long, value_name = "DIR", requires = "init", value_parser = folder, help_heading = NEW)]
    bots: Option<String>,
}

/// Where workflows install arbiter from.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// What is private in a result folder (docs/reference/publishing.md), as `.gitignore` names it.
const PRIVATE: [&str; 7] = [
    "journal*.jsonl*",
    "aliases.txt",
    "feedback-links.txt",
    "feedback-links/",
    "bots/",
    "feedback/",
    "builds/",
];

impl Init {
    /// Writes the files, if they are asked for. Returns whether they are.
    ///
    /// # Errors
    /// A file is there already, or cannot be written; the error names it.
    pub fn write(&self, config: Option<&Path>) -> Result<bool, Failure> {
        let Some(given) = self.init else { return Ok(false) };
        let what = "What for? class, league or versions";
        let purpose = answer(given, what, Purpose::Class.word(), read_purpose)?;
        let which = format!("Which game? {}", Game::NAMES.join(", "));
        let chosen = answer(self.game.clone(), &which, Game::ALL[0].name(), game)?;
        let question = "In which folder are the bots, each in a folder of its own?";
        let bots = answer(self.bots.clone(), question, purpose.folder(), folder)?;
        let config = match config {
            Some(config) => config.to_owned(),
            None => PathBuf::from(format!("{}.toml", purpose.word())),
        };
        let Some(name) = tournament_name(&config) else {
            let why = anyhow!(
                "{}: the file is called after the tournament, such as cup.toml, \
                 in letters, digits, `.`, `_` and `-`",
                config.display()
            );
            return Err(why.into());
        };
        let beside = config.parent().unwrap_or(Path::new(""));
        let workflow = beside.join(".github/workflows").join(format!("{name}.yml"));
        let [text, steps] = purpose.templates().map(|template| {
            let text = template.replace("@BOTS@", &bots).replace("@GAME@", chosen.name());
            text.replace("@NAME@", name).replace("@REPOSITORY@", REPOSITORY)
        });
        // The answers of the user are in it: what they break is found before anything is written.
        if let Err(errors) = Config::parse(&text) {
            return Err(anyhow!("{}", errors.display(&config.display().to_string())).into());
        }
        for path in [&config, &workflow] {
            if path.symlink_metadata().is_ok() {
                let why = anyhow!(
                    "{}: it is there already, and nothing is written over it; \
                     name another CONFIG.toml",
                    path.display()
                );
                return Err(why.into());
            }
        }
        let of_bots = beside.join(&bots);
        for dir in [&of_bots, &beside.join(".github/workflows")] {
            make_folder(dir).map_err(|error| Failure::writing(dir.display(), error))?;
        }
        for (path, content) in [(&config, text), (&workflow, steps)] {
            let written = write_new(path, &content).with_context(|| path.display().to_string());
            written.map_err(Failure::Unfinished)?;
        }
        let ignored = beside.join(".gitignore");
        let written = ignore_private(&ignored, name).with_context(|| ignored.display().to_string());
        written.map_err(Failure::Unfinished)?;
        let config = config.display();
        let workflow = workflow.display();
        complain(format_args!(
            "{config}: `arbiter tournament {config}` plays it, and {workflow} does so on GitHub"
        ));
        if REPOSITORY.contains("OWNER") {
            complain(format_args!("{workflow}: write who publishes arbiter in place of OWNER"));
        }
        let has_both = of_bots.join("new").exists() && of_bots.join("old").exists();
        if purpose == Purpose::Versions && !has_both {
            complain(format_args!(
                "{}: put the two versions there, in the folders new and old",
                of_bots.display()
            ));
        }
        Ok(true)
    }
}

/// The name of the tournament in a file, which results, workflow and page are called after.
fn tournament_name(config: &Path) -> Option<&str> {
    let name = config.file_stem()?.to_str()?;
    (config.extension()? == "toml" && is_bot_name(name)).then_some(name)
}

/// Has git ignore what is private in the results of this name (docs/reference/publishing.md), and
/// the folder of copies, so that no commit of a workflow or of an organiser publishes them. Lines
/// that are there stay.
fn ignore_private(file: &Path, name: &str) -> std::io::Result<()> {
    let there = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let mut lines = String::new();
    if !there.is_empty() && !there.ends_with('\n') {
        lines.push('\n');
    }
    for path in PRIVATE {
        let line = format!("/{name}/{path}");
        if !there.lines().any(|known| known == line) {
            lines.push_str(&line);
            lines.push('\n');
        }
    }
    fs::OpenOptions::new().append(true).create(true).open(file)?.write_all(lines.as_bytes())
}

/// What is given, or else what the user answers on a terminal; without one, or without an answer,
/// the default.
fn answer<T, E: Display>(
    given: Option<T>,
    question: &str,
    default: &str,
    read: impl Fn(&str) -> Result<T, E>,
) -> anyhow::Result<T> {
    if let Some(given) = given {
        return Ok(given);
    }
    let is_asked = stdin().is_terminal() && stderr().is_terminal();
    loop {
        let mut line = String::new();
        if is_asked {
            write!(stderr(), "{question} [{default}] ").context("the terminal")?;
            if stdin().read_line(&mut line).context("the terminal")? == 0 {
                bail!("the input ended before all questions were answered; nothing is written");
            }
        }
        let word = Some(line.trim()).filter(|word| !word.is_empty()).unwrap_or(default);
        match read(word) {
            Ok(value) => return Ok(value),
            Err(why) if is_asked => complain(why),
            Err(why) => bail!("{word}: {why}"),
        }
    }
}

fn read_purpose(word: &str) -> Result<Purpose, &'static str> {
    <Purpose as ValueEnum>::from_str(word, true).map_err(|_| "write class, league or versions")
}

/// A game of arbiter.
fn game(name: &str) -> Result<Game, String> {
    let found = Game::ALL.into_iter().find(|game| game.name() == name);
    found.ok_or_else(|| format!("the games are {}", Game::NAMES.join(", ")))
}

/// A folder whose path needs no quoting in a configuration, a workflow or a shell.
fn folder(path: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._/-".contains(letter);
    if !path.is_empty() && !path.starts_with('-') && path.chars().all(is_plain) {
        Ok(path.trim_end_matches('/').to_owned())
    } else {
        Err("write a folder in letters, digits, `.`, `_`, `-` and `/`, such as submissions"
            .to_owned())
    }
}
