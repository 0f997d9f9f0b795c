//! `arbiter new`: a bot, or a custom game, to start from.

mod bot;
mod own_game;
mod samples;

use super::{CommandResult, Verdict};
use arbiter_cup::report::feedback::shell_word;
use arbiter_ground::output::print_if_open;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use samples::{SAMPLES, Sample};
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  arbiter new                              the languages, and what each needs
  arbiter new python mybot                 a bot in Python in the new folder mybot
  arbiter new python-function mybot        a function in Python, without lines to read
  arbiter new java mybot --game gekitai    one for this game alone
  arbiter new --rules mygame               the rules of a small game";

/// Write a working bot to start from, or a small game
///
/// The folder gets a program that plays legal moves in every game, with one place that is marked
/// for the author's idea, its bot.toml, a README, and what builds it. It must be empty or not there
/// yet. Without arguments the languages are listed. With --rules the folder gets the rules of a
/// small game instead, as a Python file with the name of the folder, and the module
/// arbiter_rules.py by which a bot in Python loads them; nothing that is there already is changed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct NewCommand {
    /// The language of the bot; without arguments the languages are listed
    #[arg(requires = "dir", value_parser = languages(), ignore_case = true)]
    #[arg(hide_possible_values = true)]
    language: Option<&'static Sample>,
    /// The folder to write the bot into
    dir: Option<PathBuf>,
    /// The game that the bot is for, or a file of rules such as ./connect4.py; by default any game
    #[arg(long, value_name = "GAME", requires = "language")]
    game: Option<String>,
    /// Write a game into this folder, which is made if it is missing, and no bot
    #[arg(long, value_name = "DIR", conflicts_with = "language")]
    rules: Option<PathBuf>,
}

impl NewCommand {
    pub(super) fn run(self) -> CommandResult {
        match (self.rules, self.language.zip(self.dir)) {
            (Some(folder), _) => own_game::write_game(&folder),
            (None, Some((sample, folder))) => bot::write_bot(sample, &folder, self.game.as_deref()),
            (None, None) => {
                print_if_open(bot::list())?;
                Ok(Verdict::DONE)
            }
        }
    }
}

/// The languages as words of the command line, with their other names.
fn languages() -> impl TypedValueParser<Value = &'static Sample> {
    let words =
        SAMPLES.iter().map(|sample| PossibleValue::new(sample.word).aliases(sample.aliases));
    PossibleValuesParser::new(words)
        .try_map(|word| Sample::called(&word).ok_or("there is no sample in this language"))
}

/// A path as a word of a shell, with a `/`, so that it is neither taken for a command nor for a
/// flag.
fn path_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text =
        if text.contains('/') || text == "." { text.into_owned() } else { format!("./{text}") };
    shell_word(&text)
}

/// Writes a file that is not there yet. A script with a first line for its interpreter may be
/// executed.
pub(super) fn write_new(path: &Path, content: &str) -> std::io::Result<()> {
    let mode = if content.starts_with("#!") { 0o777 } else { 0o666 };
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)?
        .write_all(content.as_bytes())
}
