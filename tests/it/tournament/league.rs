//! A league: the same folder night after night, while bots change, break, leave, come back and
//! join, and while arbiter is killed at any moment; against a slow second implementation of what is
//! to be played and what counts.

use crate::support::place::{FIRST, Place, cup, tags};
use crate::tournament::resume::{Chance, play_with_kills};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The state of the bots in a night: each has a version, or is broken (none).
type Night = BTreeMap<&'static str, Option<u32>>;

/// Writes the bots of a night, and removes the others.
fn enter(place: &Place, night: &Night) {
    let _ = fs::remove_dir_all(place.path("submissions"));
    for (name, version) in night {
        let program = match version {
            Some(version) => format!("{FIRST}# version {version}\n"),
            None => "exit 1\n".to_owned(),
        };
        place.write(&format!("submissions/{name}/bot.sh"), &program);
        place.write(&format!("submissions/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    }
}

#[test]
fn five_nights_with_kills_play_and_count_what_a_slow_reading_says() {
    let place = Place::new();
    let config = cup("games = 2", "", &[]) + "[[bots]]\nfolder = 'submissions'\n";
    let mut chance = Chance(0x1ea9);
    let nights: [&[(&'static str, Option<u32>)]; 5] = [
        &[("alice", Some(1)), ("bob", Some(1)), ("carol", Some(1)), ("dave", Some(1))],
        // One changed, one is broken.
        &[("alice", Some(2)), ("bob", Some(1)), ("carol", None), ("dave", Some(1))],
        // The broken one is mended otherwise, one is withdrawn, one joins.
        &[("alice", Some(2)), ("carol", Some(2)), ("dave", Some(1)), ("erin", Some(1))],
        // One is back as it was, one goes back to its first version.
        &[
            ("alice", Some(1)),
            ("bob", Some(1)),
            ("carol", Some(2)),
            ("dave", Some(1)),
            ("erin", Some(1)),
        ],
        // All as in the first night.
        &[("alice", Some(1)), ("bob", Some(1)), ("carol", Some(1)), ("dave", Some(1))],
    ];
    // Games that were ever played, with the versions of both bots.
    let mut played: BTreeSet<(String, u32, u32)> = BTreeSet::new();
    for (number, night) in nights.into_iter().enumerate() {
        let night: Night = night.iter().copied().collect();
        enter(&place, &night);
        let before = if number == 0 { 0 } else { place.journal("out").len() };
        play_with_kills(&place, &config, "out", 0, &mut chance);
        let able: Vec<_> =
            night.iter().filter_map(|(name, version)| Some((*name, (*version)?))).collect();
        let mut wanted = BTreeSet::new();
        for (place, (one, version)) in able.iter().enumerate() {
            for (other, others) in &able[place + 1..] {
                wanted.extend(
                    (1..=2).map(|game| (format!("{one}~{other}.{game}"), *version, *others)),
                );
            }
        }
        let missing = wanted.difference(&played).count();
        assert_eq!(
            place.journal("out").len() - before,
            missing,
            "night {number}: games that were played"
        );
        played.extend(wanted.iter().cloned());
        let log = place.text("out/games.pgn");
        let counted: BTreeSet<&str> = tags(&log, "GameId").into_iter().collect();
        let expected: BTreeSet<&str> = wanted.iter().map(|(id, ..)| id.as_str()).collect();
        assert_eq!(counted, expected, "night {number}: games that count");
        let table: serde_json::Value =
            serde_json::from_str(&place.text("out/standings.json")).unwrap();
        assert_eq!(table["complete"], true, "night {number}");
        assert_eq!(table["bots"].as_array().unwrap().len(), able.len(), "night {number}");
    }
    // The runs are in the tables, but for those that were killed.
    let table: serde_json::Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    let history = table["history"].as_array().unwrap();
    assert!(!history.is_empty() && history.len() <= 5, "{history:?}");
    let shown =
        crate::support::run(&["standings", place.path("out").to_str().unwrap(), "--history"]);
    let runs = shown.stdout.lines().filter(|line| line.starts_with("20")).count();
    assert_eq!((shown.status, runs), (Some(0), history.len()), "{shown:?}");
}

#[test]
fn a_name_stays_with_the_submission_that_was_there() {
    let place = Place::new();
    let submit = |name: &str| {
        place.write(&format!("submissions/{name}/bot.sh"), &format!("{FIRST}# {name}\n"));
        place.write(&format!("submissions/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    };
    ["alice", "bob"].into_iter().for_each(submit);
    let config = cup("games = 2", "", &[("ada", "builtin:random"), ("bea", "builtin:greedy")])
        + "[[bots]]\nfolder = 'submissions'\n";
    let absent = |out: &str| -> BTreeMap<String, String> {
        let table: serde_json::Value =
            serde_json::from_str(&place.text(&format!("{out}/standings.json"))).unwrap();
        let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        table["absent"]
            .as_array()
            .unwrap()
            .iter()
            .map(|bot| (word(&bot["name"]), word(&bot["reason"])))
            .collect()
    };
    place.ends(0, &config, "out", &[]);
    // A folder that comes before hers by its name, and one that is no bot.
    submit("ALICE");
    fs::create_dir(place.path("submissions/Bob")).unwrap();
    let ran = place.ends(0, &config, "out", &[]);
    assert!(!ran.stderr.contains("withdrawn"), "{ran:?}");
    assert_eq!(place.journal("out").len(), 12, "nothing is played again: {ran:?}");
    let said = absent("out");
    assert_eq!(said.keys().collect::<Vec<_>>(), ["ALICE", "Bob"]);
    let both = "another bot has this name (case is ignored): alice in submissions, and ALICE in submissions; rename this \
                folder: mv -- ALICE ALICE-2";
    assert_eq!(said["ALICE"], both);
    assert!(place.text("out/feedback/alice.md").contains("\n- Rank "), "her page is hers");
    // Also while hers does not start.
    place.write("submissions/alice/bot.sh", "exit 1\n");
    place.ends(0, &config, "out", &[]);
    assert_eq!(absent("out").keys().collect::<Vec<_>>(), ["ALICE", "Bob", "alice"]);
    // In a first night neither plays; a later one knows who was there.
    submit("alice");
    let ran = place.ends(0, &config, "first", &[]);
    let said = absent("first");
    assert_eq!(said.keys().collect::<Vec<_>>(), ["ALICE", "Bob", "alice", "bob"], "{ran:?}");
    assert!(said["alice"].contains("neither has played here before"), "{said:?}");
    for (name, other, free) in [("alice", "ALICE", "alice-3"), ("ALICE", "alice", "ALICE-2")] {
        let both = format!(
            "so neither plays: {other} in submissions, and {name} in submissions; rename this folder: mv -- {name} {free}"
        );
        assert!(said[name].ends_with(&both), "{said:?}");
    }
    fs::remove_dir_all(place.path("submissions/Bob")).unwrap();
    place.ends(0, &config, "first", &[]);
    submit("Bob");
    place.ends(0, &config, "first", &[]);
    assert_eq!(absent("first").keys().collect::<Vec<_>>(), ["ALICE", "Bob", "alice"]);
    // The page of a name is that of the bot, whatever another folder's name becomes.
    for (name, text) in [("d-e", "d_e_is_not_there\n"), ("d e", "")] {
        place.write(&format!("submissions/{name}/bot.sh"), text);
        place.write(&format!("submissions/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    }
    place.ends(0, &config, "first", &[]);
    assert!(place.text("first/feedback/d-e.md").contains("d_e_is_not_there"));
}

/// A submission in the folder `FOLDER/NAME`, whose program names its author.
fn submit(place: &Place, folder: &str, name: &str, author: &str) {
    place.write(&format!("{folder}/{name}/bot.sh"), &format!("{FIRST}# {author}\n"));
}

/// The bots that are absent, each with the reason.
fn absent(place: &Place, out: &str) -> Vec<(String, String)> {
    let table: serde_json::Value =
        serde_json::from_str(&place.text(&format!("{out}/standings.json"))).unwrap();
    let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let all = table["absent"].as_array().unwrap().iter();
    all.map(|bot| (word(&bot["name"]), word(&bot["reason"]))).collect()
}

#[test]
fn a_name_stays_with_its_folder_among_several() {
    for (format, names) in [
        ("round-robin", "name"),
        ("round-robin", "alias"),
        ("swiss", "name"),
        ("knockout", "alias"),
    ] {
        let place = Place::new();
        let rounds = if format == "swiss" { "rounds = 2" } else { "" };
        let folders = ["one", "two"]
            .map(|folder| format!("[[bots]]\nfolder = '{folder}'\ncommand = 'sh bot.sh'\n"));
        let publish = format!("[publish]\nnames = '{names}'\n");
        let config =
            cup(&format!("format = '{format}'\n{rounds}"), &(folders.concat() + &publish), &[]);
        submit(&place, "one", "bob", "bob");
        submit(&place, "one", "carl", "carl");
        submit(&place, "two", "alice", "alice");
        place.ends(0, &config, "out", &[]);
        let before = place.text("out/games.pgn");
        // A folder that the configuration names first, and then one that differs in case.
        for (night, thief) in ["alice", "ALICE"].into_iter().enumerate() {
            submit(&place, "one", thief, "thief");
            let ran = place.ends(0, &config, "out", &[]);
            assert!(
                !ran.stderr.contains("withdrawn") && !ran.stderr.contains("changed"),
                "{ran:?}"
            );
            assert_eq!(place.text("out/games.pgn"), before, "{format}: {ran:?}");
            let absent = absent(&place, "out");
            assert_eq!(absent.len(), night + 1, "{format}: {absent:?}");
            assert!(
                absent.iter().all(|(_, why)| why.contains("another bot has this name")),
                "{absent:?}"
            );
        }
        // What plays again is hers.
        let alice = match names {
            "alias" => {
                let list = place.text("out/aliases.txt");
                list.lines().find_map(|line| line.strip_suffix(" alice")).unwrap().to_owned()
            }
            _ => "alice".to_owned(),
        };
        let id = place
            .journal("out")
            .into_iter()
            .map(|(id, ..)| id)
            .find(|id| id.contains(&alice))
            .unwrap();
        let ran = crate::support::run(&["rerun", place.path("out").to_str().unwrap(), &id]);
        assert!(ran.status == Some(0) && !ran.stderr.contains("content"), "{ran:?}");
        // Also while hers does not start; in a knockout all wait for it.
        place.write("two/alice/bot.sh", "exit 1\n");
        let ran = place.play(&config, "out", &[]);
        let is_league = format == "round-robin";
        assert_eq!(ran.status, Some(if is_league { 0 } else { 2 }), "{ran:?}");
        if is_league {
            assert_eq!(absent(&place, "out").len(), 3, "{ran:?}");
        }
        // In a first night neither plays.
        submit(&place, "two", "alice", "alice");
        submit(&place, "two", "dora", "dora");
        fs::remove_dir_all(place.path("one/ALICE")).unwrap();
        place.ends(0, &config, "first", &[]);
        let said = absent(&place, "first");
        assert!(said.len() == 2 && said[0].0 == said[1].0, "{said:?}");
        assert!(
            said.iter().all(|(_, why)| why.contains("neither has played here before")),
            "{said:?}"
        );
    }
}

#[test]
fn a_submission_in_another_folder_does_not_stop_the_league_and_shards_know_who_was_there() {
    let place = Place::new();
    let folders = ["one", "two"]
        .map(|folder| format!("[[bots]]\nfolder = '{folder}'\ncommand = 'sh bot.sh'\n"));
    let config = cup("games = 2", &folders.concat(), &[]);
    submit(&place, "one", "bob", "bob");
    submit(&place, "one", "carl", "carl");
    submit(&place, "two", "alice", "alice");
    place.ends(0, &config, "out", &[]);
    let before = place.text("out/games.pgn");
    // Another run of the tournament takes from the roster, or from the folders, whose the name is.
    submit(&place, "one", "alice", "thief");
    let (folder, journal) = (place.path("out"), place.path("out/journal.jsonl"));
    for (option, path, games) in [("--roster", journal, 6), ("--missing", folder, 0)] {
        let out = format!("other{option}");
        place.ends(0, &config, &out, &[option, path.to_str().unwrap()]);
        assert_eq!(place.journal(&out).len(), games);
    }
    // By the configuration alice now comes before bob, and the games that are there begin with bob.
    fs::remove_dir_all(place.path("one/alice")).unwrap();
    fs::rename(place.path("two/alice"), place.path("one/alice")).unwrap();
    let ran = place.ends(0, &config, "out", &[]);
    assert_eq!(place.text("out/games.pgn"), before, "{ran:?}");
    assert_eq!(absent(&place, "out"), []);
}

#[test]
fn a_new_folder_does_not_stop_a_tournament_that_takes_no_new_bots() {
    for (schedule, seen) in [
        ("format = 'swiss'\nrounds = 2", "it is new, and a bot cannot be added to a swiss"),
        ("format = 'gauntlet'\ngames = 2\nchallengers = 2", "it would be one of the challengers"),
    ] {
        let place = Place::new();
        let config = cup(
            schedule,
            "[[bots]]\nfolder = 'in'\ncommand = 'sh bot.sh'\n",
            &[("ada", "builtin:random")],
        );
        for name in ["bob", "carol"] {
            place.write(&format!("in/{name}/bot.sh"), FIRST);
        }
        place.ends(0, &config, "out", &[]);
        let before = place.text("out/games.pgn");
        place.write("in/a-new-one/bot.sh", FIRST);
        let ran = place.ends(0, &config, "out", &[]);
        assert!(
            ran.stderr.contains("a-new-one does not play") && ran.stderr.contains(seen),
            "{ran:?}"
        );
        assert_eq!(place.text("out/games.pgn"), before);
    }
}

#[test]
fn a_content_that_comes_back_is_a_new_version_if_the_league_says_so() {
    let place = Place::new();
    let (count, anew) = (cup("games = 2", "", &[]), cup("games = 2\nrestored = 'anew'", "", &[]));
    let [count, anew] = [count, anew].map(|config| config + "[[bots]]\nfolder = 'submissions'\n");
    let night =
        |alice: Option<u32>| Night::from([("alice", alice), ("bob", Some(1)), ("carol", Some(1))]);
    let plays = |config: &str, out: &str, alice: Option<u32>, more: &[&str]| {
        enter(&place, &night(alice));
        let is_begun = place.path(out).exists() && !more.contains(&"--restart");
        let before = if is_begun { place.journal(out).len() } else { 0 };
        place.ends(0, config, out, more);
        place.journal(out).len() - before
    };
    let versions = |out: &str| {
        let table: serde_json::Value =
            serde_json::from_str(&place.text(&format!("{out}/standings.json"))).unwrap();
        let bots = table["bots"].as_array().unwrap();
        let alice = bots.iter().find(|bot| bot["name"] == "alice").unwrap();
        assert!(bots.iter().all(|bot| bot["name"] == "alice" || bot["versions"] == 1), "{table}");
        alice["versions"].as_u64().unwrap()
    };
    assert_eq!(plays(&count, "out", Some(1), &[]), 6);
    assert_eq!(plays(&count, "out", Some(2), &[]), 4);
    assert_eq!(plays(&count, "out", Some(1), &[]), 0, "games of this content count again");
    assert_eq!(versions("out"), 2);
    // The organiser decides otherwise in the midst of the season.
    assert_eq!(plays(&anew, "out", Some(1), &[]), 0);
    assert_eq!(plays(&anew, "out", Some(2), &[]), 4);
    assert_eq!(plays(&anew, "out", Some(2), &[]), 0, "it is still that version");
    assert_eq!(plays(&anew, "out", Some(1), &[]), 4);
    assert_eq!(plays(&anew, "out", Some(2), &[]), 4);
    assert_eq!(versions("out"), 5);
    let out = place.path("out").display().to_string();
    let explained =
        crate::support::run(&["standings", &out, "--explain", "--format", "markdown"]).stdout;
    assert!(explained.contains("| versions |"), "{explained}");
    // A night without it makes no version, and neither does one in which it does not start.
    assert_eq!(plays(&anew, "out", None, &[]), 0);
    assert_eq!(plays(&anew, "out", Some(2), &[]), 0);
    assert_eq!(versions("out"), 5);
    assert_eq!(plays(&anew, "out", Some(1), &["--keep-changed"]), 0, "the newest games count");
    assert_eq!(plays(&anew, "out", Some(1), &[]), 4, "without the option it plays its own");
    assert_eq!(versions("out"), 6);
    // What is merged knows the versions.
    let merged = crate::support::arbiter(&["merge"])
        .args([place.path("out"), "--out".into(), place.path("merged")])
        .output()
        .unwrap();
    assert!(merged.status.success(), "{merged:?}");
    assert_eq!(versions("merged"), 6);
    assert_eq!(plays(&anew, "merged", Some(1), &[]), 0);
    assert_eq!(plays(&anew, "merged", Some(2), &[]), 4);
    assert_eq!(versions("merged"), 7);
    // Who reads a roster plays its version.
    let journal = place.path("merged/journal.jsonl").display().to_string();
    let shard = ["--shard", "1/1", "--roster", &journal];
    assert_eq!(plays(&anew, "shard", Some(2), &shard), 6);
    let merged = crate::support::arbiter(&["merge"])
        .args([place.path("merged"), place.path("shard"), "--out".into(), place.path("all")])
        .output()
        .unwrap();
    assert!(merged.status.success(), "{merged:?}");
    assert_eq!(plays(&anew, "out", Some(1), &["--restart"]), 6);
    assert_eq!(versions("out"), 1);
    // A name that is written otherwise, and back, is a version as well.
    let rename = |to: &str| {
        let games = place.journal("out").len();
        enter(&place, &Night::from([("bob", Some(1)), ("carol", Some(1))]));
        place.write(&format!("submissions/{to}/bot.sh"), &format!("{FIRST}# version 1\n"));
        place.write(&format!("submissions/{to}/bot.toml"), "command = 'sh bot.sh'\n");
        place.ends(0, &anew, "out", &[]);
        place.journal("out").len() - games
    };
    assert_eq!(["ALICE", "ALICE", "alice", "alice", "ALICE"].map(rename), [4, 0, 4, 0, 4]);
    assert_eq!(["alice"].map(rename), [4]);
    assert_eq!(versions("out"), 5);
    let swiss = anew.replace("games = 2", "format = 'swiss'");
    let ran = place.play(&swiss, "swiss", &[]);
    assert!(
        ran.status == Some(2)
            && ran.stderr.contains("`restored = \"anew\"` is for \"round-robin\""),
        "{ran:?}"
    );
}

/// The numbers of games of the bots after so many games of a journal.
fn games_of_each(ids: &[String], bots: &[&str]) -> Vec<usize> {
    let is_of = |id: &&String, bot: &str| {
        let names = id.rsplit_once('.').unwrap().0;
        names.split('~').any(|name| name == bot)
    };
    bots.iter().map(|bot| ids.iter().filter(|id| is_of(id, bot)).count()).collect()
}

/// Bots of these names.
fn random_bots(names: &[&'static str]) -> Vec<(&'static str, &'static str)> {
    names.iter().map(|name| (*name, "builtin:random")).collect()
}

#[test]
fn at_any_moment_all_bots_have_played_nearly_the_same_number_of_games() {
    let place = Place::new();
    let names = ["a", "b", "c", "d", "e", "f"];
    let gauntlet = "format = 'gauntlet'\nchallengers = 3\ngames = 2\nrounds = 2";
    for (out, schedule, bots) in
        [("even", "games = 2", 6), ("odd", "games = 2\nrounds = 2", 5), ("gauntlet", gauntlet, 6)]
    {
        let bots = &names[..bots];
        place.ends(0, &cup(schedule, "", &random_bots(bots)), out, &["--concurrency", "1"]);
        let ids: Vec<String> = place.journal(out).into_iter().map(|(id, ..)| id).collect();
        for games in 0..=ids.len() {
            let of_each = games_of_each(&ids[..games], bots);
            let most = of_each.iter().max().unwrap();
            let least = of_each.iter().min().unwrap();
            // A pairing has two games; with an odd number of bots one of them pauses in each
            // circle.
            let allowed = if out == "odd" { 4 } else { 2 };
            assert!(most - least <= allowed, "{out}, after {games} games: {of_each:?} of {bots:?}");
        }
    }
}

#[test]
fn a_league_that_was_begun_in_rows_goes_on() {
    let place = Place::new();
    let names = ["a", "b", "c", "d", "e"];
    let config = cup("games = 2", "", &random_bots(&names));
    place.ends(0, &config, "whole", &["--concurrency", "1"]);
    let journal = place.text("whole/journal.jsonl");
    let (head, games) = journal.split_once('\n').unwrap();
    let mut games: Vec<&str> =
        games.lines().filter(|line| line.contains(r#""type":"game""#)).collect();
    assert_eq!(games.len(), 20);
    // As the first bot played all its games first in versions before: in the order of names.
    games.sort_by_key(|line| line.split(r#""id":""#).nth(1).unwrap().to_owned());
    place.write("rows/journal.jsonl", &format!("{head}\n{}\n", games[..7].join("\n")));
    let ran = place.ends(0, &config, "rows", &["--concurrency", "8"]);
    assert!(ran.stderr.contains("continuing: 7 games are in"), "{ran:?}");
    assert_eq!(place.journal("rows").len(), 20);
    assert_eq!(place.results("rows"), place.results("whole"));
}

/// The numbers of games that each bot had as the first and as the second side, by the games of a
/// journal.
fn sides(place: &Place, out: &str) -> BTreeMap<String, [usize; 2]> {
    let mut sides: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let log = place.text(&format!("{out}/games.pgn"));
    for (side, tag) in ["White", "Black"].into_iter().enumerate() {
        for name in tags(&log, tag) {
            sides.entry(name.to_owned()).or_default()[side] += 1;
        }
    }
    sides
}

/// The head of a journal, as it was last.
fn head(place: &Place, out: &str) -> serde_json::Value {
    let journal = place.text(&format!("{out}/journal.jsonl"));
    let entries =
        journal.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let mut entries = entries.map(|mut line| line["entry"].take());
    entries.rfind(|entry| entry["type"] == "head").unwrap()
}

#[test]
fn with_one_game_a_pairing_no_bot_has_one_side_only() {
    let place = Place::new();
    let names = ["a", "b", "c", "d", "e"];
    place.ends(0, &cup("games = 1", "", &random_bots(&names)), "out", &[]);
    let expected = names.map(|name| (name.to_owned(), [2, 2]));
    assert_eq!(sides(&place, "out"), BTreeMap::from(expected));
}

#[test]
fn a_bot_keeps_its_number_and_its_sides_while_others_come_and_go() {
    let place = Place::new();
    let config = cup("games = 1", "", &[]) + "[[bots]]\nfolder = 'submissions'\n";
    let nights: [(&[&str], serde_json::Value); 4] = [
        (&["b", "c", "d"], serde_json::json!({ "b": 1, "c": 2, "d": 3 })),
        (&["a", "c", "d"], serde_json::json!({ "a": 4, "b": 1, "c": 2, "d": 3 })),
        (&["c", "d", "e"], serde_json::json!({ "a": 4, "b": 1, "c": 2, "d": 3, "e": 5 })),
        (&["a", "b", "c", "d", "e"], serde_json::json!({ "a": 4, "b": 1, "c": 2, "d": 3, "e": 5 })),
    ];
    for (names, numbers) in nights {
        enter(&place, &names.iter().map(|name| (*name, Some(1))).collect());
        place.ends(0, &config, "out", &[]);
        assert_eq!(head(&place, "out")["numbers"], numbers, "{names:?}");
    }
    // No game was played twice, and with all five everybody has both sides twice.
    assert_eq!(place.journal("out").len(), 10);
    assert!(
        sides(&place, "out").values().all(|sides| *sides == [2, 2]),
        "{:?}",
        sides(&place, "out")
    );
}
