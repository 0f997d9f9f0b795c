//! The report of a tournament, computed from its journal, and the exit status.

use super::entrants::ReadyBot;
use super::output::counted;
use super::rate::rate;
use super::recorded::Recorded;
use super::settings::time_of;
use super::{Failure, Strict, Verdict};
use crate::config::{Config, Expectation, Names};
use crate::game::{Outcome, StderrAccess};
use crate::rating::{BotRating, Hypothesis, MatchStatistics, Ratings, Trial};
use crate::record::Record;
use crate::replay::Timeline;
use crate::report::anonymizer::Anonymizer;
use crate::report::page::PageGames;
use crate::report::standings::{
    Absent, ExpectationResult, Kept, RunBotReport, RunReport, SprtReport, StandingsReport,
};
use crate::standings::{Ranking, Scored, Standings};
use crate::tournament::{
    Absentee, AttemptResult, CountedGame, Entrant, JournalHead, RecordedGame, RunBot, RunEntry,
    TournamentProgress,
};
use anyhow::anyhow;
use std::collections::BTreeMap;
use std::path::Path;

/// The names of bots with their aliases in the tournament of this journal; none if names are published.
pub fn aliases<'a>(
    config: &Config,
    head: &JournalHead,
    names: impl Iterator<Item = &'a String>,
) -> BTreeMap<String, String> {
    match config.publish.names {
        Names::Name => BTreeMap::new(),
        Names::Alias => names.map(|name| (name.clone(), head.alias(name))).collect(),
    }
}

/// All names in the head of a journal.
pub fn names_in(head: &JournalHead) -> impl Iterator<Item = &String> {
    head.roster.iter().map(|bot| &bot.name).chain(head.absent.iter().map(|bot| &bot.name))
}

/// Replaces the names and folders that others may not see, for a tournament whose configuration is in the
/// folder `from`.
pub fn anonymizer(recorded: &Recorded, bots: &[ReadyBot], from: &Path) -> Anonymizer {
    let head = &recorded.head;
    // Withdrawn bots are in the history only.
    let withdrawn = recorded.runs.iter().flat_map(|run| run.bots.iter().map(|bot| &bot.name));
    let aliases = aliases(&recorded.config, head, names_in(head).chain(withdrawn));
    let folders = bots.iter().flat_map(|bot| [&*bot.program.dir, bot.program.source()]).chain([from]);
    // As the configuration names them, and as a program that runs there sees them.
    let seen = folders.flat_map(|folder| [Some(folder.to_owned()), folder.canonicalize().ok()]).flatten();
    let seen = seen.map(|folder| (folder.display().to_string(), "."));
    // Messages of interpreters name their installation, which may lie in the organiser's home.
    let home = std::env::home_dir().map(|home| (home.display().to_string(), "~"));
    Anonymizer::new(aliases, seen.chain(home))
}

/// The same for a tournament whose bots and folder are not at hand: the journal names no folder.
pub fn public_names(recorded: &Recorded) -> Anonymizer {
    anonymizer(recorded, &[], Path::new(""))
}

/// The most games of a page that comes without asking; a live page gets those that end later.
pub const PAGE_GAMES: u64 = 10_000;

/// The results of a tournament, as far as its journal records them.
pub struct TournamentReport {
    pub standings: Standings,
    ratings: Ratings,
    progress: TournamentProgress,
    pub name: String,
    config: Config,
    /// The options of the game.
    options: String,
    isolation: String,
    pub absent: Vec<Absent>,
    notes: Vec<String>,
    expectations: Vec<ExpectationResult>,
    /// Whether the games are not those of a shard or the missing ones of other runs.
    is_whole: bool,
    digests: Vec<Option<String>>,
    /// How many versions each bot had.
    versions: Vec<u64>,
    history: Vec<RunReport>,
    games: (u64, u64),
    anchor: Option<String>,
    statistics: Option<MatchStatistics>,
}

