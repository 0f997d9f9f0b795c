//! Who watches a match: the terminal and the transcript, on a thread of their own.
//!
//! Events come over a bounded channel, so that neither a slow terminal nor a bot that floods its standard error takes time
//! from a bot on move. Lines that find the channel full are counted and left out; what happens in the game is not.

use crate::game::{Channel, Event, Watcher};
use crate::store::Transcript;
use crate::view::{FRAME, Live};
use std::io::Stdout;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Messages that may wait to be shown.
const WAITING: usize = 1 << 14;

enum ToScreen {
    /// An event, and how long the match had gone on.
    Event(Duration, Box<Event>),
    /// A game is over: its line.
    Result(String),
    /// The match is over.
    Over,
}

/// The match's own end of the channel.
pub(super) struct Spectators {
    sender: SyncSender<ToScreen>,
    thread: JoinHandle<()>,
    shows_board: bool,
}

impl Spectators {
    /// Begins to show a match; what to hand to the match comes with it.
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
        let screen = Screen { live, transcript, missed, said_missed: Instant::now() };
        let thread = thread::spawn(move || screen.run(&receiver));
        (Spectators { sender, thread, shows_board }, Arc::new(watcher))
    }

    /// Whether a board is shown, and with it how games end.
    pub fn shows_board(&self) -> bool {
        self.shows_board
    }

    /// A game has ended.
    pub fn end(&self, line: String) {
        let _ = self.sender.send(ToScreen::Result(line)); // the thread ends before this one only if it panicked
    }

    /// The match is over; comes back when all is shown.
    pub fn leave(self) {
        let _ = self.sender.send(ToScreen::Over);
        let _ = self.thread.join();
    }
}

/// What runs on the thread.
struct Screen {
    live: Option<Live<Stdout>>,
    transcript: Option<Transcript>,
    missed: Arc<AtomicU64>,
    /// When lines that were left out were last told of.
    said_missed: Instant,
}

const SECOND: Duration = Duration::from_secs(1);

impl Screen {
    fn run(mut self, messages: &Receiver<ToScreen>) {
        loop {
            match messages.recv_timeout(FRAME) {
                Ok(ToScreen::Over) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(ToScreen::Event(at, event)) => self.show(at, *event),
                Ok(ToScreen::Result(line)) => self.live.iter_mut().for_each(|live| live.end(&line)),
                Err(RecvTimeoutError::Timeout) => {
                    self.live.iter_mut().for_each(Live::tick);
                    self.transcript.iter_mut().for_each(Transcript::flush);
                }
            }
        }
        self.say_missed();
        self.transcript.iter_mut().for_each(Transcript::flush);
    }

    fn show(&mut self, at: Duration, event: Event) {
        if self.said_missed.elapsed() >= SECOND {
            self.say_missed();
        }
        if let Some(transcript) = &mut self.transcript {
            transcript.write(at, &event);
        }
        if let Some(live) = &mut self.live {
            live.show(event);
        }
    }

    fn say_missed(&mut self) {
        let missed = self.missed.swap(0, Ordering::Relaxed);
        if missed > 0 {
            self.said_missed = Instant::now();
            if let Some(live) = &mut self.live {
                live.missed(missed);
            }
            if let Some(transcript) = &mut self.transcript {
                transcript.missed(missed);
            }
        }
    }
}

/// The match's view of the screen.
struct ScreenWatcher {
    sender: SyncSender<ToScreen>,
    missed: Arc<AtomicU64>,
    began: Instant,
    /// Not only unrecognised lines and standard error, but the conversation itself.
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
