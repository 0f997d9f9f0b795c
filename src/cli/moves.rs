//! `arbiter moves`: the legal plies of a position.

use super::{CommandResult, RulesArguments, Verdict};
use anyhow::{Context, anyhow};
use arbiter_game::{Outcome, Settings};
use arbiter_ground::output::{complain, print};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  arbiter moves loa                               from the start position
  arbiter moves loa --after b1-h1                 after this move";

/// List the legal moves of a position, one a line, sorted
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MovesCommand {
    #[command(flatten)]
    rules: RulesArguments,
    /// Play this move first
    #[arg(long, value_name = "MOVE")]
    after: Option<String>,
}

impl MovesCommand {
    pub(super) fn run(self) -> CommandResult {
        let mut position = self.rules.position(&Settings::of_play().limits)?;
        let ruleset = position.ruleset();
        if let Some(text) = &self.after {
            let place = || format!("--after {text:?}");
            let ply = ruleset.read_ply(text).with_context(place)?;
            position.check(ply).with_context(place)?;
            position.play(ply);
        }
        if let Some(fault) = position.fault() {
            return Err(anyhow!(fault.clone()).into());
        }
        if let Some(outcome) = Outcome::by_rules(&position) {
            let winner = match outcome.winner() {
                Some(side) => format!("{} wins", ruleset.letter(side)),
                None => "a draw".to_owned(),
            };
            let reason = outcome.termination();
            complain(format_args!("arbiter: the position is over: {winner} ({reason})"));
        }
        for ply in position.sorted_plies() {
            print(ruleset.ply_text(ply))?;
        }
        Ok(Verdict::DONE)
    }
}
