//! The memory of one process, from `/proc/PID/status` (proc_pid_status(5)).
//!
//! It is the sum of resident pages, page tables, swapped pages and huge pages. `/proc/PID/statm`
//! can be read six times faster (2 us instead of 12 us) but has only the first of these: a program
//! that reads one page in each 2 MiB fills memory with page tables and keeps nothing else resident.
//! The file is read every 5 ms at most.
//!
//! Memory that no process maps is not counted: shared anonymous memory that was dropped from
//! the page tables, and pages in pipes. Where no control group limits the memory of a bot, the
//! sandbox refuses such memory (`sandbox`, `seccomp`).

use super::proc::{read_proc, thread_folders};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

/// Bytes; no `status` file is longer.
const MAX_STATUS: usize = 8192;

/// The memory of a process, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ProcessMemory {
    pub now: u64,
    /// The peak, as far as the kernel records it.
    pub peak: u64,
}

/// The `status` file of one process, held open.
pub(super) struct StatusFile {
    file: File,
    pid: i32,
}

impl StatusFile {
    pub fn open(pid: i32) -> io::Result<StatusFile> {
        Ok(StatusFile { file: File::open(format!("/proc/{pid}/status"))?, pid })
    }

    /// The memory of the process; zero if it has ended.
    pub fn memory(&self) -> ProcessMemory {
        let mut text = [0; MAX_STATUS];
        let count = self.file.read_at(&mut text, 0).unwrap_or_default();
        parse_memory(&text[..count]).or_else(|| thread_memory(self.pid)).unwrap_or_default()
    }
}

/// The memory of a process; zero if it has ended.
pub(super) fn memory(pid: i32) -> ProcessMemory {
    let status = read_proc(format!("/proc/{pid}/status")).unwrap_or_default();
    parse_memory(&status).or_else(|| thread_memory(pid)).unwrap_or_default()
}

/// The same from the `status` file of a running thread: if the first thread of a process has ended,
/// `/proc/PID/status` has no memory lines, although the other threads still have all of it.
fn thread_memory(pid: i32) -> Option<ProcessMemory> {
    for thread in thread_folders(pid) {
        if let Ok(status) = fs::read(thread.join("status"))
            && let Some(memory) = parse_memory(&status)
        {
            return Some(memory);
        }
    }
    None
}

/// The memory in the text of a `status` file; `None` if it has no memory lines.
fn parse_memory(status: &[u8]) -> Option<ProcessMemory> {
    let mut resident = None;
    let mut peak = 0;
    let mut tables = 0;
    let mut swapped_and_huge = 0;
    for line in status.split(|&byte| byte == b'\n') {
        let Some(line) = line.strip_prefix(b"Vm").or_else(|| line.strip_prefix(b"Hugetlb")) else {
            continue;
        };
        match line.split_at_checked(line.iter().position(|&byte| byte == b':').unwrap_or_default())
        {
            Some((b"RSS", value)) => resident = Some(bytes(value)),
            Some((b"HWM", value)) => peak = bytes(value),
            Some((b"PTE", value)) => tables = bytes(value),
            Some((b"Swap" | b"Pages", value)) => swapped_and_huge += bytes(value),
            _ => {}
        }
    }
    let now = resident? + tables + swapped_and_huge;
    Some(ProcessMemory { now, peak: now.max(peak + tables) })
}

/// Bytes, from the part of a line after its name: a number of KiB.
fn bytes(value: &[u8]) -> u64 {
    let mut kib: u64 = 0;
    for digit in value.iter().filter(|byte| byte.is_ascii_digit()) {
        kib = kib.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    }
    kib.saturating_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_tables_swap_and_huge_pages_count_as_memory() {
        let status = "Name:\tVmRSS: 7 kB\nState:\tR (running)\nVmPeak:\t 9000 kB\n\
                      VmHWM:\t     500 kB\nVmRSS:\t     100 kB\nVmData:\t 8000 kB\n\
                      VmPTE:\t      30 kB\nVmSwap:\t       5 kB\n\
                      HugetlbPages:\t    2048 kB\nThreads:\t1\n";
        let memory = parse_memory(status.as_bytes()).unwrap();
        assert_eq!(
            memory,
            ProcessMemory { now: (100 + 30 + 5 + 2048) << 10, peak: (100 + 30 + 5 + 2048) << 10 }
        );
        let grown = status.replace("    2048", "       0");
        assert_eq!(
            parse_memory(grown.as_bytes()),
            Some(ProcessMemory { now: 135 << 10, peak: 530 << 10 })
        );
        assert_eq!(parse_memory(b"Name:\tx\nState:\tZ (zombie)\nThreads:\t2\n"), None);
        assert_eq!(parse_memory(b""), None);
    }

    #[test]
    fn this_process_has_memory_by_its_file_and_by_its_threads() {
        let me = rustix::process::getpid().as_raw_nonzero().get();
        let held = StatusFile::open(me).unwrap().memory();
        assert!(held.now > 100 << 10 && held.peak >= held.now, "{held:?}");
        assert!(memory(me).now > 0 && thread_memory(me).is_some());
        assert_eq!(memory(-1), ProcessMemory::default());
    }
}
