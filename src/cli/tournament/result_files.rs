//! The files of a result folder that are computed from the journal.

use super::entrants::ReadyBot;
use super::recorded::Recorded;
use super::report::TournamentReport;
use crate::config::{Config, Junit};
use crate::game::{Settings, StderrAccess};
use crate::locate::Program;
use crate::record::Record;
use crate::report::anonymizer::Anonymizer;
use crate::report::feedback::{Feedback, LOSSES, Loss, feedback};
use crate::report::junit::{Cases, JUnit, JUnitGame};
use crate::report::standings;
use crate::rules::{BySide, Side};
use crate::standings::Row;
use crate::store::ResultFolder;
use anyhow::Context;
use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// Writes these files.
pub(super) struct ResultFiles<'a> {
    folder: &'a ResultFolder,
    mask: &'a Anonymizer,
    /// The BOT argument of `arbiter play` for each bot, by name.
    commands: HashMap<String, String>,
    /// The settings of the games.
    settings: Settings,
}

/// A lost game, for the feedback to its loser.
struct Lost {
    record: Record,
    side: Side,
    stderr: String,
    command: String,
}

impl<'a> ResultFiles<'a> {
    pub fn new(
        folder: &'a ResultFolder,
        mask: &'a Anonymizer,
        bots: &[ReadyBot],
        config: &Config,
    ) -> ResultFiles<'a> {
        let commands = bots.iter().map(|bot| (bot.entrant.name.clone(), command(&bot.program)));
        ResultFiles { folder, mask, commands: commands.collect(), settings: config.settings }
    }

    /// Replaces all files.
    ///
    /// # Errors
    /// The journal cannot be read, or a file cannot be written; that file then keeps its old content.
    pub fn write(&self, recorded: &Recorded) -> anyhow::Result<TournamentReport> {
        let publish = &recorded.config.publish;
        let cases = match publish.junit {
            Junit::Bots => Cases::Bots,
            Junit::Games => Cases::Games,
        };
        let names = recorded.head.roster.iter().map(|bot| self.mask.name(&bot.name));
        let mut junit = JUnit::new(&recorded.head.name, cases, names);
        let mut games = self.folder.new_games().with_context(|| self.context("games.pgn"))?;
        let mut lost: HashMap<String, Vec<Lost>> = HashMap::new();
        let table = TournamentReport::of(recorded, self.mask, |game, record, public| {
            write!(games, "{public}").with_context(|| self.context("games.pgn"))?;
            let loser = record.outcome.loser();
            let stderr = (publish.stderr == StderrAccess::Public).then(|| {
                let of = |side| if loser == Some(side) { game.stderr.as_bytes() } else { b"" };
                BySide { first: of(Side::First), second: of(Side::Second) }
            });
            junit.game(&JUnitGame { record: public, stderr, time: None });
            if let Some(side) = loser {
                let losses = lost.entry(record.players[side].clone()).or_default();
                if losses.len() < LOSSES {
                    let command = self.repeat_command(record);
                    losses.push(Lost { record: record.clone(), side, stderr: game.stderr.clone(), command });
                }
            }
            Ok(())
        })?;
        games.commit().with_context(|| self.context("games.pgn"))?;
        for absent in &table.absent {
            junit.absent(&absent.name, &absent.reason);
        }
        self.replace("junit.xml", &junit.finish())?;
        self.replace("standings.json", &standings::json(&table.standings_report()))?;
        self.replace("standings.md", &standings::markdown(&table.standings_report()))?;
        self.write_feedback(recorded, &table, &lost)?;
        Ok(table)
    }

    fn write_feedback(
        &self,
        recorded: &Recorded,
        table: &TournamentReport,
        lost: &HashMap<String, Vec<Lost>>,
    ) -> anyhow::Result<()> {
        for placed in table.standings.table() {
            let name = &recorded.head.roster[placed.bot].name;
            let losses = lost.get(name).map_or(&[][..], Vec::as_slice);
            let losses: Vec<Loss<'_>> = losses
                .iter()
                .map(|lost| Loss {
                    record: &lost.record,
                    side: lost.side,
                    stderr: lost.stderr.as_bytes(),
                    command: &lost.command,
                })
                .collect();
            let row = Row { name: name.clone(), ..placed.row.clone() };
            let page = feedback(&Feedback {
                tournament: &table.name,
                rank: placed.rank,
                bots: recorded.head.roster.len(),
                row: &row,
                losses: &losses,
            });
            let written = self.folder.replace_feedback(name, &page);
            written.with_context(|| self.context(&format!("feedback/{name}.md")))?;
        }
        Ok(())
    }

    fn replace(&self, file: &str, text: &str) -> anyhow::Result<()> {
        self.folder.replace(file, text).with_context(|| self.context(file))
    }

    fn context(&self, file: &str) -> String {
        format!("{}: the games are safe in the journal", self.folder.dir().join(file).display())
    }

    /// The command that plays the same game again.
    fn repeat_command(&self, record: &Record) -> String {
        let bot = |name: &String| {
            let command = self.commands.get(name).unwrap_or(name);
            quoted(command)
        };
        let mut command = format!(
            "arbiter play {} {} {}",
            record.ruleset().game().name(),
            bot(&record.players.first),
            bot(&record.players.second)
        );
        let mut option = |name: &str, value: Option<&String>| {
            command.extend(value.map(|value| format!(" --{name} {}", quoted(value))));
        };
        let begins_elsewhere = record.start != record.ruleset().start();
        option("position", begins_elsewhere.then(|| record.start.to_string()).as_ref());
        option("seed", record.seed.as_ref());
        option("game-id", record.id.as_ref());
        for word in self.settings.flags(&Settings::of_play()) {
            command.extend([" ", &quoted(&word)]);
        }
        command
    }
}

/// The BOT argument of the command line for this program.
fn command(program: &Program) -> String {
    if program.built_in {
        let name = program.arguments.last().map(|name| name.to_string_lossy()).unwrap_or_default();
        return format!("builtin:{name}");
    }
    // The copy is removed after the tournament, so the command names the submitted folder.
    if let Some(folder) = &program.access.copied_from {
        return quoted(&folder.to_string_lossy());
    }
    let words =
        std::iter::once(program.command.as_os_str()).chain(program.arguments.iter().map(AsRef::as_ref));
    let words = words.map(|word| {
        let here = program.dir.join(word);
        let word = if here.is_file() { here.into_os_string() } else { word.to_owned() };
        quoted(&word.to_string_lossy())
    });
    let words = words.collect::<Vec<_>>().join(" ");
    if program.env.is_empty() {
        return words;
    }
    let env = program.env.iter().map(|(name, value)| quoted(&format!("{name}={value}")));
    format!("env {} {words}", env.collect::<Vec<_>>().join(" "))
}

fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.replace('\0', ""), std::borrow::Cow::into_owned)
}

/// Appends the table to the summary page of a GitHub workflow, if the program runs in one.
pub(super) fn summarise(table: &TournamentReport) -> anyhow::Result<()> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let page = standings::markdown(&table.standings_report());
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(page.as_bytes()));
    written.with_context(|| format!("GITHUB_STEP_SUMMARY: {}", Path::new(&path).display()))
}
