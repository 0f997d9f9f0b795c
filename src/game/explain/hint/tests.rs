//! Tests of the hints.

#![cfg(test)]

use super::*;
use crate::explain::{NearlyAPly, Wanted, Wording};
use crate::{
    Allowance, Answer, Evidence, Exit, Forfeit, Garbled, LimitExceeded, Settings, StderrAccess,
    explain, wants_network,
};
use arbiter_rules::{Ply, Position};

/// A dialect without words.
struct Wordless;

impl Wording for Wordless {
    fn ply(&self, _: &Position, _: Ply) -> String {
        String::new()
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
}

/// What the author reads of a bot that failed so and wrote this to standard error.
fn explained(fault: Fault, answer: &Answer, stderr: &str, isolation: Option<&str>) -> String {
    explained_by(fault, answer, &evidence(stderr), isolation)
}

fn evidence(stderr: &str) -> Evidence {
    let lines = stderr.lines().map(|line| line.as_bytes().to_vec()).collect();
    Evidence { stderr: lines, program: "bot.py".to_owned(), ..Evidence::default() }
}

fn explained_by(
    fault: Fault,
    answer: &Answer,
    evidence: &Evidence,
    isolation: Option<&str>,
) -> String {
    let settings = Settings::default();
    let forfeit = Forfeit {
        fault,
        position: &settings.ruleset.start(),
        number: 1,
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
fn a_fault_that_is_declared_too_late_is_a_timeout() {
    let declared = Answer { garbled: Some(Garbled::Declared), ..Answer::default() };
    let said = |fault| {
        let evidence = Evidence { unrecognised: vec![b"fault no table".to_vec()], ..evidence("") };
        explained_by(fault, &declared, &evidence, None)
    };
    assert_eq!(said(Fault::Protocol), "no table");
    let late = said(Fault::Timeout);
    assert!(late.starts_with("expected an answer within the time (margin included)"), "{late}");
}

#[test]
fn messages_of_runtimes_give_advice() {
    let ended = &Answer { exit: Some(Exit::Status(1)), ..Answer::default() };
    for (stderr, anywhere, cure) in [
        ("Traceback\nMemoryError", true, "512 MiB of memory"),
        ("java.lang.OutOfMemoryError: Java heap space", true, "512 MiB"),
        ("bot.sh: 2: python3\r: not found", true, "line ends of Windows"),
        ("ModuleNotFoundError: No module named 'numpy'", true, "not installed"),
        ("RuntimeError: can't start new thread", false, "64 threads"),
        (
            "terminate called after throwing an instance of 'std::system_error'\n  what():  \
             Resource temporarily unavailable",
            false,
            "64 threads in one process",
        ),
        (
            "java.lang.OutOfMemoryError: unable to create native thread: out of memory",
            false,
            "64 threads",
        ),
        ("bot: cannot start: Resource temporarily unavailable", false, "64 threads in one process"),
        ("==1==ERROR: AddressSanitizer failed to allocate 0xdf bytes", true, "--sandbox off"),
        ("RecursionError: maximum recursion depth exceeded", true, "sys.setrecursionlimit"),
        (
            "thread 'main' (2) has overflowed its stack\nfatal runtime error: stack overflow",
            true,
            "recursion does not end",
        ),
        (
            "==1==ERROR: AddressSanitizer: stack-overflow on address 0x7f",
            true,
            "recursion does not end",
        ),
        (
            "java.lang.UnsupportedClassVersionError: Bot has been compiled by a newer version",
            true,
            "javac --release",
        ),
        (
            "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name \
             resolution>",
            false,
            "no network",
        ),
        ("java.net.UnknownHostException: example.com", false, "no network"),
        ("no main manifest attribute, in /home/anna/bot.jar", true, "java -cp BOT.jar CLASS"),
        ("sh: 3: best_move: not found", true, "is not found"),
        ("bot.sh: line 3: best_move: command not found", true, "is not found"),
        ("    st = os.statvfs(d)\nFileNotFoundError: '/dev/shm'", false, "may not use /dev/shm"),
        ("bot.sh: 2: Cannot fork", false, "`exec` before its last command"),
        ("BlockingIOError: [Errno 11] Resource temporarily unavailable", false, "`exec`"),
        ("PermissionError: [Errno 13] Permission denied: 'notes.txt'", false, "scratch folder"),
        ("  File \"/usr/lib/python3/socket.py\"\nPermissionError: [Errno 1]", false, "network"),
        ("Error: connect EPERM 1.2.3.4:80\n    at f (node:net:1:2)\nNode.js v18", false, "network"),
        ("bot: timer_create: Operation not permitted", false, "-with-rtsopts=-V0"),
        (
            "bot: internal error: timerfd_create: Operation not permitted",
            false,
            "-with-rtsopts=-V0",
        ),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'fork'", true, "does not exist"),
        (
            "VM warning: INFO: os::commit_memory(0x1, 9, 0) failed; error='Not enough space' \
             (errno=12)\n\
             #\n# a long\n# \n# list\n# of the\n# state\n# of the\n# machine",
            true,
            "512 MiB",
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
        "Traceback (most recent call last):\n  File \"/forky/bot.py\", line 3, in find_fork\n    \
         fork: x\n\
         IndexError: list index out of range",
        "  File \"bot.py\", line 3, in open_socket\nValueError: invalid literal: 'fork: cannot \
         fork'",
        "  File \"bot.py\", line 3, in f\nKeyError: '/home/out of memory/a'",
        "AssertionError\n    at getaddrinfo (/bot/socket.js:3:9)\nNode.js v18.0.0",
    ] {
        assert_eq!(explained(Fault::Crash, ended, stderr, None), plain, "{stderr}");
        assert_eq!(
            explained(Fault::Crash, ended, stderr, Some("strict fork=denied")),
            plain,
            "{stderr}"
        );
    }
}

#[test]
fn shared_memory_is_named_where_it_is_refused_and_nowhere_else() {
    let ended = &Answer { exit: Some(Exit::Status(1)), ..Answer::default() };
    for stderr in [
        "  File \"bot.py\", line 3\n    m = mmap.mmap(-1, 64)\nPermissionError: [Errno 1] \
         Operation not permitted",
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
            let with =
                Evidence { unknown_installation: Some("tool".to_owned()), ..evidence(stderr) };
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
fn the_sandbox_is_named_only_where_a_call_was_refused() {
    let line = Some("strict fork=denied");
    let ended = |exit| Answer { exit: Some(exit), ..Answer::default() };
    for (fault, answer, stderr, named) in [
        (
            Fault::Crash,
            ended(Exit::Status(1)),
            "PermissionError: [Errno 1] Operation not permitted",
            true,
        ),
        (Fault::NoStart, ended(Exit::Status(1)), "bot: setsid: Operation not permitted", true),
        (Fault::Crash, ended(Exit::Signal(SIGSYS)), "", true),
        (Fault::Crash, ended(Exit::Signal(SIGSEGV)), "", false),
        (Fault::Crash, ended(Exit::Status(3)), "depth 3", false),
        (Fault::Crash, ended(Exit::Status(1)), "ValueError: Operation of a kind", false),
        (Fault::Timeout, Answer::default(), "", false),
        (Fault::NoStart, Answer::default(), "", false),
    ] {
        assert_eq!(explained(fault, &answer, stderr, line).contains(SANDBOX), named, "{stderr}");
        assert!(!explained(fault, &answer, stderr, None).contains(SANDBOX), "{stderr}");
        let over = Answer { exceeded: Some(LimitExceeded::Memory(1)), ..answer };
        assert!(!explained(Fault::MemoryLimit, &over, stderr, line).contains(SANDBOX), "{stderr}");
    }
}

#[test]
fn a_build_that_wants_the_network_is_known_by_its_output() {
    let wants = |line: &str| wants_network(&[b"building".to_vec(), line.as_bytes().to_vec()]);
    assert!(wants("curl: (6) Could not resolve host: example.com"));
    assert!(wants("npm error errno EAI_AGAIN"));
    assert!(
        !wants("bot.c:3: error: expected ';'")
            && !wants("cp: '/could not resolve/x': No such file or directory")
    );
}
