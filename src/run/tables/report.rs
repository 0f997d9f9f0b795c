//! The report of a tournament, computed from its journal, and the exit status.

use super::bot_times::BotTimes;
use super::rate::rate;
use super::recorded::{Recorded, is_void};
use anyhow::anyhow;
use arbiter_config::Expectation;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::page::PageGames;
use arbiter_cup::report::standings::{
    ExpectationResult, GameCounts, Kept, SprtFigures, StandingsReport, interval,
};
use arbiter_cup::tournament::{CountedGame, JournalHead, RunBot, TournamentProgress};
use arbiter_game::record::Record;
use arbiter_game::replay::Timeline;
use arbiter_game::{Abort, Outcome};
use arbiter_ground::failure::Failure;
use arbiter_ground::flags::time_of;
use arbiter_ground::public_names::{anonymizer_of, display_names};
use arbiter_ground::rules_faults::RulesFaults;
use arbiter_ground::verdict::{Strict, Verdict};
use arbiter_rank::rating::{AnchorContradiction, FirstSide, RatingOptions, Ratings};
use arbiter_rank::schedule::{Format, Stop};
use arbiter_rank::standings::{Ranking, Scored, Standings};
use arbiter_rules::RulesFault;
use arbiter_rules::text::counted;
use std::path::Path;

/// What others may see of a tournament; these folders are hidden. The journal names none.
pub fn anonymizer<'a>(
    recorded: &Recorded,
    folders: impl IntoIterator<Item = &'a Path>,
) -> Anonymizer {
    let mut hidden = Vec::new();
    for folder in folders {
        hidden.extend(hidden_folder(folder));
    }
    // Messages of interpreters name their installation, which may lie in the organiser's home.
    if let Some(home) = std::env::home_dir() {
        hidden.push((home.display().to_string(), "~"));
    }
    let names = recorded.private_names.iter().cloned();
    anonymizer_of(&recorded.config, &recorded.head, names, hidden)
}

/// The names under which a text may mention this folder, with what stands for each: as the
/// configuration has it, and as a program that runs there sees it.
pub fn hidden_folder(folder: &Path) -> Vec<(String, &'static str)> {
    let mut hidden = vec![(folder.display().to_string(), ".")];
    if let Ok(real) = folder.canonicalize() {
        hidden.push((real.display().to_string(), "."));
    }
    hidden
}

/// The most games of a page that comes without asking; a live page gets those that end later.
pub(crate) const PAGE_GAMES: u64 = 10_000;

/// What the games that count lead to.
pub struct CountedGames {
    pub standings: Standings,
    times: BotTimes,
    progress: TournamentProgress,
    /// The number of games, and of those with a result.
    played: u64,
    scored: u64,
    /// The position of the last one in the journal.
    last: Option<u64>,
}

impl CountedGames {
    /// Counts the games of a tournament. No log is read for it.
    ///
    /// # Errors
    /// The journal does not fit the schedule.
    pub fn of(recorded: &Recorded) -> anyhow::Result<CountedGames> {
        let names = recorded.head.names();
        let mut standings = Standings::new(Ranking::Points);
        for name in &names {
            let _ = standings.enter(name);
        }
        let mut times = BotTimes::new(names.len());
        let mut played = 0;
        let mut scored = 0;
        let mut last = None;
        let progress = recorded.counted(|CountedGame { pairing, ended, .. }, game| {
            let first = &*names[pairing.first];
            let second = &*names[pairing.second];
            // In a void pair of a test, neither game counts, not even one that has a result.
            if is_void(*ended, game.facts.outcome) {
                standings.add(&Scored::between(first, second));
            } else {
                let pair = pairing.pair.map(|pair| pair.to_string());
                standings.add(&Scored {
                    margin: game.facts.margin,
                    pair: pair.as_deref(),
                    plies: game.facts.plies.repeatable(),
                    ..Scored::ended(first, second, &game.facts.outcome)
                });
            }
            if pairing.game == 1 {
                standings.pair(pairing.first, pairing.second);
            }
            times.add([pairing.first, pairing.second], recorded.index.times(game.place));
            played += 1;
            scored += u64::from(ended.half_points().is_some());
            last = Some(game.place);
            Ok(())
        })?;
        Ok(CountedGames { standings, times, progress, played, scored, last })
    }
}

