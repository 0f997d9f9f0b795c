//! Feeding a file to a bot as its author does, by `sh -c 'program < file'`.

use crate::support::project;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// More than this is more than a bot may write.
const OUTPUT: u64 = 1 << 20;

/// What a program did that was fed by hand.
struct Done {
    stdout: Vec<u8>,
    /// Its exit status; none if it was killed, by a signal of its own or because it did not end.
    status: Option<i32>,
}

/// Whether the program, fed by hand with these requests, shows a fault. What it wrote is kept in
/// `file`.
///
/// # Errors
/// What it did instead.
pub fn shows(fault: &str, command: &str, requests: &str, file: &Path) -> Result<(), String> {
    // These show themselves by the answer that does not come; the others by what comes, or by their
    // end.
    let is_silence = ["no-start", "timeout", "protocol"].contains(&fault);
    let patience = if is_silence { 2 } else { 120 };
    let done = feed(command, file, Duration::from_secs(patience));
    let lines: Vec<&[u8]> = done.stdout.split_inclusive(|&byte| byte == b'\n').collect();
    // A line without its newline has not been said.
    let whole =
        lines.iter().filter_map(|line| line.strip_suffix(b"\n")).map(<[u8]>::trim_ascii_end);
    let whole: Vec<&[u8]> = whole.collect();
    let answers: Vec<&[u8]> = whole.iter().filter_map(|line| line.strip_prefix(b"move ")).collect();
    let asked = requests.lines().filter(|line| *line == "go").count();
    let is_ready = whole.iter().any(|line| [&b"ready"[..], b"ready reuse"].contains(line));
    let legal = requests.lines().rfind(|line| line.starts_with("moves")).unwrap_or_default();
    let is_legal = |answer: &[u8]| legal.split(' ').skip(1).any(|ply| ply.as_bytes() == answer);
    let shown = match fault {
        "no-start" => !is_ready || done.status != Some(0),
        "timeout" => answers.len() < asked,
        "illegal-move" => answers.get(asked - 1).is_some_and(|answer| !is_legal(answer)),
        "crash" => done.status != Some(0) || answers.len() < asked,
        "protocol" => {
            let is_none = |line: &&&[u8]| line.contains(&0) || line.len() > 65_536;
            answers.len() < asked || lines.iter().any(|line| is_none(&line))
        }
        "output-limit" => done.stdout.len() as u64 > OUTPUT,
        other => return Err(format!("the fault {other} is not known here")),
    };
    if shown {
        return Ok(());
    }
    let end = &done.stdout[done.stdout.len().saturating_sub(300)..];
    let end = String::from_utf8_lossy(end);
    Err(format!("asked {asked} times; status {:?}; {end}", done.status))
}

/// Runs a shell command in the folder of the project until it ends, writes too much, or this time
/// is over.
fn feed(command: &str, file: &Path, patience: Duration) -> Done {
    let began = Instant::now();
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(project(""))
        .stdout(File::create(file).unwrap())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if began.elapsed() > patience || fs::metadata(file).unwrap().len() > 2 * OUTPUT {
            break None;
        }
        sleep(Duration::from_millis(20));
    };
    // Also what it has left behind. There may be nothing.
    let _ = Command::new("kill")
        .args(["-9", "--", &format!("-{}", child.id())])
        .stderr(Stdio::null())
        .status();
    let _ = child.wait();
    Done { stdout: fs::read(file).unwrap(), status }
}
