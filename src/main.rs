//! The program `arbiter`: parse, dispatch, print the cause chain, exit.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;
use tracing_subscriber::filter::LevelFilter;

fn main() -> ExitCode {
    // arbiter starts itself again as the warden of a bot.
    if let Some(code) = cli::helper_process(std::env::args_os()) {
        return code;
    }
    if let Some(code) = cli::completion() {
        return code;
    }
    let level = std::env::var("ARBITER_LOG").ok().and_then(|level| level.parse().ok());
    tracing_subscriber::fmt()
        .with_max_level(level.unwrap_or(LevelFilter::WARN))
        .with_writer(std::io::stderr)
        .init();
    match cli::arguments().and_then(cli::run) {
        Ok(code) => code,
        Err(failure) => {
            if let Some(error) = failure.error() {
                cli::complain(format_args!("arbiter: {error:#}"));
            }
            failure.code()
        }
    }
}
