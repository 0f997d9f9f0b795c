//! `arbiter verify`: checks logs against the rules.

use super::input_file::LogFile;
use super::{CommandResult, Failure, complain, print_if_open};
use crate::record::{LogError, RawGame, ReadEnd, Record, read_stream};
use crate::replay::{contradiction_of_id, replay};
use crate::report::json;
use crate::standings::GameIds;
use crate::text::harmless;
use anyhow::anyhow;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Maximum number of repeated ids that are named for a log.
const NAMED_IDS: usize = 3;

/// Replay game logs against the rules
///
/// A log is invalid if a ply is illegal, if result, outcome or reason are not what the rules say, or if GameId
/// names other players. A game with the GameId, Event, Seed and players of an earlier one is valid, with a
/// remark.
#[derive(Debug, Args)]
pub struct VerifyCommand {
    /// Game logs, result folders (their games.pgn), or - for standard input
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
        let mut ids = GameIds::default();
        for path in &self.files {
            let LogFile { name, source } = LogFile::open(path)?;
            let (mut games, mut invalid, mut repeated) = (0, 0, 0);
            let read = read_stream(source, |game| {
                games += 1;
                if let Ok(game) = &game
                    && ids.repeats(|name| game.tag(name).map(|tag| &*tag.value))
                {
                    repeated += 1;
                    if repeated <= NAMED_IDS {
                        self.remark(&name, game).map_err(ReadEnd::Ended)?;
                    }
                }
                let finding = check(game);
                invalid += usize::from(finding.message.is_some());
                self.show(&name, &finding).map_err(ReadEnd::Ended)
            });
            match read {
                Ok(()) => {}
                Err(ReadEnd::Ended(failure)) => return Err(failure),
                Err(ReadEnd::Unreadable(error)) => return Err(anyhow!(error).context(name).into()),
            }
            valid &= invalid == 0;
            if !self.json {
                let noun = if games == 1 { "game" } else { "games" };
                let remarks = match repeated {
                    0 => String::new(),
                    1 => "; 1 repeats the GameId of an earlier game".to_owned(),
                    _ => format!("; {repeated} repeat the GameId of an earlier game"),
                };
                let invalid = if invalid == 0 { "valid".to_owned() } else { format!("{invalid} invalid") };
                print_if_open(harmless(&format!("{name}: {games} {noun}, {invalid}{remarks}")))?;
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

    /// Says that a game's id was given before: among the findings, or beside the JSON objects, whose shape has
    /// no place for it.
    fn remark(&self, file: &str, game: &RawGame<'_>) -> Result<(), Failure> {
        let Some(id) = game.tag("GameId") else { return Ok(()) };
        let (line, number, id) = (id.line, game.number, &id.value);
        let remark =
            format!("{file}:{line}: game {number}: remark: GameId {id:?} is that of an earlier game");
        if self.json {
            complain(remark);
            return Ok(());
        }
        print_if_open(harmless(&remark))
    }
}

fn check(game: Result<RawGame<'_>, LogError>) -> Finding {
    let read = game.and_then(|raw| Ok((Record::from_raw(&raw)?, raw)));
    let (record, raw) = match read {
        Ok(read) => read,
        Err(LogError { line, game, ply, message }) => {
            return Finding { game, line, ply, message: Some(message) };
        }
    };
    if let Err(divergence) = replay(&record) {
        let ply = divergence.ply.and_then(|ply| raw.moves.get(ply - 1));
        let line = ply.map_or(raw.result_line, |ply| ply.line);
        return Finding { game: raw.number, line, ply: divergence.ply, message: Some(divergence.what) };
    }
    let message = contradiction_of_id(&record);
    let line = raw.tag("GameId").filter(|_| message.is_some()).map_or(raw.line, |tag| tag.line);
    Finding { game: raw.number, line, ply: None, message }
}
