//! Where a game was lost, proved and not estimated.
//!
//! Owns the search for forced wins ([`Prover`]) and what it proves about a game that a side lost by
//! the rules ([`Turning`]): forced wins that the loser missed, and the ply from which on the loss
//! is proved. Uses the rules only through [`Position`], and knows no game, no clock and no chance:
//! the same log and the same bound of nodes give the same answer.
//!
//! ```
//! use arbiter_game::proof::{Proof, Prover};
//! use arbiter_rules::{Ruleset, Side};
//! let lineup = Ruleset::named("lineup", "n=3 blocks=none").unwrap();
//! // O threatens two lines at once: X can close one of them.
//! let position = lineup.read_position("O1X/2X/O1O X").unwrap();
//! let mut prover = Prover::new(Side::First);
//! let proof = prover.prove(&position, u32::MAX, 1_000);
//! assert_eq!(proof, Proof::Wins { within: 2, is_shortest: true });
//! ```
//!
//! [`Position`]: arbiter_rules::Position

mod search;
mod turning;

pub use search::{EVER, Proof, Prover};
pub use turning::{Claim, NODES, Turning, Unproved, Value};
