//! Rule options: refused values with their messages, defaults, and random blocks.

use crate::games::rules;
use arbiter_rules::{Game, Ruleset, split_options};

/// A game, options that it refuses, and what the message says of them.
const REFUSED: &[(&str, &str, &[&str])] = &[
    ("chess", "", &["unknown game `chess`", "loa, flipflop, lineup, gekitai"]),
    ("Loa", "", &["unknown game `Loa`"]),
    ("", "", &["unknown game ``"]),
    // Unknown options, and options given twice.
    ("loa", "n=8", &["unknown option `n` of loa", "simultaneous, stuck"]),
    ("flipflop", "simultaneous=draw", &["unknown option `simultaneous` of flipflop"]),
    ("lineup", "simultaneous=mover", &["unknown option `simultaneous` of lineup"]),
    ("gekitai", "s=3", &["unknown option `s` of gekitai", "n, p, l, simultaneous"]),
    ("gekitai", "N=6", &["unknown option `N`"]),
    ("gekitai", "=6", &["unknown option ``"]),
    ("loa", "stuck=pass stuck=pass", &["option `stuck` is given twice"]),
    ("flipflop", "n=8 n=10", &["option `n` is given twice"]),
    ("lineup", "b=3 s=3 b=3", &["option `b` is given twice"]),
    // Words.
    ("loa", "stuck=win", &["option `stuck` cannot be `win`", "pass or loss", "default pass"]),
    ("loa", "stuck=", &["option `stuck` cannot be ``", "pass or loss"]),
    ("loa", "stuck=Pass", &["option `stuck` cannot be `Pass`", "pass or loss"]),
    (
        "loa",
        "simultaneous=1",
        &["option `simultaneous` cannot be `1`", "draw or mover", "default draw"],
    ),
    ("gekitai", "simultaneous=loss", &["option `simultaneous` cannot be `loss`", "draw or mover"]),
    // Sizes.
    ("flipflop", "n=9", &["option `n` cannot be `9`", "an even number, 8 to 24", "default 8"]),
    ("flipflop", "n=6", &["option `n` cannot be `6`", "8 to 24"]),
    ("flipflop", "n=26", &["option `n` cannot be `26`", "8 to 24"]),
    ("flipflop", "n=0", &["option `n` cannot be `0`", "8 to 24"]),
    ("flipflop", "n=264", &["option `n` cannot be `264`", "8 to 24"]),
    ("lineup", "n=2", &["option `n` cannot be `2`", "3 to 20", "default 5"]),
    ("lineup", "n=21", &["option `n` cannot be `21`", "3 to 20"]),
    ("gekitai", "n=4", &["option `n` cannot be `4`", "5 to 8", "default 6"]),
    ("gekitai", "n=9", &["option `n` cannot be `9`", "5 to 8"]),
    ("gekitai", "n=262", &["option `n` cannot be `262`", "5 to 8"]),
    // Values that are not numbers, or not plain ones.
    ("flipflop", "n=", &["option `n` cannot be ``", "8 to 24"]),
    ("flipflop", "n=08", &["option `n` cannot be `08`", "8 to 24"]),
    ("flipflop", "n=+8", &["option `n` cannot be `+8`", "8 to 24"]),
    ("flipflop", "n=-8", &["option `n` cannot be `-8`", "8 to 24"]),
    ("flipflop", "n=8.0", &["option `n` cannot be `8.0`", "8 to 24"]),
    ("flipflop", "n=0x8", &["option `n` cannot be `0x8`", "8 to 24"]),
    ("flipflop", "n=٨", &["option `n` cannot be `٨`", "8 to 24"]),
    ("lineup", "s=", &["option `s` cannot be ``"]),
    ("lineup", "b=", &["option `b` cannot be ``"]),
    ("lineup", "b=3 seed=", &["option `seed` cannot be ``"]),
    ("gekitai", "p=", &["option `p` cannot be ``"]),
    ("lineup", "s=04", &["option `s` cannot be `04`"]),
    ("gekitai", "p=00", &["option `p` cannot be `00`"]),
    ("lineup", "b=+1", &["option `b` cannot be `+1`"]),
    (
        "lineup",
        "b=1 seed=-1",
        &["option `seed` cannot be `-1`", "0 to 18446744073709551615", "default 0"],
    ),
    ("lineup", "b=1 seed=01", &["option `seed` cannot be `01`"]),
    (
        "lineup",
        "b=1 seed=18446744073709551616",
        &["option `seed` cannot be `18446744073709551616`"],
    ),
    ("flipflop", "n=99999999999999999999", &["option `n` cannot be `99999999999999999999`"]),
    // Limits that depend on the size.
    ("lineup", "s=2", &["option `s` cannot be `2`", "3 to n", "n is 5"]),
    ("lineup", "s=6", &["option `s` cannot be `6`", "3 to n", "n is 5"]),
    (
        "lineup",
        "n=3 s=4",
        &["option `s` cannot be `4`", "3 to n", "n is 3", "the smaller of 4 and n"],
    ),
    ("lineup", "s=20 n=19", &["option `s` cannot be `20`", "3 to n", "n is 19"]),
    ("lineup", "b=11", &["option `b` cannot be `11`", "0 to 2n", "2n is 10"]),
    ("lineup", "n=3 b=7", &["option `b` cannot be `7`", "0 to 2n", "2n is 6"]),
    ("gekitai", "p=0", &["option `p` cannot be `0`", "1 to half the squares"]),
    ("gekitai", "p=19", &["option `p` cannot be `19`", "half the squares is 18", "8; 6 when n=5"]),
    ("gekitai", "n=5 p=13", &["option `p` cannot be `13`", "half the squares is 12"]),
    ("gekitai", "n=8 p=33", &["option `p` cannot be `33`", "half the squares is 32"]),
    ("gekitai", "l=1", &["option `l` cannot be `1`", "2 to n", "default 3"]),
    ("gekitai", "l=7", &["option `l` cannot be `7`", "2 to n", "n is 6"]),
    ("gekitai", "l=6 n=5", &["option `l` cannot be `6`", "n is 5"]),
    // Blocks.
    ("lineup", "blocks=d0,d0", &["option `blocks` cannot be `d0,d0`", "d0 is there twice"]),
    ("lineup", "blocks=d0,D0", &["option `blocks` cannot be `d0,D0`", "twice"]),
    (
        "lineup",
        "blocks=f0",
        &["option `blocks` cannot be `f0`", "`f0`", "columns are a to e", "rows 0 to 4"],
    ),
    ("lineup", "blocks=a5", &["option `blocks` cannot be `a5`", "`a5`", "rows 0 to 4"]),
    ("lineup", "n=12 blocks=a12", &["option `blocks` cannot be `a12`", "rows 0 to 11"]),
    ("lineup", "blocks=a00", &["option `blocks` cannot be `a00`", "expected a square"]),
    ("lineup", "blocks=7", &["option `blocks` cannot be `7`", "expected a square"]),
    ("lineup", "blocks=a0,", &["option `blocks` cannot be `a0,`"]),
    ("lineup", "blocks=,a0", &["option `blocks` cannot be `,a0`"]),
    ("lineup", "blocks=a0,,b0", &["option `blocks` cannot be `a0,,b0`"]),
    ("lineup", "blocks=a0,none", &["option `blocks` cannot be `a0,none`", "`none`"]),
    ("lineup", "blocks=a0;b0", &["option `blocks` cannot be `a0;b0`"]),
    ("lineup", "blocks=none b=0", &["option `b`", "together with `blocks`"]),
    ("lineup", "b=3 blocks=a0", &["option `b`", "together with `blocks`"]),
    ("lineup", "seed=1", &["option `seed`", "without `b`"]),
    ("lineup", "blocks=a0 seed=1", &["option `seed`", "without `b`"]),
];

