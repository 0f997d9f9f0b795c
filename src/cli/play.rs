//! `arbiter play`: a match of two bots.

use super::audience::Spectators;
use super::{Failure, Outcome, Rules, by_cpu, colour, complain, isolation, launcher, print};
use crate::arena::{
    self, Audience, Contest, Desk, Disturbed, Finished, Known, Match, Pin, Quoted, Told, Trial, Written,
};
use crate::bot::{Launcher, Limits};
use crate::builtin::BuiltinBot;
use crate::clock::{TimeControl, WallCap, parse_duration};
use crate::config::parse_size;
use crate::course::{Course, Rules as CourseRules};
use crate::locate::{Finder, Program, hide_from_each_other};
use crate::openings::Openings;
use crate::protocol::Pondering;
use crate::record::Outcome as GameOutcome;
use crate::referee::Terms;
use crate::report::{self, json, text};
use crate::rules::{Position, Side};
use crate::sandbox::Sandbox;
use crate::schedule::{Format, Schedule};
use crate::standings::{Ranking, Scored, Standings};
use crate::store::{BotLogs, GameLog, Transcript};
use crate::view::Live;
use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Play a match between two bots
///
/// BOT is an executable or script file, a folder with a bot.toml, a quoted command line such as "python3 bot.py",
/// builtin:random, builtin:greedy or builtin:search.
#[derive(Debug, Args)]
pub struct Play {
    #[command(flatten)]
    rules: Rules,
    /// The bot that has the first side in game 1
    #[arg(value_name = "BOT")]
    first: String,
    /// Its opponent
    #[arg(value_name = "BOT")]
    second: String,
    /// How many games; sides alternate
    #[arg(short = 'n', long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Clock of each bot, BASE+INC in seconds, or none for no clock
    #[arg(long, value_name = "BASE+INC", default_value = "10+0.1", value_parser = TimeControl::parse)]
    time: TimeControl,
    /// A time for each ply instead, such as 500ms
    #[arg(long, value_name = "TIME", conflicts_with = "time", value_parser = parse_duration)]
    move_time: Option<Duration>,
    /// A limit of its own for a bot's first ply, such as 5s; 0s for none
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    first_move: Option<Duration>,
    /// What a ply may be over its limit without losing
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = parse_duration)]
    margin: Duration,
    /// Which time a ply is charged with: wall, or cpu for the processor time that the bot's processes used
    #[arg(long, value_name = "TIME", default_value = "wall")]
    clock: ClockArgument,
    /// With --clock cpu, how much wall time a ply may take: a factor of its limit and a time
    #[arg(long, value_name = "CAP", default_value = "3x+1s", value_parser = WallCap::parse)]
    wall_cap: WallCap,
    /// Whether a bot may think while it is not on move: off freezes it
    #[arg(long, value_name = "WHETHER", default_value = "off")]
    pondering: PonderingArgument,
    /// How long a bot may take to say ready
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    start: Duration,
    /// How long a bot may take to exit after quit
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = parse_duration)]
    grace: Duration,
    /// Answers before an illegal one loses
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    attempts: u32,
    /// Plies after which the game is drawn; 0 for the larger of 400 and twice the number of squares
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_plies: u32,
    /// The occurrence of a position that draws; 0 for never
    #[arg(long, value_name = "N", default_value_t = 3)]
    repetition: u32,
    /// The seed of everything random that bots are told; the same seed, the same bots, the same games
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Begin each pair of games after so many random plies, the same for both
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "position")]
    opening_plies: u32,
    /// Begin the pairs of games from the positions of this file, one position text a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "opening_plies"])]
    openings: Option<PathBuf>,
    /// The id of the one game that is played, instead of its own: with the same --seed bots are told the same seed as in
    /// the game of that id
    #[arg(long, value_name = "ID", conflicts_with = "games")]
    game_id: Option<String>,
    /// Append the game logs to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write what each bot wrote to stderr, and its stray lines, to DIR/NAME/GAMEID.log
    #[arg(long, value_name = "DIR")]
    bot_logs: Option<PathBuf>,
    /// Write every line to and from the bots to this file, with times
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// A JSON object a game on standard output
    #[arg(long)]
    json: bool,
    /// Exit with status 1 after a forfeit or an aborted game; with a name, of that bot
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "--strict, --strict=NAME or neither, as clap reads it")]
    strict: Option<Option<String>>,
    /// How far bots are restricted: basic is a clean environment, no inherited files, limits; strict keeps files, the
    /// network and other processes from them
    #[arg(long, value_name = "LEVEL", default_value = "basic")]
    sandbox: SandboxArgument,
    /// Memory of a bot's processes, such as 512MiB
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = parse_size)]
    memory: u64,
    /// How many processes a bot may be; under strict more than 1 allows fork
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    processes: u32,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Give each game one core: auto only where it cannot favour a bot that thinks on its opponent's time, which needs
    /// bots off move to be frozen, and where there is a core for each game; on always
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pin: PinArgument,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SandboxArgument {
    Off,
    Basic,
    Strict,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ClockArgument {
    Wall,
    Cpu,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum PonderingArgument {
    On,
    Off,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum PinArgument {
    Auto,
    On,
    Off,
}

/// How long a `build` may take.
const BUILD_TIME: Duration = Duration::from_secs(300);

impl Play {
    pub(super) fn run(self) -> Outcome {
        let position = self.rules.position()?;
        if let Some(ending) = position.ending() {
            return Err(Failure::Usage(anyhow!(
                "--position: the game is over there already ({})",
                ending.reason
            )));
        }
        let mut contest = self.contest(position)?;
        let isolation = isolation::establish(&mut contest.launcher, None)?;
        contest.isolation = isolation.line();
        let openings = self.openings(position, contest.seed)?;
        let found = self.find(&contest.launcher)?;
        let programs = found.iter().flatten().map(|program| (program.name.as_str(), program));
        contest.isolation = isolation::users(&mut contest.launcher, isolation, None, programs)?.line();
        let bots = self.bots(&contest, found)?;
        let names = [bots[0].0.clone(), bots[1].0.clone()];
        if let Some(Some(name)) = &self.strict
            && !names.contains(name)
        {
            let known = names.join(", ");
            return Err(Failure::Usage(anyhow!(
                "--strict={name}: no bot of that name plays; there are {known}"
            )));
        }
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
        let (spectators, audience) = self.spectators()?.unzip();
        let plan = Match {
            contest,
            bots: bots.into(),
            concurrency: usize::from(self.concurrency),
            pin: match self.pin {
                PinArgument::On => Pin::On,
                PinArgument::Auto => Pin::Auto,
                PinArgument::Off => Pin::Off,
            },
            audience,
        };
        let games = Format::RoundRobin { games: self.games, rounds: 1 };
        let schedule = Schedule::new(games, &names).map_err(|error| anyhow!(error))?;
        let course = Course::new(schedule, CourseRules { tries: 1, ..CourseRules::default() });
        let mut standings = Standings::new(Ranking::Points);
        for name in &names {
            standings.enter(name);
        }
        let mut tally = Tally::default();
        let mut unheard = false;
        let mut run = arena::run(plan, Desk::new(course, openings, Known::new()).with_id(self.game_id));
        while let Some(told) = run.next() {
            let finished = match told {
                Told::Finished(finished) => finished,
                Told::Broken(what) => return Err(Failure::Unfinished(anyhow!(what))),
                Told::Interrupted => {
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
                    unheard = true; // nobody wants to know any more
                    break;
                }
                shown => shown?,
            }
            run.settle(finished.pairing.index, arena::ended(finished.record.outcome));
        }
        if let Some(spectators) = spectators {
            spectators.leave();
        }
        if self.games > 1 && !self.json && !unheard {
            complain(report::standings::brief(&standings).trim_end());
        }
        tally.verdict()
    }

    /// What is the same in all games.
    fn contest(&self, position: Position) -> anyhow::Result<Contest> {
        if self.repetition == 1 {
            bail!("--repetition 1: every position occurs once; write 0 for never, or 2 or more");
        }
        if self.move_time.is_some_and(|time| time.is_zero()) {
            bail!("--move-time: the time is nothing at all");
        }
        let mut terms = Terms::new(position, self.move_time.map_or(self.time, TimeControl::Ply));
        terms.first_move = self.first_move.filter(|time| !time.is_zero());
        terms.margin = self.margin;
        if let ClockArgument::Cpu = self.clock {
            terms.charged = by_cpu(self.wall_cap).context("--clock cpu")?;
        }
        terms.repetition = self.repetition;
        terms.attempts = self.attempts;
        if self.max_plies > 0 {
            terms.max_plies = self.max_plies;
        }
        let sandbox = match self.sandbox {
            SandboxArgument::Off => Sandbox::Off,
            SandboxArgument::Basic => Sandbox::Basic,
            SandboxArgument::Strict => Sandbox::Strict,
        };
        let now = jiff::Timestamp::now();
        Ok(Contest {
            event: "?".to_owned(),
            date: now.strftime("%Y.%m.%d").to_string(),
            terms,
            limits: Limits {
                start: self.start,
                grace: self.grace,
                memory: Some(self.memory),
                pondering: match self.pondering {
                    PonderingArgument::On => Pondering::On,
                    PonderingArgument::Off => Pondering::Off,
                },
                ..Limits::default()
            },
            memory: self.memory,
            seed: self
                .seed
                .unwrap_or_else(|| now.as_nanosecond() as u64 ^ u64::from(std::process::id()) << 32),
            isolation: sandbox.word().to_owned(),
            launcher: Launcher { memory: self.memory, processes: self.processes, ..launcher(sandbox) },
            disturbed: Disturbed::Counts,
            stderr: Quoted::Yes,
        })
    }

    /// Where games begin.
    fn openings(&self, position: Position, seed: u64) -> anyhow::Result<Openings> {
        let ruleset = position.ruleset();
        if let Some(path) = &self.openings {
            let place = || format!("--openings {}", path.display());
            let text = std::fs::read_to_string(path).with_context(place)?;
            return Openings::listed(ruleset, &text).with_context(place);
        }
        Ok(match self.opening_plies {
            0 => Openings::start(position),
            plies => Openings::random(ruleset, plies, seed),
        })
    }

    /// The two bots, as far as they are found.
    fn find(&self, launcher: &Launcher) -> anyhow::Result<[Found; 2]> {
        let here = std::env::current_dir().context("the working directory")?;
        let finder = Finder { from: &here, program: &launcher.program, builtin: &BuiltinBot::NAMES };
        let found = [&self.first, &self.second].map(|bot| finder.find(bot).map_err(Into::into));
        let [mut first, mut second] = found;
        if let (Ok(first), Ok(second)) = (&mut first, &mut second) {
            hide_from_each_other(&mut [first, second]);
        }
        Ok([first, second])
    }

    /// The two bots, built and tried out: what cannot be found or run is said of both at once, before any game.
    fn bots(&self, contest: &Contest, found: [Found; 2]) -> anyhow::Result<[(String, Arc<Program>); 2]> {
        let [first, second] = found;
        let ready = |(bot, found): (&String, Found)| {
            let program = found?;
            let (quoted, mut written) = (Quoted::Yes, Written::default());
            arena::prepare(contest, &program.name, &program, BUILD_TIME, Trial::Start, quoted, &mut written)
                .with_context(|| format!("{bot} cannot be run"))?;
            Ok::<_, anyhow::Error>(program)
        };
        let [first, second] = both([(&self.first, first), (&self.second, second)].map(ready))?;
        let one = bot_name(&first.name);
        let mut other = bot_name(&second.name);
        if one.eq_ignore_ascii_case(&other) {
            other.push_str("-2");
        }
        Ok([(one, Arc::new(first)), (other, Arc::new(second))])
    }

    /// Who watches: the terminal, a transcript, or nobody.
    fn spectators(&self) -> anyhow::Result<Option<(Spectators, Arc<dyn Audience>)>> {
        let terminal = std::io::stdout();
        let shown = terminal.is_terminal() && !self.json && self.concurrency == 1;
        let live = shown.then(|| Live::new(terminal, colour()));
        let transcript = match &self.transcript {
            None => None,
            Some(path) => {
                Some(Transcript::create(path).with_context(|| format!("--transcript {}", path.display()))?)
            }
        };
        Ok((live.is_some() || transcript.is_some()).then(|| Spectators::new(live, transcript, self.games)))
    }
}

/// A bot's program, or why there is none.
type Found = anyhow::Result<Program>;

/// Both, or all that is wrong with them.
fn both<T>(found: [anyhow::Result<T>; 2]) -> anyhow::Result<[T; 2]> {
    match found {
        [Ok(first), Ok(second)] => Ok([first, second]),
        [first, second] => {
            let errors = [first.err(), second.err()].into_iter().flatten();
            Err(anyhow!(errors.map(|error| format!("{error:#}")).collect::<Vec<_>>().join("\narbiter: ")))
        }
    }
}

/// A bot that ended before it was told to, and was not asked again, has lost nothing; its author may want to know.
pub(super) fn note_early_ends(finished: &Finished) {
    for side in Side::BOTH {
        let expected = match finished.record.outcome {
            GameOutcome::Forfeit(loser, _) | GameOutcome::Resigned(loser) => loser == side,
            GameOutcome::Aborted(_) => true,
            GameOutcome::Rules(_) | GameOutcome::Repetition | GameOutcome::MaxPlies => false,
        };
        if let Some(farewell) = finished.farewells[side].as_ref().filter(|end| end.ended_early && !expected) {
            let (name, game) = (&finished.record.players[side], &finished.pairing.id);
            let how = farewell.exit.map_or_else(|| "ended".to_owned(), |exit| exit.to_string());
            complain(format_args!("note: {name} {how} before game {game} was over; it was not asked again"));
        }
    }
}

/// Processor time off move that is worth a word, and the part of what the bot's opponent took.
const PONDERED: (Duration, u32) = (Duration::from_millis(100), 20);

/// Where bots may run while they are not on move, who made something of it.
fn note_pondering(finished: &Finished) {
    let record = &finished.record;
    let first = record.start.side();
    for side in Side::BOTH {
        let pondered = finished.notes[side].pondered;
        let opponent = record.plies.iter().zip([first, !first].into_iter().cycle());
        let opponent = opponent.filter(|&(_, mover)| mover != side);
        let opponent: Duration =
            opponent.filter_map(|(played, _)| played.note.as_ref().and_then(|note| note.wall)).sum();
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
        logs.write(name, &finished.pairing.id, &notes.stderr.lines(), &notes.astray.lines())
            .with_context(|| format!("--bot-logs: {name}, game {}", finished.pairing.id))?;
    }
    Ok(())
}

/// A name that results can carry (tournaments.md): what does not fit becomes a dash.
fn bot_name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let name: String = name.chars().map(|c| if fits(c) { c } else { '-' }).take(60).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "bot".to_owned() } else { name.to_owned() }
}

/// Games so far, and what decides the exit status.
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
            GameOutcome::Forfeit(loser, _) => self.faults += u32::from(of(&record.players[loser])),
            GameOutcome::Aborted(_) => {
                self.aborted += 1;
                self.faults += u32::from(of(&record.players.first) || of(&record.players.second));
            }
            _ => {}
        }
        if let Some(what) = &finished.broken {
            self.broken = Some(what.clone());
        }
    }

    fn verdict(self) -> Outcome {
        if self.aborted == self.games {
            let why = self.broken.unwrap_or_else(|| "neither bot started".to_owned());
            return Err(Failure::Unfinished(anyhow!("every game was aborted: {why}")));
        }
        Ok(ExitCode::from(u8::from(self.faults > 0)))
    }
}
