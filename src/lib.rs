//! **arbiter**: a referee and arena for bot programs over standard input and output.
//!
//! The program `arbiter` is the command line on top of crates in folders of `src`; this library
//! gives them one name. Others use the crates: a bot in Rust searches with `arbiter-rules`
//! ([`rules`]), a course's own tools read logs and judge games with `arbiter-game` ([`game`],
//! [`record`]). Those two, `arbiter-rank`, `arbiter-engine`, `arbiter-config` and `arbiter-cup` read
//! no file, no clock and no pipe.
//!
//! # One ply
//!
//! ```text
//! referee.request()          -> Ask(Turn: side, position, time)                   game
//! players[side].ask(turn)    a program, or the plies of a log                     arena
//!   conversation.push_turn   the turn block                                       protocol
//!   write, then read chunks until the deadline; bytes to lines                    bot, protocol
//!   conversation.read        -> Answer: a ply, an illegal try, or what went wrong protocol, game
//! referee.hear(answer)       clock, legality                                      game, clock, rules
//! referee.request()          -> Ask(the next Turn) or Over(outcome)               game, rules
//! Event                      -> the log, the screen, the transcript               game, record, view, store
//! replay(record)             the logged plies through the same referee            replay
//! compare(record, again)     where a game that is played again leaves its log     replay
//! ```
//!
//! A tournament is the same game many times: [`tournament`] says which is next, a worker of the room
//! `arena` plays it, its record is in the journal of the room `store` before the next one begins, and
//! all tables are made from that journal.
//!
//! # The crates
//!
//! `docs/architecture.md` says what each of them does.
#![forbid(unsafe_code)]

#[doc(inline)]
pub use {
    arbiter_config as config,
    arbiter_cup::{report, tournament},
    arbiter_engine::{bot_check, builtin, hotseat, rules_check},
    arbiter_game as game,
    arbiter_game::{adapters, clock, content, game_id, openings, proof, protocol, record, replay},
    arbiter_grade as grade,
    arbiter_host::{bot, files, locate, rules_process, sandbox},
    arbiter_play::{arena, store},
    arbiter_rank::{rating, schedule, standings},
    arbiter_rules as rules,
    arbiter_rules::{seed, text},
    arbiter_show::{serve, view},
};

pub mod cli;
