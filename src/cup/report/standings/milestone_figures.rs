//! The figures of milestones.

use super::contents::StandingsReport;
use super::rounding::fine;
use crate::report::document::{DocumentTable, TableColumn};
use crate::tournament::StepStatus;
use arbiter_game::Fault;
use arbiter_rank::rating::StepTest;
use arbiter_rank::standings::{RankedBot, Row};
use arbiter_rules::text::counted;
use serde::Serialize;
use std::fmt::Write;

/// The milestones of all bots, rounded.
#[derive(Debug, Serialize)]
pub(super) struct MilestonesFigures<'a> {
    score: f64,
    wrong: f64,
    steps: Vec<&'a str>,
    /// Of each step that lost games by forfeit, how many, and what that means.
    warnings: Vec<String>,
    /// In the order of the table, without the steps.
    bots: Vec<BotMilestonesFigures<'a>>,
}

/// The milestones of a bot.
#[derive(Debug, Serialize)]
pub(super) struct BotMilestonesFigures<'a> {
    bot: &'a str,
    /// The number of steps that it has passed.
    passed: usize,
    text: String,
    steps: Vec<StepFigures<'a>>,
}

/// A bot at a step.
#[derive(Debug, Serialize)]
struct StepFigures<'a> {
    step: &'a str,
    verdict: &'static str,
    confidence: Option<f64>,
    pairs: u64,
    share: Option<f64>,
    more_games: Option<u64>,
    left_out: u64,
}

impl<'a> MilestonesFigures<'a> {
    /// None if there are no milestones; `table` has the order of the lines.
    pub(super) fn of(
        report: &'a StandingsReport,
        table: &[RankedBot<'a>],
    ) -> Option<MilestonesFigures<'a>> {
        let milestones = report.milestones.as_ref()?;
        let standings = &report.standings;
        let name = |bot: usize| standings.rows()[bot].name.as_str();
        let bots =
            table.iter().filter(|placed| !milestones.steps().contains(&placed.bot)).map(|placed| {
                let found = milestones.of(placed.bot);
                let steps: Vec<StepFigures<'a>> = milestones
                    .steps()
                    .iter()
                    .zip(&found)
                    .map(|(&step, &status)| StepFigures {
                        left_out: milestones.left_out(placed.bot, step),
                        more_games: milestones
                            .forecast(placed.bot, step)
                            .filter(|_| status == StepStatus::Undecided)
                            .map(|pairs| 2 * pairs),
                        ..StepFigures::new(name(step), status, milestones.test(placed.bot, step))
                    })
                    .collect();
                let passed = found.iter().filter(|status| **status == StepStatus::Passed).count();
                BotMilestonesFigures {
                    bot: name(placed.bot),
                    passed,
                    text: sentence(passed, &steps),
                    steps,
                }
            });
        Some(MilestonesFigures {
            score: milestones.rule().score,
            wrong: milestones.rule().wrong,
            steps: milestones.steps().iter().map(|&step| name(step)).collect(),
            warnings: milestones
                .steps()
                .iter()
                .filter_map(|&step| warning(&standings.rows()[step]))
                .collect(),
            bots: bots.collect(),
        })
    }

    /// The sentence about a bot; none if it is a step.
    pub(super) fn text_of(&self, bot: &str) -> Option<&str> {
        self.bots
            .iter()
            .find(|milestones| milestones.bot == bot)
            .map(|milestones| milestones.text.as_str())
    }

    /// What a step asks, as a part of a sentence.
    pub(super) fn asked(&self) -> String {
        format!("a step asks {} % of the points", percent(self.score))
    }

    /// The table: of each bot the highest step that it has passed, and the next one.
    pub(super) fn table(&self) -> DocumentTable {
        let columns = [
            TableColumn::words("bot"),
            TableColumn::words("passed"),
            TableColumn::number("sure"),
            TableColumn::words("next"),
            TableColumn::words("verdict"),
            TableColumn::number("sure"),
            TableColumn::number("more games"),
        ];
        let row = |milestones: &BotMilestonesFigures<'_>| {
            let [passed, next] = milestones.ends();
            let step =
                |step: Option<&StepFigures<'_>>| step.map_or("-", |step| step.step).to_owned();
            let sure = |step: Option<&StepFigures<'_>>| {
                step.and_then(StepFigures::sure).unwrap_or_else(|| "-".to_owned())
            };
            let verdict = next.map_or("-", |step| step.verdict).to_owned();
            let more = next
                .and_then(|step| step.more_games)
                .map_or_else(|| "-".to_owned(), |games| about(games).to_string());
            vec![
                milestones.bot.to_owned(),
                step(passed),
                sure(passed),
                step(next),
                verdict,
                sure(next),
                more,
            ]
        };
        DocumentTable { columns: columns.into(), rows: self.bots.iter().map(row).collect() }
    }

    /// The sentences below the table.
    pub(super) fn lines(&self) -> Vec<String> {
        let steps = self.steps.join(", ");
        let asked = self.asked();
        let wrong = percent(self.wrong);
        let steps = format!(
            "Steps, the weakest first: {steps}; {asked}, and a verdict is wrong with a probability of at most {wrong} %"
        );
        std::iter::once(steps).chain(self.warnings.iter().cloned()).collect()
    }

    /// A line for each bot, for programs that take milestones: names and words need no quotes.
    pub(super) fn csv(&self) -> String {
        let mut out =
            "bot,passed,of,step,confidence,next,verdict,next_confidence,more_games,left_out\n"
                .to_owned();
        for milestones in &self.bots {
            let [passed, next] = milestones.ends();
            let confidence = |step: Option<&StepFigures<'_>>| {
                step.and_then(|step| step.confidence).map(|sure| sure.to_string())
            };
            let cells = [
                milestones.bot.to_owned(),
                milestones.passed.to_string(),
                milestones.steps.len().to_string(),
                passed.map(|step| step.step).unwrap_or_default().to_owned(),
                confidence(passed).unwrap_or_default(),
                next.map(|step| step.step).unwrap_or_default().to_owned(),
                next.map(|step| step.verdict).unwrap_or_default().to_owned(),
                confidence(next).unwrap_or_default(),
                next.and_then(|step| step.more_games)
                    .map(|games| games.to_string())
                    .unwrap_or_default(),
                milestones.steps.iter().map(|step| step.left_out).sum::<u64>().to_string(),
            ];
            let _ = writeln!(out, "{}", cells.join(",")); // writing to a String cannot fail
        }
        out
    }
}

