//! One question to a bot: its request is sent, and the bot is listened to until the wanted line,
//! the deadline, or its end.

use super::delivery::{Delivery, Sent};
use super::{Bot, CLOSING};
use crate::bot::BotError;
use crate::bot::meter::{Next, Opponent, Over, Used};
use crate::bot::system::Alarm;
use arbiter_game::{Allowance, Answer, Garbled, LimitExceeded, Wanted};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Instant;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::unix::pipe;

/// A wait for a line of the bot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait {
    pub wanted: Wanted,
    /// When the first byte of the question was written.
    began: Instant,
    /// Extended by what the opponent and the machine take of the bot's time.
    pub deadline: Option<Instant>,
}

impl Wait {
    /// This time, or the deadline if that comes before.
    pub fn until(&self, time: Instant) -> Instant {
        self.deadline.map_or(time, |deadline| deadline.min(time))
    }

    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }
}

/// What ended a wait for bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listened {
    /// Some came, or their end.
    Bytes,
    /// It waits for input, or whether it does is not known.
    Reads,
    Deadline,
    Over(Over),
}

impl Bot {
    /// Sends the request and measures what the bot used for its answer.
    pub(super) async fn converse(
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
            self.meter.let_run();
            return Ok(Answer { garbled: Some(Garbled::Resumed(used)), ..Answer::default() });
        }
        // Taken out of the bot while the bot's other parts are borrowed mutably, and put back
        // below: its buffer is used again.
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
    pub(super) fn extend(&mut self, wait: &mut Wait, opponent: &mut Opponent<'_>) -> bool {
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
    pub(super) async fn listen(
        &mut self,
        deadline: Option<Instant>,
        opponent: &mut Opponent<'_>,
    ) -> Listened {
        loop {
            let stop = opponent.stop_at(&self.meter);
            let until = [Some(self.meter.next_look()), deadline, stop].into_iter().flatten().min();
            let output = read_until(&mut self.output, &mut self.chunk, &mut self.alarm, until);
            let heard = match &self.stderr {
                None => output.await,
                Some(stderr) => tokio::select! {
                    biased;
                    () = stderr.wait_for_heard() => {
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
                let rest =
                    read_until(&mut self.output, &mut self.chunk, &mut self.alarm, now).await;
                self.take_in(rest.unwrap_or_default());
                return Listened::Bytes;
            }
            self.meter.wait_on(opponent);
        }
    }
}

/// Waits for the next bytes and returns how many came, 0 at the end of the output; `None` when the
/// deadline came first.
pub(super) async fn read_until(
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
