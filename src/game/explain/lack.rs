//! What a runtime lacks, guessed from its messages on standard error.

use super::Case;

/// What a runtime lacks: a resource that it did not get, or something that the author left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lack {
    /// Anonymous memory that several processes share.
    SharedMemory,
    /// `/dev/shm`.
    SharedFolder,
    /// The semaphores of Python's `multiprocessing`.
    Multiprocessing,
    /// The shadow memory of a sanitizer: terabytes of address space.
    ShadowMemory,
    Stack,
    Memory,
    /// The line ends of Unix in a script.
    LineEnds,
    /// The main class of a Java program.
    Class,
    /// A java that is new enough for the class.
    ClassVersion,
    /// The main class in the manifest of a jar.
    Manifest,
    /// A command that a script calls.
    Command,
    /// A module that a file of the bot hides, because it has the same name.
    HiddenModule,
    Module,
    Process,
    Thread,
    /// A process or a thread: the message does not say which.
    Task,
    /// The right to open a file.
    File,
    /// The right to write one.
    Write,
    /// A file that is not there, or not visible.
    Missing,
    Socket,
    /// A timer of the kernel.
    Timer,
}

/// Where a pattern is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// In the message of the error, without what is quoted in it and without paths, which may
    /// contain any word.
    Message,
    /// In the message of the error as it is.
    Quoted,
    /// In the message of an error whose stack, or the line of its place, contains this.
    Below(&'static str),
}

use Where::{Below, Message, Quoted};

/// Messages by which the system refuses something.
const REFUSED: &[&str] =
    &["permissionerror", "operation not permitted", "permission denied", "filenotfounderror"];

/// Messages of programs that want the network where there is none.
const NO_NETWORK: &[&str] = &[
    "network is unreachable",
    "name resolution",
    "could not resolve",
    "couldn't resolve",
    "name or service not known",
    "unknown host",
    "unknownhostexception",
    "newconnectionerror",
    "eai_again",
    "enotfound",
];

/// Patterns of standard error for each resource, in lower case, with `*` for any text, and where
/// they are looked for. A pattern begins at the beginning of a word. The first row that matches
/// counts, so rows of special cases come before those of the messages that they have in common.
const STDERR_PATTERNS: &[(Lack, Where, &[&str])] = &[
    (Lack::SharedMemory, Below("mmap.mmap("), &["permissionerror"]),
    (Lack::SharedMemory, Message, &["mmap*operation not permitted", "mmap*eperm", "eperm*mmap"]),
    (Lack::SharedMemory, Quoted, &["mmap*permissiondenied", "/dev/zero"]),
    (Lack::SharedFolder, Below("multiprocessing/heap.py"), REFUSED),
    (Lack::Multiprocessing, Below("multiprocessing/synchronize.py"), REFUSED),
    (Lack::SharedFolder, Below("_posixshmem"), REFUSED),
    (Lack::SharedFolder, Quoted, &["/dev/shm"]),
    (
        Lack::ShadowMemory,
        Message,
        &["*sanitizer failed to allocate", "reserveshadowmemoryrange failed"],
    ),
    (
        Lack::Stack,
        Message,
        &[
            "recursionerror",
            "stackoverflowerror",
            "overflowed its stack",
            "*sanitizer: stack-overflow",
            "maximum call stack size exceeded",
            "goroutine stack exceeds",
            "stack level too deep",
        ],
    ),
    (
        Lack::Thread,
        Message,
        &[
            "can't start new thread",
            "unable to create native thread",
            "unable to create new native thread",
            "failed to start the native thread",
            "failed to create new os thread",
            "failed to spawn thread",
            "thread creation failed",
            "pthread_create",
        ],
    ),
    (Lack::Thread, Below("std::system_error"), &["resource temporarily unavailable"]),
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
    (Lack::Class, Message, &["could not find or load main class"]),
    (Lack::ClassVersion, Message, &["unsupportedclassversionerror"]),
    (Lack::Manifest, Message, &["no main manifest attribute"]),
    (Lack::HiddenModule, Message, &["partially initialized module"]),
    (
        Lack::Module,
        Message,
        &[
            "modulenotfounderror",
            "cannot find module",
            "classnotfoundexception",
            "cannot open shared object file",
            "can't locate",
            "cannot load such file",
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
        ],
    ),
    (Lack::Task, Message, &["resource temporarily unavailable"]),
    (Lack::Socket, Below("/socket.py"), REFUSED),
    (
        Lack::Socket,
        Message,
        &[
            "socket*operation not permitted",
            "socket*permission denied",
            "socketexception",
            "unknownhostexception",
            "urlerror",
            "connect*eperm",
            "connect*eacces",
            "connection refused",
            "getaddrinfo",
            "no route to host",
        ],
    ),
    (Lack::Socket, Message, NO_NETWORK),
    (Lack::Timer, Message, &["timer_create", "timerfd_create"]),
    (Lack::File, Message, &["permission denied", "eacces", "accessdeniedexception"]),
    (Lack::Write, Message, &["read-only file system", "erofs"]),
    (
        Lack::Missing,
        Message,
        &[
            "no such file or directory",
            "cannot open*no such file",
            "filenotfounderror",
            "nosuchfileexception",
            "enoent",
        ],
    ),
    (Lack::Command, Message, &["*: not found", "command not found"]),
];

