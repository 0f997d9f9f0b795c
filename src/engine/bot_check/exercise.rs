//! Which games are played for each situation, under what a bot is checked.

use super::moments::{Moment, MomentKind, Moments, long_game};
use super::scenario::{Buffering, Length, Scenario};
use super::situation::Situation;
use arbiter_game::Settings;
use arbiter_game::clock::TimeControl;
use arbiter_game::openings::Openings;
use arbiter_game::protocol::{Dialect, Variation};
use arbiter_rules::{OptionSpec, Ply, Range, Ruleset, Side};
use std::time::Duration;

/// A situation with what is played for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Exercise {
    /// What is tried.
    pub situation: Situation,
    /// The games; those of one list are played one after another, in one process where the bot can.
    pub trials: Vec<Vec<Scenario>>,
    /// Why it is not tried, if it is not.
    pub skipped: Option<&'static str>,
}

/// Whether a check may change the options, the board and the clock of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RulesScope {
    /// It tries all that the game has.
    All,
    /// They are those of a tournament.
    Fixed,
}

/// What a bot is checked under.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The settings of its games.
    pub settings: Settings,
    /// Whether they are varied.
    pub scope: RulesScope,
    /// The dialect of the bot.
    pub dialect: Dialect,
    /// What random plies follow from.
    pub seed: u64,
}

/// The time for an answer where time is not what is tried: a bot that needs it all is broken on any
/// machine.
const PATIENCE: Duration = Duration::from_secs(10);
/// The clock that a bot is told meanwhile, so that one that fills its time is quick.
const QUICK: TimeControl =
    TimeControl::Game { base: Duration::from_secs(1), increment: Duration::from_millis(50) };
const SHORT: TimeControl =
    TimeControl::Game { base: Duration::from_millis(100), increment: Duration::from_millis(10) };
/// The base of a clock is cut to this, so that a check does not take longer with a longer one.
const LONGEST_BASE: Duration = Duration::from_secs(10);
/// The patience with a bot that may not flush, which costs many a check this time.
const FLUSH_PATIENCE: Duration = Duration::from_secs(3);
/// How long a bot may take to end where that is tried.
const QUIT_PATIENCE: Duration = Duration::from_secs(5);
/// More bytes of plies than the 4,095 that any other line of the protocol has
/// (docs/reference/protocol.md, A turn), and than buffers for lines often have.
const LONG_LINE: usize = 4_200;
/// The plies of a long game, where its lines may not be longer.
const LONG_PLIES: usize = 400;

/// Why a situation is skipped.
const DIALECT: &str = "its dialect has no words for that";
const TOURNAMENT: &str = "the tournament decides that";

impl Terms {
    /// The clock of the bot; its opponent, which is a log, has the same.
    fn control(&self) -> TimeControl {
        self.settings.time.control.first
    }

    /// The settings for games in which time is not what is tried: a short clock is told, so that
    /// bots are quick, and the margin is long, so that none loses by it.
    fn lenient(&self) -> Settings {
        let mut settings = self.settings.clone();
        let time = &mut settings.time;
        // A tournament may give more than the usual patience; then the bot may need it.
        let own = self.control().initial().map(|initial| initial + time.margin);
        time.margin = match self.scope {
            RulesScope::All => time.margin.max(PATIENCE),
            RulesScope::Fixed => own.unwrap_or(PATIENCE).clamp(time.margin, 3 * PATIENCE),
        };
        settings.with_control(match (self.scope, self.control()) {
            (RulesScope::Fixed, TimeControl::Ply(each)) => {
                TimeControl::Ply(each.min(Duration::from_secs(1)))
            }
            _ => QUICK,
        })
    }

    /// What is changed for the bot so that its clock is of the kind of the settings.
    fn variation(&self) -> Variation {
        match (self.scope, self.control()) {
            (RulesScope::Fixed, TimeControl::Unlimited) if self.dialect.has_variations() => {
                Variation::NoClock
            }
            _ => Variation::Plain,
        }
    }

    /// A game from the start position.
    fn scenario(&self, settings: Settings, side: Side, length: Length) -> Scenario {
        let moment = Moment { start: settings.ruleset.start(), plies: Vec::new() };
        let variation = self.variation();
        Scenario {
            settings,
            side,
            moment,
            takes_over: 0,
            length,
            seed: self.seed,
            variation,
            buffering: Buffering::Off,
        }
    }

    /// A trial for each side.
    fn both(&self, settings: &Settings, length: Length) -> Vec<Vec<Scenario>> {
        let mut trials = Vec::new();
        for side in Side::BOTH {
            trials.push(vec![self.scenario(settings.clone(), side, length)]);
        }
        trials
    }