impl TournamentReport {
    /// Computes the report; `each` gets every game that counts, with its real record and the one that others
    /// may see.
    ///
    /// # Errors
    /// The journal cannot be read, or `each` fails.
    pub fn of(
        recorded: &Recorded,
        mask: &Anonymizer,
        mut each: impl FnMut(&RecordedGame, &Record, &Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<TournamentReport> {
        let Recorded { config, head, .. } = recorded;
        let mut standings = Standings::new(Ranking::Points);
        for bot in &head.roster {
            standings.enter(mask.name(&bot.name));
        }
        let (mut isolation, mut played, mut scored) = (String::new(), 0, 0);
        let progress = recorded.walk(|settled, game, record| {
            let public = mask.record(&record);
            // In a void pair of a test, neither game counts, not even one that has a result.
            let void = is_void(settled, &record);
            let game_of = Scored::from(&public);
            standings.add(&if void { Scored::between(game_of.first, game_of.second) } else { game_of });
            if settled.pairing.game == 1 {
                standings.pair(settled.pairing.first, settled.pairing.second);
            }
            played += 1;
            scored += u64::from(settled.ended.half_points().is_some());
            isolation = public.isolation.clone().unwrap_or_default();
            if void { Ok(()) } else { each(game, &record, &public) }
        })?;
        standings.end_of_log();
        standings.rank_by(progress.schedule().ranking());
        for bye in progress.schedule().byes().iter().filter(|bye| bye.half_points > 0) {
            standings.bye(bye.bot, bye.half_points);
        }
        let mut ratings = rate(head.roster.len(), standings.encounters());
        let anchor = config.ratings.anchor.as_ref().filter(|name| !name.is_empty());
        if let Some(bot) = anchor.and_then(|name| head.roster.iter().position(|bot| bot.name == *name)) {
            ratings.anchor(bot);
        }
        let names: Vec<String> = head.roster.iter().map(|bot| mask.name(&bot.name).to_owned()).collect();
        let total = match recorded.is_whole() && progress.is_complete() {
            true => played,
            false => config.schedule.format.total_games(names.len()).unwrap_or(played),
        };
        let absent = |bot: &Absentee| Absent {
            name: mask.name(&bot.name).to_owned(),
            reason: mask.text_by_bot(&bot.reason),
        };
        let mut table = TournamentReport {
            ratings,
            name: head.name.clone(),
            config: config.clone(),
            options: config.settings.ruleset.options_text(),
            isolation,
            absent: head.absent.iter().map(absent).collect(),
            notes: notes(&progress, &names)
                .into_iter()
                .chain(recorded.note_of_kept_games())
                .chain(recorded.note_of_part())
                .collect(),
            expectations: Vec::new(),
            is_whole: recorded.is_whole(),
            digests: head.roster.iter().map(|bot| mask.digest(bot.digest.as_ref())).collect(),
            versions: head.roster.iter().map(|bot| recorded.index.versions(&bot.name) as u64).collect(),
            history: Vec::new(),
            games: (scored, total),
            anchor: anchor.map(|name| mask.name(name).to_owned()),
            statistics: progress.trial().and_then(|trial| MatchStatistics::of_pairs(*trial.counts())),
            standings,
            progress,
        };
        recorded.runs.iter().for_each(|run| table.add_run(run, mask));
        // Of a part of the games nothing is expected.
        let expected = config.expect.iter().filter(|_| table.is_whole);
        table.expectations = expected.map(|expected| table.expectation_result(expected, mask)).collect();
        if config.publish.names == Names::Alias {
            // The order of the configuration would tell whose aliases they are.
            table.expectations.sort_by(|one, other| one.text.cmp(&other.text));
        }
        Ok(table)
    }

    /// The bots with their ratings, for the journal.
    pub fn run_bots(&self, head: &JournalHead) -> Vec<RunBot> {
        let rated = head.roster.iter().zip(self.ratings.bots());
        let bot = |(bot, rated): (&Entrant, &BotRating)| RunBot {
            name: bot.name.clone(),
            digest: bot.digest.clone(),
            rating: rated.rating,
            low: rated.low,
            high: rated.high,
        };
        rated.map(bot).collect()
    }

    /// Adds a run that has ended.
    pub fn add_run(&mut self, run: &RunEntry, mask: &Anonymizer) {
        let bot = |bot: &RunBot| RunBotReport {
            name: mask.name(&bot.name).to_owned(),
            digest: mask.digest(bot.digest.as_ref()),
            rating: bot.rating,
            low: bot.low,
            high: bot.high,
        };
        let bots = run.bots.iter().map(bot).collect();
        self.history.push(RunReport { time: run.time.clone(), games: run.games, bots });
    }

    /// The values that tables and pages show.
    pub fn standings_report(&self) -> StandingsReport<'_> {
        StandingsReport {
            name: &self.name,
            game: self.config.settings.ruleset.game().name(),
            options: &self.options,
            format: self.config.schedule.format.kind.word,
            isolation: &self.isolation,
            anchor: self.anchor.as_deref(),
            complete: Some(self.is_complete()),
            games: Some(self.games),
            absent: &self.absent,
            notes: &self.notes,
            sprt: self.progress.trial().map(|trial| self.sprt_report(trial)),
            expectations: &self.expectations,
            digests: &self.digests,
            versions: &self.versions,
            history: &self.history,
            ..StandingsReport::of(&self.standings, &self.ratings)
        }
    }

    fn sprt_report<'a>(&'a self, trial: &'a Trial) -> SprtReport<'a> {
        let test = trial.sprt();
        let (lower, upper) = test.bounds();
        SprtReport {
            model: self.config.sprt.model.word(),
            elo0: test.elo0,
            elo1: test.elo1,
            llr: trial.llr(),
            lower,
            upper,
            counts: *trial.counts(),
            verdict: match trial.verdict() {
                Some(Hypothesis::H0) => Some("H0"),
                Some(Hypothesis::H1) => Some("H1"),
                None => self.progress.is_complete().then_some("undecided"),
            },
            statistics: self.statistics.as_ref(),
        }
    }

    /// Whether every game that was to be played has a result.
    fn is_complete(&self) -> bool {
        self.is_whole
            && self.progress.is_complete()
            && self.standings.rows().iter().all(|row| row.aborted == 0)
    }

    /// Whether an expectation holds by the counted games; undecided while missing games could change that.
    fn expectation_result(&self, expected: &Expectation, mask: &Anonymizer) -> ExpectationResult {
        let text = format!("{} {} {}", mask.name(&expected.bot), expected.relation.word(), expected.share);
        let row = self.standings.rows().iter().find(|row| row.name == mask.name(&expected.bot));
        let Some((row, share)) = row.and_then(|row| Some((row, row.share()?))) else {
            return ExpectationResult { text, kept: Kept::No };
        };
        let games = (row.games + row.aborted) as f64;
        let least = share * row.games as f64 / games;
        let could_be = [least, least + row.aborted as f64 / games];
        let kept =
            if !self.progress.is_complete() || expected.holds(could_be[0]) != expected.holds(could_be[1]) {
                Kept::Undecided
            } else if expected.holds(share) {
                Kept::Yes
            } else {
                Kept::No
            };
        ExpectationResult { text, kept }
    }
}

/// The report of the tournament in this journal.
///
/// # Errors
/// The file cannot be read, or is not a journal.
pub fn tournament_report(journal: &Path) -> anyhow::Result<TournamentReport> {
    let recorded = Recorded::read(journal)?;
    let mask = public_names(&recorded);
    TournamentReport::of(&recorded, &mask, |_, _, _| Ok(()))
}

/// The report of the tournament in this journal, and its first `most` games for a page; without `most` all.
///
/// # Errors
/// The file cannot be read, or is not a journal.
pub fn tournament_page(journal: &Path, most: Option<u64>) -> anyhow::Result<(TournamentReport, PageGames)> {
    let recorded = Recorded::read(journal)?;
    let mask = public_names(&recorded);
    report_and_games(&recorded, &mask, most)
}

/// The same of a tournament that has been read.
pub fn report_and_games(
    recorded: &Recorded,
    mask: &Anonymizer,
    most: Option<u64>,
) -> anyhow::Result<(TournamentReport, PageGames)> {
    let mut games = PageGames::new(most);
    let report = TournamentReport::of(recorded, mask, |game, _, public| {
        add_to_page(&mut games, recorded, mask, game, public.clone());
        Ok(())
    })?;
    Ok((report, games))
}

/// The games alone.
pub fn games_for_page(
    recorded: &Recorded,
    mask: &Anonymizer,
    most: Option<u64>,
) -> anyhow::Result<PageGames> {
    let mut games = PageGames::new(most);
    recorded.walk(|counted, game, record| {
        if !is_void(counted, &record) {
            add_to_page(&mut games, recorded, mask, game, mask.record(&record));
        }
        Ok(())
    })?;
    Ok(games)
}

/// Adds a game, whose public record this is, to a page.
pub fn add_to_page(
    games: &mut PageGames,
    recorded: &Recorded,
    mask: &Anonymizer,
    game: &RecordedGame,
    public: Record,
) {
    let is_public = recorded.config.publish.stderr == StderrAccess::Public;
    let stderr = is_public.then(|| mask.text_by_bot(&game.stderr));
    let time = time_of(&public);
    games.add(|| (Timeline::new(public, &time), time), stderr.as_deref());
}

/// Whether a game has a result that does not count, because the other game of its pair has none.
fn is_void(counted: &CountedGame, record: &Record) -> bool {
    counted.ended == AttemptResult::Aborted && !matches!(record.outcome, Outcome::Aborted(_))
}

/// Calls `each` with every game of this journal that counts, in schedule order.
///
/// # Errors
/// The file cannot be read, or is not a journal.
pub fn each_recorded_game(journal: &Path, mut each: impl FnMut(&Record)) -> anyhow::Result<()> {
    let walked = Recorded::read(journal)?.walk(|_, _, record| {
        each(&record);
        Ok(())
    });
    walked.map(drop)
}

/// Notes on the course of the tournament, such as byes, rematches and tie-breaks.
fn notes(progress: &TournamentProgress, names: &[String]) -> Vec<String> {
    let mut notes = progress.schedule().notes(names);
    notes.extend(progress.stopped_by().map(|bot| {
        format!("ended early: {} has reached the number of forfeits of stop-after-forfeits", names[bot])
    }));
    notes
}

/// The exit status of a tournament that was not interrupted.
pub fn verdict(table: &TournamentReport, strict: &Strict, mask: &Anonymizer) -> Result<Verdict, Failure> {
    let rows = table.standings.rows();
    let aborted = rows.iter().any(|row| row.aborted > 0);
    if aborted && rows.iter().all(|row| row.games == 0) {
        return Err(Failure::Unfinished(anyhow!("every game was aborted; the journal has the reasons")));
    }
    // The table has the names that others may see.
    let strict = strict.bot().map_or_else(|| strict.clone(), |bot| Strict::Bot(mask.name(bot).to_owned()));
    let mut reasons = Vec::new();
    for row in rows.iter().filter(|row| strict.concerns(&row.name)) {
        let lost = [(row.forfeits, "lost", " by forfeit"), (row.aborted, "had", " aborted")];
        for (games, verb, how) in lost.into_iter().filter(|&(games, ..)| games > 0) {
            reasons.push(format!("{} {verb} {}{how}", row.name, counted(games, "game")));
        }
    }
    let absent = table.absent.iter().filter(|absent| strict.concerns(&absent.name));
    reasons.extend(absent.map(|absent| format!("{} does not play", absent.name)));
    let trial = table.progress.trial().map(Trial::verdict);
    if trial == Some(Some(Hypothesis::H0)) {
        reasons.push("the test accepts H0".to_owned());
    }
    let expected = |kept, how: &str| {
        let all = table.expectations.iter().filter(move |expectation| expectation.kept == kept);
        all.map(|expectation| format!("[expect] {} {how}", expectation.text)).collect::<Vec<_>>()
    };
    reasons.append(&mut expected(Kept::No, "does not hold"));
    if !reasons.is_empty() {
        return Ok(Verdict::because(1, reasons));
    }
    reasons.append(&mut expected(Kept::Undecided, "is undecided"));
    if trial == Some(None) {
        reasons.push("the test is undecided".to_owned());
    }
    Ok(Verdict::because(4, reasons))
}
