//! What came on a stream of a console program, and searches in it that take bounded time.

use crate::protocol::Stream;
use regex::bytes::Regex;
use std::ops::Range;

/// What is kept of a stream at least, if so much came; twice that at most.
const KEPT: usize = 64 * 1024;
/// How far a match may reach back into what was searched before. A flood of single bytes then costs
/// this much a byte.
const AGAIN: usize = 2048;

/// The end of what came on a stream.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) stream: Stream,
    text: Vec<u8>,
    /// What is behind this came since the last thing was sent.
    since: usize,
    /// Where the last words before that begin.
    before: usize,
    /// What is behind this may be an answer: it also came since the last answer.
    unanswered: usize,
    /// What is before this was searched.
    searched: usize,
}

/// An answer, in the bytes of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    range: Range<usize>,
    /// The program gives up.
    pub(super) resigns: bool,
}

impl Heard {
    pub(super) fn new(stream: Stream) -> Heard {
        Heard { stream, text: Vec::new(), since: 0, before: 0, unanswered: 0, searched: 0 }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
        if self.text.len() > 2 * KEPT {
            let cut = self.text.len() - KEPT;
            self.text.drain(..cut);
            for at in [&mut self.since, &mut self.before, &mut self.unanswered, &mut self.searched]
            {
                *at = at.saturating_sub(cut);
            }
        }
    }

    /// What came so far came before what is sent now.
    pub(super) fn draw_line(&mut self) {
        if !self.since().trim_ascii().is_empty() {
            self.before = self.since;
        }
        self.since = self.text.len();
        self.unanswered = self.since;
    }

    /// Everything that came was searched; or is to be searched again.
    pub(super) fn set_searched(&mut self, searched: bool) {
        self.searched = if searched { self.text.len() } else { 0 };
    }

    /// The prompt at the end, with what stands before it on its line. `pattern` is bound to the
    /// end.
    pub(super) fn find_prompt(&self, pattern: &Regex) -> Option<&[u8]> {
        let found = pattern.find_at(self.since(), self.first_searched(self.since))?;
        Some(self.since()[found.start()..].trim_ascii())
    }

    /// The first answer or resignation.
    pub(super) fn find_answer(&self, answer: &Regex, resign: Option<&Regex>) -> Option<Found> {
        let text = &self.text[self.unanswered..];
        let find = |pattern: &Regex, resigns| {
            let found = pattern.find_at(text, self.first_searched(self.unanswered))?;
            let range = self.unanswered + found.start()..self.unanswered + found.end();
            Some(Found { range, resigns })
        };
        let found = [resign.and_then(|resign| find(resign, true)), find(answer, false)];
        found.into_iter().flatten().min_by_key(|found| found.range.start)
    }

    /// Where a search begins in the text behind an offset.
    fn first_searched(&self, from: usize) -> usize {
        self.searched.saturating_sub(AGAIN).saturating_sub(from)
    }

    /// Whether further bytes may change the answer.
    pub(super) fn is_at_end(&self, found: &Found) -> bool {
        found.range.end == self.text.len()
    }

    /// The bytes of an answer, with all that may be one and its offset therein, for a pattern that
    /// looks around.
    pub(super) fn answer(&self, found: &Found) -> (&[u8], usize) {
        (&self.text[self.unanswered..], found.range.start - self.unanswered)
    }

    pub(super) fn text(&self, found: &Found) -> &[u8] {
        &self.text[found.range.clone()]
    }

    /// The answer is taken: what comes behind it may be the next one.
    pub(super) fn take(&mut self, found: &Found) {
        self.unanswered = found.range.end;
    }

    /// What came since the last thing was sent.
    pub(super) fn since(&self) -> &[u8] {
        &self.text[self.since..]
    }

    /// The last lines that are not blank, this number of them at most, with ` | ` between them; an
    /// answer to a prompt ends one.
    pub(super) fn last_lines(&self, most: usize) -> Vec<u8> {
        let is_blank = self.since().trim_ascii().is_empty();
        let text = if is_blank { &self.text[self.before..] } else { self.since() };
        last_lines(text, most)
    }
}

/// The last lines of a text that are not blank, with ` | ` between them.
pub(super) fn last_lines(text: &[u8], most: usize) -> Vec<u8> {
    let lines =
        text.rsplit(|&b| b == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let mut lines: Vec<&[u8]> = lines.take(most).collect();
    lines.reverse();
    lines.join(&b" | "[..])
}
