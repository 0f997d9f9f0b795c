//! Referees of chess, with a bot that speaks UCI and plays a given game.

use super::{Length, Run, RunResult, micros, plies_in};
use std::error::Error;
use std::io::{BufRead, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The argument by which this program is started as a bot.
pub const BOT: &str = "--chess-bot";

/// A game of 200 random plies that ends with mate, in UCI notation. No position occurs three times.
const GAME: &str = "\
e2e4 e7e6 f2f3 a7a6 b1a3 f8d6 e1e2 g8e7 g1h3 h7h5 h3f4 h8h7 f4g6 f7f5 a1b1 h5h4 e2e3 f5e4 d1e1 e7g8 h2h3 \
c7c6 f3e4 h7h8 f1c4 d6a3 b2b3 d7d6 e1e2 h8h5 h1g1 a8a7 e2g4 e6e5 g2g3 d8d7 g4f4 a7a8 f4f5 a3c1 b1c1 g8e7 \
f5f7 e8d8 f7f8 d8c7 g6f4 h5h8 d2d4 c6c5 f4d3 c7c6 f8g8 h8g8 c1d1 c6c7 d3f2 b7b6 c2c3 d7h3 d1a1 c7b7 f2h1 \
b7a7 c4e6 h3e6 c3c4 h4g3 g1c1 e6c4 e3f3 c4d3 f3g2 d3f3 g2f3 b8d7 b3b4 a7b7 d4c5 a6a5 c5d6 b7b8 c1c8 b8b7 \
b4a5 b7a6 c8c7 g8f8 f3g2 e7g6 c7c8 a8c8 a2a3 c8c6 g2h3 d7b8 a1b1 b8d7 b1b5 f8c8 b5c5 d7c5 a5b6 a6b7 d6d7 \
c5d3 a3a4 d3c1 d7c8n b7a6 c8a7 c1a2 h3g4 a6b7 g4f5 c6d6 f5g5 d6d3 a7b5 g6h4 g5h4 g3g2 h4h5 g2g1r h1f2 \
b7b6 h5h4 g7g6 f2h1 d3f3 b5a7 g1a1 h1g3 a1b1 g3h5 f3h3 h4g4 b1f1 a7c6 f1c1 c6b8 b6c7 a4a5 g6g5 g4g5 c1h1 \
g5h6 h1c1 b8c6 h3f3 h5g7 f3f8 g7e8 c7b7 h6g6 c1c4 c6e5 c4c2 e5c6 b7a8 g6g5 a2c1 c6e7 f8f3 e8f6 a8b8 e7c8 \
f3g3 g5f4 g3g1 f4e5 g1h1 e5d4 c2c7 d4d5 c7g7 f6g8 g7g5 d5d4 g5g8 a5a6 h1h7 a6a7 b8c8 a7a8n c8b7 d4c3 \
b7a6 a8c7 h7c7 c3b4 g8c8 b4a3 c7g7 a3b2 c8c5 b2b1 g7b7 b1a1 c5a5";
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
        rest: &["-each", "proto=uci", "tc=600+1", "-games", "GAMES", "-concurrency", "1", "-pgnout", LOG],
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

    /// Plays the games, and counts the plies in the log that the referee wrote of them.
    pub fn run(&self, length: Length) -> RunResult {
        let games = length.of(GAMES).to_string();
        let dir = tempfile::tempdir()?;
        let bot = std::env::current_exe()?.display().to_string();
        let engine = |name: &&str| {
            let words = self.bot.iter().map(|word| word.replace("PROGRAM", &bot));
            ["-engine".to_owned(), format!("name={name}")].into_iter().chain(words).collect::<Vec<_>>()
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
        Ok(Run { used, count: plies_in(&dir.path().join(LOG))? })
    }
}

/// A bot that answers at once with the next ply of [`GAME`].
pub fn bot() -> Result<(), Box<dyn Error>> {
    let game: Vec<&str> = GAME.split_whitespace().collect();
    let (input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut next = 0;
    for line in input.lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => output.write_all(b"id name replay\nid author arbiter\nuciok\n")?,
            Some("isready") => output.write_all(b"readyok\n")?,
            Some("position") => next = words.skip_while(|word| *word != "moves").skip(1).count(),
            Some("go") => {
                let ply = game.get(next).ok_or("the game is over")?;
                output.write_all(format!("info depth 1 score cp 0\nbestmove {ply}\n").as_bytes())?;
            }
            Some("quit") => return Ok(()),
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}
