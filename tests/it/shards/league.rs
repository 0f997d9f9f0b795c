//! Round-robins and gauntlets in shards.

use crate::shards::{everything, merges, play_shards};
use crate::support::place::{BOTS, FIRST, Place, cup};
use crate::support::{Ran, arbiter};
use std::collections::HashMap;
use std::process::Stdio;

fn dirs(folders: &[String]) -> Vec<&str> {
    folders.iter().map(String::as_str).collect()
}

#[test]
fn merged_shards_are_the_unsharded_tournament() {
    let [kept, fresh, ada, bea] = BOTS;
    let formats = [
        ("round-robin", cup("games = 3\nrounds = 2", "[expect]\nkept = '>= 0'", &BOTS)),
        ("gauntlet", cup("format = 'gauntlet'\ngames = 4", "", &[ada, kept, fresh, bea])),
    ];
    for (format, config) in formats {
        let place = Place::with_bots();
        place.ends(0, &config, "whole", &[]);
        let folders = play_shards(&place, &config, 3, "shard", &[]);
        let ran = merges(0, &place, &dirs(&folders), "merged");
        assert_eq!(everything(&place, "merged"), everything(&place, "whole"), "{format}");
        assert!(!ran.stdout.is_empty() && ran.stderr.is_empty(), "{ran:?}");
        // The journal names each game once, and continuing it plays nothing.
        let games = place.journal("merged");
        let mut ids: Vec<_> = games.iter().map(|(id, ..)| id.clone()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), games.len());
        let before = place.snapshot("merged");
        let continued = place.ends(0, &config, "merged", &[]);
        assert!(
            continued.stderr.contains(&format!("continuing: {} games", games.len())),
            "{continued:?}"
        );
        assert_eq!(place.snapshot("merged/journal.jsonl"), {
            let mut before = before;
            before.retain(|path, _| path.ends_with("journal.jsonl"));
            before
        });
    }
}

#[test]
fn a_pair_belongs_to_one_shard_by_its_index_in_the_schedule() {
    let place = Place::with_bots();
    // Three games are a pair and a single game: two of what is dealt out.
    let config = cup("games = 3", "", &BOTS[1..]);
    let folders = play_shards(&place, &config, 4, "shard", &[]);
    let mut shard_of = HashMap::new();
    for (shard, folder) in folders.iter().enumerate() {
        for (id, ..) in place.journal(folder) {
            assert_eq!(shard_of.insert(id, shard), None, "each game in one shard");
        }
    }
    let pairings = ["ada~fresh", "bea~fresh", "ada~bea"];
    let dealt = pairings
        .map(|names| (1..=3).map(|game| shard_of[&format!("{names}.{game}")]).collect::<Vec<_>>());
    assert_eq!(dealt, [vec![0, 0, 1], vec![2, 2, 3], vec![0, 0, 1]]);
    // A shard says what it is, and so does its table.
    assert!(place.text("shard2/standings.md").contains("shard 2/4 alone"));
}

#[test]
fn a_share_can_be_interrupted_and_played_by_other_concurrency() {
    let place = Place::with_bots();
    let config = cup("games = 4", "", &BOTS);
    place.ends(0, &config, "whole", &[]);
    let mut first = place.start(&config, "one", &["--shard", "1/2", "--concurrency", "1"]);
    let journal = place.path("one/journal.jsonl");
    crate::support::wait_for("a game", || {
        let lines = std::fs::read_to_string(&journal).unwrap_or_default().matches('\n').count();
        (lines > 2).then_some(())
    });
    first.kill().unwrap();
    first.wait().unwrap();
    // What is there can be merged, and says what is missing.
    let part = merges(1, &place, &["one"], "merged");
    assert!(part.stderr.contains("missing"), "{part:?}");
    place.ends(0, &config, "one", &["--shard", "1/2", "--concurrency", "4"]);
    place.ends(0, &config, "two", &["--shard", "2/2", "--concurrency", "2"]);
    merges(0, &place, &["one", "two"], "merged");
    assert_eq!(everything(&place, "merged"), everything(&place, "whole"));
}

