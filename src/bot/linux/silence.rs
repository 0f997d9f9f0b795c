//! What a silent bot is doing: `/proc` shows for every thread whether it runs, and in which system call it
//! waits.

use crate::game::Silence;
use std::fs;

/// The number of the system call `read` (asm/unistd.h).
const READ: &str = if cfg!(target_arch = "x86_64") { "0" } else { "63" };

/// Whether a process computes, waits for standard input, or sleeps; none if it has ended or `/proc` does not
/// show its threads.
pub(super) fn observe_silence(pid: i32) -> Option<Silence> {
    let mut doing = None;
    for task in fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
        let Ok(stat) = fs::read_to_string(task.path().join("stat")) else { continue };
        if state(&stat) == Some('R') {
            return Some(Silence::Computing);
        }
        let call = fs::read_to_string(task.path().join("syscall")).unwrap_or_default();
        let reads = call.split_whitespace().take(2).eq([READ, "0x0"]);
        if reads || doing.is_none() {
            doing = Some(if reads { Silence::Waiting } else { Silence::Sleeping });
        }
    }
    doing
}

fn state(stat: &str) -> Option<char> {
    after_name(stat)?.trim_start().chars().next()
}

/// The rest of a line after the name, which is in parentheses and may contain any character
/// (proc_pid_stat(5)).
fn after_name(stat: &str) -> Option<&str> {
    stat.rsplit_once(')').map(|(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_program_may_contain_any_character() {
        let stat = "12 (a) R (b) S 1 2 3 4 5 6 7 8 9 10 17 4 0";
        assert_eq!(state(stat), Some('S'));
        assert_eq!(after_name(stat).unwrap().split_whitespace().nth(11), Some("17"));
    }

    #[test]
    fn this_process_computes() {
        let this = i32::try_from(std::process::id()).unwrap();
        assert_eq!(observe_silence(this), Some(Silence::Computing));
        assert_eq!(observe_silence(i32::MAX), None);
    }
}
