//! The search for a forced win: exhaustive, deepened ply by ply, with a table of what is known
//! about each position.

use arbiter_rules::{Ply, Position, Side};
use std::collections::HashMap;

/// More than any number of plies: what holds for so many holds for ever.
pub const EVER: u16 = u16::MAX;

/// The most plies of a proof. No search that a person waits for is as deep, unless each side has
/// only one ply.
pub(super) const DEEPEST: u16 = 256;

/// What is proved about a position for the side whose win is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// It wins by force within this many plies.
    Wins {
        /// The number of plies, the opponent's included.
        within: u16,
        /// It does not win by force in fewer.
        is_shortest: bool,
    },
    /// It has no forced win within this many plies; [`EVER`] if it has none at all.
    Holds(u16),
}

/// The result of a search to some number of plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchResult {
    Wins,
    /// There is no forced win within this many plies: as many as were searched, or more.
    Holds(u16),
}

impl SearchResult {
    /// Whether one ply with this result decides the position before it: the winner needs one ply
    /// that wins, the other side one that does not lose.
    fn decides(self, is_winner: bool) -> bool {
        is_winner == (self == SearchResult::Wins)
    }
}

/// The bound of nodes was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OutOfNodes;

/// A ply of a line, the position after it, and the plies in which that is won.
type LinePly = (Ply, Position, u16);

/// An entry of the table.
#[derive(Debug, Clone)]
struct Known {
    position: Position,
    /// It is won within this many plies; [`EVER`] if that is not known.
    wins: u16,
    /// It is not won within this many plies.
    holds: u16,
    /// The ply that showed the last of these, if one ply does.
    ply: Option<Ply>,
}

impl Known {
    fn nothing(position: &Position) -> Known {
        Known { position: position.clone(), wins: EVER, holds: 0, ply: None }
    }
}

/// Searches forced wins of one side in the positions of one game.
///
/// A position is judged as by the referee: by the rules, then as a draw if it has occurred as often
/// as the game allows. The caller bounds a proof by the plies that the game may still have.
///
/// The table needs no history: positions that occurred in the game and draw when they come again
/// are the same for the whole search, and within a forced win of fewest plies no position comes
/// twice, because each ply brings the end nearer. So a side has a forced win in the game exactly if
/// this search finds one.
#[derive(Debug)]
pub struct Prover {
    winner: Side,
    /// The positions that are draws when they occur again, with their hashes, in the order of
    /// these.
    drawn: Vec<(u64, Position)>,
    table: HashMap<u64, Known>,
    /// By plies left: the last two plies that decided a position, which are tried early ("killer
    /// moves").
    lately: Vec<[Option<Ply>; 2]>,
    nodes: u64,
}

impl Prover {
    /// A search for wins of this side.
    pub fn new(winner: Side) -> Prover {
        Prover { winner, drawn: Vec::new(), table: HashMap::new(), lately: Vec::new(), nodes: 0 }
    }

    /// Sets the positions that are draws when they occur again.
    pub fn set_drawn(&mut self, positions: &[Position]) {
        let mut drawn: Vec<_> =
            positions.iter().map(|position| (position.key(), position.clone())).collect();
        drawn.sort_by_key(|(key, _)| *key);
        // What is known holds only with the same draws.
        if self.drawn != drawn {
            self.drawn = drawn;
            self.table.clear();
        }
    }

    /// The number of positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Enters into the table that the winner wins this position by this ply, within this many
    /// plies.
    pub fn enter_win(&mut self, position: &Position, ply: Ply, within: u16) {
        if within < self.known_wins(position) {
            self.keep(position, SearchResult::Wins, within, Some(ply));
        }
    }

