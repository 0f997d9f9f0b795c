//! What [`Turning`] says of lost games, confirmed by plain minimax that looks at the whole game
//! again at every position. It shares no code with the search of the room `proof`: no table, no
//! order of plies, and its own count of repetitions.
//!
//! `ARBITER_ALL=1`, as in `.ci/slow`, confirms 1,000 lost games.

#![allow(clippy::print_stderr, reason = "how many claims there are is to be seen")]

use crate::plays_all;
use arbiter_engine::builtin::{Action, BuiltinBot};
use arbiter_game::proof::{Claim, EVER, NODES, Turning, Value};
use arbiter_game::record::{Record, read_log};
use arbiter_game::{Answer, Outcome, Played, Referee, Settings};
use arbiter_rules::{Ply, Position, Ruleset, Side};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// A game with its options, the limit of plies and the occurrence that draws (0: none), and the
/// nodes of its proofs: as many as leave claims that plain minimax can confirm.
type Kind = (&'static str, &'static str, u32, u32, u64);

const KINDS: [Kind; 12] = [
    ("loa", "", 0, 3, 20_000),
    ("gekitai", "", 0, 3, 20_000),
    ("flipflop", "", 0, 3, 4_000),
    ("lineup", "n=4 s=3 blocks=none", 0, 3, 20_000),
    ("loa", "stuck=loss simultaneous=mover", 60, 2, 20_000),
    ("gekitai", "n=5 l=3", 0, 2, 20_000),
    ("lineup", "n=3 blocks=none", 0, 3, 100_000),
    ("lineup", "n=6 s=3 blocks=none", 0, 3, 20_000),
    ("gekitai", "n=5 p=5 l=2 simultaneous=mover", 40, 0, 20_000),
    ("lineup", "", 17, 3, 20_000),
    ("flipflop", "", 40, 2, 4_000),
    ("lineup", "n=4 blocks=a0,d3,b2", 0, 3, 20_000),
];

/// The bots of a game, and what `go` asks of them.
const BOTS: [[(&str, &str); 2]; 4] = [
    [("random", "go"), ("greedy", "go")],
    [("greedy", "go"), ("random", "go")],
    [("search", "go depth 2"), ("greedy", "go")],
    [("greedy", "go"), ("search", "go depth 2")],
];

/// A player of one game.
struct Player {
    bot: BuiltinBot,
    go: &'static str,
}

