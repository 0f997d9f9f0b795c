//! `arbiter tournament`: plays the tournament of a configuration, or continues it.

use super::init::Init;
use super::{ALL_BOTS, CommandResult, LEVELS, Verdict, one_of, strict};
use anyhow::anyhow;
use arbiter_config::DEFAULT;
use arbiter_cup::report::standings::Explanation;
use arbiter_game::Sandbox;
use arbiter_ground::flags::parse_pause;
use arbiter_ground::isolation::spare_cores;
use arbiter_ground::output::write_out;
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::verdict::Strict;
use arbiter_run::display::live::listen;
use arbiter_run::estimate::plan_text;
use arbiter_run::options::{RunKind, RunOptions};
use arbiter_run::sharing::{SHARDS, Sharing};
use arbiter_run::tournament::play_tournament;
use clap::Args;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  arbiter tournament --init cup.toml              writes a commented configuration to start from
  arbiter tournament cup.toml --concurrency 4     plays it; the same command continues it
  arbiter tournament cup.toml --strict            for CI: exit status 1 after a forfeit
  arbiter tournament cup.toml --restart           begins anew
  arbiter tournament --print-default              a configuration with every key
  arbiter tournament cup.toml --shard 2/3         plays a third, for `arbiter merge`";

/// Groups of options in the help.
const OUTPUT: &str = "Output";
const EARLIER: &str = "Games of earlier runs";

/// Play the tournament of a configuration, or continue it
///
/// Results go to a folder named after the tournament, beside its configuration; the same command
/// continues an interrupted tournament. Ctrl-C lets the running games finish, a second Ctrl-C stops
/// them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TournamentCommand {
    /// The configuration
    #[arg(value_name = "CONFIG.toml", required_unless_present_any = ["print_default", "init"])]
    config: Option<PathBuf>,
    /// The folder for the results, instead of one named after the tournament beside its
    /// configuration
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The number of games played at a time; default: the available cores less one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Wait this long between two plies, such as 300ms, for spectators; no clock runs
    #[arg(long, value_name = "TIME", value_parser = parse_pause)]
    #[arg(help_heading = OUTPUT, hide_short_help = true)]
    pause: Option<Duration>,
    /// Begin no further game after this time, such as 5h; the running ones end, and the same
    /// command goes on from there
    #[arg(long, value_name = "TIME", value_parser = parse_pause)]
    #[arg(help_heading = OUTPUT, hide_short_help = true)]
    stop_after: Option<Duration>,
    /// Serve the page of the tournament to browsers on this address while it is played, such as
    /// 127.0.0.1:0 for any free port of this machine; the address to open is printed on standard
    /// error
    #[arg(long, value_name = "ADDR", help_heading = OUTPUT)]
    serve: Option<String>,
    /// Print one JSON object for each game on standard output, and one for the match if there are
    /// two bots
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    json: bool,
    /// Show all figures of the tables, and explain each
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT)]
    explain: bool,
    /// Exit with status 1 after a forfeit or an aborted game, or when a bot could not be scheduled;
    /// with a name, of that bot
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    #[arg(help_heading = OUTPUT)]
    #[arg(default_missing_value = ALL_BOTS, value_parser = strict)]
    strict: Option<Strict>,
    /// Count games that were played with an earlier content of a bot, instead of playing them again
    #[arg(long, help_heading = EARLIER, hide_short_help = true)]
    keep_changed: bool,
    /// Begin anew: the journal of this folder is kept as journal.1.jsonl, and counts no more
    #[arg(long, conflicts_with = "keep_changed", help_heading = EARLIER)]
    restart: bool,
    #[command(flatten)]
    sharing: Sharing,
    /// Refuse to start below this level of isolation, whatever the configuration says
    #[arg(long, value_name = "LEVEL", value_parser = one_of(LEVELS), hide_short_help = true)]
    require_isolation: Option<Sandbox>,
    /// Print how many games there are to play, the time that they take and a number of shards for
    /// it, and play nothing; with the recorded games of the result folder, and of those of --from
    /// and --missing, the time is their mean
    #[arg(long, help_heading = SHARDS, hide_short_help = true)]
    print_plan: bool,
    #[command(flatten)]
    new: Init,
    /// Print a commented configuration with every key at its default, and do nothing else
    #[arg(long)]
    print_default: bool,
}

impl TournamentCommand {
    pub(super) fn run(self) -> CommandResult {
        let began = Instant::now(); // --stop-after counts what comes before the games, too
        if self.new.write(self.config.as_deref())? {
            return Ok(Verdict::DONE);
        }
        let path = match &self.config {
            Some(path) if !self.print_default => path,
            _ => {
                write_out(DEFAULT)?;
                return Ok(Verdict::DONE);
            }
        };
        let mut request = TournamentRequest::read(path)?;
        if request.config.schedule.format.kind.is_endless {
            let file = path.display();
            let why = anyhow!(
                "{file}: [schedule] format is \"league\", which has no end: play it with `arbiter \
                 league {file}`"
            );
            return Err(why.into());
        }
        let sharing = self.sharing;
        sharing.check(&request.config)?;
        let dir = self.out.unwrap_or_else(|| request.from.join(sharing.folder_name(&request.name)));
        let concurrency = self.concurrency.unwrap_or_else(spare_cores);
        if self.print_plan {
            write_out(plan_text(&request, &sharing, &dir, concurrency)?)?;
            return Ok(Verdict::DONE);
        }
        let limits = &mut request.config.settings.limits;
        limits.require_isolation = self.require_isolation.or(limits.require_isolation);
        // Before the first game, so that an address that is in use is told at once.
        let address = match &self.serve {
            Some(address) => Some(listen("--serve", address, false)?),
            None => None,
        };
        let options = RunOptions {
            concurrency,
            pause: self.pause.unwrap_or_default(),
            stop_at: self.stop_after.map(|time| began + time),
            address,
            json: self.json,
            kind: RunKind::Tournament,
            explanation: if self.explain { Explanation::Full } else { Explanation::Short },
            strict: self.strict.unwrap_or_default(),
            keep_changed: self.keep_changed,
            restart: self.restart,
            sharing,
        };
        play_tournament(&request, options, &dir)
    }
}
