//! The names of the formats, as configurations and tables write them.

use crate::text::words;

words! {
    /// A format without its numbers.
    FormatName {
        /// Each bot meets each other bot.
        RoundRobin = "round-robin",
        /// The first bots meet all others.
        Gauntlet = "gauntlet",
        /// Bots with equal scores meet, without elimination.
        Swiss = "swiss",
        /// The loser of a pairing is out.
        Knockout = "knockout",
        /// The first bot is tested against the second until it is decided.
        Sprt = "sprt",
    }
}
