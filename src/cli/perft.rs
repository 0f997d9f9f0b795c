//! `arbiter perft`: counts sequences of plies.

use super::{CommandResult, RulesArguments};
use crate::director::print;
use crate::game::Sandbox;
use crate::rules::{divide, perft};
use clap::Args;
use std::process::ExitCode;

/// Count the sequences of DEPTH plies from a position
#[derive(Debug, Args)]
pub struct PerftCommand {
    #[command(flatten)]
    rules: RulesArguments,
    /// The number of plies in a sequence
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Print the count after each first ply before the total, sorted
    #[arg(long)]
    divide: bool,
}

impl PerftCommand {
    pub(super) fn run(self) -> CommandResult {
        let position = self.rules.position(Sandbox::Basic)?;
        if self.divide {
            let rows = divide(&position, self.depth);
            for (ply, count) in &rows {
                print(format_args!("{ply} {count}"))?;
            }
        }
        print(perft(&position, self.depth))?;
        Ok(ExitCode::SUCCESS)
    }
}
