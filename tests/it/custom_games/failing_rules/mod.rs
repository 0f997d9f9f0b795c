//! Rules of custom games that fail: no bot loses by it, no other game is lost, and the run
//! says what happened. And what identifies rules: a journal is continued and merged with the same
//! ones only, and is read without any.

mod processes;
mod strangers;

use crate::support::conditions::conditions;
use crate::support::run;
use arbiter::arena::{
    self, Conditions, Finished, GameQueue, Match, PlayerSpec, RunEvent, ScheduledGames,
};
use arbiter::config::Config;
use arbiter::content::Content;
use arbiter::game::{Abort, Outcome, Played, RecordedPlayer, Settings};
use arbiter::openings::{OpeningError, Openings};
use arbiter::rules::own::{
    EngineAnswer, EngineEnding, EngineQuestion, EngineState, OwnDefinition, OwnOption, Rules,
    RulesEngine, RulesSource,
};
use arbiter::rules::{BySide, Layout, OptionError, RulesFault, Ruleset};
use arbiter::schedule::{Format, Schedule};
use arbiter::store::journal::Journal;
use arbiter::tournament::roster::{self, KeySource, RunPlan, check_identity};
use arbiter::tournament::{
    AttemptResult, Entrant, JournalContents, JournalEntry, JournalHead, PlayedGames, RecordedGame,
    TournamentProgress, TournamentRules, merged_head,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The squares of the strip, which the sides fill from the left; a full one is a draw.
const SQUARES: usize = 9;

/// The rules of the strip, which fail at questions of these numbers, from 0.
#[derive(Debug)]
struct Strip {
    asked: AtomicUsize,
    fails: &'static [usize],
}

impl Strip {
    fn state(filled: usize) -> EngineState {
        let letters: String = "XO".chars().cycle().take(filled).collect();
        let (side, rest) = (["X", "O"][filled % 2], SQUARES - filled);
        let rest = if rest > 0 { rest.to_string() } else { String::new() };
        let ending = EngineEnding { winner: None, reason: "full-board".into(), margin: None };
        EngineState {
            position: format!("{letters}{rest} {side}"),
            plies: ["put", "lay"]
                .map(String::from)
                .into_iter()
                .filter(|_| filled < SQUARES)
                .collect(),
            ending: (filled == SQUARES).then_some(ending),
            ..EngineState::default()
        }
    }
}

fn filled(position: &str) -> usize {
    position.split(' ').next().unwrap().chars().filter(char::is_ascii_alphabetic).count()
}

impl RulesEngine for Strip {
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
        let position = match question {
            EngineQuestion::Advance(position, _) => position,
            EngineQuestion::At(position) => {
                return Ok(EngineAnswer::State(Strip::state(filled(position))));
            }
            EngineQuestion::Why(..) => return Ok(EngineAnswer::Why(None)),
        };
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        if self.fails.contains(&number) {
            let place = Some(format!("strip.py, line {}", 10 + number).into());
            let (function, stderr) = (Some("play".into()), "Traceback\n  a line".into());
            return Err(RulesFault {
                place,
                function,
                stderr,
                ..RulesFault::new("IndexError: none")
            });
        }
        Ok(EngineAnswer::State(Strip::state(filled(position) + 1)))
    }
}

/// The strip of a file with this digest.
#[derive(Debug)]
struct StripFile {
    digest: &'static str,
    fails: &'static [usize],
    options: Vec<OwnOption>,
}

impl StripFile {
    fn new(digest: &'static str, fails: &'static [usize]) -> StripFile {
        let values = ["slow", "quick"].map(String::from);
        let option = OwnOption {
            key: "pace".into(),
            default: "slow".into(),
            values: values.into(),
            about: String::new(),
        };
        StripFile { digest, fails, options: vec![option] }
    }

    fn ruleset(&self) -> Ruleset {
        Ruleset::own(self.with_options(&[]).unwrap()).unwrap()
    }
}

impl RulesSource for StripFile {
    fn name(&self) -> &str {
        "strip"
    }

    fn title(&self) -> &str {
        "The strip"
    }

    fn digest(&self) -> &str {
        self.digest
    }

    fn options(&self) -> &[OwnOption] {
        &self.options
    }

    fn path(&self) -> Option<String> {
        Some("my games/strip.py".into())
    }

    fn with_options(&self, set: &[(String, String)]) -> Result<OwnDefinition, OptionError> {
        let pace = set.iter().find(|(key, _)| key == "pace").map_or("slow", |(_, value)| value);
        let layout = Layout::usual(BySide { first: 'X', second: 'O' }, 1, SQUARES).unwrap();
        let values = vec![("pace".to_owned(), pace.to_owned())];
        Ok(OwnDefinition {
            title: "The strip".into(),
            options: self.options.clone(),
            start: Strip::state(0),
            engine: Some(Arc::new(Strip { asked: AtomicUsize::new(0), fails: self.fails })),
            ..OwnDefinition::told("strip", "strip.py", self.digest, values, layout)
        })
    }
}

