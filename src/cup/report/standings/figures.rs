//! The figures of the report, rounded once: the structure of `standings.json`, and the input for
//! text and Markdown. A test compares these fields with the schema, `standings.schema.json`.

use super::contents::{ExpectationResult, GameCounts, SortBy, StandingsReport};
use super::history;
use super::match_figures::MatchFigures;
use super::milestone_figures::MilestonesFigures;
use super::rating_figures::{
    self, FirstSideFigures, FitFigures, GroupFigures, NeighbourFigures, RatingFigures,
};
use super::rounding::fine;
use super::sprt_figures::SprtFigures;
use crate::tournament::{Absentee, RunEntry};
use arbiter_game::Fault;
use arbiter_rank::standings::{RankedBot, Row, TieBreaks};
use serde::{Serialize, Serializer};

/// The version of the object: increased when a field is removed or changes its meaning.
const VERSION: u32 = 2;

#[derive(Debug, Serialize)]
pub struct Figures<'a> {
    r#type: &'static str,
    v: u32,
    pub name: Option<&'a str>,
    pub game: Option<&'a str>,
    pub options: Option<&'a str>,
    pub format: Option<&'a str>,
    pub isolation: Option<&'a str>,
    pub complete: Option<bool>,
    pub games: Option<GameCounts>,
    pub order: Vec<&'static str>,
    pub bots: Vec<BotFigures<'a>>,
    pub crosstable: Vec<CrosstableCell<'a>>,
    pub first_side: FirstSideFigures,
    pub scatter: Option<f64>,
    pub scatter_first_side: Option<f64>,
    pub kept: Vec<Option<f64>>,
    pub fit: FitFigures,
    anchor: Option<&'a str>,
    pub anchors: Vec<AnchorFigures<'a>>,
    pub groups: Vec<GroupFigures<'a>>,
    pub neighbours: Vec<NeighbourFigures<'a>>,
    pub sprt: Option<&'a SprtFigures>,
    pub milestones: Option<MilestonesFigures<'a>>,
    /// Written as an object of its own, after the games.
    #[serde(skip)]
    pub two_bots: Option<MatchFigures<'a>>,
    pub expectations: &'a [ExpectationResult],
    pub absent: &'a [Absentee],
    pub notes: &'a [String],
    history: Vec<RunEntry>,
}

/// A bot that has a rating by definition.
#[derive(Debug, Serialize)]
pub struct AnchorFigures<'a> {
    pub bot: &'a str,
    pub rating: f64,
}

#[derive(Debug, Serialize)]
pub struct BotFigures<'a> {
    pub rank: usize,
    pub name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<&'a str>,
    digest: Option<&'a str>,
    pub versions: Option<u64>,
    pub points: f64,
    pub bye_points: f64,
    pub byes: usize,
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub suicides: u64,
    pub forfeits: u64,
    pub forfeits_by_reason: ForfeitsByReason,
    pub aborted: u64,
    pub repeated: u64,
    pub share: Option<f64>,
    pub share_error: Option<f64>,
    pub tie_breaks: TieBreakFigures,
    pub rating: RatingFigures,
}

/// Forfeits in the order of [`Fault::ALL`].
#[derive(Debug)]
pub struct ForfeitsByReason([u64; Fault::ALL.len()]);

impl ForfeitsByReason {
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        Fault::ALL.iter().zip(self.0).map(|(fault, count)| (fault.word(), count))
    }
}

impl Serialize for ForfeitsByReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[derive(Debug, Serialize)]
pub struct TieBreakFigures {
    pub margin: f64,
    pub head_to_head: Option<f64>,
    pub sonneborn_berger: f64,
    pub sonneborn_berger_played: f64,
    pub buchholz: f64,
    pub buchholz_played: f64,
}

