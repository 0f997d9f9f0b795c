//! A graph over the plies of a game: the values of both sides, each point the letter of its side.

use super::grid::{Grid, Rect};
use super::look::Role;
use arbiter_rules::{BySide, Side};

/// The columns left of the graph, for its title and its range.
const LABEL: u16 = 9;

pub struct Graph<'a> {
    /// What it shows, in one word.
    pub title: &'a str,
    /// The number of plies.
    pub plies: usize,
    /// The ply that is shown, from 1; 0 before the first.
    pub current: usize,
    /// The value of a ply, from 1, and its side, if it has one. Values are finite.
    pub value: &'a dyn Fn(usize) -> Option<(Side, f64)>,
    /// Whether values that are far beyond all others stand for a won game: they are drawn at the
    /// edge of the others.
    pub has_extremes: bool,
    /// The letters of the sides.
    pub letters: BySide<char>,
}

impl Graph<'_> {
    /// The ply that is drawn at a column of the screen; `None` left and right of the graph.
    pub fn ply_at(area: Rect, plies: usize, column: u16) -> Option<usize> {
        let width = usize::from(area.width.checked_sub(LABEL)?);
        let x = usize::from(column.checked_sub(area.x + LABEL)?);
        (x < width && plies > 0).then(|| ((x * plies).div_ceil(width) + 1).min(plies))
    }

    /// For each column the value of each side that differs most from zero: peaks are not lost.
    fn columns(&self, width: usize) -> Vec<BySide<Option<f64>>> {
        let mut columns = vec![BySide::default(); width];
        for ply in 1..=self.plies {
            let Some((side, value)) = (self.value)(ply) else { continue };
            let kept: &mut Option<f64> = &mut columns[column_of(ply, self.plies, width)][side];
            if kept.is_none_or(|kept| kept.abs() <= value.abs()) {
                *kept = Some(value);
            }
        }
        columns
    }
}

/// How much larger than all others values are that stand for a won game.
const BEYOND: f64 = 8.0;

/// The largest size of values, or of those below others that are far beyond; 0 without values.
fn largest_usual(values: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    // Only in the larger half: values for a won game are fewer than the others.
    for at in (sizes.len() / 2 + 1..sizes.len()).rev() {
        let below = sizes[at - 1];
        if below > 0.0 && sizes[at] / BEYOND > below {
            return below;
        }
    }
    sizes.last().copied().unwrap_or_default()
}

/// The column of a ply, from 1.
fn column_of(ply: usize, plies: usize, width: usize) -> usize {
    (ply.saturating_sub(1) * width / plies.max(1)).min(width.saturating_sub(1))
}

impl Graph<'_> {
    /// Draws the graph with its title and its range.
    pub(super) fn draw(&self, area: Rect, grid: &mut Grid) {
        let area = area.intersection(grid.area());
        let width = usize::from(area.width.saturating_sub(LABEL));
        let height = usize::from(area.height);
        if width == 0 || height == 0 {
            return;
        }
        let columns = self.columns(width);
        let label = Rect { width: LABEL - 1, ..area };
        grid.text(Role::Title, label, self.title);
        if self.current > 0 {
            let x = area.x + LABEL + column_of(self.current, self.plies, width) as u16;
            for row in area.rows() {
                grid.text(Role::Minor, Rect { x, ..row }, "│");
            }
        }
        let mut values = Vec::new();
        for pair in &columns {
            values.extend(pair.first);
            values.extend(pair.second);
        }
        let bound = if self.has_extremes { largest_usual(&values) } else { f64::MAX };
        // Zero is always in the range.
        let mut beyond = 0.0_f64;
        let mut least = 0.0_f64;
        let mut most = 0.0_f64;
        for value in values {
            beyond = beyond.max(value.abs());
            let drawn = value.clamp(-bound, bound);
            least = least.min(drawn);
            most = most.max(drawn);
        }
        if least == most {
            most = least + 1.0;
        }
        let mut label = |y: u16, text: String| {
            grid.text(Role::Minor, Rect { y, ..label }, format!("{text:>8}"));
        };
        if height > 2 {
            label(area.y + 1, figure(most));
        }
        if height > 3 {
            label(area.bottom() - 1, figure(least));
            if beyond > bound {
                label(area.y + 2, format!("to {}", figure(beyond)));
            }
        }
        for (x, pair) in (area.x + LABEL..).zip(&columns) {
            let mut taken = None; // by the other side
            for side in Side::BOTH {
                let Some(value) = pair[side] else { continue };
                // Half of each value: their difference cannot overflow.
                let drawn = value.clamp(-bound, bound);
                let share = (most / 2.0 - drawn / 2.0) / (most / 2.0 - least / 2.0);
                let y = area.y + (share * (height - 1) as f64).round() as u16;
                let letter = if taken == Some(y) { '*' } else { self.letters[side] };
                grid.text(Role::Piece(side), Rect { x, y, ..area }, letter.to_string());
                taken = Some(y);
            }
        }
    }
}

