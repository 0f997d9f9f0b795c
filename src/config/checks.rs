//! Checks of values that are valid one by one but not together.

use super::bot_spec::{BotSpec, FolderConfig};
use super::nearest::{advice, did_you_mean};
use super::section::Reading;
use super::{
    Expectation, FeedbackPlace, MilestonesConfig, PublishConfig, RatingsConfig, Restored,
    ScheduleConfig, SprtConfig, UploadsConfig,
};
use arbiter_game::Settings;
use arbiter_rank::schedule::{Dependence, FORMATS, ScheduleError, Stop, TieBreak};
use arbiter_rules::own::Rules;
use arbiter_rules::{Game, OptionError, Ruleset};

/// Refuses the numbers of other formats: whoever writes one expects that it matters.
pub(super) fn format_keys(reading: &Reading<'_>, schedule: &ScheduleConfig) {
    let format = schedule.format;
    // Of a misspelt format nothing is known, and its numbers may all be right.
    if !reading.sound(&["schedule.format"]) {
        return;
    }
    for (key, _) in format.numbers() {
        let Some(name) = key.strip_prefix("schedule.") else { continue };
        if reading.has(key) && reading.sound(&[key]) && !format.uses(key) {
            let word = format.kind.word;
            let own = format.kind.keys.join("`, `");
            let why = format!("`{name}` is not for the format {word}, which has `{own}`");
            reading.refuse(key, why);
        }
    }
}

/// Refuses two bots of one name.
pub(super) fn names(reading: &Reading<'_>, bots: &[(String, BotSpec)]) {
    for (index, (path, bot)) in bots.iter().enumerate() {
        let name = &bot.name;
        for (_, BotSpec { name: other, .. }) in &bots[..index] {
            if other.eq_ignore_ascii_case(name) {
                let capitals = if other == name { "" } else { " (case is ignored)" };
                let cure = "give one of them another name";
                let why = format!("two bots are called `{name}`{capitals}; {cure}");
                reading.refuse(&format!("{path}.name"), why);
                break; // one message a bot
            }
        }
    }
}

/// Refuses a folder that is listed twice.
pub(super) fn folders(reading: &Reading<'_>, folders: &[(String, FolderConfig)]) {
    for (index, (path, folder)) in folders.iter().enumerate() {
        if folders[..index].iter().any(|(_, other)| other.folder == folder.folder) {
            reading.refuse(
                &format!("{path}.folder"),
                format!("the folder `{}` is listed twice; remove one of them", folder.folder),
            );
        }
    }
}

/// Refuses uploads that no author could make, or that would have no folder.
pub(super) fn uploads(
    reading: &Reading<'_>,
    uploads: Option<&UploadsConfig>,
    schedule: &ScheduleConfig,
    folders: &[FolderConfig],
    publish: &PublishConfig,
) {
    let Some(uploads) = uploads else { return };
    if reading.sound(&["schedule.format"]) && !schedule.format.kind.is_endless {
        let why = "[uploads] is for the format \"league\"; leave it out";
        reading.refuse("uploads", why);
        return;
    }
    if reading.sound(&["publish.feedback"]) && publish.feedback != FeedbackPlace::Links {
        let why = "authors hand in by their links: write feedback = \"links\" in [publish]";
        reading.refuse("uploads", why);
    }
    if !reading.sound(&["bots", "uploads.folder"]) {
        return;
    }
    match &uploads.folder {
        None if folders.len() == 1 => {}
        None if folders.is_empty() => {
            reading.refuse("uploads", "uploads go into a [[bots]] folder, and there is none");
        }
        None => {
            let why = "there are several [[bots]]; write the `folder` of one of them";
            reading.refuse("uploads.folder", why);
        }
        Some(wanted) if folders.iter().any(|bots| bots.folder == *wanted) => {}
        Some(wanted) => {
            let known = folders.iter().map(|bots| &*bots.folder);
            let why =
                format!("no [[bots]] has the folder `{wanted}`{}", did_you_mean(wanted, known));
            reading.refuse("uploads.folder", why);
        }
    }
}

