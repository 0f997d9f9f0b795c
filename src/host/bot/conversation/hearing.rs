//! What a bot writes: its pipes are read without waiting, bytes become lines, and lines an answer,
//! the end of its start, or notes for its author.

use super::Bot;
use crate::bot::LineSink;
use arbiter_game::protocol::{self, ParsedLine, Stream};
use arbiter_game::{Answer, Channel, Garbled, NOTE_BYTES, Wanted};
use std::io;
use tokio::net::unix::pipe;

/// Unrecognised lines of one question that are kept, and bytes of each.
const LINES_KEPT: usize = 8;
pub(super) const LINE_BYTES: usize = 200;
/// Maximum number of answers in a row that are read without the event loop, which has other tasks.
const AT_ONCE: u32 = 16;

impl Bot {
    /// Reads what a quick bot has written already. Where bots share a core with arbiter, the system
    /// often runs a bot as soon as its request is written, and the answer needs no wait.
    pub(super) fn read_at_once(&mut self) {
        if self.meter.was_quick()
            && self.at_once < AT_ONCE
            && let Ok(count) = rustix::io::read(&self.output, &mut self.chunk[..])
        {
            self.take_in(count);
            self.at_once += 1;
        } else {
            self.at_once = 0;
        }
    }

    /// Reads what is in the pipe at this moment: it is no answer to the next question. What the
    /// event loop has seen so far is discarded by every question; this is for one that follows the
    /// bot's own answer at once.
    pub(super) fn drain(&mut self) {
        self.read_all(|output, chunk| Ok(rustix::io::read(output, chunk)?));
    }

    /// Sets aside everything that this way of reading finds.
    fn read_all(&mut self, read: impl Fn(&pipe::Receiver, &mut [u8]) -> io::Result<usize>) {
        while !self.output_closed && !self.is_flooded() {
            let Ok(count) = read(&self.output, &mut self.chunk) else { break };
            self.take_in(count);
            self.set_aside();
        }
        self.take_in_stderr();
    }

    /// Reads everything that is in the pipes of a bot whose conversation reads bytes, before that
    /// decides; true if something came.
    pub(super) fn gather(&mut self) -> bool {
        if !self.reads_bytes {
            return false;
        }
        let before = (self.written, self.output_closed);
        while !self.output_closed && !self.is_flooded() {
            let Ok(count) = rustix::io::read(&self.output, &mut self.chunk[..]) else { break };
            self.take_in(count);
        }
        self.take_in_stderr();
        before != (self.written, self.output_closed)
    }

    /// Takes in what came on standard error, if the conversation reads it.
    fn take_in_stderr(&mut self) {
        let (Some(stderr), Some(prompts)) = (&self.stderr, self.conversation.prompts()) else {
            return;
        };
        let heard = stderr.take_heard();
        self.written += heard.len();
        prompts.take_in(Stream::Stderr, &heard);
    }

