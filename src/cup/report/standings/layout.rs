//! The content of text and Markdown: figures in, parts of a document out.

use super::contents::{Explanation, GameCounts};
use super::figures::{BotFigures, Figures};
use super::notes::{groups, notes, of_ratings};
use super::rounding::{
    bound_text, figure_text, interval, percent_text, whole_interval, whole_text,
};
use crate::report::document::{DocumentPart, DocumentTable, TableColumn};
use crate::report::isolation_summary;

/// Numbers of bots for which a crosstable is shown: with more it is too wide to read, with two it
/// adds nothing.
const CROSSTABLE: std::ops::RangeInclusive<usize> = 3..=20;

pub fn parts(figures: &Figures<'_>, explanation: Explanation) -> Vec<DocumentPart> {
    let mut parts = Vec::new();
    if let Some(name) = figures.name {
        parts.push(DocumentPart::Title(name.to_owned()));
    }
    let head = facts(figures);
    if !head.is_empty() {
        parts.push(DocumentPart::Lines(head));
    }
    let table = match explanation {
        Explanation::Short => short_table(figures),
        Explanation::Full => full_table(figures),
    };
    parts.push(DocumentPart::Table(table));
    if let Some(milestones) = &figures.milestones {
        parts.extend([
            DocumentPart::Heading("Milestones"),
            DocumentPart::Table(milestones.table()),
            DocumentPart::Lines(milestones.lines()),
        ]);
    }
    if explanation == Explanation::Full && figures.has_ratings() {
        parts.extend([
            DocumentPart::Heading("Ratings"),
            DocumentPart::Table(ratings(figures)),
            DocumentPart::Lines(of_ratings(figures)),
        ]);
    }
    if CROSSTABLE.contains(&figures.bots.len()) {
        parts.extend([
            DocumentPart::Heading("Crosstable, points of the row's bot"),
            DocumentPart::Table(crosstable(figures)),
        ]);
    }
    let test = match (figures.sprt, explanation) {
        (Some(test), Explanation::Short) => test.short_lines(),
        (Some(test), Explanation::Full) => test.lines(),
        (None, _) => Vec::new(),
    };
    let mut expected = Vec::new();
    for line in figures.expectations {
        expected.push(format!("{}: {}", line.text, line.kept.word()));
    }
    let mut absent = Vec::new();
    for bot in figures.absent {
        absent.push(format!("{}: {}", bot.name, bot.reason));
    }
    for (heading, lines) in [
        ("SPRT", test),
        ("Expected", expected),
        ("Not scheduled", absent),
        ("Groups", groups(figures)),
        ("Notes", notes(figures, explanation)),
    ] {
        if !lines.is_empty() {
            parts.extend([DocumentPart::Heading(heading), DocumentPart::Lines(lines)]);
        }
    }
    // Last, so that it is the end of the output of a match.
    if let Some(two) = &figures.two_bots {
        parts.push(DocumentPart::Lines(vec![two.line(explanation)]));
    }
    parts
}

/// The known settings, and whether the results are complete.
fn facts(figures: &Figures<'_>) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(game) = figures.game {
        facts.push(match figures.options {
            Some(options) => format!("{game} ({options})"),
            None => game.to_owned(),
        });
    }
    facts.extend(figures.format.map(str::to_owned));
    if let Some(GameCounts { played, scheduled, at_most }) = figures.games {
        let at_most = if at_most { "at most " } else { "" };
        facts.push(format!("{played} of {at_most}{scheduled} games"));
    }
    if let Some(line) = figures.isolation {
        facts.push(format!("isolation {}", isolation_summary(line)));
    }
    let mut lines = Vec::new();
    if !facts.is_empty() {
        lines.push(facts.join(", "));
    }
    if figures.complete == Some(false) {
        lines.push("INCOMPLETE: not every game that was to be played counts here".to_owned());
    }
    lines
}

/// A table of bots. It is filled by columns, because whether there is a column depends on all bots.
struct BotTable<'a> {
    bots: &'a [BotFigures<'a>],
    table: DocumentTable,
}

