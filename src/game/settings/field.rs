//! The table of settings: a row for each key of `[time]`, `[match]` and `[limits]` but those of the time control.

use super::{ClockKind, Pin, Pondering, Sandbox, Settings, duration_text, parse_size, size_text};
use crate::clock::{WallCap, parse_duration};
use crate::text::Word;
use std::time::Duration;

/// One setting.
#[derive(Debug)]
pub struct Field {
    /// The table of a configuration that it stands in.
    pub table: &'static str,
    /// Its key there, and the name of its flag.
    pub key: &'static str,
    /// What the flag's value is called in help.
    pub value_name: &'static str,
    /// What it means, for help.
    pub help: &'static str,
    /// What it may be.
    pub kind: Kind,
    decides: fn(&Settings) -> bool,
    get: fn(&Settings) -> Value,
    set: fn(&mut Settings, Value),
}

/// What a setting may be.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
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
pub enum Value {
    /// Of [`Kind::Time`] and [`Kind::SomeTime`].
    Time(Duration),
    /// Of [`Kind::Size`], in bytes.
    Size(u64),
    /// Of [`Kind::Whole`] and [`Kind::NotOne`].
    Whole(u64),
    /// Of [`Kind::Word`] and [`Kind::WordOrNone`].
    Word(&'static str),
    /// Of [`Kind::Truth`].
    Truth(bool),
    /// Of [`Kind::WallCap`].
    WallCap(WallCap),
}

impl Field {
    /// The setting as text, as flags and configurations (there within quotes) write it.
    #[must_use]
    pub fn text(&self, settings: &Settings) -> String {
        match (self.get)(settings) {
            Value::Time(time) => duration_text(time),
            Value::Size(bytes) => size_text(bytes),
            Value::Whole(number) => number.to_string(),
            Value::Word(word) => word.to_owned(),
            Value::Truth(truth) => truth.to_string(),
            Value::WallCap(WallCap { factor, plus }) => format!("{factor}x+{}", duration_text(plus)),
        }
    }

    /// Gives the setting a value of its kind. A value of another kind changes nothing.
    pub fn set(&self, settings: &mut Settings, value: Value) {
        (self.set)(settings, value);
    }