/// Plays this number of games of `a` and `b`, who go on filling the strip.
fn play(ruleset: Ruleset, games: u32, concurrency: usize) -> Vec<Finished> {
    let names = ["a", "b"].map(String::from);
    let put = Played { ply: ruleset.read_ply("put").unwrap(), note: None };
    let player = || {
        PlayerSpec::Recorded(Arc::new(RecordedPlayer::new(
            vec![put.clone(); SQUARES],
            Outcome::Aborted(Abort::Broken),
        )))
    };
    let plan = Match {
        conditions: Conditions { tries: 3, ..conditions(&ruleset) },
        concurrency,
        watchers: Vec::new(),
    };
    let schedule = Schedule::new(Format { games, ..Format::default() }, &names).unwrap();
    let progress = TournamentProgress::new(
        schedule,
        TournamentRules { tries: 3, ..TournamentRules::default() },
    );
    let openings = Openings::start(ruleset.start());
    let players = names.iter().map(|name| (name.clone(), player())).collect();
    let scheduled = ScheduledGames::new(progress, openings, players, PlayedGames::new());
    let mut run = arena::run_beside(plan, GameQueue::new(scheduled));
    let mut games = Vec::new();
    while let Some(event) = run.next() {
        let RunEvent::Finished(finished) = event else { panic!("the run was broken off") };
        run.settle(finished.pairing.index, finished.record.outcome.into());
        games.push(*finished);
    }
    games
}

#[test]
fn a_game_whose_rules_fail_is_not_played_again_and_the_others_go_on() {
    for concurrency in [1, 3] {
        let games = play(
            StripFile::new(["one", "three"][concurrency / 2], &[20]).ruleset(),
            6,
            concurrency,
        );
        let mut ids: Vec<&str> = games.iter().map(|game| &*game.pairing.id).collect();
        ids.sort_unstable();
        assert_eq!(ids, ["a~b.1", "a~b.2", "a~b.3", "a~b.4", "a~b.5", "a~b.6"], "each once");
        let (failed, others): (Vec<_>, Vec<_>) =
            games.iter().partition(|game| game.fault.is_some());
        assert!(
            others
                .iter()
                .all(|game| game.record.outcome.word() == "draw" && game.record.plies.len() == 9)
        );
        let [failed] = &failed[..] else { panic!("{failed:?}") };
        assert_eq!(failed.record.outcome, Outcome::Aborted(Abort::Rules));
        let detail = failed.record.detail.as_deref().unwrap();
        assert!(
            detail.starts_with("strip.py, line 30, in play: IndexError: none; move put; position "),
            "{detail}"
        );
        assert_eq!(AttemptResult::from(failed.record.outcome), AttemptResult::RulesFail);
    }
}

#[test]
fn an_opening_at_which_the_rules_fail_is_an_error_that_says_how() {
    let error =
        Openings::random(StripFile::new("open", &[40]).ruleset(), 3, 1).get(50).unwrap_err();
    let OpeningError::Rules { fault, .. } = &error else { panic!("{error}") };
    assert_eq!(*fault.rules, ["strip.py"], "the game has no file");
    assert!(
        error.to_string().contains("strip.py, line 50, in play: IndexError: none; move "),
        "{error}"
    );
    // Rules that do not read their own positions.
    #[derive(Debug)]
    struct Forgetful(Strip);
    impl RulesEngine for Forgetful {
        fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
            match question {
                EngineQuestion::At(_) => Ok(EngineAnswer::NoPosition("what is this".into())),
                other => self.0.answer(other),
            }
        }
    }
    let forgetful = Forgetful(Strip { asked: AtomicUsize::new(0), fails: &[] });
    let definition = StripFile::new("forgets", &[]).with_options(&[]).unwrap();
    let ruleset =
        Ruleset::own(OwnDefinition { engine: Some(Arc::new(forgetful)), ..definition }).unwrap();
    let error = Openings::random(ruleset, 3, 1).get(1).unwrap_err().to_string();
    assert!(error.contains("their own position is none: what is this; position XOX6 O"), "{error}");
}