impl<'a> BotTable<'a> {
    fn new(figures: &'a Figures<'a>) -> BotTable<'a> {
        BotTable { bots: &figures.bots, table: DocumentTable::default() }
    }

    fn words(&mut self, head: &str, cell: impl Fn(&BotFigures<'a>) -> &'a str) {
        let cells = self.bots.iter().map(|bot| cell(bot).to_owned());
        self.table.push(TableColumn::words(head), cells);
    }

    fn number(&mut self, head: &str, cell: impl Fn(&BotFigures<'a>) -> String) {
        self.table.push(TableColumn::number(head), self.bots.iter().map(cell));
    }
}

/// The counts that have a column if any bot has one.
const COUNTS: [&str; 7] = ["wins", "draws", "losses", "suicides", "forfeits", "aborted", "byes"];

/// Those of the short table. Its notes have forfeits and aborted games; without the byes, points
/// and games would not agree.
const SHORT_COUNTS: [&str; 4] = ["wins", "draws", "losses", "byes"];

fn counts(bot: &BotFigures<'_>) -> [u64; COUNTS.len()] {
    let BotFigures { wins, draws, losses, suicides, forfeits, aborted, byes, .. } = *bot;
    [wins, draws, losses, suicides, forfeits, aborted, byes as u64]
}

/// What both tables begin with: ranks, names, points, and these counts.
fn points<'a>(figures: &'a Figures<'a>, shown: &[&str]) -> BotTable<'a> {
    let mut table = BotTable::new(figures);
    table.number("rank", |bot| bot.rank.to_string());
    table.words("bot", |bot| bot.name);
    if figures.bots.iter().any(|bot| bot.display.is_some()) {
        table.words("name", |bot| bot.display.unwrap_or_default());
    }
    table.number("points", |bot| format!("{:.1}", bot.points));
    table.number("games", |bot| bot.games.to_string());
    // Most tournaments have no draws, suicides, aborted games or byes, and a terminal is narrow.
    for (at, head) in COUNTS.iter().enumerate() {
        if shown.contains(head) && figures.bots.iter().any(|bot| counts(bot)[at] > 0) {
            table.number(head, |bot| counts(bot)[at].to_string());
        }
    }
    table
}

/// What most readers look for: points, results, ratings in whole Elo, and the tie-breaks that
/// decided a rank.
fn short_table(figures: &Figures<'_>) -> DocumentTable {
    let mut table = points(figures, &SHORT_COUNTS);
    if figures.has_ratings() {
        if figures.has_several_groups() {
            table.number("group", |bot| bot.rating.group.to_string());
        }
        table.number("rating", |bot| match bot.rating.rating {
            Some(rating) => whole_text(rating),
            None => "-".to_owned(),
        });
        table.number("95 %", |bot| match bot.rating.rating {
            Some(_) => whole_interval(bot.rating.low, bot.rating.high),
            None => "-".to_owned(),
        });
    }
    tie_breaks(&mut table, &figures.deciding_tie_breaks());
    table.table
}

/// Points, all counts and all tie-breaks.
fn full_table(figures: &Figures<'_>) -> DocumentTable {
    let mut table = points(figures, &COUNTS);
    if figures.has_versions() {
        table.number("versions", |bot| bot.versions.unwrap_or_default().to_string());
    }
    table.number("share %", share);
    if figures.has_ties() {
        tie_breaks(&mut table, &figures.order);
    }
    table.table
}

/// The columns of the criteria by which equal points are ranked.
fn tie_breaks(table: &mut BotTable<'_>, order: &[&str]) {
    for criterion in order {
        match *criterion {
            "margin" => table.number("margin", |bot| bot.tie_breaks.margin.to_string()),
            "Buchholz" => {
                table.number("Buchholz", |bot| format!("{:.1}", bot.tie_breaks.buchholz));
            }
            "Sonneborn-Berger" => {
                table.number("S-B", |bot| format!("{:.2}", bot.tie_breaks.sonneborn_berger));
            }
            word if word.starts_with("head-to-head") => {
                table.number("H2H", |bot| figure_text(bot.tie_breaks.head_to_head, "-"));
            }
            _ => {} // a column of every table
        }
    }
}

fn share(bot: &BotFigures<'_>) -> String {
    match (bot.share, bot.share_error) {
        (Some(share), Some(error)) => format!("{} ± {}", percent_text(share), percent_text(error)),
        (Some(share), None) => percent_text(share),
        (None, _) => "-".to_owned(),
    }
}

/// Ratings with their intervals, and the differences to the lines below.
fn ratings(figures: &Figures<'_>) -> DocumentTable {
    let mut table = BotTable::new(figures);
    table.words("bot", |bot| bot.name);
    if figures.has_several_groups() {
        table.number("group", |bot| bot.rating.group.to_string());
    }
    table.number("rating", |bot| figure_text(bot.rating.rating, "-"));
    table.number("low", |bot| bound_text(bot.rating.rating, bot.rating.low, "and less"));
    table.number("high", |bot| bound_text(bot.rating.rating, bot.rating.high, "and more"));
    let mut table = table.table;
    if figures.neighbours.is_empty() {
        return table;
    }
    // Neighbours of different groups have no difference, so not every line has one.
    let mut differences = vec![["-", "-", "-"].map(str::to_owned); figures.bots.len()];
    for two in &figures.neighbours {
        let between = &two.figures;
        differences[two.place] = [
            figure_text(between.difference, "-"),
            interval(between.low, between.high),
            match between.superiority {
                Some(probability) => percent_text(probability),
                None => "-".to_owned(),
            },
        ];
    }
    for (at, head) in ["to next", "95 %", "LOS %"].into_iter().enumerate() {
        let cells = differences.iter().map(|cells| cells[at].clone());
        table.push(TableColumn::number(head), cells);
    }
    table
}

/// Points of the row's bot against the column's bot, with the number of games if that differs
/// between pairs of bots.
fn crosstable(figures: &Figures<'_>) -> DocumentTable {
    let size = figures.bots.len();
    let met = &figures.crosstable;
    let all_equal = met.windows(2).all(|cells| cells[0].games == cells[1].games);
    let mut cells = vec![vec!["-".to_owned(); size]; size];
    for (place, row) in cells.iter_mut().enumerate() {
        row[place].clear(); // a bot does not meet itself
    }
    for cell in met {
        let [one, other] = cell.places;
        // Both bots have a cell, and what one does not win of a game the other one does.
        for (row, column, points) in
            [(one, other, cell.points), (other, one, cell.games as f64 - cell.points)]
        {
            let games = if all_equal { String::new() } else { format!("/{}", cell.games) };
            cells[row][column] = format!("{points:.1}{games}");
        }
    }
    let mut columns = vec![TableColumn::number("no"), TableColumn::words("bot")];
    let mut rows = Vec::new();
    for ((number, bot), points) in (1..).zip(&figures.bots).zip(cells) {
        columns.push(TableColumn::number(&number.to_string()));
        let mut row = vec![number.to_string(), bot.name.to_owned()];
        row.extend(points);
        rows.push(row);
    }
    DocumentTable { columns, rows }
}
