//! Explains to a bot's author why the bot lost by forfeit, in a sentence.
//!
//! Owns the sentences. Their input is what was expected and what came ([`Evidence`]); this knows
//! neither pipes nor processes. It takes the verdict from the referee and does not judge again. How
//! an answer must be written is defined by the dialect ([`Wording`]). A bot's text is quoted with
//! every byte escaped that is not plain text.

mod came;
mod console;
mod evidence;
mod hint;
mod lack;
mod language;
mod trace;
mod wording;

use super::{
    Allowance, Answer, Exit, Fault, Garbled, LINE_CAP, LimitExceeded, NOTE_BYTES, RESUMED, Reply,
    SCRATCH, Sandbox, Settings, Silence,
};
use crate::clock::TimeControl;
use arbiter_rules::text::{printable, words};
use arbiter_rules::{Ply, Position, Ruleset, Square};
use came::what_came;
use console::explain_console;
use hint::hint;
use std::time::Duration;
use trace::Trace;

pub use evidence::{Behind, Evidence, SecondAnswer};
pub use lack::wants_network;
pub use trace::ends_with_error;
pub use wording::{NearlyAPly, Waited, Wanted, Wording};

/// The most bytes of a quotation.
const QUOTED: usize = 120;

words! {
    /// Who may read what bots wrote to standard error.
    StderrAccess {
        /// The bot's author.
        Private = "private",
        /// Every reader of the JUnit file, the step summary or the report.
        Public = "public",
    }
}

/// A forfeit, with what the referee and the match know about it.
#[derive(Debug, Clone, Copy)]
pub struct Forfeit<'a> {
    /// The verdict.
    pub fault: Fault,
    /// The board before the answer.
    pub position: &'a Position,
    /// The number of the ply that was asked for, from 1; 0 for the start.
    pub number: usize,
    /// The answer to the question.
    pub answer: &'a Answer,
    /// Why the answer is no legal ply, if it is none.
    pub refused: Option<&'a str>,
    /// When the flag fell: the most time that could be charged, margin included; for `no-start`,
    /// how long the start could take.
    pub limit: Option<Duration>,
    /// How long the answer could take.
    pub allowance: Allowance,
    /// What is in force of `strict`; `None` under other levels.
    pub isolation: Option<&'a str>,
    /// Whether the sentence may quote the player's standard error. Hints are derived from standard
    /// error in any case.
    pub stderr: StderrAccess,
}

/// All input of a sentence.
struct Case<'a> {
    forfeit: &'a Forfeit<'a>,
    settings: &'a Settings,
    evidence: &'a Evidence,
    wording: &'a dyn Wording,
    /// The error in its standard error.
    trace: Option<Trace>,
}

/// The sentence: what was expected, what came, and hints.
pub fn explain(
    forfeit: &Forfeit<'_>,
    settings: &Settings,
    evidence: &Evidence,
    wording: &dyn Wording,
) -> String {
    let case = &Case {
        forfeit,
        settings,
        evidence,
        wording,
        trace: Trace::find(&evidence.stderr, &evidence.folder),
    };
    // The bot, or its adapter, has said what is wrong. Where a limit was exceeded before, that
    // decided the game.
    let is_limit = forfeit.fault == Fault::Timeout || forfeit.answer.exceeded.is_some();
    if forfeit.answer.garbled == Some(Garbled::Declared) && !is_limit {
        let mut text = garbled(case);
        let says_error = case.trace.as_ref().is_some_and(|trace| text.contains(&trace.message));
        text.push_str(&hint(case));
        if !says_error {
            push_stderr(&mut text, case);
        }
        return text;
    }
    let waited = wording.waited_for();
    let of_console = waited.and_then(|waited| explain_console(case, &waited));
    let mut text = of_console.unwrap_or_else(|| expected_and_came(case));
    if let Some(Behind { sent, said }) = &evidence.behind {
        // The author of the bot knows only these lines, not those of arbiter's protocol.
        let said = match said {
            Some(said) => format!("last wrote {}", quote(said)),
            None => "wrote nothing after it".to_owned(),
        };
        let sent = quote(sent);
        text.push_str(&format!("; behind its adapter, the bot was sent {sent} and {said}"));
    }
    text.push_str(&hint(case));
    push_stderr(&mut text, case);
    text
}

