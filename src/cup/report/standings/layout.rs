//! The content of text and Markdown: figures in, parts of a document out.

use super::contents::{Explanation, GameCounts};
use super::figures::{BotFigures, Figures};
use super::notes::{groups, notes, of_ratings};
use super::rating_figures::NeighbourFigures;
use super::rounding::{figure_text, interval, percent_text};
use crate::report::document::{DocumentPart, DocumentTable, TableColumn};
use crate::report::isolation_summary;

/// Numbers of bots for which a crosstable is shown: with more it is too wide to read, with two it
/// adds nothing.
const CROSSTABLE: std::ops::RangeInclusive<usize> = 3..=20;

/// A column of the table: its header, and its cell for a line and bot.
type BotColumn<'a> = (TableColumn, Box<dyn Fn(usize, &BotFigures<'a>) -> String + 'a>);

/// A column of numbers, by the bot alone.
fn number<'a>(head: &str, cell: impl Fn(&BotFigures<'_>) -> String + 'a) -> BotColumn<'a> {
    (TableColumn::number(head), Box::new(move |_, bot| cell(bot)))
}

pub(super) fn blocks(figures: &Figures<'_>, explanation: Explanation) -> Vec<DocumentPart> {
    let mut blocks = head(figures);
    blocks.push(DocumentPart::Table(filled(figures, points(figures))));
    if let Some(milestones) = &figures.milestones {
        blocks.extend([
            DocumentPart::Heading("Milestones"),
            DocumentPart::Table(milestones.table()),
            DocumentPart::Lines(milestones.lines()),
        ]);
    }
    if figures.bots.iter().any(|bot| bot.rating.rating.is_some()) {
        blocks.extend([
            DocumentPart::Heading("Ratings"),
            DocumentPart::Table(filled(figures, ratings(figures))),
            DocumentPart::Lines(of_ratings(figures)),
        ]);
    }
    if CROSSTABLE.contains(&figures.bots.len()) {
        blocks.extend([
            DocumentPart::Heading("Crosstable, points of the row's bot"),
            DocumentPart::Table(crosstable(figures)),
        ]);
    }
    let mut section = |heading: &'static str, lines: Vec<String>| {
        if !lines.is_empty() {
            blocks.extend([DocumentPart::Heading(heading), DocumentPart::Lines(lines)]);
        }
    };
    section("SPRT", figures.sprt.as_ref().map(|test| test.lines()).unwrap_or_default());
    section(
        "Expected",
        figures
            .expectations
            .iter()
            .map(|line| format!("{}: {}", line.text, line.kept.word()))
            .collect(),
    );
    section(
        "Not scheduled",
        figures.absent.iter().map(|bot| format!("{}: {}", bot.name, bot.reason)).collect(),
    );
    section("Groups", groups(figures));
    section("Notes", notes(figures, explanation));
    blocks.extend(figures.two_bots.iter().map(|two| DocumentPart::Lines(vec![two.line()])));
    blocks
}

/// The title, the settings, and whether the results are complete.
fn head(figures: &Figures<'_>) -> Vec<DocumentPart> {
    let mut blocks: Vec<DocumentPart> =
        figures.name.map(|name| DocumentPart::Title(name.to_owned())).into_iter().collect();
    let game = figures.game.map(|game| match figures.options {
        Some(options) => format!("{game} ({options})"),
        None => game.to_owned(),
    });
    let games = figures.games.map(|GameCounts { played, scheduled, at_most }| {
        let at_most = if at_most { "at most " } else { "" };
        format!("{played} of {at_most}{scheduled} games")
    });
    let isolation = figures.isolation.map(|line| format!("isolation {}", isolation_summary(line)));
    let facts: Vec<String> =
        [game, figures.format.map(str::to_owned), games, isolation].into_iter().flatten().collect();
    let mut lines = Vec::new();
    if !facts.is_empty() {
        lines.push(facts.join(", "));
    }
    if figures.complete == Some(false) {
        lines.push("INCOMPLETE: not every game that was to be played counts here".to_owned());
    }
    if !lines.is_empty() {
        blocks.push(DocumentPart::Lines(lines));
    }
    blocks
}

/// A table with these columns and a line for each bot.
fn filled<'a>(figures: &Figures<'a>, columns: Vec<BotColumn<'a>>) -> DocumentTable {
    let row = |(place, bot)| columns.iter().map(|(_, cell)| cell(place, bot)).collect();
    let rows = figures.bots.iter().enumerate().map(row).collect();
    DocumentTable { rows, columns: columns.into_iter().map(|(column, _)| column).collect() }
}

