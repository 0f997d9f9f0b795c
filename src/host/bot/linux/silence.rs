//! What a silent bot is doing: `/proc` shows for every thread whether it runs, and in which system
//! call it waits.

use super::proc::thread_folders;
use super::process_tree::thread_runs;
use arbiter_game::Silence;
use nix::libc;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;

/// System calls that wait without end for input, with the index of the argument that says so and
/// its value: `read` of standard input, and those that wait for several descriptors, without a
/// timeout. Their timeout is -1 or no pointer.
const WAITS: [(libc::c_long, usize, i32); 4] = [
    (libc::SYS_read, 0, 0),
    (libc::SYS_epoll_pwait, 3, -1),
    (libc::SYS_ppoll, 2, 0),
    (libc::SYS_pselect6, 4, 0),
];
/// The older ones, which newer architectures do not have.
#[cfg(target_arch = "x86_64")]
const OLDER_WAITS: [(libc::c_long, usize, i32); 3] =
    [(libc::SYS_epoll_wait, 3, -1), (libc::SYS_poll, 2, -1), (libc::SYS_select, 4, 0)];
#[cfg(not(target_arch = "x86_64"))]
const OLDER_WAITS: [(libc::c_long, usize, i32); 0] = [];

/// Whether a process computes, waits for standard input, or sleeps; `None` if it has ended or
/// `/proc` does not show its threads.
pub(super) fn observe_silence(pid: i32) -> Option<Silence> {
    let mut doing = None;
    for thread in thread_folders(pid) {
        match thread_runs(&thread) {
            Some(true) => return Some(Silence::Computing),
            Some(false) => {}
            None => continue,
        }
        let call = fs::read_to_string(thread.join("syscall")).unwrap_or_default();
        let reads = waits(&call, &WAITS[..1]);
        if reads || doing.is_none() {
            doing = Some(if reads { Silence::Waiting } else { Silence::Sleeping });
        }
    }
    doing
}

/// Whether a thread waits in one of these system calls, by its `/proc/PID/task/TID/syscall`: the
/// number of the call and its arguments (proc_pid_syscall(5)); of one that a stop has interrupted
/// as well.
fn waits(call: &str, waits: &[(libc::c_long, usize, i32)]) -> bool {
    let mut words = call.split_ascii_whitespace();
    let number: Result<libc::c_long, _> = words.next().unwrap_or_default().parse();
    let Some(&(_, index, value)) = waits.iter().find(|wait| number == Ok(wait.0)) else {
        return false;
    };
    let Some(digits) = words.nth(index).unwrap_or_default().strip_prefix("0x") else {
        return false;
    };
    let Ok(argument) = u64::from_str_radix(digits, 16) else { return false };
    // An int has the lower half of a register; the upper one may hold anything.
    if value < 0 { argument as i32 == value } else { argument == value as u64 }
}

/// Observes whether a thread of some processes waits for standard input.
///
/// The thread that did so last, or the first thread of the bot's own program, is looked at first:
/// it nearly always is the one.
pub(super) struct InputWait {
    /// `/proc/PID/task/TID/syscall` of that thread.
    last: Option<File>,
}

impl InputWait {
    /// For a bot with this process.
    pub fn new(pid: i32) -> InputWait {
        InputWait { last: File::open(format!("/proc/{pid}/task/{pid}/syscall")).ok() }
    }

    /// Whether a thread of these processes waits for standard input, or the first thread of one of
    /// them for anything without a timeout; `None` if `/proc` does not show it.
    pub fn observe(&mut self, pids: impl Iterator<Item = i32>) -> Option<bool> {
        if let Some(call) = self.last.as_ref().and_then(read_call)
            && waits_for_input(&call)
        {
            return Some(true);
        }
        let mut seen = None;
        for pid in pids {
            for thread in thread_folders(pid) {
                let Ok(file) = File::open(thread.join("syscall")) else { continue };
                let Some(call) = read_call(&file) else { continue };
                seen = Some(false);
                let is_first = thread.ends_with(pid.to_string());
                if waits(&call, &WAITS[..1]) || is_first && waits_for_input(&call) {
                    self.last = Some(file);
                    return Some(true);
                }
            }
        }
        seen
    }
}

fn waits_for_input(call: &str) -> bool {
    waits(call, &WAITS) || waits(call, &OLDER_WAITS)
}

fn read_call(file: &File) -> Option<String> {
    let mut text = [0; 256];
    let count = file.read_at(&mut text, 0).ok()?;
    Some(str::from_utf8(&text[..count]).ok()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_computes() {
        let this = i32::try_from(std::process::id()).unwrap();
        assert_eq!(observe_silence(this), Some(Silence::Computing));
        assert_eq!(observe_silence(i32::MAX), None);
    }
}