    /// The situations with their games, in their order. Only what the games showed can tell whether
    /// the first ones, up to [`Situation::Ready`], hold: they have none of their own.
    pub fn exercises(&self) -> Vec<Exercise> {
        let lenient = self.lenient();
        let mut all = vec![played(Situation::Opening, self.both(&lenient, Length::Plies(2)))];
        all.extend(self.moments(&lenient));
        all.push(self.other_start(&lenient));
        all.push(played(Situation::WholeGame, self.both(&lenient, Length::Whole)));
        all.push(self.long_game(&lenient));
        all.extend(self.boards_and_options(&lenient));
        all.extend(self.clocks(&lenient));
        all.extend(self.conversations(&lenient));
        all
    }

    fn moments(&self, lenient: &Settings) -> Vec<Exercise> {
        let moments = Moments::search(lenient, self.seed);
        let mut all = Vec::new();
        for kind in MomentKind::ALL {
            let mut trials = Vec::new();
            for side in Side::BOTH {
                if let Some(moment) = moments.get(kind, side) {
                    let scenario = self.scenario(lenient.clone(), side, Length::Plies(2));
                    trials.push(vec![scenario.starting_at(moment.clone())]);
                }
            }
            if !trials.is_empty() {
                all.push(played(Situation::Moment(kind), trials));
            }
        }
        all
    }

    fn other_start(&self, lenient: &Settings) -> Exercise {
        let mut trials = Vec::new();
        // An odd and an even number: in most games the second side is to move after one, the first
        // side after the other.
        for plies in [5, 6] {
            if let Ok(start) = Openings::random(lenient.ruleset.clone(), plies, self.seed).get(1) {
                for side in Side::BOTH {
                    let mut scenario = self.scenario(lenient.clone(), side, Length::Plies(2));
                    scenario.moment.start = start.clone();
                    trials.push(vec![scenario]);
                }
            }
        }
        played(Situation::OtherStart, trials)
    }

    fn long_game(&self, lenient: &Settings) -> Exercise {
        let mut settings = lenient.clone();
        if self.scope == RulesScope::All {
            settings.rules.max_plies = 100_000;
            settings.rules.repetition = 0;
        }
        let most = settings.max_plies() as usize;
        let mut moment = long_game(&settings, self.seed, |plies| match self.scope {
            RulesScope::All => {
                plies.len() >= LONG_PLIES && bytes(&settings.ruleset, plies) >= LONG_LINE
            }
            RulesScope::Fixed => plies.len() >= LONG_PLIES.min(most.saturating_sub(4)),
        });
        // One side takes over at its end, the other side a ply earlier.
        let mut trials = Vec::new();
        for _ in Side::BOTH {
            let scenario = self.scenario(settings.clone(), moment.side(), Length::Plies(2));
            trials.push(vec![scenario.starting_at(moment.clone())]);
            moment.plies.pop();
        }
        played(Situation::LongGame, trials)
    }

    fn boards_and_options(&self, lenient: &Settings) -> Vec<Exercise> {
        let options = lenient.ruleset.game().options();
        if options.is_empty() {
            return Vec::new();
        }
        if self.scope == RulesScope::Fixed {
            return vec![skipped(Situation::Option("values".to_owned()), TOURNAMENT)];
        }
        let usual = &lenient.ruleset;
        let mut smallest = usual.clone();
        let mut largest = usual.clone();
        let mut by_option = Vec::new();
        for option in options {
            let mut trials = Vec::new();
            for ruleset in other_values(usual, option) {
                if squares(&ruleset) == squares(usual) {
                    trials.extend(self.under(&ruleset, lenient));
                } else if squares(&ruleset) < squares(&smallest) {
                    smallest = ruleset;
                } else if squares(&ruleset) >= squares(&largest) {
                    largest = ruleset;
                }
            }
            if !trials.is_empty() {
                by_option.push(played(Situation::Option(option.key.to_string()), trials));
            }
        }
        let mut all = Vec::new();
        for (situation, ruleset) in
            [(Situation::SmallestBoard, smallest), (Situation::LargestBoard, largest)]
        {
            if squares(&ruleset) != squares(usual) {
                all.push(played(situation, self.under(&ruleset, lenient)));
            }
        }
        all.extend(by_option);
        all
    }

    /// Two plies for each side under other rules.
    fn under(&self, ruleset: &Ruleset, lenient: &Settings) -> Vec<Vec<Scenario>> {
        let settings = Settings { ruleset: ruleset.clone(), ..lenient.clone() };
        self.both(&settings, Length::Plies(2))
    }

