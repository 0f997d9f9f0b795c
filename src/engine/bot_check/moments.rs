//! Moments of a game that a bot is asked in: random legal games, cut where a side is to move in a
//! position of a wanted kind.

use arbiter_game::{Answer, Event, Played, Referee, Settings, Step};
use arbiter_rules::seed::Generator;
use arbiter_rules::text::words;
use arbiter_rules::{Ply, Position, Side, SquareChange};

words! {
    /// A kind of position, as the side to move sees it.
    MomentKind {
        /// The opponent has just taken, pushed or recoloured something, and the side to move can do
        /// so too.
        Capture = "capture",
        /// There is one legal ply, and it is no pass.
        OneLegalPly = "one-legal-ply",
        /// The opponent had no legal ply and has passed.
        ForcedPass = "forced-pass",
        /// The opponent has just taken its second piece (`flipflop`).
        SecondPieceTaken = "second-piece-taken",
        /// The opponent has just declined its second piece (`flipflop`).
        SecondPieceDeclined = "second-piece-declined",
        /// A ply of this side ends the game by its rules.
        LastPly = "last-ply",
    }
}

/// A place in a game: where it began, and the plies from there on, forced passes included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// Where the game began.
    pub start: Position,
    /// The plies so far.
    pub plies: Vec<Ply>,
}

impl Moment {
    /// The side that is to move.
    pub fn side(&self) -> Side {
        let start = self.start.clone();
        self.plies.iter().fold(start, |position, &ply| position.after(ply)).side()
    }
}

/// The moments of one ruleset, each kind at most once for each side to move.
#[derive(Debug, Clone, Default)]
pub struct Moments(Vec<(MomentKind, Side, Moment)>);

/// Random plies that are played to find moments; fewer in a custom game, where each is a question
/// to its rules.
const PLIES: usize = 60_000;
const OWN_PLIES: usize = 1_000;
/// A failure of the rules counts as this many plies, because their process is started again.
const FAILURE: usize = 200;

/// Start positions with moments that random games hardly come to: the side to move is walled in and
/// passes, or has one way out.
const WALLED_IN: [(&str, &str); 4] = [
    ("loa", "BW6/WW6/8/8/8/8/6WW/6WB B"),
    ("loa", "WB6/BB6/8/8/8/8/6BB/6BW W"),
    ("loa", "BW6/W7/8/8/8/8/6WW/6WB B"),
    ("loa", "WB6/B7/8/8/8/8/6BB/6BW W"),
];

/// The games that are tried for a long one, and the plies that are tried in each position; fewer in
/// a custom game.
const LONG_GAMES: u64 = 20;
const DRAWS: usize = 40;
const OWN_DRAWS: usize = 4;

impl Moments {
    /// The moments that random games under these settings come to; a kind that does not occur there
    /// is missing.
    pub fn search(settings: &Settings, seed: u64) -> Moments {
        let mut moments = Moments::default();
        let ruleset = &settings.ruleset;
        for (game, text) in WALLED_IN {
            if game == ruleset.game().name()
                && let Ok(start) = ruleset.read_position(text)
            {
                moments.walk(settings, &start, &mut Generator::new(&[&seed]), 1);
            }
        }
        let mut left = if ruleset.game().asks_rules() { OWN_PLIES } else { PLIES };
        for number in 0_u64.. {
            let start = ruleset.start().detached();
            let mut generator = Generator::new(&[&"check", &seed, &number]);
            let played = moments.walk(settings, &start, &mut generator, usize::MAX);
            left = left.saturating_sub(played);
            if left == 0 || moments.0.len() == 2 * MomentKind::ALL.len() {
                break;
            }
        }
        moments
    }

    /// The moment of this kind with this side to move.
    pub fn get(&self, kind: MomentKind, side: Side) -> Option<&Moment> {
        let (.., moment) = self.0.iter().find(|known| (known.0, known.1) == (kind, side))?;
        Some(moment)
    }

    /// Whether there is one of this kind.
    pub fn has(&self, kind: MomentKind) -> bool {
        self.0.iter().any(|known| known.0 == kind)
    }

    /// Plays a random game of `most` plies at most and keeps its moments; returns the number of
    /// plies that it counts as.
    fn walk(
        &mut self,
        settings: &Settings,
        start: &Position,
        generator: &mut Generator,
        most: usize,
    ) -> usize {
        let mut referee = Referee::new(settings, start.clone());
        let forced_pass = takes_forced_pass(&mut referee);
        let mut last = Last { forced_pass, ..Last::default() };
        while referee.outcome().is_none() && referee.plies().len() < most {
            self.keep_all(start, &referee, last);
            let before = referee.position().clone();
            let (ply, count) = draw(&before, generator);
            let _: Step = referee.answer(&mut Answer::ply(ply));
            if referee.position().fault().is_some() {
                return FAILURE; // rules that fail are tried elsewhere
            }
            last = Last {
                changes: ply != Ply::Pass && is_capture(&before, ply),
                second_piece: (before.piece() == Some(2) && count > 1).then_some(ply),
                forced_pass: takes_forced_pass(&mut referee),
            };
            if referee.position().ending().is_some() && !last.forced_pass {
                let plies = referee.plies()[..referee.plies().len() - 1].to_vec();
                self.keep(MomentKind::LastPly, before.side(), start, plies);
            }
        }
        if referee.outcome().is_none() {
            self.keep_all(start, &referee, last);
        }
        referee.plies().len().max(1)
    }

