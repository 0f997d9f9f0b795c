//! `search`: principal variation search (T. Marsland and M. Campbell, "Parallel search of strongly
//! ordered game trees", ACM Computing Surveys 14, 1982, 533-551) in negamax form with iterative
//! deepening, aspiration windows and a transposition table.
//!
//! Uses only the rules and the evaluation. A position that occurred before counts as a draw, and a
//! win has a higher value the sooner it comes.
//!
//! A part of the search is kept if a sequential test accepts it. These showed no gain in 60 pairs
//! and are not used: killer moves, wins in one at the leaves, internal reductions, futility of late
//! plies, extension of single replies. An exhaustive search of forced wins beside this one made no
//! difference in 140 pairs of `loa` and 200 of `gekitai`.

mod tree;

use super::evaluation::{self, Noisy, WIN};
use super::game::DrawLimits;
use super::move_ordering::{MAX_DEPTH, MoveOrdering};
use super::options::SearchOptions;
use super::time_management::SearchLimit;
use super::transposition::TranspositionTable;
use arbiter_rules::seed::Generator;
use arbiter_rules::{Ply, Position};
use std::fmt;
use std::time::Duration;
use tree::{Interrupted, SearchRun, Window};

/// Values beyond this are won or lost games; the difference to [`WIN`] is the number of plies to
/// the end.
const WON: i32 = WIN - 1_000;
/// Maximum length of the principal variation in `info`.
const PV_LENGTH: usize = 12;
/// Half the width of the first aspiration window, in hundredths of a logit as all values.
const ASPIRATION: i32 = 40;
/// The width from which on a window is opened to its side: a value so far off is no estimate but a
/// decision.
const WIDE: i32 = 2_000;

/// The state that the search keeps from one question to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct AlphaBetaSearch {
    options: SearchOptions,
    table: TranspositionTable,
    ordering: MoveOrdering,
    /// The last answer and the reply that is expected to it, if the search may go on there.
    expected: Vec<Ply>,
}

/// The result of a search.
#[derive(Debug, Clone)]
pub(super) struct SearchResult {
    root: Position,
    depth: u32,
    value: i32,
    nodes: u64,
    /// Whether the clock ended a search to a number of nodes or a depth.
    is_cut_short: bool,
    line: Vec<Ply>,
}

impl SearchResult {
    /// The best ply.
    pub(super) fn ply(&self) -> Ply {
        self.line[0] // never empty: `think` puts the best ply there
    }
}

impl fmt::Display for SearchResult {
    /// Writes the content of the `info` line: `depth 5 score 0.25 nodes 1200 pv a4c2 …`; with
    /// `limit clock` before `pv` if the clock ended a search to a number of nodes or a depth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.value < 0 { "-" } else { "" };
        let whole = self.value.abs() / 100;
        let hundredths = self.value.abs() % 100;
        write!(f, "depth {} score {sign}{whole}.{hundredths:02} nodes {}", self.depth, self.nodes)?;
        f.write_str(if self.is_cut_short { " limit clock pv" } else { " pv" })?;
        let ruleset = self.root.ruleset();
        for &ply in &self.line {
            write!(f, " {}", ruleset.ply_text(ply))?;
        }
        Ok(())
    }
}

impl AlphaBetaSearch {
    /// With these options, without anything learned.
    pub(super) fn new(options: SearchOptions) -> AlphaBetaSearch {
        AlphaBetaSearch { options, ..AlphaBetaSearch::default() }
    }

    /// The level that was asked for.
    pub(super) fn level(&self) -> Option<usize> {
        self.options.level
    }

    /// Removes what was learned in the previous game.
    pub(super) fn forget(&mut self) {
        self.table.clear();
        self.ordering = MoveOrdering::default();
        self.expected.clear();
    }

    /// Searches the position after the expected plies into the table, until `line_waits` says that
    /// it is to end. Without a clock nothing is expected: then the answers are the same on every
    /// machine.
    pub(super) fn ponder(
        &mut self,
        history: &[Position],
        draws: DrawLimits,
        mut generator: Generator,
        line_waits: &mut dyn FnMut() -> bool,
    ) {
        let mut history = history.to_vec();
        let played = history.len();
        for ply in std::mem::take(&mut self.expected) {
            let Some(position) = history.last() else { return };
            if !position.is_legal(ply) {
                return; // another game has begun
            }
            let next = position.after(ply);
            if next.ending().is_some() {
                break;
            }
            history.push(next);
        }
        if history.len() == played {
            return;
        }
        // The search ends by its clock alone, so this one stands still until the line comes.
        let mut now = || if line_waits() { Duration::MAX } else { Duration::ZERO };
        self.think(&history, draws, SearchLimit::NEVER, &mut generator, &mut now);
        self.expected.clear();
    }

