//! `arbiter merge`: joins the results of shards, or of interrupted copies, into one folder, each
//! game once.

use super::{ALL_BOTS, CommandResult, strict};
use arbiter_ground::verdict::Strict;
use arbiter_run::merge::merge;
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  arbiter merge cup.shard-*-of-3 --out cup        joins three shards
  arbiter standings cup                           its table
  arbiter tournament cup.toml --missing cup       plays what a lost shard left out

Exit status: 0 all games are there; 1 games are missing, which missing.txt in the folder lists \
(or --strict, [expect]); 2 the folders do not belong together, or a game in them does not belong \
to the tournament; 4 none is missing so far, and the shards can play the next round.";

/// Join the results of shards, or of interrupted copies of a run, into one folder
///
/// Each game is taken once, by its id and the contents of its bots, whatever the order of the
/// folders and however often a game is in them; those that OUT has already stay. Shards may still
/// be running: what they have recorded is taken, and the same command takes the rest later. Records
/// of one game with different plies or results are reported; the lowest attempt counts, then the
/// smallest SHA-256 of the line in the journal.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MergeCommand {
    /// The result folders
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// The folder for all of their games
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Exit with status 1 after a forfeit or an aborted game, or when a bot could not be scheduled;
    /// with a name, of that bot
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = ALL_BOTS, value_parser = strict)]
    strict: Option<Strict>,
}

impl MergeCommand {
    pub(super) fn run(self) -> CommandResult {
        merge(&self.dirs, &self.out, &self.strict.unwrap_or_default())
    }
}
