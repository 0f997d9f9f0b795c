//! The sentences of text and Markdown.

use super::contents::Explanation;
use super::figures::Figures;
use super::rating_figures::{FirstSideFigures, GroupFigures};
use super::rounding::{figure_text, interval, percent_text};
use crate::report::text::first_of;
use arbiter_rules::text::counted;

/// Maximum number of groups that are listed.
const NAMED_GROUPS: usize = 12;

/// Maximum number of bots that are listed for a group.
const NAMED_BOTS: usize = 12;

/// A note mentions that repeated games make intervals wider if they are at least this many times as
/// wide.
const WIDER: f64 = 1.05;

/// What stands below the ratings (definition 17).
pub fn of_ratings(figures: &Figures<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(scatter) = figures.scatter {
        let repeats = figures.bots.iter().any(|bot| bot.repeated > 0);
        let with = if repeats { ", with games that repeat each other counted as one" } else { "" };
        lines.push(format!(
            "Over all bots, results scatter {scatter:.1} times as widely as \
             independent games would{with}"
        ));
    }
    if let Some(kept) = figures.kept.iter().flatten().find(|kept| **kept < 1.0) {
        lines.push(format!(
            "Bots with equal results met, so luck adds up: of a difference of ratings {} % counts \
             for its interval and LOS (kept)",
            percent_text(*kept)
        ));
    }
    lines.push(
        "We add one virtual draw per bot, so that every bot has a rating; the interval holds the \
         strength with 95 % confidence"
            .to_owned(),
    );
    lines
}

/// Which bots cannot be compared.
pub fn groups(figures: &Figures<'_>) -> Vec<String> {
    // A bot without games is a group of its own, and has no rating to compare.
    let rated: Vec<&GroupFigures<'_>> =
        figures.groups.iter().filter(|group| group.bots.len() > 1).collect();
    if rated.len() <= 1 {
        return Vec::new();
    }
    let mut lines =
        vec!["Ratings compare bots of the same group only: no games connect the groups".to_owned()];
    for group in rated.iter().take(NAMED_GROUPS) {
        lines.push(format!("Group {}: {}", group.number, first_of(&group.bots, NAMED_BOTS)));
    }
    if rated.len() > NAMED_GROUPS {
        lines.push(format!("and {} more groups", rated.len() - NAMED_GROUPS));
    }
    lines
}

pub fn notes(figures: &Figures<'_>, explanation: Explanation) -> Vec<String> {
    let mut lines = Vec::new();
    if explanation == Explanation::Full {
        lines.extend(first_side(&figures.first_side));
        lines.extend(explanations(figures));
    }
    for bot in &figures.bots {
        let mut reasons = Vec::new();
        for (reason, count) in bot.forfeits_by_reason.iter() {
            if count > 0 {
                reasons.push(format!("{count} {reason}"));
            }
        }
        if !reasons.is_empty() {
            lines.push(format!("Forfeits of {}: {}", bot.name, reasons.join(", ")));
        }
    }
    lines.extend(repetition(figures));
    // Each game is counted for both of its bots.
    match figures.bots.iter().map(|bot| bot.aborted).sum::<u64>() / 2 {
        0 => {}
        1 => lines.push("1 game has no result and does not count".to_owned()),
        games => lines.push(format!("{games} games have no result and do not count")),
    }
    lines.extend_from_slice(figures.notes);
    lines
}

/// How many games repeat others, and what that does.
fn repetition(figures: &Figures<'_>) -> Option<String> {
    let mut count = 0;
    let mut bots = Vec::new();
    for bot in &figures.bots {
        if bot.repeated > 0 {
            count += bot.repeated;
            bots.push(format!("{} {} of {}", bot.name, bot.repeated, bot.games));
        }
    }
    count /= 2; // each game is counted for both of its bots
    if count == 0 {
        return None;
    }
    let verb = if count == 1 { "repeats" } else { "repeat" };
    // The variance grows with the repetition, and the width with its square root.
    let times = figures.fit.repetition.unwrap_or(1.0).sqrt();
    let wider = if times >= WIDER {
        format!("; for that the intervals of all bots are up to {times:.1} times as wide")
    } else {
        String::new()
    };
    Some(format!(
        "WARNING: {} {verb} the moves of earlier ones of the same bots and sides ({}), \
         which shows nothing new{wider}",
        counted(count, "game"),
        first_of(&bots, NAMED_BOTS)
    ))
}

fn first_side(side: &FirstSideFigures) -> Option<String> {
    let share = percent_text(side.share?);
    let FirstSideFigures { wins, draws, losses, .. } = side;
    let results = format!("won {wins}, drew {draws} and lost {losses}: {share} %");
    if side.reason == Some("left-out") {
        return Some(format!(
            "The side that is named first {results}; the ratings leave out an advantage of it"
        ));
    }
    let advantage = match side.advantage {
        Some(elo) => format!(
            "in the model, other things equal, that side is stronger by {elo:.1} Elo (95 %: {})",
            interval(side.low, side.high)
        ),
        None => "these games do not show its advantage, which the ratings take as 0 Elo".to_owned(),
    };
    Some(format!("The side that moves first {results}; {advantage}"))
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
    if figures.has_versions() {
        lines.push(
            "Versions: how many contents the bot has been scheduled with; \
             the games of the last one count"
                .to_owned(),
        );
    }
    if figures.has_ratings() {
        let mut anchors = Vec::new();
        for anchor in &figures.anchors {
            anchors.push(format!("{} has {}", anchor.bot, figure_text(Some(anchor.rating), "")));
        }
        let zero =
            if anchors.is_empty() { "mean 0 in a group".to_owned() } else { anchors.join(", ") };
        let relative = if anchors.len() > 1 {
            "the anchors of the group, if it has several"
        } else {
            "the group's mean"
        };
        lines.push(format!(
            "Rating: Elo, {zero}; low and high: its 95 % interval, relative to {relative}, \
             with \"and more\" or \"and less\" where no result bounds it"
        ));
    }
    if !figures.neighbours.is_empty() {
        lines.push(
            "To next: the rating less that of the line below, \
             with the 95 % interval of this difference"
                .to_owned(),
        );
        lines.push(
            "LOS: likelihood of superiority, the probability that a bot is stronger \
             than the one in the line below"
                .to_owned(),
        );
    }
    lines
}
