//! `arbiter try` as an author uses it, with real processes: the verdict and its exit status, going
//! on after any end, a bot that is changed between two calls, and a folder of opponents.

use crate::support::place::{FIRST, ILLEGAL, LAST, Place, WAITS, signal, tags};
use crate::support::tmux::Terminal;
use crate::support::{Ran, arbiter, interrupt, wait_for};
use std::fs;
use std::process::{Child, Command, Stdio};

/// Answers the ply in the middle of the list.
const MIDDLE: &str = "import sys\nmoves = []\nfor line in sys.stdin:\n    word, *rest = line.split() or ['']\n    \
    if word == 'start': print('ready reuse', flush=True)\n    elif word == 'moves': moves = rest\n    \
    elif word == 'go': print('move', moves[len(moves) // 2], flush=True)\n";

/// Small games with limits that no healthy bot reaches on any machine.
const GAME: [&str; 9] =
    ["lineup", "--set", "n=4", "--set", "s=3", "--move-time", "120s", "--start", "120s"];

/// A test in which few pairs decide.
const SHORT: [&str; 4] = ["--elo1", "150", "--max-pairs", "20"];

/// The command `try` in the folder of the place.
fn command(place: &Place, words: &[&str]) -> Command {
    let mut command = arbiter(&["try"]);
    command
        .args([&GAME[..], words].concat())
        .current_dir(place.path(""))
        .env_remove("GITHUB_STEP_SUMMARY");
    command
}

fn tries(place: &Place, status: i32, words: &[&str]) -> Ran {
    let ran: Ran = command(place, words).output().unwrap().into();
    assert_eq!(ran.status, Some(status), "{words:?}: {ran:?}");
    ran
}

/// Starts a try and does not wait for it; its stderr goes to `err.txt`.
fn start(place: &Place, words: &[&str]) -> Child {
    let errors = fs::File::create(place.path("err.txt")).unwrap();
    command(place, words).stdout(Stdio::null()).stderr(errors).spawn().unwrap()
}

/// Writes a bot with a folder of its own.
fn bot(place: &Place, dir: &str, script: &str) {
    place.write(&format!("{dir}/bot.py"), script);
    place.write(&format!("{dir}/bot.toml"), "command = \"python3 bot.py\"\n");
}

fn result(ran: &Ran) -> &str {
    ran.stdout.lines().next().unwrap_or_default()
}

#[test]
fn words_and_exit_status_say_what_was_found() {
    let place = Place::new();
    bot(&place, "first", FIRST_PLY);
    bot(&place, "last", LAST);
    place.write("bad.sh", ILLEGAL);
    let ran = tries(&place, 0, &[&["last", "sh bad.sh"], &SHORT[..]].concat());
    assert!(
        result(&ran).starts_with("better: at least +") && result(&ran).ends_with(" pairs"),
        "{ran:?}"
    );
    assert_eq!(ran.stdout.matches("biased outwards").count(), 1, "{ran:?}");
    assert!(
        ran.stderr.contains("forfeit illegal-move") && !ran.stdout.contains("forfeit"),
        "{ran:?}"
    );
    let ran = tries(&place, 1, &[&["sh bad.sh", "last", "--name", "worse"], &SHORT[..]].concat());
    assert!(
        result(&ran).starts_with("not better by 150 normalized Elo or more: at most -"),
        "{ran:?}"
    );
    assert!(place.path("try-lineup-worse/journal.jsonl").is_file());
    let ran = tries(&place, 4, &["first", "last", "--max-pairs", "2"]);
    assert!(result(&ran).starts_with("undecided after 2 pairs: "), "{ran:?}");
    assert!(!ran.stdout.contains("biased"), "{ran:?}");
    // One object: that of a match.
    let ran = tries(&place, 4, &["first", "last", "--max-pairs", "2", "--json"]);
    let end: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&end["type"], &end["sprt"]["verdict"]),
        (&"match".into(), &"undecided".into()),
        "{end}"
    );
    // What is not a question for this command.
    for (words, why) in [
        (&["first", "last", "--elo0", "30"][..], "`elo1` must be above `elo0`"),
        (&["first", "last", "-n", "20"], "--games: last is one bot"),
        (&["first", "last", "-n", "3"], "an even number"),
        (&["first", "human"], "a person can play in `arbiter play`"),
        (&["first", "try-lineup-first"], "neither a bot nor a folder of bots"),
        (&["first", "last", "--opening-plies", "0"], "needs openings"),
    ] {
        let ran = tries(&place, 2, words);
        assert!(ran.stderr.contains(why), "{words:?}: {ran:?}");
    }
    let unlimited =
        arbiter(&["try", "lineup", "--time", "none", "builtin:random", "builtin:greedy"]).output();
    assert!(Ran::from(unlimited.unwrap()).stderr.contains("a test needs a clock"));
}

