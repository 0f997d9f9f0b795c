//! Checks whether a [`Record`] is valid (docs/gamelog.md, Valid logs): its plies are legal from its
//! start position, and its result, outcome and reason follow from the rules. What a log leaves out
//! is not checked.

use crate::clock::TimeControl;
use crate::game_id::{pairing_name, parts_of};
use crate::record::Record;
use crate::{Abort, Answer, Fault, Outcome, Referee, Settings, Step};
use arbiter_rules::{Position, RulesFault};

/// The first place where a log contradicts the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Divergence {
    /// The number of the wrong ply, from 1; none if the result is wrong.
    pub ply: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// How the rules of a custom game fail there: then it is not the log that is wrong, or
    /// cannot be known.
    pub fault: Option<Box<RulesFault>>,
}

/// Plays a log through the referee.
///
/// # Errors
/// The first place where the log contradicts the rules.
pub fn replay(record: &Record) -> Result<(), Divergence> {
    let no_start =
        matches!(record.outcome, Outcome::Forfeit(_, Fault::NoStart) | Outcome::NeitherStarted);
    if no_start {
        return match record.plies.len() {
            0 => Ok(()),
            _ => Err(at(
                1,
                "there is a ply, but the game ended because a bot did not start".to_owned(),
            )),
        };
    }
    let mut settings = Settings::for_ruleset(record.ruleset()).with_control(TimeControl::Unlimited);
    settings.rules.attempts = 1;
    // A log without the limits for a draw is not checked against them.
    settings.rules.max_plies = record.max_plies.filter(|&plies| plies > 0).unwrap_or(u32::MAX);
    if record.outcome == Outcome::MaxPlies && record.max_plies.is_none() && !record.plies.is_empty()
    {
        // The limit was the length of this game, also where the referee would play a forced pass
        // next.
        settings.rules.max_plies = u32::try_from(record.plies.len()).unwrap_or(u32::MAX);
    }
    settings.rules.repetition = record.repetition.unwrap_or_else(|| match record.outcome {
        // The limit was reached by the last position, also where the referee would play a forced
        // pass next.
        Outcome::Repetition => repetitions_of_end(record),
        _ => 0,
    });
    let mut referee = Referee::new(&settings, record.start.detached());
    let ruleset = record.ruleset();
    let mut agreed = 0;
    // The position after the plies so far as the log tells it, where it does: that of the start is
    // no news.
    let mut told = (Some(record.start.clone()), 0);
    loop {
        // The referee itself plays forced passes; the log must have them too.
        for &played in &referee.plies()[agreed..] {
            match record.plies.get(agreed) {
                Some(logged) if logged.ply == played => agreed += 1,
                Some(logged) => {
                    let text = ruleset.ply_text(logged.ply);
                    let what = format!("{text}: the side to move has no move and must pass");
                    return Err(at(agreed + 1, what));
                }
                None => return Err(at(agreed + 1, "a forced pass is missing".to_owned())),
            }
        }
        referee.events().for_each(drop);
        let is_claimed =
            record.outcome == Outcome::Aborted(Abort::Rules) && record.plies.len() == agreed;
        if let Some(fault) = referee.position().fault().filter(|_| !is_claimed) {
            let what = format!("the rules fail: {fault}");
            let fault = Some(Box::new(fault.clone()));
            return Err(Divergence { ply: (agreed > 0).then_some(agreed), what, fault });
        }
        while told.1 < agreed {
            told = (
                told.0.and_then(|before| before.recorded_next(record.plies[told.1].ply)),
                told.1 + 1,
            );
        }
        if let Some(logged) = told.0.as_ref().filter(|logged| *logged != referee.position()) {
            return Err(at(
                agreed,
                format!(
                    "the log says {logged}, but the position after it is {}",
                    referee.position()
                ),
            ));
        }
        let Some(next) = record.plies.get(agreed) else { break };
        if let Some(outcome) = referee.outcome() {
            let text = ruleset.ply_text(next.ply);
            return Err(at(
                agreed + 1,
                format!("{text}: the game was over before it ({})", sentence(record, outcome)),
            ));
        }
        let step = referee.answer(&mut Answer::ply(next.ply));
        if let (Step::Over(Outcome::Forfeit(..)), Some(illegal)) = (step, referee.refused()) {
            return Err(at(agreed + 1, format!("{}: {illegal}", ruleset.ply_text(next.ply))));
        }
        agreed += 1;
    }
    judge(record, &referee)
}

