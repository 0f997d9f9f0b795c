//! What the tests with real processes share: running the program, and finding processes that it
//! left behind.

#![allow(
    clippy::unwrap_used,
    dead_code,
    unused_imports,
    reason = "a test may panic; each program uses its own part"
)]

pub mod broken_bots;
pub mod browser;
pub mod conditions;
pub mod disk;
pub mod everything;
pub mod faulty_programs;
pub mod page;
pub mod place;
mod processes;
pub mod served;
pub mod shared;
pub mod tmux;

pub use processes::{PATIENCE, Stat, Walk, processes_with, wait_for, wait_or_say, wait_until_gone};
use std::collections::HashSet;
use std::hash::Hash;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Whether arbiter has only what every Unix has (src/host/bot/posix): it finds no daemon of a bot,
/// and does not know what a silent bot does. `.ci/slow` plays so on Linux.
pub const POSIX: bool = cfg!(any(not(target_os = "linux"), arbiter_posix));

/// The program under test.
pub const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");

/// A path in the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A copy of a sample bot in this folder: a build writes beside its bot, and the project may be
/// read-only.
pub fn sample_bot(name: &str, folder: &Path) -> String {
    let copied = Command::new("cp").arg("-r").arg(project("bots").join(name)).arg(folder).status();
    assert!(copied.unwrap().success(), "{name}");
    folder.join(name).to_str().unwrap().to_owned()
}

/// Writes a program that can be run. Another process writes it: what this one has open for writing
/// is for a moment also open in the children that other tests start, and a program that is open for
/// writing cannot be run (ETXTBSY).
pub fn write_program(path: &Path, text: impl AsRef<[u8]>) {
    let mut shell = Command::new("sh")
        .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    shell.stdin.take().unwrap().write_all(text.as_ref()).unwrap();
    assert!(shell.wait().unwrap().success(), "{}", path.display());
}

/// Copies a program that is to be run; by another process, [likewise](write_program).
pub fn copy_program(from: impl AsRef<Path>, to: &Path) {
    let copied = Command::new("cp").arg("-p").arg(from.as_ref()).arg(to).status();
    assert!(copied.unwrap().success(), "{}", to.display());
}

/// Compares a picture with the file of this name in `tests/pictures`, which was reviewed by eye;
/// `ARBITER_BLESS=1` writes it.
pub fn same_picture(name: &str, drawn: &str) {
    let path = project(&format!("tests/pictures/{name}"));
    if std::env::var_os("ARBITER_BLESS").is_some() {
        std::fs::write(&path, drawn).unwrap();
    }
    let is_same = std::fs::read_to_string(&path).is_ok_and(|kept| kept == drawn);
    assert!(is_same, "another picture than {}", path.display());
}

/// A command of the program, to be run in the project's folder with an empty standard input.
/// `PYTHONUNBUFFERED` is removed from the environment: arbiter must set it for bots itself.
pub fn arbiter(arguments: &[&str]) -> Command {
    let mut command = Command::new(ARBITER);
    command
        .args(arguments)
        .current_dir(project(""))
        .stdin(Stdio::null())
        .env_remove("PYTHONUNBUFFERED");
    command
}

