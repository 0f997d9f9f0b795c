//! From the table of the games to enums with one variant for each of them, which is how the right
//! code is found without a pointer and without allocating.
//!
//! [`Game`](super::Game) is a game, `AnyRules` one with its options, `AnyBoard` a position,
//! `AnyPlies` an iterator over its plies. `each_rules`, `each` and `map` write the `match` over
//! them: the same expression in each arm, compiled for the type that is there. Custom games have
//! the variant `Own` in all of them; their types implement neither [`GameRules`](super::GameRules)
//! nor [`GameBoard`](super::GameBoard), which are for values that are copied, but have methods of
//! the same names.

/// Takes the table of the games, which [`games`](super) explains. The first token is a `$`: macros
/// that are defined here need it for their own variables.
macro_rules! games {
    ($d:tt $(
        $(#[$about:meta])*
        $game:ident($rules:ty) => $([$small:ident($small_board:ty)])? $board:ident($any_board:ty);
    )+) => {
        /// One of the games.
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Game {
            $($(#[$about])* $game,)+
            /// A custom game.
            Own(OwnGame),
        }

        impl Game {
            /// The games that arbiter has itself.
            pub const ALL: [Game; [$(stringify!($game)),+].len()] = [$(Game::$game),+];

            /// Their names, in the same order.
            pub const NAMES: [&'static str; Game::ALL.len()] =
                [$(<$rules as GameRules>::GAME.name),+];

            /// What is known of it without the values of its options.
            pub(crate) fn description(&self) -> GameDescription<'_> {
                match self {
                    $(Game::$game => <$rules as GameRules>::GAME,)+
                    Game::Own(game) => game.description(),
                }
            }

            /// Its rules with these options, which may be none of the game's.
            pub(crate) fn rules(&self, set: &[(String, String)]) -> Result<AnyRules, OptionError> {
                match self {
                    $(Game::$game => {
                        let values = OptionValues::new(self.name(), self.options(), set)?;
                        GameRules::new(&values).map(AnyRules::$game)
                    })+
                    Game::Own(game) => game.with_options(set).map(AnyRules::from),
                }
            }
        }

        /// The rules of one of the games.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub(crate) enum AnyRules {
            $($game($rules),)+
            /// With its game, so that it can be named as that of the others.
            Own(OwnRules, Game),
        }

        impl AnyRules {
            pub(crate) fn game(&self) -> &Game {
                match self {
                    $(AnyRules::$game(_) => &Game::$game,)+
                    AnyRules::Own(_, game) => game,
                }
            }

            /// The start position.
            pub(crate) fn start(&self) -> AnyBoard {
                match *self {
                    $(AnyRules::$game(rules) => {
                        let cells = GameRules::start(rules);
                        $(if rules.is_small() {
                            return AnyBoard::$small(GameBoard::new(rules, &cells, Side::First));
                        })?
                        AnyBoard::$board(GameBoard::new(rules, &cells, Side::First))
                    })+
                    AnyRules::Own(ref rules, _) => AnyBoard::Own(rules.start()),
                }
            }

            /// The position of a text.
            pub(crate) fn read_position(&self, text: &str) -> Result<AnyBoard, PositionError> {
                match *self {
                    $(AnyRules::$game(rules) => {
                        let (cells, side, extra) = rules.position_format().read(text)?;
                        $(if rules.is_small() {
                            let board: $small_board = GameBoard::new(rules, &cells, side);
                            return board.set_up(extra).map(AnyBoard::$small);
                        })?
                        let board: $any_board = GameBoard::new(rules, &cells, side);
                        board.set_up(extra).map(AnyBoard::$board)
                    })+
                    AnyRules::Own(ref rules, _) => rules.read_position(text).map(AnyBoard::Own),
                }
            }
        }

        $(impl From<$rules> for AnyRules {
            fn from(rules: $rules) -> AnyRules {
                AnyRules::$game(rules)
            }
        })+

        /// A board of one of the games.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub(crate) enum AnyBoard {
            $($($small($small_board),)? $board($any_board),)+
            Own(OwnBoard),
        }

        impl AnyBoard {
            #[inline]
            pub(crate) fn repeats(&self, other: &AnyBoard) -> bool {
                match (self, other) {
                    $(
                        $((AnyBoard::$small(one), AnyBoard::$small(other)) => one.repeats(other),)?
                        (AnyBoard::$board(one), AnyBoard::$board(other)) => one.repeats(other),
                    )+
                    (AnyBoard::Own(one), AnyBoard::Own(other)) => one.repeats(other),
                    _ => false,
                }
            }
        }

        /// The legal plies of a board.
        #[derive(Debug, Clone)]
        pub(crate) enum AnyPlies {
            $(
                $($small(<$small_board as GameBoard>::Plies),)?
                $board(<$any_board as GameBoard>::Plies),
            )+
            Own(OwnPlies),
        }

        /// Evaluates the expression with the rules of whichever game it is.
        macro_rules! each_rules {
            ($d of:expr, $d rules:ident => $d do:expr) => {
                match $d of {
                    $(AnyRules::$game($d rules) => $d do,)+
                    AnyRules::Own($d rules, _) => $d do,
                }
            };
        }

        /// Evaluates the expression with the content of whichever variant of `AnyBoard` or
        /// `AnyPlies` it is; a second one is for custom games.
        macro_rules! each {
            ($d kind:ident, $d of:expr, $d board:ident => $d do:expr) => {
                each!($d kind, $d of, $d board => $d do, own $d board => $d do)
            };
            (
                $d kind:ident, $d of:expr, $d board:ident => $d do:expr,
                own $d own:ident => $d other:expr
            ) => {
                match $d of {
                    $($($d kind::$small($d board) => $d do,)? $d kind::$board($d board) => $d do,)+
                    $d kind::Own($d own) => $d other,
                }
            };
        }

        /// Converts each variant of `AnyBoard` to the variant of the same name of `AnyBoard` or
        /// `AnyPlies`.
        macro_rules! map {
            ($d to:ident, $d of:expr, $d board:ident => $d do:expr) => {
                match $d of {
                    $(
                        $(AnyBoard::$small($d board) => $d to::$small($d do),)?
                        AnyBoard::$board($d board) => $d to::$board($d do),
                    )+
                    AnyBoard::Own($d board) => $d to::Own($d do),
                }
            };
        }
    };
}
