//! The words of a movetext that are moves, and a hash of these.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Moves, as they come word by word.
#[derive(Debug, Default)]
pub(super) struct MoveHash {
    hasher: DefaultHasher,
    count: u64,
    /// A number that is a move unless a dot follows.
    number: Vec<u8>,
}

impl MoveHash {
    /// Takes the next word: a move, a move number, or both.
    pub(super) fn add(&mut self, word: &[u8]) {
        if word.first() == Some(&b'.') {
            self.number.clear();
        }
        self.count_number();
        let text = without_numbers(word);
        let glyphs = text.iter().rev().take_while(|&&byte| matches!(byte, b'!' | b'?')).count();
        let text = &text[..text.len() - glyphs];
        if text.iter().all(u8::is_ascii_digit) {
            self.number.extend(text);
        } else {
            self.count(text);
        }
    }

    /// Returns the hash and the number of the moves, if there are any, and begins the next game.
    pub(super) fn take(&mut self) -> Option<(u64, u64)> {
        self.count_number();
        let hash = (self.count > 0).then(|| (self.hasher.finish(), self.count));
        *self = MoveHash::default();
        hash
    }

    fn count_number(&mut self) {
        if !self.number.is_empty() {
            let number = std::mem::take(&mut self.number);
            self.count(&number);
        }
    }

    fn count(&mut self, text: &[u8]) {
        text.hash(&mut self.hasher);
        self.count += 1;
    }
}

/// A word without the move numbers that it begins with.
pub(super) fn without_numbers(mut word: &[u8]) -> &[u8] {
    loop {
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match word[digits..].iter().take_while(|&&byte| byte == b'.').count() {
            0 => return word,
            dots => word = &word[digits + dots..],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(words: &str) -> Option<(u64, u64)> {
        let mut moves = MoveHash::default();
        for word in words.split(' ') {
            moves.add(word.as_bytes());
        }
        moves.take()
    }

    #[test]
    fn move_numbers_and_glyphs_do_not_count() {
        let moves = hash("a2c4 c0b1 20");
        assert!(moves.is_some());
        for words in [
            "1. a2c4 c0b1 2. 20",
            "1.a2c4 1...c0b1 20",
            "1 . a2c4 1 ... c0b1 2 .20",
            "1. a2c4! !? c0b1?? 20",
        ] {
            assert_eq!(hash(words), moves, "{words}");
        }
        for words in ["a2c4 c0b1", "a2c4 c0b1 21", "a2c4c0b1 20", "a2c4 c0b1 20 3", "c0b1 a2c4 20"]
        {
            assert_ne!(hash(words), moves, "{words}");
        }
        assert_eq!((hash("1."), hash("1 . ..."), hash("1.1."), hash("")), (None, None, None, None));
    }
}
