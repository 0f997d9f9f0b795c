//! The first and the last bytes of a stream of any length.

/// Bytes that are kept of the beginning, and as many of the end.
const KEPT: usize = 32 * 1024;

/// The first and the last 32 KiB of what a bot wrote, and the number of bytes between them.
#[derive(Debug, Clone, Default)]
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
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The kept bytes, with a line in the middle that says how many were left out.
    #[must_use]
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
    #[must_use]
    pub fn lines(&self) -> Vec<(usize, Vec<u8>)> {
        let ply = |at: u64| {
            let mark = self.marks.partition_point(|&(from, _)| from <= at);
            mark.checked_sub(1).map_or(0, |mark| self.marks[mark].1)
        };
        let split = |bytes: &[u8], mut at: u64| {
            let line = |line: &[u8]| {
                let begin = at;
                at += line.len() as u64;
                (ply(begin), line.trim_ascii_end().to_vec())
            };
            bytes.split_inclusive(|&b| b == b'\n').map(line).collect::<Vec<_>>()
        };
        let left_out = self.left_out();
        let tail = self.kept_tail();
        if left_out == 0 {
            return split(&self.bytes(), 0);
        }
        let gap =
            (ply(self.head.len() as u64), format!("[… {left_out} bytes left out …]").into_bytes());
        let tail = split(tail, self.total - tail.len() as u64);
        split(&self.head, 0).into_iter().chain([gap]).chain(tail).collect()
    }

    fn kept_tail(&self) -> &[u8] {
        &self.tail[self.tail.len().saturating_sub(KEPT)..]
    }

    fn left_out(&self) -> u64 {
        self.total - (self.head.len() + self.kept_tail().len()) as u64
    }

    /// The last `count` lines that are not blank, oldest first. Of a long stack of calls only the
    /// first ones count, so that the line above them, with the error's name, is among the lines.
    #[must_use]
    pub fn last_lines(&self, count: usize) -> Vec<Vec<u8>> {
        let whole = [&self.head[..], self.kept_tail()].concat();
        let (head, tail) = whole.split_at(if self.left_out() == 0 { 0 } else { self.head.len() });
        // The line that the gap divides is left out.
        let head = &head[..head.iter().rposition(|&b| b == b'\n').unwrap_or_default()];
        let begin = tail
            .iter()
            .position(|&b| b == b'\n')
            .filter(|_| self.left_out() > 0)
            .unwrap_or_default();
        let tail = if tail[begin..].trim_ascii().is_empty() { tail } else { &tail[begin..] };
        let mut calls = 0;
        let is_kept = |line: &&[u8]| {
            calls = if is_call(line) { calls + 1 } else { 0 };
            calls <= MAX_CALLS.min(count / 2)
        };
        let lines = [head, tail].into_iter().flat_map(|part| part.split(|&b| b == b'\n'));
        let lines =
            lines.map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty()).filter(is_kept);
        let lines: Vec<&[u8]> = lines.collect();
        lines[lines.len().saturating_sub(count)..].iter().map(|line| line.to_vec()).collect()
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
        excerpt.begin_ply(7);
        excerpt.push(&b"x\n".repeat(5 * KEPT));
        excerpt.begin_ply(9);
        excerpt.push(b"end\n");
        let lines = excerpt.lines();
        assert_eq!(lines.last(), Some(&line(9, "end")));
        let gap =
            lines.iter().position(|(_, text)| text.ends_with("left out …]".as_bytes())).unwrap();
        assert_eq!((lines[gap].0, lines[gap + 1].0), (7, 7));
        assert_eq!(Excerpt::default().lines(), []);
    }

    #[test]
    fn a_long_stream_keeps_its_beginning_and_end_in_bounded_memory() {
        for chunk in [1, 7, 1000, KEPT, 5 * KEPT] {
            let mut excerpt = Excerpt::default();
            let stream: Vec<u8> = (0..20 * KEPT as u32).map(|i| (i % 251) as u8).collect();
            stream.chunks(chunk).for_each(|part| excerpt.push(part));
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
