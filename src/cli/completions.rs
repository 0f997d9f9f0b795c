//! `arbiter completions`: the script by which a shell completes words of the command line.

use super::complete::VARIABLE;
use super::{CommandResult, Verdict};
use anyhow::Context;
use arbiter_ground::output::write_out;
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap_complete::env::Shells;

const EXAMPLES: &str = "\
Examples:
  arbiter completions bash > ~/.local/share/bash-completion/completions/arbiter
  arbiter completions fish > ~/.config/fish/completions/arbiter.fish
  arbiter completions zsh > ~/.zfunc/_arbiter     (with fpath+=~/.zfunc before \
compinit in ~/.zshrc)";

/// Shells for which the script of clap does not do: bash takes a word with `=` or `:` apart, and in
/// zsh the first word that is completed would only load the script.
const OWN: [(&str, &str); 2] =
    [("bash", include_str!("completions.bash")), ("zsh", include_str!("completions.zsh"))];

/// Write the script by which a shell completes words
///
/// Words are commands, flags, bots, games, options and GameIds. The script asks the program each
/// time, so it stays right when arbiter or the files change. A shell that has just begun knows it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsCommand {
    /// The shell
    #[arg(value_name = "SHELL")]
    #[arg(value_parser = PossibleValuesParser::new(Shells::builtins().names()))]
    shell: String,
}

impl CompletionsCommand {
    pub(super) fn run(self) -> CommandResult {
        if let Some((_, script)) = OWN.iter().find(|(shell, _)| *shell == self.shell) {
            write_out(script)?;
            return Ok(Verdict::DONE);
        }
        let shells = Shells::builtins();
        let completer = shells
            .completer(&self.shell)
            .with_context(|| format!("there is no shell {}", self.shell))?;
        let mut script = Vec::new();
        completer
            .write_registration(VARIABLE, "arbiter", "arbiter", "arbiter", &mut script)
            .context("the script")?;
        write_out(format_args!("{}\n", String::from_utf8_lossy(&script).trim()))?;
        Ok(Verdict::DONE)
    }
}
