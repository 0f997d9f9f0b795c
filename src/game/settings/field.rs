//! The table of settings: a row for each key of `[time]`, `[match]` and `[limits]`, except those of
//! the time control.

use super::{ClockKind, Pin, Pondering, Sandbox, Settings, parse_size, size_text};
use crate::clock::{WallCap, duration_text, parse_duration};
use arbiter_rules::text::Word;
use std::time::Duration;

/// One setting.
#[derive(Debug)]
pub struct Field {
    /// Its table in a configuration.
    pub table: &'static str,
    /// Its key in that table, and the name of its flag.
    pub key: &'static str,
    /// The name of the flag's value in help; empty for the words of a kind, which are named
    /// themselves.
    pub value_name: &'static str,
    /// Its meaning, for help.
    pub help: &'static str,
    /// Its possible values.
    pub kind: FieldKind,
    decides: fn(&Settings) -> bool,
    get: fn(&Settings) -> FieldValue,
    set: fn(&mut Settings, FieldValue),
}

/// The possible values of a setting.
#[derive(Debug, Clone, Copy)]
pub enum FieldKind {
    /// A length of time.
    Time,
    /// A length of time that is not zero.
    SomeTime,
    /// A number of bytes from the first to the second.
    Size(u64, u64),
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// A whole number from 0 to this, but not 1.
    NotOne(u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words, or an empty text.
    WordOrNone(&'static [&'static str]),
    /// Yes or no.
    Truth,
    /// A cap of wall time.
    WallCap,
}

/// The value of a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FieldValue {
    /// Of [`FieldKind::Time`] and [`FieldKind::SomeTime`].
    Time(Duration),
    /// Of [`FieldKind::Size`], in bytes.
    Size(u64),
    /// Of [`FieldKind::Whole`] and [`FieldKind::NotOne`].
    Whole(u64),
    /// Of [`FieldKind::Word`] and [`FieldKind::WordOrNone`].
    Word(&'static str),
    /// Of [`FieldKind::Truth`].
    Truth(bool),
    /// Of [`FieldKind::WallCap`].
    WallCap(WallCap),
}

impl Field {
    /// The value of the setting as flags write it, and configurations within quotes.
    pub fn text(&self, settings: &Settings) -> String {
        match (self.get)(settings) {
            FieldValue::Time(time) => duration_text(time),
            FieldValue::Size(bytes) => size_text(bytes),
            FieldValue::Whole(number) => number.to_string(),
            FieldValue::Word(word) => word.to_owned(),
            FieldValue::Truth(truth) => truth.to_string(),
            FieldValue::WallCap(WallCap { factor, plus }) => {
                format!("{factor}x+{}", duration_text(plus))
            }
        }
    }

    /// Gives the setting a value of its kind. A value of another kind changes nothing.
    pub fn set(&self, settings: &mut Settings, value: FieldValue) {
        (self.set)(settings, value);
    }

    /// Gives the setting in `to` the value that it has in `from`.
    pub fn copy(&self, from: &Settings, to: &mut Settings) {
        (self.set)(to, (self.get)(from));
    }

    /// Whether games under these settings can depend on this one.
    pub fn decides(&self, settings: &Settings) -> bool {
        (self.decides)(settings)
    }
}

