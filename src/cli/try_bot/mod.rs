//! `arbiter try`: whether the new version of a bot is better than the old one, or than before
//! against others.

mod result;

use self::result::{Form, show_history, show_result};
use super::play::result_name;
use super::{CommandResult, GameArguments, Verdict, one_of};
use anyhow::{Context, bail};
use arbiter_config::{Config, SprtConfig, settings_tables};
use arbiter_cup::report::standings::Explanation;
use arbiter_game::Settings;
use arbiter_game::openings::Openings;
use arbiter_ground::bot_names::{bot_name, first_free, two_names};
use arbiter_ground::failure::Failure;
use arbiter_ground::finder::finder;
use arbiter_ground::flags::SettingsFlags;
use arbiter_ground::input_file::read_named_text;
use arbiter_ground::isolation::spare_cores;
use arbiter_ground::output::complain;
use arbiter_ground::preparation::Origin;
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::trust::TrustFlag;
use arbiter_ground::verdict::Strict;
use arbiter_host::bot::{Launcher, myself};
use arbiter_host::locate::{Program, has_manifest};
use arbiter_play::store::ResultFolder;
use arbiter_rank::rating::Model;
use arbiter_rank::schedule::Format;
use arbiter_rules::Ruleset;
use arbiter_rules::text::counted;
use arbiter_run::options::{RunKind, RunOptions};
use arbiter_run::sharing::Sharing;
use arbiter_run::successive_runs::choose_run;
use arbiter_run::tournament::play_tournament;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::{Table, Value};

const EXAMPLES: &str = "\
Examples:
  arbiter try loa mybot mybot-1.0                 is the new version better than the old one?
  arbiter try loa mybot mybot-1.0 --elo1 50       a shorter test, which finds larger steps alone
  arbiter try loa mybot ../rivals                 against each bot in a folder
  arbiter try loa mybot --history                 the runs so far

The same command continues an interrupted run. When a bot has changed, a new run begins, and the \
old one is kept.";

/// Groups of options in the help.
const TEST: &str = "Test against one bot";
const OPENINGS: &str = "Openings and seeds";
const OUTPUT: &str = "Output";

/// Games against each bot of a folder, if nothing else is said.
const GAMES: u32 = 40;
/// Random plies before the bots begin, if nothing else is said, and the most that are tried where
/// these give too few openings.
const OPENING_PLIES: u32 = 2;
const MOST_PLIES: u32 = 12;

/// Test whether a new version of a bot is better
///
/// Against one bot this is a sequential test, which plays pairs of games until it knows: exit
/// status 0 if NEW is better, 1 if it is not by --elo1 or more, 4 if that is open after
/// --max-pairs. Against a folder of bots NEW plays each of them, and the table compares with the
/// version before. NEW and OLD are BOTs as in `arbiter play`; results go to a result folder.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TryCommand {
    #[command(flatten)]
    game: GameArguments,
    /// The bot that is tested
    #[arg(value_name = "NEW")]
    new: String,
    /// The bot that it is compared with, or a folder of bots
    #[arg(value_name = "OLD|DIR", required_unless_present = "history")]
    old: Option<String>,
    /// The name of NEW in results; given again, that of OLD
    #[arg(long, value_name = "NAME", value_parser = result_name)]
    name: Vec<String>,
    /// The folder for the results, instead of try-GAME-NEW in the working directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The number of games played at a time; default: the available cores less one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Against a folder: the games against each bot, an even number; default: 40
    #[arg(short = 'n', long, value_name = "N", value_parser = even)]
    games: Option<u32>,
    /// The difference that is refuted when NEW is better, in Elo of the model; default: 0
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, value_parser = elo)]
    #[arg(help_heading = TEST, hide_short_help = true)]
    elo0: Option<f64>,
    /// The difference that is refuted when NEW is not better, above --elo0; default: 20
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, value_parser = elo)]
    #[arg(help_heading = TEST)]
    elo1: Option<f64>,
    /// How often a bot that differs by --elo0 passes for better; default: 0.05
    #[arg(long, value_name = "SHARE", value_parser = chance)]
    #[arg(help_heading = TEST, hide_short_help = true)]
    alpha: Option<f64>,
    /// How often a bot that is better by --elo1 passes for not better; default: 0.05
    #[arg(long, value_name = "SHARE", value_parser = chance)]
    #[arg(help_heading = TEST, hide_short_help = true)]
    beta: Option<f64>,
    /// The unit of --elo0 and --elo1: normalized, which allows for draws, by default, or logistic
    #[arg(long, value_name = "MODEL", value_parser = one_of(&Model::ALL))]
    #[arg(hide_possible_values = true, help_heading = TEST, hide_short_help = true)]
    model: Option<Model>,
    /// The test ends undecided after this many pairs of games; default: 2000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    #[arg(help_heading = TEST, hide_short_help = true)]
    max_pairs: Option<u32>,
    #[command(flatten)]
    flags: SettingsFlags,
    /// The seed of random openings and of the seeds that bots get
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(help_heading = OPENINGS, hide_short_help = true)]
    seed: u64,
    /// Begin each pair of games after N random plies, the same for both games; default: 2, or as
    /// many more as give each pair an opening of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    #[arg(help_heading = OPENINGS, hide_short_help = true)]
    opening_plies: Option<u32>,
    /// Begin the pairs of games from the positions of this file, one position text a line
    #[arg(long, value_name = "FILE", conflicts_with = "opening_plies")]
    #[arg(help_heading = OPENINGS, hide_short_help = true)]
    openings: Option<PathBuf>,
    /// Print the result as JSON: the object of a match, or one object for each row of the table
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    json: bool,
    /// Show the runs so far, the oldest first, and play nothing
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT)]
    history: bool,
    #[command(flatten)]
    trust: TrustFlag,
}

