//! The settings of a game as flags: one for each row of [`FIELDS`], and the time control.

use crate::clock::{TimeControl, parse_duration};
use crate::game::Settings;
use crate::game::settings::{FIELDS, Field, FieldKind, FieldValue};
use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, error::ErrorKind};
use std::time::Duration;

/// Settings that were given as flags, laid over the defaults of `arbiter play`.
#[derive(Debug, Clone)]
pub(super) struct SettingsFlags {
    /// The result; its ruleset is not read from flags.
    pub settings: Settings,
}

impl Args for SettingsFlags {
    fn augment_args(command: Command) -> Command {
        let default = Settings::of_play();
        let command = command
            .arg(
                Arg::new("time")
                    .long("time")
                    .value_name("BASE+INC")
                    .default_value(default.time.control.to_string())
                    .value_parser(TimeControl::parse)
                    .help("Clock of each bot, BASE+INC in seconds, or none for no clock"),
            )
            .arg(
                Arg::new("move-time")
                    .long("move-time")
                    .value_name("TIME")
                    .conflicts_with("time")
                    .value_parser(parse_move_time)
                    .help("A time for each ply instead, such as 500ms"),
            );
        FIELDS.iter().fold(command, |command, field| {
            let argument = Arg::new(field.key)
                .long(field.key)
                .value_name(field.value_name)
                .value_parser(parser(field))
                .help(field.help);
            // `--flag` alone means `--flag=true`.
            let argument = match field.kind {
                FieldKind::Truth => {
                    argument.num_args(0..=1).require_equals(true).default_missing_value("true")
                }
                _ => argument,
            };
            let text = field.text(&default);
            command.arg(if text.is_empty() { argument } else { argument.default_value(text) })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        SettingsFlags::augment_args(command)
    }
}

fn parse_move_time(text: &str) -> Result<Duration, String> {
    match parse_duration(text) {
        Ok(Duration::ZERO) => Err("the time must be more than 0".to_owned()),
        Ok(time) => Ok(time),
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

impl FromArgMatches for SettingsFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SettingsFlags, Error> {
        let mut flags = SettingsFlags { settings: Settings::of_play() };
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let settings = &mut self.settings;
        if let Some(&control) = matches.get_one::<TimeControl>("time") {
            settings.time.control = control;
        }
        if let Some(&time) = matches.get_one::<Duration>("move-time") {
            settings.time.control = TimeControl::Ply(time);
        }
        for field in FIELDS {
            if let Some(&value) = matches.get_one::<FieldValue>(field.key) {
                field.set(settings, value);
            }
        }
        settings.check().map_err(|why| Error::raw(ErrorKind::ValueValidation, format!("--threads: {why}\n")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::game::settings::size_text;

    /// The settings of a configuration with this table.
    fn configured(table: &str) -> Settings {
        let bots = "[[bot]]\nname = 'a'\ncommand = 'a'\n[[bot]]\nname = 'b'\ncommand = 'b'\n";
        let config = Config::parse(&format!("{table}\n{bots}"));
        config.unwrap_or_else(|errors| panic!("{table}: {}", errors.display("FILE"))).settings
    }

    /// The settings of a command line with these flags; the flags of the game's options are read and ignored.
    fn flagged(flags: &[String]) -> Settings {
        let mut command = SettingsFlags::augment_args(Command::new("play").no_binary_name(true));
        command = command.arg(Arg::new("set").long("set").action(clap::ArgAction::Append));
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
                    FieldKind::Whole(..) | FieldKind::NotOne(_) | FieldKind::Truth => sample.clone(),
                    _ => format!("'{sample}'"),
                };
                // More threads than the sampled processes, so that the two do not contradict each other.
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
            assert_ne!(settings.identity(), Settings::default().identity());
        }
        let unlimited = Settings::of_play().with_control(TimeControl::Unlimited);
        assert_eq!(flagged(&unlimited.flags(&Settings::of_play())), unlimited);
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let command = SettingsFlags::augment_args(Command::new("play").no_binary_name(true));
        let matches = command.try_get_matches_from(["--processes", "100"]).unwrap();
        let error = SettingsFlags::from_arg_matches(&matches).unwrap_err().to_string();
        assert!(error.contains("--threads: each of 100 `processes`"), "{error}");
    }
}
