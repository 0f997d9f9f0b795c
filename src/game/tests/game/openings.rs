//! Openings compared with a slow second implementation that shares only the crate for SHA-256 with
//! the first: it has its own generator, uses the slow rules, and keeps texts instead of positions.
//! Also tests which positions are refused.

#[allow(dead_code, reason = "used by other test programs")]
use crate::games::slow;
use crate::plays_all;
use arbiter_game::openings::{OpeningError, Openings};
use arbiter_rules::{Ruleset, split_options};
use sha2::{Digest, Sha256};

/// SplitMix64 as published, in numbers that cannot overflow.
struct Mix(u128);

const WORD: u128 = 1 << 64;

impl Mix {
    fn new(inputs: &[String]) -> Mix {
        let digest = Sha256::digest(inputs.join("\n"));
        Mix(digest[..8].iter().fold(0, |state, &byte| 256 * state + u128::from(byte)))
    }

    fn next(&mut self) -> u128 {
        self.0 = (self.0 + 0x9e37_79b9_7f4a_7c15) % WORD;
        let z = (self.0 ^ (self.0 >> 30)) * 0xbf58_476d_1ce4_e5b9 % WORD;
        let z = (z ^ (z >> 27)) * 0x94d0_49bb_1331_11eb % WORD;
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        let n = n as u128;
        loop {
            let drawn = self.next();
            if drawn < WORD - WORD % n {
                return (drawn % n) as usize;
            }
        }
    }
}

/// Why a try is discarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Discard {
    Over,
    WinsAtOnce,
    OnlyPass,
    InsideTurn,
    Earlier,
}

/// Why a position cannot be an opening; none if it can.
fn forbids(game: &str, set: &[(String, String)], text: &str) -> Option<Discard> {
    let position = slow::read(game, set, text);
    let plies = position.plies();
    let side = text.split(' ').nth(1).unwrap().chars().next().unwrap();
    let wins = |ply: &String| {
        let mut after = slow::read(game, set, text);
        after.play(ply);
        after.ending().is_some_and(|(winner, _)| winner == Some(side))
    };
    if position.ending().is_some() {
        Some(Discard::Over)
    } else if text.ends_with(" 2") {
        Some(Discard::InsideTurn)
    } else if plies == ["pass"] {
        Some(Discard::OnlyPass)
    } else if plies.iter().any(wins) {
        Some(Discard::WinsAtOnce)
    } else {
        None
    }
}

/// The texts of openings 1 to `most`, or fewer if there are no more, and why attempts were
/// discarded.
fn slow_openings(
    (game, options): (&str, &str),
    [plies, seed]: [u64; 2],
    most: usize,
) -> (Vec<String>, Vec<Discard>) {
    let set = split_options(options).unwrap();
    let (mut made, mut discarded) = (Vec::new(), Vec::new());
    for number in 1..=most {
        let inputs = [game, options, &plies.to_string(), &seed.to_string(), &number.to_string()];
        let mut mix = Mix::new(&inputs.map(String::from));
        let found = (0..1_000).find_map(|_| {
            let mut position = slow::start(game, &set);
            for _ in 0..plies {
                if position.ending().is_some() {
                    discarded.push(Discard::Over);
                    return None;
                }
                let legal = position.plies();
                position.play(&legal[mix.below(legal.len())]);
            }
            let text = position.text();
            let why =
                forbids(game, &set, &text).or(made.contains(&text).then_some(Discard::Earlier));
            discarded.extend(why);
            why.is_none().then_some(text)
        });
        let Some(text) = found else { break };
        made.push(text);
    }
    (made, discarded)
}

/// Compares openings 1 to `most`, asked for in different orders, and returns why the slow
/// implementation discarded attempts.
fn compare(rules: (&str, &str), [plies, seed]: [u64; 2], most: usize) -> Vec<Discard> {
    let ruleset = Ruleset::named(rules.0, rules.1).unwrap();
    let (expected, mut discarded) = slow_openings(rules, [plies, seed], most);
    let mut openings = Openings::random(ruleset.clone(), plies as u32, seed);
    let what = format!("{rules:?}, {plies} plies, seed {seed}");
    if let Some(last) = expected.last() {
        let found = openings.get(expected.len() as u64).unwrap();
        assert_eq!(&found.to_string(), last, "{what}: asked for first");
    }
    for (number, text) in (1..).zip(&expected) {
        let found = openings.get(number).unwrap();
        assert_eq!(&found.to_string(), text, "{what}: opening {number}");
        assert_eq!(
            found,
            ruleset.read_position(text).unwrap(),
            "{what}: nothing that the text does not say"
        );
    }
    if expected.len() < most {
        let number = expected.len() as u64 + 1;
        let error = OpeningError::NotFound { plies: plies as u32, number };
        assert_eq!(openings.get(number), Err(error.clone()), "{what}");
        assert_eq!(openings.get(number), Err(error), "{what}: and again");
    }
    discarded.sort_unstable();
    discarded.dedup();
    discarded
}

