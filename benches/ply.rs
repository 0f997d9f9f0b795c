//! The cost of a ply between two bots, compared with the cost of the pipes alone.
//!
//! The *floor* is a ping-pong of the same bytes between one parent and two children over pipes: the parent
//! writes the requests of a recorded game with blocking calls and reads each answer; the children are the
//! very same bot program. *arbiter* is a whole match of that program against itself with everything on:
//! rules, clocks, records, a log file. Both run on one core, in turn, in one process tree; each round gives a
//! figure a ply for both and their ratio.
//!
//! *frozen* is the same match with `pondering = "off"`: a bot off move is stopped, and goes on when it is asked.
//!
//! `cargo bench --bench ply` prints the table; `-- --check` exits 1 when a median is above its target.
//! Without `--bench` (under `cargo test`) it does nothing.

mod support;

use arbiter::game::{Channel, Event, Pondering, Watcher};
use arbiter::store::GameLog;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use support::{BOT, Setup, instant_bot, median, micros, pin_to_one_core, play};

/// A ply may cost this many times the floor.
const TARGET: f64 = 1.5;
/// With frozen bots a ply may cost this many microseconds more than the floor.
const FROZEN_TARGET: f64 = 12.0;
const ROUNDS: usize = 9;
const PLIES: usize = 30_000;
const FRESH_GAMES: u32 = 60;
/// A request, or a line of one, with the bot that it went to.
type Sent = (usize, Vec<u8>);

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
    play(&Setup::new(reuse, pondering), games, None, |finished| {
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

/// The requests of a game, each with the bot that it went to.
fn record_a_game() -> Result<Vec<Sent>, Box<dyn Error>> {
    let tape = Arc::new(Tape::default());
    play(&Setup::new(true, Pondering::On), 1, Some(Arc::clone(&tape) as Arc<dyn Watcher>), |_| Ok(()))?;
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
    lines: Mutex<Vec<Sent>>,
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
