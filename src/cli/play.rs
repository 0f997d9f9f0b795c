//! `arbiter play`: a match of two bots.

mod players;

use super::{ALL_BOTS, CommandResult, RulesArguments, can_draw, strict};
use anyhow::{Context, anyhow, bail};
use arbiter_config::BOT_NAME_LETTERS;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::standings::{StandingsReport, brief, match_json, match_line};
use arbiter_cup::tournament::{PlayedGames, TournamentProgress, TournamentRules};
use arbiter_game::clock::TimeControl;
use arbiter_game::content;
use arbiter_game::game_id::{game_id, pairing_name, parts_of};
use arbiter_game::openings::Openings;
use arbiter_game::{Outcome, Settings, StderrAccess, Watcher};
use arbiter_ground::bot_log_writer::BotLogWriter;
use arbiter_ground::failure::Failure;
use arbiter_ground::flags::{SettingsFlags, parse_pause};
use arbiter_ground::follow::{RunEnd, follow};
use arbiter_ground::input_file::{is_same_file, read_named_text};
use arbiter_ground::output::{colour, complain, fitted, print_if_open};
use arbiter_ground::preparation::{Origin, Preparation, random_seed};
use arbiter_ground::recorder::Recorder;
use arbiter_ground::trust::TrustFlag;
use arbiter_ground::verdict::Strict;
use arbiter_host::locate::{ContentRules, Program};
use arbiter_play::arena::{self, GameQueue, Match, PlayerSpec, ScheduledGames, Watchers};
use arbiter_play::store::{BotLogs, Transcript};
use arbiter_rank::rating::{RatingOptions, Ratings};
use arbiter_rank::schedule::{Format, Schedule, is_bot_name};
use arbiter_rank::standings::Standings;
use arbiter_rules::seed::RunSeed;
use arbiter_rules::{Position, Ruleset};
use arbiter_run::display::audience::{Board, ScreenChannel, Spectators};
use arbiter_run::display::person_screen::PersonScreen;
use arbiter_run::display::run_display::{KeptLines, RunDisplay};
use arbiter_run::display::terminal_screen::TerminalScreen;
use arbiter_run::display::watched_games::WatchedGames;
use arbiter_run::match_store::{MatchStore, match_verdict, open_log};
use arbiter_run::tables::bot_times::crowd;
use arbiter_show::view::{Live, PROGRESS_FRAME, terminal_size};
use clap::Args;
use players::unquoted;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  arbiter play loa mybot builtin:greedy                   a folder with a bot.toml, a built-in bot
  arbiter play loa \"python3 my.py\" builtin:random -n 20   a command line in quotes; twenty games
  arbiter play lineup new old --name new --name old       two versions of one bot, each with a name
  arbiter play loa human builtin:search                   a person at this terminal plays
  arbiter play gekitai mybot builtin:search --set n=8 --move-time 1s --transcript lines.txt

Ctrl-C lets the running games finish and shows the result so far; a second Ctrl-C stops them.";

/// Play a match between two bots
///
/// BOT is an executable or script file, a folder with a bot.toml, a quoted command line such as
/// "python3 bot.py", builtin:random, builtin:greedy, builtin:search, or human: a person at this
/// terminal, without a clock unless --time is given. Before any of the others may stand its
/// dialect, such as ugi:./engine.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlayCommand {
    #[command(flatten)]
    rules: RulesArguments,
    /// The bot that has the first side in game 1
    #[arg(value_name = "BOT")]
    first: String,
    /// Its opponent
    #[arg(value_name = "BOT")]
    second: String,
    /// Words of a BOT that is not quoted; they are refused
    #[arg(hide = true)]
    unquoted: Vec<String>,
    /// The name of the first bot in results; given again, that of the second
    #[arg(long, value_name = "NAME", value_parser = result_name)]
    name: Vec<String>,
    /// The number of games; sides alternate
    #[arg(short = 'n', long, default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The number of games played at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    #[command(flatten)]
    flags: SettingsFlags,
    /// The seed of random openings and of the bots; by default a random one
    #[arg(long, value_name = "N", help_heading = OPENINGS)]
    seed: Option<u64>,
    /// Begin each pair of games after N random plies
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "position")]
    #[arg(help_heading = OPENINGS)]
    opening_plies: u32,
    /// Begin the pairs of games from the positions of this file, one position text a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "opening_plies"])]
    #[arg(help_heading = OPENINGS, hide_short_help = true)]
    openings: Option<PathBuf>,
    /// Play the game of this id, A~B.N or the one that its bots were sent, alone: game N of the
    /// match of these bots, with its opening, sides and seeds; `arbiter rerun` plays a game of a
    /// log again
    #[arg(long, value_name = "ID", conflicts_with = "games")]
    #[arg(help_heading = OPENINGS, hide_short_help = true)]
    game_id: Option<String>,
    /// Append the game logs to this file
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    log: Option<PathBuf>,
    /// Write each bot's stderr and unrecognised lines to DIR/NAME/GAMEID.log
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    bot_logs: Option<PathBuf>,
    /// Write every line to and from the bots to this file, with times
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    transcript: Option<PathBuf>,
    /// Wait this long between two plies, such as 300ms, for spectators; no clock runs
    #[arg(long, value_name = "TIME", value_parser = parse_pause)]
    #[arg(help_heading = OUTPUT, hide_short_help = true)]
    pause: Option<Duration>,
    /// Print one JSON object for each game on standard output, and one for the match of several
    /// games
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    json: bool,
    /// Exit with status 1 after a forfeit or an aborted game [of a bot]
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    #[arg(help_heading = OUTPUT)]
    #[arg(default_missing_value = ALL_BOTS, value_parser = strict)]
    strict: Option<Strict>,
    #[command(flatten)]
    trust: TrustFlag,
}

