//! `arbiter standings`: table, crosstable and ratings from game logs, without playing.

use super::{CommandResult, Verdict};
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
    /// Show all figures of the tables, and explain each; JSON always has them
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

/// The journal, if the path is a single result folder.
pub(super) fn journal_of(paths: &[PathBuf]) -> Option<PathBuf> {
    let [folder] = paths else { return None };
    let journal = ResultFolder::existing(folder).journal();
    journal.is_file().then_some(journal)
}

/// Refuses the flags of logs for a result folder.
pub(super) fn refuse_flags_of_logs(
    swiss: bool,
    first_side: Option<FirstSideChoice>,
) -> anyhow::Result<()> {
    if swiss {
        bail!("--swiss: this result folder knows its format; leave the flag out");
    }
    if first_side.is_some() {
        bail!("--first-side: this result folder knows which side moves first; leave the flag out");
    }
    Ok(())
}

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
                return Ok(Verdict::of(1));
            }
        }
        if matches!(self.format, OutputFormat::Junit) {
            if self.history {
                let why = "--history: JUnit XML has no place for it; leave one of them out";
                return Err(anyhow!(why).into());
            }
            write_out(self.junit()?)?;
            return Ok(Verdict::DONE);
        }
        let shown = match self.parts()? {
            Some(parts) => self.show_parts(&parts),
            None => self.show(&self.report()?),
        };
        write_out(match self.format {
            OutputFormat::Text => fitted(&shown, io::stdout()),
            OutputFormat::Markdown | OutputFormat::Json | OutputFormat::Junit => shown,
        })?;
        Ok(Verdict::DONE)
    }

    /// The report of one result folder, or of all logs together.
    fn report(&self) -> anyhow::Result<StandingsReport> {
        let mut report = if let Some(journal) = journal_of(&self.paths) {
            refuse_flags_of_logs(self.swiss, self.first_side)?;
            let recorded = Recorded::read(&journal)?;
            standings_report(&recorded, &anonymizer(&recorded, []))?
        } else {
            if self.history {
                bail!("--history: name one result folder; game logs have no runs");
            }
            report_of_logs(&fold(&self.paths)?, self.swiss, self.first_side)
        };
        report.sort = match self.sort {
            SortOrder::Points => SortBy::Points,
            SortOrder::Rating => SortBy::Rating,
        };
        Ok(report)
    }

    fn show(&self, report: &StandingsReport) -> String {
        let explanation = if self.explain { Explanation::Full } else { Explanation::Short };
        match self.format {
            OutputFormat::Text if self.history => history(report),
            OutputFormat::Markdown if self.history => history_markdown(report),
            OutputFormat::Text => text(report, explanation),
            OutputFormat::Markdown => markdown(report, explanation),
            OutputFormat::Json | OutputFormat::Junit => json(report),
        }
    }

    fn show_parts(&self, parts: &[StandingsReport]) -> String {
        match self.format {
            OutputFormat::Text => parts::text(parts),
            OutputFormat::Markdown => parts::markdown(parts),
            OutputFormat::Json | OutputFormat::Junit => parts::json(parts),
        }
    }

    /// The reports of several result folders, if they are of several tournaments. Those of one are
    /// rated as one log, and so are all under `--swiss` and `--first-side`.
    ///
    /// # Errors
    /// A folder cannot be read, two are of one tournament, or a flag is for ratings.
    fn parts(&self) -> anyhow::Result<Option<Vec<StandingsReport>>> {
        if self.swiss || self.first_side.is_some() || self.history {
            return Ok(None);
        }
        // All of them are found before the first one is read, which may take long.
        let mut journals = Vec::new();
        for path in &self.paths {
            let journal = ResultFolder::existing(path).journal();
            if !journal.is_file() {
                return Ok(None);
            }
            journals.push(journal);
        }
        let mut all = Vec::new();
        for journal in &journals {
            all.push(Recorded::read(journal)?);
        }
        if all.iter().all(|recorded| is_same_tournament(recorded, &all[0])) {
            return Ok(None);
        }
        if matches!(self.sort, SortOrder::Rating) {
            bail!("--sort rating: several tournaments have no common rating; leave it out");
        }
        for (at, recorded) in all.iter().enumerate() {
            let earlier = all[..at].iter().position(|other| is_same_tournament(other, recorded));
            if let Some(earlier) = earlier {
                let one = self.paths[earlier].display();
                let other = self.paths[at].display();
                bail!(
                    "{one} and {other} are of one tournament; \
                     `arbiter merge {one} {other} --out FOLDER` joins them"
                );
            }
        }
        warn_of_other_names(&all);
        let mut parts = Vec::new();
        for (recorded, path) in all.iter().zip(&self.paths) {
            let mut report = standings_report(recorded, &anonymizer(recorded, []))?;
            // Two tournaments of the same name are told apart by their folders.
            if all.iter().filter(|other| other.head.name == report.name).count() > 1 {
                report.name = path.display().to_string();
            }
            parts.push(report);
        }
        Ok(Some(parts))
    }

    /// Whether a game contradicts the rules, or is no game; each is named on standard error.
    fn has_wrong_games(&self, rules: Option<&Rules>) -> anyhow::Result<bool> {
        let mut has_wrong = false;
        if let Some(journal) = journal_of(&self.paths) {
            let place = journal.display().to_string();
            let recorded = Recorded::read(&journal)?;
            // Every game is named, so the first wrong one does not end the loop.
            recorded.counted(|_, game| {
                let record = recorded.journal.game(game.place)?.record_by(rules)?;
                has_wrong |= is_wrong(&place, &record, rules)?;
                Ok(())
            })?;
            return Ok(has_wrong);
        }
        // Rules that fail end the command, but only when the logs are read to their end: what is
        // unreadable in them is named first.
        let mut failed = None;
        for path in &self.paths {
            LogFile::open(path)?.games(|name, game| {
                match game.and_then(|game| Ok((game.line, Record::from_raw(&game, rules)?))) {
                    Ok(_) if failed.is_some() => {}
                    Ok((line, record)) => {
                        match is_wrong(&format!("{name}:{line}"), &record, rules) {
                            Ok(wrong) => has_wrong |= wrong,
                            Err(error) => failed = Some(error),
                        }
                    }
                    Err(error) => {
                        complain(format_args!("{name}: {error}"));
                        has_wrong = true;
                    }
                }
            })?;
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(has_wrong),
        }
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

fn is_same_tournament(one: &Recorded, other: &Recorded) -> bool {
    one.head.fingerprint == other.head.fingerprint
}

/// Warns if a bot may have different names in these folders; aliases follow from the key.
fn warn_of_other_names(all: &[Recorded]) {
    let Some(first) = all.first() else { return };
    let names = first.config.publish.names;
    if all.iter().any(|recorded| recorded.config.publish.names != names) {
        complain(
            "WARNING: bots have aliases in some of these folders and their own names in others, so \
             a bot may be listed twice",
        );
    } else if names == Names::Alias
        && all.iter().any(|recorded| recorded.head.key != first.head.key)
    {
        complain(
            "WARNING: a bot has different names in these folders, because their aliases follow \
             from different keys; with the same `key-file` in [publish] it has the same",
        );
    }
}

/// Whether a game contradicts the rules; if so it is named on standard error.
///
/// # Errors
/// It cannot be told, because its rules are missing or fail.
fn is_wrong(place: &str, record: &Record, rules: Option<&Rules>) -> anyhow::Result<bool> {
    if let Some(missing) = record.ruleset().missing_rules(rules) {
        bail!("{place}: {missing}");
    }
    let Err(divergence) = replay(record) else { return Ok(false) };
    if let Some(fault) = divergence.fault {
        return Err(anyhow!(*fault).context(place.to_owned()));
    }
    let ply = divergence.ply.map(|ply| format!(", ply {ply}")).unwrap_or_default();
    let id = record.id.as_deref().unwrap_or("?");
    complain(format_args!("{place}: game {id}{ply}: {divergence}"));
    Ok(true)
}

/// The note if the ratings leave out the first side by themselves.
const SIDES_UNKNOWN: &str = "the tags of these logs have no start position, no game of arbiter \
     and no rounds in which sides are exchanged, so White need not be the side that moved first, \
     and the ratings leave out an advantage of it; if it is that side, add --first-side estimate";

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
        let mut why = String::new();
        for note in standings.notes().iter() {
            why += &format!("; {note}");
        }
        bail!("{}: {NO_GAME} that counts{why}", shortened(&names.join(", ")));
    }
    for line in standings.notes().iter() {
        complain(line);
    }
    Ok(standings)
}
