//! The settings of a game as flags: one for each row of [`FIELDS`], and the time control.

use anyhow::bail;
use arbiter_game::clock::{TimeControl, parse_duration};
use arbiter_game::record::Record;
use arbiter_game::settings::{FIELDS, Field, FieldKind, FieldValue};
use arbiter_game::{Settings, TimeSettings};
use arbiter_rules::{BySide, Side};
use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, error::ErrorKind};
use std::cell::RefCell;
use std::time::Duration;

/// Settings that were given as flags, laid over the defaults of `arbiter play`.
#[derive(Debug, Clone)]
pub struct SettingsFlags {
    /// The result; its ruleset is not read from flags.
    pub settings: Settings,
    /// Whether the flags name a time control of all bots.
    pub names_time: bool,
    /// The clocks of bots that have one of their own.
    pub own: OwnClocks,
}

/// The value of `--time` or `--move-time`: a clock, and the bot that alone has it, if one is named.
type NamedClock = (Option<String>, TimeControl);

/// The clocks of bots by their names, as flags give them.
#[derive(Debug, Clone, Default)]
pub struct OwnClocks(Vec<(String, TimeControl)>);

impl OwnClocks {
    /// The clock that this bot alone has.
    pub fn of(&self, name: &str) -> Option<TimeControl> {
        self.0.iter().find(|(bot, _)| bot == name).map(|&(_, control)| control)
    }

    /// Whether one of these bots plays without a clock.
    pub fn has_unlimited(&self) -> bool {
        self.0.iter().any(|(_, control)| control.initial().is_none())
    }

    /// Checks that they are those of these bots.
    ///
    /// # Errors
    /// One of them is not; the sentence names the bots.
    pub fn check(&self, names: &[&str]) -> anyhow::Result<()> {
        for (bot, control) in &self.0 {
            if names.contains(&&**bot) {
                continue;
            }
            let there = if names.is_empty() {
                "here all have the same clock; leave the name out".to_owned()
            } else {
                let names = names.join(", ");
                format!("no bot of that name can have its own clock here; there are {names}")
            };
            bail!("--time {bot}={control}: {there}");
        }
        Ok(())
    }
}

/// Settings that were given as flags, to be laid over any others.
#[derive(Debug, Clone, Default)]
pub struct GivenSettings {
    control: Option<TimeControl>,
    /// The clocks of bots that have one of their own.
    pub own: OwnClocks,
    fields: Vec<(&'static Field, FieldValue)>,
}

impl GivenSettings {
    /// Gives the settings the values of the flags.
    ///
    /// # Errors
    /// They contradict each other; the error is about `--threads`.
    pub fn lay_over(&self, settings: &mut Settings) -> Result<(), String> {
        if let Some(control) = self.control {
            *settings = settings.with_control(control);
        }
        for &(field, value) in &self.fields {
            field.set(settings, value);
        }
        settings.check().map_err(|why| format!("--threads: {why}"))
    }

    /// Whether the flag of this name was given.
    pub fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|(field, _)| field.key == key)
    }
}

/// The settings that a log's `Settings` tag stands for: flags as a shell would read them, laid over
/// the defaults of `arbiter play`. Nothing but known settings is accepted.
///
/// # Errors
/// Which word is no flag of a setting, or what its value must be.
pub fn read_tag(tag: &str) -> Result<Settings, String> {
    let words = shlex::split(tag).ok_or("there is an unclosed quote")?;
    // Making the command takes longer than all else that a report does with a game.
    thread_local! {
        static COMMAND: RefCell<Command> = RefCell::new(with_flags(
            Command::new("Settings").no_binary_name(true).disable_help_flag(true),
            None,
        ));
    }
    let parsed = COMMAND.with_borrow_mut(|command| command.try_get_matches_from_mut(words));
    let matches = match parsed {
        Ok(matches) => matches,
        Err(error) => {
            // The other lines are about the usage of a command that nobody has typed.
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            return Err(first.trim_start_matches("error: ").to_owned());
        }
    };
    let mut settings = Settings::of_play();
    let given = GivenSettings::of(&matches)?;
    given.lay_over(&mut settings)?;
    given.own.check(&[]).map_err(|why| why.to_string())?;
    Ok(settings)
}

