//! `arbiter rerun`: plays a logged game again, as it was.

use super::{CommandResult, Verdict};
use anyhow::{Context, anyhow, bail};
use arbiter_game::Settings;
use arbiter_game::protocol::Dialect;
use arbiter_game::replay::{Requests, compare, replay};
use arbiter_game::settings::FIELDS;
use arbiter_ground::failure::Failure;
use arbiter_ground::flags::GivenSettings;
use arbiter_ground::output::{complain, write_out};
use arbiter_ground::own_rules::RulesFlag;
use arbiter_ground::public_names::published_failure;
use arbiter_ground::recorded_bots::trusted;
use arbiter_ground::trust::TrustFlag;
use arbiter_rules::text::{Word, harmless};
use arbiter_rules::{BySide, Side};
use arbiter_run::match_store::open_log;
use arbiter_run::rerun::{LoggedGame, PlayerChoice, Players, Shown, play_again};
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  arbiter rerun conny/conny~randy.1.pgn --bot conny=mybot   my bot against the log
  arbiter rerun spring-cup conny~randy.1                    both bots of a tournament
  arbiter rerun spring-cup conny~randy.1 --bot conny=new --then builtin:search
  arbiter rerun games.pgn conny~randy.1 --requests conny | python3 bot.py

Exit status: 0 the same game; 1 an answer or the end differs; 2 bad usage or input; \
3 could not finish; 130 interrupted. With --then, or stopped by --ply, 0 if it came that far.";

/// Play a logged game again, as it was
///
/// Sandbox, limits, clocks, opening, sides and seeds are those of the game: by its log, or by the
/// journal of a result folder, whose configuration also says where the bots are. A bot that is not
/// given by --bot and not found there plays the plies of the log, and so does one that is named by
/// --recorded. The answers of programs are compared with the log: the first one that differs ends
/// the rerun. Clocks go as they went; what programs write to stderr is shown.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RerunCommand {
    /// A game log, or the result folder of a tournament
    #[arg(value_name = "LOG|DIR")]
    path: PathBuf,
    /// Which game: its GameId or SentId, or its number in the log from 1; not needed if the log has
    /// one game
    #[arg(value_name = "GAMEID")]
    id: Option<String>,
    /// The program of a bot of the game; may be given for both
    #[arg(long, value_name = "NAME=BOT")]
    bot: Vec<String>,
    /// Let the log play for this bot
    #[arg(long, value_name = "NAME")]
    recorded: Vec<String>,
    /// Where the game leaves the log, BOT takes the side that the log plays, and the game is played
    /// on to its end
    #[arg(long, value_name = "BOT")]
    then: Option<String>,
    /// Stop before this ply, with the position and the request; with --attach, the ply before which
    /// the bot is stopped
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    ply: Option<u32>,
    /// Stop the program of this bot before its game, for a debugger; it has no time limits then
    #[arg(long, value_name = "NAME")]
    attach: Option<String>,
    /// Print what this bot was sent in the game, and play nothing; in the dialect before its name,
    /// such as ugi:NAME, else in that of its program. A bot behind an adapter plays against the
    /// log, and its own lines are printed
    #[arg(long, value_name = "[DIALECT:]NAME")]
    #[arg(conflicts_with_all = ["bot", "recorded", "then", "ply", "attach", "log"])]
    requests: Option<String>,
    #[command(flatten)]
    trust: TrustFlag,
    #[command(flatten)]
    rules: RulesFlag,
    /// Append the log of the rerun to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The folder that the paths of a tournament's configuration start from; by default the one
    /// above its result folder
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    from: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Settings instead of those of the game")]
    given: GivenSettings,
}

/// The name of a bot, and the dialect that stands before it, if one does.
fn in_dialect(name: &str) -> (Option<Dialect>, &str) {
    if let Some((word, bot)) = name.split_once(':')
        && let Some(dialect) = Dialect::named(word)
    {
        return (Some(dialect), bot);
    }
    (None, name)
}

/// The side of this bot, which is one of the two.
fn side_of(name: &str, players: &BySide<String>) -> Side {
    if players.first == name { Side::First } else { Side::Second }
}

/// Checks that a name that a flag has is one of the game's.
fn check_name(flag: &str, name: &str, players: &BySide<String>) -> anyhow::Result<()> {
    let BySide { first, second } = players;
    if name != first && name != second {
        bail!("{flag} {name}: the bots of the game are {first} and {second}");
    }
    Ok(())
}

