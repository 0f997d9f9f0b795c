//! Milestones that stop games, in shards: each plays all games of its bots.

use crate::shards::{merges, play_shards};
use crate::support::place::{FIRST, ILLEGAL, LAST, Place, cup};
use std::collections::BTreeSet;

fn class() -> (Place, String) {
    let place = Place::new();
    for (name, file, program) in [
        ("anna", "bot.py", LAST),
        ("ben", "bot.sh", FIRST),
        ("cora", "bot.sh", ILLEGAL),
        ("dan", "bot.sh", FIRST),
    ] {
        let command = if file == "bot.py" { "python3 bot.py" } else { "sh bot.sh" };
        place.write(&format!("in/{name}/{file}"), program);
        place.write(&format!("in/{name}/bot.toml"), &format!("command = '{command}'\n"));
    }
    let steps = [("low", "builtin:random"), ("high", "builtin:greedy")];
    let milestones = "[milestones]\nsteps = ['low', 'high']\nwrong = 0.2\nstop = 'decided'\n[[bots]]\nfolder = 'in'";
    (place, cup("format = 'gauntlet'\nchallengers = 2\ngames = 20", milestones, &steps))
}

/// The bots of a folder's games but the steps.
fn measured(place: &Place, folder: &str) -> BTreeSet<String> {
    let ids = place.journal(folder).into_iter().map(|(id, ..)| id);
    let names = ids.flat_map(|id| {
        let (one, other) = arbiter::game_id::names_in(&id)
            .map(|(one, other)| (one.to_owned(), other.to_owned()))
            .unwrap();
        [one, other]
    });
    names.filter(|name| name != "low" && name != "high").collect()
}

#[test]
fn merged_shards_have_the_milestones_of_one_run() {
    let (place, config) = class();
    place.ends(0, &config, "whole", &["--concurrency", "1"]);
    let folders = play_shards(&place, &config, 3, "shard", &["--concurrency", "2"]);
    let dealt: Vec<BTreeSet<String>> =
        folders.iter().map(|folder| measured(&place, folder)).collect();
    let expected = [&["anna", "dan"][..], &["ben"], &["cora"]];
    assert_eq!(dealt, expected.map(|names| names.iter().map(ToString::to_string).collect()));
    let dirs: Vec<&str> = folders.iter().map(String::as_str).collect();
    merges(0, &place, &dirs, "merged");
    assert_eq!(place.text("merged/milestones.csv"), place.text("whole/milestones.csv"));
    assert_eq!(place.results("merged"), place.results("whole"));
}

#[test]
fn a_lost_shard_is_played_elsewhere() {
    let (place, config) = class();
    place.ends(0, &config, "whole", &[]);
    let folders = play_shards(&place, &config, 2, "shard", &[]);
    // The second shard is lost: the next pair of each of its bots is missing, and what follows
    // depends on that.
    let ran = merges(1, &place, &[&folders[0]], "merged");
    assert!(ran.stderr.contains("missing"), "{ran:?}");
    assert_eq!(
        place.text("merged/missing.txt").lines().collect::<Vec<_>>(),
        ["ben~low.1", "ben~low.2", "dan~low.1", "dan~low.2"]
    );
    let found = place.text("merged/standings.md");
    assert!(
        found.contains("INCOMPLETE")
            && found.contains(" of at most 160 games, ")
            && found.contains("undecided"),
        "{found}"
    );
    place.ends(0, &config, "rest", &["--missing", place.path("merged").to_str().unwrap()]);
    merges(0, &place, &["merged", "rest"], "merged");
    assert_eq!(place.text("merged/milestones.csv"), place.text("whole/milestones.csv"));
    assert_eq!(place.results("merged"), place.results("whole"));
}
