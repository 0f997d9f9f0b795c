//! What a bot wrote in place of a line that was wanted, or why it wrote nothing.

use super::language::{Language, language_of};
use super::trace::Trace;
use super::{Case, Evidence, Silence, Wanted, example, quote, quoted_trace, seconds, the_request};
use arbiter_rules::text::printable;

/// The most bytes of a quotation of the end of a line.
const QUOTED_END: usize = 40;
/// The rows of most boards: a bot may be written to read as many.
const USUAL_ROWS: usize = 8;
/// The advice about prompts, as a clause.
const PROMPTS: &str = "write prompts to stderr (input() of Python writes its text to stdout)";

/// What came in place of a line, with a correction if one can be guessed: the first guess that fits
/// counts, the surest first.
pub(super) fn what_came(case: &Case<'_>, wanted: Wanted) -> String {
    let Evidence { partial, unrecognised, .. } = case.evidence;
    // The lines of an adapter are not the bot's.
    if case.evidence.behind.is_some() {
        return nothing_came_behind(case);
    }
    let right = right_lines(case, wanted);
    if wanted == Wanted::Answer && partial.is_empty() {
        // 1. An answer came, but before the bot had read the question.
        if let Some(early) = unrecognised.iter().find(|line| is_right(&right, line)) {
            let request = the_request(case, wanted);
            return format!(
                "{} came before {request} was read: read on until {request}, then answer",
                quote(early)
            );
        }
        // 2. A legal ply in a wrong form.
        for line in unrecognised {
            if let Some(near) = case.wording.nearly_a_ply(case.forfeit.position, line) {
                return near.mistake;
            }
        }
    }
    // 3. A right line behind a prompt, with or without the end of the line.
    for line in unrecognised.iter().chain([partial]) {
        if let Some(answer) = behind_prompt(&right, line) {
            return format!(
                "{} came: a prompt stands before \"{answer}\"; {PROMPTS}",
                quote_end(line)
            );
        }
    }
    // 4. The beginning of a line: a prompt, or a line without its end.
    if !partial.is_empty() {
        let waits = matches!(
            case.evidence.silence,
            Some(
                Silence::Waiting | Silence::Mute | Silence::AfterLine(_) | Silence::AtEndOfInput(_)
            )
        );
        // What begins like a right line is one without its end.
        let line = right_line(case, wanted);
        let word = line.split(' ').next().unwrap_or_default();
        return if waits && !partial.trim_ascii().starts_with(word.as_bytes()) {
            format!(
                "{} came, a prompt without an answer; then the bot waits for more input; {}; \
                 {PROMPTS}",
                quote_end(partial),
                duty(case, wanted)
            )
        } else {
            format!("{} came, without the newline that ends a line", quote(partial))
        };
    }
    let Some(last) = unrecognised.last() else { return nothing_came(case, wanted) };
    // 5. A right line among other words.
    for line in unrecognised {
        if let Some(answer) = among_others(&right, line) {
            return format!("{} came: write \"{answer}\" alone on its line", quote(line));
        }
    }
    // 6. The last line, which is nothing like an answer.
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
            quoted_trace(&trace)
        );
    }
    format!("{} came, {}", quote(last), case.wording.not_an_answer(last, wanted))
}

/// The lines that would be right.
fn right_lines(case: &Case<'_>, wanted: Wanted) -> Vec<String> {
    let position = case.forfeit.position;
    match wanted {
        Wanted::Ready => vec![case.wording.ready().to_owned()],
        Wanted::Answer => position.plies().map(|ply| case.wording.ply(position, ply)).collect(),
    }
}

/// Whether a line is a right one and nothing else.
fn is_right(right: &[String], line: &[u8]) -> bool {
    right.iter().any(|right| line.trim_ascii() == right.as_bytes())
}

/// The right line within a line that is more than that, as in `b'move a1a7'`, or in colours.
fn among_others<'a>(right: &'a [String], text: &[u8]) -> Option<&'a String> {
    let is_plain = !text.contains(&b'\x1b');
    let text = without_colours(text);
    // A line that is the right one and nothing else came when it was not wanted.
    right.iter().find(|line| !(is_plain && text.trim() == **line) && has_words(&text, line))
}

/// Whether a text contains words that are not parts of longer ones.
fn has_words(text: &str, words: &str) -> bool {
    for (at, _) in text.match_indices(words) {
        let before = &text[..at];
        let behind = &text[at + words.len()..];
        if !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric) {
            return true;
        }
    }
    false
}

/// The text without the control sequences that set colours, `ESC [ … m`.
fn without_colours(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut parts = text.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push(' ');
        plain.push_str(part.split_once('m').map_or(part, |(_, behind)| behind));
    }
    plain
}

/// The right line behind a prompt: text that ends with a sign, as in `your move> move a1a7`.
fn behind_prompt<'a>(right: &'a [String], text: &[u8]) -> Option<&'a String> {
    let line = right.iter().find(|line| text.trim_ascii().ends_with(line.as_bytes()))?;
    let before = text.trim_ascii().strip_suffix(line.as_bytes())?.trim_ascii();
    before.last().is_some_and(u8::is_ascii_punctuation).then_some(line)
}

/// What a bot that wrote nothing must do.
fn duty(case: &Case<'_>, wanted: Wanted) -> String {
    format!("after {}, print \"{}\"", the_request(case, wanted), right_line(case, wanted))
}

/// A line that would be right.
fn right_line(case: &Case<'_>, wanted: Wanted) -> String {
    match wanted {
        Wanted::Ready => case.wording.ready().to_owned(),
        Wanted::Answer => example(case),
    }
}

