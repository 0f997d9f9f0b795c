//! `junit.xml`: the results of a tournament for programs that run tests.
//!
//! Owns which game counts as a failure: a forfeit does, a game lost on the board does not. A bot
//! that could not be scheduled is an error, an aborted game is skipped. Games are added one at a
//! time, so that with one test case for each bot the memory does not depend on the number of games.
//! Does not access files; standard error is included only if the caller passes it, and no times
//! are, so that equal games give equal bytes.
//!
//! ```
//! use arbiter_cup::report::junit::{Cases, JUnit};
//! use arbiter_cup::tournament::Absentee;
//! let mut junit = JUnit::new("spring-cup", Cases::Bots, ["conny".to_owned()]);
//! junit.absent(&Absentee {
//!     name: "randy".into(),
//!     private: None,
//!     reason: "make: *** [conny] Error 1".into(),
//!     folder: None,
//!     excluded: false,
//! });
//! let xml = junit.finish();
//! assert!(xml.contains(r#"<testcase name="conny" classname="spring-cup"#));
//! assert!(xml.contains(r#"<error message="make: *** [conny] Error 1" type="not-scheduled"#));
//! ```

use super::junit_xml::{Element, file, problem, suite, test_case};
use super::{escape, text};
use crate::tournament::Absentee;
use arbiter_game::Outcome;
use arbiter_game::record::Record;
use arbiter_rules::Side;
use arbiter_rules::text::{Interner, counted};

/// Maximum number of forfeits listed for a bot.
const FORFEITS: usize = 20;

/// Maximum number of other losses and aborted games listed for a bot.
const OTHERS: usize = 100;

/// What a test case stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Cases {
    /// A bot, with its games listed inside.
    #[default]
    Bots,
    /// A game.
    Games,
}

/// Collects the test cases of a tournament.
#[derive(Debug, Default)]
pub struct JUnit {
    name: String,
    cases: Cases,
    bots: Vec<BotCase>,
    /// The names of these bots.
    names: Interner,
    games: Vec<Element>,
    absent: Vec<Element>,
}

/// A list of lines of which only the first ones are kept; the others are counted.
#[derive(Debug, Default)]
struct CappedLines {
    kept: Vec<String>,
    more: usize,
}

impl CappedLines {
    fn add(&mut self, most: usize, line: String) {
        if self.kept.len() < most {
            self.kept.push(line);
        } else {
            self.more += 1;
        }
    }

    fn text(mut self) -> String {
        if self.more > 0 {
            self.kept.push(format!("and {} more", self.more));
        }
        self.kept.join("\n")
    }
}

#[derive(Debug, Default)]
struct BotCase {
    name: String,
    games: u64,
    forfeits: CappedLines,
    others: CappedLines,
    stderr: Vec<String>,
}

impl JUnit {
    /// A tournament of these bots, in this order, without games.
    pub fn new(name: &str, cases: Cases, bots: impl IntoIterator<Item = String>) -> JUnit {
        let mut junit = JUnit { name: name.to_owned(), cases, ..JUnit::default() };
        for bot in bots {
            junit.bot(&bot);
        }
        junit
    }

    /// Adds a bot that could not be scheduled.
    pub fn absent(&mut self, bot: &Absentee) {
        // What the organiser leaves out is no error.
        let tag = if bot.excluded { "skipped" } else { "error" };
        let why = problem(tag, "not-scheduled", &bot.reason, String::new());
        self.absent.push(test_case(&bot.name, &self.name, Some(why)));
    }

    /// Adds a finished game, with the standard error of its loser if that is public; games appear
    /// in the order of these calls.
    pub fn game(&mut self, record: &Record, stderr: Option<&str>) {
        match self.cases {
            Cases::Bots => self.count(record, stderr),
            Cases::Games => self.games.push(game_case(record, stderr, self.games.len() + 1)),
        }
    }

    /// The content of the file.
    pub fn finish(self) -> String {
        let mut cases = Vec::new();
        if self.cases == Cases::Bots {
            for bot in self.bots {
                cases.push(bot.case(&self.name));
            }
        }
        cases.extend(self.games);
        cases.extend(self.absent);
        file(&self.name, vec![suite(&self.name, cases)])
    }

    /// The bot of this name, which is added if it is new.
    fn bot(&mut self, name: &str) -> &mut BotCase {
        let number = self.names.intern(name.to_owned());
        if number == self.bots.len() {
            self.bots.push(BotCase { name: name.to_owned(), ..BotCase::default() });
        }
        &mut self.bots[number]
    }

