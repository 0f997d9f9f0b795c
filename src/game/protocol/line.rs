//! Splits bytes into lines, with a cap on their length, so that memory is bounded for any output of
//! a bot.

use crate::LINE_CAP;

/// Collects bytes and returns whole lines.
///
/// ```
/// use arbiter_game::protocol::{Line, LineBuffer};
/// let mut lines = LineBuffer::default();
/// lines.push(b"rea");
/// assert_eq!(lines.next_line(), None);
/// lines.push(b"dy\r\nmove a");
/// assert_eq!(lines.next_line(), Some(Line::Whole(b"ready\r")));
/// assert_eq!(lines.next_line(), None);
/// assert_eq!(lines.partial(), b"move a");
/// ```
#[derive(Debug, Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// The beginning of the first line that was not returned yet.
    start: usize,
    /// There is no newline between `start` and here, so that no byte is searched twice.
    searched: usize,
    /// The rest of a line that is too long is being dropped.
    skipping: bool,
    /// The unfinished line began before the last [`LineBuffer::draw_line`].
    stale: bool,
}

/// What [`LineBuffer::next_line`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// A line without its newline.
    Whole(&'a [u8]),
    /// A line whose first byte came before the last [`LineBuffer::draw_line`].
    Stale(&'a [u8]),
    /// The first [`LINE_CAP`] bytes of a longer line, returned once; the rest of the line is
    /// dropped.
    TooLong(&'a [u8]),
}

impl<'a> Line<'a> {
    /// Its bytes, of any variant.
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Line::Whole(bytes) | Line::Stale(bytes) | Line::TooLong(bytes) => bytes,
        }
    }
}

impl LineBuffer {
    /// Appends the next bytes.
    pub fn push(&mut self, mut chunk: &[u8]) {
        if self.skipping {
            let Some(end) = chunk.iter().position(|&b| b == b'\n') else { return };
            chunk = &chunk[end + 1..];
            self.skipping = false;
            self.stale = false;
        }
        // What was returned is dropped only here: `next_line` returns slices of the buffer.
        if self.start > 0 {
            if self.start == self.bytes.len() {
                self.bytes.clear();
            } else {
                self.bytes.drain(..self.start);
            }
            self.searched -= self.start;
            self.start = 0;
        }
        self.bytes.extend_from_slice(chunk);
    }

    /// The next whole line, if there is one.
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        let fresh = &self.bytes[self.searched..];
        let Some(at) = fresh.iter().position(|&b| b == b'\n') else {
            self.searched = self.bytes.len();
            if self.searched - self.start <= LINE_CAP {
                return None;
            }
            // Returned before its end comes, so that a flood without a newline is seen at once.
            let start = self.start;
            self.start = self.searched;
            self.skipping = true;
            return Some(Line::TooLong(&self.bytes[start..start + LINE_CAP]));
        };
        let start = self.start;
        let end = self.searched + at;
        self.start = end + 1;
        self.searched = self.start;
        let stale = std::mem::take(&mut self.stale);
        let line = &self.bytes[start..end];
        Some(if line.len() > LINE_CAP {
            Line::TooLong(&line[..LINE_CAP])
        } else if stale {
            Line::Stale(line)
        } else {
            Line::Whole(line)
        })
    }

    /// The bytes since the last newline.
    pub fn partial(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Marks an unfinished line: it is returned as [`Line::Stale`] when it ends. Called when a
    /// question is asked, so that an answer that began before the question does not count.
    pub fn draw_line(&mut self) {
        self.stale = self.skipping || self.start < self.bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(lines: &mut LineBuffer) -> Vec<String> {
        std::iter::from_fn(|| {
            lines.next_line().map(|line| match line {
                Line::Whole(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                Line::Stale(bytes) => format!("stale {}", String::from_utf8_lossy(bytes)),
                Line::TooLong(bytes) => format!("too long: {}", bytes.len()),
            })
        })
        .collect()
    }

    #[test]
    fn a_line_that_began_before_the_question_is_stale() {
        let mut lines = LineBuffer::default();
        lines.push(b"move a1");
        assert!(all(&mut lines).is_empty());
        lines.draw_line();
        lines.push(b"c1\nmove b0b2\n");
        assert_eq!(all(&mut lines), ["stale move a1c1", "move b0b2"]);
        lines.draw_line();
        lines.push(b"move a1c1\n");
        assert_eq!(all(&mut lines), ["move a1c1"]);
    }

    #[test]
    fn a_line_too_long_is_returned_once_and_takes_no_memory() {
        let mut lines = LineBuffer::default();
        let mut said = Vec::new();
        for _ in 0..1000 {
            lines.push(&[b'x'; 1000]);
            said.extend(all(&mut lines));
        }
        assert_eq!(said, [format!("too long: {LINE_CAP}")]);
        assert!(lines.bytes.capacity() < 4 * LINE_CAP);
        lines.push(b"x\nok\n");
        assert_eq!(all(&mut lines), ["ok"]);
        lines.push(
            &[vec![b'y'; LINE_CAP], b"\n".to_vec(), vec![b'y'; LINE_CAP + 1], b"\n".to_vec()]
                .concat(),
        );
        assert_eq!(all(&mut lines).iter().map(String::len).collect::<Vec<_>>(), [LINE_CAP, 15]);
    }

    proptest::proptest! {
        #[test]
        fn chunks_do_not_matter(
            text in "[ab\n]{0,60}",
            cuts in proptest::collection::vec(1_usize..7, 0..60),
        ) {
            let mut whole = LineBuffer::default();
            whole.push(text.as_bytes());
            let expected = all(&mut whole);
            let mut cut = LineBuffer::default();
            let mut got = Vec::new();
            let mut rest = text.as_bytes();
            for size in cuts.into_iter().chain(std::iter::repeat(3)) {
                if rest.is_empty() {
                    break;
                }
                let (chunk, left) = rest.split_at(size.min(rest.len()));
                cut.push(chunk);
                got.extend(all(&mut cut));
                rest = left;
            }
            proptest::prop_assert_eq!(got, expected);
            proptest::prop_assert_eq!(cut.partial(), whole.partial());
        }
    }
}
