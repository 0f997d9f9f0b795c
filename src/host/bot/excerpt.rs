//! The first and the last bytes of a stream of any length.

use serde::{Deserialize, Serialize};

/// Bytes that are kept of the beginning, and as many of the end.
const KEPT: usize = 32 * 1024;

/// The first and the last 32 KiB of what a bot wrote, and the number of bytes between them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Excerpt {
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
    /// Offset in the stream, and the last ply that the bot had been asked for from there on.
    marks: Vec<(u64, usize)>,
    ply: usize,
}

/// Number of changes of the ply that are recorded.
const MAX_MARKS: usize = 4096;

impl Excerpt {
    /// Bytes from now on belong to this ply, counted from 1.
    pub fn begin_ply(&mut self, ply: usize) {
        self.ply = ply;
    }

    /// Adds the next bytes.
    pub fn push(&mut self, mut bytes: &[u8]) {
        if self.marks.last().is_none_or(|&(_, ply)| ply != self.ply) && self.marks.len() < MAX_MARKS
        {
            self.marks.push((self.total, self.ply));
        }
        self.total += bytes.len() as u64;
        let for_head = KEPT.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..for_head]);
        bytes = &bytes[for_head..];
        bytes = &bytes[bytes.len().saturating_sub(KEPT)..];
        if self.tail.len() + bytes.len() > 2 * KEPT {
            let kept_from = self.tail.len().saturating_sub(KEPT);
            self.tail.drain(..kept_from);
        }
        self.tail.extend_from_slice(bytes);
    }

    /// The number of bytes of the whole stream.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The kept bytes, with a line in the middle that says how many were left out.
    pub fn bytes(&self) -> Vec<u8> {
        let tail = self.kept_tail();
        let left_out = self.left_out();
        if left_out == 0 {
            return [&self.head, tail].concat();
        }
        [&self.head[..], format!("\n[… {left_out} bytes left out …]\n").as_bytes(), tail].concat()
    }

    /// The kept lines, each with the last ply that the bot had been asked for; 0 before the first
    /// question.
    pub fn lines(&self) -> Vec<(usize, Vec<u8>)> {
        let left_out = self.left_out();
        if left_out == 0 {
            return self.split(&self.bytes(), 0);
        }
        let mut lines = self.split(&self.head, 0);
        let gap = format!("[… {left_out} bytes left out …]").into_bytes();
        lines.push((self.ply_at(self.head.len() as u64), gap));
        let tail = self.kept_tail();
        lines.extend(self.split(tail, self.total - tail.len() as u64));
        lines
    }

    /// The last ply that the bot had been asked for when it wrote the byte at this offset.
    fn ply_at(&self, offset: u64) -> usize {
        match self.marks.partition_point(|&(from, _)| from <= offset) {
            0 => 0,
            after => self.marks[after - 1].1,
        }
    }

    /// The lines in bytes that begin at this offset.
    fn split(&self, bytes: &[u8], mut offset: u64) -> Vec<(usize, Vec<u8>)> {
        let mut lines = Vec::new();
        for line in bytes.split_inclusive(|&b| b == b'\n') {
            lines.push((self.ply_at(offset), line.trim_ascii_end().to_vec()));
            offset += line.len() as u64;
        }
        lines
    }

    fn kept_tail(&self) -> &[u8] {
        &self.tail[self.tail.len().saturating_sub(KEPT)..]
    }

    fn left_out(&self) -> u64 {
        self.total - (self.head.len() + self.kept_tail().len()) as u64
    }

    /// The last `count` lines that are not blank, oldest first. Of a long call stack only the first
    /// calls count, so that the line above them, with the error's name, is among the lines.
    pub fn last_lines(&self, count: usize) -> Vec<Vec<u8>> {
        self.last_lines_and_plies(count).into_iter().map(|(_, line)| line).collect()
    }

    /// The [`last_lines`](Excerpt::last_lines), and how many of them came after the bot had last
    /// been asked for a ply; `None` if it never was, or if that was not recorded.
    pub fn last_lines_counted(&self, count: usize) -> (Vec<Vec<u8>>, Option<usize>) {
        let mut lines = Vec::new();
        let mut last = 0;
        for (ply, line) in self.last_lines_and_plies(count) {
            last += usize::from(ply == self.ply);
            lines.push(line);
        }
        let is_known = self.ply > 0 && self.marks.len() < MAX_MARKS;
        (lines, is_known.then_some(last))
    }

    fn last_lines_and_plies(&self, count: usize) -> Vec<(usize, Vec<u8>)> {
        let whole = [&self.head[..], self.kept_tail()].concat();
        let mut parts = [(0, &whole[..]), (0, &[])];
        if self.left_out() > 0 {
            // The line that the gap divides is left out, unless nothing follows it.
            let (head, tail) = whole.split_at(self.head.len());
            let head_end = head.iter().rposition(|&b| b == b'\n').unwrap_or_default();
            let tail_begin = tail.iter().position(|&b| b == b'\n').unwrap_or_default();
            let whole_lines = &tail[tail_begin..];
            let is_blank = whole_lines.trim_ascii().is_empty();
            let end = if is_blank { tail } else { whole_lines };
            parts = [(0, &head[..head_end]), (self.total - end.len() as u64, end)];
        }
        let mut lines = Vec::new();
        let mut calls = 0;
        for (mut offset, part) in parts {
            for line in part.split(|&b| b == b'\n') {
                let ply = self.ply_at(offset);
                offset += line.len() as u64 + 1;
                let line = line.trim_ascii_end();
                if line.is_empty() {
                    continue;
                }
                calls = if is_call(line) { calls + 1 } else { 0 };
                if calls <= MAX_CALLS.min(count / 2) {
                    lines.push((ply, line.to_vec()));
                }
            }
        }
        lines.split_off(lines.len().saturating_sub(count))
    }
}

