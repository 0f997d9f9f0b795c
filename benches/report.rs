//! What a page of 10,000 games of Lines of Action, 40 plies each, costs: its size, the time to write it, and the time until
//! it can be used in a headless Chromium; with two bots (then also bytes a ply with times), with 60 and with 1,000.
//!
//! `cargo bench --bench report` plays the games in a folder that vanishes, random against random, because random
//! plies compress worst, and prints the figures; the games of many bots are the same ones under other names. Without
//! `--bench` (under `cargo test`) it does nothing.

#[path = "../tests/it/support/mod.rs"]
mod support;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::Instant;
use support::browser::{Browser, address};
use support::{ARBITER, arbiter};

const GAMES: &str = "10000";
/// How often a page is opened.
const TIMES: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let dir = tempfile::tempdir()?;
    let [log, page] = ["games.pgn", "page.html"].map(|name| dir.path().join(name));
    let mut out = std::io::stdout().lock();
    writeln!(out, "{ARBITER}: {GAMES} games are played")?;
    let flags = ["builtin:random", "builtin:random", "--opening-plies", "4", "--max-plies", "40"];
    let played = arbiter(&["play", "loa", "-n", GAMES, "--log"]).arg(&log).args(flags).output()?;
    assert!(played.status.success(), "{played:?}");
    let games = std::fs::read_to_string(&log)?;
    let browser = Browser::open("the time until the page can be used");
    for bots in [2, 60, 1000] {
        std::fs::write(&log, if bots == 2 { games.clone() } else { renamed(&games, bots) })?;
        let began = Instant::now();
        let bytes = page_of(&log, &page, GAMES)?;
        let took = began.elapsed();
        writeln!(out, "{bots} bots")?;
        writeln!(out, "  the page                  {:>8.0} kB", bytes as f64 / 1e3)?;
        if bots == 2 {
            // Without its first game, which a page must have; the frame of the page is no part of it.
            let of_plies = bytes - page_of(&log, &dir.path().join("one.html"), "1")?;
            writeln!(
                out,
                "  for each ply, with times  {:>8.2} bytes",
                of_plies as f64 / plies(&games)? as f64
            )?;
        }
        writeln!(out, "  to write it               {:>8.0} ms", took.as_secs_f64() * 1e3)?;
        let Some(browser) = &browser else { continue };
        for _ in 0..TIMES {
            browser.go("about:blank");
            browser.go(&address(&page));
            browser.wait("document.documentElement.dataset.ready === 'true'");
            let ready = browser.run("return performance.getEntriesByName('ready')[0].startTime;");
            writeln!(
                out,
                "  until it can be used      {:>8.0} ms",
                ready.as_f64().ok_or("no time")?
            )?;
        }
    }
    Ok(())
}

/// Writes the page of a log with its first games; returns its bytes.
fn page_of(log: &Path, page: &Path, games: &str) -> Result<u64, Box<dyn Error>> {
    let written = arbiter(&["report", "--games", games]).arg(log).arg("-o").arg(page).output()?;
    assert!(written.status.success(), "{written:?}");
    Ok(std::fs::metadata(page)?.len())
}

/// The log with its games among so many bots: each game is that of the next two of all pairs.
fn renamed(log: &str, bots: usize) -> String {
    let (mut one, mut other) = (0, 0);
    let mut text = String::with_capacity(log.len());
    for line in log.lines() {
        match line {
            _ if line.starts_with("[White ") => {
                other += 1;
                if other >= bots {
                    one = (one + 1) % (bots - 1);
                    other = one + 1;
                }
                text += &format!("[White \"bot{one:03}\"]");
            }
            _ if line.starts_with("[Black ") => text += &format!("[Black \"bot{other:03}\"]"),
            _ if line.starts_with("[GameId ") => {}
            _ => text += line,
        }
        text.push('\n');
    }
    text
}

/// The plies of all games, by their tags.
fn plies(log: &str) -> Result<u64, Box<dyn Error>> {
    let counts =
        log.lines().filter_map(|line| line.strip_prefix("[PlyCount \"")?.strip_suffix("\"]"));
    Ok(counts.map(str::parse::<u64>).sum::<Result<_, _>>()?)
}