/// Groups of options in the help.
const OPENINGS: &str = "Openings and seeds";
const OUTPUT: &str = "Output";

impl PlayCommand {
    pub(super) fn run(self) -> CommandResult {
        // 1. What the flags say, before anything is started.
        let position = self.position()?;
        let seed = self.seed.unwrap_or_else(random_seed);
        let mut preparation = self.preparation(position.ruleset(), seed)?;
        let mut openings = self.openings(position, seed)?;
        preparation.conditions.opening = openings.first_other().context("--opening-plies")?;

        // 2. The bots. Users are separated before the first program is tried, because that already
        // runs it.
        let channel = ScreenChannel::default();
        let found = self.find(&preparation.conditions, &channel)?;
        let programs = found.iter().flatten().filter_map(PlayerSpec::program);
        let programs = programs.map(|program| (program.name.clone(), &**program));
        preparation.separate_users(programs, &Anonymizer::unchanged())?;
        let bots = self.with_own_clocks(self.bots(&preparation, found)?)?;
        let names = bots.each_ref().map(|(name, _)| name.clone());

        // 3. Flags that concern names, which are known only now.
        let strict = self.strict.clone().unwrap_or_default();
        if let Some(name) = strict.bot()
            && !names.contains(name)
        {
            let known = names.join(", ");
            let why = anyhow!("--strict={name}: no bot of that name plays; there are {known}");
            return Err(why.into());
        }
        let last = match &self.game_id {
            None => self.games,
            Some(id) => number_in(id, &names, &RunSeed::Open(seed))?,
        };

        // 4. The files, which are not touched if something above is wrong.
        let store = self.store(&bots)?;
        let bot_logs = self.bot_logs()?;
        let (spectators, watcher) = self.spectators(channel, last)?.unzip();
        let (screen, watchers) = self.screen(spectators, watcher, &names);

        // 5. The match.
        let at_once = self.games_played().min(self.concurrency.into());
        if let Some(note) = crowd(&preparation.conditions.settings, at_once) {
            complain(note);
        }
        let conditions = preparation.conditions;
        let progress = self.progress(&names, last, conditions.tries)?;
        let mut scheduled =
            ScheduledGames::new(progress, openings, bots.into(), PlayedGames::new());
        if self.game_id.is_some() {
            scheduled = scheduled.only(game_id(&names[0], &names[1], last.into()));
        }
        let plan = Match { conditions, concurrency: self.concurrency.into(), watchers };
        let mut recorder = Recorder::new(store, screen);
        recorder.logs = bot_logs.map(BotLogWriter::new);
        for name in &names {
            let _ = recorder.standings.enter(name);
        }
        let ended =
            follow(&mut arena::run(plan, GameQueue::new(scheduled)), PROGRESS_FRAME, &mut recorder);

        // 6. The end. The screen is left first, so that what follows is below it.
        let verdict = match_verdict(&recorder, &strict);
        let transcript = recorder.screen.finish().with_context(|| {
            let file = self.transcript.as_deref().unwrap_or(Path::new(""));
            format!("--transcript {}: it ends in the middle of the match", file.display())
        });
        let transcript = transcript.map_err(Failure::Unfinished);
        if let Err(Failure::OutputClosed) = ended {
            transcript?;
            return verdict;
        }
        let end = ended?;
        if let RunEnd::Broken(what) = end {
            return Err(Failure::Unfinished(anyhow!(what)));
        }
        let played = recorder.played;
        let games = self.games;
        if games > 1 && played > 0 {
            let repeats = recorder.standings.rows().first().map_or(0, |row| row.repeated);
            self.print_result(recorder.standings)?;
            if repeats > 0 {
                self.note_repeats(repeats, played);
            }
        }
        if end == RunEnd::Interrupted {
            let why = anyhow!("interrupted after {played} of {games} games");
            return Err(Failure::Interrupted(why));
        }
        transcript?;
        verdict
    }