/// The game with its options; each wrong option is reported with the message of the rules.
pub(super) fn ruleset(
    reading: &Reading<'_>,
    name: &str,
    rules: Option<&Rules>,
    mut options: Vec<(String, String)>,
) -> Option<Ruleset> {
    loop {
        let error = match ruleset_of(name, rules, &options) {
            Ok(ruleset) => return Some(ruleset),
            Err(error) => error,
        };
        // The ruleset with its defaults has the keys and words that may have been meant. Only for
        // these errors: the rules of a custom game have to be asked for it.
        let usual = match error {
            OptionError::Key { .. } | OptionError::Value { .. } => {
                ruleset_of(name, rules, &[]).ok()
            }
            _ => None,
        };
        let known = usual.as_ref().map_or(&[][..], |usual| usual.game().options());
        // The option that is wrong, and what may have been meant.
        let (key, near) = match &error {
            OptionError::Game { game, .. } => (None, did_you_mean(game, Game::NAMES)),
            OptionError::Key { key, .. } => {
                (Some(key), did_you_mean(key, known.iter().map(|option| &*option.key)))
            }
            OptionError::Value { key, value, .. } => {
                let option = known.iter().filter(|option| option.key == *key);
                (Some(key), did_you_mean(value, option.flat_map(|option| option.range.words())))
            }
            OptionError::Conflict { key, .. } | OptionError::Twice { key } => {
                (Some(key), String::new())
            }
            OptionError::Form { .. } | OptionError::Rules(_) => (None, String::new()),
        };
        let path = match (key, &error) {
            (Some(key), _) => format!("options.{key}"),
            (None, OptionError::Form { .. }) => "options".to_owned(),
            (None, _) => "game".to_owned(),
        };
        reading.refuse(&path, format!("{error}{near}"));
        // The other options are checked without this one, unless it is the size, on which their
        // ranges depend.
        let before = options.len();
        match key {
            Some(key) if key != "n" => options.retain(|(other, _)| other != key),
            _ => options.clear(),
        }
        if options.len() == before {
            return None;
        }
    }
}

/// The ruleset of a built-in game, or the one by these rules.
fn ruleset_of(
    name: &str,
    rules: Option<&Rules>,
    options: &[(String, String)],
) -> Result<Ruleset, OptionError> {
    match rules {
        Some(rules) => Ruleset::by_rules(rules, options),
        None => Ruleset::with_options(name, options),
    }
}

/// The bots and folders of the configuration.
#[derive(Clone, Copy)]
pub(super) struct Players<'a> {
    pub(super) bots: &'a [BotSpec],
    pub(super) folders: &'a [FolderConfig],
}

impl Players<'_> {
    /// Whether these are all bots: there are no folders, and no bot had an error.
    fn complete(self, reading: &Reading<'_>) -> bool {
        self.folders.is_empty() && reading.sound(&["bot", "bots"])
    }
}

/// Checks that there are enough bots for a game and for the format.
pub(super) fn players(reading: &Reading<'_>, schedule: &ScheduleConfig, players: Players<'_>) {
    let count = players.bots.len();
    let format = &schedule.format;
    if !players.folders.is_empty() && !format.kind.takes_folders {
        let word = format.kind.word;
        let why = "is played by named bots: write a [[bot]] for each instead of [[bots]]";
        reading.refuse("bots", format!("\"{word}\" {why}"));
    }
    // How many bots a folder has shows when it is read, and a bot with an error may be another one.
    if !players.complete(reading) {
        return;
    }
    if count < 2 {
        let there = if count == 0 { "no bots" } else { "only one bot" };
        let cure = "add a [[bot]] with name and command for each, \
                    or a [[bots]] with a folder of them";
        reading.refuse("bot", format!("{there}; {cure}"));
    } else if reading.sound(&["schedule.format"])
        && reading.sound(format.kind.keys)
        && let Err(ScheduleError::Refused { key, value, why }) = format.check(count)
    {
        let name = key.rsplit('.').next().unwrap_or(key);
        reading.refuse(key, format!("`{name}` = {value} {why}"));
    }
}

/// The formats in which no game depends on another one, as a list in words: not only "league".
fn independent_formats() -> String {
    let mut words = Vec::new();
    for kind in FORMATS {
        if kind.is_league() {
            words.push(format!("\"{}\"", kind.word));
        }
    }
    words.join(" and ")
}

