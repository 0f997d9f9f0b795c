//! Checks of values that are valid one by one but not together.

use super::bot_spec::{BotSpec, FolderConfig};
use super::nearest::nearest;
use super::section::Reading;
use super::{Expectation, MilestonesConfig, RatingsConfig, Restored, ScheduleConfig, SprtConfig};
use arbiter_game::Settings;
use arbiter_rank::schedule::{FORMATS, ScheduleError, Stop, TieBreak};
use arbiter_rules::own::Rules;
use arbiter_rules::{Game, OptionError, Ruleset};

/// Refuses the numbers of other formats: whoever writes one expects that it matters.
pub(super) fn format_keys(reading: &Reading<'_>, schedule: &ScheduleConfig) {
    let format = schedule.format;
    if !reading.sound(&["schedule.format"]) {
        return;
    }
    for (key, _) in format.numbers() {
        let Some(name) = key.strip_prefix("schedule.") else { continue };
        if reading.has(key) && reading.sound(&[key]) && !format.uses(key) {
            let word = format.kind.word;
            let own = format.kind.keys.join("`, `");
            reading
                .refuse(key, format!("`{name}` is not for the format {word}, which has `{own}`"));
        }
    }
}

/// Refuses two bots of one name.
pub(super) fn names(reading: &Reading<'_>, bots: &[(String, BotSpec)]) {
    for (index, (path, bot)) in bots.iter().enumerate() {
        let same = |other: &&(String, BotSpec)| other.1.name.eq_ignore_ascii_case(&bot.name);
        if let Some((_, other)) = bots[..index].iter().find(same) {
            let capitals = if other.name == bot.name { "" } else { " (case is ignored)" };
            reading.refuse(
                &format!("{path}.name"),
                format!(
                    "two bots are called `{}`{capitals}; give one of them another name",
                    bot.name
                ),
            );
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
        let (path, key, near) = match &error {
            OptionError::Game { game, .. } => {
                ("game".to_owned(), None, nearest(game, Game::NAMES).map(str::to_owned))
            }
            OptionError::Key { key, .. } => {
                let usual = ruleset_of(name, rules, &[]).ok();
                let known = usual.as_ref().map_or(&[][..], |usual| usual.game().options());
                let near = nearest(key, known.iter().map(|option| &*option.key));
                (format!("options.{key}"), Some(key.clone()), near.map(str::to_owned))
            }
            OptionError::Value { key, value, .. } => (
                format!("options.{key}"),
                Some((*key).to_owned()),
                ruleset_of(name, rules, &[])
                    .ok()
                    .and_then(|usual| nearest_word(usual.game(), key, value)),
            ),
            OptionError::Conflict { key, .. } => {
                (format!("options.{key}"), Some((*key).to_owned()), None)
            }
            OptionError::Twice { key } => (format!("options.{key}"), Some(key.clone()), None),
            OptionError::Form { .. } => ("options".to_owned(), None, None),
            OptionError::Rules(_) => ("game".to_owned(), None, None),
        };
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        reading.refuse(&path, format!("{error}{near}"));
        // The other options are checked without this one, unless it is the size, on which their
        // ranges depend.
        let before = options.len();
        match key.filter(|key| key != "n") {
            Some(key) => options.retain(|(other, _)| *other != key),
            None => options.clear(),
        }
        if options.len() == before {
            return None;
        }
    }
}

/// The ruleset of a game of arbiter, or the one by these rules.
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

/// The word nearest to a value, if the option is a choice of words.
fn nearest_word(game: &Game, key: &str, value: &str) -> Option<String> {
    let option = game.options().iter().find(|option| option.key == key)?;
    nearest(value, option.range.words()).map(str::to_owned)
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
        let why = "is played by named bots: write a [[bot]] for each instead of [[bots]]";
        reading.refuse("bots", format!("\"{}\" {why}", format.kind.word));
    }
    if !players.complete(reading) {
        return;
    }
    if count < 2 {
        let there = if count == 0 { "no bots" } else { "only one bot" };
        reading.refuse(
            "bot",
            format!(
                "{there}; add a [[bot]] with name and command for each, or a [[bots]] with a folder of them"
            ),
        );
    } else if reading.sound(&["schedule.format"])
        && reading.sound(format.kind.keys)
        && let Err(ScheduleError::Refused { key, value, why }) = format.check(count)
    {
        let name = key.rsplit('.').next().unwrap_or(key);
        reading.refuse(key, format!("`{name}` = {value} {why}"));
    }
}

/// The formats in which no game depends on another one.
fn leagues() -> String {
    let leagues = FORMATS.iter().filter(|kind| kind.is_league());
    leagues.map(|kind| format!("\"{}\"", kind.word)).collect::<Vec<_>>().join(" and ")
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
                "`restored = \"anew\"` is for {}; in a {} a bot that has changed does not play on, so leave it out",
                leagues(),
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
        reading.refuse("schedule.tie-break", why.to_owned());
    }
}

/// Checks that there are openings if the format needs them.
pub(super) fn openings(reading: &Reading<'_>, schedule: &ScheduleConfig) {
    if schedule.format.kind.needs_openings
        && reading.sound(&["schedule.opening-plies", "schedule.openings"])
        && schedule.opening_plies == 0
        && schedule.openings.is_none()
    {
        reading.refuse(
            "schedule.opening-plies",
            format!(
                "\"{}\" needs openings, because all pairs would be the same; write `opening-plies` of 1 or more, or \
                 `openings`",
                schedule.format.kind.word
            ),
        );
    }
}

