//! `arbiter verify`: checks logs against the rules.

use super::{CommandResult, end_with};
use anyhow::anyhow;
use arbiter_cup::report::json::{self, Finding};
use arbiter_game::record::{LogError, RawGame, ReadEnd, Record, read_stream};
use arbiter_game::replay::{contradiction_of_id, replay};
use arbiter_ground::failure::Failure;
use arbiter_ground::input_file::{LogFile, NO_GAME};
use arbiter_ground::output::{complain, print_if_open};
use arbiter_ground::own_rules::RulesFlag;
use arbiter_ground::rules_faults::RulesFaults;
use arbiter_rank::standings::KnownGames;
use arbiter_rules::own::Rules;
use arbiter_rules::text::{counted, harmless, shortened};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Maximum number of repeated ids that are named for a log.
const NAMED_IDS: usize = 3;

const EXAMPLES: &str = "\
Examples:
  arbiter verify games.pgn                        names file, line, game and ply of each fault
  arbiter verify spring-cup --json                a result folder, for programs";

/// Replay game logs against the rules
///
/// A log is invalid if a ply is illegal, if result, outcome or reason are not what the rules say,
/// or if GameId names other players. What cannot be read is named, and checking goes on with the
/// game behind it. A game with the GameId, Event, Seed, board and players of an earlier one, or of
/// a bot against itself, is valid, with a remark.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyCommand {
    /// Game logs, result folders (their games.pgn), or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object for each game on standard output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesFlag,
}

impl VerifyCommand {
    pub(super) fn run(self) -> CommandResult {
        let rules = self.rules.load()?;
        let mut status = 0;
        let mut ids = KnownGames::default();
        let mut faults = RulesFaults::default();
        for path in &self.files {
            match self.verify(path, rules.as_ref(), &mut ids, &mut faults) {
                Ok(is_valid) => status = status.max(u8::from(!is_valid)),
                // The other files are checked all the same.
                Err(Failure::Usage(error)) => {
                    complain(format_args!("arbiter: {error:#}"));
                    status = 2;
                }
                Err(failure) => return Err(failure),
            }
        }
        match faults.verdict("games could not be checked, because the rules failed".to_owned()) {
            Some(verdict) => end_with(verdict),
            None => Ok(ExitCode::from(status)),
        }
    }

    /// Checks the games of a log; returns whether all are valid.
    fn verify(
        &self,
        path: &Path,
        rules: Option<&Rules>,
        ids: &mut KnownGames,
        faults: &mut RulesFaults,
    ) -> Result<bool, Failure> {
        let LogFile { name, source } = LogFile::open(path)?;
        let mut games = 0;
        let mut invalid = 0;
        let mut unreadable = 0;
        let mut unknown = 0;
        let mut repeated = 0;
        let mut has_game = false;
        let mut first_error = None;
        let read = read_stream(source, |game| {
            games += 1;
            match &game {
                Ok(game) => {
                    has_game = true;
                    let repeats = ids.repeats_raw(game);
                    repeated += usize::from(repeats);
                    self.remark(&name, game, repeats && repeated <= NAMED_IDS)
                        .map_err(ReadEnd::Ended)?;
                }
                Err(error) => {
                    has_game |= error.has_tags;
                    first_error.get_or_insert_with(|| error.clone());
                }
            }
            let finding = check(game, rules).map_err(ReadEnd::Ended)?;
            unreadable += usize::from(finding.is_unreadable);
            if let Some(fault) = &finding.fault {
                faults.add(fault);
            }
            unknown += usize::from(finding.fault.is_some());
            invalid += usize::from(finding.message.is_some() && finding.fault.is_none());
            self.show(&name, &finding).map_err(ReadEnd::Ended)
        });
        match read {
            Ok(()) if has_game => {}
            Ok(()) => {
                let what = first_error.map(|error| format!(": {error}")).unwrap_or_default();
                return Err(anyhow!("{name}: {NO_GAME}{what}").into());
            }
            Err(ReadEnd::Ended(Failure::Usage(error))) => return Err(error.context(name).into()),
            Err(ReadEnd::Ended(failure)) => return Err(failure),
            Err(ReadEnd::Unreadable(error)) => return Err(anyhow!(error).context(name).into()),
        }
        if !self.json {
            let remarks = match repeated {
                0 => String::new(),
                1 => "; 1 repeats the GameId of an earlier game".to_owned(),
                _ => format!("; {repeated} repeat the GameId of an earlier game"),
            };
            let unknown = match unknown {
                0 => String::new(),
                _ => format!("; {unknown} not checked, because the rules failed"),
            };
            let invalid = match (invalid, unreadable) {
                (0, _) => "valid".to_owned(),
                (invalid, 0) => format!("{invalid} invalid"),
                (invalid, unreadable) => format!("{invalid} invalid ({unreadable} cannot be read)"),
            };
            print_if_open(harmless(&format!(
                "{name}: {}, {invalid}{unknown}{remarks}",
                counted(games, "game")
            )))?;
        }
        Ok(invalid == 0)
    }

