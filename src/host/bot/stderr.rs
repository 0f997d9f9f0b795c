//! The standard error of a bot: read to its end so that the bot is never held up by it, and kept
//! for the bot's author, for those who watch lines, and for a conversation that reads it.

use super::LineSink;
use super::excerpt::Excerpt;
use arbiter_game::Channel;
use arbiter_game::protocol::LineBuffer;
use std::future::poll_fn;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use tokio::net::unix::pipe;

/// Watchers get up to this many times what a bot may write for one ply
/// (docs/reference/configuration.md).
const WATCHED_FACTOR: u64 = 10;

/// A bot that writes to standard error at all mostly does so in the plies up to this one.
const FIRST_PLIES: usize = 8;
/// How many bytes are read at once.
const CHUNK: usize = 16 * 1024;

/// What is kept for a conversation that has not read it yet: the end.
const HEARD_BYTES: usize = 64 * 1024;

/// The standard error of a bot.
pub(super) struct Stderr {
    pipe: pipe::Receiver,
    written: Mutex<Written>,
}

/// What came of it.
#[derive(Default)]
struct Written {
    kept: Excerpt,
    /// The last line, as far as it came.
    lines: LineBuffer,
    sink: Option<LineSink>,
    /// What a conversation is still to read, if it reads standard error at all, and who waits for
    /// it.
    heard: Option<Vec<u8>>,
    waker: Option<Waker>,
    /// Bytes so far, and how many of them watchers get.
    passed: u64,
    watched: u64,
}

impl Stderr {
    /// `output` is how many bytes the bot may write for one ply.
    pub fn new(pipe: pipe::Receiver, sink: Option<LineSink>, output: u64) -> Stderr {
        let written = Written { sink, watched: WATCHED_FACTOR * output, ..Written::default() };
        Stderr { pipe, written: Mutex::new(written) }
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what is in the pipe, while it is locked, so that what
    /// [`take_heard`](Stderr::take_heard) reads comes behind it.
    fn read(&self, chunk: &mut [u8]) -> io::Result<usize> {
        let mut written = self.written();
        let count = self.pipe.try_read(chunk)?;
        written.push(&chunk[..count]);
        Ok(count)
    }

    /// What came so far.
    pub fn kept(&self) -> Excerpt {
        self.written().kept.clone()
    }

    /// What came so far; from now on it is collected anew.
    pub fn take_kept(&self) -> Excerpt {
        std::mem::take(&mut self.written().kept)
    }

    /// What comes from now on belongs to this ply. What has come is read first, because the event
    /// loop need not have seen it; not of a bot that has written nothing in its first plies, to
    /// which that would add a system call a ply.
    pub fn begin_ply(&self, ply: usize) {
        let mut written = self.written();
        if written.passed > 0 || ply <= FIRST_PLIES {
            let mut chunk = [0; CHUNK];
            if let Ok(count @ 1..) = rustix::io::read(&self.pipe, &mut chunk) {
                written.push(&chunk[..count]);
            }
        }
        written.kept.begin_ply(ply);
    }

    /// Keeps everything from the bot's start on until [`take_heard`](Stderr::take_heard).
    pub fn keep_for_conversation(&self) {
        let mut written = self.written();
        written.heard = Some(written.kept.bytes());
    }

    /// Reads what is in the pipe, and returns what came since this was last called.
    pub fn take_heard(&self) -> Vec<u8> {
        let mut written = self.written();
        let mut chunk = [0; CHUNK];
        for _ in 0..HEARD_BYTES / CHUNK {
            let Ok(count @ 1..) = rustix::io::read(&self.pipe, &mut chunk) else { break };
            written.push(&chunk[..count]);
        }
        written.heard.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Waits until something came that was not taken.
    pub async fn wait_for_heard(&self) {
        poll_fn(|context| {
            let mut written = self.written();
            if written.heard.as_ref().is_some_and(|heard| !heard.is_empty()) {
                return Poll::Ready(());
            }
            written.waker = Some(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

impl Written {
    fn push(&mut self, bytes: &[u8]) {
        self.kept.push(bytes);
        self.passed += bytes.len() as u64;
        if let Some(heard) = &mut self.heard {
            heard.extend_from_slice(bytes);
            heard.drain(..heard.len().saturating_sub(HEARD_BYTES));
            if let Some(waker) = self.waker.take() {
                waker.wake();
            }
        }
        if let Some(sink) = &self.sink
            && self.passed <= self.watched
        {
            self.lines.push(bytes);
            while let Some(line) = self.lines.next_line() {
                sink.send(Channel::Stderr, line.bytes());
            }
        }
    }

    /// It is at its end: a last line without a newline is one, too.
    fn end(&self) {
        if let Some(sink) = &self.sink
            && !self.lines.partial().is_empty()
        {
            sink.send(Channel::Stderr, self.lines.partial());
        }
    }
}

/// Reads the bot's standard error to its end.
pub(super) async fn collect(stderr: Arc<Stderr>) {
    let mut chunk = vec![0; CHUNK];
    while stderr.pipe.readable().await.is_ok() {
        match stderr.read(&mut chunk) {
            Ok(1..) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
            Ok(0) | Err(_) => break,
        }
        tokio::task::yield_now().await; // a flood of it must not hold up the other bot
    }
    stderr.written().end();
}
