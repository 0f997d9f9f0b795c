//! `feedback/NAME.md`: a page about the losses of a bot, or why it does not play, for its author.
//!
//! Owns the wording. Its input is each loss with its log, the file of that, and the bot's standard
//! error. Of each kind of loss the first is shown in full, with the command that plays it again,
//! and the others in one line each; losses that are described in the same words share a line. The
//! position at the end is computed by playing the log, which may have illegal plies.
//!
//! ```
//! use arbiter_cup::report::feedback::{Feedback, feedback};
//! use arbiter_rank::standings::Row;
//! let row = Row { name: "conny".into(), games: 2, wins: 2, half_points: 4, ..Row::default() };
//! let page = feedback(&Feedback {
//!     tournament: "spring-cup",
//!     rank: 1,
//!     bots: 2,
//!     row: &row,
//!     milestones: None,
//!     told: None,
//!     sleep: None,
//!     content: None,
//!     losses: &[],
//! });
//! assert!(page.markdown.starts_with("# conny in spring-cup\n"));
//! assert!(page.markdown.contains("No game was lost"));
//! ```

use super::escape::{self, code, code_block, command, markdown, named_block};
use super::isolation_summary;
use super::picture::Picture;
use super::text::{board, plies};
use super::turning;
use arbiter_game::Outcome;
use arbiter_game::adapters::Adapter;
use arbiter_game::content::Content;
use arbiter_game::proof::Turning;
use arbiter_game::record::Record;
use arbiter_rank::standings::Row;
use arbiter_rules::text::counted;
use arbiter_rules::{Ply, Position, Side};
use std::collections::BTreeMap;

/// The number of losses that a page shows, and more only to show each kind of loss once: callers
/// need not pass more.
pub const LOSSES: usize = 50;

/// The number of last plies of a game that are shown.
const PLIES: usize = 8;

/// Maximum number of positions that are searched to prove where a game was lost that is shown in
/// full: a tenth of a second or less.
const NODES: u64 = 500_000;

/// The input of a page.
#[derive(Debug, Clone, Copy)]
pub struct Feedback<'a> {
    /// The tournament's name.
    pub tournament: &'a str,
    /// The bot's rank, from 1.
    pub rank: usize,
    /// The number of bots.
    pub bots: usize,
    /// Its counts.
    pub row: &'a Row,
    /// Its milestones in words, with the names that its author may see; `None` if there are none.
    pub milestones: Option<&'a str>,
    /// What its author is told first, such as what became of the newest version.
    pub told: Option<&'a str>,
    /// Its wall time a move beside the processor time, if it slept for most of it.
    pub sleep: Option<&'a str>,
    /// Its content, if it is known: it decides how the commands name the bot.
    pub content: Option<&'a Content>,
    /// Its losses that are shown, in schedule order; the others are counted.
    pub losses: &'a [Loss],
}

/// A game that the bot lost.
#[derive(Debug, Clone)]
pub struct Loss {
    /// The log.
    pub record: Record,
    /// The bot's side.
    pub side: Side,
    /// The end of its standard error.
    pub stderr: String,
    /// How many lines of it came at the bot's last move, if it was asked for one.
    pub stderr_last: Option<usize>,
    /// The file of the log, as seen from the page.
    pub file: String,
}

/// A page in Markdown, and what a browser shows in the place of its boards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedbackPage {
    pub markdown: String,
    /// Each board by the word after the fence of its block.
    pub boards: BTreeMap<String, Picture>,
}

impl FeedbackPage {
    /// Adds a board, in a picture with an arrow for this ply.
    fn board(&mut self, position: &Position, arrow: Option<Ply>, title: &str) {
        let name = format!("board-{}", self.boards.len() + 1);
        self.markdown += &format!("\n{}", named_block(&name, board(position).as_bytes()));
        self.boards.insert(name, Picture::with_arrow(position, arrow, title.to_owned()));
    }
}

