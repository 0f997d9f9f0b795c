//! Hints for a bot's author, guessed from messages of language runtimes on standard error.

use super::{Case, Exit, Fault, LAST_LINES, Settings, Silence};
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
    Write,
    Missing,
    Socket,
    Timer,
}

/// Where a pattern is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// In the message of the error, without what is quoted in it and without paths, which may contain any
    /// word.
    Message,
    /// In the message of the error as it is.
    Quoted,
    /// In the message of an error whose stack contains this.
    Below(&'static str),
}

use Where::{Below, Message, Quoted};

/// Messages by which the system refuses something.
const REFUSED: &[&str] =
    &["permissionerror", "operation not permitted", "permission denied", "filenotfounderror"];

/// Patterns of standard error for each resource, in lower case, with `*` for any text, and where they are
/// looked for; the first row that matches counts. The beginning of a pattern is the beginning of a word.
const STDERR_PATTERNS: &[(Lack, Where, &[&str])] = &[
    (Lack::SharedMemory, Below("mmap.mmap("), &["permissionerror"]),
    (Lack::SharedMemory, Message, &["mmap*operation not permitted", "mmap*eperm", "eperm*mmap"]),
    (Lack::SharedMemory, Quoted, &["mmap*permissiondenied", "/dev/zero"]),
    (Lack::SharedFolder, Below("multiprocessing/heap.py"), REFUSED),
    (Lack::SharedFolder, Below("_posixshmem"), REFUSED),
    (Lack::SharedFolder, Quoted, &["/dev/shm"]),
    (
        Lack::Memory,
        Message,
        &[
            "memoryerror",
            "outofmemoryerror",
            "os::commit_memory*failed",
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
    (Lack::Memory, Quoted, &["std::bad_alloc"]),
    (
        Lack::LineEnds,
        Quoted,
        &["\\r': command not found", "\\r: not found", "\r: not found", "python3\\r", "\\x0d"],
    ),
    (
        Lack::Module,
        Message,
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
        Message,
        &[
            "can't start new thread",
            "unable to create native thread",
            "unable to create new native thread",
            "failed to create new os thread",
            "failed to spawn thread",
            "pthread_create",
        ],
    ),
    (
        Lack::Process,
        Message,
        &[
            "cannot fork",
            "can't fork",
            "unable to fork",
            "fork: ",
            "fork failed",
            "spawn*eagain",
            "blockingioerror",
            "resource temporarily unavailable",
        ],
    ),
    (Lack::Socket, Below("/socket.py"), REFUSED),
    (
        Lack::Socket,
        Message,
        &[
            "socket*operation not permitted",
            "socket*permission denied",
            "socketexception",
            "connect*eperm",
            "connect*eacces",
            "getaddrinfo",
            "network is unreachable",
            "connection refused",
            "name resolution",
        ],
    ),
    (Lack::Timer, Message, &["timer_create", "timerfd_create"]),
    (Lack::File, Message, &["permission denied", "permissionerror", "eacces", "accessdeniedexception"]),
    (Lack::Write, Message, &["read-only file system", "erofs"]),
    (
        Lack::Missing,
        Message,
        &["no such file or directory", "filenotfounderror", "nosuchfileexception", "enoent"],
    ),
];

/// Words of an error that the system reports, and not the program.
const OF_THE_SYSTEM: [&str; 5] = ["errno", "oserror", "ioexception", "not permitted", "os error"];

const SANDBOX: &str = "; the sandbox may be the cause: --sandbox basic plays the same game without it";

/// A hint for the bot's author, as the end of a sentence; empty if there is none.
pub(super) fn hint(case: &Case<'_>) -> String {
    let mut text = String::new();
    if !is_cause_unknown(case) {
        return text;
    }
    let error = Searched::new(case);
    let lack =
        STDERR_PATTERNS.iter().find(|(_, place, patterns)| patterns.iter().any(|p| error.has(*place, p)));
    let advice = lack.and_then(|&(lack, ..)| advice(lack, case));
    if let Some(advice) = &advice {
        let _ = write!(text, "; {advice}"); // writing to a String cannot fail
    }
    // An error that the program itself names is no matter of the sandbox.
    let is_own = case.trace.is_some() && !OF_THE_SYSTEM.iter().any(|word| error.quoted.contains(word));
    let waits = case.evidence.silence == Some(Silence::Mute);
    let ended_well = case.forfeit.answer.exit == Some(Exit::Status(0));
    if case.forfeit.isolation.is_some() && advice.is_none() && !(is_own || waits || ended_well) {
        text.push_str(SANDBOX);
    }
    let is_of_files = matches!(lack, None | Some((Lack::Module | Lack::Missing | Lack::File, ..)));
    let unknown = case.evidence.unknown_installation.as_ref().filter(|_| is_of_files);
    if let Some(name) = unknown.filter(|_| case.forfeit.isolation.is_some()) {
        let _ = write!(
            text,
            "; {name} is not in a known installation, so the bot cannot read the files around it (the key `read` of \
             a [[bot]] adds files and folders)"
        );
    }
    text
}

/// What is searched for the cause of an error, in lower case.
struct Searched {
    /// The message without what is quoted in it, and without paths.
    message: String,
    /// The message as it is.
    quoted: String,
    /// The stack.
    stack: String,
}

impl Searched {
    /// The error in standard error, or else its last lines.
    fn new(case: &Case<'_>) -> Searched {
        let (quoted, stack) = match &case.trace {
            Some(trace) => (trace.message.clone(), trace.stack.join("\n")),
            None => {
                let lines = &case.evidence.stderr[case.evidence.stderr.len().saturating_sub(LAST_LINES)..];
                let lines = lines.iter().map(|line| String::from_utf8_lossy(line)).collect::<Vec<_>>();
                (lines.join("\n"), lines.join("\n"))
            }
        };
        let quoted = quoted.to_lowercase();
        Searched { message: without_names(&quoted), stack: stack.to_lowercase(), quoted }
    }

    fn has(&self, place: Where, pattern: &str) -> bool {
        match place {
            Message => matches(&self.message, pattern),
            Quoted => matches(&self.quoted, pattern),
            Below(call) => self.stack.contains(call) && matches(&self.message, pattern),
        }
    }
}

/// The text without words that contain a slash, and without what is in quotes.
fn without_names(text: &str) -> String {
    let is_apostrophe = |before: &str, after: &str| {
        before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
    };
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '"']) {
        let (before, quote) = rest.split_at(at);
        let (quote, after) = quote.split_at(1);
        kept.push_str(before);
        rest = match after.split_once(quote) {
            Some((_, behind)) if !(quote == "'" && is_apostrophe(before, after)) => behind,
            _ => {
                kept.push_str(quote);
                after
            }
        };
    }
    kept.push_str(rest);
    let lines = kept
        .split('\n')
        .map(|line| line.split(' ').filter(|word| !word.contains('/')).collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a text contains the parts of a pattern in their order, the first at the beginning of a word.
fn matches(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let begins = |at: usize| !(first.starts_with(is_letter) && text[..at].ends_with(is_letter));
    let Some((at, _)) = text.match_indices(first).find(|&(at, _)| begins(at)) else { return false };
    let mut rest = Some(&text[at + first.len()..]);
    for part in parts {
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
        && matches!(case.evidence.silence, None | Some(Silence::Waiting | Silence::Mute | Silence::Sleeping));
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

fn advice(lack: Lack, case: &Case<'_>) -> Option<String> {
    let Settings { limits, .. } = case.settings;
    let isolation = case.forfeit.isolation;
    let mib = limits.memory >> 20;
    let sandboxed = isolation.is_some();
    let own_folder = case.evidence.own_folder.as_ref().filter(|_| sandboxed);
    let watched = isolation.is_some_and(|line| line.contains("memory=watched"));
    Some(match lack {
        Lack::SharedMemory if watched => {
            "shared anonymous memory (MAP_SHARED with MAP_ANONYMOUS, Python's mmap.mmap(-1, n), /dev/zero) is refused \
             here, because no control group holds a bot's memory on this machine: private memory serves all its threads, \
             a mapped file in $TMPDIR serves its processes"
                .to_owned()
        }
        Lack::SharedFolder if sandboxed => {
            "it may not use /dev/shm: a file in $TMPDIR can be mapped instead (for Python's RawArray and the like: \
             multiprocessing.heap.Arena._dir_candidates = [])"
                .to_owned()
        }
        Lack::Memory => {
            format!("it may use {mib} MiB of memory (java -Xmx and node --max-old-space-size keep to a limit)")
        }
        Lack::LineEnds => "its script has the line ends of Windows: save it with those of Unix".to_owned(),
        Lack::Module => {
            "something that it needs is not installed, or is in a folder that it may not read (`read` adds folders)"
                .to_owned()
        }
        Lack::Thread if sandboxed => format!("it may have {} threads", limits.threads),
        Lack::Process if sandboxed && limits.processes == 1 => {
            "it may not start processes: a wrapper script needs `exec` before its last command (`processes` allows more)"
                .to_owned()
        }
        Lack::Process if sandboxed => format!("it may be {} processes", limits.processes),
        Lack::Socket if sandboxed => "it may not use sockets or the network".to_owned(),
        Lack::Timer if sandboxed => {
            "it may not use kernel timers (a Haskell program needs none with `ghc -with-rtsopts=-V0`)".to_owned()
        }
        Lack::File | Lack::Missing if own_folder.is_some() => {
            let [make, name] = own_folder?;
            format!(
                "a script without a folder of its own reads the system's files and those beside it, but no \
                 folders, and writes into its scratch folder ($TMPDIR) only; give the bot a folder of its own: `{make}` and `{name}`"
            )
        }
        Lack::Missing if sandboxed => {
            "a file that it opens does not exist, or is in a folder that it may not read (`read` adds files and folders)".to_owned()
        }
        Lack::Missing => "a file that it opens does not exist; relative paths start from the bot's folder".to_owned(),
        Lack::Write if sandboxed => "it may write into its scratch folder ($TMPDIR) only".to_owned(),
        Lack::File if sandboxed => {
            "it may read its own folder and the system's, and write into its scratch folder ($TMPDIR) only".to_owned()
        }
        Lack::SharedMemory
        | Lack::SharedFolder
        | Lack::Thread
        | Lack::Process
        | Lack::Socket
        | Lack::Write
        | Lack::Timer
        | Lack::File => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::explain::{NearlyAPly, Wanted, Wording};
    use crate::game::{
        Allowance, Answer, Evidence, Exit, Forfeit, LimitExceeded, Reply, Settings, StderrAccess, explain,
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

        fn request(&self, _: Wanted) -> &'static str {
            ""
        }

        fn quit(&self) -> &'static str {
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
        explained_by(fault, answer, &evidence(stderr), isolation)
    }

    fn evidence(stderr: &str) -> Evidence {
        let lines = stderr.lines().map(|line| line.as_bytes().to_vec()).collect();
        Evidence { stderr: lines, program: "bot.py".to_owned(), ..Evidence::default() }
    }

    fn explained_by(fault: Fault, answer: &Answer, evidence: &Evidence, isolation: Option<&str>) -> String {
        let settings = Settings::default();
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
        explain(&forfeit, &settings, evidence, &Wordless)
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
            ("    st = os.statvfs(d)\nFileNotFoundError: '/dev/shm'", false, "may not use /dev/shm"),
            ("bot.sh: 2: Cannot fork", false, "`exec` before its last command"),
            ("BlockingIOError: [Errno 11] Resource temporarily unavailable", false, "`exec`"),
            ("PermissionError: [Errno 13] Permission denied: 'notes.txt'", false, "scratch folder"),
            ("  File \"/usr/lib/python3/socket.py\"\nPermissionError: [Errno 1]", false, "network"),
            ("Error: connect EPERM 1.2.3.4:80\n    at f (node:net:1:2)\nNode.js v18", false, "network"),
            ("bot: timer_create: Operation not permitted", false, "-with-rtsopts=-V0"),
            ("bot: internal error: timerfd_create: Operation not permitted", false, "-with-rtsopts=-V0"),
            ("FileNotFoundError: [Errno 2] No such file or directory: 'fork'", true, "does not exist"),
            (
                "VM warning: INFO: os::commit_memory(0x1, 9, 0) failed; error='Not enough space' (errno=12)\n\
                 #\n# a long\n# \n# list\n# of the\n# state\n# of the\n# machine",
                true,
                "-Xmx",
            ),
        ] {
            let strict = explained(Fault::Crash, ended, stderr, Some("strict fork=denied"));
            assert!(strict.contains(cure), "{strict}");
            let basic = explained(Fault::Crash, ended, stderr, None);
            assert_eq!(basic.contains(cure), anywhere, "{basic}");
            assert!(!strict.contains("Error"), "it may not be quoted: {strict}");
        }
    }

    #[test]
    fn names_paths_and_calls_give_no_advice() {
        let ended = &Answer { exit: Some(Exit::Status(1)), ..Answer::default() };
        let plain = explained(Fault::Crash, ended, "", None);
        for stderr in [
            "Traceback (most recent call last):\n  File \"/forky/bot.py\", line 3, in find_fork\n    fork: x\n\
             IndexError: list index out of range",
            "  File \"bot.py\", line 3, in open_socket\nValueError: invalid literal: 'fork: cannot fork'",
            "  File \"bot.py\", line 3, in f\nKeyError: '/home/out of memory/a'",
            "AssertionError\n    at getaddrinfo (/bot/socket.js:3:9)\nNode.js v18.0.0",
            "sh: 1: find_fork: not found",
        ] {
            assert_eq!(explained(Fault::Crash, ended, stderr, None), plain, "{stderr}");
            let strict = explained(Fault::Crash, ended, stderr, Some("strict fork=denied"));
            let unknown = stderr.starts_with("sh");
            assert_eq!(strict.contains("sandbox"), unknown, "{strict}");
            assert_eq!(strict.replace(SANDBOX, ""), plain, "{stderr}");
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
    fn a_program_in_an_unknown_installation_is_named_under_strict() {
        let ended = &Answer { exit: Some(Exit::Status(1)), ..Answer::default() };
        for (stderr, named) in
            [("", true), ("ImportError: cannot open shared object file", true), ("MemoryError", false)]
        {
            for line in [Some("strict fork=denied"), None] {
                let text = explained(Fault::Crash, ended, stderr, line);
                let with = Evidence { unknown_installation: Some("tool".to_owned()), ..evidence(stderr) };
                let more = explained_by(Fault::Crash, ended, &with, line);
                assert_eq!(
                    more.contains("tool is not in a known installation") && more.contains("`read`"),
                    named && line.is_some()
                );
                assert!(more.starts_with(&text) || !named, "{more}");
            }
        }
    }

    #[test]
    fn the_sandbox_is_named_where_the_cause_is_not_known() {
        let line = Some("strict fork=denied");
        let named = |fault, answer: &Answer| {
            let text = explained(fault, answer, "", line);
            assert!(!explained(fault, answer, "", None).contains("sandbox"));
            text.contains(SANDBOX)
        };
        let nothing = &Answer::default();
        let ended = &Answer { exit: Some(Exit::Signal(11)), ..Answer::default() };
        assert!(named(Fault::Crash, ended) && named(Fault::NoStart, ended));
        assert!(named(Fault::Timeout, nothing) && named(Fault::NoStart, nothing));
        let over = &Answer { exceeded: Some(LimitExceeded::Memory(1)), ..ended.clone() };
        assert!(!named(Fault::NoStart, over) && !named(Fault::MemoryLimit, over));
        let illegal = Reply::Illegal(String::new());
        let late = &Answer { reply: Some(illegal), ..nothing.clone() };
        assert!(!named(Fault::Timeout, late) && !named(Fault::IllegalMove, late));
    }
}
