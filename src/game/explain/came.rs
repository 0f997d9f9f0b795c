//! What a bot wrote in place of a line that was wanted, or why it wrote nothing.

use super::language::language_of;
use super::trace::Trace;
use super::{
    Case, Evidence, LAST_LINES, Silence, Wanted, example, quote, seconds, shown, the_request,
};
use arbiter_rules::text::printable;

/// The most bytes of a quotation of the end of a line.
const QUOTED_END: usize = 40;
/// The rows of most boards: a bot that was written for one of them reads so many.
const USUAL_ROWS: usize = 8;
/// What to do with prompts.
const PROMPTS: &str = "write prompts to stderr (input() of Python writes its text to stdout)";

/// What came in place of a line, with a correction if one can be guessed.
pub(super) fn what_came(case: &Case<'_>, wanted: Wanted) -> String {
    let Evidence { partial, unrecognised, .. } = case.evidence;
    if case.evidence.behind.is_some() {
        return nothing_came_behind(case);
    }
    let whole = |line: &&Vec<u8>| {
        line_at_end(case, line, wanted).is_some_and(|found| is_all_of(&found, line))
    };
    if wanted == Wanted::Answer
        && partial.is_empty()
        && let Some(early) = unrecognised.iter().find(whole)
    {
        let request = the_request(case, wanted);
        return format!(
            "{} came before {request} was read: read on until {request}, then answer",
            quote(early)
        );
    }
    let near = |line: &Vec<u8>| case.wording.nearly_a_ply(case.forfeit.position, line);
    if wanted == Wanted::Answer
        && partial.is_empty()
        && let Some(near) = unrecognised.iter().find_map(near)
    {
        return near.mistake;
    }
    let behind_prompt =
        |line: &Vec<u8>| Some((line.clone(), line_behind_prompt(case, line, wanted)?));
    if let Some((line, answer)) = unrecognised.iter().chain([partial]).find_map(behind_prompt) {
        return format!(
            "{} came: a prompt stands before \"{answer}\"; {PROMPTS}",
            quote_end(&line)
        );
    }
    if !partial.is_empty() {
        let waits = matches!(
            case.evidence.silence,
            Some(
                Silence::Waiting | Silence::Mute | Silence::AfterLine(_) | Silence::AtEndOfInput(_)
            )
        );
        return if waits && !is_line(case, partial, wanted) {
            format!(
                "{} came, a prompt without an answer; then the bot waits for more input; {}; {PROMPTS}",
                quote_end(partial),
                duty(case, wanted)
            )
        } else {
            format!("{} came, without the newline that ends a line", quote(partial))
        };
    }
    let Some(last) = unrecognised.last() else { return nothing_came(case, wanted) };
    let among_others =
        |line: &Vec<u8>| Some((line.clone(), line_among_others(case, line, wanted)?));
    if let Some((line, answer)) = unrecognised.iter().find_map(among_others) {
        return format!("{} came: write \"{answer}\" alone on its line", quote(&line));
    }
    if case.wording.is_request(last.trim_ascii(), wanted) {
        return format!(
            "{} came, which the bot had read: it writes back what it reads",
            quote(last)
        );
    }
    if last.trim_ascii().is_empty() {
        return format!("an empty line came; {}", duty(case, wanted));
    }
    if let Some(trace) = Trace::find(unrecognised, &case.evidence.folder) {
        return format!(
            "\"{}\" came, the message of an error; write messages for people to stderr",
            shown(&trace)
        );
    }
    format!("{} came, {}", quote(last), case.wording.not_an_answer(last, wanted))
}

/// Whether a line is nothing but this text.
fn is_all_of(text: &str, line: &[u8]) -> bool {
    text.len() == line.trim_ascii().len()
}

/// Whether text begins as a line that is wanted.
fn is_line(case: &Case<'_>, text: &[u8], wanted: Wanted) -> bool {
    wanted_line(case, wanted)
        .split(' ')
        .next()
        .is_some_and(|word| text.trim_ascii().starts_with(word.as_bytes()))
}

