//! What browsers on the live page cost a tournament: the same games without a page and with many
//! browsers that follow it, in turn.
//!
//! `cargo bench --bench serve` prints the seconds of each run and the ratio of the medians, the
//! memory of arbiter, and how long it takes until all browsers have an update. The followers are on
//! the same machine, in this process, so their own reading is part of the cost. Without `--bench`
//! (under `cargo test`) it does nothing.

mod support;

use nix::sys::resource::{UsageWho, getrusage};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};
use support::median;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::Builder;
use tokio::task::LocalSet;

const FOLLOWERS: usize = 1000;
const ROUNDS: usize = 3;
/// The games of a run, of two bots that answer at once.
const GAMES: usize = 6000;
const CONFIG: &str = "name = \"cup\"\ngame = \"loa\"\n[limits]\nsandbox = \"basic\"\n\
[[bot]]\nname = \"ann\"\ncommand = \"builtin:greedy\"\n\
[[bot]]\nname = \"bob\"\ncommand = \"builtin:greedy\"\n";

/// How often the memory of a run is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// What a run has cost.
struct Played {
    seconds: f64,
    /// Of arbiter and its bots.
    processor_seconds: f64,
    /// The most memory of arbiter itself, in bytes.
    memory: u64,
    /// What the followers have seen.
    seen: Seen,
}

/// What followers have seen.
#[derive(Default)]
struct Seen {
    bytes: u64,
    /// The followers that got something.
    followers: usize,
    /// From the first connection until all of them had the state of the page, in seconds.
    until_first: f64,
    /// For each update, when the first of them had it, and the last one, and how many.
    updates: BTreeMap<u64, (Instant, Instant, usize)>,
}

/// Reads what a program writes, so that it does not wait for a reader.
fn read_to_end(lines: impl Iterator<Item = io::Result<String>>) {
    for _ in lines {}
}

fn main() -> Result<(), Box<dyn Error>> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let mut without = Vec::new();
    let mut with = Vec::new();
    let mut of_core = Vec::new();
    for round in 1..=ROUNDS {
        let alone = play(0)?;
        let followed = play(FOLLOWERS)?;
        writeln!(
            out,
            "round {round}: {GAMES} games in {:.2} s alone and in {:.2} s with {FOLLOWERS} \
             followers, which got {} MB; processor time of arbiter and its bots {:.2} s and \
             {:.2} s, memory of arbiter {} MB and {} MB",
            alone.seconds,
            followed.seconds,
            followed.seen.bytes >> 20,
            alone.processor_seconds,
            followed.processor_seconds,
            alone.memory >> 20,
            followed.memory >> 20,
        )?;
        print_updates(&mut out, &followed.seen)?;
        let used = followed.processor_seconds - alone.processor_seconds;
        of_core.push(used / followed.seconds);
        without.push(alone.seconds);
        with.push(followed.seconds);
    }
    let ratio = median(&mut with) / median(&mut without);
    writeln!(
        out,
        "with {FOLLOWERS} followers the median run takes {:+.1} % longer, and {:.1} % of a core",
        (ratio - 1.0) * 100.0,
        median(&mut of_core) * 100.0
    )?;
    Ok(())
}

/// Prints how long it took until all followers had what is new.
fn print_updates(out: &mut impl Write, seen: &Seen) -> io::Result<()> {
    let mut spread = Vec::new();
    for (first, last, followers) in seen.updates.values() {
        if *followers == seen.followers {
            spread.push((*last - *first).as_secs_f64());
        }
    }
    spread.sort_by(f64::total_cmp);
    let Some(longest) = spread.last() else {
        return writeln!(out, "  no update came to all followers");
    };
    writeln!(
        out,
        "  {} of {FOLLOWERS} followers had the state of the page after {:.2} s; of {} updates {} \
         came to all of them, within {:.0} ms in the median and {:.0} ms at most",
        seen.followers,
        seen.until_first,
        seen.updates.len(),
        spread.len(),
        spread[spread.len() / 2] * 1e3,
        longest * 1e3,
    )
}

/// The processor time of all programs that this one has started and waited for, and of theirs.
fn processor_time() -> Result<Duration, Box<dyn Error>> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros =
        |time: nix::sys::time::TimeVal| time.tv_sec() as u64 * 1_000_000 + time.tv_usec() as u64;
    Ok(Duration::from_micros(micros(usage.user_time()) + micros(usage.system_time())))
}

