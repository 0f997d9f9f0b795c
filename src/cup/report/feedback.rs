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
//!     sleep: None,
//!     content: None,
//!     losses: &[],
//! });
//! assert!(page.starts_with("# conny in spring-cup\n"));
//! assert!(page.contains("No game was lost"));
//! ```

use super::escape::{self, code, code_block, command, markdown};
use super::isolation_summary;
use super::text::{board, plies};
use super::turning;
use arbiter_game::Outcome;
use arbiter_game::adapters::Adapter;
use arbiter_game::content::Content;
use arbiter_game::proof::Turning;
use arbiter_game::record::Record;
use arbiter_rank::standings::Row;
use arbiter_rules::text::counted;
use arbiter_rules::{Position, Side};

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
    /// Its standard error.
    pub stderr: String,
    /// The file of the log, as seen from the page.
    pub file: String,
}

/// The page, in Markdown.
#[must_use]
pub fn feedback(of: &Feedback<'_>) -> String {
    let row = of.row;
    let mut out = format!("# {} in {}\n\n", markdown(&row.name), markdown(of.tournament));
    out += &facts(of);
    if row.losses == 0 {
        let kind = if row.games > 0 { "No game was lost." } else { "No game has been played yet." };
        return out + &format!("\n{kind} There is nothing to fix here.\n");
    }
    let place = match of.losses.first().and_then(|loss| loss.file.rsplit_once('/')) {
        Some((folder, _)) => {
            format!("The logs of these games are in the folder {}, beside this page", code(folder))
        }
        None => "The logs of these games can be saved from the end of this page".to_owned(),
    };
    // The author has the logs, but not the organiser's paths, so commands say FOLDER.
    let folder = folder_of(of.content);
    out += &format!("\n{place}. The commands are for that place; FOLDER is {folder}.\n");
    let adapter = adapter_of(of.content);
    if let Some(adapter) = adapter
        && Adapter::named(adapter).is_none()
    {
        out += &format!(
            "The course's adapter {} translates between arbiter and your bot: ask for the file.\n",
            code(adapter)
        );
    }
    let program = program_of(of.content);
    let command =
        adapter.map_or_else(|| program.clone(), |name| format!("adapter:{name} {program}"));
    let bot = format!("{}={}", row.name, shell_word(&command));
    for (number, (kind, losses)) in (1..).zip(by_kind(of.losses)) {
        let games = counted(losses.len() as u64, "game");
        out += &format!("\n## {number}. Lost by {kind}: {games}\n\n");
        // The first one in full: of a kind one example shows what there is to fix.
        section(&mut out, &bot, losses[0]);
        if losses.len() > 1 {
            out += "\nFurther games that were lost so:\n\n";
            further(&mut out, &losses[1..]);
        }
    }
    match row.losses.saturating_sub(of.losses.len() as u64) {
        0 => {}
        1 => out += "\n1 more loss is not shown.\n",
        more => out += &format!("\n{more} more losses are not shown.\n"),
    }
    // Sentences of forfeits name the sandbox as a cause; what it allowed is the same for all games
    // of a run.
    if let Some(isolation) = of.losses.iter().rev().find_map(|loss| loss.record.isolation.as_ref())
    {
        let summary = code(&isolation_summary(isolation));
        out += &format!("\nThe isolation of these games: {summary}\n");
    }
    out
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
        out += &format!(
            "- It took {sleep}: processor time is charged here, and wall time is limited by \
             `wall-cap`\n"
        );
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
            Some((_, losses)) => losses.push(loss),
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
#[derive(Debug, Clone, Copy)]
pub struct AbsenceFeedback<'a> {
    /// The tournament's name.
    pub tournament: &'a str,
    /// The name of the bot or of its folder.
    pub name: &'a str,
    /// Why it does not play.
    pub reason: &'a str,
    /// The step that failed, if its program was run, and what it wrote to stdout and stderr.
    pub failed: Option<(FailedStep, &'a [u8])>,
    /// The command that repeats the step at home; `None` if there is none.
    pub again: Option<&'a str>,
}

/// The page of a bot that does not play, in Markdown: the reason, then the words of its compiler or
/// its own.
///
/// ```
/// use arbiter_cup::report::feedback::{AbsenceFeedback, FailedStep, absence};
/// let failed = Some((FailedStep::Build, &b"bot.c:3: error: expected ';'\n"[..]));
/// let reason = "its build `make` exit status 2";
/// let again = Some("make");
/// let name = "conny";
/// let page = absence(&AbsenceFeedback { tournament: "cup", name, reason, failed, again });
/// let output = "\nOutput of its build:\n\n```text\nbot.c:3: error: expected ';'\n```\n";
/// assert!(page.contains(output), "{page}");
/// let cure = "\nTo repeat it, in your bot's folder:\n\n```sh\nmake\n```\n";
/// assert!(page.ends_with(cure), "{page}");
/// ```
#[must_use]
pub fn absence(of: &AbsenceFeedback<'_>) -> String {
    let mut out = format!("# {} in {}\n\n", markdown(of.name), markdown(of.tournament));
    out += &format!("- It does not play: {}\n", markdown(of.reason));
    let Some((step, output)) = of.failed else { return out };
    let [what, place] = match step {
        FailedStep::Build => ["Output of its build", "in your bot's folder"],
        FailedStep::Start => ["What it wrote", "where FOLDER is your bot's folder"],
    };
    if output.trim_ascii().is_empty() {
        out += "\nIt wrote nothing.\n";
    } else {
        out += &format!("\n{what}:\n\n{}", code_block(output));
    }
    if let Some(again) = of.again {
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
#[must_use]
pub fn shell_word(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into)
}

/// Games in one line each, but in one line together if the same happened in them, apart from
/// numbers.
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
fn section(out: &mut String, bot: &str, loss: &Loss) {
    let record = &loss.record;
    let ruleset = record.ruleset();
    let opponent = markdown(&record.players[!loss.side]);
    *out += &format!("Game {} against {opponent}\n\n", markdown(id(record)));
    let order = match loss.side {
        Side::First => "first",
        Side::Second => "second",
    };
    *out += &format!("- Side: {}, the {order}\n", ruleset.letter(loss.side));
    if let Some(detail) = &record.detail {
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
        let which = if from > 0 { "The last plies" } else { "All plies" };
        let shown = end.played - from;
        *out += &format!("- {which} ({shown} of {}):{texts}\n", end.played);
    }
    if let Some(illegal) = &end.illegal {
        let ply = end.played + 1;
        let why = markdown(illegal);
        *out += &format!("- The log is not valid: ply {ply} is illegal: {why}\n");
    }
    *out += &format!("- Position at the end: {}\n", code(&end.position.to_string()));
    *out += &format!("\n{}", code_block(board(&end.position).as_bytes()));
    where_lost(out, loss);
    let (cut, stderr) = escape::tail(loss.stderr.as_bytes());
    if stderr.trim_ascii().is_empty() {
        *out += "\nNothing was written to standard error.\n";
    } else {
        let what = if cut { "The end of standard error" } else { "Standard error" };
        *out += &format!("\n{what}:\n\n{}", code_block(stderr));
    }
    let mut again = format!("arbiter rerun {} {} --bot {bot}", loss.file, id(record));
    if let Some(rules) = ruleset.game().rules_file() {
        again += &format!(" --rules {}", rules.file);
    }
    *out += &format!("\nTo play it again:\n\n{}", command(&again));
}

/// What is proved of a game that was lost by the rules.
fn where_lost(out: &mut String, loss: &Loss) {
    let record = &loss.record;
    let Ok(turning) = Turning::of(record, NODES) else { return };
    *out += &match turning.turned {
        Some(turned) => format!("\nThe loss is proved from ply {turned} on:\n\n"),
        None => {
            let letter = record.ruleset().letter(loss.side);
            format!("\nThe loss is proved before the first ply of {letter}.\n")
        }
    };
    for claim in &turning.claims {
        *out += &format!("- Ply {}: {}\n", claim.number, turning::sentence(claim, code));
    }
    if let Some(last) = turning.claims.last() {
        let position = code(&last.before.to_string());
        *out += &format!("- Its proof: {}\n", turning::proof_line(last));
        *out += &format!("- Position before ply {}: {position}\n", last.number);
        *out += &format!("\n{}", code_block(board(&last.before).as_bytes()));
    }
    // Nothing is left to prove if the loss is proved everywhere, or the value of each ply is.
    if turning.turned.is_some() && turning.values.iter().any(Option::is_none) {
        let more = format!("arbiter turning {} {}", loss.file, id(record));
        *out += &format!("\nTo prove more of it:\n\n{}", command(&more));
    }
}

/// The kind of a loss: outcome and reason, from the loser's point of view.
#[must_use]
pub fn kind(outcome: Outcome) -> String {
    match outcome {
        Outcome::Forfeit(_, fault) => format!("forfeit, {fault}"),
        Outcome::NeitherStarted => format!("forfeit, {}", outcome.termination()),
        Outcome::Resigned(_) => "giving up".to_owned(),
        outcome if outcome.word() == "suicide" => {
            "a ply that completed only the opponent's goal".to_owned()
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
mod tests {
    use super::super::escape::tests::{HOSTILE, is_safe};
    use super::*;
    use arbiter_game::content::ContentFile;
    use arbiter_game::record::read_log;
    use proptest::prelude::*;

    fn record() -> Record {
        let log = b"[White \"conny\"] [Black \"randy\"] [Result \"0-1\"] [Game \"gekitai\"] [GameId \"conny~randy.1\"]
            [Outcome \"forfeit\"] [Termination \"illegal-move\"] [Detail \"expected a ply; came \\\"z9\\\"\"]
            1. a1 {0.2s} b2 {0.3s} {0.1s z`9} 0-1";
        read_log(log).next().unwrap().unwrap()
    }

    fn page(record: &Record, text: &str, losses: u64) -> String {
        page_of(record, text, losses, None)
    }

    fn page_of(record: &Record, text: &str, losses: u64, content: Option<&Content>) -> String {
        let row =
            Row { name: text.to_owned(), games: 90, losses, forfeits: losses, ..Row::default() };
        let loss = Loss {
            record: record.clone(),
            side: Side::First,
            stderr: text.to_owned(),
            file: "conny/1.pgn".to_owned(),
        };
        let losses = vec![loss; losses.min(60) as usize];
        feedback(&Feedback {
            tournament: "cup",
            rank: 2,
            bots: 2,
            row: &row,
            milestones: None,
            sleep: None,
            content,
            losses: &losses,
        })
    }

    #[test]
    fn a_loss_is_shown_with_all_that_helps() {
        let expected = "# conny in cup\n
- Rank 2 of 2, 0.0 points from 90 games: 0 won, 0 drawn, 1 lost
- 1 of the losses by breaking a rule of the match

The logs of these games are in the folder `conny`, beside this page. The commands are for that place; FOLDER is your \
bot's folder, its program, or a command line in quotes.

## 1. Lost by forfeit, illegal-move: 1 game

Game conny\\~randy.1 against randy

- Side: X, the first
- What happened: expected a ply; came \"z9\"
- The answer that lost: ``z`9``, after 0.100 s
- All plies (2 of 2): a1 b2
- Position at the end: `X5/1O4/6/6/6/6 X`

```text
  a b c d e f
6 . . . . . .
```

Standard error:

```text
conny
```

To play it again:

```sh
arbiter rerun conny/1.pgn conny~randy.1 --bot conny=FOLDER
```
";
        let record = record();
        let page = page(&record, "conny", 1);
        let end = GameEnd::new(&record).position;
        let board = expected.replace("  a b c d e f\n6 . . . . . .", &board(&end));
        assert_eq!(page, board.replace("X5/1O4/6/6/6/6 X", &end.to_string()));
    }

    #[test]
    fn a_loss_by_the_rules_shows_what_is_proved_of_it() {
        let log = b"[White \"conny\"] [Black \"randy\"] [Result \"0-1\"] [Game \"lineup\"] [GameId \"conny~randy.1\"]
            [Options \"n=4 s=3 blocks=none\"] [Outcome \"win\"] [Termination \"line\"] 1. a0 b1 2. a3 b2 3. d0 b3 0-1";
        let record = read_log(log).next().unwrap().unwrap();
        let page = page(&record, "conny", 1);
        let said = "\nThe loss is proved from ply 3 on:\n\n- Ply 3: `a1` wins by force in 9; `a3` was played, \
                    which loses by force in 4\n";
        assert!(page.contains(said), "{page}");
        assert!(!page.contains("To prove more"), "the value of each ply is proved: {page}");
    }

    #[test]
    fn where_more_can_be_proved_the_command_is_named() {
        let log = b"[White \"conny\"] [Black \"randy\"] [Result \"0-1\"] [Game \"gekitai\"]
            [Options \"n=6 p=8 l=3 simultaneous=draw\"] [Outcome \"suicide\"] [Termination \"suicide\"]
            1. c4 f1 2. d6 b6 3. a4 c6 4. b6 c5 5. f5 a2 6. b6 b5 7. d1 d5 8. b1 c5 9. a3 d2 10. e1 0-1";
        let record = read_log(log).next().unwrap().unwrap();
        let page = page(&record, "conny", 1);
        let again = "\nTo prove more of it:\n\n```sh\narbiter turning conny/1.pgn ";
        assert!(page.contains(again), "{page}");
    }

    #[test]
    fn the_command_names_the_bot_as_its_folder_has_it() {
        let content = |command: &[&str], files: &[&str]| Content {
            command: command.iter().map(ToString::to_string).collect(),
            files: files.iter().map(|path| ContentFile::new(*path, false, "")).collect(),
            ..Content::default()
        };
        for (command, files, expected) in [
            (&["python3", "bot.py"][..], &["bot.py", "bot.toml"][..], "FOLDER"),
            (&["python3", "-u", "bot.py", "a b"], &["bot.py"], "python3 -u FOLDER/bot.py 'a b'"),
            (&["python3", "/srv/cup/bot.py"], &["/srv/cup/bot.py"], "FOLDER"),
            (&["java", "Bot"], &["Bot.class"], "FOLDER"),
            (&["builtin:search", "version 1"], &[], "builtin:search"),
        ] {
            assert_eq!(program_of(Some(&content(command, files))), expected);
        }
        let built =
            Content { build: Some("make".into()), ..content(&["./bot"], &["Makefile", "./bot"]) };
        assert_eq!(folder_of(Some(&built)), "your bot's folder, after `make` there");
        assert!(folder_of(None).contains("command line in quotes"));
    }

    /// Without its adapter the bot would be asked in lines that it does not know.
    #[test]
    fn the_command_names_the_adapter() {
        let content = Content {
            command: vec!["python3".into(), "bot.py".into()],
            adapter: Some(format!("../course/lines.py {}", "0".repeat(64))),
            ..Content::default()
        };
        let record = record();
        let page = page_of(&record, "conny", 1, Some(&content));
        assert!(page.contains(" --bot conny='adapter:lines.py FOLDER'\n"), "{page}");
        assert!(page.contains("The course's adapter `lines.py` translates"), "{page}");
    }

    #[test]
    fn further_losses_of_a_kind_take_a_line_and_illegal_plies_end_the_game() {
        let mut record = record();
        record.plies.push(record.plies[1].clone());
        let page = page(&record, "conny", 70);
        assert_eq!(page.matches("## ").count(), 1);
        let games = vec!["conny\\~randy.1"; 59].join(", ");
        let line =
            format!("\n- 59 games ({games}), as in the first: expected a ply; came \"z9\"\n");
        assert!(page.contains(&line), "{page}");
        assert!(page.ends_with("\n10 more losses are not shown.\n"), "{page}");
        assert!(page.contains("- The log is not valid: ply 3 is illegal: "), "{page}");
    }

    #[test]
    fn standard_error_is_readable_and_the_isolation_stands_once_at_the_end() {
        let mut record = record();
        record.isolation = Some("strict fork=denied memory=watched".to_owned());
        // As the journal keeps it.
        let stderr =
            arbiter_rules::text::printable("print(\"a\\nb\") … é 小明 \u{1b}[2J".as_bytes(), 100);
        let page = page(&record, &stderr, 3);
        let shown = "```text\nprint(\"a\\nb\") … é 小明 \\x1b[2J\n```\n";
        assert!(page.contains(shown), "{page}");
        assert!(
            page.ends_with("\nThe isolation of these games: `strict (memory=watched)`\n"),
            "{page}"
        );
        assert_eq!(page.matches("memory=watched").count(), 1, "{page}");
    }

    #[test]
    fn further_losses_share_a_line_if_only_numbers_differ() {
        let details = [
            Some("late by 3 ms"),
            Some("late by 12 ms"),
            None,
            None,
            Some("asleep"),
            Some("late by 0 ms"),
        ];
        let records =
            details.map(|detail| Record { detail: detail.map(str::to_owned), ..record() });
        let losses = records.map(|record| Loss {
            record,
            side: Side::First,
            stderr: String::new(),
            file: String::new(),
        });
        let mut out = String::new();
        further(&mut out, &losses.each_ref());
        let id = "conny\\~randy.1";
        let alone = format!("- {id} against randy, as X, 2 plies");
        let together = format!("- 3 games ({id}, {id}, {id}), as in the first: late by 3 ms");
        assert_eq!(out, format!("{together}\n{alone}\n{alone}\n{alone}: asleep\n"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn any_text_is_safe(text in "(\\PC|\\pC|[|`:@#\\[<\n]){0,40}") {
            hostile(&text)?;
        }
    }

    fn hostile(text: &str) -> Result<(), TestCaseError> {
        let mut record = record();
        record.players.second = text.to_owned();
        record.detail = Some(text.to_owned());
        record.id = Some(text.to_owned());
        let failed = Some((FailedStep::Build, text.as_bytes()));
        let of = AbsenceFeedback {
            tournament: text,
            name: text,
            reason: text,
            failed,
            again: Some(text),
        };
        let page = page(&record, text, 1) + &absence(&of);
        prop_assert!(is_safe(&page), "{}", page);
        prop_assert!(!page.contains("<script>") || page.contains("```"), "{}", page);
        Ok(())
    }

    #[test]
    fn strangers_write_no_page() {
        for text in &HOSTILE {
            hostile(text).unwrap();
        }
    }
}
