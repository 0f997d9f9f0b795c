//! The conversation with a running bot: one question at a time, each with one deadline.
//!
//! Between question and answer there is one write, one wait and one read, and nothing is allocated.
//! What a bot may do beside answering (write too much, not read, close a pipe, end) is handled
//! where it shows. How a request gets to the bot is in `delivery`, what becomes of what it writes
//! in `hearing`; why a bot is silent is found out in `diagnosis`, its end is in `shutdown`.

mod delivery;
mod diagnosis;
mod hearing;
mod shutdown;

use super::meter::{Delays, Meter, Next, Opponent, Over, Used};
use super::process::{Pipes, Process, Stderr};
use super::spawn::attempt;
use super::system::Alarm;
use super::{BotError, Excerpt, Launcher, LineSink};
use crate::locate::Program;
use arbiter_game::protocol::{Conversation, LineBuffer, Stream};
use arbiter_game::{
    Allowance, Answer, Behind, Channel, End, Garbled, LimitExceeded, NOTE_BYTES, Sandbox, Settings,
    Start, Turn, Wanted,
};
use arbiter_rules::Position;
use delivery::{Delivery, Sent};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, ReadBuf};
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

/// A wait for a line of the bot.
#[derive(Debug, Clone, Copy)]
struct Wait {
    wanted: Wanted,
    /// When the first byte of the question was written.
    began: Instant,
    /// Extended by what the opponent and the machine take of the bot's time.
    deadline: Option<Instant>,
}

impl Wait {
    /// This time, or the deadline if that comes before.
    fn until(&self, time: Instant) -> Instant {
        self.deadline.map_or(time, |deadline| deadline.min(time))
    }

    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }
}

