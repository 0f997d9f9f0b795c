//! Games of Line 'em Up for each class of the contract: situations of [`bot_check`] in which the
//! program is asked for its moves, on both sides of a board.
//!
//! [`bot_check`]: arbiter_engine::bot_check

use arbiter_config::assignment::Board;
use arbiter_engine::bot_check::{MomentKind, RulesScope, Scenario, Situation, Terms};
use arbiter_game::Settings;
use arbiter_game::clock::TimeControl;
use arbiter_game::protocol::Dialect;
use arbiter_rules::{Cell, Ruleset, Side};
use std::time::Duration;

/// How long a program may take for a move where time is not tested, so that a slow one earns the
/// points for its moves.
const PATIENCE: Duration = Duration::from_secs(10);
/// The limit that is sent to the program there, so that one that uses all of its time is quick.
const QUICK: Duration = Duration::from_millis(200);
/// Whole games on each side of a board.
const GAMES: u64 = 3;

/// A game in which a program is asked for its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct GameCase {
    /// Its name, unlike that of any other case of the assignment: `n5-s4-whole-game-second-2`.
    pub name: String,
    pub class: &'static str,
    /// What failures may have in common; the class is one of them.
    pub labels: Vec<&'static str>,
    pub board: Board,
    pub situation: Situation,
    pub scenario: Scenario,
}

/// The class of a situation; `None` if the hand-out does not ask for it.
fn class(situation: &Situation) -> Option<&'static str> {
    match situation {
        Situation::WholeGame => Some("whole games"),
        Situation::Moment(MomentKind::OneLegalPly) => Some("one square left"),
        Situation::Moment(MomentKind::LastPly) => Some("a move ends the game"),
        Situation::LongClock => Some("time of a move"),
        Situation::Quit => Some("end of the program"),
        _ => None,
    }
}

/// The cases of a board, under settings with its rules, and with this limit of time for a move.
pub fn cases(
    board: Board,
    settings: &Settings,
    limit: Duration,
    dialect: Dialect,
    seed: u64,
) -> Vec<GameCase> {
    let settings = settings.with_control(TimeControl::Ply(limit));
    let terms = Terms { settings, scope: RulesScope::Fixed, dialect, seed };
    let mut cases = Vec::new();
    for exercise in terms.exercises() {
        let Some(class) = class(&exercise.situation) else { continue };
        let games = if exercise.situation == Situation::WholeGame { GAMES } else { 1 };
        for mut scenario in exercise.trials.into_iter().flatten() {
            if exercise.situation != Situation::LongClock {
                let quick = TimeControl::Ply(limit.min(QUICK));
                scenario.settings = scenario.settings.with_control(quick);
                scenario.settings.time.margin = PATIENCE;
            }
            for number in 0..games {
                let scenario = Scenario { seed: seed.wrapping_add(number), ..scenario.clone() };
                cases.push(GameCase {
                    name: name(board, &exercise.situation, scenario.side, number + 1),
                    class,
                    labels: labels(class, &terms.settings.ruleset, scenario.side),
                    board,
                    situation: exercise.situation.clone(),
                    scenario,
                });
            }
        }
    }
    cases
}

fn name(board: Board, situation: &Situation, side: Side, number: u64) -> String {
    let mut name = String::new();
    for (key, value) in board.options() {
        name += &format!("{key}{value}-");
    }
    let order = match side {
        Side::First => "first",
        Side::Second => "second",
    };
    format!("{name}{}-{order}-{number}", situation.name())
}

fn labels(class: &'static str, ruleset: &Ruleset, side: Side) -> Vec<&'static str> {
    let mut labels = vec![class];
    labels.push(match side {
        Side::First => "games in which it moves first",
        Side::Second => "games in which it moves second",
    });
    let start = ruleset.start();
    if ruleset.cells().any(|(row, column)| start.cell(row, column) == Cell::Block) {
        labels.push("boards with blocks");
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_config::assignment::{PartKind, built_in, parse};
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn each_class_has_a_weight_and_games_on_both_sides_of_every_board() {
        let lineup = parse(built_in("lineup").unwrap(), "lineup").unwrap();
        let PartKind::Games { weights, .. } = &lineup.parts[0].kind else { panic!("no games") };
        let weighed: BTreeSet<&str> = weights.keys().map(String::as_str).collect();
        let mut names = BTreeSet::new();
        let mut sides: BTreeMap<&str, BTreeSet<Side>> = BTreeMap::new();
        for &board in &lineup.boards {
            let ruleset = board.ruleset(&lineup.game).unwrap();
            let settings = Settings::for_ruleset(ruleset);
            let mut classes = BTreeSet::new();
            for case in cases(board, &settings, lineup.time, Dialect::Native, 1) {
                assert!(names.insert(case.name.clone()), "{}", case.name);
                let is_quick = case.scenario.settings.time.control.first.initial() == Some(QUICK);
                assert_eq!(is_quick, case.class != "time of a move");
                classes.insert(case.class);
                sides.entry(case.class).or_default().insert(case.scenario.side);
            }
            assert_eq!(classes, weighed, "{board:?}");
        }
        assert!(sides.values().all(|sides| sides.len() == 2), "{sides:?}");
    }
}
