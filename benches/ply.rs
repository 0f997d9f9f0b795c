//! What a ply costs between two bots, against the bare pipe floor.
//!
//! The *floor* is a ping-pong of the same bytes between one parent and two children over pipes: the parent writes the
//! requests of a recorded game with blocking calls and reads each answer; the children are the very same bot program.
//! *arbiter* is a whole match of that program against itself with everything on: rules, clocks, records, a log file.
//! Both run on one core, in turn, in one process tree; each round gives a figure a ply for both and their ratio.
//!
//! *frozen* is the same match with `pondering = "off"`: a bot off move is stopped, and goes on when it is asked.
//!
//! `cargo bench --bench ply` prints the table; `-- --check` exits 1 when a median is above its target.
//! Without `--bench` (under `cargo test`) it does nothing.

use arbiter::arena::{
    self, Audience, Contest, Desk, Disturbed, Event, Finished, Known, Match, Pin, Quoted, Told,
};
use arbiter::bot::{Access, Channel, Launcher, Limits, Listener, Program, Sandbox};
use arbiter::clock::TimeControl;
use arbiter::course::{Course, Rules};
use arbiter::openings::Openings;
use arbiter::protocol::Pondering;
use arbiter::referee::Terms;
use arbiter::rules::Ruleset;
use arbiter::schedule::{Format, Schedule};
use arbiter::store::GameLog;
use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A ply may cost this many times the floor.
const TARGET: f64 = 1.5;
/// And so many microseconds more than the floor where bots off move are frozen.
const FROZEN_TARGET: f64 = 12.0;
const ROUNDS: usize = 9;
const PLIES: usize = 30_000;
const FRESH_GAMES: u32 = 60;
/// A request, or a line of one, with the bot that it went to.
type Sent = (usize, Vec<u8>);

const BOT: &str = "--instant-bot";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, reuse] = &arguments[..]
        && word == BOT
    {
        return instant_bot(reuse == "reuse").map(|()| ExitCode::SUCCESS);
    }
    if !arguments.iter().any(|word| word == "--bench") {
        return Ok(ExitCode::SUCCESS);
    }
    pin_to_one_core()?;
    let requests = record_a_game()?;
    let bytes: usize = requests.iter().map(|(_, request)| request.len()).sum();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "a recorded game of {} plies, {} bytes a request; one core",
        requests.len(),
        bytes / requests.len()
    )?;
    writeln!(
        out,
        "{:>8}  {:>16}  {:>18}  {:>6}  {:>17}  {:>11}",
        "round", "floor (us a ply)", "arbiter (us a ply)", "ratio", "frozen (us a ply)", "above floor"
    )?;
    let (mut ratios, mut above) = (Vec::new(), Vec::new());
    let (mut floors, mut ours, mut frozen) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let games = (PLIES / requests.len()).max(1) as u32;
        let floor = floor(&requests)?;
        let running = arbiter(true, Pondering::On, games)?.0;
        let stopped = arbiter(true, Pondering::Off, games)?.0;
        let (ratio, more) = (running / floor, stopped - floor);
        writeln!(
            out,
            "{round:>8}  {floor:>16.2}  {running:>18.2}  {ratio:>6.2}  {stopped:>17.2}  {more:>+11.2}"
        )?;
        ratios.push(ratio);
        above.push(more);
        floors.push(floor);
        ours.push(running);
        frozen.push(stopped);
    }
    let (ratio, more) = (median(&mut ratios), median(&mut above));
    writeln!(
        out,
        "{:>8}  {:>16.2}  {:>18.2}  {ratio:>6.2}  {:>17.2}  {more:>+11.2}",
        "median",
        median(&mut floors),
        median(&mut ours),
        median(&mut frozen)
    )?;
    let (a_ply, a_game) = arbiter(false, Pondering::On, FRESH_GAMES)?;
    writeln!(out, "bots fresh each game: {a_game:.0} us a game, {a_ply:.2} us a ply with it")?;
    let verdict = |kept: bool| if kept { "met" } else { "missed" };
    writeln!(
        out,
        "target: at most {TARGET} times the floor with bots kept between games: {}",
        verdict(ratio <= TARGET)
    )?;
    writeln!(
        out,
        "target: at most {FROZEN_TARGET} us above the floor with bots frozen off move: {}",
        verdict(more <= FROZEN_TARGET)
    )?;
    let kept = ratio <= TARGET && more <= FROZEN_TARGET;
    Ok(ExitCode::from(u8::from(!kept && arguments.iter().any(|word| word == "--check"))))
}

/// A bot that answers at once: some legal ply of those it is sent, chosen by a running number.
fn instant_bot(reuse: bool) -> Result<(), Box<dyn Error>> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut block = Vec::new();
    let mut chunk = [0; 8192];
    let mut number: usize = 12345;
    loop {
        let count = input.read(&mut chunk)?;
        if count == 0 {
            return Ok(());
        }
        block.extend_from_slice(&chunk[..count]);
        if block.ends_with(b"\nstart\n") {
            output.write_all(if reuse { b"ready reuse\n" } else { b"ready\n" })?;
            output.flush()?;
        } else if block.ends_with(b"\ngo\n") {
            // The moves stand before `go`; each is four letters and a space, or `pass`.
            let moves = &block[..block.len() - 4];
            let line = moves.iter().rposition(|&b| b == b'\n').map_or(moves, |at| &moves[at + 1..]);
            let words = line.len() / 5 - 1;
            number = number.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            let at = 6 + (number >> 16) % words.max(1) * 5;
            let mut answer = *b"move a0a0\n";
            answer[5..9].copy_from_slice(&line[at..at + 4]);
            output.write_all(&answer)?;
            output.flush()?;
        } else {
            continue;
        }
        block.clear();
    }
}

