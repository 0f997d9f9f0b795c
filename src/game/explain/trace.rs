//! The error in what a program wrote: its name and message, and where it happened, as the runtimes
//! of Python, Java, node, Rust, Go and C++ print them.

/// An error of a runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trace {
    /// The line with its name and message.
    pub message: String,
    /// The line that says where it happened, if there is one: of a stack the innermost call in the
    /// bot's own folder.
    pub place: Option<String>,
    /// The lines of its stack.
    pub stack: Vec<String>,
}

/// Maximum number of lines between the message of an error in Java or node and its stack, such as
/// the list `Require stack:` of node.
const DETAILS: usize = 6;

/// The most lines that may follow an error of Python, Java or node: if more follow, the program
/// went on, so the error is not why it ended.
const LINES_AFTER: usize = 6;

/// Parts of calls in code that the bot's author did not write: libraries, runtimes, and what comes
/// with a compiler.
const LIBRARIES: [&str; 18] = [
    // Python
    "/site-packages/",
    "/dist-packages/",
    "/lib/python",
    "<frozen ",
    // node
    "/node_modules/",
    "(<anonymous>)",
    "node:",
    // Java
    "at java.",
    "at javax.",
    "at jdk.",
    "at sun.",
    // Rust and Go
    "/rustc/",
    "/registry/src/",
    "/src/runtime/",
    // Headers and libraries of the system; `../../../../src/libsanitizer` of a sanitizer itself
    "/usr/",
    "(/lib",
    " ../",
    // Ruby
    "<internal:",
];

/// What follows a line that names an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// The line has the message; a stack may follow.
    Message,
    /// The line has the place, and the next one the message.
    Place,
}

/// Errors that are known by their line: what it begins with, and what else is in it.
const NAMED: [(&str, &str, Layout); 16] = [
    ("thread '", "panicked at", Layout::Place),
    ("thread '", "has overflowed its stack", Layout::Message),
    ("terminate called after", "", Layout::Place),
    ("terminate called without", "", Layout::Message),
    ("panic: ", "", Layout::Message),
    ("fatal error: ", "", Layout::Message),
    ("", "os::commit_memory", Layout::Message),
    ("==", "Sanitizer", Layout::Message),
    ("", "Assertion `", Layout::Message),
    ("", "Assertion '", Layout::Message),
    ("*** ", " detected ***", Layout::Message),
    ("double free or corruption", "", Layout::Message),
    ("free(): ", "", Layout::Message),
    ("malloc(): ", "", Layout::Message),
    ("munmap_chunk(): ", "", Layout::Message),
    ("corrupted size", "", Layout::Message),
];

/// Whether a program that wrote these lines ended with an error, other than that its input was at
/// its end.
pub fn ends_with_error(lines: &[Vec<u8>]) -> bool {
    Trace::find(lines, "").is_some_and(|trace| !trace.message.contains("EOF"))
}

impl Trace {
    /// The last error of a known form in these lines, blank lines left out. `folder` is that of the
    /// bot, empty if it is not known.
    pub fn find(lines: &[Vec<u8>], folder: &str) -> Option<Trace> {
        let lines: Vec<String> =
            lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        // While Python ends, it may report errors of what the real one has left behind.
        let end = match lines.iter().position(|line| line.starts_with("Exception ignored in")) {
            Some(end @ 1..) => end,
            _ => lines.len(),
        };
        let lines = &lines[..end];
        // What was written last is why the program ended.
        let found = [python(lines, folder), java_or_node(lines, folder), named(lines, folder)];
        let (_, trace) = found.into_iter().flatten().max_by_key(|(at, _)| *at)?;
        Some(trace)
    }
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

fn is_unindented(line: &str) -> bool {
    !is_indented(line)
}

/// Whether a line is a call in a stack of Python.
fn is_python_call(line: &str) -> bool {
    is_indented(line) && line.trim_start().starts_with("File \"")
}

/// Whether a line is a call in a stack of Java or node.
fn is_call(line: &str) -> bool {
    is_indented(line) && line.trim_start().starts_with("at ")
}

/// The index of the first line of a kind.
fn first(lines: &[String], is_wanted: fn(&str) -> bool) -> Option<usize> {
    lines.iter().position(|line| is_wanted(line))
}

/// The index of the last line of a kind.
fn last(lines: &[String], is_wanted: fn(&str) -> bool) -> Option<usize> {
    lines.iter().rposition(|line| is_wanted(line))
}

/// Whether an error at this line is the last thing that happened.
fn is_recent(lines: &[String], at: usize) -> bool {
    lines[at + 1..].iter().filter(|line| is_unindented(line)).count() <= LINES_AFTER
}

/// Of the calls of a stack, innermost first, the first one in the bot's folder, or else in no
/// library, or else of all.
fn innermost<'a>(calls: impl Iterator<Item = &'a String>, folder: &str) -> Option<String> {
    let call = calls.min_by_key(|call| strangeness(call, folder))?;
    Some(call.trim().to_owned())
}

