//! Folders that cannot be continued, and changes that are allowed: the error names the reason, and
//! no file is changed.

use crate::support::place::{FIRST, LAST, Place, WAITS, cup, games, signal, tags};
use crate::support::{ARBITER, Ran, interrupt, run, skip, wait_for};
use arbiter::game_id::parts_of;
use arbiter::store::journal::Journal;
use arbiter::tournament::{JournalEntry, RecordedGame};
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const THREE: [(&str, &str); 3] =
    [("a", "builtin:random"), ("b", "builtin:greedy"), ("c", "builtin:random")];

/// Runs a tournament that must be refused with status 2 and a message with these words; `out` must
/// not change.
fn refused(place: &Place, config: &str, out: &str, words: &[&str]) {
    let before = place.snapshot(out);
    let ran = place.ends(2, config, out, &[]);
    for word in words {
        assert!(ran.stderr.contains(word), "{word:?} is not in {ran:?}");
    }
    assert_eq!(ran.stdout, "", "{ran:?}");
    assert!(place.snapshot(out) == before, "something was changed: {words:?}");
}

#[test]
fn a_damaged_or_newer_or_foreign_journal_is_left_alone() {
    let place = Place::new();
    let config = cup("games = 2", "", &THREE);
    place.ends(0, &config, "out", &[]);
    let path = place.path("out/journal.jsonl");
    let journal = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    // In the third line: a byte of a game, a byte of its sum, the line itself.
    let game = lines[2].replacen("lineup", "linaup", 1);
    let digit = if &lines[2][8..9] == "0" { "1" } else { "0" };
    let sum = format!("{}{digit}{}", &lines[2][..8], &lines[2][9..]);
    for damaged in [&*game, &*sum, "", "{}"] {
        let mut lines = lines.clone();
        lines[2] = damaged;
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        // Behind it are the other games, and the end of the run.
        let lost = format!("loses the line and {} games after it", lines.len() - 4);
        refused(
            &place,
            &config,
            "out",
            &["out/journal.jsonl:3", "damaged", "nothing was changed", &lost],
        );
    }
    let entry = r#"{"type":"prize"}"#;
    let unknown = format!("{{\"sum\":\"{}\",\"entry\":{entry}}}", checksum(entry));
    let lines = [&lines[..2], &[&*unknown], &lines[2..]].concat();
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let lost = format!("which loses {} games after it", lines.len() - 4);
    refused(&place, &config, "out", &["out/journal.jsonl:3", "unknown variant `prize`", &lost]);
    // The whole first game, but not its head.
    fs::write(&path, lines[1..].join("\n") + "\n").unwrap();
    refused(&place, &config, "out", &["journal.jsonl", "not the journal"]);
    fs::write(&path, "dear diary\nnothing happened\n").unwrap();
    refused(&place, &config, "out", &["journal.jsonl", "not the journal"]);
    fs::write(&path, "dear diary").unwrap();
    refused(&place, &config, "out", &["journal.jsonl", "not the journal"]);
    // A newer version may have any other fields.
    let entry = r#"{"type":"head","v":1000,"name":"cup","shape":"other"}"#;
    fs::write(&path, format!("{{\"sum\":\"{}\",\"entry\":{entry}}}\n", checksum(entry))).unwrap();
    refused(&place, &config, "out", &["journal.jsonl", "version 1000", "newer"]);
}

