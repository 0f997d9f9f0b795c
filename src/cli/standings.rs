//! `arbiter standings`: table, crosstable and ratings from game logs, without playing.

use super::tournament::tournament_report;
use super::{CommandResult, write_out};
use crate::game::GameResult;
use crate::rating::Ratings;
use crate::record::{RawGame, Record, read_raw};
use crate::report::junit::{Cases, JUnit, JUnitGame};
use crate::report::standings::{
    Explanation, SortBy, StandingsReport, history, history_markdown, json, markdown, text,
};
use crate::rules::{Game, Side};
use crate::standings::{Ranking, Score, Scored, Standings};
use crate::store::ResultFolder;
use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Show table, crosstable and ratings from game logs
///
/// A single result folder is shown as its tournament shows it, finished or not. Of logs of other programs the
/// tags White, Black and Result are used.
#[derive(Debug, Args)]
pub struct StandingsCommand {
    /// Game logs, or result folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
    /// The order of the lines; ranks stay those by points
    #[arg(long, default_value = "points")]
    sort: SortOrder,
    /// Explain every figure of the text; Markdown always does
    #[arg(long)]
    explain: bool,
    /// Show the runs of a result folder instead, with the ratings after each; JSON always has them
    #[arg(long)]
    history: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SortOrder {
    /// By rank
    Points,
    /// By rating
    Rating,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum OutputFormat {
    /// Aligned columns
    Text,
    /// A Markdown page
    Markdown,
    /// One object with all figures
    Json,
    /// JUnit XML: one case for each bot, forfeits as failures; for arbiter's own logs only
    Junit,
}

impl StandingsCommand {
    pub(super) fn run(self) -> CommandResult {
        let show: fn(&StandingsReport<'_>) -> String = match self.format {
            OutputFormat::Text if self.history => history,
            OutputFormat::Markdown if self.history => history_markdown,
            OutputFormat::Junit if self.history => {
                return Err(anyhow!("--history: JUnit XML has no place for it; leave one of them out").into());
            }
            OutputFormat::Text if self.explain => |report| text(report, Explanation::Full),
            OutputFormat::Text => |report| text(report, Explanation::Short),
            OutputFormat::Markdown => markdown,
            OutputFormat::Json => json,
            OutputFormat::Junit => {
                write_out(self.junit()?)?;
                return Ok(ExitCode::SUCCESS);
            }
        };
        let sort = match self.sort {
            SortOrder::Points => SortBy::Points,
            SortOrder::Rating => SortBy::Rating,
        };
        let sorted = |report| show(&StandingsReport { sort, ..report });
        let shown = match &self.paths[..] {
            [folder] if ResultFolder::of(folder).journal().is_file() => {
                sorted(tournament_report(&ResultFolder::of(folder).journal())?.standings_report())
            }
            _ if self.history => {
                return Err(
                    anyhow!("--history: name one result folder; game logs do not tell of runs").into()
                );
            }
            _ => {
                let table = self.fold()?;
                let ratings = Ratings::fit(table.rows().len(), table.encounters());
                sorted(StandingsReport::of(&table, &ratings))
            }
        };
        write_out(shown)?;
        Ok(ExitCode::SUCCESS)
    }

    /// The standings of all logs together.
    fn fold(&self) -> anyhow::Result<Standings> {
        let mut table = Standings::new(Ranking::Points);
        for path in &self.paths {
            each_game(path, |game| {
                table.add(&scored(game)?);
                Ok(())
            })?;
            table.end_of_log();
        }
        Ok(table)
    }

    fn junit(&self) -> anyhow::Result<String> {
        let mut junit = JUnit::new("arbiter", Cases::Bots, []);
        for path in &self.paths {
            each_game(path, |game| {
                let record = Record::from_raw(game)?;
                junit.game(&JUnitGame { record: &record, stderr: None, time: None });
                Ok(())
            })?;
        }
        Ok(junit.finish())
    }
}

/// Calls `each` with every game of a log, or of a folder's `games.pgn`.
fn each_game(path: &Path, mut each: impl FnMut(&RawGame<'_>) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let path = if path.is_dir() { path.join("games.pgn") } else { path.to_owned() };
    let file = path.display().to_string();
    let log = std::fs::read(&path).with_context(|| file.clone())?;
    for game in read_raw(&log) {
        let game = game.map_err(|error| anyhow!("{file}: {error}"))?;
        each(&game).with_context(|| file.clone())?;
    }
    Ok(())
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
    let of_white = match result {
        GameResult::White => Some(Score::Win),
        GameResult::Draw => Some(Score::Draw),
        GameResult::Black => Some(Score::Loss),
        GameResult::Unknown => None,
    };
    let known = game.tag("Game").and_then(|tag| Game::named(&tag.value));
    let (white, black) = (tag("White")?, tag("Black")?);
    let (first, second, score) = match known.map_or(Side::First, Game::white) {
        Side::First => (white, black, of_white),
        Side::Second => (black, white, of_white.map(Score::of_opponent)),
    };
    let text = |name: &str| game.tag(name).map(|tag| tag.value.as_ref());
    Ok(Scored {
        score,
        outcome: text("Outcome").unwrap_or_default(),
        termination: text("Termination").unwrap_or_default(),
        pair: text("Pair"),
        plies: (!game.moves.is_empty()).then(|| hash(game)),
        ..Scored::between(first, second)
    })
}

/// A hash of the start position and the moves as they are written, which finds repeated games.
fn hash(game: &RawGame<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.tag("FEN").map(|tag| &tag.value).hash(&mut hasher);
    game.moves.iter().for_each(|ply| ply.text.hash(&mut hasher));
    hasher.finish()
}
