//! The end of a tournament: exit statuses, which games count, and the content of the result files.

use crate::support::place::{FIRST, ILLEGAL, LAST, Place, cup, games, tags};
use crate::support::{has, run};
use std::process::Command;

const TWO: [(&str, &str); 2] = [("ada", "builtin:random"), ("bea", "builtin:greedy")];

/// Gets ready once, in the test before the first game, and never again.
const ONCE: &str = "while read -r word rest; do case $word in start) test -e been && exit 3; : > been; echo ready ;; esac; done\n";

fn with_bad(place: &Place) -> [(&'static str, &'static str); 3] {
    place.write("bad/bot.sh", ILLEGAL);
    [TWO[0], TWO[1], ("bad", "sh bad/bot.sh")]
}

#[test]
fn expectations_and_strictness_decide_the_exit_status() {
    let place = Place::new();
    let config = cup("games = 4", "", &with_bad(&place));
    // A bot that forfeits all its games does not stop the others.
    let ran = place.ends(0, &config, "out", &[]);
    assert_eq!(place.journal("out").len(), 12);
    assert_eq!(ran.stdout.matches("forfeit illegal-move").count(), 8, "{ran:?}");
    for (strict, status) in [("--strict", 1), ("--strict=bad", 1), ("--strict=ada", 0)] {
        place.ends(status, &config, "out", &[strict]);
    }
    for (expect, status, word) in [
        ("bea = '>= 0.5'", 0, "yes"),
        ("bad = '== 0'", 0, "yes"),
        ("bad = '> 0'", 1, "no"),
        ("bea = '>= 0.5'\nbad = '>= 0.1'", 1, "no"),
    ] {
        let ran = place.ends(status, &format!("{config}[expect]\n{expect}\n"), "out", &[]);
        let line = expect.lines().last().unwrap().replace([' ', '\'', '='], "");
        let said = ran
            .stdout
            .lines()
            .any(|said| said.replace([' ', '='], "").starts_with(&*line) && said.ends_with(word));
        assert!(said, "{expect}: {ran:?}");
    }
    assert_eq!(place.journal("out").len(), 12, "nothing of this is another tournament");
}

#[test]
fn a_test_ends_with_its_verdict() {
    let place = Place::new();
    let [ada, bea, bad] = with_bad(&place);
    let test = |more: &str, bots: &[(&str, &str)]| {
        cup(
            "format = 'sprt'",
            &format!("[sprt]\nelo0 = 0\nelo1 = 300\nmodel = 'logistic'\n{more}"),
            bots,
        )
        .replace("[options]\nn = 4", "[options]\nn = 5")
    };
    let ran = place.ends(0, &test("max-pairs = 99", &[bea, bad]), "h1", &["--concurrency", "3"]);
    assert!(ran.stdout.contains("biased outwards"), "{ran:?}");
    // What was found stands there without being asked for, the hypotheses only if they are.
    let found = ran.stdout.lines().find(|line| line.starts_with("better: ")).unwrap();
    assert!(found.contains(" pairs; LLR ") && !ran.stdout.contains("superiority"), "{ran:?}");
    let ran = place.ends(0, &test("max-pairs = 99", &[bea, bad]), "h1", &["--explain"]);
    assert!(ran.stdout.contains("Verdict: H1 is accepted"), "{ran:?}");
    let end = ran.stdout.lines().last().unwrap();
    assert!(end.starts_with("bea against bad: ") && end.contains(" Elo (95 %: "), "{ran:?}");
    assert!(end.contains(", LLR ") && end.contains("likelihood of superiority"), "{ran:?}");
    let said = place.ends(0, &test("max-pairs = 99", &[bea, bad]), "h1", &["--json"]).stdout;
    let end: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!((&end["type"], &end["bot"]), (&"match".into(), &"bea".into()), "{end}");
    assert_eq!(end["sprt"]["verdict"], "H1", "{end}");
    assert!(end["high"].is_null() && end["low"].is_number(), "every game was won: {end}");
    place.ends(1, &test("max-pairs = 99", &[bad, bea]), "h0", &[]);
    place.ends(4, &test("max-pairs = 2", &[ada, ("eva", "builtin:random")]), "open", &[]);
    for (out, verdict) in [("h1", "H1"), ("h0", "H0"), ("open", "undecided")] {
        let table: serde_json::Value =
            serde_json::from_str(&place.text(&format!("{out}/standings.json"))).unwrap();
        assert_eq!(table["sprt"]["verdict"], verdict, "{table}");
    }
    assert_eq!(place.journal("open").len(), 4);
}

