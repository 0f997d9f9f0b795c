//! What arbiter costs, in turn with what else there is: a ply between two bots that are kept, and a game of two fresh bots.
//!
//! All bots answer at once, and everything runs on one core, so a figure is the work of all programs together. The *floor* is
//! what no referee can do without. For a ply it is a ping-pong of the same bytes with two bare children over pipes, by one
//! blocking write and one blocking read. For a game it is to start two bots, to ask each once, and to wait for their ends.
//! *arbiter* is a whole match with rules, clocks, records and a log file: as it comes (a bot off move is stopped), with
//! `pondering = "on"`, and at each level of isolation. Referees of chess that are on PATH play with a bot that answers from a
//! game of 200 plies: a referee that stops nothing is to be compared with arbiter with pondering on. *adapter* is arbiter under
//! `basic` with both bots behind an adapter in Python, if that is on PATH.
//!
//! Each figure is the difference of a long run and a short one, divided by the plies or games that the long one has more, so
//! that what a program does once does not count. Plies are counted in the log that the program wrote.
//!
//! `cargo bench --bench compare` prints the tables; `-- --check` exits 1 when a median is above its target, and
//! `-- --one 'arbiter as it comes'` runs one of them once, for a profiler. The bots are compiled with `cc`; without it this
//! program is the bot. Without `--bench` (under `cargo test`) it does nothing.

mod chess;
mod planned;
#[path = "../support/mod.rs"]
mod support;

use arbiter::adapters::Adapter;
use arbiter::bot::{Launcher, probe_isolation};
use arbiter::game::{Channel, Event, Limits, Pondering, Sandbox, Watcher};
use arbiter::locate::InstalledAdapter;
use arbiter::record::read_stream;
use arbiter::sandbox::Namespaces;
use arbiter::store::GameLog;
use rustix::io::{read, write};
use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use support::{BOT, Setup, instant_bot, median, micros, pin_to_one_core, play};

const ROUNDS: usize = 9;
/// Plies of a short run and of a long one with kept bots.
const PLIES: [u32; 2] = [6_000, 36_000];
/// Games of a short run and of a long one with fresh bots, and plies of each.
const FRESH_GAMES: [u32; 2] = [10, 50];
const FRESH_PLIES: u32 = 2;

/// A ply as it comes, and with pondering on, may cost this many times the floor.
const AS_IT_COMES: f64 = 2.1;
const PONDERING: f64 = 1.6;
/// A game with fresh bots may cost this many times the floor: 2 and 3.5 ms where the floor is 0.42 ms.
const FRESH_BASIC: f64 = 4.8;
const FRESH_STRICT: f64 = 8.3;

/// A request with the bot that it goes to.
type Request = (usize, Vec<u8>);

/// Which of the two runs of a figure.
#[derive(Clone, Copy)]
enum Length {
    Short,
    Long,
}

impl Length {
    fn of(self, [short, long]: [u32; 2]) -> u32 {
        match self {
            Length::Short => short,
            Length::Long => long,
        }
    }
}

/// What a run took, in microseconds, and how many plies or games were played.
struct Run {
    used: f64,
    count: u64,
}

type RunResult = Result<Run, Box<dyn Error>>;

/// One of the things that are compared.
struct Arm {
    name: String,
    run: Box<dyn Fn(Length) -> RunResult>,
    /// How many times the floor it may be.
    most: Option<f64>,
    figures: Vec<f64>,
    /// Why there is no figure: its games did not end as planned.
    failed: Option<String>,
}

impl Arm {
    fn new(name: &str, run: impl Fn(Length) -> RunResult + 'static) -> Arm {
        Arm {
            name: name.to_owned(),
            run: Box::new(run),
            most: None,
            figures: Vec::new(),
            failed: None,
        }
    }

