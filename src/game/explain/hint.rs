//! Hints for a bot's author: what to do about what its runtime lacks under the settings of the
//! match, and what a signal usually means.

use super::lack::{ErrorText, Lack};
use super::language::language_of;
use super::{Case, Exit, Fault, Sandbox, Settings, Silence};

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
    let error = ErrorText::new(case);
    let lack = error.lack();
    let sandboxed = case.forfeit.isolation.is_some();
    let is_refused =
        case.forfeit.answer.exit == Some(Exit::Signal(SIGSYS)) || error.names_refused_call();
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
