//! Shows a match on the terminal and writes its transcript, on a thread of their own.
//!
//! Events come over a bounded channel, so that neither a slow terminal nor a bot that floods its
//! standard error takes time from a bot on move. When the channel is full, lines are dropped and
//! counted; other events wait for room.

use super::person_screen::PersonScreen;
use arbiter_game::{Channel, Event, PersonTurn, Watcher};
use arbiter_play::arena::{EndSignals, Person, PersonReplies, PlayerSpec};
use arbiter_play::store::Transcript;
use arbiter_show::view::{FRAME, Live};
use crossterm::event::{self, Event as TerminalInput};
use std::io::{self, Stdout};
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
    /// A person sits down at the table, as the BOT of this number.
    Person(usize, PersonReplies),
    /// A question to the person of this number.
    Turn(usize, PersonTurn),
    /// What a person did at the table.
    Input(TerminalInput),
    /// The match is over.
    Over,
    /// A signal asks for an end.
    Signal,
}

/// What the games are shown on.
pub enum Board {
    /// The board at the bottom of the terminal.
    Live(Box<Live<Stdout>>),
    /// The table of a person, which fills the terminal.
    Person(Box<PersonScreen>),
}

impl Board {
    fn take(&mut self, message: ToScreen) {
        match self {
            Board::Live(live) => match message {
                ToScreen::Event(_, event) => live.show(&event),
                ToScreen::Result(line) => live.end(&line),
                ToScreen::Note(line) => live.above(&line),
                // Only a `Board::Person` has persons; `Screen::run` handles the end.
                ToScreen::Person(..)
                | ToScreen::Turn(..)
                | ToScreen::Input(_)
                | ToScreen::Over
                | ToScreen::Signal => {}
            },
            Board::Person(table) => match message {
                ToScreen::Event(_, event) => table.show(*event),
                ToScreen::Result(line) => table.end(line),
                ToScreen::Note(line) => table.note(line),
                ToScreen::Person(person, replies) => table.add_person(person, replies),
                ToScreen::Turn(person, turn) => {
                    table.ask(person, turn);
                    table.tick();
                }
                ToScreen::Input(input) => {
                    table.input(&input);
                    table.tick();
                }
                ToScreen::Over | ToScreen::Signal => {}
            },
        }
    }

    fn missed(&mut self, lines: u64) {
        match self {
            Board::Live(live) => live.missed(lines),
            Board::Person(_) => {} // it shows the last lines only
        }
    }

    fn tick(&mut self) {
        match self {
            Board::Live(live) => live.tick(),
            Board::Person(table) => table.tick(),
        }
    }

    fn leave(&mut self) {
        match self {
            Board::Live(live) => live.leave(),
            Board::Person(table) => table.close(),
        }
    }

    /// Whether a person looks at the end of a game.
    fn is_looked_at(&self) -> bool {
        matches!(self, Board::Person(table) if table.is_looking())
    }
}

/// The channel to the thread. It is there before the screen is, so that persons can be described as
/// players.
pub struct ScreenChannel {
    sender: SyncSender<ToScreen>,
    receiver: Receiver<ToScreen>,
}

impl Default for ScreenChannel {
    fn default() -> ScreenChannel {
        let (sender, receiver) = sync_channel(WAITING);
        ScreenChannel { sender, receiver }
    }
}

impl ScreenChannel {
    /// A person at the table, as the BOT of this number.
    pub fn person(&self, number: usize) -> PlayerSpec {
        let questions = self.sender.clone();
        let (person, replies) = Person::new(move |turn| {
            // Fails only if the thread has panicked.
            let _ = questions.send(ToScreen::Turn(number, turn));
        });
        let _ = self.sender.send(ToScreen::Person(number, replies));
        PlayerSpec::Person(person)
    }
}

/// The sending end of the channel, held by the command.
pub struct Spectators {
    sender: SyncSender<ToScreen>,
    thread: JoinHandle<io::Result<()>>,
    shows_board: bool,
}

