//! `arbiter check`: what is wrong with a bot, or with the rules of a custom game.

use super::{CommandResult, GameArguments, Verdict, one_of};
use anyhow::bail;
use arbiter_check::rules_trial::try_rules_out;
use arbiter_check::{CheckForm, CheckRequest, check};
use arbiter_game::{Sandbox, Settings};
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::trust::TrustFlag;
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  arbiter check mybot                               a folder with a bot.toml, in its games
  arbiter check \"python3 my.py\" --game loa          a command line in quotes, in one game
  arbiter check mybot --config cup.toml             under exactly what awaits it in this tournament
  arbiter check submissions --config cup.toml       a page for each folder in it
  arbiter check --rules connect4.py                 the rules of a game, by random games
  arbiter check --rules connect4.py --games 50      a quick look while the rules are written

Exit status: 0 no fault, perhaps remarks; 1 a fault of a bot, a mistake of the rules; \
2 bad usage or input; 3 could not finish; 130 interrupted.";

/// Find out what is wrong with a bot, or with the rules of a game
///
/// Puts the bot into the situations of a game, on both sides: positions of every kind, short
/// clocks, unknown lines, the end of its input. Shows each fault once, what to fix first, with the
/// lines that show it and the cure, and writes what the bot was sent to check/NAME/SITUATION.txt,
/// for the program alone.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckCommand {
    /// The bot as `arbiter play` takes it, or a folder of submissions
    #[arg(value_name = "BOT|DIR", required_unless_present = "rules", conflicts_with = "rules")]
    bot: Option<String>,
    /// Words of a BOT that is not quoted; they are refused
    #[arg(hide = true)]
    unquoted: Vec<String>,
    /// The game, or a file of rules such as ./connect4.py; by default that of --config, or those of
    /// the bot's bot.toml
    #[arg(long, value_name = "GAME", conflicts_with = "rules")]
    game: Option<String>,
    /// A rule option of the game, such as n=8; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "game")]
    set: Vec<String>,
    /// Check under what this tournament has: game, options, clock, limits, and the rules for
    /// submissions
    #[arg(long, value_name = "CUP.toml", conflicts_with = "rules")]
    config: Option<PathBuf>,
    /// The level of isolation: off, basic or strict; by default that of --config, or strict
    #[arg(long, value_name = "LEVEL", value_parser = one_of(&Sandbox::ALL))]
    #[arg(conflicts_with = "rules")]
    sandbox: Option<Sandbox>,
    #[command(flatten)]
    trust: TrustFlag,
    /// The seed of the games: another one plays other games
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "rules")]
    seed: u64,
    /// The folder of the files, instead of check
    #[arg(long, value_name = "DIR", conflicts_with = "rules")]
    out: Option<PathBuf>,
    /// Print one JSON object for each situation on standard output
    #[arg(long, conflicts_with = "rules")]
    json: bool,
    /// The rules to try out: a Python file, a program, or a folder with a game.toml
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// The number of random games by these rules
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with = "bot")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
}

impl CheckCommand {
    pub(super) fn run(self) -> CommandResult {
        let Some(rules) = &self.rules else { return check(&self.request()?) };
        let mistakes = try_rules_out(rules, self.games)?;
        Ok(Verdict::of(u8::from(mistakes > 0)))
    }

    fn request(self) -> anyhow::Result<CheckRequest> {
        let bot = self.bot.unwrap_or_default();
        if !self.unquoted.is_empty() {
            let mut words = vec![bot];
            words.extend(self.unquoted);
            bail!(
                "{} words are given for one BOT; a command line is one word, in quotes: \
                 arbiter check \"{}\"",
                words.len(),
                words.join(" ")
            );
        }
        let config = self.config.as_deref().map(TournamentRequest::read).transpose()?;
        let mut limits = match &config {
            Some(cup) => cup.config.settings.limits,
            None => Settings::of_play().limits,
        };
        limits.sandbox = self.sandbox.unwrap_or(limits.sandbox);
        let game = match self.game {
            Some(game) => Some(GameArguments { game, set: self.set }.ruleset(&limits)?),
            None => None,
        };
        Ok(CheckRequest {
            bot,
            game,
            config,
            sandbox: self.sandbox,
            trust: self.trust,
            seed: self.seed,
            out: self.out,
            form: if self.json { CheckForm::Json } else { CheckForm::Text },
        })
    }
}
