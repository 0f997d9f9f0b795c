//! Hints for a bot's author, guessed from messages of language runtimes on standard error.

use super::language::language_of;
use super::{Case, Exit, Fault, Sandbox, Settings, Silence};

/// What a runtime lacks: a resource that it did not get, or something that the author left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lack {
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

/// Signals for an unknown instruction, a wrong address, and a forbidden system call: signal(7) of
/// Linux.
const SIGILL: i32 = 4;
const SIGSEGV: i32 = 11;
const SIGSYS: i32 = 31;

const SANDBOX: &str =
    "; the sandbox may be the cause: --sandbox basic plays the same game without it";

/// A hint for the bot's author, as the end of a sentence; empty if there is none.
pub(super) fn hint(case: &Case<'_>) -> String {
    let mut text = String::new();
    if !is_cause_unknown(case) {
        return text;
    }
    let error = Searched::new(case);
    let lack = error.lack();
    let sandboxed = case.forfeit.isolation.is_some();
    let is_refused = case.forfeit.answer.exit == Some(Exit::Signal(SIGSYS))
        || REFUSED_CALLS.iter().any(|call| error.has(Message, call));
    let advice = lack.and_then(|lack| advice(lack, case)).or_else(|| usual_cause(case));
    if let Some(advice) = advice {
        text.push_str(&format!("; {advice}"));
    } else if sandboxed && is_refused {
        let class = case.evidence.class_file.as_deref().unwrap_or_default();
        if class.ends_with(".java") {
            // Java would compile its source, and the sandbox has refused something of that.
            text.push_str(&format!("; {}", class_advice(case)));
        } else {
            text.push_str(SANDBOX);
        }
    }
    // Variables such as PYTHONPATH work in the author's shell, and a bot does not get them.
    let is_of_libraries = matches!(lack, Some(Lack::Module | Lack::Class | Lack::HiddenModule));
    if is_of_libraries && !case.evidence.withheld.is_empty() {
        let names = case.evidence.withheld.join(" and ");
        text.push_str(&format!(
            "; {names} of your shell does not reach a bot: set it by the key `env` of a [[bot]], \
             or play with --sandbox off"
        ));
    }
    let is_of_files = matches!(lack, None | Some(Lack::Module | Lack::Missing | Lack::File));
    if let Some(name) = &case.evidence.unknown_installation
        && sandboxed
        && is_of_files
    {
        text.push_str(&format!(
            "; {name} is not in a known installation, so the bot cannot read the files around it \
             (the key `read` of a [[bot]] adds files and folders)"
        ));
    }
    text
}

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
struct Searched {
    /// The message without what is quoted in it, and without paths.
    message: String,
    /// The message as it is.
    quoted: String,
    stack: String,
}

impl Searched {
    /// The error in standard error, or else its last lines.
    fn new(case: &Case<'_>) -> Searched {
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
        Searched { message: without_names(&quoted), stack: stack.join("\n"), quoted }
    }

