//! `builtin:search` on boards of Line 'em Up that are solved here, by plain minimax over the whole
//! game: it gives away no win and no draw that it has.

use crate::plays_all;
use arbiter_engine::builtin::{Action, BuiltinBot};
use arbiter_rules::seed::Generator;
use arbiter_rules::{Cell, Ply, Position, Ruleset, Side};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::time::Duration;

/// Boards of nine squares, and their values for the first side: 1 is won, 0 a draw.
const SMALL: [(&str, i8); 3] =
    [("n=3 s=3 blocks=none", 0), ("n=3 s=3 blocks=b1", 0), ("n=3 s=3 blocks=a0", 0)];
/// Boards of sixteen squares likewise, and the nodes of a ply that are enough there. With 200,000
/// in place of 1,000,000 a win becomes a draw in one of up to 200 games. The last two take seconds
/// and are for `.ci/slow`.
const LARGER: [(&str, i8, u64); 5] = [
    ("n=4 s=3 blocks=none", 1, 20_000),
    ("n=4 s=3 blocks=b1,c1,b2,c2", 0, 20_000),
    ("n=4 s=4 blocks=a0,d3", 0, 20_000),
    ("n=4 s=3 blocks=b1,c2", 1, 1_000_000),
    ("n=4 s=4 blocks=none", 0, 20_000),
];

/// The exact value of positions for the side to move: 1 is won, 0 a draw, -1 lost.
struct Solver {
    values: HashMap<u64, i8>,
    /// The orders of squares in which a board is read: those of its rotations and reflections, or
    /// one of them alone.
    orders: Vec<Vec<(usize, usize)>>,
}

impl Solver {
    /// Positions that are rotations or reflections of each other have one value.
    fn new(n: usize) -> Solver {
        let order = |number: usize| {
            let square = |(row, column): (usize, usize)| {
                let (row, column) = if number & 1 == 0 { (row, column) } else { (column, row) };
                let row = if number & 2 == 0 { row } else { n - 1 - row };
                (row, if number & 4 == 0 { column } else { n - 1 - column })
            };
            (0..n * n).map(|at| square((at / n, at % n))).collect()
        };
        Solver { values: HashMap::new(), orders: (0..8).map(order).collect() }
    }

    /// Each position has a value of its own.
    fn without_symmetry(n: usize) -> Solver {
        let mut solver = Solver::new(n);
        solver.orders.truncate(1);
        solver
    }

    /// The board as a number with a digit for each square: the least one of all orders. The number
    /// of pieces says who is to move.
    fn key(&self, position: &Position) -> u64 {
        let digit = |cell| match cell {
            Cell::Empty => 0,
            Cell::Piece(Side::First) => 1,
            Cell::Piece(Side::Second) => 2,
            Cell::Block => 3,
        };
        let number = |order: &Vec<(usize, usize)>| {
            order
                .iter()
                .fold(0, |number, &(row, column)| number * 4 + digit(position.cell(row, column)))
        };
        self.orders.iter().map(number).min().unwrap()
    }

    fn value(&mut self, position: &Position) -> i8 {
        if let Some(ending) = position.ending() {
            return match ending.winner {
                None => 0,
                Some(winner) if winner == position.side() => 1,
                Some(_) => -1,
            };
        }
        let key = self.key(position);
        if let Some(&value) = self.values.get(&key) {
            return value;
        }
        let mut best = -1;
        for ply in position.plies() {
            best = best.max(-self.value(&position.after(ply)));
            if best == 1 {
                break;
            }
        }
        self.values.insert(key, best);
        best
    }
}

fn ruleset(options: &str) -> Ruleset {
    Ruleset::named("lineup", options).unwrap()
}

/// A bot in a game of this ruleset, which it plays through the Universal Game Interface.
fn bot(name: &str, ruleset: Ruleset, seed: u64) -> BuiltinBot {
    let mut bot = BuiltinBot::named(name).unwrap().speaking_ugi();
    let mut set = |option: &str, value: &str| {
        assert_eq!(bot.receive(&format!("setoption name {option} value {value}")), Ok(None));
    };
    set("Game", "lineup");
    for (option, value) in ruleset.options() {
        set(option, &value);
    }
    set("RandomSeed", &seed.to_string());
    bot
}

/// The ply that the bot answers after these plies.
fn answer(bot: &mut BuiltinBot, ruleset: Ruleset, plies: &[Ply]) -> Ply {
    let mut position = "position startpos moves".to_owned();
    for &ply in plies {
        write!(position, " {}", ruleset.ply_text(ply)).unwrap();
    }
    assert_eq!(bot.receive(&position), Ok(None));
    assert_eq!(bot.receive("go"), Ok(Some(Action::Think)));
    let said = bot.think(&mut || Duration::ZERO);
    ruleset.read_ply(said.trim_end().rsplit(' ').next().unwrap()).unwrap()
}

