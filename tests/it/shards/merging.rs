//! `arbiter merge`: any partition in any order gives one result, and what does not belong together
//! is refused.

use crate::shards::{everything, merge, merges, play_shards};
use crate::support::place::{BOTS, ILLEGAL, LAST, Place, WAITS, cup};
use crate::support::{Ran, arbiter, moves, plays_all, run, wait_for};
use arbiter::content::sha256;
use arbiter::game_id::{self, parts_of};
use arbiter::store::journal::Journal;
use arbiter::tournament::{JournalEntry, RecordedGame};
use proptest::prelude::*;
use proptest::test_runner::{Config as ProptestConfig, TestRunner};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// The lines of a journal.
fn lines(place: &Place, out: &str) -> Vec<String> {
    place.text(&format!("{out}/journal.jsonl")).lines().map(str::to_owned).collect()
}

/// The entry in a line.
fn entry(line: &str) -> serde_json::Value {
    serde_json::from_str::<serde_json::Value>(line).unwrap()["entry"].clone()
}

/// The line of an entry, with its checksum.
fn summed(entry: &serde_json::Value) -> String {
    let text = entry.to_string();
    format!("{{\"sum\":\"{}\",\"entry\":{text}}}", &sha256(text.as_bytes())[..16])
}

/// The id in the line of a game.
fn id(line: &str) -> Option<String> {
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    line["entry"]["id"].as_str().map(str::to_owned)
}

/// A folder with a journal of these lines, and a torn part of another.
fn folder(place: &Place, name: &str, lines: &[&str], torn: &str) {
    let whole: String = lines.iter().map(|line| format!("{line}\n")).collect();
    place.write(&format!("{name}/journal.jsonl"), &(whole + torn));
}

/// The files that follow from a merged journal, and the journal itself.
fn files(place: &Place, out: &str) -> BTreeMap<String, Vec<u8>> {
    let root = place.path(out);
    let named = |(path, bytes): (std::path::PathBuf, Vec<u8>)| {
        (path.strip_prefix(&root).unwrap().display().to_string(), bytes)
    };
    place.snapshot(out).into_iter().map(named).collect()
}

/// How the games of a run are dealt out: the folders of each game, the place of each torn end, the
/// order of the folders.
#[derive(Debug, Clone)]
struct Deal {
    folders: Vec<BTreeSet<usize>>,
    torn: Vec<Option<(usize, u16)>>,
    order: Vec<usize>,
}

fn deals(games: usize) -> impl Strategy<Value = Deal> {
    let count = 1_usize..5;
    count.prop_flat_map(move |count| {
        // Some games are nowhere, others twice or more.
        let of_game = proptest::collection::btree_set(0..count, 0..=count.min(3));
        let torn = proptest::option::of((0..games, any::<u16>()));
        (
            proptest::collection::vec(of_game, games),
            proptest::collection::vec(torn, count),
            Just((0..count).chain(0..count).collect::<Vec<_>>()).prop_shuffle(),
        )
            .prop_map(|(folders, torn, order)| Deal { folders, torn, order })
    })
}

