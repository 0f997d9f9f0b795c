//! `search`: alpha-beta search (Knuth and Moore 1975) in negamax form with iterative deepening and a
//! transposition table.
//!
//! Uses only the rules and the evaluation. A position that occurred before counts as a draw, and a win has a
//! higher value the sooner it comes.

use super::evaluation::{self, WIN};
use super::move_ordering::{self, MAX_DEPTH, MoveOrdering};
use super::time_management::SearchLimit;
use super::transposition::{Bound, TranspositionEntry, TranspositionTable};
use crate::rules::{Ply, Position};
use crate::seed::Generator;
use std::fmt;
use std::time::Duration;

/// Values beyond this are won or lost games; the difference to [`WIN`] is the number of plies to the end.
const WON: i32 = WIN - 1_000;
/// Nodes between two checks of the time.
const NODES_PER_TIME_CHECK: u64 = 256;
/// Maximum length of the principal variation in `info`.
const PV_LENGTH: usize = 12;

/// The state that the search keeps from one question to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct AlphaBetaSearch {
    table: TranspositionTable,
    ordering: MoveOrdering,
}

/// The result of a search.
#[derive(Debug, Clone)]
pub(super) struct SearchResult {
    root: Position,
    depth: u32,
    value: i32,
    nodes: u64,
    line: Vec<Ply>,
}

impl SearchResult {
    /// The best ply.
    pub(super) fn ply(&self) -> Ply {
        self.line[0] // never empty: `think` puts the best ply there
    }
}

impl fmt::Display for SearchResult {
    /// Writes the content of the `info` line: `depth 5 score 0.25 nodes 1200 pv a4c2 …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.value < 0 { "-" } else { "" };
        let (whole, hundredths) = (self.value.abs() / 100, self.value.abs() % 100);
        write!(f, "depth {} score {sign}{whole}.{hundredths:02} nodes {} pv", self.depth, self.nodes)?;
        let ruleset = self.root.ruleset();
        self.line.iter().try_for_each(|&ply| write!(f, " {}", ruleset.ply_text(ply)))
    }
}

impl AlphaBetaSearch {
    /// Removes what was learned in the previous game.
    pub(super) fn forget(&mut self) {
        self.table.clear();
        self.ordering = MoveOrdering::default();
    }

    /// Searches for the best ply at the end of `history`; none if there is no ply. `now` returns the time
    /// since the question.
    pub(super) fn think(
        &mut self,
        history: &[Position],
        limit: SearchLimit,
        generator: &mut Generator,
        now: &mut dyn FnMut() -> Duration,
    ) -> Option<SearchResult> {
        let root = history.last()?.clone();
        self.ordering.age();
        self.table.age();
        let mut run = SearchRun {
            root: shuffled(&root, generator),
            path: history[..history.len() - 1].iter().map(Position::key).collect(),
            best: None,
            nodes: 0,
            limit,
            now,
            search: self,
        };
        let mut result =
            SearchResult { root: root.clone(), depth: 0, value: 0, nodes: 0, line: vec![*run.root.first()?] };
        let deepest = match limit {
            _ if run.root.len() == 1 => 0, // only one legal ply
            SearchLimit::Depth(depth) => depth,
            SearchLimit::Time(_) => MAX_DEPTH,
        };
        for depth in 1..=deepest {
            let whole = run.node(&root, depth, 0, (-WIN, WIN)).is_ok();
            // The best ply of the previous depth is searched first, so the result of an interrupted search is
            // no worse.
            if let Some((ply, value)) = run.best.take() {
                result = SearchResult {
                    root: root.clone(),
                    depth,
                    value,
                    nodes: run.nodes,
                    line: run.line(&root, ply, depth),
                };
            }
            if !whole || result.value.abs() > WON || run.passed(1, 2) {
                break;
            }
        }
        result.nodes = run.nodes;
        Some(result)
    }
}

/// The plies of a position in random order, so that the choice among equal ones is random.
fn shuffled(position: &Position, generator: &mut Generator) -> Vec<Ply> {
    let mut plies: Vec<Ply> = position.plies().collect();
    for last in (1..plies.len()).rev() {
        plies.swap(last, generator.below(last as u64 + 1) as usize);
    }
    plies
}