    fn note_repeats(&self, repeats: u64, played: u64) {
        let cure = match (&self.openings, self.opening_plies) {
            (Some(_), _) => "the file of --openings has too few positions",
            (None, 0) => "`--opening-plies 4` begins each pair of games elsewhere",
            (None, _) => "more --opening-plies have more positions",
        };
        complain(format_args!(
            "note: {repeats} of {played} games repeat an earlier one move by move, which shows \
             nothing new; {cure}"
        ));
    }

    /// The number of games that this command plays.
    fn games_played(&self) -> u64 {
        if self.game_id.is_some() { 1 } else { self.games.into() }
    }

    /// Opens the log, if one is asked for; the digests of the bots are for the log alone.
    fn store(&self, bots: &[(String, PlayerSpec); 2]) -> anyhow::Result<MatchStore> {
        if let (Some(log), Some(transcript)) = (&self.log, &self.transcript)
            && is_same_file(log, transcript)
        {
            bail!(
                "--transcript {}: this is the file of --log; name another one",
                transcript.display()
            );
        }
        let games = self.games;
        let Some(log) = &self.log else {
            return Ok(MatchStore { games, log: None, digests: [None, None] });
        };
        let log = Some(open_log(log)?);
        let digests = bots.each_ref().map(|(_, player)| short_digest(player.program()?));
        Ok(MatchStore { games, log, digests })
    }

    fn bot_logs(&self) -> anyhow::Result<Option<BotLogs>> {
        let Some(dir) = &self.bot_logs else { return Ok(None) };
        let logs = BotLogs::create(dir);
        Ok(Some(logs.with_context(|| format!("--bot-logs {}", dir.display()))?))
    }

    /// The position that games begin from without openings.
    fn position(&self) -> anyhow::Result<Position> {
        // A `--set n 10` has a word too many as well.
        let position = self.rules.position(&self.flags.settings.limits)?;
        if !self.unquoted.is_empty() {
            let words = [&[self.first.clone(), self.second.clone()], &*self.unquoted].concat();
            bail!(unquoted(&self.rules.game.game, &words));
        }
        match Outcome::by_rules(&position) {
            Some(outcome) => {
                bail!("--position: the game is over there already ({})", outcome.termination())
            }
            None => Ok(position),
        }
    }

    /// The conditions of the games, on this machine.
    fn preparation(&self, ruleset: Ruleset, seed: u64) -> Result<Preparation, Failure> {
        let mut settings = Settings { ruleset, ..self.flags.settings };
        if self.has_person() {
            self.check_table()?;
            if !self.flags.names_time {
                settings = settings.with_control(TimeControl::Unlimited);
            }
        }
        let mut preparation =
            Preparation::new(settings, "?", seed, StderrAccess::Public, Origin::Flags)?;
        preparation.conditions.pause = self.pause.unwrap_or_default();
        preparation.isolate()?;
        Ok(preparation)
    }

    /// The progress of a match to the game of this number.
    fn progress(
        &self,
        names: &[String; 2],
        last: u32,
        tries: u32,
    ) -> anyhow::Result<TournamentProgress> {
        // A whole number of pairs, so that an odd game that is played alone has its `Pair` too.
        let games = if self.game_id.is_some() { last.next_multiple_of(2) } else { last };
        let schedule = Schedule::new(Format { games, ..Format::default() }, names)?;
        let rules = TournamentRules { tries, ..TournamentRules::default() };
        Ok(TournamentProgress::new(schedule, rules))
    }

    /// Shows the result of the match: counts on standard error, the difference of the bots on
    /// standard output.
    fn print_result(&self, mut standings: Standings) -> Result<(), Failure> {
        standings.end_of_log();
        let ratings =
            Ratings::fit(standings.rows().len(), standings.encounters(), &RatingOptions::default());
        let report = StandingsReport::new(standings, ratings);
        if self.json {
            if let Some(object) = match_json(&report) {
                print_if_open(object)?;
            }
            return Ok(());
        }
        complain(brief(&report.standings).trim_end());
        if let Some(line) = match_line(&report) {
            print_if_open(fitted(&line, std::io::stdout()))?;
        }
        Ok(())
    }

