//! `arbiter replay`: shows a logged game, board by board.

use super::{CommandResult, complain, write_out};
use crate::record::read_log;
use crate::replay::replay;
use crate::report::text;
use anyhow::{Context, anyhow};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show a logged game, every move with the board after it
#[derive(Debug, Args)]
pub struct ReplayCommand {
    /// A game log
    file: PathBuf,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// Print every board and move, one after the other
    #[arg(long)]
    plain: bool,
}

impl ReplayCommand {
    pub(super) fn run(self) -> CommandResult {
        let file = self.file.display().to_string();
        let log = std::fs::read(&self.file).with_context(|| file.clone())?;
        let mut count = 0;
        for (index, record) in read_log(&log).enumerate() {
            let record = record.map_err(|error| anyhow!("{file}: {error}"))?;
            count = index + 1;
            if count == self.game {
                write_out(text::replay(&record))?;
                let Err(divergence) = replay(&record) else { return Ok(ExitCode::SUCCESS) };
                let ply = divergence.ply.map(|ply| format!(", ply {ply}")).unwrap_or_default();
                complain(format_args!("arbiter: {file}: game {count}{ply}: {divergence}"));
                return Ok(ExitCode::from(1));
            }
        }
        let noun = if count == 1 { "game" } else { "games" };
        Err(anyhow!("{file}: --game {}: the file has {count} {noun}, counted from 1", self.game).into())
    }
}