/// The clock of both bots, or that of each, as flags have them.
fn clocks(settings: &Settings, names: &BySide<String>) -> String {
    if let Some(control) = settings.time.control.common() {
        return control.to_string();
    }
    let clocks = Side::BOTH.map(|side| format!("{}={}", names[side], settings.time.control[side]));
    clocks.join(" --time ")
}

/// Notes on standard error that a setting is not that of the recorded game.
fn tell_difference(flag: &str, was: &str, is: &str) {
    if was != is {
        complain(format_args!(
            "note: --{flag} {is} instead of {was}, so this is not exactly the recorded game"
        ));
    }
}

impl RerunCommand {
    pub(super) fn run(mut self) -> CommandResult {
        let rules = self.rules.load()?;
        let rules = rules.as_ref();
        let mut game =
            LoggedGame::find(&self.path, self.id.as_deref(), self.from.as_deref(), rules)?;
        if let Some(missing) = game.record.ruleset().missing_rules(rules) {
            return Err(anyhow!(missing).into());
        }
        self.use_names_of(&game);
        let anonymizer = game.anonymizer.clone();
        self.play(&mut game).map_err(|failure| published_failure(failure, &anonymizer))
    }

    /// Calls the bots as the record of the game does. Who asks for a game by a published id may
    /// still know the names.
    fn use_names_of(&mut self, game: &LoggedGame) {
        for bot in &mut self.bot {
            if let Some((name, program)) = bot.split_once('=') {
                *bot = format!("{}={program}", game.shown_name(name));
            }
        }
        for name in self.recorded.iter_mut().chain(&mut self.attach) {
            *name = game.shown_name(name);
        }
        if let Some(requests) = &mut self.requests {
            let name = in_dialect(requests).1;
            let dialect = requests.strip_suffix(name).unwrap_or_default().to_owned();
            *requests = dialect + &game.shown_name(name);
        }
    }

    fn play(&self, game: &mut LoggedGame) -> CommandResult {
        let choice = self.choice(game)?;
        self.settle(game)?;
        if let Some(requests) = &self.requests {
            return self.print_requests(game, requests);
        }
        if let Err(divergence) = replay(&game.record) {
            complain(format_args!("note: the log is not valid: {divergence}"));
        }
        // With --attach it is the ply before which the debugger gets the program.
        let ply = if self.attach.is_none() { self.ply.map(|ply| ply as usize) } else { None };
        let mut preparation = game.preparation(ply)?;
        let players = Players::find(game, &choice, &preparation.conditions.launcher)?;
        self.check(game, &players)?;
        players.prepare(game, &mut preparation)?;
        let mut log = self.log.as_deref().map(open_log).transpose()?;
        let shown = if ply.is_some() { Shown::LastRequest } else { Shown::Nothing };
        let again = play_again(game, players, self.then.as_deref(), shown, preparation)?;
        if let Some(log) = &mut log {
            let logged = log.append(&game.anonymizer.record(again.record().clone()));
            logged
                .with_context(|| format!("--log {}: the game is lost", log.path().display()))
                .map_err(Failure::Unfinished)?;
        }
        match ply {
            Some(ply) if again.has_reached(ply) => again.print_stopped(game),
            _ => again.print_ended(game, self.then.is_some()),
        }
    }

    /// Prints what a bot was sent, and plays nothing unless an adapter has to say what that was.
    fn print_requests(&self, game: &LoggedGame, requests: &str) -> CommandResult {
        let (dialect, name) = in_dialect(requests);
        let spoken = match (dialect, game.program(name)) {
            (Some(dialect), _) => dialect.conversation(),
            (None, Some(program)) if program.has_adapter_beside() => {
                return self.print_sent(game, name);
            }
            (None, Some(program)) => program.conversation(),
            (None, None) => {
                complain(format_args!(
                    "note: the log does not say which dialect {name} speaks; these are the lines \
                     of arbiter's own; --requests DIALECT:{name} writes those of another"
                ));
                Dialect::default().conversation()
            }
        };
        let mut conversation = spoken.map_err(|why| anyhow!("--requests {name}: {why}"))?;
        let LoggedGame { record, settings, sent, .. } = game;
        let side = side_of(name, &record.players);
        let lines = Requests::in_dialect(record, settings, sent, side, &mut *conversation);
        write_out(harmless(&lines.text()))?;
        Ok(Verdict::DONE)
    }

