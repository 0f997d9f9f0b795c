//! **arbiter**: a referee and arena for bot programs over standard input and output.
//!
//! The program `arbiter` stands on this library. Its pure rooms read no file, no clock and no pipe,
//! and can be used by others: a bot in Rust searches with [`rules`], a course's own tools read logs
//! with [`record`] and judge games with [`game`]. Features say how much of it is there; each has
//! all of the one before:
//!
//! | feature | what it is for |
//! | --- | --- |
//! | `rules` | bots: [`rules`], [`seed`], [`record`] and what they need ([`text`], [`clock`], [`game`]), with four dependencies |
//! | `pure` | tools: all pure rooms |
//! | `program` | the program, by default |
//!
//! # A bot in Rust
//!
//! ```toml
//! [dependencies]
//! arbiter-arena = { version = "0.1", default-features = false, features = ["rules"] }
//! ```
//!
//! The page `docs/protocol.md` has the lines that it reads and writes. This is `examples/bot.rs`:
//!
//! ```no_run
#![doc = include_str!("../examples/bot.rs")]
//! ```
//!
//! # One ply
//!
//! ```text
//! referee.ask()              -> Turn: side, position, time                        game
//! players[side].ask(turn)    a program, or the plies of a log                     arena
//!   conversation.push_turn   the turn block                                       protocol
//!   write, then read chunks until the deadline; bytes to lines                    bot, protocol
//!   conversation.read        -> Answer: a ply, an illegal try, or what went wrong protocol, game
//! referee.answer(answer)     -> Step: clock, legality, rules, outcome             game, clock, rules
//! Event                      -> the log, the screen, the transcript               game, record, view, store
//! replay(record)             the logged plies through the same referee            replay
//! compare(record, again)     where a game that is played again leaves its log     replay
//! ```
//!
//! A tournament is the same game many times: [`tournament`] says which is next, a worker of the room
//! `arena` plays it, its record is in the journal of the room `store` before the next one begins, and
//! all tables are made from that journal.
//!
//! # The rooms
//!
//! A room is a file or a folder, and those that belong together are a crate in `src`;
//! `docs/architecture.md` says what each does. The rooms of the feature `program` are public for the
//! program's own tests and benchmarks only.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "pure")]
#[doc(inline)]
pub use {
    arbiter_config as config,
    arbiter_cup::{report, tournament},
    arbiter_engine::{bot_check, builtin, hotseat, rules_check},
    arbiter_game::{adapters, content, proof, protocol, replay},
    arbiter_rank::{rating, schedule, standings},
};
#[cfg(feature = "rules")]
#[doc(inline)]
pub use {
    arbiter_game as game,
    arbiter_game::{clock, game_id, openings, record},
    arbiter_rules as rules,
    arbiter_rules::{seed, text},
};

#[cfg(feature = "pure")]
pub mod grade;

#[cfg(feature = "program")]
#[doc(inline)]
pub use arbiter_host::{bot, files, locate, rules_process, sandbox};

#[cfg(feature = "program")]
pub mod arena;
#[cfg(feature = "program")]
mod check;
#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
mod display;
#[cfg(feature = "program")]
mod ground;
#[cfg(feature = "program")]
mod marking;
#[cfg(feature = "program")]
mod rerun;
#[cfg(feature = "program")]
mod run;
#[cfg(feature = "program")]
pub mod serve;
#[cfg(feature = "program")]
pub mod store;
#[cfg(feature = "program")]
mod tables;
#[cfg(feature = "program")]
pub mod view;
