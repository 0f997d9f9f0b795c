//! What comes out of a league: its feed.

use super::{BOT, Place};
use crate::support::served::Served;
use crate::support::wait_for;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
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