/// The head of a tournament of the strip by a file with this digest.
fn head(digest: &'static str, fails: &'static [usize]) -> (Config, JournalHead) {
    let called = format!("{digest}/strip.py");
    let rules: Rules = Arc::new(StripFile::new(digest, fails));
    let text = format!(
        "game = '{called}'\noptions.pace = 'quick'\n[schedule]\ngames = 6\n[[bot]]\nname = 'a'\ncommand = './a'\n\
         [[bot]]\nname = 'b'\ncommand = './b'\n"
    );
    let config = Config::parse_by(&text, Some(&rules)).unwrap();
    let entrant = |name: &str| {
        Entrant::new(name.into(), name.into(), &Content::default(), BTreeMap::new(), None)
    };
    let plan = RunPlan {
        name: "cup",
        text: &text,
        config: &config,
        openings: None,
        entrants: ["a", "b"].map(entrant).into(),
        absent: Vec::new(),
        keep_changed: false,
        shard: None,
        key: KeySource::Common(None),
        seeds: None,
        other: None,
    };
    let head = roster::head(plan, &JournalContents::default()).unwrap();
    (config, head)
}

#[test]
fn rules_are_part_of_the_identity_of_a_tournament() {
    let ((mine, one), (theirs, other)) = (head("aaaa", &[]), head("bbbb", &[]));
    check_identity(&one, &mine.identity()).unwrap();
    let refused = check_identity(&one, &theirs.identity()).unwrap_err().to_string();
    let differs = "another tournament: rules was strip.py aaaa, is strip.py bbbb; ";
    assert!(refused.contains(differs), "{refused}");
    let refused =
        merged_head(&[("mine".into(), &one), ("theirs".into(), &other)]).unwrap_err().to_string();
    let differs = "mine and theirs: they are results of different tournaments: rules is strip.py aaaa, and strip.py bbbb";
    assert!(refused.ends_with(differs), "{refused}");
    // Other games are what they were.
    let usual = Settings::default().identity();
    assert!(usual.iter().all(|(key, _)| key != "rules"));
}

/// A result folder with games of the strip, whose rules no command below knows.
#[test]
fn a_result_folder_is_read_without_the_rules() {
    let (config, head) = head("cccc", &[20, 30]);
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let mut journal = Journal::open(&out.join("journal.jsonl"), |_, _| {}).unwrap();
    journal.append(&JournalEntry::Head(head)).unwrap();
    for Finished { pairing, attempt, record, fault, .. } in play(config.settings.ruleset, 6, 1) {
        let log = record.to_string();
        let digest = Content::default().digest();
        let game = RecordedGame {
            id: pairing.id,
            attempt,
            round: pairing.round,
            pair: pairing.pair,
            digests: [digest.clone(), digest],
            log,
            stderr: String::new(),
            stderr_last: None,
            fault,
        };
        journal.append(&JournalEntry::Game(game)).unwrap();
    }
    drop(journal);
    let folder = out.display().to_string();
    let shown = run(&["standings", &folder]);
    assert_eq!(shown.status, Some(0), "{shown:?}");
    for words in [
        "strip (pace=quick)",
        "1 game is aborted, because the rules failed; it is not played again: strip.py, line 30, in play: IndexError: none",
        "1 game is aborted, because the rules failed; it is not played again: strip.py, line 40, in play: IndexError: none",
    ] {
        assert!(shown.stdout.contains(words), "{words}: {}", shown.stdout);
    }
    let merged = place.path().join("merged").display().to_string();
    let joined = run(&["merge", &folder, "--out", &merged]);
    assert_eq!(joined.status, Some(3), "{joined:?}");
    let end = "exit status 3: 2 games are aborted, because the rules failed; they are not played again\n\
         strip.py, line 30, in play: IndexError: none; move put; position XO7 X (1 game)\n  \
         the end of what the rules wrote:\n    Traceback\n      a line\n  \
         shown again by: arbiter moves strip.py --set 'pace=quick' --position 'XO7 X' --after put\n";
    assert!(joined.stderr.contains(end), "{}", joined.stderr);
    for (command, status) in [
        (vec!["standings", &merged, "--format", "json"], 0),
        (vec!["report", &merged], 0),
        (vec!["replay", &merged, "a~b.3"], 0),
        (vec!["replay", &merged, "a~b.1", "--ply", "4"], 0),
    ] {
        let ran = run(&command);
        assert_eq!(ran.status, Some(status), "{command:?}: {ran:?}");
    }
    let json = run(&["standings", &merged, "--format", "json"]).stdout;
    assert!(json.contains("1 game is aborted, because the rules failed"), "{json}");
    let junit = std::fs::read_to_string(place.path().join("merged/junit.xml")).unwrap();
    assert!(junit.contains("strip.py, line 30, in play"), "{junit}");
}

#[test]
fn a_told_ruleset_is_no_engine() {
    let (_, head) = head("dddd", &[]);
    let ruleset = head.configuration().unwrap().settings.ruleset;
    assert!(!ruleset.knows_plies());
    assert_eq!((ruleset.rows(), ruleset.columns(), &*ruleset.options_text()), (1, 9, "pace=quick"));
    assert_eq!((ruleset.game().name(), ruleset.game().title()), ("strip", "The strip"));
}
