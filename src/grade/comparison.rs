//! Whether an output has the boards and results that are expected, and where its words differ.
//!
//! Output is bytes: what is not UTF-8 agrees with nothing. Blanks at the ends of lines are ignored,
//! and so is the `\r` of a Windows line end.

use super::transcript::{Event, Transcript, transcript};
use super::words::{TextDifference, differences, shown_lines};
use arbiter_rules::Ruleset;
use std::collections::BTreeSet;

/// Maximum number of bytes of output: four times the expected ones, and 64 KiB.
pub fn output_limit(expected: &str) -> usize {
    4 * expected.len() + 64 * 1024
}

/// The expected output of a game and that of a program.
#[derive(Debug)]
pub(super) struct Comparison {
    expected: Output,
    printed: Output,
    /// Whether the output has a byte order mark or colours, which are left out.
    has_controls: bool,
}

#[derive(Debug)]
struct Output {
    text: String,
    transcript: Transcript,
    game: Course,
}

impl Output {
    fn read(text: &str, ruleset: &Ruleset, same: &[Vec<String>]) -> Output {
        let text = unified(text, same);
        let transcript = transcript(&text, ruleset);
        let game = Course::of(&transcript);
        Output { text, transcript, game }
    }

    /// The events that are compared.
    fn happenings(&self, kept: KeptEvents) -> Vec<Happening> {
        let mut answers = 0;
        let mut asked = None;
        let mut happenings = Vec::new();
        for (event, lines) in &self.transcript.events {
            let happening = Happening { event: event.clone(), answers, lines: lines.clone() };
            let is_kept = match event {
                // Where the program does not ask again after a refusal, a player is asked once.
                Event::Prompt(player) => {
                    let is_new = asked.replace(*player) != Some(*player);
                    kept.with_prompts && (is_new || kept.asks_again)
                }
                Event::Refusal => kept.with_refusals,
                Event::Board(_) | Event::Wins(_) | Event::Draw => true,
            };
            if event.is_board() {
                asked = None;
            }
            answers += usize::from(event.is_answer());
            if is_kept {
                happenings.push(happening);
            }
        }
        happenings
    }
}

/// Which events of both outputs are compared: what a program prints nowhere is not asked for.
#[derive(Debug, Clone, Copy)]
struct KeptEvents {
    with_prompts: bool,
    with_refusals: bool,
    /// Whether the program asks a player again whose entry it has refused.
    asks_again: bool,
}

/// How far two outputs agree in boards and results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Agreement {
    /// A board differs, or is missing.
    None,
    /// Only who is asked or the result differs.
    Boards,
    /// Only the result is missing.
    NoResult,
    /// Both agree; the last board may be missing, if the result is there.
    Whole,
}

impl Comparison {
    /// Compares the outputs of a game. Each list of `same` has texts that count as each other.
    pub(super) fn new(
        ruleset: &Ruleset,
        expected: &str,
        output: &[u8],
        same: &[Vec<String>],
    ) -> Comparison {
        let output = String::from_utf8_lossy(output);
        let printed = without_controls(&output);
        let has_controls = printed != output;
        Comparison {
            expected: Output::read(expected, ruleset, same),
            printed: Output::read(&printed, ruleset, same),
            has_controls,
        }
    }

    pub(super) fn agreement(&self) -> Agreement {
        let [expected, printed] = [&self.expected.game, &self.printed.game];
        if expected.agrees_with(printed)
            || expected.without_last_board().agrees_with(printed) && printed.asks_at_end()
        {
            Agreement::Whole
        } else if expected.without_result().agrees_with(printed) {
            Agreement::NoResult
        } else if expected.boards == printed.boards {
            Agreement::Boards
        } else {
            Agreement::None
        }
    }

    /// The boards, questions, refusals and results of both outputs, each with the number of entries
    /// that were answered before it, and the line that shows it. What the output has nowhere is
    /// left out of both.
    pub(super) fn events(&self) -> [Vec<Happening>; 2] {
        let mut with_prompts = false;
        let mut has_refusals = false;
        for (event, _) in &self.printed.transcript.events {
            with_prompts |= matches!(event, Event::Prompt(_));
            has_refusals |= *event == Event::Refusal;
        }
        let asks_again = self.printed.game.asked.iter().any(|asked| asked.len() > 1);
        // Who is asked again without a message was refused in words that are not known.
        let with_refusals = has_refusals || !asks_again;
        let kept = KeptEvents { with_prompts, with_refusals, asks_again };
        [&self.expected, &self.printed].map(|output| output.happenings(kept))
    }

