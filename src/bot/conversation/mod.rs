//! The conversation with a running bot: one question at a time, each with one deadline.
//!
//! On the way of a ply there is one write, one wait and one read, and nothing is allocated; what a bot may do beside
//! answering (write too much, not read, close a pipe, end) is dealt with where it shows. Why it says nothing is found out in
//! `fathom`, its end is in `parting`.

mod fathom;
mod parting;

use super::meter::{Meter, Next, Over, Used};
use super::process::{Pipes, Process};
use super::system::Alarm;
use super::{Allowance, BotError, Channel, Excerpt, Excess, Launcher, Limits, Listener};
use crate::locate::Program;
use crate::protocol::native::{self, Said};
use crate::protocol::{Answer, Exit, Flood, Garbled, Line, LineBuffer, Reply, Wishes};
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::unix::pipe;

/// How long a program that closed its output, or its input, is given to show that it is ending.
const CLOSING: Duration = Duration::from_secs(5);
/// Stray lines of one question that are kept, and bytes of each.
const STRAYS: usize = 8;
const STRAY_BYTES: usize = 200;

/// A running bot. Dropping it ends it and everything that it started.
pub struct Bot {
    process: Process,
    input: Option<pipe::Sender>,
    output: pipe::Receiver,
    /// The name of its script or program, which tells the language.
    program: String,
    limits: Limits,
    listener: Option<Arc<dyn Listener>>,
    chunk: Box<[u8]>,
    lines: LineBuffer,
    alarm: Alarm,
    meter: Meter,
    /// What the last question brought, in buffers that are used again.
    reply: Vec<u8>,
    info: Vec<u8>,
    strays: Vec<Vec<u8>>,
    /// Every stray line of this process.
    astray: Excerpt,
    /// Bytes of output since the last answer.
    written: usize,
    output_closed: bool,
    /// It has said `ready` before.
    kept: bool,
    /// It wrote something that is no text while nobody had asked it.
    garbled: Option<(Garbled, Vec<u8>)>,
}

/// Which line ends a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Ready,
    Answer,
}

/// What a wait brought; the words of what was said are in [`Bot::reply`].
#[derive(Debug, Default)]
struct Heard {
    said: Option<Kind>,
    used: Duration,
    cpu: Option<Duration>,
    excess: Option<Excess>,
    over_output: bool,
    exit: Option<Exit>,
    garbled: Option<Garbled>,
}

/// What ended a wait for bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listened {
    /// Some came, or their end.
    Bytes,
    Deadline,
    Over(Over),
}

/// How far a request went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sent {
    Whole,
    /// The bot has closed its standard input.
    Deaf,
    /// The deadline came first.
    TooLate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ready,
    Move,
    Resign,
}

impl Bot {
    /// Starts the program below a warden of its own.
    ///
    /// # Errors
    /// [`BotError::Unstartable`] when the program cannot be run, [`BotError::Broken`] when something of ours failed.
    pub async fn start(
        launcher: &Launcher,
        program: &Program,
        limits: Limits,
        listener: Option<Arc<dyn Listener>>,
    ) -> Result<Bot, BotError> {
        let (process, Pipes { input, output }) =
            Process::start(launcher, program, limits, listener.clone()).await?;
        let alarm = Alarm::new().map_err(|error| BotError::broken("a timer", error))?;
        let meter = Meter::new(process.family(), limits, launcher.tasks());
        Ok(Bot {
            process,
            alarm,
            program: program.spoken_of(),
            meter,
            input: Some(input),
            output,
            limits,
            listener,
            chunk: vec![0; 16 * 1024].into_boxed_slice(),
            lines: LineBuffer::default(),
            reply: Vec::new(),
            info: Vec::new(),
            strays: Vec::new(),
            astray: Excerpt::default(),
            written: 0,
            output_closed: false,
            kept: false,
            garbled: None,
        })
    }

