//! Submissions under aliases, which are scheduled in the order of those: each game is one of the bots of its id.

use crate::place::{FIRST, Place, cup};
use crate::support::{Ran, run};
use arbiter::record::read_log;
use arbiter::store::journal::Journal;
use arbiter::tournament::{JournalEntry, RecordedGame};

/// The games of a journal.
fn games(place: &Place, out: &str) -> Vec<RecordedGame> {
    let mut games = Vec::new();
    let each = |_, entry| {
        if let JournalEntry::Game(game) = entry {
            games.push(game);
        }
    };
    Journal::read_only(&place.path(&format!("{out}/journal.jsonl")), each).unwrap();
    games
}

/// A place with so many submissions, and a configuration with so many bots of the organiser.
fn class(own: usize, submitted: usize, schedule: &str) -> (Place, String) {
    let place = Place::new();
    for name in &["anna", "ben", "cora", "dan"][..submitted] {
        place.write(&format!("in/{name}/bot.sh"), FIRST);
        place.write(&format!("in/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    }
    let bots = [("reference", "builtin:greedy"), ("another", "builtin:random")];
    let config = cup(schedule, "[[bots]]\nfolder = 'in'\n[publish]\nnames = 'alias'", &bots[..own]);
    (place, config)
}

#[test]
fn each_log_has_the_bots_of_its_id() {
    for (number, (own, submitted, schedule)) in [
        (0, 2, "games = 2"),
        (0, 3, "games = 1"),
        (1, 2, "games = 2"),
        (1, 3, "games = 2\nformat = 'gauntlet'"),
        (2, 3, "games = 2\nrounds = 2\nformat = 'swiss'"),
        (1, 4, "format = 'knockout'"),
    ]
    .into_iter()
    .enumerate()
    {
        let (place, config) = class(own, submitted, schedule);
        for seed in 1..=3 {
            let config = config.replace("seed = 7", &format!("seed = {}", 10 * number + seed));
            let out = format!("out{seed}");
            place.ends(0, &config, &out, &[]);
            let games = games(&place, &out);
            assert!(!games.is_empty());
            for game in games {
                let record = read_log(game.log.as_bytes()).next().unwrap().unwrap();
                let mut players = [record.players.first, record.players.second];
                players.sort();
                assert!(game.id.starts_with(&format!("{}.", players.join("~"))), "{}: {players:?}", game.id);
            }
            let folder = place.path(&out);
            let shown = run(&["standings", folder.to_str().unwrap(), "--verify"]);
            assert_eq!(shown.status, Some(0), "{shown:?}");
        }
    }
}

/// Earlier versions wrote such journals.
#[test]
fn a_folder_whose_games_were_played_by_other_bots_says_how_to_begin_anew() {
    let (place, config) = class(1, 2, "games = 2");
    place.ends(0, &config, "out", &[]);
    let path = place.path("out/journal.jsonl");
    let whole = place.text("out/journal.jsonl");
    let mut head = None;
    let each = |_, entry| head = head.take().or(Some(entry));
    Journal::read_only(&path, each).unwrap();
    let game = games(&place, "out").into_iter().find(|game| game.id == "anna~ben.1").unwrap();
    let exchanged =
        game.log.replace("\"anna\"", "\"\"").replace("\"ben\"", "\"anna\"").replace("\"\"", "\"ben\"");
    let folder = place.path("out").display().to_string();
    for (log, is_of_others) in [(game.log.replace("\"anna\"", "\"reference\""), true), (exchanged, false)] {
        std::fs::remove_file(&path).unwrap();
        let mut journal = Journal::open(&path, |_, _| {}).unwrap().journal;
        journal.append(head.as_ref().unwrap()).unwrap();
        journal.append(&JournalEntry::Game(RecordedGame { log, ..game.clone() })).unwrap();
        drop(journal);
        let begun = place.text("out/journal.jsonl");
        let refused = |ran: Ran| {
            assert_eq!(ran.status, Some(2), "{ran:?}");
            assert!(ran.stderr.contains("its log is one of other bots, or of other sides"), "{ran:?}");
            assert!(ran.stderr.contains("the tournament's command with --restart begins anew"), "{ran:?}");
        };
        let again = place.play(&config, "out", &[]);
        assert!(!again.stderr.contains("anna") && again.stderr.contains("game bot-"), "{again:?}");
        refused(again);
        for command in ["standings", "report"] {
            refused(run(&[command, &folder]));
        }
        if is_of_others {
            let merged = place.path("merged").display().to_string();
            refused(run(&["merge", &folder, "--out", &merged]));
        }
        assert_eq!(place.text("out/journal.jsonl"), begun);
        place.ends(0, &config, "out", &["--restart"]);
        assert_eq!(place.text("out/journal.jsonl").lines().count(), whole.lines().count());
    }
}
