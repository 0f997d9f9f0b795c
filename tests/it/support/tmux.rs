//! A shell in a real terminal (tmux), to look at its screen and to press keys.

use super::{has, random, wait_for, wait_or_say};
use std::cell::Cell;
use std::process::Command;

/// A shell in a terminal of its own.
pub struct Terminal {
    socket: String,
    /// The folder that the shell is in.
    pub dir: tempfile::TempDir,
    /// How many commands were started.
    started: Cell<u32>,
}

impl Terminal {
    /// None without tmux, which is said with what is not tested then.
    pub fn open(width: u16, height: u16, what: &str) -> Option<Terminal> {
        if !has("tmux", what) {
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let terminal =
            Terminal { socket: format!("arbiter-{:016x}", random()), dir, started: Cell::new(0) };
        let size = [width.to_string(), height.to_string()];
        let [x, y] = [&*size[0], &*size[1]];
        let folder = terminal.dir.path().to_str().unwrap();
        let shell = "env PS1='$ ' NO_COLOR= sh";
        terminal.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            x,
            "-y",
            y,
            "-c",
            folder,
            shell,
        ]);
        Some(terminal)
    }

    pub fn tmux(&self, arguments: &[&str]) -> String {
        let ran = Command::new("tmux").args(["-L", &self.socket]).args(arguments).output().unwrap();
        assert!(ran.status.success(), "tmux {arguments:?}: {ran:?}");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    }

    pub fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-S", "-"])
    }

    /// Waits until the screen has this text, and returns the screen.
    pub fn wait_for(&self, text: &str) -> String {
        let shown = || Some(self.screen()).filter(|screen| screen.contains(text));
        wait_or_say(shown, || format!("{text:?} on the screen:\n{}", self.screen()))
    }

    /// Keys by their names, or text.
    pub fn send(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Types a line.
    pub fn enter(&self, line: &str) {
        self.send(&["-l", line]);
        self.send(&["Enter"]);
    }

    /// Runs a command in the shell that fills the terminal; its exit status is printed afterwards.
    pub fn start(&self, command: &str) {
        self.started.update(|started| started + 1);
        let number = self.started.get();
        // A Ctrl-C for the command that comes after its end harms neither the shell nor what it
        // runs then.
        let end = "echo $? > status; trap '' INT; stty -a > after; mv status over";
        let shown = format!("echo {number}: status=$(cat over)");
        self.enter(&format!("trap : INT; stty -a > before; {command}; {end}; {shown}"));
    }

    /// The exit status of the command that was started, if it has ended. The screen may not show it
    /// yet.
    pub fn status(&self) -> Option<u8> {
        let text = std::fs::read_to_string(self.dir.path().join("over")).ok()?;
        Some(text.trim().parse().unwrap())
    }

    /// Waits for the end of the command and checks that the terminal is as before.
    pub fn is_clean_after(&self, status: u8) -> String {
        let path = |name: &str| self.dir.path().join(name);
        let ended = wait_for("the end of the command", || self.status());
        assert_eq!(ended, status, "{}", self.screen());
        let screen = self.wait_for(&format!("{}: status={status}", self.started.get()));
        // The first line has the size, which tmux changes when it has time.
        let modes = |name| {
            std::fs::read_to_string(path(name)).unwrap().split_once('\n').unwrap().1.to_owned()
        };
        let [before, after] = ["before", "after"].map(modes);
        assert_eq!(after, before, "the modes of the terminal");
        let flags =
            self.tmux(&["display", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"]);
        assert_eq!(flags.trim(), "0 0 1", "{screen}");
        std::fs::remove_file(path("over")).unwrap();
        screen
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).output();
    }
}