/// The clocks by the tags `TimeControl`, `WhiteTimeControl` and `BlackTimeControl`. A side without
/// a readable one has no clock; `None` if no side has one.
pub fn control_of(record: &Record) -> Option<BySide<TimeControl>> {
    let mut controls = BySide { first: TimeControl::Unlimited, second: TimeControl::Unlimited };
    let mut is_known = false;
    for side in Side::BOTH {
        if let Some(text) = &record.time_control[side]
            && let Ok(control) = TimeControl::parse(text)
        {
            controls[side] = control;
            is_known = true;
        }
    }
    if is_known { Some(controls) } else { None }
}

/// How the clocks of a logged game ran: as its tags say; without them there are none.
pub fn time_of(record: &Record) -> TimeSettings {
    let settings = match record.settings.as_deref().map(read_tag) {
        Some(Ok(tagged)) => tagged,
        _ => Settings::for_ruleset(record.ruleset()).with_control(TimeControl::Unlimited),
    };
    let mut time = settings.time;
    time.control = control_of(record).unwrap_or(time.control);
    time
}

/// The command with the flags of all settings, which take their values from `default` if they are
/// not given.
fn with_flags(command: Command, default: Option<Settings>) -> Command {
    let time = Arg::new("time")
        .long("time")
        .value_name("[NAME=]BASE+INC")
        .action(ArgAction::Append)
        .value_parser(|text: &str| named(text, TimeControl::parse))
        .help("Clock in seconds or none; with NAME=, of that bot");
    let move_time = Arg::new("move-time")
        .long("move-time")
        .value_name("[NAME=]TIME")
        .action(ArgAction::Append)
        .value_parser(|text: &str| named(text, parse_move_time))
        .help("A time for each move instead, such as 500ms");
    let mut command = match &default {
        Some(default) => {
            let time = time.default_value(default.time.control.first.to_string());
            command.args([time.help_heading(CLOCKS), move_time.help_heading(CLOCKS)])
        }
        None => command.args([time, move_time]),
    };
    for field in FIELDS {
        command = command.arg(flag(field, default.as_ref()));
    }
    command
}

/// The flag of a setting.
fn flag(field: &'static Field, default: Option<&Settings>) -> Arg {
    let mut flag = Arg::new(field.key).long(field.key).value_parser(parser(field)).help(field.help);
    flag = match field.kind {
        FieldKind::Word(words) | FieldKind::WordOrNone(words) => {
            flag.value_name(words.join("|")).hide_possible_values(true)
        }
        _ => flag.value_name(field.value_name),
    };
    if let FieldKind::Truth = field.kind {
        // `--flag` alone means `--flag=true`.
        flag = flag.num_args(0..=1).require_equals(true).default_missing_value("true");
    }
    if let Some(default) = default {
        flag = flag.help_heading(heading(field));
        let text = field.text(default);
        if !text.is_empty() {
            flag = flag.default_value(text);
        }
    }
    flag
}

/// The group of a setting's flag in the help of a command that has other flags too.
fn heading(field: &Field) -> &'static str {
    match field.table {
        "time" => CLOCKS,
        "match" => "Rules of the match",
        _ => "Limits of the bots",
    }
}

const CLOCKS: &str = "Clocks";

/// Reads a time for `--pause`.
pub fn parse_pause(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|error| error.to_string())
}

fn named<E>(
    text: &str,
    read: impl FnOnce(&str) -> Result<TimeControl, E>,
) -> Result<NamedClock, E> {
    match text.split_once('=') {
        Some((name, clock)) => Ok((Some(name.to_owned()), read(clock)?)),
        None => Ok((None, read(text)?)),
    }
}

fn parse_move_time(text: &str) -> Result<TimeControl, String> {
    match parse_duration(text) {
        Ok(Duration::ZERO) => Err("the time must be more than 0".to_owned()),
        Ok(time) => Ok(TimeControl::Ply(time)),
        Err(error) => Err(error.to_string()),
    }
}

fn parser(field: &'static Field) -> ValueParser {
    match field.kind {
        FieldKind::Word(words) | FieldKind::WordOrNone(words) => {
            PossibleValuesParser::new(words).try_map(|text| field.kind.read(&text)).into()
        }
        kind => ValueParser::new(move |text: &str| kind.read(text)),
    }
}

