//! `[publish] feedback = "links"`: a page for each author, under a random address.

use crate::support::place::{FIRST, ILLEGAL, Place, cup};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const TWO: [(&str, &str); 2] = [("real-own", "builtin:random"), ("real-other", "builtin:greedy")];

/// Submissions that lose, do not build, write names and have names of their own.
fn class(place: &Place) {
    let says = ILLEGAL.replace("echo ready", "echo real-wrong and real-own >&2; echo ready");
    let says = says.replace("echo move z99", "echo info by Real Wrong; echo move real-wrong");
    place.write("in/real-wrong/real-wrong.sh", &says);
    place.write("in/real-wrong/bot.toml", "name = 'Real Wrong'\ncommand = 'sh real-wrong.sh'\n");
    place.write("in/real-zero/bot.sh", ILLEGAL);
    place.write("in/real-zero/bot.toml", "command = 'sh bot.sh'\n");
    place.write("in/real-first/bot.sh", FIRST);
    place.write("in/real-first/bot.toml", "command = 'sh bot.sh'\n");
    let build = "echo real-unbuilt and real-own; echo \"</pre><script>\"; exit 4";
    place.write("in/real-unbuilt/bot.toml", &format!("command = './bot'\nbuild = '{build}'\n"));
    place.write("in/real Zoë/bot.toml", "command = './bot'\n");
    place.write("late/real-first/readme.txt", "a second one of this name, in another folder");
}

fn config(publish: &str) -> String {
    let folders = "[[bots]]\nfolder = 'in'\n[[bots]]\nfolder = 'late'\n";
    let publish = format!("[publish]\nfeedback = 'links'\nstderr = 'public'\n{publish}\n");
    cup("games = 2", &format!("{folders}{publish}"), &TWO)
}

/// The names of bots with their folders, and the files of their pages.
fn table(place: &Place, out: &str) -> BTreeMap<(String, String), String> {
    let text = place.text(&format!("{out}/feedback-links.txt"));
    let line = |line: &str| {
        let [file, name, folder] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line:?}")
        };
        ((name.to_owned(), folder.to_owned()), file.to_owned())
    };
    text.lines().map(line).collect()
}

/// All texts in the folder of pages, by their paths in it.
fn pages(place: &Place, out: &str) -> BTreeMap<String, String> {
    let dir = place.path(&format!("{out}/feedback-links"));
    let name = |path: &std::path::Path| path.strip_prefix(&dir).unwrap().display().to_string();
    place
        .snapshot(&format!("{out}/feedback-links"))
        .into_iter()
        .filter(|(path, _)| path.is_file())
        .map(|(path, text)| (name(&path), String::from_utf8(text).unwrap()))
        .collect()
}

const BOTS: [(&str, &str); 8] = [
    ("real Zoë", "in"),
    ("real-first", "in"),
    ("real-first", "late"),
    ("real-other", ""),
    ("real-own", ""),
    ("real-unbuilt", "in"),
    ("real-wrong", "in"),
    ("real-zero", "in"),
];

fn addresses() -> Vec<(String, String)> {
    BOTS.map(|(name, folder)| (name.to_owned(), folder.to_owned())).into()
}

