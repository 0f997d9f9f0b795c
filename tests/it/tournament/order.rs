//! Under aliases the order of a published list tells no names, and text of a submission leads from
//! no alias to a name.

use crate::support::page::text_of;
use crate::support::place::{FIRST, ILLEGAL, Place, cup, tags};
use crate::support::{Ran, run};
use arbiter::schedule::{Format, NextGame, Results, Schedule};
use std::collections::BTreeMap;

const OWN: [(&str, &str); 3] =
    [("own-ann", "builtin:greedy"), ("own-bob", "builtin:random"), ("own-cyd", "builtin:random")];
const SUBMITTED: [&str; 3] = ["anna", "ben", "cora"];
const ABSENT: [&str; 5] = ["dan", "eva", "finn", "gina", "hugo"];
const PUBLISH: &str = "[expect]\nown-ann = '>= 0'\nown-bob = '>= 0'\nown-cyd = '>= 0'\n\
                       [publish]\nnames = 'alias'\nkey-file = 'cup.key'\n[[bots]]\nfolder = 'in'\n";

/// A class whose aliases are always the same, so that their order is not that of the names by
/// chance.
fn class() -> Place {
    let place = Place::new();
    place.write("cup.key", "a secret of this test\n");
    for name in SUBMITTED {
        place.write(&format!("in/{name}/bot.sh"), FIRST);
        place.write(&format!("in/{name}/bot.toml"), "command = 'sh bot.sh'\n");
    }
    for name in ABSENT {
        place.write(&format!("in/{name}/bot.toml"), "command = 'sh bot.sh'\n");
        place.write(&format!("in/{name}/bot.sh"), "exit 3\n");
    }
    place
}

/// The alias of each name.
fn aliases(place: &Place, out: &str) -> BTreeMap<String, String> {
    let list = place.text(&format!("{out}/aliases.txt"));
    list.lines()
        .map(|line| {
            let (alias, name) = line.split_once(' ').unwrap();
            (name.to_owned(), alias.to_owned())
        })
        .collect()
}

/// The aliases of these bots in the order of a text, each once.
fn order(text: &str, of: &[&str], aliases: &BTreeMap<String, String>) -> Vec<String> {
    let mut found: Vec<(usize, String)> = of
        .iter()
        .filter_map(|name| Some((text.find(&aliases[*name])?, aliases[*name].clone())))
        .collect();
    assert_eq!(found.len(), of.len(), "{text}");
    found.sort();
    found.into_iter().map(|(_, alias)| alias).collect()
}