impl Spectators {
    /// Starts the thread; the match gets the watcher.
    pub fn new(
        channel: ScreenChannel,
        board: Option<Board>,
        transcript: Option<Transcript>,
    ) -> (Spectators, Arc<dyn Watcher>) {
        let ScreenChannel { sender, receiver } = channel;
        let missed = Arc::new(AtomicU64::new(0));
        let shows_board = board.is_some();
        if matches!(board, Some(Board::Person(_))) {
            // The run takes signals only until its last game has ended.
            let ends = sender.clone();
            EndSignals::forward(move || ends.send(ToScreen::Signal).is_ok());
            let keys = sender.clone();
            thread::spawn(move || {
                // Until the terminal is gone, or the match is over.
                while event::read().is_ok_and(|input| keys.send(ToScreen::Input(input)).is_ok()) {}
            });
        }
        let watcher = ScreenWatcher {
            sender: sender.clone(),
            missed: Arc::clone(&missed),
            began: Instant::now(),
            every_line: transcript.is_some(),
        };
        let screen = Screen { board, transcript, missed, missed_shown_at: Instant::now() };
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
    ///
    /// # Errors
    /// The transcript is not complete.
    pub fn finish(self) -> io::Result<()> {
        let _ = self.sender.send(ToScreen::Over); // fails only if the thread has panicked
        match self.thread.join() {
            Ok(written) => written,
            Err(_) => Err(io::Error::other("the thread that writes it has panicked")),
        }
    }
}

/// The state of the thread.
struct Screen {
    board: Option<Board>,
    transcript: Option<Transcript>,
    missed: Arc<AtomicU64>,
    /// When the number of dropped lines was last shown.
    missed_shown_at: Instant,
}

const SECOND: Duration = Duration::from_secs(1);

impl Screen {
    fn run(mut self, messages: &Receiver<ToScreen>) -> io::Result<()> {
        let mut is_over = false;
        let mut is_signalled = false;
        let mut ticked = Instant::now();
        loop {
            match messages.recv_timeout(FRAME.saturating_sub(ticked.elapsed())) {
                Ok(ToScreen::Over) => is_over = true,
                Ok(ToScreen::Signal) => is_signalled = true,
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            // Also when messages come without a pause: a bot may write lines while a flag falls.
            if ticked.elapsed() >= FRAME {
                self.tick();
                ticked = Instant::now(); // drawing may take long
            }
            // The end of the last game may be looked at as long as the person likes.
            let is_looked_at = self.board.as_ref().is_some_and(Board::is_looked_at);
            if is_over && (is_signalled || !is_looked_at) {
                break;
            }
        }
        self.show_missed();
        if let Some(board) = &mut self.board {
            board.leave();
        }
        match self.transcript {
            Some(transcript) => transcript.finish(),
            None => Ok(()),
        }
    }

    fn tick(&mut self) {
        if let Some(board) = &mut self.board {
            board.tick();
        }
        if let Some(transcript) = &mut self.transcript {
            transcript.flush();
        }
    }

    fn take(&mut self, message: ToScreen) {
        if let ToScreen::Event(at, event) = &message {
            if self.missed_shown_at.elapsed() >= SECOND {
                self.show_missed();
            }
            if let Some(transcript) = &mut self.transcript {
                transcript.write(*at, event);
            }
        }
        if let Some(board) = &mut self.board {
            board.take(message);
        }
    }

    fn show_missed(&mut self) {
        let missed = self.missed.swap(0, Ordering::Relaxed);
        if missed > 0 {
            self.missed_shown_at = Instant::now();
            if let Some(board) = &mut self.board {
                board.missed(missed);
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
    /// A transcript is written: all lines are wanted, not only unrecognised ones and standard
    /// error.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Clocks and the board are drawn, and a flag falls, where the transcript is flushed.
    #[test]
    fn what_is_due_is_done_while_messages_come_without_a_pause() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("transcript");
        let transcript = Transcript::create(&path).unwrap();
        let (spectators, watcher) =
            Spectators::new(ScreenChannel::default(), None, Some(transcript));
        let line = b"hello".to_vec();
        let channel = Channel::Stderr;
        watcher.event(Event::Line { player: "ann".into(), channel, line, correction: None });
        let began = Instant::now();
        while fs::read(&path).unwrap().is_empty() {
            assert!(began.elapsed() < Duration::from_mins(2), "it is never flushed");
            for _ in 0..WAITING {
                spectators.note(String::new()); // waits for room, so that a message is always there
            }
        }
        spectators.finish().unwrap();
    }
}
