//! `arbiter games`: the games and their options.

use super::{CommandResult, Verdict};
use arbiter_game::Settings;
use arbiter_ground::output::{complain, write_out};
use arbiter_ground::own_rules::{load_rules, rules_in};
use arbiter_rules::{Game, Ruleset, Side};
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  arbiter games                                   those of arbiter
  arbiter games ./connect4.py                     that of a file of rules";

/// List the games with their rule options, ranges and defaults
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GamesCommand {
    /// Rules of games, or folders of such files, to list instead of the games of arbiter
    #[arg(value_name = "FILE|DIR")]
    files: Vec<PathBuf>,
}

impl GamesCommand {
    pub(super) fn run(self) -> CommandResult {
        if self.files.is_empty() {
            write_out(Game::ALL.each_ref().map(text).join("\n"))?;
            return Ok(Verdict::DONE);
        }
        let mut texts = Vec::new();
        let mut status = 0;
        for path in rules_in(&self.files)? {
            let loaded = load_rules(&path, &Settings::of_play().limits);
            match loaded.and_then(|rules| Ok(Ruleset::by_rules(&rules, &[])?)) {
                Ok(ruleset) => {
                    let file = format!(" ({})\n", path.display());
                    texts.push(text(ruleset.game()).replacen('\n', &file, 1));
                }
                Err(why) => {
                    complain(format_args!("arbiter: {why:#}"));
                    status = 2;
                }
            }
        }
        write_out(texts.join("\n"))?;
        Ok(Verdict::of(status))
    }
}

/// A line for the game and a line for each option.
fn text(game: &Game) -> String {
    let letters = game.letters();
    let mut out = format!(
        "{}  {}; {} moves first, then {}\n",
        game.name(),
        game.title(),
        letters[Side::First],
        letters[Side::Second]
    );
    for spec in game.options() {
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "  {:<14}{}: {}; default {}",
            spec.key, spec.about, spec.range, spec.default
        );
    }
    out
}
