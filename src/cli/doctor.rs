//! `arbiter doctor`: how well this machine can isolate bots and time them, and how to improve that.

use super::{CommandResult, Verdict};
use arbiter_game::Sandbox;
use arbiter_ground::isolation::{LACKING, advice, cores, levels, spare_cores};
use arbiter_ground::output::write_out;
use arbiter_host::sandbox::{Isolation, ProbeResult, STRICTEST};
use clap::Args;
use std::fmt::Write;

const EXAMPLES: &str = "\
Examples:
  arbiter doctor                                  before a tournament with bots of strangers";

/// Show how well bots are isolated on this machine, and how to improve it
///
/// Arbiter's own program tries what a hostile bot would, once for each level of isolation.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DoctorCommand {
    /// Show each attack with what came of it at each level
    #[arg(short, long)]
    verbose: bool,
}

impl DoctorCommand {
    pub(super) fn run(self) -> CommandResult {
        let mut attacks = String::new();
        let strict = if STRICTEST == Sandbox::Strict {
            let levels = levels()?;
            attacks = table(&levels);
            let [_, _, strict] = levels;
            strict
        } else {
            Isolation::unprobed(STRICTEST)
        };
        let mut text = verdict(&strict) + "\n";
        // What matters most comes first.
        for advice in advice(&strict) {
            let _ = writeln!(text, "advice: {advice}");
        }
        let _ = writeln!(text, "cores: {}; games at a time by default: {}", cores(), spare_cores());
        if self.verbose {
            let _ = write!(text, "\n{attacks}");
        } else if !attacks.is_empty() {
            text += "`arbiter doctor -v` shows each attack that was tried.\n";
        }
        write_out(text)?;
        Ok(Verdict::of(u8::from(!strict.breaches().is_empty())))
    }
}

/// What the isolation of this machine is worth, in a few lines.
fn verdict(strict: &Isolation) -> String {
    if STRICTEST < Sandbox::Strict {
        return format!("isolation: {}: {LACKING}", STRICTEST.word());
    }
    let line = strict.line();
    let breaches = strict.breaches();
    let mut text = if breaches.is_empty() {
        "strict holds: every attack that was tried is refused. You can play programs of strangers."
            .to_owned()
    } else {
        "strict does not hold on this machine: play only programs that you trust.".to_owned()
    };
    for breach in breaches {
        text += &format!("\nwrong under strict: {}", breach.name);
    }
    text + &format!("\nstrict on this machine: {line}")
}

/// Each attack with what came of it at each level.
fn table([off, basic, strict]: &[Isolation; 3]) -> String {
    let mut text = row("what a bot may try", "off", "basic", "strict");
    for ((one, two), three) in off.probes.iter().zip(&basic.probes).zip(&strict.probes) {
        text += &row(one.name, word(one), word(two), word(three));
    }
    text
}

fn row(name: &str, off: &str, basic: &str, strict: &str) -> String {
    format!("{name:36} {off:8} {basic:8} {strict}\n")
}

fn word(probe: &ProbeResult) -> &'static str {
    if probe.open { "open" } else { "refused" }
}
