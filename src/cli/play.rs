//! `arbiter play`: a match of two bots.

use super::audience::Spectators;
use super::conditions::{Origin, conditions};
use super::input_file::read_text;
use super::settings::SettingsFlags;
use super::trust::TrustFlag;
use super::{CommandResult, Failure, RulesArguments, colour, complain, isolation, print, print_if_open};
use crate::arena::{self, Conditions, Contender, Finished, GameQueue, Match, RunEvent, TrialDepth, Written};
use crate::bot::Launcher;
use crate::builtin::BuiltinBot;
use crate::content;
use crate::game::{Outcome, Settings, StderrAccess, Watcher};
use crate::game_id::{pairing_name, parts_of};
use crate::locate::{ContentRules, Finder, Program, hide_from_each_other, is_command};
use crate::openings::Openings;
use crate::rating::Ratings;
use crate::report::standings::StandingsReport;
use crate::report::{self, json, text};
use crate::rules::{BySide, Position, Side};
use crate::schedule::{Format, Pairing, Schedule};
use crate::standings::{Ranking, Scored, Standings};
use crate::store::{BotLogs, GameLog, Transcript};
use crate::tournament::{PlayedGames, TournamentProgress, TournamentRules};
use crate::view::Live;
use anyhow::{Context, anyhow};
use clap::Args;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Play a match between two bots
///
/// BOT is an executable or script file, a folder with a bot.toml, a quoted command line such as "python3
/// bot.py", builtin:random, builtin:greedy or builtin:search.
#[derive(Debug, Args)]
pub struct PlayCommand {
    #[command(flatten)]
    rules: RulesArguments,
    /// The bot that has the first side in game 1
    #[arg(value_name = "BOT")]
    first: String,
    /// Its opponent
    #[arg(value_name = "BOT")]
    second: String,
    /// Words of a BOT that is not quoted; they are refused
    #[arg(hide = true)]
    unquoted: Vec<String>,
    /// The number of games; sides alternate
    #[arg(short = 'n', long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    #[command(flatten)]
    flags: SettingsFlags,
    /// The seed of random openings and of the seeds that bots get; a random one if it is not given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Begin each pair of games after N random plies, the same for both games
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "position")]
    opening_plies: u32,
    /// Begin the pairs of games from the positions of this file, one position text a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "opening_plies"])]
    openings: Option<PathBuf>,
    /// Play the game of this id, A~B.N, alone: game N of the match of these bots, with its opening, sides and
    /// seeds; `arbiter rerun` plays a game of a log again
    #[arg(long, value_name = "ID", conflicts_with = "games")]
    game_id: Option<String>,
    /// Append the game logs to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write each bot's stderr and unrecognised lines to DIR/NAME/GAMEID.log
    #[arg(long, value_name = "DIR")]
    bot_logs: Option<PathBuf>,
    /// Write every line to and from the bots to this file, with times
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Print one JSON object for each game on standard output, and one for the match of several games
    #[arg(long)]
    json: bool,
    /// Exit with status 1 after a forfeit or an aborted game; with a name, of that bot
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "--strict, --strict=NAME or neither, as clap reads it")]
    strict: Option<Option<String>>,
    #[command(flatten)]
    trust: TrustFlag,
    /// The number of games played at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
}