    fn keep_all(&mut self, start: &Position, referee: &Referee, last: Last) {
        let position = referee.position();
        let asks_rules = position.ruleset().game().asks_rules();
        for kind in MomentKind::ALL {
            // To look at all plies of a position is many questions to the rules of a custom game.
            if asks_rules && self.get(kind, position.side()).is_some() {
                continue;
            }
            if last.leads_to(kind, position) {
                self.keep(kind, position.side(), start, referee.plies().to_vec());
            }
        }
    }

    /// Keeps the moment with the fewest plies.
    fn keep(&mut self, kind: MomentKind, side: Side, start: &Position, plies: Vec<Ply>) {
        if self.get(kind, side).is_some_and(|known| known.plies.len() <= plies.len()) {
            return;
        }
        self.0.retain(|known| (known.0, known.1) != (kind, side));
        self.0.push((kind, side, Moment { start: start.clone(), plies }));
    }
}

/// The last ply of a random game.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    /// It did more than to move or place its piece.
    changes: bool,
    /// It was one of several about a second piece.
    second_piece: Option<Ply>,
    /// A forced pass followed it.
    forced_pass: bool,
}

impl Last {
    /// Whether the position after this ply is a moment of this kind.
    fn leads_to(self, kind: MomentKind, position: &Position) -> bool {
        match kind {
            MomentKind::ForcedPass => self.forced_pass,
            MomentKind::OneLegalPly => {
                position.ply_count() == 1 && position.forced_pass().is_none()
            }
            MomentKind::LastPly => false, // only known when the game has ended
            // In the others the opponent's last ply, not a pass after it, is what matters.
            _ if self.forced_pass => false,
            MomentKind::Capture => {
                self.changes && position.plies().any(|ply| is_capture(position, ply))
            }
            MomentKind::SecondPieceTaken => self.second_piece.is_some_and(|ply| ply != Ply::Pass),
            MomentKind::SecondPieceDeclined => self.second_piece == Some(Ply::Pass),
        }
    }
}

/// The longest of some games of random plies that end only where each ply ends them; it is cut as
/// soon as it `is_enough`. Where repetition does not end a game, it goes through a cycle of
/// positions again and again as soon as it comes to one.
pub fn long_game(settings: &Settings, seed: u64, is_enough: impl Fn(&[Ply]) -> bool) -> Moment {
    let start = settings.ruleset.start().detached();
    let mut longest = Vec::new();
    for number in 0..LONG_GAMES {
        let mut generator = Generator::new(&[&"long", &seed, &number]);
        let mut referee = Referee::new(settings, start.clone());
        let mut positions: Vec<(usize, Position)> = Vec::new();
        let mut cycle = None; // its length
        while referee.outcome().is_none() {
            let position = referee.position();
            let plies = referee.plies();
            if plies.len() > longest.len() {
                longest = plies.to_vec();
            }
            if is_enough(&longest) {
                return Moment { start, plies: longest };
            }
            // Once a position has come back, the plies since then can be played for ever.
            if settings.rules.repetition == 0 && cycle.is_none() {
                for (at, earlier) in positions.iter().rev() {
                    if earlier.repeats(position) {
                        cycle = Some(plies.len() - at);
                        break;
                    }
                }
                positions.push((plies.len(), position.clone()));
            }
            let ply = match cycle {
                Some(length) => plies[plies.len() - length],
                None => draw_quiet(position, &mut generator),
            };
            let _: Step = referee.answer(&mut Answer::ply(ply));
        }
        if referee.position().fault().is_some() {
            break; // further games would fail, too, and each failure costs a process
        }
    }
    Moment { start, plies: longest }
}

/// A random legal ply that does not end the game, if there is one: of some, the one that leaves the
/// fewest pieces, because many pieces end games.
fn draw_quiet(position: &Position, generator: &mut Generator) -> Ply {
    let draws = if position.ruleset().game().asks_rules() { OWN_DRAWS } else { DRAWS };
    let mut best: Option<(u32, Ply)> = None;
    for _ in 0..draws {
        let (ply, _) = draw(position, generator);
        let next = position.after(ply);
        if next.ending().is_some() || next.fault().is_some() {
            continue;
        }
        let pieces = next.piece_count(Side::First) + next.piece_count(Side::Second);
        if best.is_none_or(|(fewest, _)| pieces < fewest) {
            best = Some((pieces, ply));
        }
    }
    if let Some((_, ply)) = best {
        return ply;
    }
    // The draws may have missed such a ply.
    match position.plies().find(|&ply| position.after(ply).ending().is_none()) {
        Some(quiet) => quiet,
        None => draw(position, generator).0,
    }
}

