//! Custom games behind an engine that is no process: the built-in rules, asked by texts, and
//! engines that fail.

use arbiter_engine::bot_check::{Moments, long_game};
use arbiter_engine::rules_check::{Trial, shorten, try_game};
use arbiter_game::openings::Openings;
use arbiter_game::record::{Record, read_log};
use arbiter_game::replay::replay;
use arbiter_game::{Abort, Answer, Outcome, Referee, Settings, Step};
use arbiter_rules::own::{
    EngineAnswer, EngineEnding, EngineQuestion, EngineState, OwnDefinition, RulesEngine,
};
use arbiter_rules::seed::Generator;
use arbiter_rules::{BySide, Layout, Ply, Position, RulesFault, Ruleset, Side, perft};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The rules of a game of arbiter as an engine.
#[derive(Debug)]
struct BuiltIn(Ruleset);

impl BuiltIn {
    fn state(position: &Position) -> EngineState {
        let ruleset = position.ruleset();
        EngineState {
            position: position.to_string(),
            plies: position.plies().map(|ply| ruleset.ply_text(ply).to_string()).collect(),
            ending: position.ending().map(|ending| EngineEnding {
                winner: ending.winner,
                reason: ending.reason.word().to_owned(),
                margin: None,
            }),
            ..EngineState::default()
        }
    }

    fn ply(&self, text: &str) -> Ply {
        self.0.read_ply(text).unwrap()
    }
}

impl RulesEngine for BuiltIn {
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
        let read = |position: &str| self.0.read_position(position).unwrap();
        Ok(match question {
            EngineQuestion::Advance(position, ply) => {
                EngineAnswer::State(BuiltIn::state(&read(position).after(self.ply(ply))))
            }
            EngineQuestion::At(position) => match self.0.read_position(position) {
                Ok(position) => EngineAnswer::State(BuiltIn::state(&position)),
                Err(error) => EngineAnswer::NoPosition(error.to_string()),
            },
            EngineQuestion::Why(position, ply) => {
                let why = read(position).check(self.ply(ply)).err();
                EngineAnswer::Why(why.map(|why| why.to_string()))
            }
        })
    }
}

fn definition(name: &str, ruleset: &Ruleset, engine: Arc<dyn RulesEngine>) -> OwnDefinition {
    let layout = Layout::new(
        ruleset.game().letters(),
        BySide::default(),
        (0..ruleset.rows()).map(|row| ruleset.row_name(row)).collect(),
        (0..ruleset.columns()).map(|column| ruleset.column_name(column)).collect(),
    );
    OwnDefinition {
        name: name.to_owned(),
        title: "A game".to_owned(),
        file: format!("{name}.py"),
        digest: "0123456789ab".to_owned(),
        options: Vec::new(),
        values: Vec::new(),
        layout: layout.unwrap(),
        black: None,
        start: BuiltIn::state(&ruleset.start()),
        engine: Some(engine),
    }
}

/// A game of arbiter as a custom game.
fn own(game: &str) -> Ruleset {
    let ruleset = Ruleset::named(game, "").unwrap();
    Ruleset::own(definition(&format!("own-{game}"), &ruleset.clone(), Arc::new(BuiltIn(ruleset))))
        .unwrap()
}

/// The games whose position texts hold everything that the rules depend on.
const GAMES: [&str; 2] = ["lineup", "gekitai"];

#[test]
fn a_game_behind_an_engine_is_the_same_game() {
    let mut generator = Generator::new(&[&"own"]);
    for game in GAMES {
        let (built_in, own) = (Ruleset::named(game, "").unwrap(), own(game));
        assert_eq!(perft(&own.start(), 2), perft(&built_in.start(), 2), "{game}");
        for _ in 0..20 {
            let (mut one, mut other) = (built_in.start(), own.start());
            loop {
                assert_eq!(one.to_string(), other.to_string());
                assert_eq!(one.ending(), other.ending(), "{one}");
                let mut texts = [String::new(), String::new()];
                one.push_plies(&mut texts[0]);
                other.push_plies(&mut texts[1]);
                assert_eq!(texts[0], texts[1], "{one}");
                let mut boards = [String::new(), String::new()];
                one.push_board(&mut boards[0]);
                other.push_board(&mut boards[1]);
                assert_eq!(boards[0], boards[1]);
                let side = |position: &Position| {
                    Side::BOTH.map(|side| (position.piece_count(side), position.group_count(side)))
                };
                assert_eq!(side(&one), side(&other), "{one}");
                let plies = one.sorted_plies();
                if plies.is_empty() {
                    break;
                }
                let at = generator.below(plies.len() as u64) as usize;
                let ply = other.sorted_plies()[at];
                assert_eq!(one.squares(plies[at]), other.squares(ply));
                let changed = |changes: Vec<((usize, usize), _)>| -> Vec<(usize, usize)> {
                    changes.into_iter().map(|(square, _)| square).collect()
                };
                assert_eq!(changed(one.changes(plies[at])), changed(other.changes(ply)), "{one}");
                (one, other) = (one.after(plies[at]), other.after(ply));
            }
        }
    }
}