/// Answers the first legal ply; one process for all its games.
const FIRST_PLY: &str = "import sys\nmoves = []\nfor line in sys.stdin:\n    word, *rest = line.split() or ['']\n    \
    if word == 'start': print('ready reuse', flush=True)\n    elif word == 'moves': moves = rest\n    \
    elif word == 'go': print('move', moves[0], flush=True)\n";

#[test]
fn a_bot_that_was_copied_and_not_changed_is_told() {
    let place = Place::new();
    bot(&place, "old", FIRST_PLY);
    bot(&place, "new", FIRST_PLY);
    let ran = tries(&place, 4, &["new", "old", "--max-pairs", "1"]);
    assert!(ran.stderr.contains("note: new and old have the same content"), "{ran:?}");
    bot(&place, "new", LAST);
    let ran = command(&place, &["new", "old", "--max-pairs", "1"]).output().map(Ran::from).unwrap();
    assert!(
        ran.stderr.contains("a new run begins") && !ran.stderr.contains("same content"),
        "{ran:?}"
    );
}

#[test]
fn killed_and_called_again_it_has_the_verdict_and_the_games_of_an_unbroken_run() {
    let place = Place::new();
    place.write("first.sh", FIRST);
    let words = [
        "builtin:greedy",
        "sh first.sh",
        "--elo1",
        "100",
        "--model",
        "logistic",
        "--concurrency",
        "2",
    ];
    let whole = [&words[..], &["--out", "whole"]].concat();
    let status = command(&place, &whole).output().unwrap().status.code().unwrap();
    assert!([0, 1, 4].contains(&status), "{status}");
    let whole_result = tries(&place, status, &whole);
    let journal = || fs::read(place.path("broken/journal.jsonl")).unwrap_or_default();
    let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
    let broken = [&words[..], &["--out", "broken"]].concat();
    let mut kills = 0;
    for more in [1, 2, 5, 1, 3] {
        let had = lines(&journal());
        let mut child = start(&place, &broken);
        let ended = wait_for("a longer journal", || {
            let ended = child.try_wait().unwrap().map(|status| status.code());
            ended.map(Some).or((lines(&journal()) >= had + more).then_some(None))
        });
        if ended.is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        child.wait().unwrap();
    }
    assert!(kills > 0, "no run was killed");
    // A kill may come within a line.
    let text = journal();
    fs::write(place.path("broken/journal.jsonl"), &text[..text.len() - 1]).unwrap();
    let ran = tries(&place, status, &broken);
    assert_eq!(ran.stdout, whole_result.stdout);
    assert_eq!(place.results("broken")["games.pgn"], place.results("whole")["games.pgn"]);
    assert!(!place.path("broken~1").exists());
    // Asked again: the same verdict, and nothing is played.
    let before = place.snapshot("broken");
    assert_eq!(tries(&place, status, &broken).stdout, whole_result.stdout);
    assert_eq!(place.snapshot("broken"), before);
    // A journal whose head was being written.
    fs::create_dir(place.path("torn")).unwrap();
    fs::write(place.path("torn/journal.jsonl"), &text[..40]).unwrap();
    assert_eq!(
        tries(&place, status, &[&words[..], &["--out", "torn"]].concat()).stdout,
        whole_result.stdout
    );
}

#[test]
fn a_pipe_has_a_line_every_ten_seconds() {
    let place = Place::new();
    place.write("waits.py", WAITS);
    let mut child = start(&place, &["python3 waits.py", "builtin:greedy"]);
    wait_for("a line", || place.text("err.txt").contains("try: 0 pairs").then_some(()));
    signal(&child, interrupt());
    place.write("release", "");
    assert_eq!(child.wait().unwrap().code(), Some(130), "{}", place.text("err.txt"));
}