    /// Microseconds a ply or a game, without what a run does once.
    fn figure(&self) -> Result<f64, Box<dyn Error>> {
        let (short, long) = ((self.run)(Length::Short)?, (self.run)(Length::Long)?);
        let more = long.count.checked_sub(short.count).filter(|more| *more > 0);
        let more = more.ok_or_else(|| {
            format!(
                "{}: {} in the long run, {} in the short one",
                self.name, long.count, short.count
            )
        })?;
        Ok((long.used - short.used) / more as f64)
    }

    fn at_most(self, floors: f64) -> Arm {
        Arm { most: Some(floors), ..self }
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [word, reuse] if word == BOT => {
            return instant_bot(reuse == "reuse").map(|()| ExitCode::SUCCESS);
        }
        [word] if word == chess::BOT => return chess::bot().map(|()| ExitCode::SUCCESS),
        words if !words.iter().any(|word| word == "--bench") => return Ok(ExitCode::SUCCESS),
        _ => {}
    }
    pin_to_one_core()?;
    let requests = record_a_game()?;
    let bytes: usize = requests.iter().map(|(_, request)| request.len()).sum();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "one core; {} bytes a request; medians of {ROUNDS} rounds, in turn",
        bytes / requests.len()
    )?;
    let (chess, absent) = chess::referees();
    if !absent.is_empty() {
        writeln!(out, "not on PATH and left out: {}", absent.join(", "))?;
    }
    let mut plies = vec![Arm::new("floor", move |length| ping_pong(&requests, length))];
    plies.extend(kept(mirror("True")));
    plies.extend(
        chess
            .into_iter()
            .map(|referee| Arm::new(referee.name(), move |length| referee.run(length))),
    );
    let mut games = vec![Arm::new("floor", start_and_end)];
    games.extend(fresh(mirror("False"))?);
    if let Some(at) = arguments.iter().position(|word| word == "--one") {
        let name = arguments.get(at + 1).ok_or("--one: name one of the rows")?;
        let arm = plies
            .iter()
            .chain(&games)
            .find(|arm| arm.name == *name)
            .ok_or("--one: there is no such row")?;
        writeln!(out, "{name}  {:.2} us", arm.figure()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let met = [
        compare(&mut out, "a ply, bots kept", plies)?,
        compare(&mut out, "a game, bots fresh", games)?,
    ];
    let is_strict = arguments.iter().any(|word| word == "--check");
    Ok(ExitCode::from(u8::from(is_strict && met.contains(&false))))
}

/// Runs all arms in turn, and prints a table, in which the first one is the floor. Returns whether all targets are met.
fn compare(out: &mut impl Write, title: &str, mut arms: Vec<Arm>) -> Result<bool, Box<dyn Error>> {
    for _ in 0..ROUNDS {
        for arm in arms.iter_mut().filter(|arm| arm.failed.is_none()) {
            match arm.figure() {
                Ok(figure) => arm.figures.push(figure),
                Err(error) => arm.failed = Some(error.to_string()),
            }
        }
    }
    if let Some(why) = &arms[0].failed {
        return Err(why.clone().into());
    }
    writeln!(out, "{title:<28}  {:>9}  {:>9}  {:>9}  {:>7}", "us", "lowest", "highest", "floors")?;
    let mut all_met = true;
    let floor = median(&mut arms[0].figures);
    for Arm { name, most, mut figures, failed, .. } in arms {
        if let Some(why) = failed {
            writeln!(out, "  {name:<26}  no figure: {why}")?;
            all_met &= most.is_none();
            continue;
        }
        let middle = median(&mut figures);
        let (lowest, highest) = (figures[0], figures[figures.len() - 1]);
        let ratio = middle / floor;
        let verdict = most.map(|most| {
            let met = ratio <= most;
            all_met &= met;
            format!("  (at most {most}: {})", if met { "met" } else { "missed" })
        });
        let verdict = verdict.unwrap_or_default();
        writeln!(
            out,
            "  {name:<26}  {middle:>9.2}  {lowest:>9.2}  {highest:>9.2}  {ratio:>7.2}{verdict}"
        )?;
    }
    Ok(all_met)
}

/// An adapter through which the instant bot gets its list of moves; `None` without Python.
fn mirror(reuse: &str) -> Option<InstalledAdapter> {
    let adapter = Adapter::of_file("mirror.py".to_owned(), MIRROR.replace("REUSE", reuse));
    InstalledAdapter::of_organiser(adapter).ok()
}

const MIRROR: &str = "
from arbiter_adapter import Adapter, run

class Mirror(Adapter):
    reuse = REUSE

    def start(self):
        self.bot.send('arena 1', 'start')
        self.bot.line()

    def turn(self):
        self.bot.send('moves ' + ' '.join(self.game.moves), 'go')

    def read(self, line):
        return line[len('move '):]

run(Mirror)
";

/// Matches of bots that are kept.
fn kept(adapter: Option<InstalledAdapter>) -> Vec<Arm> {
    let arm = |name, sandbox, pondering| {
        Arm::new(name, move |length| {
            let mut setup = Setup::new(true, pondering);
            setup.launcher.sandbox = sandbox;
            Ok(arbiter(&setup, length.of(PLIES))?.0)
        })
    };
    let mut arms = vec![
        arm("arbiter, pondering on", Sandbox::Basic, Pondering::On).at_most(PONDERING),
        arm("arbiter as it comes", Sandbox::Basic, Pondering::Off).at_most(AS_IT_COMES),
        arm("arbiter, strict", Sandbox::Strict, Pondering::Off),
    ];
    if let Some(adapter) = adapter {
        arms.push(Arm::new("arbiter, adapter", move |length| {
            let mut setup = Setup::new(true, Pondering::Off);
            setup.adapter = Some(adapter.clone());
            Ok(arbiter(&setup, length.of(PLIES))?.0)
        }));
    }
    arms
}

/// Matches of fresh bots, at each level that this machine has.
fn fresh(adapter: Option<InstalledAdapter>) -> Result<Vec<Arm>, Box<dyn Error>> {
    let plain = Setup::new(false, Pondering::Off).launcher;
    let arm_behind = |name, launcher: Launcher, own_adapter: Option<InstalledAdapter>| {
        Arm::new(name, move |length| {
            let mut setup = Setup {
                launcher: launcher.clone(),
                adapter: own_adapter.clone(),
                ..Setup::new(false, Pondering::Off)
            };
            setup.settings.rules.max_plies = FRESH_PLIES;
            let (run, games) = arbiter(&setup, length.of(FRESH_GAMES) * FRESH_PLIES)?;
            Ok(Run { count: games, ..run })
        })
    };
    let arm = |name, launcher| arm_behind(name, launcher, None);
    let level = |sandbox| Launcher { sandbox, ..plain.clone() };
    let mut arms = vec![
        arm("arbiter, off", level(Sandbox::Off)),
        arm("arbiter, basic", level(Sandbox::Basic)).at_most(FRESH_BASIC),
        arm("arbiter, strict", level(Sandbox::Strict)),
    ];
    let names = Launcher { namespaces: Namespaces::All, ..level(Sandbox::Strict) };
    if probe_isolation(&names, &Limits::default(), None).is_ok() {
        arms.push(arm("arbiter, strict, namespaces", names).at_most(FRESH_STRICT));
    }
    if adapter.is_some() {
        arms.push(arm_behind("arbiter, basic, adapter", level(Sandbox::Basic), adapter));
    }
    Ok(arms)
}

/// A match of the instant bot against itself with at least so many plies: with the plies in its log, and its games.
fn arbiter(setup: &Setup, least: u32) -> Result<(Run, u64), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("games.pgn");
    let mut log = GameLog::open(&path)?;
    let most = setup.settings.max_plies().min(150); // most games are longer
    let mut games = 0;
    let began = Instant::now();
    play(setup, least.div_ceil(most), None, |finished| {
        games += 1;
        log.append(&finished.record)?;
        if !matches!(finished.record.outcome.word(), "win" | "suicide" | "draw") {
            return Err(format!(
                "{}: {:?}",
                finished.record.outcome.word(),
                finished.record.detail
            )
            .into());
        }
        Ok(())
    })?;
    let used = micros(began.elapsed());
    drop(log);
    Ok((Run { used, count: plies_in(&path)? }, games))
}

