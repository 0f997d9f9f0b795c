//! Reads the tables of the configuration, key by key: each line names a key and its possible
//! values. Their defaults are in `shape`, and those of a game's settings in `arbiter_game`.

use super::section::{Read, Section, Value, accepted, fails};
use super::shape::*;
use super::value::*;
use super::words::Relation;
use arbiter_game::Settings;
use arbiter_game::clock::TimeControl;
use arbiter_game::settings::FIELDS;
use arbiter_rank::rating::StepRule;
use arbiter_rank::schedule::{Format, is_bot_name};
use std::collections::BTreeMap;
use toml::de::DeValue;
use toml::value::Datetime;

pub(super) fn schedule(section: &Section<'_>) -> ScheduleConfig {
    let default = ScheduleConfig::default();
    let format = default.format;
    ScheduleConfig {
        format: Format {
            kind: section.or("format", word, format.kind),
            games: section.or("games", whole(1..=100_000), format.games),
            rounds: section.or("rounds", whole(1..=10_000), format.rounds),
            challengers: section.or("challengers", whole(1..=10_000), format.challengers),
            best_of: section.or("best-of", even, format.best_of),
            ..format
        },
        opening_plies: section.or("opening-plies", whole(0..=100), default.opening_plies),
        openings: section.or("openings", text_or_none, default.openings),
        seed: section.or("seed", whole(0..=u64::MAX), default.seed),
        seeds: section.or("seeds", text_or_none, default.seeds),
        stop_after_forfeits: section.or(
            "stop-after-forfeits",
            whole(0..=1_000_000),
            default.stop_after_forfeits,
        ),
        restored: section.or("restored", word, default.restored),
        tie_break: section.or("tie-break", word, default.tie_break),
    }
}

/// An even number of games, so that each side has the first move equally often.
fn even(value: &Value<'_>) -> Read<u32> {
    match whole::<u32>(2..=1_000)(value) {
        Ok(games) if games.is_multiple_of(2) => Ok(games),
        _ => fails("write an even number from 2 to 1000"),
    }
}

/// Reads `[sprt]`, with the number of pairs into the format.
pub(super) fn sprt(section: &Section<'_>, format: &mut Format) -> SprtConfig {
    let default = SprtConfig::default();
    let elo = number_in(-2000.0..=2000.0, "write a number from -2000 to 2000");
    format.max_pairs = section.or("max-pairs", whole(1..=1_000_000), format.max_pairs);
    SprtConfig {
        elo0: section.or("elo0", &elo, default.elo0),
        elo1: section.or("elo1", &elo, default.elo1),
        alpha: section.or("alpha", chance, default.alpha),
        beta: section.or("beta", chance, default.beta),
        model: section.or("model", word, default.model),
    }
}

/// Reads `[milestones]`, with the end of its games into the format.
pub(super) fn milestones(section: &Section<'_>, format: &mut Format) -> MilestonesConfig {
    let MilestonesConfig { steps, rule: StepRule { score, wrong } } = MilestonesConfig::default();
    let share = number_in(0.01..=0.99, "write a share from 0.01 to 0.99, such as 0.8");
    let chance = number_in(1e-6..=0.5, "write a number from 0.000001 to 0.5, such as 0.05");
    format.stop = section.or("stop", word, format.stop);
    MilestonesConfig {
        steps: section.or("steps", texts, steps),
        rule: StepRule {
            score: section.or("score", share, score),
            wrong: section.or("wrong", chance, wrong),
        },
    }
}

pub(super) fn league(section: &Section<'_>) -> LeagueConfig {
    let default = LeagueConfig::default();
    LeagueConfig {
        settle: section.or("settle", duration, default.settle),
        marker: section.or("marker", file_name, default.marker),
        check: section.or("check", duration, default.check),
        versions: section.or("versions", whole(1..=1_000), default.versions),
        freeze: section.or("freeze", time_or_none, default.freeze),
        worker_timeout: section.or("worker-timeout", some_time, default.worker_timeout),
        disk: section.or("disk", size_or_none, default.disk),
    }
}

