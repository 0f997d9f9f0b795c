//! The folder of `--bot-logs`: standard error and unrecognised lines of each bot, one file for each game.

use crate::text::printable;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A line, with the number of the ply that the bot had last been asked for.
pub type BotLogLine = (usize, Vec<u8>);

/// A folder with `NAME/GAMEID.log` for each bot and game.
#[derive(Debug)]
pub struct BotLogs {
    dir: PathBuf,
}

impl BotLogs {
    /// Creates the folder.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create(dir: &Path) -> io::Result<BotLogs> {
        fs::create_dir_all(dir)?;
        Ok(BotLogs { dir: dir.to_owned() })
    }

    /// Writes what a bot wrote in one game: its standard error, then its unrecognised lines, every line made
    /// printable. If there is nothing to write, no file is created.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(
        &self,
        bot: &str,
        game: &str,
        stderr: &[BotLogLine],
        unrecognised: &[BotLogLine],
    ) -> io::Result<()> {
        let mut text = String::new();
        for (head, lines) in [("stderr", stderr), ("stdout, lines that are no answer", unrecognised)] {
            if !lines.is_empty() {
                text.push_str(&format!(
                    "== {head}; in front, the ply that the bot had last been asked for\n"
                ));
            }
            for (ply, line) in lines {
                text.push_str(&format!("{ply:>4}  {}\n", printable(line, usize::MAX)));
            }
        }
        if text.is_empty() {
            return Ok(());
        }
        let dir = self.dir.join(bot);
        fs::create_dir_all(&dir)?;
        fs::write(dir.join(format!("{game}.log")), text)
    }
}