impl FieldKind {
    /// Reads the value of a flag.
    ///
    /// # Errors
    /// What would be right, as a fragment of a sentence.
    pub fn read(self, text: &str) -> Result<FieldValue, String> {
        match self {
            FieldKind::Time | FieldKind::SomeTime => match parse_duration(text) {
                Ok(Duration::ZERO) if matches!(self, FieldKind::SomeTime) => {
                    Err("it must be more than 0".to_owned())
                }
                Ok(time) => Ok(FieldValue::Time(time)),
                Err(error) => Err(error.to_string()),
            },
            FieldKind::Size(from, to) => match parse_size(text) {
                Some(bytes) if (from..=to).contains(&bytes) => Ok(FieldValue::Size(bytes)),
                _ => Err(format!(
                    "write a whole number and a unit, such as 512MiB or 2GiB, from {} to {}",
                    size_text(from),
                    size_text(to)
                )),
            },
            FieldKind::Whole(from, to) => match whole_number(text) {
                Some(number) if (from..=to).contains(&number) => Ok(FieldValue::Whole(number)),
                _ => Err(format!("write a whole number from {from} to {to}")),
            },
            FieldKind::NotOne(to) => match whole_number(text) {
                Some(number) if number != 1 && number <= to => Ok(FieldValue::Whole(number)),
                _ => Err(format!(
                    "write 0 for never, or a whole number from 2 to {to}: a position always \
                     occurs once"
                )),
            },
            FieldKind::Word(words) | FieldKind::WordOrNone(words) => {
                if text.is_empty() && matches!(self, FieldKind::WordOrNone(_)) {
                    return Ok(FieldValue::Word(""));
                }
                match words.iter().find(|&&word| word == text) {
                    Some(word) => Ok(FieldValue::Word(word)),
                    None => Err(format!("write {}", words.join(", "))),
                }
            }
            FieldKind::Truth => match text {
                "true" => Ok(FieldValue::Truth(true)),
                "false" => Ok(FieldValue::Truth(false)),
                _ => Err("write true or false".to_owned()),
            },
            FieldKind::WallCap => {
                WallCap::parse(text).map(FieldValue::WallCap).map_err(|error| error.to_string())
            }
        }
    }
}