/// The search was interrupted because the time limit was reached.
#[derive(Debug)]
struct OutOfTime;

/// The search for the answer to one question.
struct SearchRun<'a> {
    search: &'a mut AlphaBetaSearch,
    /// The legal plies of the root.
    root: Vec<Ply>,
    /// The hashes of all positions from the start of the game to the parent of the current node.
    path: Vec<u64>,
    /// The best ply at the current depth so far.
    best: Option<(Ply, i32)>,
    nodes: u64,
    limit: SearchLimit,
    now: &'a mut dyn FnMut() -> Duration,
}

impl SearchRun<'_> {
    /// The value of a position for the side to move: exact inside the window (alpha, beta), otherwise a bound
    /// on the same side of the window.
    fn node(
        &mut self,
        position: &Position,
        depth: u32,
        height: u32,
        (mut alpha, beta): (i32, i32),
    ) -> Result<i32, OutOfTime> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_TIME_CHECK) && self.passed(1, 1) {
            return Err(OutOfTime);
        }
        let side = position.side();
        if let Some(ending) = position.ending() {
            return Ok(evaluation::ending_value(ending, side, WIN - height as i32));
        }
        let key = position.key();
        if height > 0 && self.path.contains(&key) {
            return Ok(0);
        }
        if depth == 0 {
            return Ok(evaluation::evaluate(position, side));
        }
        let known = self.search.table.get(key);
        if let Some(entry) = known.filter(|entry| height > 0 && entry.depth >= depth) {
            let value = at_height(entry.value, height as i32);
            match entry.bound {
                Bound::Exact => return Ok(value),
                Bound::Lower if value >= beta => return Ok(value),
                Bound::Upper if value <= alpha => return Ok(value),
                Bound::Lower | Bound::Upper => {}
            }
        }

        let mut plies = self.search.ordering.take_list(height);
        let rank = |ply| self.search.ordering.rank(position, ply, height, known.map(|entry| entry.ply));
        if height == 0 {
            plies.extend(self.root.iter().map(|&ply| (rank(ply), ply)));
        } else {
            plies.extend(position.plies().map(|ply| (rank(ply), ply)));
        }
        let floor = alpha;
        let mut best = (-WIN, plies[0].1);
        self.path.push(key);
        for index in 0..plies.len() {
            move_ordering::best_to_front(&mut plies[index..]);
            let ply = plies[index].1;
            let next = position.after(ply);
            // In FlipFlop the same side may be to move again.
            let value = if next.side() == side {
                self.node(&next, depth - 1, height + 1, (alpha, beta))?
            } else {
                -self.node(&next, depth - 1, height + 1, (-beta, -alpha))?
            };
            if value > best.0 {
                best = (value, ply);
            }
            if value > alpha {
                alpha = value;
                if height == 0 {
                    self.best = Some((ply, value));
                }
            }
            if value >= beta {
                self.search.ordering.record_cutoff(position, ply, depth, height);
                break;
            }
        }
        self.path.pop();
        self.search.ordering.return_list(height, plies);
        let bound = match best.0 {
            value if value >= beta => Bound::Lower,
            value if value <= floor => Bound::Upper,
            _ => Bound::Exact,
        };
        let value = at_height(best.0, -(height as i32));
        self.search.table.put(TranspositionEntry { key, value, bound, depth, ply: best.1 });
        Ok(best.0)
    }

    /// Whether `parts / whole` of the time limit has passed.
    fn passed(&mut self, parts: u32, whole: u32) -> bool {
        match self.limit {
            SearchLimit::Depth(_) => false,
            SearchLimit::Time(time) => (self.now)() >= time * parts / whole,
        }
    }

    /// The principal variation, as far as the transposition table still has it.
    fn line(&self, root: &Position, first: Ply, depth: u32) -> Vec<Ply> {
        let mut line = vec![first];
        let mut position = root.after(first);
        while line.len() < PV_LENGTH.min(depth as usize)
            && let Some(entry) = self.search.table.get(position.key())
            && position.check(entry.ply).is_ok()
        {
            line.push(entry.ply);
            position.play(entry.ply);
        }
        line
    }
}

