//! Checks whether a [`Record`] is valid (docs/reference/gamelog.md, Valid logs): its plies are
//! legal from its start position, and its result, outcome and reason follow from the rules. What a
//! log leaves out is not checked.

use crate::clock::TimeControl;
use crate::game_id::{pairing_name, parts_of};
use crate::record::Record;
use crate::{Abort, Answer, Fault, Outcome, Referee, Settings, Step};
use arbiter_rules::RulesFault;

/// The first place where a log contradicts the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Divergence {
    /// The number of the wrong ply, from 1; `None` if the result is wrong.
    pub ply: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// How the rules of a custom game fail there: then the log is not wrong, or nobody can know.
    pub fault: Option<Box<RulesFault>>,
}

/// Plays a log through the referee.
///
/// # Errors
/// The first place where the log contradicts the rules.
pub fn replay(record: &Record) -> Result<(), Divergence> {
    if matches!(record.outcome, Outcome::Forfeit(_, Fault::NoStart) | Outcome::NeitherStarted) {
        if record.plies.is_empty() {
            return Ok(());
        }
        let what = "there is a ply, but the game ended because a bot did not start";
        return Err(at(1, what.to_owned()));
    }
    let mut referee = Referee::new(&settings_of(record), record.start.detached());
    let ruleset = record.ruleset();
    let mut agreed = 0;
    // The position by the log after `followed` plies; `None` once the log does not say it.
    let mut logged = Some(record.start.clone());
    let mut followed = 0;
    loop {
        // 1. The referee itself plays forced passes; the log must have them too.
        for &played in &referee.plies()[agreed..] {
            let Some(next) = record.plies.get(agreed) else {
                return Err(at(agreed + 1, "a forced pass is missing".to_owned()));
            };
            if next.ply != played {
                let text = ruleset.ply_text(next.ply);
                let what = format!("{text}: the side to move has no move and must pass");
                return Err(at(agreed + 1, what));
            }
            agreed += 1;
        }
        // Nobody takes the events here, and a game may have a million plies.
        drop(referee.events());
        // 2. Rules that fail: unless the log says that the game ended by that.
        let is_claimed =
            record.outcome == Outcome::Aborted(Abort::Rules) && record.plies.len() == agreed;
        if let Some(fault) = referee.position().fault()
            && !is_claimed
        {
            let what = format!("the rules fail: {fault}");
            let fault = Some(Box::new(fault.clone()));
            return Err(Divergence { ply: (agreed > 0).then_some(agreed), what, fault });
        }
        // 3. The position that the log of a custom game has there.
        while followed < agreed {
            logged = logged.and_then(|before| before.recorded_next(record.plies[followed].ply));
            followed += 1;
        }
        let position = referee.position();
        if let Some(logged) = &logged
            && logged != position
        {
            let what = format!("the log says {logged}, but the position after it is {position}");
            return Err(at(agreed, what));
        }
        // 4. The next ply.
        let Some(next) = record.plies.get(agreed) else { break };
        let text = ruleset.ply_text(next.ply);
        if let Some(outcome) = referee.outcome() {
            let ended = sentence(record, outcome);
            return Err(at(agreed + 1, format!("{text}: the game was over before it ({ended})")));
        }
        let step = referee.answer(&mut Answer::ply(next.ply));
        if let (Step::Over(Outcome::Forfeit(..)), Some(illegal)) = (step, referee.refused()) {
            return Err(at(agreed + 1, format!("{text}: {illegal}")));
        }
        agreed += 1;
    }
    judge(record, &referee)
}

/// Settings without a clock, and with the limits for a draw that the log has. A log without them is
/// not checked against them, except for its own end.
fn settings_of(record: &Record) -> Settings {
    let mut settings = Settings::for_ruleset(record.ruleset()).with_control(TimeControl::Unlimited);
    settings.rules.attempts = 1;
    settings.rules.max_plies = match record.max_plies {
        // The limit was the length of this game, even if the referee would play a forced pass next.
        None if record.outcome == Outcome::MaxPlies && !record.plies.is_empty() => {
            u32::try_from(record.plies.len()).unwrap_or(u32::MAX)
        }
        None | Some(0) => u32::MAX,
        Some(plies) => plies,
    };
    settings.rules.repetition = match record.repetition {
        Some(times) => times,
        // The last position reached the limit, even if the referee would play a forced pass next.
        None if record.outcome == Outcome::Repetition => repetitions_of_end(record),
        None => 0,
    };
    settings
}