    /// Sends the start block and waits for `ready`, within [`Limits::start`].
    ///
    /// Returns the words after `ready`, or what came instead.
    ///
    /// # Errors
    /// [`BotError::Broken`] when something of ours failed.
    pub async fn ready(&mut self, start: &str) -> Result<Result<Wishes, Answer<'static>>, BotError> {
        if std::mem::replace(&mut self.kept, true) {
            // What it did since its last game is no fault. (One that was just started may have said `ready` already.)
            self.drain();
            self.discard();
            self.garbled = None;
            self.written = 0;
            self.meter.forget();
        }
        let allowance = Allowance { wall: Some(self.limits.start), cpu: None };
        let heard = self.converse(start, allowance, Wanted::Ready).await?;
        if heard.said != Some(Kind::Ready) {
            return Ok(Err(heard.answer(None, None)));
        }
        let (wishes, unknown) = native::wishes(&self.reply);
        for word in unknown {
            self.astray.push(format!("(unknown word after ready: {word})\n").as_bytes());
        }
        Ok(Ok(wishes))
    }

    /// Reads what is in the pipe at this moment: it is no answer to the next question. What the event loop has seen so
    /// far is discarded by every question; this is for one that follows the bot's own answer at once.
    pub fn drain(&mut self) {
        while !self.output_closed && self.written <= self.limits.output {
            match rustix::io::read(&self.output, &mut self.chunk[..]) {
                Ok(count) => self.take_in(count),
                Err(_) => break,
            }
            self.set_aside();
        }
    }

    /// Puts the request for a ply, from 1, and waits for the answer, as long as it is allowed from the first byte
    /// written: one deadline for writing and reading together.
    ///
    /// # Errors
    /// [`BotError::Broken`] when something of ours failed.
    pub async fn ask(
        &mut self,
        ply: usize,
        request: &str,
        allowance: Allowance,
    ) -> Result<Answer<'_>, BotError> {
        self.discard();
        self.astray.begin_ply(ply);
        self.process.begin_ply(ply);
        let heard = self.converse(request, allowance, Wanted::Answer).await?;
        let reply = match heard.said {
            Some(Kind::Move) => Some(Reply::Move(&self.reply)),
            Some(Kind::Resign) => Some(Reply::Resign),
            Some(Kind::Ready) | None => None,
        };
        Ok(heard.answer(reply, (!self.info.is_empty()).then_some(&self.info)))
    }

    /// Tells the bot something without waiting; what does not fit its pipe is lost.
    pub fn tell(&mut self, text: &str) {
        self.meter.thaw();
        self.let_hear(text);
        if let Some(input) = &self.input {
            let _ = input.try_write(text.as_bytes()); // a bot that does not read cannot be told
        }
    }

    /// How late our own timers went off at worst, while this bot was asked, since this was last asked.
    pub fn take_late(&mut self) -> Duration {
        self.meter.take_late()
    }

    /// Puts a question and measures what the bot used for it.
    async fn converse(
        &mut self,
        request: &str,
        allowance: Allowance,
        wanted: Wanted,
    ) -> Result<Heard, BotError> {
        self.let_hear(request);
        self.strays.clear();
        self.info.clear();
        let began = self.meter.begin(allowance.cpu);
        let mut heard = self.exchange(request, began, allowance.wall, wanted).await?;
        let next = if heard.said.is_some() { Next::Wait } else { Next::Leave };
        let Used { cpu, excess } = self.meter.end(heard.used, next);
        heard.cpu = cpu;
        heard.excess = heard.excess.or(excess);
        Ok(heard)
    }

    /// Writes a request and listens until the wanted line, the deadline, or the end of the bot.
    async fn exchange(
        &mut self,
        request: &str,
        began: Instant,
        limit: Option<Duration>,
        wanted: Wanted,
    ) -> Result<Heard, BotError> {
        let mut deadline = limit.map(|limit| began + limit);
        let mut heard = Heard::default();
        let sent = self.send(request.as_bytes(), deadline, wanted).await;
        if sent == Sent::Deaf {
            // It will never hear the question: no need to wait for as long as it has.
            let closing = began + CLOSING;
            deadline = Some(deadline.map_or(closing, |deadline| deadline.min(closing)));
        }
        if sent == Sent::TooLate {
            heard.used = began.elapsed();
            return Ok(heard);
        }
        loop {
            if let Some((garbled, line)) = self.garbled.take() {
                heard.garbled = Some(garbled);
                self.strays.push(line);
            }
            if heard.garbled.is_some() || self.understand(Some(wanted), &mut heard) {
                break;
            }
            if self.written > self.limits.output {
                heard.over_output = true;
                break;
            }
            if self.output_closed {
                heard.used = began.elapsed();
                heard.exit = self.process.exit(CLOSING).await?;
                heard.garbled = heard.exit.is_none().then_some(Garbled::Closed);
                heard.excess = self.process.excess();
                return Ok(heard);
            }
            match self.listen(deadline).await {
                Listened::Bytes => {}
                Listened::Deadline => {
                    heard.garbled = (sent == Sent::Deaf).then_some(Garbled::Deaf);
                    break;
                }
                Listened::Over(Over::Cpu) => break, // the time that was used says it all
                Listened::Over(Over::Limit(excess)) => {
                    heard.excess = Some(excess);
                    break;
                }
            }
        }
        heard.used = began.elapsed();
        Ok(heard)
    }

    /// Writes all of it, or as much as the bot takes until the deadline. In nearly every case that is one write. A bot
    /// that is stopped goes on behind the first, so that it wakes up once and finds everything there.
    async fn send(&mut self, mut bytes: &[u8], deadline: Option<Instant>, wanted: Wanted) -> Sent {
        while !bytes.is_empty() {
            let Some(input) = &self.input else { return Sent::Deaf };
            let written = input.try_write(bytes);
            self.meter.thaw();
            match written {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && !self.output_closed => {
                    // It reads nothing at the moment; perhaps it waits until somebody reads what it writes.
                    let heard = tokio::select! {
                        biased;
                        _ = input.writable() => continue,
                        heard = hear(&mut self.output, &mut self.chunk, &mut self.alarm, deadline) => heard,
                    };
                    let Some(count) = heard else { return Sent::TooLate };
                    self.take_in(count);
                    if wanted == Wanted::Answer {
                        self.set_aside(); // what it says before it has read the question is no answer
                        self.lines.draw_line();
                    }
                    if self.written > self.limits.output {
                        return Sent::Whole;
                    }
                }
                Err(_) => return Sent::Deaf,
            }
        }
        Sent::Whole
    }

    /// Waits for the next bytes, or the end of them, and looks meanwhile whether the bot uses too much.
    async fn listen(&mut self, deadline: Option<Instant>) -> Listened {
        loop {
            let look = self.meter.next_look();
            let until = deadline.into_iter().chain(look).min();
            if let Some(count) = hear(&mut self.output, &mut self.chunk, &mut self.alarm, until).await {
                self.take_in(count);
                return Listened::Bytes;
            }
            self.meter.woke(until);
            if until == deadline {
                return Listened::Deadline;
            }
            if let Some(over) = self.meter.look() {
                return Listened::Over(over);
            }
        }
    }

    /// Goes through the lines that are whole; true when one of them ends the wait. With nothing wanted every line is
    /// astray, and what is no text at all is remembered for the next question.
    fn understand(&mut self, wanted: Option<Wanted>, heard: &mut Heard) -> bool {
        while let Some(line) = self.lines.next_line() {
            let (bytes, said) = match line {
                Line::Whole(bytes) => (bytes, native::hear(bytes)),
                Line::Stale(bytes) | Line::TooLong(bytes) => (bytes, Said::Stray),
            };
            heard.garbled = match line {
                Line::TooLong(_) => Some(Garbled::TooLong),
                _ if bytes.contains(&0) => Some(Garbled::Nul),
                _ => None,
            };
            let said = if heard.garbled.is_some() { Said::Stray } else { said };
            let kind = match (wanted, said) {
                (Some(Wanted::Answer), Said::Move(words)) => Some((Kind::Move, words)),
                (Some(Wanted::Answer), Said::Resign) => Some((Kind::Resign, &[][..])),
                (Some(Wanted::Ready), Said::Ready(words)) => Some((Kind::Ready, words)),
                (Some(Wanted::Answer), Said::Info(text)) => {
                    self.info.clear();
                    self.info.extend_from_slice(text);
                    None
                }
                (Some(Wanted::Ready), Said::Name(_)) => None,
                _ => {
                    if let Some(listener) = &self.listener {
                        listener.heard(Channel::Stray, bytes);
                    }
                    self.astray.push(bytes);
                    self.astray.push(b"\n");
                    if self.strays.len() == STRAYS {
                        self.strays.remove(STRAYS / 2); // of many lines the first and the last tell most
                    }
                    self.strays.push(bytes[..bytes.len().min(STRAY_BYTES)].to_vec());
                    if heard.garbled.is_some() {
                        return true;
                    }
                    continue;
                }
            };
            if let Some(listener) = &self.listener {
                listener.heard(Channel::Said, bytes);
            }
            if let Some((kind, words)) = kind {
                self.reply.clear();
                self.reply.extend_from_slice(words);
                self.written = 0;
                heard.said = Some(kind);
                return true;
            }
        }
        false
    }

    /// Takes what was said outside a question: nothing of it is an answer, but what is no text at all is judged when
    /// the bot is next to decide.
    fn set_aside(&mut self) {
        let mut heard = Heard::default();
        while self.understand(None, &mut heard) {
            if self.garbled.is_none() {
                let line = self.strays.last().cloned().unwrap_or_default();
                self.garbled = heard.garbled.map(|garbled| (garbled, line));
            }
        }
    }

    /// Reads what is known to be in the pipe before a question is put: it is no answer to it.
    fn discard(&mut self) {
        self.set_aside();
        while !self.output_closed && self.written <= self.limits.output {
            match self.output.try_read(&mut self.chunk) {
                Ok(count) => self.take_in(count),
                Err(_) => break,
            }
            self.set_aside();
        }
        self.lines.draw_line();
    }

    fn take_in(&mut self, count: usize) {
        self.output_closed |= count == 0;
        self.written += count;
        self.lines.push(&self.chunk[..count]);
    }

    fn let_hear(&self, text: &str) {
        if let Some(listener) = &self.listener {
            text.lines().for_each(|line| listener.heard(Channel::Request, line.as_bytes()));
        }
    }
}

