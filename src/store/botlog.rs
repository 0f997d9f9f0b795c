//! The folder of `--bot-logs`: what each bot wrote for its author, a file a game.

use crate::protocol::printable;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder with `NAME/GAMEID.log` for each bot and game.
#[derive(Debug)]
pub struct BotLogs {
    dir: PathBuf,
}

impl BotLogs {
    /// Makes the folder.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn create(dir: &Path) -> io::Result<BotLogs> {
        fs::create_dir_all(dir)?;
        Ok(BotLogs { dir: dir.to_owned() })
    }

    /// Writes what a bot wrote in one game: its standard error, then its stray lines, every line made printable.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, bot: &str, game: &str, stderr: &[u8], astray: &[u8]) -> io::Result<()> {
        let mut text = String::new();
        for (head, bytes) in [("stderr", stderr), ("stdout, lines that are no answer", astray)] {
            if bytes.is_empty() {
                continue;
            }
            text.push_str(&format!("== {head}\n"));
            for line in bytes.split(|&b| b == b'\n') {
                text.push_str(&printable(line.trim_ascii_end(), usize::MAX));
                text.push('\n');
            }
        }
        let dir = self.dir.join(bot);
        fs::create_dir_all(&dir)?;
        fs::write(dir.join(format!("{game}.log")), text)
    }
}
