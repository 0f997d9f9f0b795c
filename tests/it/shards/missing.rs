//! `--missing`: exactly what is in none of the folders is played.

use crate::shards::{everything, merges, play_shards};
use crate::support::Ran;
use crate::support::place::{BOTS, LAST, Place, cup};
use std::collections::BTreeSet;

fn ids(place: &Place, out: &str) -> BTreeSet<String> {
    place.journal(out).into_iter().map(|(id, ..)| id).collect()
}

/// The paths of folders of a place, after `--missing`.
fn missing(place: &Place, dirs: &[&str], more: &[&str]) -> Vec<String> {
    let dirs = dirs.iter().map(|dir| place.path(dir).display().to_string());
    std::iter::once("--missing".to_owned())
        .chain(dirs)
        .chain(more.iter().map(ToString::to_string))
        .collect()
}

fn play(place: &Place, config: &str, out: &str, arguments: &[String]) -> Ran {
    place.ends(0, config, out, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_lost_shard_is_played_by_one_run_or_by_several() {
    let place = Place::with_bots();
    let config = cup("games = 3\nrounds = 2", "", &BOTS);
    place.ends(0, &config, "whole", &[]);
    play_shards(&place, &config, 3, "shard", &[]);
    let lost = ids(&place, "shard2");
    let there = ["shard1", "shard3"];
    let ran = merges(1, &place, &there, "part");
    assert!(ran.stderr.contains(&format!("{} games missing", lost.len())), "{ran:?}");
    play(&place, &config, "found", &missing(&place, &there, &[]));
    assert_eq!(ids(&place, "found"), lost);
    merges(0, &place, &["shard1", "found", "shard3"], "merged");
    assert_eq!(everything(&place, "merged"), everything(&place, "whole"));
    // The same from the merged part, in two shards, one of which is interrupted and plays again.
    for (shard, out) in [("1/2", "half1"), ("2/2", "half2"), ("1/2", "half1")] {
        play(&place, &config, out, &missing(&place, &["part"], &["--shard", shard]));
    }
    let halves = [ids(&place, "half1"), ids(&place, "half2")];
    assert!(halves[0].is_disjoint(&halves[1]));
    assert_eq!(&halves[0] | &halves[1], lost);
    let pairs = |ids: &BTreeSet<String>| {
        ids.iter()
            .map(|id| (id.rsplit_once('.').unwrap().0.to_owned(), round_and_pair(id)))
            .collect::<BTreeSet<_>>()
            .len()
    };
    assert!(pairs(&halves[0]).abs_diff(pairs(&halves[1])) <= 1, "{halves:?}");
    merges(0, &place, &["part", "half1", "half2"], "part");
    assert_eq!(everything(&place, "part"), everything(&place, "whole"));
    // Nothing is missing any more.
    play(&place, &config, "nothing", &missing(&place, &["part"], &[]));
    assert_eq!(ids(&place, "nothing"), BTreeSet::new());
}

/// Three games of a round are a pair and a single one.
fn round_and_pair(id: &str) -> u64 {
    let number: u64 = id.rsplit_once('.').unwrap().1.parse().unwrap();
    (number - 1) / 3 * 2 + (number - 1) % 3 / 2
}

#[test]
fn missing_pairs_are_dealt_out_in_the_order_of_rows() {
    let place = Place::with_bots();
    let bots = [("a", "builtin:random"), ("b", "builtin:random"), ("c", "builtin:random")];
    let config = cup("games = 3", "", &bots);
    // Of the six pairs and single games the third, which is a pair of a and c, is there.
    place.ends(0, &config, "third", &["--shard", "3/6"]);
    let expected: [&[&str]; 2] =
        [&["a~b.1", "a~b.2", "a~c.3", "b~c.3"], &["a~b.3", "b~c.1", "b~c.2"]];
    for (shard, expected) in ["1/2", "2/2"].into_iter().zip(expected) {
        let out = format!("half{}", &shard[..1]);
        play(&place, &config, &out, &missing(&place, &["third"], &["--shard", shard]));
        assert_eq!(
            ids(&place, &out),
            expected.iter().map(ToString::to_string).collect(),
            "{shard}"
        );
    }
}

#[test]
fn what_a_swiss_tournament_lacks_is_played_to_its_end() {
    let place = Place::with_bots();
    let config = cup("format = 'swiss'\nrounds = 3", "", &BOTS);
    place.ends(0, &config, "whole", &[]);
    place.ends(0, &config, "shard", &["--shard", "1/2"]);
    play(&place, &config, "rest", &missing(&place, &["shard"], &[]));
    merges(0, &place, &["shard", "rest"], "merged");
    assert_eq!(everything(&place, "merged"), everything(&place, "whole"));
    assert!(ids(&place, "rest").is_disjoint(&ids(&place, "shard")));
}

#[test]
fn folders_of_another_tournament_or_other_bots_are_refused() {
    let place = Place::with_bots();
    place.ends(0, &cup("games = 4", "", &BOTS), "other", &[]);
    let config = cup("games = 2", "", &BOTS);
    place.write("last/bot.py", &format!("{}# edited\n", LAST));
    place.ends(0, &config, "edited", &[]);
    place.write("last/bot.py", LAST);
    for (dir, words) in [
        ("other", "different tournaments"),
        ("edited", "kept (bot.py)"),
        ("nowhere", "no such folder"),
    ] {
        let arguments = missing(&place, &[dir], &[]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = place.ends(2, &config, "out", &arguments);
        assert!(ran.stderr.contains(words), "{ran:?}");
        assert!(place.journal("out").is_empty());
    }
}