#[test]
fn without_out_every_shard_has_a_folder_of_its_own() {
    let place = Place::with_bots();
    place.write("cup.toml", &cup("games = 2", "", &BOTS[2..]));
    let config = place.path("cup.toml").display().to_string();
    for shard in ["1/2", "2/2"] {
        let ran = crate::support::run(&["tournament", &config, "--shard", shard]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    merges(0, &place, &["cup.shard-1-of-2", "cup.shard-2-of-2"], "cup");
    assert_eq!(place.journal("cup").len(), 2);
}

#[test]
fn a_test_cannot_be_shared() {
    let place = Place::with_bots();
    let config = cup("format = 'sprt'", "[sprt]\nmax-pairs = 2", &BOTS[2..]);
    for more in [&["--shard", "1/2"][..], &["--missing", "other"]] {
        let ran = place.ends(2, &config, "out", more);
        assert!(ran.stderr.contains(more[0]) && ran.stderr.contains("sequential test"), "{ran:?}");
        assert!(!place.path("out").exists(), "nothing is begun");
    }
    for wrong in ["0/2", "3/2", "1", "1/2/3", "+1/2", "one/two"] {
        let ran = place.ends(2, &cup("games = 2", "", &BOTS[2..]), "out", &["--shard", wrong]);
        assert!(ran.stderr.contains("such as 2/3"), "{ran:?}");
    }
}

/// A place with submissions of which one does not start.
fn with_broken() -> (Place, String) {
    let place = Place::with_bots();
    for name in ["ann", "ben"] {
        place.write(&format!("subs/{name}/bot.sh"), FIRST);
        place.write(&format!("subs/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    }
    place.write("subs/bad/bot.toml", "command = 'sh bot.sh'\n");
    place.write("subs/bad/bot.sh", "nothing_of_this_name || exit 1\n");
    (place, cup("games = 2", "", &BOTS[2..]) + "[[bots]]\nfolder = 'subs'\n")
}

#[test]
fn shards_agree_on_who_plays() {
    let (place, config) = with_broken();
    let refused = place.ends(2, &config, "none", &["--shard", "1/2"]);
    assert!(refused.stderr.contains("bad") && refused.stderr.contains("--roster"), "{refused:?}");
    assert!(place.journal("none").is_empty());
    place.ends(0, &config, "whole", &[]);
    let roster = place.path("roster.jsonl").display().to_string();
    let folders = play_shards(&place, &config, 3, "shard", &["--roster", &roster]);
    merges(0, &place, &dirs(&folders), "merged");
    assert_eq!(everything(&place, "merged"), everything(&place, "whole"));
    assert!(place.text("merged/feedback/bad.md").contains("nothing_of_this_name"));
    // A bot that is not in the roster does not play; one of the roster that differs or does not
    // start is an error.
    place.write("subs/bad/bot.sh", FIRST);
    place.ends(0, &config, "again", &["--shard", "1/3", "--roster", &roster]);
    assert_eq!(place.journal("again").len(), place.journal("shard1").len());
    place.write("subs/ann/bot.sh", &format!("{}# edited\n", FIRST));
    let edited = place.ends(2, &config, "edited", &["--shard", "1/3", "--roster", &roster]);
    assert!(edited.stderr.contains("ann has another content here (bot.sh)"), "{edited:?}");
    place.write("subs/ann/bot.sh", "nothing_of_this_name || exit 1\n");
    let broken = place.ends(2, &config, "broken", &["--shard", "1/3", "--roster", &roster]);
    assert!(broken.stderr.contains("ann plays by the roster and cannot play here"), "{broken:?}");
    // The journal of a shard is a roster too.
    place.write("subs/ann/bot.sh", FIRST);
    place.write("subs/bad/bot.sh", "nothing_of_this_name || exit 1\n");
    let journal = place.path("shard1/journal.jsonl").display().to_string();
    place.ends(0, &config, "other", &["--shard", "2/3", "--roster", &journal]);
    assert_eq!(place.journal("other").len(), place.journal("shard2").len());
}

#[test]
fn shards_that_start_at_once_write_one_roster() {
    let (place, config) = with_broken();
    let roster = place.path("roster.jsonl").display().to_string();
    place.write("cup.toml", &config);
    let file = place.path("cup.toml").display().to_string();
    let start = |number: usize| {
        let (shard, out) =
            (format!("{number}/4"), place.path(&format!("shard{number}")).display().to_string());
        let mut command =
            arbiter(&["tournament", &file, "--shard", &shard, "--out", &out, "--roster", &roster]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let running: Vec<_> = (1..=4).map(start).collect();
    for child in running {
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    place.ends(0, &config, "whole", &[]);
    merges(0, &place, &["shard1", "shard2", "shard3", "shard4"], "merged");
    assert_eq!(everything(&place, "merged"), everything(&place, "whole"));
    let files = place.path("").read_dir().unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = files.filter(|name| name.to_string_lossy().starts_with(".roster")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn aliases_stay_the_same_in_shards() {
    let place = Place::with_bots();
    place.write("cup.key", "a secret of the organiser\n");
    let config = cup("games = 2", "[publish]\nnames = 'alias'\nkey-file = 'cup.key'", &BOTS);
    place.ends(0, &config, "whole", &[]);
    let folders = play_shards(&place, &config, 2, "shard", &[]);
    merges(0, &place, &dirs(&folders), "merged");
    assert_eq!(everything(&place, "merged"), everything(&place, "whole"));
    assert_eq!(place.text("merged/aliases.txt"), place.text("whole/aliases.txt"));
}

#[test]
fn shards_of_a_league_take_the_numbers_of_bots_from_the_roster() {
    let place = Place::with_bots();
    let [kept, fresh, ada, bea] = BOTS;
    let cyd = ("cyd", "builtin:random");
    let nights = [&[kept, fresh, ada][..], &[kept, fresh, ada, bea], &[kept, fresh, ada, cyd]];
    let nights = nights.map(|bots| cup("games = 1", "", bots));
    let begin = |out: &str, shard: &str| drop(place.ends(0, &nights[0], out, &["--shard", shard]));
    begin("one", "1/2");
    begin("two", "2/2");
    begin("other", "2/2");
    // The first shard alone meets a bot in the second night, which is gone in the third one.
    place.ends(0, &nights[1], "one", &["--shard", "1/2"]);
    let roster = place.path("roster.jsonl").display().to_string();
    place.ends(0, &nights[2], "one", &["--shard", "1/2", "--roster", &roster]);
    place.ends(0, &nights[2], "two", &["--shard", "2/2", "--roster", &roster]);
    merges(0, &place, &["one", "two"], "merged");
    // Without the roster a shard gives the new bot another number, which is found before anything
    // is written.
    place.ends(0, &nights[2], "other", &["--shard", "2/2"]);
    let ran = merges(2, &place, &["one", "other"], "none");
    assert!(ran.stderr.contains("cyd has the number 5 in one and 4 in the other"), "{ran:?}");
    assert!(ran.stderr.contains("give every run of a league the same --roster"), "{ran:?}");
    assert!(!place.path("none").exists());
}