#[test]
fn any_partition_in_any_order_with_duplicates_and_torn_ends_is_merged_alike() {
    let place = Place::with_bots();
    let config = cup("games = 3", "", &BOTS);
    place.ends(0, &config, "whole", &[]);
    let lines = lines(&place, "whole");
    let (head, games): (&String, Vec<&String>) =
        (&lines[0], lines[1..].iter().filter(|line| id(line).is_some()).collect());
    let whole = place.results("whole");
    let mut runner = TestRunner::new(ProptestConfig {
        cases: if plays_all() { 48 } else { 8 },
        failure_persistence: None,
        ..Default::default()
    });
    let case = std::cell::Cell::new(0);
    let checked = runner.run(&deals(games.len()), |deal| {
        case.set(case.get() + 1);
        let name = |number: usize| format!("case{}/dir{number}", case.get());
        for (number, torn) in deal.torn.iter().enumerate() {
            let of_folder =
                games.iter().zip(&deal.folders).filter(|(_, folders)| folders.contains(&number));
            let whole: Vec<&str> = std::iter::once(head.as_str())
                .chain(of_folder.map(|(line, _)| line.as_str()))
                .collect();
            // A part of a line without its end, as a running shard or a crash leaves it.
            let torn = torn.map_or("", |(game, at)| {
                let line = games[game];
                line.get(..1 + usize::from(at) % (line.len() - 1)).unwrap_or("{")
            });
            folder(&place, &name(number), &whole, torn);
        }
        let dirs: Vec<String> = deal.order.iter().map(|&number| name(number)).collect();
        let dirs: Vec<&str> = dirs.iter().map(String::as_str).collect();
        let out = format!("case{}/out", case.get());
        let ran = merge(&place, &dirs, &out);
        let missing: BTreeSet<String> = games
            .iter()
            .zip(&deal.folders)
            .filter(|(_, folders)| folders.is_empty())
            .map(|(line, _)| id(line).unwrap())
            .collect();
        prop_assert_eq!(ran.status, Some(i32::from(!missing.is_empty())), "{:?}", ran);
        let merged: BTreeSet<String> = place.journal(&out).into_iter().map(|(id, ..)| id).collect();
        prop_assert_eq!(place.journal(&out).len() + missing.len(), games.len());
        prop_assert!(merged.is_disjoint(&missing));
        if missing.is_empty() {
            prop_assert!(place.results(&out) == whole, "{}", out);
        } else {
            let listed: BTreeSet<String> =
                place.text(&format!("{out}/missing.txt")).lines().map(str::to_owned).collect();
            prop_assert_eq!(&listed, &missing);
            prop_assert!(ran.stderr.contains(missing.first().unwrap()));
        }
        // Once more, sorted, and together with what has been merged: nothing changes.
        let before = files(&place, &out);
        let mut sorted: Vec<&str> = dirs.clone();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.push(&out);
        merge(&place, &sorted, &out);
        prop_assert!(files(&place, &out) == before, "{}", out);
        // In two steps it is the same too.
        let step = format!("case{}/step", case.get());
        merge(&place, &sorted[..1], &step);
        merge(
            &place,
            &sorted[1..sorted.len() - 1].iter().copied().chain([&*step]).collect::<Vec<_>>(),
            &step,
        );
        prop_assert!(files(&place, &step) == before, "{}", step);
        Ok(())
    });
    checked.unwrap();
}

/// Answers by a file that does not belong to it: the first legal ply, or the last.
const MOODY: &str = r#"
import sys
mood = open("MOOD").read().strip()
moves = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "start": print("ready", flush=True)
    elif word == "moves": moves = rest
    elif word == "go": print("move", moves[0 if mood == "first" else -1], flush=True)
"#;

/// A tournament of a moody bot.
fn moody() -> (Place, String) {
    let place = Place::with_bots();
    place.write("moody/bot.py", &MOODY.replace("MOOD", &place.path("mood").display().to_string()));
    let bots =
        [("moody", "python3 moody/bot.py"), ("ada", "builtin:greedy"), ("bea", "builtin:greedy")];
    (place, cup("games = 2", "", &bots))
}

#[test]
fn of_differing_records_the_one_with_the_smaller_hash_counts_and_all_are_named() {
    let (place, config) = moody();
    for (mood, out) in [("first", "one"), ("last", "other")] {
        place.write("mood", mood);
        place.ends(0, &config, out, &[]);
    }
    let of = |out: &str| -> BTreeMap<String, String> {
        lines(&place, out).into_iter().filter_map(|line| Some((id(&line)?, line))).collect()
    };
    let (one, other) = (of("one"), of("other"));
    let plies = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        moves(line["entry"]["log"].as_str().unwrap())
    };
    let differing: Vec<&String> =
        one.keys().filter(|id| plies(&one[*id]) != plies(&other[*id])).collect();
    assert!(!differing.is_empty() && differing.len() < one.len(), "{differing:?}");
    let there = merges(0, &place, &["one", "other"], "there");
    let back = merges(0, &place, &["other", "one"], "back");
    assert_eq!(files(&place, "there"), files(&place, "back"));
    assert_eq!(there.stderr, back.stderr);
    let merged = of("there");
    for (id, line) in &merged {
        let least =
            [&one[id], &other[id]].into_iter().min_by_key(|line| sha256(line.as_bytes())).unwrap();
        assert_eq!(line, least, "{id}");
        let said =
            there.stderr.contains(&format!("{id} was played more than once, and differently"));
        assert_eq!(said, differing.contains(&id), "{there:?}");
    }
    // What a bot wrote is that of the game that counts.
    assert_eq!(merged.len(), one.len());
}

