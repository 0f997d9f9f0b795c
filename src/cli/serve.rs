//! `arbiter serve`: the page of a result folder, live.

use super::{CommandResult, Verdict};
use anyhow::anyhow;
use arbiter_ground::failure::Failure;
use arbiter_ground::flags::GivenSettings;
use arbiter_ground::output::{complain, print_if_open};
use arbiter_ground::own_rules::RulesFlag;
use arbiter_play::arena::EndSignals;
use arbiter_play::store::ResultFolder;
use arbiter_rules::text::counted;
use arbiter_run::display::live::{LivePage, LiveSetup, listen};
use arbiter_run::persons::{PersonSeats, PersonSetup, PersonTables};
use arbiter_run::tables::recorded::Recorded;
use arbiter_show::serve::{PersonGames, SeatGames};
use clap::Args;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  arbiter serve spring-cup --open                  the table and the games in the browser
  arbiter serve spring-cup --play                  and its bots play against you there
  arbiter serve spring-cup --persons ann bob       two persons play each other, by two links
  arbiter tournament cup.toml --serve 127.0.0.1:0  the same page with the running games, ply by ply

Exit status: 0 when Ctrl-C ends it; 2 bad usage or input; 3 could not finish, or a game is not in \
the log; 130 stopped by a second Ctrl-C while games were being ended.";

/// Serve the page of a tournament to browsers, live
///
/// It is the page of `arbiter report`: it follows the tournament while it is played, and shows what
/// others may see (the table `publish`). Nothing is written into the folder. The address to open is
/// the first line on standard output; who knows it sees the page, so it has a secret part, and by
/// default only this machine can reach it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeCommand {
    /// The result folder of a tournament
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The host and port to serve on; port 0 is any free one. Other machines can reach an address
    /// that is not this machine's own
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    addr: String,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Let a person on this machine play the bots of the tournament in the browser, under its
    /// settings and sandbox, but without clocks unless --time or --move-time is given
    #[arg(long, group = "games_of_persons")]
    play: bool,
    /// Let two persons of these names play each other, likewise: a link for each of them is printed
    /// after the address of the page, where all others watch
    #[arg(long, num_args = 2, value_names = ["NAME", "NAME"], group = "games_of_persons")]
    persons: Vec<String>,
    /// The file that the games of persons are appended to
    #[arg(
        long,
        value_name = "FILE",
        default_value = "person-games.pgn",
        requires = "games_of_persons"
    )]
    log: PathBuf,
    /// The folder that the paths of the configuration start from; by default the one above the
    /// result folder
    #[arg(long, value_name = "FOLDER", requires = "games_of_persons")]
    from: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesFlag,
    #[command(
        flatten,
        next_help_heading = "Settings of the games of persons, instead of those of the tournament"
    )]
    given: GivenSettings,
}

impl ServeCommand {
    pub(super) fn run(self) -> CommandResult {
        let journal = ResultFolder::existing(&self.folder).journal();
        if !journal.is_file() {
            let folder = self.folder.display();
            return Err(anyhow!(
                "{folder}: it has no journal.jsonl, so it is not the result folder of a tournament"
            )
            .into());
        }
        let rules = self.rules.load()?;
        let address = listen("--addr", &self.addr, self.play)?;
        let recorded = Recorded::read(&journal)?;
        let setup = PersonSetup {
            folder: &self.folder,
            from: self.from.as_deref(),
            rules: rules.as_ref(),
            given: &self.given,
            log: &self.log,
        };
        let mut tables = None;
        if self.play {
            tables = Some(Arc::new(PersonTables::new(&setup, &recorded)?));
        }
        let mut seats = None;
        if let Ok(names) = <[String; 2]>::try_from(self.persons) {
            seats = Some(Arc::new(PersonSeats::new(&setup, names, &recorded)?));
        }
        // From here on a signal ends the page and its games in order.
        let (events, received) = channel();
        let signals = events.clone();
        EndSignals::forward(move || signals.send(ServeEvent::Signal).is_ok());
        let page = LivePage::start(LiveSetup {
            watched: seats.as_ref().map(|seats| seats.games()),
            persons: tables.clone().map(|tables| tables as Arc<dyn PersonGames>),
            seats: seats
                .clone()
                .map(|seats| (Arc::clone(&seats) as Arc<dyn SeatGames>, seats.names())),
            ..LiveSetup::new(address, recorded)
        })?;
        print_if_open(page.url())?;
        for (name, url) in seats.iter().flat_map(|seats| seats.names()).zip(page.seat_urls()) {
            print_if_open(format!("{name}: {url}"))?;
        }
        if self.open {
            match page.url_for_once() {
                Ok(url) => open(&url),
                Err(error) => complain(format_args!("note: --open: {error}")),
            }
        }
        let _ = received.recv(); // a signal: nothing else comes before it
        let played = tables.clone();
        let seated = seats.clone();
        thread::spawn(move || {
            if let Some(played) = played {
                played.end();
            }
            if let Some(seated) = seated {
                seated.end();
            }
            let _ = events.send(ServeEvent::Ended); // fails after another signal
        });
        if !has_ended(&received, Instant::now() + ONE_CAUSE) {
            complain("ending the games of persons; interrupt again to stop without them");
            if let Ok(ServeEvent::Signal) = received.recv() {
                return Err(Failure::Interrupted(anyhow!(
                    "stopped; games of persons that had not ended are not in the log"
                )));
            }
        }
        drop(page);
        let lost = tables.map_or(0, |tables| tables.lost()) + seats.map_or(0, |seats| seats.lost());
        let mut reasons = Vec::new();
        if lost > 0 {
            reasons.push(format!("not in the log: {}", counted(lost, "game")));
        }
        Ok(Verdict::because(3, reasons))
    }
}

/// What `arbiter serve` waits for.
enum ServeEvent {
    Signal,
    /// The games of persons have ended after a signal.
    Ended,
}

/// Signals within this time have one cause: a terminal that is closed sends several.
const ONE_CAUSE: Duration = Duration::from_secs(1);

/// Waits until this time for the end of the games; further signals say nothing new.
fn has_ended(events: &Receiver<ServeEvent>, until: Instant) -> bool {
    loop {
        match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(ServeEvent::Signal) => {}
            Ok(ServeEvent::Ended) => return true,
            Err(_) => return false,
        }
    }
}

/// Opens an address in the user's browser.
fn open(url: &str) {
    // The commands of Linux and of macOS.
    for command in ["xdg-open", "open"] {
        let started = Command::new(command)
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match started {
            Ok(mut browser) => {
                thread::spawn(move || browser.wait());
                return;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return complain(format_args!("note: --open: {command}: {error}")),
        }
    }
    complain("note: --open: neither xdg-open nor open is installed; open the address yourself");
}