/// What NEW is compared with.
enum Opponents<'a> {
    /// One bot, with its program.
    One(&'a str, Box<Program>),
    /// Those of a folder, without these sub-folders.
    Folder { dir: &'a str, left_out: Vec<String> },
}

impl Opponents<'_> {
    /// The folder of the bot, or of the bots.
    fn dir(&self) -> &Path {
        match self {
            Opponents::One(_, program) => &program.dir,
            Opponents::Folder { dir, .. } => Path::new(dir),
        }
    }
}

impl TryCommand {
    pub(super) fn run(self) -> CommandResult {
        let ruleset = self.game.ruleset(&self.flags.settings.limits)?;
        let new = self.found(&self.new, &ruleset)?;
        let own = match self.name.first() {
            Some(name) => name.clone(),
            None => bot_name(&new.name),
        };
        let dir = match &self.out {
            Some(dir) => dir.clone(),
            None => self.folder_name(&own).into(),
        };
        let old = match &self.old {
            Some(old) if !self.history => old,
            // clap lets OLD be left out only with --history.
            _ => {
                show_history(&dir)?;
                return Ok(Verdict::DONE);
            }
        };
        let opponents = self.opponents(old, &ruleset)?;
        // Before anything is built: a folder with more than results in it is never renamed.
        check_out(&dir, [&new.dir, opponents.dir(), Path::new(".")])?;
        let request = self.request(&opponents, &ruleset, own)?;
        choose_run(&request, &dir)?;
        let ended = play_tournament(&request, self.options(), &dir);
        // The games of an interrupted run show something, too.
        if matches!(ended, Ok(_) | Err(Failure::Interrupted(_))) {
            show_result(&dir, if self.json { Form::Json } else { Form::Text })?;
        }
        ended
    }

    /// The program of a BOT.
    fn found(&self, bot: &str, ruleset: &Ruleset) -> anyhow::Result<Program> {
        let launcher = Launcher::new(myself(), self.flags.settings.limits.sandbox);
        let here = std::env::current_dir().context("the working directory")?;
        let trust = self.trust.of_folders(launcher.sandbox);
        Ok(finder(&here, &launcher.program, ruleset.game(), trust).find(bot)?)
    }

    /// The name of the result folder.
    fn folder_name(&self, bot: &str) -> String {
        let game = Path::new(&self.game.game).file_stem().unwrap_or_default().to_string_lossy();
        format!("try-{}-{bot}", bot_name(&game))
    }

