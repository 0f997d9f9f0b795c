//! The mark of one run of a program.

use super::cases::ProgramCase;
use super::comparison::{Agreement, Comparison, Happening};
use super::marks::{CaseMark, Found};
use super::sentence;
use arbiter_game::{Exit, ProgramEnd, ProgramRun};

/// The share of a case in which all happens as it should, before the program ends badly.
const BAD_END: f64 = 0.5;
/// The share of a case in which only the result is missing: the program does not see that the game
/// is over.
const NO_RESULT: f64 = 0.3;

/// Judges what a program printed for a case. `same` lists texts that count as each other.
///
/// A program that waits for a key when the game is over has ended.
pub fn judge(case: &ProgramCase, run: &ProgramRun, same: &[Vec<String>]) -> CaseMark {
    let comparison = Comparison::new(&case.ruleset, &case.expected, &run.output, same);
    let agreement = comparison.agreement();
    let has_ended = match run.end {
        ProgramEnd::Ended(Exit::Status(_)) => true,
        ProgramEnd::Computing | ProgramEnd::Waiting => agreement == Agreement::Whole,
        ProgramEnd::Ended(Exit::Signal(_)) | ProgramEnd::Endless | ProgramEnd::Exceeded(_) => false,
    };
    let share = match agreement {
        Agreement::Whole if has_ended => 1.0,
        Agreement::Whole => BAD_END,
        Agreement::NoResult => NO_RESULT,
        Agreement::Boards | Agreement::None => 0.0,
    };
    let mut mark = CaseMark::of_program(case, share);
    mark.has_text = agreement > Agreement::None;
    mark.text = comparison.text_differences();
    if share < 1.0 {
        mark.found = Some(Found {
            sentence: said(case, run, &comparison),
            shown: comparison.difference(),
            ..Found::default()
        });
    }
    mark
}

/// The sentence: what the rules say of the first difference, then how the program ended.
fn said(case: &ProgramCase, run: &ProgramRun, comparison: &Comparison) -> String {
    let [expected, output] = comparison.events();
    let is_beginning =
        std::iter::zip(&expected, &output).all(|(right, came)| right.event == came.event);
    let incomplete = is_beginning && output.len() < expected.len();
    let end = sentence::of_end(run.end, &run.stderr, sentence::asks_on(case, &output));
    let rules = match comparison.agreement() {
        Agreement::Whole => None,
        Agreement::NoResult | Agreement::Boards | Agreement::None => {
            sentence::of_events(case, [&expected, &output])
        }
    };
    match (rules, end, &run.end) {
        // What comes next is missing because of the end.
        (Some(_), Some(end), _) if incomplete => {
            format!("{}the program {end}", place_of_end(case, &output))
        }
        // It may have said in other words that the game is over.
        (Some(rules), None, ProgramEnd::Ended(Exit::Status(status)))
            if incomplete && comparison.agreement() != Agreement::NoResult =>
        {
            let status =
                if *status == 0 { String::new() } else { format!(" with status {status}") };
            format!("the program ended{status} before the game did; {rules}")
        }
        (Some(rules), Some(end), _) => format!("{rules}; then the program {end}"),
        (Some(rules), None, _) => rules,
        (None, Some(end), _) => format!("the program has played the whole game, then {end}"),
        (None, None, _) => "the game is another one".to_owned(),
    }
}

/// Where the output ends, as the beginning of a sentence.
fn place_of_end(case: &ProgramCase, output: &[Happening]) -> String {
    let answered = output.iter().filter(|it| it.event.is_answer()).count();
    // The board at the start answers no entry.
    match answered.checked_sub(1).and_then(|boards| case.entries.get(boards)) {
        Some(entry) => format!("when it is to answer {}, ", entry.text),
        None if answered == 0 => "before it has printed a board, ".to_owned(),
        None => String::new(),
    }
}
