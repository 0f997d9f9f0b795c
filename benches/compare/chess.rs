//! Referees of chess, with a bot that speaks UCI and plays a given game.

use super::planned::{Side, plies};
use super::{Length, Run, RunResult, micros};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The argument by which this program is started as a bot.
pub const BOT: &str = "--chess-bot";

/// Games of a short run and of a long one.
const GAMES: [u32; 2] = [200, 1200];
/// The file that the games are written to, in the folder that the referee runs in.
const LOG: &str = "games.pgn";

/// A referee that is on PATH.
pub struct Referee {
    name: &'static str,
    /// How its arguments name the program and the argument of a bot.
    bot: &'static [&'static str],
    /// The arguments for all bots and the match, with GAMES for their number.
    rest: &'static [&'static str],
}

const REFEREES: [Referee; 3] = [
    Referee {
        name: "fastchess",
        bot: &["cmd=PROGRAM", "args=--chess-bot"],
        rest: &[
            "-each",
            "tc=600+1",
            "-rounds",
            "GAMES",
            "-games",
            "1",
            "-concurrency",
            "1",
            "-pgnout",
            "file=games.pgn",
        ],
    },
    Referee {
        name: "cutechess-cli",
        bot: &["cmd=PROGRAM", "arg=--chess-bot"],
        rest: &[
            "-each",
            "proto=uci",
            "tc=600+1",
            "-games",
            "GAMES",
            "-concurrency",
            "1",
            "-pgnout",
            LOG,
        ],
    },
    Referee {
        name: "c-chess-cli",
        bot: &["cmd=PROGRAM --chess-bot"],
        rest: &["-each", "tc=600+1", "-games", "GAMES", "-concurrency", "1", "-pgn", LOG],
    },
];

/// The referees that are on PATH, and the names of the others.
pub fn referees() -> (Vec<Referee>, Vec<&'static str>) {
    let (found, absent): (Vec<_>, Vec<_>) = REFEREES.into_iter().partition(Referee::is_there);
    (found, absent.iter().map(|referee| referee.name).collect())
}

impl Referee {
    pub fn name(&self) -> &'static str {
        self.name
    }

    fn is_there(&self) -> bool {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).any(|folder| folder.join(self.name).is_file())
    }

    /// Plays the games, and counts the plies in the log that the referee wrote of them. Fails if one
    /// of them did not end as planned.
    pub fn run(&self, length: Length) -> RunResult {
        let games = length.of(GAMES).to_string();
        let dir = tempfile::tempdir()?;
        let bot = std::env::current_exe()?.display().to_string();
        let engine = |name: &&str| {
            let words = self.bot.iter().map(|word| word.replace("PROGRAM", &bot));
            ["-engine".to_owned(), format!("name={name}")]
                .into_iter()
                .chain(words)
                .collect::<Vec<_>>()
        };
        let began = Instant::now();
        let status = Command::new(self.name)
            .current_dir(&dir)
            .args(["a", "b"].iter().flat_map(engine))
            .args(self.rest.iter().map(|word| word.replace("GAMES", &games)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        let used = micros(began.elapsed());
        if !status.success() {
            return Err(format!("{} ended with {status}", self.name).into());
        }
        Ok(Run { used, count: plies(File::open(dir.path().join(LOG))?)? })
    }
}

/// A bot that answers at once with the next ply of its side.
pub fn bot() -> Result<(), Box<dyn Error>> {
    let mut output = std::io::stdout().lock();
    let mut side = Side::default();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        match line.split_whitespace().next() {
            Some("uci") => output.write_all(b"id name replay\nid author arbiter\nuciok\n")?,
            Some("isready") => output.write_all(b"readyok\n")?,
            Some("ucinewgame") => side.begin(),
            Some("position") => side.position(&line),
            Some("go") => {
                let ply = side.ply().ok_or("the game is over")?;
                output
                    .write_all(format!("info depth 1 score cp 0\nbestmove {ply}\n").as_bytes())?;
            }
            Some("quit") => return Ok(()),
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}