impl PlayCommand {
    pub(super) fn run(self) -> CommandResult {
        if !self.unquoted.is_empty() {
            let words = [&[self.first, self.second], &*self.unquoted].concat();
            return Err(Failure::Usage(anyhow!(unquoted(&self.rules.game, &words))));
        }
        let position = self.rules.position()?;
        if let Some(ending) = position.ending() {
            return Err(Failure::Usage(anyhow!(
                "--position: the game is over there already ({})",
                ending.reason
            )));
        }
        let settings = Settings { ruleset: position.ruleset(), ..self.flags.settings };
        let seed = self.seed.unwrap_or_else(random_seed);
        let mut conditions = conditions(settings, "?", seed, StderrAccess::Public, Origin::Flags)?;
        let limits = &settings.limits;
        let isolation = isolation::establish(&mut conditions.launcher, limits)?;
        conditions.isolation = isolation.line();
        let mut openings = self.openings(position, seed)?;
        if self.game_id.is_none() {
            // All that are needed are made before the first game, so that none is missing in the middle.
            openings.get(u64::from(self.games).div_ceil(2)).context("--opening-plies")?;
        }
        let found = self.find(&conditions.launcher)?;
        let programs = found.iter().flatten().map(|program| (program.name.as_str(), program));
        let isolation = isolation::separate_users(&mut conditions.launcher, isolation, limits, programs)?;
        conditions.isolation = isolation.line();
        let bots = self.bots(&conditions, found)?;
        let names = [bots[0].0.clone(), bots[1].0.clone()];
        if let Some(Some(name)) = &self.strict
            && !names.contains(name)
        {
            let known = names.join(", ");
            return Err(Failure::Usage(anyhow!(
                "--strict={name}: no bot of that name plays; there are {known}"
            )));
        }
        let games = match &self.game_id {
            None => self.games,
            Some(id) => number_in(id, &names)?,
        };
        let mut log = match &self.log {
            None => None,
            Some(path) => {
                Some((path, GameLog::open(path).with_context(|| format!("--log {}", path.display()))?))
            }
        };
        let bot_logs = match &self.bot_logs {
            None => None,
            Some(dir) => Some(BotLogs::create(dir).with_context(|| format!("--bot-logs {}", dir.display()))?),
        };
        let digests = match &log {
            None => [None, None],
            Some(_) => bots.each_ref().map(|(_, contender)| short_digest(contender)),
        };
        let (spectators, watcher) = self.spectators(games)?.unzip();
        let tries = conditions.tries;
        let plan =
            Match { conditions, bots: bots.into(), concurrency: usize::from(self.concurrency), watcher };
        // A whole number of pairs, so that an odd game that is played alone has its `Pair` too.
        let games = if self.game_id.is_some() { games.next_multiple_of(2) } else { games };
        let schedule =
            Schedule::new(Format::RoundRobin { games, rounds: 1 }, &names).map_err(|error| anyhow!(error))?;
        let progress =
            TournamentProgress::new(schedule, TournamentRules { tries, ..TournamentRules::default() });
        let mut standings = Standings::new(Ranking::Points);
        for name in &names {
            standings.enter(name);
        }
        let mut tally = Tally::default();
        let mut output_closed = false;
        let mut queue = GameQueue::new(progress, openings, PlayedGames::new());
        if let Some(id) = &self.game_id {
            queue = queue.only(id.clone());
        }
        let mut run = arena::run(plan, queue);
        while let Some(event) = run.next() {
            let finished = match event {
                RunEvent::Finished(mut finished) => {
                    let Pairing { first, second, .. } = finished.pairing;
                    finished.record.digests = BySide { first, second }.map(|bot| digests[bot].clone());
                    finished
                }
                RunEvent::Broken(what) => return Err(Failure::Unfinished(anyhow!(what))),
                RunEvent::Interrupted => {
                    let played = tally.games;
                    return Err(Failure::Interrupted(anyhow!(
                        "interrupted after {played} of {} games",
                        self.games
                    )));
                }
            };
            if let Some((path, log)) = &mut log {
                let context =
                    || format!("--log {}: the game {} is lost", path.display(), finished.pairing.id);
                log.append(&finished.record).with_context(context).map_err(Failure::Unfinished)?;
            }
            if let Some(logs) = &bot_logs {
                write_bot_logs(logs, &finished).map_err(Failure::Unfinished)?;
            }
            standings.add(&Scored::from(&finished.record));
            tally.add(&finished, self.strict.as_ref());
            note_early_ends(&finished);
            note_pondering(&finished);
            let shown = match &spectators {
                Some(spectators) if spectators.shows_board() => {
                    spectators.end(text::game(&finished.record));
                    Ok(())
                }
                _ if self.json => print(json::game(&finished.record, finished.attempt)),
                _ => print(text::game(&finished.record)),
            };
            match shown {
                Err(Failure::OutputClosed) => {
                    output_closed = true; // the reader wants no more results
                    break;
                }
                shown => shown?,
            }
            run.settle(finished.pairing.index, finished.record.outcome.into());
        }
        if let Some(spectators) = spectators {
            spectators.finish();
        }
        if self.games > 1 && !output_closed {
            self.end(standings)?;
        }
        tally.verdict()
    }

    /// Shows the result of the match: counts on standard error, the difference of the bots on standard output.
    fn end(&self, mut standings: Standings) -> Result<(), Failure> {
        standings.end_of_log();
        let ratings = Ratings::fit(standings.rows().len(), standings.encounters());
        let report = StandingsReport::of(&standings, &ratings);
        let line = if self.json {
            report::standings::match_json(&report)
        } else {
            complain(report::standings::brief(&standings).trim_end());
            report::standings::match_line(&report)
        };
        line.map_or(Ok(()), print_if_open)
    }