#[test]
fn openings_are_those_of_the_generator_whatever_answers() {
    for game in GAMES {
        let own = own(game);
        let mut made = Openings::random(own.clone(), 3, 7);
        let texts: Vec<String> =
            (1..=4).map(|number| made.get(number).unwrap().to_string()).collect();
        let mut again = Openings::random(own, 3, 7);
        assert_eq!(texts[3], again.get(4).unwrap().to_string());
    }
}

/// Plays a random game through the referee and returns its record.
fn play(ruleset: Ruleset, seed: u64) -> Record {
    let settings = Settings::for_ruleset(ruleset.clone());
    let start = ruleset.start().detached();
    let mut referee = Referee::new(&settings, start.clone());
    let mut generator = Generator::new(&[&"game", &seed]);
    let log = b"[White \"a\"] [Black \"b\"] [Result \"*\"] [Game \"loa\"] [Outcome \"aborted\"] \
                [Termination \"aborted\"] *";
    let mut record = read_log(log).next().unwrap().unwrap();
    record.start = start;
    while referee.ask().is_some() {
        let plies = referee.position().sorted_plies();
        let ply = plies[generator.below(plies.len() as u64) as usize];
        let _ = referee.answer(&mut Answer::ply(ply));
        for event in referee.events() {
            record.add(event);
        }
    }
    record.outcome = referee.outcome().unwrap();
    record.max_plies = Some(settings.max_plies());
    record.repetition = Some(settings.rules.repetition);
    record
}

fn boards(record: &Record) -> Vec<String> {
    record.steps().map(|step| step.after.unwrap().to_string()).collect()
}

#[test]
fn a_log_tells_a_game_without_its_rules() {
    for game in GAMES {
        for seed in 0..5 {
            let record = play(own(game), seed);
            assert_eq!(replay(&record), Ok(()), "{game}");
            let text = record.to_string();
            let read = read_log(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(read.to_string(), text, "what is read is written again");
            assert!(!read.ruleset().knows_plies());
            assert_eq!(boards(&read), boards(&record));
            assert_eq!(read.outcome, record.outcome);
        }
    }
}

/// What an engine does at the `at`th question.
#[derive(Debug)]
struct Failing {
    inner: BuiltIn,
    asked: AtomicUsize,
    at: usize,
    what: fn(EngineState) -> Result<EngineState, RulesFault>,
}

impl RulesEngine for Failing {
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
        let answer = self.inner.answer(question)?;
        if matches!(question, EngineQuestion::Advance(..))
            && self.asked.fetch_add(1, Ordering::Relaxed) == self.at
        {
            return answer.state().and_then(self.what).map(EngineAnswer::State);
        }
        Ok(answer)
    }
}