/// A command prefix that runs a program where no namespace can be made, as the same user. Its exit
/// status is 77 if that is not possible on this machine.
pub const WITHOUT_NAMESPACES: [&str; 2] =
    ["python3", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/support/without_namespaces.py")];

/// Whether long tables are played whole and in every combination, as `.ci/slow` asks by
/// `ARBITER_ALL`. Otherwise it is a part of them, which is the same every time.
pub fn plays_all() -> bool {
    std::env::var_os("ARBITER_ALL").is_some()
}

/// The rows of a long table that are tried: one in `one_in`, or [all](plays_all). Rows of one kind
/// stand beside each other in a table, so that each kind has its share.
pub fn sample<T>(rows: impl IntoIterator<Item = T>, one_in: usize) -> Vec<T> {
    rows.into_iter().step_by(if plays_all() { 1 } else { one_in }).collect()
}

/// The same of a table with rows of several kinds: the first row of each, and one in `one_in` of
/// the others.
pub fn sample_of_kinds<T, K: Eq + Hash>(
    rows: impl IntoIterator<Item = T>,
    one_in: usize,
    kind: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut kinds = HashSet::new();
    let mut others = 0_usize;
    let mut sampled = Vec::new();
    for row in rows {
        let is_first = kinds.insert(kind(&row));
        others += usize::from(!is_first);
        if is_first || plays_all() || others.is_multiple_of(one_in) {
            sampled.push(row);
        }
    }
    sampled
}

/// Judges all rows, several at a time because most of them wait; returns what is wrong.
pub fn judge_all<T: Sync, C: IntoIterator<Item = String>>(
    rows: &[T],
    at_a_time: usize,
    judge: impl Fn(&T) -> C + Sync,
) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..at_a_time {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = judge(row);
                    complaints.lock().unwrap().extend(found);
                }
            });
        }
    });
    complaints.into_inner().unwrap()
}

/// The commands of the program, in the order and groups of its help.
pub fn commands() -> Vec<String> {
    let help = run(&["--help"]).stdout;
    let (groups, _) = help.split_once("\nExamples:\n").unwrap();
    let rows = groups.lines().filter_map(|line| line.strip_prefix("  "));
    rows.filter_map(|row| row.split_whitespace().next()).map(str::to_owned).collect()
}

/// The output of a command, and its exit status.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            status: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Ran {
    arbiter(arguments).output().unwrap().into()
}

/// A command line for a broken bot of `tests/bots/broken.py`; behaviours may take an argument.
pub fn broken(behaviour: &str) -> String {
    format!("python3 {} {behaviour}", project("tests/bots/broken.py").display())
}

/// A random number, unlike a pid also unique among containers on this machine.
pub fn random() -> u64 {
    let mut bytes = [0; 8];
    std::fs::File::open("/dev/urandom").unwrap().read_exact(&mut bytes).unwrap();
    u64::from_ne_bytes(bytes)
}

/// A word for the arguments of a bot, by which its processes are found. No such word is part of
/// another.
pub fn marker(name: &str) -> String {
    format!("marker-{name}-{:016x}", random())
}

/// Whether bots can be isolated here; prints what is not tested if not.
pub fn has_strict(otherwise: &str) -> bool {
    if POSIX {
        skip(&format!("this system has no strict: {otherwise}"));
    }
    !POSIX
}

/// Whether a program is installed. If not, prints what is not tested because of that.
pub fn has(program: &str, otherwise: &str) -> bool {
    let found = which(program).is_some();
    if !found {
        skip(&format!("{program} is not installed: {otherwise}"));
    }
    found
}

/// The file of a program on PATH.
pub fn which(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())
}

/// Prints that something is not tested, past the capture of output that hides `eprintln!` in a
/// passing test.
pub fn skip(why: &str) {
    std::io::stderr().write_all(format!("SKIPPED: {why}\n").as_bytes()).unwrap();
}

/// The moves and the result in a log of one game.
pub fn moves(log: &str) -> String {
    let body = log.split_once("\n\n").unwrap_or_default().1;
    let plain = body.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    plain.flat_map(str::split_ascii_whitespace).collect::<Vec<_>>().join(" ")
}

/// The signal that Ctrl-C sends; SIGTERM where this process ignores SIGINT, as a shell makes its
/// jobs in the background do, for then arbiter is started ignoring it and keeps to that.
pub fn interrupt() -> &'static str {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored =
        ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    if ignored & 1 << 1 == 0 { "INT" } else { "TERM" }
}

/// A command that may write files of at most this many bytes: a longer one fails as on a full disk.
pub fn with_short_files(bytes: u32, command: &Command) -> Command {
    let limit = format!(
        "import os, resource, sys\n\
         resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes}, {bytes}))\n\
         os.execv(sys.argv[1], sys.argv[1:])"
    );
    let mut limited = Command::new("python3");
    limited.args(["-c", &limit]).arg(command.get_program()).args(command.get_args());
    limited.current_dir(command.get_current_dir().unwrap()).stdin(Stdio::null());
    limited
}
