//! The program `arbiter`: parse, dispatch, print the cause chain, exit.

use arbiter::cli;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    // arbiter starts itself again as the warden of a bot.
    if let Some(code) = cli::helper_process(std::env::args_os()) {
        return code;
    }
    if let Some(code) = cli::completion() {
        return code;
    }
    tracing_subscriber::fmt()
        .with_env_filter(
            EnvFilter::try_from_env("ARBITER_LOG").unwrap_or_else(|_| EnvFilter::new("warn")),
        )
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