#[test]
fn a_fault_of_the_rules_aborts_the_game_and_is_no_forfeit() {
    type What = fn(EngineState) -> Result<EngineState, RulesFault>;
    let table: [(&str, What, &str); 9] = [
        ("gone", |_| Err(RulesFault::new("ended with exit status 3")), "ended with exit status 3"),
        (
            "size",
            |state| Ok(EngineState { position: "3/3/3 X".into(), ..state }),
            "3 rows where 6 are needed",
        ),
        (
            "letter",
            |state| Ok(EngineState { position: state.position.replace('X', "Q"), ..state }),
            "unknown letter 'Q'",
        ),
        (
            "side",
            |state| Ok(EngineState { position: "6/6/6/6/6/6 Z".into(), ..state }),
            "unknown side to move \"Z\"",
        ),
        (
            "twice",
            |state| Ok(EngineState { plies: vec!["a1".into(), "a1".into()], ..state }),
            "the move \"a1\" is listed twice",
        ),
        (
            "empty",
            |state| Ok(EngineState { plies: Vec::new(), ..state }),
            "there is no legal move and no ending",
        ),
        (
            "form",
            |state| Ok(EngineState { plies: vec!["{}".into()], ..state }),
            "the move \"{}\": expected a move of",
        ),
        (
            "capitals",
            |state| Ok(EngineState { plies: vec!["A1".into()], ..state }),
            "the move \"A1\": a word cannot be the names of squares in capitals",
        ),
        (
            "many",
            |state| {
                Ok(EngineState {
                    plies: (0..2001).map(|number| format!("m{number}")).collect(),
                    ..state
                })
            },
            "there are 2001 legal moves; at most 2000",
        ),
    ];
    for (name, what, expected) in table {
        let gekitai = Ruleset::named("gekitai", "").unwrap();
        let engine =
            Failing { inner: BuiltIn(gekitai.clone()), asked: AtomicUsize::new(0), at: 2, what };
        let ruleset =
            Ruleset::own(definition(&format!("failing-{name}"), &gekitai, Arc::new(engine)))
                .unwrap();
        let mut referee = Referee::new(&Settings::for_ruleset(ruleset.clone()), ruleset.start());
        let step = loop {
            let ply = referee.position().sorted_plies()[0];
            let step = referee.answer(&mut Answer::ply(ply));
            if step != Step::Played {
                break step;
            }
        };
        assert_eq!(step, Step::Over(Outcome::Aborted(Abort::Rules)), "{name}");
        let fault = referee.position().fault().unwrap().to_string();
        assert!(fault.contains(expected), "{name}: {fault}");
        assert!(fault.contains("; move "), "{name}: {fault}");
    }
}

/// Rules that fail at every ply but the first five, and count that.
#[derive(Debug)]
struct Exhausted {
    inner: BuiltIn,
    failures: Arc<AtomicUsize>,
}

impl RulesEngine for Exhausted {
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
        if let EngineQuestion::Advance(position, _) = question {
            let board = position.split(' ').next().unwrap_or_default();
            if board.chars().filter(char::is_ascii_alphabetic).count() >= 5 {
                self.failures.fetch_add(1, Ordering::Relaxed);
                return Err(RulesFault::new("exhausted"));
            }
        }
        self.inner.answer(question)
    }
}

/// After each failure another process of the rules must be started.
#[test]
fn the_moments_of_a_check_are_not_searched_for_by_hundreds_of_failures() {
    let lineup = Ruleset::named("lineup", "").unwrap();
    let failures = Arc::new(AtomicUsize::new(0));
    let engine = Exhausted { inner: BuiltIn(lineup.clone()), failures: Arc::clone(&failures) };
    let own = Ruleset::own(definition("exhausted", &lineup, Arc::new(engine))).unwrap();
    let settings = Settings::for_ruleset(own);
    Moments::search(&settings, 1);
    assert!((1..=5).contains(&failures.swap(0, Ordering::Relaxed)));
    assert_eq!(long_game(&settings, 1, |_| false).plies.len(), 5);
    assert!((1..=10).contains(&failures.load(Ordering::Relaxed)));
}

/// An engine that counts what it is asked.
#[derive(Debug)]
struct Counted {
    inner: BuiltIn,
    asked: Arc<AtomicUsize>,
}

impl RulesEngine for Counted {
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.inner.answer(question)
    }
}

#[test]
fn only_a_new_position_and_an_illegal_ply_ask_the_rules() {
    let gekitai = Ruleset::named("gekitai", "").unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let engine = Counted { inner: BuiltIn(gekitai.clone()), asked: Arc::clone(&asked) };
    let ruleset = Ruleset::own(definition("counted", &gekitai, Arc::new(engine))).unwrap();
    let read = |position: &Position| {
        let ply = position.plies().next().unwrap();
        assert!(position.is_legal(ply) && position.check(ply).is_ok());
        assert!(position.ending().is_none() && position.fault().is_none());
        assert_eq!(position.sorted_plies().len() as u64, position.ply_count());
        assert!(position.repeats(&position.detached()) && position.forced_pass().is_none());
        ply
    };
    let asked = || asked.load(Ordering::Relaxed);

    let start = ruleset.start();
    let ply = read(&start);
    assert_eq!(asked(), 0, "the rules have told the start");
    let next = start.after(ply);
    read(&next);
    assert_eq!(asked(), 1, "advance");
    assert!(!start.changes(ply).is_empty());
    read(&start.after(ply));
    assert_eq!(asked(), 1, "the position after the ply is kept");
    read(&ruleset.read_position(&next.to_string()).unwrap());
    assert_eq!(asked(), 2, "at");
    assert!(!next.is_legal(ply));
    assert_eq!(asked(), 2, "the legal plies are known");
    assert!(next.check(ply).is_err());
    assert_eq!(asked(), 3, "why");
}