#[test]
fn each_author_has_a_page_without_names_under_aliases() {
    let place = Place::new();
    class(&place);
    let ran = place.ends(0, &config("names = 'alias'"), "out", &[]);
    let table = table(&place, "out");
    assert_eq!(table.keys().cloned().collect::<Vec<_>>(), addresses());
    for file in ["out/feedback-links.txt", "out/aliases.txt"] {
        let mode = fs::metadata(place.path(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let pages = pages(&place, "out");
    let html: BTreeSet<&String> = pages.keys().filter(|path| path.ends_with(".html")).collect();
    assert_eq!(html, table.values().collect(), "a page for each, and no other");
    for (path, text) in &pages {
        let address = path.split(['.', '/']).next().unwrap();
        assert!(
            address.len() == 40 && address.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{path}"
        );
        assert!(!text.to_lowercase().contains("real") && !path.contains("real"), "{path}: {text}");
        if path.ends_with(".html") {
            assert!(
                text.contains("<meta name=\"robots\" content=\"noindex, nofollow\">"),
                "{text}"
            );
            assert!(!text.contains("<script") && !text.contains("src="), "{text}");
        }
        // No public file and no other page has an address.
        for other in table.values().map(|file| file.trim_end_matches(".html")) {
            assert!(address == other || !text.contains(other), "{path} leads to {other}");
        }
    }
    for (path, text) in place.snapshot("out") {
        let name = path.strip_prefix(place.path("out")).unwrap().display().to_string();
        let text = String::from_utf8_lossy(&text);
        let is_own = name.starts_with("feedback-links");
        assert!(is_own || table.values().all(|file| !text.contains(&file[..40])), "{name}");
    }
    assert!(
        table
            .values()
            .all(|file| !ran.stdout.contains(&file[..40]) && !ran.stderr.contains(&file[..40]))
    );
    let page = |name: &str, folder: &str| &pages[&table[&(name.to_owned(), folder.to_owned())]];
    let aliases = place.text("out/aliases.txt");
    let alias = |name: &str| {
        let line = aliases.lines().find(|line| line.ends_with(&format!(" {name}"))).unwrap();
        line.split(' ').next().unwrap().to_owned()
    };
    let wrong = page("real-wrong", "in");
    assert!(wrong.contains(&format!("<title>{} in cup</title>", alias("real-wrong"))), "{wrong}");
    let block = |language: &str, text: &str| {
        format!("<pre><code class=\"language-{language}\">{text}\n</code></pre>")
    };
    assert!(wrong.contains(&block("text", "(…) and (…)")), "{wrong}");
    assert!(wrong.contains("The answer that lost: <code>move (…)</code>"), "{wrong}");
    assert!(
        wrong.contains(&format!("--bot {}=FOLDER\n</code></pre>", alias("real-wrong"))),
        "{wrong}"
    );
    // What was expected beside what came, and the position as a picture.
    assert!(wrong.contains("<th>Expected</th><th>Came</th>"), "{wrong}");
    assert!(wrong.contains("<figure>\n<svg ") && !wrong.contains("language-board"), "{wrong}");
    let unbuilt = page("real-unbuilt", "in");
    assert!(
        unbuilt.contains(&block("text", "(…) and (…)\n&lt;/pre&gt;&lt;script&gt;")),
        "{unbuilt}"
    );
    assert!(page("real Zoë", "in").contains("cannot be the name of a bot"));
    assert!(
        page("real-first", "late").contains("another submission has this name"),
        "the other one's is another page"
    );
    // The log that is saved from the page is played again by its command.
    let zero = page("real-zero", "in");
    let links: Vec<&str> =
        zero.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(links.len() >= 4 && links.iter().all(|link| pages.contains_key(*link)), "{zero}");
    let id = links[0].rsplit_once('/').unwrap().1.trim_end_matches(".pgn");
    let command =
        block("sh", &format!("arbiter rerun {id}.pgn {id} --bot {}=FOLDER", alias("real-zero")));
    assert!(zero.contains(&command), "{zero}");
    let file = place.path(&format!("out/feedback-links/{}", links[0])).display().to_string();
    let bot = format!("{}={}", alias("real-zero"), place.path("in/real-zero").display());
    let again = crate::support::run(&["rerun", &file, id, "--bot", &bot, "--sandbox", "basic"]);
    assert_eq!(again.status, Some(0), "{again:?}");
}

#[test]
fn the_addresses_stay_the_same_every_night() {
    let place = Place::new();
    class(&place);
    place.write("cup.key", "0123456789abcdef0123456789abcdef\n");
    for publish in ["names = 'name'", "names = 'alias'", "names = 'alias'\nkey-file = 'cup.key'"] {
        let config = config(publish);
        let out = format!("out{}", publish.len());
        place.ends(0, &config, &out, &[]);
        let first = table(&place, &out);
        assert_eq!(first.len(), BOTS.len());
        // A bot comes, one is mended, one goes; what the organiser put there stays.
        place.write("in/real-new/readme.txt", "soon");
        place.write("in/real-unbuilt/bot.toml", "command = 'sh bot.sh'\n");
        place.write("in/real-unbuilt/bot.sh", FIRST);
        fs::rename(place.path("in/real Zoë"), place.path("gone")).unwrap();
        place.write(&format!("{out}/feedback-links/index.html"), "");
        place.ends(0, &config, &out, &[]);
        let second = table(&place, &out);
        let new = ("real-new".to_owned(), "in".to_owned());
        let gone = ("real Zoë".to_owned(), "in".to_owned());
        assert!(second.contains_key(&new) && !second.contains_key(&gone), "{second:?}");
        assert!(
            second.iter().all(|(bot, file)| *bot == new || first[bot] == *file),
            "{first:?} {second:?}"
        );
        let there = pages(&place, &out);
        assert!(
            !there.contains_key(&first[&gone]) && there.contains_key("index.html"),
            "{:?}",
            there.keys()
        );
        let unbuilt = &there[&second[&("real-unbuilt".to_owned(), "in".to_owned())]];
        assert!(unbuilt.contains("<li>Rank "), "{unbuilt}");
        // Switched off, there is nothing; switched on again, everything is as before.
        let off = config.replace("feedback = 'links'", "feedback = 'private'");
        place.ends(0, &off, &out, &[]);
        assert!(!place.path(&format!("{out}/feedback-links.txt")).exists());
        assert_eq!(pages(&place, &out).into_keys().collect::<Vec<_>>(), ["index.html"]);
        place.ends(0, &config, &out, &[]);
        assert_eq!(table(&place, &out), second);
        assert_eq!(pages(&place, &out), there);
        fs::remove_dir_all(place.path("in")).unwrap();
        fs::rename(place.path("gone"), place.path("kept")).unwrap();
        class(&place);
        fs::remove_dir_all(place.path("kept")).unwrap();
    }
    // Without its file the key is not another one in secret.
    let with_file = config("names = 'alias'\nkey-file = 'cup.key'");
    let before = table(&place, "out36");
    fs::remove_file(place.path("cup.key")).unwrap();
    let ran = place.ends(2, &with_file, "out36", &[]);
    assert!(
        ran.stderr.contains("key-file = \"cup.key\"")
            && ran.stderr.contains("it must hold a secret"),
        "{ran:?}"
    );
    place.write("cup.key", "another-secret-of-this-course");
    let ran = place.ends(2, &with_file, "out36", &[]);
    assert!(
        ran.stderr.contains("another secret key (aliases and links follow from it)"),
        "{ran:?}"
    );
    // The journal has the key.
    place.ends(0, &config("names = 'alias'"), "out36", &[]);
    let after = table(&place, "out36");
    assert!(
        before.iter().all(|(bot, file)| after.get(bot).is_none_or(|now| now == file)),
        "{before:?} {after:?}"
    );
}

#[test]
fn shards_share_the_addresses() {
    let place = Place::new();
    class(&place);
    let config = config("names = 'alias'");
    let ran = place.ends(2, &config, "alone", &["--shard", "1/2"]);
    assert!(
        ran.stderr.contains("all runs that share a tournament need the same secret key"),
        "{ran:?}"
    );
    let roster = place.path("roster").display().to_string();
    for shard in ["1", "2"] {
        let shard_of = format!("{shard}/2");
        place.ends(
            0,
            &config,
            &format!("part{shard}"),
            &["--shard", &shard_of, "--roster", &roster],
        );
    }
    let parts = ["part1", "part2"].map(|part| place.path(part).display().to_string());
    let out = place.path("merged").display().to_string();
    let merged = crate::support::run(&["merge", &parts[0], &parts[1], "--out", &out]);
    assert_eq!(merged.status, Some(0), "{merged:?}");
    let known = table(&place, "merged");
    assert_eq!(known.keys().cloned().collect::<Vec<_>>(), addresses());
    assert_eq!(table(&place, "part1"), known);
    let pages = pages(&place, "merged");
    for ((name, _), file) in &known {
        assert!(!pages[file].contains("real"), "{name}: {}", pages[file]);
    }
    let unbuilt = &pages[&known[&("real-unbuilt".to_owned(), "in".to_owned())]];
    assert!(unbuilt.contains("Output of its build:"), "{unbuilt}");
}