    /// Searches for the best ply at the end of `history`; `None` if there is no ply. `now` returns
    /// the time since the question.
    pub(super) fn think(
        &mut self,
        history: &[Position],
        draws: DrawLimits,
        limit: SearchLimit,
        generator: &mut Generator,
        now: &mut dyn FnMut() -> Duration,
    ) -> Option<SearchResult> {
        let root = history.last()?;
        let options = self.options.in_game(root.ruleset().game());
        let limit = options.limit(limit);
        // What was learned for the last question still helps, but what is learned now goes before
        // it.
        self.ordering.age();
        self.table.age();
        let mut evaluation = evaluation::of(&root.ruleset());
        if options.noise > 0 {
            let seed = generator.next_u64();
            evaluation = Box::new(Noisy { exact: evaluation, width: options.noise, seed });
        }
        let mut run = SearchRun {
            evaluation,
            root: shuffled(root, generator),
            path: history[..history.len() - 1].iter().map(Position::key).collect(),
            draws,
            best: None,
            nodes: 0,
            limit,
            is_out_of_time: false,
            now,
            table: &mut self.table,
            ordering: &mut self.ordering,
        };
        let mut result = SearchResult {
            root: root.clone(),
            depth: 0,
            value: 0,
            nodes: 0,
            is_cut_short: false,
            line: vec![run.root.first()?.1],
        };
        // There is nothing to choose if there is one ply.
        let deepest = if run.root.len() == 1 { 0 } else { limit.depth.min(MAX_DEPTH) };
        for depth in 1..=deepest {
            let whole = run.deepen(root, depth, result.value).is_ok();
            // The best ply of the previous depth is searched first, so the result of an interrupted
            // search is no worse.
            if let Some((ply, value)) = run.best.take() {
                let line = run.line(root, ply, depth);
                result = SearchResult { depth, value, line, ..result };
            }
            if !whole || result.value.abs() > WON || depth == deepest || run.has_enough() {
                break;
            }
        }
        let is_cut_short = options.is_fixed() && run.is_out_of_time;
        let nodes = run.nodes;
        self.expected.clear();
        // After a search to a number of nodes or a depth, the plies would depend on the machine.
        if limit.time.is_some() && !options.is_fixed() {
            self.expected.extend(result.line.iter().take(2));
        }
        Some(SearchResult { nodes, is_cut_short, ..result })
    }
}

/// The plies of a position with their numbers in random order, so that the choice among equal ones
/// is random.
fn shuffled(position: &Position, generator: &mut Generator) -> Vec<(u16, Ply)> {
    let mut plies: Vec<(u16, Ply)> = (0..).zip(position.plies()).collect();
    for last in (1..plies.len()).rev() {
        plies.swap(last, generator.below(last as u64 + 1) as usize);
    }
    plies
}