/// Plays the bot's best ply of a position; it has the same value as the position.
fn play_best(
    bot: &mut BuiltinBot,
    solver: &mut Solver,
    position: &mut Position,
    plies: &mut Vec<Ply>,
) {
    let ruleset = position.ruleset();
    let ply = answer(bot, ruleset.clone(), plies);
    let (before, after) = (solver.value(position), position.after(ply));
    let text = ruleset.ply_text(ply);
    assert_eq!(-solver.value(&after), before, "{text} in {position}, {}", ruleset.options_text());
    plies.push(ply);
    *position = after;
}

/// Plays the bot's side against every reply. It remembers nothing from one question to the next.
fn play_all(
    bot: &mut BuiltinBot,
    solver: &mut Solver,
    position: &Position,
    plies: &mut Vec<Ply>,
    you: Side,
) {
    let length = plies.len();
    let mut position = position.clone();
    if position.side() == you {
        assert_eq!(bot.receive("uginewgame"), Ok(None));
        play_best(bot, solver, &mut position, plies);
    }
    if position.ending().is_none() {
        for ply in position.plies() {
            plies.push(ply);
            let after = position.after(ply);
            if after.ending().is_none() {
                play_all(bot, solver, &after, plies, you);
            }
            plies.pop();
        }
    }
    plies.truncate(length);
}

#[test]
fn the_value_of_a_board_is_that_of_its_images() {
    let sampled = if plays_all() { &LARGER[1..4] } else { &LARGER[1..2] };
    let larger = sampled.iter().map(|&(options, value, _)| (options, value));
    for (options, value) in SMALL.into_iter().chain(larger) {
        let start = ruleset(options).start();
        let n = start.ruleset().rows();
        let [mut alone, mut together] = [Solver::without_symmetry(n), Solver::new(n)];
        assert_eq!((alone.value(&start), together.value(&start)), (value, value), "{options}");
        let mut open = vec![start];
        let mut seen = HashSet::new();
        while let Some(position) = open.pop() {
            assert_eq!(alone.value(&position), together.value(&position), "{position}");
            let next = position
                .plies()
                .map(|ply| position.after(ply))
                .filter(|next| next.ending().is_none());
            open.extend(next.filter(|next| seen.insert(alone.key(next))));
        }
        assert!(together.values.len() < alone.values.len());
    }
}

#[test]
fn on_boards_of_nine_squares_no_reply_gains_anything() {
    for (options, _) in SMALL {
        let ruleset = ruleset(options);
        let mut solver = Solver::new(3);
        for (limit, side) in [("nodes=2000", Side::First), ("depth=9", Side::Second)] {
            let name = &format!("search?{limit}");
            let sides = if plays_all() { &Side::BOTH[..] } else { &[side] };
            for &you in sides {
                let mut bot = bot(name, ruleset.clone(), 1);
                play_all(&mut bot, &mut solver, &ruleset.start(), &mut Vec::new(), you);
            }
        }
    }
}

#[test]
fn on_boards_of_sixteen_squares_neither_perfect_nor_random_play_gains_anything() {
    for &(options, value, nodes) in if plays_all() { &LARGER[..] } else { &LARGER[..3] } {
        let ruleset = ruleset(options);
        let mut solver = Solver::new(4);
        assert_eq!(solver.value(&ruleset.start()), value, "{options}");
        for seed in 0..if plays_all() { 50 } else { 1 } {
            for (you, is_perfect) in
                Side::BOTH.into_iter().flat_map(|you| [(you, true), (you, false)])
            {
                let mut bot = bot(&format!("search?nodes={nodes}"), ruleset.clone(), seed);
                let mut generator = Generator::from_state(seed);
                let (mut position, mut plies) = (ruleset.start(), Vec::new());
                while position.ending().is_none() {
                    if position.side() == you {
                        play_best(&mut bot, &mut solver, &mut position, &mut plies);
                        continue;
                    }
                    let best = solver.value(&position);
                    let mut replies: Vec<Ply> = position.plies().collect();
                    replies
                        .retain(|&ply| !is_perfect || -solver.value(&position.after(ply)) == best);
                    let ply = replies[generator.below(replies.len() as u64) as usize];
                    plies.push(ply);
                    position.play(ply);
                }
            }
        }
    }
}