/// The report of a tournament, as far as its journal records it.
///
/// # Errors
/// The journal cannot be read.
pub fn standings_report(
    recorded: &Recorded,
    anonymizer: &Anonymizer,
) -> anyhow::Result<StandingsReport> {
    let Recorded { config, head, .. } = recorded;
    let CountedGames { mut standings, times, progress, played, scored, last } =
        CountedGames::of(recorded)?;
    let schedule = progress.schedule();
    let format = &config.schedule.format;
    let names = head.names();
    let is_whole = recorded.is_whole();
    standings.end_of_log();
    for bye in schedule.byes() {
        if bye.half_points > 0 {
            standings.bye(bye.bot, bye.half_points);
        }
    }

    // Ratings.
    let mut anchors = Vec::new();
    let mut fixed = Vec::new();
    for (name, elo) in &config.ratings.anchors {
        if let Some(bot) = names.iter().position(|bot| bot == name) {
            anchors.push((name.clone(), *elo));
            fixed.push((bot, *elo));
        }
    }
    let options = RatingOptions {
        swiss: format.kind.pairs_equals,
        anchors: fixed,
        first_side: FirstSide::Estimated,
    };
    let ratings = rate(names.len(), standings.encounters(), &options);
    let ranking =
        if format.kind.is_endless { Ranking::Rating(places(&ratings)) } else { schedule.ranking() };
    standings.rank_by(ranking, config.schedule.tie_break);

    let notes = notes(recorded, anonymizer, &standings, &times, &progress, options)?;

    // A schedule that ends early has fewer games than its format; how many is known at its end.
    let is_played = is_whole && (progress.is_complete() || format.kind.is_endless);
    let games = GameCounts {
        played: scored,
        scheduled: if is_played { played } else { format.total_games(names.len()) },
        at_most: !is_played && format.ends_by_tests(),
    };
    let mut expectations = Vec::new();
    // A part of the games decides no expectation.
    if is_whole {
        for expected in &config.expect {
            let Expectation { bot, relation, share } = expected;
            let text = format!("{bot} {} {share}", relation.word());
            let kept = kept(expected, &standings, &progress);
            expectations.push(ExpectationResult { text, kept });
        }
    }
    let isolation = match last {
        Some(place) => recorded.journal.game(place)?.record()?.isolation,
        None => None,
    };
    let display = display_names(config, head);
    let mut digests = Vec::new();
    let mut shown = Vec::new();
    let mut versions = Vec::new();
    for bot in &head.roster {
        // The digest of its files identifies a bot.
        digests.push(if anonymizer.hides_names() { None } else { bot.digest.clone() });
        shown.push(display.get(&bot.name).cloned());
        versions.push(recorded.index.versions(bot.private_name()) as u64);
    }
    let has_aborted = standings.rows().iter().any(|row| row.aborted > 0);
    Ok(StandingsReport {
        name: head.name.clone(),
        game: config.settings.ruleset.game().name().to_owned(),
        options: config.settings.ruleset.options_text(),
        format: format.kind.word,
        isolation: isolation.unwrap_or_default(),
        anchors,
        // Every game that was to be played has a result.
        complete: Some(is_played && !has_aborted),
        games: Some(games),
        absent: head.absent.iter().map(|bot| anonymizer.absentee(bot)).collect(),
        notes,
        sprt: progress.trial().map(|trial| SprtFigures::new(trial, progress.is_complete())),
        milestones: progress.milestones().cloned(),
        expectations,
        digests,
        display_names: shown,
        versions,
        history: recorded.runs.iter().map(|run| anonymizer.run(run)).collect(),
        ..StandingsReport::new(standings, ratings)
    })
}