    /// Deepens the search of a position, in which the game goes on, up to `most` plies, until a win
    /// is found or this many more nodes were looked at.
    pub fn prove(&mut self, position: &Position, most: u32, nodes: u64) -> Proof {
        let end = self.nodes.saturating_add(nodes);
        // Each depth is cheap beside the next one, and its answers order the plies of that.
        let mut holds = 0;
        while u32::from(holds) < most && holds < DEEPEST {
            match self.search(position, holds + 1, end) {
                Ok(SearchResult::Wins) => {
                    return Proof::Wins { within: holds + 1, is_shortest: true };
                }
                Ok(SearchResult::Holds(EVER)) => return Proof::Holds(EVER),
                Ok(SearchResult::Holds(plies)) => holds = plies,
                Err(OutOfNodes) => {
                    // A win that `enter_win` has entered is still one, if perhaps not the shortest.
                    let within = self.known_wins(position);
                    return if u32::from(within) <= most && within != EVER {
                        Proof::Wins { within, is_shortest: false }
                    } else {
                        Proof::Holds(holds)
                    };
                }
            }
        }
        // The game ends in a draw after so many plies.
        if u32::from(holds) >= most { Proof::Holds(EVER) } else { Proof::Holds(holds) }
    }

    /// The ply that showed what is known about a position: one that wins, or one that does not
    /// lose.
    pub fn best(&self, position: &Position) -> Option<Ply> {
        if let Some(known) = self.known(position) {
            return known.ply;
        }
        // The table has no positions that one ply decides.
        let is_winner = position.side() == self.winner;
        for ply in position.plies() {
            let wins = self.end_of(&position.after(ply)) == Some(SearchResult::Wins);
            if wins == is_winner {
                return Some(ply);
            }
        }
        None
    }

    /// The plies of a win that was proved to take at most `within`, against the longest defence: if
    /// no fewer are enough, it takes as many. It ends early if the nodes are used up.
    pub fn line(&mut self, position: &Position, within: u16, nodes: u64) -> Vec<Ply> {
        let end = self.nodes.saturating_add(nodes);
        let mut line = Vec::new();
        let mut at = position.clone();
        let mut left = within;
        while left > 0
            && at.ending().is_none()
            && let Ok(Some((ply, after, fewer))) = self.next_of_line(&at, left, end)
        {
            line.push(ply);
            at = after;
            left = fewer;
        }
        line
    }

    /// The next ply of a line, the position after it, and the plies in which that is won.
    fn next_of_line(
        &mut self,
        position: &Position,
        left: u16,
        end: u64,
    ) -> Result<Option<LinePly>, OutOfNodes> {
        let is_winner = position.side() == self.winner;
        let mut plies = position.sorted_plies();
        if is_winner && let Some(best) = self.best(position) {
            plies.sort_by_key(|&ply| ply != best);
        }
        // The winner needs a win in one ply less. The best defence is a ply after which there is no
        // win in two less: then the win takes as long as was proved.
        let within = if is_winner { left - 1 } else { left.saturating_sub(2) };
        let mut shorter = None;
        for ply in plies {
            let after = position.after(ply);
            let result = self.judge(&after, within, end)?;
            if result.decides(is_winner) {
                return Ok(Some((ply, after, left - 1)));
            }
            if !is_winner {
                shorter = shorter.or(Some((ply, after, within)));
            }
        }
        Ok(shorter)
    }

    /// Whether a position is won within this many plies: at once by its ending, else by search.
    fn judge(
        &mut self,
        position: &Position,
        within: u16,
        end: u64,
    ) -> Result<SearchResult, OutOfNodes> {
        self.count(end)?;
        match self.end_of(position) {
            Some(result) => Ok(result),
            None => self.search(position, within, end),
        }
    }

    fn count(&mut self, end: u64) -> Result<(), OutOfNodes> {
        if self.nodes >= end {
            return Err(OutOfNodes);
        }
        self.nodes += 1;
        Ok(())
    }

    /// What the end of the game in a position means; `None` while the game goes on.
    fn end_of(&self, position: &Position) -> Option<SearchResult> {
        if let Some(ending) = position.ending() {
            let is_won = ending.winner == Some(self.winner);
            return Some(if is_won { SearchResult::Wins } else { SearchResult::Holds(EVER) });
        }
        if self.drawn.is_empty() {
            return None;
        }
        let key = position.key();
        let first = self.drawn.partition_point(|(drawn, _)| *drawn < key);
        for (_, earlier) in self.drawn[first..].iter().take_while(|(drawn, _)| *drawn == key) {
            if earlier.repeats(position) {
                return Some(SearchResult::Holds(EVER));
            }
        }
        None
    }

