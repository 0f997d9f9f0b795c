//! What is printed and published under aliases quotes submissions, but no name and no alias in
//! them.

use super::aliases::{class, list};
use crate::support::Ran;
use crate::support::page::text_of;
use crate::support::place::{FIRST, Place, cup};
use std::fs;

/// A `bot.toml` with this build.
fn built_by(build: &str) -> String {
    format!("command = 'sh bot.sh'\nbuild = '{build}'\n")
}

/// Fails if what was printed and published has a name of a submission, or quotes an alias, and
/// unless these words stand in a line with a part left out.
fn check_published(place: &Place, ran: &Ran, out: &str, said: &[&str]) {
    let aliases = list(place, out);
    let files = ["standings.md", "standings.json", "junit.xml", "games.pgn"];
    let files = files.map(|file| place.text(&format!("{out}/{file}")));
    for line in files
        .iter()
        .flat_map(|text| text.lines())
        .chain(ran.stdout.lines())
        .chain(ran.stderr.lines())
    {
        for (name, alias) in &aliases {
            let quotes = ["false ", "changed (", "changed during"]
                .iter()
                .find_map(|words| line.split_once(words));
            let quoted = quotes.map_or("", |(_, quoted)| quoted);
            assert!(!quoted.contains(&**alias), "{name}: {line}");
            let words =
                line.split(|letter: char| !letter.is_ascii_alphanumeric()).collect::<Vec<_>>();
            assert!(!words.contains(&&**name), "{name}: {line}");
        }
    }
    for words in said {
        let found = ran.stderr.lines().find(|line| line.contains(words));
        assert!(found.is_some_and(|line| line.contains("(…)")), "{words}: {ran:?}");
    }
}

/// Who lists the names of the class must not be answered with their aliases, nor find their own.
#[test]
fn text_of_a_submission_is_not_shown_with_aliases() {
    const NAMES: &str = "anna ben cora dan eva fay gus";
    let (place, config) = class(0, 4, "games = 2");
    place.write("in/eva/bot.sh", FIRST);
    place.write("in/eva/bot.toml", &built_by(&format!("echo {NAMES} >&2; false {NAMES}")));
    place.write("in/fay/bot.sh", FIRST);
    place.write("in/fay/bot.toml", &built_by(&format!("touch {NAMES}")));
    // Below strict it changes its own files.
    place.write(
        "in/gus/bot.sh",
        &format!("for name in {NAMES}; do echo >> $name.sh; done\n{FIRST}"),
    );
    place.write(
        "in/gus/bot.toml",
        &built_by("for name in anna ben cora dan; do touch $name.sh; done"),
    );
    let open = format!("{config}\nstderr = 'public'\n");
    check_published(
        &place,
        &place.ends(0, &open, "out", &[]),
        "out",
        &["its build `", "changed during the run ("],
    );
    for name in NAMES.split(' ') {
        place.write(&format!("in/fay/{name}"), "new");
    }
    check_published(
        &place,
        &place.ends(0, &open, "out", &[]),
        "out",
        &["changed (", "its build `"],
    );
    // In other formats a change ends the run.
    let swiss = open.replace("games = 2", "games = 2\nformat = 'swiss'");
    place.ends(0, &swiss, "swiss", &[]);
    place.write("in/fay/anna", "newer");
    check_published(&place, &place.ends(2, &swiss, "swiss", &[]), "swiss", &["changed ("]);
}

#[test]
fn a_submission_with_the_alias_of_another_as_its_name_changes_no_message() {
    let (place, config) = class(0, 2, "games = 2");
    place.write("in/a-name-longer-than-an-alias/bot.sh", FIRST);
    place.write("in/a-name-longer-than-an-alias/bot.toml", "command = 'sh bot.sh'\n");
    place.ends(0, &config, "out", &[]);
    let alias = list(&place, "out").remove("a-name-longer-than-an-alias").unwrap();
    place.write(&format!("in/{alias}/bot.sh"), FIRST);
    place.write(&format!("in/{alias}/bot.toml"), "command = 'sh bot.sh'\n");
    place.write("in/a-name-longer-than-an-alias/bot.sh", &format!("{FIRST}# edited\n"));
    let ran = place.ends(0, &config, "out", &[]);
    assert!(ran.stderr.contains(&format!("\n{alias} changed (bot.sh)")), "{ran:?}");
}

