//! The page of a league: what its `league.json` says, in a browser, and how the page follows it.

use super::{WHAT, played};
use crate::support::browser::Browser;
use crate::support::served::Served;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A time of the test. All are long ago, so that they read the same whenever it runs.
fn time(minute: u32) -> String {
    format!("2020-01-01T10:{minute:02}:00Z")
}

fn version(bot: &str, number: u32, state: &str, said: &str) -> Value {
    json!({ "bot": bot, "number": number, "time": time(number), "state": state, "said": said })
}

fn bot(name: &str, version: u32, yesterday: Value) -> Value {
    let mut curve = Vec::new();
    for point in 0..4 {
        let rating = 10.0 * f64::from(point);
        let high = (point > 0).then_some(rating + 40.0);
        curve.push(json!({ "time": time(point), "version": 1 + point / 2, "rating": rating,
            "low": rating - 40.0, "high": high }));
    }
    json!({ "name": name, "version": version, "since": time(1), "games": 12, "curve": curve,
        "yesterday": yesterday })
}

/// Replaces the file of a league, as its process does.
fn replace(folder: &Path, league: &Value) {
    let new = folder.join("league.new");
    fs::write(&new, league.to_string()).unwrap();
    fs::rename(new, folder.join("league.json")).unwrap();
}

/// The texts of the cells of a part's tables, row by row.
fn rows(browser: &Browser, part: &str) -> Value {
    browser.run(&format!(
        "return Array.from(document.querySelectorAll('{part} tbody tr'), (row) =>
            Array.from(row.cells, ({{ textContent }}) =>
                textContent.replace(/\\d+ days ago/, 'long ago')));"
    ))
}

