//! What a page of 10,000 games of Lines of Action, 40 plies each, costs: bytes a ply with times, the time to
//! write it, and the time until it can be used in a headless Chromium.
//!
//! `cargo bench --bench report` plays the games in a folder that vanishes, random against random, because random
//! plies compress worst, and prints the figures. Without `--bench` (under `cargo test`) it does nothing.

#[path = "../tests/support/mod.rs"]
mod support;

use std::error::Error;
use std::io::Write;
use std::time::Instant;
use support::browser::{Browser, address};
use support::{ARBITER, arbiter};

const GAMES: &str = "10000";
/// How often the page is opened.
const TIMES: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let dir = tempfile::tempdir()?;
    let [log, page] = ["games.pgn", "page.html"].map(|name| dir.path().join(name));
    let mut out = std::io::stdout().lock();
    writeln!(out, "{ARBITER}: {GAMES} games are played")?;
    let bots = ["builtin:random", "builtin:random", "--opening-plies", "4", "--max-plies", "40"];
    let played = arbiter(&["play", "loa", "-n", GAMES, "--log"]).arg(&log).args(bots).output()?;
    assert!(played.status.success(), "{played:?}");
    let began = Instant::now();
    let written = arbiter(&["report"]).arg(&log).arg("-o").arg(&page).output()?;
    assert!(written.status.success(), "{written:?}");
    let took = began.elapsed();
    let bytes = std::fs::metadata(&page)?.len();
    let (empty, plies) = (page_without_games(dir.path())?, plies(&log)?);
    writeln!(out, "  the page                  {:>8.0} kB, {plies} plies", bytes as f64 / 1e3)?;
    writeln!(out, "  for each ply, with times  {:>8.2} bytes", (bytes - empty) as f64 / plies as f64)?;
    writeln!(out, "  to write it               {:>8.0} ms", took.as_secs_f64() * 1e3)?;
    let Some(browser) = Browser::open("the time until the page can be used") else { return Ok(()) };
    for _ in 0..TIMES {
        browser.go("about:blank");
        browser.go(&address(&page));
        browser.wait("document.documentElement.dataset.ready === 'true'");
        let ready = browser.run("return performance.getEntriesByName('ready')[0].startTime;");
        writeln!(out, "  until it can be used      {:>8.0} ms", ready.as_f64().ok_or("no time")?)?;
    }
    Ok(())
}

/// The bytes of a page that has no games.
fn page_without_games(dir: &std::path::Path) -> Result<u64, Box<dyn Error>> {
    let [log, page] = ["none.pgn", "none.html"].map(|name| dir.join(name));
    std::fs::write(&log, "")?;
    let written = arbiter(&["report"]).arg(&log).arg("-o").arg(&page).output()?;
    assert!(written.status.success(), "{written:?}");
    Ok(std::fs::metadata(&page)?.len())
}

/// The plies of all games, by their tags.
fn plies(log: &std::path::Path) -> Result<u64, Box<dyn Error>> {
    let text = std::fs::read_to_string(log)?;
    let counts = text.lines().filter_map(|line| line.strip_prefix("[PlyCount \"")?.strip_suffix("\"]"));
    Ok(counts.map(str::parse::<u64>).sum::<Result<_, _>>()?)
}