/// Refuses `restored` where a bot that changed cannot play on.
pub(super) fn restored(reading: &Reading<'_>, schedule: &ScheduleConfig) {
    if schedule.restored == Restored::Anew
        && !schedule.format.kind.is_league()
        && reading.sound(&["schedule.format", "schedule.restored"])
    {
        reading.refuse(
            "schedule.restored",
            format!(
                "`restored = \"anew\"` is for {}; in a {} a bot that has changed does not play on, \
                 so leave it out",
                independent_formats(),
                schedule.format.kind.word
            ),
        );
    }
}

/// Refuses a tie-break where points do not rank the bots.
pub(super) fn tie_break(reading: &Reading<'_>, schedule: &ScheduleConfig) {
    if schedule.tie_break != TieBreak::None
        && schedule.format.kind.word == "knockout"
        && reading.sound(&["schedule.format", "schedule.tie-break"])
    {
        let why = "`tie-break` is for formats that count points; leave it out in a knockout";
        reading.refuse("schedule.tie-break", why);
    }
}

/// Refuses seeds where the order of the bots does not decide who meets.
pub(super) fn seeds(reading: &Reading<'_>, schedule: &ScheduleConfig) {
    let kind = schedule.format.kind;
    if schedule.seeds.is_some()
        && kind.dependence != Dependence::Rounds
        && reading.sound(&["schedule.format", "schedule.seeds"])
    {
        let why = format!(
            "`seeds` is for \"swiss\" and \"knockout\", where the order of the bots decides who \
             meets; leave it out in a {}",
            kind.word
        );
        reading.refuse("schedule.seeds", why);
    }
}

const OPENINGS: &str = "openings, because all pairs would be the same; \
                        write `opening-plies` of 1 or more, or `openings`";

/// Checks that there are openings if the format needs them.
pub(super) fn openings(reading: &Reading<'_>, schedule: &ScheduleConfig) {
    if schedule.format.kind.needs_openings
        && reading.sound(&["schedule.opening-plies", "schedule.openings"])
        && schedule.opening_plies == 0
        && schedule.openings.is_none()
    {
        let word = schedule.format.kind.word;
        reading.refuse("schedule.opening-plies", format!("\"{word}\" needs {OPENINGS}"));
    }
}

/// Checks the numbers of the test.
pub(super) fn sprt(reading: &Reading<'_>, sprt: &SprtConfig) {
    if reading.sound(&["sprt.elo0", "sprt.elo1"]) && sprt.elo0 >= sprt.elo1 {
        // The mark is under a number that was written: the other one may be the default.
        let key = if reading.has("sprt.elo1") { "sprt.elo1" } else { "sprt.elo0" };
        let SprtConfig { elo0, elo1, .. } = sprt;
        let why = format!("`elo1` must be above `elo0`, but {elo1} is not above {elo0}");
        reading.refuse(key, why);
    }
    if reading.sound(&["sprt.alpha", "sprt.beta"]) && sprt.alpha + sprt.beta >= 1.0 {
        let key = if reading.has("sprt.beta") { "sprt.beta" } else { "sprt.alpha" };
        let sum = sprt.alpha + sprt.beta;
        reading.refuse(key, format!("`alpha` and `beta` must be below 1 together, but are {sum}"));
    }
}