/// The calls of a stack that [`Excerpt::last_lines`] keeps, of few lines no more than half.
const MAX_CALLS: usize = 40;

/// Whether a line is a call in a stack as Java and node print it: `    at Bot.search(Bot.java:12)`.
fn is_call(line: &[u8]) -> bool {
    (line.starts_with(b" ") || line.starts_with(b"\t"))
        && line.trim_ascii_start().starts_with(b"at ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_stream_is_kept_completely() {
        let mut excerpt = Excerpt::default();
        excerpt.push(b"one\n\ntwo \r\n");
        excerpt.push(b"three");
        assert_eq!(excerpt.bytes(), b"one\n\ntwo \r\nthree");
        assert_eq!(excerpt.last_lines(2), [b"two".to_vec(), b"three".to_vec()]);
        assert_eq!(excerpt.last_lines_counted(2).1, None, "it was asked for no ply");
    }

    #[test]
    fn the_error_above_a_long_stack_is_among_the_last_lines() {
        for calls in [100, 100_000] {
            let mut excerpt = Excerpt::default();
            excerpt.push(b"depth 3\njava.lang.StackOverflowError\n");
            excerpt.push("\tat Bot.search(Bot.java:12)\n".repeat(calls).as_bytes());
            let lines = excerpt.last_lines(5);
            assert_eq!(lines[1], b"java.lang.StackOverflowError", "{lines:?}");
            assert_eq!(lines[2..], [b"\tat Bot.search(Bot.java:12)"; 2], "{lines:?}");
        }
    }

    #[test]
    fn lines_know_their_ply() {
        let mut excerpt = Excerpt::default();
        excerpt.push(b"hello\n");
        excerpt.begin_ply(3);
        excerpt.push(b"one\ntwo");
        excerpt.begin_ply(5);
        excerpt.push(b" more\nthree\n");
        let line = |ply, text: &str| (ply, text.as_bytes().to_vec());
        assert_eq!(
            excerpt.lines(),
            [line(0, "hello"), line(3, "one"), line(3, "two more"), line(5, "three")]
        );
        assert_eq!(excerpt.last_lines_counted(3).1, Some(1));
        excerpt.begin_ply(7);
        assert_eq!(excerpt.last_lines_counted(3).1, Some(0), "it wrote nothing since");
        excerpt.push(&b"x\n".repeat(5 * KEPT));
        excerpt.begin_ply(9);
        excerpt.push(b"end\n");
        assert_eq!(excerpt.last_lines_counted(3).1, Some(1));
        let lines = excerpt.lines();
        assert_eq!(lines.last(), Some(&line(9, "end")));
        let gap =
            lines.iter().position(|(_, text)| text.ends_with("left out …]".as_bytes())).unwrap();
        assert_eq!((lines[gap].0, lines[gap + 1].0), (7, 7));
        assert_eq!(Excerpt::default().lines(), []);
        for ply in 10..10 + MAX_MARKS {
            excerpt.begin_ply(ply);
            excerpt.push(b"x\n");
        }
        assert_eq!(excerpt.last_lines_counted(3).1, None, "its last plies were not recorded");
    }

    #[test]
    fn a_long_stream_keeps_its_beginning_and_end_in_bounded_memory() {
        for chunk in [1, 7, 1000, KEPT, 5 * KEPT] {
            let mut excerpt = Excerpt::default();
            let stream: Vec<u8> = (0..20 * KEPT as u32).map(|i| (i % 251) as u8).collect();
            for part in stream.chunks(chunk) {
                excerpt.push(part);
            }
            let kept = excerpt.bytes();
            assert!(
                kept.starts_with(&stream[..KEPT]) && kept.ends_with(&stream[19 * KEPT..]),
                "{chunk}"
            );
            assert!(
                String::from_utf8_lossy(&kept).contains(&format!("{} bytes left out", 18 * KEPT))
            );
            assert!(excerpt.tail.capacity() <= 8 * KEPT);
        }
    }
}
