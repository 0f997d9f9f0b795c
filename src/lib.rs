//! **arbiter**: a referee and arena for bot programs over standard input and output.
//!
//! The program `arbiter` stands on this library. Its pure rooms read no file, no clock and no pipe, and can be used by
//! others: a bot in Rust searches with [`rules`], a course's own tools read logs with [`record`] and judge games with
//! [`game`]. Features say how much of it is there; each has all of the one before:
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
//! A tournament is the same game many times: [`tournament`] says which is next, a worker of the room `arena` plays it, its
//! record is in the journal of the room `store` before the next one begins, and all tables are made from that journal.
//!
//! # The rooms
//!
//! Imports go downward only; `tests/layering.rs` holds the table. Pure rooms, from the ground up: [`seed`], [`text`],
//! [`clock`] and [`mod@game_id`] know nothing of the rest; [`rules`] has a file for each game; [`game`] has the settings, the referee, the
//! events and the explanation of faults; [`protocol`] is the conversation with a bot as text; [`record`] is a game's log
//! and [`mod@replay`] judges one and compares two; [`proof`] says where a lost game was lost; [`openings`] are the positions that games begin from; [`schedule`]
//! says which games are played; [`standings`] counts points, [`rating`] estimates strength; [`mod@content`]
//! identifies a bot; [`config`] reads configurations; [`rules_check`] tries the rules of a game of one's own out; [`bot_check`] has the situations that a bot is checked in; [`tournament`] is a schedule in progress; [`report`] writes text for
//! people and programs; [`builtin`] has the bots that come along; [`hotseat`] is two people at one terminal; [`grade`] marks what students hand in.
//!
//! The rooms of the feature `program`: `files` opens files to read, `locate` finds a program and what it has to read,
//! `sandbox` restricts the process that becomes a bot, `bot` has processes, pipes and deadlines, `rules_process` runs the rules of games of one's own, `arena` plays games with its workers, `store` keeps files, `view`
//! draws on the terminal, `serve` answers browsers, `director` prepares and runs games and tournaments, and `cli` has the commands; only `cli` sees all.
//! They are public for the program's own tests and benchmarks, but for `director`.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "rules")]
pub mod clock;
#[cfg(feature = "rules")]
pub mod game;
#[cfg(feature = "rules")]
pub mod record;
#[cfg(feature = "rules")]
pub mod rules;
#[cfg(feature = "rules")]
pub mod seed;
#[cfg(feature = "rules")]
pub mod text;

#[cfg(feature = "pure")]
pub mod bot_check;
#[cfg(feature = "pure")]
pub mod builtin;
#[cfg(feature = "pure")]
pub mod config;
#[cfg(feature = "pure")]
pub mod content;
#[cfg(feature = "pure")]
pub mod game_id;
#[cfg(feature = "pure")]
pub mod grade;
#[cfg(feature = "pure")]
pub mod hotseat;
#[cfg(feature = "pure")]
pub mod openings;
#[cfg(feature = "pure")]
pub mod proof;
#[cfg(feature = "pure")]
pub mod protocol;
#[cfg(feature = "pure")]
pub mod rating;
#[cfg(feature = "pure")]
pub mod replay;
#[cfg(feature = "pure")]
pub mod report;
#[cfg(feature = "pure")]
pub mod rules_check;
#[cfg(feature = "pure")]
pub mod schedule;
#[cfg(feature = "pure")]
pub mod standings;
#[cfg(feature = "pure")]
pub mod tournament;

#[cfg(feature = "program")]
pub mod arena;
#[cfg(feature = "program")]
pub mod bot;
#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
mod director;
#[cfg(feature = "program")]
pub mod files;
#[cfg(feature = "program")]
pub mod locate;
#[cfg(feature = "program")]
pub mod rules_process;
#[cfg(feature = "program")]
pub mod sandbox;
#[cfg(feature = "program")]
pub mod serve;
#[cfg(feature = "program")]
pub mod store;
#[cfg(feature = "program")]
pub mod view;
