//! `arbiter check BOT|DIR`: its flags, what it prints and writes, submissions, and Ctrl-C. Which
//! faults it finds is tested in tests/it/check/situations.rs and tests/it/check/broken_bots.rs.

use crate::support::place::FIRST;
use crate::support::{
    Ran, arbiter, interrupt, marker, processes_with, project, sample_of_kinds, wait_for,
    wait_until_gone,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// A folder for bots, in which arbiter is run.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// The folder of a bot of tests/bots/broken.py with this behaviour, and this behind its
    /// `bot.toml`.
    fn bot(&self, folder: &str, behaviour: &str, more: &str) {
        let program = fs::read_to_string(project("tests/bots/broken.py")).unwrap();
        self.write(&format!("{folder}/bot.py"), &program);
        self.write(
            &format!("{folder}/bot.toml"),
            &format!("command = 'python3 bot.py {behaviour}'\n{more}"),
        );
    }

    /// Like `bot`, with a healthy shell bot, which starts faster.
    fn healthy(&self, folder: &str, more: &str) {
        self.write(&format!("{folder}/bot.sh"), FIRST);
        self.write(&format!("{folder}/bot.toml"), &format!("command = 'sh bot.sh'\n{more}"));
    }

    fn check(&self, arguments: &[&str]) -> Ran {
        let arguments = [&["check"], arguments].concat();
        arbiter(&arguments).current_dir(self.0.path()).output().unwrap().into()
    }

    /// The files below a folder, with their paths from there.
    fn files(&self, folder: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![self.path(folder)];
        while let Some(dir) = open.pop() {
            for entry in dir.read_dir().into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let below = path.strip_prefix(self.path(folder)).unwrap();
                    found.insert(below.display().to_string());
                }
            }
        }
        found
    }
}

/// What is refused, as the words behind `check`, and words of the error. MINE is the folder of a
/// bot.
const REFUSED: &[(&[&str], &[&str])] = &[
    (&[], &["<BOT|DIR>"]),
    (&["MINE", "--rules", "connect4.py"], &["--rules", "cannot be used with"]),
    (&["builtin:random", "--games", "3"], &["--games", "cannot be used with"]),
    (&["--rules", "connect4.py", "--game", "loa"], &["cannot be used with"]),
    (&["MINE"], &["which game? Give --game, such as --game loa", "flipflop", "./connect4.py"]),
    (&["builtin:random"], &["which game? Give --game"]),
    (&["MINE", "--set", "n=8"], &["--game"]),
    (&["MINE", "--game", "chess"], &["chess", "loa, flipflop, lineup, gekitai"]),
    (&["MINE", "--game", "lineup", "--set", "n"], &["--set n: write KEY=VALUE"]),
    (&["MINE", "--game", "./nosuch.py"], &["./nosuch.py"]),
    (&["MINE", "--sandbox", "loose"], &["loose"]),
    (&["MINE", "--config", "nosuch.toml"], &["nosuch.toml", "No such file"]),
    (&["nosuch", "--game", "loa"], &["nosuch: no such file, folder or command"]),
    (&["human", "--game", "loa"], &["human"]),
    (
        &["python3", "bot.py", "--game", "loa"],
        &["2 words are given for one BOT", "arbiter check \"python3 bot.py\""],
    ),
    (&["empty", "--game", "loa"], &["empty: the folder has no bot.toml"]),
    (&["others"], &["its bot.toml names chess, which is no game of arbiter", "--game ./chess.py"]),
    (&["only-loa", "--game", "lineup"], &["by `games` in its bot.toml it plays loa, not lineup"]),
    (
        &["misspelt", "--game", "loa"],
        &["`games` in its bot.toml names lao, which is no game of arbiter"],
    ),
    (&["strangers"], &["which game? Give --game"]),
];

#[test]
fn what_cannot_be_checked_is_refused_with_what_helps() {
    let place = Place::new();
    place.bot("mine", "healthy", "");
    place.bot("others", "healthy", "games = ['chess', 'go']");
    place.bot("only-loa", "healthy", "games = ['loa']");
    place.bot("misspelt", "healthy", "games = ['loa', 'lao']");
    place.bot("strangers/ada", "healthy", "");
    place.write("empty/README", "soon\n");
    for (words, said) in REFUSED {
        let words: Vec<&str> =
            words.iter().map(|word| if *word == "MINE" { "mine" } else { word }).collect();
        let ran = place.check(&words);
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{words:?}: {ran:?}");
        assert!(said.iter().all(|word| ran.stderr.contains(word)), "{words:?}: {ran:?}");
    }
    assert!(!place.path("check").exists());
}

