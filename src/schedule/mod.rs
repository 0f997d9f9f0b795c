//! Which games are to be played: pairings as a lazy sequence with stable ids (tournaments.md, Games, pairs, ids).
//!
//! Knows nothing of bots, rules or results. So far there is the match of two bots; the tournament formats will stand
//! beside it.
//!
//! ```
//! use arbiter::schedule::duel;
//! let games: Vec<_> = duel(["randy", "conny"], 3).collect();
//! assert_eq!(games[0].id, "conny~randy.1");
//! assert_eq!((games[0].first, games[1].first), (0, 1)); // sides alternate
//! assert_eq!((games[1].pair, games[2].pair), (Some(1), None)); // an odd one stands alone
//! ```

/// One game that is to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// `A~B.N`: the names in byte order and the number of the game between them, from 1.
    pub id: String,
    /// The number of the game between them, from 1.
    pub number: u32,
    /// Which of the two bots has the first side: 0 or 1.
    pub first: usize,
    /// The number of the pair that it belongs to, from 1; none for an odd game.
    pub pair: Option<u32>,
}

/// A match of two bots: `games` games, sides alternating; the first bot has the first side in game 1.
pub fn duel(names: [&str; 2], games: u32) -> impl Iterator<Item = Pairing> + use<> {
    let (low, high) = if names[0] <= names[1] { (names[0], names[1]) } else { (names[1], names[0]) };
    let prefix = format!("{low}~{high}");
    (1..=games).map(move |number| Pairing {
        id: format!("{prefix}.{number}"),
        number,
        first: usize::from(number % 2 == 0),
        pair: (number < games || number % 2 == 0).then_some(number.div_ceil(2)),
    })
}