    /// The positions that games begin from.
    fn openings(&self, position: Position, seed: u64) -> anyhow::Result<Openings> {
        let ruleset = position.ruleset();
        if let Some(path) = &self.openings {
            let place = || format!("--openings {}", path.display());
            let text = read_text(path).with_context(place)?;
            return Openings::listed(ruleset, &text).with_context(place);
        }
        Ok(match self.opening_plies {
            0 => Openings::start(position),
            plies => Openings::random(ruleset, plies, seed),
        })
    }

    /// Looks for the programs of the two bots.
    fn find(&self, launcher: &Launcher) -> anyhow::Result<[FoundProgram; 2]> {
        let here = std::env::current_dir().context("the working directory")?;
        let trust = self.trust.of_folders(launcher.sandbox);
        let finder = Finder { from: &here, program: &launcher.program, builtin: &BuiltinBot::NAMES, trust };
        let found = [&self.first, &self.second].map(|bot| finder.find(bot).map_err(Into::into));
        let [mut first, mut second] = found;
        if let (Ok(first), Ok(second)) = (&mut first, &mut second) {
            hide_from_each_other(&mut [first, second]);
        }
        Ok([first, second])
    }

    /// Builds and starts both bots before the first game; an error names both if both fail.
    fn bots(
        &self,
        conditions: &Conditions,
        found: [FoundProgram; 2],
    ) -> anyhow::Result<[(String, Contender); 2]> {
        let [first, second] = found;
        let ready = |(bot, found): (&String, FoundProgram)| {
            let program = found?;
            let mut written = Written::default();
            let stderr = StderrAccess::Public;
            arena::prepare(conditions, &program.name, &program, TrialDepth::Start, stderr, &mut written)
                .with_context(|| format!("{bot} cannot be run"))?;
            Ok::<_, anyhow::Error>(program)
        };
        let [first, second] = both([(&self.first, first), (&self.second, second)].map(ready))?;
        let one = bot_name(&first.name);
        let mut other = bot_name(&second.name);
        if one.eq_ignore_ascii_case(&other) {
            other.push_str("-2");
        }
        let program = |program| Contender::Program(Arc::new(program));
        Ok([(one, program(first)), (other, program(second))])
    }

    /// The terminal and the transcript, if either is wanted.
    fn spectators(&self, games: u32) -> anyhow::Result<Option<(Spectators, Arc<dyn Watcher>)>> {
        let terminal = std::io::stdout();
        let shown = terminal.is_terminal() && !self.json && self.concurrency == 1;
        let live = shown.then(|| Live::new(terminal, colour(), games));
        let transcript = match &self.transcript {
            None => None,
            Some(path) => {
                Some(Transcript::create(path).with_context(|| format!("--transcript {}", path.display()))?)
            }
        };
        Ok((live.is_some() || transcript.is_some()).then(|| Spectators::new(live, transcript)))
    }
}

/// The digest of a bot's content as logs have it; none if its files cannot be read.
fn short_digest(contender: &Contender) -> Option<String> {
    let Contender::Program(program) = contender else { return None };
    let found = program.content(ContentRules::default(), None).ok()?;
    Some(content::short_digest(&found.content.digest()))
}

/// The number of a game between these bots, by its id. A larger number is refused, because all openings up to
/// it are made.
fn number_in(id: &str, names: &[String; 2]) -> anyhow::Result<u32> {
    let pair = pairing_name(&names[0], &names[1]);
    let number = parts_of(id).filter(|(names, _)| *names == pair).map(|(_, number)| number);
    let number =
        number.filter(|number| (1..=1_000_000).contains(number)).and_then(|number| number.try_into().ok());
    number.ok_or_else(|| {
        anyhow!(
            "--game-id {id}: the games of these bots are {pair}.1, {pair}.2 and so on, to {pair}.1000000; to play a \
             game of a log again, use `arbiter rerun`"
        )
    })
}

/// The seed of a run without `--seed`.
fn random_seed() -> u64 {
    jiff::Timestamp::now().as_nanosecond() as u64 ^ u64::from(std::process::id()) << 32
}

/// What to write instead of more than two words as BOTs. The second BOT is taken to begin with the first word
/// that is a built-in bot or a command, or else to be the last word.
fn unquoted(game: &str, words: &[String]) -> String {
    let begins = |word: &String| {
        word.starts_with("builtin:") || (!word.contains('/') && !Path::new(word).exists() && is_command(word))
    };
    let at = words.iter().skip(1).position(begins).map_or(words.len() - 1, |at| at + 1);
    let quoted = |words: &[String]| match words {
        [word] => word.clone(),
        words => format!("\"{}\"", words.join(" ")),
    };
    let (first, second) = words.split_at(at);
    format!(
        "{} words are given for two BOTs; a command line is one word, in quotes: arbiter play {game} {} {}",
        words.len(),
        quoted(first),
        quoted(second)
    )
}

