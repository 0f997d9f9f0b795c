//! Finds processes of bots that are left on this machine, in `/proc`.
//!
//! One walk through `/proc` does not prove that nothing is left:
//!
//! - During `exec` the command line of a process is empty, until the arguments of the new program
//!   are in place. The process that started it (`vfork`, `posix_spawn`) already runs on.
//! - A process whose first thread has ended looks like a zombie with an empty command line, but it
//!   lives.
//! - A process that is started during a walk may be missed, and so may one that forks and exits.
//!
//! So a process with an empty command line is read again until it is clear what it is, and only
//! several walks in a row prove that nothing is left.

use rustix::io::Errno;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// How long a test waits for something that happens on every machine, however busy.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// Number of walks in a row, with no process started and ended between them, that prove that
/// nothing is left.
const QUIET_WALKS: usize = 3;
/// Number of walks after which that is accepted on a machine where processes start and end all the
/// time.
const WALKS: usize = 40;

/// The processes whose command line contains a word, such as the marker of a bot: the folder of
/// each in `/proc`, and its command line.
pub fn processes_with(word: &str) -> Vec<String> {
    let (mut quiet, mut before) = (0, HashSet::new());
    for _ in 0..WALKS {
        let walk = Walk::take(word);
        if !walk.found.is_empty() {
            return walk.found;
        }
        // It may have had the word, and have a child that was started too late for this walk.
        let came_and_ended = walk.ended.iter().any(|pid| !before.contains(pid));
        quiet = if came_and_ended { 0 } else { quiet + 1 };
        if quiet == QUIET_WALKS {
            break;
        }
        before = walk.met;
    }
    Vec::new()
}

/// Waits until no process has this word in its command line; panics with those that are left after
/// [`PATIENCE`].
pub fn wait_until_gone(word: &str) {
    let are_gone = || processes_with(word).is_empty().then_some(());
    wait_or_say(are_gone, || format!("the end of {:#?}", processes_with(word)));
}

/// Waits until `look` returns something; panics after [`PATIENCE`].
pub fn wait_for<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    wait_or_say(look, || what.to_owned())
}

/// The same; `what` is called when the wait was in vain, so it can say what is there instead.
pub fn wait_or_say<T>(mut look: impl FnMut() -> Option<T>, what: impl FnOnce() -> String) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited for {}", what());
        pause();
    }
}

/// Lets other processes run. A look may read a whole journal, or ask a browser.
fn pause() {
    std::thread::sleep(Duration::from_millis(5));
}

/// One walk through `/proc`.
pub struct Walk {
    /// The processes with the word, each with its folder and its command line.
    pub found: Vec<String>,
    /// The pids of all processes.
    met: HashSet<i32>,
    /// The pids of processes that had ended when they were read.
    ended: Vec<i32>,
}

impl Walk {
    pub fn take(word: &str) -> Walk {
        let names = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.file_name());
        let mut pids: Vec<i32> = names.filter_map(|name| name.to_str()?.parse().ok()).collect();
        pids.sort_unstable_by(|one, other| other.cmp(one)); // newest first: they may fork and exit soon
        let mut walk =
            Walk { found: Vec::new(), met: pids.iter().copied().collect(), ended: Vec::new() };
        for pid in pids.into_iter().filter(|&pid| pid.unsigned_abs() != std::process::id()) {
            match Seen::of(pid) {
                Seen::Program(line) if line.contains(word) => {
                    walk.found.push(format!("/proc/{pid} {line}"))
                }
                Seen::Program(_) | Seen::Foreign => {}
                Seen::Ended => walk.ended.push(pid),
            }
        }
        walk
    }
}

/// What kind of process it is.
enum Seen {
    /// A program: its command line.
    Program(String),
    /// A thread of the kernel, or a process older than this one: no bot of this test.
    Foreign,
    /// A zombie without other threads, or a process that is gone.
    Ended,
}

impl Seen {
    /// Reads a process until it is clear what kind it is.
    fn of(pid: i32) -> Seen {
        let began = Instant::now();
        loop {
            if let Some(seen) = Seen::at_once(pid) {
                return seen;
            }
            assert!(
                began.elapsed() < PATIENCE,
                "process {pid} has no command line: {:?}",
                Stat::of(pid)
            );
            std::thread::yield_now();
        }
    }

    /// None during `exec` or while it ends.
    fn at_once(pid: i32) -> Option<Seen> {
        match command_line(&format!("/proc/{pid}")) {
            Ok(line) if !line.is_empty() => return Some(Seen::Program(line)),
            Ok(_) => {}
            Err(Errno::NOENT | Errno::SRCH) => return Some(Seen::Ended),
            Err(_) => return Some(Seen::Foreign), // of another user, where `/proc` hides those
        }
        static BEGAN: LazyLock<u64> =
            LazyLock::new(|| Stat::of(std::process::id().cast_signed()).unwrap().started);
        let Some(stat) = Stat::of(pid) else { return Some(Seen::Ended) };
        if stat.is_kernel_thread || stat.started < *BEGAN {
            return Some(Seen::Foreign);
        }
        match (stat.state, stat.threads) {
            ('Z' | 'X', 1) => Some(Seen::Ended),
            ('Z' | 'X', 2..) => {
                // Only the first thread has ended; the others show the command line.
                let threads =
                    fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
                let lines = threads.filter_map(|thread| command_line(thread.path().to_str()?).ok());
                lines.filter(|line| !line.is_empty()).map(Seen::Program).next()
            }
            _ => None,
        }
    }
}

/// The command line of a process or thread, with spaces between the words; only the beginning of a
/// very long one. One system call reads it: between two, the process could exec.
fn command_line(folder: &str) -> Result<String, Errno> {
    thread_local!(static LINE: RefCell<Vec<u8>> = RefCell::new(vec![0; 1 << 16]));
    LINE.with_borrow_mut(|line| {
        let read = fs::File::open(format!("{folder}/cmdline")).and_then(|mut file| file.read(line));
        let length = read.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        Ok(String::from_utf8_lossy(&line[..length]).replace('\0', " "))
    })
}

/// Fields of `/proc/PID/stat` (proc_pid_stat(5)).
#[derive(Debug)]
pub struct Stat {
    pub state: char,
    /// Number of threads: 1 for a process that has ended, 0 while it is removed.
    pub threads: u32,
    is_kernel_thread: bool,
    /// Clock ticks since boot.
    started: u64,
}

impl Stat {
    /// None if there is no such process.
    pub fn of(pid: i32) -> Option<Stat> {
        const PF_KTHREAD: u32 = 0x0020_0000;
        let line = fs::read(format!("/proc/{pid}/stat")).ok()?;
        // The name of the program, in parentheses, may contain any character.
        let rest = &line[line.iter().rposition(|&byte| byte == b')')? + 1..];
        let fields: Vec<&str> = std::str::from_utf8(rest).ok()?.split_ascii_whitespace().collect();
        Some(Stat {
            state: fields.first()?.chars().next()?,
            threads: fields.get(17)?.parse().ok()?,
            is_kernel_thread: fields.get(6)?.parse::<u32>().ok()? & PF_KTHREAD != 0,
            started: fields.get(19)?.parse().ok()?,
        })
    }
}