    fn show(&self, file: &str, finding: &Finding) -> Result<(), Failure> {
        if self.json {
            return print_if_open(json::verified(file, finding));
        }
        let Finding { game, line, ply, message, .. } = finding;
        let Some(message) = message else { return Ok(()) };
        let place = match ply {
            Some(ply) => format!("{file}:{line}: game {game}, ply {ply}"),
            None => format!("{file}:{line}: game {game}"),
        };
        print_if_open(harmless(&format!("{place}: {message}")))
    }

    /// Says what makes no game invalid, but may be a mistake: that its id was given before, and
    /// that a bot plays against itself. It is said among the findings, or beside the JSON objects,
    /// whose shape has no place for it.
    fn remark(&self, file: &str, game: &RawGame<'_>, repeats: bool) -> Result<(), Failure> {
        let mut remarks = Vec::new();
        if repeats && let Some(id) = game.tag("GameId") {
            remarks.push((id.line, format!("GameId {:?} is that of an earlier game", id.value)));
        }
        if let (Some(white), Some(black)) = (game.tag("White"), game.tag("Black"))
            && white.value == black.value
        {
            remarks.push((black.line, format!("{:?} plays against itself", black.value)));
        }
        for (line, remark) in remarks {
            let remark =
                format!("{file}:{line}: game {}: remark: {}", game.number, shortened(&remark));
            if self.json {
                complain(remark);
            } else {
                print_if_open(harmless(&remark))?;
            }
        }
        Ok(())
    }
}

fn check(game: Result<RawGame<'_>, LogError>, rules: Option<&Rules>) -> Result<Finding, Failure> {
    let read = game.and_then(|raw| Ok((Record::from_raw(&raw, rules)?, raw)));
    let (record, raw) = match read {
        Ok(read) => read,
        Err(LogError { line, game, ply, message, .. }) => {
            return Ok(Finding {
                game,
                line,
                ply,
                message: Some(message),
                is_unreadable: true,
                fault: None,
            });
        }
    };
    if let Some(missing) = record.ruleset().missing_rules(rules) {
        return Err(anyhow!("game {}: {missing}", raw.number).into());
    }
    if let Err(divergence) = replay(&record) {
        let ply = divergence.ply.and_then(|ply| raw.moves.get(ply - 1));
        let line = ply.map_or(raw.result_line, |ply| ply.line);
        let message = Some(shortened(&divergence.what));
        return Ok(Finding {
            game: raw.number,
            line,
            ply: divergence.ply,
            message,
            is_unreadable: false,
            fault: divergence.fault,
        });
    }
    let message = contradiction_of_id(&record).map(|what| shortened(&what));
    let line = raw.tag("GameId").filter(|_| message.is_some()).map_or(raw.line, |tag| tag.line);
    Ok(Finding { game: raw.number, line, ply: None, message, is_unreadable: false, fault: None })
}
