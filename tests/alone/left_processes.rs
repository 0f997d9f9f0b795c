//! Tests of `crate::support::processes`: it finds processes that one read of `/proc/PID/cmdline`
//! misses.

use crate::support::{Stat, Walk, marker, plays_all, processes_with, wait_for, wait_until_gone};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// How often a process that changes all the time is searched for, so that a search that misses it
/// sometimes fails here; `.ci/slow` looks six times as often.
fn looks() -> usize {
    if plays_all() { 900 } else { 150 }
}

/// A process that is killed when the test ends, also by a panic.
struct Started(Child);

impl Started {
    fn new(command: &mut Command) -> Started {
        Started(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap())
    }

    fn stat(&self) -> Stat {
        Stat::of(self.0.id().cast_signed()).unwrap()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill(); // fails if it has ended
        let _ = self.0.wait();
    }
}

#[test]
fn a_process_in_the_middle_of_exec_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("again.sh");
    std::fs::write(&script, "exec sh \"$0\" \"$1\"\n").unwrap();
    let marker = marker("exec");
    let process = Started::new(Command::new("sh").arg(&script).arg(&marker));
    for _ in 0..looks() {
        assert_eq!(Walk::take(&marker).found.len(), 1, "{:?}", process.stat());
    }
    drop(process);
    assert_eq!(processes_with(&marker), [""; 0]);
}

#[test]
fn a_process_that_was_just_started_is_seen() {
    for _ in 0..looks() / 30 {
        let marker = marker("new");
        let process = Started::new(Command::new("sleep").arg0(&marker).arg("600"));
        assert_eq!(Walk::take(&marker).found.len(), 1, "{:?}", process.stat());
    }
}

#[test]
fn a_process_whose_first_thread_has_ended_is_seen_and_a_zombie_is_not() {
    let marker = marker("first-thread");
    let script = "import ctypes, os, platform, sys, threading\n\
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0))).start()\n\
        number = 60 if platform.machine() == 'x86_64' else 93\n\
        ctypes.CDLL(None).syscall(ctypes.c_long(number), ctypes.c_long(0))";
    let mut process = Started::new(Command::new("python3").args(["-c", script, &marker]));
    wait_for("the end of the first thread", || (process.stat().state == 'Z').then_some(()));
    assert_eq!(process.stat().threads, 2);
    assert_eq!(processes_with(&marker).len(), 1);
    drop(process.0.stdin.take());
    wait_for("the end of the second", || (process.stat().threads == 1).then_some(()));
    assert_eq!(process.stat().state, 'Z', "it has not been waited for");
    assert_eq!(processes_with(&marker), [""; 0]);
}

/// Forks and exits again and again until its standard input ends. A process above it reaps, and
/// does not have the marker.
const HOPPER: &str = "
import ctypes, os, select, sys
if sys.argv[1] != 'hop':
    ctypes.CDLL(None).prctl(36, ctypes.c_ulong(1), 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    marker = sys.stdin.readline().strip()
    os.posix_spawn(sys.executable, [sys.executable, '-c', os.environ['SCRIPT'], 'hop', marker], os.environ)
    try:
        while True: os.wait()
    except ChildProcessError:
        sys.exit()
print('hops', flush=True)
while not select.select([0], [], [], 0)[0]:
    if os.fork(): os._exit(0)
";

#[test]
fn a_process_that_forks_and_exits_for_ever_is_seen() {
    use std::io::{BufRead, BufReader, Write};
    let marker = marker("hopper");
    let mut command = Command::new("python3");
    let mut reaper = Started::new(command.args(["-c", HOPPER, "reap"]).env("SCRIPT", HOPPER));
    let mut input = reaper.0.stdin.take().unwrap();
    writeln!(input, "{marker}").unwrap();
    let mut line = String::new();
    BufReader::new(reaper.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "hops\n");
    for look in 0..looks() / 30 {
        assert_ne!(processes_with(&marker), [""; 0], "look {look}");
    }
    drop(input);
    reaper.0.wait().unwrap();
    wait_until_gone(&marker);
}
