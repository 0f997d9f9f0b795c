//! The words of the keys that are not settings of a game.

use crate::text::words;

words! {
    /// Who meets whom.
    Format {
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

    /// In which unit the hypotheses of an SPRT are.
    Model {
        /// Normalised Elo.
        Normalized = "normalized",
        /// Logistic Elo.
        Logistic = "logistic",
    }

    /// What bots are called in tables, pages and logs.
    Names {
        /// Their names.
        Name = "name",
        /// Pseudonyms; only the feedback has the real ones.
        Alias = "alias",
    }

    /// What a test case of the JUnit file is.
    Junit {
        /// A bot, with its losses inside.
        Bots = "bots",
        /// A game.
        Games = "games",
    }

    /// How a score share is compared.
    Relation {
        /// The share or more.
        AtLeast = ">=",
        /// More than the share.
        Above = ">",
        /// The share or less.
        AtMost = "<=",
        /// Less than the share.
        Below = "<",
        /// Exactly the share.
        Exactly = "==",
    }
}