/// A value in at most eight columns.
fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(0.001..100_000.0).contains(&size) => format!("{value:.1e}"),
        size if size < 10.0 => format!("{value:.3}"),
        size if size < 1000.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn drawn(values: &[Option<f64>], current: usize, width: u16, height: u16) -> Vec<String> {
        let mut grid = Grid::new(Rect::new(0, 0, width, height));
        let value = |ply: usize| {
            let side = if ply % 2 == 1 { Side::First } else { Side::Second };
            Some((side, values[ply - 1]?))
        };
        let letters = BySide { first: 'B', second: 'W' };
        let plies = values.len();
        Graph { title: "score", plies, current, value: &value, has_extremes: true, letters }
            .draw(grid.area(), &mut grid);
        grid.lines()
    }

    #[test]
    fn each_point_is_the_letter_of_its_side() {
        let values = [0.5, -1.0, 1.0, 0.0, 1.0, -1.0].map(Some);
        assert_eq!(
            drawn(&values, 4, 15, 5),
            [
                "score      B│B ",
                "   1.000 B  │  ",
                "            W  ",
                "            │  ",
                "  -1.000  W │ W"
            ]
        );
    }

    #[test]
    fn many_plies_share_a_column_and_keep_their_peaks() {
        let mut values = vec![Some(0.0); 1000];
        values[500] = Some(7.0);
        let lines = drawn(&values, 0, 19, 4);
        assert_eq!(lines[0], "score         B    ");
        assert_eq!(lines[3], "       0 *****W****");
    }

    #[test]
    fn values_that_stand_for_a_won_game_do_not_flatten_the_others() {
        let values = [1.0, -0.5, 2.0, -1.0, 9999.0, -10000.0].map(Some);
        assert_eq!(
            drawn(&values, 0, 15, 5),
            [
                "score      B B ",
                "   2.000 B     ",
                "to 10000       ",
                "          W W  ",
                "  -2.000      W"
            ]
        );
        assert_eq!(largest_usual(&[1.0, -3.0, 9.0, 40.0]), 40.0);
        assert_eq!(largest_usual(&[0.0, 0.0, 9.0]), 9.0);
        assert_eq!(largest_usual(&[]), 0.0);
    }

    fn finite() -> impl Strategy<Value = f64> {
        any::<f64>().prop_filter("finite", |value| value.is_finite())
    }

    proptest! {
        #[test]
        fn any_values_are_drawn_in_any_size(
            values in prop::collection::vec(prop::option::of(finite()), 0..50),
            width in 0..40_u16, height in 0..8_u16, current in 0..50_usize,
        ) {
            drawn(&values, current.min(values.len()), width, height);
        }

        #[test]
        fn a_column_leads_to_a_ply_of_this_column(
            plies in 1..300_usize, width in 1..100_u16, x in 0..100_u16,
        ) {
            let area = Rect::new(3, 0, width + LABEL, 3);
            let ply = Graph::ply_at(area, plies, 3 + LABEL + x);
            prop_assert_eq!(ply.is_some(), x < width);
            if let Some(ply) = ply && plies >= usize::from(width) {
                prop_assert_eq!(column_of(ply, plies, width.into()), usize::from(x));
            }
        }
    }
}