/// The wanted line at the end of a text, if one stands there.
fn line_at_end(case: &Case<'_>, text: &[u8], wanted: Wanted) -> Option<String> {
    let text = text.trim_ascii();
    match wanted {
        Wanted::Ready => {
            Some(case.wording.ready().to_owned()).filter(|ready| text.ends_with(ready.as_bytes()))
        }
        Wanted::Answer => {
            let mut plies = case
                .forfeit
                .position
                .plies()
                .map(|ply| case.wording.ply(case.forfeit.position, ply));
            plies.find(|ply| text.ends_with(ply.as_bytes()))
        }
    }
}

/// The wanted line within a line that is more than that, as in `b'move a1a7'`, or in colours.
fn line_among_others(case: &Case<'_>, text: &[u8], wanted: Wanted) -> Option<String> {
    let is_plain = !text.contains(&b'\x1b');
    let text = without_colours(text);
    let has = |line: &String| {
        // The line itself came, but not when it was wanted.
        if is_plain && text.trim() == line {
            return false;
        }
        let is_word =
            |text: &str, of: fn(&str) -> Option<char>| !of(text).is_some_and(char::is_alphanumeric);
        text.match_indices(line.as_str()).any(|(at, found)| {
            is_word(&text[..at], |before| before.chars().next_back())
                && is_word(&text[at + found.len()..], |behind| behind.chars().next())
        })
    };
    match wanted {
        Wanted::Ready => Some(case.wording.ready().to_owned()).filter(has),
        Wanted::Answer => {
            let position = case.forfeit.position;
            position.plies().map(|ply| case.wording.ply(position, ply)).find(has)
        }
    }
}

/// The text without the control sequences that set colours, `ESC [ … m`.
fn without_colours(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + " " + part.split_once('m').map_or(part, |(_, behind)| behind)
    })
}

/// The wanted line behind a prompt: text that ends with a sign, as in `your move> move a1a7`.
fn line_behind_prompt(case: &Case<'_>, text: &[u8], wanted: Wanted) -> Option<String> {
    let line = line_at_end(case, text, wanted)?;
    let before = text.trim_ascii().strip_suffix(line.as_bytes())?.trim_ascii();
    before.last().is_some_and(u8::is_ascii_punctuation).then_some(line)
}

/// What a bot must do that wrote nothing.
fn duty(case: &Case<'_>, wanted: Wanted) -> String {
    format!("after {}, print \"{}\"", the_request(case, wanted), wanted_line(case, wanted))
}

/// A line that would be right.
fn wanted_line(case: &Case<'_>, wanted: Wanted) -> String {
    match wanted {
        Wanted::Ready => case.wording.ready().to_owned(),
        Wanted::Answer => example(case),
    }
}

/// Whether the wanted line is among the last ones on standard error.
fn is_on_stderr(case: &Case<'_>, wanted: Wanted) -> bool {
    let lines = case.evidence.stderr.iter().rev().take(LAST_LINES);
    lines
        .into_iter()
        .any(|line| line_at_end(case, line, wanted).is_some_and(|found| is_all_of(&found, line)))
}

/// The clause that nothing came from a bot behind an adapter, which knows nothing of what arbiter
/// wants.
fn nothing_came_behind(case: &Case<'_>) -> String {
    match &case.evidence.silence {
        Some(Silence::Computing) => "nothing came: the bot was still computing".to_owned(),
        Some(Silence::Late(_)) => match case.evidence.took {
            Some(took) => format!("its answer came after {}", seconds(took)),
            None => "its answer came after that".to_owned(),
        },
        Some(Silence::Waiting | Silence::Mute) => {
            "nothing came: the bot waits for more input, or did not flush its output".to_owned()
        }
        _ => "nothing came".to_owned(),
    }
}