#[test]
fn impossible_options_are_refused_by_name_and_range() {
    for (game, options, words) in REFUSED {
        let found = Ruleset::named(game, options);
        let message = found.expect_err(&format!("{game} {options}")).to_string();
        assert!(words.iter().all(|&word| message.contains(word)), "{game} {options}: {message}");
    }
    // Spaces are not allowed after commas in a list of blocks.
    let spaced = [("blocks".to_owned(), "a0, b0".to_owned())];
    assert!(
        Ruleset::with_options("lineup", &spaced)
            .unwrap_err()
            .to_string()
            .contains("cannot be `a0, b0`")
    );
    assert_eq!(
        split_options("stuck").unwrap_err().to_string(),
        "`stuck` is not an option; write key=value"
    );
}

#[test]
fn what_is_not_set_is_the_default() {
    for (game, options, expected) in [
        ("loa", "", "simultaneous=draw stuck=pass"),
        ("loa", "stuck=loss simultaneous=mover", "simultaneous=mover stuck=loss"),
        ("flipflop", "", "n=8"),
        ("flipflop", "n=24", "n=24"),
        ("lineup", "", "n=5 s=4 blocks=d0,b1,a2,d2,b3,c4"),
        ("lineup", "n=5", "n=5 s=4 blocks=d0,b1,a2,d2,b3,c4"),
        ("lineup", "s=5", "n=5 s=5 blocks=d0,b1,a2,d2,b3,c4"),
        ("lineup", "n=3", "n=3 s=3 blocks=none"),
        ("lineup", "n=4", "n=4 s=4 blocks=none"),
        ("lineup", "n=19 s=19", "n=19 s=19 blocks=none"),
        ("lineup", "blocks=none", "n=5 s=4 blocks=none"),
        ("lineup", "blocks=", "n=5 s=4 blocks=none"),
        ("lineup", "b=0", "n=5 s=4 blocks=none"),
        ("lineup", "n=12 blocks=L11,b2,b10,a2", "n=12 s=4 blocks=a2,b2,b10,l11"),
        ("gekitai", "", "n=6 p=8 l=3 simultaneous=draw"),
        ("gekitai", "n=5", "n=5 p=6 l=3 simultaneous=draw"),
        ("gekitai", "n=7", "n=7 p=8 l=3 simultaneous=draw"),
        ("gekitai", "n=5 p=12 l=5", "n=5 p=12 l=5 simultaneous=draw"),
        ("gekitai", "simultaneous=mover l=2 p=1 n=8", "n=8 p=1 l=2 simultaneous=mover"),
        ("gekitai", "n=8 p=32 l=8", "n=8 p=32 l=8 simultaneous=draw"),
    ] {
        assert_eq!(rules(game, options).options_text(), expected, "{game} {options}");
    }
}

