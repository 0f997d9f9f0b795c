//! The figures of a table, rounded once: the shape of `standings.json`, and what text and Markdown are laid out from.
//! The schema, `standings.schema.json`, is held against these fields by a test.

use super::rated::{Fit, Group, Neighbours, Rating, Relation};
use super::tested::Test;
use super::{Kept, Sheet, rated};
use crate::game::Fault;
use crate::report::json::VERSION;
use crate::standings::{RankedBot, TieBreaks, Versus};
use serde::{Serialize, Serializer};

/// Decimals of shares, probabilities and likelihood ratios.
const FINE: i32 = 6;

/// Decimals of figures in Elo.
const ELO: i32 = 4;

/// A figure of a report; none if it is not finite, so that no file ever holds such a number.
fn rounded(value: f64, decimals: i32) -> Option<f64> {
    let scale = 10_f64.powi(decimals);
    value.is_finite().then(|| (value * scale).round() / scale + 0.0) // + 0.0: no negative zero
}

pub(super) fn elo(value: f64) -> Option<f64> {
    rounded(value, ELO)
}

pub(super) fn fine(value: f64) -> Option<f64> {
    rounded(value, FINE)
}

#[derive(Debug, Serialize)]
pub(super) struct Figures<'a> {
    r#type: &'static str,
    v: u32,
    pub(super) name: Option<&'a str>,
    pub(super) game: Option<&'a str>,
    pub(super) options: Option<&'a str>,
    pub(super) format: Option<&'a str>,
    pub(super) isolation: Option<&'a str>,
    pub(super) complete: Option<bool>,
    pub(super) games: Option<Games>,
    pub(super) order: &'static [&'static str],
    pub(super) bots: Vec<Bot<'a>>,
    pub(super) crosstable: Vec<Cell<'a>>,
    pub(super) first_side: FirstSide,
    pub(super) fit: Option<Fit>,
    pub(super) anchor: Option<&'a str>,
    pub(super) groups: Vec<Group<'a>>,
    pub(super) relations: Vec<Relation>,
    pub(super) neighbours: Vec<Neighbours<'a>>,
    pub(super) sprt: Option<Test<'a>>,
    pub(super) expectations: Vec<Expected<'a>>,
    pub(super) absent: Vec<Missing<'a>>,
    pub(super) notes: &'a [String],
}

#[derive(Debug, Serialize)]
pub(super) struct Games {
    pub(super) played: u64,
    pub(super) scheduled: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct Bot<'a> {
    pub(super) rank: usize,
    pub(super) name: &'a str,
    pub(super) points: f64,
    pub(super) bye_points: f64,
    pub(super) byes: usize,
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    pub(super) suicides: u64,
    pub(super) forfeits: u64,
    pub(super) forfeits_by_reason: Reasons,
    pub(super) aborted: u64,
    pub(super) repeated: u64,
    pub(super) share: Option<f64>,
    pub(super) share_error: Option<f64>,
    pub(super) tie_breaks: Ties,
    pub(super) rating: Option<Rating>,
}

/// Forfeits in the order of [`Fault::ALL`].
#[derive(Debug)]
pub(super) struct Reasons([u64; Fault::ALL.len()]);

impl Reasons {
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        Fault::ALL.iter().zip(self.0).map(|(fault, count)| (fault.word(), count))
    }
}

impl Serialize for Reasons {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Ties {
    pub(super) head_to_head: Option<f64>,
    pub(super) sonneborn_berger: f64,
    pub(super) sonneborn_berger_played: f64,
    pub(super) buchholz: f64,
    pub(super) buchholz_played: f64,
}

impl Ties {
    fn of(ties: &TieBreaks) -> Ties {
        let quarters = |value: u64| value as f64 / 4.0;
        Ties {
            head_to_head: ties.head_to_head.map(|half_points| half_points as f64 / 2.0),
            sonneborn_berger: quarters(ties.sonneborn_berger),
            sonneborn_berger_played: quarters(ties.sonneborn_berger_played),
            buchholz: quarters(ties.buchholz),
            buchholz_played: quarters(ties.buchholz_played),
        }
    }
}

/// Games of two bots, each two once: seen from the one that stands higher in the table.
#[derive(Debug, Serialize)]
pub(super) struct Cell<'a> {
    pub(super) bot: &'a str,
    pub(super) opponent: &'a str,
    pub(super) games: u64,
    pub(super) points: f64,
    /// Their lines in the table.
    #[serde(skip)]
    pub(super) places: [usize; 2],
}