/// The number of plies in a log, also of another program.
fn plies_in(log: &Path) -> Result<u64, Box<dyn Error>> {
    let mut count = 0;
    read_stream(File::open(log)?, |game| {
        count += game?.moves.len() as u64;
        Ok::<_, Box<dyn Error>>(())
    })?;
    Ok(count)
}

/// Sends the requests of a game to two bare children, again and again.
fn ping_pong(requests: &[Request], length: Length) -> RunResult {
    let bots = [Bare::start()?, Bare::start()?];
    let games = (length.of(PLIES) as usize).div_ceil(requests.len());
    let began = Instant::now();
    for _ in 0..games {
        for (bot, request) in requests {
            bots[*bot].ask(request)?;
        }
    }
    let used = began.elapsed();
    bots.into_iter().try_for_each(Bare::end)?;
    Ok(Run { used: micros(used), count: (games * requests.len()) as u64 })
}

/// Starts two bare children, asks each of them once and ends them, again and again.
fn start_and_end(length: Length) -> RunResult {
    let games = length.of(FRESH_GAMES);
    let began = Instant::now();
    for _ in 0..games {
        let bots = [Bare::start()?, Bare::start()?];
        bots.iter().try_for_each(|bot| bot.ask(b"game loa\nstart\n"))?;
        bots.into_iter().try_for_each(Bare::end)?;
    }
    Ok(Run { used: micros(began.elapsed()), count: games.into() })
}

