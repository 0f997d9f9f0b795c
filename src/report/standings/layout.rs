//! The content of text and Markdown: figures in, parts of a document out.

use super::figures::{BotFigures, Figures};
use super::rating_figures::RatingFigures;
use crate::report::document::{DocumentPart, DocumentTable, TableColumn};

/// Numbers of bots for which a crosstable is shown: with more it is too wide to read, with two it adds
/// nothing.
const CROSSTABLE: std::ops::RangeInclusive<usize> = 3..=20;

/// Maximum number of groups that are listed.
const NAMED_GROUPS: usize = 12;

/// Maximum number of bots that are listed for a group.
const NAMED_BOTS: usize = 12;

/// A column of the table: its header, and its cell for a line and bot.
type BotColumn<'a> = (TableColumn, Box<dyn Fn(usize, &BotFigures<'a>) -> String + 'a>);

pub(super) fn blocks(figures: &Figures<'_>) -> Vec<DocumentPart> {
    let mut blocks = head(figures);
    blocks.push(DocumentPart::Table(table(figures)));
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
        figures.expectations.iter().map(|line| format!("{}: {}", line.text, line.kept.word())).collect(),
    );
    section(
        "Not scheduled",
        figures.absent.iter().map(|bot| format!("{}: {}", bot.name, bot.reason)).collect(),
    );
    section("Groups", groups(figures));
    section("Notes", notes(figures));
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
    let games = figures.games.as_ref().map(|games| format!("{} of {} games", games.played, games.scheduled));
    let isolation = figures.isolation.map(|isolation| format!("isolation {isolation}"));
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

fn table(figures: &Figures<'_>) -> DocumentTable {
    let mut columns = counts();
    if figures.bots.iter().any(|bot| bot.byes > 0) {
        columns.push((TableColumn::number("byes"), Box::new(|_, bot| bot.byes.to_string())));
    }
    columns.push((TableColumn::number("share %"), Box::new(|_, bot| share(bot))));
    columns.extend(tie_breaks(figures));
    if let Some(fit) = &figures.fit {
        if figures.groups.len() > 1 {
            let group = |bot: &BotFigures<'_>| bot.rating.as_ref().map(|rating| rating.group.to_string());
            columns
                .push((TableColumn::number("group"), Box::new(move |_, bot| group(bot).unwrap_or_default())));
        }
        let width = |rating: &RatingFigures| fit.choose(rating.half_width, rating.half_width_pairs);
        let cell = move |bot: &BotFigures<'_>| bot.rating.as_ref().map(|rating| rated(rating, width(rating)));
        columns.push((TableColumn::number("rating"), Box::new(move |_, bot| cell(bot).unwrap_or_default())));
    }
    if !figures.neighbours.is_empty() {
        columns.push((TableColumn::number("LOS %"), Box::new(|place, bot| superiority(figures, place, bot))));
    }
    let row = |(place, bot)| columns.iter().map(|(_, cell)| cell(place, bot)).collect();
    let rows = figures.bots.iter().enumerate().map(row).collect();
    DocumentTable { rows, columns: columns.into_iter().map(|(column, _)| column).collect() }
}

/// The columns that every table has.
fn counts<'a>() -> Vec<BotColumn<'a>> {
    let number = |head: &str, of: fn(&BotFigures<'_>) -> u64| -> BotColumn<'a> {
        (TableColumn::number(head), Box::new(move |_, bot| of(bot).to_string()))
    };
    vec![
        number("rank", |bot| bot.rank as u64),
        (TableColumn::words("bot"), Box::new(|_, bot| bot.name.to_owned())),
        (TableColumn::number("points"), Box::new(|_, bot| format!("{:.1}", bot.points))),
        number("games", |bot| bot.games),
        number("wins", |bot| bot.wins),
        number("draws", |bot| bot.draws),
        number("losses", |bot| bot.losses),
        number("suicides", |bot| bot.suicides),
        number("forfeits", |bot| bot.forfeits),
        number("aborted", |bot| bot.aborted),
    ]
}

/// The tie-breaks of this ranking, if there are ties.
fn tie_breaks<'a>(figures: &Figures<'a>) -> Vec<BotColumn<'a>> {
    let mut columns: Vec<BotColumn<'a>> = Vec::new();
    if !figures.has_ties() {
        return columns;
    }
    for what in figures.order {
        match *what {
            "Buchholz" => columns.push((
                TableColumn::number("Buchholz"),
                Box::new(|_, bot| format!("{:.1}", bot.tie_breaks.buchholz)),
            )),
            "Sonneborn-Berger" => columns.push((
                TableColumn::number("S-B"),
                Box::new(|_, bot| format!("{:.2}", bot.tie_breaks.sonneborn_berger)),
            )),
            what if what.starts_with("head-to-head") => {
                let cell =
                    |bot: &BotFigures<'_>| bot.tie_breaks.head_to_head.map(|points| format!("{points:.1}"));
                let cell = move |bot: &BotFigures<'_>| cell(bot).unwrap_or_else(|| "-".to_owned());
                columns.push((TableColumn::number("head-to-head"), Box::new(move |_, bot| cell(bot))));
            }
            _ => {} // a column of every table
        }
    }
    columns
}