    /// The positions that games begin from.
    fn openings(&self, position: Position, seed: u64) -> anyhow::Result<Openings> {
        let ruleset = position.ruleset();
        let mut openings = if let Some(path) = &self.openings {
            let listed =
                read_named_text(path).and_then(|text| Ok(Openings::listed(&ruleset, &text)?));
            listed.with_context(|| format!("--openings {}", path.display()))?
        } else if self.opening_plies > 0 {
            Openings::random(ruleset, self.opening_plies, seed)
        } else {
            Openings::start(position)
        };
        if self.game_id.is_none() {
            // All that are needed are made before the first game, so that none is missing in the
            // middle.
            openings.get(u64::from(self.games).div_ceil(2)).context("--opening-plies")?;
        }
        Ok(openings)
    }

    /// The terminal and the transcript, if either is wanted.
    fn spectators(
        &self,
        channel: ScreenChannel,
        games: u32,
    ) -> anyhow::Result<Option<(Spectators, Arc<dyn Watcher>)>> {
        let terminal = std::io::stdout();
        let board = if self.has_person() {
            let screen = PersonScreen::enter(colour(), games).context("the terminal")?;
            Some(Board::Person(Box::new(screen)))
        } else if can_draw(&terminal) && !self.json && self.concurrency == 1 {
            let live = Live::new(terminal, colour(), || terminal_size(std::io::stdout()), games);
            Some(Board::Live(Box::new(live)))
        } else {
            None
        };
        let transcript = match &self.transcript {
            Some(path) => {
                let created = Transcript::create(path);
                Some(created.with_context(|| format!("--transcript {}", path.display()))?)
            }
            None => None,
        };
        if board.is_none() && transcript.is_none() {
            return Ok(None);
        }
        Ok(Some(Spectators::new(channel, board, transcript)))
    }

    /// What shows the games: the board, if the spectators have one, else a display of the run. And
    /// the watchers of the workers: that of the spectators, or else those of the display.
    fn screen(
        &self,
        spectators: Option<Spectators>,
        watcher: Option<Arc<dyn Watcher>>,
        names: &[String; 2],
    ) -> (TerminalScreen, Watchers) {
        let workers = usize::from(self.concurrency);
        let anonymizer = Anonymizer::unchanged();
        if spectators.as_ref().is_some_and(Spectators::shows_board) {
            return (
                TerminalScreen { anonymizer, display: None, spectators },
                watcher.into_iter().collect(),
            );
        }
        let title = format!("{} against {}", names[0], names[1]);
        let games = Some(self.games_played());
        let mut display = RunDisplay::new(self.json, KeptLines::Every, &title, games, 0);
        // A transcript has the lines of all workers.
        let watchers = match watcher {
            Some(watcher) => vec![watcher; workers],
            None => display.watch(&WatchedGames::new(workers, Anonymizer::unchanged())),
        };
        (TerminalScreen { anonymizer, display: Some(display), spectators }, watchers)
    }
}

/// The digest of a bot's content as logs have it; `None` if its files cannot be read.
fn short_digest(program: &Program) -> Option<String> {
    let found = program.content(ContentRules::default(), None).ok()?;
    Some(content::short_digest(&found.content.digest()))
}

/// The number of a game between these bots, by its id or by the one that they are sent in a run
/// with this seed. A larger number is refused, because all openings up to it are made.
fn number_in(id: &str, names: &[String; 2], seed: &RunSeed) -> anyhow::Result<u32> {
    let mut numbers = 1..=1_000_000;
    let pair = pairing_name(&names[0], &names[1]);
    let found = match parts_of(id) {
        Some((named, number)) if named == pair => numbers.find(|&known| u64::from(known) == number),
        // The ids that bots are sent have 16 hexadecimal digits.
        None if id.len() == 16 => {
            numbers.find(|number| seed.sent_id(&format!("{pair}.{number}")) == id)
        }
        Some(_) | None => None,
    };
    found.with_context(|| {
        format!(
            "--game-id {id}: the games of these bots are {pair}.1, {pair}.2 and so on, to \
             {pair}.1000000, and the ids that they are sent follow from these and --seed; to play \
             a game of a log again, use `arbiter rerun`"
        )
    })
}

/// A name for `--name`.
pub(super) fn result_name(name: &str) -> Result<String, String> {
    if is_bot_name(name) {
        Ok(name.to_owned())
    } else {
        Err(format!("a name is 1 to 64 of {BOT_NAME_LETTERS}, and begins with a letter or digit"))
    }
}
