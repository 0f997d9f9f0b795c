//! Lines on standard output and standard error: the only place that writes them, but for the
//! screens of `view`.

use super::failure::Failure;
use arbiter_rules::text::{harmless, wrap};
use arbiter_show::view::{Colour, terminal_size};
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;

/// Prints a line on standard output.
pub fn print(line: impl std::fmt::Display) -> Result<(), Failure> {
    write_out(format_args!("{line}\n"))
}

/// Prints a line on standard output, and goes on if the reader has closed it.
pub fn print_if_open(line: impl std::fmt::Display) -> Result<(), Failure> {
    match print(line) {
        Err(Failure::OutputClosed) => Ok(()),
        printed => printed,
    }
}

/// Prints text on standard output.
///
/// # Errors
/// [`Failure::OutputClosed`] if the reader has closed it, else [`Failure::Unfinished`].
pub fn write_out(text: impl std::fmt::Display) -> Result<(), Failure> {
    write_out_by(|out| write!(out, "{text}"))
}

/// Writes on standard output.
///
/// # Errors
/// As for [`write_out`].
pub fn write_out_by(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) => Err(Failure::writing("writing to standard output", error)),
    }
}

/// Prints text and a newline on standard error; characters that could control a terminal are
/// replaced.
pub fn complain(text: impl std::fmt::Display) {
    let text = fitted(&harmless(&text.to_string()), io::stderr());
    let _ = writeln!(io::stderr(), "{text}"); // an error here cannot be reported anywhere
}

/// The text with long lines broken between words, if `out` is a terminal.
pub fn fitted(text: &str, out: impl AsFd + IsTerminal) -> String {
    if out.is_terminal() { wrap(text, terminal_size(out).0) } else { text.to_owned() }
}

/// The columns that lines on standard output may have: those of its terminal, or any number.
pub fn columns() -> usize {
    let out = io::stdout();
    if out.is_terminal() { terminal_size(out).0 } else { usize::MAX }
}

/// Whether `out` is a terminal on which the cursor can be moved. `TERM=dumb` says of a terminal
/// that it knows no control sequences, as in a shell of Emacs: it gets what a pipe gets.
pub fn can_draw(out: &impl IsTerminal) -> bool {
    out.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether to use colour on the terminal.
pub fn colour() -> Colour {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if plain { Colour::No } else { Colour::Yes }
}