impl SearchRun<'_> {
    /// Searches the root to this depth, in a window about the value of the depth before that is
    /// widened until the value lies in it.
    fn deepen(&mut self, root: &Position, depth: u32, before: i32) -> Result<(), Interrupted> {
        // The value of the depth before tells little if it came from a shallow search, a won game,
        // or an evaluation that swings from ply to ply.
        let depth = depth as i32;
        let mut width = ASPIRATION;
        let mut window = if depth < 4 || before.abs() > WON || !self.evaluation.is_steady() {
            Window::OPEN
        } else {
            Window { alpha: before - width, beta: before + width }
        };
        loop {
            let value = self.node(root, depth, 0, window)?;
            width *= 4;
            if value <= window.alpha && window.alpha > -WIN {
                window.alpha = if width > WIDE { -WIN } else { value - width };
            } else if value >= window.beta && window.beta < WIN {
                window.beta = if width > WIDE { WIN } else { value + width };
            } else {
                return Ok(());
            }
        }
    }

    /// The principal variation, as far as the transposition table still has it.
    fn line(&self, root: &Position, first: Ply, depth: u32) -> Vec<Ply> {
        let mut line = vec![first];
        let mut position = root.after(first);
        while line.len() < PV_LENGTH.min(depth as usize)
            && let Some(entry) = self.table.get(position.key())
            && let Some(ply) = position.plies().nth(entry.ply.into())
        {
            line.push(ply);
            position.play(ply);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluation::Evaluation;
    use super::*;
    use arbiter_rules::{Game, Ruleset};

    fn loa(text: &str) -> Position {
        start().ruleset().read_position(text).expect("a position of loa")
    }

    fn start() -> Position {
        start_of("loa")
    }

    fn start_of(game: &str) -> Position {
        Ruleset::named(game, "").expect("a game").start()
    }

    fn think(
        options: &str,
        history: &[Position],
        limit: SearchLimit,
        now: &mut dyn FnMut() -> Duration,
    ) -> SearchResult {
        let options = SearchOptions::read(options).expect("options");
        let mut generator = Generator::from_state(9);
        AlphaBetaSearch::new(options)
            .think(history, DrawLimits::USUAL, limit, &mut generator, now)
            .expect("there are plies")
    }

    fn deep(history: &[Position], depth: u32) -> SearchResult {
        think("", history, SearchLimit::depth(depth), &mut || Duration::ZERO)
    }

    /// The value by plain minimax.
    fn minimax(evaluation: &dyn Evaluation, position: &Position, depth: u32, height: i32) -> i32 {
        let side = position.side();
        match position.ending() {
            Some(ending) => evaluation::ending_value(ending, side, WIN - height),
            None if depth == 0 => evaluation.value(position),
            None => {
                let values = position.plies().map(|ply| {
                    let next = position.after(ply);
                    let value = minimax(evaluation, &next, depth - 1, height + 1);
                    if next.side() == side { value } else { -value }
                });
                values.max().expect("there are plies")
            }
        }
    }

    #[test]
    fn the_value_is_that_of_the_whole_tree() {
        // Noisy values are not steady, and at depth 2 no ply is late: nothing is pruned but by
        // alpha and beta.
        let value = |position: &Position| {
            let limit = SearchLimit::depth(2);
            think("noise=1", std::slice::from_ref(position), limit, &mut || Duration::ZERO).value
        };
        let mut generator = Generator::from_state(4);
        for game in Game::ALL {
            let mut position = start_of(game.name());
            let exact = evaluation::of(&position.ruleset());
            let noisy = Noisy { exact, width: 1, seed: Generator::from_state(9).next_u64() };
            for _ in 0..24 {
                assert_eq!(value(&position), minimax(&noisy, &position, 2, 0), "{position}");
                let (_, ply) = shuffled(&position, &mut generator)[0];
                let next = position.after(ply);
                position = if next.ending().is_none() { next } else { position };
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
    fn the_limit_of_plies_and_repetition_are_those_of_the_game() {
        let value = |history: &[Position], draws| {
            let mut generator = Generator::from_state(1);
            let mut now = || Duration::ZERO;
            AlphaBetaSearch::default()
                .think(history, draws, SearchLimit::depth(3), &mut generator, &mut now)
                .expect("there are plies")
                .value
        };
        // b1 joins a0 and a1 from d1.
        let won = [loa("B7/B2B4/8/8/W6W/8/8/8 B")];
        let after = |plies| DrawLimits { plies, ..DrawLimits::USUAL };
        assert_eq!(value(&won, after(1)), WIN - 1, "the last ply wins before the game is drawn");
        assert_eq!(value(&[start()], after(1)), 0);
        assert_ne!(value(&[start()], after(9)), 0);
        // All that can follow was there before.
        let mut seen: Vec<Position> = start().plies().map(|ply| start().after(ply)).collect();
        seen.push(start());
        assert_eq!(value(&seen, DrawLimits::USUAL), 0);
        assert_ne!(value(&seen, DrawLimits { repetition: false, ..DrawLimits::USUAL }), 0);
    }

    #[test]
    fn nodes_and_depth_are_limits_in_place_of_the_time() {
        let time = SearchLimit::time(Duration::from_secs(1));
        for (options, nodes, depth) in
            [("nodes=700", 701, 64), ("depth=2", u64::MAX, 2), ("nodes=90&depth=9", 91, 9)]
        {
            // More than half of the time, less than all.
            let mut now = || Duration::from_millis(700);
            let result = think(options, &[start()], time, &mut now);
            assert!(result.nodes <= nodes && result.depth <= depth, "{options}: {result}");
            let again = think(options, &[start()], SearchLimit::depth(1), &mut || Duration::ZERO);
            assert_eq!(result.to_string(), again.to_string(), "{options}");
        }
        let cut = think("nodes=700", &[start()], SearchLimit::time(Duration::ZERO), &mut || {
            Duration::ZERO
        });
        assert!(cut.nodes < 700 && cut.to_string().contains(" limit clock pv "), "{cut}");
        // The time is over after the first depth, which is all that the second search is asked for.
        for (options, is_cut) in [("nodes=700", true), ("depth=1", false)] {
            let mut looks = 0;
            let result =
                think(options, &[start()], SearchLimit::time(Duration::from_secs(1)), &mut || {
                    looks += 1;
                    Duration::from_secs(if looks > 1 { 2 } else { 0 })
                });
            assert_eq!(result.depth, 1);
            assert_eq!(result.to_string().contains(" limit clock "), is_cut, "{options}: {result}");
        }
    }

    #[test]
    fn time_is_looked_at_and_kept() {
        for limit in [0, 1, 5, 50] {
            let mut looks = 0;
            let time = Duration::from_millis(limit);
            let result = think("", &[start()], SearchLimit::time(time), &mut || {
                looks += 1;
                Duration::from_millis(looks)
            });
            assert!(looks <= limit.max(1) + 1, "{looks} looks");
            assert!(
                result.nodes <= tree::NODES_PER_TIME_CHECK * (limit + 1),
                "{} nodes",
                result.nodes
            );
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