impl Player {
    fn new((name, go): (&str, &'static str), ruleset: Ruleset, seed: u64) -> Player {
        let mut bot = BuiltinBot::named(name).unwrap().speaking_ugi();
        let _ =
            bot.receive(&format!("setoption name Game value {}", ruleset.game().name())).unwrap();
        for (key, value) in ruleset.options() {
            let _ = bot.receive(&format!("setoption name {key} value {value}")).unwrap();
        }
        let _ = bot.receive(&format!("setoption name RandomSeed value {seed}")).unwrap();
        Player { bot, go }
    }

    fn answer(&mut self, ruleset: Ruleset, plies: &[Ply]) -> Ply {
        let mut position = "position startpos moves".to_owned();
        for &ply in plies {
            write!(position, " {}", ruleset.ply_text(ply)).unwrap();
        }
        let _ = self.bot.receive(&position).unwrap();
        assert_eq!(self.bot.receive(self.go).unwrap(), Some(Action::Think));
        let said = self.bot.think(&mut || Duration::ZERO);
        ruleset.read_ply(said.trim_end().rsplit(' ').next().unwrap()).unwrap()
    }
}

/// A game of two built-in bots.
fn played((game, options, max_plies, repetition, _): Kind, seed: u64) -> Record {
    let ruleset = Ruleset::named(game, options).unwrap();
    let mut settings = Settings::for_ruleset(ruleset.clone());
    (settings.rules.max_plies, settings.rules.repetition) = (max_plies, repetition);
    let bots = BOTS[(seed % 4) as usize];
    let mut players = [0, 1].map(|at| Player::new(bots[at], ruleset.clone(), seed));
    let mut referee = Referee::new(&settings, ruleset.start());
    while let Some(turn) = referee.ask() {
        let player = &mut players[usize::from(turn.side == Side::Second)];
        let ply = player.answer(ruleset.clone(), referee.plies());
        let _ = referee.answer(&mut Answer::ply(ply));
    }
    let log = b"[White \"w\"] [Black \"b\"] [Result \"*\"] [Game \"loa\"] [Outcome \"aborted\"] \
                [Termination \"aborted\"] *";
    Record {
        start: ruleset.start(),
        max_plies: Some(settings.max_plies()),
        repetition: Some(repetition),
        plies: referee.plies().iter().map(|&ply| Played { ply, note: None }).collect(),
        outcome: referee.outcome().unwrap(),
        ..read_log(log).next().unwrap().unwrap()
    }
}

/// Plain minimax over whole games.
struct Minimax {
    /// The positions from the start of the game.
    path: Vec<Position>,
    repetition: usize,
    most: usize,
}

impl Minimax {
    /// The game of a record after so many plies.
    fn at(record: &Record, plies: usize) -> Minimax {
        let mut minimax = Minimax {
            path: vec![record.start.clone()],
            repetition: record.repetition.unwrap_or(0) as usize,
            most: record
                .max_plies
                .filter(|&most| most > 0)
                .map_or(usize::MAX, |most| most as usize),
        };
        for played in &record.plies[..plies] {
            minimax.play(played.ply);
        }
        minimax
    }

    fn play(&mut self, ply: Ply) {
        let position = self.path.last().unwrap();
        position.check(ply).unwrap();
        self.path.push(position.after(ply));
    }

    /// The winner, if there is one, where the game is over.
    fn end(&self) -> Option<Option<Side>> {
        let position = self.path.last().unwrap();
        if let Some(ending) = position.ending() {
            return Some(ending.winner);
        }
        let is_repeated = self.repetition > 0
            && self.path.iter().filter(|earlier| earlier.repeats(position)).count()
                >= self.repetition;
        (is_repeated || self.path.len() > self.most).then_some(None)
    }

    /// Whether a side can force a win within so many plies.
    fn wins(&mut self, winner: Side, within: u16) -> bool {
        if let Some(end) = self.end() {
            return end == Some(winner);
        }
        if within == 0 {
            return false;
        }
        let position = self.path.last().unwrap().clone();
        let mut wins = |ply| {
            self.path.push(position.after(ply));
            let wins = self.wins(winner, within - 1);
            self.path.pop();
            wins
        };
        let mut plies = position.plies();
        if position.side() == winner { plies.any(&mut wins) } else { plies.all(&mut wins) }
    }

    /// Whether the other side can force an end without a win of this one within so many plies.
    fn never_wins(&mut self, winner: Side, within: u16) -> bool {
        if let Some(end) = self.end() {
            return end != Some(winner);
        }
        if within == 0 {
            return false;
        }
        let position = self.path.last().unwrap().clone();
        let mut never = |ply| {
            self.path.push(position.after(ply));
            let never = self.never_wins(winner, within - 1);
            self.path.pop();
            never
        };
        let mut plies = position.plies();
        if position.side() == winner { plies.all(&mut never) } else { plies.any(&mut never) }
    }

    /// Checks that a side has no forced win within so many plies from here.
    fn confirm_no_win(&mut self, winner: Side, within: u16) {
        let is_so = match within {
            EVER => (0..40).any(|plies| self.never_wins(winner, plies)),
            _ => !self.wins(winner, within),
        };
        assert!(is_so, "{winner:?} can win within {within}: {}", self.path.last().unwrap());
    }