    /// Goes through the lines that are whole; true when one of them ends the wait. With nothing
    /// wanted every line is unrecognised, and what is no text at all is remembered for the next
    /// question.
    pub(super) fn understand(&mut self, wanted: Option<Wanted>, answer: &mut Answer) -> bool {
        while let Some((bytes, parsed)) =
            protocol::hear(&mut *self.conversation, &self.asked.1, &mut self.lines)
        {
            let bytes = &*bytes;
            match (wanted, parsed) {
                (_, ParsedLine::Sent(line)) => {
                    let behind = self.behind.get_or_insert_default();
                    behind.said = None;
                    keep(&mut behind.sent, line);
                    send(&self.lines_to, Channel::Sent, line);
                    continue;
                }
                (_, ParsedLine::Said(line)) => {
                    let behind = self.behind.get_or_insert_default();
                    // Empty lines only separate others, as in GTP.
                    if !line.is_empty() {
                        keep(behind.said.get_or_insert_default(), line);
                    }
                    send(&self.lines_to, Channel::Said, line);
                    continue;
                }
                (Some(Wanted::Answer), ParsedLine::Reply(reply)) => answer.reply = Some(reply),
                (Some(Wanted::Answer), ParsedLine::Info(text)) => {
                    self.info.clear();
                    self.info.extend_from_slice(text);
                }
                (Some(_), ParsedLine::Prompt) => {
                    self.conversation.push_prompted(&mut self.prompted);
                }
                (Some(Wanted::Ready), ParsedLine::Ready(words)) => {
                    for word in self.conversation.ready_with(words) {
                        let note = format!("(unknown word after ready: {word})\n");
                        self.all_unrecognised.push(note.as_bytes());
                    }
                }
                (Some(Wanted::Ready), ParsedLine::Name(_)) => {}
                (_, parsed) => {
                    match parsed {
                        ParsedLine::Garbled(garbled) => answer.garbled = Some(garbled),
                        ParsedLine::Fault(_) => answer.garbled = Some(Garbled::Declared),
                        _ => {}
                    }
                    self.answers_unasked |= parsed.is_answer() && wanted != Some(Wanted::Ready);
                    if let Some(sink) = &self.lines_to {
                        let near = self.conversation.nearly_a_ply(&self.asked.1, bytes);
                        let correction = near.map(|near| near.correction);
                        sink.send_corrected(Channel::Unrecognised, bytes, correction);
                    }
                    self.all_unrecognised.push(bytes);
                    self.all_unrecognised.push(b"\n");
                    // Of many lines the first and the last say most.
                    if self.unrecognised.len() == LINES_KEPT {
                        self.unrecognised.remove(LINES_KEPT / 2);
                    }
                    let most = if answer.garbled.is_some() { NOTE_BYTES } else { LINE_BYTES };
                    self.unrecognised.push(bytes[..bytes.len().min(most)].to_vec());
                    if answer.garbled.is_some() {
                        return true;
                    }
                    continue;
                }
            }
            send(&self.lines_to, Channel::Reply, bytes);
            if !self.prompted.is_empty() {
                return false; // it is sent before anything else is read
            }
            if answer.reply.is_some()
                || wanted == Some(Wanted::Ready) && self.conversation.is_ready()
            {
                self.reply.extend_from_slice(bytes.trim_ascii());
                self.written = 0;
                return true;
            }
        }
        false
    }

    /// The bot waits, so what it has written so far is complete.
    pub(super) fn decide(&mut self) {
        if let Some(prompts) = self.conversation.prompts() {
            prompts.decide();
        }
    }

    /// Takes what was said outside a question: nothing of it is an answer, but what is no text at
    /// all is judged when the bot is next to decide.
    pub(super) fn set_aside(&mut self) {
        let mut answer = Answer::default();
        while self.understand(None, &mut answer) {
            if self.garbled.is_none() {
                let line = self.unrecognised.last().cloned().unwrap_or_default();
                self.garbled = answer.garbled.map(|garbled| (garbled, line));
            }
        }
    }

    /// Reads what is known to be in the pipe before a question is put: it is no answer to it.
    pub(super) fn discard(&mut self) {
        self.set_aside();
        self.read_all(pipe::Receiver::try_read);
        self.lines.draw_line();
    }

    /// Takes in bytes that were read into the chunk; 0 is the end of the output.
    pub(super) fn take_in(&mut self, count: usize) {
        self.output_closed |= count == 0;
        self.written += count;
        self.lines.push(&self.chunk[..count]);
        if !self.has_lost
            && let Some(prompts) = self.conversation.prompts()
        {
            prompts.take_in(Stream::Stdout, &self.chunk[..count]);
        }
    }

    /// Whether it wrote more for one ply than it may.
    pub(super) fn is_flooded(&self) -> bool {
        self.written as u64 > self.settings.limits.output
    }
}

/// Keeps the beginning of a line in a buffer that is used again.
fn keep(kept: &mut Vec<u8>, line: &[u8]) {
    kept.clear();
    kept.extend_from_slice(&line[..line.len().min(LINE_BYTES)]);
}

fn send(sink: &Option<LineSink>, channel: Channel, line: &[u8]) {
    if let Some(sink) = sink {
        sink.send(channel, line);
    }
}
