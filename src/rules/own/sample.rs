//! Games of one's own for tests: tables of what each ply leads to.

use super::{EngineState, OwnDefinition, RulesEngine};
use crate::rules::{RulesFault, Ruleset};
use std::sync::Arc;

/// A position, and each legal ply with the position after it.
pub type Row = (&'static str, &'static [(&'static str, &'static str)]);

#[derive(Debug)]
struct Table(&'static [Row]);

impl Table {
    fn state(&self, position: &str) -> EngineState {
        let row = self.0.iter().find(|(known, _)| *known == position);
        let plies = row.map_or(&[][..], |(_, plies)| plies);
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
    fn advance(&self, position: &str, ply: &str) -> Result<EngineState, RulesFault> {
        let row = self.0.iter().find(|(known, _)| *known == position);
        let next = row.and_then(|(_, plies)| plies.iter().find(|(known, _)| *known == ply));
        next.map(|(_, next)| self.state(next)).ok_or_else(|| RulesFault::new("not in the table"))
    }

    fn at(&self, position: &str) -> Result<Result<EngineState, String>, RulesFault> {
        Ok(Ok(self.state(position)))
    }

    fn why(&self, _: &str, ply: &str) -> Option<String> {
        Some(format!("{ply} is not in the table"))
    }
}

/// A game with this board, as a log writes it, that begins from the first position. A position
/// without plies is a draw; the word `swap` has the first square.
pub fn game(name: &str, layout: &str, rows: &'static [Row]) -> Ruleset {
    let layout = layout.parse().unwrap_or_else(|error| panic!("{layout}: {error}"));
    let told = OwnDefinition::told(name, &format!("{name}.py"), "5a", Vec::new(), layout);
    let table = Table(rows);
    let start = table.state(rows[0].0);
    Ruleset::own(OwnDefinition { start, engine: Some(Arc::new(table)), ..told })
        .unwrap_or_else(|fault| panic!("{fault}"))
}
