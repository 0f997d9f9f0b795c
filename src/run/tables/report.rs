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
use arbiter_cup::tournament::{CountedGame, Entrant, JournalHead, RunBot, TournamentProgress};
use arbiter_game::record::Record;
use arbiter_game::replay::Timeline;
use arbiter_game::{Abort, Outcome};
use arbiter_ground::failure::Failure;
use arbiter_ground::flags::time_of;
use arbiter_ground::public_names::{anonymizer_of, display_names};
use arbiter_ground::rules_faults::RulesFaults;
use arbiter_ground::verdict::{Strict, Verdict};
use arbiter_rank::rating::{AnchorContradiction, BotRating, FirstSide, RatingOptions};
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
    // As the configuration names them, and as a program that runs there sees them.
    let seen = folders
        .into_iter()
        .flat_map(|folder| [Some(folder.to_owned()), folder.canonicalize().ok()]);
    let seen = seen.flatten().map(|folder| (folder.display().to_string(), "."));
    // Messages of interpreters name their installation, which may lie in the organiser's home.
    let home = std::env::home_dir().map(|home| (home.display().to_string(), "~"));
    let names = recorded.private_names.iter().cloned();
    anonymizer_of(&recorded.config, &recorded.head, names, seen.chain(home))
}

/// The most games of a page that comes without asking; a live page gets those that end later.
pub const PAGE_GAMES: u64 = 10_000;

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
            let [first, second] = [pairing.first, pairing.second].map(|bot| &*names[bot]);
            // In a void pair of a test, neither game counts, not even one that has a result.
            if is_void(*ended, game.outcome) {
                standings.add(&Scored::between(first, second));
            } else {
                let pair = pairing.pair.map(|pair| pair.to_string());
                let pair = pair.as_deref();
                let plies = game.plies.repeatable();
                standings.add(&Scored {
                    margin: game.margin,
                    pair,
                    plies,
                    ..Scored::ended(first, second, game.outcome)
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
    standings.end_of_log();
    let schedule = progress.schedule();
    standings.rank_by(schedule.ranking(), config.schedule.tie_break);
    for bye in schedule.byes().iter().filter(|bye| bye.half_points > 0) {
        standings.bye(bye.bot, bye.half_points);
    }
    let anchors: Vec<(String, usize, f64)> = config
        .ratings
        .anchors
        .iter()
        .filter_map(|(name, elo)| {
            let bot = head.roster.iter().position(|bot| bot.name == *name)?;
            Some((name.clone(), bot, *elo))
        })
        .collect();
    let options = RatingOptions {
        swiss: config.schedule.format.kind.pairs_equals,
        anchors: anchors.iter().map(|&(_, bot, elo)| (bot, elo)).collect(),
        first_side: FirstSide::Estimated,
    };
    let ratings = rate(head.roster.len(), standings.encounters(), &options);
    let contradictions = contradictions(&standings, options, &head.names());
    let is_missing = |name: &&String| head.roster.iter().all(|bot| bot.name != **name);
    let missing = config.ratings.anchors.iter().map(|(name, _)| name).filter(is_missing);
    let missing = missing
        .map(|name| format!("WARNING: the anchor {name} does not play, so it fixes no rating"));
    let is_whole = recorded.is_whole();
    let format = &config.schedule.format;
    let games = if is_whole && progress.is_complete() {
        GameCounts { played: scored, scheduled: played, at_most: false }
    } else {
        GameCounts {
            played: scored,
            scheduled: format.total_games(head.roster.len()),
            at_most: format.ends_by_tests(),
        }
    };
    // Of a part of the games nothing is expected.
    let expected = config.expect.iter().filter(|_| is_whole);
    let expectations: Vec<ExpectationResult> = expected
        .map(|expected| {
            let Expectation { bot, relation, share } = expected;
            let text = format!("{bot} {} {share}", relation.word());
            ExpectationResult { text, kept: kept(expected, &standings, &progress) }
        })
        .collect();
    let isolation = match last {
        Some(place) => recorded.journal.game(place)?.record()?.isolation,
        None => None,
    };
    let display = display_names(config, head);
    let has_aborted = standings.rows().iter().any(|row| row.aborted > 0);
    let names = head.names();
    let stopped = progress.stopped_by().map(|bot| {
        format!(
            "ended early: {} has reached the number of forfeits of stop-after-forfeits",
            names[bot]
        )
    });
    let of_journal = recorded.note_of_kept_games().into_iter().chain(recorded.note_of_part());
    let biased = (config.schedule.format.stop == Stop::Decided).then(|| {
        "the games of a bot with a step end with the verdict, so shares and ratings are biased \
         outwards"
            .to_owned()
    });
    let more = more_rounds(format, &progress, &names);
    let notes = schedule
        .notes(&names)
        .into_iter()
        .chain(stopped)
        .chain(more)
        .chain(biased)
        .chain(of_journal);
    let faults = rules_faults(recorded)?;
    let of_times = times.notes(&names, config.settings.time.clock);
    let of_rules = faults.notes().map(|note| anonymizer.message(&note));
    let notes = of_rules.chain(of_times).chain(notes).chain(missing).chain(contradictions);
    Ok(StandingsReport {
        name: head.name.clone(),
        game: config.settings.ruleset.game().name().to_owned(),
        options: config.settings.ruleset.options_text(),
        format: config.schedule.format.kind.word,
        isolation: isolation.unwrap_or_default(),
        anchors: anchors.into_iter().map(|(name, _, elo)| (name, elo)).collect(),
        // Every game that was to be played has a result.
        complete: Some(is_whole && progress.is_complete() && !has_aborted),
        games: Some(games),
        absent: head.absent.iter().map(|bot| anonymizer.absentee(bot)).collect(),
        notes: notes.collect(),
        sprt: progress.trial().map(|trial| SprtFigures::new(trial, progress.is_complete())),
        milestones: progress.milestones().cloned(),
        expectations,
        // The files of a bot give it away.
        digests: head
            .roster
            .iter()
            .map(|bot| bot.digest.clone().filter(|_| !anonymizer.hides_names()))
            .collect(),
        display_names: head.roster.iter().map(|bot| display.get(&bot.name).cloned()).collect(),
        versions: head
            .roster
            .iter()
            .map(|bot| recorded.index.versions(bot.private_name()) as u64)
            .collect(),
        history: recorded.runs.iter().map(|run| anonymizer.run(run)).collect(),
        ..StandingsReport::new(standings, ratings)
    })
}

/// Maximum number of bots whose rounds are named.
const NAMED_ROUNDS: usize = 5;

/// With how many rounds bots would have a verdict that have none and have played all games with
/// their step.
fn more_rounds(format: &Format, progress: &TournamentProgress, names: &[String]) -> Option<String> {
    let milestones = progress.milestones().filter(|_| progress.is_complete())?;
    let needed = |bot: usize| {
        let place = milestones.place(bot)?;
        let pairs = place.pairs + milestones.forecast(bot, place.step)?;
        Some((bot, (2 * pairs).div_ceil(format.games.into())))
    };
    let open: Vec<(usize, u64)> = (0..names.len()).filter_map(needed).collect();
    let bots = open
        .iter()
        .take(NAMED_ROUNDS)
        .map(|&(bot, rounds)| format!("{} about {rounds}", names[bot]));
    let more = open.len().saturating_sub(NAMED_ROUNDS);
    let more = if more > 0 { format!(", and {more} more bots have none") } else { String::new() };
    (!open.is_empty()).then(|| {
        format!(
            "all games are played, and some bots have no verdict yet: to play on in the same folder \
             raise schedule.rounds, which is {}; a verdict takes, by bot: {}{more}",
            format.rounds,
            bots.collect::<Vec<_>>().join(", ")
        )
    })
}

/// Maximum number of contradictions that are named: there may be one for each two anchors.
const NAMED_CONTRADICTIONS: usize = 3;

/// What the games say against the ratings of several anchors.
fn contradictions(standings: &Standings, options: RatingOptions, names: &[String]) -> Vec<String> {
    if options.anchors.len() < 2 {
        return Vec::new();
    }
    let free = RatingOptions { anchors: Vec::new(), ..options };
    let found = rate(names.len(), standings.encounters(), &free).contradictions(&options.anchors);
    let message = |AnchorContradiction { bots: [a, b], given, found }: AnchorContradiction| {
        let by_games = interval(found.low, found.high);
        format!(
            "WARNING: the games contradict the anchors: {} less {} is {given:.1} by definition, and \
             {by_games} by the games (95 %)",
            names[a], names[b]
        )
    };
    let more = found.len().saturating_sub(NAMED_CONTRADICTIONS);
    let more = (more > 0).then(|| format!("WARNING: so they do for {more} more pairs of anchors"));
    found.into_iter().take(NAMED_CONTRADICTIONS).map(message).chain(more).collect()
}

/// The bots with their ratings, for the journal.
pub fn run_bots(report: &StandingsReport, head: &JournalHead) -> Vec<RunBot> {
    let rated = head.roster.iter().zip(report.ratings.bots());
    let bot = |(bot, rated): (&Entrant, &BotRating)| RunBot {
        name: bot.name.clone(),
        digest: bot.digest.clone(),
        rating: rated.rating,
        low: rated.low,
        high: rated.high,
    };
    rated.map(bot).collect()
}

/// Whether an expectation holds by the counted games; undecided while missing games could change
/// that.
fn kept(expected: &Expectation, standings: &Standings, progress: &TournamentProgress) -> Kept {
    let row = standings.rows().iter().find(|row| row.name == expected.bot);
    let Some((row, share)) = row.and_then(|row| Some((row, row.share()?))) else { return Kept::No };
    let games = (row.games + row.aborted) as f64;
    let least = share * row.games as f64 / games;
    let could_be = [least, least + row.aborted as f64 / games];
    if !progress.is_complete() || expected.holds(could_be[0]) != expected.holds(could_be[1]) {
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
        add_to_page(
            &mut games,
            anonymizer.record(record),
            recorded.public_stderr(game, anonymizer).as_deref(),
        );
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
    let named = strict.bot().and_then(|typed| head.public_name(typed));
    let strict = named.map_or_else(|| strict.clone(), |name| Strict::Bot(name.to_owned()));
    let mut reasons = Vec::new();
    for row in rows.iter().filter(|row| strict.concerns(&row.name)) {
        let lost = [(row.forfeits, "lost", " by forfeit"), (row.aborted, "had", " aborted")];
        for (games, verb, how) in lost.into_iter().filter(|&(games, ..)| games > 0) {
            reasons.push(format!("{} {verb} {}{how}", row.name, counted(games, "game")));
        }
    }
    let absent =
        report.absent.iter().filter(|absent| strict.concerns(&absent.name) && !absent.excluded);
    reasons.extend(absent.map(|absent| format!("{} does not play", absent.name)));
    let test = report.sprt.as_ref().map(|test| test.verdict);
    if test == Some(Some("H0")) {
        reasons.push("the test accepts H0".to_owned());
    }
    let expected = |kept, how: &str| {
        let all = report.expectations.iter().filter(move |expectation| expectation.kept == kept);
        all.map(|expectation| format!("[expect] {} {how}", expectation.text)).collect::<Vec<_>>()
    };
    reasons.append(&mut expected(Kept::No, "does not hold"));
    if !reasons.is_empty() {
        return Ok(Verdict::because(1, reasons));
    }
    reasons.append(&mut expected(Kept::Undecided, "is undecided"));
    if matches!(test, Some(None | Some("undecided"))) {
        reasons.push("the test is undecided".to_owned());
    }
    Ok(Verdict::because(4, reasons))
}

/// The faults of the rules in the games of a tournament that count.
///
/// # Errors
/// The journal cannot be read.
pub fn rules_faults(recorded: &Recorded) -> anyhow::Result<RulesFaults> {
    let mut faults = RulesFaults::default();
    let words = recorded.config.settings.ruleset.command_words();
    let _ = recorded.counted(|_, game| {
        if game.outcome == Outcome::Aborted(Abort::Rules) {
            let fault = recorded
                .journal
                .game(game.place)?
                .fault
                .unwrap_or_else(|| RulesFault::new("the log says how"));
            faults.add(&RulesFault { rules: words.clone().into(), ..fault });
        }
        Ok(())
    })?;
    Ok(faults)
}
