//! Submissions under aliases, which are scheduled in the order of those: each game is one of the
//! bots of its id.

use crate::support::page::text_of;
use crate::support::place::{BOTS, FIRST, ILLEGAL, Place, cup};
use crate::support::{Ran, plays_all, run};
use arbiter::game::SentLines;
use arbiter::game_id::{game_id, names_in, parts_of};
use arbiter::record::read_log;
use arbiter::seed::{RunSeed, SecretKey};
use arbiter::store::journal::Journal;
use arbiter::tournament::{Entrant, JournalEntry, JournalHead, RecordedGame};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;

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

/// The id of a game by the own names of its bots.
fn own_id(head: &JournalHead, id: &str) -> String {
    let own = |name: &str| {
        let bot = head.roster.iter().find(|bot| bot.name == name).unwrap();
        bot.private_name().to_owned()
    };
    let ((one, other), (_, number)) = names_in(id).zip(parts_of(id)).unwrap();
    game_id(&own(one), &own(other), number)
}

/// A place with so many submissions, and a configuration with so many bots of the organiser.
pub fn class(own: usize, submitted: usize, schedule: &str) -> (Place, String) {
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
        for seed in 1..=if plays_all() { 3 } else { 1 } {
            let config = config.replace("seed = 7", &format!("seed = {}", 10 * number + seed));
            let out = format!("out{seed}");
            place.ends(0, &config, &out, &[]);
            let games = games(&place, &out);
            assert!(!games.is_empty());
            for game in games {
                let record = read_log(game.log.as_bytes()).next().unwrap().unwrap();
                let mut players = [record.players.first, record.players.second];
                players.sort();
                assert!(
                    game.id.starts_with(&format!("{}.", players.join("~"))),
                    "{}: {players:?}",
                    game.id
                );
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
    let aliases = list(&place, "out");
    let [anna, ben, reference] =
        ["anna", "ben", "reference"].map(|name| format!("\"{}\"", aliases[name]));
    let is_theirs = |game: &RecordedGame| game.log.contains(&anna) && game.log.contains(&ben);
    let game = games(&place, "out").into_iter().find(is_theirs).unwrap();
    let exchanged = game.log.replace(&anna, "\"\"").replace(&ben, &anna).replace("\"\"", &ben);
    let folder = place.path("out").display().to_string();
    for (log, is_of_others) in [(game.log.replace(&anna, &reference), true), (exchanged, false)] {
        fs::remove_file(&path).unwrap();
        let mut journal = Journal::open(&path, |_, _| {}).unwrap();
        journal.append(head.as_ref().unwrap()).unwrap();
        journal.append(&JournalEntry::Game(RecordedGame { log, ..game.clone() })).unwrap();
        drop(journal);
        let begun = place.text("out/journal.jsonl");
        let refused = |ran: Ran| {
            assert_eq!(ran.status, Some(2), "{ran:?}");
            assert!(
                ran.stderr.contains("its log is one of other bots, or of other sides"),
                "{ran:?}"
            );
            assert!(
                ran.stderr.contains("the tournament's command with --restart begins anew"),
                "{ran:?}"
            );
        };
        let again = place.play(&config, "out", &[]);
        let named = format!("game {}", game.id);
        assert!(!again.stderr.contains("anna") && again.stderr.contains(&named), "{again:?}");
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

/// Answers the last legal ply, and writes to stderr what it is sent: of each game in a process of
/// its own.
const LISTENS: &str = r#"
import sys
moves = []
for line in sys.stdin:
    print(line, end="", file=sys.stderr, flush=True)
    word, *rest = line.split() or [""]
    if word == "start": print("ready", flush=True)
    elif word == "moves": moves = rest
    elif word == "go": print("move", moves[-1], flush=True)
"#;

/// A place with bots of two authors that listen, one that loses by an illegal move, and one that
/// asks who its opponent is.
fn listening() -> (Place, String) {
    let place = Place::new();
    for name in ["real-ann", "real-bob"] {
        place.write(&format!("in/{name}/bot.py"), LISTENS);
        place.write(&format!("in/{name}/bot.toml"), "command = 'python3 bot.py'\n");
    }
    place.write("in/real-wrong/bot.sh", ILLEGAL);
    place.write("in/real-wrong/bot.toml", "command = 'sh bot.sh'\n");
    place.write("in/real-asks/bot.sh", &ILLEGAL.replace("z99", "real-bob"));
    place.write("in/real-asks/bot.toml", "command = 'sh bot.sh'\n");
    (place, cup("games = 2", "[[bots]]\nfolder = 'in'", &[("real-own", "builtin:greedy")]))
}

/// What a bot that listens was sent in each of its games, by their published ids.
fn heard(place: &Place, out: &str, name: &str) -> Vec<(String, String)> {
    let logs = place
        .snapshot(&format!("{out}/bots/{name}"))
        .into_iter()
        .filter(|(_, text)| !text.is_empty());
    let id = |path: &std::path::Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    logs.map(|(path, text)| (id(&path), String::from_utf8(text).unwrap())).collect()
}

const NAMES: [&str; 5] = ["real-ann", "real-asks", "real-bob", "real-own", "real-wrong"];

#[test]
fn no_bot_is_told_who_its_opponent_is() {
    let (place, config) = listening();
    for (out, publish) in [("open", ""), ("secret", "[publish]\nnames = 'alias'\n")] {
        place.ends(0, &format!("{config}{publish}"), out, &[]);
        for own in ["real-ann", "real-bob"] {
            let heard = heard(&place, out, own);
            assert_eq!(heard.len(), 8);
            for (id, text) in heard {
                assert!(text.contains("arena 1") && text.contains("end "), "{id}: {text}");
                let others = NAMES.iter().filter(|name| **name != own);
                for secret in
                    others.copied().chain(place.head(out).key.as_ref().map(SecretKey::secret_text))
                {
                    assert!(!text.contains(secret), "{out}, {id}: {own} is told {secret}: {text}");
                }
            }
        }
        // Without aliases, the same file and seed repeat everything; a secret is drawn for each
        // folder.
        let again = format!("{out}-again");
        place.ends(0, &format!("{config}{publish}"), &again, &[]);
        let ids = |out: &str| {
            games(&place, out).iter().map(|game| sent(game).id).collect::<BTreeSet<_>>()
        };
        assert_eq!(ids(out) == ids(&again), out == "open");
    }
}

fn sent(game: &RecordedGame) -> SentLines {
    read_log(game.log.as_bytes()).next().unwrap().unwrap().sent.unwrap()
}

#[test]
fn no_public_file_leads_from_an_alias_to_a_name() {
    let (place, config) = listening();
    let config = format!("{config}[publish]\nnames = 'alias'\nstderr = 'public'\n");
    let ran = place.ends(0, &config, "out", &[]);
    let head = place.head("out");
    let key = head.key.as_ref().unwrap().secret_text();
    let mode = fs::metadata(place.path("out/journal.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7, 0, "others cannot read the key");
    let mut public = vec![("printed".to_owned(), format!("{}{}", ran.stdout, ran.stderr))];
    for (path, text) in place.snapshot("out") {
        let name = path.strip_prefix(place.path("out")).unwrap().display().to_string();
        let text = String::from_utf8(text).unwrap();
        let text = if name.ends_with(".html") { text_of(&text) } else { text };
        if !name.starts_with("journal") {
            assert!(!text.contains(key), "{name} has the key");
        }
        if ["games.pgn", "standings", "junit", "report"]
            .iter()
            .any(|public| name.starts_with(public))
        {
            public.push((name, text));
        }
    }
    assert!(public.len() >= 6, "{public:?}");
    let aliases = list(&place, "out");
    for (name, text) in &public {
        assert_eq!(text.lines().find(|line| line.contains("real-")), None, "{name}");
        // Text of a bot that names another one has neither its name nor its alias.
        let asked: Vec<&str> = text.lines().filter(|line| line.contains("came \"move ")).collect();
        for alias in aliases.values() {
            let asks = format!("move {alias}");
            assert!(asked.iter().all(|line| !line.contains(&asks)), "{name}: {asked:?}");
        }
    }
    // What bots are sent does not follow from anything that others know: the seed of the run and
    // all names.
    let log = place.text("out/games.pgn");
    assert!(!log.contains("[Seed ") && log.contains("[SentId "), "{log}");
    for game in games(&place, "out") {
        let record = read_log(game.log.as_bytes()).next().unwrap().unwrap();
        let guessed = SentLines::new(&RunSeed::Open(7), &game.id, &record.ruleset());
        let sent = record.sent.unwrap();
        assert!(sent.id != guessed.id && sent.seeds != guessed.seeds);
        assert!(log.contains(&format!("[SentId \"{}\"]", sent.id)));
    }
    for name in NAMES {
        assert_ne!(
            head.public_names().name(name),
            JournalHead { key: None, ..head.clone() }.public_names().name(name)
        );
    }
}

#[test]
fn a_game_is_played_again_without_names_and_key() {
    let (place, config) = listening();
    place.ends(0, &format!("{config}[publish]\nnames = 'alias'\n"), "out", &[]);
    let (folder, log) = (
        place.path("out").display().to_string(),
        place.path("out/games.pgn").display().to_string(),
    );
    let lines = |text: &str| -> Vec<String> {
        let is_sent = |line: &&str| line.starts_with("id ") || line.starts_with("seed ");
        text.lines().filter(is_sent).map(str::to_owned).collect()
    };
    let (head, heard) = (place.head("out"), heard(&place, "out", "real-ann"));
    for (id, text) in heard.iter().take(3) {
        // In front of each line stands the number of a ply.
        let said = text
            .lines()
            .filter_map(|line| Some(line.trim_start().split_once("  ")?.1.to_owned() + "\n"));
        let text: String = said.collect();
        let told = lines(&text);
        assert_eq!(told.len(), 2, "{text}");
        let sent = told[0].strip_prefix("id ").unwrap();
        let alias = head.public_names().name("real-ann");
        for (path, ids, name) in [
            (&log, [id.clone(), sent.to_owned()], &alias[..]),
            (&folder, [own_id(&head, id), sent.to_owned()], "real-ann"),
        ] {
            for id in ids {
                let ran = run(&["rerun", path, &id, "--requests", name]);
                assert_eq!(lines(&ran.stdout), told, "{ran:?}");
            }
        }
    }
}

#[test]
fn shards_need_a_common_key() {
    let place = Place::new();
    for (name, program) in [("real-ann", FIRST), ("real-bob", FIRST), ("real-wrong", ILLEGAL)] {
        place.write(&format!("in/{name}/bot.sh"), program);
        place.write(&format!("in/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    }
    let bots = [("real-own", "builtin:greedy")];
    let config =
        cup("games = 2", "[[bots]]\nfolder = 'in'", &bots) + "[publish]\nnames = 'alias'\n";
    let refused = place.ends(2, &config, "none", &["--shard", "1/2"]);
    assert!(
        refused.stderr.contains("--roster FILE") && refused.stderr.contains("key-file"),
        "{refused:?}"
    );
    assert!(place.text("none/journal.jsonl").is_empty());
    let roster = place.path("roster.jsonl").display().to_string();
    let merge = |dirs: &[&str], out: &str| -> Ran {
        let dirs: Vec<String> =
            dirs.iter().map(|dir| place.path(dir).display().to_string()).collect();
        let out = place.path(out).display().to_string();
        run(&[
            &["merge"],
            &dirs.iter().map(String::as_str).collect::<Vec<_>>()[..],
            &["--out", &out],
        ]
        .concat())
    };
    for (out, shard) in [("one", "1/2"), ("two", "2/2")] {
        place.ends(0, &config, out, &["--shard", shard, "--roster", &roster]);
    }
    let key = place.head("one").key;
    assert!(key.is_some() && place.head("two").key == key);
    assert_eq!(merge(&["one", "two"], "merged").status, Some(0));
    assert_eq!(place.head("merged").key, key);
    assert_eq!(place.text("one/aliases.txt"), place.text("merged/aliases.txt"));
    // A shard goes on with its key, and what is missing is played with that of the others.
    place.ends(0, &config, "one", &["--shard", "1/2"]);
    let one = place.path("one").display().to_string();
    place.ends(0, &config, "rest", &["--missing", &one]);
    assert_eq!(place.head("rest").key, key);
    assert_eq!(merge(&["one", "rest"], "joined").status, Some(0));
    assert_eq!(place.results("joined"), place.results("merged"));
    // Another key makes another tournament.
    place.ends(0, &config, "alone", &[]);
    let refused = merge(&["one", "alone"], "mixed");
    assert!(
        refused.status == Some(2) && refused.stderr.contains("they have different secret keys"),
        "{refused:?}"
    );
    let refused = place.ends(2, &config, "alone", &["--roster", &roster]);
    assert!(refused.stderr.contains("another secret key"), "{refused:?}");
    // A file that the configuration names gives the key everywhere.
    let filed = format!("{config}key-file = 'cup.key'\n");
    for (text, said) in
        [(None, "openssl rand -hex 32"), (Some("short"), "a secret has 16 to 4096 characters")]
    {
        if let Some(text) = text {
            place.write("cup.key", text);
        }
        let refused = place.ends(2, &filed, "filed", &[]);
        assert!(
            refused.stderr.contains("[publish] key-file = \"cup.key\"")
                && refused.stderr.contains(said),
            "{refused:?}"
        );
    }
    place.write("cup.key", "0123456789abcdef\n");
    place.ends(0, &filed, "filed", &[]);
    place.ends(0, &filed, "filed1", &["--shard", "1/2"]);
    place.ends(0, &filed, "filed2", &["--shard", "2/2"]);
    assert_eq!(merge(&["filed1", "filed2"], "all").status, Some(0));
    assert_eq!(place.results("all"), place.results("filed"));
    let refused = place.ends(2, &filed, "one", &["--shard", "1/2"]);
    assert!(refused.stderr.contains("another secret key"), "{refused:?}");
}

/// Builds may take minutes, and who opens the file meanwhile could read the key later.
#[test]
fn the_journal_is_closed_before_anything_is_built() {
    let place = Place::with_bots();
    let bot = "[[bot]]\nname = 'built'\ncommand = 'sh bot.sh'\ndir = 'first'\nbuild = 'exit 1'\n";
    let config = cup("games = 2", "[publish]\nnames = 'alias'", &BOTS[2..]) + bot;
    place.ends(2, &config, "out", &[]);
    let mode = fs::metadata(place.path("out/journal.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7, 0, "others cannot open it");
}

/// The build of a bot stands for another shard that writes the roster while this one builds its
/// bots.
#[test]
fn who_loses_the_race_for_the_roster_lists_the_aliases_of_the_winner() {
    let place = Place::with_bots();
    place.write("built/bot.sh", FIRST);
    place.write("built/build.sh", "test ! -e ../theirs.jsonl || cp ../theirs.jsonl roster.jsonl\n");
    let bot =
        "[[bot]]\nname = 'built'\ncommand = 'sh bot.sh'\ndir = 'built'\nbuild = 'sh build.sh'\n";
    let config = cup("games = 2", "[publish]\nnames = 'alias'", &BOTS[2..]) + bot;
    let theirs = place.path("theirs.jsonl").display().to_string();
    place.ends(0, &config, "one", &["--shard", "1/2", "--roster", &theirs]);
    let roster = place.path("built/roster.jsonl").display().to_string();
    place.ends(0, &config, "two", &["--shard", "2/2", "--roster", &roster]);
    assert_eq!(place.head("one").key, place.head("two").key);
    assert_eq!(place.text("one/aliases.txt"), place.text("two/aliases.txt"));
}

/// The author of a bot that cannot be built may quote somebody who has left, or who is called
/// otherwise by the own `bot.toml`.
#[test]
fn the_page_under_a_link_has_no_name_of_a_bot_that_was_withdrawn() {
    let place = Place::new();
    for name in ["real-ann", "real-bob", "real-quentin"] {
        place.write(&format!("in/{name}/bot.sh"), FIRST);
        place.write(&format!("in/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    }
    place.write("in/real-ann/bot.toml", "command = 'sh bot.sh'\nname = 'Annerose'\n");
    place.write(
        "in/real-unbuilt/bot.toml",
        "command = './bot'\nbuild = 'echo Quentin real-quentin.c annerose >&2; exit 1'\n",
    );
    let publish = "[publish]\nnames = 'alias'\nfeedback = 'links'";
    let config = cup("games = 1", &format!("[[bots]]\nfolder = 'in'\n{publish}"), &[]);
    place.ends(0, &config, "out", &[]);
    fs::remove_dir_all(place.path("in/real-quentin")).unwrap();
    let ran = place.ends(0, &config, "out", &[]);
    assert!(ran.stderr.contains("is withdrawn"), "{ran:?}");
    let mut pages = place.snapshot("out/feedback-links").into_iter();
    assert!(
        pages.any(|(_, page)| String::from_utf8_lossy(&page).contains("echo Quentin (…).c (…)"))
    );
    for (path, page) in place.snapshot("out/feedback-links") {
        let page = String::from_utf8_lossy(&page);
        let name = ["real-", "nnerose"].into_iter().find(|name| page.contains(name));
        assert_eq!(name, None, "{path:?}: {page}");
    }
}

/// The names of a run with their aliases.
pub fn list(place: &Place, out: &str) -> BTreeMap<String, String> {
    let list = place.text(&format!("{out}/aliases.txt"));
    let lines = list.lines().map(|line| line.split_once(' ').unwrap());
    lines.map(|(alias, name)| (name.to_owned(), alias.to_owned())).collect()
}

/// An alias of 30 bits is not always another one. These two were found by trying 20,000 names.
#[test]
fn of_two_bots_with_one_alias_the_one_that_was_there_plays() {
    let place = Place::new();
    place.write("cup.key", "a secret for a test");
    let submit = |name: &str| {
        place.write(&format!("in/{name}/bot.sh"), FIRST);
        place.write(&format!("in/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    };
    let publish = "[[bots]]\nfolder = 'in'\n[publish]\nnames = 'alias'\nkey-file = 'cup.key'";
    let config = cup("games = 2", publish, &[("reference", "builtin:random")]);
    let said = "quiet: its alias is that of another bot; rename the folder";
    submit("s17865");
    place.ends(0, &config, "out", &[]);
    let alias = &list(&place, "out")["s17865"];
    let said = said.replace("quiet:", &format!("{alias} does not play:"));
    submit("s2555");
    // The journal has both names after the first refusal.
    for _ in 0..2 {
        let ran = place.ends(0, &config, "out", &[]);
        assert!(ran.stderr.contains(&said), "{ran:?}");
        let head = place.head("out");
        let own_names: Vec<&str> = head.roster.iter().map(Entrant::private_name).collect();
        assert!(own_names.contains(&"s17865") && !own_names.contains(&"s2555"), "{own_names:?}");
    }
    // Neither was there before.
    let ran = place.command(&config, "new", &[]).output().unwrap();
    assert_eq!(String::from_utf8(ran.stderr).unwrap().matches(&said).count(), 2);
    // A bot of the organiser comes before a submission.
    let own = config.replace("'reference'", "'s2555'");
    fs::remove_dir_all(place.path("in/s2555")).unwrap();
    let ran = place.command(&own, "own", &[]).output().unwrap();
    assert_eq!(String::from_utf8(ran.stderr).unwrap().matches(&said).count(), 1);
}

/// Games that were played under names are traced to the bots by what those were sent.
#[test]
fn a_folder_publishes_names_as_it_was_begun() {
    let place = Place::with_bots();
    let config =
        |names: &str| cup("games = 2", &format!("[publish]\nnames = '{names}'"), &BOTS[..3]);
    for (begun, then) in [("name", "alias"), ("alias", "name")] {
        place.ends(0, &config(begun), begun, &[]);
        let before = place.snapshot(begun);
        let ran = place.ends(2, &config(then), begun, &[]);
        assert!(ran.stderr.contains(&format!("was begun with names = \"{begun}\"")), "{ran:?}");
        assert!(ran.stderr.contains("--restart") && ran.stderr.contains("--out"), "{ran:?}");
        assert!(place.snapshot(begun) == before, "nothing is changed");
        // The same from the journals of other runs.
        let (dir, journal) = (place.path(begun), place.path(begun).join("journal.jsonl"));
        for (option, path) in [("--missing", dir), ("--roster", journal)] {
            let ran = place.ends(2, &config(then), "other", &[option, path.to_str().unwrap()]);
            assert!(ran.stderr.contains("names"), "{ran:?}");
        }
        place.ends(0, &config(then), begun, &["--restart"]);
        let sent = games(&place, begun).iter().map(|game| sent(game).id).collect::<BTreeSet<_>>();
        let open = ["ada~fresh.1", "ada~kept.1"].map(|id| RunSeed::Open(7).sent_id(id));
        assert_eq!(open.iter().all(|id| sent.contains(id)), then == "name");
    }
}

/// A league would withdraw all its bots, and begin again.
#[test]
fn a_folder_with_the_aliases_of_another_version_is_not_continued() {
    let (place, config) = class(1, 2, "games = 2");
    place.ends(0, &config, "out", &[]);
    let path = place.path("out/journal.jsonl");
    let mut head = place.head("out");
    for (number, bot) in head.roster.iter_mut().enumerate() {
        bot.name = format!("bot-ab7b788{number}");
    }
    fs::remove_file(&path).unwrap();
    Journal::open(&path, |_, _| {}).unwrap().append(&JournalEntry::Head(head)).unwrap();
    let before = place.text("out/journal.jsonl");
    let ran = place.ends(2, &config, "out", &[]);
    assert!(ran.stderr.contains("a version of arbiter that makes other aliases"), "{ran:?}");
    assert_eq!(place.text("out/journal.jsonl"), before);
    place.ends(0, &config, "out", &["--restart"]);
}

#[test]
fn who_asks_by_a_published_id_is_not_told_the_names() {
    let place = Place::new();
    for name in ["annabella", "bartholomew"] {
        place.write(&format!("in/{name}/bot.sh"), FIRST);
        place.write(&format!("in/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    }
    let config = cup("games = 2", "[[bots]]\nfolder = 'in'\n[publish]\nnames = 'alias'", &[]);
    place.ends(0, &config, "out", &[]);
    let (folder, log) =
        (place.path("out").display().to_string(), place.path("log.pgn").display().to_string());
    let head = place.head("out");
    let game = games(&place, "out").remove(0);
    let published = game.id.clone();
    let sent = read_log(game.log.as_bytes()).next().unwrap().unwrap().sent.unwrap().id;
    let alias = head.public_names().name("annabella");
    for id in [&published, &sent] {
        for more in [
            &[][..],
            &["--log", &log],
            &["--ply", "2"],
            &["--recorded", &alias],
            &["--recorded", "annabella"],
            &["--bot", &format!("{alias}=builtin:random")],
            &["--bot", &format!("{alias}=no-such-program")],
            &["--requests", &alias],
            &["--attach", "nobody"],
        ] {
            let ran = run(&[&["rerun", &folder, id][..], more].concat());
            let all = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!all.contains("annabella") || more.contains(&"annabella"), "{more:?}: {ran:?}");
            assert!(!all.contains("bartholomew"), "{more:?}: {ran:?}");
        }
    }
    assert!(!place.text("log.pgn").contains("annabella"), "{}", place.text("log.pgn"));
    let again = run(&["rerun", &folder, &published]);
    assert!(again.status == Some(0) && again.stdout.contains(&alias), "{again:?}");
    // The organiser, who asks by the names, reads them.
    let again = run(&["rerun", &folder, &own_id(&head, &game.id)]);
    assert!(again.status == Some(0) && again.stdout.contains("annabella"), "{again:?}");
}
