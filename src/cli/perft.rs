//! `arbiter perft`: counts sequences of plies.

use super::{CommandResult, RulesArguments, Verdict};
use anyhow::anyhow;
use arbiter_game::Settings;
use arbiter_ground::output::print;
use arbiter_rules::{divide, perft_of_rules};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  arbiter perft loa 4                             the number of sequences of four plies
  arbiter perft loa 4 --divide                    the share of each first ply";

/// Count the sequences of DEPTH plies from a position
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
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
        let position = self.rules.position(&Settings::of_play().limits)?;
        let count = perft_of_rules(&position, self.depth).map_err(|fault| anyhow!(*fault))?;
        if self.divide {
            let rows = divide(&position, self.depth);
            for (ply, below) in &rows {
                print(format_args!("{ply} {below}"))?;
            }
        }
        print(count)?;
        Ok(Verdict::DONE)
    }
}
