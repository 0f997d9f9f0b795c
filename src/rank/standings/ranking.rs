//! Rankings: tie-breaks and ranks (src/rank/definitions.md: definitions 14 to 16).

use super::{Crosstable, Ranking, Row, Standings, TieBreak};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The tie-breaks of a bot (definition 14), in quarters of a point unless stated otherwise: a
/// product of half points by half points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TieBreaks {
    /// The sum over pairings of the points scored in it times the opponent's final points. A bye
    /// counts as a pairing won against an opponent with the bot's own points.
    pub sonneborn_berger: u64,
    /// The same without byes.
    pub sonneborn_berger_played: u64,
    /// The sum over rounds of the opponent's final points, with byes counted in the same way. If
    /// the schedule does not report pairings, two bots that have met count as paired once.
    pub buchholz: u64,
    /// The same without byes.
    pub buchholz_played: u64,
    /// Half points against the bots with the same points, if all of these met equally often.
    pub head_to_head: Option<u64>,
}

/// A bot's line in the table.
#[derive(Debug, Clone, Copy)]
pub struct RankedBot<'a> {
    /// The rank, from 1; bots that are equal by all criteria have the same rank.
    pub rank: usize,
    /// The bot's number, by the order of [`Standings::enter`].
    pub bot: usize,
    /// Its counts.
    pub row: &'a Row,
    pub ties: TieBreaks,
}

impl Standings {
    /// The table, best first; bots of equal rank in the order of [`Standings::enter`].
    pub fn table(&self) -> Vec<RankedBot<'_>> {
        let crosstable = self.crosstable();
        let mut ties = self.tie_breaks(&crosstable);
        self.head_to_head(&crosstable, &mut ties);
        let mut order = Vec::new();
        for (bot, of_bot) in ties.iter().enumerate() {
            order.push((Reverse(self.criteria(bot, of_bot)), bot));
        }
        // Bots that are equal by all criteria stay in the order of their entry.
        order.sort_unstable();
        let mut table = Vec::new();
        let mut rank = 1;
        for (index, &(criteria, bot)) in order.iter().enumerate() {
            if criteria != order[rank - 1].0 {
                rank = index + 1;
            }
            table.push(RankedBot { rank, bot, row: &self.rows[bot], ties: ties[bot] });
        }
        table
    }

    /// What ranks a bot: points, the margin if it counts, then the other tie-breaks.
    fn criteria(&self, bot: usize, ties: &TieBreaks) -> (u64, i64, [u64; 3]) {
        let row = &self.rows[bot];
        let margin = if self.tie_break == TieBreak::Margin { row.margin } else { 0 };
        let [points, others @ ..] = match &self.ranking {
            Ranking::Points => {
                let head_to_head = ties.head_to_head.unwrap_or_default();
                [row.half_points, head_to_head, ties.sonneborn_berger, row.wins]
            }
            Ranking::Swiss => [row.half_points, ties.buchholz, ties.sonneborn_berger, 0],
            Ranking::Knockout(places) | Ranking::Rating(places) => {
                let place = places.get(bot).map_or(u64::MAX, |&place| place as u64);
                [u64::MAX - place, 0, 0, 0]
            }
        };
        (points, margin, others)
    }

    fn tie_breaks(&self, crosstable: &Crosstable) -> Vec<TieBreaks> {
        let points = |bot: usize| self.rows[bot].half_points;
        let mut ties = vec![TieBreaks::default(); self.rows.len()];
        for (bot, opponent, versus) in crosstable.iter() {
            ties[bot].sonneborn_berger_played += versus.half_points * points(opponent);
            if self.pairings.is_empty() && versus.games > 0 {
                ties[bot].buchholz_played += 2 * points(opponent);
            }
        }
        for (&(one, other), &times) in &self.pairings {
            ties[one].buchholz_played += 2 * times * points(other);
            ties[other].buchholz_played += 2 * times * points(one);
        }
        for (bot, of_bot) in ties.iter_mut().enumerate() {
            of_bot.sonneborn_berger = of_bot.sonneborn_berger_played;
            of_bot.buchholz = of_bot.buchholz_played;
            for &half_points in self.byes.get(&bot).into_iter().flatten() {
                of_bot.sonneborn_berger += half_points * points(bot);
                of_bot.buchholz += 2 * points(bot);
            }
        }
        ties
    }

    /// Computes head-to-head points in each group of bots with equal points that all met equally
    /// often.
    fn head_to_head(&self, crosstable: &Crosstable, ties: &mut [TieBreaks]) {
        let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (bot, row) in self.rows.iter().enumerate() {
            groups.entry(row.half_points).or_default().push(bot);
        }
        for group in groups.into_values().filter(|group| group.len() > 1) {
            if crosstable.met_equally_often(&group) {
                for &bot in &group {
                    let against = group.iter().map(|&other| crosstable.versus(bot, other));
                    ties[bot].head_to_head = Some(against.map(|versus| versus.half_points).sum());
                }
            }
        }
    }
}

impl Crosstable {
    /// Whether each two of these bots have met, all of them equally often.
    fn met_equally_often(&self, bots: &[usize]) -> bool {
        let games = self.versus(bots[0], bots[1]).games;
        // Most often the first two have not met; the pairs of a large group are many.
        if games == 0 {
            return false;
        }
        for (index, &one) in bots.iter().enumerate() {
            for &other in &bots[index + 1..] {
                if self.versus(one, other).games != games {
                    return false;
                }
            }
        }
        true
    }
}