impl BotMilestonesFigures<'_> {
    /// The highest step that is passed, and the one above.
    fn ends(&self) -> [Option<&StepFigures<'_>>; 2] {
        [
            self.passed.checked_sub(1).and_then(|last| self.steps.get(last)),
            self.steps.get(self.passed),
        ]
    }
}

impl<'a> StepFigures<'a> {
    fn new(step: &'a str, status: StepStatus, test: Option<&StepTest>) -> StepFigures<'a> {
        let is_judged = matches!(status, StepStatus::Passed | StepStatus::NotPassed);
        StepFigures {
            step,
            verdict: status.word(),
            confidence: test.filter(|_| is_judged).and_then(|test| fine(test.confidence()?)),
            pairs: test.map_or(0, StepTest::pairs),
            share: test.and_then(|test| fine(test.score()?)),
            left_out: 0,
            more_games: None,
        }
    }

    /// The confidence in percent, not rounded up.
    fn sure(&self) -> Option<String> {
        let sure = self.confidence?;
        Some(if sure > 0.99 {
            "over 99 %".to_owned()
        } else {
            format!("{} %", (100.0 * sure).floor())
        })
    }

    /// Its verdict in words.
    fn words(&self) -> String {
        let more = match (self.sure(), self.more_games) {
            (Some(sure), _) => format!(" ({sure})"),
            (None, Some(games)) => format!(": about {} more games", about(games)),
            (None, None) if self.verdict != StepStatus::Undecided.word() => String::new(),
            (None, None) if self.pairs == 0 => ": no pair of games yet".to_owned(),
            (None, None) => format!(
                ": {} % of the points so far, which {} more games would not tell from what is asked",
                percent(self.share.unwrap_or_default()),
                2 * StepTest::FURTHEST
            ),
        };
        let left_out = match self.left_out {
            0 => String::new(),
            pairs => {
                format!(" ({} left out: {} lost by forfeit)", counted(pairs, "pair"), self.step)
            }
        };
        format!("{} {}{more}{left_out}", self.step, self.verdict)
    }
}

/// The milestones of a bot in words: the highest step that it has passed, the next one, and those
/// above.
fn sentence(passed: usize, steps: &[StepFigures<'_>]) -> String {
    let mut parts: Vec<String> = steps
        .iter()
        .take(passed + 1)
        .skip(passed.saturating_sub(1))
        .map(StepFigures::words)
        .collect();
    match steps.get(passed + 1..) {
        None | Some([]) => {}
        Some([step]) => parts.push(step.words()),
        Some([step, others @ ..]) => {
            parts.push(format!("{} and {} more {}", step.step, others.len(), step.verdict))
        }
    }
    parts.join(", ")
}

/// What the forfeits of a step mean for milestones; none without forfeits.
fn warning(step: &Row) -> Option<String> {
    let reasons = Fault::ALL.iter().zip(step.faults).filter(|(_, count)| *count > 0);
    let reasons: Vec<String> =
        reasons.map(|(fault, count)| format!("{count} {}", fault.word())).collect();
    (step.forfeits > 0).then(|| {
        format!(
            "WARNING: the step {} lost {} by forfeit ({}): no pair with one of them counts for milestones",
            step.name,
            counted(step.forfeits, "game"),
            reasons.join(", ")
        )
    })
}

/// A share in percent, without needless zeros.
fn percent(share: f64) -> f64 {
    (share * 1e6).round() / 1e4
}

/// A number of games to two digits; it is even.
fn about(games: u64) -> u64 {
    let unit = 10_u64.pow(games.checked_ilog10().unwrap_or_default().saturating_sub(1));
    (games + unit / 2) / unit * unit
}