fn pin_to_one_core() -> Result<(), Box<dyn Error>> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let allowed = sched_getaffinity(None)?;
    let core = (0..CpuSet::MAX_CPU).rfind(|&core| allowed.is_set(core)).ok_or("no core to run on")?;
    let mut one = CpuSet::new();
    one.set(core);
    sched_setaffinity(None, &one)?;
    Ok(())
}

/// The floor, in microseconds a ply.
fn floor(requests: &[Sent]) -> Result<f64, Box<dyn Error>> {
    let mut bots = [Bare::start()?, Bare::start()?];
    let games = (PLIES / requests.len()).max(1);
    let mut answer = Vec::new();
    let began = Instant::now();
    for _ in 0..games {
        for (bot, request) in requests {
            let bot = &mut bots[*bot];
            bot.input.write_all(request)?;
            answer.clear();
            bot.output.read_until(b'\n', &mut answer)?;
        }
    }
    let used = began.elapsed();
    for bot in bots {
        bot.stop()?;
    }
    Ok(micros(used) / (games * requests.len()) as f64)
}

struct Bare {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Bare {
    fn start() -> Result<Bare, Box<dyn Error>> {
        let mut child = Command::new(std::env::current_exe()?)
            .args([BOT, "reuse"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        Ok(Bare { child, input, output })
    }

    fn stop(mut self) -> Result<(), Box<dyn Error>> {
        drop(self.input);
        self.child.wait()?;
        Ok(())
    }
}

/// A match of the instant bot against itself: microseconds a ply, and a game.
fn arbiter(reuse: bool, pondering: Pondering, games: u32) -> Result<(f64, f64), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let mut log = GameLog::open(&dir.path().join("games.pgn"))?;
    let mut plies = 0;
    let began = Instant::now();
    play(reuse, pondering, games, None, |finished| {
        plies += finished.record.plies.len();
        log.append(&finished.record)?;
        if !matches!(finished.record.outcome.word(), "win" | "suicide" | "draw") {
            return Err(format!("{}: {:?}", finished.record.outcome.word(), finished.record.detail).into());
        }
        Ok(())
    })?;
    let used = micros(began.elapsed());
    Ok((used / plies as f64, used / f64::from(games)))
}

fn plan(
    reuse: bool,
    pondering: Pondering,
    audience: Option<Arc<dyn Audience>>,
) -> Result<Match, Box<dyn Error>> {
    let launcher = Launcher::new(PathBuf::from(env!("CARGO_BIN_EXE_arbiter")), Sandbox::Basic);
    let second = Duration::from_secs(1);
    let terms = Terms::new(
        Ruleset::named("loa", &[])?.start(),
        TimeControl::Game { base: 10 * second, increment: second / 10 },
    );
    let program = Arc::new(Program {
        name: "instant".to_owned(),
        command: std::env::current_exe()?,
        arguments: vec![BOT.into(), if reuse { "reuse" } else { "fresh" }.into()],
        dir: std::env::current_dir()?,
        env: Vec::new(),
        build: None,
        built_in: false,
        access: Access::default(),
    });
    Ok(Match {
        contest: Contest {
            event: "bench".to_owned(),
            date: "2026.01.01".to_owned(),
            terms,
            limits: Limits { memory: Some(512 << 20), pondering, ..Limits::default() },
            memory: 512 << 20,
            seed: 1,
            isolation: "basic".to_owned(),
            launcher,
            disturbed: Disturbed::Counts,
            stderr: Quoted::Yes,
        },
        bots: vec![("a".to_owned(), Arc::clone(&program)), ("b".to_owned(), program)],
        concurrency: 1,
        pin: Pin::On,
        audience,
    })
}

/// Plays so many games of the bot against itself; `each` is on the way of every game, as the log of a match is.
fn play(
    reuse: bool,
    pondering: Pondering,
    games: u32,
    audience: Option<Arc<dyn Audience>>,
    mut each: impl FnMut(&Finished) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let plan = plan(reuse, pondering, audience)?;
    let schedule = Schedule::new(Format::RoundRobin { games, rounds: 1 }, &["a", "b"].map(String::from))?;
    let openings = Openings::start(plan.contest.terms.start);
    let course = Course::new(schedule, Rules { tries: 1, ..Rules::default() });
    let mut run = arena::run(plan, Desk::new(course, openings, Known::new()));
    while let Some(told) = run.next() {
        let Told::Finished(finished) = told else { return Err("the match was broken off".into()) };
        each(&finished)?;
        run.settle(finished.pairing.index, arena::ended(finished.record.outcome));
    }
    Ok(())
}

/// The requests of a game, each with the bot that it went to.
fn record_a_game() -> Result<Vec<Sent>, Box<dyn Error>> {
    let tape = Arc::new(Tape::default());
    play(true, Pondering::On, 1, Some(Arc::clone(&tape) as Arc<dyn Audience>), |_| Ok(()))?;
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

#[derive(Default)]
struct Tape {
    lines: Arc<Mutex<Vec<Sent>>>,
}

impl Audience for Tape {
    fn event(&self, _: Event<'_>) {}

    fn listener(&self, name: &str) -> Option<Arc<dyn Listener>> {
        Some(Arc::new(Ear { bot: usize::from(name == "b"), lines: Arc::clone(&self.lines) }))
    }
}

struct Ear {
    bot: usize,
    lines: Arc<Mutex<Vec<Sent>>>,
}

impl Listener for Ear {
    fn heard(&self, channel: Channel, line: &[u8]) {
        if channel == Channel::Request {
            self.lines.lock().unwrap_or_else(PoisonError::into_inner).push((self.bot, line.to_vec()));
        }
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