    /// Whether a position in which the game goes on is won within this many plies. The search gives
    /// up when [`nodes`](Prover::nodes) is `end`.
    pub(super) fn search(
        &mut self,
        position: &Position,
        within: u16,
        end: u64,
    ) -> Result<SearchResult, OutOfNodes> {
        if within == 0 {
            return Ok(SearchResult::Holds(0));
        }
        // 1. What is known already; `keep` enters nothing about a single ply.
        let mut known_best = None;
        if within > 1
            && let Some(known) = self.known(position)
        {
            if known.wins <= within {
                return Ok(SearchResult::Wins);
            }
            if known.holds >= within {
                return Ok(SearchResult::Holds(known.holds));
            }
            known_best = known.ply;
        }
        // 2. Plies that end the game, before any that needs a deeper search.
        let is_winner = position.side() == self.winner;
        let mut next = Vec::new();
        for ply in position.plies() {
            self.count(end)?;
            let after = position.after(ply);
            match self.end_of(&after) {
                Some(result) if result.decides(is_winner) => {
                    return Ok(self.keep(position, result, within, Some(ply)));
                }
                Some(_) => {}
                None if within == 1 && !is_winner => return Ok(SearchResult::Holds(1)),
                None => next.push((ply, after)),
            }
        }
        if within == 1 && !next.is_empty() {
            return Ok(SearchResult::Holds(1));
        }
        // 3. Plies whose position is known to decide. Only in deep searches it pays to look up all.
        if within >= 4
            && let Some((ply, result)) = self.known_next(&next, is_winner, within - 1)
        {
            return Ok(self.keep(position, result, within, Some(ply)));
        }
        // 4. All others, the likeliest first.
        self.put_best_first(&mut next, within, known_best);
        self.search_next(position, next, within, end)
    }

    /// The ply that decides a position by what is known about the position after it, with its
    /// result.
    fn known_next(
        &self,
        next: &[(Ply, Position)],
        is_winner: bool,
        within: u16,
    ) -> Option<(Ply, SearchResult)> {
        for (ply, after) in next {
            let Some(known) = self.known(after) else { continue };
            if is_winner && known.wins <= within {
                return Some((*ply, SearchResult::Wins));
            }
            if !is_winner && known.holds >= within {
                return Some((*ply, SearchResult::Holds(known.holds.saturating_add(1))));
            }
        }
        None
    }

    /// Searches the positions after the plies that do not end the game, as far as one that decides.
    fn search_next(
        &mut self,
        position: &Position,
        next: Vec<(Ply, Position)>,
        within: u16,
        end: u64,
    ) -> Result<SearchResult, OutOfNodes> {
        let is_winner = position.side() == self.winner;
        let mut holds = EVER;
        for (ply, after) in next {
            let result = match self.search(&after, within - 1, end)? {
                SearchResult::Wins => SearchResult::Wins,
                SearchResult::Holds(plies) => SearchResult::Holds(plies.saturating_add(1)),
            };
            if result.decides(is_winner) {
                // `put_best_first` has made room for this depth.
                let lately = &mut self.lately[usize::from(within)];
                if lately[0] != Some(ply) {
                    *lately = [Some(ply), lately[0]];
                }
                return Ok(self.keep(position, result, within, Some(ply)));
            }
            if let SearchResult::Holds(plies) = result {
                holds = holds.min(plies);
            }
        }
        let result = if is_winner { SearchResult::Holds(holds) } else { SearchResult::Wins };
        Ok(self.keep(position, result, within, None))
    }

    /// Puts the plies to the front that are most likely to decide: the best known one, then those
    /// that decided lately.
    fn put_best_first(&mut self, next: &mut [(Ply, Position)], within: u16, best: Option<Ply>) {
        let at = usize::from(within);
        if self.lately.len() <= at {
            self.lately.resize(at + 1, [None; 2]);
        }
        let [first, second] = self.lately[at];
        // The last one that is swapped ends up in front.
        for early in [second, first, best].into_iter().flatten() {
            if let Some(place) = next.iter().position(|(ply, _)| *ply == early) {
                next.swap(0, place);
            }
        }
    }

