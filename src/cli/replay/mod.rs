//! `arbiter replay`: steps through a logged game in the terminal, prints it, or writes pictures of
//! it.

mod opened;
mod stepping;

use super::{CommandResult, Verdict, can_draw};
use anyhow::{anyhow, bail};
use arbiter_cup::report::picture::Picture;
use arbiter_cup::report::{text, turning};
use arbiter_cup::tournament::JournalEntry;
use arbiter_game::proof::Turning;
use arbiter_game::record::{LogError, ReadEnd, ReadableGame, read_places};
use arbiter_ground::failure::Failure;
use arbiter_ground::input_file::{LogFile, NO_GAME, refuse_to_replace_inputs};
use arbiter_ground::output::{complain, write_out, write_out_by};
use arbiter_play::store::journal::Journal;
use arbiter_play::store::{ResultFolder, write_named_file};
use arbiter_rules::text::counted;
use arbiter_show::view::replay::{PROOF_NODES, WantedGame};
use arbiter_show::view::{GIF_PLIES, write_gif};
use clap::Args;
use opened::LogSource;
use std::io::{self, IsTerminal, Write, stdin, stdout};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  arbiter replay spring-cup conny~randy.1         steps through a game of a tournament
  arbiter replay games.pgn 3 --plain              prints every ply of the third game
  arbiter replay games.pgn 3 --gif -o game.gif    a moving picture of it";

/// Step through a logged game in the terminal
///
/// `?` shows the keys. In a pipe, and with --plain, every ply is printed with the board after it,
/// and at the end where the game was lost, as far as a short search proves it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplayCommand {
    /// A game log, a result folder (its games.pgn), or - for standard input, which is printed
    file: PathBuf,
    /// A game: its GameId or SentId, or its number in the log from 1; the first one if it is left
    /// out
    #[arg(value_name = "GAMEID|N")]
    game: Option<String>,
    /// Print every ply and the board after it, one after the other
    #[arg(long)]
    plain: bool,
    /// Print only this ply, from 1; 0 is the start position
    #[arg(long, value_name = "N", conflicts_with = "gif")]
    ply: Option<usize>,
    /// Write the last position, or that of --ply, as an SVG picture
    #[arg(long, conflicts_with = "gif")]
    svg: bool,
    /// Write the game as an animated GIF, if it has at most 2,000 plies
    #[arg(long)]
    gif: bool,
    /// The file of --svg or --gif, or - for standard output; without it the picture goes there if
    /// that is no terminal
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What the bots wrote: a folder as `arbiter play --bot-logs` writes it; by default `bots`
    /// beside the log
    #[arg(long, value_name = "DIR")]
    bot_logs: Option<PathBuf>,
}

impl ReplayCommand {
    pub(super) fn run(self) -> CommandResult {
        let is_picture = self.svg || self.gif;
        if self.output.is_some() && !is_picture {
            return Err(anyhow!("--output is the file of --svg or --gif").into());
        }
        if let Some(output) = &self.output {
            refuse_to_replace_inputs("--output", output, std::slice::from_ref(&self.file))?;
        }
        let prints = self.plain || self.ply.is_some() || is_picture || self.file.as_os_str() == "-";
        let wanted = wanted_game(&self.file, self.game.as_deref());
        if !prints && stdin().is_terminal() && can_draw(&stdout()) {
            return stepping::run(LogSource::open(&self.file, self.bot_logs.as_deref())?, wanted);
        }
        let (file, number, readable) = find(&self.file, &wanted)?;
        self.show(&file, number, readable)
    }