/// The page of a bot that plays.
pub fn feedback(of: &Feedback<'_>) -> FeedbackPage {
    let mut page = FeedbackPage::default();
    let row = of.row;
    let out = &mut page.markdown;
    *out += &format!("# {} in {}\n\n", markdown(&row.name), markdown(of.tournament));
    if let Some(told) = of.told {
        *out += &format!("{}\n\n", markdown(told));
    }
    *out += &facts(of);
    if row.losses == 0 {
        let kind = if row.games > 0 { "No game was lost." } else { "No game has been played yet." };
        *out += &format!("\n{kind} There is nothing to fix here.\n");
        return page;
    }
    let place = match of.losses.first().and_then(|loss| loss.file.rsplit_once('/')) {
        Some((folder, _)) => {
            format!("The logs of these games are in the folder {}, beside this page", code(folder))
        }
        None => "The logs of these games can be saved from the end of this page".to_owned(),
    };
    // The author has the logs, but not the organiser's paths, so commands say FOLDER.
    let folder = folder_of(of.content);
    *out += &format!("\n{place}. The commands are for that place; FOLDER is {folder}.\n");
    let adapter = adapter_of(of.content);
    if let Some(adapter) = adapter
        && Adapter::named(adapter).is_none()
    {
        *out += &format!(
            "The course's adapter {} translates between arbiter and your bot: ask for the file.\n",
            code(adapter)
        );
    }
    let program = program_of(of.content);
    let command = match adapter {
        Some(name) => format!("adapter:{name} {program}"),
        None => program,
    };
    let bot = format!("{}={}", row.name, shell_word(&command));
    for (number, (kind, losses)) in (1..).zip(by_kind(of.losses)) {
        let games = counted(losses.len() as u64, "game");
        page.markdown += &format!("\n## {number}. Lost by {kind}: {games}\n\n");
        // The first one in full: of a kind one example shows what there is to fix.
        section(&mut page, &bot, losses[0]);
        if losses.len() > 1 {
            page.markdown += "\nFurther games that were lost so:\n\n";
            further(&mut page.markdown, &losses[1..]);
        }
    }
    match row.losses.saturating_sub(of.losses.len() as u64) {
        0 => {}
        1 => page.markdown += "\n1 more loss is not shown.\n",
        more => page.markdown += &format!("\n{more} more losses are not shown.\n"),
    }
    // Sentences of forfeits name the sandbox as a cause; what it allowed is the same for all games
    // of a run.
    if let Some(isolation) = of.losses.iter().rev().find_map(|loss| loss.record.isolation.as_ref())
    {
        let summary = code(&isolation_summary(isolation));
        page.markdown += &format!("\nThe isolation of these games: {summary}\n");
    }
    page
}

/// The list at the top: rank, points, and how games were lost.
fn facts(of: &Feedback<'_>) -> String {
    let row = of.row;
    let mut out = format!(
        "- Rank {} of {}, {:.1} points from {}: {} won, {} drawn, {} lost\n",
        of.rank,
        of.bots,
        row.points(),
        counted(row.games, "game"),
        row.wins,
        row.draws,
        row.losses
    );
    if let Some(milestones) = of.milestones {
        out += &format!("- Milestones: {}\n", markdown(milestones));
    }
    if let Some(sleep) = of.sleep {
        out += &format!("- It took {sleep}\n");
    }
    if row.suicides > 0 {
        let count = row.suicides;
        out += &format!("- {count} of the losses by completing only the opponent's goal\n");
    }
    if row.forfeits > 0 {
        out += &format!("- {} of the losses by breaking a rule of the match\n", row.forfeits);
    }
    if row.aborted > 0 {
        out += &format!("- {}, without points\n", counted(row.aborted, "aborted game"));
    }
    out
}

/// The losses by their kinds, in the order in which each kind first occurs.
fn by_kind(losses: &[Loss]) -> Vec<(String, Vec<&Loss>)> {
    let mut kinds: Vec<(String, Vec<&Loss>)> = Vec::new();
    for loss in losses {
        let kind = kind(loss.record.outcome);
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, of_kind)) => of_kind.push(loss),
            None => kinds.push((kind, vec![loss])),
        }
    }
    kinds
}

/// The step before the first game at which a bot failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailedStep {
    Build,
    /// The test that it starts and gets ready for a game.
    Start,
}

/// The input of the page of a bot that does not play.
#[derive(Debug, Clone)]
pub struct AbsenceFeedback<'a> {
    /// The tournament's name.
    pub tournament: &'a str,
    /// The name of the bot or of its folder.
    pub name: &'a str,
    /// Why it does not play.
    pub reason: &'a str,
    /// The step that failed, if its program was run, and what it wrote to stdout and stderr.
    pub failed: Option<(FailedStep, Vec<u8>)>,
    /// The command that repeats the step at home; `None` if there is none.
    pub again: Option<String>,
}

