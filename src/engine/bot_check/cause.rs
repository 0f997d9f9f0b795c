//! What failures have in common, and what to do about them.

use super::situation::Situation;
use arbiter_game::Fault;

/// What stands before what a sentence quotes of standard error.
const STDERR: &str = "last on stderr: ";

/// What faults with one cause have in common: the fault, and its sentence without what differs from
/// game to game. Those are quoted lines and plies and words with a digit, but not what stands in
/// the error that the program wrote.
///
/// ```
/// use arbiter_engine::bot_check::cause;
/// use arbiter_game::Fault;
/// let illegal = |ply: &str| {
///     let said = format!("expected a legal ply such as \"move {ply}\"; came \"move a9\"");
///     cause(Fault::IllegalMove, &said)
/// };
/// assert_eq!(illegal("a1c1"), illegal("b7d5"));
/// let crash = |error: &str| {
///     cause(Fault::Crash, &format!("the program ended; last on stderr: \"{error}\""))
/// };
/// assert_ne!(crash("KeyError: 'clock'"), crash("IndexError"));
/// ```
pub fn cause(fault: Fault, sentence: &str) -> String {
    let (told, error) = sentence.split_once(STDERR).unwrap_or((sentence, ""));
    // Every second part of a sentence stands between quotation marks.
    let outside = told.split('"').step_by(2).collect::<Vec<_>>().join("…");
    let mut words = Vec::new();
    for word in outside.split_whitespace().chain(error.split_whitespace()) {
        words.push(if word.contains(|c: char| c.is_ascii_digit()) { "…" } else { word });
    }
    format!("{}: {}", fault.word(), words.join(" "))
}

/// What to do about a fault in this situation, in one sentence; empty where the sentence of the
/// fault says all.
pub fn cure(situation: &Situation, fault: Fault) -> &'static str {
    match (situation, fault) {
        (Situation::ShortClock | Situation::LongClock, Fault::Timeout) => {
            "use only a small part of the first number of `clock` for each move, such as a \
             thirtieth"
        }
        (Situation::TimeNone | Situation::TimeMove, Fault::Crash) => {
            "read `time` and `clock` only if they are there: with `time none` no `clock` comes, \
             and `time move` has one number"
        }
        (Situation::UnknownLines, _) => {
            "ignore lines whose first word you do not know, wherever they come"
        }
        (Situation::Refusal, _) => {
            "at `illegal` change nothing: the same turn comes again, so undo what you have done on \
             your own board for your answer"
        }
        (Situation::Reuse, _) => {
            "forget everything of the last game at `arena`; or do not say `reuse` after `ready`, \
             and each game has a new process"
        }
        (Situation::LongGame, _) => {
            "read whole lines, however long they are: `since` may have more than 4,095 bytes"
        }
        (Situation::OtherStart, _) => {
            "begin from the line `position`, not from the usual start of the game"
        }
        (Situation::SmallestBoard | Situation::LargestBoard, _) => {
            "take rows and columns from the line `size`"
        }
        (Situation::Option(_), _) => {
            "read the lines `option`, or take a move of `moves`, which is always legal"
        }
        (_, Fault::IllegalMove) => {
            "compare your own list of moves with `moves`, which has every legal one, or take one \
             of those"
        }
        (_, Fault::Timeout) => "answer each `go` by one line `move PLY`, and flush it",
        (_, Fault::Crash) => {
            "feed it the file by hand, as below, and look at what it writes to standard error"
        }
        _ => "",
    }
}