#[test]
fn too_many_forfeits_end_it_at_the_same_game_whatever_the_concurrency() {
    let place = Place::new();
    let [ada, bea, bad] = with_bad(&place);
    let config =
        cup("games = 4\nstop-after-forfeits = 3", "", &[ada, bea, bad, ("eva", "builtin:random")]);
    let ran = place.ends(0, &config, "one", &["--concurrency", "1"]);
    assert!(ran.stdout.contains("ended early: bad has reached the number of forfeits"), "{ran:?}");
    place.ends(0, &config, "eight", &["--concurrency", "8"]);
    assert_eq!(place.results("one"), place.results("eight"));
    let log = place.text("one/games.pgn");
    assert_eq!(tags(&log, "GameId").last(), Some(&"bad~bea.3"), "in the order of the schedule");
    assert_eq!(log.matches("[Outcome \"forfeit\"]").count(), 3);
    assert!(place.journal("eight").len() >= place.journal("one").len());
    place.ends(0, &config, "one", &["--concurrency", "8"]); // nothing more is played
    assert_eq!(place.results("one"), place.results("eight"));
}

#[test]
fn both_bots_lose_a_game_that_neither_starts() {
    let place = Place::new();
    place.write("x/bot.sh", ONCE);
    place.write("y/bot.sh", ONCE);
    let once = [("xeno", "sh x/bot.sh"), ("yago", "sh y/bot.sh")];
    let [xeno, yago] = once;
    let config = cup("games = 2", "", &[xeno, yago, TWO[1]]);
    let ran = place.ends(0, &config, "out", &["--concurrency", "2"]);
    let journal = place.journal("out");
    assert!(
        journal.iter().all(|game| game.1 == 1 && !game.2),
        "none is aborted or played again: {journal:?}"
    );
    assert_eq!(journal.len(), 6, "{journal:?}");
    let table: serde_json::Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    assert_eq!(table["complete"], true, "{table}");
    for bot in table["bots"].as_array().unwrap() {
        let lost = if bot["name"] == "bea" { 0 } else { 4 };
        assert_eq!(
            (&bot["games"], &bot["losses"], &bot["forfeits"]),
            (&4.into(), &lost.into(), &lost.into())
        );
    }
    let log = place.text("out/games.pgn");
    assert_eq!(log.matches("[Result \"*\"]\n").count(), 2, "{log}");
    assert_eq!(log.matches("[Outcome \"forfeit\"]").count(), 6, "{log}");
    let verified = run(&["verify", place.path("out/games.pgn").to_str().unwrap()]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    let counted = run(&["standings", place.path("out/games.pgn").to_str().unwrap()]).stdout;
    let xeno = counted.lines().find(|line| line.contains(" xeno ")).unwrap();
    assert_eq!(
        xeno.split_whitespace().skip(1).take(3).collect::<Vec<_>>(),
        ["xeno", "0.0", "4"],
        "{counted}"
    );
    assert!(
        place.text("out/feedback/xeno.md").contains("Lost by forfeit, no-start: 4 games"),
        "{ran:?}"
    );
    // They do not start any more; the organiser named them, so this is the organiser's error.
    let before = place.results("out");
    let ran = place.ends(2, &config, "out", &["--strict=xeno"]);
    assert!(ran.stderr.contains("xeno: ") && ran.stderr.contains("yago: "), "{ran:?}");
    let again = || ["x/been", "y/been"].map(|been| std::fs::remove_file(place.path(been)).unwrap());
    again();
    place.ends(1, &config, "out", &["--strict=xeno"]);
    again();
    place.ends(0, &config, "out", &["--strict=bea"]);
    assert_eq!(place.results("out"), before);
    let expecting = |line: &str| format!("{config}[expect]\n{line}\n");
    again();
    place.ends(0, &expecting("xeno = '< 0.4'"), "out", &[]);
    again();
    place.ends(1, &expecting("xeno = '> 0.9'"), "out", &[]);
    again();
    let ran = place.ends(3, &cup("games = 2", "", &once), "none", &[]);
    assert!(ran.stderr.contains("no game began"), "{ran:?}");
    assert_eq!(place.journal("none").len(), 2);
}

#[test]
fn neither_goes_on_in_a_knockout_where_neither_starts() {
    let place = Place::new();
    place.write("x/bot.sh", ONCE);
    place.write("y/bot.sh", ONCE);
    let [ada, bea] = TWO;
    let bots = [("xeno", "sh x/bot.sh"), ada, bea, ("yago", "sh y/bot.sh")];
    let ran = place.ends(0, &cup("format = 'knockout'\nbest-of = 2", "", &bots), "out", &[]);
    assert!(
        ran.stdout.contains("round 1: neither xeno nor yago started, so both are out"),
        "{ran:?}"
    );
    assert!(
        ran.stdout.contains(" has won the knockout") && !ran.stdout.contains("INCOMPLETE"),
        "{ran:?}"
    );
    assert!(
        place
            .journal("out")
            .iter()
            .all(|game| !["ada~xeno", "bea~yago"].iter().any(|id| game.0.starts_with(id)))
    );
}

/// Rules under which a game fails when its last square is taken first.
const FAILING: &str = "sides = 'XO'
def start(): return [['.'] * 3, ['.'] * 3], 'X'
def moves(board, side): return [(row, column) for row in range(2) for column in range(3) if board[row][column] == '.']
def play(board, side, move):
    if move == (1, 2): raise ValueError('the last square')
    board[move[0]][move[1]] = side
    return board, 'O' if side == 'X' else 'X'
def ending(board, side): return ('X', 'full') if board[1][1] != '.' else None
";

#[test]
fn an_aborted_game_advances_nobody_and_stops_the_knockout() {
    let place = Place::new();
    place.write("failing.py", FAILING);
    place.write("last/bot.py", LAST);
    place.write("first/bot.sh", FIRST);
    let first = "sh first/bot.sh";
    let bots = [("last", "python3 last/bot.py"), ("ada", first), ("bea", first), ("zed", first)];
    let bots: String = bots
        .iter()
        .map(|(name, command)| format!("[[bot]]\nname = '{name}'\ncommand = '{command}'\n"))
        .collect();
    let config = format!(
        "game = './failing.py'\n[schedule]\nformat = 'knockout'\nbest-of = 2\nopening-plies = 0\n[limits]\nsandbox = 'basic'\n{bots}"
    );
    let ran = place.ends(3, &config, "out", &[]);
    let stopped = "round 1: WARNING: a game of last and zed stays aborted, so nobody advances";
    assert!(ran.stdout.contains(stopped) && ran.stdout.contains("INCOMPLETE"), "{ran:?}");
    assert!(!ran.stdout.contains("better seed") && !ran.stdout.contains("has won"), "{ran:?}");
    let of_round_two = ["ada~last", "bea~last", "ada~zed", "bea~zed"];
    assert!(
        place
            .journal("out")
            .iter()
            .all(|game| !of_round_two.iter().any(|id| game.0.starts_with(id)))
    );
}

#[test]
fn what_is_written_can_be_read() {
    let place = Place::new();
    let config = cup("games = 2", "", &with_bad(&place));
    place.write("summary.md", "# before\n");
    let summary = place.path("summary.md");
    let output = place
        .command(&config, "out", &["--json"])
        .env("GITHUB_STEP_SUMMARY", &summary)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let fields = "type v id game white black result winner outcome termination plies detail";
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 6, "{text}");
    for line in text.lines() {
        let game: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
        let missing: Vec<&str> =
            fields.split(' ').filter(|field| !game.contains_key(*field)).collect();
        assert!(missing.is_empty(), "{missing:?} {line}");
        assert_eq!(
            (&game["type"], &game["v"], &game["game"]),
            (&"game".into(), &1.into(), &"lineup".into())
        );
        assert_eq!(game["outcome"] == "forfeit", game["detail"].is_string(), "{line}");
    }
    let page = place.text("out/standings.md");
    assert_eq!(place.text("summary.md"), format!("# before\n{page}"));

    let log = place.path("out/games.pgn").display().to_string();
    let verified = run(&["verify", &log]);
    assert_eq!((verified.status, verified.stdout), (Some(0), format!("{log}: 6 games, valid\n")));
    let ran = place.ends(0, &config, "out", &[]);
    let out = place.path("out").display().to_string();
    assert_eq!(run(&["standings", &out]).stdout.trim(), ran.stdout.trim(), "the table of the run");
    let explained = place.ends(0, &config, "out", &["--explain"]).stdout;
    assert_eq!(run(&["standings", &out, "--explain"]).stdout.trim(), explained.trim());
    assert!(
        !ran.stdout.contains("\nRanked by") && explained.contains("\nRanked by"),
        "{explained}"
    );
    let by_rating = run(&["standings", &out, "--sort", "rating"]).stdout;
    let mut lines: [Vec<&str>; 2] = [&by_rating, &ran.stdout].map(|text| text.lines().collect());
    for lines in &mut lines {
        lines.sort_unstable();
    }
    assert_eq!(lines[0].len(), lines[1].len(), "{by_rating}");
    assert_eq!(run(&["standings", &out, "--format", "markdown"]).stdout, page);
    assert_eq!(
        run(&["standings", &out, "--format", "json"]).stdout.trim(),
        place.text("out/standings.json").trim()
    );
    let shown = run(&["standings", &log]).stdout;
    for name in ["ada", "bea", "bad"] {
        let row = |text: &str| {
            let line = text.lines().find(|line| line.split_ascii_whitespace().nth(1) == Some(name));
            let words =
                line.unwrap_or_else(|| panic!("no row of {name}: {text}")).split_ascii_whitespace();
            words.take(9).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(row(&shown), row(&ran.stdout), "points and counts");
    }
    let junit = run(&["standings", "--format", "junit", &log]);
    assert_eq!(junit.status, Some(0), "{junit:?}");
    place.write("again.xml", &junit.stdout);
    place.ends(0, &format!("{config}[publish]\njunit = 'games'\n"), "games", &[]);
    let table: serde_json::Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    assert_eq!(
        (&table["type"], &table["complete"]),
        (&"standings".into(), &true.into()),
        "{table}"
    );
    assert_eq!(table["options"], "n=4 s=3 blocks=none", "{table}");
    if has("python3", "that junit.xml can be read by another parser") {
        let read = "import sys, xml.etree.ElementTree as tree\n\
            for file in sys.argv[1:]:\n    root = tree.parse(file).getroot()\n    \
            print(root.tag, len(root.findall('.//testcase')), len(root.findall('.//failure')))";
        let files = ["out/junit.xml", "again.xml", "games/junit.xml"].map(|file| place.path(file));
        let parsed = Command::new("python3").args(["-c", read]).args(files).output().unwrap();
        let parsed = String::from_utf8_lossy(&parsed.stdout).into_owned();
        assert_eq!(parsed, "testsuites 3 1\ntestsuites 3 1\ntestsuites 6 4\n");
    }
}

#[test]
fn one_game_a_meeting_and_many_rounds() {
    let place = Place::new();
    place.write("first/bot.sh", FIRST);
    let config = cup("games = 1\nrounds = 3", "", &[TWO[0], TWO[1], ("cid", "sh first/bot.sh")]);
    place.ends(0, &config, "out", &[]);
    let log = place.text("out/games.pgn");
    assert_eq!(games(&log).len(), 9);
    assert!(tags(&log, "Pair").is_empty(), "a single game has no pair");
    assert_eq!(tags(&log, "GameId")[..4], ["bea~cid.1", "ada~bea.1", "ada~cid.1", "bea~cid.2"]);
    assert_ne!(tags(&log, "White")[0], tags(&log, "White")[3], "sides alternate over the rounds");
}

/// The sides take numbers by turns; whose numbers have the larger sum wins by the difference.
const SUMS: &str = r#"
sides = "XO"
def start(): return ["....."], "X"
def moves(board, side): return [(0, at) for at in range(5) if board[0][at] == "."]
def play(board, side, move):
    board[0][move[1]] = side
    return board, "O" if side == "X" else "X"
def ending(board, side):
    if "." in board[0]: return None
    lead = sum(at + 0.5 if piece == "X" else -at - 0.5 for at, piece in enumerate(board[0]))
    return "X" if lead > 0 else "O", "larger-sum", abs(lead)
"#;

#[test]
fn the_margins_of_a_custom_game_are_logged_and_break_ties() {
    if !has("python3", "rules in Python") {
        return;
    }
    let place = Place::new();
    place.write("sums.py", SUMS);
    let bots = ["ada", "bea", "cal"].map(|name| (name, "builtin:random"));
    let config = cup("games = 6\ntie-break = 'margin'", "", &bots)
        .replace("'lineup'\n[options]\nn = 4\ns = 3", "'sums.py'")
        .replace("opening-plies = 2", "opening-plies = 0");
    place.ends(0, &config, "out", &[]);
    let out = place.path("out");
    let rules = place.path("sums.py");
    let rules = ["--rules", rules.to_str().unwrap()];
    let ran = run(&[&["standings", out.to_str().unwrap(), "--verify"], &rules[..]].concat());
    assert!(ran.status == Some(0), "{ran:?}");
    let table: serde_json::Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    assert_eq!(table["order"][1], "margin");
    let bots = table["bots"].as_array().unwrap();
    let figure = |value: &serde_json::Value| (2.0 * value.as_f64().unwrap()) as i64;
    let keys = bots.iter().map(|bot| {
        (
            figure(&bot["points"]),
            figure(&bot["tie_breaks"]["margin"]),
            bot["name"].as_str().unwrap(),
        )
    });
    let keys: Vec<_> = keys.collect();
    assert!(keys.is_sorted_by_key(|&(points, margin, _)| (-points, -margin)), "{keys:?}");
    let log = place.text("out/games.pgn");
    for (_, margin, name) in keys {
        let mut sum = 0;
        for game in arbiter::record::read_log(log.as_bytes()) {
            let game = game.unwrap();
            let lead = game.margin.unwrap().hundredths() / 50;
            let winner = game.outcome.winner().unwrap();
            if game.players[winner] == name {
                sum += lead;
            } else if game.players[!winner] == name {
                sum -= lead;
            }
        }
        assert_eq!(sum, margin, "{name}");
    }
    let played = run(&["play", rules[1], "builtin:random", "builtin:random", "-n", "1"]);
    let won = played.stdout.lines().find(|line| line.contains("  win by ")).unwrap_or_default();
    assert!(won.contains(" (larger-sum)  "), "{played:?}");
    let json = run(&["play", rules[1], "builtin:random", "builtin:random", "-n", "1", "--json"]);
    let line = json.stdout.lines().next().unwrap_or_default();
    let game: serde_json::Value = serde_json::from_str(line).unwrap();
    assert!(game["margin"].as_f64().is_some_and(|margin| margin > 0.0), "{json:?}");
    let at = log.find("[Margin \"").unwrap() + "[Margin \"".len();
    place.write("forged.pgn", &format!("{}9{}", &log[..at], &log[at..]));
    let forged = place.path("forged.pgn");
    let ran = run(&[&["verify", forged.to_str().unwrap()], &rules[..]].concat());
    assert!(
        ran.status == Some(1) && format!("{ran:?}").contains("the log says the margin 9"),
        "{ran:?}"
    );
}