/// What ended a wait for bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listened {
    /// Some came, or their end.
    Bytes,
    /// It waits for input, or whether it does is not known.
    Reads,
    Deadline,
    Over(Over),
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
        self.meter.thaw();
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

    /// Sends the request and measures what the bot used for its answer.
    async fn converse(
        &mut self,
        allowance: Allowance,
        wanted: Wanted,
        delivery: Delivery,
        mut opponent: Opponent<'_>,
    ) -> Result<Answer, BotError> {
        self.show(&self.request);
        self.unrecognised.clear();
        self.info.clear();
        self.reply.clear();
        let began = self.meter.begin(allowance.cpu);
        // Whatever it answers: something has let it run while its opponent was on move.
        if let Some(used) = self.meter.resumed() {
            self.meter.thaw();
            return Ok(Answer { garbled: Some(Garbled::Resumed(used)), ..Answer::default() });
        }
        // Taken out of the bot while the bot's other parts are borrowed mutably.
        let request = std::mem::take(&mut self.request);
        // Without a clock an answer that has come counts whenever it came, so `stall` is a deadline
        // only.
        let deadline = allowance.wall.or(allowance.stall).map(|limit| began + limit);
        let wait = Wait { wanted, began, deadline };
        let exchanged = self.exchange(&request, wait, delivery, &mut opponent).await;
        self.request = request;
        let mut answer = exchanged?;
        if let Some(not_run) = self.meter.given_up()
            && answer.reply.is_none()
        {
            let seconds = not_run.as_secs_f64();
            return Err(BotError::Broken(format!(
                "the bot on move could run, and for the last {seconds:.3} s the system did not run \
                 it: the machine has too much to do"
            )));
        }
        let next = match wanted {
            Wanted::Ready if self.conversation.is_ready() => Next::Start,
            Wanted::Answer if answer.reply.is_some() => Next::Wait,
            Wanted::Ready | Wanted::Answer => Next::Leave,
        };
        let Used { cpu, exceeded } = self.meter.end(answer.used, next);
        answer.used = answer.used.saturating_sub(opponent.used(began + answer.used));
        let has_exceeded = exceeded.is_some() || answer.exceeded.is_some();
        let has_fault = answer.exit.is_some() || answer.garbled.is_some() || has_exceeded;
        let is_silent = next == Next::Leave && !has_fault;
        let judged = allowance.wall.filter(|_| answer.reply.is_some());
        answer.used = self.meter.without_delay(answer.used, judged, &mut opponent);
        if is_silent {
            self.meter.note_silence(answer.used);
        }
        answer.cpu = cpu;
        // Memory and processes count before output.
        answer.exceeded = match answer.exceeded {
            Some(LimitExceeded::Output) => exceeded.or(answer.exceeded),
            found => found.or(exceeded),
        };
        Ok(answer)
    }

    /// Writes a request and listens until the wanted line, the deadline, or the end of the bot.
    ///
    /// What has come counts before what has ended: a whole line is read before the deadline, the
    /// bounds and the end of the bot are looked at. Then, in this order: text that is no text, the
    /// wanted line, the deadline (here for a bot whose bytes are searched, else when a wait ends),
    /// output without end, the end of the output with the end of the program, processor time and
    /// memory.
    async fn exchange(
        &mut self,
        request: &str,
        mut wait: Wait,
        delivery: Delivery,
        opponent: &mut Opponent<'_>,
    ) -> Result<Answer, BotError> {
        let mut answer = Answer::default();
        let mut sent = self.deliver(request, delivery, &mut wait, opponent).await;
        self.is_held_back = sent == Sent::TooLate;
        if sent == Sent::Whole {
            self.read_at_once();
        }
        loop {
            match sent {
                // It cannot read the question, so it is not given all of its time.
                Sent::Closed => {
                    let closing = wait.began + CLOSING;
                    wait.deadline = Some(wait.until(closing));
                }
                Sent::TooLate => break,
                Sent::Whole | Sent::Over(_) => {}
            }
            // What has come counts before what has ended.
            self.gather();
            if self.output_closed {
                self.decide();
            }
            if let Some((garbled, line)) = self.garbled.take() {
                answer.garbled = Some(garbled);
                self.unrecognised.push(line);
            }
            if answer.garbled.is_some() || self.understand(Some(wait.wanted), &mut answer) {
                break;
            }
            // To search bytes takes time, and a program that writes without end leaves no wait in
            // which the deadline comes.
            if self.reads_bytes && wait.is_over() && !self.extend(&mut wait, opponent) {
                break;
            }
            if !self.prompted.is_empty() {
                sent = self.send_prompted(&mut wait, opponent).await;
                self.meter.wait_on(opponent);
                continue;
            }
            if self.is_flooded() {
                answer.exceeded = Some(LimitExceeded::Output);
                break;
            }
            if self.output_closed {
                answer.used = wait.began.elapsed();
                answer.exit = self.process.exit(CLOSING).await?;
                answer.garbled = answer.exit.is_none().then_some(Garbled::OutputClosed);
                answer.exceeded = self.process.exceeded();
                return Ok(answer);
            }
            let listened = match sent {
                Sent::Over(over) => Listened::Over(over),
                _ if self.conversation.prompts().is_some_and(|prompts| prompts.is_undecided()) => {
                    self.listen_until_it_reads(wait.deadline, opponent).await
                }
                Sent::Whole | Sent::Closed | Sent::TooLate => {
                    self.listen(wait.deadline, opponent).await
                }
            };
            match listened {
                Listened::Bytes => {}
                Listened::Reads => self.decide(),
                Listened::Deadline if self.extend(&mut wait, opponent) => {
                    self.meter.wait_on(opponent);
                }
                Listened::Deadline => {
                    answer.garbled = (sent == Sent::Closed).then_some(Garbled::InputClosed);
                    break;
                }
                Listened::Over(Over::Cpu) => break, // the referee judges the time that was used
                Listened::Over(Over::Limit(exceeded)) => {
                    answer.exceeded = Some(exceeded);
                    break;
                }
            }
        }
        answer.used = wait.began.elapsed();
        Ok(answer)
    }

    /// Extends a deadline by what the opponent used of the bot's time, and by what the machine kept
    /// the bot waiting; false if that is nothing new.
    fn extend(&mut self, wait: &mut Wait, opponent: &mut Opponent<'_>) -> bool {
        let by_opponent = opponent.extend(&mut wait.deadline);
        self.meter.extend(&mut wait.deadline) || by_opponent
    }

    /// Sends what the bot prompted for.
    async fn send_prompted(&mut self, wait: &mut Wait, opponent: &mut Opponent<'_>) -> Sent {
        let mut text = std::mem::take(&mut self.prompted);
        self.show(&text);
        let sent = self.send(text.as_bytes(), wait, opponent).await;
        text.clear();
        self.prompted = text;
        sent
    }

    /// Waits for the next bytes, or the end of them, and looks meanwhile whether the bot uses too
    /// much and whether its opponent is to be stopped.
    async fn listen(&mut self, deadline: Option<Instant>, opponent: &mut Opponent<'_>) -> Listened {
        loop {
            let stop = opponent.stop_at(&self.meter);
            let until = [Some(self.meter.next_look()), deadline, stop].into_iter().flatten().min();
            let output = hear(&mut self.output, &mut self.chunk, &mut self.alarm, until);
            let heard = match &self.stderr {
                None => output.await,
                Some(stderr) => tokio::select! {
                    biased;
                    () = stderr.hear() => {
                        self.meter.heard(until, opponent);
                        return Listened::Bytes;
                    }
                    heard = output => heard,
                },
            };
            if let Some(count) = heard {
                self.meter.heard(until, opponent);
                self.take_in(count);
                return Listened::Bytes;
            }
            self.meter.woke(until, opponent);
            if until == deadline {
                return Listened::Deadline;
            }
            if until == stop {
                opponent.stop();
            } else if let Some(over) = self.meter.look() {
                return Listened::Over(over);
            } else if self.process.is_over() {
                // What is left to read came before its end; after that only a process that could
                // not be ended, such as a daemon where none is found, holds its output open.
                let now = Some(Instant::now());
                let rest = hear(&mut self.output, &mut self.chunk, &mut self.alarm, now).await;
                self.take_in(rest.unwrap_or_default());
                return Listened::Bytes;
            }
            self.meter.wait_on(opponent);
        }
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

/// Waits for the next bytes and returns how many came, 0 at the end of the output; `None` when the
/// deadline came first.
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