/// What has to be said of the figures: first what casts doubt on games, then what the schedule has
/// done, last the ratings.
///
/// # Errors
/// The journal cannot be read.
fn notes(
    recorded: &Recorded,
    anonymizer: &Anonymizer,
    standings: &Standings,
    times: &BotTimes,
    progress: &TournamentProgress,
    options: RatingOptions,
) -> anyhow::Result<Vec<String>> {
    let config = &recorded.config;
    let format = &config.schedule.format;
    let names = recorded.head.names();
    let mut notes = Vec::new();
    for note in rules_faults(recorded)?.notes() {
        notes.push(anonymizer.message(&note));
    }
    notes.extend(times.notes(&names, config.settings.time.clock));
    notes.extend(progress.schedule().notes(&names));
    if let Some(bot) = progress.stopped_by() {
        notes.push(format!(
            "ended early: {} has reached the number of forfeits of stop-after-forfeits",
            names[bot]
        ));
    }
    notes.extend(more_rounds(format, progress, &names));
    if format.stop == Stop::Decided {
        notes.push(
            "the games of a bot with a step end with the verdict, so shares and ratings are biased \
             outwards"
                .to_owned(),
        );
    }
    notes.extend(recorded.note_of_kept_games());
    notes.extend(recorded.note_of_part());
    for (name, _) in &config.ratings.anchors {
        // Its submission may have been refused.
        if !names.contains(name) {
            notes.push(format!("WARNING: the anchor {name} does not play, so it fixes no rating"));
        }
    }
    notes.extend(contradictions(standings, options, &names));
    Ok(notes)
}

/// The places of the bots by their ratings, from 1; those without one share the last.
fn places(ratings: &Ratings) -> Vec<usize> {
    let mut places = Vec::new();
    for bot in ratings.bots() {
        // `None` is less than any rating.
        let better = ratings.bots().iter().filter(|other| other.rating > bot.rating);
        places.push(1 + better.count());
    }
    places
}

/// Maximum number of bots whose rounds are named.
const NAMED_ROUNDS: usize = 5;

/// How many rounds it would take for the bots that have no verdict after all games.
fn more_rounds(format: &Format, progress: &TournamentProgress, names: &[String]) -> Option<String> {
    if !progress.is_complete() {
        return None;
    }
    let milestones = progress.milestones()?;
    let mut open = Vec::new();
    for (bot, name) in names.iter().enumerate() {
        let Some(place) = milestones.place(bot) else { continue };
        let Some(forecast) = milestones.forecast(bot, place.step) else { continue };
        let rounds = (2 * (place.pairs + forecast)).div_ceil(format.games.into());
        open.push(format!("{name} about {rounds}"));
    }
    if open.is_empty() {
        return None;
    }
    let mut bots = open[..open.len().min(NAMED_ROUNDS)].join(", ");
    if open.len() > NAMED_ROUNDS {
        bots += &format!(", and {} more bots have none", open.len() - NAMED_ROUNDS);
    }
    Some(format!(
        "all games are played, and some bots have no verdict yet: to play on in the same folder \
         raise schedule.rounds, which is {}; a verdict takes, by bot: {bots}",
        format.rounds
    ))
}

/// Maximum number of contradictions that are named: there may be one for each two anchors.
const NAMED_CONTRADICTIONS: usize = 3;

/// What the games say against the ratings of several anchors.
fn contradictions(standings: &Standings, options: RatingOptions, names: &[String]) -> Vec<String> {
    if options.anchors.len() < 2 {
        return Vec::new();
    }
    let free = RatingOptions { anchors: Vec::new(), ..options };
    let all = rate(names.len(), standings.encounters(), &free).contradictions(&options.anchors);
    let more = all.len().saturating_sub(NAMED_CONTRADICTIONS);
    let mut messages = Vec::new();
    for contradiction in all.into_iter().take(NAMED_CONTRADICTIONS) {
        let AnchorContradiction { bots: [a, b], given, found } = contradiction;
        let by_games = interval(found.low, found.high);
        messages.push(format!(
            "WARNING: the games contradict the anchors: {} less {} is {given:.1} by definition, \
             and {by_games} by the games (95 %)",
            names[a], names[b]
        ));
    }
    if more > 0 {
        messages.push(format!("WARNING: so they do for {more} more pairs of anchors"));
    }
    messages
}

/// The bots with their ratings, for the journal.
pub(crate) fn run_bots(report: &StandingsReport, head: &JournalHead) -> Vec<RunBot> {
    let mut bots = Vec::new();
    for (bot, rated) in head.roster.iter().zip(report.ratings.bots()) {
        bots.push(RunBot {
            name: bot.name.clone(),
            digest: bot.digest.clone(),
            rating: rated.rating,
            low: rated.low,
            high: rated.high,
        });
    }
    bots
}

