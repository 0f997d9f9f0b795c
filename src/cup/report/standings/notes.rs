//! The sentences of text and Markdown.

use super::contents::Explanation;
use super::figures::Figures;
use super::rating_figures::{FirstSideFigures, GroupFigures};
use super::rounding::{figure_text, interval, percent_text};

/// Maximum number of groups that are listed.
const NAMED_GROUPS: usize = 12;

/// Maximum number of bots that are listed for a group.
const NAMED_BOTS: usize = 12;

/// What stands below the ratings (definition 17).
pub(super) fn of_ratings(figures: &Figures<'_>) -> Vec<String> {
    let repeats = figures.bots.iter().any(|bot| bot.repeated > 0);
    let with = if repeats { ", with games that repeat each other counted as one" } else { "" };
    let scatter = |scatter: f64| {
        format!(
            "Over all bots, results scatter {scatter:.1} times as widely as independent games would{with}"
        )
    };
    let swiss = figures.kept.iter().flatten().find(|kept| **kept < 1.0).map(|kept| {
        format!(
            "Bots with equal results met, so luck adds up: of a difference of ratings {} % counts for its interval and LOS \
             (kept)",
            percent_text(*kept)
        )
    });
    let sentence = "Each bot gets one drawn game that was not played, so that a rating exists for every bot and is on \
                    average neither too large nor too small; the interval says where the strength lies with 95 % \
                    confidence";
    figures.scatter.map(scatter).into_iter().chain(swiss).chain([sentence.to_owned()]).collect()
}

/// Which bots cannot be compared.
pub(super) fn groups(figures: &Figures<'_>) -> Vec<String> {
    let rated: Vec<&GroupFigures<'_>> =
        figures.groups.iter().filter(|group| group.bots.len() > 1).collect();
    if rated.len() <= 1 {
        return Vec::new();
    }
    let mut lines =
        vec!["Ratings compare bots of the same group only: no games connect the groups".to_owned()];
    for group in rated.iter().take(NAMED_GROUPS) {
        let named: Vec<&str> = group.bots.iter().take(NAMED_BOTS).copied().collect();
        let more = group.bots.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        lines.push(format!("Group {}: {}{more}", group.number, named.join(", ")));
    }
    if rated.len() > NAMED_GROUPS {
        lines.push(format!("and {} more groups", rated.len() - NAMED_GROUPS));
    }
    lines
}

pub(super) fn notes(figures: &Figures<'_>, explanation: Explanation) -> Vec<String> {
    let mut lines: Vec<String> = first_side(figures).into_iter().collect();
    if explanation == Explanation::Full {
        lines.extend(explanations(figures));
    }
    for bot in figures.bots.iter().filter(|bot| bot.forfeits > 0) {
        let reasons = bot.forfeits_by_reason.iter().filter(|&(_, count)| count > 0);
        let reasons: Vec<String> =
            reasons.map(|(reason, count)| format!("{count} {reason}")).collect();
        if !reasons.is_empty() {
            lines.push(format!("Forfeits of {}: {}", bot.name, reasons.join(", ")));
        }
    }
    lines.extend(repetition(figures));
    let aborted = figures.bots.iter().map(|bot| bot.aborted).sum::<u64>() / 2;
    if aborted > 0 {
        let verb = if aborted == 1 {
            "game has no result and does"
        } else {
            "games have no result and do"
        };
        lines.push(format!("{aborted} {verb} not count"));
    }
    lines.extend(figures.notes.iter().map(ToString::to_string));
    lines
}

/// How many games repeat others, and what that does.
fn repetition(figures: &Figures<'_>) -> Option<String> {
    let repeated: Vec<_> = figures.bots.iter().filter(|bot| bot.repeated > 0).collect();
    let count = repeated.iter().map(|bot| bot.repeated).sum::<u64>() / 2;
    let named = repeated.iter().take(NAMED_BOTS);
    let named: Vec<String> =
        named.map(|bot| format!("{} {} of {}", bot.name, bot.repeated, bot.games)).collect();
    let more = match repeated.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let verb = if count == 1 { "game repeats" } else { "games repeat" };
    let wider = match figures.fit.repetition.unwrap_or(1.0).sqrt() {
        times @ 1.05.. => {
            format!("; for that the intervals of all bots are up to {times:.1} times as wide")
        }
        _ => String::new(),
    };
    (count > 0).then(|| {
        format!(
            "WARNING: {count} {verb} the plies of earlier ones of the same bots and sides ({}{more}), which shows nothing \
             new{wider}",
            named.join(", ")
        )
    })
}

fn first_side(figures: &Figures<'_>) -> Option<String> {
    let side = &figures.first_side;
    let share = percent_text(side.share?);
    let FirstSideFigures { wins, draws, losses, .. } = *side;
    if side.reason == Some("left-out") {
        return Some(format!(
            "The side that is named first won {wins}, drew {draws} and lost {losses}: {share} %; the ratings leave out an \
             advantage of it"
        ));
    }
    let advantage = match side.advantage {
        Some(elo) => format!(
            "in the model, other things equal, that side is stronger by {elo:.1} Elo (95 %: {})",
            interval(side.low, side.high)
        ),
        None => "these games do not show its advantage, which the ratings take as 0 Elo".to_owned(),
    };
    Some(format!(
        "The side that moves first won {wins}, drew {draws} and lost {losses}: {share} %; {advantage}"
    ))
}

/// A sentence for every figure of the tables.
fn explanations(figures: &Figures<'_>) -> Vec<String> {
    let mut lines = vec![format!(
        "Ranked by {}; bots equal in all of these share a rank",
        figures.order.join(", then ")
    )];
    if figures.bots.iter().any(|bot| bot.share_error.is_some()) {
        lines.push(
            "Share: points by games, with half the 95 % interval over pairs as they were played"
                .to_owned(),
        );
    }
    if figures.bots.iter().any(|bot| bot.versions > Some(1)) {
        lines.push(
            "Versions: how many contents the bot has been scheduled with; the games of the last one count"
                .to_owned(),
        );
    }
    if figures.bots.iter().any(|bot| bot.rating.rating.is_some()) {
        let anchors: Vec<String> = figures
            .anchors
            .iter()
            .map(|anchor| format!("{} has {}", anchor.bot, figure_text(Some(anchor.rating), "")))
            .collect();
        let (zero, relative) = match &anchors[..] {
            [] => ("mean 0 in a group".to_owned(), "the group's mean"),
            [anchor] => (anchor.clone(), "the group's mean"),
            _ => (anchors.join(", "), "the anchors of the group, if it has several"),
        };
        lines.push(format!(
            "Rating: Elo, {zero}; low and high: its 95 % interval, relative to {relative}, with \"and more\" or \
             \"and less\" where no result bounds it"
        ));
    }
    if !figures.neighbours.is_empty() {
        lines.push(
            "To next: the rating less that of the line below, with the 95 % interval of this difference"
                .to_owned(),
        );
        lines.push(
            "LOS: likelihood of superiority, the probability that a bot is stronger than the one in the line below"
                .to_owned(),
        );
    }
    lines
}