    fn clocks(&self, lenient: &Settings) -> Vec<Exercise> {
        let mut all = Vec::new();
        // Without a handshake the first move includes loading the program.
        let mut own = self.settings.clone();
        if !self.dialect.has_handshake() {
            own.time.first_move = own.time.first_move.or(Some(PATIENCE));
        }
        if let TimeControl::Game { base, increment } = self.control() {
            own = own.with_control(TimeControl::Game { base: base.min(LONGEST_BASE), increment });
        }
        if self.control() != TimeControl::Unlimited {
            all.push(played(Situation::LongClock, self.both(&own, Length::Plies(10))));
        }
        if self.scope == RulesScope::Fixed {
            for other in [Situation::ShortClock, Situation::TimeMove, Situation::TimeNone] {
                all.push(skipped(other, TOURNAMENT));
            }
            return all;
        }
        let short = own.with_control(SHORT);
        all.push(played(Situation::ShortClock, self.both(&short, Length::Plies(4))));
        let each = lenient.with_control(TimeControl::Ply(Duration::from_millis(500)));
        all.push(played(Situation::TimeMove, self.both(&each, Length::Plies(2))));
        all.push(self.varied(Situation::TimeNone, lenient, 2, Variation::NoClock));
        all
    }

    fn conversations(&self, lenient: &Settings) -> Vec<Exercise> {
        let mut patient = lenient.clone();
        patient.time.grace = QUIT_PATIENCE;
        // The first answer is refused, so a second one has to be allowed.
        let mut twice = lenient.clone();
        twice.rules.attempts = twice.rules.attempts.max(2);
        let mut lower = lenient.clone();
        lower.limits.memory = lenient.limits.memory / 5 * 4;
        lower.limits.output = lenient.limits.output / 5 * 4;
        lower.limits.processes = fifth_less(lenient.limits.processes);
        lower.limits.threads = fifth_less(lenient.limits.threads);
        let limits = self.both(&lower, Length::Plies(6));
        // One that does not flush is silent: each game lasts until the patience ends.
        let mut brief = lenient.clone();
        brief.time.margin = brief.time.margin.min(FLUSH_PATIENCE);
        brief.time.start = brief.time.start.min(FLUSH_PATIENCE);
        let mut flush = self.both(&brief, Length::Plies(1));
        for scenario in flush.iter_mut().flatten() {
            scenario.buffering = Buffering::Own;
        }
        // The same game before and after another one: what is left of that one shows.
        let mut reuse = self.both(lenient, Length::Plies(8));
        for games in &mut reuse {
            let mut other = self.scenario(lenient.clone(), !games[0].side, Length::Plies(5));
            other.seed = self.seed.wrapping_add(1);
            games.push(other);
            games.push(games[0].clone());
        }
        vec![
            self.varied(Situation::UnknownLines, lenient, 2, Variation::UnknownLines),
            self.varied(Situation::Refusal, &twice, 3, Variation::Refusal),
            played(Situation::Reuse, reuse),
            played(Situation::Quit, self.both(&patient, Length::Plies(1))),
            self.varied(Situation::EndOfInput, &patient, 1, Variation::NoQuit),
            played(Situation::Limits, limits),
            played(Situation::Flush, flush),
            // These two are judged by what came in all games.
            played(Situation::OneAnswer, Vec::new()),
            played(Situation::Stdout, Vec::new()),
            played(Situation::SameSeed, self.both(lenient, Length::Plies(8))),
        ]
    }

    /// A situation in which the conversation differs from a usual one, for bots whose dialect can
    /// say so.
    fn varied(
        &self,
        situation: Situation,
        settings: &Settings,
        plies: usize,
        variation: Variation,
    ) -> Exercise {
        if !self.dialect.has_variations() {
            return skipped(situation, DIALECT);
        }
        let mut trials = self.both(settings, Length::Plies(plies));
        for scenario in trials.iter_mut().flatten() {
            scenario.variation = variation;
        }
        played(situation, trials)
    }
}

fn played(situation: Situation, trials: Vec<Vec<Scenario>>) -> Exercise {
    Exercise { situation, trials, skipped: None }
}

fn skipped(situation: Situation, why: &'static str) -> Exercise {
    Exercise { situation, trials: Vec::new(), skipped: Some(why) }
}

/// The squares of a board.
fn squares(ruleset: &Ruleset) -> usize {
    ruleset.rows() * ruleset.columns()
}

/// The length of a line of these plies.
fn bytes(ruleset: &Ruleset, plies: &[Ply]) -> usize {
    plies.iter().map(|&ply| ruleset.ply_text(ply).to_string().len() + 1).sum()
}

/// A limit that is a fifth lower, but no less than 4 if it is as much.
fn fifth_less(limit: u32) -> u32 {
    (limit * 4 / 5).max(limit.min(4))
}

