//! `arbiter bot`: a built-in bot on standard input and output; the arena starts it like any other
//! program.

use super::{CommandResult, Verdict};
use anyhow::{Context, anyhow};
use arbiter_engine::builtin::{Action, BuiltinBot};
use arbiter_game::protocol::Dialect;
use arbiter_ground::output::write_out;
use clap::Args;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, BufRead, BufReader, Read};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  arbiter bot greedy                              speaks the protocol of docs/reference/protocol.md
  arbiter bot \"search?nodes=5000\" --dialect ugi   for programs of the Universal Game Interface";

/// Run a built-in bot on stdin and stdout
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BotCommand {
    /// random, greedy or search, this one with options such as search?nodes=5000
    name: String,
    /// What it speaks
    #[arg(long, value_name = "DIALECT", default_value = "native")]
    #[arg(value_parser = [Dialect::Native.word(), Dialect::Ugi.word()])]
    dialect: String,
}

impl BotCommand {
    pub(super) fn run(self) -> CommandResult {
        let mut bot =
            BuiltinBot::named(&self.name).map_err(|what| anyhow!("{}: {what}", self.name))?;
        if self.dialect == Dialect::Ugi.word() {
            bot = bot.speaking_ugi();
        }
        let mut input = BufReader::new(StandardInput);
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line).context("reading standard input")? == 0 {
                return Ok(Verdict::DONE);
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end_matches(['\n', '\r']);
            match bot.receive(text).context("the referee's line")? {
                None => {}
                Some(Action::Quit) => return Ok(Verdict::DONE),
                Some(Action::Say(words)) => write_out(words)?,
                Some(Action::Think) => {
                    let began = Instant::now();
                    write_out(bot.think(&mut || began.elapsed()))?;
                    bot.ponder(&mut || is_waiting(&input));
                }
            }
        }
    }
}

/// Standard input without a buffer of its own: whether a line waits could not be said of
/// [`io::Stdin`].
struct StandardInput;

impl Read for StandardInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(rustix::stdio::stdin(), buffer)?)
    }
}

/// Whether a read would return at once: also at the end of the input.
fn is_waiting(input: &BufReader<StandardInput>) -> bool {
    let stdin = rustix::stdio::stdin();
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    !input.buffer().is_empty()
        || poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&at_once)) != Ok(0)
}