/// Checks the steps of milestones, and that the schedule lets bots be measured by them.
pub(super) fn milestones(
    reading: &Reading<'_>,
    milestones: &MilestonesConfig,
    schedule: &ScheduleConfig,
    ratings: &RatingsConfig,
    bots: &[BotSpec],
) {
    let format = &schedule.format;
    if !reading.sound(&["milestones.steps", "schedule.format", "schedule.games", "bot"]) {
        return;
    }
    if milestones.steps.is_empty() {
        let usual = MilestonesConfig::default().rule;
        for (key, is_set) in [
            ("milestones.score", milestones.rule.score != usual.score),
            ("milestones.wrong", milestones.rule.wrong != usual.wrong),
            ("milestones.stop", format.stop != Stop::Played),
        ] {
            if is_set {
                let why = "there are no milestones without `steps`; \
                           write the names of bots there, the weakest first";
                return reading.refuse(key, why);
            }
        }
        return;
    }
    steps(reading, milestones, ratings, bots);
    if !format.kind.is_league() {
        let why = format!(
            "milestones are for {}, where each bot can meet each step as often as that takes; a \
             \"{}\" chooses its games by other results, so leave [milestones] out or change \
             `format`",
            independent_formats(),
            format.kind.word
        );
        return reading.refuse("milestones.steps", why);
    }
    // The steps are tested by pairs of games with sides exchanged.
    if !format.games.is_multiple_of(2) {
        let why = "milestones count pairs of games; write an even number";
        reading.refuse("schedule.games", why);
    }
    if schedule.opening_plies == 0 && schedule.openings.is_none() {
        reading.refuse("schedule.opening-plies", format!("milestones need {OPENINGS}"));
    }
    if format.stop != Stop::Decided {
        return;
    }
    if schedule.stop_after_forfeits > 0 {
        let why = "`stop-after-forfeits` does not go with `stop = \"decided\"` of [milestones], \
                   where a bot that loses has few games anyway; leave it out";
        reading.refuse("schedule.stop-after-forfeits", why);
    }
    let leading = &bots[..bots.len().min(format.leading())];
    let count = milestones.steps.len();
    if leading.len() != count || !leading.iter().all(|bot| milestones.steps.contains(&bot.name)) {
        let why = format!(
            "`stop = \"decided\"` is for a gauntlet of the steps: write `format = \"gauntlet\"` \
             and `challengers = {count}`, and the [[bot]] of each step before all others"
        );
        reading.refuse("milestones.stop", why);
    }
}

/// Checks that the steps are bots of the organiser, each once, in the order of their anchors.
fn steps(
    reading: &Reading<'_>,
    milestones: &MilestonesConfig,
    ratings: &RatingsConfig,
    bots: &[BotSpec],
) {
    const PATH: &str = "milestones.steps";
    let mut below: Option<&(String, f64)> = None;
    let mut contradiction = None;
    for (index, step) in milestones.steps.iter().enumerate() {
        if let Some(why) = unknown(step, bots) {
            reading.refuse(PATH, why);
        }
        if milestones.steps[..index].contains(step) {
            reading.refuse(PATH, format!("`{step}` is named twice; remove one of them"));
        }
        let Some(anchor) = ratings.anchors.iter().find(|(bot, _)| bot == step) else { continue };
        if let Some((weaker, high)) = below
            && *high >= anchor.1
            && contradiction.is_none()
        {
            contradiction = Some((weaker, high, anchor));
        }
        below = Some(anchor);
    }
    // Only the first contradiction: exchanging two steps changes every later one.
    if let Some((weaker, high, (step, low))) = contradiction {
        let why = format!(
            "the weakest is first, but by [ratings] `{weaker}` has {high} and `{step}`, which \
             follows, {low}; write a higher rating, or exchange them here or there"
        );
        reading.refuse(PATH, why);
    }
}

/// Checks that settings do not contradict each other.
pub(super) fn limits(reading: &Reading<'_>, settings: &Settings) {
    if let Err(why) = settings.check()
        && reading.sound(&["limits.processes", "limits.threads"])
    {
        let key = if reading.has("limits.threads") { "limits.threads" } else { "limits.processes" };
        reading.refuse(key, why);
    }
}

/// Checks that the bots named in `[ratings]` and `[expect]` exist.
pub(super) fn mentions(
    reading: &Reading<'_>,
    ratings: &RatingsConfig,
    expect: &[Expectation],
    players: Players<'_>,
) {
    // A name may be that of a bot in a folder.
    if !players.complete(reading) {
        return;
    }
    let mut mentioned = Vec::new();
    for (bot, _) in &ratings.anchors {
        let path = if reading.has("ratings.anchor") {
            "ratings.anchor".to_owned()
        } else {
            format!("ratings.anchors.{bot}")
        };
        mentioned.push((path, bot));
    }
    for Expectation { bot, .. } in expect {
        mentioned.push((format!("expect.{bot}"), bot));
    }
    for (path, bot) in mentioned {
        if let Some(why) = unknown(bot, players.bots) {
            reading.refuse(&path, why);
        }
    }
}

/// Why no bot can be named so; `None` if there is one.
fn unknown(name: &str, bots: &[BotSpec]) -> Option<String> {
    let known: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
    if known.contains(&name) {
        return None;
    }
    let advice = advice(name, "there are", &known);
    Some(format!("no [[bot]] is called `{name}`; {advice}"))
}