fn percent(value: f64) -> String {
    format!("{:.1}", 100.0 * value)
}

fn share(bot: &BotFigures<'_>) -> String {
    match (bot.share, bot.share_error) {
        (Some(share), Some(error)) => format!("{} ± {}", percent(share), percent(error)),
        (Some(share), None) => percent(share),
        (None, _) => "-".to_owned(),
    }
}

fn rated(rating: &RatingFigures, width: Option<f64>) -> String {
    match (rating.rating, width, rating.at_least, rating.at_most) {
        (Some(rating), Some(width), ..) => format!("{rating:.1} ± {width:.1}"),
        (Some(rating), None, ..) => format!("{rating:.1}"),
        (None, _, Some(limit), _) => format!(">= {limit:.0}"),
        (None, _, None, Some(limit)) => format!("<= {limit:.0}"),
        (None, _, None, None) => "-".to_owned(),
    }
}

/// The likelihood of superiority over the bot in the line below.
fn superiority(figures: &Figures<'_>, place: usize, bot: &BotFigures<'_>) -> String {
    let below = figures.bots.get(place + 1).map(|below| below.name);
    let two = figures.neighbours.iter().find(|two| two.bot == bot.name && Some(two.below) == below);
    let likelihood = two.zip(figures.fit.as_ref());
    let likelihood = likelihood.and_then(|(two, fit)| fit.choose(two.superiority, two.superiority_pairs));
    likelihood.map_or_else(|| "-".to_owned(), percent)
}

/// Points of the row's bot against the column's bot, with the number of games if that differs between pairs
/// of bots.
fn crosstable(figures: &Figures<'_>) -> DocumentTable {
    let size = figures.bots.len();
    let mut games = figures.crosstable.iter().map(|cell| cell.games);
    let first = games.next();
    let all_equal = games.all(|games| Some(games) == first);
    let show = |points: f64, games: u64| {
        if all_equal { format!("{points:.1}") } else { format!("{points:.1}/{games}") }
    };
    let mut cells = vec![vec!["-".to_owned(); size]; size];
    (0..size).for_each(|own| cells[own][own].clear());
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
        columns: [TableColumn::number("no"), TableColumn::words("bot")].into_iter().chain(heads).collect(),
        rows: rows.collect(),
    }
}

/// Which bots cannot be compared.
fn groups(figures: &Figures<'_>) -> Vec<String> {
    let count = figures.groups.len();
    if count <= 1 {
        return Vec::new();
    }
    let mut lines = vec!["Ratings compare bots of the same group only".to_owned()];
    if count > NAMED_GROUPS {
        lines.push(format!("There are {count} groups: too few games, or too unequal bots"));
        return lines;
    }
    for group in &figures.groups {
        let named: Vec<&str> = group.bots.iter().take(NAMED_BOTS).copied().collect();
        let more = group.bots.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        lines.push(format!("Group {}: {}{more}", group.number, named.join(", ")));
    }
    let is = |above, below| figures.relations.iter().any(|r| (r.above, r.below) == (above, below));
    // Relations that follow from two others are not listed.
    let nearest = |above, below| is(above, below) && !(1..=count).any(|mid| is(above, mid) && is(mid, below));
    for one in 1..=count {
        for other in (1..=count).filter(|&other| nearest(one, other)) {
            lines.push(format!("Group {one} is above group {other}"));
        }
        for other in (one + 1..=count).filter(|&other| !is(one, other) && !is(other, one)) {
            lines.push(format!("Groups {one} and {other} are not comparable"));
        }
    }
    lines
}

