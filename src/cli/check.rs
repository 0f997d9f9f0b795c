//! `arbiter check --rules`: tries the rules of a game of one's own.

use super::CommandResult;
use crate::director::try_rules_out;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  arbiter check --rules connect4.py                 a thousand random games, and each option at both its ends
  arbiter check --rules connect4.py --games 50      a quick look while the rules are written

Exit status: 0 no mistake; 1 the rules have a mistake; 2 bad usage or input.";

/// Try the rules of a game out
///
/// Plays random games with every option at its default, and a tenth as many with each option at its least and at its greatest
/// value. Each position is read from its text again, and asked about twice, in another order and in another process. Shows how
/// long games are, how many moves there are, who wins, the time a move takes, and each mistake with the shortest way to it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckCommand {
    /// The rules: a Python file, a program, or a folder with a game.toml
    #[arg(long, value_name = "FILE", required = true)]
    rules: PathBuf,
    /// The number of random games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
}

impl CheckCommand {
    pub(super) fn run(self) -> CommandResult {
        match try_rules_out(&self.rules, self.games)? {
            0 => Ok(ExitCode::SUCCESS),
            _ => Ok(ExitCode::from(1)),
        }
    }
}