    /// One bot, or the bots of a folder: one that has no `bot.toml`, and a folder with one in it.
    fn opponents<'a>(&self, old: &'a str, ruleset: &Ruleset) -> anyhow::Result<Opponents<'a>> {
        let path = Path::new(old);
        if !path.is_dir() || has_manifest(path) {
            if self.games.is_some() {
                bail!(
                    "--games: {old} is one bot, and its test ends when it is decided; \
                     --max-pairs limits it"
                );
            }
            return Ok(Opponents::One(old, Box::new(self.found(old, ruleset)?)));
        }
        let mut folders = Vec::new();
        for entry in path.read_dir().with_context(|| old.to_owned())?.flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            }
        }
        if !folders.iter().any(|folder| has_manifest(folder)) {
            let count = counted(folders.len() as u64, "folder");
            let why = format!(
                "{old}: neither a bot nor a folder of bots: there is no bot.toml in it, \
                 nor in the {count} in it"
            );
            // Perhaps it is meant as a bot without a manifest.
            if let Err(as_bot) = self.found(old, ruleset) {
                bail!("{why}. As a bot, {as_bot}");
            }
            bail!(why);
        }
        // NEW does not play itself, and the results of an earlier test are no bot.
        let new = Path::new(&self.new).canonicalize().ok();
        let mut left_out = Vec::new();
        let mut has_opponent = false;
        for folder in &folders {
            let is_new = new.is_some() && folder.canonicalize().ok() == new;
            if is_new || ResultFolder::existing(folder).journal().is_file() {
                let name = folder.file_name().unwrap_or_default();
                left_out.push(name.to_string_lossy().into_owned());
            } else if has_manifest(folder) {
                has_opponent = true;
            }
        }
        if !has_opponent {
            bail!("{old}: the only bot in it is NEW, which does not play itself");
        }
        let number = self.elo0.or(self.elo1).or(self.alpha).or(self.beta);
        if number.is_some() || self.model.is_some() || self.max_pairs.is_some() {
            bail!(
                "{old} is a folder of bots, against which all games are played; \
                 leave out the flags of the test, such as --elo1"
            );
        }
        Ok(Opponents::Folder { dir: old, left_out })
    }

    /// The tournament that answers the question. `own` is the name of NEW.
    fn request(
        &self,
        opponents: &Opponents<'_>,
        ruleset: &Ruleset,
        own: String,
    ) -> anyhow::Result<TournamentRequest> {
        let settings = Settings { ruleset: ruleset.clone(), ..self.flags.settings.clone() };
        if settings.longest_game().is_none() || self.flags.own.has_unlimited() {
            bail!(
                "--time none: a test needs a clock, because a bot that never answers would stop \
                 it; give --time or --move-time"
            );
        }
        let name = self.folder_name(&own);
        let mut schedule = self.schedule(opponents, ruleset)?;
        let mut tables = settings_tables(&self.game.game, &settings);
        match opponents {
            Opponents::One(old, program) => {
                let [one, other] = two_names(&self.name, [own, bot_name(&program.name)])?;
                set(&mut schedule, "format", "sprt");
                self.flags.own.check(&[&one, &other])?;
                let bots = vec![self.bot(&one, &self.new), self.bot(&other, old)];
                set(&mut tables, "bot", bots);
                set(&mut tables, "sprt", self.test());
            }
            Opponents::Folder { dir, left_out } => {
                let one = name_beside(dir, left_out, &own)?;
                set(&mut schedule, "format", "gauntlet");
                set(&mut schedule, "games", self.games.unwrap_or(GAMES));
                self.flags.own.check(&[&one])?;
                set(&mut tables, "bot", vec![self.bot(&one, &self.new)]);
                let excluded = left_out.clone().into();
                let folder = table([("folder", (*dir).into()), ("exclude", excluded)]);
                set(&mut tables, "bots", vec![folder]);
            }
        }
        set(&mut tables, "schedule", Value::Table(schedule));
        // The author reads what both bots write to standard error.
        set(&mut tables, "publish", table([("stderr", "public".into())]));
        let text = tables.to_string();
        let config = match Config::parse_told(&text, Some(ruleset)) {
            Ok(config) => config,
            Err(errors) => {
                // Without lines and keys: the user has written flags, and no configuration.
                let mut messages = Vec::new();
                for error in errors.errors() {
                    messages.push(error.message.as_str());
                }
                bail!("{}", messages.join("; "));
            }
        };
        let listed = match &self.openings {
            Some(path) => {
                let listed = read_named_text(path);
                Some(listed.with_context(|| format!("--openings {}", path.display()))?)
            }
            None => None,
        };
        let from = std::env::current_dir().context("the working directory")?;
        Ok(TournamentRequest {
            file: from.join(&name),
            name,
            text,
            config,
            from,
            listed,
            origin: Origin::Flags,
            copies: None,
            trust: self.trust,
        })
    }

    /// The table `[schedule]` without the format.
    fn schedule(&self, opponents: &Opponents<'_>, ruleset: &Ruleset) -> anyhow::Result<Table> {
        let seed = i64::try_from(self.seed).context("--seed: at most 9223372036854775807")?;
        let mut schedule = Table::new();
        set(&mut schedule, "seed", seed);
        if let Some(file) = &self.openings {
            let file = file.to_str().context("--openings: the path is no text")?;
            set(&mut schedule, "openings", file);
        } else {
            set(&mut schedule, "opening-plies", self.plies(opponents, ruleset));
        }
        Ok(schedule)
    }

    /// The number of opening plies: those that are asked for, else the fewest from two on that give
    /// each pair an opening of its own. Where none do, two: the tournament says what is missing.
    fn plies(&self, opponents: &Opponents<'_>, ruleset: &Ruleset) -> u32 {
        if let Some(plies) = self.opening_plies {
            return plies;
        }
        let needed = match opponents {
            Opponents::One(..) => self.max_pairs.unwrap_or(Format::default().max_pairs),
            Opponents::Folder { .. } => self.games.unwrap_or(GAMES) / 2,
        };
        for plies in OPENING_PLIES..=MOST_PLIES {
            if Openings::random(ruleset.clone(), plies, self.seed).get(needed.into()).is_ok() {
                return plies;
            }
        }
        OPENING_PLIES
    }

    /// The table `[sprt]`.
    fn test(&self) -> Value {
        let default = SprtConfig::default();
        table([
            ("elo0", self.elo0.unwrap_or(default.elo0).into()),
            ("elo1", self.elo1.unwrap_or(default.elo1).into()),
            ("alpha", self.alpha.unwrap_or(default.alpha).into()),
            ("beta", self.beta.unwrap_or(default.beta).into()),
            ("model", self.model.unwrap_or(default.model).word().into()),
            ("max-pairs", self.max_pairs.unwrap_or(Format::default().max_pairs).into()),
        ])
    }

    /// A `[[bot]]`.
    fn bot(&self, name: &str, command: &str) -> Value {
        let mut bot = Table::new();
        set(&mut bot, "name", name);
        set(&mut bot, "command", command);
        if let Some(clock) = self.flags.own.of(name) {
            let mut time = Table::new();
            for (key, value) in clock.keys() {
                set(&mut time, key, value);
            }
            set(&mut bot, "time", Value::Table(time));
        }
        Value::Table(bot)
    }

    fn options(&self) -> RunOptions {
        RunOptions {
            stop_at: None,
            concurrency: self.concurrency.unwrap_or_else(spare_cores),
            pause: Duration::ZERO,
            address: None,
            json: self.json,
            kind: RunKind::Test,
            explanation: Explanation::Short,
            strict: Strict::Off,
            keep_changed: false,
            restart: false,
            sharing: Sharing::default(),
        }
    }
}

