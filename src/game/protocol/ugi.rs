//! The Universal Game Interface (docs/reference/protocol.md, ugi).

use super::answer::{came_early, first_word, nearly_a_ply, read_ply};
use super::{Conversation, NO_CLOCK, ParsedLine};
use crate::clock::TimeControl;
use crate::{End, NearlyAPly, Reply, Start, Turn, Wanted, Wording};
use arbiter_rules::{BySide, Ply, Position, Ruleset};
use std::time::Duration;

/// The depth in plies that is asked for without a clock, because the interface has no word for a
/// search that ends when the engine likes.
const DEPTH: u32 = 4;

/// A conversation with one program.
#[derive(Debug, Default)]
pub(super) struct Ugi {
    stage: Stage,
    /// What the program is sent before a game, once it has said `ugiok`.
    setup: String,
    /// Where the game begins, as `position` has it.
    beginning: String,
    /// What each ply of a side adds to its stock of time; `None` if it has no stock.
    increments: BySide<Option<Duration>>,
    /// The next turn is the program's first one, which has a limit of its own.
    has_own_limit: bool,
}

/// What the program was asked last before its first turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    /// Nothing.
    #[default]
    New,
    /// `ugi`.
    Greeted,
    /// `isready`.
    SetUp,
    /// Nothing more: it said `readyok`.
    Ready,
}

impl Conversation for Ugi {
    fn push_start(&mut self, out: &mut String, start: &Start<'_>) -> Result<(), String> {
        let ruleset = start.position.ruleset();
        self.setup.clear();
        let mut options = vec![("Game", ruleset.game().name().to_owned())];
        options.extend(ruleset.options());
        options.push(("RandomSeed", start.sent.seeds[start.you].to_string()));
        for (name, value) in options {
            self.setup.push_str(&format!("setoption name {name} value {value}\n"));
        }
        self.setup.push_str("uginewgame\nisready\n");
        self.beginning = if *start.position == ruleset.start() {
            "startpos".to_owned()
        } else {
            format!("fen {}", start.position)
        };
        self.increments = start.settings.time.control.map(|control| match control {
            TimeControl::Game { increment, .. } => Some(increment),
            TimeControl::Ply(_) | TimeControl::Unlimited => None,
        });
        self.has_own_limit = start.settings.time.first_move.is_some();
        // `ugi` is sent once to a process; later games begin with the options at once.
        if self.stage == Stage::New {
            self.stage = Stage::Greeted;
            out.push_str("ugi\n");
        } else {
            self.push_prompted(out);
        }
        Ok(())
    }

    fn is_ready(&self) -> bool {
        self.stage == Stage::Ready
    }

    fn push_turn(&mut self, out: &mut String, turn: &Turn<'_>) -> Result<(), String> {
        out.push_str("position ");
        out.push_str(&self.beginning);
        let mut separator = " moves ";
        for &ply in turn.plies {
            out.push_str(separator);
            push_ply(out, turn.position.ruleset(), ply);
            separator = " ";
        }
        // A first ply with a limit of its own is not charged to the stock.
        let has_stock = self.increments[turn.side].is_some() && !self.has_own_limit;
        self.has_own_limit = false;
        out.push_str(&match turn.clocks[turn.side] {
            None => format!("\ngo depth {DEPTH}\n"),
            Some(own) if !has_stock => format!("\ngo movetime {}\n", own.as_millis()),
            Some(_) => {
                let time = turn.clocks.map(|time| time.map_or(NO_CLOCK, |time| time.as_millis()));
                let inc =
                    self.increments.map(|increment| increment.unwrap_or_default().as_millis());
                format!(
                    "\ngo p1time {} p2time {} p1inc {} p2inc {}\n",
                    time.first, time.second, inc.first, inc.second
                )
            }
        });
        Ok(())
    }

    fn push_prompted(&mut self, out: &mut String) {
        self.stage = Stage::SetUp;
        out.push_str(&self.setup);
    }

    fn push_rest(&mut self, out: &mut String) {
        if self.stage == Stage::Greeted {
            self.push_prompted(out);
        }
    }

