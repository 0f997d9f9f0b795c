use super::{BUILT_IN, PartKind, built_in, parse};
use proptest::prelude::*;
use std::time::Duration;

const GEKITAI: &str =
    "game = 'gekitai'\nfiles = ['gekitai.cpp']\ncompile = 'g++'\nboards = [{n=6, p=8, l=3}]\n";
const LOA: &str = "game = 'loa'\nfiles = ['a.cpp', 'b.cpp']\ncompile = 'g++'\n";
const FLIPFLOP: &str = "game = 'flipflop'\nfiles = ['a.cpp']\ncompile = 'g++'\nboards = [{n=8}]\n";
const LINEUP: &str =
    "game = 'lineup'\nfiles = ['a.py']\ncommand = './a.py'\nboards = [{n=5, s=4}]\n";
const GAMES_PART: &str = "[[part]]\nkind = 'games'\npoints = 5\n";
const TABLE: &str = "[console]\nmove = '(?<text>..)'\n";
const PART: &str = "[[part]]\nkind = 'globals'\npoints = 5\n";

#[test]
fn the_built_in_assignments_are_right() {
    for (name, text) in BUILT_IN {
        let assignment =
            parse(text, name).unwrap_or_else(|errors| panic!("{}", errors.display(name)));
        assert_eq!(
            (assignment.most(), assignment.game.name(), &*assignment.name),
            (100.0, name, name)
        );
        let seconds = if name == "lineup" { 5 } else { 2 };
        assert_eq!(assignment.time, Duration::from_secs(seconds));
        assert!(text.lines().all(|line| line.chars().count() <= 130), "{name}");
        let heading = format!("--print-default {name} ");
        assert!(
            text.replace("\n# ", " ").contains(&heading),
            "{name}: the heading tells the command"
        );
    }
    let loa = parse(built_in("loa").unwrap(), "loa").unwrap();
    let names: Vec<_> = loa.parts.iter().map(|part| &*part.name).collect();
    let expected = [
        "builds LinesOfAction",
        "builds gameplay",
        "globals LinesOfAction",
        "globals gameplay",
        "class",
        "client",
    ];
    assert_eq!(names, expected);
}

/// Each default is used where a file says nothing.
#[test]
fn defaults() {
    let file = format!(
        "{GEKITAI}[[part]]\nkind = 'builds'\npoints = 5\n[[part]]\nkind = 'program'\npoints = 1.5\n"
    );
    let assignment = parse(&file, "mine").unwrap();
    assert_eq!(assignment.time, Duration::from_secs(2));
    assert!(
        assignment.same.is_empty()
            && assignment.provided.is_empty()
            && assignment.constants.is_empty()
    );
    assert_eq!(
        assignment.parts[0].kind,
        PartKind::Builds { points: 5.0, each_warning: 0.0, at_least: 0.0, only_visual_studio: 0.0 }
    );
    let PartKind::Program { points, text, weights } = &assignment.parts[1].kind else {
        panic!("no program")
    };
    assert_eq!((*points, *text, weights["both lines"]), (1.5, 0.2, 5.0));
}

/// Classes of cases that a file does not name have their default weights.
#[test]
fn weights_that_are_not_named_are_the_defaults() {
    let file = format!(
        "{GEKITAI}[[part]]\nkind = 'functions'\npoints.move = 1\nweights.move.'several pushes' = \
         0\n"
    );
    let assignment = parse(&file, "mine").unwrap();
    let PartKind::Functions { weights, .. } = &assignment.parts[0].kind else {
        panic!("no functions")
    };
    let moves = &weights["move"];
    assert_eq!((moves["several pushes"], moves["pushes that are blocked"]), (0.0, 6.0));
}

fn gekitai(rest: &str) -> String {
    format!("{GEKITAI}{rest}")
}

fn part(rest: &str) -> String {
    format!("{GEKITAI}[[part]]\n{rest}")
}

