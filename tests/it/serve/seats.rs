//! Two persons who play each other by two links.

use super::{WHAT, played, when};
use crate::support::browser::{Browser, ENTER};
use crate::support::page::text_of;
use crate::support::run;
use crate::support::served::{Answer, Served};
use serde_json::{Value, json};
use std::fs;

/// A server with the tokens of its two persons.
struct Table {
    served: Served,
    tokens: [String; 2],
}

impl Table {
    /// Says something at a seat.
    fn say(&mut self, seat: usize, body: &Value) -> Answer {
        self.served.token.clone_from(&self.tokens[seat]);
        self.served.post("seat", &body.to_string())
    }

    /// The state at a seat when the condition holds, for a browser that has just come.
    fn state(&mut self, seat: usize, holds: impl Fn(&Value) -> bool) -> Value {
        self.served.token.clone_from(&self.tokens[seat]);
        when(&mut self.served.events("seat/events"), |state| holds(&state["state"]))
    }

    fn begin(&mut self) {
        for seat in 0..2 {
            assert_eq!(self.say(seat, &json!({ "ready": true })).body, "{}");
        }
    }
}

#[test]
fn two_persons_play_by_two_links_and_all_others_watch() {
    let (dir, folder) = played(2, "");
    let log = dir.path().join("mine.pgn");
    for (names, why) in [
        (["ann", "x"], "--persons ann: a bot of the tournament has this name"),
        (["x", "../y"], "--persons ../y: a name has up to 64 of"),
        (["x", "X"], "need different names"),
    ] {
        let [one, other] = names;
        let folder = folder.to_str().unwrap();
        let said = run(&["serve", folder, "--persons", one, other, "--log", "/dev/null"]);
        assert!(said.status == Some(2) && said.stderr.contains(why), "{said:?}");
    }
    // Others reach this address, as a class has to.
    let flags = ["--addr", "0.0.0.0:0", "--log", log.to_str().unwrap()];
    let (served, tokens) = Served::persons(&folder, &flags);
    let public = served.token.clone();
    let mut table = Table { served, tokens };
    let host = format!("Host: {}\r\n", table.served.address);
    // Who watches is at no seat, and cannot say anything.
    assert_eq!(table.served.get("/TOKEN/seat", &host).body, "{\"seat\":null}");
    assert_eq!(table.served.get("/TOKEN/seat/events", &host).status(), "404");
    assert_eq!(table.served.post("seat", "{\"ready\":true}").status(), "404");
    assert_eq!(table.served.post("play", "{\"bot\":\"ann\",\"side\":0}").status(), "404");
    let mut watched = table.served.events("events?from=0");

    // A game begins when both want it; each moves in turn, and may load the page anew.
    assert_eq!(
        table.say(0, &json!({ "game": 1, "number": 1, "text": "a1" })).body,
        "it is not your turn"
    );
    assert_eq!(table.say(0, &json!({ "ready": true })).body, "{}");
    let other = table.state(1, |state| state["ready"] == json!([false, true]));
    assert_eq!(other["state"]["over"], true);
    assert_eq!(table.say(1, &json!({ "ready": true })).body, "{}");
    let asked = table.state(0, |state| state["turn"]["number"] == 1);
    assert_eq!(asked["state"]["you"], 0);
    assert_eq!(
        table.say(1, &json!({ "game": 1, "number": 1, "text": "a1" })).body,
        "it is not your turn"
    );
    let answer = table.say(0, &json!({ "game": 1, "number": 1, "text": "z9" }));
    assert!(answer.status() == "409" && answer.body.starts_with("expected one of"), "{answer:?}");
    assert_eq!(table.say(0, &json!({ "ready": true })).body, "a game is being played");
    assert_eq!(table.say(0, &json!({ "game": 1, "number": 1, "text": "a1" })).body, "{}");
    table.state(1, |state| state["turn"]["number"] == 2);
    table.state(1, |state| state["turn"]["number"] == 2);
    let seen = watched
        .find(|update| update["running"].as_array().is_some_and(|games| !games.is_empty()))
        .unwrap();
    assert_eq!(seen["running"][0]["game"]["players"], json!(["ann-h", "bob-h"]));
    assert_eq!(table.say(1, &json!({ "game": 1, "number": 2, "text": "resign" })).body, "{}");
    let over = table.state(0, |state| state["over"] == true && state["number"] == 1);
    assert!(over["finished"].is_object() && over["state"]["saved"].is_null(), "{over}");

    // In the next game the sides are swapped. It ends with the server.
    table.begin();
    let asked = table.state(1, |state| state["turn"]["number"] == 1);
    assert_eq!((&asked["state"]["you"], &asked["state"]["number"]), (&json!(0), &json!(2)));
    let late = json!({ "game": 1, "number": 1, "text": "a1" });
    assert_eq!(table.say(1, &late).body, "it is not your turn", "of the game before");
    table.served.token = public;
    let page = table.served.page();
    assert!(page.head.contains("referrer-policy: no-referrer"), "{}", page.head);
    let shown = text_of(&page.body);
    assert!(shown.contains("[\"ann-h\",\"bob-h\"]"), "{shown:.1000}");
    assert_eq!(table.served.interrupt(), Some(0));
    let games = fs::read_to_string(&log).unwrap();
    assert!(games.contains("[GameId \"ann-h~bob-h.1\"]") && games.contains("[White \"ann-h\"]"));
    assert!(games.contains("[White \"bob-h\"]") && games.contains("arbiter was stopped"));
    assert_eq!(run(&["verify", log.to_str().unwrap()]).status, Some(0), "{games}");
    let said: Vec<String> = table.served.stderr.iter().collect();
    let updates: Vec<String> = watched.map(|update| update.to_string()).collect();
    for token in &table.tokens {
        for text in [&shown, &games, &said.concat(), &updates.concat()] {
            assert!(!text.contains(token), "the secret of a seat is known to others");
        }
    }
}

