//! arbiter's own dialect (docs/reference/protocol.md).

use super::answer::{came_early, first_word, nearly_a_ply, read_ply};
use super::variation::REFUSED;
use super::{Conversation, NO_CLOCK, ParsedLine, Variation};
use crate::clock::{Charged, TimeControl};
use crate::{End, NearlyAPly, Outcome, Reply, Start, Turn, Wanted, Wording};
use arbiter_rules::{Ply, Position, Ruleset};
use std::fmt::{self, Write};

/// A conversation with one program.
#[derive(Debug, Default)]
pub(super) struct Native {
    /// It said so since the last start block.
    is_ready: bool,
    requested: ReadyWords,
    /// `tell-moves` is false: no turn has `moves`.
    withholds_moves: bool,
    /// Where the game begins, until that is sent with the first turn: the program could think about
    /// what it knows before `ready` without spending time of its clock.
    beginning: Option<Position>,
    /// The number of plies of the game that were sent to the program.
    sent: usize,
    variation: Variation,
    /// How often the program was asked in this game, and whether its answer is refused, for
    /// [`Variation::Refusal`].
    turns: usize,
    refuses: bool,
}

/// What a bot asks for with the words after `ready`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct ReadyWords {
    /// The same process can play another game.
    reuse: bool,
    /// No `board` and no `moves`.
    lean: bool,
    /// A line `position TEXT` in each turn.
    position: bool,
}

impl Conversation for Native {
    fn push_start(&mut self, out: &mut String, start: &Start<'_>) -> Result<(), String> {
        *self = Native {
            beginning: Some(start.position.clone()),
            variation: self.variation,
            withholds_moves: !start.settings.rules.tell_moves,
            ..Native::default()
        };
        let from = out.len();
        let _ = write_start_block(out, start); // writing to a String cannot fail
        self.variation.change_start(out, from);
        Ok(())
    }

    fn is_ready(&self) -> bool {
        self.is_ready
    }

    fn push_turn(&mut self, out: &mut String, turn: &Turn<'_>) -> Result<(), String> {
        if let Some(start) = self.beginning.take() {
            let letter = start.ruleset().letter(start.side());
            out.push_str(&format!("first {letter}\nposition {start}\n"));
        }
        if let Some(reason) = turn.refused {
            out.push_str(&format!("illegal {}\n", short_line(reason)));
        }
        let from = out.len();
        self.push_turn_block(out, turn);
        self.variation.change_turn(out, from);
        self.sent = turn.plies.len();
        let is_first_attempt = turn.refused.is_none();
        self.turns += usize::from(is_first_attempt);
        // Only one answer is refused: the first one to the second question.
        self.refuses = self.variation == Variation::Refusal && self.turns == 2 && is_first_attempt;
        Ok(())
    }

    fn push_end(&mut self, out: &mut String, end: &End<'_>) {
        // The end block: the last plies, the board, the reason of a forfeit, and `end`.
        push_since(out, &end.position.ruleset(), &end.plies[self.sent..]);
        if !self.requested.lean {
            push_board(out, end.position);
        }
        // The sentence names the bot that lost, so its opponent does not get it.
        if let (Outcome::Forfeit(loser, _), Some(why)) = (end.outcome, end.detail)
            && loser == end.you
        {
            out.push_str(&format!("why {}\n", short_line(why)));
        }
        let word = match (end.outcome, end.outcome.winner()) {
            (Outcome::Aborted(_), _) => "aborted",
            (_, Some(winner)) if winner == end.you => "win",
            (Outcome::NeitherStarted, _) | (_, Some(_)) => "loss",
            (_, None) => "draw",
        };
        out.push_str(&format!("end {word} {}\n", end.outcome.termination()));
    }

    fn push_quit(&self, out: &mut String) {
        if self.variation != Variation::NoQuit {
            out.push_str("quit\n");
        }
    }

