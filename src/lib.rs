//! **arbiter**: a referee and arena for bot programs over standard input and output.
//!
//! The program `arbiter` stands on this library. Its pure rooms read no file, no clock and no pipe, and can be used by
//! others: a bot in Rust searches with [`rules`], a course's own tools read logs with [`record`].
//!
//! # The way of one ply
//!
//! ```text
//! referee.ask()                who is to decide, and with how much time          referee
//! protocol::native::push_turn  the turn block                                    protocol
//! bot.ask(request, allowance)  write, then read chunks until the deadline        bot
//!                              bytes to lines to an Answer                       protocol
//! referee.answer(answer)       clock, legality, rules, outcome                   referee, clock, rules
//! Event, Record                for those who watch, and for the log              arena, record, store, view
//! replay::replay(record)       the logged plies through the same referee         replay
//! ```
//!
//! A tournament is the same game many times: [`course`] says which is next, a worker of [`arena`] plays it, its record is
//! in the journal of [`store`] before anything else happens, and all that is shown is a walk through that journal.
//!
//! # The rooms
//!
//! Imports go downward only; `tests/layering.rs` holds the table. Pure rooms, from the ground up: [`seed`] and [`clock`]
//! know nothing of the rest, [`rules`] has a file for each game, [`config`] is what a tournament is asked to be,
//! [`protocol`] is the conversation with a bot as text, [`record`] a game's log, [`referee`] the one place where an
//! outcome is made, [`mod@replay`] a log through that referee, [`explain`] the words for a bot's author, [`schedule`]
//! which games are to be played, [`openings`] where they begin, [`standings`] points and counts, [`rating`] what they say
//! of strength, [`course`] a schedule on its way, [`report`] text for people and programs, [`builtin`] the bots that come
//! along, [`hotseat`] two people at one terminal.
//!
//! At the edge: [`locate`] finds a program and what it has to read, [`sandbox`] restricts the process that becomes a bot,
//! [`bot`] has processes, pipes and deadlines, [`arena`] the loop of ask and answer and its workers,
//! [`store`] the files, [`view`] the terminal, and [`cli`] the commands; only `cli` sees all.
#![forbid(unsafe_code)]

pub mod arena;
pub mod bot;
pub mod builtin;
pub mod cli;
pub mod clock;
pub mod config;
pub mod game;
pub mod hotseat;
pub mod locate;
pub mod openings;
pub mod protocol;
pub mod rating;
pub mod record;
pub mod replay;
pub mod report;
pub mod rules;
pub mod sandbox;
pub mod schedule;
pub mod seed;
pub mod standings;
pub mod store;
pub mod text;
pub mod tournament;
pub mod view;
