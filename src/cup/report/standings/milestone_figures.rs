//! The figures of milestones.

use super::contents::StandingsReport;
use super::rounding::fine;
use crate::report::document::{DocumentTable, TableColumn};
use crate::tournament::{Milestones, StepStatus};
use arbiter_game::Fault;
use arbiter_rank::rating::StepTest;
use arbiter_rank::standings::{RankedBot, Row};
use arbiter_rules::text::counted;
use serde::Serialize;

/// The milestones of all bots, rounded.
#[derive(Debug, Serialize)]
pub struct MilestonesFigures<'a> {
    score: f64,
    wrong: f64,
    steps: Vec<&'a str>,
    /// For each step that lost games by forfeit, how many, and what that means.
    warnings: Vec<String>,
    /// In the order of the table, without the steps.
    bots: Vec<BotMilestonesFigures<'a>>,
}

/// The milestones of a bot.
#[derive(Debug, Serialize)]
pub struct BotMilestonesFigures<'a> {
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
    /// `None` if there are no milestones; `table` has the order of the lines.
    pub fn new(
        report: &'a StandingsReport,
        table: &[RankedBot<'a>],
    ) -> Option<MilestonesFigures<'a>> {
        let milestones = report.milestones.as_ref()?;
        let rows = report.standings.rows();
        let mut figures = MilestonesFigures {
            score: milestones.rule().score,
            wrong: milestones.rule().wrong,
            steps: Vec::new(),
            warnings: Vec::new(),
            bots: Vec::new(),
        };
        for &step in milestones.steps() {
            figures.steps.push(&rows[step].name);
            figures.warnings.extend(warning(&rows[step]));
        }
        for placed in table {
            if !milestones.steps().contains(&placed.bot) {
                figures.bots.push(BotMilestonesFigures::new(milestones, rows, placed.bot));
            }
        }
        Some(figures)
    }

    /// The sentence about a bot; `None` if it is a step.
    pub fn text_of(&self, bot: &str) -> Option<&str> {
        self.bots.iter().find(|figures| figures.bot == bot).map(|figures| &*figures.text)
    }

    /// What a step asks, as a part of a sentence.
    pub fn asked(&self) -> String {
        format!("a step asks {} % of the points", percent(self.score))
    }

    /// The table: for each bot the highest step that it has passed, and the next one.
    pub fn table(&self) -> DocumentTable {
        let columns = vec![
            TableColumn::words("bot"),
            TableColumn::words("passed"),
            TableColumn::number("sure"),
            TableColumn::words("next"),
            TableColumn::words("verdict"),
            TableColumn::number("sure"),
            TableColumn::number("more games"),
        ];
        let mut rows = Vec::new();
        for bot in &self.bots {
            let mut row = vec![bot.bot.to_owned()];
            row.extend(["-"; 6].map(str::to_owned));
            if let Some(passed) = bot.last_passed() {
                passed.step.clone_into(&mut row[1]);
                row[2] = passed.sure().unwrap_or("-".to_owned());
            }
            if let Some(next) = bot.next() {
                next.step.clone_into(&mut row[3]);
                next.verdict.clone_into(&mut row[4]);
                row[5] = next.sure().unwrap_or("-".to_owned());
                if let Some(games) = next.more_games {
                    row[6] = about(games).to_string();
                }
            }
            rows.push(row);
        }
        DocumentTable { columns, rows }
    }

    /// The sentences below the table.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "Steps, the weakest first: {}; {}, and a verdict is wrong with a probability of at \
             most {} %",
            self.steps.join(", "),
            self.asked(),
            percent(self.wrong)
        )];
        lines.extend_from_slice(&self.warnings);
        lines
    }

    /// A line for each bot, for programs that take milestones: names and words need no quotes.
    pub fn csv(&self) -> String {
        let mut out =
            "bot,passed,of,step,confidence,next,verdict,next_confidence,more_games,left_out\n"
                .to_owned();
        for bot in &self.bots {
            let passed = match bot.last_passed() {
                Some(last) => format!("{},{}", last.step, or_empty(last.confidence)),
                None => ",".to_owned(),
            };
            let next = match bot.next() {
                Some(next) => format!(
                    "{},{},{},{}",
                    next.step,
                    next.verdict,
                    or_empty(next.confidence),
                    or_empty(next.more_games)
                ),
                None => ",,,".to_owned(),
            };
            let left_out: u64 = bot.steps.iter().map(|step| step.left_out).sum();
            out += &format!(
                "{},{},{},{passed},{next},{left_out}\n",
                bot.bot,
                bot.passed,
                bot.steps.len()
            );
        }
        out
    }
}

