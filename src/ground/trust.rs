//! `--trust`: whose `bot.toml` may open files outside of its folder.

use arbiter_game::Sandbox;
use arbiter_host::locate::Trust;
use clap::Args;

/// The flag `--trust`.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct TrustFlag {
    /// Under sandbox strict: trust the bot.toml of a folder, so that its command may open files
    /// outside of the folder
    #[arg(long, help_heading = "Limits of the bots", hide_short_help = true)]
    trust: bool,
}

impl TrustFlag {
    pub fn is_given(self) -> bool {
        self.trust
    }

    /// Whether the `bot.toml` of a folder that is named as a BOT is trusted at this level. Only
    /// `strict` keeps bots from files, so the lower levels trust all of them.
    pub fn of_folders(self, sandbox: Sandbox) -> Trust {
        match sandbox {
            Sandbox::Strict if !self.trust => Trust::Stranger,
            Sandbox::Strict | Sandbox::Basic | Sandbox::Off => Trust::Own,
        }
    }
}