impl TieBreakFigures {
    fn new(row: &Row, ties: &TieBreaks) -> TieBreakFigures {
        TieBreakFigures {
            margin: row.margin as f64 / 100.0,
            head_to_head: ties.head_to_head.map(|half_points| half_points as f64 / 2.0),
            sonneborn_berger: quarters(ties.sonneborn_berger),
            sonneborn_berger_played: quarters(ties.sonneborn_berger_played),
            buchholz: quarters(ties.buchholz),
            buchholz_played: quarters(ties.buchholz_played),
        }
    }
}

fn quarters(value: u64) -> f64 {
    value as f64 / 4.0
}

/// The games of two bots, from the point of view of the one that is higher in the table.
#[derive(Debug, Serialize)]
pub struct CrosstableCell<'a> {
    pub bot: &'a str,
    pub opponent: &'a str,
    pub games: u64,
    pub points: f64,
    /// The indices of their lines in the table.
    #[serde(skip)]
    pub places: [usize; 2],
}

impl<'a> Figures<'a> {
    pub fn new(report: &'a StandingsReport) -> Figures<'a> {
        let StandingsReport { standings, ratings, .. } = report;
        let table = table(report);
        let anchors = report.anchors.iter();
        Figures {
            r#type: "standings",
            v: VERSION,
            name: non_empty(&report.name),
            game: non_empty(&report.game),
            options: non_empty(&report.options),
            format: non_empty(report.format),
            isolation: non_empty(&report.isolation),
            complete: report.complete,
            games: report.games,
            order: standings.order(),
            bots: bots(report, &table),
            crosstable: crosstable(report, &table),
            first_side: rating_figures::first_side(report),
            scatter: ratings.scatter().and_then(fine),
            scatter_first_side: ratings.scatter_first_side().and_then(fine),
            kept: ratings.kept().map(|kept| kept.and_then(fine)).collect(),
            fit: rating_figures::fit(ratings),
            anchor: match &report.anchors[..] {
                [(bot, 0.0)] => Some(bot.as_str()),
                _ => None,
            },
            anchors: anchors.map(|(bot, rating)| AnchorFigures { bot, rating: *rating }).collect(),
            groups: rating_figures::groups(report),
            neighbours: rating_figures::neighbours(ratings, &table),
            sprt: report.sprt.as_ref(),
            milestones: MilestonesFigures::new(report, &table),
            two_bots: MatchFigures::new(report),
            expectations: &report.expectations,
            absent: &report.absent,
            notes: &report.notes,
            history: report.history.iter().map(history::rounded).collect(),
        }
    }

    /// Whether any bot has a rating, which takes a game.
    pub fn has_ratings(&self) -> bool {
        self.bots.iter().any(|bot| bot.rating.rating.is_some())
    }

    /// Whether any bot has been scheduled with several contents.
    pub fn has_versions(&self) -> bool {
        self.bots.iter().any(|bot| bot.versions > Some(1))
    }

    /// Whether ratings of different groups are shown, which cannot be compared. A bot alone in its
    /// group has no other one to be compared with.
    pub fn has_several_groups(&self) -> bool {
        self.groups.iter().filter(|group| group.bots.len() > 1).count() > 1
    }

    /// The criteria by which bots with the same points have different ranks.
    pub fn deciding_tie_breaks(&self) -> Vec<&'static str> {
        // By ranks, because the lines may be in the order of ratings.
        let mut bots: Vec<&BotFigures<'_>> = self.bots.iter().collect();
        bots.sort_by_key(|bot| bot.rank);
        let mut deciding = Vec::new();
        for two in bots.windows(2) {
            let [above, below] = [two[0], two[1]];
            if above.points != below.points || above.rank == below.rank {
                continue;
            }
            for &criterion in &self.order {
                if above.criterion(criterion) != below.criterion(criterion) {
                    deciding.push(criterion);
                    break;
                }
            }
        }
        // In the order in which they are applied, each once.
        let mut order = self.order.clone();
        order.retain(|criterion| deciding.contains(criterion));
        order
    }