    /// The line of the first board, question or result that differs with two lines before it, of
    /// both outputs: blanks as `·`, the end of a line as `↵`.
    pub(super) fn difference(&self) -> String {
        let [expected, printed] = self.events();
        let equal = std::iter::zip(&expected, &printed).take_while(|(a, b)| a.event == b.event);
        let at = equal.count();
        let [right, came] = [expected.get(at), printed.get(at)];
        // Of two boards the first row that differs is shown.
        let mut row = 0;
        if let Some(Happening { event: Event::Board(right), .. }) = right
            && let Some(Happening { event: Event::Board(came), .. }) = came
        {
            row = std::iter::zip(right, came).take_while(|(a, b)| a == b).count();
        }
        let texts = [&*self.expected.text, &*self.printed.text];
        shown_lines(texts, [shown_line(right, row, texts[0]), shown_line(came, row, texts[1])])
    }

    /// Where the words around equal boards differ, each kind of difference once.
    pub(super) fn text_differences(&self) -> Vec<TextDifference> {
        let texts = [&*self.expected.text, &*self.printed.text];
        let [expected, printed] = [&self.expected, &self.printed];
        let boards = std::iter::zip(&expected.game.boards, &printed.game.boards);
        let equal = boards.take_while(|(right, came)| right == came).count();
        let mut known = BTreeSet::new();
        let mut found = Vec::new();
        let segments = [&expected.transcript.segments, &printed.transcript.segments];
        // The words before the last equal board may already be those of another game: its end.
        let is_whole = self.agreement() == Agreement::Whole;
        let same_game = if is_whole { equal } else { equal.saturating_sub(1) };
        for (right, came) in std::iter::zip(segments[0], segments[1]).take(same_game) {
            found.extend(differences([right, came], texts, &mut known));
        }
        if is_whole {
            // What is behind the last board that was printed.
            let [right, came] = segments.map(|of_one| of_one[equal..].concat());
            found.extend(differences([&right, &came], texts, &mut known));
        }
        if self.has_controls {
            let what = "a byte order mark or colours";
            found.push(TextDifference {
                key: [String::new(), what.to_owned()],
                sentence: format!("{what} are printed, and only text is asked for"),
                shown: String::new(),
                printed: String::new(),
                range: 0..0,
                in_board: false,
            });
        }
        found
    }
}

/// The line of a row of what happens, or of its last one; behind the text if nothing does.
fn shown_line(happening: Option<&Happening>, row: usize, text: &str) -> usize {
    let lines = happening.map(|it| &it.lines[..]).unwrap_or_default();
    match lines.get(row).or(lines.last()) {
        Some(line) => *line,
        None => text.lines().count(),
    }
}

/// Something that happens in an output.
#[derive(Debug, Clone)]
pub(super) struct Happening {
    pub event: Event,
    /// The entries that were answered before, by a board or a refusal; the first board counts as an
    /// answer.
    pub answers: usize,
    pub lines: Vec<usize>,
}

/// What counts of an output by the rules.
#[derive(Debug, Clone, Default)]
struct Course {
    boards: Vec<Vec<String>>,
    /// Who is asked after each board, and how many entries are refused there.
    asked: Vec<Vec<char>>,
    refused: Vec<usize>,
    /// The results, each once, with the number of boards before them.
    results: Vec<(usize, Event)>,
}

impl Course {
    fn of(transcript: &Transcript) -> Course {
        let mut course = Course::default();
        for (event, _) in &transcript.events {
            match event {
                Event::Board(rows) => {
                    course.boards.push(rows.clone());
                    course.asked.push(Vec::new());
                    course.refused.push(0);
                }
                Event::Prompt(player) => {
                    if let Some(asked) = course.asked.last_mut() {
                        asked.push(*player);
                    }
                }
                Event::Refusal => {
                    if let Some(refused) = course.refused.last_mut() {
                        *refused += 1;
                    }
                }
                // Before the first board stand instructions.
                Event::Wins(_) | Event::Draw if !course.boards.is_empty() => {
                    let result = (course.boards.len(), event.clone());
                    if course.results.last() != Some(&result) {
                        course.results.push(result);
                    }
                }
                _ => {}
            }
        }
        course
    }

    /// Whether what was printed has the same boards and results as this, which is expected, asks
    /// nobody else, and refuses the same entries, as far as it says so.
    fn agrees_with(&self, printed: &Course) -> bool {
        self.boards == printed.boards
            && self.results == printed.results
            && self.has_same_questions(printed)
            && self.has_same_refusals(printed)
    }