#[derive(Debug, Serialize)]
pub(super) struct FirstSide {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    pub(super) share: Option<f64>,
    pub(super) elo: Option<f64>,
    pub(super) half_width: Option<f64>,
    pub(super) half_width_pairs: Option<f64>,
    pub(super) reason: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct Expected<'a> {
    pub(super) text: &'a str,
    pub(super) kept: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Missing<'a> {
    pub(super) name: &'a str,
    pub(super) reason: &'a str,
}

impl<'a> Figures<'a> {
    pub(super) fn of(sheet: &Sheet<'a>) -> Figures<'a> {
        let known = |text: &'a str| (!text.is_empty()).then_some(text);
        let standings = sheet.standings;
        let table = standings.table();
        let ratings = rated::Rated::of(sheet, &table);
        Figures {
            r#type: "standings",
            v: VERSION,
            name: known(sheet.name),
            game: known(sheet.game),
            options: known(sheet.options),
            format: known(sheet.format),
            isolation: known(sheet.isolation),
            complete: sheet.complete,
            games: sheet.games.map(|(played, scheduled)| Games { played, scheduled }),
            order: standings.ranking().order(),
            bots: bots(sheet, &table, ratings.bots),
            crosstable: crosstable(sheet, &table),
            first_side: ratings.first_side,
            fit: ratings.fit,
            anchor: sheet.anchor,
            groups: ratings.groups,
            relations: ratings.relations,
            neighbours: ratings.neighbours,
            sprt: sheet.sprt.as_ref().map(Test::of),
            expectations: sheet
                .expectations
                .iter()
                .map(|expected| Expected { text: &expected.text, kept: Kept::word(expected.kept) })
                .collect(),
            absent: sheet
                .absent
                .iter()
                .map(|absent| Missing { name: &absent.name, reason: &absent.reason })
                .collect(),
            notes: sheet.notes,
        }
    }

    /// Whether two bots have the same points, so that tie-breaks decide.
    pub(super) fn has_ties(&self) -> bool {
        self.bots.windows(2).any(|two| two[0].points == two[1].points)
    }
}

/// The lines of the table; `ratings` are in its order.
fn bots<'a>(sheet: &Sheet<'a>, table: &[RankedBot<'a>], ratings: Vec<Option<Rating>>) -> Vec<Bot<'a>> {
    let errors = sheet.standings.share_errors();
    let bot = |(placed, rating): (&RankedBot<'a>, Option<Rating>)| {
        let row = placed.row;
        Bot {
            rank: placed.rank,
            name: &row.name,
            points: row.points(),
            bye_points: row.bye_half_points as f64 / 2.0,
            byes: sheet.standings.byes(placed.bot),
            games: row.games,
            wins: row.wins,
            draws: row.draws,
            losses: row.losses,
            suicides: row.suicides,
            forfeits: row.forfeits,
            forfeits_by_reason: Reasons(row.faults),
            aborted: row.aborted,
            repeated: row.repeated,
            share: row.share().and_then(fine),
            share_error: errors[placed.bot].and_then(fine),
            tie_breaks: Ties::of(&placed.ties),
            rating,
        }
    };
    table.iter().zip(ratings).map(bot).collect()
}

fn crosstable<'a>(sheet: &Sheet<'a>, table: &[RankedBot<'a>]) -> Vec<Cell<'a>> {
    let mut places = vec![0; table.len()];
    for (place, placed) in table.iter().enumerate() {
        places[placed.bot] = place;
    }
    let met = sheet.standings.crosstable();
    let cell = |(&(bot, opponent), versus): (&(usize, usize), &Versus)| Cell {
        bot: &table[places[bot]].row.name,
        opponent: &table[places[opponent]].row.name,
        games: versus.games,
        points: versus.half_points as f64 / 2.0,
        places: [places[bot], places[opponent]],
    };
    let mut cells: Vec<Cell<'a>> =
        met.iter().map(cell).filter(|cell| cell.places[0] < cell.places[1]).collect();
    cells.sort_by_key(|cell| cell.places);
    cells
}
