//! Hints for a bot's author, guessed from messages of language runtimes on standard error.

use super::{Case, Fault, Settings, Silence};
use std::fmt::Write;

/// A resource that a runtime did not get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lack {
    SharedMemory,
    SharedFolder,
    Memory,
    LineEnds,
    Module,
    Process,
    Thread,
    File,
    Socket,
}

/// Patterns of standard error for each resource, in lower case, with `*` for any text; the first row that
/// matches counts.
const STDERR_PATTERNS: &[(Lack, &[&str])] = &[
    (
        Lack::SharedMemory,
        &["mmap*operation not permitted", "mmap*eperm", "mmap*permissiondenied", "/dev/zero"],
    ),
    (Lack::SharedFolder, &["/dev/shm", "multiprocessing/heap.py", "shared_memory.py*_posixshmem"]),
    (
        Lack::Memory,
        &[
            "memoryerror",
            "outofmemoryerror",
            "could not reserve enough space",
            "insufficient memory for the java runtime",
            "cannot allocate memory",
            "std::bad_alloc",
            "heap out of memory",
            "memory allocation of",
            "out of memory",
            "failed to allocate memory",
        ],
    ),
    (Lack::LineEnds, &["\\r': command not found", "\\r: not found", "\r: not found", "python3\\r", "\\x0d"]),
    (
        Lack::Module,
        &[
            "modulenotfounderror",
            "cannot find module",
            "classnotfoundexception",
            "could not find or load main class",
            "cannot open shared object file",
            "can't locate",
            "cannot load such file",
        ],
    ),
    (
        Lack::Thread,
        &[
            "can't start new thread",
            "unable to create native thread",
            "unable to create new native thread",
            "failed to create new os thread",
            "failed to spawn thread",
            "pthread_create",
        ],
    ),
    (Lack::Process, &["fork", "blockingioerror: [errno 11]", "resource temporarily unavailable", "eagain"]),
    (Lack::Socket, &["socket", "network is unreachable", "connection refused"]),
    (Lack::File, &["permission denied", "permissionerror", "eacces", "read-only file system"]),
];

/// A hint for the bot's author, as the end of a sentence; empty if there is none.
pub(super) fn hint(case: &Case<'_>) -> String {
    let mut text = String::new();
    if !is_cause_unknown(case) {
        return text;
    }
    let stderr = case.evidence.stderr.iter().map(|line| String::from_utf8_lossy(line).to_lowercase());
    let stderr = stderr.collect::<Vec<_>>().join("\n");
    let lack = STDERR_PATTERNS.iter().find(|(_, patterns)| patterns.iter().any(|p| matches(&stderr, p)));
    if let Some(advice) = lack.and_then(|&(lack, _)| advice(lack, case.settings, case.forfeit.isolation)) {
        let _ = write!(text, "; {advice}"); // writing to a String cannot fail
    }
    if let Some(isolation) = case.forfeit.isolation {
        let _ = write!(
            text,
            "; the sandbox may be the cause ({isolation}): --sandbox basic plays the same game without it"
        );
    }
    text
}

/// Whether a text contains the parts of a pattern in their order.
fn matches(text: &str, pattern: &str) -> bool {
    let mut rest = Some(text);
    for part in pattern.split('*') {
        rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
    }
    rest.is_some()
}

/// Whether the bot ended, or does not answer, and the reason is not known yet.
fn is_cause_unknown(case: &Case<'_>) -> bool {
    let answer = &case.forfeit.answer;
    let silent = answer.reply.is_none()
        && answer.garbled.is_none()
        && case.evidence.partial.is_empty()
        && case.evidence.unrecognised.is_empty()
        && matches!(case.evidence.silence, None | Some(Silence::Waiting | Silence::Sleeping));
    match case.forfeit.fault {
        Fault::Crash => true,
        Fault::NoStart => answer.exceeded.is_none() && (answer.exit.is_some() || silent),
        Fault::Timeout => silent,
        Fault::MemoryLimit
        | Fault::ProcessLimit
        | Fault::OutputLimit
        | Fault::Protocol
        | Fault::IllegalMove => false,
    }
}

