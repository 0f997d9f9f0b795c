//! The conversation with a running bot: one question at a time, each with one deadline.
//!
//! Between question and answer there is one write, one wait and one read, and nothing is allocated.
//! What a bot may do beside answering (write too much, not read, close a pipe, end) is handled
//! where it shows. A question is in `exchange`; how its request gets to the bot is in `delivery`,
//! what becomes of what the bot writes in `hearing`. Why a bot is silent is found out in
//! `diagnosis`, its end is in `shutdown`.

mod delivery;
mod diagnosis;
mod exchange;
mod hearing;
mod shutdown;

use super::meter::{Delays, Meter, Next, Opponent};
use super::process::{Pipes, Process};
use super::spawn::attempt;
use super::stderr::Stderr;
use super::system::Alarm;
use super::{BotError, Excerpt, Launcher, LineSink};
use crate::locate::Program;
use arbiter_game::protocol::{Conversation, LineBuffer, Stream};
use arbiter_game::{
    Allowance, Answer, Behind, Channel, End, Garbled, NOTE_BYTES, Sandbox, Settings, Start, Turn,
    Wanted,
};
use arbiter_rules::Position;
use delivery::Delivery;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::unix::pipe;

/// How long a program that closed its output, or its input, is given to show that it is ending.
const CLOSING: Duration = Duration::from_secs(5);

/// A running bot. Dropping it ends it and everything that it started.
pub struct Bot {
    process: Process,
    input: Option<pipe::Sender>,
    output: pipe::Receiver,
    program: Program,
    /// It runs under `strict`.
    strict: bool,
    settings: Settings,
    conversation: Box<dyn Conversation>,
    /// The conversation reads bytes, not lines; and those of standard error, if it does.
    reads_bytes: bool,
    stderr: Option<Arc<Stderr>>,
    /// It has lost: what comes now does not belong to the conversation.
    has_lost: bool,
    /// Whether the last request was not written to its end before its deadline.
    is_held_back: bool,
    /// Bytes that it was sent.
    sent: u64,
    lines_to: Option<LineSink>,
    /// What is sent, in a buffer that is used again.
    request: String,
    chunk: Box<[u8]>,
    lines: LineBuffer,
    alarm: Alarm,
    meter: Meter,
    /// What the last question brought, in buffers that are used again: the answer line, `info`, and
    /// lines that are no answer.
    reply: Vec<u8>,
    info: Vec<u8>,
    unrecognised: Vec<Vec<u8>>,
    /// Every unrecognised line of this process.
    all_unrecognised: Excerpt,
    /// Bytes of output since the last answer.
    written: usize,
    output_closed: bool,
    /// How many answers in a row were read without the event loop.
    at_once: u32,
    /// What it prompted for and is still to be sent, in a buffer that is used again.
    prompted: String,
    /// The question that it was asked last, by the number of the ply and the position, and the one
    /// before; 0 is the start of the game.
    asked: (usize, Position),
    answered: Option<(usize, Position)>,
    /// It wrote something that is no text while it was not asked.
    garbled: Option<(Garbled, Vec<u8>)>,
    /// It wrote an answer while it was not asked.
    answers_unasked: bool,
    /// The last lines between its adapter and itself, if it is behind one.
    behind: Option<Behind>,
}

impl Bot {
    /// Starts the program below a warden of its own.
    ///
    /// # Errors
    /// [`BotError::Unstartable`] when the program cannot be run, [`BotError::Broken`] when
    /// something in arbiter failed.
    pub async fn start(
        launcher: &Launcher,
        program: &Program,
        settings: &Settings,
        lines_to: Option<LineSink>,
    ) -> Result<Bot, BotError> {
        let mut conversation = program.conversation().map_err(BotError::Unstartable)?;
        let (process, Pipes { input, output }) =
            Process::start(launcher, program, settings, lines_to.clone()).await?;
        let alarm = attempt("a timer", Alarm::new())?;
        let strict = launcher.sandbox == Sandbox::Strict;
        let mut allowed = settings.limits.tasks();
        if program.has_adapter_beside() {
            allowed = allowed.and_one();
        }
        let meter = Meter::new(process.process_tree(), settings.clone(), strict.then_some(allowed));
        let streams = conversation.prompts().map(|prompts| prompts.streams());
        let reads_stderr = streams.is_some_and(|streams| streams.contains(&Stream::Stderr));
        Ok(Bot {
            alarm,
            program: program.clone(),
            strict,
            meter,
            input: Some(input),
            output,
            settings: settings.clone(),
            reads_bytes: streams.is_some(),
            stderr: if reads_stderr { Some(process.listen_to_stderr()) } else { None },
            process,
            has_lost: false,
            is_held_back: false,
            sent: 0,
            conversation,
            lines_to,
            request: String::with_capacity(4096),
            chunk: vec![0; 16 * 1024].into_boxed_slice(),
            lines: LineBuffer::default(),
            reply: Vec::new(),
            info: Vec::new(),
            unrecognised: Vec::new(),
            all_unrecognised: Excerpt::default(),
            written: 0,
            output_closed: false,
            at_once: 0,
            prompted: String::new(),
            asked: (0, settings.ruleset.start()),
            answered: None,
            garbled: None,
            answers_unasked: false,
            behind: None,
        })
    }

