//! Shards: the pairs of a tournament's games are dealt out to several runs, each with a folder of
//! its own, which are merged afterwards (docs/reference/sharing.md, Shards).
//!
//! ```
//! use arbiter_cup::tournament::Shard;
//! let second: Shard = "2/3".parse().unwrap();
//! assert_eq!((0..7).filter(|&pair| second.plays(pair)).collect::<Vec<_>>(), [1, 4]);
//! assert!("4/3".parse::<Shard>().is_err());
//! ```

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One of several runs that share the games of a tournament: `2/3` is the second of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    count: u32,
    /// From 1 to the count.
    number: u32,
}

/// Why a text is not a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write I/N, the number of the shard and how many there are, such as 2/3; I is from 1 to N")]
pub struct ShardError;

impl Shard {
    /// The only shard, which plays all games.
    pub const WHOLE: Shard = Shard { count: 1, number: 1 };

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many shards there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether it plays the pair with this index, from 0.
    pub fn plays(self, pair: u64) -> bool {
        pair % u64::from(self.count) + 1 == u64::from(self.number)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        // `parse` would also read a number with a plus sign.
        if text.contains('+') {
            return Err(ShardError);
        }
        if let Some((number, count)) = text.split_once('/')
            && let (Ok(number), Ok(count)) = (number.parse(), count.parse())
            && (1..=count).contains(&number)
        {
            return Ok(Shard { count, number });
        }
        Err(ShardError)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Shard, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_read_as_it_is_written() {
        for text in ["1/1", "2/3", "4294967295/4294967295"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in
            ["", "/", "1/", "/1", "0/1", "2/1", "0/0", " 1/2", "1/2 ", "+1/2", "1/4294967296"]
        {
            assert_eq!(text.parse::<Shard>(), Err(ShardError), "{text:?}");
        }
    }
}