fn advice(lack: Lack, settings: &Settings, isolation: Option<&str>) -> Option<String> {
    let limits = &settings.limits;
    let mib = limits.memory >> 20;
    let sandboxed = isolation.is_some();
    let watched = isolation.is_some_and(|line| line.contains("memory=watched"));
    Some(match lack {
        Lack::SharedMemory if watched => {
            "shared anonymous memory (MAP_SHARED with MAP_ANONYMOUS, Python's mmap.mmap(-1, n), /dev/zero) is refused \
             here, because no control group holds a bot's memory on this machine: private memory serves all its threads, \
             a mapped file in $TMPDIR serves its processes"
                .to_owned()
        }
        Lack::SharedFolder if sandboxed => {
            "/dev/shm is closed to it: a file in $TMPDIR can be mapped instead (for Python's RawArray and the like: \
             multiprocessing.heap.Arena._dir_candidates = [])"
                .to_owned()
        }
        Lack::Memory => {
            format!("it may use {mib} MiB of memory (java -Xmx and node --max-old-space-size keep to a limit)")
        }
        Lack::LineEnds => "its script has the line ends of Windows: save it with those of Unix".to_owned(),
        Lack::Module => {
            "something that it needs is not installed where it runs, or lies where it may not read (`read` adds folders)"
                .to_owned()
        }
        Lack::Thread if sandboxed => format!("it may have {} threads", limits.threads),
        Lack::Process if sandboxed && limits.processes == 1 => {
            "it may not start processes: a wrapper script needs `exec` before its last command (`processes` allows more)"
                .to_owned()
        }
        Lack::Process if sandboxed => format!("it may be {} processes", limits.processes),
        Lack::Socket if sandboxed => "network and sockets are closed to it".to_owned(),
        Lack::File if sandboxed => {
            "it may read its own folder and the system's, and write into its scratch folder ($TMPDIR) only".to_owned()
        }
        Lack::SharedMemory
        | Lack::SharedFolder
        | Lack::Thread
        | Lack::Process
        | Lack::Socket
        | Lack::File => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::explain::{NearlyAPly, Wanted, Wording};
    use crate::game::{
        Allowance, Answer, Evidence, Exit, Forfeit, IllegalTry, LimitExceeded, Reply, Settings, StderrAccess,
        explain,
    };
    use crate::rules::{Ply, Position};

    /// A dialect without words.
    struct Wordless;

    impl Wording for Wordless {
        fn ply(&self, _: &Position, _: Ply) -> String {
            String::new()
        }

        fn ready(&self) -> &'static str {
            ""
        }

        fn nearly_a_ply(&self, _: &Position, _: &[u8]) -> Option<NearlyAPly> {
            None
        }

        fn not_an_answer(&self, _: &[u8], _: Wanted) -> String {
            String::new()
        }

        fn longest_line(&self) -> usize {
            0
        }
    }

    /// What the author reads of a bot that failed so and wrote this to standard error.
    fn explained(fault: Fault, answer: &Answer, stderr: &str, isolation: Option<&str>) -> String {
        let settings = Settings::default();
        let lines = stderr.lines().map(|line| line.as_bytes().to_vec()).collect();
        let evidence = Evidence { stderr: lines, program: "bot.py".to_owned(), ..Evidence::default() };
        let forfeit = Forfeit {
            fault,
            position: &settings.ruleset.start(),
            answer,
            refused: None,
            limit: None,
            allowance: Allowance::default(),
            isolation,
            stderr: StderrAccess::Private,
        };
        explain(&forfeit, &settings, &evidence, &Wordless)
    }

    #[test]
    fn messages_of_runtimes_give_advice() {
        let ended = &Answer { exit: Some(Exit::Status(1)), ..Answer::default() };
        for (stderr, anywhere, cure) in [
            ("Traceback\nMemoryError", true, "512 MiB of memory"),
            ("java.lang.OutOfMemoryError: Java heap space", true, "-Xmx"),
            ("bot.sh: 2: python3\r: not found", true, "line ends of Windows"),
            ("ModuleNotFoundError: No module named 'numpy'", true, "not installed"),
            ("RuntimeError: can't start new thread", false, "64 threads"),
            ("    st = os.statvfs(d)\nFileNotFoundError: '/dev/shm'", false, "/dev/shm is closed to it"),
            ("bot.sh: 2: Cannot fork", false, "`exec` before its last command"),
            ("BlockingIOError: [Errno 11] Resource temporarily unavailable", false, "`exec`"),
            ("PermissionError: [Errno 13] Permission denied: 'notes.txt'", false, "scratch folder"),
            ("  File \"/usr/lib/python3/socket.py\"\nPermissionError: [Errno 1]", false, "network"),
        ] {
            let strict = explained(Fault::Crash, ended, stderr, Some("strict fork=denied"));
            assert!(strict.contains(cure), "{strict}");
            let basic = explained(Fault::Crash, ended, stderr, None);
            assert_eq!(basic.contains(cure), anywhere, "{basic}");
            assert!(!strict.contains("Error"), "it may not be quoted: {strict}");
        }
    }

    #[test]
    fn shared_memory_is_named_where_it_is_refused_and_nowhere_else() {
        let ended = &Answer { exit: Some(Exit::Status(1)), ..Answer::default() };
        for stderr in [
            "  File \"bot.py\", line 3\n    m = mmap.mmap(-1, 64)\nPermissionError: [Errno 1] Operation not permitted",
            "mmap: Operation not permitted",
            "Error: EPERM: operation not permitted, mmap\nmmap failed: EPERM",
            "panic: mmap: Os { code: 1, kind: PermissionDenied, message: \"Operation not permitted\" }",
            "FileNotFoundError: [Errno 2] No such file or directory: '/dev/zero'",
        ] {
            let says =
                |line| explained(Fault::Crash, ended, stderr, line).contains("shared anonymous memory");
            assert!(says(Some("strict doors=denied memory=watched")), "{stderr}");
            assert!(!says(Some("strict doors=denied memory=cgroup")) && !says(None), "{stderr}");
        }
        let file = "mmap.mmap(file, 0)\nValueError: cannot mmap an empty file";
        let text = explained(Fault::Crash, ended, file, Some("strict memory=watched"));
        assert!(!text.contains("shared anonymous memory"), "{text}");
    }

    #[test]
    fn the_sandbox_is_named_where_the_cause_is_not_known() {
        let line = Some("strict fork=denied");
        let named = |fault, answer: &Answer| {
            let text = explained(fault, answer, "", line);
            assert!(!explained(fault, answer, "", None).contains("sandbox"));
            text.contains("(strict fork=denied): --sandbox basic plays the same game")
        };
        let nothing = &Answer::default();
        let ended = &Answer { exit: Some(Exit::Signal(11)), ..Answer::default() };
        assert!(named(Fault::Crash, ended) && named(Fault::NoStart, ended));
        assert!(named(Fault::Timeout, nothing) && named(Fault::NoStart, nothing));
        let over = &Answer { exceeded: Some(LimitExceeded::Memory(1)), ..ended.clone() };
        assert!(!named(Fault::NoStart, over) && !named(Fault::MemoryLimit, over));
        let illegal = Reply::Illegal(IllegalTry { reason: String::new() });
        let late = &Answer { reply: Some(illegal), ..nothing.clone() };
        assert!(!named(Fault::Timeout, late) && !named(Fault::IllegalMove, late));
    }
}
