//! `arbiter verify`: checks logs against the rules.

use super::{CommandResult, Failure, print_if_open};
use crate::record::{Record, read_raw};
use crate::replay::replay;
use crate::report::json;
use crate::text::harmless;
use anyhow::Context;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Replay game logs against the rules
#[derive(Debug, Args)]
pub struct VerifyCommand {
    /// Game logs
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object for each game on standard output
    #[arg(long)]
    json: bool,
}

/// The result of checking one game.
struct Finding {
    game: usize,
    line: usize,
    ply: Option<usize>,
    message: Option<String>,
}

impl VerifyCommand {
    pub(super) fn run(self) -> CommandResult {
        let mut valid = true;
        for path in &self.files {
            let file = path.display().to_string();
            let log = std::fs::read(path).with_context(|| file.clone())?;
            let (mut games, mut invalid) = (0, 0);
            for finding in findings(&log) {
                games += 1;
                invalid += usize::from(finding.message.is_some());
                self.show(&file, &finding)?;
            }
            valid &= invalid == 0;
            if !self.json {
                let noun = if games == 1 { "game" } else { "games" };
                match invalid {
                    0 => print_if_open(format_args!("{file}: {games} {noun}, valid"))?,
                    _ => print_if_open(format_args!("{file}: {games} {noun}, {invalid} invalid"))?,
                }
            }
        }
        Ok(ExitCode::from(u8::from(!valid)))
    }

    fn show(&self, file: &str, finding: &Finding) -> Result<(), Failure> {
        let Finding { game, line, ply, message } = finding;
        if self.json {
            return print_if_open(json::verified(file, *game, *line, *ply, message.as_deref()));
        }
        let Some(message) = message else { return Ok(()) };
        let place = match ply {
            Some(ply) => format!("{file}:{line}: game {game}, ply {ply}"),
            None => format!("{file}:{line}: game {game}"),
        };
        print_if_open(harmless(&format!("{place}: {message}")))
    }
}

fn findings(log: &[u8]) -> impl Iterator<Item = Finding> {
    read_raw(log).map(|raw| {
        let raw = match raw {
            Ok(raw) => raw,
            Err(error) => return unreadable(error),
        };
        let record = match Record::from_raw(&raw) {
            Ok(record) => record,
            Err(error) => return unreadable(error),
        };
        match replay(&record) {
            Ok(()) => Finding { game: raw.number, line: raw.line, ply: None, message: None },
            Err(divergence) => {
                let ply = divergence.ply.and_then(|ply| raw.moves.get(ply - 1));
                let line = ply.map_or(raw.result_line, |ply| ply.line);
                Finding { game: raw.number, line, ply: divergence.ply, message: Some(divergence.what) }
            }
        }
    })
}

fn unreadable(error: crate::record::LogError) -> Finding {
    Finding { game: error.game, line: error.line, ply: error.ply, message: Some(error.message) }
}
