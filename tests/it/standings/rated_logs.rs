//! The reference data of ratings (tests/vectors/ratings3.json) as game logs and as journals,
//! through `arbiter standings`.

use crate::support::{plays_all, project, run, sample};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;

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
        write!(self.text, "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n")
            .unwrap();
        if let Some(pair) = pair {
            writeln!(self.text, "[Pair \"{pair}\"]").unwrap();
        }
        write!(self.text, "\n{moves}{result}\n\n").unwrap();
    }
}

/// The log of a case. It begins with games that do not count, so that the bots appear in their
/// order.
fn log(case: &Value) -> String {
    let names: Vec<&str> =
        case["bots"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let mut log = Log { names, text: String::new() };
    for bot in 1..log.names.len() {
        log.game([bot - 1, bot], None, None);
    }
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
            for _ in 0..number(count) {
                log.game(sides, Some(half_points), None);
            }
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
            for (bots, half_points, moves) in games {
                log.game_of(bots, Some(half_points), pair, moves);
            }
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

/// Compares the tables of a case; returns how many bots and how many neighbours were compared.
#[track_caller]
fn compare(found: &Value, expect: &Value, id: &str) -> [usize; 2] {
    let (mut bots, mut differences) = (0, 0);
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
        let row =
            found["bots"].as_array().unwrap().iter().find(|bot| bot["name"] == expected["name"]);
        let rating = &row.unwrap()["rating"];
        assert_eq!(rating["group"], expected["group"], "{id}");
        for figure in ["rating", "low", "high", "half_width"] {
            agree(&rating[figure], &expected[figure], 0.01, &format!("{id}: {expected}"));
        }
        bots += 1;
    }
    // The log says which bots are neighbours by points; the reference has differences by rating, or
    // all.
    for two in found["neighbours"].as_array().unwrap() {
        let expected = expect["differences"].as_array().unwrap().iter();
        for expected in
            expected.filter(|other| [&other[0], &other[1]] == [&two["bot"], &two["below"]])
        {
            for (figure, column) in [("difference", 2), ("low", 3), ("high", 4)] {
                agree(&two[figure], &expected[column], 0.01, &format!("{id}: {expected}"));
            }
            agree(&two["superiority"], &expected[5], 1e-5, id);
            differences += 1;
        }
    }
    [bots, differences]
}

#[test]
fn standings_of_logs_have_the_ratings_of_the_definitions() {
    let place = tempfile::tempdir().unwrap();
    let (mut bots, mut differences) = (0, 0);
    for case in vectors() {
        let id = case["id"].as_str().unwrap();
        // Its ratings are computed in src/rank/tests, too, without so long a log.
        if id == "million" && !plays_all() {
            continue;
        }
        if ["pairs", "singles", "copies"]
            .iter()
            .all(|games| case[*games].as_array().unwrap().is_empty())
        {
            continue;
        }
        let path = place.path().join(format!("{id}.pgn"));
        std::fs::write(&path, log(&case)).unwrap();
        let swiss = case["swiss"].as_bool().unwrap().then_some("--swiss");
        // Bare logs do not show which side moved first.
        let args =
            ["standings", "--first-side", "estimate", "--format", "json", path.to_str().unwrap()];
        let ran = run(&args.into_iter().chain(swiss).collect::<Vec<_>>());
        assert_eq!(ran.status, Some(0), "{id}: {ran:?}");
        std::fs::remove_file(&path).unwrap();
        let counts = compare(&serde_json::from_str(&ran.stdout).unwrap(), &case["expect"], id);
        (bots, differences) = (bots + counts[0], differences + counts[1]);
    }
    assert_eq!(bots, if plays_all() { 122 } else { 120 });
    assert!(differences > 40, "{differences}");
}

/// Two bots and the indices of the results of their pairs.
type Pairing = ([usize; 2], Vec<usize>);

/// The number of pairs of each two bots with their results, if all of them met in so many pairs and
/// nothing else.
fn round_robin(case: &Value) -> Option<(usize, Vec<Pairing>)> {
    let list = |name: &str| case[name].as_array().unwrap();
    let bots = list("bots").len();
    let indices = |pair: &Value| {
        let counts = pair[2].as_array().unwrap().iter().enumerate();
        let indices =
            counts.flat_map(|(index, count)| std::iter::repeat_n(index, number(count))).collect();
        ([number(&pair[0]), number(&pair[1])], indices)
    };
    let pairs: Vec<Pairing> = list("pairs").iter().map(indices).collect();
    let each = pairs.first()?.1.len();
    let is_whole = pairs.len() == bots * (bots - 1) / 2
        && pairs.iter().all(|(_, indices)| indices.len() == each);
    (is_whole && each < 100 && list("singles").is_empty() && list("copies").is_empty())
        .then_some((each, pairs))
}

/// The line of a journal with the result of the case in the log of its game.
fn with_result(line: &str, names: &[&str], pairs: &[Pairing]) -> String {
    let mut line: Value = serde_json::from_str(line).unwrap();
    let Some(log) = line["entry"]["log"].as_str() else { return format!("{line}\n") };
    let tag = |name: &str| {
        let from = log.find(&format!("[{name} \"")).unwrap() + name.len() + 3;
        log[from..].split('"').next().unwrap()
    };
    let [white, black] =
        ["White", "Black"].map(|side| names.iter().position(|name| *name == tag(side)).unwrap());
    let (bots, indices) =
        pairs.iter().find(|(bots, _)| bots.contains(&white) && bots.contains(&black)).unwrap();
    let index = indices[tag("Pair").parse::<usize>().unwrap() - 1];
    let half_points = if white == bots[0] { index / 3 } else { 2 - index % 3 };
    let result = ["0-1", "1/2-1/2", "1-0"][half_points];
    let log = log.replace("1/2-1/2", result);
    let log = if half_points == 1 {
        log
    } else {
        log.replace("\"draw\"", "\"win\"").replace("\"max-plies\"", "\"resign\"")
    };
    line["entry"]["log"] = json!(log);
    let entry = line["entry"].to_string();
    let sum: String =
        Sha256::digest(&entry)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{{\"sum\":\"{sum}\",\"entry\":{entry}}}\n")
}

/// Plays a tournament of games of one ply.
fn play(folder: &Path, schedule: &str, names: &[&str]) {
    let bot = |name: &&str| format!("[[bot]]\nname = '{name}'\ncommand = 'builtin:random'\n");
    let bots: String = names.iter().map(bot).collect();
    let config = format!(
        "game = 'gekitai'\n[schedule]\n{schedule}\nopening-plies = 4\nseed = 1\n[match]\nmax-plies = 1\n\
         [limits]\nsandbox = 'off'\n{bots}"
    );
    std::fs::write(folder.join("cup.toml"), config).unwrap();
    let ran = run(&["tournament", folder.join("cup.toml").to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[test]
fn standings_of_journals_have_the_ratings_of_the_definitions() {
    let mut ids = Vec::new();
    let all = vectors().into_iter().filter_map(|case| Some((round_robin(&case)?, case)));
    for ((each, pairs), case) in sample(all, 3) {
        let id = case["id"].as_str().unwrap();
        let place = tempfile::tempdir().unwrap();
        let names: Vec<&str> =
            case["bots"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        play(place.path(), &format!("games = {}", 2 * each), &names);
        let journal = place.path().join("cup/journal.jsonl");
        let lines = std::fs::read_to_string(&journal).unwrap();
        let (head, games) = lines.split_once('\n').unwrap();
        let games: String = games.lines().map(|line| with_result(line, &names, &pairs)).collect();
        std::fs::write(&journal, format!("{head}\n{games}")).unwrap();
        let ran =
            run(&["standings", "--format", "json", place.path().join("cup").to_str().unwrap()]);
        assert_eq!(ran.status, Some(0), "{id}: {ran:?}");
        compare(&serde_json::from_str(&ran.stdout).unwrap(), &case["expect"], id);
        ids.push(id.to_owned());
    }
    assert!(ids.len() >= if plays_all() { 9 } else { 3 }, "{ids:?}");
}

#[test]
fn a_journal_knows_that_it_is_one_of_a_swiss() {
    let place = tempfile::tempdir().unwrap();
    play(place.path(), "format = 'swiss'\nrounds = 3", &["a", "b", "c", "d", "e", "f"]);
    let folder = place.path().join("cup");
    let [folder, games] =
        [folder.clone(), folder.join("games.pgn")].map(|path| path.to_str().unwrap().to_owned());
    let tables = [&["--format", "json", &folder][..], &["--format", "json", "--swiss", &games]]
        .map(|args| {
            let ran = run(&[&["standings"], args].concat());
            assert_eq!(ran.status, Some(0), "{ran:?}");
            serde_json::from_str::<Value>(&ran.stdout).unwrap()
        });
    for figure in ["kept", "first_side", "scatter", "fit"] {
        assert_eq!(tables[0][figure], tables[1][figure], "{figure}");
    }
    assert_eq!(tables[0]["kept"], json!([0.0]), "all games were drawn");
    let ran = run(&["standings", "--swiss", &folder]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--swiss: this result folder knows its format"), "{ran:?}");
}

/// Three bots of equal strength; `game` writes one of them, with its number, its winner, its loser
/// and whether the winner moved first.
fn of_equals(game: impl Fn(usize, &str, &str, bool) -> String) -> String {
    let names = ["a", "b", "c"];
    let mut text = String::new();
    for number in 0..120 {
        let one = names[number / 2 % 3];
        let other = names[(number / 2 + 1) % 3];
        // Of the two games of a round each bot moves first in one, and wins one or both.
        let [first, second] = if number % 2 == 0 { [one, other] } else { [other, one] };
        let is_first_winner = number / 6 % 2 == number / 3 % 2;
        let [winner, loser] = if is_first_winner { [first, second] } else { [second, first] };
        text += &game(number, winner, loser, is_first_winner);
    }
    text
}

/// The game of a log that names this side first.
fn game_of(tags: &str, white: &str, black: &str, is_won: bool) -> String {
    let result = if is_won { "1-0" } else { "0-1" };
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n{tags}\n{result}\n\n")
}

#[test]
fn logs_that_name_the_winner_first_give_the_first_side_no_advantage() {
    let place = tempfile::tempdir().unwrap();
    let table = |log: &str, args: &[&str]| -> Value {
        let path = place.path().join("games.pgn");
        std::fs::write(&path, log).unwrap();
        let all = [&["standings", "--format", "json"], args, &[path.to_str().unwrap()]].concat();
        let ran = run(&all);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let reason = |table: &Value| table["first_side"]["reason"].clone();
    let says = |table: &Value| table["notes"].to_string().contains("--first-side estimate");

    let winners = of_equals(|_, winner, loser, _| game_of("", winner, loser, true));
    let left_out = table(&winners, &[]);
    assert_eq!(left_out["first_side"]["advantage"], Value::Null);
    assert_eq!((reason(&left_out), says(&left_out)), (json!("left-out"), true));
    // As it was: hundreds of Elo for White, and wide intervals of all bots.
    let estimated = table(&winners, &["--first-side", "estimate"]);
    assert!(estimated["first_side"]["advantage"].as_f64().unwrap() > 300.0, "{estimated}");
    assert!(!says(&estimated));
    let width = |table: &Value| table["bots"][0]["rating"]["half_width"].as_f64().unwrap();
    assert!(
        width(&estimated) > 1.3 * width(&left_out),
        "{} {}",
        width(&estimated),
        width(&left_out)
    );

    // A size that no game has, or a game that is not one of arbiter, shows nothing.
    for tags in
        ["[Game \"gekitai\"]\n[Options \"board=99\"]\n", "[Game \"gomoku\"]\n[Round \"1\"]\n"]
    {
        let log = of_equals(|_, winner, loser, _| game_of(tags, winner, loser, true));
        assert_eq!(reason(&table(&log, &[])), "left-out", "{tags}");
    }
    // What shows it: a start position, pairs, a game of arbiter, rounds with sides exchanged.
    let real = |tags: &dyn Fn(usize) -> String| {
        of_equals(|number, winner, loser, is_first_winner| {
            let [white, black] = if is_first_winner { [winner, loser] } else { [loser, winner] };
            game_of(&tags(number), white, black, is_first_winner)
        })
    };
    let logs = [
        real(&|_| "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n".to_owned()),
        real(&|number| format!("[Pair \"{}\"]\n", number / 2)),
        real(&|_| "[Game \"gekitai\"]\n[Options \"\"]\n".to_owned()),
        real(&|number| format!("[Round \"{}\"]\n", number / 2 + 1)),
        real(&|number| format!("[Round \"{}.{}\"]\n", number / 2 + 1, number % 2 + 1)),
    ];
    for (at, log) in logs.iter().enumerate() {
        let found = table(log, &[]);
        assert_eq!((reason(&found), says(&found)), (Value::Null, false), "{at}");
        let by_hand = table(log, &["--first-side", "leave-out"]);
        assert_eq!((reason(&by_hand), says(&by_hand)), (json!("left-out"), false), "{at}");
    }
}
