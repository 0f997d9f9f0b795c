//! Games and tables do not depend on the concurrency or on the folder.

use crate::support::place::{BOTS, Place, cup, games, tags};

#[test]
fn concurrency_changes_nothing_in_any_format() {
    let place = Place::with_bots();
    let [kept, fresh, ada, bea] = BOTS;
    let test = "[sprt]\nelo0 = 0\nelo1 = 200\nmodel = 'logistic'\nmax-pairs = 8";
    let done = &[0][..];
    let formats = [
        ("round-robin", cup("games = 3", "", &BOTS), done),
        ("gauntlet", cup("format = 'gauntlet'\ngames = 4", "", &[ada, kept, fresh, bea]), done),
        (
            "swiss",
            cup(
                "format = 'swiss'\nrounds = 3",
                "",
                &[ada, kept, fresh, bea, ("eva", "builtin:random")],
            ),
            done,
        ),
        ("knockout", cup("format = 'knockout'\nbest-of = 4", "", &BOTS), done),
        ("sprt", cup("format = 'sprt'", test, &[bea, kept]), &[0, 1, 4]),
    ];
    for (format, config, statuses) in formats {
        let one = place.play(&config, &format!("{format}1"), &["--concurrency", "1"]);
        let eight = place.play(&config, &format!("{format}8"), &["--concurrency", "8"]);
        assert!(one.status.is_some_and(|status| statuses.contains(&status)), "{format}: {one:?}");
        assert_eq!(one.status, eight.status, "{format}: {one:?} {eight:?}");
        assert_eq!(
            place.results(&format!("{format}1")),
            place.results(&format!("{format}8")),
            "{format}"
        );
        let table =
            |ran: &crate::support::Ran| ran.stdout.split_once("cup\n\n").unwrap().1.to_owned();
        assert_eq!(table(&one), table(&eight), "{format}");
    }
}

#[test]
fn another_folder_changes_nothing_and_another_seed_gives_other_openings() {
    let (one, other) = (Place::with_bots(), Place::with_bots());
    let config = cup("games = 4", "", &BOTS[1..]);
    one.ends(0, &config, "out", &[]);
    other.ends(0, &config, "elsewhere/deep/down", &[]);
    assert_eq!(one.results("out"), other.results("elsewhere/deep/down"));
    one.ends(0, &config.replace("seed = 7", "seed = 8"), "other", &[]);
    let (before, after) = (one.text("out/games.pgn"), one.text("other/games.pgn"));
    let openings = |log: &str| tags(log, "FEN").into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(openings(&before).len(), 12);
    assert_ne!(openings(&before), openings(&after));
    assert_ne!(games(&before), games(&after));
    // Both games of a pair begin alike, all pairings too.
    for log in [&before, &after] {
        let found = openings(log);
        assert!(
            found
                .chunks(4)
                .all(|four| four[0] == four[1] && four[2] == four[3] && four == &found[..4]),
            "{found:?}"
        );
        assert_ne!(found[0], found[2]);
    }
}
