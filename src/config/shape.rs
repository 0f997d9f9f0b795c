//! The shape of a configuration's tables, with their defaults: all but `[time]`, `[match]` and
//! `[limits]`, which are the settings of a game and belong to `arbiter_game`.

use super::words::{FeedbackPlace, Junit, Names, Relation, Restored};
use arbiter_game::StderrAccess;
use arbiter_rank::rating::{Model, StepRule};
use arbiter_rank::schedule::{Format, TieBreak};
use std::time::Duration;

/// `[schedule]`: which games are played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleConfig {
    /// The format with its numbers; `max-pairs` is in `[sprt]`, `stop` in `[milestones]`, and
    /// `ahead` is no part of a configuration.
    pub format: Format,
    /// Random plies before the bots begin, unless there is a file of openings; 0 for none.
    pub opening_plies: u32,
    /// The path of a file of position texts, as it was written.
    pub openings: Option<String>,
    /// The seed of everything random.
    pub seed: u64,
    /// The path of a result folder whose ranks order the bots, as it was written.
    pub seeds: Option<String>,
    /// The number of forfeits of one bot that ends the run; 0 for never.
    pub stop_after_forfeits: u32,
    /// In a league: what becomes of the games of a content that a bot had before.
    pub restored: Restored,
    /// What ranks bots with the same points before the usual tie-breaks.
    pub tie_break: TieBreak,
}

impl Default for ScheduleConfig {
    fn default() -> Self {
        ScheduleConfig {
            format: Format::default(),
            opening_plies: 4,
            openings: None,
            seed: 0,
            seeds: None,
            stop_after_forfeits: 0,
            restored: Restored::Count,
            tie_break: TieBreak::None,
        }
    }
}

/// `[league]`: how a league without an end takes submissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeagueConfig {
    /// How long a submission has to be unchanged before it counts.
    pub settle: Duration,
    /// The name of a file in each submission: the submission counts when that file is there and
    /// has changed.
    pub marker: Option<String>,
    /// The most time of `check` for a new version; zero for no check.
    pub check: Duration,
    /// The number of accepted versions of each bot that are kept.
    pub versions: u32,
    /// From when no submission is taken any more, in the form of RFC 3339, in UTC.
    pub freeze: Option<String>,
    /// How long a worker may be silent before its games are played again.
    pub worker_timeout: Duration,
    /// The most bytes of the result folder; `None` for as many as the disk has.
    pub disk: Option<u64>,
}

impl Default for LeagueConfig {
    fn default() -> Self {
        LeagueConfig {
            settle: Duration::from_secs(5),
            marker: None,
            check: Duration::from_mins(2),
            versions: 5,
            freeze: None,
            worker_timeout: Duration::from_secs(30),
            disk: None,
        }
    }
}

/// `[uploads]`: how authors hand in by their links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadsConfig {
    /// The `[[bots]]` folder that takes them, as it was written there; `None` for the only one.
    pub folder: Option<String>,
    /// The address of the server behind a proxy, ending with `/`.
    pub url: Option<String>,
    /// The most bytes of a request.
    pub size: u64,
    /// The most bytes of an archive when it is unpacked.
    pub unpacked: u64,
    /// The most files and folders of an archive.
    pub files: u32,
    /// The most uploads of an author within an hour.
    pub per_hour: u32,
    /// The most pairs against chosen opponents that an author may ask for within a day.
    pub challenges: u32,
    /// The most time until a request has arrived.
    pub time: Duration,
}

impl Default for UploadsConfig {
    fn default() -> Self {
        UploadsConfig {
            folder: None,
            url: None,
            size: 20 << 20,
            unpacked: 100 << 20,
            files: 2000,
            per_hour: 20,
            challenges: 5,
            time: Duration::from_mins(1),
        }
    }
}

/// `[sprt]`: the test of the first bot against the second.
#[derive(Debug, Clone, PartialEq)]
pub struct SprtConfig {
    /// The Elo difference of H0.
    pub elo0: f64,
    /// The Elo difference of H1; above `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 when H0 holds; between 0 and 1, together with `beta` below
    /// 1.
    pub alpha: f64,
    /// The probability of accepting H0 when H1 holds; between 0 and 1.
    pub beta: f64,
    /// The unit of the two differences.
    pub model: Model,
}

impl Default for SprtConfig {
    fn default() -> Self {
        SprtConfig { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, model: Model::Normalized }
    }
}

/// `[milestones]`: which of several bots the others come up to.
#[derive(Debug, Clone, PartialEq)]
pub struct MilestonesConfig {
    /// The names of the bots that are steps, the weakest first; without one there are no
    /// milestones.
    pub steps: Vec<String>,
    /// What each of them asks.
    pub rule: StepRule,
}

impl Default for MilestonesConfig {
    fn default() -> Self {
        MilestonesConfig { steps: Vec::new(), rule: StepRule { score: 0.5, wrong: 0.05 } }
    }
}

/// `[ratings]`: what ratings are relative to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RatingsConfig {
    /// The bots that have a rating by definition, in Elo; without one the mean is 0.
    pub anchors: Vec<(String, f64)>,
}

/// A line of `[expect]`: an expected score share.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    pub bot: String,
    /// How its score share is compared.
    pub relation: Relation,
    /// The share it is compared with; 0 to 1.
    pub share: f64,
}

impl Expectation {
    /// Whether a score share, from 0 to 1, is as expected.
    pub fn holds(&self, share: f64) -> bool {
        match self.relation {
            Relation::AtLeast => share >= self.share,
            Relation::Above => share > self.share,
            Relation::AtMost => share <= self.share,
            Relation::Below => share < self.share,
            // Comparing floats is right here: 0.6 and 3.0 / 5.0 are the same number.
            Relation::Exactly => share == self.share,
        }
    }
}

/// `[publish]`: what is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishConfig {
    /// The names of bots.
    pub names: Names,
    /// Whether their stderr is published.
    pub stderr: StderrAccess,
    /// What a test case of the JUnit file is.
    pub junit: Junit,
    /// Where authors find their feedback.
    pub feedback: FeedbackPlace,
    /// The file with the secret key of aliases and links; without one it is drawn.
    pub key_file: Option<String>,
}

impl PublishConfig {
    /// Whether something that others see follows from a secret key.
    pub fn needs_key(&self) -> bool {
        self.names == Names::Alias || self.feedback == FeedbackPlace::Links
    }
}

impl Default for PublishConfig {
    fn default() -> Self {
        PublishConfig {
            names: Names::Name,
            stderr: StderrAccess::Private,
            junit: Junit::Bots,
            feedback: FeedbackPlace::Private,
            key_file: None,
        }
    }
}