    /// What the bot lacks by the first pattern that matches.
    fn lack(&self) -> Option<Lack> {
        for (lack, place, patterns) in STDERR_PATTERNS {
            if patterns.iter().any(|pattern| self.has(*place, pattern)) {
                return Some(*lack);
            }
        }
        None
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

/// Whether the bot ended, or does not answer, and the reason is not known yet.
fn is_cause_unknown(case: &Case<'_>) -> bool {
    let answer = &case.forfeit.answer;
    let silent = answer.reply.is_none()
        && answer.garbled.is_none()
        && case.evidence.partial.is_empty()
        && (case.evidence.unrecognised.is_empty() || case.trace.is_some())
        && matches!(
            case.evidence.silence,
            None | Some(Silence::Waiting | Silence::Mute | Silence::Sleeping)
        );
    match case.forfeit.fault {
        Fault::Crash => true,
        Fault::NoStart => answer.exceeded.is_none() && (answer.exit.is_some() || silent),
        Fault::Timeout => silent,
        _ => false,
    }
}

/// What to do about a resource that is missing; `None` if under these settings the match does not
/// withhold it.
fn advice(lack: Lack, case: &Case<'_>) -> Option<String> {
    let isolation = case.forfeit.isolation;
    let sandboxed = isolation.is_some();
    let watched = isolation.is_some_and(|line| line.contains("memory=watched"));
    let text = match lack {
        Lack::Memory | Lack::Stack | Lack::Thread | Lack::Task | Lack::Process => {
            return limit_advice(lack, case);
        }
        Lack::File | Lack::Missing | Lack::Write => return file_advice(lack, case),
        Lack::SharedMemory if watched => {
            "shared anonymous memory (MAP_SHARED with MAP_ANONYMOUS, Python's mmap.mmap(-1, n), \
             /dev/zero) is refused here, because no control group holds a bot's memory on this \
             machine: private memory serves all its threads, a mapped file in $TMPDIR serves its \
             processes"
        }
        Lack::SharedFolder if sandboxed => {
            "it may not use /dev/shm: a file in $TMPDIR can be mapped instead (for Python's \
             RawArray and the like: multiprocessing.heap.Arena._dir_candidates = [])"
        }
        Lack::Multiprocessing if sandboxed => {
            "it may not use the semaphores of multiprocessing, which lie in /dev/shm: threads need \
             none"
        }
        Lack::Manifest => {
            "its jar does not say which class begins: make it by `jar cfe BOT.jar CLASS *.class`, \
             or run `java -cp BOT.jar CLASS`"
        }
        Lack::Command => {
            "a command that its script calls is not found; begin a script with #!/bin/bash, or run \
             it by bash, if it has [[ ]] and the like"
        }
        Lack::HiddenModule => {
            "a file of the bot has the name of a module, which it hides: rename that file"
        }
        Lack::LineEnds => "its script has the line ends of Windows: save it with those of Unix",
        Lack::Module if sandboxed => {
            "something that it needs is not installed, or is in a folder that it may not read \
             (`read` adds folders)"
        }
        Lack::Module => "something that it needs is not installed",
        Lack::ShadowMemory if case.settings.limits.sandbox != Sandbox::Off => {
            "a sanitizer reserves terabytes of address space, which no `memory` allows: play with \
             --sandbox off to use it, and build without -fsanitize=address for a tournament"
        }
        Lack::Class => return Some(class_advice(case)),
        Lack::ClassVersion => {
            "it was compiled for a newer java than the one that runs it: compile it with `javac \
             --release N`, N the version of that java, or by the `build` of its bot.toml"
        }
        Lack::Socket if sandboxed => {
            "there is no network: it may not use sockets, nor what needs them, such as asyncio"
        }
        Lack::Timer if sandboxed => {
            "it may not use kernel timers (a Haskell program needs none with `ghc \
             -with-rtsopts=-V0`)"
        }
        Lack::SharedMemory
        | Lack::SharedFolder
        | Lack::Multiprocessing
        | Lack::ShadowMemory
        | Lack::Socket
        | Lack::Timer => return None,
    };
    Some(text.to_owned())
}

/// What to do about memory, threads and processes, with what the settings allow of them.
fn limit_advice(lack: Lack, case: &Case<'_>) -> Option<String> {
    let Settings { limits, .. } = case.settings;
    let sandboxed = case.forfeit.isolation.is_some();
    let language = language_of(&case.evidence.program);
    let mib = limits.memory >> 20;
    match lack {
        Lack::Memory => Some(format!("it may use {mib} MiB of memory{}", language.memory)),
        Lack::Stack => Some(format!(
            "its recursion does not end, or is deeper than its stack ({} allows a deeper one)",
            language.deeper
        )),
        Lack::Thread | Lack::Task if sandboxed => {
            let processes = match limits.processes {
                1 => "one process".to_owned(),
                count => format!("{count} processes"),
            };
            Some(format!(
                "it may have {} threads in {processes} (`threads` and `processes` allow more), and \
                 {} MiB for its memory and the stacks of its threads together",
                limits.threads,
                2 * mib // docs/reference/isolation.md: for private memory twice `memory`
            ))
        }
        Lack::Thread if limits.sandbox == Sandbox::Basic => Some(format!(
            "its memory and the stacks of all its threads together may take {} MiB, twice its \
             `memory`",
            2 * mib
        )),
        Lack::Process if sandboxed && limits.processes == 1 => Some(
            "it may not start processes: a wrapper script needs `exec` before its last command \
             (`processes` allows more)"
                .to_owned(),
        ),
        Lack::Process if sandboxed => Some(format!("it may be {} processes", limits.processes)),
        // Without a sandbox the match has no such limit.
        _ => None,
    }
}

/// What to do about a file that could not be opened or written.
fn file_advice(lack: Lack, case: &Case<'_>) -> Option<String> {
    let sandboxed = case.forfeit.isolation.is_some();
    let text = match lack {
        Lack::File | Lack::Missing
            if sandboxed && let Some([make, name]) = &case.evidence.own_folder =>
        {
            return Some(format!(
                "a script without a folder of its own reads the system's files and those beside \
                 it, but no folders, and writes into its scratch folder ($TMPDIR) only; to read \
                 more, give the bot a folder of its own: `{make}` and `{name}`"
            ));
        }
        Lack::Missing if sandboxed => {
            "a file that it opens does not exist, or is in a folder that it may not read (`read` \
             adds files and folders)"
        }
        Lack::Missing => {
            "a file that it opens does not exist; relative paths start from the bot's folder"
        }
        Lack::Write if sandboxed => "it may write into its scratch folder ($TMPDIR) only",
        Lack::File if sandboxed => {
            "it may read its own folder and the system's, and write into its scratch folder \
             ($TMPDIR) only"
        }
        // Without a sandbox it may read and write what its user may.
        _ => return None,
    };
    Some(text.to_owned())
}

/// Why java did not find its class. Nothing of standard error is quoted: it may not be shown.
fn class_advice(case: &Case<'_>) -> String {
    let mut lines = case.evidence.stderr.iter().map(|line| String::from_utf8_lossy(line));
    if lines.any(|line| line.contains("(wrong name:")) {
        return "the class is in another package than its name says: write `java -cp FOLDER \
                PACKAGE.CLASS`, where FOLDER holds the folder PACKAGE; without a package line in \
                its source the name stands alone"
            .to_owned();
    }
    match &case.evidence.class_file {
        Some(source) if source.ends_with(".java") => format!(
            "{source} is not compiled: run `javac {source}`, or write build = \"javac {source}\" \
             into its bot.toml"
        ),
        Some(class) => format!(
            "its class is {class}: the name has the same capitals and no `.class`; -cp names the \
             folder that holds the class, or of a class in a package the folder that holds the \
             folder of the package (`java -cp FOLDER PACKAGE.CLASS`)"
        ),
        None => "java finds no such class: -cp names the folders and jars to look in, and the \
                 package stands before the name (`java -cp FOLDER PACKAGE.CLASS`)"
            .to_owned(),
    }
}

/// What a signal usually means that ended a program without an error message.
fn usual_cause(case: &Case<'_>) -> Option<String> {
    let Some(Exit::Signal(signal)) = case.forfeit.answer.exit else { return None };
    if case.trace.is_some() {
        return None;
    }
    let language = language_of(&case.evidence.program);
    match signal {
        SIGSEGV if language.is_compiled() => Some(
            "the usual causes are an index out of range, a pointer that is null (as of a file that \
             did not open) or freed, and endless recursion; compiled with `-g -fsanitize=address`, \
             and played with --sandbox off, it says where"
                .to_owned(),
        ),
        SIGSEGV => Some(format!(
            "the usual causes are recursion that is deeper than its stack ({} allows a deeper \
             one), and an extension in C",
            language.deeper
        )),
        SIGILL if language.is_compiled() => Some(
            "it may be compiled for another processor (-march=native): compile it on this machine"
                .to_owned(),
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