    fn read<'a>(&self, position: &Position, line: &'a [u8]) -> ParsedLine<'a> {
        match first_word(line) {
            (b"move", _) if self.refuses => ParsedLine::Reply(Reply::Illegal(REFUSED.to_owned())),
            (b"move", words) => ParsedLine::Reply(
                read_ply(position, words, "move").map_or_else(Reply::Illegal, Reply::Ply),
            ),
            (b"info", text) => ParsedLine::Info(text),
            (b"resign", b"") => ParsedLine::Reply(Reply::Resign),
            (b"ready", words) => ParsedLine::Ready(words),
            (b"name", name) => ParsedLine::Name(name),
            (b"fault", reason) => ParsedLine::Fault(reason),
            (b"sent", line) => ParsedLine::Sent(line),
            (b"said", line) => ParsedLine::Said(line),
            _ => ParsedLine::Unrecognised,
        }
    }

    fn ready_with(&mut self, words: &[u8]) -> Vec<String> {
        self.is_ready = true;
        let mut unknown = Vec::new();
        for word in words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            match word {
                b"reuse" => self.requested.reuse = true,
                b"lean" => self.requested.lean = true,
                b"position" => self.requested.position = true,
                other => unknown.push(String::from_utf8_lossy(other).into_owned()),
            }
        }
        unknown
    }

    fn is_reusable(&self) -> bool {
        self.requested.reuse
    }

    fn can_refuse(&self) -> bool {
        true
    }

    fn vary(&mut self, variation: Variation) -> bool {
        self.variation = variation;
        true
    }

    fn ignored_line(&self) -> &'static str {
        "info\n"
    }
}

impl Native {
    /// Appends the turn block, `turn` to `go`.
    fn push_turn_block(&self, out: &mut String, turn: &Turn<'_>) {
        out.push_str("turn ");
        push_number(out, turn.number() as u64);
        out.push('\n');
        push_since(out, &turn.position.ruleset(), &turn.plies[self.sent..]);
        // A bot without a clock gets no line, even if its opponent has one.
        let (own, opponents) = turn.clocks.seen_by(turn.side);
        if let Some(own) = own {
            out.push_str("clock ");
            push_number(out, own.as_millis() as u64);
            out.push(' ');
            push_number(out, opponents.map_or(NO_CLOCK, |time| time.as_millis()) as u64);
            out.push('\n');
        }
        if self.requested.position {
            out.push_str(&format!("position {}\n", turn.position));
        }
        if !self.requested.lean {
            push_board(out, turn.position);
        }
        if let Some(piece) = turn.position.piece() {
            out.push_str(&format!("piece {piece}\n"));
        }
        if !self.requested.lean && !self.withholds_moves {
            out.push_str("moves");
            turn.position.push_plies(out);
            out.push('\n');
        }
        out.push_str("go\n");
    }
}

impl Wording for Native {
    fn ply(&self, position: &Position, ply: Ply) -> String {
        format!("move {}", position.ruleset().ply_text(ply))
    }

    fn ready(&self) -> &'static str {
        "ready"
    }

    fn request(&self, wanted: Wanted) -> &'static str {
        match wanted {
            Wanted::Ready => "\"start\"",
            Wanted::Answer => "\"go\"",
        }
    }

    fn is_request(&self, line: &[u8], wanted: Wanted) -> bool {
        self.request(wanted).trim_matches('"').as_bytes() == line
    }

    fn quit(&self) -> &'static str {
        "\"quit\""
    }

    fn nearly_a_ply(&self, position: &Position, line: &[u8]) -> Option<NearlyAPly> {
        nearly_a_ply(position, line, "move")
    }

    fn not_an_answer(&self, line: &[u8], wanted: Wanted) -> String {
        let (first, rest) = first_word(line);
        let is_answer = first == b"move" || first == b"resign" && rest.is_empty();
        let lower = first.strip_suffix(b":").unwrap_or(first).to_ascii_lowercase();
        if wanted == Wanted::Ready {
            let hint = if is_answer {
                "after \"start\", print \"ready\" first"
            } else if lower == b"ready" {
                "write ready in lower case"
            } else {
                "after \"start\", print \"ready\"; write messages for people to stderr"
            };
            return format!("which is not \"ready\"; {hint}");
        }
        if is_answer {
            return came_early(self.request(wanted));
        }
        let hint = if lower == b"move" {
            "write move in lower case, then a space and the move"
        } else if first == b"resign" {
            "resign must stand alone on its line"
        } else if lower == b"resign" {
            "write resign in lower case"
        } else if line.to_ascii_lowercase().windows(6).any(|part| part == b"resign") {
            "to resign write resign alone on its line"
        } else {
            "write messages for people to stderr"
        };
        format!("which is not an answer; {hint}")
    }
}