#[test]
fn the_start_positions_are_those_of_the_contract() {
    for (game, options, expected) in [
        ("loa", "", "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B"),
        ("flipflop", "", "8/8/8/3WB3/3BW3/8/8/8 W 1"),
        ("flipflop", "n=10", "10/10/10/10/4WB4/4BW4/10/10/10/10 W 1"),
        ("lineup", "", "3#1/1#3/#2#1/1#3/2#2 O"),
        ("lineup", "n=3", "3/3/3 O"),
        ("lineup", "n=12 blocks=l11,a0", "#11/12/12/12/12/12/12/12/12/12/12/11# O"),
        ("gekitai", "", "6/6/6/6/6/6 X"),
        ("gekitai", "n=8", "8/8/8/8/8/8/8/8 X"),
    ] {
        let start = rules(game, options).start();
        assert_eq!(start.to_string(), expected);
        assert_eq!(start.ending(), None);
    }
    for game in Game::ALL {
        assert_eq!(Game::named(game.name()), Some(game));
    }
}

/// The expected lists were computed by another program, from the definition of the generator alone.
#[test]
fn random_blocks_are_the_same_everywhere() {
    for (options, expected) in [
        ("b=6", "c0,d0,a2,a3,e3,d4"),
        ("b=6 seed=0", "c0,d0,a2,a3,e3,d4"),
        ("n=3 b=6 seed=1", "a0,b0,b1,c1,a2,b2"),
        ("n=8 b=4 seed=42", "d1,f1,h1,f6"),
        ("n=11 b=3 seed=7", "c0,d0,h0"),
        ("n=13 b=5 seed=2026", "k0,f2,g6,l9,i10"),
        ("b=0 seed=3", "none"),
        (
            "n=19 b=38 seed=18446744073709551615",
            "a0,i0,s0,g1,s2,f3,n3,j5,m5,s5,d6,f6,o6,r6,c7,q7,s7,l8,a9,d9,b11,r11,e12,g12,i12,m13,o13,c14,d14,\
             d15,n15,a16,i16,n16,r16,g17,i17,s17",
        ),
    ] {
        let ruleset = rules("lineup", options);
        let blocks = ruleset.options().pop().unwrap();
        assert_eq!(blocks, ("blocks", expected.to_owned()), "{options}");
    }
}