    fn known(&self, position: &Position) -> Option<&Known> {
        self.table.get(&position.key()).filter(|known| known.position == *position)
    }

    /// The plies within which a position is known to be won, [`EVER`] if it is not known.
    fn known_wins(&self, position: &Position) -> u16 {
        self.known(position).map_or(EVER, |known| known.wins)
    }

    /// Keeps an answer to whether a position is won within this many plies, and returns it.
    fn keep(
        &mut self,
        position: &Position,
        result: SearchResult,
        within: u16,
        ply: Option<Ply>,
    ) -> SearchResult {
        if within < 2 {
            return result;
        }
        let entry = self.table.entry(position.key());
        let known = entry.or_insert_with(|| Known::nothing(position));
        // Another position with the same hash gives way.
        if known.position != *position {
            *known = Known::nothing(position);
        }
        match result {
            SearchResult::Wins => known.wins = known.wins.min(within),
            SearchResult::Holds(plies) => known.holds = known.holds.max(plies),
        }
        known.ply = ply.or(known.ply);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::Ruleset;

    const MANY: u64 = 1_000_000;

    fn position(text: &str) -> Position {
        Ruleset::named("lineup", "n=4 s=3 blocks=none").unwrap().read_position(text).unwrap()
    }

    fn prove(text: &str, winner: Side, most: u32) -> Proof {
        Prover::new(winner).prove(&position(text), most, MANY)
    }

    #[test]
    fn the_shortest_win_is_proved_and_its_line_ends_the_game() {
        let start = position("4/4/4/4 O");
        let mut prover = Prover::new(Side::First);
        let Proof::Wins { within: 5, is_shortest: true } = prover.prove(&start, u32::MAX, MANY)
        else {
            panic!()
        };
        let line = prover.line(&start, 5, MANY);
        let end = line.iter().fold(start, |position, &ply| position.after(ply));
        assert_eq!((line.len(), end.ending().and_then(|end| end.winner)), (5, Some(Side::First)));
    }

    #[test]
    fn what_cannot_end_in_time_is_no_win() {
        assert_eq!(
            prove("4/4/4/4 O", Side::First, 5),
            Proof::Wins { within: 5, is_shortest: true }
        );
        assert_eq!(prove("4/4/4/4 O", Side::First, 4), Proof::Holds(EVER));
        let full = Ruleset::named("lineup", "n=3 blocks=none")
            .unwrap()
            .read_position("OXO/OXX/X2 O")
            .unwrap();
        assert_eq!(Prover::new(Side::First).prove(&full, u32::MAX, MANY), Proof::Holds(EVER));
        let start = position("4/4/4/4 O");
        assert_eq!(
            Prover::new(Side::First).prove(&start, u32::MAX, 10),
            Proof::Holds(0),
            "few nodes"
        );
    }

    #[test]
    fn a_position_that_draws_when_it_occurs_again_is_no_part_of_a_win() {
        let before = position("4/1O2/4/4 X");
        let won = |drawn: &[Position]| {
            let mut prover = Prover::new(Side::First);
            prover.set_drawn(drawn);
            prover.prove(&before, u32::MAX, MANY)
        };
        assert_eq!(won(&[]), Proof::Wins { within: 4, is_shortest: true });
        assert_eq!(won(&[position("X3/1O2/4/4 O")]), Proof::Holds(EVER), "X goes there");
    }

    #[test]
    fn a_win_that_was_entered_is_a_bound_until_it_is_proved() {
        let start = position("4/4/4/4 O");
        let centre = start.ruleset().read_ply("b1").unwrap();
        let mut prover = Prover::new(Side::First);
        prover.enter_win(&start, centre, 7);
        assert_eq!(
            prover.prove(&start, u32::MAX, 20),
            Proof::Wins { within: 7, is_shortest: false }
        );
        assert_eq!(prover.best(&start), Some(centre));
        assert_eq!(
            prover.prove(&start, u32::MAX, MANY),
            Proof::Wins { within: 5, is_shortest: true }
        );
    }
}