/// How far a call is from the bot's own code: 0 in its folder, 1 elsewhere, 2 in a library.
fn strangeness(call: &str, folder: &str) -> u8 {
    let inside = if folder.is_empty() { None } else { call.split_once(folder) };
    // Libraries may lie in the bot's folder, and the bot's folder in one like a library's.
    let path = inside.map_or(call, |(_, path)| path);
    if LIBRARIES.iter().any(|library| path.contains(library)) {
        2
    } else {
        u8::from(inside.is_none())
    }
}

/// Python: the message follows the lines of the stack, of which the last one is the innermost.
fn python(lines: &[String], folder: &str) -> Option<(usize, Trace)> {
    let call = last(lines, is_python_call)?;
    let at = call + first(&lines[call..], is_unindented)?;
    let from = last(&lines[..call], is_unindented).unwrap_or_default();
    let stack = lines[from..at].to_vec();
    let place = innermost(stack.iter().rev().filter(|line| is_python_call(line)), folder);
    let trace = Trace { message: lines[at].clone(), place, stack };
    is_recent(lines, at).then_some((at, trace))
}

/// Java and node: the lines of the stack, ` at …`, follow the message. The stack of a cause may
/// have none of the bot's own calls, which stand above it then.
fn java_or_node(lines: &[String], folder: &str) -> Option<(usize, Trace)> {
    let end = last(lines, is_call)?;
    let above = last(&lines[..end], is_unindented)?;
    // The backtrace of a panic in Rust, which `named` reads.
    if lines[above].starts_with("stack backtrace:") {
        return None;
    }
    let begin = above + 1 + first(&lines[above + 1..], is_call)?;
    // Node may print details between the message and the stack.
    let from = (above + 1).saturating_sub(DETAILS);
    let message = last(&lines[from..=above], names_error).map_or(above, |at| from + at);
    let is_cause = lines[message].starts_with("Caused by");
    let outer = if is_cause { &lines[..message] } else { &[] };
    let stack = lines[begin..=end].to_vec();
    let place = innermost(stack.iter().chain(outer).filter(|line| is_call(line)), folder);
    let trace = Trace { message: lines[message].clone(), place, stack };
    is_recent(lines, end).then_some((end, trace))
}

/// Whether a line has a word such as `TypeError` or `java.io.IOException`.
fn names_error(line: &str) -> bool {
    let mut words = line.split([' ', ':']);
    words.any(|word| word.ends_with("Error") || word.ends_with("Exception"))
}

