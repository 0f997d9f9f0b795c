//! The kinds of probes.

/// What a probe tries to do; the isolation line has a word for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProbeCategory {
    /// Start processes.
    Fork,
    /// Use the network, or sockets of this machine.
    Net,
    /// Read or change files that are not the bot's.
    Files,
    /// See which files and processes exist.
    Names,
    /// Reach the referee and other processes.
    Processes,
    /// Use system calls that lead around limits or out of the sandbox: `doors` in the line.
    Doors,
    /// Use memory that `/proc` does not count for the bot's processes. A control group counts it.
    Memory,
    /// Do what every bot may do. A sandbox that refuses it is broken.
    Baseline,
}
