//! `arbiter standings`: the table from game logs, without playing.

use super::{Outcome, write_out};
use crate::record::{GameResult, RawGame, read_raw};
use crate::report;
use crate::standings::{Scored, Standings as Table};
use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// Show points, wins, draws and losses from game logs
///
/// Logs of other programs count as far as their tags White, Black and Result go.
#[derive(Debug, Args)]
pub struct Standings {
    /// Game logs, or folders with a games.pgn
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How to write the table
    #[arg(long, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Markdown,
    Json,
}

impl Standings {
    pub(super) fn run(self) -> Outcome {
        let mut table = Table::default();
        for path in &self.paths {
            let path = if path.is_dir() { path.join("games.pgn") } else { path.clone() };
            let file = path.display().to_string();
            let log = std::fs::read(&path).with_context(|| file.clone())?;
            for game in read_raw(&log) {
                let game = game.map_err(|error| anyhow!("{file}: {error}"))?;
                table.add(&scored(&game).map_err(|error| error.context(file.clone()))?);
            }
        }
        write_out(match self.format {
            Format::Text => report::standings::text(&table),
            Format::Markdown => report::standings::markdown(&table),
            Format::Json => report::standings::json(&table),
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn scored<'a>(game: &'a RawGame<'_>) -> anyhow::Result<Scored<'a>> {
    let place = || format!("line {}: game {}", game.line, game.number);
    let tag = |name: &str| {
        let tag = game.tag(name).ok_or_else(|| anyhow!("{}: the tag {name} is missing", place()))?;
        Ok::<_, anyhow::Error>(tag.value.as_ref())
    };
    let result = tag("Result")?;
    let result = GameResult::named(result)
        .ok_or_else(|| anyhow!("{}: Result is {result:?}; it is 1-0, 0-1, 1/2-1/2 or *", place()))?;
    let outcome = game.tag("Outcome").map_or("", |tag| tag.value.as_ref());
    Ok(Scored { white: tag("White")?, black: tag("Black")?, result, outcome })
}