#[test]
fn the_lowest_attempt_counts_and_aborted_attempts_before_it_stay() {
    let (place, config) = moody();
    place.write("mood", "first");
    place.ends(0, &config, "whole", &[]);
    let lines = lines(&place, "whole");
    let first = lines[1..].iter().find(|line| id(line).is_some()).unwrap();
    let mut later = entry(first);
    later["attempt"] = 2.into();
    let mut aborted = entry(first);
    let log = aborted["log"].as_str().unwrap().to_owned();
    let tag = |name: &str, value: &str, log: &str| -> String {
        let begin = format!("[{name} \"");
        log.lines()
            .map(|line| {
                if line.starts_with(&begin) {
                    format!("{begin}{value}\"]\n")
                } else {
                    format!("{line}\n")
                }
            })
            .collect()
    };
    let values =
        [("Outcome", "aborted"), ("Termination", "aborted"), ("Result", "*"), ("PlyCount", "0")];
    let log = values.into_iter().fold(log, |log, (name, value)| tag(name, value, &log));
    let body = log.split_once("\n\n").unwrap().0.to_owned() + "\n\n*\n\n";
    aborted["log"] = body.into();
    let (later, aborted) = (summed(&later), summed(&aborted));
    let rest: Vec<&str> =
        lines.iter().map(String::as_str).filter(|line| *line != first.as_str()).collect();
    let with = |name: &str, more: &[&str]| {
        folder(&place, name, &[&rest[..1], more, &rest[1..]].concat(), "")
    };
    // A copy aborted the game and played it again; another has it at the first attempt.
    with("again", &[&aborted, &later]);
    with("once", &[first]);
    let attempts = |out: &str| {
        let id = id(first).unwrap();
        let games = place.journal(out).into_iter().filter(|game| game.0 == id);
        games.map(|(_, attempt, aborted)| (attempt, aborted)).collect::<Vec<_>>()
    };
    let ran = merges(0, &place, &["again"], "only-again");
    assert_eq!(attempts("only-again"), [(1, true), (2, false)], "{ran:?}");
    let ran = merges(0, &place, &["again", "once"], "both");
    assert_eq!(attempts("both"), [(1, false)], "{ran:?}");
    assert_eq!(ran.stderr, "", "the same result and plies are no difference");
    // Aborted for now: the game is missing.
    with("aborted", &[&aborted]);
    let ran = merges(1, &place, &["aborted"], "open");
    assert!(ran.stderr.contains(&id(first).unwrap()), "{ran:?}");
}

/// Checks that a merge is refused with these words, and that nothing is left of it.
fn refused(place: &Place, dirs: &[&str], words: &[&str]) -> Ran {
    let ran = merges(2, place, dirs, "refused");
    for word in words {
        assert!(ran.stderr.contains(word), "{word}: {ran:?}");
    }
    assert!(!place.path("refused").exists(), "{ran:?}");
    ran
}

#[test]
fn what_does_not_belong_together_is_refused_and_named() {
    let place = Place::with_bots();
    let config = cup("games = 2", "", &BOTS);
    let folders = play_shards(&place, &config, 2, "shard", &[]);
    let [one, two] = [&*folders[0], &folders[1]];
    place.write("last/bot.py", &format!("{}# edited\n", LAST));
    place.ends(0, &config, "edited", &["--shard", "2/2"]);
    refused(
        &place,
        &[one, "edited"],
        &["shard1 and", "edited: ", "different contents", "kept (bot.py)"],
    );
    refused(&place, &["edited", two], &["kept (bot.py)"]);
    place.ends(0, &cup("games = 4", "", &BOTS), "longer", &["--shard", "2/2"]);
    refused(&place, &[one, "longer"], &["different tournaments", "schedule.games is 2, and 4"]);
    place.ends(0, &cup("games = 2", "", &BOTS[..3]), "fewer", &["--shard", "2/2"]);
    refused(&place, &[one, "fewer"], &["other bots", "bea only in", "shard1"]);
    let turned: Vec<_> = BOTS.into_iter().rev().collect();
    place.ends(0, &cup("games = 2", "", &turned), "turned", &["--shard", "2/2"]);
    refused(&place, &[one, "turned"], &["different orders"]);
    refused(&place, &[one, "nowhere"], &["nowhere: there is no such folder"]);
    fs::create_dir(place.path("empty")).unwrap();
    refused(&place, &["empty"], &["empty has no journal yet", "no journal with games"]);
    let test = cup("format = 'sprt'", "[sprt]\nmax-pairs = 2", &BOTS[2..]);
    place.play(&test, "test", &[]);
    refused(&place, &["test"], &["sequential test"]);
    // A folder that begins late is no error, and neither is an interrupted first write.
    place.write("late/journal.jsonl", "{\"sum\":\"12");
    place.write("last/bot.py", LAST);
    let ran = merges(0, &place, &[one, two, "empty", "late"], "merged");
    assert!(
        ran.stderr.contains("empty has no journal yet")
            && ran.stderr.contains("late has no games yet"),
        "{ran:?}"
    );
    // A damaged journal is no torn one.
    let text = place.text(&format!("{two}/journal.jsonl"));
    let lines: Vec<&str> = text.lines().collect();
    folder(&place, "damaged", &[&lines[..1], &["{\"sum\":\"x\"}"], &lines[1..]].concat(), "");
    refused(&place, &[one, "damaged"], &["damaged/journal.jsonl:2", "damaged"]);
    // A pipe gives nothing, and is not waited for.
    fs::create_dir(place.path("pipe")).unwrap();
    assert!(
        Command::new("mkfifo").arg(place.path("pipe/journal.jsonl")).status().unwrap().success()
    );
    refused(&place, &[one, "pipe"], &["pipe/journal.jsonl: is not a regular file"]);
    // A folder with other files is not overwritten.
    place.write("foreign/games.pgn", "mine\n");
    let ran = merges(2, &place, &[one, two], "foreign");
    assert!(ran.stderr.contains("not a result folder"), "{ran:?}");
    assert_eq!(place.text("foreign/games.pgn"), "mine\n");
}