/// Errors that are known by their line. Their calls are `\tPATH` in Go, `at PATH` in Rust, and
/// `#0 … in FUNCTION PATH` below a sanitizer's message, whose first stack counts.
fn named(lines: &[String], folder: &str) -> Option<(usize, Trace)> {
    let (at, layout) =
        lines.iter().enumerate().find_map(|(at, line)| Some((at, layout_of(line)?)))?;
    let mut stack = Vec::new();
    let mut stacks = 0;
    for line in lines[at + 1..].iter().filter(|line| is_native_call(line)) {
        // Further stacks of a sanitizer show where memory was allocated and freed.
        stacks += usize::from(line.trim_start().starts_with("#0 "));
        if stacks > 1 {
            break;
        }
        stack.push(line.clone());
    }
    let line = &lines[at];
    let trace = if let Some(behind) = line.find("Assertion ") {
        // `PROGRAM: FILE:LINE: FUNCTION: Assertion …`
        let (place, assertion) = line.split_at(behind);
        let place = place.trim_end_matches([' ', ':']);
        let place = (!place.is_empty()).then(|| place.to_owned());
        Trace { message: assertion.to_owned(), place, stack }
    } else if layout == Layout::Place
        && let Some(next) = lines.get(at + 1)
        && !next.starts_with("note: ")
    {
        let place = innermost([line].into_iter().chain(&stack), folder);
        Trace { message: next.trim().to_owned(), place, stack }
    } else {
        let mut place = innermost(stack.iter(), folder);
        // The number and the address of a sanitizer's call say nothing to the author.
        if let Some(call) = &place
            && call.starts_with('#')
            && let Some((_, function)) = call.split_once(" in ")
        {
            place = Some(format!("in {function}"));
        }
        Trace { message: without_addresses(line), place, stack }
    };
    Some((at, trace))
}

fn layout_of(line: &str) -> Option<Layout> {
    for &(beginning, part, layout) in &NAMED {
        if line.starts_with(beginning) && line.contains(part) {
            return Some(layout);
        }
    }
    None
}

/// Whether a line is a call in a stack of Go, of Rust or of a sanitizer. A call that a sanitizer
/// has no line of is given as an address.
fn is_native_call(line: &str) -> bool {
    let call = line.trim_start();
    let is_call = (call.starts_with('#') || call.starts_with("at ")) && !line.contains("+0x");
    line.starts_with('\t') || is_indented(line) && is_call
}

