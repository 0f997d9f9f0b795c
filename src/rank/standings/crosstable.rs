//! The crosstable: games and points of each two bots against each other.

use super::Standings;

/// Games and points of two bots against each other, seen from the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Versus {
    /// Games with a result.
    pub games: u64,
    /// Points of the first bot, doubled.
    pub half_points: u64,
}

/// Games and points of each two bots that met, by their numbers, in both directions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Crosstable {
    /// Sorted by the numbers.
    cells: Vec<([u32; 2], Versus)>,
}

impl Crosstable {
    /// The games of a bot against an opponent; no games and no points if they have not met.
    pub fn versus(&self, bot: usize, opponent: usize) -> Versus {
        let bots = [bot as u32, opponent as u32];
        match self.cells.binary_search_by_key(&bots, |(bots, _)| *bots) {
            Ok(cell) => self.cells[cell].1,
            Err(_) => Versus::default(),
        }
    }

    /// Bot, opponent and their games, for each two bots that met, in both directions, sorted by
    /// their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, Versus)> + '_ {
        let cells = self.cells.iter();
        cells.map(|&([bot, opponent], versus)| (bot as usize, opponent as usize, versus))
    }
}

/// Adds games of two bots in both directions, so that a bot's row is found by one search.
fn push_both(cells: &mut Vec<([u32; 2], Versus)>, [one, other]: [usize; 2], versus: Versus) {
    let [a, b] = [one as u32, other as u32];
    let of_other = Versus { half_points: 2 * versus.games - versus.half_points, ..versus };
    cells.push(([a, b], versus));
    cells.push(([b, a], of_other));
}

impl Standings {
    /// Games and points of each two bots against each other.
    pub fn crosstable(&self) -> Crosstable {
        let met = 2 * (self.encounters.iter().count() + self.half_pairs.len());
        let mut cells: Vec<([u32; 2], Versus)> = Vec::with_capacity(met);
        for ((first, second), cell) in self.encounters.iter() {
            let mut games = 0;
            let mut half_points = 0;
            for (cluster, occurred) in cell.clusters() {
                games += cluster.games() * occurred.copies;
                half_points += cluster.half_points() * occurred.copies;
            }
            push_both(&mut cells, [first, second], Versus { games, half_points });
        }
        for game in self.half_pairs.values() {
            let versus = Versus { games: 1, half_points: game.score.half_points() };
            push_both(&mut cells, [game.first(), game.second()], versus);
        }
        cells.sort_unstable_by_key(|(bots, _)| *bots);
        // Two bots have a cell for each of them that had the first side.
        cells.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1.games += next.1.games;
                kept.1.half_points += next.1.half_points;
            }
            same
        });
        Crosstable { cells }
    }
}