/// How the id of a game, `A~B.N`, contradicts the names of its players, of which `A` is the first
/// in byte order; none if it names them or has another form.
///
/// ```
/// use arbiter_game::record::read_log;
/// use arbiter_game::replay::contradiction_of_id;
/// let log = b"[White \"randy\"] [Black \"conny\"] [Result \"*\"] [Game \"loa\"] [Outcome \"aborted\"]
///     [Termination \"aborted\"] [GameId \"conny~mandy.3\"] *";
/// let record = read_log(log).next().unwrap().unwrap();
/// let what = "GameId is \"conny~mandy.3\", but for these players it begins with \"conny~randy.\"";
/// assert_eq!(contradiction_of_id(&record).as_deref(), Some(what));
/// ```
#[must_use]
pub fn contradiction_of_id(record: &Record) -> Option<String> {
    let id = record.id.as_deref()?;
    let (names, _) = parts_of(id)?;
    let expected = pairing_name(&record.players.first, &record.players.second);
    (names != expected)
        .then(|| format!("GameId is {id:?}, but for these players it begins with \"{expected}.\""))
}

/// How often the last position of a log has occurred, if more than once; else 0.
fn repetitions_of_end(record: &Record) -> u32 {
    let after = record.steps().map_while(|step| step.after.ok());
    let positions: Vec<Position> = std::iter::once(record.start.clone()).chain(after).collect();
    let count = positions
        .iter()
        .filter(|earlier| positions.last().is_some_and(|end| end.repeats(earlier)))
        .count();
    u32::try_from(count).ok().filter(|&count| count > 1).unwrap_or(0)
}

fn at(ply: usize, what: String) -> Divergence {
    Divergence { ply: Some(ply), what, fault: None }
}

/// Checks the log's outcome: it must be the referee's, or one that cannot be computed from plies
/// and is possible here.
fn judge(record: &Record, referee: &Referee) -> Result<(), Divergence> {
    let claimed = record.outcome;
    let wrong = |what: String| Err(Divergence { ply: None, what, fault: None });
    if let Some(margin) = record.margin.filter(|&it| referee.position().margin() != Some(it)) {
        let known = referee.position().margin();
        let known = known.map_or_else(|| "there is none".to_owned(), |it| format!("it is {it}"));
        return wrong(format!("the log says the margin {margin}, but {known}"));
    }
    if let Some(outcome) = referee.outcome() {
        if outcome == claimed {
            return Ok(());
        }
        return wrong(format!(
            "the log says {}, but the game ended as {}",
            sentence(record, claimed),
            sentence(record, outcome)
        ));
    }
    let on_move = referee.position().side();
    let letter = |side| record.ruleset().letter(side);
    match claimed {
        Outcome::Resigned(loser) if loser != on_move => wrong(format!(
            "the log says {} resigned, but {} was to move",
            letter(loser),
            letter(on_move)
        )),
        Outcome::Forfeit(loser, fault) if fault.is_of_side_on_move() && loser != on_move => {
            wrong(format!(
                "the log says {} lost by {fault}, but {} was to move",
                letter(loser),
                letter(on_move)
            ))
        }
        Outcome::MaxPlies if record.max_plies.is_none() => Ok(()),
        Outcome::Resigned(_)
        | Outcome::Forfeit(..)
        | Outcome::NeitherStarted
        | Outcome::Aborted(_) => Ok(()),
        Outcome::Rules(_) | Outcome::Repetition | Outcome::MaxPlies => {
            wrong(format!("the log says {}, but the game is not over", sentence(record, claimed)))
        }
    }
}

/// An outcome in words: what it is, by what, and who won.
fn sentence(record: &Record, outcome: Outcome) -> String {
    let winner =
        outcome.winner().map(|winner| format!(", won by {}", record.ruleset().letter(winner)));
    format!("{} by {}{}", outcome.word(), outcome.termination(), winner.unwrap_or_default())
}
