//! A league: the same folder night after night, while bots change, break, leave, come back and join, and while
//! arbiter is killed at any moment; against a slow second implementation of what is to be played and what counts.

use crate::place::{LAST, Place, cup, tags};
use crate::resume::{Chance, play_with_kills};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The state of the bots in a night: each has a version, or is broken (none).
type Night = BTreeMap<&'static str, Option<u32>>;

/// Writes the bots of a night, and removes the others.
fn enter(place: &Place, night: &Night) {
    let _ = fs::remove_dir_all(place.path("submissions"));
    for (name, version) in night {
        let program = match version {
            Some(version) => format!("{LAST}# version {version}\n"),
            None => "import nothing_of_this_name\n".to_owned(),
        };
        place.write(&format!("submissions/{name}/bot.py"), &program);
        place.write(&format!("submissions/{name}/bot.toml"), "command = 'python3 bot.py'\n");
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
        &[("alice", Some(1)), ("bob", Some(1)), ("carol", Some(2)), ("dave", Some(1)), ("erin", Some(1))],
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
        let able: Vec<_> = night.iter().filter_map(|(name, version)| Some((*name, (*version)?))).collect();
        let mut wanted = BTreeSet::new();
        for (place, (one, version)) in able.iter().enumerate() {
            for (other, others) in &able[place + 1..] {
                wanted.extend((1..=2).map(|game| (format!("{one}~{other}.{game}"), *version, *others)));
            }
        }
        let missing = wanted.difference(&played).count();
        assert_eq!(place.journal("out").len() - before, missing, "night {number}: games that were played");
        played.extend(wanted.iter().cloned());
        let log = place.text("out/games.pgn");
        let counted: BTreeSet<&str> = tags(&log, "GameId").into_iter().collect();
        let expected: BTreeSet<&str> = wanted.iter().map(|(id, ..)| id.as_str()).collect();
        assert_eq!(counted, expected, "night {number}: games that count");
        let table: serde_json::Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
        assert_eq!(table["complete"], true, "night {number}");
        assert_eq!(table["bots"].as_array().unwrap().len(), able.len(), "night {number}");
    }
    // The runs are in the tables, but for those that were killed.
    let table: serde_json::Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    let history = table["history"].as_array().unwrap();
    assert!(!history.is_empty() && history.len() <= 5, "{history:?}");
    let shown = crate::support::run(&["standings", place.path("out").to_str().unwrap(), "--history"]);
    let runs = shown.stdout.lines().filter(|line| line.starts_with("20")).count();
    assert_eq!((shown.status, runs), (Some(0), history.len()), "{shown:?}");
}