/// The page of a bot that does not play, in Markdown: the reason, then the words of its compiler or
/// its own.
///
/// ```
/// use arbiter_cup::report::feedback::{AbsenceFeedback, FailedStep, absence};
/// let failed = Some((FailedStep::Build, b"bot.c:3: error: expected ';'\n".to_vec()));
/// let reason = "its build `make` exit status 2";
/// let again = Some("make".to_owned());
/// let name = "conny";
/// let page = absence(&AbsenceFeedback { tournament: "cup", name, reason, failed, again });
/// let output = "\nOutput of its build:\n\n```text\nbot.c:3: error: expected ';'\n```\n";
/// assert!(page.contains(output), "{page}");
/// let cure = "\nTo repeat it, in your bot's folder:\n\n```sh\nmake\n```\n";
/// assert!(page.ends_with(cure), "{page}");
/// ```
pub fn absence(of: &AbsenceFeedback<'_>) -> String {
    let mut out = format!("# {} in {}\n\n", markdown(of.name), markdown(of.tournament));
    out += &format!("- It does not play: {}\n", markdown(of.reason));
    let Some((step, output)) = &of.failed else { return out };
    let [what, place] = match step {
        FailedStep::Build => ["Output of its build", "in your bot's folder"],
        FailedStep::Start => ["What it wrote", "where FOLDER is your bot's folder"],
    };
    if output.trim_ascii().is_empty() {
        out += "\nIt wrote nothing.\n";
    } else {
        out += &format!("\n{what}:\n\n{}", code_block(output));
    }
    if let Some(again) = &of.again {
        out += &format!("\nTo repeat it, {place}:\n\n{}", command(again));
    }
    out
}

/// What stands for the bot's folder in a command.
const FOLDER: &str = "FOLDER";

/// The bot as an argument: its folder, or the command line of the configuration if the folder has
/// no bot.toml.
fn program_of(content: Option<&Content>) -> String {
    let Some(Content { command, files, .. }) = content else { return FOLDER.to_owned() };
    if let Some(program) = command.first()
        && program.starts_with("builtin:")
    {
        return program.clone();
    }
    let mut words = Vec::new();
    let mut names_file = false;
    for word in command {
        // The path is one of the organiser's machine.
        if word.starts_with('/') {
            return FOLDER.to_owned();
        }
        if files.iter().any(|file| file.path == *word) {
            names_file = true;
            words.push(format!("{FOLDER}/{word}"));
        } else {
            words.push(shell_word(word));
        }
    }
    // Without a file of the folder the command would start another program at home.
    if !names_file || files.iter().any(|file| file.path == "bot.toml") {
        return FOLDER.to_owned();
    }
    words.join(" ")
}

/// The name of the adapter in front of the bot: one that comes along, or the name of a file, whose
/// folder on the organiser's machine is nobody else's business.
fn adapter_of(content: Option<&Content>) -> Option<&str> {
    let (name, _) = content?.adapter.as_ref()?.rsplit_once(' ')?; // its digest follows
    Some(name.rsplit_once('/').map_or(name, |(_, file)| file))
}

/// What FOLDER is in the commands.
fn folder_of(content: Option<&Content>) -> String {
    if let Some(build) = content.and_then(|content| content.build.as_ref())
        && program_of(content) != FOLDER
    {
        return format!("your bot's folder, after {} there", code(build));
    }
    "your bot's folder, its program, or a command line in quotes".to_owned()
}

/// A word as a shell reads it.
pub fn shell_word(word: &str) -> String {
    match shlex::try_quote(word) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => word.to_owned(), // it has a NUL, which no command line can have
    }
}

