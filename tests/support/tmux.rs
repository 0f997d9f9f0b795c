//! A shell in a real terminal (tmux), to look at its screen and to press keys.

use super::{has, random, wait_for};
use std::process::Command;

/// A shell in a terminal of its own.
pub struct Terminal {
    socket: String,
    /// The folder that the shell is in.
    pub dir: tempfile::TempDir,
}

impl Terminal {
    /// None without tmux, which is said with what is not tested then.
    pub fn open(width: u16, height: u16, what: &str) -> Option<Terminal> {
        if !has("tmux", what) {
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let terminal = Terminal { socket: format!("arbiter-{:016x}", random()), dir };
        let size = [width.to_string(), height.to_string()];
        let [x, y] = [&*size[0], &*size[1]];
        let folder = terminal.dir.path().to_str().unwrap();
        let shell = "env PS1='$ ' NO_COLOR= sh";
        terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", x, "-y", y, "-c", folder, shell]);
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
        let mut last = String::new();
        wait_for(&format!("{text:?} on the screen"), || {
            last = self.screen();
            last.contains(text).then_some(())
        });
        last
    }

    /// Keys by their names, or text.
    pub fn send(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Runs a command in the shell that fills the terminal; its exit status is printed afterwards.
    pub fn start(&self, command: &str) {
        let command = format!("stty -a > before; {command}; echo status=$?; stty -a > after; touch over");
        self.send(&["-l", &command]);
        self.send(&["Enter"]);
    }

    /// Waits for the end of the command and checks that the terminal is as before.
    pub fn is_clean_after(&self, status: u8) -> String {
        let path = |name: &str| self.dir.path().join(name);
        wait_for("the end of the command", || path("over").exists().then_some(()));
        let screen = self.wait_for(&format!("status={status}"));
        // The first line has the size, which tmux changes when it has time.
        let modes =
            |name| std::fs::read_to_string(path(name)).unwrap().split_once('\n').unwrap().1.to_owned();
        let [before, after] = ["before", "after"].map(modes);
        assert_eq!(after, before, "the modes of the terminal");
        let flags = self.tmux(&["display", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"]);
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