#[test]
fn a_bot_plays_only_the_games_that_its_bot_toml_names() {
    let place = Place::new();
    for (name, games) in
        [("one", "['loa']"), ("typo", "['lao', 'lineup']"), ("all", "['any']"), ("says-not", "")]
    {
        let more = if games.is_empty() { String::new() } else { format!("games = {games}") };
        place.healthy(&format!("class/{name}"), &more);
    }
    let why = [
        (
            "one",
            "by `games` in its bot.toml it plays loa, not lineup: add \"lineup\" there, or write games = [\"any\"]",
        ),
        (
            "typo",
            "`games` in its bot.toml names lao, which is no game of arbiter (loa, flipflop, lineup, gekitai",
        ),
    ];
    let play = |bot: &str, game: &str| -> Ran {
        let words = [
            "play",
            game,
            bot,
            "builtin:random",
            "--sandbox",
            "basic",
            "--move-time",
            "60s",
            "--max-plies",
            "2",
        ];
        arbiter(&words).current_dir(place.0.path()).output().unwrap().into()
    };
    for (name, why) in why {
        let ran = play(&format!("class/{name}"), "lineup");
        assert!(ran.status == Some(2) && ran.stderr.contains(why), "{name}: {ran:?}");
    }
    for (name, game) in [("one", "loa"), ("all", "lineup"), ("says-not", "lineup")] {
        assert_eq!(play(&format!("class/{name}"), game).status, Some(0), "{name}");
    }
    place.write(
        "cup.toml",
        "game = 'lineup'\n[limits]\nsandbox = 'basic'\n[time]\nmove = '60s'\n[[bots]]\nfolder = 'class'\n",
    );
    let cup: Ran =
        arbiter(&["tournament", "cup.toml"]).current_dir(place.0.path()).output().unwrap().into();
    assert_eq!(cup.status, Some(0), "{cup:?}");
    let checked = place.check(&["class", "--config", "cup.toml"]);
    assert_eq!(checked.status, Some(1), "{checked:?}");
    for (name, why) in why {
        assert!(
            cup.stdout.contains(&format!("{name}: ")) && cup.stdout.contains(why),
            "{name}: {cup:?}"
        );
        let line = checked.stdout.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        assert!(line.contains("fault   program"), "{name}: {checked:?}");
    }
}

#[test]
fn a_fault_is_shown_with_a_file_that_shows_it_without_arbiter() {
    let place = Place::new();
    place.bot("bots/mine", "illegal", "games = ['loa']");
    let ran = place.check(&["bots/mine"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("FAULT 1: opening: "), "{ran:?}");
    for said in
        ["came \"move a0a0\"", "    < move a0a0\n", "What to do: ", "Isolation is not the cause"]
    {
        assert!(
            ran.stdout.contains(said) || said.starts_with("Iso") && crate::support::POSIX,
            "{said}: {ran:?}"
        );
    }
    let last = ran.stdout.lines().last().unwrap();
    assert!(last.starts_with("mine: 1 fault, in 1 of "), "{last}");
    let first = "exit status 1: mine: to fix first: illegal-move in opening";
    assert_eq!(ran.stderr.lines().last().unwrap(), first);
    assert_eq!(place.files("check"), BTreeSet::from(["mine/opening.txt".to_owned()]));
    let file = place.text("check/mine/opening.txt");
    assert!(file.starts_with("arena 1\n") && file.ends_with("\ngo\n"), "{file}");
    // The command line stands alone on its line.
    let command = "(cd bots/mine && python3 bot.py illegal) < check/mine/opening.txt";
    assert!(ran.stdout.lines().any(|line| line.trim() == command), "{ran:?}");
    let by_hand =
        Command::new("sh").args(["-c", command]).current_dir(place.path("")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&by_hand.stdout), "ready\nmove a0a0\n");
}

#[test]
fn files_in_the_folder_of_the_bot_are_told() {
    let place = Place::new();
    place.bot("bots/mine", "illegal", "games = ['loa']");
    let check = |out: &str| {
        let mut check = arbiter(&["check", ".", "--out", out, "--sandbox", "basic"]);
        Ran::from(check.current_dir(place.path("bots/mine")).output().unwrap())
    };
    let ran = check("found");
    assert!(
        ran.stderr
            .contains("note: found is in the folder of mine, so its files belong to the bot;"),
        "{ran:?}"
    );
    let ran = check("../../found");
    assert!(ran.status == Some(1) && !ran.stderr.contains("belong to the bot"), "{ran:?}");
}

