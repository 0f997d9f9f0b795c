//! `arbiter man`: manual pages.

use super::{CommandResult, Failure};
use arbiter_host::files::make_folder;
use clap::{Args, Command};
use clap_mangen::Man;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  arbiter man ~/.local/share/man/man1             the pages for `man arbiter` and `man arbiter-play`
  arbiter man . && man -l arbiter-play.1          a page without installing it";

/// Write the manual pages, one for each command
///
/// They say what --help-all says. Pages of another version are overwritten.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ManCommand {
    /// The folder for the pages, which is made if it is missing
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

impl ManCommand {
    /// Writes the pages of this command line.
    pub(super) fn run(self, command: Command) -> CommandResult {
        // What --help leaves out, a page would name without its description.
        let whole = |command: Command| command.mut_args(|argument| argument.hide_short_help(false));
        let mut command = whole(command.mut_subcommands(whole)).disable_help_subcommand(true);
        command.build();
        let write = |command: &Command| {
            let man =
                Man::new(command.clone()).source(concat!("arbiter ", env!("CARGO_PKG_VERSION")));
            let mut page = Vec::new();
            man.render(&mut page)?;
            fs::write(
                self.dir.join(man.get_filename()),
                with_examples(&String::from_utf8_lossy(&page)),
            )
        };
        let mut pages = command.get_subcommands().chain([&command]);
        make_folder(&self.dir)
            .and_then(|()| pages.try_for_each(write))
            .map_err(|error| Failure::writing(self.dir.display(), error))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A page whose examples stand in a section of their own, one a line.
fn with_examples(page: &str) -> String {
    let Some((head, rest)) = page.split_once(".SH EXTRA\nExamples:\n") else {
        return page.to_owned();
    };
    let (examples, rest) = rest.split_at(rest.find("\n\n").unwrap_or(rest.trim_end().len()));
    format!("{head}.SH EXAMPLES\n.nf\n{examples}\n.fi{rest}")
}