/// Quotes standard error, if that may be read: the error in it and its place, or else the last
/// lines.
fn push_stderr(text: &mut String, case: &Case<'_>) {
    if case.forfeit.stderr == StderrAccess::Private || case.evidence.stderr.is_empty() {
        return;
    }
    let mut quoted = Vec::new();
    if let Some(trace) = &case.trace {
        quoted.push(quoted_trace(trace));
    } else {
        for line in case.evidence.last_of_stderr() {
            quoted.push(printable(line.trim_ascii(), QUOTED));
        }
    }
    text.push_str(&format!("; last on stderr: \"{}\"", quoted.join(" | ")));
}

/// What was expected and what came, for a dialect of lines.
fn expected_and_came(case: &Case<'_>) -> String {
    match case.forfeit.fault {
        Fault::IllegalMove => illegal(case),
        Fault::Timeout => late(case),
        Fault::NoStart => no_start(case),
        Fault::Crash => crash(case),
        Fault::Protocol => garbled(case),
        Fault::OutputLimit | Fault::MemoryLimit | Fault::ProcessLimit => exceeded(case),
    }
}

/// An error and its place, for a quotation.
fn quoted_trace(trace: &Trace) -> String {
    let mut text = printable(trace.message.as_bytes(), QUOTED);
    if let Some(place) = &trace.place {
        text.push_str(&format!(" | {}", printable(place.as_bytes(), 2 * QUOTED)));
    }
    text
}

fn illegal(case: &Case<'_>) -> String {
    let came = quote(case.evidence.reply.as_deref().unwrap_or_default());
    let request = case.wording.request(Wanted::Answer);
    if let Some(SecondAnswer::To(number)) = case.evidence.second_answer {
        return format!(
            "the bot answered twice: {came} came after its answer to ply {number}; \
             write one answer after each {request}"
        );
    }
    let example = example(case);
    let count = case.forfeit.position.plies().count();
    let why = case.forfeit.refused.unwrap_or_default();
    let mut sentence =
        format!("expected one of {count} legal moves such as \"{example}\"; came {came}: {why}");
    if case.evidence.second_answer == Some(SecondAnswer::Likely) {
        sentence.push_str(&format!(
            "; another answer followed, so this is probably a second one to an earlier question: \
             write one answer after each {request}"
        ));
    }
    // Where a move is one square, a wrong one is often legal by chance a turn ago or with row and
    // column exchanged.
    if matches!(case.forfeit.answer.reply, Some(Reply::Ply(Ply::Place(_)))) {
        return sentence;
    }
    if let Some(SecondAnswer::Stale(number)) = case.evidence.second_answer {
        sentence.push_str(&format!(
            "; it was legal at the bot's last turn, ply {number}: choose anew at each turn"
        ));
    } else if let Some(meant) = swapped(case) {
        sentence
            .push_str(&format!("; row and column seem to be swapped: did you mean \"{meant}\"?"));
    }
    sentence
}

/// The legal answer that an illegal one becomes if row and column of each square change places, by
/// their names or in the text.
fn swapped(case: &Case<'_>) -> Option<String> {
    let position = case.forfeit.position;
    let ruleset = position.ruleset();
    let ply = match case.forfeit.answer.reply {
        Some(Reply::Ply(Ply::Move(from, to))) => {
            Ply::Move(crossed(&ruleset, from)?, crossed(&ruleset, to)?)
        }
        Some(Reply::Illegal(_)) => {
            let text =
                String::from_utf8_lossy(case.evidence.reply.as_deref()?).to_ascii_lowercase();
            ruleset.read_ply(&with_columns_first(text.split_whitespace().last()?)?).ok()?
        }
        _ => return None,
    };
    position.is_legal(ply).then(|| case.wording.ply(position, ply))
}

/// The square whose column is named by the number of the row of this one, and the other way round.
fn crossed(ruleset: &Ruleset, square: Square) -> Option<Square> {
    let (row, column) = ruleset.row_and_column(square);
    let numbers: Vec<Option<usize>> =
        (0..ruleset.rows()).map(|index| ruleset.row_name(index).parse().ok()).collect();
    // Rows may be counted from 0 or from 1, and in either direction.
    let first = *numbers.iter().flatten().min()?;
    let new_column = numbers[row]? - first;
    let new_row = numbers.iter().position(|&number| number == Some(column + first))?;
    (new_column < ruleset.columns()).then(|| ruleset.square(new_row, new_column))
}

/// `1a7a` as `a1a7`; `None` if it is not made of numbers that are each followed by a letter.
fn with_columns_first(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut number = String::new();
    for c in text.chars() {
        if c.is_ascii_digit() {
            number.push(c);
        } else if c.is_ascii_lowercase() && !number.is_empty() {
            out.push(c);
            out.push_str(&std::mem::take(&mut number));
        } else {
            return None;
        }
    }
    (number.is_empty() && !out.is_empty()).then_some(out)
}

