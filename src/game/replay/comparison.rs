//! Compares a game that is played again with its log.

use crate::record::Record;
use crate::{Fault, Outcome};
use arbiter_rules::Side;
use std::fmt;

/// The first place where a game differs from its log. The text has both answers, and may quote
/// bots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The number of the ply that was asked for, from 1.
    pub ply: usize,
    /// The side that was to answer; `None` if only the judgement differs, or neither is to blame.
    pub side: Option<Side>,
    /// The ply or the end in the log.
    pub logged: String,
    /// The ply or the end of the game that was compared.
    pub came: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {}: the log has {}; now came {}", self.ply, self.logged, self.came)
    }
}

/// The first difference of a game from its log: another ply, another end, or another illegal
/// answer. Times, comments and tags are not compared. `None` if it is the same game.
///
/// ```
/// use arbiter_game::{record::read_log, replay::compare};
/// let tags = "[White \"a\"] [Black \"b\"] [Result \"1-0\"] [Game \"loa\"] [Outcome \"win\"]
///     [Termination \"resign\"]";
/// let log = format!("{tags} a2c4 c0b1 1-0 {tags} a2c4 1-0");
/// let mut games = read_log(log.as_bytes()).map(Result::unwrap);
/// let logged = games.next().unwrap();
/// assert_eq!(compare(&logged, &logged), None);
/// let difference = compare(&logged, &games.next().unwrap()).unwrap();
/// assert_eq!(difference.to_string(), "ply 2: the log has c0b1; now came the end: win, resign");
/// ```
pub fn compare(logged: &Record, again: &Record) -> Option<Difference> {
    let plies = logged.plies.iter().zip(&again.plies);
    let at = plies.take_while(|(one, other)| one.ply == other.ply).count();
    let is_end_of_both = at == logged.plies.len() && at == again.plies.len();
    if is_end_of_both && is_same_end(logged, again) {
        return None;
    }
    let mut steps = logged.steps().chain(again.steps());
    let step = steps.find(|step| step.number == at + 1);
    let side = step.map(|step| step.side).or(loser(logged)).or(loser(again));
    let came = answer(again, at);
    Some(Difference { ply: at + 1, side, logged: answer(logged, at), came })
}

/// The ply with this index, or the end of the game.
fn answer(record: &Record, at: usize) -> String {
    match record.plies.get(at) {
        Some(played) => record.ruleset().ply_text(played.ply).to_string(),
        None => end(record),
    }
}

/// The side that resigned or forfeited.
fn loser(record: &Record) -> Option<Side> {
    match record.outcome {
        Outcome::Resigned(side) | Outcome::Forfeit(side, _) => Some(side),
        _ => None,
    }
}

fn is_same_end(logged: &Record, again: &Record) -> bool {
    // An illegal answer is part of the log, unless that was written without it.
    let is_illegal = matches!(logged.outcome, Outcome::Forfeit(_, Fault::IllegalMove));
    let is_same_reply = reply(logged).is_empty() || reply(logged) == reply(again);
    logged.outcome == again.outcome && (!is_illegal || is_same_reply)
}

fn reply(record: &Record) -> &[u8] {
    record.reply.as_ref().map(|reply| &*reply.text).unwrap_or_default()
}

/// How a game ended, with the sentence that explains it.
fn end(record: &Record) -> String {
    let outcome = record.outcome;
    let mut text = format!("the end: {}, {}", outcome.word(), outcome.termination());
    if let Some(detail) = &record.detail {
        text.push_str(&format!(" ({detail})"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read_log;

    fn game(result: &str, end: &str, moves: &str) -> Record {
        let log = format!(
            "[White \"a\"] [Black \"b\"] [Game \"loa\"] [Result \"{result}\"] {end} {moves} \
             {result}"
        );
        read_log(log.as_bytes()).next().unwrap().unwrap()
    }

    fn illegal(reply: &str) -> Record {
        let end = "[Outcome \"forfeit\"] [Termination \"illegal-move\"] [Detail \"b: a9\"]";
        game("1-0", end, &format!("a2c4 {{1s}} c0b1 {{1s}} {{1s {reply}}}"))
    }

    #[test]
    fn the_first_difference_counts() {
        let won = "[Outcome \"win\"] [Termination \"resign\"]";
        let logged = game("1-0", won, "a2c4 {1s} c0b1");
        assert_eq!(compare(&logged, &game("1-0", won, "a2c4 {2s} c0b1 {3s so}")), None);
        let other = compare(&logged, &game("1-0", won, "a2c4 c0a2")).unwrap();
        assert_eq!((other.ply, other.side), (2, Some(Side::Second)));
        assert_eq!(other.to_string(), "ply 2: the log has c0b1; now came c0a2");
        let longer = compare(&logged, &game("1-0", won, "a2c4 c0b1 h1h7")).unwrap();
        assert_eq!(longer.to_string(), "ply 3: the log has the end: win, resign; now came h1h7");
    }

    #[test]
    fn an_end_is_the_same_with_the_same_illegal_answer() {
        assert_eq!(compare(&illegal("move a9"), &illegal("move a9")), None);
        let other = compare(&illegal("move a9"), &illegal("move b9")).unwrap();
        assert_eq!((other.ply, other.side), (3, Some(Side::First)));
        let silent = "[Outcome \"forfeit\"] [Termination \"timeout\"]";
        let timeout = compare(&illegal("x"), &game("1-0", silent, "a2c4 c0b1")).unwrap();
        assert_eq!(
            timeout.to_string(),
            "ply 3: the log has the end: forfeit, illegal-move (b: a9); now came the end: \
             forfeit, timeout"
        );
    }
}