    fn push_end(&mut self, _out: &mut String, _end: &End<'_>) {}

    fn push_quit(&self, out: &mut String) {
        out.push_str("quit\n");
    }

    fn read<'a>(&self, position: &Position, line: &'a [u8]) -> ParsedLine<'a> {
        match first_word(line) {
            (b"bestmove", text) => ParsedLine::Reply(reply(position, text)),
            (b"info", text) => ParsedLine::Info(text),
            (b"id" | b"option", text) => ParsedLine::Name(text),
            (b"ugiok", b"") if self.stage == Stage::Greeted => ParsedLine::Prompt,
            (b"readyok", b"") if self.stage == Stage::SetUp => ParsedLine::Ready(b""),
            _ => ParsedLine::Unrecognised,
        }
    }

    fn ready_with(&mut self, _words: &[u8]) -> Vec<String> {
        self.stage = Stage::Ready;
        Vec::new()
    }

    fn is_reusable(&self) -> bool {
        true
    }
}

/// How engines for many games write a pass.
const NULL_MOVE: &str = "0000";

/// Appends a ply. In a custom game a pass is the null move, which its engines know.
fn push_ply(out: &mut String, ruleset: Ruleset, ply: Ply) {
    if ply == Ply::Pass && ruleset.game().asks_rules() {
        out.push_str(NULL_MOVE);
    } else {
        ruleset.push_ply(out, ply);
    }
}

/// The answer in the text after `bestmove`.
fn reply(position: &Position, text: &[u8]) -> Reply {
    // Engines that also speak UCI may write `PLY ponder PLY`.
    let at = text.windows(8).position(|part| part == b" ponder ").unwrap_or(text.len());
    let text = text[..at].trim_ascii_end();
    if text == b"resign" {
        return Reply::Resign;
    }
    if text == NULL_MOVE.as_bytes() && position.ruleset().game().asks_rules() {
        return Reply::Ply(Ply::Pass);
    }
    read_ply(position, text, "bestmove").map_or_else(Reply::Illegal, Reply::Ply)
}

impl Wording for Ugi {
    fn ply(&self, position: &Position, ply: Ply) -> String {
        let mut text = "bestmove ".to_owned();
        push_ply(&mut text, position.ruleset(), ply);
        text
    }

