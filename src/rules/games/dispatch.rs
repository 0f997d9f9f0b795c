//! From the table of the games to enums with one variant for each of them, which is how the right code is found without a
//! pointer and without allocating.

/// Takes the table of the games, which [`games`](super) explains. The first token is a `$`: macros that are defined here need
/// it for their own variables.
macro_rules! games {
    ($d:tt $(
        $(#[$about:meta])*
        $game:ident($rules:ty) => $([$small:ident($small_board:ty)])? $board:ident($any_board:ty);
    )+) => {
        /// One of the games.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Game {
            $($(#[$about])* $game,)+
        }

        impl Game {
            /// All games.
            pub const ALL: [Game; [$(Game::$game),+].len()] = [$(Game::$game),+];

            /// What is known of it without the values of its options.
            pub(in crate::rules) fn description(self) -> &'static GameDescription {
                match self {
                    $(Game::$game => &<$rules as GameRules>::GAME,)+
                }
            }

            /// Its rules with these options.
            pub(in crate::rules) fn rules(self, values: &OptionValues<'_>) -> Result<AnyRules, OptionError> {
                match self {
                    $(Game::$game => GameRules::new(values).map(AnyRules::$game),)+
                }
            }
        }

        /// The rules of one of the games.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(in crate::rules) enum AnyRules {
            $($game($rules),)+
        }

        impl AnyRules {
            pub(in crate::rules) fn game(self) -> Game {
                match self {
                    $(AnyRules::$game(_) => Game::$game,)+
                }
            }

            /// A board with these squares.
            pub(in crate::rules) fn board(self, cells: &BoardCells, side: Side) -> AnyBoard {
                match self {
                    $(AnyRules::$game(rules) => {
                        $(if rules.is_small() {
                            return AnyBoard::$small(GameBoard::new(rules, cells, side));
                        })?
                        AnyBoard::$board(GameBoard::new(rules, cells, side))
                    })+
                }
            }
        }

        $(impl From<$rules> for AnyRules {
            fn from(rules: $rules) -> AnyRules {
                AnyRules::$game(rules)
            }
        })+

        /// A board of one of the games.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(in crate::rules) enum AnyBoard {
            $($($small($small_board),)? $board($any_board),)+
        }

        impl AnyBoard {
            #[inline]
            pub(in crate::rules) fn repeats(&self, other: &AnyBoard) -> bool {
                match (self, other) {
                    $(
                        $((AnyBoard::$small(one), AnyBoard::$small(other)) => one.repeats(other),)?
                        (AnyBoard::$board(one), AnyBoard::$board(other)) => one.repeats(other),
                    )+
                    _ => false,
                }
            }
        }

        /// The legal plies of a board.
        #[derive(Debug, Clone)]
        pub(in crate::rules) enum AnyPlies {
            $($($small(<$small_board as GameBoard>::Plies),)? $board(<$any_board as GameBoard>::Plies),)+
        }

        /// Evaluates the expression with the rules of whichever game it is.
        macro_rules! each_rules {
            ($d of:expr, $d rules:ident => $d do:expr) => {
                match $d of {
                    $(AnyRules::$game($d rules) => $d do,)+
                }
            };
        }

        /// Evaluates the expression with the content of whichever variant of `AnyBoard` or `AnyPlies` it is.
        macro_rules! each {
            ($d kind:ident, $d of:expr, $d board:ident => $d do:expr) => {
                match $d of {
                    $($($d kind::$small($d board) => $d do,)? $d kind::$board($d board) => $d do,)+
                }
            };
        }

        /// Converts each variant of `AnyBoard` to the variant of the same name of `AnyBoard` or `AnyPlies`.
        macro_rules! map {
            ($d to:ident, $d of:expr, $d board:ident => $d do:expr) => {
                match $d of {
                    $(
                        $(AnyBoard::$small($d board) => $d to::$small($d do),)?
                        AnyBoard::$board($d board) => $d to::$board($d do),
                    )+
                }
            };
        }
    };
}