/// A line for each game; those whose sentences differ only in numbers share one.
fn further(out: &mut String, losses: &[&Loss]) {
    let mut groups: Vec<(Option<String>, Vec<&Loss>)> = Vec::new();
    for &loss in losses {
        let words = loss.record.detail.as_ref().map(|detail| detail.replace(is_digit, ""));
        // Of games without a sentence it is not known whether the same happened.
        match groups.iter_mut().find(|(other, _)| words.is_some() && *other == words) {
            Some((_, group)) => group.push(loss),
            None => groups.push((words, vec![loss])),
        }
    }
    for (_, group) in groups {
        if let [loss] = group[..] {
            line(out, loss);
            continue;
        }
        let ids: Vec<String> = group.iter().map(|loss| markdown(id(&loss.record))).collect();
        let detail = group[0].record.detail.as_deref().unwrap_or_default();
        *out += &format!(
            "- {} games ({}), as in the first: {}\n",
            ids.len(),
            ids.join(", "),
            markdown(detail)
        );
    }
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// The game in one line.
fn line(out: &mut String, loss: &Loss) {
    let record = &loss.record;
    *out += &format!(
        "- {} against {}, as {}, {}",
        markdown(id(record)),
        markdown(&record.players[!loss.side]),
        record.ruleset().letter(loss.side),
        plies(record.plies.len())
    );
    if let Some(detail) = &record.detail {
        *out += &format!(": {}", markdown(detail));
    }
    out.push('\n');
}

fn id(record: &Record) -> &str {
    record.id.as_deref().unwrap_or("without an id")
}

/// A loss in full; `bot` is the argument of `--bot` that plays it again.
fn section(page: &mut FeedbackPage, bot: &str, loss: &Loss) {
    let record = &loss.record;
    let ruleset = record.ruleset();
    let opponent = markdown(&record.players[!loss.side]);
    let out = &mut page.markdown;
    *out += &format!("Game {} against {opponent}\n\n", markdown(id(record)));
    let compared = expected_and_came(loss);
    if let Some((expected, came)) = compared {
        let [expected, came] = [expected, came].map(markdown);
        *out += &format!("| Expected | Came |\n| --- | --- |\n| {expected} | {came} |\n\n");
    }
    let order = match loss.side {
        Side::First => "first",
        Side::Second => "second",
    };
    *out += &format!("- Side: {}, the {order}\n", ruleset.letter(loss.side));
    if let Some(detail) = &record.detail
        && compared.is_none()
    {
        *out += &format!("- What happened: {}\n", markdown(detail));
    }
    if let Some(reply) = &record.reply {
        let text = if reply.text.is_empty() {
            "nothing".to_owned()
        } else {
            code(&escape::lines(&reply.text))
        };
        let after = match reply.wall {
            Some(wall) => format!(", after {:.3} s", wall.as_secs_f64()),
            None => String::new(),
        };
        *out += &format!("- The answer that lost: {text}{after}\n");
    }
    let end = GameEnd::new(record);
    if end.played > 0 {
        let from = end.played.saturating_sub(PLIES);
        let mut texts = String::new();
        for played in &record.plies[from..end.played] {
            texts += &format!(" {}", ruleset.ply_text(played.ply));
        }
        let which = if from > 0 { "The last moves" } else { "All moves" };
        let shown = end.played - from;
        *out += &format!("- {which} ({shown} of {}):{texts}\n", end.played);
    }
    if let Some(illegal) = &end.illegal {
        let ply = end.played + 1;
        let why = markdown(illegal);
        *out += &format!("- The log is not valid: ply {ply} is illegal: {why}\n");
    }
    *out += &format!("- Position at the end: {}\n", code(&end.position.to_string()));
    let refused = record.reply.as_ref().and_then(|reply| refused_ply(&end.position, &reply.text));
    let title = match refused {
        Some(ply) => format!("Position at the end, and {}", ruleset.ply_text(ply)),
        None => "Position at the end".to_owned(),
    };
    page.board(&end.position, refused, &title);
    push_stderr(&mut page.markdown, loss);
    where_lost(page, loss);
    let mut again = format!("arbiter rerun {} {} --bot {bot}", loss.file, id(record));
    if let Some(rules) = ruleset.game().rules_file() {
        again += &format!(" --rules {}", rules.file);
    }
    page.markdown += &format!("\nTo play it again:\n\n{}", command(&again));
}

/// The two halves of a sentence about a forfeit, without the bot's name; `None` of another
/// sentence.
fn expected_and_came(loss: &Loss) -> Option<(&str, &str)> {
    let record = &loss.record;
    // It has a sentence about each bot.
    if record.outcome == Outcome::NeitherStarted {
        return None;
    }
    let detail = record.detail.as_deref()?;
    let own = detail.strip_prefix(&*record.players[loss.side]).and_then(|s| s.strip_prefix(": "));
    let (expected, came) = own.unwrap_or(detail).strip_prefix("expected ")?.split_once("; ")?;
    Some((expected, came.strip_prefix("came ").unwrap_or(came)))
}

/// The ply in an answer that was refused, such as `move a1a9`, if it is one of this board.
fn refused_ply(position: &Position, answer: &[u8]) -> Option<Ply> {
    let ruleset = position.ruleset();
    // A log of a custom game may be read without its rules.
    if !ruleset.knows_plies() {
        return None;
    }
    let answer = std::str::from_utf8(answer).ok()?;
    let ply = ruleset.read_ply(answer.split_whitespace().next_back()?).ok()?;
    (!position.is_legal(ply)).then_some(ply)
}

/// What the bot wrote to standard error at its last move, then what came before.
fn push_stderr(out: &mut String, loss: &Loss) {
    let (cut, stderr) = escape::tail(loss.stderr.as_bytes());
    if stderr.trim_ascii().is_empty() {
        *out += "\nNothing was written to standard error.\n";
        return;
    }
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text.lines().collect();
    match loss.stderr_last {
        Some(last) if last < lines.len() => {
            let (before, at_last) = lines.split_at(lines.len() - last);
            let [before, at_last] = [before, at_last].map(|part| part.join("\n"));
            if last == 0 {
                *out +=
                    "\nNothing was written to standard error at its last move. Before that:\n\n";
            } else {
                let block = code_block(at_last.as_bytes());
                *out += &format!("\nStandard error at its last move:\n\n{block}\nBefore that:\n\n");
            }
            *out += &code_block(before.as_bytes());
        }
        Some(_) if !cut => {
            let block = code_block(stderr);
            *out += &format!("\nStandard error at its last move:\n\n{block}");
        }
        _ => {
            let what = if cut { "The end of standard error" } else { "Standard error" };
            *out += &format!("\n{what}:\n\n{}", code_block(stderr));
        }
    }
}

/// What is proved of a game that was lost by the rules.
fn where_lost(page: &mut FeedbackPage, loss: &Loss) {
    let record = &loss.record;
    let Ok(turning) = Turning::of(record, NODES) else { return };
    let out = &mut page.markdown;
    *out += &match turning.turned {
        Some(turned) => format!("\nThe loss is proved from ply {turned} on:\n\n"),
        None => {
            let letter = record.ruleset().letter(loss.side);
            format!("\nThe loss is proved before the first move of {letter}.\n")
        }
    };
    for claim in &turning.claims {
        *out += &format!("- Ply {}: {}\n", claim.number, turning::sentence(claim, code));
    }
    if let Some(last) = turning.claims.last() {
        let position = code(&last.before.to_string());
        *out += &format!("- Its proof: {}\n", turning::proof_line(last));
        *out += &format!("- Position before ply {}: {position}\n", last.number);
        let played = record.ruleset().ply_text(last.played).to_string();
        page.board(&last.before, Some(last.played), &format!("Ply {}, {played}", last.number));
    }
    // Nothing is left to prove if the loss is proved everywhere, or the value of each ply is.
    if turning.turned.is_some() && turning.values.iter().any(Option::is_none) {
        let more = format!("arbiter turning {} {}", loss.file, id(record));
        page.markdown += &format!("\nTo prove more of it:\n\n{}", command(&more));
    }
}

/// The kind of a loss: outcome and reason, from the loser's point of view.
pub fn kind(outcome: Outcome) -> String {
    match outcome {
        Outcome::Forfeit(_, fault) => format!("forfeit, {fault}"),
        Outcome::NeitherStarted => format!("forfeit, {}", outcome.termination()),
        Outcome::Resigned(_) => "giving up".to_owned(),
        outcome if outcome.word() == "suicide" => {
            "a move that completed only the opponent's goal".to_owned()
        }
        outcome => format!("the rules, {}", outcome.termination()),
    }
}

/// The position after the legal plies of a log.
struct GameEnd {
    position: Position,
    played: usize,
    illegal: Option<String>,
}

impl GameEnd {
    fn new(record: &Record) -> GameEnd {
        let mut end = GameEnd { position: record.start.clone(), played: 0, illegal: None };
        for step in record.steps() {
            match step.after {
                Ok(after) => {
                    end.position = after;
                    end.played = step.number;
                }
                Err(illegal) => end.illegal = Some(illegal.to_string()),
            }
        }
        end
    }
}

#[cfg(test)]
mod tests;