impl GivenSettings {
    /// # Errors
    /// Two clocks are given for the same bots.
    fn of(matches: &ArgMatches) -> Result<GivenSettings, String> {
        let mut given = GivenSettings::default();
        // Whose clock each flag is, and the flag as it was typed.
        let mut clocks: Vec<(&Option<String>, String)> = Vec::new();
        for flag in ["time", "move-time"] {
            // What is only the default in the help gives way.
            if matches.value_source(flag) != Some(ValueSource::CommandLine) {
                continue;
            }
            let words = matches.get_raw(flag).into_iter().flatten();
            let read = matches.get_many::<NamedClock>(flag).into_iter().flatten();
            for ((bot, clock), word) in read.zip(words) {
                let typed = format!("--{flag} {}", word.display());
                if let Some((_, before)) = clocks.iter().find(|(other, _)| *other == bot) {
                    return Err(format!("{before} cannot be used with {typed}; give one of them"));
                }
                clocks.push((bot, typed));
                match bot {
                    Some(bot) => given.own.0.push((bot.clone(), *clock)),
                    None => given.control = Some(*clock),
                }
            }
        }
        for field in FIELDS {
            if let Some(value) = matches.get_one::<FieldValue>(field.key) {
                given.fields.push((field, *value));
            }
        }
        Ok(given)
    }
}

impl Args for GivenSettings {
    fn augment_args(command: Command) -> Command {
        with_flags(command, None)
    }

    fn augment_args_for_update(command: Command) -> Command {
        GivenSettings::augment_args(command)
    }
}

impl FromArgMatches for GivenSettings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<GivenSettings, Error> {
        let mut given = GivenSettings::default();
        given.update_from_arg_matches(matches)?;
        Ok(given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = GivenSettings::of(matches).map_err(wrong)?;
        Ok(())
    }
}

impl Args for SettingsFlags {
    fn augment_args(command: Command) -> Command {
        with_flags(command, Some(Settings::of_play()))
    }

    fn augment_args_for_update(command: Command) -> Command {
        SettingsFlags::augment_args(command)
    }
}

impl FromArgMatches for SettingsFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SettingsFlags, Error> {
        let mut flags = SettingsFlags {
            settings: Settings::of_play(),
            names_time: false,
            own: OwnClocks::default(),
        };
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let given = GivenSettings::of(matches).map_err(wrong)?;
        self.names_time = given.control.is_some();
        self.own = given.own.clone();
        given.lay_over(&mut self.settings).map_err(wrong)
    }
}