fn whole_number(text: &str) -> Option<u64> {
    // Rust also reads `+1`.
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// The type of a setting's field in [`Settings`], which converts to and from a [`FieldValue`].
trait SettingType: Sized {
    fn to_value(&self) -> FieldValue;
    /// `None` if the value is of another kind.
    fn from_value(value: FieldValue) -> Option<Self>;
}

// Each line: a type, its value (with a name for the field), and the way back.
macro_rules! setting_types {
    ($($type:ty: $this:ident => $value:expr, $pattern:pat => $back:expr;)+) => {$(
        impl SettingType for $type {
            fn to_value(&self) -> FieldValue {
                let $this = *self;
                $value
            }

            fn from_value(value: FieldValue) -> Option<$type> {
                match value {
                    $pattern => $back,
                    _ => None,
                }
            }
        }
    )+};
}

setting_types! {
    Duration: time => FieldValue::Time(time), FieldValue::Time(time) => Some(time);
    // A limit of 0 is none.
    Option<Duration>: time => FieldValue::Time(time.unwrap_or_default()),
        FieldValue::Time(time) => Some(Some(time).filter(|time| !time.is_zero()));
    u64: bytes => FieldValue::Size(bytes), FieldValue::Size(bytes) => Some(bytes);
    u32: number => FieldValue::Whole(number.into()),
        FieldValue::Whole(number) => number.try_into().ok();
    bool: truth => FieldValue::Truth(truth), FieldValue::Truth(truth) => Some(truth);
    WallCap: cap => FieldValue::WallCap(cap), FieldValue::WallCap(cap) => Some(cap);
    ClockKind: word => FieldValue::Word(word.word()),
        FieldValue::Word(word) => ClockKind::named(word);
    Pondering: word => FieldValue::Word(word.word()),
        FieldValue::Word(word) => Pondering::named(word);
    Pin: word => FieldValue::Word(word.word()), FieldValue::Word(word) => Pin::named(word);
    Sandbox: word => FieldValue::Word(word.word()), FieldValue::Word(word) => Sandbox::named(word);
    Option<Sandbox>: word => FieldValue::Word(word.map_or("", Sandbox::word)),
        FieldValue::Word(word) => Some(Sandbox::named(word));
}

macro_rules! fields {
    ($(
        $table:literal $key:literal $($path:ident).+:
            $kind:expr, $decides:expr, $value_name:literal, $help:literal;
    )+) => {
        /// Every setting except the game and the time control, in the order of a configuration.
        pub const FIELDS: &[Field] = &[$(Field {
            table: $table,
            key: $key,
            value_name: $value_name,
            help: $help,
            kind: $kind,
            decides: $decides,
            get: |settings| settings.$($path).+.to_value(),
            set: |settings, value| {
                if let Some(it) = SettingType::from_value(value) {
                    settings.$($path).+ = it;
                }
            },
        },)+];
    };
}

/// The setting decides games: games with other values of it must not share a result folder.
const YES: fn(&Settings) -> bool = |_| true;
/// The setting does not decide games.
const NO: fn(&Settings) -> bool = |_| false;

fields! {
    "time" "first-move" time.first_move: FieldKind::Time, YES, "TIME",
        "A limit of its own for a bot's first move, such as 5s; 0s for none";
    "time" "start" time.start: FieldKind::SomeTime, YES, "TIME",
        "How long a bot may take to say ready";
    "time" "grace" time.grace: FieldKind::Time, NO, "TIME",
        "How long a bot may take to exit after quit";
    "time" "margin" time.margin: FieldKind::Time, YES, "TIME",
        "How far a move may exceed its limit without losing";
    "time" "clock" time.clock: FieldKind::Word(ClockKind::WORDS), YES, "",
        "Which time a move is charged with: wall, or cpu for the processor time that the bot's \
         processes used";
    "time" "wall-cap" time.wall_cap:
        FieldKind::WallCap, |settings| settings.time.clock == ClockKind::Cpu, "CAP",
        "With --clock cpu, how much wall time a move may take: a factor of its limit and a time";
    "time" "stall" time.stall:
        FieldKind::SomeTime, |settings| settings.time.stall_decides(), "TIME",
        "How long a program without a clock may take for a move";
    "time" "finish" time.finish: FieldKind::Time, NO, "TIME",
        "How long running games may go on after an interruption (SIGINT, SIGTERM, SIGHUP)";
    "time" "pondering" time.pondering: FieldKind::Word(Pondering::WORDS), YES, "",
        "Whether a bot may think while it is not on move: off freezes it";
    "match" "attempts" rules.attempts: FieldKind::Whole(1, 100), YES, "N",
        "The number of answers to a turn; the last one loses if it is illegal";
    "match" "max-plies" rules.max_plies: FieldKind::Whole(0, 1_000_000), YES, "N",
        "Plies after which the game is drawn; 0 for the larger of 400 and twice the number of \
         squares";
    "match" "repetition" rules.repetition: FieldKind::NotOne(1_000), YES, "N",
        "The occurrence of a position that draws; 0 for never";
    "match" "tell-moves" rules.tell_moves: FieldKind::Truth, YES, "WHETHER",
        "Whether a bot is sent all legal moves; false for courses whose point is to find them";
    "match" "pin" rules.pin: FieldKind::Word(Pin::WORDS), NO, "",
        "Give each game a core of its own: auto does so if bots that are not on move are frozen, \
         so that none can take the core from its opponent, and if there are enough cores; on does \
         so always";
    "match" "replay-disturbed" rules.replay_disturbed: FieldKind::Truth, YES, "WHETHER",
        "Whether to play a game again that the machine disturbed";
    "limits" "sandbox" limits.sandbox: FieldKind::Word(Sandbox::WORDS), YES, "",
        "Isolation: basic limits a bot, strict also denies it files, the network and other \
         processes";
    "limits" "require-isolation" limits.require_isolation:
        FieldKind::WordOrNone(Sandbox::WORDS), NO, "",
        "Refuse to start below this level of isolation";
    "limits" "memory" limits.memory: FieldKind::Size(1 << 20, 1 << 40), YES, "SIZE",
        "Memory of a bot's processes, such as 512MiB";
    "limits" "processes" limits.processes: FieldKind::Whole(1, 32_768), YES, "N",
        "Under strict the most processes of a bot; more than 1 allows fork";
    "limits" "threads" limits.threads: FieldKind::Whole(1, 32_768), YES, "N",
        "Under strict the most threads of all processes of a bot together";
    "limits" "output" limits.output: FieldKind::Size(1 << 10, 1 << 30), YES, "SIZE",
        "The most bytes that a bot may write to stdout for one move; its stderr is cut at ten \
         times this a game";
    "limits" "build-time" limits.build_time: FieldKind::SomeTime, NO, "TIME",
        "How long the build of a bot may take";
    "limits" "rules-time" limits.rules_time: FieldKind::SomeTime, NO, "TIME",
        "How long the rules of a custom game may take for an answer";
}
