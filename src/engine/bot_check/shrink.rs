//! How a game that fails is shortened: it begins later, in the position that it had there.

use super::moments::Moment;
use super::scenario::{Length, Scenario};
use arbiter_rules::{Ply, Position};

/// Shorter games in which the bot is asked what it failed at, those with the fewest plies first. In
/// a pair the first is asked only that, the second one from the beginning on.
///
/// `plies` are those of the failed game up to that question.
pub fn shorter(scenario: &Scenario, plies: &[Ply]) -> Vec<Scenario> {
    let mut position = scenario.moment.start.clone();
    let mut positions: Vec<Position> = vec![position.clone()];
    for &ply in plies {
        position = position.after(ply);
        positions.push(position.clone());
    }
    // How many of the last plies are kept. Few lengths suffice: each is a game of the bot, and most
    // failures need none of these plies.
    let mut lengths = vec![0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512];
    lengths.retain(|&kept| kept < plies.len());
    lengths.push(plies.len());
    let mut shorter = Vec::new();
    for kept in lengths {
        let from = plies.len() - kept;
        let moment = Moment { start: positions[from].detached(), plies: plies[from..].to_vec() };
        let asked_once =
            Scenario { length: Length::Plies(1), ..scenario.clone() }.starting_at(moment);
        shorter.push(asked_once.clone());
        let before = &positions[from..plies.len()];
        if before.iter().any(|earlier| earlier.side() == scenario.side) {
            shorter.push(Scenario { takes_over: 0, ..asked_once });
        }
    }
    shorter
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot_check::{Buffering, MomentKind, Moments};
    use arbiter_game::Settings;
    use arbiter_game::protocol::Variation;
    use arbiter_rules::Side;

    #[test]
    fn shorter_games_lead_to_the_same_question_and_are_not_longer() {
        let settings = Settings::default();
        let moments = Moments::search(&settings, 3);
        let moment = moments.get(MomentKind::Capture, Side::First).unwrap().clone();
        let plies = moment.plies.clone();
        let end = plies.iter().fold(moment.start.clone(), |position, &ply| position.after(ply));
        let scenario = Scenario {
            settings,
            side: Side::First,
            takes_over: moment.plies.len(),
            moment,
            length: Length::Whole,
            seed: 3,
            variation: Variation::Plain,
            buffering: Buffering::Off,
        };
        let all = shorter(&scenario, &plies);
        for shorter in &all {
            let Moment { start, plies: kept } = &shorter.moment;
            assert!(kept.len() <= plies.len());
            let reached = kept.iter().fold(start.clone(), |position, &ply| position.after(ply));
            assert_eq!((reached, shorter.length), (end.clone(), Length::Plies(1)));
            assert!([0, kept.len()].contains(&shorter.takes_over));
        }
        assert_eq!((&all[0].moment.start, all[0].moment.plies.len()), (&end, 0));
        assert!(all.iter().rev().take(2).any(|last| last.moment.plies == plies));
    }
}
