//! The head and the tail of a stream that may be endless.

/// Bytes of the head that are kept, and as many of the tail.
const KEPT: usize = 32 * 1024;

/// Keeps the first and the last 32 KiB of what a bot wrote, and counts the rest.
#[derive(Debug, Clone, Default)]
pub struct Excerpt {
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
}

impl Excerpt {
    /// Takes in the next bytes.
    pub fn push(&mut self, mut bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = KEPT.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        bytes = &bytes[room..];
        bytes = &bytes[bytes.len().saturating_sub(KEPT)..];
        if self.tail.len() + bytes.len() > 2 * KEPT {
            let kept_from = self.tail.len().saturating_sub(KEPT);
            self.tail.drain(..kept_from);
        }
        self.tail.extend_from_slice(bytes);
    }

    /// How many bytes came in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// What was kept, with a line in the middle that says how much was not.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let (tail, left_out) = (self.kept_tail(), self.left_out());
        if left_out == 0 {
            return [&self.head, tail].concat();
        }
        [&self.head[..], format!("\n[… {left_out} bytes left out …]\n").as_bytes(), tail].concat()
    }

    fn kept_tail(&self) -> &[u8] {
        &self.tail[self.tail.len().saturating_sub(KEPT)..]
    }

    fn left_out(&self) -> u64 {
        self.total - (self.head.len() + self.kept_tail().len()) as u64
    }

    /// The last lines that are not blank, at most `count`, oldest first.
    #[must_use]
    pub fn last_lines(&self, count: usize) -> Vec<Vec<u8>> {
        let all = if self.left_out() == 0 { self.bytes() } else { self.kept_tail().to_vec() };
        let lines = all.split(|&b| b == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty());
        let mut last: Vec<Vec<u8>> = lines.rev().take(count).map(<[u8]>::to_vec).collect();
        last.reverse();
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_stream_is_kept_whole() {
        let mut excerpt = Excerpt::default();
        excerpt.push(b"one\n\ntwo \r\n");
        excerpt.push(b"three");
        assert_eq!(excerpt.bytes(), b"one\n\ntwo \r\nthree");
        assert_eq!(excerpt.last_lines(2), [b"two".to_vec(), b"three".to_vec()]);
    }

    #[test]
    fn of_a_long_stream_head_and_tail_are_kept_in_bounded_memory() {
        for chunk in [1, 7, 1000, KEPT, 5 * KEPT] {
            let mut excerpt = Excerpt::default();
            let stream: Vec<u8> = (0..20 * KEPT as u32).map(|i| (i % 251) as u8).collect();
            stream.chunks(chunk).for_each(|part| excerpt.push(part));
            let kept = excerpt.bytes();
            assert!(kept.starts_with(&stream[..KEPT]) && kept.ends_with(&stream[19 * KEPT..]), "{chunk}");
            assert!(String::from_utf8_lossy(&kept).contains(&format!("{} bytes left out", 18 * KEPT)));
            assert!(excerpt.tail.capacity() <= 8 * KEPT);
        }
    }
}