/// An answer that would be legal.
fn example(case: &Case<'_>) -> String {
    let position = case.forfeit.position;
    position.plies().next().map(|ply| case.wording.ply(position, ply)).unwrap_or_default()
}

fn late(case: &Case<'_>) -> String {
    if let Some(stall) = case.forfeit.allowance.stall {
        return format!(
            "expected an answer within {} (`stall`, as there is no clock); {}",
            seconds(stall),
            what_came(case, Wanted::Answer)
        );
    }
    let answer = case.forfeit.answer;
    let used = seconds(answer.used);
    if let Some(used_up) = stock_used_up(case) {
        return format!("{used_up}; {}", came_after(case, &used));
    }
    let limit = case.forfeit.limit.map_or_else(|| "the time".to_owned(), seconds);
    let Allowance { wall: Some(cap), cpu: Some(_), .. } = case.forfeit.allowance else {
        let came = came_after(case, &used);
        return format!("expected an answer within {limit} (margin included); {came}");
    };
    let after = match answer.cpu {
        Some(cpu) => format!("{} of processor time, {used} of wall time", seconds(cpu)),
        None => format!("{used} of wall time"),
    };
    let expected = format!(
        "expected an answer within {limit} of processor time and {} of wall time (margin included)",
        seconds(cap)
    );
    if case.evidence.reply.is_some() {
        return format!("{expected}; {}", came_after(case, &after));
    }
    // The limit that was reached distinguishes a bot that computes from one that sleeps.
    let sleeps = answer.used >= cap;
    let which = if sleeps {
        "it waited or slept until the wall time was over"
    } else {
        "it computed until the processor time was over"
    };
    // A bot that computes does not wait for its output to be flushed, so no hint is needed.
    let came = if sleeps || case.evidence.has_come() {
        what_came(case, Wanted::Answer)
    } else {
        "nothing came".to_owned()
    };
    format!("{expected}; {which} ({after}); {came}")
}

/// The answer and the time after which it came, or what came in its place.
fn came_after(case: &Case<'_>, after: &str) -> String {
    match &case.evidence.reply {
        Some(reply) => format!("{} came after {after}", quote(reply)),
        None => what_came(case, Wanted::Answer),
    }
}

/// The clause that earlier plies used up a stock of wall time for the whole game: what was left for
/// the last one says little by itself.
fn stock_used_up(case: &Case<'_>) -> Option<String> {
    let Forfeit { position, number, limit, allowance, .. } = *case.forfeit;
    let TimeControl::Game { base, increment } = case.settings.time.control[position.side()] else {
        return None;
    };
    let limit = limit.filter(|&limit| limit < base && allowance.cpu.is_none())?;
    let stock = base.as_secs_f64();
    let mut more = String::new();
    if !increment.is_zero() {
        more = format!(" and {} s for each move", increment.as_secs_f64());
    }
    let last = if position.ruleset().alternates() {
        format!("move {}", number.div_ceil(2))
    } else {
        format!("ply {number}")
    };
    let left = seconds(limit);
    Some(format!(
        "the {stock} s for the whole game{more} were used up by {last}, for which {left} were left \
         (margin included)"
    ))
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / (1 << 20) as f64
}

/// The limit that the player exceeded.
fn exceeded(case: &Case<'_>) -> String {
    let limits = &case.settings.limits;
    let memory = mib(limits.memory);
    match case.forfeit.answer.exceeded {
        // The kernel killed it at the limit.
        Some(LimitExceeded::Memory(had)) if had <= limits.memory => {
            format!("needed more than the {memory:.1} MiB of memory that the match allows")
        }
        Some(LimitExceeded::Memory(had)) => {
            let had = mib(had);
            format!("had {had:.1} MiB of memory in use; the match allows {memory:.1} MiB")
        }
        Some(LimitExceeded::Tasks(had)) => {
            let processes = if had.processes == 1 { "process" } else { "processes" };
            format!(
                "ran {} {processes} with {} threads in all; the match allows {} and {}",
                had.processes, had.threads, limits.processes, limits.threads
            )
        }
        Some(LimitExceeded::Scratch(had)) => format!(
            "had {:.1} MiB in {} files in its scratch folder, with those that it has deleted and \
             still holds; the match allows {:.1} MiB and {} files",
            mib(had.bytes),
            had.files,
            mib(SCRATCH.bytes),
            SCRATCH.files
        ),
        Some(LimitExceeded::Output) | None => {
            format!("wrote more than {} bytes to standard output for one move", limits.output)
        }
    }
}