/// Checks the numbers of the test.
pub(super) fn sprt(reading: &Reading<'_>, sprt: &SprtConfig) {
    if reading.sound(&["sprt.elo0", "sprt.elo1"]) && sprt.elo0 >= sprt.elo1 {
        let key = if reading.has("sprt.elo1") { "sprt.elo1" } else { "sprt.elo0" };
        let message =
            format!("`elo1` must be above `elo0`, but {} is not above {}", sprt.elo1, sprt.elo0);
        reading.refuse(key, message);
    }
    if reading.sound(&["sprt.alpha", "sprt.beta"]) && sprt.alpha + sprt.beta >= 1.0 {
        let key = if reading.has("sprt.beta") { "sprt.beta" } else { "sprt.alpha" };
        let message = format!(
            "`alpha` and `beta` must be below 1 together, but are {}",
            sprt.alpha + sprt.beta
        );
        reading.refuse(key, message);
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
        let needs = ["score", "wrong", "stop"].map(|key| format!("milestones.{key}"));
        let key = needs.iter().find(|key| match key.as_str() {
            "milestones.stop" => format.stop != Stop::Played,
            "milestones.score" => milestones.rule.score != MilestonesConfig::default().rule.score,
            _ => milestones.rule.wrong != MilestonesConfig::default().rule.wrong,
        });
        if let Some(key) = key {
            reading.refuse(
                key,
                "there are no milestones without `steps`; write the names of bots there, the weakest first"
                    .to_owned(),
            );
        }
        return;
    }
    steps(reading, milestones, ratings, bots);
    if !format.kind.is_league() {
        reading.refuse("milestones.steps", format!(
            "milestones are for {}, where each bot can meet each step as often as that takes; a \"{}\" chooses its games by other results, so leave \
             [milestones] out or change `format`",
            leagues(), format.kind.word
        ));
        return;
    }
    if !format.games.is_multiple_of(2) {
        reading.refuse(
            "schedule.games",
            "milestones count pairs of games; write an even number".to_owned(),
        );
    }
    if schedule.opening_plies == 0 && schedule.openings.is_none() {
        reading.refuse("schedule.opening-plies", "milestones need openings, because all pairs would be the same; write `opening-plies` of 1 or more, or \
             `openings`".to_owned());
    }
    if format.stop == Stop::Decided && schedule.stop_after_forfeits > 0 {
        let why = "does not go with `stop = \"decided\"` of [milestones], where a bot that loses has few games anyway; leave it out";
        reading.refuse("schedule.stop-after-forfeits", format!("`stop-after-forfeits` {why}"));
    }
    let leading = &bots[..bots.len().min(format.leading())];
    let are_steps = leading.len() == milestones.steps.len()
        && leading.iter().all(|bot| milestones.steps.contains(&bot.name));
    if format.stop == Stop::Decided && !are_steps {
        let count = milestones.steps.len();
        reading.refuse("milestones.stop", format!(
            "`stop = \"decided\"` is for a gauntlet of the steps: write `format = \"gauntlet\"` and `challengers = {count}`, and the [[bot]] of each \
             step before all others"
        ));
    }
}

/// Checks that the steps are bots of the organiser, each once, in the order of their anchors.
fn steps(
    reading: &Reading<'_>,
    milestones: &MilestonesConfig,
    ratings: &RatingsConfig,
    bots: &[BotSpec],
) {
    let refuse = |why| reading.refuse("milestones.steps", why);
    for (index, step) in milestones.steps.iter().enumerate() {
        if let Some(why) = unknown(step, bots) {
            refuse(why);
        }
        if milestones.steps[..index].contains(step) {
            refuse(format!("`{step}` is named twice; remove one of them"));
        }
    }
    let anchor = |step: &String| ratings.anchors.iter().find(|(bot, _)| bot == step);
    let anchors: Vec<&(String, f64)> = milestones.steps.iter().filter_map(anchor).collect();
    if let Some([(one, high), (other, low)]) =
        anchors.windows(2).find(|two| two[0].1 >= two[1].1).and_then(|two| two.first_chunk())
    {
        refuse(format!(
            "the weakest is first, but by [ratings] `{one}` has {high} and `{other}`, which follows, {low}; write a higher rating, or exchange them here or there"
        ));
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
    if !players.complete(reading) {
        return;
    }
    let anchors = ratings.anchors.iter().map(|(bot, _)| {
        if reading.has("ratings.anchor") {
            ("ratings.anchor".to_owned(), bot)
        } else {
            (format!("ratings.anchors.{bot}"), bot)
        }
    });
    let expected =
        expect.iter().map(|expected| (format!("expect.{}", expected.bot), &expected.bot));
    for (path, bot) in anchors.chain(expected) {
        if let Some(why) = unknown(bot, players.bots) {
            reading.refuse(&path, why);
        }
    }
}

/// Why no bot can be named so; none if there is one.
fn unknown(name: &str, bots: &[BotSpec]) -> Option<String> {
    let known = || bots.iter().map(|bot| bot.name.as_str());
    let advice = match nearest(name, known()) {
        _ if known().any(|known| known == name) => return None,
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known().collect::<Vec<_>>().join(", ")),
    };
    Some(format!("no [[bot]] is called `{name}`; {advice}"))
}
