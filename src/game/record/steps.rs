//! Steps through a logged game, ply by ply.

use crate::{Note, Played};
use arbiter_rules::{Illegal, Ply, Position, Side};

/// One ply of a logged game.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordStep<'a> {
    /// The number of the ply, from 1.
    pub number: usize,
    /// The side that played it.
    pub side: Side,
    /// The board before it.
    pub before: Position,
    pub ply: Ply,
    /// Its note in the log.
    pub note: Option<&'a Note>,
    /// The board after it, or why the ply is illegal.
    pub after: Result<Position, Illegal>,
}

/// Steps through a logged game, up to and including the first illegal ply: a log is not always
/// valid.
///
/// ```
/// use arbiter_game::record::read_log;
/// let log = b"[White \"a\"] [Black \"b\"] [Result \"1-0\"] [Game \"loa\"] [Outcome \"win\"]
///     [Termination \"resign\"] 1. a2c4 c0b1 1-0";
/// let record = read_log(log).next().unwrap().unwrap();
/// let last = record.steps().last().unwrap();
/// assert_eq!(last.number, 2);
/// assert_eq!(last.after.unwrap().side(), arbiter_rules::Side::First);
/// ```
#[derive(Debug, Clone)]
pub struct Steps<'a> {
    /// The current position; `None` after an illegal ply.
    position: Option<Position>,
    number: usize,
    rest: std::slice::Iter<'a, Played>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(start: Position, plies: &'a [Played]) -> Steps<'a> {
        Steps { position: Some(start), number: 0, rest: plies.iter() }
    }
}

impl<'a> Iterator for Steps<'a> {
    type Item = RecordStep<'a>;

    fn next(&mut self) -> Option<RecordStep<'a>> {
        let before = self.position.take()?;
        let Played { ply, note } = self.rest.next()?;
        self.number += 1;
        let after = before.check(*ply).map(|()| before.after(*ply));
        self.position = after.as_ref().ok().cloned();
        Some(RecordStep {
            number: self.number,
            side: before.side(),
            before,
            ply: *ply,
            note: note.as_ref(),
            after,
        })
    }
}
