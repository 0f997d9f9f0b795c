//! What chance decides, and what others must not guess: random numbers, and keys of a run.
//!
//! [`Generator`], SplitMix64, is the only source of random numbers. Its state is the first eight
//! bytes (big-endian) of the SHA-256 of the inputs' texts joined by newlines
//! (docs/reference/tournaments.md, Games, pairs, ids). [`SecretKey`] makes names that do not tell
//! what they stand for; [`RunSeed`] is one or the other for what bots are sent.
//!
//! ```
//! use arbiter_rules::seed::Generator;
//! let mut a = Generator::new(&[&42, &"conny~randy.1", &'B']);
//! let mut b = Generator::new(&[&42, &"conny~randy.1", &'B']);
//! assert_eq!(a.next_u64(), b.next_u64());
//! ```

use sha2::{Digest, Sha256};
use std::fmt::{self, Debug, Display, Write};

/// A sequence of random numbers that is the same on every machine and in every version.
#[derive(Debug, Clone)]
pub struct Generator {
    state: u64,
}

impl Generator {
    /// Seeds the generator with the texts of the inputs.
    pub fn new(inputs: &[&dyn Display]) -> Generator {
        let mut text = String::new();
        for (index, input) in inputs.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            let _ = write!(text, "{newline}{input}"); // writing to a String cannot fail
        }
        let digest = Sha256::digest(text.as_bytes());
        let state = digest.iter().take(8).fold(0, |state, &byte| state << 8 | u64::from(byte));
        Generator { state }
    }

    /// A generator with this state, such as the `seed` line that a bot receives.
    pub fn from_state(state: u64) -> Generator {
        Generator { state }
    }

    /// The next 64 bits: SplitMix64 of G. Steele, D. Lea and C. Flood, "Fast splittable
    /// pseudorandom number generators", OOPSLA 2014, 453-472.
    pub fn next_u64(&mut self) -> u64 {
        // The odd number next to 2^64 divided by the golden ratio; then the mixing function
        // "variant 13" of D. Stafford, which the reference implementation has.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A uniformly distributed number below `n`. Values from 2^64 - 2^64 mod n on are drawn again:
    /// with them, small numbers would be more frequent.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is no number below 0");
        let excess = (u64::MAX % n + 1) % n; // 2^64 mod n
        loop {
            let value = self.next_u64();
            if value <= u64::MAX - excess {
                return value % n;
            }
        }
    }
}

/// A secret from which a run makes what others see and cannot trace back: aliases, and what bots
/// are sent of a game. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct SecretKey(String);

impl SecretKey {
    /// The key that these bytes make, which others must not know.
    pub fn new(secret: &[u8]) -> SecretKey {
        SecretKey(hex(&Sha256::digest(secret)))
    }

    /// A name that follows from the key and these texts, and is random without the key: 40
    /// hexadecimal digits, 160 bits.
    ///
    /// ```
    /// # use arbiter_rules::seed::SecretKey;
    /// let key = SecretKey::new(b"of the run");
    /// assert_eq!(key.address(&["in", "zoe"]), "c4c1dd58ca6cc383f89002a3a106ffaf37c8f64d");
    /// assert_ne!(key.address(&["in", "zoe"]), key.address(&["i", "nzoe"]));
    /// ```
    pub fn address(&self, texts: &[&str]) -> String {
        let mut inner = Sha256::new_with_prefix(&self.0);
        for text in texts {
            // With its length, so that texts that are divided otherwise have another name.
            inner.update((text.len() as u64).to_be_bytes());
            inner.update(text);
        }
        // Twice, so that the name of one text does not lead to that of a longer one.
        hex(&Sha256::new_with_prefix(&self.0).chain_update(inner.finalize()).finalize()[..20])
    }

    /// Its text, for the journal and as an input of a [`Generator`].
    pub fn secret_text(&self) -> &str {
        &self.0
    }
}

/// Bytes as hex digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey")
    }
}

/// The seed of the ids and of the random bits that bots receive.
///
/// ```
/// use arbiter_rules::seed::{RunSeed, SecretKey};
/// let (open, secret) = (RunSeed::Open(42), RunSeed::Secret(SecretKey::new(b"of the run")));
/// assert_eq!(open.sent_id("conny~randy.1"), "202e5ca44edc487c");
/// assert_ne!(open.sent_id("conny~randy.1"), secret.sent_id("conny~randy.1"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunSeed {
    /// From the seed of the run, which others may know: the same run gives the same.
    Open(u64),
    /// From a secret key, so that no one finds the names of a game by trying.
    Secret(SecretKey),
}

impl RunSeed {
    fn input(&self) -> &dyn Display {
        match self {
            RunSeed::Open(seed) => seed,
            RunSeed::Secret(key) => &key.0,
        }
    }

    /// The id that the bots of a game are sent, 16 hexadecimal digits: it tells no names.
    pub fn sent_id(&self, game: &str) -> String {
        format!("{:016x}", Generator::new(&[self.input(), &game]).next_u64())
    }

    /// The random bits of a bot in a game (docs/reference/protocol.md, The start of a game), by the
    /// game's id and the letter of the bot's side.
    pub fn bot_seed(&self, game: &str, side: char) -> u64 {
        Generator::new(&[self.input(), &game, &side]).next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_gives_the_published_stream() {
        // The first outputs for state 1234567 in the reference implementation (Vigna,
        // splitmix64.c).
        let mut generator = Generator::from_state(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| generator.next_u64()).collect();
        assert_eq!(
            drawn,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn inputs_are_joined_by_newlines() {
        // So begins what `printf '42\nloa' | sha256sum` prints.
        assert_eq!(Generator::new(&[&42, &"loa"]).state, 0x5e7e_0ed5_dbb0_be9e);
    }

    #[test]
    fn below_stays_below_and_reaches_everything() {
        let mut generator = Generator::from_state(7);
        let mut seen = [false; 6];
        for _ in 0..600 {
            seen[generator.below(6) as usize] = true;
        }
        assert_eq!(seen, [true; 6]);
        assert_eq!(generator.below(1), 0);
    }
}