    /// Counts a game for both of its bots.
    fn count(&mut self, record: &Record, stderr: Option<&str>) {
        let id = id(record);
        for side in Side::BOTH {
            let bot = self.bot(&record.players[side]);
            bot.games += 1;
            let is_forfeit =
                matches!(record.outcome, Outcome::Forfeit(..) | Outcome::NeitherStarted);
            let is_aborted = matches!(record.outcome, Outcome::Aborted(_));
            // Most games are won or drawn: their lines are not even written.
            if !is_aborted && !record.outcome.has_lost(side) {
                continue;
            }
            let opponent = escape::line(&record.players[!side]);
            let line = format!("{id} against {opponent}: {}", what(record));
            if !is_forfeit {
                bot.others.add(OTHERS, line);
                continue;
            }
            // Only of forfeits that are listed, so that the file stays small.
            if let Some(stderr) = stderr
                && bot.forfeits.kept.len() < FORFEITS
            {
                bot.stderr.extend(section(&id, stderr));
            }
            bot.forfeits.add(FORFEITS, line);
        }
    }
}

impl BotCase {
    fn case(self, tournament: &str) -> Element {
        let count = (self.forfeits.kept.len() + self.forfeits.more) as u64;
        let mut failure = None;
        if count > 0 {
            let message =
                format!("{} in {}", counted(count, "forfeit"), counted(self.games, "game"));
            failure = Some(problem("failure", "forfeit", &message, self.forfeits.text()));
        }
        let mut case = test_case(&self.name, tournament, failure);
        case.push_output("system-out", self.others.text());
        case.push_output("system-err", self.stderr.join("\n"));
        case
    }
}

/// The test case of a game; `number` names a game without an id.
fn game_case(record: &Record, stderr: Option<&str>, number: usize) -> Element {
    let failure = match record.outcome {
        Outcome::Forfeit(loser, fault) => {
            let message = format!("{} forfeits: {fault}", record.players[loser]);
            Some(problem("failure", fault.word(), &message, what(record)))
        }
        Outcome::NeitherStarted => {
            let fault = record.outcome.termination();
            let message = format!("both forfeit: {fault}");
            Some(problem("failure", fault, &message, what(record)))
        }
        Outcome::Aborted(_) => Some(problem("skipped", "aborted", &what(record), String::new())),
        Outcome::Rules(_)
        | Outcome::Own { .. }
        | Outcome::Resigned(_)
        | Outcome::Repetition
        | Outcome::MaxPlies => None,
    };
    let name = match &record.id {
        Some(id) => id.clone(),
        None => format!("game {number}"),
    };
    // Sorted, so that the games of two bots are one class, whoever moved first.
    let mut bots = Side::BOTH.map(|side| &*record.players[side]);
    bots.sort_unstable();
    let mut case = test_case(&name, &bots.join("~"), failure);
    case.push_output("system-out", text::game(record));
    if let (Some(stderr), Some(loser)) = (stderr, record.outcome.loser())
        && let Some(written) = section(&escape::line(&record.players[loser]), stderr)
    {
        case.push_output("system-err", written);
    }
    case
}

/// The last lines of a bot's standard error with a heading; `None` if it is empty.
fn section(head: &str, stderr: &str) -> Option<String> {
    let (cut, stderr) = escape::tail(stderr.as_bytes());
    let text = escape::lines(stderr);
    let from = if cut { ", the last lines" } else { "" };
    if text.is_empty() { None } else { Some(format!("== {head}{from}\n{text}")) }
}

fn id(record: &Record) -> String {
    escape::line(record.id.as_deref().unwrap_or("?"))
}

/// The outcome of a game with the sentence that explains it.
fn what(record: &Record) -> String {
    match &record.detail {
        Some(detail) => format!("{}: {}", text::how(record), escape::line(detail)),
        None => text::how(record),
    }
}

#[cfg(test)]
mod tests {
    use super::super::escape::tests::{HOSTILE, is_safe};
    use super::*;
    use crate::report::anonymizer::Anonymizer;
    use arbiter_game::record::read_log;
    use proptest::prelude::*;
    use quick_xml::events::Event;

    fn absent(name: &str, reason: &str) -> Absentee {
        Anonymizer::unchanged().absentee(&Absentee {
            name: name.to_owned(),
            private: None,
            reason: reason.to_owned(),
            folder: None,
            excluded: false,
        })
    }

    fn record(tags: &str, moves: &str) -> Record {
        let log =
            format!("[White \"conny\"]\n[Black \"randy\"]\n[Game \"gekitai\"]\n{tags}\n{moves}");
        read_log(log.as_bytes()).next().unwrap().unwrap()
    }