    /// Whether two bots have the same points, so that tie-breaks matter.
    pub fn has_ties(&self) -> bool {
        // Sorted, because the lines may be in the order of ratings.
        let mut points: Vec<f64> = self.bots.iter().map(|bot| bot.points).collect();
        points.sort_by(f64::total_cmp);
        points.windows(2).any(|two| two[0] == two[1])
    }
}

impl BotFigures<'_> {
    /// What is compared by a criterion of the ranking.
    fn criterion(&self, word: &str) -> f64 {
        match word {
            "margin" => self.tie_breaks.margin,
            "Buchholz" => self.tie_breaks.buchholz,
            "Sonneborn-Berger" => self.tie_breaks.sonneborn_berger,
            "wins" => self.wins as f64,
            word if word.starts_with("head-to-head") => {
                self.tie_breaks.head_to_head.unwrap_or_default()
            }
            _ => self.points,
        }
    }
}

fn non_empty(text: &str) -> Option<&str> {
    if text.is_empty() { None } else { Some(text) }
}

/// The bots in the order of the table's lines.
fn table(report: &StandingsReport) -> Vec<RankedBot<'_>> {
    let mut table = report.standings.table();
    if report.sort == SortBy::Rating {
        let ratings = report.ratings.bots();
        // The sort is stable, so equals stay in the order of their ranks.
        table.sort_by(|one, other| {
            let [one, other] = [&ratings[one.bot], &ratings[other.bot]];
            let [low, high] = [other.rating, one.rating].map(Option::unwrap_or_default);
            one.group.cmp(&other.group).then(low.total_cmp(&high))
        });
    }
    table
}

/// The text of the bot with this number; `None` if the list is empty or has none for this bot.
fn text_of(texts: &[Option<String>], bot: usize) -> Option<&str> {
    texts.get(bot)?.as_deref()
}

/// The lines of the table.
fn bots<'a>(report: &'a StandingsReport, table: &[RankedBot<'a>]) -> Vec<BotFigures<'a>> {
    let errors = report.standings.share_errors();
    let mut bots = Vec::with_capacity(table.len());
    for &RankedBot { rank, bot, row, ties } in table {
        bots.push(BotFigures {
            rank,
            name: &row.name,
            display: text_of(&report.display_names, bot),
            digest: text_of(&report.digests, bot),
            versions: report.versions.get(bot).copied(),
            points: row.points(),
            bye_points: row.bye_half_points as f64 / 2.0,
            byes: report.standings.byes(bot),
            games: row.games,
            wins: row.wins,
            draws: row.draws,
            losses: row.losses,
            suicides: row.suicides,
            forfeits: row.forfeits,
            forfeits_by_reason: ForfeitsByReason(row.faults),
            aborted: row.aborted,
            repeated: row.repeated,
            share: row.share().and_then(fine),
            share_error: errors[bot].and_then(fine),
            tie_breaks: TieBreakFigures::new(row, &ties),
            rating: rating_figures::rating(&report.ratings, bot),
        });
    }
    bots
}

fn crosstable<'a>(report: &StandingsReport, table: &[RankedBot<'a>]) -> Vec<CrosstableCell<'a>> {
    let mut places = vec![0; table.len()];
    for (place, placed) in table.iter().enumerate() {
        places[placed.bot] = place;
    }
    let met = report.standings.crosstable();
    // Each two bots are in it twice. With a thousand bots the list is the largest of the report,
    // so no more is reserved than it needs.
    let mut cells: Vec<CrosstableCell<'a>> = Vec::with_capacity(met.iter().count() / 2);
    for (bot, opponent, versus) in met.iter() {
        let [own, other] = [places[bot], places[opponent]];
        if own < other {
            cells.push(CrosstableCell {
                bot: &table[own].row.name,
                opponent: &table[other].row.name,
                games: versus.games,
                points: versus.half_points as f64 / 2.0,
                places: [own, other],
            });
        }
    }
    cells.sort_unstable_by_key(|cell| cell.places);
    cells
}