fn notes(figures: &Figures<'_>) -> Vec<String> {
    let mut lines =
        vec![format!("Ranked by {}; bots equal in all of these share a rank", figures.order.join(", then "))];
    lines.extend(first_side(figures));
    if figures.bots.iter().any(|bot| bot.share_error.is_some()) {
        lines.push(
            "Share: points by games, with half the 95 % interval over pairs as they were played".to_owned(),
        );
    }
    lines.extend(ratings(figures));
    for bot in figures.bots.iter().filter(|bot| bot.forfeits > 0) {
        let reasons = bot.forfeits_by_reason.iter().filter(|&(_, count)| count > 0);
        let reasons: Vec<String> = reasons.map(|(reason, count)| format!("{count} {reason}")).collect();
        if !reasons.is_empty() {
            lines.push(format!("Forfeits of {}: {}", bot.name, reasons.join(", ")));
        }
    }
    let repeated: Vec<String> = figures
        .bots
        .iter()
        .filter(|bot| bot.repeated > 0)
        .map(|bot| format!("{} {} of {}", bot.name, bot.repeated, bot.games))
        .collect();
    if !repeated.is_empty() {
        lines.push(format!(
            "WARNING: games repeat the plies of an earlier game of the same bots and sides, and so give less \
             information than their number suggests: {}",
            repeated.join(", ")
        ));
    }
    let aborted = figures.bots.iter().map(|bot| bot.aborted).sum::<u64>() / 2;
    if aborted > 0 {
        let verb = if aborted == 1 { "game has no result and does" } else { "games have no result and do" };
        lines.push(format!("{aborted} {verb} not count"));
    }
    lines.extend(figures.notes.iter().cloned());
    lines
}

fn first_side(figures: &Figures<'_>) -> Option<String> {
    let side = &figures.first_side;
    let share = percent(side.share?);
    let mut line = format!(
        "The side that moves first won {}, drew {} and lost {}: {share} %",
        side.wins, side.draws, side.losses
    );
    let width = figures.fit.as_ref().and_then(|fit| fit.choose(side.half_width, side.half_width_pairs));
    line.push_str(&match (side.elo, width, side.reason) {
        (Some(elo), Some(width), _) => format!("; its advantage is {elo:.1} ± {width:.1} Elo"),
        (Some(elo), None, _) => format!("; its advantage is {elo:.1} Elo"),
        (None, _, Some(reason @ ("+inf" | "-inf" | "unidentified"))) => {
            format!("; its advantage cannot be estimated from these games ({reason}) and is taken as 0 Elo")
        }
        (None, _, Some(_)) => "; the fit did not converge, so there are no ratings".to_owned(),
        (None, _, None) => String::new(),
    });
    Some(line)
}

/// Explains the ratings and the width shown with them.
fn ratings(figures: &Figures<'_>) -> Vec<String> {
    let Some(fit) = &figures.fit else { return Vec::new() };
    let rated = || figures.bots.iter().filter_map(|bot| bot.rating.as_ref());
    let mut lines = Vec::new();
    if rated().any(|rating| rating.rating.is_some()) {
        let zero =
            figures.anchor.map_or_else(|| "mean 0 in a group".to_owned(), |bot| format!("{bot} has 0"));
        let width = match fit.shown_width {
            "pairs" => "half the 95 % interval from pairs of games",
            _ => "half the 95 % interval from the information, too wide where games are drawn",
        };
        lines.push(format!("Rating: Elo, {zero}, with {width}, relative to the group's mean"));
    }
    if rated().any(|rating| rating.at_least.or(rating.at_most).is_some()) {
        let what = "it won, or lost, all its games against group 1";
        lines.push(format!(">= and <= are one-sided 95 % limits of a bot alone in its group: {what}"));
    }
    if !figures.neighbours.is_empty() {
        lines.push(
            "LOS: likelihood of superiority, the probability that a bot is stronger than the one in the line below"
                .to_owned(),
        );
    }
    lines
}
