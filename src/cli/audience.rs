//! Who watches a match: the terminal and the transcript, on a thread of their own.
//!
//! What they show comes to them over a bounded channel, so that neither a slow terminal nor a bot that floods its standard
//! error takes time from a bot on move. Lines that find it full are counted and left out; what happens in the game is not.

use crate::arena::{Audience, Event};
use crate::bot::{Channel, Listener};
use crate::rules::{BySide, Ply, Position, Side};
use crate::store::{Transcript, Way};
use crate::view::{Astray, FRAME, Live};
use std::io::Stdout;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Messages that may wait to be shown.
const WAITING: usize = 1 << 14;

enum Message {
    Begun { title: String, players: BySide<String>, position: Position },
    Played { side: Side, ply: Ply, position: Position, used: Option<Duration>, number: usize },
    Line { at: Duration, name: Arc<str>, channel: Channel, line: Vec<u8> },
    Ended(String),
    Over,
}

/// The match's own end of the channel.
pub(super) struct Spectators {
    sender: SyncSender<Message>,
    thread: JoinHandle<()>,
    shows_board: bool,
}

impl Spectators {
    /// Begins to show a match of `games` games; what to hand to the match comes with it.
    pub fn new(
        live: Option<Live<Stdout>>,
        transcript: Option<Transcript>,
        games: u32,
    ) -> (Spectators, Arc<dyn Audience>) {
        let (sender, receiver) = sync_channel(WAITING);
        let missed = Arc::new(AtomicU64::new(0));
        let shows_board = live.is_some();
        let ear = Ear {
            sender: sender.clone(),
            missed: Arc::clone(&missed),
            began: Instant::now(),
            name: "".into(),
            every_line: transcript.is_some(),
        };
        let show = Show { live, transcript, missed, said_missed: Instant::now() };
        let thread = thread::spawn(move || show.run(&receiver));
        (Spectators { sender, thread, shows_board }, Arc::new(Stage { ear, games }))
    }

    /// Whether a board is shown, and with it how games end.
    pub fn shows_board(&self) -> bool {
        self.shows_board
    }

    /// A game has ended.
    pub fn end(&self, line: String) {
        let _ = self.sender.send(Message::Ended(line)); // nobody is left to show it to
    }

    /// The match is over; comes back when all is shown.
    pub fn leave(self) {
        let _ = self.sender.send(Message::Over);
        let _ = self.thread.join();
    }
}

/// What runs on the thread.
struct Show {
    live: Option<Live<Stdout>>,
    transcript: Option<Transcript>,
    missed: Arc<AtomicU64>,
    /// When lines that were left out were last owned up to.
    said_missed: Instant,
}

const SECOND: Duration = Duration::from_secs(1);

impl Show {
    fn run(mut self, messages: &Receiver<Message>) {
        loop {
            match messages.recv_timeout(FRAME) {
                Ok(Message::Over) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(message) => self.show(message),
                Err(RecvTimeoutError::Timeout) => {
                    self.live.iter_mut().for_each(Live::tick);
                    self.transcript.iter_mut().for_each(Transcript::flush);
                }
            }
        }
        self.say_missed();
        self.transcript.iter_mut().for_each(Transcript::flush);
    }

    fn show(&mut self, message: Message) {
        if self.said_missed.elapsed() >= SECOND {
            self.say_missed();
        }
        if let (Some(transcript), Message::Line { at, name, channel, line }) =
            (&mut self.transcript, &message)
        {
            let way = match channel {
                Channel::Request => Way::ToBot,
                Channel::Said => Way::FromBot,
                Channel::Stray => Way::Astray,
                Channel::Stderr => Way::Stderr,
            };
            transcript.write(*at, name, way, line);
        }
        let Some(live) = &mut self.live else { return };
        match message {
            Message::Begun { title, players, position } => live.begin(title, players, position),
            Message::Played { side, ply, position, used, number } => {
                live.played(side, ply, position, used, number)
            }
            Message::Line { name, channel: Channel::Stray, line, .. } => live.said(&name, &line, Astray::Yes),
            Message::Line { name, channel: Channel::Stderr, line, .. } => live.said(&name, &line, Astray::No),
            Message::Line { channel: Channel::Request | Channel::Said, .. } | Message::Over => {}
            Message::Ended(line) => live.end(&line),
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

/// The match's view of its audience.
struct Stage {
    ear: Ear,
    games: u32,
}

impl Audience for Stage {
    fn event(&self, event: Event<'_>) {
        let message = match event {
            Event::Begun { pairing, players, position } => Message::Begun {
                title: format!("game {} of {}", pairing.number, self.games),
                players: players.map(str::to_owned),
                position: *position,
            },
            Event::Played { side, ply, position, used, number } => {
                Message::Played { side, ply, position: *position, used, number }
            }
        };
        let _ = self.ear.sender.send(message); // this may wait for the screen: it is nobody's time
    }

    fn listener(&self, name: &str) -> Option<Arc<dyn Listener>> {
        Some(Arc::new(Ear { name: name.into(), ..self.ear.clone() }))
    }
}

/// Hears one bot.
#[derive(Clone)]
struct Ear {
    sender: SyncSender<Message>,
    missed: Arc<AtomicU64>,
    began: Instant,
    name: Arc<str>,
    /// Not only what is astray, but the conversation itself.
    every_line: bool,
}

impl Listener for Ear {
    fn heard(&self, channel: Channel, line: &[u8]) {
        if !self.every_line && matches!(channel, Channel::Request | Channel::Said) {
            return;
        }
        let (at, name) = (self.began.elapsed(), Arc::clone(&self.name));
        if self.sender.try_send(Message::Line { at, name, channel, line: line.to_vec() }).is_err() {
            self.missed.fetch_add(1, Ordering::Relaxed);
        }
    }
}