/// A copy of a folder whose head has another text of its configuration.
fn with_config(place: &Place, from: &str, to: &str, change: impl Fn(&str) -> String) {
    let lines = lines(place, from);
    let mut head = entry(&lines[0]);
    head["config"] = change(head["config"].as_str().unwrap()).into();
    let head = summed(&head);
    let rest = lines[1..].iter().map(String::as_str);
    folder(place, to, &std::iter::once(head.as_str()).chain(rest).collect::<Vec<_>>(), "");
}

#[test]
fn a_shard_with_another_configuration_is_refused_and_its_commands_are_not_run() {
    let place = Place::with_bots();
    let config = cup("games = 2", "[publish]\nnames = 'name'", &BOTS);
    let folders = play_shards(&place, &config, 2, "shard", &[]);
    let [one, two] = [&*folders[0], &folders[1]];
    let command = format!("sh -c \"touch {}; exec sh first/bot.sh\"", place.path("ran").display());
    let changes = [
        (
            "'sh first/bot.sh'",
            format!("'{command}'"),
            "bot.2.command is 'sh first/bot.sh' (line 23), and 'sh -c",
        ),
        (
            "sandbox = 'basic'",
            "sandbox = 'off'".to_owned(),
            "limits.sandbox is 'basic' (line 11), and 'off' (line 11)",
        ),
        (
            "sandbox = 'basic'",
            String::new(),
            "limits.sandbox is 'basic' (line 11), and (not there)",
        ),
        (
            "names = 'name'",
            "names = 'alias'".to_owned(),
            "publish.names is 'name' (line 17), and 'alias' (line 17)",
        ),
        ("name = 'bea'", "name = 'bob'".to_owned(), "bot.4.name is 'bea'"),
        ("name = 'bea'", "name = 'bea".to_owned(), "one of them cannot be read"),
    ];
    for (from, to, said) in changes {
        let _ = fs::remove_dir_all(place.path("foreign"));
        with_config(&place, two, "foreign", |config| config.replace(from, &to));
        let words = ["shard1 and ", "foreign: their configurations differ: ", said];
        refused(&place, &[one, "foreign"], &words);
        merges(2, &place, &["foreign", one], "refused");
        assert!(!place.path("refused").exists());
    }
    // Where there is no other, the configuration is compared with the games.
    with_config(&place, two, "off", |config| config.replace("'basic'", "'off'"));
    refused(
        &place,
        &["off"],
        &[
            "off: the configuration in its journal is not that of its games: limits.sandbox was basic, is off",
        ],
    );
    // What belongs to a machine may differ, and how it is written.
    let machine = |config: &str| {
        format!("# mine\n{config}")
            .replace("[limits]", "[match]\npin = 'off'\n[limits]\nbuild-time = '9min'")
    };
    with_config(&place, two, "machine", machine);
    merges(0, &place, &[one, "machine"], "merged");
    // A rerun says what it runs, unless a configuration here says so.
    with_config(&place, two, "alone", |config| {
        config.replace("'sh first/bot.sh'", &format!("'{command}'"))
    });
    merges(1, &place, &["alone"], "foreign-merged");
    let game = place
        .journal("foreign-merged")
        .into_iter()
        .find(|game| game.0.contains("fresh"))
        .unwrap()
        .0;
    let rerun =
        |out: &str, game: &str| run(&["rerun", &place.path(out).display().to_string(), game]);
    let ran = rerun("foreign-merged", &game);
    let said = format!(
        "which may be another person's; for fresh it runs in {}",
        place.path(".").parent().unwrap().display()
    );
    assert!(ran.stderr.contains(&said) && ran.stderr.contains("touch "), "{ran:?}");
    let ran = rerun(one, &place.journal(one)[0].0);
    assert!(ran.status == Some(0) && !ran.stderr.contains("another person"), "{ran:?}");
    place.write("cup.toml", &config.replace("[time]", "# a comment\n[time]"));
    let ran = rerun(one, &place.journal(one)[0].0);
    assert!(ran.status == Some(0) && !ran.stderr.contains("another person"), "{ran:?}");
    place.write("cup.toml", &config.replace("last/bot.py", "other/bot.py"));
    let ran =
        rerun(one, &place.journal(one).iter().find(|game| game.0.contains("kept")).unwrap().0);
    assert!(ran.status == Some(0) && ran.stderr.contains("python3 last/bot.py"), "{ran:?}");
}

