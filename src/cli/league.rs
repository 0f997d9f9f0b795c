//! `arbiter league`: a tournament without an end, which takes submissions while it is played.

use super::{CommandResult, LEVELS, Verdict, one_of};
use anyhow::anyhow;
use arbiter_game::Sandbox;
use arbiter_ground::failure::Failure;
use arbiter_ground::flags::parse_pause;
use arbiter_ground::isolation::spare_cores;
use arbiter_ground::output::{complain, write_out};
use arbiter_ground::request::TournamentRequest;
use arbiter_league::archive::{Archive, archive};
use arbiter_league::workers::play_for_league;
use arbiter_league::{past, play_league, status};
use arbiter_run::display::live::listen;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  arbiter league league.toml                        plays it; the same command goes on
  arbiter league league.toml --serve 127.0.0.1:80   with a page for browsers
  arbiter league league.toml --worker               plays games for it, on any machine
  arbiter league league.toml --status               what plays, what is next, new versions
  arbiter league league.toml --archive              ends the season";

/// Play a league without an end, which takes submissions at any time
///
/// The configuration has the format "league" and a folder of submissions. A submission that arrives
/// or changes there is copied, built, tried and checked; if it passes, it plays in the place of the
/// version before. Ctrl-C or SIGTERM ends it, and the same command goes on.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct LeagueCommand {
    /// The configuration
    #[arg(value_name = "CONFIG.toml")]
    config: PathBuf,
    /// The folder for the results, instead of one named after the league beside its configuration
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The number of games played at a time; default: the available cores less one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Serve the page of the league to browsers on this address, such as 127.0.0.1:0 for any free
    /// port of this machine; the address to open is printed on standard error
    #[arg(long, value_name = "ADDR")]
    serve: Option<String>,
    /// Play games for the league that another process plays in the same folder, which may be on
    /// another machine; it may come and go at any time
    #[arg(long, conflicts_with_all = ["serve", "status", "archive"])]
    worker: bool,
    /// Print what plays, what is next and the newest versions, and do nothing else
    #[arg(long)]
    status: bool,
    /// With --status: as JSON
    #[arg(long, requires = "status")]
    json: bool,
    /// End the season of a league that nobody plays: write all results and rename their folder to
    /// its name with the date; the same command without this begins the next season
    #[arg(long, conflicts_with_all = ["status", "serve"])]
    archive: bool,
    /// Wait this long between two plies, such as 300ms, for spectators; no clock runs
    #[arg(long, value_name = "TIME", value_parser = parse_pause, hide_short_help = true)]
    pause: Option<Duration>,
    /// Refuse to start below this level of isolation, whatever the configuration says
    #[arg(long, value_name = "LEVEL", value_parser = one_of(LEVELS), hide_short_help = true)]
    require_isolation: Option<Sandbox>,
}

impl LeagueCommand {
    pub(super) fn run(self) -> CommandResult {
        let mut request = TournamentRequest::read(&self.config)?;
        let kind = request.config.schedule.format.kind;
        if !kind.is_endless {
            let file = self.config.display();
            let why = anyhow!(
                "{file}: [schedule] format is \"{}\", which has an end: play it with `arbiter \
                 tournament {file}`, or write format = \"league\"",
                kind.word
            );
            return Err(why.into());
        }
        let dir = self.out.unwrap_or_else(|| request.from.join(&request.name));
        if self.status {
            let state = status::read(&dir)?;
            write_out(if self.json { status::json(&state)? + "\n" } else { status::text(&state) })?;
            return Ok(Verdict::DONE);
        }
        if self.archive {
            print_archive(&archive(&request, &dir)?, &request)?;
            return Ok(Verdict::DONE);
        }
        let limits = &mut request.config.settings.limits;
        limits.require_isolation = self.require_isolation.or(limits.require_isolation);
        let concurrency = self.concurrency.unwrap_or_else(spare_cores);
        let pause = self.pause.unwrap_or_default();
        if self.worker {
            return play_for_league(request, concurrency, pause, &dir);
        }
        let address = match &self.serve {
            Some(address) => Some(listen("--serve", address, false)?),
            None => None,
        };
        play_league(request, concurrency, pause, address, &dir)
    }
}

/// Says where a season is, and how a final is played with it.
fn print_archive(archive: &Archive, request: &TournamentRequest) -> Result<(), Failure> {
    let dir = shown(&archive.dir, request);
    let mut text = format!(
        "the season is in {dir}; the next one begins with\n\n    arbiter league {}\n\n\
         a final of it has\n\n    [schedule]\n    format = \"knockout\"\n    seeds = \"{dir}\"\n",
        request.file.display()
    );
    for folder in &archive.submissions {
        text += &format!("    [[bots]]\n    folder = \"{}\"\n", shown(folder, request));
    }
    write_out(text)?;
    if let Some(freeze) = past(request.config.league.freeze.as_ref()) {
        complain(format_args!(
            "note: freeze = \"{freeze}\" is over, and the next season takes no submission before \
             you change it"
        ));
    }
    Ok(())
}

/// A path as another configuration beside this one names it.
fn shown(path: &Path, request: &TournamentRequest) -> String {
    path.strip_prefix(&request.from).unwrap_or(path).display().to_string()
}