pub(super) fn uploads(section: &Section<'_>) -> UploadsConfig {
    let default = UploadsConfig::default();
    let bytes = size(1 << 10..=1 << 30); // 1 KiB to the 1 GiB that a submission may have
    UploadsConfig {
        folder: section.or("folder", text_or_none, default.folder),
        url: section.or("url", web_address, default.url),
        size: section.or("size", &bytes, default.size),
        unpacked: section.or("unpacked", &bytes, default.unpacked),
        files: section.or("files", whole(1..=20_000), default.files),
        per_hour: section.or("per-hour", whole(1..=10_000), default.per_hour),
        challenges: section.or("challenges", whole(0..=10_000), default.challenges),
        time: section.or("time", some_time, default.time),
    }
}

/// The address of a folder on a web server, or `""`.
fn web_address(value: &Value<'_>) -> Read<Option<String>> {
    let wanted = "write the address that browsers see, such as \"https://bots.example.org/cup/\", \
                  with a / at the end";
    let Some(url) = text_or_none(value)? else { return Ok(None) };
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let Some((host, path)) = rest.and_then(|rest| rest.split_once('/')) else {
        return fails(wanted);
    };
    let is_host = !host.is_empty() && has_only(host, b".-:[]");
    let is_path = has_only(path, b"._~-/");
    let ends_well = path.is_empty() || path.ends_with('/');
    let has_dots = path.split('/').any(|part| matches!(part, "." | ".."));
    accepted((is_host && is_path && ends_well && !has_dots).then_some(Some(url)), wanted)
}

/// Whether a text has only letters, digits and these others.
fn has_only(text: &str, others: &[u8]) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || others.contains(&byte))
}

/// A time in UTC as `2026-12-18T18:00:00Z`, or `""`. Such times are ordered as their texts are.
fn time_or_none(value: &Value<'_>) -> Read<Option<String>> {
    const FORM: &str = "0000-00-00T00:00:00Z";
    let wanted = "write a time in UTC, such as \"2026-12-18T18:00:00Z\"";
    // TOML has times of its own, which need no quotes.
    let Ok(time) = text_or_none(value) else { return fails(wanted) };
    let Some(time) = time else { return Ok(None) };
    let digits: String =
        time.chars().map(|one| if one.is_ascii_digit() { '0' } else { one }).collect();
    let is_time = digits == FORM && time.parse::<Datetime>().is_ok();
    accepted(is_time.then_some(Some(time)), wanted)
}

/// A size that is large enough for a league, or `""`.
fn size_or_none(value: &Value<'_>) -> Read<Option<u64>> {
    if string(value) == Some("") {
        return Ok(None);
    }
    size(1 << 20..=1 << 50)(value).map(Some)
}

/// The name of a file, or `""`.
fn file_name(value: &Value<'_>) -> Read<Option<String>> {
    match text_or_none(value)? {
        Some(name) if name.contains('/') || name == "." || name == ".." => {
            fails("write the name of a file, without a folder")
        }
        name => Ok(name),
    }
}

pub(super) fn ratings(section: &Section<'_>) -> RatingsConfig {
    let anchor = section.or("anchor", text_or_none, None);
    let mut anchors = section.table("anchors", "[ratings.anchors]", anchors);
    if let Some(bot) = anchor {
        if !anchors.is_empty() {
            let why = "leave it out beside `anchors`, or name the bot there with 0";
            section.reading.refuse("ratings.anchor", why);
        }
        // It is short for an anchor at 0.
        anchors.insert(0, (bot, 0.0));
    }
    RatingsConfig { anchors }
}

fn anchors(section: &Section<'_>) -> Vec<(String, f64)> {
    section.each(number_in(-10_000.0..=10_000.0, "write a rating from -10000 to 10000"))
}

/// `[time]`, `[match]` or `[limits]`: overwrites the defaults by the settings of this table.
pub(super) fn settings(section: &Section<'_>, table: &str, settings: &mut Settings) {
    for field in FIELDS {
        if field.table == table
            && let Some(value) = section.take(field.key, setting(field.kind))
        {
            field.set(settings, value);
        }
    }
}