fn crash(case: &Case<'_>) -> String {
    let end = exit(case, Wanted::Answer);
    if !case.evidence.has_come() {
        return format!("expected an answer; {end}");
    }
    format!("expected an answer; {}; then {end}", what_came(case, Wanted::Answer))
}

fn no_start(case: &Case<'_>) -> String {
    let answer = case.forfeit.answer;
    let ready = case.wording.ready();
    // In the order of faults during a game.
    let came = if answer.exceeded.is_some() {
        format!("the program {}", exceeded(case))
    } else if answer.exit.is_some() {
        let end = exit(case, Wanted::Ready);
        // An error on standard error explains more than what came on standard output.
        if case.evidence.has_come() && case.trace.is_none() {
            format!("{}; then {end}", what_came(case, Wanted::Ready))
        } else {
            end
        }
    } else if answer.garbled.is_some() {
        garbled(case)
    } else {
        let limit = case.forfeit.limit.unwrap_or_default().as_secs_f64();
        let came = what_came(case, Wanted::Ready);
        return format!("expected \"{ready}\" within {limit} s of the start; {came}");
    };
    format!("expected \"{ready}\"; {came}")
}

fn garbled(case: &Case<'_>) -> String {
    let line = case.evidence.last_unrecognised();
    match case.forfeit.answer.garbled {
        Some(Garbled::Nul) => {
            let encoding =
                if line.starts_with(b"\xff\xfe") { "; write UTF-8, not UTF-16" } else { "" };
            format!("a line with a NUL byte came, which is not text: {}{encoding}", quote(line))
        }
        Some(Garbled::TooLong) => {
            let start = quote(&line[..line.len().min(40)]);
            format!("a line of more than {LINE_CAP} bytes came, which begins {start}")
        }
        Some(Garbled::Refused) => format!(
            "the program was sent the opponent's move, which is legal, and asks for it again: {}; \
             its rules or its numbers of rows and columns are others than those of its table, or \
             it has moved in words that `move` does not match, or it asks a person for the moves \
             of both sides, which no table can help",
            quote(line)
        ),
        Some(Garbled::FurtherBlock) => format!(
            "the program was told all blocked squares and asks for a further one, so it has \
             refused one: {}; its numbers of rows and columns may be others than those of its \
             table",
            quote(line)
        ),
        // What its own table cannot say is the program's fault: otherwise a player could choose to
        // abort a game.
        Some(Garbled::Untold) => match case.wording.waited_for() {
            Some(Waited { trouble: Some(trouble), .. }) => trouble,
            _ => "its table has no words for what it is to be sent".to_owned(),
        },
        Some(Garbled::InputClosed) => {
            "the program closed its standard input while it was still running".to_owned()
        }
        Some(Garbled::Declared) => {
            let reason = line.trim_ascii().strip_prefix(b"fault").unwrap_or(line);
            printable(reason.trim_ascii(), NOTE_BYTES)
        }
        Some(Garbled::Resumed(used)) => format!(
            "while the bot was not on move and its processes were stopped, they used {} ms of \
             processor time; the match allows {} ms in a game (something resumed them or started \
             new ones, or a stop did not end a long system call)",
            used.as_millis(),
            RESUMED.as_millis()
        ),
        Some(Garbled::OutputClosed) | None => {
            "the program closed its standard output while it was still running".to_owned()
        }
    }
}

/// How the program ended; if it ended without an error, what it must do instead.
fn exit(case: &Case<'_>, wanted: Wanted) -> String {
    let Some(exit) = case.forfeit.answer.exit else { return "the program ended".to_owned() };
    let mut text = format!("the program {exit}");
    if exit == Exit::Status(0) && case.evidence.behind.is_some() {
        text.push_str(", or closed its standard output"); // its adapter ends in either case
    } else if exit == Exit::Status(0) {
        let quit = case.wording.quit();
        text.push_str(&match wanted {
            Wanted::Ready => format!(
                ": at {} print \"{}\", and keep reading until {quit}",
                the_request(case, wanted),
                case.wording.ready()
            ),
            Wanted::Answer => format!(": after an answer keep reading until {quit}"),
        });
    }
    text
}

/// The request for what is wanted, as the rest of a phrase after `after`: `"go"`, or `the list of
/// legal moves`.
fn the_request(case: &Case<'_>, wanted: Wanted) -> String {
    let request = case.wording.request(wanted);
    if request.starts_with('"') { request.to_owned() } else { format!("the {request}") }
}

fn quote(bytes: &[u8]) -> String {
    format!("\"{}\"", printable(bytes, QUOTED))
}
