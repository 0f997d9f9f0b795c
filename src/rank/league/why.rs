//! Why two bots play: what readers see beside a pair in the queue.

use std::fmt;

/// Why a pair is the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Why {
    /// The author of the first bot asked for it.
    AskedFor,
    /// The first bot's present version has played few games.
    Newcomer {
        /// Its games so far.
        games: u64,
        /// With so many it is no newcomer any more.
        of: u64,
    },
    /// The first bot has not played for the longest time.
    WaitedLongest {
        /// The number of pairs that were handed out since its last one.
        pairs: u64,
    },
    /// Nobody can tell which of the two is the stronger one.
    Undecided {
        /// The ranks of the two by what is known of their strengths, the better one first.
        ranks: [usize; 2],
    },
    /// Another game narrows the interval of the first bot.
    WideInterval {
        /// Half the 95 % interval, in Elo.
        elo: u64,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::AskedFor => write!(f, "asked for"),
            Why::Newcomer { games, of } => write!(f, "newcomer: {games} of {of} games"),
            Why::WaitedLongest { pairs } => {
                write!(f, "has waited longest: {pairs} pairs of others")
            }
            Why::Undecided { ranks: [better, worse] } => {
                write!(f, "ranks {better} and {worse} are not told apart")
            }
            Why::WideInterval { elo } => write!(f, "its rating is known to ±{elo} Elo only"),
        }
    }
}
