//! The rules of a custom game (docs/reference/custom-games.md): a Python file or a program, which
//! runs as a process and is asked about positions and moves.
//!
//! [`RulesFile::load`] reads the content once, keeps a private copy of it, and asks for its
//! options; `ruleset` gives the rules with values of the options. Behind a ruleset stands an engine
//! that asks a process, for a thread that blocks or on its event loop: it takes an idle one or
//! starts one, so that there are as many as questions are asked at the same time. The processes and
//! the copy go with the last ruleset. (If arbiter is killed, the wardens end the processes.) Knows
//! nothing of bots, games and the command line.
//!
//! ```no_run
//! use arbiter_host::bot::{Launcher, myself};
//! use arbiter_game::{Limits, Sandbox};
//! use arbiter_host::rules_process::RulesFile;
//! let launcher = Launcher::new(myself(), Sandbox::Basic);
//! let file = "games/connect4.py".as_ref();
//! let rules = RulesFile::load(file, &launcher, &Limits::default())?;
//! let ruleset = rules.ruleset(&[("columns".to_owned(), "9".to_owned())])?;
//! assert_eq!(ruleset.start().plies().count(), 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Processes: each has a warden above it, as bots have (`bot`). The author of the rules is trusted
//! as little as the author of a bot: under `strict` a process reads its own copy and what its
//! interpreter needs, and writes nothing.

mod copy;
mod engine;
mod load;
mod pool;
mod process;
mod trial;

pub use load::{DRIVER, DRIVER_NAME, RulesFile, RulesFileError};
pub use trial::{try_adapter, try_adapters};
