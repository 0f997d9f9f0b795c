//! What a position is worth when nobody looks further: the one place where the bots know a game's strategy.
//!
//! Worths are in hundredths; every game chooses its unit. Uses nothing but what the rules say to anybody.

use crate::rules::{BySide, Ending, Game, Position, Side};

/// A won game; every evaluation is far below.
pub(super) const WIN: i32 = 1_000_000;

/// What an ending is worth to a side when a win counts `win`.
pub(super) fn ended(ending: Ending, side: Side, win: i32) -> i32 {
    match ending.winner {
        Some(winner) if winner == side => win,
        Some(_) => -win,
        None => 0,
    }
}

/// How good an unfinished position looks to a side: the higher, the better.
pub(super) fn evaluate(position: &Position, side: Side) -> i32 {
    match position.ruleset().game() {
        Game::Loa => loa(position, side),
    }
}

/// What each group beyond the first costs.
const GROUP: i32 = 40;
/// How much the pieces' mean distance from their centre weighs.
const SPREAD: i32 = 12;
/// How much the centre's distance from the middle of the board weighs.
const OFF_MIDDLE: i32 = 20;

/// Lines of Action: one's pieces should stand close together, near the middle, in few groups. Means, not
/// sums: to capture is no merit in itself, since few pieces are sooner together than many.
fn loa(position: &Position, side: Side) -> i32 {
    let mut crowds = BySide::<Crowd>::default();
    let size = position.ruleset().size();
    for row in 0..size {
        for column in 0..size {
            if let Some(owner) = position.cell(row, column) {
                crowds[owner].add(row as i32, column as i32);
            }
        }
    }
    let worth = |side| crowds[side].worth() - GROUP * (position.group_count(side) as i32 - 1);
    worth(side) - worth(!side)
}

/// Where the pieces of one side are.
#[derive(Default)]
struct Crowd {
    places: [(i32, i32); 12],
    count: i32,
    rows: i32,
    columns: i32,
}

impl Crowd {
    fn add(&mut self, row: i32, column: i32) {
        self.places[self.count as usize] = (row, column);
        self.count += 1;
        self.rows += row;
        self.columns += column;
    }

    /// The lower, the farther the pieces are from their centre, beyond what so many need in any case (one is
    /// in the centre, eight are around it), and the farther that centre is from the middle of the board.
    fn worth(&self) -> i32 {
        let count = self.count.max(1);
        let way = |&(row, column): &(i32, i32)| {
            let (rows, columns) = ((row * count - self.rows).abs(), (column * count - self.columns).abs());
            100 * rows.max(columns) + 25 * rows.min(columns)
        };
        let ways: i32 = self.places[..self.count as usize].iter().map(way).sum();
        let least = if count <= 9 { count - 1 } else { 2 * count - 10 };
        let off_middle = |sum: i32| (2 * sum - 7 * count).abs();
        let off_middle = off_middle(self.rows) + off_middle(self.columns);
        -(SPREAD * (ways / count - 100 * least) + OFF_MIDDLE * off_middle) / count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    fn loa(text: &str) -> Position {
        let loa = Ruleset::named("loa", &[]).expect("loa is a game");
        loa.read_position(text).expect("a position of loa")
    }

    #[test]
    fn what_is_good_for_one_is_bad_for_the_other() {
        let start = loa("1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B");
        assert_eq!(evaluate(&start, Side::First), 0, "the start position is symmetrical");
        let better = loa("8/8/2B5/3B4/8/3B4/W6W/W6W B");
        assert!(evaluate(&better, Side::First) > 0);
        assert_eq!(evaluate(&better, Side::First), -evaluate(&better, Side::Second));
    }

    #[test]
    fn worths_stay_far_below_a_win() {
        let worst = loa("B1B1B1B1/8/B6B/8/3WW3/3WW3/B6B/B1B1B1B1 B"); // twelve pieces all around the edge
        assert!(evaluate(&worst, Side::First) < 0);
        assert!(evaluate(&worst, Side::First).abs() < WIN / 100);
    }
}