/// Files, each with the line of its only error, and words of the message.
fn assert_refused(rows: &[(String, usize, &str)]) {
    let mut wrong = Vec::new();
    for (text, line, words) in rows {
        let found: Vec<(usize, String)> = match parse(text, "mine") {
            Ok(_) => Vec::new(),
            Err(errors) => {
                errors.errors().iter().map(|error| (error.line, error.message.clone())).collect()
            }
        };
        if !matches!(found.as_slice(), [(at, message)] if at == line && message.contains(words)) {
            wrong.push(format!("{text}\nexpected {line}: {words}\nfound {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn mistakes_are_refused() {
    let loa = |rest: &str| format!("{LOA}{rest}");
    let flipflop = |rest: &str| format!("{FLIPFLOP}{rest}");
    let lineup = |rest: &str| format!("{LINEUP}{rest}");
    assert_refused(&[
        (format!("gmae = 'x'\n{}", gekitai(PART)), 1, "unknown key `gmae`; did you mean `game`?"),
        (format!("game = 'gekitay'\n{}{PART}", &GEKITAI[17..]), 1, "did you mean \"gekitai\"?"),
        (lineup(PART), 6, "write \"games\", with `command`"),
        (lineup(&GAMES_PART.replace("games", "game")), 6, "did you mean \"games\"?"),
        (lineup(GAMES_PART).replace("command", "compile"), 6, "a program that `command` starts"),
        (lineup(GAMES_PART).replace("s=4", "l=4"), 4, "option `l`"),
        (lineup(&format!("adapter = 'a.py'\n{GAMES_PART}{TABLE}")), 5, "leave one of them out"),
        (lineup(&format!("{GAMES_PART}[console]")), 8, "[console] needs `move`"),
        (gekitai(&format!("build = 'make'\n{PART}")), 5, "and gekitai has none"),
        (gekitai(GAMES_PART), 6, "marked in lineup alone"),
        (gekitai(""), 1, "there is nothing to earn"),
        (gekitai(&PART.replace('5', "-1")), 7, "from 0 to 10000"),
        (gekitai(&PART.replace('5', "nan")), 7, "from 0 to 10000"),
        (gekitai(&PART.replace("globals", "global")), 6, "did you mean \"globals\"?"),
        (gekitai(&format!("{PART}{PART}")), 8, "two parts are called `globals`"),
        (gekitai(&format!("{PART}files = ['gekita.cpp']")), 8, "did you mean `gekitai.cpp`?"),
        (gekitai(&format!("{PART}text = 0.5")), 8, "a part of kind \"globals\" has no such key"),
        (gekitai(&format!("{PART}pionts = 1")), 8, "did you mean `points`?"),
        (
            gekitai(&format!("command = './x'\n{PART}")),
            5,
            "`compile` and `command` do not go together",
        ),
        (gekitai(PART).replace("compile = 'g++'", ""), 1, "the file needs `compile`"),
        (gekitai(PART).replace("compile", "command"), 6, "only \"program\" can be marked"),
        (gekitai(PART).replace("'g++'", "'g++ \"x'"), 3, "a quote in it is not closed"),
        (gekitai(PART).replace("['gekitai.cpp']", "[]"), 2, "the list is empty"),
        (gekitai(PART).replace("gekitai.cpp", "../x.cpp"), 2, "`../x.cpp` is no name of a file"),
        (gekitai(PART).replace("'gekitai.cpp'", "'a.cpp', 'A.cpp'"), 2, "`A.cpp` is there twice"),
        (gekitai(PART).replace("n=6", "n=4"), 4, "option `n` cannot be `4`"),
        (gekitai(PART).replace("l=3}", "l=3}, {n=6, p=8, l=3}"), 4, "this board is there twice"),
        (
            gekitai(PART).replace("l=3}", "l=3}, {n=6, p=7, l=3}"),
            4,
            "[constants] needs the name of that constant, such as p = \"P\"",
        ),
        (gekitai(PART).replace("n=6, ", ""), 4, "[[boards]] needs `n`"),
        (gekitai(PART).replace("boards = [{n=6, p=8, l=3}]", ""), 1, "the file needs `boards`"),
        (gekitai(&format!("constants = {{n = '6'}}\n{PART}")), 5, "write the name of a constant"),
        (gekitai(&format!("constants = {{m = 'M'}}\n{PART}")), 5, "unknown key `m` in [constants]"),
        (gekitai(&format!("same = [['a']]\n{PART}")), 5, "at least two texts"),
        (gekitai(&format!("time = 2\n{PART}")), 5, "a number and a unit"),
        (gekitai(&format!("time = '0s'\n{PART}")), 5, "more than 0"),
        (loa(&format!("boards = [{{n=8}}]\n{PART}")), 4, "loa has one board"),
        (
            loa("[[part]]\nkind = 'functions'\npoints = {print = 1}\n"),
            6,
            "no such function; known are LinesOfAction, printGame",
        ),
        (
            flipflop("[[part]]\nkind = 'program'\npoints = 5\n"),
            6,
            "flipflop has no part \"program\"",
        ),
        (flipflop(&format!("constants = {{n = 'N'}}\n{PART}")), 5, "leave [constants] out"),
        (flipflop(PART).replace("n=8", "n=9"), 4, "an even number, 8 to 24"),
        (flipflop(PART).replace("n=8", "n=8, l=3"), 4, "option `l`"),
    ]);
}

#[test]
fn mistakes_in_parts_and_requirements_are_refused() {
    assert_refused(&[
        (
            part("kind = 'builds'\npoints = 5\neach-warning = 1\n"),
            8,
            "a negative number such as -1",
        ),
        (part("kind = 'builds'\npoints = 5\nonly-visual-studio = 2\n"), 8, "or a negative number"),
        (gekitai(&format!("{PART}[stand-ins]\n'../x.h' = ''")), 9, "without its folder"),
        (
            gekitai(&format!("{PART}[[requirement]]\nkind = 'contact'\npoints = 3")),
            10,
            "0 for a remark, or a negative number such as -3",
        ),
        (
            gekitai(&format!("{PART}[[requirement]]\nkind = 'comment'")),
            9,
            "did you mean \"comments\"?",
        ),
        (
            gekitai(&format!("{PART}[[requirement]]\nkind = 'without'")),
            8,
            "such as names = [\"vector<\"]",
        ),
        (
            gekitai(&format!("{PART}[[requirement]]\nkind = 'called'\nexcept = ['move']")),
            10,
            "a requirement of kind \"called\" has no such key",
        ),
        (
            gekitai(&format!("{PART}[[requirement]]\nkind = 'comments'\nfiles = ['x.cpp']")),
            10,
            "`x.cpp` is none of the `files`",
        ),
        (
            part("kind = 'builds'\npoints = 5\nat-least = 6\n"),
            8,
            "`at-least` = 6 is more than the 5 `points`",
        ),
        (part("kind = 'functions'\npoints = 5\n"), 7, "such as { is_valid_move = 8 }"),
        (part("kind = 'functions'\npoints = {}\n"), 7, "such as { is_valid_move = 8 }"),
        (part("kind = 'functions'\npoints = {mvoe = 5}\n"), 7, "did you mean `move`?"),
        (part("kind = 'functions'\npoints = {move = -5}\n"), 7, "from 0 to 10000"),
        (part("kind = 'program'\npoints = 5\ntext = 1.1\n"), 8, "a share from 0 to 1"),
        (
            part("kind = 'program'\npoints = 5\nweights = { suicde = 2 }\n"),
            8,
            "there is no such class of cases; did you mean `suicide`?",
        ),
        (
            part("kind = 'program'\npoints = 5\nweights = { suicide = -1 }\n"),
            8,
            "a weight from 0 to 1000",
        ),
        (
            part("kind = 'functions'\npoints = {move = 5}\nweights = { mvoe = { a = 1 } }\n"),
            8,
            "did you mean `move`?",
        ),
        (
            part("kind = 'functions'\npoints = {move = 5}\nweights.move = { 'pushes upp' = 1 }\n"),
            8,
            "did you mean `pushes up`?",
        ),
    ]);
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(64)
    })]

    /// Each line of a default left out, or replaced by another text, is read or refused, and
    /// nothing panics.
    #[test]
    fn nothing_panics(at in 0..40usize, which in 0..4usize, other in "\\PC{0,20}") {
        let mut lines: Vec<_> = BUILT_IN[which].1.lines().collect();
        if at < lines.len() {
            lines[at] = &other;
        }
        let _ = parse(&lines.join("\n"), "mine");
        let _ = parse(&other, "mine");
    }
}
