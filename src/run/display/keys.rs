//! Keys that are pressed while a run is shown at the bottom of a terminal. The terminal keeps its
//! own keys for signals, such as Ctrl-C, and is left as it was.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};
use std::io::stdin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// How often the thread looks whether keys are still wanted, and whether this process is in the
/// foreground of the terminal.
const LOOK: Duration = Duration::from_millis(200);

/// The keys of a terminal, one by one and without echo, until it is dropped.
pub struct Keys {
    before: Termios,
    pressed: Receiver<u8>,
    stopped: Arc<AtomicBool>,
}

impl Keys {
    /// Begins to read the keys of the terminal on standard input; `None` if it is not a terminal,
    /// or another process group is in its foreground.
    pub fn begin() -> Option<Keys> {
        if !is_listened_to() {
            return None;
        }
        let before = tcgetattr(stdin()).ok()?;
        let mut modes = before.clone();
        modes.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        tcsetattr(stdin(), OptionalActions::Now, &modes).ok()?;
        let (sender, pressed) = channel();
        let stopped = Arc::new(AtomicBool::new(false));
        let is_stopped = Arc::clone(&stopped);
        thread::spawn(move || {
            while let Some(key) = next_key(&is_stopped) {
                // Fails if the keys are not wanted any more, which the next call sees.
                let _ = sender.send(key);
            }
        });
        Some(Keys { before, pressed, stopped })
    }

    /// The keys that have been pressed since the last call.
    pub fn pressed(&self) -> impl Iterator<Item = u8> {
        self.pressed.try_iter()
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Fails if the terminal is gone.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}

/// Whether standard input is a terminal with this process group in its foreground. Reading from it
/// in the background would stop this process (SIGTTIN).
fn is_listened_to() -> bool {
    tcgetpgrp(stdin()).is_ok_and(|group| group == getpgrp())
}

/// Waits for the next key; `None` when keys are not wanted any more, or the terminal is gone.
fn next_key(is_stopped: &AtomicBool) -> Option<u8> {
    let timeout = Timespec::try_from(LOOK).ok()?;
    loop {
        let stdin = stdin();
        let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
        let polled = poll(&mut ready, Some(&timeout));
        let ready = ready[0].revents();
        if is_stopped.load(Ordering::Relaxed) {
            return None;
        }
        match polled {
            Ok(0) | Err(Errno::INTR) => continue,
            Ok(_) if ready.contains(PollFlags::IN) => {}
            _ => return None,
        }
        if !is_listened_to() {
            thread::sleep(LOOK); // the key is for another program
            continue;
        }
        let mut key = [0];
        match read(&stdin, &mut key) {
            Ok(1) => return Some(key[0]),
            Err(Errno::INTR | Errno::AGAIN) => {}
            _ => return None,
        }
    }
}
