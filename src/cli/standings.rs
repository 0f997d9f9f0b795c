//! `arbiter standings`: table, crosstable and ratings from game logs, without playing.

use super::CommandResult;
use anyhow::{Context, anyhow, bail};
use arbiter_config::Names;
use arbiter_cup::report::junit::{Cases, JUnit};
use arbiter_cup::report::parts;
use arbiter_cup::report::standings::{
    Explanation, SortBy, StandingsReport, history, history_markdown, json, markdown, text,
};
use arbiter_game::record::{Record, read_heads};
use arbiter_game::replay::replay;
use arbiter_ground::input_file::{LogFile, NO_GAME, records_of, refuse_pipes};
use arbiter_ground::output::{complain, fitted, write_out};
use arbiter_ground::own_rules::RulesFlag;
use arbiter_play::store::ResultFolder;
use arbiter_rank::rating::{FirstSide, RatingOptions};
use arbiter_rank::standings::{LogStandings, Named};
use arbiter_rules::own::Rules;
use arbiter_rules::text::shortened;
use arbiter_run::tables::rate::rate;
use arbiter_run::tables::recorded::Recorded;
use arbiter_run::tables::report::{anonymizer, standings_report};
use clap::{Args, ValueEnum};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  arbiter standings spring-cup                    the table and ratings of a result folder
  arbiter standings *.pgn --sort rating           of logs, also of other programs
  arbiter standings spring-cup --format markdown  tables for a page or a chat";

/// Show table, crosstable and ratings from game logs
///
/// A single result folder is shown as its tournament shows it, finished or not; several folders of
/// different tournaments as the parts of a term, with the points in each and no ratings. Of logs,
/// also of other programs, the tags White, Black and Result are used, and the result after the
/// moves if there is no tag Result; the moves are not checked. Games without players or result are
/// left out and named. A game that was there before does not count again: with the same GameId,
/// Event, Seed, Game, Options, FEN, TimeControl, Settings, players and digests of these, or without
/// digests the same moves and result.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct StandingsCommand {
    /// Game logs, result folders, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
    /// The order of the lines; ranks stay those by points
    #[arg(long, default_value = "points")]
    sort: SortOrder,
    /// Of logs, or of several folders: rate them as those of a Swiss, where bots with equal results
    /// met; one result folder knows its format
    #[arg(long)]
    swiss: bool,
    /// Of logs: whether ratings take an advantage of the first side into account. By default they
    /// do if the tags show which side that is: a start position, a game of arbiter, or rounds in
    /// which sides are exchanged
    #[arg(long, value_name = "WHETHER")]
    first_side: Option<FirstSideChoice>,
    /// Explain every figure of the text; Markdown always does
    #[arg(long)]
    explain: bool,
    /// Replay every game first; if one contradicts the rules, name it, show no table and exit with
    /// status 1
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    rules: RulesFlag,
    /// Show the runs of a result folder instead, with the ratings after each; JSON always has them
    #[arg(long)]
    history: bool,
}

/// Why `--swiss` is refused.
pub(super) const SWISS_OF_FOLDER: &str =
    "--swiss: this result folder knows its format; leave the flag out";

/// Why `--first-side` is refused.
pub(super) const FIRST_SIDE_OF_FOLDER: &str =
    "--first-side: this result folder knows which side moves first; leave the flag out";