/// The line of a sanitizer without the process id before it and the addresses behind it; any other
/// line as it is.
fn without_addresses(line: &str) -> String {
    let Some((pid, mut message)) = line.split_once("ERROR: ") else { return line.to_owned() };
    if !pid.starts_with("==") {
        return line.to_owned();
    }
    for addresses in [" on address", " (pc "] {
        message = message.split_once(addresses).map_or(message, |(before, _)| before);
    }
    message.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program wrote on standard error, the message in it, and the place.
    const TRACES: &[(&str, &str, &str)] = &[
        (
            "depth 3\nTraceback (most recent call last):\n  File \"a.py\", line 9, in \
             <module>\n    f()\n\
             \x20 File \"a.py\", line 5, in f\n    x[3]\n    ~^^^\nIndexError: list index out \
             of range\n",
            "IndexError: list index out of range",
            "File \"a.py\", line 5, in f",
        ),
        (
            "  File \"a.py\", line 1\n    x = = 1\nSyntaxError: invalid syntax",
            "SyntaxError: invalid syntax",
            "File \"a.py\", line 1",
        ),
        (
            "ready\nException in thread \"main\" java.lang.StackOverflowError\n\
             \tat Bot.f(Bot.java:5)\n\tat Bot.f(Bot.java:5)\n",
            "Exception in thread \"main\" java.lang.StackOverflowError",
            "at Bot.f(Bot.java:5)",
        ),
        (
            "Exception in thread \"main\" java.lang.RuntimeException: x\n\tat A.b(A.java:1)\n\
             Caused by: java.io.IOException: y\n\tat A.c(A.java:2)\n\t... 1 more\n",
            "Caused by: java.io.IOException: y",
            "at A.c(A.java:2)",
        ),
        (
            "/bot.js:3\n  throw new TypeError('x');\n  ^\nTypeError: x\n    at f \
             (/bot.js:3:9)\n\
             \x20   at g (/bot.js:9:1)\nNode.js v18.0.0\n",
            "TypeError: x",
            "at f (/bot.js:3:9)",
        ),
        (
            "node:internal/modules/cjs/loader:1080\n  throw err;\n  ^\nError: Cannot find \
             module './x'\n\
             Require stack:\n- /bot.js\n    at f (node:internal:1:2) {\n  code: \
             'MODULE_NOT_FOUND'\n}\n",
            "Error: Cannot find module './x'",
            "at f (node:internal:1:2) {",
        ),
        (
            "thread 'main' panicked at src/main.rs:5:5:\nindex out of bounds\nnote: run with \
             `RUST_BACKTRACE=1`\n",
            "index out of bounds",
            "thread 'main' panicked at src/main.rs:5:5:",
        ),
        (
            "panic: runtime error: index out of range [5]\ngoroutine 1 [running]:\n\
             main.main()\n\
             \t/bot.go:5 +0x1d\nexit status 2",
            "panic: runtime error: index out of range [5]",
            "/bot.go:5 +0x1d",
        ),
        (
            "Traceback (most recent call last):\n  File \
             \"/home/anna/.venv/lib/python3/site-packages/run.py\", line 2, in run\n\
             \x20 File \"/home/anna/bot.py\", line 9, in main\n  File \
             \"/usr/lib/python3.11/json/decoder.py\", line 353, in decode\n\
             json.decoder.JSONDecodeError: Expecting value",
            "json.decoder.JSONDecodeError: Expecting value",
            "File \"/home/anna/bot.py\", line 9, in main",
        ),
        (
            "Exception in thread \"main\" java.util.NoSuchElementException\n\
             \tat java.base/java.util.Scanner.throwFor(Scanner.java:937)\n\tat \
             p.Bot.main(Bot.java:7)\n\
             Caused by: java.io.IOException: y\n\tat \
             java.base/java.io.Reader.read(Reader.java:2)\n\t... 1 more\n",
            "Caused by: java.io.IOException: y",
            "at p.Bot.main(Bot.java:7)",
        ),
        (
            "SyntaxError: Unexpected token\n    at JSON.parse (<anonymous>)\n    at \
             /home/anna/node_modules/x.js:1:2\n\
             \x20   at f (/home/anna/bot.js:3:9)\n    at Interface.emit (node:events:524:28)\n",
            "SyntaxError: Unexpected token",
            "at f (/home/anna/bot.js:3:9)",
        ),
        (
            "thread 'main' (2) panicked at /rustc/59807/library/core/src/panicking.rs:80:14:\n\
             called on a `None` value\n\
             stack backtrace:\n   0: rust_begin_unwind\n             at \
             /rustc/59807/library/std/src/panicking.rs:689:5\n\
             \x20  1: bot::search\n             at ./src/main.rs:5:9\nnote: Some details are \
             omitted",
            "called on a `None` value",
            "at ./src/main.rs:5:9",
        ),
        (
            "=====\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc \
             0x55\nREAD of size 4 at 0x60\n\
             \x20   #0 0x7f in __interceptor_memset \
             ../../../../src/libsanitizer/common.inc:799\n\
             \x20   #1 0x55 in search(int*, int) /home/ben/bot.cpp:5\n    #2 0x55 in _start \
             (/home/anna/bot+0x2360)\n\
             allocated by thread T0 here:\n    #0 0x55 in make /home/anna/bot.cpp:2\nSUMMARY: \
             AddressSanitizer: x\n==7==ABORTING",
            "AddressSanitizer: heap-buffer-overflow",
            "in search(int*, int) /home/ben/bot.cpp:5",
        ),
        (
            "bot: bot.c:10: main: Assertion `n == 9' failed.\n",
            "Assertion `n == 9' failed.",
            "bot: bot.c:10: main",
        ),
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 2, in f\nKeyError: 1\n\
             Exception ignored in: <function g>\n\
             Traceback (most recent call last):\n  File \"/usr/lib/x.py\", line 9, in g\n\
             AttributeError: y",
            "KeyError: 1",
            "File \"a.py\", line 2, in f",
        ),
        (
            "terminate called after throwing an instance of 'std::out_of_range'\n  what():  \
             vector::_M_range_check\n",
            "what():  vector::_M_range_check",
            "terminate called after throwing an instance of 'std::out_of_range'",
        ),
    ];

    #[test]
    fn the_message_and_the_place_are_found_in_each_language() {
        for &(stderr, message, place) in TRACES {
            let lines: Vec<Vec<u8>> = stderr.lines().map(|line| line.as_bytes().to_vec()).collect();
            let trace = Trace::find(&lines, "/home/anna").unwrap();
            assert_eq!(
                (&*trace.message, trace.place.as_deref()),
                (message, Some(place)),
                "{stderr}"
            );
        }
        assert_eq!(Trace::find(&[b"depth 3".to_vec(), b"Segmentation fault".to_vec()], ""), None);
    }
}
