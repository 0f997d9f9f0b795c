//! The match line: how two bots compare that played each other alone.

use super::contents::{Explanation, StandingsReport};
use super::rating_figures::DifferenceFigures;
use super::rounding::{interval, percent_text};
use super::sprt_figures::SprtFigures;
use serde::Serialize;

/// With fewer games the interval of the difference spans about 1,000 Elo for any results: figures
/// would look like a finding.
const FEW_GAMES: u64 = 4;

/// The result of a match, seen from its first bot; the object `"type":"match"` of `--json`.
#[derive(Debug, Serialize)]
pub struct MatchFigures<'a> {
    bot: &'a str,
    opponent: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    #[serde(flatten)]
    figures: DifferenceFigures,
    sprt: Option<&'a SprtFigures>,
}

impl<'a> MatchFigures<'a> {
    /// `None` unless there are two bots that have met.
    pub fn new(report: &'a StandingsReport) -> Option<MatchFigures<'a>> {
        let [bot, opponent] = report.standings.rows() else { return None };
        Some(MatchFigures {
            bot: &bot.name,
            opponent: &opponent.name,
            games: bot.games,
            wins: bot.wins,
            draws: bot.draws,
            losses: bot.losses,
            points: bot.points(),
            figures: DifferenceFigures::new(&report.ratings.difference(0, 1)?),
            sprt: report.sprt.as_ref(),
        })
    }

    /// The result in a line.
    pub fn line(&self, explanation: Explanation) -> String {
        let MatchFigures { bot, opponent, points, games, figures, .. } = self;
        let mut line = format!("{bot} against {opponent}: {points:.1} of {games}");
        // The line of the test has its estimate, and two of them would only puzzle.
        if explanation == Explanation::Short && self.sprt.is_some() {
            return line;
        }
        if *games < FEW_GAMES {
            return line + ", too few games to tell the stronger one";
        }
        line += &format!(
            ", {:+.1} Elo (95 %: {})",
            figures.difference.unwrap_or_default(),
            interval(figures.low, figures.high)
        );
        if explanation == Explanation::Full {
            let superiority = percent_text(figures.superiority.unwrap_or_default());
            line += &format!(", likelihood of superiority {superiority} %");
            if let Some(test) = self.sprt {
                line += &format!(", {}", test.ratio());
            }
        }
        line
    }
}