    /// Checks the value of a ply for the side that plays it.
    fn confirm(&mut self, ply: Ply, value: Value) {
        let side = self.path.last().unwrap().side();
        self.play(ply);
        match value {
            Value::Wins { within, is_shortest } => self.confirm_win(side, within, is_shortest),
            Value::Loses { within, is_shortest } => self.confirm_win(!side, within, is_shortest),
            Value::Draws => {
                self.confirm_no_win(side, EVER);
                self.confirm_no_win(!side, EVER);
            }
            Value::Holds(EVER) => self.confirm_no_win(!side, EVER),
            Value::Holds(within) => self.confirm_no_win(!side, within - 1),
        }
        self.path.pop();
    }

    /// Checks that a side wins within so many plies, of which the last one was played.
    fn confirm_win(&mut self, winner: Side, within: u16, is_shortest: bool) {
        assert!(
            self.wins(winner, within - 1),
            "{winner:?} does not win within {within}: {}",
            self.path[0]
        );
        assert!(
            !is_shortest || within < 2 || !self.wins(winner, within - 2),
            "{winner:?} wins in fewer than {within}"
        );
    }

    /// Checks that a line wins for a side from each of its positions in as many plies as are left;
    /// returns whether it goes to the end of the game.
    fn confirm_line(&mut self, line: &[Ply], winner: Side, within: u16, is_shortest: bool) -> bool {
        let length = line.len();
        for (&ply, left) in line.iter().zip((0..within).rev()) {
            self.play(ply);
            assert!(self.wins(winner, left), "the line leaves its win");
        }
        let is_whole = self.end() == Some(Some(winner));
        // The nodes may end before the line does.
        assert!(is_whole || length < usize::from(within), "{length} plies of {within}");
        assert!(
            !is_whole || !is_shortest || length == usize::from(within),
            "{length} plies of {within}"
        );
        self.path.truncate(self.path.len() - length);
        is_whole
    }
}

/// Confirms everything that is said of a game that was lost by the rules.
///
/// Returns how many lines go to the end of the game, of how many.
fn confirm(record: &Record, turning: &Turning) -> (usize, usize) {
    let mut whole = 0;
    let loser = turning.loser;
    assert_eq!(record.outcome.winner(), Some(!loser));
    for claim in &turning.claims {
        let Claim { number, before, played, value, better, line } = claim;
        let mut minimax = Minimax::at(record, number - 1);
        assert_eq!((before, before.side()), (minimax.path.last().unwrap(), loser));
        assert_eq!(*played, record.plies[number - 1].ply);
        assert!(value.is_some() || better.is_some());
        if let Some(value) = value {
            minimax.confirm(*played, *value);
        }
        if let Some((ply, best)) = better {
            assert_ne!(ply, played);
            minimax.confirm(*ply, *best);
        }
        match (better, value) {
            (Some((ply, Value::Wins { within, is_shortest })), _) => {
                assert_eq!(line[0], *ply);
                assert!(
                    !is_shortest || *within < 2 || !minimax.wins(loser, within - 1),
                    "it wins in fewer"
                );
                whole += usize::from(minimax.confirm_line(line, loser, *within, *is_shortest));
            }
            (better, Some(Value::Loses { within, is_shortest })) => {
                assert_eq!(line[0], *played);
                whole += usize::from(minimax.confirm_line(line, !loser, *within, *is_shortest));
                match better {
                    Some((_, Value::Holds(holds))) => assert!(holds >= within),
                    None | Some((_, Value::Draws)) => {}
                    Some((_, other)) => panic!("{other} is not better"),
                }
            }
            other => panic!("{other:?} is said of no ply"),
        }
    }
    assert_eq!(
        turning.claims.last().map(|claim| claim.number),
        turning.turned.or(turning.claims.last().map(|claim| claim.number))
    );
    for (at, value) in turning.values.iter().enumerate() {
        if let Some(value) = value {
            assert!(!matches!(value, Value::Holds(_)));
            Minimax::at(record, at).confirm(record.plies[at].ply, *value);
        }
    }
    // Behind the ply that turned the game, every ply of the loser loses.
    let turned = turning.turned.unwrap_or(0);
    for (at, step) in record.steps().enumerate().skip(turned).filter(|(_, step)| step.side == loser)
    {
        let value = turning.values[at].expect("a value");
        assert!(matches!(value, Value::Loses { .. }), "ply {}: {value}", step.number);
    }
    (whole, turning.claims.len())
}

/// Confirms so many lost games, in turn of each kind; returns how many have a claim.
fn confirm_games(count: usize) -> usize {
    let (mut lost, mut claimed, mut better, mut lines) = (0, 0, 0, (0, 0));
    for seed in 0.. {
        for kind in KINDS {
            let record = played(kind, seed);
            if !matches!(record.outcome, Outcome::Rules(ending) if ending.winner.is_some()) {
                assert!(Turning::of(&record, 1_000).is_err());
                continue;
            }
            let turning = Turning::of(&record, kind.4).unwrap();
            assert!(turning.nodes <= kind.4);
            let (whole, all) = confirm(&record, &turning);
            lines = (lines.0 + whole, lines.1 + all);
            lost += 1;
            claimed += usize::from(!turning.claims.is_empty());
            better += usize::from(turning.claims.iter().any(|claim| claim.better.is_some()));
            if lost == count {
                eprintln!(
                    "{lost} lost games, {claimed} with a claim, {better} with a better ply; {} of \
                     {} lines to the end",
                    lines.0, lines.1
                );
                assert!(
                    lines.0 * 10 >= lines.1 * 9,
                    "{} of {} lines go to the end",
                    lines.0,
                    lines.1
                );
                return claimed;
            }
        }
    }
    unreachable!("the seeds do not end")
}

#[test]
fn plain_minimax_confirms_every_claim() {
    let count = if plays_all() { 1_000 } else { 60 };
    let claimed = confirm_games(count);
    // The others are lost from the start of the game.
    assert!(claimed * 5 >= count * 4, "{claimed} of {count} lost games have a claim");
}

/// Of the vectors that the rules are tested with, every game that a side lost.
#[test]
fn plain_minimax_confirms_what_is_said_of_the_vectors() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/games");
    let mut lost = 0;
    for game in [
        "loa",
        "loa-options",
        "flipflop",
        "flipflop-options",
        "lineup",
        "lineup-options",
        "gekitai",
        "gekitai-options",
    ] {
        let log = std::fs::read(games.join(format!("{game}.pgn"))).unwrap();
        for record in read_log(&log) {
            let record = record.unwrap();
            let Ok(turning) = Turning::of(&record, 3_000) else { continue };
            confirm(&record, &turning);
            lost += 1;
        }
    }
    assert!(lost >= 50, "{lost} lost games");
}

/// The boards of lineup up to 4×4 are solved: the value of every ply is exact.
#[test]
fn on_solved_boards_every_ply_has_its_exact_value() {
    let mut games = 0;
    for options in ["n=3 blocks=none", "n=4 blocks=none", "n=4 s=3 blocks=none", "n=4 blocks=c1,d2"]
    {
        for seed in 0..4 {
            let record = played(("lineup", options, 0, 3, 0), seed);
            let Ok(turning) = Turning::of(&record, NODES) else { continue };
            games += 1;
            for (at, value) in turning.values.iter().enumerate() {
                let is_exact = match value {
                    Some(Value::Wins { is_shortest, .. } | Value::Loses { is_shortest, .. }) => {
                        *is_shortest
                    }
                    Some(Value::Draws) => true,
                    Some(Value::Holds(_)) | None => false,
                };
                assert!(is_exact, "{options}, seed {seed}, ply {}: {value:?}", at + 1);
            }
        }
    }
    assert!(games >= 8, "{games} lost games");
}
