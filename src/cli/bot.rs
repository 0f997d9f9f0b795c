//! `arbiter bot`: a built-in bot on standard input and output; the arena starts it like any other program.

use super::CommandResult;
use crate::builtin::{Action, BuiltinBot};
use crate::director::write_out;
use crate::protocol::Dialect;
use anyhow::{Context, anyhow};
use clap::Args;
use std::io::{self, BufRead};
use std::process::ExitCode;
use std::time::Instant;

/// Run a built-in bot on stdin and stdout
#[derive(Debug, Args)]
pub struct BotCommand {
    /// random, greedy or search, this one with options such as search?nodes=5000
    name: String,
    /// What it speaks
    #[arg(long, value_name = "DIALECT", value_parser = [Dialect::Native.word(), Dialect::Ugi.word()], default_value = "native")]
    dialect: String,
}

impl BotCommand {
    pub(super) fn run(self) -> CommandResult {
        let mut bot = BuiltinBot::named(&self.name).map_err(|what| anyhow!("{}: {what}", self.name))?;
        if self.dialect == Dialect::Ugi.word() {
            bot = bot.speaking_ugi();
        }
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line).context("reading standard input")? == 0 {
                return Ok(ExitCode::SUCCESS);
            }
            let text = String::from_utf8_lossy(&line);
            let action = bot.receive(text.trim_end_matches(['\n', '\r'])).context("the referee's line")?;
            let words = match action {
                None => continue,
                Some(Action::Quit) => return Ok(ExitCode::SUCCESS),
                Some(Action::Say(words)) => words,
                Some(Action::Think) => {
                    let began = Instant::now();
                    bot.think(&mut || began.elapsed())
                }
            };
            write_out(words)?;
        }
    }
}