    /// Whether games that are played under these settings can depend on this one.
    #[must_use]
    pub fn decides(&self, settings: &Settings) -> bool {
        (self.decides)(settings)
    }
}

impl Kind {
    /// Reads the value of a flag.
    ///
    /// # Errors
    /// What would be right, as a fragment of a sentence.
    pub fn read(self, text: &str) -> Result<Value, String> {
        let number = || text.parse::<u64>().ok().filter(|_| !text.starts_with('+'));
        match self {
            Kind::Time | Kind::SomeTime => match parse_duration(text) {
                Ok(Duration::ZERO) if matches!(self, Kind::SomeTime) => {
                    Err("it must be more than nothing".to_owned())
                }
                Ok(time) => Ok(Value::Time(time)),
                Err(error) => Err(error.to_string()),
            },
            Kind::Size(from, to) => {
                let fits = |bytes: &u64| (from..=to).contains(bytes);
                parse_size(text).filter(fits).map(Value::Size).ok_or_else(|| {
                    let (from, to) = (size_text(from), size_text(to));
                    format!("write a whole number and a unit, such as 512MiB or 2GiB, from {from} to {to}")
                })
            }
            Kind::Whole(from, to) => number()
                .filter(|number| (from..=to).contains(number))
                .map(Value::Whole)
                .ok_or_else(|| format!("write a whole number from {from} to {to}")),
            Kind::NotOne(to) => {
                number().filter(|&number| number != 1 && number <= to).map(Value::Whole).ok_or_else(|| {
                    format!(
                        "write 0 for never, or a whole number from 2 to {to}: a position always occurs once"
                    )
                })
            }
            Kind::Word(words) | Kind::WordOrNone(words) => {
                let word = words.iter().find(|&&word| word == text).map(|&word| Value::Word(word));
                let none =
                    (text.is_empty() && matches!(self, Kind::WordOrNone(_))).then_some(Value::Word(""));
                word.or(none).ok_or_else(|| format!("write {}", words.join(", ")))
            }
            Kind::Truth => match text {
                "true" => Ok(Value::Truth(true)),
                "false" => Ok(Value::Truth(false)),
                _ => Err("write true or false".to_owned()),
            },
            Kind::WallCap => WallCap::parse(text).map(Value::WallCap).map_err(|error| error.to_string()),
        }
    }
}

/// A type that settings have: to the value of its kind, and back.
trait Typed: Sized {
    fn value(&self) -> Value;
    fn typed(value: Value) -> Option<Self>;
}

macro_rules! typed {
    ($($type:ty: $this:ident => $value:expr, $pattern:pat => $back:expr;)+) => {$(
        impl Typed for $type {
            fn value(&self) -> Value {
                let $this = *self;
                $value
            }

            fn typed(value: Value) -> Option<$type> {
                match value {
                    $pattern => $back,
                    _ => None,
                }
            }
        }
    )+};
}

typed! {
    Duration: time => Value::Time(time), Value::Time(time) => Some(time);
    Option<Duration>: time => Value::Time(time.unwrap_or_default()),
        Value::Time(time) => Some(Some(time).filter(|time| !time.is_zero()));
    u64: bytes => Value::Size(bytes), Value::Size(bytes) => Some(bytes);
    u32: number => Value::Whole(number.into()), Value::Whole(number) => number.try_into().ok();
    bool: truth => Value::Truth(truth), Value::Truth(truth) => Some(truth);
    WallCap: cap => Value::WallCap(cap), Value::WallCap(cap) => Some(cap);
    ClockKind: word => Value::Word(word.word()), Value::Word(word) => ClockKind::named(word);
    Pondering: word => Value::Word(word.word()), Value::Word(word) => Pondering::named(word);
    Pin: word => Value::Word(word.word()), Value::Word(word) => Pin::named(word);
    Sandbox: word => Value::Word(word.word()), Value::Word(word) => Sandbox::named(word);
    Option<Sandbox>: word => Value::Word(word.map_or("", Sandbox::word)),
        Value::Word(word) => Some(Sandbox::named(word));
}

macro_rules! fields {
    ($($table:literal $key:literal $($path:ident).+: $kind:expr, $decides:expr, $value_name:literal, $help:literal;)+) => {
        /// Every setting but the game and the time control, in the order of a configuration.
        pub const FIELDS: &[Field] = &[$(Field {
            table: $table,
            key: $key,
            value_name: $value_name,
            help: $help,
            kind: $kind,
            decides: $decides,
            get: |settings| settings.$($path).+.value(),
            set: |settings, value| {
                if let Some(typed) = Typed::typed(value) {
                    settings.$($path).+ = typed;
                }
            },
        },)+];
    };
}

/// It decides games.
const YES: fn(&Settings) -> bool = |_| true;
/// Games are the same whatever it is.
const NO: fn(&Settings) -> bool = |_| false;

fields! {
    "time" "first-move" time.first_move: Kind::Time, YES, "TIME",
        "A limit of its own for a bot's first ply, such as 5s; 0s for none";
    "time" "start" time.start: Kind::SomeTime, YES, "TIME", "How long a bot may take to say ready";
    "time" "grace" time.grace: Kind::Time, NO, "TIME", "How long a bot may take to exit after quit";
    "time" "margin" time.margin: Kind::Time, YES, "TIME", "What a ply may be over its limit without losing";
    "time" "clock" time.clock: Kind::Word(&[ClockKind::Wall.word(), ClockKind::Cpu.word()]), YES, "TIME",
        "Which time a ply is charged with: wall, or cpu for the processor time that the bot's processes used";
    "time" "wall-cap" time.wall_cap: Kind::WallCap, |settings| settings.time.clock == ClockKind::Cpu, "CAP",
        "With --clock cpu, how much wall time a ply may take: a factor of its limit and a time";
    "time" "pondering" time.pondering: Kind::Word(&[Pondering::Off.word(), Pondering::On.word()]), YES, "WHETHER",
        "Whether a bot may think while it is not on move: off freezes it";
    "match" "attempts" rules.attempts: Kind::Whole(1, 100), YES, "N", "Answers before an illegal one loses";
    "match" "max-plies" rules.max_plies: Kind::Whole(0, 1_000_000), YES, "N",
        "Plies after which the game is drawn; 0 for the larger of 400 and twice the number of squares";
    "match" "repetition" rules.repetition: Kind::NotOne(1_000), YES, "N",
        "The occurrence of a position that draws; 0 for never";
    "match" "pin" rules.pin: Kind::Word(&[Pin::Auto.word(), Pin::On.word(), Pin::Off.word()]), NO, "WHEN",
        "Give each game one core: auto only where it cannot favour a bot that thinks on its opponent's time, which \
         needs bots off move to be frozen, and where there is a core for each game; on always";
    "match" "replay-disturbed" rules.replay_disturbed: Kind::Truth, YES, "WHETHER",
        "Whether to play a game again that the machine disturbed";
    "limits" "sandbox" limits.sandbox:
        Kind::Word(&[Sandbox::Off.word(), Sandbox::Basic.word(), Sandbox::Strict.word()]), YES, "LEVEL",
        "How far bots are restricted: basic is a clean environment, no inherited files, limits; strict keeps files, the \
         network and other processes from them";
    "limits" "require-isolation" limits.require_isolation:
        Kind::WordOrNone(&[Sandbox::Off.word(), Sandbox::Basic.word(), Sandbox::Strict.word()]), NO, "LEVEL",
        "Refuse to start below this level of isolation";
    "limits" "memory" limits.memory: Kind::Size(1 << 20, 1 << 40), YES, "SIZE",
        "Memory of a bot's processes, such as 512MiB";
    "limits" "processes" limits.processes: Kind::Whole(1, 32_768), YES, "N",
        "How many processes a bot may be; under strict more than 1 allows fork";
    "limits" "threads" limits.threads: Kind::Whole(1, 32_768), YES, "N",
        "How many threads the processes of a bot may have together";
    "limits" "output" limits.output: Kind::Size(1 << 10, 1 << 30), YES, "SIZE",
        "What a bot may write to stdout for one ply; its stderr is cut at ten times this a game";
    "limits" "build-time" limits.build_time: Kind::SomeTime, NO, "TIME", "How long the build of a bot may take";
}