/// The rules with other values of an option: each word, or the ends of a range of numbers.
fn other_values(usual: &Ruleset, option: &OptionSpec) -> Vec<Ruleset> {
    let values: Vec<String> = match option.range {
        Range::Words(_) | Range::Listed(_) => {
            option.range.words().into_iter().map(str::to_owned).collect()
        }
        // Where the end depends on the board, the largest number that is accepted.
        Range::Numbers { from, to } => {
            let size = usual.rows().max(usual.columns()) as u64;
            vec![from.to_string(), to.at(size).to_string()]
        }
        Range::Even { from, to } => vec![from.to_string(), to.to_string()],
        Range::Squares => vec!["none".to_owned()],
    };
    let mut others: Vec<Ruleset> = Vec::new();
    for value in values {
        // A value may contradict the defaults of other options; then it is not tried.
        let found = usual.with_values(&[(option.key.to_string(), value)]);
        others.extend(found.ok().filter(|found| found != usual && !others.contains(found)));
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_game::Settings;
    use std::collections::HashSet;

    fn terms(game: &str, scope: RulesScope, dialect: Dialect) -> Terms {
        let settings = Settings::for_ruleset(Ruleset::named(game, "").unwrap());
        Terms { settings, scope, dialect, seed: 1 }
    }

    /// The names of the situations that are played.
    fn played(terms: Terms) -> Vec<String> {
        let exercises = terms.exercises().into_iter();
        let played = exercises.filter(|exercise| exercise.skipped.is_none());
        played.map(|exercise| exercise.situation.name()).collect()
    }

    #[test]
    fn each_game_has_its_situations_with_legal_plies_on_both_sides() {
        for (game, own) in [
            ("loa", "one-legal-ply forced-pass last-ply option-simultaneous option-stuck"),
            ("flipflop", "second-piece-taken second-piece-declined forced-pass largest-board"),
            (
                "lineup",
                "one-legal-ply last-ply smallest-board largest-board option-s option-blocks \
                 option-b",
            ),
            (
                "gekitai",
                "capture smallest-board largest-board option-p option-l option-simultaneous",
            ),
        ] {
            let exercises = terms(game, RulesScope::All, Dialect::Native).exercises();
            let names: Vec<String> =
                exercises.iter().map(|exercise| exercise.situation.name()).collect();
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{names:?}");
            for name in own.split(' ') {
                assert!(names.iter().any(|known| known == name), "{game} {name}: {names:?}");
            }
            for exercise in exercises {
                let mut sides = HashSet::new();
                for scenario in exercise.trials.iter().flatten() {
                    sides.insert(scenario.side);
                    let mut position = scenario.moment.start.clone();
                    for &ply in &scenario.moment.plies {
                        assert!(position.is_legal(ply), "{game} {:?}", exercise.situation);
                        position = position.after(ply);
                    }
                    assert_eq!(position.ending(), None, "{game} {:?}", exercise.situation);
                    assert!(scenario.last_ply() > scenario.moment.plies.len() + 1);
                    assert!(scenario.takes_over <= scenario.moment.plies.len());
                }
                let one_side = [Situation::OneAnswer, Situation::Stdout]
                    .contains(&exercise.situation)
                    || exercise.situation == Situation::Moment(MomentKind::OneLegalPly);
                assert!(one_side || sides.len() == 2, "{game} {:?}", exercise.situation);
            }
        }
    }

    #[test]
    fn a_long_game_has_hundreds_of_plies_and_a_long_line() {
        for (game, bytes) in [("loa", LONG_LINE), ("gekitai", LONG_LINE)] {
            let exercises = terms(game, RulesScope::All, Dialect::Native).exercises();
            let long = exercises
                .iter()
                .find(|exercise| exercise.situation == Situation::LongGame)
                .unwrap();
            let moment = &long.trials[0][0].moment;
            let text = |&ply: &Ply| moment.start.ruleset().ply_text(ply).to_string().len() + 1;
            assert!(moment.plies.len() >= LONG_PLIES);
            assert!(moment.plies.iter().map(text).sum::<usize>() >= bytes);
        }
    }

    #[test]
    fn a_tournament_keeps_its_options_board_and_clock() {
        let fixed = terms("lineup", RulesScope::Fixed, Dialect::Native);
        for exercise in fixed.exercises() {
            for scenario in exercise.trials.iter().flatten() {
                assert_eq!(
                    scenario.settings.ruleset, fixed.settings.ruleset,
                    "{:?}",
                    exercise.situation
                );
            }
        }
        let names = played(fixed);
        for name in ["short-clock", "time-none", "largest-board", "option-s"] {
            assert!(!names.iter().any(|known| known == name), "{names:?}");
        }
        let of_ugi = played(terms("loa", RulesScope::All, Dialect::Ugi));
        assert!(of_ugi.iter().any(|name| name == "short-clock"), "{of_ugi:?}");
        for name in ["unknown-lines", "attempts", "time-none"] {
            assert!(!of_ugi.iter().any(|known| known == name), "{of_ugi:?}");
        }
    }
}
