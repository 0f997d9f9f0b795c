//! The mark of one run of a program.

use super::cases::ProgramCase;
use super::comparison::Comparison;
use super::marks::{CaseMark, Found};
use super::sentence;
use super::transcript::Event;
use arbiter_config::assignment::Level;
use arbiter_game::{Exit, ProgramEnd, ProgramRun};
use std::collections::BTreeMap;

/// Judges what a program printed for a case. `same` lists texts that count as each other, `levels`
/// what each level earns; of the levels that hold, the strictest that is listed counts.
///
/// A program that is ended by a signal or does not end holds no level above [`Level::Boards`],
/// whatever it printed before.
#[must_use]
pub fn judge(
    case: &ProgramCase,
    run: &ProgramRun,
    same: &[Vec<String>],
    levels: &BTreeMap<Level, f64>,
) -> CaseMark {
    let comparison = Comparison::new(&case.ruleset, &case.expected, &run.output, same);
    let ended = matches!(run.end, ProgramEnd::Ended(Exit::Status(_)));
    let possible = |level: &Level| (ended || *level >= Level::Boards) && levels.contains_key(level);
    let level = comparison.levels().find(possible);
    let share = level.and_then(|level| levels.get(&level)).copied().unwrap_or_default();
    let found = (share < 1.0 || !ended).then(|| Found {
        sentence: said(case, run, &comparison, level),
        shown: comparison.difference(),
        place: None,
        uninformative: false,
    });
    CaseMark {
        name: case.name.clone(),
        class: case.class,
        labels: case.labels.clone(),
        length: case.length,
        share,
        level,
        found,
    }
}

/// The sentence: what the rules say of the first difference, then how the program ended.
fn said(
    case: &ProgramCase,
    run: &ProgramRun,
    comparison: &Comparison<'_>,
    level: Option<Level>,
) -> String {
    let [expected, output] = &comparison.events;
    let incomplete = output.len() < expected.len() && expected.starts_with(output);
    let end = sentence::of_end(run.end, &run.stderr, sentence::asks_on(case, output));
    let rules = sentence::of_events(case, &comparison.events);
    match (rules, end, &run.end) {
        // What comes next is missing because of the end.
        (Some(_), Some(end), _) if incomplete => format!("{}the program {end}", at(case, output)),
        (Some(rules), None, ProgramEnd::Ended(Exit::Status(status))) if incomplete => {
            let status =
                if *status == 0 { String::new() } else { format!(" with status {status}") };
            format!("the program ended{status} before the game did; {rules}")
        }
        (Some(rules), Some(end), _) => format!("{rules}; then the program {end}"),
        (Some(rules), None, _) => rules,
        (None, Some(end), _) => format!("the program has played the whole game, then {end}"),
        (None, None, _) => format_words(level),
    }
}

/// Where the output ends, as the beginning of a sentence.
fn at(case: &ProgramCase, output: &[Event]) -> String {
    let answered =
        output.iter().filter(|event| event.is_board() || **event == Event::Refusal).count();
    match answered.checked_sub(1).and_then(|boards| case.entries.get(boards)) {
        Some(entry) => format!("when it is to answer {}, ", entry.text),
        None if answered == 0 => "before it has printed a board, ".to_owned(),
        None => String::new(),
    }
}

/// What differs in an output in which everything happens as it should.
fn format_words(level: Option<Level>) -> String {
    match level {
        None | Some(Level::Exact | Level::Boards | Level::Result) => {
            "the game is right; words are others, missing or too many"
        }
        Some(Level::Ends) => "only blanks at the ends of lines differ",
        Some(Level::Blanks) => "only numbers of blanks and empty lines differ",
        Some(Level::Case) => "only capital and small letters differ",
        Some(Level::Words) => {
            "the words are right; they stand on other lines or without blanks between them"
        }
    }
    .to_owned()
}
