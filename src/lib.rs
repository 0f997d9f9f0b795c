//! **arbiter**: a referee and arena for bot programs over standard input and output.
//!
//! The program `arbiter` is the command line on top of crates in folders of `src`; this library
//! gives them one name. Others use the crates: a bot in Rust searches with `arbiter-rules`
//! ([`rules`]), a course's own tools read logs and judge games with `arbiter-game` ([`game`],
//! [`record`]). Those two, `arbiter-rank`, `arbiter-engine`, `arbiter-config` and `arbiter-cup`
//! read no file, no clock and no pipe.
//!
//! # One ply
//!
//! ```text
//! referee.request()          -> Ask(Turn: side, position, time)              game
//! players[side].ask(turn)    a program, or the plies of a log                arena
//!   conversation.push_turn   the turn block                                  protocol
//!   write, then read chunks until the deadline; bytes to lines               bot, protocol
//!   conversation.read        -> Answer: a ply, an illegal try, or a fault    protocol, game
//! referee.hear(answer)       clock, legality                                 game, clock, rules
//! referee.request()          -> Ask(the next Turn) or Over(outcome)          game, rules
//! Event                      -> log, screen, transcript                      record, view, store
//! replay(record)             the logged plies through the same referee       replay
//! compare(record, again)     where a game played again leaves its log        replay
//! ```
//!
//! A tournament is the same game many times: [`tournament`] says which is next, a worker of the
//! room `arena` plays it, its record is in the journal of the room `store` before the next one
//! begins, and all tables are made from that journal.
//!
//! # The crates
//!
//! Each can be understood alone. Imports lead to crates above it in these tables; cargo holds that.
//!
//! **Pure crates** read no file, no clock and no pipe, start no process and never wait
//! (`clippy.toml` lists what they may not call). So decisions are tested without processes or time,
//! and replay is free.
//!
//! | crate | rooms | what they do |
//! | --- | --- | --- |
//! | `rules` | `seed` `text` and the rules | random numbers; texts of strangers; one file or folder a game in `rules/games`, and a row for it; the trait behind which a custom game stands |
//! | `game` | `clock` `game_id` `content` and the referee | clocks, ids, digests; settings, the referee, events, faults and their explanation |
//! | | `protocol` `adapters` | bytes to lines, one file a dialect; programs between arbiter and a bot of another kind |
//! | | `record` `replay` `proof` `openings` | a game's log; judging it; where it was lost; where games begin |
//! | `rank` | `schedule` `standings` `rating` | which games are played; what they add up to |
//! | `engine` | `builtin` `hotseat` `bot_check` `rules_check` | bots that come along; two people at a terminal; situations for a bot; trying rules out |
//! | `config` | | configurations and their mistakes |
//! | `cup` | `tournament` `report` | a run in progress; text, Markdown, JSON, JUnit and HTML from values |
//!
//! **Edge crates** touch the machine.
//!
//! | crate | rooms | what they do |
//! | --- | --- | --- |
//! | `host` | `files` `locate` `sandbox` `bot` | opening files; finding a program; restricting it; processes, pipes and deadlines |
//! | | `rules_process` | the rules of a custom game, as a process |
//! | `play` | `arena` | preparing and playing games: one way for `play`, `tournament`, `check`, `rerun` and `serve` |
//! | | `store` | the files of a result folder |
//! | `show` | `view` `serve` | the terminal; the browser |
//! | `ground` | | what every command needs before it runs programs: flags, isolation, bots and builds, output, failures |
//! | `run` | `tables` `display` | tables and pages from a journal; what is shown of running games |
//! | | `rerun` and the runs | a logged game again; tournaments, matches, games against people |
//! | `check` | | trying a bot, and the rules of a custom game |
//! | `grade` | `marking` and the marks | compiling and running homework; what is asked, and marks |
//! | `league` | `uploads` and the league | a tournament without an end: arrivals, versions, who plays whom |
//! | the program | `cli` | one file a command: parse, call, print |
//!
//! `run` and `check` do not know each other, and `league` uses both; `grade` knows the situations of
//! `check`.
//!
//! `docs/architecture.md` has the decisions that shape the rest.
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
