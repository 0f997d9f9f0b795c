//! What browsers on the live page cost a tournament: the same games without a page and with many browsers
//! that follow it, in turn.
//!
//! `cargo bench --bench serve` prints the seconds of each run and the ratio of the medians. The followers are
//! on the same machine, in this process, so their own reading is part of the cost. Without `--bench` (under
//! `cargo test`) it does nothing.

mod support;

use nix::sys::resource::{UsageWho, getrusage};
use std::error::Error;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::median;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::Builder;

const FOLLOWERS: usize = 1000;
const ROUNDS: usize = 3;
/// The games of a run, of two bots that answer at once.
const GAMES: usize = 6000;
const CONFIG: &str = "name = \"cup\"\ngame = \"loa\"\n[limits]\nsandbox = \"basic\"\n\
[[bot]]\nname = \"ann\"\ncommand = \"builtin:greedy\"\n[[bot]]\nname = \"bob\"\ncommand = \"builtin:greedy\"\n";

fn main() -> Result<(), Box<dyn Error>> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let (before, (alone, _)) = (processor_time()?, play(0)?);
        let (between, (followed, updates)) = (processor_time()?, play(FOLLOWERS)?);
        let (used, used_with) = (between - before, processor_time()? - between);
        let seconds = |time: Duration| time.as_secs_f64();
        writeln!(
            out,
            "round {round}: {GAMES} games in {:.2} s alone and in {:.2} s with {FOLLOWERS} followers, which got \
             {updates} MB; processor time of arbiter and its bots {:.2} s and {:.2} s",
            seconds(alone),
            seconds(followed),
            seconds(used),
            seconds(used_with)
        )?;
        without.push(seconds(alone));
        with.push(seconds(followed));
    }
    let ratio = median(&mut with) / median(&mut without);
    writeln!(
        out,
        "with {FOLLOWERS} followers the median run takes {:+.1} % longer",
        (ratio - 1.0) * 100.0
    )?;
    Ok(())
}

/// The processor time of all programs that this one has started and waited for, and of theirs.
fn processor_time() -> Result<Duration, Box<dyn Error>> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros =
        |time: nix::sys::time::TimeVal| time.tv_sec() as u64 * 1_000_000 + time.tv_usec() as u64;
    Ok(Duration::from_micros(micros(usage.user_time()) + micros(usage.system_time())))
}

/// Plays the tournament with this number of followers; returns the time and the megabytes that all of them
/// got.
fn play(followers: usize) -> Result<(Duration, u64), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let config = dir.path().join("cup.toml");
    fs::write(
        &config,
        CONFIG.replace("[limits]", &format!("[schedule]\ngames = {GAMES}\n[limits]")),
    )?;
    let began = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.arg("tournament").arg(&config).args(["--concurrency", "1"]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    if followers == 0 {
        let status = command.stderr(Stdio::null()).status()?;
        return if status.success() {
            Ok((began.elapsed(), 0))
        } else {
            Err("the tournament failed".into())
        };
    }
    let mut child = command.args(["--serve", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(child.stderr.take().ok_or("no standard error")?).lines();
    let url = lines
        .find_map(|line| Some(line.ok()?.strip_prefix("the page of the tournament: ")?.to_owned()));
    let url = url.ok_or("the tournament serves no page")?;
    std::thread::spawn(move || lines.for_each(drop));
    let bytes = follow(&url, followers)?;
    let status = child.wait()?;
    let took = began.elapsed();
    if status.success() { Ok((took, bytes >> 20)) } else { Err("the tournament failed".into()) }
}

/// A connection from an address of this machine that others of a hundred connections have: the
/// server gives one address no more than 128.
async fn connected(to: &str, number: usize) -> io::Result<TcpStream> {
    let to = to.parse().map_err(io::Error::other)?;
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::new(127, 0, 1 + (number / 100) as u8, 1), 0).into())?;
    socket.connect(to).await
}

/// Follows a page with this number of connections until the server closes them; returns the bytes that came.
fn follow(url: &str, followers: usize) -> Result<u64, Box<dyn Error>> {
    let (address, path) =
        url.strip_prefix("http://").and_then(|url| url.split_once('/')).ok_or("no URL")?;
    let request = Arc::new(format!("GET /{path}events?from=0 HTTP/1.1\r\nHost: {address}\r\n\r\n"));
    let bytes = Arc::new(AtomicU64::new(0));
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        let connect = |number| {
            let (address, request, bytes) =
                (address.to_owned(), Arc::clone(&request), Arc::clone(&bytes));
            tokio::spawn(async move {
                let Ok(mut stream) = connected(&address, number).await else { return };
                let mut buffer = vec![0; 1 << 14];
                if stream.write_all(request.as_bytes()).await.is_ok() {
                    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
                        bytes.fetch_add(count as u64, Ordering::Relaxed);
                    }
                }
            })
        };
        let all: Vec<_> = (0..followers).map(connect).collect();
        for follower in all {
            let _ = follower.await; // its panic has been printed
        }
    });
    Ok(bytes.load(Ordering::Relaxed))
}
