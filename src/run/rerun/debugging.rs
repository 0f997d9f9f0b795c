//! What a rerun shows while it plays: what programs write beside the protocol, the command for a
//! debugger, and the request that it stops before.

use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_game::{Channel, Event, Watcher};
use arbiter_ground::output::{complain, print_if_open};
use arbiter_rules::text::{harmless, printable};
use std::sync::{Mutex, PoisonError};

/// The most bytes of a line that are shown.
const LINE: usize = 2_000;

/// Shows the events of a rerun.
#[derive(Debug)]
pub struct Observer {
    anonymizer: Anonymizer,
    shown: Shown,
    asked: Mutex<LastRequest>,
}

/// What is shown of the lines to programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    Nothing,
    /// The last request is kept: the game stops before a ply.
    LastRequest,
    /// What an adapter sends to its bot is printed.
    Sent,
}

/// The last question.
#[derive(Debug, Clone, Default)]
pub struct LastRequest {
    /// The number of its ply, from 1; 0 before the first.
    pub ply: usize,
    /// The request; empty if the log was asked, and if requests are not kept.
    pub request: String,
    /// The game is over: what is sent from now on is no question.
    over: bool,
}

impl Observer {
    /// `anonymizer` is for what programs write.
    pub fn new(shown: Shown, anonymizer: Anonymizer) -> Observer {
        Observer { anonymizer, shown, asked: Mutex::default() }
    }

    /// The last question.
    pub fn asked(&self) -> LastRequest {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Watcher for Observer {
    fn wants(&self, channel: Channel) -> bool {
        match channel {
            Channel::Request => self.shown == Shown::LastRequest,
            Channel::Sent => self.shown == Shown::Sent,
            Channel::Reply | Channel::Said => false,
            Channel::Unrecognised | Channel::Stderr => true,
        }
    }

    fn event(&self, event: Event) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Asked { number, .. } => {
                *asked = LastRequest { ply: number, ..LastRequest::default() }
            }
            Event::Line { channel: Channel::Request, .. } if asked.over => {}
            Event::Line { channel: Channel::Request, line, .. } => {
                asked.request.push_str(&String::from_utf8_lossy(&line));
                asked.request.push('\n');
            }
            Event::Line { channel: Channel::Sent, line, .. } => {
                // A reader that has seen enough ends nothing.
                let _ = print_if_open(harmless(&String::from_utf8_lossy(&line)));
            }
            Event::Line { player, channel, line, correction } => {
                let line = self.anonymizer.clean(&printable(line.trim_ascii_end(), LINE));
                let mark = if channel == Channel::Stderr { "!" } else { "?" };
                let correction = match correction {
                    Some(right) => format!("  (write: {right})"),
                    None => String::new(),
                };
                complain(format_args!("{player} {mark} {line}{correction}"));
            }
            Event::Held { player, pid } => complain(how_to_debug(&player, pid)),
            Event::Ended { .. } => asked.over = true,
            Event::Began { .. }
            | Event::Ready { .. }
            | Event::Played { .. }
            | Event::Refused { .. } => {}
        }
    }
}

/// What can be done with a program that is stopped. Without `handle`, gdb would deliver the SIGSTOP
/// that stopped it once more.
fn how_to_debug(player: &str, pid: u32) -> String {
    format!(
        "{player} is stopped and has no time limits. To look at it, and to go on by `continue` \
there:
  gdb -p {pid} -ex 'handle SIGSTOP nostop noprint nopass'
To go on without a debugger: kill -CONT {pid}
The program's own input is the protocol, so a debugger that wants the terminal must be reached \
through a port, which needs --sandbox basic:
  Python  remote_pdb.set_trace(\"127.0.0.1\", 4444) in the bot (pip install remote-pdb), then: \
nc 127.0.0.1 4444
  node    kill -USR1 {pid}, or the bot as \"node --inspect bot.js\", then chrome://inspect
  Java    the bot as \"java -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=5005 \
Bot\", then: jdb -attach 5005
If the system does not let a debugger attach: sudo, or sysctl kernel.yama.ptrace_scope=0"
    )
}