/// A log tells a game up to some ply; asking what comes after another one must not make that legal.
#[test]
fn what_a_log_does_not_tell_is_not_legal() {
    let layout = Layout::usual(BySide { first: 'X', second: 'O' }, 1, 2).unwrap();
    let ruleset =
        Ruleset::own(OwnDefinition::told("untold", "untold.py", "00", Vec::new(), layout)).unwrap();
    let (start, ply) = (ruleset.start(), ruleset.read_ply("a1").unwrap());
    assert!(start.after(ply).fault().is_some());
    assert!(
        start.check(ply).unwrap_err().to_string().contains("give the rules, untold.py, by --rules")
    );
}

#[test]
fn a_start_that_contradicts_the_board_is_no_ruleset() {
    let gekitai = Ruleset::named("gekitai", "").unwrap();
    let table = [
        ("6/6 X", "2 rows where 6 are needed"),
        (
            "6/6/6/6/6/6 O",
            "start names O as the side to move, but the first letter of sides, X, is that of",
        ),
    ];
    for (position, what) in table {
        let definition = definition("crooked", &gekitai, Arc::new(BuiltIn(gekitai.clone())));
        let start = EngineState { position: position.into(), ..definition.start };
        let fault = Ruleset::own(OwnDefinition { start, ..definition }).unwrap_err();
        assert!(fault.to_string().contains(what), "{fault}");
    }
}

/// A game may be as long as the limit of plies allows; taking its positions apart must not need a
/// stack as deep.
#[test]
fn a_long_custom_game_is_freed() {
    #[derive(Debug)]
    struct Counting;
    impl RulesEngine for Counting {
        fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
            let EngineQuestion::Advance(position, _) = question else { unreachable!() };
            let number: u64 = position.rsplit(' ').next().unwrap().parse().unwrap_or(0);
            Ok(EngineAnswer::State(EngineState {
                position: format!("1 X {}", number + 1),
                plies: vec!["on".into()],
                ..EngineState::default()
            }))
        }
    }
    let layout = Layout::usual(BySide { first: 'X', second: 'O' }, 1, 1).unwrap();
    let told = OwnDefinition::told("counting", "counting.py", "00", Vec::new(), layout);
    let start = EngineState {
        position: "1 X 0".into(),
        plies: vec!["on".into()],
        ..EngineState::default()
    };
    let ruleset =
        Ruleset::own(OwnDefinition { start, engine: Some(Arc::new(Counting)), ..told }).unwrap();
    let first = ruleset.start();
    let mut position = first.clone();
    for _ in 0..300_000 {
        position = position.after(position.plies().next().unwrap());
    }
    assert_eq!(position.to_string(), "1 X 300000");
    drop((position, first));
}

/// The size on which the speed of the built-in games depends.
#[test]
fn own_games_make_positions_and_plies_no_larger() {
    assert_eq!(size_of::<Ply>(), 6);
    assert_eq!(size_of::<Position>(), 152);
}

/// Plays this many random games, one after another.
fn try_out(ruleset: &Ruleset, one: &dyn RulesEngine, other: &dyn RulesEngine, games: u64) -> Trial {
    let mut trial = Trial::default();
    for number in 0..games {
        trial.add_game(try_game(ruleset, [one, other], number));
        if trial.is_enough() {
            break;
        }
    }
    shorten(ruleset, &mut trial);
    trial
}

#[test]
fn trying_rules_out_counts_random_games() {
    let (gekitai, other) =
        (Ruleset::named("gekitai", "").unwrap(), Ruleset::named("gekitai", "").unwrap());
    let trial = try_out(&own("gekitai"), &BuiltIn(gekitai), &BuiltIn(other), 30);
    assert_eq!(trial.mistakes, []);
    assert_eq!(
        (trial.games, trial.wins[0] + trial.wins[1] + trial.draws.iter().sum::<u64>()),
        (30, 30)
    );
    assert_eq!(trial.moved.iter().sum::<u64>(), trial.plies.1);
    let (moves, end) = trial.example.clone().unwrap();
    assert!(end.winner().is_some() && moves.len() as u64 >= trial.plies.0, "{moves:?} {end:?}");
    assert!(trial.branching() > 1.0 && trial.mean_plies() >= trial.plies.0 as f64, "{trial:?}");
}

