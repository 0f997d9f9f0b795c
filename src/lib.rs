//! **arbiter**: a referee and arena for bot programs over standard input and output.
//!
//! The program `arbiter` stands on this library. Its pure rooms read no file, no clock and no pipe, and can be used by
//! others: a bot in Rust searches with [`rules`], a course's own tools read logs with [`record`] and judge games with
//! [`game`]. They are all there is without the default feature `program`.
//!
//! # One ply
//!
//! ```text
//! referee.ask()              -> Turn: side, position, time                        game
//! players[side].ask(turn)    a program, or the plies of a log                     arena
//!   conversation.push_turn   the turn block                                       protocol
//!   write, then read chunks until the deadline; bytes to lines                    bot, protocol
//!   conversation.read_ply    -> Answer: a ply, an illegal try, or what went wrong protocol, game
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
//! and [`mod@replay`] judges one and compares two; [`openings`] are the positions that games begin from; [`schedule`]
//! says which games are played; [`standings`] counts points, [`rating`] estimates strength; [`mod@content`]
//! identifies a bot; [`config`] reads configurations; [`tournament`] is a schedule in progress; [`report`] writes text for
//! people and programs; [`builtin`] has the bots that come along; [`hotseat`] is two people at one terminal.
//!
//! The rooms of the feature `program`: `files` opens files to read, `locate` finds a program and what it has to read,
//! `sandbox` restricts the process that becomes a bot, `bot` has processes, pipes and deadlines, `arena` plays games with its workers, `store` keeps files, `view`
//! draws on the terminal, `serve` answers browsers, and `cli` has the commands; only `cli` sees all. They are public for the program's own tests and
//! benchmarks.
#![forbid(unsafe_code)]

pub mod builtin;
pub mod clock;
pub mod config;
pub mod content;
pub mod game;
pub mod game_id;
pub mod hotseat;
pub mod openings;
pub mod protocol;
pub mod rating;
pub mod record;
pub mod replay;
pub mod report;
pub mod rules;
pub mod schedule;
pub mod seed;
pub mod standings;
pub mod text;
pub mod tournament;

#[cfg(feature = "program")]
pub mod arena;
#[cfg(feature = "program")]
pub mod bot;
#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
pub mod files;
#[cfg(feature = "program")]
pub mod locate;
#[cfg(feature = "program")]
pub mod sandbox;
#[cfg(feature = "program")]
pub mod serve;
#[cfg(feature = "program")]
pub mod store;
#[cfg(feature = "program")]
pub mod view;