#[test]
fn the_files_of_the_last_check_are_replaced_and_no_others() {
    let place = Place::new();
    place.bot("a b", "illegal", "name = '../../x y'\ngames = ['loa', 'gekitai']");
    let files = |place: &Place| place.files("out").into_iter().collect::<Vec<_>>();
    let ran = place.check(&["a b", "--out", "out"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(
        ran.stdout.contains("opening of loa: ") && ran.stdout.contains("opening of gekitai"),
        "{ran:?}"
    );
    assert_eq!(files(&place), ["x-y/gekitai/opening.txt", "x-y/loa/opening.txt"]);
    let command = "(cd 'a b' && python3 bot.py illegal) < out/x-y/loa/opening.txt";
    assert!(ran.stdout.contains(command), "{ran:?}");
    place.write("out/x-y/loa/mine.txt", "a note");
    let ran = place.check(&["a b", "--game", "loa", "--out", "out"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(files(&place), ["x-y/gekitai/opening.txt", "x-y/loa/mine.txt", "x-y/opening.txt"]);
    place.healthy("a b", "name = '../../x y'\ngames = ['loa', 'gekitai']");
    let ran = place.check(&["a b", "--out", "out"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(files(&place), ["x-y/loa/mine.txt"]);
}

#[test]
fn a_link_in_the_place_of_the_folder_is_not_followed() {
    let place = Place::new();
    place.bot("mine", "illegal", "games = ['loa']");
    place.write("precious/mine/opening.txt", "mine");
    symlink(place.path("precious"), place.path("check")).unwrap();
    let ran = place.check(&["mine"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("--out"), "{ran:?}");
    // Below a folder that the user names neither.
    fs::create_dir(place.path("out")).unwrap();
    symlink(place.path("precious/mine"), place.path("out/mine")).unwrap();
    let ran = place.check(&["mine", "--out", "out"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("out/mine is not a folder"), "{ran:?}");
    assert_eq!(place.text("precious/mine/opening.txt"), "mine");
}

#[test]
fn files_of_a_bot_are_not_replaced_by_those_of_its_check() {
    let place = Place::new();
    place.bot("in/mine", "illegal", "games = ['loa']");
    place.write("in/mine/opening.txt", "a book of openings");
    for bot in ["in/mine", "in"] {
        let ran = place.check(&[bot, "--game", "loa", "--out", "in"]);
        assert!(
            ran.status == Some(2) && ran.stderr.contains("in/mine is the folder of a bot"),
            "{ran:?}"
        );
    }
    assert_eq!(place.text("in/mine/opening.txt"), "a book of openings");
}

/// Plays the first legal ply, but for what stands in the place of `ANSWER`.
const SCRIPT: &str = "import os, sys\ngames, moves = 0, []\nfor line in sys.stdin:\n    word, *rest = line.split() or ['']\n    \
    if word == 'arena': games += 1\n    elif word == 'start': print('ready reuse', flush=True)\n    \
    elif word == 'moves': moves = rest\n    elif word == 'go':\n        ANSWER\n        print('move', moves[0], flush=True)\n";

/// In its folder a bot can write under `basic`, and not under `strict`.
#[test]
fn isolation_is_not_blamed_for_chance_nor_for_a_fault_that_only_looks_different() {
    if !crate::support::has_strict("what only isolation forbids") {
        return;
    }
    for (answer, is_cause, said) in [
        // Under `basic` it writes the file, with which it also plays under `strict`.
        (
            "try: open('seen', 'a')\n        except OSError: moves = ['zz'] if not os.path.exists('seen') else moves",
            Value::Null,
            "It does not always fail",
        ),
        (
            "moves = ['zz']\n        try: open('seen', 'a')\n        except OSError as error: print(error, file=sys.stderr)",
            Value::Bool(false),
            "Isolation is not the cause",
        ),
    ] {
        let place = Place::new();
        place.write("mine/bot.py", &SCRIPT.replace("ANSWER", answer));
        place.write("mine/bot.toml", "command = 'python3 bot.py'");
        let ran = place.check(&["mine", "--game", "lineup"]);
        assert!(ran.status == Some(1) && ran.stdout.contains(said), "{ran:?}");
        fs::remove_file(place.path("mine/seen")).unwrap();
        let ran = place.check(&["mine", "--game", "lineup", "--json"]);
        let objects = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let fault = objects.into_iter().find(|object| object["result"] == "fault").unwrap();
        assert_eq!(fault["isolation"], is_cause, "{ran:?}");
    }
}

#[test]
fn what_was_found_is_shown_where_no_file_can_be_written() {
    let place = Place::new();
    place.bot("mine", "illegal", "games = ['loa']");
    place.write("taken", "");
    let ran = place.check(&["mine", "--out", "taken/in"]);
    assert!(
        ran.status == Some(3) && ran.stderr.contains("the files of the check in taken/in"),
        "{ran:?}"
    );
    assert!(ran.stdout.starts_with("FAULT 1: opening: "), "{ran:?}");
}

#[test]
fn of_several_games_in_one_process_that_is_shown_which_is_lost() {
    let place = Place::new();
    place
        .write("mine/bot.py", &SCRIPT.replace("ANSWER", "moves = ['zz'] if games == 2 else moves"));
    place.write("mine/bot.toml", "command = 'python3 bot.py'");
    let ran = place.check(&["mine", "--game", "lineup"]);
    assert!(
        ran.stdout.contains("FAULT 1: reuse: ") && ran.stdout.contains("    < move zz\n"),
        "{ran:?}"
    );
    let file = place.text("check/mine/reuse.txt");
    assert!(file.matches("arena 1\n").count() == 2 && file.ends_with("\ngo\n"), "{file}");
}

/// The keys of an object, as docs/reference/gamelog.md names those of a `check`.
fn documented() -> BTreeSet<String> {
    let page = fs::read_to_string(project("docs/reference/gamelog.md")).unwrap();
    let (_, table) = page.split_once("| key of a `check` |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells =
        rows.map(|row| row.split(" | ").next().unwrap().to_owned()).collect::<Vec<_>>().join(" ");
    cells.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn json_has_an_object_a_situation() {
    let place = Place::new();
    place.bot("mine", "illegal", "games = ['loa']");
    let ran = place.check(&["mine", "--json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let objects: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for object in &objects {
        let keys: BTreeSet<String> = object.as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, documented(), "{object}");
        assert_eq!([&object["type"], &object["bot"], &object["game"]], ["check", "mine", "loa"]);
        let file = object["file"].as_str();
        assert!(file.is_none_or(|file| place.path(file).is_file()), "{object}");
        assert!(object["result"] != "skipped" || object["sentence"] != "", "{object}");
    }
    let of =
        |situation: &str| objects.iter().find(|object| object["situation"] == situation).unwrap();
    assert_eq!(of("ready")["result"], "ok");
    let opening = of("opening");
    assert_eq!([&opening["result"], &opening["fault"]], ["fault", "illegal-move"]);
    assert_eq!([&opening["file"]], ["check/mine/opening.txt"]);
    let situations: BTreeSet<String> =
        objects.iter().map(|object| object["situation"].to_string()).collect();
    assert_eq!(situations.len(), objects.len(), "{}", ran.stdout);
}

/// The folders of sixteen submissions, with what stands on the line of each: the behaviour of
/// tests/bots/broken.py that it has, or what its bot.toml is. DIRTY stands for a name that is none
/// of a bot.
const SUBMISSIONS: [(&str, &str, &str); 16] = [
    ("ada", "healthy", "ok"),
    ("bo", "crlf", "ok"),
    ("cleo", "info", "ok"),
    ("dan", "move-spaces", "ok"),
    ("eve", "stray-debug", "remark"),
    ("finn", "healthy-reuse", "ok"),
    ("gus", "$ command = 'sh bot.sh'\nbuild = 'true'\n", "ok"),
    ("hal", "healthy", "ok"),
    ("ida", "illegal", "illegal-move in opening"),
    ("jo", "exception", "crash in opening"),
    ("kim", "exit-at-once", "no-start in ready"),
    ("lea", "nul", "protocol in opening"),
    ("max", "$ command = './max'\nbuild = 'echo oops >&2; exit 2'\n", "builds"),
    ("ned", "$ command = 'python3 nosuch.py'\n", "program"),
    ("ola", "$", "program"),
    ("Pia Schmidt", "healthy", "program"),
];

const CUP: &str = "game = 'loa'\n[time]\nmove = '20s'\n[limits]\nsandbox = 'basic'\n[[bot]]\nname = 'mine'\ncommand = './nosuch'\n\
                   [[bots]]\nfolder = 'in'\nexclude = ['zoe']\n";

#[test]
fn a_folder_of_submissions_gets_a_table_and_a_page_for_each_author() {
    let place = Place::new();
    // Of those of one kind that have the same line, one in twelve.
    let submissions = sample_of_kinds(SUBMISSIONS, 12, |(_, what, line)| {
        (what.split(' ').next() == Some("$"), *line)
    });
    for &(name, what, _) in &submissions {
        let folder = format!("in/{name}");
        match what.strip_prefix('$') {
            Some("") => place.write(&format!("{folder}/README"), "soon\n"),
            Some(manifest) => {
                place.healthy(&folder, "");
                place.write(&format!("{folder}/bot.toml"), manifest.trim_start());
            }
            None => place.bot(&folder, what, ""),
        }
    }
    place.bot("in/zoe", "illegal", "");
    place.write("cup.toml", CUP);
    let before = place.files("in");
    let ran = place.check(&["in", "--config", "cup.toml", "--out", "out"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let faults = submissions.iter().filter(|row| !["ok", "remark"].contains(&row.2)).count();
    let end =
        format!("exit status 1: {faults} of {} submissions with a fault\n", submissions.len());
    assert!(ran.stderr.ends_with(&end), "{end}: {ran:?}");
    let table = place.text("out/check.md");
    let lines: BTreeMap<&str, &str> = ran
        .stdout
        .lines()
        .map(|line| line.split_at(11))
        .map(|(name, rest)| (name.trim(), rest))
        .collect();
    assert_eq!(lines.len(), submissions.len(), "{ran:?}");
    for (name, _, expected) in submissions {
        let folder = name.replace(' ', "-");
        let line = lines[name].trim();
        let expected = if expected.contains(' ') || ["program", "builds"].contains(&expected) {
            format!("fault   {expected} ")
        } else {
            expected.to_owned()
        };
        assert!(line.starts_with(&expected), "{name}: {line}");
        let row = table.lines().find(|row| row.contains(&format!("| {folder}/check.md |")));
        assert!(row.is_some_and(|row| row.starts_with(&format!("| {name} |"))), "{name}: {table}");
        let page = place.text(&format!("out/{folder}/check.md"));
        assert!(page.starts_with(&format!("# {name}, checked\n")), "{page}");
        // No path of the organiser's.
        assert!(
            !page.contains(place.path("").to_str().unwrap()) && !page.contains("builds/"),
            "{page}"
        );
    }
    let page = |name: &str| place.text(&format!("out/{name}/check.md"));
    assert!(page("jo").contains("ValueError: my bug"), "{}", page("jo"));
    assert!(page("jo").contains("\npython3 bot.py exception < opening.txt\n"), "{}", page("jo"));
    assert!(page("max").contains("oops"), "{}", page("max"));
    assert!(page("ada").contains("There is nothing to fix here."), "{}", page("ada"));
    assert!(
        page("Pia-Schmidt").contains("mv -- 'Pia Schmidt' Pia-Schmidt"),
        "{}",
        page("Pia-Schmidt")
    );
    assert!(!table.contains("my bug") && !table.contains("oops"), "{table}");
    assert!(place.path("out/jo/opening.txt").is_file() && !place.path("out/zoe").exists());
    assert_eq!(place.files("in"), before, "submissions are not written");
    if let Some(kept) = std::env::var_os("ARBITER_KEEP") {
        let kept = Path::new(&kept);
        fs::write(kept.join("check-summary.md"), ran.stdout + "\n" + &table).unwrap();
        fs::write(kept.join("check-page-jo.md"), page("jo")).unwrap();
        fs::write(kept.join("check-page-max.md"), page("max")).unwrap();
    }
}

#[test]
fn a_submission_is_checked_under_what_awaits_it() {
    let place = Place::new();
    // Without a bot.toml the command of the folder starts it, after no build; the game has options
    // of its own.
    let program = fs::read_to_string(project("tests/bots/broken.py")).unwrap();
    let fussy = program.replace(
        "class Bot:",
        "if 'exist' in __import__('os').listdir('.'): sys.exit(7)\n\n\nclass Bot:",
    );
    place.write("in/ada/bot.py", &fussy);
    place.write("elsewhere/bea/bot.py", &fussy);
    place.write("elsewhere/bea/exist", "");
    let cup = "game = 'lineup'\n[options]\nn = 5\ns = 4\n[limits]\nsandbox = 'basic'\n[[bot]]\nname = 'mine'\ncommand = './nosuch'\n\
               [[bots]]\nfolder = 'in'\ncommand = 'python3 bot.py healthy'\n";
    place.write("cup.toml", cup);
    let ran = place.check(&["in/ada", "--config", "cup.toml", "--json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let objects: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(
        objects.iter().all(|object| object["bot"] == "ada" && object["game"] == "lineup"),
        "{ran:?}"
    );
    // The board is that of the tournament.
    let varied = objects
        .iter()
        .filter(|object| object["situation"].as_str().unwrap().starts_with("option-"));
    assert!(varied.clone().all(|object| object["result"] == "skipped"), "{ran:?}");
    let ran = place.check(&["elsewhere/bea", "--config", "cup.toml"]);
    assert!(ran.status == Some(1) && ran.stdout.contains("exit status 7"), "{ran:?}");
    assert!(!ran.stdout.contains("/builds/"), "{ran:?}");
    // A clock of its own is that of its [[bot]].
    place.bot("wrong", "illegal", "");
    let timed = cup.replace("command = './nosuch'", "command = 'wrong'\ntime = { move = '700ms' }");
    place.write("timed.toml", &timed);
    for (config, told) in [("cup.toml", "\ntime 1000 50\n"), ("timed.toml", "\ntime move 700\n")] {
        let ran = place.check(&["wrong", "--config", config]);
        assert_eq!(ran.status, Some(1), "{ran:?}");
        let sent = place.text("check/wrong/opening.txt");
        assert!(sent.contains(told), "{config}: {sent}");
    }
    // A bot that is no folder is checked as it is.
    let ran = place.check(&["builtin:random", "--config", "cup.toml"]);
    assert!(ran.status == Some(0) && ran.stdout.contains("of lineup"), "{ran:?}");
}

/// Each `[[bots]]` may have a command for folders without a `bot.toml`.
#[test]
fn a_folder_inside_that_of_another_bots_table_has_its_own_command() {
    let place = Place::new();
    place.write("in/inner/ann/bot.sh", FIRST);
    let config = "game = 'loa'\n[[bots]]\nfolder = 'in'\ncommand = 'python3 nowhere.py'\n\
                  [[bots]]\nfolder = 'in/inner'\ncommand = 'sh bot.sh'\n";
    place.write("cup.toml", config);
    let ran = place.check(&["in/inner", "--config", "cup.toml", "--out", "out"]);
    assert!(ran.status == Some(0) && ran.stdout.contains("ann"), "{ran:?}");
}

#[test]
fn a_custom_game_is_checked_by_its_file() {
    let place = Place::new();
    fs::copy(project("games/connect4.py"), place.path("connect4.py")).unwrap();
    let ran = place.check(&["builtin:random", "--game", "./connect4.py"]);
    assert!(ran.status == Some(0) && ran.stdout.contains("of connect4"), "{ran:?}");
    // Rules that fail are no fault of the bot, and their author should know.
    let rules = place.text("connect4.py");
    let failing = rules.replace(
        "    column = int(move) - 1\n",
        "    column = int(move) - 1\n    assert board[-1][0] == '.'\n",
    );
    assert_ne!(failing, rules);
    place.write("connect4.py", &failing);
    let ran = place.check(&["builtin:random", "--game", "./connect4.py"]);
    assert!(ran.status == Some(3) && ran.stdout.contains("no fault"), "{ran:?}");
    assert!(ran.stderr.contains("exit status 3: the rules failed: "), "{ran:?}");
}

#[test]
fn an_interrupt_ends_the_check_and_its_processes() {
    let place = Place::new();
    let marker = marker("check");
    place.bot("mine", &format!("late 600 {marker}"), "games = ['loa']");
    let child = arbiter(&["check", "mine"])
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for("the bot", || (!processes_with(&marker).is_empty()).then_some(()));
    let done = Command::new("kill")
        .args([&format!("-{}", interrupt()), &child.id().to_string()])
        .status()
        .unwrap();
    assert!(done.success());
    let output: Ran = child.wait_with_output().unwrap().into();
    assert!(
        output.status == Some(130) && output.stderr.contains("interrupted after 0 of 1 bot"),
        "{output:?}"
    );
    wait_until_gone(&marker);
}
