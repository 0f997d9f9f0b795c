//! Custom games for tests: tables of what each ply leads to, without a program. Tests of other
//! crates use them too, so they are no part of the tests of this one.

use super::{EngineAnswer, EngineQuestion, EngineState, OwnDefinition, RulesEngine};
use crate::{RulesFault, Ruleset};
use std::sync::Arc;

/// A position, and each legal ply with the position after it.
pub type Row = (&'static str, &'static [(&'static str, &'static str)]);

#[derive(Debug)]
struct Table(&'static [Row]);

impl Table {
    /// The legal plies of a position, each with the position after it.
    fn plies(&self, position: &str) -> &'static [(&'static str, &'static str)] {
        match self.0.iter().find(|(known, _)| *known == position) {
            Some((_, plies)) => plies,
            None => &[],
        }
    }

    fn state(&self, position: &str) -> EngineState {
        let plies = self.plies(position);
        let position = position.to_owned();
        if plies.is_empty() {
            let ending = Some(super::EngineEnding {
                winner: None,
                reason: "full-board".to_owned(),
                margin: None,
            });
            return EngineState { position, ending, ..EngineState::default() };
        }
        let squares = vec![("swap".to_owned(), vec![(0, 0)])];
        let plies = plies.iter().map(|(ply, _)| (*ply).to_owned()).collect();
        EngineState { position, plies, squares, ..EngineState::default() }
    }
}

impl RulesEngine for Table {
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
        let (position, ply) = match question {
            EngineQuestion::Advance(position, ply) => (position, ply),
            EngineQuestion::At(position) => return Ok(EngineAnswer::State(self.state(position))),
            EngineQuestion::Why(_, ply) => {
                return Ok(EngineAnswer::Why(Some(format!("{ply} is not in the table"))));
            }
        };
        match self.plies(position).iter().find(|(known, _)| known == ply) {
            Some((_, next)) => Ok(EngineAnswer::State(self.state(next))),
            None => Err(RulesFault::new("not in the table")),
        }
    }
}

/// A game with this board, as a log writes it, that begins from the first position. A position
/// without plies is a draw; the word `swap` has the first square.
///
/// # Panics
/// The layout is none, or the first position is not one of this board.
pub fn game(name: &str, layout: &str, rows: &'static [Row]) -> Ruleset {
    let layout = layout.parse().unwrap_or_else(|error| panic!("{layout}: {error}"));
    let told = OwnDefinition::told(name, &format!("{name}.py"), "5a", Vec::new(), layout);
    let table = Table(rows);
    let start = table.state(rows[0].0);
    Ruleset::own(OwnDefinition { start, engine: Some(Arc::new(table)), ..told })
        .unwrap_or_else(|fault| panic!("{fault}"))
}