/// Plays the tournament with this number of followers.
fn play(followers: usize) -> Result<Played, Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let config = dir.path().join("cup.toml");
    let schedule = format!("[schedule]\ngames = {GAMES}\n[limits]");
    fs::write(&config, CONFIG.replace("[limits]", &schedule))?;
    let before = processor_time()?;
    let began = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.arg("tournament").arg(&config).args(["--concurrency", "1"]);
    if followers > 0 {
        command.args(["--serve", "127.0.0.1:0"]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let pid = child.id();
    let memory = thread::spawn(move || most_memory(pid));
    let mut lines = BufReader::new(child.stderr.take().ok_or("no standard error")?).lines();
    let mut seen = Seen::default();
    if followers > 0 {
        let url = lines.find_map(|line| {
            Some(line.ok()?.strip_prefix("the page of the tournament: ")?.to_owned())
        });
        let url = url.ok_or("the tournament serves no page")?;
        thread::spawn(move || read_to_end(lines));
        seen = follow(&url, followers)?;
    } else {
        read_to_end(lines);
    }
    let status = child.wait()?;
    let seconds = began.elapsed().as_secs_f64();
    if !status.success() {
        return Err("the tournament failed".into());
    }
    let processor_seconds = (processor_time()? - before).as_secs_f64();
    let memory = memory.join().map_err(|_| "the memory was not measured")?;
    Ok(Played { seconds, processor_seconds, memory, seen })
}

/// The most memory of a process until its end, in bytes.
fn most_memory(pid: u32) -> u64 {
    let mut most = 0;
    while let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) {
        // A process that has ended and was not waited for has no such line.
        let Some((_, rest)) = status.split_once("VmHWM:") else { break };
        let kilobytes = rest.split_whitespace().next().and_then(|number| number.parse().ok());
        most = kilobytes.map_or(most, |kilobytes: u64| kilobytes << 10);
        thread::sleep(LOOK);
    }
    most
}

/// A connection from an address of this machine that others of a hundred connections have: the
/// server gives one address no more than 128.
async fn connected(to: &str, number: usize) -> io::Result<TcpStream> {
    let to = to.parse().map_err(io::Error::other)?;
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::new(127, 0, 1 + (number / 100) as u8, 1), 0).into())?;
    socket.connect(to).await
}

/// Follows a page with this number of connections until the server closes them.
fn follow(url: &str, followers: usize) -> Result<Seen, Box<dyn Error>> {
    let (address, path) =
        url.strip_prefix("http://").and_then(|url| url.split_once('/')).ok_or("no URL")?;
    let request: Rc<str> =
        format!("GET /{path}events?from=0 HTTP/1.1\r\nHost: {address}\r\n\r\n").into();
    let seen = Rc::new(RefCell::new(Seen::default()));
    let began = Instant::now();
    let local = LocalSet::new();
    for number in 0..followers {
        let address = address.to_owned();
        let request = Rc::clone(&request);
        let seen = Rc::clone(&seen);
        local.spawn_local(async move {
            if let Ok(stream) = connected(&address, number).await {
                let _ = follow_one(stream, &request, &seen, began).await; // the server has ended
            }
        });
    }
    Builder::new_current_thread().enable_all().build()?.block_on(local);
    let seen = Rc::into_inner(seen).ok_or("a follower has not ended")?;
    Ok(seen.into_inner())
}

/// Follows a page with one connection.
async fn follow_one(
    mut stream: TcpStream,
    request: &str,
    seen: &RefCell<Seen>,
    began: Instant,
) -> io::Result<()> {
    stream.write_all(request.as_bytes()).await?;
    let mut buffer = vec![0; 1 << 14];
    let mut has_state = false;
    // What may be the beginning of a line with a number.
    let mut rest = Vec::new();
    loop {
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        let now = Instant::now();
        let mut seen = seen.borrow_mut();
        seen.bytes += count as u64;
        rest.extend_from_slice(&buffer[..count]);
        for number in update_numbers(&mut rest) {
            if !has_state {
                has_state = true;
                seen.followers += 1;
                seen.until_first = began.elapsed().as_secs_f64();
                continue; // the whole state, which is no news
            }
            let (_, last, followers) = seen.updates.entry(number).or_insert((now, now, 0));
            *last = now;
            *followers += 1;
        }
    }
}

/// Takes the numbers of updates, `id: NUMBER` on a line, out of what has come.
fn update_numbers(text: &mut Vec<u8>) -> Vec<u64> {
    let mut numbers = Vec::new();
    let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    for line in text[..end].split(|byte| *byte == b'\n') {
        if let Some(number) = line.strip_prefix(b"id: ")
            && let Ok(number) = String::from_utf8_lossy(number).parse()
        {
            numbers.push(number);
        }
    }
    text.drain(..end);
    numbers
}