#[test]
fn an_interrupted_run_goes_on() {
    let place = Place::new();
    place.write("waits.py", WAITS);
    let words = [
        "python3 waits.py",
        "builtin:greedy",
        "--elo1",
        "150",
        "--concurrency",
        "1",
        "--max-pairs",
        "4",
    ];
    let mut child = start(&place, &words);
    let waiting = |entry: fs::DirEntry| entry.file_name().to_string_lossy().starts_with("waiting-");
    wait_for("a game", || {
        place.path("").read_dir().unwrap().any(|entry| waiting(entry.unwrap())).then_some(())
    });
    signal(&child, interrupt());
    let said = || place.text("err.txt").contains("interrupted: the running games").then_some(());
    wait_for("what arbiter says of it", said);
    place.write("release", "");
    assert_eq!(child.wait().unwrap().code(), Some(130), "{}", place.text("err.txt"));
    assert_eq!(place.journal("try-lineup-waits").len(), 1);
    let history = tries(&place, 0, &["python3 waits.py", "--history"]).stdout;
    assert!(
        history.contains("try-lineup-waits  2") && history.contains("  1 game  waits "),
        "{history}"
    );
    assert!(history.contains("\n  no verdict yet after 0 pairs"), "{history}");
    let ran: Ran = command(&place, &words).output().unwrap().into();
    assert!(ran.stderr.contains("continuing: 1 games"), "{ran:?}");
    assert!(place.journal("try-lineup-waits").len() > 1);
}

#[test]
fn a_bot_that_changed_begins_a_new_run_beside_the_old_one() {
    let place = Place::new();
    bot(&place, "mine", FIRST_PLY);
    bot(&place, "old", LAST);
    let words = ["mine", "old", "--max-pairs", "2"];
    let first = tries(&place, 4, &words);
    let before = place.snapshot("try-lineup-mine");
    bot(&place, "mine", LAST);
    let ran = tries(&place, 4, &words);
    assert!(ran.stderr.contains("a new run begins: mine has other content (bot.py)"), "{ran:?}");
    assert!(ran.stderr.contains("is kept in try-lineup-mine~1"), "{ran:?}");
    let kept = |number: u32| place.path(&format!("try-lineup-mine~{number}"));
    let moved = |folder: &str| -> Vec<Vec<u8>> { place.snapshot(folder).into_values().collect() };
    assert_eq!(
        moved("try-lineup-mine~1"),
        before.into_values().collect::<Vec<_>>(),
        "byte for byte"
    );
    // Other settings, and another opponent, are another test too.
    let ran = tries(&place, 4, &["mine", "old", "--max-pairs", "3"]);
    assert!(ran.stderr.contains("a new run begins: sprt.max-pairs was 2, is 3;"), "{ran:?}");
    bot(&place, "other", MIDDLE);
    let ran = tries(&place, 4, &["mine", "other", "--max-pairs", "3"]);
    assert!(
        ran.stderr
            .contains("a new run begins: the test was mine against old, is mine against other;"),
        "{ran:?}"
    );
    assert!((1..=3).all(|number| kept(number).is_dir()));
    // The first version again: what it has played counts, and nothing is played.
    bot(&place, "mine", FIRST_PLY);
    let journal = fs::read(kept(1).join("journal.jsonl")).unwrap();
    let again = tries(&place, 4, &words);
    assert!(
        again.stderr.contains("what was in try-lineup-mine~1 is in try-lineup-mine again"),
        "{again:?}"
    );
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(fs::read(place.path("try-lineup-mine/journal.jsonl")).unwrap(), journal);
    assert!(!kept(1).exists() && kept(4).is_dir());
    // Killed between the two renamings.
    fs::rename(place.path("try-lineup-mine"), kept(1)).unwrap();
    assert_eq!(tries(&place, 4, &words).stdout, first.stdout);
    assert_eq!(fs::read(place.path("try-lineup-mine/journal.jsonl")).unwrap(), journal);
    let history = tries(&place, 0, &["mine", "--history"]).stdout;
    assert_eq!(history.matches("\n  undecided after ").count(), 4, "{history}");
    let digest = history.lines().find_map(|line| line.split_once("mine ")).unwrap();
    assert!(digest.1.split(',').next().unwrap().len() >= 8, "{history}");
    // Every folder is that of a tournament.
    for folder in ["try-lineup-mine", "try-lineup-mine~3"] {
        let log = place.text(&format!("{folder}/games.pgn"));
        let game = tags(&log, "GameId")[0];
        // The bot has changed since.
        let rerun = if folder.ends_with("~3") { (1, "; now came ") } else { (0, "the same game") };
        let folder = place.path(folder).display().to_string();
        for (words, (status, said)) in [
            (&["standings", &folder][..], (0, "undecided after ")),
            (&["verify", &format!("{folder}/games.pgn")], (0, "games, valid")),
            (&["replay", &folder, game, "--plain"], (0, "mine")),
            (&["rerun", &folder, game], rerun),
            (&["report", &folder, "--output", "-"], (0, "<html")),
        ] {
            let ran: Ran = arbiter(words).current_dir(place.path("")).output().unwrap().into();
            assert!(ran.status == Some(status) && ran.stdout.contains(said), "{words:?}: {ran:?}");
        }
    }
    // A run in it has locked the folder, so it is not put away.
    let lock = fs::File::open(place.path("try-lineup-mine/journal.jsonl")).unwrap();
    lock.lock().unwrap();
    let ran = tries(&place, 3, &["mine", "old", "--max-pairs", "1"]);
    assert!(ran.stderr.contains("another arbiter is running in this folder"), "{ran:?}");
    assert!(kept(4).is_dir() && !kept(5).exists());
}