#[test]
fn what_is_published_is_in_the_order_of_aliases() {
    let place = class();
    let config = cup("games = 2", PUBLISH, &OWN);
    let ran = place.ends(0, &config, "out", &[]);
    let aliases = aliases(&place, "out");
    let own = OWN.map(|(name, _)| name);
    let playing: Vec<&str> = own.into_iter().chain(SUBMITTED).collect();
    for (what, names) in [("all", &playing[..]), ("absent", &ABSENT[..]), ("own", &own[..])] {
        let by_name: Vec<&String> = names.iter().map(|name| &aliases[*name]).collect();
        assert!(!by_name.is_sorted(), "these aliases would show nothing of {what}");
    }
    let text = |file: &str| place.text(&format!("out/{file}"));
    let shown = run(&["standings", place.path("out").to_str().unwrap()]).stdout;
    let table: serde_json::Value = serde_json::from_str(&text("standings.json")).unwrap();
    for (what, text) in [
        ("standings.json", table["absent"].to_string()),
        ("standings.md", text("standings.md").split_once("## Not scheduled").unwrap().1.to_owned()),
        ("junit.xml", text("junit.xml")),
        ("report.html", {
            let page = text_of(&text("report.html"));
            page.split_once("\"absent\"").unwrap().1.to_owned()
        }),
        (
            "standings",
            shown.lines().filter(|line| line.contains("exit status 3")).collect::<String>(),
        ),
        ("printed", ran.stderr.clone()),
    ] {
        let order = order(&text, &ABSENT, &aliases);
        assert!(order.is_sorted(), "{what}: {order:?}");
    }
    let log = text("games.pgn");
    // Pairings and sides are those of bots that join in the order of aliases.
    let mut by_alias: Vec<String> = playing.iter().map(|name| aliases[*name].clone()).collect();
    by_alias.sort();
    let mut schedule = Schedule::new(Format::default(), &by_alias).unwrap();
    let mut expected = Vec::new();
    while let NextGame::Game(game) = schedule.next(&Results::default()) {
        expected.push((&*by_alias[game.first], &*by_alias[game.second]));
    }
    let players: Vec<(&str, &str)> =
        tags(&log, "White").into_iter().zip(tags(&log, "Black")).collect();
    assert_eq!(players, expected, "games.pgn");
    let expected = order(&table["expectations"].to_string(), &own, &aliases);
    assert!(expected.is_sorted(), "[expect]: {expected:?}");
    // Bots that do not play in a shard.
    let refused = place.ends(2, &config, "shard", &["--shard", "1/2"]);
    let line = refused.stderr.lines().find(|line| line.contains("--shard 1/2")).unwrap();
    let order = order(line, &ABSENT, &aliases);
    assert!(order.is_sorted(), "{line}");
}

/// The names in an id stand in byte order: that of the real ones must not be kept under the
/// aliases.
#[test]
fn ids_that_are_printed_are_those_of_the_published_log() {
    let place = class();
    let config = cup("games = 2", PUBLISH, &OWN);
    let roster = place.path("roster").display().to_string();
    place.ends(0, &config, "one", &["--shard", "1/2", "--roster", &roster]);
    place.ends(0, &config, "whole", &[]);
    let [one, merged] = ["one", "merged"].map(|dir| place.path(dir).display().to_string());
    let ran = run(&["merge", &one, "--out", &merged]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let missing = place.text("merged/missing.txt");
    let log = place.text("whole/games.pgn");
    let (missing, all): (Vec<&str>, Vec<&str>) = (missing.lines().collect(), tags(&log, "GameId"));
    assert!(
        missing.len() > 10 && missing.iter().all(|id| all.contains(id)),
        "{missing:?} of {all:?}"
    );
    assert!(ran.stderr.contains(missing[0]), "{ran:?}");
}

/// What a submission's author writes, such as the names of files, is shown without the names of
/// others.
#[test]
fn no_alias_takes_the_place_of_a_name_that_a_submission_wrote() {
    for (format, status) in [("round-robin", 0), ("swiss", 2)] {
        let place = class();
        let config = cup(&format!("games = 2\nformat = '{format}'\nrounds = 1"), PUBLISH, &OWN);
        place.write("in/mallory/bot.sh", ILLEGAL);
        place.write("in/mallory/bot.toml", "command = 'sh bot.sh'\n");
        place.write("in/nora/bot.toml", "command = 'sh bot.sh'\nbuild = 'false anna ben cora'\n");
        let first = place.ends(0, &config, "out", &[]);
        let aliases = aliases(&place, "out");
        for name in ["anna", "ben", "cora"] {
            place.write(&format!("in/mallory/{name}"), "");
        }
        let second = place.ends(status, &config, "out", &[]);
        for (ran, author, said) in [(first, "nora", "`false "), (second, "mallory", "changed (")] {
            let Ran { stdout, stderr, .. } = ran;
            let text = stdout + &stderr;
            let line =
                text.lines().find(|line| line.contains(said)).unwrap_or_else(|| panic!("{text}"));
            assert!(line.contains(&aliases[author]) && line.contains("(…)"), "{line}");
            for name in SUBMITTED {
                assert!(!line.contains(&aliases[name]) && !line.contains(name), "{line}");
            }
        }
    }
}