/// Messages of calls that the sandbox refuses.
const REFUSED_CALLS: [&str; 3] = ["operation not permitted", "eperm", "function not implemented"];

/// Whether the output of a program shows that it wanted the network and found none.
pub fn wants_network(output: &[Vec<u8>]) -> bool {
    for line in output {
        let message = without_names(&String::from_utf8_lossy(line).to_lowercase());
        if NO_NETWORK.iter().any(|pattern| matches(&message, pattern)) {
            return true;
        }
    }
    false
}

/// What is searched for the cause of an error, in lower case.
pub(super) struct ErrorText {
    /// The message without what is quoted in it, and without paths.
    message: String,
    /// The message as it is.
    quoted: String,
    stack: String,
}

impl ErrorText {
    /// The error in standard error, or else its last lines.
    pub(super) fn new(case: &Case<'_>) -> ErrorText {
        let mut quoted = Vec::new();
        let mut stack = Vec::new();
        if let Some(trace) = &case.trace {
            quoted.push(trace.message.to_lowercase());
            stack.extend(trace.stack.iter().chain(&trace.place).map(|line| line.to_lowercase()));
        } else {
            for line in case.evidence.last_of_stderr() {
                quoted.push(String::from_utf8_lossy(line).to_lowercase());
            }
            stack.clone_from(&quoted);
        }
        let quoted = quoted.join("\n");
        ErrorText { message: without_names(&quoted), stack: stack.join("\n"), quoted }
    }

    /// What the bot lacks by the first pattern that matches.
    pub(super) fn lack(&self) -> Option<Lack> {
        for (lack, place, patterns) in STDERR_PATTERNS {
            if patterns.iter().any(|pattern| self.has(*place, pattern)) {
                return Some(*lack);
            }
        }
        None
    }

    /// Whether the system has refused a call, whichever it was.
    pub(super) fn names_refused_call(&self) -> bool {
        REFUSED_CALLS.iter().any(|call| self.has(Message, call))
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
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '"']) {
        let (before, quote) = rest.split_at(at);
        let (quote, after) = quote.split_at(1);
        kept.push_str(before);
        // As in `can't`.
        let is_apostrophe = quote == "'"
            && before.ends_with(char::is_alphanumeric)
            && after.starts_with(char::is_alphanumeric);
        if let Some((_, behind)) = after.split_once(quote)
            && !is_apostrophe
        {
            rest = behind;
        } else {
            kept.push_str(quote);
            rest = after;
        }
    }
    kept.push_str(rest);
    let mut lines = Vec::new();
    for line in kept.split('\n') {
        let mut words: Vec<&str> = line.split(' ').collect();
        words.retain(|word| !word.contains('/'));
        lines.push(words.join(" "));
    }
    lines.join("\n")
}

/// Whether a text contains the parts of a pattern in their order, the first at the beginning of a
/// word.
fn matches(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let mut places = text.match_indices(first);
    let Some((at, _)) = places.find(|(at, _)| begins_word(text, *at)) else { return false };
    let mut rest = &text[at + first.len()..];
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    true
}

/// Whether the text from an index on does not begin inside a word.
fn begins_word(text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at(at);
    !(before.ends_with(is_letter) && behind.starts_with(is_letter))
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
