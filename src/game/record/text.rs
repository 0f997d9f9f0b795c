//! Writes a [`Record`] as text.

use super::characters::is_tag_name;
use super::comments::{POSITION, read_time};
use super::escape::{push_comment_byte, push_hex, push_tag_value};
use super::read::TAGS;
use super::{Note, Outcome, Played, Record};
use arbiter_rules::{Position, Side};
use std::fmt::{self, Display};
use std::time::Duration;

/// Lines of moves end before this column.
const WIDTH: usize = 79;

/// Writes the game as a log has it: tags, an empty line, the moves wrapped before column 80, the
/// result, an empty line. [`read_log`](super::read_log) reads it back to an equal record, except
/// for what a log cannot express: control characters in tags (they become spaces), fractions of a
/// microsecond, an empty note of a ply, processor time without wall time, a reply if the outcome is
/// no forfeit, and tags in [`more`](Record::more) whose names are taken or are no names.
impl Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::with_capacity(1024 + 40 * self.plies.len());
        push_tags(&mut out, self);
        out.push('\n');
        let line = out.len();
        Movetext { out: &mut out, line, gap: None }.push_game(self);
        out.push_str("\n\n");
        f.write_str(&out)
    }
}

fn push_tags(out: &mut String, record: &Record) {
    let ruleset = record.ruleset();
    let game = ruleset.game();
    push_tag(out, "Event", &record.event);
    push_tag(out, "Site", &record.site);
    push_tag(out, "Date", &record.date);
    push_tag(out, "Round", &record.round);
    push_tag(out, "White", &record.players[game.white()]);
    push_tag(out, "Black", &record.players[!game.white()]);
    push_tag(out, "Result", record.outcome.result(game).word());
    push_tag(out, "Game", game.name());
    push_tag(out, "Options", &ruleset.options_text());
    push_shown(out, "Rules", game.rules_file());
    push_shown(out, "Board", ruleset.layout());
    let time = &record.time_control;
    if let Some(time) = time.as_ref().common() {
        push_text(out, "TimeControl", time);
    } else {
        push_text(out, "WhiteTimeControl", &time[game.white()]);
        push_text(out, "BlackTimeControl", &time[!game.white()]);
    }
    push_tag(out, "Outcome", record.outcome.word());
    push_tag(out, "Termination", record.outcome.termination());
    push_tag(out, "PlyCount", &record.plies.len().to_string());
    // Without its rules a custom game has no start position but that in the log.
    if game.asks_rules() || record.start != ruleset.start() {
        push_tag(out, "SetUp", "1");
        push_tag(out, "FEN", &record.start.to_string());
    }
    push_shown(out, "MaxPlies", record.max_plies);
    push_shown(out, "Repetition", record.repetition);
    push_text(out, "GameId", &record.id);
    push_text(out, "Pair", &record.pair);
    push_text(out, "Seed", &record.seed);
    if let Some(sent) = &record.sent {
        push_tag(out, "SentId", &sent.id);
        push_tag(out, "WhiteSeed", &sent.seeds[game.white()].to_string());
        push_tag(out, "BlackSeed", &sent.seeds[!game.white()].to_string());
    }
    push_text(out, "Isolation", &record.isolation);
    push_text(out, "WhiteDigest", &record.digests[game.white()]);
    push_text(out, "BlackDigest", &record.digests[!game.white()]);
    push_text(out, "Settings", &record.settings);
    push_text(out, "Detail", &record.detail);
    push_shown(out, "Margin", record.margin);
    for (index, (name, value)) in record.more.iter().enumerate() {
        let taken = TAGS.contains(&&**name)
            || record.more[..index].iter().any(|(earlier, _)| earlier == name);
        if is_tag_name(name) && !taken {
            push_tag(out, name, value);
        }
    }
}

fn push_shown(out: &mut String, name: &str, value: Option<impl Display>) {
    push_text(out, name, &value.map(|value| value.to_string()));
}

fn push_tag(out: &mut String, name: &str, value: &str) {
    out.extend(["[", name, " \""]);
    push_tag_value(out, value);
    out.push_str("\"]\n");
}

fn push_text(out: &mut String, name: &str, value: &Option<String>) {
    if let Some(value) = value {
        push_tag(out, name, value);
    }
}

/// Words between single spaces; a space becomes a line end if the word after it would pass the
/// limit.
struct Movetext<'a> {
    out: &'a mut String,
    /// The byte at which the line begins.
    line: usize,
    /// The space before the last word of the line, if it has several.
    gap: Option<usize>,
}