    /// Prints what was asked for of the game of this number in a log. Exit status 1 if the game is
    /// not as the rules say.
    fn show(&self, file: &str, number: usize, readable: ReadableGame) -> CommandResult {
        let ReadableGame { record, error } = readable;
        let Some(record) = record else {
            let why = match error {
                Some(error) => anyhow!("{file}: {error}"),
                None => anyhow!("{file}: {NO_GAME}"),
            };
            return Err(why.into());
        };
        let plies = record.plies.len();
        let (game, divergence) = opened::timeline(record, error.as_ref());
        if let Some(ply) = self.ply
            && ply > game.len()
        {
            let why = anyhow!("--ply {ply}: the plies of the game are 1 to {}", game.len());
            return Err(why.into());
        }
        if self.gif && plies > GIF_PLIES {
            return Err(anyhow!(
                "--gif: {file}: game {number} has {plies} plies, and a GIF at most {GIF_PLIES}; \
                 --svg --ply N is a picture of one"
            )
            .into());
        }
        if self.svg {
            let picture = Picture::new(&game, self.ply.unwrap_or(game.len()));
            self.write(|out| out.write_all(picture.svg().as_bytes()))?;
        } else if self.gif {
            self.write(|out| write_gif(out, &game))?;
        } else if let Some(ply) = self.ply {
            write_out(text::ply(&game, ply))?;
        } else {
            write_out(text::replay(&game))?;
            // After the game, because it takes some hundredths of a second.
            if let Ok(turning) = Turning::of(game.record(), PROOF_NODES) {
                write_out(format_args!("\n{}", turning::summary(game.record(), &turning)))?;
            }
        }
        // Below what could be shown of it, so that it is seen in a terminal.
        if let Some(error) = error {
            complain(format_args!("arbiter: {file}: {error}"));
        } else if let Some(divergence) = divergence {
            let ply = divergence.ply.map(|ply| format!(", ply {ply}")).unwrap_or_default();
            complain(format_args!("arbiter: {file}: game {number}{ply}: {divergence}"));
        } else {
            return Ok(Verdict::DONE);
        }
        Ok(Verdict::of(1))
    }

    /// Writes a picture to the file that the user names, or to standard output.
    fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        match &self.output {
            Some(path) if path.as_os_str() == "-" => write_out_by(write),
            Some(path) => write_named_file(path, write)
                .map_err(|error| Failure::writing(path.display(), error)),
            None if stdout().is_terminal() => {
                Err(anyhow!("standard output is a terminal: name a file with --output").into())
            }
            None => write_out_by(write),
        }
    }
}

/// The game that is asked for. The organiser may ask for a game of a result folder by the names of
/// its bots: then it is meant by the id that the published log has.
pub(super) fn wanted_game(path: &Path, game: Option<&str>) -> WantedGame {
    let mut wanted = WantedGame::parse(game);
    if let WantedGame::Id(id) = &mut wanted
        && path.is_dir()
    {
        let mut head = None;
        // Without a journal, or with one that cannot be read, the log has the id or has it not.
        let _ = Journal::read_only(&ResultFolder::existing(path).journal(), |_, entry| {
            if let JournalEntry::Head(newer) = entry {
                head = Some(newer);
            }
        });
        if let Some(head) = head {
            *id = head.public_id(id);
        }
    }
    wanted
}

/// Reads a log up to the game that is asked for; returns its name, and the game with its number,
/// from 1.
pub(super) fn find(
    path: &Path,
    wanted: &WantedGame,
) -> anyhow::Result<(String, usize, ReadableGame)> {
    let log = LogFile::open(path)?;
    let name = log.name;
    let mut games = 0;
    let mut found = None;
    let mut first_error = None;
    let read = read_places(log.source, |place, bytes, game| {
        games += 1;
        if wanted.is(place, &game) {
            found = Some((place.number(), place.read(bytes)));
            return Err(ReadEnd::Ended(()));
        }
        if first_error.is_none() {
            first_error = game.err();
        }
        Ok(())
    });
    if let Err(ReadEnd::Unreadable(error)) = read {
        return Err(anyhow!(error).context(name));
    }
    match found {
        Some((number, game)) => Ok((name, number, game)),
        None => bail!("{name}: {}", not_found(wanted, games, first_error.as_ref())),
    }
}

/// Why there is no such game in a log of so many games; `error` is the first that cannot be read.
fn not_found(wanted: &WantedGame, games: usize, error: Option<&LogError>) -> String {
    if games == 0 {
        return NO_GAME.to_owned();
    }
    let games = counted(games as u64, "game");
    let why = match wanted {
        WantedGame::Number(number) => {
            format!("there is no game {number}: it has {games}, counted from 1")
        }
        WantedGame::Id(id) => format!("there is no game {id} among its {games}"),
    };
    match error {
        Some(error) => format!("{why}; not all of it can be read: {error}"),
        None => why,
    }
}