/// Points and counts. Counts that are 0 for all bots are left out.
fn points<'a>(figures: &Figures<'a>) -> Vec<BotColumn<'a>> {
    type Count = fn(&BotFigures<'_>) -> u64;
    let count = |head: &str, of: Count| number(head, move |bot| of(bot).to_string());
    let mut columns: Vec<BotColumn<'a>> = vec![
        count("rank", |bot| bot.rank as u64),
        (TableColumn::words("bot"), Box::new(|_, bot| bot.name.to_owned())),
    ];
    if figures.bots.iter().any(|bot| bot.display.is_some()) {
        let display = |bot: &BotFigures<'_>| bot.display.unwrap_or_default().to_owned();
        columns.push((TableColumn::words("name"), Box::new(move |_, bot| display(bot))));
    }
    columns.push(number("points", |bot| format!("{:.1}", bot.points)));
    columns.push(count("games", |bot| bot.games));
    let counts: [(&str, Count); 7] = [
        ("wins", |bot| bot.wins),
        ("draws", |bot| bot.draws),
        ("losses", |bot| bot.losses),
        ("suicides", |bot| bot.suicides),
        ("forfeits", |bot| bot.forfeits),
        ("aborted", |bot| bot.aborted),
        ("byes", |bot| bot.byes as u64),
    ];
    let counted = counts.into_iter().filter(|(_, of)| figures.bots.iter().any(|bot| of(bot) > 0));
    columns.extend(counted.map(|(head, of)| count(head, of)));
    let versions: Count = |bot| bot.versions.unwrap_or_default();
    if figures.bots.iter().any(|bot| versions(bot) > 1) {
        columns.push(count("versions", versions));
    }
    columns.push(number("share %", share));
    columns.extend(tie_breaks(figures));
    columns
}

/// Ratings with their intervals, and the differences to the lines below.
fn ratings<'a>(figures: &'a Figures<'a>) -> Vec<BotColumn<'a>> {
    let mut columns: Vec<BotColumn<'a>> =
        vec![(TableColumn::words("bot"), Box::new(|_, bot| bot.name.to_owned()))];
    let groups = figures.groups.iter().filter(|group| group.bots.len() > 1);
    if groups.count() > 1 {
        columns.push(number("group", |bot| bot.rating.group.to_string()));
    }
    columns.push(number("rating", |bot| figure_text(bot.rating.rating, "-")));
    let bound = |bot: &BotFigures<'_>, bound: Option<f64>, none: &str| {
        figure_text(bound, if bot.rating.rating.is_some() { none } else { "-" })
    };
    columns.push(number("low", move |bot| bound(bot, bot.rating.low, "and less")));
    columns.push(number("high", move |bot| bound(bot, bot.rating.high, "and more")));
    if figures.neighbours.is_empty() {
        return columns;
    }
    let mut difference = |head: &str, show: fn(&NeighbourFigures<'_>) -> String| {
        let cell = move |place: usize| {
            let found = figures.neighbours.binary_search_by_key(&place, |two| two.place);
            found.map_or_else(|_| "-".to_owned(), |index| show(&figures.neighbours[index]))
        };
        columns.push((TableColumn::number(head), Box::new(move |place, _| cell(place))));
    };
    difference("to next", |two| figure_text(two.figures.difference, "-"));
    difference("95 %", |two| interval(two.figures.low, two.figures.high));
    difference("LOS %", |two| two.figures.superiority.map_or_else(|| "-".to_owned(), percent_text));
    columns
}

/// The tie-breaks of this ranking, if there are ties.
fn tie_breaks<'a>(figures: &Figures<'a>) -> Vec<BotColumn<'a>> {
    let mut columns: Vec<BotColumn<'a>> = Vec::new();
    if !figures.has_ties() {
        return columns;
    }
    for what in &figures.order {
        match *what {
            "margin" => columns.push(number("margin", |bot| bot.tie_breaks.margin.to_string())),
            "Buchholz" => {
                columns.push(number("Buchholz", |bot| format!("{:.1}", bot.tie_breaks.buchholz)))
            }
            "Sonneborn-Berger" => {
                columns
                    .push(number("S-B", |bot| format!("{:.2}", bot.tie_breaks.sonneborn_berger)));
            }
            what if what.starts_with("head-to-head") => {
                columns.push(number("head-to-head", |bot| {
                    figure_text(bot.tie_breaks.head_to_head, "-")
                }));
            }
            _ => {} // a column of every table
        }
    }
    columns
}

fn share(bot: &BotFigures<'_>) -> String {
    match (bot.share, bot.share_error) {
        (Some(share), Some(error)) => format!("{} ± {}", percent_text(share), percent_text(error)),
        (Some(share), None) => percent_text(share),
        (None, _) => "-".to_owned(),
    }
}

/// Points of the row's bot against the column's bot, with the number of games if that differs
/// between pairs of bots.
fn crosstable(figures: &Figures<'_>) -> DocumentTable {
    let size = figures.bots.len();
    let mut games = figures.crosstable.iter().map(|cell| cell.games);
    let first = games.next();
    let all_equal = games.all(|games| Some(games) == first);
    let show = |points: f64, games: u64| {
        if all_equal { format!("{points:.1}") } else { format!("{points:.1}/{games}") }
    };
    let mut cells = vec![vec!["-".to_owned(); size]; size];
    for (own, row) in cells.iter_mut().enumerate() {
        row[own].clear();
    }
    for cell in &figures.crosstable {
        let [one, other] = cell.places;
        cells[one][other] = show(cell.points, cell.games);
        cells[other][one] = show(cell.games as f64 - cell.points, cell.games);
    }
    let rows = figures.bots.iter().zip(cells).enumerate();
    let rows = rows.map(|(place, (bot, cells))| {
        [(place + 1).to_string(), bot.name.to_owned()].into_iter().chain(cells).collect()
    });
    let heads = (1..=size).map(|number| TableColumn::number(&number.to_string()));
    DocumentTable {
        columns: [TableColumn::number("no"), TableColumn::words("bot")]
            .into_iter()
            .chain(heads)
            .collect(),
        rows: rows.collect(),
    }
}