#[test]
fn a_page_shows_what_its_league_says_and_follows_it() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let (_dir, folder) = played(2, "");
    let served = Served::folder(&folder, &[]);
    browser.go(&served.url());
    browser.wait("document.documentElement.dataset.live === 'true'");
    let parts = "return document.querySelectorAll('#section-queue, #section-versions, \
                 .moves, .of-league').length;";
    assert_eq!(browser.run(parts), 0, "a tournament is no league");

    // A file appears. What strangers wrote in it is text, and what is long is folded.
    let long = format!("<img src=x onerror=\"window.isRun = true\">\n{}", "x".repeat(300));
    let mut league = json!({
        "v": 1, "now": time(30), "frozen": null,
        "running": [{ "id": "ann~bob.7", "since": time(20) }],
        "next": [{ "bots": ["bob", "carl"], "why": "newcomer: 3 of 20 games" }],
        "versions": [
            version("carl", 1, "builds", ""),
            version("bob", 2, "refused", &long),
            version("ann", 1, "plays", ""),
        ],
        "bots": [bot("ann", 2, json!({ "rank": 2, "rating": 3.0 })), bot("bob", 1, Value::Null)],
    });
    replace(&folder, &league);
    browser.wait("document.getElementById('section-queue') !== null && due.timer === null");
    assert_eq!(
        rows(&browser, "#section-queue"),
        json!([["ann – bob", "long ago"], ["bob – carl", "newcomer: 3 of 20 games"]])
    );
    let shown = rows(&browser, "#section-versions");
    assert_eq!(shown[0], json!(["carl", "1", "long ago", "is being built"]));
    assert_eq!(shown[2], json!(["ann", "1", "long ago", "plays"]));
    let said = shown[1][3].as_str().unwrap();
    assert!(said.starts_with("refused<img src=x onerror=") && said.ends_with("xxx"), "{said}");
    assert_eq!(browser.run("return window.isRun ?? document.querySelector('img');"), Value::Null);
    let details = "document.querySelector('#section-versions details')";
    assert_eq!(browser.run(&format!("return {details}.open;")), false);
    // Who is first in the table of two games may be either; both have the words of their change.
    let moves = browser.run(
        "return Object.fromEntries(Array.from(document.querySelectorAll('td.moves'), (cell) =>
            [cell.parentElement.querySelector('.name').textContent, cell.textContent]));",
    );
    let rank = browser.run("return table.bots.find(({ name }) => name === 'ann').rank;");
    let moved = if rank == 1 { "▲1up 1" } else { "=same rank" };
    assert_eq!(moves, json!({ "ann": moved, "bob": "new" }));

    // The file is replaced: what has changed is shown and said. What is unfolded stays so and has
    // the focus, and what is read stays where it is, though more stands above it.
    browser.run(&format!("{details}.open = true; {details}.querySelector('summary').focus();"));
    browser.wait("unfolded.size === 1");
    let about = "document.getElementById('section-about').getBoundingClientRect().top";
    let before = browser.run(&format!(
        "document.body.append(element('div', {{ id: 'space' }}));
        document.getElementById('space').style.height = '3000px';
        document.getElementById('section-about').scrollIntoView(); return {about};"
    ));
    league["running"] = json!([]);
    league["frozen"] = json!(time(29));
    league["full"] = json!("the disk has 3 MiB left");
    league["versions"][0]["state"] = json!("refused");
    league["versions"][0]["said"] = json!("no move within 5 s at the first position");
    let versions = league["versions"].as_array_mut().unwrap();
    versions.insert(0, version("ann", 2, "waits", ""));
    replace(&folder, &league);
    browser.wait("league.frozen !== null && due.timer === null");
    let after = browser.run(&format!("return {about};"));
    let shift = after.as_f64().unwrap() - before.as_f64().unwrap();
    assert!(shift.abs() <= 1.0, "from {before} to {after}");
    assert_eq!(browser.run("return document.activeElement.tagName;"), "SUMMARY");
    assert_eq!(browser.run(&format!("return {details}.open;")), true);
    let queue = browser.run("return document.getElementById('section-queue').textContent;");
    let queue = queue.as_str().unwrap();
    assert!(queue.contains("Frozen since") && queue.contains("No game is being played"), "{queue}");
    assert!(queue.contains("until there is room: the disk has 3 MiB left."), "{queue}");
    let feed = "return document.querySelector('#section-versions a[type]').getAttribute('href');";
    assert_eq!(browser.run(feed), "feed.xml");
    let spoken = browser.run("return document.getElementById('league-state').textContent;");
    assert_eq!(spoken, "carl, version 1: refused");
    assert_eq!(rows(&browser, "#section-versions")[0][1], "2");

    // The page of a bot: a line for each version, a mark where the second one begins, verdicts.
    browser.run("location.hash = '#bot/ann';");
    browser.wait("!document.getElementById('bot').hidden");
    let counts = "['.curve .series', '.curve .version-mark', '.curve .band'].map((part) =>
        document.querySelectorAll(`#bot ${part}`).length)";
    assert_eq!(browser.run(&format!("return {counts};")), json!([2, 1, 2]));
    assert_eq!(
        rows(&browser, "#bot .of-league"),
        json!([["2", "long ago", "30", "waits for its build"], ["1", "long ago", "10", "plays"]])
    );
    league["bots"][0]["curve"].as_array_mut().unwrap().truncate(2);
    replace(&folder, &league);
    browser.wait(&format!("String({counts}) === '1,0,1'"));

    // Nothing is wider than a phone.
    let window = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
    browser.devtools("Emulation.setDeviceMetricsOverride", &window);
    for (part, view) in [("#bot/ann", "bot"), ("#queue", "overview")] {
        browser.run(&format!("location.hash = '{part}';"));
        browser.wait(&format!("document.documentElement.dataset.view === '{view}'"));
        assert_eq!(browser.run("return document.documentElement.scrollWidth;"), 390, "{part}");
    }

    // A page that is made now has it from its beginning.
    assert_eq!(browser.console(), [""; 0]);
    browser.go("about:blank");
    drop(served);
    let served = Served::folder(&folder, &[]);
    browser.go(&served.url());
    browser.wait("document.documentElement.dataset.ready === 'true'");
    assert_eq!(browser.run("return document.querySelectorAll('#section-queue').length;"), 1);
    let block = crate::support::page::text_of(&served.page().body);
    assert!(block.contains("id=\"league: {"), "{block:.2000}");
    assert_eq!(browser.console(), [""; 0]);
}