    /// Whether those who are asked are expected to be. A program need not ask in words.
    fn has_same_questions(&self, printed: &Course) -> bool {
        for (right, asked) in std::iter::zip(&self.asked, &printed.asked) {
            // Behind the last board nobody is asked, whatever stands there.
            if !right.is_empty() && !asked.iter().all(|player| right.contains(player)) {
                return false;
            }
        }
        true
    }

    /// A refusal shows by its message, or because the player is asked again.
    fn has_same_refusals(&self, printed: &Course) -> bool {
        let has_messages = printed.refused.iter().any(|&refused| refused > 0);
        let asks_again = printed.asked.iter().any(|asked| asked.len() > 1);
        // A program that does neither may refuse in words that are not known.
        if !has_messages && !asks_again {
            return true;
        }
        for (at, right) in self.refused.iter().enumerate() {
            let has_ended = self.asked[at].is_empty();
            let by_message = has_messages && printed.refused[at] == *right;
            let by_question = asks_again && printed.asked[at].len() == right + 1;
            if !has_ended && !by_message && !by_question {
                return false;
            }
        }
        true
    }

    /// The course if the end of the game is not seen.
    fn without_result(&self) -> Course {
        Course { results: Vec::new(), ..self.clone() }
    }

    /// The course if the last board is not printed, as by a program that prints the result in its
    /// place.
    fn without_last_board(&self) -> Course {
        let mut without = self.clone();
        without.boards.pop();
        without.asked.pop();
        without.refused.pop();
        for (boards, _) in &mut without.results {
            *boards = (*boards).min(without.boards.len());
        }
        without
    }

    /// Whether a player is asked after the last board: then the game did not end before the last
    /// move.
    fn asks_at_end(&self) -> bool {
        self.asked.last().is_some_and(|asked| !asked.is_empty())
    }
}

/// The text without a byte order mark and without the sequences that set colours and the like.
fn without_controls(text: &str) -> String {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut plain = String::new();
    while let Some((before, sequence)) = rest.split_once("\x1b[") {
        plain += before;
        let end = sequence.find(|c: char| !c.is_ascii_digit() && !";?".contains(c));
        rest = end.map_or("", |end| {
            let width = sequence[end..].chars().next().map_or(0, char::len_utf8);
            &sequence[end + width..]
        });
    }
    plain + rest
}