fn or_empty(figure: Option<impl ToString>) -> String {
    figure.map(|figure| figure.to_string()).unwrap_or_default()
}

impl<'a> BotMilestonesFigures<'a> {
    fn new(milestones: &Milestones, rows: &'a [Row], bot: usize) -> BotMilestonesFigures<'a> {
        let statuses = milestones.of(bot);
        let mut steps = Vec::new();
        for (&step, &status) in milestones.steps().iter().zip(&statuses) {
            let test = milestones.test(bot, step);
            let mut figures = StepFigures {
                step: &rows[step].name,
                verdict: status.word(),
                confidence: None,
                pairs: test.map_or(0, StepTest::pairs),
                share: test.and_then(StepTest::score).and_then(fine),
                more_games: None,
                left_out: milestones.left_out(bot, step),
            };
            match status {
                StepStatus::Passed | StepStatus::NotPassed => {
                    figures.confidence = test.and_then(StepTest::confidence).and_then(fine);
                }
                StepStatus::Undecided => {
                    // The test counts pairs, and a reader games.
                    figures.more_games = milestones.forecast(bot, step).map(|pairs| 2 * pairs);
                }
                StepStatus::NotReached => {}
            }
            steps.push(figures);
        }
        // A step is passed only after all below it.
        let passed = statuses.iter().filter(|status| **status == StepStatus::Passed).count();
        BotMilestonesFigures { bot: &rows[bot].name, passed, text: sentence(passed, &steps), steps }
    }

    fn last_passed(&self) -> Option<&StepFigures<'a>> {
        self.steps[..self.passed].last()
    }

    fn next(&self) -> Option<&StepFigures<'a>> {
        self.steps.get(self.passed)
    }
}

impl StepFigures<'_> {
    /// The confidence in percent, not rounded up.
    fn sure(&self) -> Option<String> {
        let sure = self.confidence?;
        Some(if sure > 0.99 {
            "over 99 %".to_owned()
        } else {
            // Rounded up, it would be more than the test says.
            format!("{} %", (100.0 * sure).floor())
        })
    }

    /// The verdict in words.
    fn words(&self) -> String {
        let mut words = format!("{} {}", self.step, self.verdict);
        if let Some(sure) = self.sure() {
            words += &format!(" ({sure})");
        } else if let Some(games) = self.more_games {
            words += &format!(": about {} more games", about(games));
        } else if self.verdict == StepStatus::Undecided.word() {
            words += &if self.pairs == 0 {
                ": no pair of games yet".to_owned()
            } else {
                format!(
                    ": {} % of the points so far, which {} more games would not tell from what is \
                     asked",
                    percent(self.share.unwrap_or_default()),
                    2 * StepTest::FURTHEST
                )
            };
        }
        if self.left_out > 0 {
            let pairs = counted(self.left_out, "pair");
            words += &format!(" ({pairs} left out: {} lost by forfeit)", self.step);
        }
        words
    }
}

/// The milestones of a bot in words: the highest step that it has passed, the next one, and those
/// above.
fn sentence(passed: usize, steps: &[StepFigures<'_>]) -> String {
    let mut parts = Vec::new();
    for step in steps.iter().take(passed + 1).skip(passed.saturating_sub(1)) {
        parts.push(step.words());
    }
    match steps.get(passed + 1..) {
        None | Some([]) => {}
        Some([step]) => parts.push(step.words()),
        Some([step, others @ ..]) => {
            parts.push(format!("{} and {} more {}", step.step, others.len(), step.verdict));
        }
    }
    parts.join(", ")
}

/// What the forfeits of a step mean for milestones; `None` without forfeits.
fn warning(step: &Row) -> Option<String> {
    if step.forfeits == 0 {
        return None;
    }
    let mut reasons = Vec::new();
    for (fault, count) in Fault::ALL.iter().zip(step.faults) {
        if count > 0 {
            reasons.push(format!("{count} {}", fault.word()));
        }
    }
    Some(format!(
        "WARNING: the step {} lost {} by forfeit ({}): no pair with one of them counts for \
         milestones",
        step.name,
        counted(step.forfeits, "game"),
        reasons.join(", ")
    ))
}

/// A share in percent, without needless zeros.
fn percent(share: f64) -> f64 {
    (share * 1e6).round() / 1e4
}

/// A number of games, which is even, to two digits.
fn about(games: u64) -> u64 {
    let unit = 10_u64.pow(games.checked_ilog10().unwrap_or_default().saturating_sub(1));
    (games + unit / 2) / unit * unit
}