/// What the user says of the first side.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum FirstSideChoice {
    /// White, or the side that the tag Game says, moved first
    Estimate,
    /// The sides in the tags say nothing
    LeaveOut,
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
        if self.verify {
            refuse_pipes(&self.paths, "for --verify and for the table")?;
            let rules = self.rules.load()?;
            if self.has_wrong_games(rules.as_ref())? {
                return Ok(ExitCode::from(1));
            }
        }
        let show: fn(&StandingsReport) -> String = match self.format {
            OutputFormat::Text if self.history => history,
            OutputFormat::Markdown if self.history => history_markdown,
            OutputFormat::Junit if self.history => {
                return Err(anyhow!(
                    "--history: JUnit XML has no place for it; leave one of them out"
                )
                .into());
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
        let parts = self.parts()?;
        let shown = match self.journal() {
            _ if let Some(parts) = &parts => match self.format {
                OutputFormat::Text => parts::text(parts),
                OutputFormat::Markdown => parts::markdown(parts),
                OutputFormat::Json | OutputFormat::Junit => parts::json(parts),
            },
            Some(_) if self.swiss => return Err(anyhow!(SWISS_OF_FOLDER).into()),
            Some(_) if self.first_side.is_some() => {
                return Err(anyhow!(FIRST_SIDE_OF_FOLDER).into());
            }
            Some(journal) => {
                let recorded = Recorded::read(&journal)?;
                sorted(standings_report(&recorded, &anonymizer(&recorded, []))?)
            }
            None if self.history => {
                return Err(
                    anyhow!("--history: name one result folder; game logs have no runs").into()
                );
            }
            None => {
                let logs = fold(&self.paths)?;
                sorted(report_of_logs(&logs, self.swiss, self.first_side))
            }
        };
        write_out(match self.format {
            OutputFormat::Text => fitted(&shown, io::stdout()),
            OutputFormat::Markdown | OutputFormat::Json | OutputFormat::Junit => shown,
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// The journal, if the path is a single result folder.
    fn journal(&self) -> Option<PathBuf> {
        let [folder] = &self.paths[..] else { return None };
        Some(ResultFolder::existing(folder).journal()).filter(|journal| journal.is_file())
    }

    /// The reports of several result folders, if they are of several tournaments. Those of one are
    /// rated as one log, and so are all under `--swiss` and `--first-side`.
    ///
    /// # Errors
    /// A folder cannot be read, two are of one tournament, or a flag is for ratings.
    fn parts(&self) -> anyhow::Result<Option<Vec<StandingsReport>>> {
        let journals = self.paths.iter().map(|path| ResultFolder::existing(path).journal());
        let journals: Vec<PathBuf> = journals.filter(|journal| journal.is_file()).collect();
        if self.swiss
            || self.first_side.is_some()
            || self.history
            || journals.len() < self.paths.len()
        {
            return Ok(None);
        }
        let all = journals.iter().map(|journal| Recorded::read(journal));
        let all = all.collect::<anyhow::Result<Vec<Recorded>>>()?;
        let tournament = |recorded: &Recorded| recorded.head.fingerprint.clone();
        if all.iter().all(|recorded| tournament(recorded) == tournament(&all[0])) {
            return Ok(None);
        }
        if matches!(self.sort, SortOrder::Rating) {
            bail!("--sort rating: several tournaments have no common rating; leave it out");
        }
        for (at, recorded) in all.iter().enumerate() {
            let other =
                all[..at].iter().position(|other| tournament(other) == tournament(recorded));
            if let Some(other) = other {
                let [one, other] = [other, at].map(|at| self.paths[at].display());
                bail!(
                    "{one} and {other} are of one tournament; `arbiter merge {one} {other} --out FOLDER` joins them"
                );
            }
        }
        let key = |recorded: &Recorded| match recorded.config.publish.names {
            Names::Alias => Some(recorded.head.key.clone()),
            Names::Name => None,
        };
        if all.iter().any(|recorded| key(recorded) != key(&all[0])) {
            complain(
                "WARNING: a bot has other names in these folders, because their aliases follow from other keys; with the same \
                 `key-file` in [publish] it has the same",
            );
        }
        let parts = all.iter().zip(&self.paths).map(|(recorded, path)| {
            let mut report = standings_report(recorded, &anonymizer(recorded, []))?;
            let is_alone = all.iter().filter(|other| other.head.name == report.name).count() == 1;
            if !is_alone {
                report.name = path.display().to_string();
            }
            Ok(report)
        });
        parts.collect::<anyhow::Result<Vec<_>>>().map(Some)
    }

    /// Whether a game contradicts the rules, or is no game; each is named on standard error.
    fn has_wrong_games(&self, rules: Option<&Rules>) -> anyhow::Result<bool> {
        let mut has_wrong = false;
        let mut check = |place: &str, record: &Record| {
            if let Some(missing) = record.ruleset().missing_rules(rules) {
                bail!("{place}: {missing}");
            }
            let Err(divergence) = replay(record) else { return Ok(()) };
            if let Some(fault) = divergence.fault {
                return Err(anyhow!(*fault).context(place.to_owned()));
            }
            let ply = divergence.ply.map(|ply| format!(", ply {ply}")).unwrap_or_default();
            complain(format_args!(
                "{place}: game {}{ply}: {divergence}",
                record.id.as_deref().unwrap_or("?")
            ));
            has_wrong = true;
            Ok(())
        };
        if let Some(journal) = self.journal() {
            let place = journal.display().to_string();
            let recorded = Recorded::read(&journal)?;
            recorded.counted(|_, game| {
                check(&place, &recorded.journal.game(game.place)?.record_by(rules)?)
            })?;
            return Ok(has_wrong);
        }
        let mut is_unreadable = false;
        let mut checked = Ok(());
        for path in &self.paths {
            LogFile::open(path)?.games(|name, game| {
                match game.and_then(|game| Ok((game.line, Record::from_raw(&game, rules)?))) {
                    Ok(_) if checked.is_err() => {}
                    Ok((line, record)) => checked = check(&format!("{name}:{line}"), &record),
                    Err(error) => {
                        complain(format_args!("{name}: {error}"));
                        is_unreadable = true;
                    }
                }
            })?;
        }
        checked?;
        Ok(has_wrong || is_unreadable)
    }

    fn junit(&self) -> anyhow::Result<String> {
        let mut junit = JUnit::new("arbiter", Cases::Bots, []);
        let mut left_out = Named::default();
        let repeated = records_of(&self.paths, |_, log, record| match record {
            Ok(record) => junit.game(&record, None),
            Err(error) => left_out.add(|| format!("{log}: {error}")),
        })?;
        if left_out.count() > 0 {
            complain(format_args!("games left out because they cannot be read: {left_out}"));
        }
        if repeated > 0 {
            complain(format_args!("games that were there before and do not count: {repeated}"));
        }
        Ok(junit.finish())
    }
}

/// What is said if the ratings leave out the first side by themselves.
const SIDES_UNKNOWN: &str = "the tags of these logs have no start position, no game of arbiter and no rounds in which sides are \
                             exchanged, so White need not be the side that moved first, and the ratings leave out an advantage \
                             of it; if it is that side, add --first-side estimate";

/// The report from these logs, with the names that they have.
pub(super) fn report_of_logs(
    logs: &LogStandings,
    swiss: bool,
    choice: Option<FirstSideChoice>,
) -> StandingsReport {
    let first_side = match choice {
        Some(FirstSideChoice::Estimate) => FirstSide::Estimated,
        None if logs.shows_first_side() => FirstSide::Estimated,
        None | Some(FirstSideChoice::LeaveOut) => FirstSide::LeftOut,
    };
    let options = RatingOptions { swiss, first_side, ..RatingOptions::default() };
    let ratings = rate(logs.table().rows().len(), logs.table().encounters(), &options);
    let mut notes = logs.notes().to_vec();
    if choice.is_none() && first_side == FirstSide::LeftOut {
        notes.push(SIDES_UNKNOWN.to_owned());
    }
    StandingsReport { notes, ..StandingsReport::new(logs.table().clone(), ratings) }
}

/// The standings of all logs together; what does not count is said on standard error.
///
/// # Errors
/// A log cannot be read, or no game counts.
pub(super) fn fold(paths: &[PathBuf]) -> anyhow::Result<LogStandings> {
    let mut standings = LogStandings::default();
    for path in paths {
        let log = LogFile::open(path)?;
        read_heads(log.source, |game| {
            standings.add(&log.name, game);
            Ok::<_, io::Error>(())
        })
        .with_context(|| log.name.clone())?;
        standings.end_of_log();
    }
    if standings.table().rows().is_empty() {
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        let why = standings.notes().iter().map(|note| format!("; {note}")).collect::<String>();
        bail!("{}: {NO_GAME} that counts{why}", shortened(&names.join(", ")));
    }
    for line in standings.notes().iter() {
        complain(line);
    }
    Ok(standings)
}
