//! What a log of 100,000 games costs the screen of `arbiter replay`: time and memory to the first screen, to
//! game 99,999, and to the result of a filter.
//!
//! `cargo bench --bench replay` writes such a log into a folder that vanishes and prints the figures. Without
//! `--bench` (under `cargo test`) it does nothing.

use arbiter::game::{GameResult, Outcome, Settings};
use arbiter::record::{Record, read_log};
use arbiter::replay::Timeline;
use arbiter::rules::Ruleset;
use arbiter::seed::Generator;
use arbiter::view::replay::{
    OpenedGame, ReplayEffect, ReplayInput, ReplayModel, WantedGame, list_games,
};
use arbiter::view::{Grid, Rect};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

const GAMES: usize = 100_000;
/// The game that is asked for, as a number of the log.
const FAR: usize = 99_999;
const SIZE: (u16, u16) = (120, 40);

fn main() -> Result<(), Box<dyn Error>> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("games.pgn");
    let bytes = write_log(&path)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "a log of {GAMES} games, {:.0} MB", bytes as f64 / 1e6)?;
    for wanted in [1, FAR] {
        let began = Instant::now();
        let mut screen = Screen::new(&path)?;
        let shown = screen.read(wanted)?.ok_or("the game was not found")?;
        writeln!(out, "{}", line(&format!("first screen of game {wanted}"), &shown))?;
        writeln!(out, "{}", line("all games listed", &Cost::since(began)))?;
        let filter_began = Instant::now();
        screen.keys("/bot-7 1-0 >30");
        writeln!(
            out,
            "{}",
            line("a filter typed, each of its keys shown", &Cost::since(filter_began))
        )?;
    }
    Ok(())
}

/// What something took.
struct Cost {
    time: Duration,
    /// The peak memory of the process so far.
    memory: String,
}

impl Cost {
    fn since(began: Instant) -> Cost {
        Cost { time: began.elapsed(), memory: peak_memory().unwrap_or_default() }
    }
}

fn line(what: &str, cost: &Cost) -> String {
    format!("  {what:<40} {:>8.1} ms   peak memory {}", cost.time.as_secs_f64() * 1e3, cost.memory)
}

/// The screen of a log.
struct Screen {
    file: File,
    model: ReplayModel,
    grid: Grid,
}

impl Screen {
    fn new(path: &std::path::Path) -> Result<Screen, Box<dyn Error>> {
        let model = ReplayModel::new("games.pgn".to_owned(), SIZE);
        let grid = Grid::new(Rect::new(0, 0, SIZE.0, SIZE.1));
        Ok(Screen { file: File::open(path)?, model, grid })
    }

    /// Reads the log to its end. Returns the cost until the game with this number was on the screen.
    fn read(&mut self, number: usize) -> Result<Option<Cost>, Box<dyn Error>> {
        let (began, mut shown) = (Instant::now(), None);
        let source = self.file.try_clone()?;
        let read = list_games(source, &WantedGame::Number(number), |part| {
            self.take(ReplayInput::Listed(part));
            if shown.is_none() && self.model.shown().is_some() {
                shown = Some(Cost::since(began));
            }
            ControlFlow::Continue(())
        });
        match (read, self.model.games_read()) {
            (ControlFlow::Continue(()), GAMES) => Ok(shown),
            (_, games) => Err(format!("only {games} games were read").into()),
        }
    }

    fn take(&mut self, input: ReplayInput) {
        let effect = self.model.update(input, Duration::ZERO);
        if let Some(ReplayEffect::Open(index)) = effect
            && let Some(place) = self.model.place(index)
        {
            let range = place.bytes();
            let mut bytes = vec![0; (range.end - range.start) as usize];
            let read = self.file.read_exact_at(&mut bytes, range.start);
            let record = read.ok().and_then(|()| place.read(&bytes).record);
            let timeline = record.map(|record| Timeline::new(record, &Settings::default().time));
            let game = OpenedGame {
                index,
                timeline,
                troubles: Vec::new(),
                written: Vec::new(),
                proved: None,
            };
            self.take(ReplayInput::Opened(Box::new(game)));
        }
        self.model.draw(&mut self.grid);
    }

    fn keys(&mut self, keys: &str) {
        for key in keys.chars() {
            self.take(ReplayInput::Key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE)));
        }
    }
}

/// Writes the log: random games of twenty bots, each ply with a note. Returns its number of bytes.
fn write_log(path: &std::path::Path) -> Result<u64, Box<dyn Error>> {
    let mut generator = Generator::new(&[&"replay"]);
    let games: Vec<String> =
        (0..50).map(|_| random_game(&mut generator)).collect::<Result<_, _>>()?;
    let mut out = BufWriter::new(File::create(path)?);
    for number in 1..=GAMES {
        let game = &games[generator.below(games.len() as u64) as usize];
        let (one, other) = (generator.below(20), generator.below(20));
        let names = format!(
            "[White \"bot-{one}\"]\n[Black \"bot-{other}\"]\n[GameId \"bot-{one}~bot-{other}.{number}\"]\n"
        );
        write!(out, "{names}{game}")?;
    }
    out.flush()?;
    Ok(std::fs::metadata(path)?.len())
}

/// A game as a log has it, without names.
fn random_game(generator: &mut Generator) -> Result<String, Box<dyn Error>> {
    let ruleset = Ruleset::named("loa", "")?;
    let mut position = ruleset.start();
    let mut moves = String::new();
    while position.ending().is_none() && moves.len() < 3000 {
        let plies = position.sorted_plies();
        let ply = plies[generator.below(plies.len() as u64) as usize];
        let (depth, micros) = (generator.below(9), generator.below(1_000_000));
        moves += &format!(
            "{} {{0.{micros:06}s depth {depth} score 0.{depth}}}\n",
            ruleset.ply_text(ply)
        );
        position.play(ply);
    }
    let outcome = match position.ending() {
        Some(ending) => Outcome::Rules(ending),
        None => Outcome::MaxPlies,
    };
    let result: GameResult = outcome.result(ruleset.game());
    let (word, termination) = (outcome.word(), outcome.termination());
    let game = format!(
        "[Result \"{result}\"]\n[Game \"loa\"]\n[TimeControl \"10+0.1\"]\n[Outcome \"{word}\"]\n\
         [Termination \"{termination}\"]\n\n{moves}{result}\n\n"
    );
    let whole = format!("[White \"a\"]\n[Black \"b\"]\n{game}");
    let _: Record = read_log(whole.as_bytes()).next().ok_or("no game")??;
    Ok(game)
}

/// The peak memory of the process, where the system reports it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(format!("{:.0} MB", kilobytes * 1024.0 / 1e6))
}