/// `base` with `increment`, or `move` alone; what is not there is that of `usual`.
pub(super) fn control(section: &Section<'_>, usual: TimeControl) -> TimeControl {
    let reading = section.reading;
    let base = section.take("base", some_time);
    let increment = section.take("increment", duration);
    let ply = section.take("move", some_time);
    // Whether a key is there, not whether its value was read: that has its own error.
    if reading.has(&section.path("move")) {
        if reading.has(&section.path("base")) {
            section.refuse(
                "move",
                "`move` and `base` do not go together; write `base` for a stock for the whole \
                 game or `move` for the same time for each move",
            );
        }
        if !increment.unwrap_or_default().is_zero() {
            section.refuse(
                "increment",
                "`increment` goes with `base`; with `move` nothing is carried over, so leave it \
                 out",
            );
        }
        return ply.map_or(usual, TimeControl::Ply);
    }
    // A bot may change one number of the tournament's clock, but not half of another kind of clock.
    match (usual, base) {
        (TimeControl::Game { base: usual, increment: added }, _) => {
            TimeControl::Game { base: base.unwrap_or(usual), increment: increment.unwrap_or(added) }
        }
        (TimeControl::Ply(_) | TimeControl::Unlimited, Some(base)) => {
            TimeControl::Game { base, increment: increment.unwrap_or_default() }
        }
        (TimeControl::Ply(_) | TimeControl::Unlimited, None) => {
            if increment.is_some() {
                let why = "`increment` goes with `base`; write both";
                section.refuse("increment", why);
            }
            usual
        }
    }
}

pub(super) fn publish(section: &Section<'_>) -> PublishConfig {
    let default = PublishConfig::default();
    PublishConfig {
        names: section.or("names", word, default.names),
        stderr: section.or("stderr", word, default.stderr),
        junit: section.or("junit", word, default.junit),
        feedback: section.or("feedback", word, default.feedback),
        key_file: section.or("key-file", text_or_none, default.key_file),
    }
}

/// The options of the game as texts; the rules check their values.
pub(super) fn options(section: &Section<'_>) -> Vec<(String, String)> {
    section.each(|value| match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) => Ok(number.to_string()),
        DeValue::Boolean(word) => Ok(word.to_string()),
        _ => fails("write a word in quotes or a whole number"),
    })
}

/// `[names]`: what is shown after the names of bots.
pub(super) fn display_names(section: &Section<'_>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (key, place, value) in section.entries() {
        if !is_bot_name(key) {
            section
                .reading
                .report(place, format!("`{key}` is no name of a bot: {}", bot_name_rule()));
        }
        // The value has its own message, if it is wrong too.
        if let Some(name) = section.read_value(key, value, display) {
            names.insert(key.to_owned(), name);
        }
    }
    names
}

pub(super) fn expect(section: &Section<'_>) -> Vec<Expectation> {
    let mut expectations = Vec::new();
    for (bot, (relation, share)) in section.each(expected) {
        expectations.push(Expectation { bot, relation, share });
    }
    expectations
}

fn expected(value: &Value<'_>) -> Read<(Relation, f64)> {
    accepted(
        value.get_ref().as_str().and_then(comparison),
        "write a comparison with a score share from 0 to 1 that can hold, such as \">= 0.6\"; \
         there are >=, >, <=, < and ==",
    )
}

fn comparison(text: &str) -> Option<(Relation, f64)> {
    let text = text.trim();
    // `ALL` has `>=` before `>` and `<=` before `<`: a prefix would match too early.
    let relation = *Relation::ALL.iter().find(|relation| text.starts_with(relation.word()))?;
    let share = text[relation.word().len()..].trim_start();
    // `parse` would also read a sign, an exponent and `nan`.
    if !share.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let share: f64 = share.parse().ok()?;
    let can_hold = match relation {
        Relation::Above => (0.0..1.0).contains(&share),
        Relation::Below => 0.0 < share && share <= 1.0,
        Relation::AtLeast | Relation::AtMost | Relation::Exactly => (0.0..=1.0).contains(&share),
    };
    can_hold.then_some((relation, share))
}
