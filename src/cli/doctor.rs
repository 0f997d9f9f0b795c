//! `arbiter doctor`: how well this machine can isolate bots and time them, and how to improve that.

use super::CommandResult;
use arbiter_game::Sandbox;
use arbiter_ground::isolation::{LACKING, advice, levels, spare_cores};
use arbiter_ground::output::write_out;
use arbiter_host::sandbox::{Isolation, STRICTEST};
use clap::Args;
use std::fmt::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  arbiter doctor                                  before a tournament with bots of strangers";

/// Show how well bots are isolated on this machine, and how to improve it
///
/// Arbiter's own program tries what a hostile bot would, once for each level of isolation.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DoctorCommand {}

impl DoctorCommand {
    #[expect(clippy::unused_self, reason = "every command is run in the same way")]
    pub(super) fn run(self) -> CommandResult {
        let mut text = String::new();
        let strict = if STRICTEST == Sandbox::Strict {
            let [off, basic, strict] = levels()?;
            let _ = writeln!(
                text,
                "{:36} {:8} {:8} {:8}",
                "what a bot may try", "off", "basic", "strict"
            );
            for ((one, two), three) in off.probes.iter().zip(&basic.probes).zip(&strict.probes) {
                let word = |open: bool| if open { "open" } else { "refused" };
                let row = [one, two, three].map(|probe| word(probe.open));
                let _ = writeln!(text, "{:36} {:8} {:8} {:8}", one.name, row[0], row[1], row[2]);
            }
            let _ = writeln!(text, "\nstrict on this machine: {}", strict.line());
            strict
        } else {
            let _ = writeln!(text, "isolation: {}: {LACKING}", STRICTEST.word());
            Isolation::unprobed(STRICTEST)
        };
        for breach in strict.breaches() {
            let _ = writeln!(text, "wrong under strict: {}", breach.name);
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = spare_cores();
        let _ = writeln!(text, "cores: {cores}; games at a time by default: {workers}");
        for advice in advice(&strict) {
            let _ = writeln!(text, "advice: {advice}");
        }
        write_out(text)?;
        Ok(ExitCode::from(u8::from(!strict.breaches().is_empty())))
    }
}