#[test]
fn a_game_that_no_reader_takes_is_refused_before_anything_is_written() {
    let place = Place::with_bots();
    let config = cup("games = 2", "", &BOTS);
    let folders = play_shards(&place, &config, 2, "shard", &[]);
    merges(0, &place, &[&folders[0], &folders[1]], "out");
    let before = place.snapshot("out");
    let mut entries = Vec::new();
    let journal = place.path(&folders[0]).join("journal.jsonl");
    Journal::read_only(&journal, |_, entry| entries.push(entry)).unwrap();
    let first = entries.iter().position(|entry| matches!(entry, JournalEntry::Game(_))).unwrap();
    let refuses = |change: &dyn Fn(&mut RecordedGame), words: &str| {
        let mut entries = entries.clone();
        let JournalEntry::Game(game) = &mut entries[first] else { unreachable!() };
        change(game);
        let _ = fs::remove_dir_all(place.path("forged"));
        fs::create_dir(place.path("forged")).unwrap();
        let mut journal = Journal::open(&place.path("forged/journal.jsonl"), |_, _| {}).unwrap();
        for entry in &entries {
            let _ = journal.append(entry).unwrap();
        }
        let line = format!("forged/journal.jsonl:{}: the journal's game ", first + 1);
        // Alone, and beside the right record of the game, whichever counts.
        for dirs in
            [&["forged"][..], &["forged", &folders[1]], &["forged", &folders[0], &folders[1]]]
        {
            refused(&place, dirs, &[&line, words]);
        }
        let forged = merges(2, &place, &["forged"], "out");
        assert!(forged.stderr.contains(&line), "{forged:?}");
        assert!(place.snapshot("out") == before, "{words}");
        let from = place.path("forged").display().to_string();
        let ran = place.play(&config, "share", &["--shard", "2/2", "--from", &from]);
        assert!(ran.status == Some(2) && ran.stderr.contains(&line), "{ran:?}");
        assert!(
            !place.path("share/journal.jsonl").exists() || place.journal("share").is_empty(),
            "{ran:?}"
        );
    };
    for number in ["../../x", "1/../../x", "..", "01", "x", "1\0", ""] {
        refuses(
            &|game| {
                let (names, _) = parts_of(&game.id).unwrap();
                let id = format!("{names}.{number}");
                game.log = game.log.replace(&game.id, &id);
                game.id = id;
            },
            "this is no id of a game; one is A~B.N",
        );
    }
    // The log names files as well: those of the feedback.
    refuses(
        &|game| game.log = game.log.replace(&game.id, "../../x"),
        "its log has the GameId \"../../x\"",
    );
    let of_path = |game: &mut RecordedGame| {
        let (one, _) = game_id::names_in(&game.id).unwrap();
        let (id, name) = (game.id.replacen(one, "..", 1), format!("\"{one}\""));
        game.log = game.log.replace(&name, "\"..\"").replace(&game.id, &id);
        game.id = id;
    };
    refuses(&of_path, "this is no id of a game");
    // The sides are those of the schedule, also in a record that counts only when a bot is what it
    // was.
    let exchanged = |game: &mut RecordedGame| {
        let tags = game.log.replace("[White ", "[Tmp ").replace("[Black ", "[White ");
        game.log = tags.replace("[Tmp ", "[Black ");
    };
    refuses(&exchanged, "or of other sides, than the schedule says");
    let earlier = |game: &mut RecordedGame| {
        exchanged(game);
        game.digests = game.digests.each_ref().map(|digest| sha256(digest.as_bytes()));
    };
    refuses(&earlier, "or of other sides, than the schedule says");
    // The lowest attempt counts, so that none of the game would.
    refuses(&|game| game.attempt = 0, "its attempt is 0");
}