/// An engine that answers as another one, but for some positions.
#[derive(Debug)]
struct Odd {
    inner: BuiltIn,
    change: fn(&str, EngineState, usize) -> EngineState,
    asked: AtomicUsize,
}

impl RulesEngine for Odd {
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        let kind = if matches!(question, EngineQuestion::At(_)) { "at" } else { "advance" };
        Ok(match self.inner.answer(question)? {
            EngineAnswer::State(state) => EngineAnswer::State((self.change)(kind, state, asked)),
            other => other,
        })
    }
}

#[test]
fn trying_rules_out_finds_mistakes_with_the_shortest_way_to_them() {
    type Change = fn(&str, EngineState, usize) -> EngineState;
    let table: [(&str, Change, &str, usize); 3] = [
        (
            "fickle",
            |_, state, asked| match asked % 7 {
                6 if state.plies.len() > 1 => {
                    EngineState { plies: state.plies[1..].to_vec(), ..state }
                }
                _ => state,
            },
            "answer differently",
            40,
        ),
        (
            "forgetful",
            |question, state, _| match question {
                "at" if state.plies.len() > 1 => {
                    EngineState { plies: state.plies[1..].to_vec(), ..state }
                }
                _ => state,
            },
            "read from its text, a position is another one than after the move to it",
            0,
        ),
        (
            "late",
            |_, state, _| match state.position.matches('X').count() {
                3 => EngineState { plies: Vec::new(), ending: None, ..state },
                _ => state,
            },
            "there is no legal move and no ending",
            // Two pieces of each side, and the third of X; pieces that are pushed off make it
            // longer.
            4,
        ),
    ];
    for (name, change, what, most) in table {
        let gekitai = Ruleset::named("gekitai", "").unwrap();
        let odd = || Odd { inner: BuiltIn(gekitai.clone()), change, asked: AtomicUsize::new(0) };
        let ruleset =
            Ruleset::own(definition(&format!("odd-{name}"), &gekitai, Arc::new(odd()))).unwrap();
        let trial = try_out(&ruleset, &odd(), &odd(), 20);
        let found = trial.mistakes.iter().find(|mistake| mistake.what.contains(what));
        let found = found.unwrap_or_else(|| panic!("{name}: {:?}", trial.mistakes));
        assert!(found.way.len() <= most + 1, "{name}: {found:?}");
    }
}

#[test]
fn trying_rules_out_stops_at_an_answer_that_does_not_come_and_counts_a_kind_once() {
    static FAULTS: AtomicUsize = AtomicUsize::new(8);
    type What = fn(EngineState) -> Result<EngineState, RulesFault>;
    let table: [(&str, What, usize); 2] = [
        ("late", |_| Err(RulesFault::new(format_args!("{} 10 s", RulesFault::LATE))), 0),
        (
            "numbers",
            |_| {
                Err(RulesFault::new(format_args!(
                    "KeyError: {}",
                    FAULTS.fetch_add(1, Ordering::Relaxed)
                )))
            },
            3,
        ),
    ];
    for (name, what, at) in table {
        let gekitai = Ruleset::named("gekitai", "").unwrap();
        let engine = |question| Failing {
            inner: BuiltIn(gekitai.clone()),
            asked: AtomicUsize::new(0),
            at: question,
            what,
        };
        let asked = Arc::new(engine(at));
        let engine_of = Arc::clone(&asked) as Arc<dyn RulesEngine>;
        let ruleset =
            Ruleset::own(definition(&format!("trying-{name}"), &gekitai, engine_of)).unwrap();
        let trial = try_out(&ruleset, &*asked, &engine(3), 20);
        assert_eq!(trial.mistakes.len(), 1, "{name}: {:?}", trial.mistakes);
        assert!(name == "late" || FAULTS.load(Ordering::Relaxed) > 9, "the rules failed twice");
        if name == "late" {
            assert_eq!(asked.asked.load(Ordering::Relaxed), 1, "nothing is asked after it");
            assert_eq!((trial.games, trial.mistakes[0].way.len()), (0, 1));
        }
    }
}
