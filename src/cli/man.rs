//! `arbiter man`: manual pages.

use super::{CommandResult, Failure, Verdict};
use arbiter_host::files::make_folder;
use clap::{Args, Command};
use clap_mangen::Man;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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
        let mut command = whole(command.mut_subcommands(whole)).disable_help_subcommand(true);
        command.build();
        write_pages(&command, &self.dir)
            .map_err(|error| Failure::writing(self.dir.display(), error))?;
        Ok(Verdict::DONE)
    }
}

/// The command with everything in both helps: what --help leaves out, a page would name without its
/// description.
fn whole(command: Command) -> Command {
    command.mut_args(|argument| argument.hide_short_help(false))
}

fn write_pages(program: &Command, folder: &Path) -> io::Result<()> {
    make_folder(folder)?;
    for command in program.get_subcommands().chain([program]) {
        let man = Man::new(command.clone()).source(concat!("arbiter ", env!("CARGO_PKG_VERSION")));
        let mut page = Vec::new();
        man.render(&mut page)?;
        let page = with_examples(&String::from_utf8_lossy(&page));
        fs::write(folder.join(man.get_filename()), page)?;
    }
    Ok(())
}

/// A page whose examples stand in a section of their own, one a line.
fn with_examples(page: &str) -> String {
    let Some((head, rest)) = page.split_once(".SH EXTRA\nExamples:\n") else {
        return page.to_owned();
    };
    let (examples, rest) = rest.split_at(rest.find("\n\n").unwrap_or(rest.trim_end().len()));
    format!("{head}.SH EXAMPLES\n.nf\n{examples}\n.fi{rest}")
}
