//! The reference data of ratings (tests/vectors/ratings3.json) as game logs, through `arbiter standings`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use serde_json::Value;
use std::fmt::Write;
use support::{project, run};

fn vectors() -> Vec<Value> {
    let text = std::fs::read_to_string(project("tests/vectors/ratings3.json")).unwrap();
    let vectors: Value = serde_json::from_str(&text).unwrap();
    vectors["vectors"].as_array().unwrap().clone()
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// The logs of games without moves, of which White is the first side.
struct Log<'a> {
    names: Vec<&'a str>,
    text: String,
}

impl Log<'_> {
    /// A game; `half_points` are those of White, doubled, and none without a result.
    fn game(&mut self, bots: [usize; 2], half_points: Option<usize>, pair: Option<usize>) {
        self.game_of(bots, half_points, pair, "");
    }

    /// A game with these moves.
    fn game_of(
        &mut self,
        [white, black]: [usize; 2],
        half_points: Option<usize>,
        pair: Option<usize>,
        moves: &str,
    ) {
        let result = half_points.map_or("*", |half_points| ["0-1", "1/2-1/2", "1-0"][half_points]);
        let (white, black) = (self.names[white], self.names[black]);
        write!(self.text, "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n").unwrap();
        if let Some(pair) = pair {
            writeln!(self.text, "[Pair \"{pair}\"]").unwrap();
        }
        write!(self.text, "\n{moves}{result}\n\n").unwrap();
    }
}

/// The log of a case. It begins with games that do not count, so that the bots appear in their order.
fn log(case: &Value) -> String {
    let names: Vec<&str> =
        case["bots"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let mut log = Log { names, text: String::new() };
    (1..log.names.len()).for_each(|bot| log.game([bot - 1, bot], None, None));
    for pair in case["pairs"].as_array().unwrap() {
        let [i, j] = [number(&pair[0]), number(&pair[1])];
        let mut played = 0;
        for (index, count) in pair[2].as_array().unwrap().iter().enumerate() {
            for _ in 0..number(count) {
                played += 1;
                log.game([i, j], Some(index / 3), Some(played));
                log.game([j, i], Some(2 - index % 3), Some(played));
            }
        }
    }
    for single in case["singles"].as_array().unwrap() {
        for (half_points, count) in single[2].as_array().unwrap().iter().enumerate() {
            let sides = [number(&single[0]), number(&single[1])];
            (0..number(count)).for_each(|_| log.game(sides, Some(half_points), None));
        }
    }
    for copies in case["copies"].as_array().unwrap() {
        let [i, j, index, count] = [0, 1, 2, 3].map(|column| number(&copies[column]));
        for copy in 0..count {
            if copies.get(4).is_some() {
                log.game_of([i, j], Some(index), None, "1. e4 e5 ");
                continue;
            }
            // It repeats the others also if the other game is played first.
            let pair = Some(1000 + copy);
            let mut games = [([i, j], index / 3, "1. e4 e5 "), ([j, i], 2 - index % 3, "1. d4 ")];
            games.rotate_left(copy % 2);
            games
                .into_iter()
                .for_each(|(bots, half_points, moves)| log.game_of(bots, Some(half_points), pair, moves));
        }
    }
    log.text
}

#[track_caller]
fn agree(found: &Value, expected: &Value, tolerance: f64, what: &str) {
    match (found.as_f64(), expected.as_f64()) {
        (Some(found), Some(expected)) => {
            assert!((found - expected).abs() <= tolerance, "{what}: {found} for {expected}")
        }
        (found, expected) => assert_eq!(found, expected, "{what}"),
    }
}

#[test]
fn standings_of_logs_have_the_ratings_of_the_definitions() {
    let place = tempfile::tempdir().unwrap();
    let (mut bots, mut differences) = (0, 0);
    for case in vectors() {
        let id = case["id"].as_str().unwrap();
        if ["pairs", "singles", "copies"].iter().all(|games| case[*games].as_array().unwrap().is_empty()) {
            continue;
        }
        let path = place.path().join(format!("{id}.pgn"));
        std::fs::write(&path, log(&case)).unwrap();
        let swiss = case["swiss"].as_bool().unwrap().then_some("--swiss");
        let args = ["standings", "--format", "json", path.to_str().unwrap()];
        let ran = run(&args.into_iter().chain(swiss).collect::<Vec<_>>());
        assert_eq!(ran.status, Some(0), "{id}: {ran:?}");
        std::fs::remove_file(&path).unwrap();
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        let expect = &case["expect"];
        for figure in ["advantage", "low", "high", "half_width"] {
            agree(&found["first_side"][figure], &expect[format!("first_side_{figure}")], 0.01, id);
        }
        assert_eq!(found["first_side"]["reason"], expect["first_side_reason"], "{id}");
        agree(&found["scatter"], &expect["scatter"], 1e-5, id);
        agree(&found["scatter_first_side"], &expect["scatter_first_side"], 1e-5, id);
        for (kept, expected) in
            found["kept"].as_array().unwrap().iter().zip(expect["kept"].as_array().unwrap())
        {
            agree(kept, expected, 1e-5, id);
        }
        for figure in ["clusters", "parameters", "virtual_draws"] {
            agree(&found["fit"][figure], &expect[figure], 1e-5, id);
        }
        for expected in expect["bots"].as_array().unwrap() {
            let row = found["bots"].as_array().unwrap().iter().find(|bot| bot["name"] == expected["name"]);
            let rating = &row.unwrap()["rating"];
            assert_eq!(rating["group"], expected["group"], "{id}");
            for figure in ["rating", "low", "high", "half_width"] {
                agree(&rating[figure], &expected[figure], 0.01, &format!("{id}: {expected}"));
            }
            bots += 1;
        }
        // The log says which bots are neighbours by points; the reference has differences by rating, or all.
        for two in found["neighbours"].as_array().unwrap() {
            let expected = expect["differences"].as_array().unwrap().iter();
            for expected in expected.filter(|other| [&other[0], &other[1]] == [&two["bot"], &two["below"]]) {
                for (figure, column) in [("difference", 2), ("low", 3), ("high", 4)] {
                    agree(&two[figure], &expected[column], 0.01, &format!("{id}: {expected}"));
                }
                agree(&two["superiority"], &expected[5], 1e-5, id);
                differences += 1;
            }
        }
    }
    assert_eq!(bots, 122);
    assert!(differences > 40, "{differences}");
}
