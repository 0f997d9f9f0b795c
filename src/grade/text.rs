//! Faults of text: differences that a submission makes again and again, each once, with the line of
//! its source that prints it.

use super::marks::{CaseMark, TextFault};
use super::words::TextDifference;
use std::collections::BTreeMap;

/// The most faults of a part that are kept. The second one already leaves nothing to lose.
const MOST: usize = 20;
/// The most texts between quotes of all sources that are looked for in what is printed.
const MOST_LITERALS: usize = 10_000;
/// Functions of hand-outs that print a board.
const PRINTERS: [&str; 3] = ["print", "printGame", "DisplayBoard"];

/// The faults of what cases printed, the most frequent first. Sources have a name and a text each.
pub(super) fn text_faults(cases: &[CaseMark], sources: &[(String, String)]) -> Vec<TextFault> {
    let mut kinds: BTreeMap<&[String; 2], (usize, usize, &TextDifference)> = BTreeMap::new();
    for (number, case) in cases.iter().enumerate() {
        for difference in &case.text {
            kinds.entry(&difference.key).or_insert((0, number, difference)).0 += 1;
        }
    }
    let mut kinds: Vec<_> = kinds.into_values().collect();
    kinds.sort_by_key(|(count, first, _)| (std::cmp::Reverse(*count), *first));
    let mut literals = Vec::new();
    for (name, source) in sources {
        push_literals(name, source, &mut literals);
    }
    literals.truncate(MOST_LITERALS);
    let mut faults = Vec::new();
    for (count, _, difference) in kinds.into_iter().take(MOST) {
        let place = place(difference, &literals).or_else(|| printer(difference, sources));
        let TextDifference { sentence, shown, .. } = difference.clone();
        faults.push(TextFault { sentence, shown, place, cases: count });
    }
    faults
}

/// A text between quotes in a source, without what is behind a newline in it.
struct Literal {
    place: String,
    text: String,
}

/// Appends the texts between quotes of a source.
fn push_literals(name: &str, source: &str, literals: &mut Vec<Literal>) {
    for (number, line) in source.lines().enumerate() {
        // Names of headers and texts in comments are printed by nothing.
        if line.trim_start().starts_with(['#', '/']) {
            continue;
        }
        let place = format!("{name}:{}", number + 1);
        let mut text: Option<String> = None;
        let mut letters = line.chars();
        while let Some(c) = letters.next() {
            match (c, &mut text) {
                ('"', None) => text = Some(String::new()),
                ('"', Some(ended)) => {
                    // Lines are compared, so a text with a newline in it is several.
                    for part in ended.split('\n') {
                        if !part.is_empty() {
                            literals.push(Literal { place: place.clone(), text: part.to_owned() });
                        }
                    }
                    text = None;
                }
                ('\\', Some(text)) => text.push(match letters.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    other => other.unwrap_or('\\'),
                }),
                (c, Some(text)) => text.push(c),
                (_, None) => {}
            }
        }
    }
}

/// The line of a source whose text was printed where the difference is: of several the longest
/// text.
fn place(difference: &TextDifference, literals: &[Literal]) -> Option<String> {
    let TextDifference { printed, range, .. } = difference;
    let mut longest: Option<&Literal> = None;
    for literal in literals {
        if longest.is_some_and(|longest| longest.text.len() >= literal.text.len()) {
            continue;
        }
        let is_there = printed.match_indices(&literal.text).any(|(begin, text)| {
            let end = begin + text.len();
            // What is missing is missing behind the text before it.
            if range.is_empty() {
                begin < range.start && range.start <= end
            } else {
                begin < range.end && range.start < end
            }
        });
        if is_there {
            longest = Some(literal);
        }
    }
    longest.map(|literal| literal.place.clone())
}

/// The function that prints the board, if the difference is in one.
fn printer(difference: &TextDifference, sources: &[(String, String)]) -> Option<String> {
    if !difference.in_board {
        return None;
    }
    for (name, source) in sources {
        for (number, line) in source.lines().enumerate() {
            let Some((before, _)) = line.split_once('(') else { continue };
            let function = before.rsplit([' ', ':', '*']).next().unwrap_or_default();
            let is_definition = before.starts_with(char::is_alphabetic)
                && before.contains(' ')
                && !line.trim_end().ends_with(';');
            if PRINTERS.contains(&function) && is_definition {
                return Some(format!("{name}:{}", number + 1));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#include \"turn:\"\nvoid print(char board[][N]) {\n    cout << ' ' << board[0][0];\n}\n\
                          // \"'s turn:\"\ncout << \"Welcome\\n\" << \"Player \" << player << \"'s turn:\";\n";

    fn difference(printed: &str, part: &str) -> TextDifference {
        let at = printed.find(part).unwrap();
        TextDifference {
            key: [String::new(), part.to_owned()],
            sentence: part.to_owned(),
            shown: String::new(),
            printed: printed.to_owned(),
            range: at..at + part.len(),
            in_board: printed.contains(". ."),
        }
    }

    fn case(text: Vec<TextDifference>) -> CaseMark {
        CaseMark { text, ..CaseMark::default() }
    }

    #[test]
    fn what_is_printed_in_every_case_is_one_fault_with_its_line() {
        let mut missing = difference("Player X's turn:", ":");
        missing.range = 16..16;
        let welcome = difference("Welcome", "Welcome");
        let board = difference("1 . . .", "1");
        let nowhere = difference("debugging", "debugging");
        let cases = [
            case(vec![missing.clone(), welcome]),
            case(vec![missing.clone(), board]),
            case(vec![missing, nowhere]),
        ];
        let faults = text_faults(&cases, &[("a.cpp".to_owned(), SOURCE.to_owned())]);
        let rows: Vec<_> =
            faults.iter().map(|it| (&*it.sentence, it.cases, it.place.as_deref())).collect();
        assert_eq!(
            rows,
            [
                (":", 3, Some("a.cpp:6")),
                ("Welcome", 1, Some("a.cpp:6")),
                ("1", 1, Some("a.cpp:2")),
                ("debugging", 1, None),
            ]
        );
    }
}
