//! Shows a match on the terminal and writes its transcript, on a thread of their own.
//!
//! Events come over a bounded channel, so that neither a slow terminal nor a bot that floods its standard
//! error takes time from a bot on move. When the channel is full, lines are dropped and counted; other events
//! wait for room.

use crate::game::{Channel, Event, Watcher};
use crate::store::Transcript;
use crate::view::{FRAME, Live};
use std::io::Stdout;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The capacity of the channel, in messages.
const WAITING: usize = 1 << 14;

enum ToScreen {
    /// An event, and how long the match had gone on.
    Event(Duration, Box<Event>),
    /// A game is over: its line.
    Result(String),
    /// A line of arbiter's own, to be shown above the board.
    Note(String),
    /// The match is over.
    Over,
}

/// The sending end of the channel, held by the command.
pub(super) struct Spectators {
    sender: SyncSender<ToScreen>,
    thread: JoinHandle<()>,
    shows_board: bool,
}

impl Spectators {
    /// Starts the thread; the match gets the watcher.
    pub fn new(live: Option<Live<Stdout>>, transcript: Option<Transcript>) -> (Spectators, Arc<dyn Watcher>) {
        let (sender, receiver) = sync_channel(WAITING);
        let missed = Arc::new(AtomicU64::new(0));
        let shows_board = live.is_some();
        let watcher = ScreenWatcher {
            sender: sender.clone(),
            missed: Arc::clone(&missed),
            began: Instant::now(),
            every_line: transcript.is_some(),
        };
        let screen = Screen { live, transcript, missed, missed_shown_at: Instant::now() };
        let thread = thread::spawn(move || screen.run(&receiver));
        (Spectators { sender, thread, shows_board }, Arc::new(watcher))
    }

    /// Whether a board is shown; [`end`](Spectators::end) then prints the line of a finished game.
    pub fn shows_board(&self) -> bool {
        self.shows_board
    }

    /// A game has ended.
    pub fn end(&self, line: String) {
        let _ = self.sender.send(ToScreen::Result(line)); // fails only if the thread has panicked
    }

    /// Shows a line above the board.
    pub fn note(&self, line: String) {
        let _ = self.sender.send(ToScreen::Note(line)); // as above
    }

    /// The match is over; returns when everything is shown.
    pub fn finish(self) {
        let _ = self.sender.send(ToScreen::Over);
        let _ = self.thread.join();
    }
}

/// The state of the thread.
struct Screen {
    live: Option<Live<Stdout>>,
    transcript: Option<Transcript>,
    missed: Arc<AtomicU64>,
    /// When the number of dropped lines was last shown.
    missed_shown_at: Instant,
}

const SECOND: Duration = Duration::from_secs(1);

impl Screen {
    fn run(mut self, messages: &Receiver<ToScreen>) {
        loop {
            match messages.recv_timeout(FRAME) {
                Ok(ToScreen::Over) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(ToScreen::Event(at, event)) => self.show(at, *event),
                Ok(ToScreen::Result(line)) => self.live.iter_mut().for_each(|live| live.end(&line)),
                Ok(ToScreen::Note(line)) => self.live.iter_mut().for_each(|live| live.above(&line)),
                Err(RecvTimeoutError::Timeout) => {
                    self.live.iter_mut().for_each(Live::tick);
                    self.transcript.iter_mut().for_each(Transcript::flush);
                }
            }
        }
        self.show_missed();
        self.live.iter_mut().for_each(Live::leave);
        self.transcript.iter_mut().for_each(Transcript::flush);
    }

    fn show(&mut self, at: Duration, event: Event) {
        if self.missed_shown_at.elapsed() >= SECOND {
            self.show_missed();
        }
        if let Some(transcript) = &mut self.transcript {
            transcript.write(at, &event);
        }
        if let Some(live) = &mut self.live {
            live.show(event);
        }
    }

    fn show_missed(&mut self) {
        let missed = self.missed.swap(0, Ordering::Relaxed);
        if missed > 0 {
            self.missed_shown_at = Instant::now();
            if let Some(live) = &mut self.live {
                live.missed(missed);
            }
            if let Some(transcript) = &mut self.transcript {
                transcript.missed(missed);
            }
        }
    }
}

/// The watcher of the match: sends its events to the thread.
struct ScreenWatcher {
    sender: SyncSender<ToScreen>,
    missed: Arc<AtomicU64>,
    began: Instant,
    /// A transcript is written: all lines are wanted, not only unrecognised ones and standard error.
    every_line: bool,
}

impl Watcher for ScreenWatcher {
    fn wants(&self, channel: Channel) -> bool {
        self.every_line || matches!(channel, Channel::Unrecognised | Channel::Stderr)
    }

    fn event(&self, event: Event) {
        let is_line = matches!(event, Event::Line { .. });
        let message = ToScreen::Event(self.began.elapsed(), Box::new(event));
        if !is_line {
            let _ = self.sender.send(message); // this may wait for the screen, between two plies
        } else if self.sender.try_send(message).is_err() {
            self.missed.fetch_add(1, Ordering::Relaxed);
        }
    }
}
