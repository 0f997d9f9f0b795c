//! `arbiter perft`: counts plies.

use super::{Outcome, Rules, print};
use crate::rules::{divide, perft};
use clap::Args;
use std::process::ExitCode;

/// Count the sequences of DEPTH plies from a position
#[derive(Debug, Args)]
pub struct Perft {
    #[command(flatten)]
    rules: Rules,
    /// How many plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// First the count after each ply, sorted
    #[arg(long)]
    divide: bool,
}

impl Perft {
    pub(super) fn run(self) -> Outcome {
        let position = self.rules.position()?;
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