/// Whether an expectation holds by the counted games; undecided while missing games could change
/// that.
fn kept(expected: &Expectation, standings: &Standings, progress: &TournamentProgress) -> Kept {
    let Some(row) = standings.rows().iter().find(|row| row.name == expected.bot) else {
        return Kept::No;
    };
    let Some(share) = row.share() else { return Kept::No };
    // An aborted game may be played again: it can yet be lost or won.
    let games = (row.games + row.aborted) as f64;
    let least = share * row.games as f64 / games;
    let most = least + row.aborted as f64 / games;
    if !progress.is_complete() || expected.holds(least) != expected.holds(most) {
        Kept::Undecided
    } else if expected.holds(share) {
        Kept::Yes
    } else {
        Kept::No
    }
}

/// The first `most` games of a tournament for a page; without `most` all.
///
/// # Errors
/// The journal cannot be read.
pub fn games_for_page(
    recorded: &Recorded,
    anonymizer: &Anonymizer,
    most: Option<u64>,
) -> anyhow::Result<PageGames> {
    let mut games = PageGames::new(most);
    recorded.walk(|game, record| {
        let stderr = recorded.public_stderr(game, anonymizer);
        add_to_page(&mut games, anonymizer.record(record), stderr.as_deref());
        Ok(())
    })?;
    Ok(games)
}

/// Adds a game to a page.
pub fn add_to_page(games: &mut PageGames, record: Record, stderr: Option<&str>) {
    let time = time_of(&record);
    games.add(|| (Timeline::new(record, &time), time), stderr);
}

/// The exit status of a tournament that was not interrupted.
pub fn verdict(
    report: &StandingsReport,
    strict: &Strict,
    head: &JournalHead,
) -> Result<Verdict, Failure> {
    let rows = report.standings.rows();
    let aborted = rows.iter().any(|row| row.aborted > 0);
    let both_lost = rows.iter().any(|row| row.both_lost > 0);
    if (aborted || both_lost) && rows.iter().all(|row| row.games == row.both_lost) {
        let what = if both_lost { "no game began" } else { "every game was aborted" };
        return Err(Failure::Unfinished(anyhow!("{what}; the journal has the reasons")));
    }
    if aborted && matches!(report.standings.ranking(), Ranking::Knockout(_)) {
        return Err(Failure::Unfinished(anyhow!(
            "the knockout has stopped at an aborted game; the journal has the reason"
        )));
    }
    // The user may name a bot by its own name; the table has the public ones.
    let strict = match strict.bot().and_then(|typed| head.public_name(typed)) {
        Some(name) => Strict::Bot(name.to_owned()),
        None => strict.clone(),
    };
    let mut failed = Vec::new();
    let mut undecided = Vec::new();
    for row in rows {
        if !strict.concerns(&row.name) {
            continue;
        }
        if row.forfeits > 0 {
            failed.push(format!("{} lost {} by forfeit", row.name, counted(row.forfeits, "game")));
        }
        if row.aborted > 0 {
            failed.push(format!("{} had {} aborted", row.name, counted(row.aborted, "game")));
        }
    }
    for absent in &report.absent {
        if strict.concerns(&absent.name) && !absent.excluded {
            failed.push(format!("{} does not play", absent.name));
        }
    }
    let test = report.sprt.as_ref().map(|test| test.verdict);
    if test == Some(Some("H0")) {
        failed.push("the test accepts H0".to_owned());
    }
    for ExpectationResult { text, kept } in &report.expectations {
        match kept {
            Kept::Yes => {}
            Kept::No => failed.push(format!("[expect] {text} does not hold")),
            Kept::Undecided => undecided.push(format!("[expect] {text} is undecided")),
        }
    }
    if matches!(test, Some(None | Some("undecided"))) {
        undecided.push("the test is undecided".to_owned());
    }
    // No missing game can undo a failure.
    let (status, reasons) = if failed.is_empty() { (4, undecided) } else { (1, failed) };
    Ok(Verdict::because(status, reasons))
}

/// The faults of the rules in the games of a tournament that count.
///
/// # Errors
/// The journal cannot be read.
pub fn rules_faults(recorded: &Recorded) -> anyhow::Result<RulesFaults> {
    let mut faults = RulesFaults::default();
    let words = recorded.config.settings.ruleset.command_words();
    let _ = recorded.counted(|_, game| {
        if game.facts.outcome == Outcome::Aborted(Abort::Rules) {
            let kept = recorded.journal.game(game.place)?.fault;
            let fault = kept.unwrap_or_else(|| RulesFault::new("the log says how"));
            faults.add(&RulesFault { rules: words.clone().into(), ..fault });
        }
        Ok(())
    })?;
    Ok(faults)
}