/// A random legal ply, and of how many.
fn draw(position: &Position, generator: &mut Generator) -> (Ply, usize) {
    let plies = position.sorted_plies();
    (plies[generator.below(plies.len() as u64) as usize], plies.len())
}

/// Whether a ply does more than to move or place its piece.
fn is_capture(position: &Position, ply: Ply) -> bool {
    let mut changes = position.changes(ply).into_iter();
    changes.any(|(_, change)| !matches!(change, SquareChange::Left | SquareChange::Arrived))
}

/// Takes the events of the last ply; returns whether a forced pass is among them. Nobody was asked
/// for it, so it has no note.
fn takes_forced_pass(referee: &mut Referee) -> bool {
    let mut is_forced = false;
    for event in referee.events() {
        is_forced |= matches!(event, Event::Played { played: Played { note: None, .. }, .. });
    }
    is_forced
}

#[cfg(test)]
mod tests {
    use super::*;
    use MomentKind::*;
    use arbiter_rules::Ruleset;

    /// The position of a moment, whose plies are played by the rules alone.
    fn position(moment: &Moment) -> Position {
        let mut position = moment.start.clone();
        for &ply in &moment.plies {
            assert!(position.is_legal(ply), "{moment:?}");
            position = position.after(ply);
        }
        position
    }

    #[test]
    fn each_game_has_the_moments_that_its_rules_have_for_both_sides() {
        for (game, options, kinds) in [
            ("loa", "", &[Capture, OneLegalPly, ForcedPass, LastPly][..]),
            (
                "flipflop",
                "",
                &[Capture, OneLegalPly, ForcedPass, SecondPieceTaken, SecondPieceDeclined, LastPly],
            ),
            ("gekitai", "", &[Capture, LastPly]),
        ] {
            let settings = Settings::for_ruleset(Ruleset::named(game, options).unwrap());
            let moments = Moments::search(&settings, 1);
            for side in Side::BOTH {
                let found: Vec<MomentKind> = MomentKind::ALL
                    .into_iter()
                    .filter(|&kind| moments.get(kind, side).is_some())
                    .collect();
                assert_eq!(found, kinds, "{game} {side:?}");
                for kind in found {
                    let moment = moments.get(kind, side).unwrap();
                    let position = position(moment);
                    assert_eq!(
                        (position.side(), position.ending()),
                        (side, None),
                        "{game} {kind:?}"
                    );
                    let last = moment.plies.last().copied();
                    let is_right = match kind {
                        Capture => position.plies().any(|ply| is_capture(&position, ply)),
                        OneLegalPly => position.ply_count() == 1,
                        LastPly => {
                            position.plies().any(|ply| position.after(ply).ending().is_some())
                        }
                        ForcedPass | SecondPieceDeclined => last == Some(Ply::Pass),
                        SecondPieceTaken => position.piece() == Some(1) && last != Some(Ply::Pass),
                    };
                    assert!(is_right, "{game} {kind:?} {moment:?}");
                }
            }
        }
    }

    #[test]
    fn the_last_square_of_a_full_board_is_one_legal_ply_of_the_side_that_comes_to_it() {
        // One board has 19 free squares, the other one 16.
        for (options, plies, side) in [("", 18, Side::First), ("n=4", 15, Side::Second)] {
            let settings = Settings::for_ruleset(Ruleset::named("lineup", options).unwrap());
            let moments = Moments::search(&settings, 1);
            assert_eq!(moments.get(OneLegalPly, side).unwrap().plies.len(), plies);
            assert_eq!(moments.get(OneLegalPly, !side), None);
            assert!(Side::BOTH.into_iter().all(|mover| moments.get(LastPly, mover).is_some()));
        }
    }

    #[test]
    fn where_the_stuck_side_loses_none_is_forced_to_pass() {
        let settings = Settings::for_ruleset(Ruleset::named("loa", "stuck=loss").unwrap());
        assert!(!Moments::search(&settings, 1).has(ForcedPass));
    }

    #[test]
    fn a_long_game_is_as_long_as_is_wanted_where_its_rules_allow_that() {
        for (game, wanted, least) in
            [("loa", 900, 900), ("gekitai", 900, 900), ("flipflop", 400, 40), ("lineup", 400, 12)]
        {
            let mut settings = Settings::for_ruleset(Ruleset::named(game, "").unwrap());
            (settings.rules.max_plies, settings.rules.repetition) = (2_000, 0);
            let long = long_game(&settings, 1, |plies| plies.len() >= wanted);
            assert!(long.plies.len() >= least, "{}", long.plies.len());
            assert_eq!(position(&long).ending(), None);
        }
    }
}