/// A child with two pipes and nothing else.
struct Bare {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Bare {
    fn start() -> Result<Bare, Box<dyn Error>> {
        let (program, arguments) = support::bot(true);
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = child.stdout.take().ok_or("no standard output")?;
        Ok(Bare { child, input, output })
    }

    /// Writes a request and reads the answer; both fit into a pipe.
    fn ask(&self, request: &[u8]) -> Result<(), Box<dyn Error>> {
        let mut answer = [0; 64];
        let sent = write(&self.input, request)?;
        let count = read(&self.output, &mut answer)?;
        let is_line = sent == request.len() && answer[..count].ends_with(b"\n");
        if is_line { Ok(()) } else { Err("a bare child gave no answer".into()) }
    }

    fn end(mut self) -> Result<(), Box<dyn Error>> {
        drop(self.input);
        self.child.wait()?;
        Ok(())
    }
}

/// The requests of a game, each with the bot that it went to.
fn record_a_game() -> Result<Vec<Request>, Box<dyn Error>> {
    let tape = Arc::new(Tape::default());
    play(&Setup::new(true, Pondering::On), 1, Some(Arc::clone(&tape) as Arc<dyn Watcher>), |_| {
        Ok(())
    })?;
    let lines = tape.lines.lock().unwrap_or_else(PoisonError::into_inner);
    let mut open = [Vec::new(), Vec::new()];
    let mut requests = Vec::new();
    for (bot, line) in lines.iter() {
        let block = &mut open[*bot];
        if line.starts_with(b"turn ") {
            block.clear();
        }
        block.extend_from_slice(line);
        block.push(b'\n');
        if line == b"go" {
            requests.push((*bot, std::mem::take(block)));
        }
    }
    Ok(requests)
}

/// The lines of requests, with the bots that they went to.
#[derive(Default)]
struct Tape {
    lines: Mutex<Vec<Request>>,
}

impl Watcher for Tape {
    fn wants(&self, channel: Channel) -> bool {
        channel == Channel::Request
    }

    fn event(&self, event: Event) {
        if let Event::Line { player, line, .. } = event {
            let bot = usize::from(&*player == "b");
            self.lines.lock().unwrap_or_else(PoisonError::into_inner).push((bot, line));
        }
    }
}
