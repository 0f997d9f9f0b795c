//! The loop of the screen: messages from the keyboard, the log and the system go to the model, and
//! what it asks for is done.

use super::super::{CommandResult, Verdict};
use super::not_found;
use super::opened::LogSource;
use anyhow::{Context, anyhow};
use arbiter_cup::report::picture::Picture;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::colour;
use arbiter_play::arena::EndSignals;
use arbiter_show::view::replay::{ReplayEffect, ReplayInput, ReplayModel, WantedGame, list_games};
use arbiter_show::view::{FullScreen, clipboard_sequence};
use crossterm::event::{self, Event, KeyEventKind};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

/// The capacity of the channel, in messages; the reader of the log waits when it is full.
const WAITING: usize = 64;

/// The most messages that are taken between two drawings.
const AT_ONCE: usize = 64;

/// A message to the screen.
enum Message {
    Input(ReplayInput),
    /// The terminal is gone, or a signal asks for an end.
    End,
}

/// How the screen ended.
enum ScreenEnd {
    Quit,
    Interrupted,
    NotFound,
}

/// Shows the game that is asked for, and any other that the user wants to see.
pub(super) fn run(source: LogSource, wanted: WantedGame) -> CommandResult {
    let (sender, messages) = sync_channel(WAITING);
    start_threads(&source, wanted.clone(), &sender).with_context(|| source.name.clone())?;
    let mut stepping = Stepping::enter(source).context("the terminal")?;
    let ending = stepping.run(&messages);
    let Stepping { screen, model, log, .. } = stepping;
    drop(screen); // the terminal is as before: messages can be printed
    match ending.context("the terminal").map_err(Failure::Unfinished)? {
        ScreenEnd::Quit => Ok(Verdict::DONE),
        ScreenEnd::Interrupted => Err(Failure::Interrupted(anyhow!("interrupted"))),
        ScreenEnd::NotFound => {
            Err(anyhow!("{}: {}", log.name, not_found(&wanted, model.games_read(), None)).into())
        }
    }
}

/// Starts the threads that wait: for keys, for signals, for the log. They end with the process.
fn start_threads(
    log: &LogSource,
    wanted: WantedGame,
    sender: &SyncSender<Message>,
) -> io::Result<()> {
    // The list is read from the position of the file on, games at places of their own: neither
    // waits for the other.
    let source = log.file.try_clone()?;
    let games = sender.clone();
    thread::spawn(move || {
        list_games(source, &wanted, |part| {
            went(games.send(Message::Input(ReplayInput::Listed(part))).is_ok())
        })
    });
    let ends = sender.clone();
    let signals = EndSignals::catch()?;
    thread::spawn(move || signals.report(|| went(ends.send(Message::End).is_ok())));
    let keys = sender.clone();
    thread::spawn(move || while keys.send(next_message()).is_ok() {});
    Ok(())
}

fn went(sent: bool) -> ControlFlow<()> {
    if sent { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// The next key, movement of the mouse or change of the size.
fn next_message() -> Message {
    loop {
        let input = match event::read() {
            Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => ReplayInput::Key(key),
            Ok(Event::Mouse(mouse)) => ReplayInput::Mouse(mouse),
            Ok(Event::Resize(width, height)) => ReplayInput::Resize(width, height),
            Ok(_) => continue,
            Err(_) => return Message::End,
        };
        return Message::Input(input);
    }
}

struct Stepping {
    screen: FullScreen,
    model: ReplayModel,
    log: LogSource,
    began: Instant,
}

impl Stepping {
    fn enter(log: LogSource) -> io::Result<Stepping> {
        let screen = FullScreen::enter(colour())?;
        let area = screen.area();
        let model = ReplayModel::new(log.name.clone(), (area.width, area.height));
        Ok(Stepping { screen, model, log, began: Instant::now() })
    }

    fn run(&mut self, messages: &Receiver<Message>) -> io::Result<ScreenEnd> {
        loop {
            self.screen.draw(|grid| self.model.draw(grid))?;
            let mut next = self.wait(messages);
            for _ in 0..AT_ONCE {
                let input = match next {
                    Some(Message::Input(input)) => input,
                    Some(Message::End) => return Ok(ScreenEnd::Interrupted),
                    None => break,
                };
                if let ControlFlow::Break(ending) = self.take(input)? {
                    return Ok(ending);
                }
                next = messages.try_recv().ok();
            }
        }
    }

    /// The next message, or the wake-up that the model asks for.
    fn wait(&self, messages: &Receiver<Message>) -> Option<Message> {
        let Some(at) = self.model.wake() else {
            return Some(messages.recv().unwrap_or(Message::End));
        };
        match messages.recv_timeout(at.saturating_sub(self.began.elapsed())) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => Some(Message::Input(ReplayInput::Wake)),
            Err(RecvTimeoutError::Disconnected) => Some(Message::End),
        }
    }

    fn take(&mut self, input: ReplayInput) -> io::Result<ControlFlow<ScreenEnd>> {
        if let Some(effect) = self.model.update(input, self.began.elapsed()) {
            match effect {
                ReplayEffect::Open(index) => {
                    if let Some(place) = self.model.place(index) {
                        self.tell(ReplayInput::Opened(Box::new(self.log.read(place))));
                    }
                }
                ReplayEffect::Copy(text) => self.screen.send(&clipboard_sequence(&text))?,
                ReplayEffect::WritePicture(plies) => {
                    let said = self.write_picture(plies).unwrap_or_else(|error| error);
                    self.tell(ReplayInput::Say(said));
                }
                ReplayEffect::NotFound => return Ok(ControlFlow::Break(ScreenEnd::NotFound)),
                ReplayEffect::Quit => return Ok(ControlFlow::Break(ScreenEnd::Quit)),
                ReplayEffect::Interrupt => return Ok(ControlFlow::Break(ScreenEnd::Interrupted)),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Tells the model the result of an effect; it asks for nothing more.
    fn tell(&mut self, input: ReplayInput) {
        let _ = self.model.update(input, self.began.elapsed());
    }

    /// Writes a picture into the current folder, over no other file. Returns what to say.
    fn write_picture(&self, plies: usize) -> Result<String, String> {
        let Some((index, game)) = self.model.shown() else {
            return Err("there is no game".to_owned());
        };
        // An id of a stranger's log may be the path of any other file.
        let name = match game.record().id.as_deref() {
            Some(id) if is_file_name(id) => format!("{id}-ply-{plies}.svg"),
            _ => format!("game-{}-ply-{plies}.svg", index + 1),
        };
        let svg = Picture::new(game, plies).svg();
        let written = OpenOptions::new().write(true).create_new(true).open(&name);
        match written.and_then(|mut file| file.write_all(svg.as_bytes())) {
            Ok(()) => Ok(format!("written: {name}")),
            Err(error) => Err(format!("{name}: {error}")),
        }
    }
}

/// Whether an id can be the beginning of a file's name.
fn is_file_name(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 200 // file systems have names of 255 bytes
        && !id.starts_with(['.', '-'])
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._~-".contains(&byte))
}
