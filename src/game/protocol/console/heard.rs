//! The output of a console program on one stream, and searches in it that take bounded time.

use crate::protocol::Stream;
use regex::bytes::Regex;
use std::ops::Range;

/// The last bytes of a stream that are kept. Up to twice as many are in memory, so that they are
/// moved only once for each `KEPT` bytes.
const KEPT: usize = 64 * 1024;
/// How far a match may reach back into what was searched before: no prompt and no move is as long.
/// This bounds the work for each byte of a flood of single bytes.
const LOOK_BACK: usize = 2048;

/// What a program wrote on one stream.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) stream: Stream,
    text: Vec<u8>,
    // Offsets in `text`, which all move when its beginning is dropped:
    /// What follows came since the last thing was sent.
    since: usize,
    /// Where the last words before that begin.
    before: usize,
    /// What follows may be an answer: it came since the last answer too.
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

    /// Marks everything that came so far as older than what is sent now.
    pub(super) fn draw_line(&mut self) {
        // White space is no last word.
        if !self.since().trim_ascii().is_empty() {
            self.before = self.since;
        }
        self.since = self.text.len();
        self.unanswered = self.since;
    }

    /// Marks everything that came as searched, or as to be searched again.
    pub(super) fn set_searched(&mut self, searched: bool) {
        self.searched = if searched { self.text.len() } else { 0 };
    }

    /// The prompt at the end. `pattern` matches only there.
    pub(super) fn find_prompt(&self, pattern: &Regex) -> Option<&[u8]> {
        let found = pattern.find_at(self.since(), self.first_searched(self.since))?;
        Some(self.since()[found.start()..].trim_ascii())
    }

    /// The first answer or resignation.
    pub(super) fn find_answer(&self, answer: &Regex, resign: Option<&Regex>) -> Option<Found> {
        // At the same place the resignation counts: it is the first of the two.
        let resigns = resign.and_then(|resign| self.find(resign, true));
        let found = [resigns, self.find(answer, false)];
        found.into_iter().flatten().min_by_key(|found| found.range.start)
    }

    fn find(&self, pattern: &Regex, resigns: bool) -> Option<Found> {
        let from = self.unanswered;
        let found = pattern.find_at(&self.text[from..], self.first_searched(from))?;
        Some(Found { range: from + found.start()..from + found.end(), resigns })
    }

    /// Where a search begins in the text behind an offset.
    fn first_searched(&self, from: usize) -> usize {
        self.searched.saturating_sub(LOOK_BACK).saturating_sub(from)
    }

    /// Whether further bytes may change the answer.
    pub(super) fn is_at_end(&self, found: &Found) -> bool {
        found.range.end == self.text.len()
    }

    /// All bytes that were searched for the answer, and its offset in them: a pattern may look at
    /// what is before and behind, as `\b` does.
    pub(super) fn answer(&self, found: &Found) -> (&[u8], usize) {
        (&self.text[self.unanswered..], found.range.start - self.unanswered)
    }

    pub(super) fn text(&self, found: &Found) -> &[u8] {
        &self.text[found.range.clone()]
    }

    /// Removes an answer: what follows may be the next one.
    pub(super) fn take(&mut self, found: &Found) {
        self.unanswered = found.range.end;
    }

    /// What came since the last thing was sent.
    pub(super) fn since(&self) -> &[u8] {
        &self.text[self.since..]
    }

    /// At most this number of the last lines that are not blank, with ` | ` between them, since the
    /// last thing was sent; if there are none, of what came before.
    pub(super) fn last_lines(&self, most: usize) -> Vec<u8> {
        let is_blank = self.since().trim_ascii().is_empty();
        last_lines(if is_blank { &self.text[self.before..] } else { self.since() }, most)
    }
}

/// The last lines of a text that are not blank, with ` | ` between them.
pub(super) fn last_lines(text: &[u8], most: usize) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split(|&b| b == b'\n').map(<[u8]>::trim_ascii).collect();
    lines.retain(|line| !line.is_empty());
    lines[lines.len().saturating_sub(most)..].join(&b" | "[..])
}
