//! The faults of a console program: they are explained by the last words that it printed, and by
//! what was expected.

use super::{Case, Silence, Waited, Wanted, exceeded, exit, garbled, quote, seconds};
use crate::{Exit, Fault, Garbled};

/// The sentence, for the faults whose wording depends on what was waited for.
pub(super) fn explain_console(case: &Case<'_>, waited: &Waited) -> Option<String> {
    let expected = &waited.expected;
    let answer = case.forfeit.answer;
    let came = match case.forfeit.fault {
        Fault::NoStart if answer.exceeded.is_some() => format!("the program {}", exceeded(case)),
        Fault::NoStart if answer.exit.is_some() => ended(case, waited),
        // Its table has no words for the game, so nothing was expected yet.
        Fault::NoStart if answer.garbled == Some(Garbled::Untold) => return Some(garbled(case)),
        Fault::NoStart if answer.garbled.is_some() => garbled(case),
        Fault::Crash => ended(case, waited),
        Fault::Timeout if case.evidence.reply.is_some() => return None,
        fault @ (Fault::Timeout | Fault::NoStart) => {
            let limit = case.forfeit.limit.map_or_else(|| "the time".to_owned(), seconds);
            let of = if fault == Fault::NoStart { "of the start" } else { "(margin included)" };
            let came = what_came(case, waited);
            return Some(format!("expected {expected} within {limit} {of}; {came}"));
        }
        // Their sentences are the same in every dialect.
        _ => return None,
    };
    Some(format!("expected {expected}; {came}"))
}

/// The clause about its last words.
fn printed(waited: &Waited) -> String {
    if waited.printed.is_empty() {
        "it printed nothing".to_owned()
    } else {
        format!("last printed: {}", quote(&waited.printed))
    }
}

/// What it printed last, and how it ended.
fn ended(case: &Case<'_>, waited: &Waited) -> String {
    let end = match case.forfeit.answer.exit {
        Some(exit @ Exit::Status(0)) => format!("the program {exit}"),
        _ => exit(case, Wanted::Answer),
    };
    format!("{}; then {end}{}", printed(waited), reads_nothing(case))
}

/// The clause about a program that no table can help.
fn reads_nothing(case: &Case<'_>) -> &'static str {
    if case.evidence.reads_nothing {
        "; it has read nothing of what it was sent: a program that does not read its standard \
         input cannot play"
    } else {
        ""
    }
}

/// What came, and what the program does.
fn what_came(case: &Case<'_>, waited: &Waited) -> String {
    const WAITS: &str = "it waits for input, which nothing in its table answers";
    let mut text = printed(waited);
    if let Some(trouble) = &waited.trouble {
        text.push_str(&format!("; {trouble}"));
    }
    let doing = match &case.evidence.silence {
        // A program that has printed something does flush.
        Some(Silence::AtEndOfInput(came)) if !waited.printed.is_empty() => {
            return format!("{text}; {WAITS}; when that was closed, {} came", quote(came));
        }
        Some(Silence::AtEndOfInput(came)) => {
            return format!(
                "{text}; {} came only when its input was closed: its output is not flushed (write \
                 `stdbuf -o0` before its command, as in `stdbuf -o0 ./player`), or it waits for \
                 input that its table does not send",
                quote(came)
            );
        }
        Some(Silence::Computing) => "it was still computing",
        Some(Silence::Waiting | Silence::Mute) if waited.printed.is_empty() => {
            "it waits for input; if it did print something, that was not flushed: `stdbuf -o0` \
             before its command may help"
        }
        Some(Silence::Waiting | Silence::Mute | Silence::AfterLine(_) | Silence::AskedAgain(_)) => {
            WAITS
        }
        Some(Silence::Sleeping) if !case.evidence.reads_nothing => {
            "it neither computes nor reads its standard input; a program that waits for a mouse or \
             a terminal cannot play"
        }
        Some(Silence::Sleeping) => "it neither computes nor reads",
        Some(Silence::Late(came)) => return format!("{text}; {} came after that", quote(came)),
        None => return text + reads_nothing(case),
    };
    format!("{text}; {doing}{}", reads_nothing(case))
}