    fn ready(&self) -> &'static str {
        if self.stage == Stage::Greeted { "ugiok" } else { "readyok" }
    }

    fn request(&self, wanted: Wanted) -> &'static str {
        match wanted {
            Wanted::Ready if self.stage == Stage::Greeted => "\"ugi\"",
            Wanted::Ready => "\"isready\"",
            Wanted::Answer => "\"go\"",
        }
    }

    fn is_request(&self, line: &[u8], wanted: Wanted) -> bool {
        first_word(line).0 == self.request(wanted).trim_matches('"').as_bytes()
    }

    fn quit(&self) -> &'static str {
        "\"quit\""
    }

    fn nearly_a_ply(&self, position: &Position, line: &[u8]) -> Option<NearlyAPly> {
        nearly_a_ply(position, line, "bestmove")
    }

    fn not_an_answer(&self, line: &[u8], wanted: Wanted) -> String {
        let (first, _) = first_word(line);
        let ready = self.ready();
        let request = self.request(wanted);
        match wanted {
            Wanted::Ready if first == ready.as_bytes() => {
                format!("but \"{ready}\" stands alone on its line")
            }
            Wanted::Ready => format!(
                "which is not \"{ready}\"; after {request}, print \"{ready}\"; write messages for \
                 people to stderr"
            ),
            Wanted::Answer if first == b"bestmove" => came_early(request),
            Wanted::Answer if first.eq_ignore_ascii_case(b"bestmove") => {
                "which is not an answer; write bestmove in lower case, then a space and the move"
                    .into()
            }
            Wanted::Answer => "which is not an answer; write bestmove and the move, and messages \
                               for people to stderr"
                .into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, SentLines, Settings};
    use arbiter_rules::{Ruleset, Side};

    /// A conversation that has begun, with what was sent.
    fn begun(position: &Position, you: Side, settings: &Settings) -> (Ugi, String) {
        let (mut ugi, mut out) = (Ugi::default(), String::new());
        begin(&mut ugi, &mut out, position, you, settings);
        (ugi, out)
    }

    fn begin(ugi: &mut Ugi, out: &mut String, position: &Position, you: Side, settings: &Settings) {
        let sent = SentLines { id: "7c".into(), seeds: BySide { first: 7, second: 8 } };
        ugi.push_start(out, &Start { sent: &sent, position, you, settings }).unwrap();
    }

    fn turn(ugi: &mut Ugi, position: &Position, plies: &[Ply], clock: Option<[u64; 2]>) -> String {
        let mut out = String::new();
        let clocks = clock.map_or(BySide::default(), |[own, opponent]| {
            BySide::from_own(position.side(), own, opponent)
                .map(|time| Some(Duration::from_millis(time)))
        });
        ugi.push_turn(&mut out, &Turn { clocks, ..Turn::unlimited(position, plies) }).unwrap();
        out
    }

    #[test]
    fn a_game_is_the_transcript_of_the_page() {
        let loa = Ruleset::named("loa", "").unwrap();
        let settings = Settings::default();
        let mut position = loa.start();
        let (mut ugi, mut out) = begun(&position, Side::First, &settings);
        assert_eq!((out.as_str(), ugi.is_ready(), ugi.ready()), ("ugi\n", false, "ugiok"));
        assert_eq!(
            ugi.read(&position, b"readyok"),
            ParsedLine::Unrecognised,
            "it was not asked yet"
        );
        assert_eq!(ugi.read(&position, b"id name Conny\r"), ParsedLine::Name(b"name Conny"));
        assert_eq!(ugi.read(&position, b"ugiok\r"), ParsedLine::Prompt);
        out.clear();
        ugi.push_rest(&mut out);
        ugi.push_rest(&mut out);
        let setup = "setoption name Game value loa\nsetoption name simultaneous value draw\n\
                     setoption name stuck value pass\nsetoption name RandomSeed value 7\n\
                     uginewgame\nisready\n";
        assert_eq!((out.as_str(), ugi.is_ready(), ugi.ready()), (setup, false, "readyok"));
        assert_eq!(
            ugi.read(&position, b"ugiok"),
            ParsedLine::Unrecognised,
            "the options came already"
        );
        assert_eq!(ugi.read(&position, b"readyok"), ParsedLine::Ready(b""));
        assert!(
            ugi.ready_with(b"").is_empty()
                && ugi.is_ready()
                && ugi.is_reusable()
                && !ugi.can_refuse()
        );
        let first_turn = turn(&mut ugi, &position, &[], Some([10_000, 9_000]));
        assert_eq!(
            first_turn,
            "position startpos\ngo p1time 10000 p2time 9000 p1inc 100 p2inc 100\n"
        );
        let plies = ["a1c1", "b0b2"].map(|text| loa.read_ply(text).unwrap());
        for &ply in &plies {
            position.play(ply);
        }
        let asked = turn(&mut ugi, &position, &plies, Some([9_950, 9_871]));
        let clock = "go p1time 9950 p2time 9871 p1inc 100 p2inc 100\n";
        assert_eq!(asked, format!("position startpos moves a1c1 b0b2\n{clock}"));
        out.clear();
        let outcome = Outcome::MaxPlies;
        ugi.push_end(
            &mut out,
            &End { you: Side::First, position: &position, plies: &plies, outcome, detail: None },
        );
        assert_eq!(out, "");
        begin(&mut ugi, &mut out, &loa.start(), Side::First, &settings);
        assert_eq!((out.as_str(), ugi.is_ready()), (setup, false), "the next game has no `ugi`");
        out.clear();
        ugi.push_quit(&mut out);
        assert_eq!(out, "quit\n");
    }

    #[test]
    fn the_clock_and_the_start_position_are_sent_in_the_words_of_the_interface() {
        let flipflop = Ruleset::named("flipflop", "").unwrap();
        let start = flipflop.read_position("8/8/8/3WB3/3BW3/8/8/8 W 1").unwrap();
        let asked = |settings: &Settings, clock| {
            let (mut ugi, _) = begun(&start, Side::Second, settings);
            [(); 2].map(|()| turn(&mut ugi, &start, &[], clock))
        };
        let from =
            if start == flipflop.start() { "startpos".to_owned() } else { format!("fen {start}") };
        let ms = Duration::from_millis;
        let usual = Settings::for_ruleset(flipflop);
        let times = usual.with_control(TimeControl::Game { base: ms(5000), increment: ms(50) });
        let BySide { first, second } = BySide::from_own(start.side(), 4000, 3000);
        let go = format!("position {from}\ngo p1time {first} p2time {second} p1inc 50 p2inc 50\n");
        assert_eq!(asked(&times, Some([4000, 3000])), [go.clone(), go.clone()]);
        let mut limited = times.clone();
        limited.time.first_move = Some(ms(9000));
        assert_eq!(
            asked(&limited, Some([4000, 3000])),
            [format!("position {from}\ngo movetime 4000\n"), go],
            "the limit of the first ply alone"
        );
        let each = usual.with_control(TimeControl::Ply(ms(200)));
        assert_eq!(
            asked(&each, Some([200, 200]))[1],
            format!("position {from}\ngo movetime 200\n")
        );
        assert_eq!(
            asked(&usual.with_control(TimeControl::Unlimited), None)[1],
            format!("position {from}\ngo depth 4\n")
        );
        let mut unlike = times;
        unlike.time.control[!start.side()] = TimeControl::Unlimited;
        let (mut ugi, _) = begun(&start, start.side(), &unlike);
        let clocks = BySide::from_own(start.side(), Some(ms(4000)), None);
        let mut out = String::new();
        ugi.push_turn(&mut out, &Turn { clocks, ..Turn::unlimited(&start, &[]) }).unwrap();
        let unclocked = BySide::from_own(start.side(), (4000, 50), (1_000_000_000, 0));
        let both_sides = format!(
            "go p1time {} p2time {} p1inc {} p2inc {}\n",
            unclocked.first.0, unclocked.second.0, unclocked.first.1, unclocked.second.1
        );
        assert!(out.ends_with(&both_sides), "{out}");
        let elsewhere = start.after(start.plies().next().unwrap());
        let (mut later, _) = begun(&elsewhere, Side::Second, &usual);
        let sent = turn(&mut later, &elsewhere, &[], None);
        assert_eq!(sent, format!("position fen {elsewhere}\ngo depth 4\n"));
    }

    #[test]
    fn answers_mean_what_the_page_says() {
        let loa = Ruleset::named("loa", "").unwrap().start();
        let ply = || ParsedLine::Reply(Reply::Ply(loa.ruleset().read_ply("a2c4").unwrap()));
        let illegal = |why: &str| ParsedLine::Reply(Reply::Illegal(why.to_owned()));
        let nothing = "that is how a program prints a value that is not there: it chose no move";
        for (line, parsed) in [
            (&b" bestmove  a2c4\r"[..], ply()),
            (b"bestmove a2c4 ponder h5f3", ply()),
            (b"bestmove a2 c4", ply()),
            (b"bestmove", illegal("no move follows the word bestmove")),
            (
                b"bestmove ponder a2c4",
                illegal(&loa.ruleset().read_ply("ponder a2c4").unwrap_err().to_string()),
            ),
            (b"bestmove (none)", illegal(nothing)),
            (b"bestmove 0000", illegal(nothing)),
            (b"bestmove \xff", illegal("it is not UTF-8 text")),
            (b"bestmove resign", ParsedLine::Reply(Reply::Resign)),
            (b"resign", ParsedLine::Unrecognised),
            (b"Bestmove a2c4", ParsedLine::Unrecognised),
            (b"move a2c4", ParsedLine::Unrecognised),
            (b"info depth 3 ", ParsedLine::Info(b"depth 3")),
            (b"response true", ParsedLine::Unrecognised),
            (b"ugiok", ParsedLine::Unrecognised),
            (b"", ParsedLine::Unrecognised),
        ] {
            assert_eq!(Ugi::default().read(&loa, line), parsed, "{}", line.escape_ascii());
        }
        let near =
            |line: &[u8]| Ugi::default().nearly_a_ply(&loa, line).map(|near| near.correction);
        for line in [&b"a2c4"[..], b"move a2c4", b"BESTMOVE A2-C4", b"> a2 c4"] {
            assert_eq!(near(line).as_deref(), Some("bestmove a2c4"), "{}", line.escape_ascii());
        }
        assert_eq!((near(b"bestmove a2c4"), near(b"depth 3")), (None, None));
    }
}