    fn games() -> [Record; 3] {
        let tags = |number: u8, result: &str, outcome: &str, termination: &str| {
            format!(
                "[GameId \"conny~randy.{number}\"] [Result \"{result}\"] \
                 [Outcome \"{outcome}\"] [Termination \"{termination}\"]"
            )
        };
        let detail = "[Detail \"expected a ply; came \\\"z9\\\"\"]";
        [
            record(&(tags(1, "0-1", "forfeit", "illegal-move") + detail), "{0.1s z9} 0-1"),
            record(&tags(2, "0-1", "win", "resign"), "1. a1 b2 0-1"),
            record(&tags(3, "*", "aborted", "aborted"), "*"),
        ]
    }

    /// The text of all elements, if the XML is well-formed.
    fn read(xml: &str) -> Result<String, String> {
        let mut reader = quick_xml::Reader::from_str(xml);
        let (mut depth, mut said) = (0, String::new());
        loop {
            match reader.read_event().map_err(|error| error.to_string())? {
                Event::Eof if depth == 0 => return Ok(said),
                Event::Eof => return Err(format!("{depth} elements are open")),
                Event::Start(start) | Event::Empty(start) if start.name().as_ref() == b"script" => {
                    return Err("an element of a stranger's".into());
                }
                Event::Start(start) => {
                    depth += 1;
                    start
                        .attributes()
                        .try_for_each(|a| a.map(|_| ()))
                        .map_err(|e| e.to_string())?;
                }
                Event::End(_) => depth -= 1,
                Event::Text(text) => said.push_str(&text.decode().map_err(|e| e.to_string())?),
                _ => {}
            }
        }
    }

    #[test]
    fn a_case_a_bot() {
        let mut junit = JUnit::new("cup", Cases::Bots, ["randy", "conny"].map(str::to_owned));
        for record in &games() {
            junit.game(record, None);
        }
        junit.absent(&absent("lost", "no bot.toml"));
        let xml = junit.finish();
        let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="cup" tests="3" skipped="0" failures="1" errors="1">
    <testsuite name="cup" tests="3" skipped="0" errors="1" failures="1">
        <testcase name="randy" classname="cup">
            <system-out>conny~randy.3 against conny: aborted</system-out>
        </testcase>
        <testcase name="conny" classname="cup">
            <failure message="1 forfeit in 3 games" type="forfeit">conny~randy.1 against randy: forfeit illegal-move: expected a ply; came &quot;z9&quot;</failure>
            <system-out>conny~randy.2 against randy: win resign
conny~randy.3 against randy: aborted</system-out>
        </testcase>
        <testcase name="lost" classname="cup">
            <error message="no bot.toml" type="not-scheduled"/>
        </testcase>
    </testsuite>
</testsuites>
"#;
        assert_eq!(xml, expected);
        read(&xml).unwrap();
    }

    #[test]
    fn a_case_a_game() {
        let mut junit = JUnit::new("cup", Cases::Games, []);
        for record in &games() {
            junit.game(record, Some("first\n"));
        }
        let xml = junit.finish();
        for part in [
            r#"tests="3" skipped="1" errors="0" failures="1""#,
            r#"<testcase name="conny~randy.1" classname="conny~randy">"#,
            r#"<failure message="conny forfeits: illegal-move" type="illegal-move">"#,
            r#"<skipped message="aborted" type="aborted""#,
            "first</system-err>",
        ] {
            assert!(xml.contains(part), "{part}: {xml}");
        }
        read(&xml).unwrap();
    }

    #[test]
    fn only_the_first_forfeits_are_listed() {
        let mut junit = JUnit::new("cup", Cases::Bots, []);
        let [forfeit, ..] = games();
        for _ in 0..23 {
            junit.game(&forfeit, None);
        }
        let xml = junit.finish();
        assert!(
            xml.contains("23 forfeits in 23 games") && xml.contains("\nand 3 more</failure>"),
            "{xml}"
        );
    }

    fn hostile(text: &str) -> Result<(), TestCaseError> {
        for cases in [Cases::Bots, Cases::Games] {
            let mut junit = JUnit::new(text, cases, [text.to_owned()]);
            junit.absent(&absent(text, text));
            let mut record = Record::clone(&games()[0]);
            record.players.first = text.to_owned();
            record.detail = Some(text.to_owned());
            record.id = Some(text.to_owned());
            junit.game(&record, Some(text));
            let xml = junit.finish();
            prop_assert!(is_safe(&xml), "{}", xml);
            prop_assert!(read(&xml).is_ok(), "{:?}: {}", read(&xml), xml);
        }
        Ok(())
    }

    #[test]
    fn hostile_text_is_escaped() {
        for text in &HOSTILE {
            hostile(text).unwrap();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(64)
        })]

        #[test]
        fn any_text_is_well_formed(text in "(\\PC|\\pC|[\\]>&<\n\"]){0,40}") {
            hostile(&text)?;
        }
    }
}