fn wrong(why: String) -> Error {
    Error::raw(ErrorKind::ValueValidation, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_config::{Config, settings_tables};
    use arbiter_game::settings::size_text;

    /// The settings of a configuration with this table.
    fn configured(table: &str) -> Settings {
        let bots = "[[bot]]\nname = 'a'\ncommand = 'a'\n[[bot]]\nname = 'b'\ncommand = 'b'\n";
        let config = Config::parse(&format!("{table}\n{bots}"));
        config.unwrap_or_else(|errors| panic!("{table}: {}", errors.display("FILE"))).settings
    }

    /// The settings of a command line with these flags.
    fn flagged(flags: &[String]) -> Settings {
        let command = SettingsFlags::augment_args(Command::new("play").no_binary_name(true));
        let matches = command.try_get_matches_from(flags).unwrap_or_else(|error| panic!("{error}"));
        SettingsFlags::from_arg_matches(&matches).unwrap().settings
    }

    /// Values that a setting may have, none of them its default in every field.
    fn samples(kind: FieldKind) -> Vec<String> {
        let text = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        match kind {
            FieldKind::Time | FieldKind::SomeTime => text(&["7s", "1500ms", "0.0005s"]),
            FieldKind::Size(from, to) => [from, 64 << 20, to - 1].map(size_text).into(),
            FieldKind::Whole(from, to) => {
                vec![from.to_string(), (from + 70).min(to).to_string(), to.to_string()]
            }
            FieldKind::NotOne(to) => text(&["0", "2", &to.to_string()]),
            FieldKind::Word(words) | FieldKind::WordOrNone(words) => text(words),
            FieldKind::Truth => text(&["true", "false"]),
            FieldKind::WallCap => text(&["1.5x+0s", "2x+500ms"]),
        }
    }

    #[test]
    fn every_setting_survives_the_way_from_a_configuration_to_flags() {
        assert_eq!(flagged(&[]), Settings::of_play());
        for field in FIELDS {
            let mut changed = 0;
            for sample in samples(field.kind) {
                let quoted = match field.kind {
                    FieldKind::Whole(..) | FieldKind::NotOne(_) | FieldKind::Truth => {
                        sample.clone()
                    }
                    _ => format!("'{sample}'"),
                };
                // More threads than the sampled processes, so that the two do not contradict each
                // other.
                let others = match field.key {
                    "processes" => "threads = 32768\n",
                    _ => "",
                };
                let clock = if field.key == "wall-cap" { "clock = 'cpu'\n" } else { "" };
                let table = format!("[{}]\n{clock}{others}{} = {quoted}", field.table, field.key);
                let before = configured(&format!("[{}]\n{clock}{others}", field.table));
                let settings = configured(&table);
                assert_eq!(field.text(&settings), sample, "{table}");
                let flags = settings.flags(&Settings::of_play());
                assert_eq!(flagged(&flags), settings, "{table}: {flags:?}");
                let tag = settings.tag();
                let read = read_tag(&tag).unwrap_or_else(|error| panic!("{tag}: {error}"));
                assert_eq!(read.identity(), settings.identity(), "{table}: {tag}");
                let written = settings_tables("loa", &settings).to_string();
                assert_eq!(configured(&written), settings, "{table}: {written}");
                let differs = settings != before;
                changed += u32::from(differs);
                let decides = differs && field.decides(&settings);
                assert_eq!(settings.identity() != before.identity(), decides, "{table}");
            }
            assert!(changed > 0, "no sample of {} differs from the default", field.key);
        }
    }

    #[test]
    fn every_time_control_survives_too() {
        for (table, flags) in [
            ("base = '5s'", vec!["--time", "5+0.1"]),
            ("base = '1min'\nincrement = '0s'", vec!["--time", "60+0"]),
            ("move = '500ms'", vec!["--move-time", "500ms"]),
        ] {
            let settings = configured(&format!("[time]\n{table}"));
            let printed = settings.flags(&Settings::of_play());
            assert!(printed.windows(2).any(|words| words == flags), "{printed:?}");
            assert_eq!(flagged(&printed), settings);
            assert_eq!(configured(&settings_tables("loa", &settings).to_string()), settings);
            assert_ne!(settings.identity(), Settings::default().identity());
        }
        let unlike = BySide { first: Some(TimeControl::Ply(Duration::from_secs(1))), second: None };
        let unlike = Settings::of_play().with_own_clocks(unlike);
        assert_eq!(unlike.tag(), "", "the tags of the two clocks have them");
        assert_ne!(unlike.identity(), Settings::of_play().identity());
        let unlimited = Settings::of_play().with_control(TimeControl::Unlimited);
        assert_eq!(flagged(&unlimited.flags(&Settings::of_play())), unlimited);
    }

    #[test]
    fn a_tag_holds_settings_and_nothing_else() {
        assert_eq!(read_tag("").unwrap(), Settings::of_play());
        assert_eq!(read_tag("--memory '64MiB'").unwrap().limits.memory, 64 << 20);
        for (tag, error) in [
            ("--memory 'x", "unclosed quote"),
            ("--memory lots", "'lots'"),
            ("--log /tmp/x", "'--log'"),
            ("--help", "'--help'"),
            ("-h", "'-h'"),
            ("/tmp/bot", "'/tmp/bot'"),
            ("--processes 100", "--threads: each of 100"),
            ("--time 1+0 --move-time 1s", "cannot be used with"),
            ("--time a=1+0", "leave the name out"),
        ] {
            let found = read_tag(tag).unwrap_err();
            assert!(found.contains(error) && !found.contains('\n'), "{tag}: {found}");
        }
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let command = SettingsFlags::augment_args(Command::new("play").no_binary_name(true));
        let matches = command.try_get_matches_from(["--processes", "100"]).unwrap();
        let error = SettingsFlags::from_arg_matches(&matches).unwrap_err().to_string();
        assert!(error.contains("--threads: each of 100 `processes`"), "{error}");
    }
}
