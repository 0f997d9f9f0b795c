//! The words of the keys that are not settings of a game.

use crate::text::words;

words! {
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