impl Heard {
    fn answer<'a>(&self, reply: Option<Reply<'a>>, info: Option<&'a [u8]>) -> Answer<'a> {
        Answer {
            reply,
            info,
            used: self.used,
            cpu: self.cpu,
            over_memory: match self.excess {
                Some(Excess::Memory(bytes)) => Some(bytes),
                _ => None,
            },
            over_processes: match self.excess {
                Some(Excess::Tasks(tasks)) => Some(tasks),
                _ => None,
            },
            over_output: match self.excess {
                Some(Excess::Scratch(room)) => Some(Flood::Scratch(room)),
                _ => self.over_output.then_some(Flood::Output),
            },
            exit: self.exit,
            garbled: self.garbled,
        }
    }
}

/// Waits for the next bytes and says how many came, 0 at the end of them; none when the deadline came first.
async fn hear(
    output: &mut pipe::Receiver,
    chunk: &mut [u8],
    alarm: &mut Alarm,
    deadline: Option<Instant>,
) -> Option<usize> {
    poll_fn(|context| {
        let mut buffer = ReadBuf::new(chunk);
        match Pin::new(&mut *output).poll_read(context, &mut buffer) {
            Poll::Ready(Ok(())) => Poll::Ready(Some(buffer.filled().len())),
            Poll::Ready(Err(_)) => Poll::Ready(Some(0)),
            Poll::Pending => alarm.poll_past(context, deadline).map(|()| None),
        }
    })
    .await
}
