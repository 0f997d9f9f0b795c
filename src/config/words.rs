//! The words that a key may be: what the file says, as closed enums.

/// An enum each of whose variants is a word of the configuration.
pub(super) trait Word: Copy + PartialEq + 'static {
    /// Every variant, in the order in which they are offered.
    const ALL: &'static [Self];

    /// How the configuration writes it.
    fn word(self) -> &'static str;
}

macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$meaning])* $variant,)+
        }

        impl $name {
            /// How the configuration writes it.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }

        impl Word for $name {
            const ALL: &'static [$name] = &[$($name::$variant,)+];

            fn word(self) -> &'static str {
                $name::word(self)
            }
        }
    )+};
}

words! {
    /// Who meets whom.
    Format {
        /// Everybody meets everybody.
        RoundRobin = "round-robin",
        /// The first bots meet all others.
        Gauntlet = "gauntlet",
        /// Equals meet, without elimination.
        Swiss = "swiss",
        /// Who loses is out.
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

    /// Which time a bot is charged with.
    ClockKind {
        /// What passes on the wall.
        Wall = "wall",
        /// The processor time of the bot's processes.
        Cpu = "cpu",
    }

    /// Whether a bot that is not on move may go on thinking.
    Pondering {
        /// It is frozen.
        Off = "off",
        /// It runs.
        On = "on",
    }

    /// Whether a worker and its bots have a core of their own.
    Pin {
        /// Where bots off move are frozen and there are cores enough.
        Auto = "auto",
        /// Never.
        Off = "off",
    }

    /// How much is kept from a bot, from little to much.
    Sandbox {
        /// Nothing.
        Off = "off",
        /// What would harm the machine or the match by accident.
        Basic = "basic",
        /// Files but its own, the network, other processes.
        Strict = "strict",
    }

    /// The language that a bot speaks with the referee.
    Dialect {
        /// arbiter's own protocol.
        Native = "native",
        /// As on CodinGame.
        Codingame = "codingame",
        /// As on riddles.io.
        Riddles = "riddles",
    }

    /// What bots are called in tables, pages and logs.
    Names {
        /// Their names.
        Name = "name",
        /// Pseudonyms; only the feedback has the real ones.
        Alias = "alias",
    }

    /// Who may read what bots wrote to stderr.
    Stderr {
        /// Its bot's author.
        Private = "private",
        /// Whoever reads the JUnit file, the step summary or the report.
        Public = "public",
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
        /// Just the share.
        Exactly = "==",
    }
}

/// Whether a game that the machine disturbed is played again: `replay-disturbed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disturbed {
    /// It counts as it is: `false`.
    Counts,
    /// It is played again: `true`.
    Replayed,
}
