//! The folder `bots` and that of `--bot-logs`: standard error and unrecognised lines of each bot,
//! one file for each game.

use super::folder_handle::FolderHandle;
use super::replace::replace_derived;
use arbiter_game::Channel;
use arbiter_host::files::{self, make_folder};
use arbiter_rules::text::{one_column, printable};
use rustix::fs::{CWD, OFlags};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// A line, with the number of the ply that the bot had last been asked for.
pub type BotLogLine = (usize, Vec<u8>);

/// The streams of a file with the words that its parts begin with.
const PARTS: [(Channel, &str); 2] =
    [(Channel::Stderr, "stderr"), (Channel::Unrecognised, "stdout, lines that are no answer")];

/// What the head of a part begins with.
const HEAD: &str = "== ";

/// How much of a file is read, in bytes.
const READ_BYTES: u64 = 16 << 20;

/// A line of a file, made printable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedLine {
    /// The number of the ply that the bot had last been asked for; 0 before the first.
    pub ply: usize,
    /// [`Channel::Stderr`] or [`Channel::Unrecognised`].
    pub channel: Channel,
    /// The line.
    pub text: String,
}

/// A folder with `NAME/GAMEID.log` for each bot and game.
#[derive(Debug)]
pub struct BotLogs {
    pub(super) dir: FolderHandle,
}

impl BotLogs {
    /// Creates the folder.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create(dir: &Path) -> io::Result<BotLogs> {
        BotLogs::create_in(FolderHandle::by_path(dir))
    }

    /// The same, where the folder is not to be found by its name alone.
    pub(super) fn create_in(dir: FolderHandle) -> io::Result<BotLogs> {
        make_folder(dir.path())?;
        Ok(BotLogs { dir })
    }

    /// An existing folder, for reading.
    pub fn existing(dir: &Path) -> BotLogs {
        BotLogs { dir: FolderHandle::by_path(dir) }
    }

    /// Writes what a bot wrote in one game: its standard error, then its unrecognised lines, every
    /// line made printable. If there is nothing to write, no file is created.
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
        for ((_, head), lines) in PARTS.into_iter().zip([stderr, unrecognised]) {
            if !lines.is_empty() {
                text.push_str(&format!(
                    "{HEAD}{head}; in front, the ply that the bot had last been asked for\n"
                ));
            }
            for (ply, line) in lines {
                text.push_str(&format!("{ply:>4}  {}\n", printable(line, usize::MAX)));
            }
        }
        if text.is_empty() {
            return Ok(());
        }
        replace_derived(&self.dir.join(bot).join(format!("{game}.log")), text.as_bytes())
    }

    /// Copies the file of a bot and game from another folder; if that has none, this one has none
    /// either.
    ///
    /// # Errors
    /// The file cannot be read or written, or is no regular file.
    pub fn copy(&self, from: &BotLogs, bot: &str, game: &str) -> io::Result<()> {
        let Some(path) = self.path(bot, game) else { return Ok(()) };
        let Some(mut there) = from.open(bot, game)? else {
            return match fs::remove_file(path) {
                Err(error) if !is_absent(&error) => Err(error),
                _ => Ok(()),
            };
        };
        let mut text = Vec::new();
        there.read_to_end(&mut text)?;
        replace_derived(&path, &text)
    }

    /// Reads what a bot wrote in one game; nothing if there is no file. Names and folder may come
    /// from another person: names that lead out of the folder have no file, and a file that is a
    /// link is an error. Lines that have another form are left out, and so is what comes after 16
    /// MiB.
    ///
    /// # Errors
    /// The file cannot be read, or is no regular file.
    pub fn read(&self, bot: &str, game: &str) -> io::Result<Vec<LoggedLine>> {
        let Some(file) = self.open(bot, game)? else { return Ok(Vec::new()) };
        let mut bytes = Vec::new();
        file.take(READ_BYTES).read_to_end(&mut bytes)?;
        Ok(read_lines(&String::from_utf8_lossy(&bytes)))
    }

    /// The file of a bot and game, if there is one.
    fn open(&self, bot: &str, game: &str) -> io::Result<Option<File>> {
        let Some(path) = self.path(bot, game) else { return Ok(None) };
        match files::open_at(CWD, &path, OFlags::NOFOLLOW) {
            Err(error) if is_absent(&error) => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// The path of the file of a bot and game; `None` if a name leads out of the folder.
    fn path(&self, bot: &str, game: &str) -> Option<PathBuf> {
        if is_name(bot) && is_name(game) {
            Some(self.dir.join(bot).join(format!("{game}.log")))
        } else {
            None
        }
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('.') && !text.contains(['/', '\0'])
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn read_lines(log: &str) -> Vec<LoggedLine> {
    let mut channel = Channel::Stderr;
    let mut lines = Vec::new();
    for line in log.lines() {
        if let Some(head) = line.strip_prefix(HEAD) {
            for (of, words) in PARTS {
                if head.starts_with(words) {
                    channel = of;
                }
            }
        } else if let Some((ply, written)) = line.trim_start_matches(' ').split_once("  ")
            && let Ok(ply) = ply.parse()
        {
            let text = written.chars().map(one_column).collect();
            lines.push(LoggedLine { ply, channel, text });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(ply: usize, channel: Channel, text: &str) -> LoggedLine {
        LoggedLine { ply, channel, text: text.to_owned() }
    }

    #[test]
    fn what_was_written_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let logs = BotLogs::create(&dir.path().join("bots")).unwrap();
        let stderr =
            [(0, b"hello".to_vec()), (12345, b"== stdout  \x1b[2J".to_vec()), (7, b"".to_vec())];
        logs.write("a", "a~b.1", &stderr, &[(3, b"a2c4".to_vec())]).unwrap();
        let expected = [
            line(0, Channel::Stderr, "hello"),
            line(12345, Channel::Stderr, "== stdout  \\x1b[2J"),
            line(7, Channel::Stderr, ""),
            line(3, Channel::Unrecognised, "a2c4"),
        ];
        assert_eq!(logs.read("a", "a~b.1").unwrap(), expected);
        assert_eq!(logs.read("b", "a~b.1").unwrap(), []);
    }

    #[test]
    fn names_and_links_do_not_lead_elsewhere() {
        let dir = tempfile::tempdir().unwrap();
        let logs = BotLogs::create(&dir.path().join("bots")).unwrap();
        fs::write(dir.path().join("secret.log"), "   1  secret\n").unwrap();
        assert_eq!(logs.read("..", "secret").unwrap(), []);
        assert_eq!(logs.read("a", "../../secret").unwrap(), []);
        fs::create_dir(dir.path().join("bots/a")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret.log"), dir.path().join("bots/a/x.log"))
            .unwrap();
        assert!(logs.read("a", "x").is_err());
    }

    #[test]
    fn a_forged_file_controls_no_terminal() {
        let lines =
            read_lines("   1  \u{1b}[2J\u{202e}x\ty\r\nno number\n99999999999999999999  x\n");
        assert_eq!(lines, [line(1, Channel::Stderr, "\u{fffd}[2J\u{fffd}x y")]);
    }
}