#[test]
fn errors_about_a_roster_have_aliases() {
    let (place, config) = class(1, 4, "games = 2");
    let roster = place.path("roster.jsonl");
    let shared = ["--shard", "1/2", "--roster", roster.to_str().unwrap()];
    place.ends(0, &config, "one", &shared);
    place.write("in/ben/bot.sh", &format!("{FIRST}# edited\n"));
    place.write("in/cora/bot.sh", "exit 4 # dan\n");
    fs::remove_dir_all(place.path("in/dan")).unwrap();
    let ran =
        place.ends(2, &config, "two", &["--shard", "2/2", "--roster", roster.to_str().unwrap()]);
    let aliases = list(&place, "one");
    for (name, said) in [
        ("ben", "has another content here (bot.sh)"),
        ("cora", "plays by the roster and cannot play here: "),
        ("dan", "plays by the roster and cannot play here: the configuration has no such bot"),
    ] {
        assert!(ran.stderr.contains(&format!("{} {said}", aliases[name])), "{name}: {ran:?}");
        let shown = format!("{}{}", ran.stdout, ran.stderr);
        assert!(
            !shown.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == name),
            "{name}: {ran:?}"
        );
    }
    assert!(
        ran.stderr.contains("--roster ")
            && !place.path("two/journal.jsonl").metadata().is_ok_and(|file| file.len() > 0)
    );
}

/// A slip in a name shows the name.
#[test]
fn unknown_names_are_not_quoted_under_aliases() {
    let (place, config) = class(1, 2, "games = 2");
    for (section, options) in [
        ("[expect]\nannna = '>= 0.5'\n", &[][..]),
        ("[ratings]\nanchor = 'annna'\n", &[]),
        ("", &["--strict=annna"]),
    ] {
        let ran = place.ends(2, &format!("{config}\n{section}"), "out", options);
        let is_said = ran.stderr.contains("it names a bot that does not exist");
        assert!(is_said && !ran.stderr.contains("annna"), "{ran:?}");
    }
}

/// A bot that prints where it lies instead of an answer; behind so many letters, because what is
/// quoted is cut.
fn tells_its_place(letters: usize) -> String {
    format!(
        "import os\nfor line in __import__('sys').stdin:\n    \
         if line.startswith('start'):\n        \
         print('E' * {letters} + ' ' + os.path.abspath(__file__) + ': AnnaBot', flush=True)\n\
         \x20       raise SystemExit(1)\n"
    )
}

#[test]
fn no_part_of_a_name_is_published() {
    let place = Place::new();
    for name in ["anna", "good"] {
        place.write(&format!("in/{name}/bot.sh"), FIRST);
        place.write(&format!("in/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    }
    for letters in (0..150).step_by(7) {
        let folder = format!("in/wilhelmina-vandenberg-{letters}");
        place.write(&format!("{folder}/bot.py"), &tells_its_place(letters));
        place.write(&format!("{folder}/bot.toml"), "command = 'python3 bot.py'\n");
    }
    // It answers with the names that people give to files and classes.
    let said = "AnnaBot annabot anna2 ANNA_x WilhelminaVandenberg7";
    let illegal = format!(
        "while read -r word rest; do case $word in start) echo ready ;; \
         go) echo move {said} ;; esac; done\n"
    );
    place.write("in/chris/bot.sh", &illegal);
    place.write("in/chris/bot.toml", "command = 'sh bot.sh'\n");
    let config = cup(
        "games = 2",
        "[[bots]]\nfolder = 'in'\n[publish]\nnames = 'alias'\nstderr = 'public'",
        &[],
    );
    let ran = place.play(&config, "out", &[]);
    let mut public = vec![("printed".to_owned(), format!("{}{}", ran.stdout, ran.stderr))];
    for file in ["games.pgn", "standings.json", "standings.md", "junit.xml"] {
        public.push((file.to_owned(), place.text(&format!("out/{file}"))));
    }
    public.push(("report.html".to_owned(), text_of(&place.text("out/report.html"))));
    for (file, text) in public {
        let lower = text.to_ascii_lowercase();
        for part in ["anna", "wilh", "vandenb", "denberg"] {
            let found = lower
                .find(part)
                .map(|at| &lower[at.saturating_sub(60)..(at + 20).min(lower.len())]);
            assert_eq!(found, None, "{part} in {file}");
        }
    }
}