/// Converts a won or lost value between the distance from the root, used in the search, and the distance from
/// its position, used in the table.
fn at_height(value: i32, height: i32) -> i32 {
    if value.abs() < WON { value } else { value - value.signum() * height }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, Ruleset};

    fn loa(text: &str) -> Position {
        start().ruleset().read_position(text).expect("a position of loa")
    }

    fn start() -> Position {
        start_of("loa")
    }

    fn start_of(game: &str) -> Position {
        Ruleset::named(game, "").expect("a game").start()
    }

    fn think(history: &[Position], limit: SearchLimit, now: &mut dyn FnMut() -> Duration) -> SearchResult {
        let mut generator = Generator::from_state(9);
        AlphaBetaSearch::default().think(history, limit, &mut generator, now).expect("there are plies")
    }

    fn deep(history: &[Position], depth: u32) -> SearchResult {
        think(history, SearchLimit::Depth(depth), &mut || Duration::ZERO)
    }

    /// The value by plain minimax.
    fn minimax(position: &Position, depth: u32, height: i32) -> i32 {
        let side = position.side();
        match position.ending() {
            Some(ending) => evaluation::ending_value(ending, side, WIN - height),
            None if depth == 0 => evaluation::evaluate(position, side),
            None => {
                let values = position.plies().map(|ply| {
                    let next = position.after(ply);
                    let value = minimax(&next, depth - 1, height + 1);
                    if next.side() == side { value } else { -value }
                });
                values.max().expect("there are plies")
            }
        }
    }

    #[test]
    fn the_value_is_that_of_the_whole_tree() {
        let mut generator = Generator::from_state(4);
        for game in Game::ALL {
            let mut position = start_of(game.name());
            for _ in 0..8 {
                assert_eq!(
                    deep(std::slice::from_ref(&position), 3).value,
                    minimax(&position, 3, 0),
                    "{position}"
                );
                for _ in 0..3 {
                    let ply = shuffled(&position, &mut generator)[0];
                    let next = position.after(ply);
                    position = if next.ending().is_none() { next } else { position };
                }
            }
        }
    }

    #[test]
    fn the_sooner_win_is_taken() {
        // b1 joins a0 and a1 from d1: two pieces stand on row 1.
        let position = loa("B7/B2B4/8/8/W6W/8/8/8 B");
        let result = deep(std::slice::from_ref(&position), 5);
        assert_eq!((result.depth, result.value), (1, WIN - 1));
        assert_eq!(position.ruleset().ply_text(result.ply()).to_string(), "d1b1");
    }

    #[test]
    fn a_position_that_occurred_is_a_draw() {
        let root = start();
        let best = deep(std::slice::from_ref(&root), 1);
        assert!(best.value > 0);
        let other = deep(&[root.after(best.ply()), root], 1);
        assert_ne!(other.ply(), best.ply());
    }

    #[test]
    fn time_is_looked_at_and_kept() {
        for limit in [0, 1, 5, 50] {
            let mut looks = 0;
            let time = Duration::from_millis(limit);
            let result = think(&[start()], SearchLimit::Time(time), &mut || {
                looks += 1;
                Duration::from_millis(looks)
            });
            assert!(looks <= limit.max(1) + 1, "{looks} looks");
            assert!(result.nodes <= NODES_PER_TIME_CHECK * (limit + 1) + 40, "{} nodes", result.nodes);
            assert!(result.nodes >= 37, "one ply deep in any case");
            assert!(start().check(result.ply()).is_ok());
        }
    }

    #[test]
    fn the_principal_variation_is_legal() {
        let result = deep(&[start()], 4);
        let told = result.to_string();
        assert!(told.starts_with("depth 4 score "), "{told}");
        let (_, line) = told.split_once(" pv ").expect("the plies");
        let mut position = start();
        for word in line.split(' ') {
            let ply = position.ruleset().read_ply(word).expect("a ply");
            assert!(position.check(ply).is_ok());
            position.play(ply);
        }
    }
}
