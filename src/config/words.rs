//! Enums for keys that take one of several words and are not settings of a game.

use arbiter_rules::text::words;

words! {
    /// The names of bots in tables, pages and logs.
    Names {
        /// Their real names.
        Name = "name",
        /// Pseudonyms; only the feedback has the real names.
        Alias = "alias",
    }

    /// Where the authors of bots find their feedback.
    FeedbackPlace {
        /// In the result folder: the organiser hands it out.
        Private = "private",
        /// Also in a folder of pages with random names.
        Links = "links",
    }

    /// What becomes of the games of a content that a bot had before, when it comes back.
    Restored {
        /// They count again.
        Count = "count",
        /// They do not: it is a new version, whose games are played anew.
        Anew = "anew",
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