/// The clause that nothing came, with the reason if it is known, or else the likeliest first.
fn nothing_came(case: &Case<'_>, wanted: Wanted) -> String {
    let language = language_of(&case.evidence.program);
    let flush = language.flush;
    let lines = language.lines;
    let compares = language.compares;
    let answer = match wanted {
        Wanted::Ready => format!("\"{}\"", case.wording.ready()),
        Wanted::Answer => "answer".to_owned(),
    };
    let duty = duty(case, wanted);
    let request = the_request(case, wanted);
    let waits = matches!(case.evidence.silence, Some(Silence::Waiting | Silence::Mute));
    if waits && case.evidence.answered_early && wanted == Wanted::Answer {
        return format!(
            "nothing came after it; an answer came before {request} was read: read on until {request}, then answer once"
        );
    }
    if let Some(rows) = waits_for_rows(case) {
        return format!("nothing came: {rows}");
    }
    match &case.evidence.silence {
        Some(Silence::Mute) if case.evidence.ended_with_error => {
            format!(
                "nothing came, and when its input was closed the bot ended with an error; {duty}"
            )
        }
        Some(Silence::Computing) if wanted == Wanted::Ready => {
            "nothing came: the bot was still computing".to_owned()
        }
        Some(Silence::Computing) => {
            "nothing came: the bot was still computing its answer".to_owned()
        }
        Some(Silence::AfterLine(answer)) => format!(
            "nothing came until one more line was sent; then {} appeared: after {request} the bot waits for a line that does \
             not come; answer at {request}",
            quote(answer)
        ),
        Some(Silence::AskedAgain(answer)) => format!(
            "nothing came until {request} was sent again; then {} appeared: the bot read past {first} without \
             an answer, as one does that reads two lines at a time",
            quote(answer),
            first = format_args!("the first {}", case.wording.request(wanted)),
        ),
        Some(Silence::AtEndOfInput(answer)) => {
            let came =
                format!("nothing came until its input was closed; then {} appeared", quote(answer));
            let whole = format!("it reads its whole input first (read line by line: {lines})");
            let kept = format!("its output was not flushed (write {flush})");
            if language.buffers {
                format!("{came}. Either {kept}, or {whole}")
            } else {
                format!("{came}. Either {whole}, or {kept}")
            }
        }
        Some(Silence::Late(answer)) => match case.evidence.took {
            Some(took) => format!("{} came after {}", quote(answer), seconds(took)),
            None => format!("{} came after that", quote(answer)),
        },
        Some(Silence::Mute | Silence::Waiting) if is_on_stderr(case, wanted) => {
            let article = if wanted == Wanted::Answer { "an " } else { "" };
            format!(
                "nothing came on standard output, but {article}{answer} on standard error: {duty}"
            )
        }
        Some(Silence::Mute) if !language.loses => {
            format!(
                "nothing came, nor when its input was closed: the bot waits for more input; {duty} ({compares})"
            )
        }
        Some(Silence::Waiting) if !language.buffers => {
            format!("nothing came: the bot waits for more input; {duty} ({compares})")
        }
        Some(Silence::Mute | Silence::Waiting) => format!(
            "nothing came: the bot waits for more input. Either it printed no {answer} ({duty}; {compares}), or it did not flush it \
             (write {flush})"
        ),
        Some(Silence::Sleeping) => {
            let error =
                if case.trace.is_some() { "; an error stands on its standard error" } else { "" };
            format!(
                "nothing came: the bot neither computes nor reads its input; it sleeps, or waits for something else{error}"
            )
        }
        None => format!(
            "nothing came: {duty}. If the bot did print it, it was not flushed: write {flush}"
        ),
    }
}

/// That a bot has read everything in its first turn and waits for more lines than there are, where
/// the board has not the size that a bot may have been written for.
fn waits_for_rows(case: &Case<'_>) -> Option<String> {
    let waits = matches!(
        case.evidence.silence,
        Some(Silence::Waiting | Silence::Mute | Silence::AfterLine(_) | Silence::AskedAgain(_))
    );
    let lines = case
        .evidence
        .read_after_board
        .filter(|_| waits && (1..=2).contains(&case.forfeit.number))?;
    let rows = case.forfeit.position.ruleset().rows();
    (rows != USUAL_ROWS).then(|| {
        format!(
            "the bot has read all {lines} lines after `board` and waits for more; this board has {rows} rows (the line `size` says so)"
        )
    })
}

/// A quotation of the end, if there is much.
fn quote_end(bytes: &[u8]) -> String {
    match bytes.len().checked_sub(QUOTED_END) {
        Some(cut @ 1..) => format!("\"…{}\"", printable(&bytes[cut..], QUOTED_END)),
        _ => quote(bytes),
    }
}