/// How the id of a game, `A~B.N`, contradicts the names of its players, of which `A` is the first
/// in byte order; `None` if it names them or has another form.
///
/// ```
/// use arbiter_game::record::read_log;
/// use arbiter_game::replay::contradiction_of_id;
/// let log = b"[White \"randy\"] [Black \"conny\"] [Result \"*\"] [Game \"loa\"]
///     [Outcome \"aborted\"] [Termination \"aborted\"] [GameId \"conny~mandy.3\"] *";
/// let record = read_log(log).next().unwrap().unwrap();
/// let what = "GameId is \"conny~mandy.3\", but for these players it begins with \"conny~randy.\"";
/// assert_eq!(contradiction_of_id(&record).as_deref(), Some(what));
/// ```
pub fn contradiction_of_id(record: &Record) -> Option<String> {
    let id = record.id.as_deref()?;
    let (names, _) = parts_of(id)?;
    let expected = pairing_name(&record.players.first, &record.players.second);
    if names == expected {
        return None;
    }
    Some(format!("GameId is {id:?}, but for these players it begins with \"{expected}.\""))
}

/// How often the last position of a log has occurred, if more than once; else 0.
fn repetitions_of_end(record: &Record) -> u32 {
    let mut positions = vec![record.start.clone()];
    positions.extend(record.steps().map_while(|step| step.after.ok()));
    let end = &positions[positions.len() - 1];
    let count = positions.iter().filter(|earlier| end.repeats(earlier)).count();
    if count > 1 { u32::try_from(count).unwrap_or(0) } else { 0 }
}

fn at(ply: usize, what: String) -> Divergence {
    Divergence { ply: Some(ply), what, fault: None }
}

/// Checks the log's outcome: it must be the referee's, or one that cannot be computed from plies
/// and is possible here.
fn judge(record: &Record, referee: &Referee) -> Result<(), Divergence> {
    let claimed = record.outcome;
    let known_margin = referee.position().margin();
    if let Some(margin) = record.margin
        && known_margin != Some(margin)
    {
        let known = match known_margin {
            Some(known) => format!("it is {known}"),
            None => "there is none".to_owned(),
        };
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
    let side = referee.position().side();
    let ruleset = record.ruleset();
    let on_move = ruleset.letter(side);
    match claimed {
        Outcome::Resigned(loser) if loser != side => {
            let loser = ruleset.letter(loser);
            wrong(format!("the log says {loser} resigned, but {on_move} was to move"))
        }
        Outcome::Forfeit(loser, fault) if fault.is_of_side_on_move() && loser != side => {
            let loser = ruleset.letter(loser);
            wrong(format!("the log says {loser} lost by {fault}, but {on_move} was to move"))
        }
        Outcome::MaxPlies if record.max_plies.is_none() => Ok(()),
        Outcome::Resigned(_)
        | Outcome::Forfeit(..)
        | Outcome::NeitherStarted
        | Outcome::Aborted(_) => Ok(()),
        Outcome::Rules(_) | Outcome::Own { .. } | Outcome::Repetition | Outcome::MaxPlies => {
            wrong(format!("the log says {}, but the game is not over", sentence(record, claimed)))
        }
    }
}

fn wrong(what: String) -> Result<(), Divergence> {
    Err(Divergence { ply: None, what, fault: None })
}

/// An outcome in words: what it is, by what, and who won.
fn sentence(record: &Record, outcome: Outcome) -> String {
    let mut text = format!("{} by {}", outcome.word(), outcome.termination());
    if let Some(winner) = outcome.winner() {
        text.push_str(&format!(", won by {}", record.ruleset().letter(winner)));
    }
    text
}
