//! What comes out of a league: its feed, its archive, and the final.

use super::{BOT, Place, check_tables};
use crate::support::served::Served;
use crate::support::{run, wait_for};
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;

/// The elements of an XML document in the order of their ends: the path of each, and its text.
fn elements(xml: &str) -> Vec<(String, String)> {
    let mut reader = Reader::from_str(xml);
    let mut open: Vec<(String, String)> = Vec::new();
    let mut found = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                let name = String::from_utf8(start.name().as_ref().to_vec()).unwrap();
                let path = open.last().map_or(name.clone(), |(above, _)| format!("{above}/{name}"));
                open.push((path, String::new()));
            }
            Event::Text(text) if !open.is_empty() => {
                open.last_mut().unwrap().1 += &text.decode().unwrap();
            }
            Event::GeneralRef(name) => {
                let letter = resolve_predefined_entity(&name.decode().unwrap()).unwrap();
                open.last_mut().unwrap().1 += letter;
            }
            Event::End(_) => found.push(open.pop().unwrap()),
            Event::Eof => {
                assert!(open.is_empty(), "{open:?}");
                return found;
            }
            _ => {}
        }
    }
}

fn texts(feed: &str, path: &str) -> Vec<String> {
    let all = elements(feed).into_iter();
    all.filter(|(at, _)| at == path).map(|(_, text)| text).collect()
}

#[test]
fn the_feed_has_verdicts_and_what_strangers_wrote_is_text() {
    let place = Place::new("");
    place.hand_in("ann", &BOT.replace("TALKS", "one"));
    place.hand_in("<x>&\"", &BOT.replace("TALKS", "two"));
    let served = Served::league(&place.config(), &["--concurrency", "1"]);
    let wanted = ["<x>&\": version 1 does not play", "ann: version 1 plays"];
    let host = format!("Host: {}\r\n", served.address);
    let answer = wait_for("the feed", || {
        let answer = served.get("/TOKEN/feed.xml", &host);
        let titles = texts(&answer.body, "feed/entry/title");
        wanted.iter().all(|one| titles.contains(&(*one).to_owned())).then_some(answer)
    });
    assert!(answer.head.contains("content-type: application/atom+xml"), "{answer:?}");
    let feed = answer.body;
    assert_eq!(feed, fs::read_to_string(place.results().join("feed.xml")).unwrap());
    // What RFC 4287 asks for.
    assert!(feed.contains("<feed xmlns=\"http://www.w3.org/2005/Atom\">"), "{feed}");
    for path in ["feed/id", "feed/title", "feed/updated", "feed/author/name"] {
        assert_eq!(texts(&feed, path).len(), 1, "{path}: {feed}");
    }
    let ids = texts(&feed, "feed/entry/id");
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), texts(&feed, "feed/entry/updated").len());
    for id in &ids {
        assert!(id.starts_with("tag:arbiter.invalid,2026:liga/"), "{id}");
    }
    // A page that is made now leads feed readers to it.
    drop(served);
    let served = Served::folder(&place.results(), &[]);
    assert_eq!(served.get("/TOKEN/feed.xml", &format!("Host: {}\r\n", served.address)).body, feed);
    let page = served.page().body;
    assert!(page.contains("type=\"application/atom+xml\" title=\"Results\" href=\"feed.xml\">"));
}

#[test]
fn a_season_is_frozen_ends_in_a_final_and_is_archived_for_the_next() {
    let place = Place::new("");
    let config = place.config();
    let config = config.to_str().unwrap();
    let archive = ["league", config, "--archive"];
    let ran = run(&archive);
    assert!(ran.status == Some(2) && ran.stderr.contains("no league was played"), "{ran:?}");
    place.hand_in("ann", &BOT.replace("TALKS", "one"));
    place.hand_in("bob", &BOT.replace("TALKS", "two"));
    let played = place.play();
    place.wait("ann", 1, "plays");
    place.wait("bob", 1, "plays");
    place.wait_for_games("ann~bob", 2);
    let ran = run(&archive);
    assert!(ran.status == Some(3) && ran.stderr.contains("another arbiter is running"), "{ran:?}");
    // Nothing of a killed league is lost.
    played.kill();
    let games = place.games();
    // After the deadline an author changes what is in the folder.
    place.hand_in("bob", "exit 7");
    let text = fs::read_to_string(config).unwrap();
    let freeze = "[league]\nfreeze = \"2001-01-01T00:00:00Z\"";
    fs::write(config, text.replace("[league]", freeze)).unwrap();
    let ran = run(&archive);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("freeze = \"2001-01-01T00:00:00Z\" is over"), "{ran:?}");
    let name = ran.stdout.split_whitespace().find(|word| word.starts_with("liga-2")).unwrap();
    let name = name.trim_end_matches(';').to_owned();
    assert!(!place.results().exists());
    let season = place.dir.path().join(&name);
    let journal = fs::read_to_string(season.join("journal.jsonl")).unwrap();
    assert_eq!(journal.matches("\"type\":\"game\"").count(), games.len());
    check_tables(&season);
    let state = fs::read_to_string(season.join("league.json")).unwrap();
    let state: Value = serde_json::from_str(&state).unwrap();
    assert_eq!(state["running"].as_array().unwrap().len(), 0, "{state}");
    // The final is played by what played in the league, seeded by its table.
    let last = fs::read_to_string(season.join("submissions/bob/bot.sh")).unwrap();
    assert_eq!(last, BOT.replace("TALKS", "two"));
    let final_config = place.dir.path().join("final.toml");
    let knockout = format!(
        "name = \"final\"\ngame = \"gekitai\"\n[schedule]\nformat = \"knockout\"\n\
         seeds = \"{name}\"\n[[bots]]\nfolder = \"{name}/submissions\"\n"
    );
    fs::write(&final_config, knockout).unwrap();
    let ran = run(&["tournament", final_config.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let table = fs::read_to_string(place.dir.path().join("final/standings.json")).unwrap();
    let table: Value = serde_json::from_str(&table).unwrap();
    assert_eq!(table["bots"].as_array().unwrap().len(), 2, "{table}");
    // The next season begins with what is there, and its archive replaces nothing.
    fs::write(config, text).unwrap();
    let played = place.play();
    place.wait("bob", 1, "refused");
    place.wait("ann", 1, "plays");
    place.wait_for_games("ann~first", 2);
    assert_eq!(played.end(), Some(0));
    let ran = run(&archive);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(place.dir.path().join(format!("{name}-2")).is_dir() || !ran.stdout.contains(&name));
    assert_eq!(fs::read_to_string(season.join("journal.jsonl")).unwrap(), journal);
}