/// Whether a right line is among the last ones on standard error.
fn is_on_stderr(case: &Case<'_>, wanted: Wanted) -> bool {
    let right = right_lines(case, wanted);
    case.evidence.last_of_stderr().iter().any(|line| is_right(&right, line))
}

/// The clause that nothing came from a bot behind an adapter, which knows nothing of what arbiter
/// wants.
fn nothing_came_behind(case: &Case<'_>) -> String {
    match &case.evidence.silence {
        Some(Silence::Computing) => "nothing came: the bot was still computing".to_owned(),
        Some(Silence::Late(_)) => came_late(case, "its answer"),
        Some(Silence::AtEndOfInput(said)) => came_at_end(language_of(&case.evidence.program), said),
        Some(Silence::Waiting | Silence::Mute) => {
            "nothing came: the bot waits for more input, or did not flush its output".to_owned()
        }
        _ => "nothing came".to_owned(),
    }
}

/// That a line came only when the input of the bot was closed.
fn came_at_end(language: &Language, line: &[u8]) -> String {
    let came = format!("nothing came until its input was closed; then {} appeared", quote(line));
    let whole = format!("it reads its whole input first (read line by line: {})", language.lines);
    let kept = format!("its output was not flushed (write {})", language.flush);
    // The likelier cause comes first.
    if language.buffers {
        format!("{came}. Either {kept}, or {whole}")
    } else {
        format!("{came}. Either {whole}, or {kept}")
    }
}

fn came_late(case: &Case<'_>, answer: &str) -> String {
    let after = case.evidence.took.map_or_else(|| "that".to_owned(), seconds);
    format!("{answer} came after {after}")
}

/// The clause that nothing came, with the reason if it is known, or else the likeliest first.
fn nothing_came(case: &Case<'_>, wanted: Wanted) -> String {
    let language = language_of(&case.evidence.program);
    let Language { flush, compares, .. } = language;
    let awaited = match wanted {
        Wanted::Ready => format!("\"{}\"", case.wording.ready()),
        Wanted::Answer => "answer".to_owned(),
    };
    let duty = duty(case, wanted);
    let request = the_request(case, wanted);
    let waits = matches!(case.evidence.silence, Some(Silence::Waiting | Silence::Mute));
    if waits && case.evidence.answered_early && wanted == Wanted::Answer {
        return format!(
            "nothing came after it; an answer came before {request} was read: read on until \
             {request}, then answer once"
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
        Some(Silence::Computing) => {
            let what = if wanted == Wanted::Answer { " its answer" } else { "" };
            format!("nothing came: the bot was still computing{what}")
        }
        Some(Silence::AfterLine(answer)) => format!(
            "nothing came until one more line was sent; then {} appeared: after {request} the bot \
             waits for a line that does not come; answer at {request}",
            quote(answer)
        ),
        Some(Silence::AskedAgain(answer)) => format!(
            "nothing came until {request} was sent again; then {} appeared: the bot read past the \
             first {} without an answer, as one does that reads two lines at a time",
            quote(answer),
            case.wording.request(wanted),
        ),
        Some(Silence::AtEndOfInput(answer)) => came_at_end(language, answer),
        Some(Silence::Late(answer)) => came_late(case, &quote(answer)),
        Some(Silence::Mute | Silence::Waiting) if is_on_stderr(case, wanted) => {
            let article = if wanted == Wanted::Answer { "an " } else { "" };
            format!(
                "nothing came on standard output, but {article}{awaited} on standard error: {duty}"
            )
        }
        // Output in a buffer would have come at the end.
        Some(Silence::Mute) if !language.loses => {
            format!(
                "nothing came, nor when its input was closed: the bot waits for more input; {duty} \
                 ({compares})"
            )
        }
        Some(Silence::Waiting) if !language.buffers => {
            format!("nothing came: the bot waits for more input; {duty} ({compares})")
        }
        Some(Silence::Mute | Silence::Waiting) => format!(
            "nothing came: the bot waits for more input. Either it printed no {awaited} ({duty}; \
             {compares}), or it did not flush it (write {flush})"
        ),
        Some(Silence::Sleeping) => {
            let error =
                if case.trace.is_some() { "; an error stands on its standard error" } else { "" };
            format!(
                "nothing came: the bot neither computes nor reads its input; it sleeps, or waits \
                 for something else{error}"
            )
        }
        None => format!(
            "nothing came: {duty}. If the bot did print it, it was not flushed: write {flush}"
        ),
    }
}

/// The clause about a bot that has read everything in its first turn and waits for more lines, if
/// the board does not have the size that the bot may have been written for.
fn waits_for_rows(case: &Case<'_>) -> Option<String> {
    let lines = case.evidence.read_after_board?;
    let rows = case.forfeit.position.ruleset().rows();
    let waits = matches!(
        case.evidence.silence,
        Some(Silence::Waiting | Silence::Mute | Silence::AfterLine(_) | Silence::AskedAgain(_))
    );
    let is_first_turn = matches!(case.forfeit.number, 1 | 2);
    if !waits || !is_first_turn || rows == USUAL_ROWS {
        return None;
    }
    Some(format!(
        "the bot has read all {lines} lines after `board` and waits for more; this board has \
         {rows} rows (the line `size` says so)"
    ))
}

/// A quotation of the end of a long line.
fn quote_end(bytes: &[u8]) -> String {
    match bytes.len().checked_sub(QUOTED_END) {
        Some(cut @ 1..) => format!("\"…{}\"", printable(&bytes[cut..], QUOTED_END)),
        _ => quote(bytes),
    }
}