/// Refuses a result folder with more than results in it: when a new run begins, it is renamed,
/// whole.
fn check_out(results: &Path, others: [&Path; 3]) -> anyhow::Result<()> {
    let Ok(full) = results.canonicalize() else { return Ok(()) };
    for other in others {
        if other.canonicalize().is_ok_and(|other| other.starts_with(&full)) {
            bail!(
                "--out {}: {} is in it, and would be renamed with it when a bot has changed; \
                 name a folder for results alone",
                results.display(),
                other.display()
            );
        }
    }
    Ok(())
}

/// Gives a key of a table a value.
fn set(table: &mut Table, key: &str, value: impl Into<Value>) {
    table.insert(key.to_owned(), value.into());
}

/// A table of a configuration.
fn table<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Table(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// The name of NEW beside the bots of a folder, but for those that are left out: with a number if
/// one of them has it.
fn name_beside(dir: &str, left_out: &[String], own: &str) -> anyhow::Result<String> {
    let mut others = Vec::new();
    for entry in Path::new(dir).read_dir().with_context(|| dir.to_owned())?.flatten() {
        if let Ok(name) = entry.file_name().into_string()
            && !left_out.contains(&name)
        {
            others.push(name);
        }
    }
    let one = first_free(own, |name| others.iter().all(|other| !other.eq_ignore_ascii_case(name)));
    if one != own {
        complain(format_args!(
            "note: a bot in {dir} is called {own} too; the new one is {one} (see --name)"
        ));
    }
    Ok(one)
}

/// Reads a number of games.
fn even(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(number) if (2..=100_000).contains(&number) && number % 2 == 0 => Ok(number),
        _ => Err("games are played in pairs: write an even number from 2 to 100000".to_owned()),
    }
}

/// Reads a difference.
fn elo(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(elo) if (-2000.0..=2000.0).contains(&elo) => Ok(elo),
        _ => Err("write a number from -2000 to 2000".to_owned()),
    }
}

/// Reads a probability.
fn chance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if 0.0 < share && share < 1.0 => Ok(share),
        _ => Err("write a number above 0 and below 1, such as 0.05".to_owned()),
    }
}