/// The checksum of an entry in a journal.
fn checksum(entry: &str) -> String {
    Sha256::digest(entry.as_bytes())[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_forged_game_is_found_by_replaying() {
    let place = Place::new();
    place.ends(0, &cup("games = 2", "", &THREE), "out", &[]);
    let mut entries = Vec::new();
    Journal::read_only(&place.path("out/journal.jsonl"), |_, entry| entries.push(entry)).unwrap();
    // The first game with a winner gets the other one, with a checksum that is right.
    let swap = |log: &str| log.replace("1-0", "?").replace("0-1", "1-0").replace('?', "0-1");
    let decided = entries.iter_mut().find_map(|entry| match entry {
        JournalEntry::Game(game) if swap(&game.log) != game.log => Some(game),
        _ => None,
    });
    let forged = decided.expect("a game that was won");
    forged.log = swap(&forged.log);
    let id = forged.id.clone();
    fs::create_dir(place.path("forged")).unwrap();
    let mut journal = Journal::open(&place.path("forged/journal.jsonl"), |_, _| {}).unwrap();
    for entry in &entries {
        journal.append(entry).unwrap();
    }
    let shown = |out: &str, more: &[&str]| {
        run(&[&["standings", place.path(out).to_str().unwrap()], more].concat())
    };
    assert_eq!(shown("out", &["--verify"]).status, Some(0));
    assert_eq!(shown("forged", &[]).status, Some(0), "the checksum is right");
    let found = shown("forged", &["--verify"]);
    assert_eq!((found.status, &*found.stdout), (Some(1), ""), "{found:?}");
    for words in [&*format!("game {id}: "), "but the game ended as", "won by X", "won by O"] {
        assert!(found.stderr.contains(words), "{words}: {found:?}");
    }
    // A log is replayed as well.
    fs::write(place.path("log.pgn"), swap(&place.text("out/games.pgn"))).unwrap();
    let found = shown("log.pgn", &["--verify"]);
    assert!(found.status == Some(1) && found.stderr.contains("log.pgn:"), "{found:?}");
}

#[test]
fn another_tournament_in_the_same_folder_is_refused_with_what_differs() {
    let place = Place::new();
    let config = cup("games = 2", "", &THREE);
    place.ends(0, &config, "out", &[]);
    for (from, to, words) in [
        ("seed = 7", "seed = 8", ["schedule.seed", "7", "8"]),
        ("s = 3", "s = 4", ["options", "s=3", "s=4"]),
        ("games = 2", "games = 4", ["schedule.games", "2", "4"]),
        ("'120s'\nstart", "'121s'\nstart", ["time.move", "120s", "121s"]),
        ("sandbox = 'basic'", "sandbox = 'off'", ["limits.sandbox", "basic", "off"]),
        ("games = 2", "games = 2\nformat = 'swiss'", ["schedule.format", "round-robin", "swiss"]),
    ] {
        refused(&place, &config.replace(from, to), "out", &words);
    }
    // Keys that decide no game may change.
    let config = format!("{config}[expect]\na = '<= 1'\n[publish]\njunit = 'games'\n");
    place.ends(0, &config, "out", &["--concurrency", "3"]);
    assert_eq!(place.journal("out").len(), 6);
}

#[test]
fn a_torn_tail_stays_where_the_run_is_refused() {
    let place = Place::new();
    let config = cup("games = 2", "", &THREE);
    place.ends(0, &config, "out", &[]);
    let path = place.path("out/journal.jsonl");
    let mut journal = fs::read(&path).unwrap();
    journal.truncate(journal.len() - 5);
    fs::write(&path, journal).unwrap();
    refused(&place, &config.replace("seed = 7", "seed = 8"), "out", &["schedule.seed"]);
}

#[test]
fn bots_that_are_gone_or_moved_are_named() {
    let place = Place::new();
    place.write("last.py", LAST);
    let config = cup("games = 2", "", &THREE);
    place.ends(0, &config, "out", &[]);
    let [a, b, c] = THREE;
    for (bots, words) in [
        (vec![b, a, c], ["order", "a, b, c"]),
        (vec![a, b, ("c", "./no-such-bot")], ["c", "no-such-bot"]),
    ] {
        refused(&place, &cup("games = 2", "", &bots), "out", &words);
    }
}

#[test]
fn a_bot_that_joins_a_round_robin_only_adds_games() {
    let place = Place::new();
    place.write("last.py", LAST);
    let [a, b, c] = THREE;
    place.ends(0, &cup("games = 2\nrounds = 2", "", &[a, b]), "out", &[]);
    let journal = place.text("out/journal.jsonl");
    let before = place.text("out/games.pgn");
    // Also before the others: ids and sides of the played games do not depend on it.
    let late = ("late", "python3 last.py");
    let ran = place.ends(0, &cup("games = 2\nrounds = 2", "", &[late, a, b, c]), "out", &[]);
    assert!(place.text("out/journal.jsonl").starts_with(&journal), "{ran:?}");
    assert_eq!(ran.stdout.lines().filter(|line| line.starts_with("a~b.")).count(), 0, "{ran:?}");
    let after = place.text("out/games.pgn");
    let mut ids = tags(&after, "GameId");
    assert_eq!(ids.len(), 24);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 24);
    let games_after = games(&after);
    for game in games(&before) {
        assert!(games_after.contains(&game), "{game}");
    }
    // The result is the same as with all bots from the beginning, if they stand in the order in
    // which they joined.
    place.ends(0, &cup("games = 2\nrounds = 2", "", &[a, b]), "grown", &[]);
    for out in ["grown", "at-once"] {
        place.ends(0, &cup("games = 2\nrounds = 2", "", &[a, b, late, c]), out, &[]);
    }
    assert_eq!(place.results("grown"), place.results("at-once"));
    // In a gauntlet a new bot comes after the challengers.
    let gauntlet = "format = 'gauntlet'\ngames = 2";
    place.ends(0, &cup(gauntlet, "", &[a, b]), "gauntlet", &[]);
    refused(&place, &cup(gauntlet, "", &[c, a, b]), "gauntlet", &["c is new", "challengers"]);
    place.ends(0, &cup(gauntlet, "", &[a, b, c]), "gauntlet", &[]);
    assert_eq!(
        tags(&place.text("gauntlet/games.pgn"), "GameId"),
        ["a~b.1", "a~b.2", "a~c.1", "a~c.2"]
    );
    // In a Swiss tournament no bot comes, goes or changes.
    let swiss = "format = 'swiss'\nrounds = 2";
    place.ends(0, &cup(swiss, "", &[a, b]), "swiss", &[]);
    refused(&place, &cup(swiss, "", &[a, b, c]), "swiss", &["c is new", "swiss"]);
    refused(
        &place,
        &cup(swiss, "", &[a, c]),
        "swiss",
        &["b has played", "no longer in the configuration"],
    );
    let changed = [a, ("b", "python3 last.py")];
    refused(
        &place,
        &cup(swiss, "", &changed),
        "swiss",
        &["b changed (its command", "swiss", "--out"],
    );
}

#[test]
fn one_arbiter_at_a_time() {
    let place = Place::new();
    place.write("waits.py", WAITS);
    let config = cup("games = 2", "", &[("a", "python3 waits.py"), ("b", "builtin:greedy")]);
    let mut first = place.start(&config, "out", &[]);
    wait_for("a bot in its first ply", || waiting(&place));
    let before = place.snapshot("out");
    let second = place.play(&config, "out", &[]);
    assert!(matches!(second.status, Some(2 | 3)), "{second:?}");
    assert!(second.stderr.contains(place.path("out").to_str().unwrap()), "{second:?}");
    assert!(second.stderr.contains("another arbiter is running"), "{second:?}");
    assert_eq!(place.snapshot("out"), before);
    place.write("release", "");
    assert_eq!(first.wait().unwrap().code(), Some(0), "{}", place.text("err.txt"));
    assert_eq!(place.journal("out").len(), 2);
    place.ends(0, &config, "out", &[]);
}

/// Whether a bot waits.
fn waiting(place: &Place) -> Option<()> {
    let mut files = place.path("").read_dir().unwrap();
    files
        .any(|file| file.unwrap().file_name().to_string_lossy().starts_with("waiting-"))
        .then_some(())
}

#[test]
fn a_folder_of_something_else_is_refused() {
    let place = Place::new();
    let config = cup("games = 2", "", &THREE);
    for file in ["games.pgn", "standings.json", "standings.md", "junit.xml", "report.html"] {
        let out = file.replace('.', "-");
        place.write(&format!("{out}/{file}"), "mine");
        refused(
            &place,
            &config,
            &out,
            &[file, "journal.jsonl", place.path(&out).to_str().unwrap()],
        );
    }
    // Files that no result replaces are allowed.
    place.write("notes/notes.txt", "mine");
    place.ends(0, &config, "notes", &[]);
    assert_eq!(place.text("notes/notes.txt"), "mine");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let place = Place::new();
    let config = cup("games = 2", "", &THREE);
    place.write("file", "");
    let ran = place.ends(3, &config, "file/out", &[]);
    assert!(ran.stderr.contains(place.path("file/out").to_str().unwrap()), "{ran:?}");
    fs::create_dir(place.path("closed")).unwrap();
    fs::set_permissions(place.path("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(place.path("closed/probe"), "").is_ok() {
        fs::remove_file(place.path("closed/probe")).unwrap();
        skip("this user writes in read-only folders: that such a one is named is not tested");
    } else {
        let ran = place.ends(3, &config, "closed", &[]);
        assert!(ran.stderr.contains(place.path("closed").to_str().unwrap()), "{ran:?}");
    }
}

#[test]
fn many_bots_of_one_folder_are_one_note() {
    let place = Place::new();
    let names: Vec<String> = (10..70).map(|number| format!("b{number}")).collect();
    let program = format!("#!/bin/sh\nexec '{ARBITER}' bot random\n");
    for name in &names {
        place.program(&format!("one/{name}"), &program);
    }
    let commands: Vec<String> = names.iter().map(|name| format!("./one/{name}")).collect();
    let bots: Vec<_> =
        names.iter().zip(&commands).map(|(name, command)| (&**name, &**command)).collect();
    let ran = place.ends(0, &cup("format = 'swiss'\nrounds = 1", "", &bots), "out", &[]);
    let notes: Vec<_> =
        ran.stderr.lines().filter(|line| line.contains("share the folder")).collect();
    let [note] = notes[..] else { panic!("{ran:?}") };
    assert!(note.starts_with("note: b10, b11, b12 and 57 more share the folder "), "{note}");
    assert!(ran.stderr.contains("testing 60 bots before the first game\n"), "{ran:?}");
    let ran = place.ends(0, &cup("games = 2", "", &bots[..3]), "three", &[]);
    assert!(ran.stderr.contains("note: b10, b11 and b12 share the folder "), "{ran:?}");
    assert!(!ran.stderr.contains("testing"), "{ran:?}");
}

#[test]
fn the_table_is_shown_before_the_pages_are_written() {
    let place = Place::new();
    let config = cup("games = 2", "", &THREE);
    place.ends(0, &config, "out", &[]);
    // A folder in the place of the page: it cannot be replaced.
    fs::remove_file(place.path("out/report.html")).unwrap();
    fs::create_dir(place.path("out/report.html")).unwrap();
    let ran = place.ends(3, &config, "out", &[]);
    assert!(ran.stdout.contains("rank  bot") && ran.stderr.contains("report.html: "), "{ran:?}");
    assert!(ran.stderr.contains("the games are safe in the journal"), "{ran:?}");
}

#[test]
fn what_takes_long_to_write_is_said() {
    let place = Place::new();
    // Of 5,000 short games some are played, and the others are these under their own ids.
    let config = cup("games = 5000", "[match]\nmax-plies = 1", &THREE[..2])
        .replace("opening-plies = 2", "opening-plies = 0");
    let child = place.start(&config, "out", &[]);
    wait_for("four games", || {
        (place.path("out/journal.jsonl").exists() && place.journal("out").len() > 3).then_some(())
    });
    signal(&child, interrupt());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    let mut played = Vec::new();
    Journal::read_only(&place.path("out/journal.jsonl"), |_, entry| played.push(entry)).unwrap();
    fs::create_dir(place.path("many")).unwrap();
    let mut journal = Journal::open(&place.path("many/journal.jsonl"), |_, _| {}).unwrap();
    journal.append(&played[0]).unwrap();
    let games: Vec<_> = played
        .into_iter()
        .filter_map(|entry| match entry {
            JournalEntry::Game(game) => Some(game),
            JournalEntry::Head(_) | JournalEntry::Run(_) => None,
        })
        .collect();
    for number in 1..=5000 {
        // The sides alternate.
        let of_same_sides = |game: &&RecordedGame| parts_of(&game.id).unwrap().1 % 2 == number % 2;
        let mut game = games.iter().find(of_same_sides).unwrap().clone();
        let id = format!("a~b.{number}");
        game.log = game.log.replace(&format!("\"{}\"", game.id), &format!("\"{id}\""));
        game.id = id;
        journal.append_unsynced(&JournalEntry::Game(game)).unwrap();
    }
    drop(journal);
    let said = |ran: &Ran| {
        assert!(ran.stderr.contains("writing feedback and report.html of 5000 games"), "{ran:?}");
        assert!(ran.stdout.contains("5000"), "{ran:?}");
    };
    said(&place.ends(0, &config, "many", &[]));
    let many = place.path("many").display().to_string();
    said(&run(&["merge", &many, "--out", place.path("merged").to_str().unwrap()]));
}

#[test]
fn folders_of_several_tournaments_are_the_parts_of_a_term() {
    let place = Place::new();
    let bots = [("ada", "builtin:random"), ("bea", "builtin:greedy"), ("cat", "builtin:greedy")];
    let all = "[[bots]]\nfolder = 'in'\n[names]\nbea = 'Béa | Ω'\n";
    place.write("in/late/bot.toml", "command = 'sh bot.sh'\n");
    place.ends(0, &cup("games = 2", all, &bots), "one", &[]);
    place.write("in/late/bot.sh", FIRST);
    place.ends(0, &cup("games = 4", all, &bots).replace("'cup'", "'late|cup'"), "two", &[]);
    place.ends(0, &cup("games = 2", all, &bots[..2]).replace("seed = 7", "seed = 8"), "three", &[]);
    let shown = |more: &[&str]| {
        let folders = ["one", "two", "three"].map(|part| place.path(part).display().to_string());
        let folders = folders.iter().map(String::as_str);
        run(&["standings"]
            .into_iter()
            .chain(folders)
            .chain(more.iter().copied())
            .collect::<Vec<_>>())
    };
    let json: serde_json::Value =
        serde_json::from_str(&shown(&["--format", "json"]).stdout).unwrap();
    let parts: Vec<&str> = json["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["name"].as_str().unwrap())
        .collect();
    assert!(
        parts[0].ends_with("/one") && parts[1] == "late|cup" && parts[2].ends_with("/three"),
        "two have one name"
    );
    let of = |bot: &serde_json::Value, part: usize| bot["parts"][part]["points"].as_f64();
    let mut last = f64::INFINITY;
    for bot in json["bots"].as_array().unwrap() {
        let points: f64 = (0..3).filter_map(|part| of(bot, part)).sum();
        assert_eq!(bot["points"], points, "{bot}");
        assert!(points <= last, "{json}");
        last = points;
        for (part, folder) in ["one", "two", "three"].into_iter().enumerate() {
            let table: serde_json::Value =
                serde_json::from_str(&place.text(&format!("{folder}/standings.json"))).unwrap();
            let own =
                table["bots"].as_array().unwrap().iter().find(|own| own["name"] == bot["name"]);
            assert_eq!(of(bot, part), own.and_then(|own| own["points"].as_f64()), "{bot}");
        }
        assert_eq!(bot.get("display").is_some(), bot["name"] == "bea");
    }
    assert_eq!(json["bots"].as_array().unwrap().len(), 4);
    let text = shown(&[]);
    assert!(
        text.stdout.contains("no common rating") && !text.stdout.contains("  rating  "),
        "{text:?}"
    );
    assert!(shown(&["--format", "markdown"]).stdout.contains("| Béa \\| Ω | "));
    // What one tournament is, and what is for ratings, is said.
    let ran = shown(&["--sort", "rating"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("no common rating"), "{ran:?}");
    let one = place.path("one").display().to_string();
    let ran = shown(&[&one]);
    assert!(
        ran.status == Some(2) && ran.stderr.contains("are of one tournament; `arbiter merge "),
        "{ran:?}"
    );
    let same = run(&["standings", &one, &one]);
    assert!(
        same.status == Some(0) && same.stdout.contains("  rating  "),
        "a folder that is given twice counts once: {same:?}"
    );
    assert!(
        shown(&["--swiss"]).stdout.contains("  rating  "),
        "asked for, they are rated together"
    );
    // Aliases of different keys, or of some folders only, are different bots.
    let alias = cup("games = 1", "[publish]\nnames = 'alias'\n", &bots);
    place.ends(0, &alias, "alias", &[]);
    let alias = place.path("alias").display().to_string();
    let ran = shown(&[&alias]);
    let warning = "WARNING: bots have aliases in some of these folders";
    assert!(ran.status == Some(0) && ran.stderr.contains(warning), "{ran:?}");
    let other = cup("games = 2", "[publish]\nnames = 'alias'\n", &bots);
    place.ends(0, &other, "other", &[]);
    let ran = run(&["standings", &alias, place.path("other").to_str().unwrap()]);
    let warning = "WARNING: a bot has different names in these folders";
    assert!(ran.status == Some(0) && ran.stderr.contains(warning), "{ran:?}");
}

/// Whoever renames the folder of a run, and begins another run under its name, has two whole
/// folders.
#[test]
fn a_run_whose_folder_is_renamed_goes_on_in_it() {
    let place = Place::new();
    let bots = [("waits", "python3 waits.py"), ("greedy", "builtin:greedy")];
    place.write(
        "waits.py",
        &format!("{WAITS}        sys.stderr.write('a line\\n'); sys.stderr.flush()\n"),
    );
    let config = cup("games = 2", "", &bots);
    let mut run = place.start(&config, "out", &[]);
    wait_for("a bot in its first ply", || waiting(&place));
    fs::rename(place.path("out"), place.path("moved")).unwrap();
    place.write("out/journal.jsonl", "that of another run");
    place.write("out/builds/copy", "of another run");
    let before = place.snapshot("out");
    place.write("release", "");
    assert!(run.wait().unwrap().success(), "{}", place.text("err.txt"));
    assert!(place.snapshot("out") == before, "the run has written into the folder of another one");
    assert_eq!(place.journal("moved").len(), 2);
    for file in ["standings.json", "games.pgn", "report.html", "feedback", "bots/waits"] {
        assert!(place.path("moved").join(file).exists(), "{file}");
    }
    assert!(!place.path("moved/builds").exists());
}

#[test]
fn no_submission_loses_by_a_new_name_of_the_folder() {
    let place = Place::new();
    place.write("in/waits/bot.py", WAITS);
    place.write("in/waits/bot.toml", "command = 'python3 bot.py'\n");
    let config = cup("games = 4", "[[bots]]\nfolder = 'in'", &[("greedy", "builtin:greedy")]);
    let mut run = place.start(&config, "out", &[]);
    wait_for("a bot in its first ply", || {
        let mut files = place.path("out/builds/waits").read_dir().ok()?;
        files
            .any(|file| file.unwrap().file_name().to_string_lossy().starts_with("waiting-"))
            .then_some(())
    });
    fs::rename(place.path("out"), place.path("moved")).unwrap();
    place.write("moved/builds/waits/release", "");
    assert_eq!(run.wait().unwrap().code(), Some(3), "{}", place.text("err.txt"));
    assert!(place.text("err.txt").contains("was renamed"), "{}", place.text("err.txt"));
    assert!(place.journal("moved").is_empty());
    place.write("in/waits/release", "");
    place.ends(0, &config, "moved", &[]);
    assert_eq!(place.journal("moved").len(), 4);
}
