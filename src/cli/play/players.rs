//! The two players of a match: programs that are found, built and started, and persons.

use super::super::can_draw;
use super::PlayCommand;
use anyhow::{Context, anyhow, bail};
use arbiter_ground::bot_names::{bot_name, two_names};
use arbiter_ground::finder::finder;
use arbiter_ground::preparation::Preparation;
use arbiter_host::locate::{hide_from_each_other, is_command};
use arbiter_play::arena::{Conditions, PlayerSpec};
use arbiter_run::display::audience::ScreenChannel;
use arbiter_run::persons::PERSON;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

impl PlayCommand {
    /// Finds what the two BOTs name: programs, and persons whom the screen asks.
    pub(super) fn find(
        &self,
        conditions: &Conditions,
        channel: &ScreenChannel,
    ) -> anyhow::Result<[anyhow::Result<PlayerSpec>; 2]> {
        let launcher = &conditions.launcher;
        let here = std::env::current_dir().context("the working directory")?;
        let trust = self.trust.of_folders(launcher.sandbox);
        let game = conditions.settings.ruleset.game();
        let finder = finder(&here, &launcher.program, game, trust);
        let mut found = [(0, &self.first), (1, &self.second)].map(|(number, bot)| match &**bot {
            PERSON => Ok(channel.person(number)),
            bot => Ok(PlayerSpec::Program(Arc::new(finder.find(bot)?))),
        });
        let programs = found.iter_mut().flatten().filter_map(PlayerSpec::program_mut);
        hide_from_each_other(&mut programs.collect::<Vec<_>>());
        Ok(found)
    }

    /// Builds and starts both bots before the first game, and names them; an error names both if
    /// both fail.
    pub(super) fn bots(
        &self,
        preparation: &Preparation,
        found: [anyhow::Result<PlayerSpec>; 2],
    ) -> anyhow::Result<[(String, PlayerSpec); 2]> {
        let [first, second] = found;
        let [first, second] = both([
            try_player(preparation, &self.first, first),
            try_player(preparation, &self.second, second),
        ])?;
        let [one, other] = two_names(&self.name, [default_name(&first), default_name(&second)])?;
        Ok([(one, first), (other, second)])
    }

    /// The bots with the clocks of their own.
    ///
    /// # Errors
    /// One is for no bot of these names, or for a person.
    pub(super) fn with_own_clocks(
        &self,
        mut bots: [(String, PlayerSpec); 2],
    ) -> anyhow::Result<[(String, PlayerSpec); 2]> {
        let mut names: Vec<&str> = Vec::new();
        for (name, player) in &mut bots {
            if let Some(program) = player.program_mut() {
                program.spec.time = self.flags.own.of(name);
                names.push(name);
            }
        }
        self.flags.own.check(&names)?;
        Ok(bots)
    }

    /// Whether a person plays.
    pub(super) fn has_person(&self) -> bool {
        [&self.first, &self.second].iter().any(|bot| *bot == PERSON)
    }

    /// Checks that a person can play.
    pub(super) fn check_table(&self) -> anyhow::Result<()> {
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            bail!(
                "{PERSON}: a person plays at a terminal, but standard input or standard output is \
                 not one"
            );
        }
        if !can_draw(&std::io::stdout()) {
            bail!(
                "{PERSON}: a person plays on a drawn board, and TERM=dumb says that this terminal \
                 cannot draw; use another one, or `arbiter hotseat`"
            );
        }
        if self.json || self.concurrency > 1 {
            bail!(
                "{PERSON}: a person plays one game at a time, on the screen; leave out --json and \
                 --concurrency"
            );
        }
        Ok(())
    }
}

/// Builds and starts the program of a player; a person is ready as it is.
fn try_player(
    preparation: &Preparation,
    bot: &str,
    found: anyhow::Result<PlayerSpec>,
) -> anyhow::Result<PlayerSpec> {
    let player = found?;
    if let Some(program) = player.program() {
        let tried = preparation.try_out(&program.name, program);
        tried.with_context(|| format!("{bot} cannot be run"))?;
    }
    Ok(player)
}

fn default_name(player: &PlayerSpec) -> String {
    match player.program() {
        Some(program) => bot_name(&program.name),
        None => PERSON.to_owned(),
    }
}

/// What to write instead of more than two words as BOTs. The second BOT is taken to begin with the
/// first word that is a built-in bot or a command, or else to be the last word.
pub(super) fn unquoted(game: &str, words: &[String]) -> String {
    let at = words.iter().skip(1).position(|word| begins_bot(word));
    let (first, second) = words.split_at(at.map_or(words.len() - 1, |at| at + 1));
    format!(
        "{} words are given for two BOTs; a command line is one word, in quotes: \
         arbiter play {game} {} {}",
        words.len(),
        quoted(first),
        quoted(second)
    )
}

fn begins_bot(word: &str) -> bool {
    word.starts_with("builtin:")
        || (!word.contains('/') && !Path::new(word).exists() && is_command(word))
}

fn quoted(words: &[String]) -> String {
    match words {
        [word] => word.clone(),
        words => format!("\"{}\"", words.join(" ")),
    }
}

/// Both values, or all errors in one.
fn both<T>(found: [anyhow::Result<T>; 2]) -> anyhow::Result<[T; 2]> {
    match found {
        [Ok(first), Ok(second)] => Ok([first, second]),
        [Err(first), Err(second)] => Err(anyhow!("{first:#}\narbiter: {second:#}")),
        [Err(error), Ok(_)] | [Ok(_), Err(error)] => Err(error),
    }
}