#[test]
fn the_page_of_a_seat_has_a_board_to_play_on_and_no_other_page_does() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let (dir, folder) = played(2, "");
    let log = dir.path().join("mine.pgn");
    let (served, tokens) = Served::persons(&folder, &["--log", log.to_str().unwrap()]);
    let watched = served.url();
    let mut table = Table { served, tokens };
    table.served.token.clone_from(&table.tokens[0]);
    let window = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
    browser.devtools("Emulation.setDeviceMetricsOverride", &window);
    browser.go(&table.served.url());
    browser.wait("document.getElementById('person-begin')?.hidden === false");
    browser.run("document.getElementById('person-begin').click();");
    let said = "document.getElementById('person-said').textContent";
    browser.wait(&format!("{said} === 'A game begins when bob-h is ready, too.'"));
    assert_eq!(table.say(1, &json!({ "ready": true })).body, "{}");
    browser.wait(&format!("own.state.turn?.number === 1 && {said} === 'It is your turn.'"));
    assert_eq!(browser.run("return document.getElementById('person-begin').hidden;"), true);
    browser.run("document.getElementById('person-ply').focus();");
    browser.press(&format!("a1{ENTER}"));
    browser.wait(&format!("{said} === 'It is the turn of bob-h.'"));
    assert_eq!(browser.run("return document.documentElement.scrollWidth;"), 390);
    browser.run("window.isOld = true; location.reload();");
    browser.wait("window.isOld === undefined && own?.game?.steps.length === 1");
    assert_eq!(table.say(1, &json!({ "game": 1, "number": 2, "text": "resign" })).body, "{}");
    browser.wait(&format!(
        "own.finished !== null && {said} === 'A game begins when you both are ready.'"
    ));
    assert_eq!(browser.run("return document.getElementById('person-back').hidden;"), true);
    // The next game, on the other side.
    browser.run("document.getElementById('person-begin').click();");
    assert_eq!(table.say(1, &json!({ "ready": true })).body, "{}");
    browser.wait("own.state.number === 2 && own.state.you === 1 && own.finished === null");
    // Who watches sees the game, and has nothing to play with.
    browser.go(&watched);
    browser.wait("running.size === 1 && document.documentElement.dataset.live === 'true'");
    assert_eq!(browser.run("return document.getElementById('section-person');"), Value::Null);
    assert_eq!(browser.console(), [""; 0]);
}
