//! The memory of one process, as `/proc/PID/status` tells it (proc_pid_status(5)).
//!
//! Counted are resident pages, page tables, pages in swap and huge pages. `/proc/PID/statm` is six times cheaper (2 us
//! instead of 12 us) and knows only the first of the four: a program that reads one page per 2 MiB makes as much page
//! table as it likes and keeps nothing else resident. A look happens at most every 5 ms.
//!
//! Not counted is memory that no process has mapped any more: shared anonymous memory whose pages were dropped from the
//! page tables, or pages in pipes. Where no control group holds the memory of a bot, the ways to such memory are closed
//! (`sandbox::calls`).

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

/// More than any `status` has.
const LONGEST: usize = 8192;

/// What a process has of memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Memory {
    /// Now.
    pub now: u64,
    /// The most that it had at a time, as far as the kernel keeps that.
    pub peak: u64,
}

/// The file that tells the memory of one process, held open.
pub(super) struct Status {
    file: File,
    pid: i32,
}

impl Status {
    pub fn open(pid: i32) -> io::Result<Status> {
        Ok(Status { file: File::open(format!("/proc/{pid}/status"))?, pid })
    }

    /// The memory of the process; nothing when it has ended.
    pub fn memory(&self) -> Memory {
        let mut text = [0; LONGEST];
        let count = self.file.read_at(&mut text, 0).unwrap_or_default();
        told(&text[..count]).or_else(|| of_a_thread(self.pid)).unwrap_or_default()
    }
}

/// The memory of a process; nothing when it has ended.
pub(super) fn memory(pid: i32) -> Memory {
    let status = fs::read(format!("/proc/{pid}/status")).unwrap_or_default();
    told(&status).or_else(|| of_a_thread(pid)).unwrap_or_default()
}

/// The same, told by a thread that lives: of a process whose first thread has ended `/proc/PID/status` tells no memory,
/// although the others go on with all of it.
fn of_a_thread(pid: i32) -> Option<Memory> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    threads.flatten().find_map(|thread| told(&fs::read(thread.path().join("status")).ok()?))
}

/// What a `status` tells of memory; none if it tells nothing of that.
fn told(status: &[u8]) -> Option<Memory> {
    let (mut resident, mut peak, mut tables, mut elsewhere) = (None, 0, 0, 0);
    for line in status.split(|&byte| byte == b'\n') {
        let Some(line) = line.strip_prefix(b"Vm").or_else(|| line.strip_prefix(b"Hugetlb")) else { continue };
        match line.split_at_checked(line.iter().position(|&byte| byte == b':').unwrap_or_default()) {
            Some((b"RSS", value)) => resident = Some(bytes(value)),
            Some((b"HWM", value)) => peak = bytes(value),
            Some((b"PTE", value)) => tables = bytes(value),
            Some((b"Swap" | b"Pages", value)) => elsewhere += bytes(value),
            _ => {}
        }
    }
    let now = resident? + tables + elsewhere;
    Some(Memory { now, peak: now.max(peak + tables) })
}

/// The value of a line, which is in KiB: the rest of the line behind its name.
fn bytes(value: &[u8]) -> u64 {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit());
    let kib = digits.fold(0_u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    kib.saturating_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_tables_swap_and_huge_pages_count_as_memory() {
        let status = "Name:\tVmRSS: 7 kB\nState:\tR (running)\nVmPeak:\t 9000 kB\nVmHWM:\t     500 kB\n\
                      VmRSS:\t     100 kB\nVmData:\t 8000 kB\nVmPTE:\t      30 kB\nVmSwap:\t       5 kB\n\
                      HugetlbPages:\t    2048 kB\nThreads:\t1\n";
        let memory = told(status.as_bytes()).unwrap();
        assert_eq!(memory, Memory { now: (100 + 30 + 5 + 2048) << 10, peak: (100 + 30 + 5 + 2048) << 10 });
        let grown = status.replace("    2048", "       0");
        assert_eq!(told(grown.as_bytes()), Some(Memory { now: 135 << 10, peak: 530 << 10 }));
        assert_eq!(told(b"Name:\tx\nState:\tZ (zombie)\nThreads:\t2\n"), None);
        assert_eq!(told(b""), None);
    }

    #[test]
    fn the_memory_of_this_process_is_told_by_its_file_and_by_its_threads() {
        let me = rustix::process::getpid().as_raw_nonzero().get();
        let held = Status::open(me).unwrap().memory();
        assert!(held.now > 100 << 10 && held.peak >= held.now, "{held:?}");
        assert!(memory(me).now > 0 && of_a_thread(me).is_some());
        assert_eq!(memory(-1), Memory::default());
    }
}