#[test]
fn a_merged_folder_is_a_result_folder_for_every_command() {
    let place = Place::with_bots();
    let config = cup("games = 2", "", &BOTS);
    let folders = play_shards(&place, &config, 2, "shard", &[]);
    merges(0, &place, &[&folders[0], &folders[1]], "merged");
    let merged = place.path("merged").display().to_string();
    let game = place.journal("merged")[0].0.clone();
    assert!(parts_of(&game).is_some());
    let log = place.path("merged/games.pgn").display().to_string();
    for arguments in [
        &["standings", &merged, "--verify"][..],
        &["standings", &merged, "--history"],
        &["standings", &merged, "--format", "json"],
        &["standings", &log],
        &["verify", &merged],
        &["report", &merged, "--output", "-"],
        &["replay", &merged, &game, "--plain"],
        &["rerun", &merged, &game],
    ] {
        let ran = run(arguments);
        assert_eq!(ran.status, Some(0), "{arguments:?}: {ran:?}");
    }
    let history = run(&["standings", &merged, "--history"]).stdout;
    assert_eq!(
        history.lines().filter(|line| line.starts_with("20")).count(),
        1,
        "one run: {history}"
    );
}

#[test]
fn shards_can_be_merged_while_they_run_and_a_folder_that_is_played_in_cannot_take_a_merge() {
    let place = Place::new();
    place.write("waits/bot.py", WAITS);
    place.write("last/bot.py", LAST);
    // The pairing of the last two bots comes first, and belongs to the first shard.
    let bots = [
        ("waits", "python3 waits/bot.py"),
        ("kept", "python3 last/bot.py"),
        ("ada", "builtin:random"),
    ];
    let config = cup("games = 2", "", &bots);
    let mut running = place.start(&config, "one", &["--shard", "1/2", "--concurrency", "1"]);
    let waiting = || {
        let files = place.path("waits").read_dir().unwrap();
        let names: Vec<_> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.iter().any(|name| name.starts_with("waiting-")).then_some(())
    };
    wait_for("a bot that waits", waiting);
    let ran = merges(1, &place, &["one"], "merged");
    assert_eq!(place.journal("merged").len(), 2, "{ran:?}");
    assert!(place.path("merged/missing.txt").exists());
    // Its own folder is locked.
    let busy = merges(3, &place, &["merged"], "one");
    assert!(busy.stderr.contains("another arbiter is running"), "{busy:?}");
    place.write("waits/release", "");
    assert!(running.wait().unwrap().success(), "{}", place.text("err.txt"));
    place.ends(0, &config, "two", &["--shard", "2/2"]);
    merges(0, &place, &["one", "two"], "merged");
    place.ends(0, &config, "whole", &[]);
    assert_eq!(everything(&place, "merged"), everything(&place, "whole"));
}

#[test]
fn expectations_and_strict_are_judged_by_the_merged_games() {
    let place = Place::with_bots();
    place.write("bad.sh", ILLEGAL);
    let bots = [BOTS[2], BOTS[3], ("bad", "sh bad.sh")];
    let config = cup("games = 2", "[expect]\nbad = '>= 0.5'", &bots);
    let folders = play_shards(&place, &config, 2, "shard", &[]);
    let ran = merges(1, &place, &[&folders[0], &folders[1]], "merged");
    assert!(ran.stderr.contains("[expect] bad >= 0.5 does not hold"), "{ran:?}");
    let dirs = folders.iter().map(|dir| place.path(dir));
    let strict = arbiter(&["merge", "--strict"])
        .args(dirs)
        .arg("--out")
        .arg(place.path("strict"))
        .output()
        .unwrap();
    assert!(Ran::from(strict).stderr.contains("bad lost 4 games by forfeit"));
}