/// The text with the last of each list of texts in place of the others.
fn unified(text: &str, same: &[Vec<String>]) -> String {
    let mut text = text.to_owned();
    for texts in same {
        let Some((kept, others)) = texts.split_last() else { continue };
        for other in others.iter().filter(|other| !other.is_empty()) {
            text = text.replace(other.as_str(), kept);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: &str = "Round 1:\n   A B C D E\n 1 . X . . .\n 2 . . . . .\n 3 . . . . .\n 4 . . . . .\n 5 . . . . .\n\
                            Player X's turn: Invalid move!\nPlayer X's turn: Round 2:\n   A B C D E\n 1 . X . . .\n\
                            \x20 2 . . O . .\n 3 . . . . .\n 4 . . . . .\n 5 . . . . .\nPlayer O's turn: Game over:\n   A B C D E\n\
                            \x201 . X . . .\n 2 . . . . .\n 3 . . . . .\n 4 . . O X .\n 5 . . . . .\nPlayer X wins!\n";

    fn compared(output: &[u8]) -> Comparison {
        let same = [vec!["Player 1 wins!".to_owned(), "Player X wins!".to_owned()]];
        let ruleset = Ruleset::named("gekitai", "n=5").unwrap();
        Comparison::new(&ruleset, EXPECTED, output, &same)
    }

    /// How far an output agrees in which a text is replaced, and how many kinds of text differ.
    fn with(from: &str, to: &str) -> (Agreement, usize) {
        assert!(EXPECTED.contains(from), "{from}");
        let compared = compared(EXPECTED.replace(from, to).as_bytes());
        (compared.agreement(), compared.text_differences().len())
    }

    #[test]
    fn output_that_hedges_earns_nothing_by_it() {
        use Agreement::{Boards, NoResult, None};
        let end = "Player X wins!\n";
        let board = "   A B C D E\n 1 . X . . .\n";
        for (from, to, agreement) in [
            (end, "Player X wins! Player O wins!\n", Boards),
            (end, "Player X wins!\nPlayer O wins!\nDraw game!\n", Boards),
            (end, "Player O wins!\rPlayer X wins!\n", Boards),
            (end, "\x1b[8mPlayer O wins!\x1b[2K\rPlayer X wins!\n", Boards),
            // As without a result.
            (end, "Winner: X or O\n", NoResult),
            (end, "Draw? Player X wins!\n", Boards),
            ("Round 2:\n", "Player X wins!\nRound 2:\n", Boards),
            ("Player O's turn:", "Player X's turn: Player O's turn:", Boards),
            ("Player O's turn:", "Player X or Player O, your turn:", Boards),
            ("Player O's turn:", "Player O's turn: Invalid move!\nPlayer O's turn:", Boards),
            (board, " 1 . X . . .\n 1 . . . . .\n", None),
            (board, " 1 . . . . .\r 1 . X . . .\n", None),
            (board, " 1 . .\x08X . . .\n", None),
            (board, " 1 . X|. . . O\n", None),
            (board, " 1 . X\x1b[1D. . . .\n", None),
            (board, " 1 . X . .:. . . . .\n", None),
        ] {
            assert_eq!(with(from, to).0, agreement, "{from:?} {to:?}");
        }
    }

    #[test]
    fn only_a_few_differences_are_kept_and_each_is_short() {
        let mut output = "z".repeat(30_000) + "\n";
        for (number, line) in EXPECTED.lines().enumerate() {
            output += &format!("{number} {}\n{line}\n", "y".repeat(10_000));
        }
        let differences = compared(output.as_bytes()).text_differences();
        assert!((2..=20).contains(&differences.len()), "{}", differences.len());
        let bytes = |it: &TextDifference| it.printed.len() + it.key.concat().len() + it.shown.len();
        assert!(differences.iter().all(|it| bytes(it) < 3_000));
    }

    #[test]
    fn what_is_the_same_in_every_round_is_one_difference() {
        use Agreement::Whole;
        for (from, to, count) in [
            ("Round", "Round", 0),
            ("Player X wins!", "Player 1 wins!", 0),
            (" .\n", " . \n", 0),
            ("\n", "\r\n", 0),
            ("turn: ", "turn:", 1),
            ("Player", "player", 1),
            ("Round", "ROUND", 1),
            ("Round 1:\n", "Welcome\nRound 1:\n", 1),
            ("Game over:", "Game Over :", 1),
            ("\n ", "\n\n ", 1),
            ("turn: ", "turn: \n", 1),
            ("\n 1 ", "\n1 ", 1),
            (" . ", " .  ", 1),
            ("A B C D E", "a b c d e", 1),
            ("Invalid move!\n", "", 1),
            ("Invalid move!\nPlayer X's turn: ", "Invalid move!\n", 1),
            ("Round 2", "Round 3", 1),
        ] {
            assert_eq!(with(from, to), (Whole, count), "{from:?} {to:?}");
        }
        let two = EXPECTED.replace("Player", "player").replace("over", "Over");
        assert_eq!(compared(two.as_bytes()).text_differences().len(), 2);
    }

    #[test]
    fn boards_results_and_who_is_asked_are_no_text() {
        use Agreement::{Boards, NoResult, None, Whole};
        assert_eq!(with("X wins", "O wins"), (Boards, 0));
        assert_eq!(with("Player X wins!", "Draw game!").0, Boards);
        assert_eq!(with("Player X wins!\n", "").0, NoResult);
        assert_eq!(with("Player O's turn", "Player X's turn"), (Boards, 0));
        assert_eq!(with(" 4 . . O X .", " 4 . . . X .").0, None);
        let last = EXPECTED.rfind("   A B").unwrap()..EXPECTED.find("Player X wins").unwrap();
        assert_eq!(with(&EXPECTED[last], "").0, Whole);
        assert_eq!(compared(b"").agreement(), None);
        let bytes =
            [b"\xef\xbb\xbf", EXPECTED.replace(" X ", " \x1b[31mX\x1b[0m ").as_bytes()].concat();
        let coloured = compared(&bytes);
        assert_eq!((coloured.agreement(), coloured.text_differences().len()), (Whole, 1));
    }

    #[test]
    fn the_first_difference_is_shown_with_the_lines_before_it() {
        let output = EXPECTED.replace(" 2 . .", " 2 . O").replace("Round 1", "round 1");
        assert_eq!(
            compared(output.as_bytes()).difference(),
            "expected, line 4:\n  ···A·B·C·D·E↵\n  ·1·.·X·.·.·.↵\n> ·2·.·.·.·.·.↵\n\
             printed, line 4:\n  ···A·B·C·D·E↵\n  ·1·.·X·.·.·.↵\n> ·2·.·O·.·.·.↵\n"
        );
        assert_eq!(
            compared(b"Round 1:\r\n").difference(),
            "expected, line 3:\n  Round·1:↵\n  ···A·B·C·D·E↵\n> ·1·.·X·.·.·.↵\nprinted, line 2:\n  Round·1:␍↵\n> (end of the output)\n"
        );
    }
}
