//! Speed and depth of `builtin:search`: the nodes that it searches in a second of processor time, and the depth that it reaches in
//! 100 ms a ply, of its own processor time, in games against itself from openings of four random plies.
//!
//! `cargo bench --bench search` prints the table, `-- GAME` a row of it, `-- --bot search?noise=30` that of another
//! one. Without `--bench` (under `cargo test`) it does nothing.

use arbiter::builtin::{Action, BuiltinBot};
use arbiter::openings::Openings;
use arbiter::rules::{Position, Ruleset, Side};
use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

/// Games of a row.
const GAMES: u64 = 6;
/// Plies of a game at the most, those of the opening not counted.
const PLIES: usize = 40;
/// Game and options.
const CASES: [(&str, &str); 5] = [
    ("loa", ""),
    ("flipflop", ""),
    ("lineup", "n=7 s=4 b=10"),
    ("gekitai", ""),
    ("flipflop", "n=12"),
];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|word| word == "--bench") {
        return Ok(ExitCode::SUCCESS);
    }
    let bot_at = arguments.iter().position(|word| word == "--bot");
    let bot = bot_at.and_then(|at| arguments.get(at + 1)).map_or("search", String::as_str);
    let only = arguments.iter().find(|word| CASES.iter().any(|(game, _)| game == word));
    let mut out = std::io::stdout().lock();
    writeln!(out, "builtin:{bot}, 100 ms of processor time a ply, {GAMES} games a row")?;
    writeln!(
        out,
        "{:<22}  {:>6}  {:>14}  {:>11}  {:>10}",
        "game", "plies", "1000 nodes/s", "mean depth", "ms a ply"
    )?;
    for (game, options) in
        CASES.into_iter().filter(|(game, _)| only.is_none_or(|only| only == game))
    {
        let ruleset = Ruleset::named(game, options)?;
        let mut row = Row::default();
        let mut openings = Openings::random(ruleset, 4, 36);
        for number in 0..GAMES {
            play(&openings.get(number)?, (game, options), bot, number, &mut row)?;
        }
        let plies = row.plies as f64;
        writeln!(
            out,
            "{:<22}  {:>6}  {:>14.0}  {:>11.2}  {:>10.1}",
            format!("{game} {options}"),
            row.plies,
            row.nodes as f64 / row.time.as_secs_f64() / 1e3,
            row.depths as f64 / plies,
            row.time.as_secs_f64() * 1e3 / plies
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The sums over the plies that were searched.
#[derive(Default)]
struct Row {
    plies: u64,
    nodes: u64,
    depths: u64,
    time: Duration,
}

/// Plays a game of a bot against itself.
fn play(
    start: &Position,
    (game, options): (&str, &str),
    bot: &str,
    seed: u64,
    row: &mut Row,
) -> Result<(), Box<dyn Error>> {
    let ruleset = start.ruleset();
    let mut bots = Vec::new();
    for side in Side::BOTH {
        let mut bot = BuiltinBot::named(bot).map_err(|what| format!("--bot: {what}"))?;
        let mut lines = vec!["arena 1".to_owned(), format!("game {game}")];
        lines.extend(
            options
                .split(' ')
                .filter_map(|option| option.split_once('='))
                .map(|(key, value)| format!("option {key} {value}")),
        );
        lines.push(format!(
            "you {}\ntime move 100\nseed {seed}\nstart\nposition {start}",
            ruleset.letter(side)
        ));
        let _ready = tell(&mut bot, &lines.join("\n"), row)?;
        bots.push(bot);
    }
    let mut position = start.clone();
    let mut plies: Vec<String> = Vec::new();
    let mut known = [0; 2];
    while position.ending().is_none() && plies.len() < PLIES {
        let number = position.side() as usize;
        let since = plies[known[number]..].join(" ");
        known[number] = plies.len();
        let turn = format!("turn {}\nsince {since}\nclock 100 100\ngo", plies.len() + 1);
        let said = tell(&mut bots[number], &turn, row)?;
        let word =
            said.lines().last().and_then(|line| line.strip_prefix("move ")).ok_or("no ply")?;
        position.play(ruleset.read_ply(word)?);
        plies.push(word.to_owned());
    }
    Ok(())
}

/// Sends lines, and returns what the bot says last.
fn tell(bot: &mut BuiltinBot, lines: &str, row: &mut Row) -> Result<String, Box<dyn Error>> {
    let mut said = String::new();
    for line in lines.lines() {
        match bot.receive(line)? {
            Some(Action::Think) => {
                let began = processor_time();
                said = bot.think(&mut || processor_time().saturating_sub(began));
                row.time += processor_time().saturating_sub(began);
                if let Some(info) = said.strip_prefix("info depth ") {
                    let mut words = info.split(' ');
                    row.plies += 1;
                    row.depths += words.next().unwrap_or_default().parse::<u64>()?;
                    row.nodes += words
                        .skip_while(|&word| word != "nodes")
                        .nth(1)
                        .unwrap_or_default()
                        .parse::<u64>()?;
                }
            }
            Some(Action::Say(words)) => said = words,
            Some(Action::Quit) | None => {}
        }
    }
    Ok(said)
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