    /// Announces a game to the bot and waits until it is ready, within the time that the settings
    /// give it. `opponent` is the bot that waits meanwhile, if it is one.
    ///
    /// Returns what came instead, if it did not get ready.
    ///
    /// # Errors
    /// [`BotError::Broken`] when something in arbiter failed.
    pub async fn ready(
        &mut self,
        start: &Start<'_>,
        opponent: Opponent<'_>,
    ) -> Result<Result<(), Answer>, BotError> {
        if self.conversation.is_ready() {
            // Output between two games is ignored. (A bot that was just started may have said
            // `ready` already.)
            self.drain();
            self.discard();
            self.garbled = None;
            self.written = 0;
            self.meter.forget();
        }
        self.asked = (0, start.position.clone());
        self.answered = None;
        self.request.clear();
        if self.conversation.push_start(&mut self.request, start).is_err() {
            return Ok(Err(Answer { garbled: Some(Garbled::Untold), ..Answer::default() }));
        }
        if self.conversation.is_ready() {
            self.meter.begin(None);
            self.meter.end(Duration::ZERO, Next::Start);
            return Ok(Ok(()));
        }
        let allowance = Allowance { wall: Some(self.settings.time.start), ..Allowance::default() };
        let answer = self.converse(allowance, Wanted::Ready, Delivery::Whole, opponent).await?;
        Ok(if self.conversation.is_ready() { Ok(()) } else { Err(answer) })
    }

    /// Whether it can play another game.
    pub fn is_reusable(&self) -> bool {
        self.conversation.is_reusable()
    }

    /// Asks for a ply and waits for the answer, as long as the turn allows from the first byte
    /// written: one deadline for writing and reading together. `opponent` is the bot that waits
    /// meanwhile, if it is one.
    ///
    /// # Errors
    /// [`BotError::Broken`] when something in arbiter failed.
    pub async fn ask(
        &mut self,
        turn: &Turn<'_>,
        opponent: Opponent<'_>,
    ) -> Result<Answer, BotError> {
        if turn.same_side_again || self.reads_bytes {
            self.drain();
        }
        self.discard();
        let number = turn.number();
        // A further attempt is the same question, and the start of the game is none.
        if self.asked.0 != number {
            self.answered = if self.asked.0 > 0 { Some(self.asked.clone()) } else { None };
        }
        self.asked = (number, turn.position.clone());
        self.all_unrecognised.begin_ply(number);
        self.process.begin_ply(number);
        self.request.clear();
        if self.conversation.push_turn(&mut self.request, turn).is_err() {
            return Ok(Answer { garbled: Some(Garbled::Untold), ..Answer::default() });
        }
        let delivery = self.delivery(&opponent);
        let mut answer = self.converse(turn.allowance, Wanted::Answer, delivery, opponent).await?;
        answer.info = self.info[..self.info.len().min(NOTE_BYTES)].to_vec();
        answer.is_final = !self.conversation.can_refuse();
        Ok(answer)
    }

    /// Sends the request of a turn to those who watch lines, and not to the bot.
    pub fn show_turn(&mut self, turn: &Turn<'_>) {
        self.request.clear();
        if self.conversation.push_turn(&mut self.request, turn).is_ok() {
            self.show(&self.request);
        }
    }

    /// Stops the bot's own program until something else resumes it, as a debugger does; returns its
    /// process id, or `None` if it has ended.
    pub fn stop_program(&self) -> Option<u32> {
        self.process.stop_program()
    }

    /// Announces the end of the game to the bot, without waiting.
    pub fn end(&mut self, end: &End<'_>) {
        self.request.clear();
        self.conversation.push_end(&mut self.request, end);
        self.send_without_waiting();
    }

    /// Sends the request as far as it fits into the pipe. The rest is lost to a bot that does not
    /// read.
    fn send_without_waiting(&mut self) {
        self.meter.let_run();
        self.show(&self.request);
        if let Some(input) = &self.input {
            let _ = input.try_write(self.request.as_bytes());
        }
    }

    /// The bot, for its opponent, which is asked while it waits.
    pub fn as_opponent(&mut self) -> Opponent<'_> {
        self.meter.as_opponent()
    }

    /// The opponent of the bot gets ready: the bot is stopped if that takes longer.
    pub fn hold(&mut self) {
        self.meter.hold();
    }

    /// Both bots are ready: one that may ponder runs.
    pub fn release(&mut self) {
        self.meter.release();
    }

    /// The delays of arbiter while this bot was asked, and what the bot used, since this was last
    /// called.
    pub fn take_delays(&mut self) -> Delays {
        self.meter.take_delays()
    }

    /// How long its processes have waited for a processor since it was started, all together;
    /// `None` if that is not known.
    pub fn waited(&self) -> Option<Duration> {
        self.meter.waited()
    }

    /// Shows those who watch lines what is sent.
    fn show(&self, text: &str) {
        if let Some(sink) = &self.lines_to
            && sink.wants(Channel::Request)
        {
            for line in text.lines() {
                sink.send(Channel::Request, line.as_bytes());
            }
        }
    }
}