#[test]
fn a_folder_of_bots_is_compared_with_the_version_before() {
    let place = Place::new();
    bot(&place, "class/ada", LAST);
    bot(&place, "class/bea", MIDDLE);
    bot(&place, "class/mine", FIRST_PLY);
    place.write("class/zoe/bot.toml", "command = \"python3 missing.py\"\n");
    place.write("class/notes.txt", "no bot");
    let words = ["class/mine", "class", "-n", "4"];
    let first = tries(&place, 0, &words);
    let row = |ran: &Ran, name: &str| -> Vec<String> {
        let line = ran.stdout.lines().find(|line| line.split_whitespace().next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("no row of {name}: {ran:?}"));
        line.split_whitespace().map(str::to_owned).collect()
    };
    for name in ["ada", "bea"] {
        assert_eq!(
            (&*row(&first, name)[1], &row(&first, name)[5..]),
            ("4", &["-".to_owned(), "-".to_owned()][..])
        );
    }
    assert_eq!(row(&first, "sum")[1], "8");
    assert!(
        first.stdout.contains("zoe does not play: ")
            && !first.stdout.contains("mine does not play"),
        "{first:?}"
    );
    let log = place.text("try-lineup-mine/games.pgn");
    assert_eq!(log.matches("[Event ").count(), 8, "each of two opponents, four games");
    // The second version, which plays as bea does.
    bot(&place, "class/mine", MIDDLE);
    let second = tries(&place, 0, &words);
    assert!(second.stderr.contains("a new run begins: mine has other content"), "{second:?}");
    let scores =
        |ran: &Ran, column: usize| ["ada", "bea", "sum"].map(|name| row(ran, name)[column].clone());
    assert_eq!(scores(&second, 5), scores(&first, 2), "the last try");
    assert!(second.stdout.contains("\nlast: try-lineup-mine~1, mine "), "{second:?}");
    let lines = tries(&place, 0, &[&words[..], &["--json"]].concat()).stdout;
    let rows: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    let page = fs::read_to_string(crate::support::project("docs/reference/gamelog.md")).unwrap();
    for row in &rows {
        let documented = |key: &String| page.contains(&format!("`{key}`"));
        assert!(row.as_object().unwrap().keys().all(documented), "{row}");
        let [score, last, difference] =
            ["score", "last", "difference"].map(|key| row[key].as_f64().unwrap());
        assert!((score - last - difference).abs() < 1e-9, "{row}");
    }
    // An opponent that changed has no last try; the other one has.
    bot(&place, "class/ada", FIRST_PLY);
    let third = tries(&place, 0, &words);
    assert_eq!((&*row(&third, "ada")[5], &row(&third, "bea")[5]), ("-", &scores(&first, 2)[1]));
    assert!(
        !place.path("try-lineup-mine~2").exists(),
        "a change of an opponent adds games to the run"
    );
    let history = tries(&place, 0, &["class/mine", "--history"]).stdout;
    assert_eq!(history.matches(" against 2 bots").count(), 2, "{history}");
}

