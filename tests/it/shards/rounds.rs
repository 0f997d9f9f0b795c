//! Swiss tournaments and knockouts in shards: a round waits until the shards of the one before are
//! merged.

use crate::shards::{everything, merge};
use crate::support::place::{BOTS, Place, cup};
use crate::support::sample;
use std::fs;

/// Plays a tournament in rounds of shards until it is complete; returns the number of merges.
fn play(place: &Place, config: &str, shards: usize) -> usize {
    let folders: Vec<String> = (1..=shards).map(|number| format!("shard{number}")).collect();
    let merged = place.path("merged").display().to_string();
    for merges in 1.. {
        let mut waits = 0;
        for (number, folder) in (1..).zip(&folders) {
            let shard = format!("{number}/{shards}");
            let from: &[&str] = if merges == 1 { &[] } else { &["--from", &merged] };
            let ran = place.ends(0, config, folder, &[&["--shard", &shard], from].concat());
            waits += usize::from(ran.stderr.contains("waits for merge"));
            // The same command again, as after a requeue, plays nothing more.
            let before = place.journal(folder);
            place.ends(0, config, folder, &[&["--shard", &shard], from].concat());
            assert_eq!(place.journal(folder), before);
        }
        let ran = merge(place, &folders.iter().map(String::as_str).collect::<Vec<_>>(), "merged");
        match ran.status {
            Some(4) => {
                assert!(ran.stderr.contains("is to be played next") && waits == shards, "{ran:?}")
            }
            Some(0) => return merges,
            _ => panic!("{ran:?}"),
        }
    }
    unreachable!()
}

#[test]
fn swiss_and_knockout_in_shards_are_those_of_one_run() {
    let five = [&BOTS[..], &[("eva", "builtin:random")]].concat();
    let formats = [
        ("swiss", cup("format = 'swiss'\nrounds = 3", "", &five)),
        ("knockout", cup("format = 'knockout'\nbest-of = 2", "", &five)),
    ];
    // In the knockout the first of two shards has the only pairing of round 1, and goes on with its
    // part of round 2 alone. The first and the last of these are tried always.
    let all = formats.iter().flat_map(|format| [3, 2].map(|shards| (format, shards)));
    for ((format, config), shards) in sample(all, 3) {
        let place = Place::with_bots();
        place.ends(0, config, "whole", &[]);
        let merges = play(&place, config, shards);
        assert!(merges >= 2, "{format}, {shards} shards: {merges}");
        let [merged, whole] = ["merged", "whole"].map(|folder| everything(&place, folder));
        assert_eq!(merged, whole, "{format}, {shards} shards");
    }
}

#[test]
fn a_round_is_played_from_one_state_of_the_results_only() {
    let place = Place::with_bots();
    let config = cup("format = 'swiss'\nrounds = 2", "", &BOTS);
    for (shard, out) in [("1/2", "one"), ("2/2", "two")] {
        let ran = place.ends(0, &config, out, &["--shard", shard]);
        assert!(ran.stderr.contains("round 1 waits for merge"), "{ran:?}");
    }
    assert_eq!(
        merge(&place, &["one"], "half").status,
        Some(1),
        "a round that has begun has games missing"
    );
    assert_eq!(merge(&place, &["one", "two"], "merged").status, Some(4));
    let from = place.path("merged").display().to_string();
    let ran = place.ends(0, &config, "two", &["--shard", "2/2", "--from", &from]);
    assert!(!ran.stderr.contains("waits for merge"), "the last round: {ran:?}");
    // Another first round, with other winners, does not lead to this second one.
    let turned = place.text("one/journal.jsonl");
    let lines = turned.lines().map(|line| {
        let mut entry = serde_json::from_str::<serde_json::Value>(line).unwrap()["entry"].clone();
        if entry["type"] == "game" {
            let log = entry["log"].as_str().unwrap();
            let log = log.replace("1-0", "?").replace("0-1", "1-0").replace('?', "0-1");
            let outcome = "[Outcome \"win\"]";
            assert!(log.contains(outcome) || log.contains("draw"), "{log}");
            entry["log"] = log.into();
        }
        let text = entry.to_string();
        format!(
            "{{\"sum\":\"{}\",\"entry\":{text}}}\n",
            &arbiter::content::sha256(text.as_bytes())[..16]
        )
    });
    let turned: String = lines.collect();
    fs::create_dir(place.path("forged")).unwrap();
    fs::write(place.path("forged/journal.jsonl"), turned).unwrap();
    let ran = merge(&place, &["forged", "two"], "out");
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("chosen by other results"), "{ran:?}");
    assert!(!place.path("out").exists());
    // With what it was chosen by it is whole.
    place.ends(0, &config, "one", &["--shard", "1/2", "--from", &from]);
    assert_eq!(merge(&place, &["two", "one"], "merged").status, Some(0));
    place.ends(0, &config, "whole", &[]);
    assert_eq!(everything(&place, "merged"), everything(&place, "whole"));
}
