//! How a request gets to the bot.
//!
//! A line answers a question only if the bot had read the question before. A bot may write a
//! further line after its answer, so late that it comes after the next request: it then looks like
//! the answer to that. What the bot has read says nothing afterwards, because on two cores it reads
//! the request sooner than arbiter can look. But a thread that is in a `read` of standard input
//! when the request is written cannot write anything before it has read that. If there is none, the
//! last line of the request is held back until the bot has read the others, and what it wrote until
//! then is no answer.
//!
//! To look, and to read what it wrote before that, costs two microseconds. It is left out while a
//! bot and its opponent have answered several plies in a row at once, unless the bot has written
//! answers while it was not asked.
//!
//! Which of several threads or processes writes a line is not known: if one of them reads standard
//! input, its late lines count.

use super::Bot;
use super::exchange::{Listened, Wait, read_until};
use crate::bot::meter::{Opponent, Over};
use arbiter_game::Wanted;
use rustix::io::ioctl_fionread;
use std::io;
use std::time::{Duration, Instant};

/// How long to wait until it is looked again whether a bot has read what was sent, at first and at
/// most.
const READING: [Duration; 2] = [Duration::from_micros(20), Duration::from_millis(2)];

/// How long a program that reads no lines may take until it reads, before it is sent something that
/// it did not prompt for; and how long one of several tasks, of which one reads, must write nothing
/// until what it wrote is complete.
const BUSY: Duration = Duration::from_millis(100);

/// How a request is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delivery {
    /// At once.
    Whole,
    /// The last line when the bot has read the others.
    LastLineHeldBack,
    /// When the bot reads, or after [`BUSY`]: one whose conversation reads bytes, and is sent less
    /// than a line now and then. What it wrote until then is no answer. Nearly always it has
    /// prompted, and reads.
    WhenItReads,
}

/// How far a request went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    Whole,
    /// The bot has closed its standard input.
    Closed,
    /// The deadline came first.
    TooLate,
    /// The bot used up what it may before it had read all.
    Over(Over),
}

impl Bot {
    /// How the request of a turn is to be delivered.
    pub(super) fn delivery(&mut self, opponent: &Opponent<'_>) -> Delivery {
        if self.reads_bytes {
            return Delivery::WhenItReads;
        }
        if self.meter.is_quick() && opponent.is_quick() && !self.answers_unasked {
            return Delivery::Whole;
        }
        let waits = self.meter.waits_for_input();
        self.drain(); // what it wrote before it waited
        self.lines.draw_line();
        match waits {
            Some(true) => Delivery::Whole,
            None if !self.answers_unasked => Delivery::Whole,
            Some(false) | None => Delivery::LastLineHeldBack,
        }
    }

    /// Sends a request until the deadline, which is extended by what the opponent uses meanwhile.
    pub(super) async fn deliver(
        &mut self,
        request: &str,
        delivery: Delivery,
        wait: &mut Wait,
        opponent: &mut Opponent<'_>,
    ) -> Sent {
        if delivery == Delivery::WhenItReads {
            self.meter.let_run(); // it may have nothing to send
            if !request.is_empty()
                && let Listened::Over(over) = self.await_input(wait, opponent).await
            {
                return Sent::Over(over);
            }
        }
        let end = match delivery {
            Delivery::Whole | Delivery::WhenItReads => request.len(),
            Delivery::LastLineHeldBack => request.trim_end().rfind('\n').map_or(0, |end| end + 1),
        };
        let (lines, last_line) = request.split_at(end);
        let mut sent = Sent::Whole;
        if delivery == Delivery::LastLineHeldBack && self.unread() > Some(0) {
            // It has answered before it read all of the request before this one. If it reads both
            // at once, what it still answers to the first comes behind the second.
            self.meter.let_run();
            sent = self.await_reading(wait, opponent).await;
        }
        if sent == Sent::Whole {
            sent = self.send(lines.as_bytes(), wait, opponent).await;
        }
        if sent == Sent::Whole && delivery == Delivery::LastLineHeldBack {
            sent = self.await_reading(wait, opponent).await;
            if sent == Sent::Whole {
                self.drain();
                self.lines.draw_line();
                sent = self.send(last_line.as_bytes(), wait, opponent).await;
            }
        }
        sent
    }

    /// How many bytes the bot has not read of what was sent; `None` if that is not known.
    pub(super) fn unread(&self) -> Option<u64> {
        ioctl_fionread(self.input.as_ref()?).ok()
    }

