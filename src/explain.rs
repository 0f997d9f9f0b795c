//! Why a bot lost by forfeit, in a sentence that helps its author.
//!
//! Owns the words. It gets what was expected and what came, and knows neither pipes nor processes; the verdict is the
//! referee's and is not looked into again. Whatever a bot wrote is quoted with every odd byte escaped.

mod hint;

use crate::protocol::native::{Said, hear, legal_ply};
use crate::protocol::{Answer, Exit, Flood, Garbled, LINE_CAP, Reply, Room, Silence, Tasks};
use crate::record::Fault;
use crate::rules::Position;
use crate::text::printable;
use std::fmt::Write;
use std::time::Duration;

/// How many bytes of one quotation are shown.
const QUOTED: usize = 120;

/// What a bot was allowed when it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allowed<'a> {
    /// How long it might have taken by the time that is charged, the margin included.
    pub time: Option<Duration>,
    /// How much wall time might have passed, where processor time is charged.
    pub wall_cap: Option<Duration>,
    /// Bytes that it may write for one ply.
    pub output: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Processes and threads.
    pub tasks: Tasks,
    /// Room in its scratch folder.
    pub scratch: Room,
    /// What was in force of the sandbox `strict`, if it was.
    pub isolation: Option<&'a str>,
}

/// What is known of a forfeit.
#[derive(Debug, Clone)]
pub struct Case<'a> {
    /// The verdict.
    pub fault: Fault,
    /// The board before the answer.
    pub position: &'a Position,
    /// What the question brought.
    pub answer: Answer<'a>,
    /// What the bot was allowed.
    pub allowed: Allowed<'a>,
    /// What it wrote after its last newline.
    pub partial: &'a [u8],
    /// Lines since the question that are no answer.
    pub strays: &'a [Vec<u8>],
    /// The last lines of its standard error.
    pub stderr: &'a [Vec<u8>],
    /// Whether they may be quoted; else only what they tell is used.
    pub quotable: bool,
    /// The name of its script or program, which tells the language.
    pub program: &'a str,
    /// Why it said nothing, if that is known.
    pub silence: Option<&'a Silence>,
}

/// The sentence: what was expected, what came, and what is known beside that.
#[must_use]
pub fn explain(case: &Case<'_>) -> String {
    let mut text = match case.fault {
        Fault::IllegalMove => illegal(case),
        Fault::Timeout => late(case),
        Fault::NoStart => no_start(case),
        Fault::Crash => crash(case),
        Fault::Protocol => garbled(case),
        Fault::OutputLimit => flooded(case),
        Fault::MemoryLimit => memory(case),
        Fault::ProcessLimit => crowded(case),
    };
    text.push_str(&hint::hint(case));
    if case.quotable && !case.stderr.is_empty() {
        let lines: Vec<String> = case.stderr.iter().map(|line| printable(line, QUOTED)).collect();
        let _ = write!(text, "; last on stderr: \"{}\"", lines.join(" | ")); // writing to a String cannot fail
    }
    text
}

fn illegal(case: &Case<'_>) -> String {
    let words = match case.answer.reply {
        Some(Reply::Move(words)) => words,
        Some(Reply::Resign) | None => b"",
    };
    let ruleset = case.position.ruleset();
    let mut plies = case.position.plies().map(|ply| ruleset.ply_text(ply));
    let example = plies.next().map(|ply| ply.to_string()).unwrap_or_default();
    let count = 1 + plies.count();
    let expected = format!("expected one of {count} legal plies such as \"move {example}\"");
    let why = legal_ply(case.position, words).err().unwrap_or_default();
    format!("{expected}; came {}: {why}", quote(&Reply::Move(words).line()))
}