/// What follows `time` for a clock.
fn control_words(control: TimeControl) -> String {
    match control {
        TimeControl::Game { base, increment } => {
            format!("{} {}", base.as_millis(), increment.as_millis())
        }
        TimeControl::Ply(time) => format!("move {}", time.as_millis()),
        TimeControl::Unlimited => "none".to_owned(),
    }
}

/// Appends the start block, `arena 1` to `start`.
fn write_start_block(out: &mut String, start: &Start<'_>) -> fmt::Result {
    let ruleset = start.position.ruleset();
    let settings = start.settings;
    let time = &settings.time;
    writeln!(out, "arena 1")?;
    writeln!(out, "id {}", start.sent.id)?;
    writeln!(out, "game {}", ruleset.game().name())?;
    for (key, value) in ruleset.options() {
        writeln!(out, "option {key} {value}")?;
    }
    let rows = ruleset.rows();
    let columns = ruleset.columns();
    // A bot for square boards reads one number.
    if rows == columns {
        writeln!(out, "size {rows}")?;
    } else {
        writeln!(out, "size {rows} {columns}")?;
    }
    // Names are sent only if they are not the usual ones.
    if let Some(layout) = ruleset.layout() {
        if !layout.has_usual_rows() {
            writeln!(out, "rows {}", layout.row_names().join(" "))?;
        }
        if !layout.has_usual_columns() {
            writeln!(out, "columns {}", layout.column_names().join(" "))?;
        }
    }
    if let Some(black) = ruleset.black() {
        writeln!(out, "black {black}")?;
    }
    writeln!(out, "you {}", ruleset.letter(start.you))?;
    writeln!(out, "opponent {}", ruleset.letter(!start.you))?;
    let (own, opponents) = time.control.seen_by(start.you);
    writeln!(out, "time {}", control_words(own))?;
    if own != opponents {
        writeln!(out, "opponent-time {}", control_words(opponents))?;
    }
    if let Some(first) = time.first_move {
        writeln!(out, "time first {}", first.as_millis())?;
    }
    match time.charged() {
        Charged::Wall => writeln!(out, "limit clock wall")?,
        Charged::Cpu(cap) => {
            writeln!(out, "limit clock cpu")?;
            // The cap of the first ply; later caps shrink with the stock.
            if let Some(limit) = own.initial() {
                writeln!(out, "limit wall {}", cap.wall_time(limit).as_millis())?;
            }
        }
    }
    writeln!(out, "limit margin {}", time.margin.as_millis())?;
    writeln!(out, "limit memory {}", settings.limits.memory)?;
    writeln!(out, "limit plies {}", settings.max_plies())?;
    writeln!(out, "limit repetition {}", settings.rules.repetition)?;
    writeln!(out, "limit attempts {}", settings.rules.attempts)?;
    writeln!(out, "limit pondering {}", time.pondering.word())?;
    writeln!(out, "seed {}", start.sent.seeds[start.you])?;
    writeln!(out, "start")
}

/// Appends the plies since the previous request.
fn push_since(out: &mut String, ruleset: &Ruleset, since: &[Ply]) {
    out.push_str("since");
    for &ply in since {
        out.push(' ');
        ruleset.push_ply(out, ply);
    }
    out.push('\n');
}