impl Movetext<'_> {
    /// Ends the previous word, if there is one, and begins another: the caller pushes the word to
    /// `out`.
    fn begin_word(&mut self) -> &mut String {
        self.wrap();
        if self.out.len() > self.line {
            self.gap = Some(self.out.len());
            self.out.push(' ');
        }
        self.out
    }

    /// Moves the last word to a new line if it passes the limit. All text here is ASCII, so a byte
    /// is a column.
    fn wrap(&mut self) {
        if self.out.len() - self.line > WIDTH
            && let Some(gap) = self.gap.take()
        {
            self.out.replace_range(gap..=gap, "\n");
            self.line = gap + 1;
        }
    }

    fn push_game(&mut self, record: &Record) {
        let ruleset = record.ruleset();
        // The game is played again only if that shows more than the plies: the side to move, if the
        // sides do not alternate, and the positions that the log of a custom game keeps.
        let mut steps = if ruleset.alternates() { None } else { Some(record.steps()) };
        let keeps_positions = ruleset.game().asks_rules();
        let mut side = record.start.side();
        let mut number = 0;
        let mut before = None;
        for played in &record.plies {
            match (side, before) {
                (Side::First, None | Some(Side::Second)) => {
                    number += 1;
                    let mut digits = itoa::Buffer::new();
                    self.begin_word().extend([digits.format(number), "."]);
                }
                (Side::Second, None) => {
                    number = 1;
                    self.begin_word().push_str("1...");
                }
                (Side::First, Some(Side::First)) | (Side::Second, Some(_)) => {}
            }
            before = Some(side);
            ruleset.push_ply(self.begin_word(), played.ply);
            // A record may contain illegal plies: from the first one on, the sides alternate.
            let step = steps.as_mut().and_then(Iterator::next);
            let after = step.and_then(|step| step.after.ok());
            side = after.as_ref().map_or(!side, Position::side);
            if let Some(position) = after
                && keeps_positions
                && position.fault().is_none()
            {
                self.push_position(&position);
            }
            if let Some(note) = note_of(played) {
                self.push_note(note);
            }
        }
        if let (Outcome::Forfeit(..), Some(reply)) = (record.outcome, &record.reply) {
            // An empty comment, so that the reply is not read as the note of the last ply.
            if record.plies.last().is_some_and(|last| note_of(last).is_none()) {
                self.begin_word().push_str("{}");
            }
            self.push_note(reply);
        }
        self.begin_word().push_str(record.outcome.result(ruleset.game()).word());
        self.wrap();
    }

    /// The position after a ply. No note looks like it, because notes have no `[`.
    fn push_position(&mut self, position: &Position) {
        self.begin_word().extend(["{", POSITION]);
        for word in position.to_string().split(' ') {
            let out = self.begin_word();
            for byte in word.bytes() {
                push_comment_byte(out, byte);
            }
        }
        self.out.push_str("]}");
    }

    /// A comment. Spaces that are not layout, and text that could be read as a time, are escaped.
    fn push_note(&mut self, note: &Note) {
        self.begin_word().push('{');
        if let Some(wall) = note.wall {
            push_time(self.out, wall);
            if let Some(cpu) = note.cpu {
                self.begin_word().push_str("cpu");
                push_time(self.begin_word(), cpu);
            }
            if !note.text.is_empty() {
                self.begin_word();
            }
        }
        // One escaped letter is enough for a reader to take the word as text.
        let hide_first = is_mistakable(note);
        for (index, &byte) in note.text.iter().enumerate() {
            let is_inside = index > 0 && index + 1 < note.text.len();
            // A single space between words is where a line may be wrapped.
            if byte == b' ' && is_inside && note.text[index - 1] != b' ' {
                self.begin_word();
            } else if byte == b' '
                || index == 0 && hide_first
                || makes_command(&note.text[..index], byte)
            {
                push_hex(self.out, byte);
            } else {
                push_comment_byte(self.out, byte);
            }
        }
        self.out.push('}');
    }
}

/// The note of a ply, if it is not empty.
fn note_of(played: &Played) -> Option<&Note> {
    played.note.as_ref().filter(|note| **note != Note::default())
}

/// Whether a text followed by this byte would be a command for a CI workflow that shows the log:
/// `::` at the beginning of a word, where a line may be wrapped, or `##`, letters and `[`. This is
/// stricter than [`arbiter_rules::text::makes_command`], which knows where its lines begin.
fn makes_command(text: &[u8], byte: u8) -> bool {
    match byte {
        b':' => text == b":" || text.ends_with(b" :"),
        b'[' => {
            let letters =
                text.iter().rev().take_while(|letter| letter.is_ascii_alphabetic()).count();
            text[..text.len() - letters].ends_with(b"##")
        }
        _ => false,
    }
}

/// Whether a note's text begins like the times before it, so that it must be escaped.
fn is_mistakable(note: &Note) -> bool {
    let first = note.text.split(|&byte| byte == b' ').next().unwrap_or_default();
    match (note.wall, note.cpu) {
        (None, _) => std::str::from_utf8(first).is_ok_and(|word| read_time(word).is_some()),
        (Some(_), None) => first == b"cpu",
        (Some(_), Some(_)) => false,
    }
}

/// Seconds with six decimals.
fn push_time(out: &mut String, time: Duration) {
    let mut digits = itoa::Buffer::new();
    out.push_str(digits.format(time.as_secs()));
    out.push('.');
    let micros = digits.format(time.subsec_micros());
    out.push_str(&"000000"[micros.len()..]);
    out.push_str(micros);
    out.push('s');
}
