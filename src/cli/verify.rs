//! `arbiter verify`: checks logs against the rules.

use super::{CommandResult, Verdict};
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

/// Maximum number of repeated ids that are named for a log.
const NAMED_IDS: u64 = 3;

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

/// What the games of one log amount to.
#[derive(Default)]
struct Tally {
    games: u64,
    invalid: u64,
    /// Of the invalid ones.
    unreadable: u64,
    /// Not checked, because the rules failed.
    unknown: u64,
    /// With the GameId of an earlier one.
    repeated: u64,
    /// Whether something in the log is a game, even if it cannot be read.
    has_game: bool,
    first_error: Option<LogError>,
}

impl Tally {
    fn text(&self) -> String {
        let invalid = match (self.invalid, self.unreadable) {
            (0, _) => "valid".to_owned(),
            (invalid, 0) => format!("{invalid} invalid"),
            (invalid, unreadable) => format!("{invalid} invalid ({unreadable} cannot be read)"),
        };
        let mut text = format!("{}, {invalid}", counted(self.games, "game"));
        if self.unknown > 0 {
            text += &format!("; {} not checked, because the rules failed", self.unknown);
        }
        match self.repeated {
            0 => {}
            1 => text += "; 1 repeats the GameId of an earlier game",
            repeated => text += &format!("; {repeated} repeat the GameId of an earlier game"),
        }
        text
    }
}

/// The logs so far.
struct Verification {
    rules: Option<Rules>,
    json: bool,
    ids: KnownGames,
    faults: RulesFaults,
}

impl VerifyCommand {
    pub(super) fn run(self) -> CommandResult {
        let mut verification = Verification {
            rules: self.rules.load()?,
            json: self.json,
            ids: KnownGames::default(),
            faults: RulesFaults::default(),
        };
        let mut status = 0;
        for path in &self.files {
            match verification.log(path) {
                Ok(is_valid) => status = status.max(u8::from(!is_valid)),
                // The other files are checked all the same.
                Err(Failure::Usage(error)) => {
                    complain(format_args!("arbiter: {error:#}"));
                    status = 2;
                }
                Err(failure) => return Err(failure),
            }
        }
        let why = "games could not be checked, because the rules failed";
        let of_rules = verification.faults.verdict(why.to_owned());
        Ok(of_rules.unwrap_or(Verdict::of(status)))
    }
}

impl Verification {
    /// Checks the games of a log; returns whether all are valid.
    fn log(&mut self, path: &Path) -> Result<bool, Failure> {
        let LogFile { name, source } = LogFile::open(path)?;
        let mut tally = Tally::default();
        let read =
            read_stream(source, |game| self.game(&name, game, &mut tally).map_err(ReadEnd::Ended));
        match read {
            Ok(()) if tally.has_game => {}
            Ok(()) => {
                let what = match tally.first_error {
                    Some(error) => format!(": {error}"),
                    None => String::new(),
                };
                return Err(anyhow!("{name}: {NO_GAME}{what}").into());
            }
            Err(ReadEnd::Ended(Failure::Usage(error))) => return Err(error.context(name).into()),
            Err(ReadEnd::Ended(failure)) => return Err(failure),
            Err(ReadEnd::Unreadable(error)) => return Err(anyhow!(error).context(name).into()),
        }
        if !self.json {
            print_if_open(harmless(&format!("{name}: {}", tally.text())))?;
        }
        Ok(tally.invalid == 0)
    }

    fn game(
        &mut self,
        file: &str,
        game: Result<RawGame<'_>, LogError>,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        tally.games += 1;
        match &game {
            Ok(game) => {
                tally.has_game = true;
                let repeats = self.ids.repeats_raw(game);
                tally.repeated += u64::from(repeats);
                self.remark(file, game, repeats && tally.repeated <= NAMED_IDS)?;
            }
            Err(error) => {
                // What has tags is meant as a game; anything else may be a file of another kind.
                tally.has_game |= error.has_tags;
                tally.first_error.get_or_insert_with(|| error.clone());
            }
        }
        let finding = check(game, self.rules.as_ref())?;
        tally.unreadable += u64::from(finding.is_unreadable);
        if let Some(fault) = &finding.fault {
            self.faults.add(fault);
            tally.unknown += 1;
        } else {
            tally.invalid += u64::from(finding.message.is_some());
        }
        self.show(file, &finding)
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

fn check(listed: Result<RawGame<'_>, LogError>, rules: Option<&Rules>) -> Result<Finding, Failure> {
    let read = listed.and_then(|raw| Ok((Record::from_raw(&raw, rules)?, raw)));
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
    let mut finding = Finding {
        game: raw.number,
        line: raw.line,
        ply: None,
        message: None,
        is_unreadable: false,
        fault: None,
    };
    if let Err(divergence) = replay(&record) {
        let ply = divergence.ply.and_then(|ply| raw.moves.get(ply - 1));
        finding.line = ply.map_or(raw.result_line, |ply| ply.line);
        finding.ply = divergence.ply;
        finding.message = Some(shortened(&divergence.what));
        finding.fault = divergence.fault;
    } else if let Some(what) = contradiction_of_id(&record) {
        finding.line = raw.tag("GameId").map_or(raw.line, |tag| tag.line);
        finding.message = Some(shortened(&what));
    }
    Ok(finding)
}