fn push_board(out: &mut String, position: &Position) {
    out.push_str("board\n");
    position.push_board(out);
}

/// Appends a number faster than `write!` does, because each turn has several of them.
fn push_number(out: &mut String, number: u64) {
    out.push_str(itoa::Buffer::new().format(number));
}

/// The text on one line, cut so that the line has at most 4,095 bytes with its first word: as the
/// page promises, it fits into a buffer of 4 KiB with its newline.
fn short_line(text: &str) -> String {
    let mut line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.truncate(line.floor_char_boundary(4_000));
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Abort, ClockKind, Fault, Pondering, SentLines, Settings};
    use arbiter_rules::{BySide, Side};
    use std::time::Duration;

    fn loa() -> Position {
        Ruleset::named("loa", "").unwrap().start()
    }

    #[test]
    fn the_start_block_is_the_one_in_the_protocol() {
        let position = loa();
        let push = |out: &mut String, settings: &Settings| {
            let seed = 11_400_714_819_323_198_485;
            let sent =
                SentLines { id: "7c1e94d2a0".into(), seeds: BySide { first: seed, second: 0 } };
            let start = Start { sent: &sent, position: &position, you: Side::First, settings };
            Native::default().push_start(out, &start).unwrap();
        };
        let mut out = String::new();
        let mut settings = Settings::default();
        push(&mut out, &settings);
        assert_eq!(
            out,
            "arena 1\nid 7c1e94d2a0\ngame loa\noption simultaneous draw\noption stuck pass\nsize \
             8\nyou B\n\
             opponent W\ntime 10000 100\n\
             limit clock wall\nlimit margin 20\nlimit memory 536870912\nlimit plies 400\nlimit \
             repetition 3\n\
             limit attempts 1\nlimit pondering off\nseed 11400714819323198485\nstart\n"
        );
        out.clear();
        settings.time.clock = ClockKind::Cpu;
        settings.time.pondering = Pondering::On;
        push(&mut out, &settings);
        assert!(out.contains("\nlimit clock cpu\nlimit wall 31000\nlimit margin 20\n"), "{out}");
        assert!(out.contains("\nlimit pondering on\n"), "{out}");
        for (control, told) in [
            (TimeControl::Unlimited, "none"),
            (TimeControl::Ply(Duration::from_millis(50)), "move 50"),
            (
                TimeControl::Game { base: Duration::from_secs(1), increment: Duration::ZERO },
                "1000 0",
            ),
        ] {
            out.clear();
            push(
                &mut out,
                &settings.with_own_clocks(BySide { first: None, second: Some(control) }),
            );
            assert!(
                out.contains(&format!("\ntime 10000 100\nopponent-time {told}\nlimit ")),
                "{out}"
            );
            out.clear();
            push(
                &mut out,
                &settings.with_own_clocks(BySide { first: Some(control), second: None }),
            );
            assert!(out.contains(&format!("\ntime {told}\nopponent-time 10000 100\n")), "{out}");
        }
    }

    #[test]
    fn the_start_position_is_sent_once_with_the_first_turn() {
        let ruleset = loa().ruleset();
        let opening = loa().after(ruleset.read_ply("a1c1").unwrap());
        let settings = Settings::default();
        let mut native = Native::default();
        for _ in 0..2 {
            let mut out = String::new();
            let sent = SentLines { id: "1".into(), seeds: BySide { first: 0, second: 1 } };
            let start =
                Start { sent: &sent, position: &opening, you: Side::Second, settings: &settings };
            native.push_start(&mut out, &start).unwrap();
            let text = opening.to_string();
            assert!(
                out.ends_with("\nseed 1\nstart\n")
                    && !out.contains(&text)
                    && !out.contains("first "),
                "{out}"
            );
            let mut turns = [None, Some("it is not")].map(|refused| {
                out.clear();
                native
                    .push_turn(&mut out, &Turn { refused, ..Turn::unlimited(&opening, &[]) })
                    .unwrap();
                out.clone()
            });
            let first = turns[0]
                .strip_prefix(&format!("first W\nposition {text}\nturn 1\nsince\n"))
                .unwrap();
            assert!(!first.contains(&text), "{first}");
            turns[1].truncate(turns[1].find("board").unwrap());
            assert_eq!(turns[1], "illegal it is not\nturn 1\nsince\n", "a further attempt");
        }
    }

    #[test]
    fn the_turn_block_has_what_the_bot_asked_for() {
        let ruleset = loa().ruleset();
        let plies = ["a1c1", "b0b2"].map(|text| ruleset.read_ply(text).unwrap());
        let text = |requested, clocks, sent| {
            let mut out = String::new();
            let position = loa();
            let turn = Turn { clocks, ..Turn::unlimited(&position, &plies) };
            Native { requested, sent, ..Native::default() }.push_turn_block(&mut out, &turn);
            out
        };
        let [own, opponents] =
            [Duration::from_micros(10_088_700), Duration::from_millis(9991)].map(Some);
        let clocks = BySide::from_own(loa().side(), own, opponents);
        let full = text(ReadyWords::default(), clocks, 0);
        assert!(
            full.starts_with(
                "turn 3\nsince a1c1 b0b2\nclock 10088 9991\nboard\n.WWWWWW.\nB......B\n"
            )
        );
        assert!(full.ends_with(
            ".WWWWWW.\nmoves a1a7 a1c1 a1c3 a2c0 a2c2 a2c4 a3c1 a3c3 a3c5 a4c2 a4c4 a4c6 a5c3 a5c5 \
             a5c7 a6a0 a6c4 a6c6 h1f1 h1f3 h1h7 h2f0 h2f2 h2f4 h3f1 h3f3 h3f5 h4f2 h4f4 h4f6 h5f3 \
             h5f5 h5f7 h6f4 h6f6 h6h0\ngo\n"
        ));
        let unlike = BySide { second: None, ..clocks };
        assert!(text(ReadyWords::default(), unlike, 0).contains("\nclock 10088 1000000000\n"));
        assert!(!text(ReadyWords::default(), unlike.swapped(), 0).contains("clock"));
        let lean = ReadyWords { lean: true, position: true, ..ReadyWords::default() };
        assert_eq!(
            text(lean, BySide::default(), plies.len()),
            "turn 3\nsince\nposition 1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B\ngo\n"
        );
    }

    #[test]
    fn the_turn_block_of_flipflop_says_which_piece() {
        let flipflop = Ruleset::named("flipflop", "").unwrap();
        let text = |position: &str| {
            let position = flipflop.read_position(position).unwrap();
            let mut out = String::new();
            Native::default().push_turn(&mut out, &Turn::unlimited(&position, &[])).unwrap();
            out
        };
        assert!(
            text("8/8/8/3WB3/3BW3/8/8/8 W 1")
                .ends_with("........\npiece 1\nmoves 20 29 34 43\ngo\n")
        );
        let second = text("8/3B4/2BBW3/1B1BW3/2BWWWW1/2WWW3/3B4/8 W 2");
        let (before, plies) = second.split_once("moves ").unwrap();
        assert!(
            before.ends_with("\n........\npiece 2\n") && plies.ends_with(" pass\ngo\n"),
            "{second}"
        );
        let mut lean = String::new();
        let requested = ReadyWords { lean: true, ..ReadyWords::default() };
        let native = Native { requested, ..Native::default() };
        native.push_turn_block(&mut lean, &Turn::unlimited(&flipflop.start(), &[]));
        assert_eq!(lean, "turn 1\nsince\npiece 1\ngo\n");
    }

    #[test]
    fn the_end_block_says_why_in_one_line() {
        let position = loa();
        let text = |lean, outcome, detail| {
            let mut out = String::new();
            let end = End { you: Side::First, position: &position, plies: &[], outcome, detail };
            let requested = ReadyWords { lean, ..ReadyWords::default() };
            Native { requested, ..Native::default() }.push_end(&mut out, &end);
            out
        };
        let lost = Outcome::Forfeit(Side::First, Fault::Timeout);
        assert_eq!(text(true, lost, Some("a\nb\r\u{1b}")), "since\nwhy a b  \nend loss timeout\n");
        let long = "ü".repeat(5000);
        let out = text(true, Outcome::Forfeit(Side::First, Fault::Crash), Some(&long));
        assert!(out.ends_with("\nend loss crash\n"), "{out}");
        let won = text(true, Outcome::Forfeit(Side::Second, Fault::Crash), Some("zed: it crashed"));
        assert_eq!(won, "since\nend win crash\n");
        let aborted = text(true, Outcome::Aborted(Abort::Broken), Some("arbiter: a pipe"));
        assert_eq!(aborted, "since\nend aborted aborted\n");
        let drawn = text(false, Outcome::Repetition, None);
        assert!(
            drawn.starts_with("since\nboard\n.WWWWWW.\n")
                && drawn.ends_with(".WWWWWW.\nend draw repetition\n")
        );
        assert!(out.lines().all(|line| line.len() <= 4095));
    }

    #[test]
    fn two_squares_may_be_two_words() {
        let read = |words: &[u8]| read_ply(&loa(), words, "move").ok();
        let ply = loa().ruleset().read_ply("a2c4").ok();
        for words in ["a2c4", "a2 c4", "a2  c4", "a2\tc4", "a2-c4"] {
            assert_eq!(read(words.as_bytes()), ply, "{words:?}");
        }
        for words in ["", "A2C4", "a2c4.", "a 2c4", "a2 - c4", "a2c4 a2c4", "a2c", "\u{e4}2c4"] {
            assert_eq!(read(words.as_bytes()), None, "{words:?}");
        }
        assert_eq!(read(b"a2c4\xff"), None);
    }

    /// Two rows and three columns; the second side may swap.
    const OWN: &[arbiter_rules::own::sample::Row] = &[
        ("3/3 X", &[("a1", "X2/3 O swap"), ("a2b1", "1X1/3 O swap"), ("null", "3/3 O swap")]),
        ("X2/3 O swap", &[("swap", "O2/3 X"), ("N", "XO1/3 X")]),
    ];

    #[test]
    fn a_custom_game_is_sent_like_any_other() {
        let start = arbiter_rules::own::sample::game("small", "XO 2x3", OWN).start();
        let mut out = String::new();
        let settings = Settings::for_ruleset(start.ruleset());
        let sent = SentLines { id: "7c".into(), seeds: BySide { first: 1, second: 2 } };
        let mut native = Native::default();
        let begin = Start { sent: &sent, position: &start, you: Side::Second, settings: &settings };
        native.push_start(&mut out, &begin).unwrap();
        assert!(
            out.starts_with("arena 1\nid 7c\ngame small\nsize 2 3\nyou O\nopponent X\n"),
            "{out}"
        );
        let ply = start.ruleset().read_ply("a1").unwrap();
        let after = start.after(ply);
        out.clear();
        native.push_turn(&mut out, &Turn::unlimited(&after, &[ply])).unwrap();
        assert_eq!(
            out,
            "first X\nposition 3/3 X\nturn 2\nsince a1\nboard\nX..\n...\nmoves N swap\ngo\n"
        );
        let plies = [ply, start.ruleset().read_ply("swap").unwrap()];
        out.clear();
        native.push_turn(&mut out, &Turn::unlimited(&after.after(plies[1]), &plies)).unwrap();
        assert!(out.starts_with("turn 3\nsince swap\nboard\nO..\n"), "{out}");
    }

    #[test]
    fn plies_of_a_custom_game_are_read() {
        let start = arbiter_rules::own::sample::game("small", "XO 2x3", OWN).start();
        let read = |words: &[u8]| read_ply(&start, words, "move");
        let ply = |text: &str| start.ruleset().read_ply(text).unwrap();
        for words in ["a2b1", "a2 b1", "A2  b1"] {
            assert_eq!(read(words.as_bytes()), Ok(ply("a2b1")), "{words}");
        }
        assert_eq!(read(b"null"), Ok(ply("null")), "it is a legal word");
        assert!(read(b"None").unwrap_err().contains("it chose no move"));
        assert_eq!(
            read(b"a1 b2 c1"),
            Ok(ply("a1b2c1")),
            "it is not legal, but has the form of a move"
        );
        let malformed = read(b"a1 swap").unwrap_err();
        assert!(
            malformed
                .starts_with("expected a move of small: squares, which are a1 to c2, or a word"),
            "{malformed}"
        );
        assert_eq!(start.check(ply("b2")).unwrap_err().to_string(), "b2 is not in the table");
        let near =
            |position: &Position, line: &[u8]| Native::default().nearly_a_ply(position, line);
        let correction = |position, line| near(position, line).map(|near| near.correction);
        assert_eq!(correction(&start, b"MOVE A2B1"), Some("move a2b1".to_owned()));
        assert_eq!(correction(&start, b"thinking"), None);
        let second = start.after(ply("a1"));
        assert_eq!(
            correction(&second, b"move: N"),
            Some("move N".to_owned()),
            "capitals of words count"
        );
    }

    #[test]
    fn a_legal_ply_without_its_word_is_corrected() {
        let near = |line: &[u8]| Native::default().nearly_a_ply(&loa(), line);
        assert_eq!(near(b"a2-c4\r").unwrap().correction, "move a2c4");
        for line in [
            "MOVE a2c4",
            "move: a2c4",
            "Move=a2c4",
            "bestmove a2-c4",
            "> A2C4.",
            "(a2 c4)",
            "'a2c4'",
        ] {
            let near = near(line.as_bytes()).unwrap();
            assert_eq!(near.correction, "move a2c4");
            assert!(
                near.mistake.starts_with(&format!("\"{line}\" came: write \"move a2c4\"")),
                "{near:?}"
            );
        }
        assert_eq!(near(b"move: h5f6"), None, "it is not legal here");
        assert_eq!(near(b"depth 3"), None);
    }

    #[test]
    fn lines_mean_what_the_protocol_says() {
        let ply = || ParsedLine::Reply(Reply::Ply(loa().ruleset().read_ply("a2c4").unwrap()));
        let none = || ParsedLine::Reply(Reply::Illegal("no move follows the word move".to_owned()));
        for (line, parsed) in [
            (&b"move a2c4"[..], ply()),
            (b"\t move\ta2  c4 \r", ply()),
            (b"move", none()),
            (b"moves a2c4", ParsedLine::Unrecognised),
            (b"Move a2c4", ParsedLine::Unrecognised),
            (b"a2c4", ParsedLine::Unrecognised),
            (b"resign", ParsedLine::Reply(Reply::Resign)),
            (b"resign.", ParsedLine::Unrecognised),
            (b"info depth 3 ", ParsedLine::Info(b"depth 3")),
            (b"info", ParsedLine::Info(b"")),
            (b"ready reuse lean", ParsedLine::Ready(b"reuse lean")),
            (b"name Conny 3", ParsedLine::Name(b"Conny 3")),
            (b"", ParsedLine::Unrecognised),
            (b"\xff\xfe", ParsedLine::Unrecognised),
        ] {
            assert_eq!(Native::default().read(&loa(), line), parsed);
        }
        let mut native = Native::default();
        let unknown = native.ready_with(b" lean  fast\treuse \xff");
        let requested = ReadyWords { lean: true, reuse: true, ..ReadyWords::default() };
        assert_eq!(native.requested, requested);
        assert_eq!(unknown, ["fast", "\u{fffd}"]);
    }
}