/// A bot's program, or why it was not found.
type FoundProgram = anyhow::Result<Program>;

/// Both values, or all errors in one.
fn both<T>(found: [anyhow::Result<T>; 2]) -> anyhow::Result<[T; 2]> {
    match found {
        [Ok(first), Ok(second)] => Ok([first, second]),
        [first, second] => {
            let errors = [first.err(), second.err()].into_iter().flatten();
            Err(anyhow!(errors.map(|error| format!("{error:#}")).collect::<Vec<_>>().join("\narbiter: ")))
        }
    }
}

/// Notes a bot that ended early without losing by it, because it was not asked again: its author should know.
pub(super) fn note_early_ends(finished: &Finished) {
    for side in Side::BOTH {
        let expected = match finished.record.outcome {
            Outcome::Forfeit(loser, _) | Outcome::Resigned(loser) => loser == side,
            Outcome::Aborted(_) => true,
            Outcome::Rules(_) | Outcome::Repetition | Outcome::MaxPlies => false,
        };
        if let Some(report) = finished.exits[side].as_ref().filter(|end| end.ended_early && !expected) {
            let (name, game) = (&finished.record.players[side], &finished.pairing.id);
            let how = report.exit.map_or_else(|| "ended".to_owned(), |exit| exit.to_string());
            complain(format_args!("note: {name} {how} before game {game} was over; it was not asked again"));
        }
    }
}

/// Processor time off move is reported from this time on, and from this part (1/n) of the opponent's time on.
const PONDERED: (Duration, u32) = (Duration::from_millis(100), 20);

/// With pondering allowed: reports bots that used processor time while they were not on move.
fn note_pondering(finished: &Finished) {
    let record = &finished.record;
    for side in Side::BOTH {
        let pondered = finished.notes[side].pondered;
        let opponent = record.steps().filter(|step| step.side != side);
        let opponent: Duration = opponent.filter_map(|step| step.note.and_then(|note| note.wall)).sum();
        if pondered > PONDERED.0 && pondered * PONDERED.1 > opponent {
            complain(format_args!(
                "note: {} used {:.3} s of processor time while it was not on move in game {}, in which its opponent \
                 took {:.3} s",
                record.players[side],
                pondered.as_secs_f64(),
                finished.pairing.id,
                opponent.as_secs_f64()
            ));
        }
    }
}

pub(super) fn write_bot_logs(logs: &BotLogs, finished: &Finished) -> anyhow::Result<()> {
    for side in Side::BOTH {
        let (name, notes) = (&finished.record.players[side], &finished.notes[side]);
        logs.write(name, &finished.pairing.id, &notes.stderr.lines(), &notes.unrecognised.lines())
            .with_context(|| format!("--bot-logs: {name}, game {}", finished.pairing.id))?;
    }
    Ok(())
}

/// A name that is valid in results (tournaments.md): other characters become dashes.
pub(super) fn bot_name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let name: String = name.chars().map(|c| if fits(c) { c } else { '-' }).take(60).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "bot".to_owned() } else { name.to_owned() }
}

/// Counts of finished games, which decide the exit status.
#[derive(Default)]
struct Tally {
    games: u32,
    aborted: u32,
    faults: u32,
    broken: Option<String>,
}

impl Tally {
    fn add(&mut self, finished: &Finished, strict: Option<&Option<String>>) {
        self.games += 1;
        let record = &finished.record;
        let of = |name: &String| {
            matches!(strict, Some(None)) || matches!(strict, Some(Some(only)) if only == name)
        };
        match record.outcome {
            Outcome::Forfeit(loser, _) => self.faults += u32::from(of(&record.players[loser])),
            Outcome::Aborted(_) => {
                self.aborted += 1;
                self.faults += u32::from(of(&record.players.first) || of(&record.players.second));
            }
            _ => {}
        }
        if let Some(what) = &finished.broken {
            self.broken = Some(what.clone());
        }
    }

    fn verdict(self) -> CommandResult {
        if self.aborted == self.games {
            let why = self.broken.unwrap_or_else(|| "neither bot started".to_owned());
            return Err(Failure::Unfinished(anyhow!("every game was aborted: {why}")));
        }
        Ok(ExitCode::from(u8::from(self.faults > 0)))
    }
}