fn late(case: &Case<'_>) -> String {
    let Allowed { time, wall_cap, .. } = case.allowed;
    let limit = time.map_or_else(|| "the time".to_owned(), seconds);
    let (used, cpu) = (case.answer.used, case.answer.cpu);
    let (expected, after) = match wall_cap {
        None => (format!("within {limit} (margin included)"), seconds(used)),
        Some(cap) => {
            let both = match cpu {
                Some(cpu) => format!("{} of processor time, {} of wall time", seconds(cpu), seconds(used)),
                None => format!("{} of wall time", seconds(used)),
            };
            let cap = seconds(cap);
            (format!("within {limit} of processor time and {cap} of wall time (margin included)"), both)
        }
    };
    match (case.answer.reply, wall_cap) {
        (Some(reply), _) => {
            format!("expected an answer {expected}; {} came after {after}", quote(&reply.line()))
        }
        (None, None) => format!("expected an answer {expected}; {}", instead(case, "answer")),
        // Which of the two it was that ran out tells a bot that computes from one that sleeps.
        (None, Some(cap)) => {
            let which = match used >= cap {
                true => "it waited or slept until the wall time was over",
                false => "it computed until the processor time was over",
            };
            let came = match case.partial.is_empty() && case.strays.is_empty() && used < cap {
                true => "nothing came".to_owned(), // nothing was held back either
                false => instead(case, "answer"),
            };
            format!("expected an answer {expected}; {which} ({after}); {came}")
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / (1 << 20) as f64
}

fn memory(case: &Case<'_>) -> String {
    let had = mib(case.answer.over_memory.unwrap_or_default());
    let limit = mib(case.allowed.memory);
    if case.answer.over_memory <= Some(case.allowed.memory) {
        return format!("needed more than the {limit:.1} MiB of memory that the match allows"); // the kernel ended it
    }
    format!("had {had:.1} MiB of memory in use; the match allows {limit:.1} MiB")
}

fn crowded(case: &Case<'_>) -> String {
    let had = case.answer.over_processes.unwrap_or_default();
    let allowed = case.allowed.tasks;
    let processes = if had.processes == 1 { "process" } else { "processes" };
    format!(
        "ran {} {processes} with {} threads in all; the match allows {} and {}",
        had.processes, had.threads, allowed.processes, allowed.threads
    )
}

fn flooded(case: &Case<'_>) -> String {
    match case.answer.over_output {
        Some(Flood::Scratch(had)) => {
            let allowed = case.allowed.scratch;
            format!(
                "had {:.1} MiB in {} files in its scratch folder; the match allows {:.1} MiB and {} files",
                mib(had.bytes),
                had.files,
                mib(allowed.bytes),
                allowed.files
            )
        }
        Some(Flood::Output) | None => {
            format!("wrote more than {} bytes to standard output for one ply", case.allowed.output)
        }
    }
}

fn crash(case: &Case<'_>) -> String {
    let end = exit(case.answer.exit);
    if case.partial.is_empty() && case.strays.is_empty() {
        return format!("expected an answer; {end}");
    }
    format!("expected an answer; {}; then {end}", instead(case, "answer"))
}

fn no_start(case: &Case<'_>) -> String {
    let answer = &case.answer;
    // In the order of the faults that these would be later.
    let came = [
        answer.over_memory.map(|_| format!("the program {}", memory(case))),
        answer.over_processes.map(|_| format!("the program {}", crowded(case))),
        answer.over_output.map(|_| format!("the program {}", flooded(case))),
        answer.exit.map(|_| exit(answer.exit)),
        answer.garbled.map(|_| garbled(case)),
    ];
    if let Some(came) = came.into_iter().flatten().next() {
        return format!("expected \"ready\"; {came}");
    }
    let limit = case.allowed.time.unwrap_or_default().as_secs_f64();
    format!("expected \"ready\" within {limit} s of the start; {}", instead(case, "ready"))
}

/// What came in place of a line, and the cure where one can be guessed.
fn instead(case: &Case<'_>, wanted: &str) -> String {
    if !case.partial.is_empty() {
        return format!("{} came, without the newline that ends a line", quote(case.partial));
    }
    let Some(stray) = case.strays.last() else { return nothing(case, wanted) };
    if let Some(ply) = case.strays.iter().find_map(|line| bare_ply(case.position, line)) {
        return format!("\"{ply}\" came without the word move: write \"move {ply}\"");
    }
    if matches!(hear(stray), Said::Move(_) | Said::Resign) {
        return format!("{} came, but it began before the question and so is no answer to it", quote(stray));
    }
    let words = stray.trim_ascii();
    let hint = match words.split(u8::is_ascii_whitespace).next() {
        Some(word) if word.eq_ignore_ascii_case(b"move") && word != b"move" => "; write move in lower case",
        Some(word) if word.eq_ignore_ascii_case(b"ready") && word != b"ready" => {
            "; write ready in lower case"
        }
        Some(b"resign") => "; resign must stand alone on its line",
        Some(word) if word.eq_ignore_ascii_case(b"resign") => "; write resign in lower case",
        _ => "; what is meant for people belongs on stderr",
    };
    format!("{} came, which is no {wanted}{hint}", quote(stray))
}

/// Nothing came: what is known of why.
fn nothing(case: &Case<'_>, wanted: &str) -> String {
    let flush = flush(case.program);
    match case.silence {
        Some(Silence::Computing) => format!("nothing came: the bot was still computing its {wanted}"),
        Some(Silence::Unflushed(answer)) => format!(
            "nothing came until its input was closed; then {} appeared: it was written and not flushed. Write {flush}",
            quote(answer)
        ),
        Some(Silence::Waiting) => format!(
            "nothing came: the bot waits for more input. Either its {wanted} was written and not flushed (write {flush}), or \
             it expects a line that is never sent"
        ),
        Some(Silence::Sleeping) => {
            "nothing came: the bot neither computes nor reads its input; it sleeps, or waits for something else".to_owned()
        }
        None => format!("nothing came. If the bot did print its {wanted}, it was not flushed: write {flush}"),
    }
}

/// How output is flushed in the language of a program, as far as its name tells that.
fn flush(program: &str) -> &'static str {
    let extension = program.rsplit_once('.').map(|(_, extension)| extension);
    match (extension, program) {
        (Some("py"), _) => "print(…, flush=True)",
        (Some("js"), _) | (_, "node") => "console.log(…) or process.stdout.write(…)",
        (Some("jar" | "class"), _) | (_, "java") => "System.out.flush() after each line",
        (Some("pl"), _) | (_, "perl") => "$| = 1; at the beginning",
        (Some("rb"), _) | (_, "ruby") => "$stdout.sync = true at the beginning",
        (_, program) if program.starts_with("python") => "print(…, flush=True)",
        _ => {
            "print(…, flush=True) in Python, fflush(stdout) in C, std::flush in C++, System.out.flush() in Java, \
             stdout().flush() in Rust, Flush() of the writer in Go"
        }
    }
}

/// The ply that a line is, if it is exactly a legal one: its author forgot the word `move`.
///
/// ```
/// use arbiter::explain::bare_ply;
/// let start = arbiter::rules::Ruleset::named("loa", &[]).unwrap().start();
/// assert_eq!(bare_ply(&start, b"a2-c4\r").as_deref(), Some("a2c4"));
/// assert_eq!(bare_ply(&start, b"depth 3"), None);
/// ```
#[must_use]
pub fn bare_ply(position: &Position, line: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(line.trim_ascii()).ok()?;
    let ply = position.ruleset().read_ply(text).ok()?;
    position.check(ply).ok()?;
    Some(position.ruleset().ply_text(ply).to_string())
}

fn garbled(case: &Case<'_>) -> String {
    match case.answer.garbled {
        Some(Garbled::Nul) => {
            let line = case.strays.last().map(|line| quote(line)).unwrap_or_default();
            format!("a line with a NUL byte came, which is no text: {line}")
        }
        Some(Garbled::TooLong) => {
            let start = case.strays.last().map(|line| quote(&line[..line.len().min(40)])).unwrap_or_default();
            format!("a line of more than {LINE_CAP} bytes came, which begins {start}")
        }
        Some(Garbled::Deaf) => "the program closed its standard input while it was still running".to_owned(),
        Some(Garbled::Closed) | None => {
            "the program closed its standard output while it was still running".to_owned()
        }
    }
}

fn exit(exit: Option<Exit>) -> String {
    exit.map_or_else(|| "the program ended".to_owned(), |exit| format!("the program {exit}"))
}

fn quote(bytes: &[u8]) -> String {
    format!("\"{}\"", printable(bytes, QUOTED))
}