    /// Waits until the bot has read what was sent; what it says until then is no answer.
    async fn await_reading(&mut self, wait: &mut Wait, opponent: &mut Opponent<'_>) -> Sent {
        let [mut pause, most] = READING;
        loop {
            let has_read = self.unread().unwrap_or_default() == 0;
            if has_read || self.output_closed || self.is_flooded() {
                return Sent::Whole;
            }
            let now = Instant::now();
            let again = now + pause;
            let until = wait.until(again);
            match self.listen(Some(until), opponent).await {
                Listened::Bytes | Listened::Reads => self.set_aside(),
                Listened::Over(over) => return Sent::Over(over),
                Listened::Deadline if Some(until) != wait.deadline => pause = most.min(2 * pause),
                Listened::Deadline if self.extend(wait, opponent) => {}
                Listened::Deadline => return Sent::TooLate,
            }
        }
    }

    /// Waits until the bot reads, at most [`BUSY`]; what it has said until then is no answer.
    async fn await_input(&mut self, wait: &Wait, opponent: &mut Opponent<'_>) -> Listened {
        let most = wait.until(Instant::now() + BUSY);
        let mut listened = Listened::Bytes;
        while listened == Listened::Bytes && !self.output_closed && !self.is_flooded() {
            listened = self.listen_until_it_reads(Some(most), opponent).await;
            self.gather();
        }
        if let Some(prompts) = self.conversation.prompts() {
            prompts.draw_line();
        }
        listened
    }

    /// Waits until the bot reads and nothing more is in its pipes, or until something comes.
    pub(super) async fn listen_until_it_reads(
        &mut self,
        deadline: Option<Instant>,
        opponent: &mut Opponent<'_>,
    ) -> Listened {
        let [mut pause, most] = READING;
        loop {
            let now = Instant::now();
            if self.meter.waits_for_input() != Some(false) {
                if self.gather() {
                    return Listened::Bytes;
                }
                // One task reads; another one may be about to write the rest.
                let quiet = now + BUSY;
                if self.meter.is_single() || deadline.is_some_and(|deadline| deadline < quiet) {
                    return Listened::Reads;
                }
                return match self.listen(Some(quiet), opponent).await {
                    Listened::Deadline => Listened::Reads,
                    listened => listened,
                };
            }
            let again = now + pause;
            let until = deadline.map_or(again, |deadline| deadline.min(again));
            match self.listen(Some(until), opponent).await {
                Listened::Deadline if Some(until) != deadline => pause = most.min(2 * pause),
                listened => return listened,
            }
        }
    }

    /// Writes all of it, or as much as the bot takes until the deadline. In nearly every case that
    /// is one write. A bot that is stopped is resumed after the first, so that it wakes up once and
    /// finds everything there.
    pub(super) async fn send(
        &mut self,
        mut bytes: &[u8],
        wait: &mut Wait,
        opponent: &mut Opponent<'_>,
    ) -> Sent {
        while !bytes.is_empty() {
            let Some(input) = &self.input else { return Sent::Closed };
            let written = input.try_write(bytes);
            self.meter.let_run();
            match written {
                Ok(count) => {
                    bytes = &bytes[count..];
                    self.sent += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && !self.output_closed => {
                    opponent.stop();
                    let until = Some(wait.until(self.meter.next_look()));
                    // It reads nothing at the moment; perhaps it waits until its own output is
                    // read.
                    let output =
                        read_until(&mut self.output, &mut self.chunk, &mut self.alarm, until);
                    let heard = tokio::select! {
                        biased;
                        _ = input.writable() => {
                            self.meter.heard(until, opponent);
                            continue;
                        }
                        heard = output => heard,
                    };
                    match heard {
                        Some(count) => {
                            self.meter.heard(until, opponent);
                            self.take_in(count);
                        }
                        None => {
                            self.meter.woke(until, opponent);
                            if until != wait.deadline {
                                if let Some(over) = self.meter.look() {
                                    return Sent::Over(over);
                                }
                            } else if !self.extend(wait, opponent) {
                                return Sent::TooLate;
                            }
                            self.meter.wait_on(opponent);
                            continue;
                        }
                    }
                    // What it says before it has read the question is no answer.
                    if wait.wanted == Wanted::Answer && !self.reads_bytes {
                        self.set_aside();
                        self.lines.draw_line();
                    }
                    if self.is_flooded() {
                        return Sent::Whole;
                    }
                }
                Err(_) => return Sent::Closed,
            }
        }
        Sent::Whole
    }
}
