//! `arbiter games`: the games and their options.

use super::CommandResult;
use crate::director::write_out;
use crate::rules::{Game, Side};
use clap::Args;
use std::fmt::Write;
use std::process::ExitCode;

/// List the games with their rule options, ranges and defaults
#[derive(Debug, Args)]
pub struct GamesCommand {}

impl GamesCommand {
    pub(super) fn run(self) -> CommandResult {
        let games: Vec<String> = Game::ALL.into_iter().map(text).collect();
        write_out(games.join("\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A line for the game and a line for each option.
fn text(game: Game) -> String {
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
        let _ = writeln!(out, "  {:<14}{}: {}; default {}", spec.key, spec.about, spec.range, spec.default);
    }
    out
}