/// Compares openings for each row (plies, highest number): with every seed under `ARBITER_ALL`,
/// otherwise with one.
fn compare_rows(rules: (&str, &str), rows: [(u64, usize); 5]) -> Vec<Discard> {
    let seeds = [0, 42, u64::MAX];
    let mut discarded = Vec::new();
    for (row, (plies, most)) in rows.into_iter().enumerate() {
        let tried = if plays_all() { &seeds[..] } else { &seeds[row % 3..][..1] };
        for &seed in tried {
            discarded.extend(compare(rules, [plies, seed], most));
        }
    }
    discarded
}

/// All options are written out, because their text is an input of the generator.
const LOA: (&str, &str) = ("loa", "simultaneous=draw stuck=pass");
const FLIPFLOP: (&str, &str) = ("flipflop", "n=8");
const LINEUP: (&str, &str) = ("lineup", "n=5 s=4 blocks=d0,b1,a2,d2,b3,c4");
const GEKITAI: (&str, &str) = ("gekitai", "n=6 p=8 l=3 simultaneous=draw");

#[test]
fn openings_of_loa_are_those_of_the_slow_rules() {
    compare_rows(LOA, [(1, 40), (2, 30), (3, 30), (4, 30), (9, 20)]);
    compare(("loa", "simultaneous=mover stuck=loss"), [5, 1], 30);
}

#[test]
fn openings_of_flipflop_are_those_of_the_slow_rules() {
    let discarded = compare_rows(FLIPFLOP, [(1, 10), (2, 30), (4, 30), (7, 30), (12, 20)]);
    compare(("flipflop", "n=10"), [5, 1], 20);
    assert!(discarded.contains(&Discard::InsideTurn));
}

#[test]
fn openings_of_lineup_are_those_of_the_slow_rules() {
    let mut discarded = compare_rows(LINEUP, [(1, 20), (2, 30), (4, 30), (7, 30), (12, 20)]);
    discarded.extend(compare(("lineup", "n=3 s=3 blocks=none"), [5, 1], 30));
    compare(("lineup", "n=7 s=5 blocks=a0,g6"), [6, 2], 30);
    for why in [Discard::Over, Discard::WinsAtOnce, Discard::Earlier] {
        assert!(discarded.contains(&why), "{why:?} was never seen: {discarded:?}");
    }
}

#[test]
fn openings_of_gekitai_are_those_of_the_slow_rules() {
    let discarded = compare_rows(GEKITAI, [(1, 40), (2, 30), (4, 30), (7, 30), (12, 20)]);
    compare(("gekitai", "n=7 p=8 l=4 simultaneous=mover"), [6, 2], 30);
    assert!(discarded.contains(&Discard::WinsAtOnce));
}

/// Small boards have so few positions that every reason to discard an attempt occurs.
#[test]
fn a_position_that_cannot_be_an_opening_is_discarded() {
    // Every first ply of flipflop captures one piece. There are four such plies, so there is no
    // fifth opening.
    assert_eq!(compare(FLIPFLOP, [1, 7], 5), [Discard::Earlier]);
    let (made, _) = slow_openings(FLIPFLOP, [1, 7], 5);
    assert_eq!(made.len(), 4);
    // On a board of nine squares a side that has two in a row and a free third wins at once.
    assert_eq!(
        forbids("lineup", &split_options("n=3 s=3 blocks=none").unwrap(), "OO1/XX1/3 O"),
        Some(Discard::WinsAtOnce)
    );
    let full = compare(("lineup", "n=3 s=3 blocks=none"), [9, 1], 1);
    assert_eq!(full, [Discard::Over]);
    // With p=1 the first piece wins at once; with p=2 the second piece of a side does.
    assert_eq!(compare(("gekitai", "n=5 p=1 l=3 simultaneous=draw"), [1, 1], 1), [Discard::Over]);
    assert_eq!(
        compare(("gekitai", "n=5 p=2 l=3 simultaneous=draw"), [2, 1], 1),
        [Discard::WinsAtOnce]
    );
    // In long games a side is stuck now and then while the other is not.
    assert!(compare(FLIPFLOP, [36, 1], 8).contains(&Discard::OnlyPass));
}

#[test]
fn without_plies_every_opening_is_the_start_position() {
    for (game, options) in [LOA, FLIPFLOP, LINEUP, GEKITAI] {
        let ruleset = Ruleset::named(game, options).unwrap();
        assert_eq!(ruleset.options_text(), options, "all options are written out");
        let mut openings = Openings::random(ruleset.clone(), 0, 5);
        assert_eq!((openings.count(), openings.get(7)), (Some(1), Ok(ruleset.start())));
        assert_eq!(openings.first_other(), Ok(None));
    }
}

#[test]
fn the_first_opening_that_is_not_the_start_is_found() {
    let (game, options) = LINEUP;
    let ruleset = Ruleset::named(game, options).unwrap();
    let mut random = Openings::random(ruleset.clone(), 2, 5);
    assert_eq!(random.first_other(), random.get(1).map(Some));
    let (start, other) = (ruleset.start(), random.get(1).unwrap());
    let mut listed = Openings::listed(&ruleset, &format!("{start}\n{other}\n")).unwrap();
    assert_eq!(listed.first_other(), Ok(Some(other)));
}