#[test]
fn a_custom_game_is_tried_too() {
    if !crate::support::has("python3", "a try of a custom game") {
        return;
    }
    let place = Place::new();
    let rules = crate::support::project("games/connect4.py").display().to_string();
    let words = [
        "try",
        &rules,
        "builtin:random",
        "builtin:random",
        "--move-time",
        "120s",
        "--max-pairs",
        "2",
    ];
    let ran: Ran = arbiter(&words).current_dir(place.path("")).output().unwrap().into();
    assert_eq!(ran.status, Some(4), "{ran:?}");
    assert!(result(&ran).starts_with("undecided after 2 pairs"), "{ran:?}");
    let folder = place.path("try-connect4-random").display().to_string();
    assert_eq!(crate::support::run(&["standings", &folder]).status, Some(0));
}

#[test]
fn a_bot_that_is_built_goes_on_and_comes_back() {
    let place = Place::new();
    place.write("built/source.sh", FIRST);
    place.write(
        "built/bot.toml",
        "command = \"./bot\"\nbuild = \"cp source.sh bot && chmod +x bot\"\n",
    );
    let words = ["built", "builtin:greedy", "--max-pairs", "2"];
    let ran = |words: &[&str]| -> Ran { command(&place, words).output().unwrap().into() };
    let first = ran(&words);
    let again = ran(&words);
    assert!(
        again.stderr.contains("continuing: ") && !again.stderr.contains("new run"),
        "{again:?}"
    );
    assert_eq!(again.stdout, first.stdout);
    place.write("built/source.sh", &FIRST.replace("A bot that plays", "The second version"));
    let second = ran(&words);
    assert!(
        second.stderr.contains("a new run begins: built has other content (source.sh)"),
        "{second:?}"
    );
    place.write("built/source.sh", FIRST);
    let back = ran(&words);
    assert!(
        back.stderr.contains("what was in try-lineup-built~1 is in try-lineup-built again"),
        "{back:?}"
    );
    assert_eq!((back.stdout, ran(&words).status), (first.stdout, first.status));
}

#[test]
fn a_terminal_has_one_line_that_fits_it() {
    for (columns, line) in [(80, "0 pairs  LLR 0.00 of -2.94 to 2.94"), (30, "0 pairs  LLR 0.00")] {
        let Some(terminal) = Terminal::open(columns, 20, "the line of a try on a terminal") else {
            return;
        };
        fs::write(terminal.dir.path().join("waits.py"), WAITS).unwrap();
        let words = GAME.join(" ");
        let bots = "'python3 waits.py' builtin:greedy --elo1 150 --max-pairs 1";
        terminal.start(&format!("{} try {words} {bots}", crate::support::ARBITER));
        terminal.wait_for(line);
        fs::write(terminal.dir.path().join("release"), "").unwrap();
        let screen = terminal.is_clean_after(4);
        assert!(
            screen.contains("undecided after 1 pair") && !screen.contains("LLR 0.00"),
            "{screen}"
        );
    }
}

#[test]
fn no_folder_with_a_bot_is_a_result_folder_because_runs_are_renamed() {
    let place = Place::new();
    bot(&place, "all/new", FIRST);
    bot(&place, "all/old", LAST);
    for (words, dir) in [
        (["all/new", "all/old"], "all/new"),
        (["all/new", "all/old"], "all"),
        (["all/new", "all/old"], "."),
        (["all/new", "all"], "all/old/.."),
    ] {
        let ran = tries(&place, 2, &[&words[..], &["--out", dir]].concat());
        assert!(ran.stderr.contains(&format!("--out {dir}: ")), "{ran:?}");
    }
    assert!(
        !place.path("all/new/journal.jsonl").exists() && !place.path("all/journal.jsonl").exists()
    );
}

#[test]
fn a_folder_without_another_bot_is_refused() {
    let place = Place::new();
    bot(&place, "all/new", FIRST);
    let ran = tries(&place, 2, &["all/new", "all"]);
    assert!(ran.stderr.contains("all: the only bot in it is NEW"), "{ran:?}");
}

#[test]
fn a_bot_that_is_edited_while_it_plays_stops_the_run() {
    let place = Place::new();
    bot(&place, "new", MIDDLE);
    bot(&place, "old", LAST);
    let mut running = start(&place, &["new", "old", "--elo1", "5", "--max-pairs", "2000"]);
    let journal = place.path("try-lineup-new/journal.jsonl");
    wait_for("a game", || {
        fs::read_to_string(&journal).ok()?.contains("\"type\":\"game\"").then_some(())
    });
    place.write("new/bot.py", LAST);
    assert_eq!(running.wait().unwrap().code(), Some(3));
    let said = place.text("err.txt");
    assert!(said.contains("new changed during the run (bot.py)"), "{said}");
}
