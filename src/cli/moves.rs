//! `arbiter moves`: the legal plies of a position.

use super::{CommandResult, RulesArguments};
use crate::director::{complain, print};
use crate::game::Sandbox;
use clap::Args;
use std::process::ExitCode;

/// List the legal moves of a position, one a line, sorted
#[derive(Debug, Args)]
pub struct MovesCommand {
    #[command(flatten)]
    rules: RulesArguments,
}

impl MovesCommand {
    pub(super) fn run(self) -> CommandResult {
        let position = self.rules.position(Sandbox::Basic)?;
        let ruleset = position.ruleset();
        if let Some(ending) = position.ending() {
            let winner =
                ending.winner.map_or("a draw".to_owned(), |side| format!("{} wins", ruleset.letter(side)));
            complain(format_args!("arbiter: the position is over: {winner} ({})", ending.reason));
        }
        for ply in position.sorted_plies() {
            print(ruleset.ply_text(ply))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