    /// Prints what a bot behind an adapter is sent, which only the adapter knows: the log plays
    /// against both of them.
    fn print_sent(&self, game: &LoggedGame, name: &str) -> CommandResult {
        let names = &game.record.players;
        let opponent = &names[!side_of(name, names)];
        let choice = PlayerChoice {
            given: Vec::new(),
            recorded: std::slice::from_ref(opponent),
            then: None,
            attach: None,
            trust: self.trust,
        };
        let mut preparation = game.preparation(None)?;
        let players = Players::find(game, &choice, &preparation.conditions.launcher)?;
        players.prepare(game, &mut preparation)?;
        let again = play_again(game, players, None, Shown::Sent, preparation)?;
        let Some(difference) = compare(&game.record, again.record()) else {
            return Ok(Verdict::DONE);
        };
        complain(game.anonymizer.clean(&format!(
            "note: {name} does not play as in the log, so its lines end early: {difference}"
        )));
        Ok(Verdict::of(1))
    }

    /// Who the user wants to play; every name must be one of the game's.
    fn choice(&self, game: &LoggedGame) -> anyhow::Result<PlayerChoice<'_>> {
        let players = &game.record.players;
        if players.first == players.second {
            bail!(
                "both bots of the game are called {}, so a rerun cannot tell them apart",
                players.first
            );
        }
        let mut given: Vec<(&str, &str)> = Vec::new();
        for bot in &self.bot {
            let Some(bot) = bot.split_once('=') else {
                let first = &players.first;
                bail!("--bot {bot}: write --bot NAME=BOT, such as --bot {first}=FOLDER");
            };
            given.push(bot);
        }
        for (name, _) in &given {
            check_name("--bot", name, players)?;
        }
        for name in &self.recorded {
            check_name("--recorded", name, players)?;
        }
        if let Some(name) = &self.attach {
            check_name("--attach", name, players)?;
        }
        if let Some(requests) = &self.requests {
            check_name("--requests", in_dialect(requests).1, players)?;
        }
        for (at, (name, _)) in given.iter().enumerate() {
            if given[..at].iter().any(|(earlier, _)| earlier == name) {
                bail!("--bot {name}: it is given twice");
            }
            if self.recorded.iter().any(|recorded| recorded == name) {
                bail!("{name} is given by --bot and by --recorded; leave one out");
            }
        }
        if self.then.is_some() && self.ply.is_some() && self.attach.is_none() {
            bail!("--then plays the game to its end, and --ply stops before; leave one out");
        }
        let ply = self.ply.unwrap_or_default() as usize;
        Ok(PlayerChoice {
            given,
            recorded: &self.recorded,
            then: self.then.as_deref(),
            attach: self.attach.as_deref().map(|name| (name, ply)),
            trust: self.trust,
        })
    }

    /// Lays the flags over the settings of the game, and says what that changes.
    fn settle(&self, game: &mut LoggedGame) -> anyhow::Result<()> {
        let before = game.settings.clone();
        let settings = &mut game.settings;
        let said_by = if game.entered.is_some() { "configuration" } else { "log" };
        if !self.given.has("sandbox") {
            settings.limits.sandbox = trusted(settings.limits.sandbox, said_by);
        }
        settings.rules.replay_disturbed = false; // it is played once
        self.given.lay_over(settings).map_err(|why| anyhow!(why))?;
        let names = &game.record.players;
        self.given.own.check(&[&names.first, &names.second])?;
        *settings = settings.with_own_clocks(names.as_ref().map(|name| self.given.own.of(name)));
        tell_difference("time", &clocks(&before, names), &clocks(settings, names));
        for field in FIELDS {
            if self.given.has(field.key) {
                tell_difference(field.key, &field.text(&before), &field.text(settings));
            }
        }
        Ok(())
    }

    /// Checks that a program plays.
    fn check(&self, game: &LoggedGame, players: &Players) -> anyhow::Result<()> {
        let names = &game.record.players;
        if let Some(name) = &self.attach
            && players.compared(side_of(name, names)).is_none()
        {
            bail!("--attach {name}: the log plays for it; give its program with --bot {name}=BOT");
        }
        let has_program = Side::BOTH.iter().any(|&side| players.compared(side).is_some());
        if !has_program && (self.ply.is_none() || self.then.is_some()) {
            let BySide { first, second } = names;
            bail!("no program plays; give one with --bot NAME=BOT, NAME is {first} or {second}");
        }
        let plies = game.record.plies.len();
        if let Some(ply) = self.ply
            && ply as usize > plies + 1
        {
            bail!("--ply {ply}: the game has {plies} plies; write 1 to {}", plies + 1);
        }
        Ok(())
    }
}
