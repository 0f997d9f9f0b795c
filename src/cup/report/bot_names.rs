//! Removes the names of bots from text that a bot may have written.
//!
//! People write a name in other capitals, with other separators (`AnnaSchmidt.java` of
//! `anna-schmidt`) and as a part of a longer word (`annabot`), and what arbiter quotes of a bot is
//! cut: `…` then stands for the rest of a name. So names are compared by their letters alone, and a
//! part of a name beside a cut counts as the name.

use std::collections::HashMap;

/// The mark of a cut, as [`printable`](arbiter_rules::text::printable) and
/// [`shortened`](arbiter_rules::text::shortened) write it.
const CUT: char = '…';

/// Names with at least this many letters are removed from the middle of words too; shorter ones are
/// part of too many other words.
const LONG: usize = 4;

/// Maximum number of separators between two words of a name.
const SEPARATORS: usize = 2;

/// The names of bots, to be removed, by their first letters: there may be hundreds of them, and
/// long texts.
#[derive(Debug, Clone, Default)]
pub struct BotNames(HashMap<char, Vec<BotName>>);

type BotName = Vec<NameLetter>;

/// A letter of a name: anything but a separator.
#[derive(Debug, Clone, Copy)]
struct NameLetter {
    letter: char,
    /// Whether a separator stands before it.
    begins_word: bool,
}

/// A letter of a text.
#[derive(Debug, Clone, Copy)]
struct TextLetter {
    /// In lower case.
    letter: char,
    /// Where it begins and ends in the text, in bytes.
    from: usize,
    to: usize,
    /// The number of separators before it.
    separators: usize,
    /// Whether a word may begin here, also a word of a name such as `AnnaBot`.
    begins_word: bool,
    /// Whether the text was cut before or behind it.
    cut_before: bool,
    cut_behind: bool,
}

impl BotNames {
    pub fn new(names: impl IntoIterator<Item = String>) -> BotNames {
        let mut by_letter: HashMap<char, Vec<BotName>> = HashMap::new();
        for name in names {
            let letters = name_letters(&name);
            if let Some(first) = letters.first() {
                by_letter.entry(first.letter).or_default().push(letters);
            }
        }
        BotNames(by_letter)
    }

    /// The text with another one in the place of each name.
    pub fn replaced(&self, text: &str, with: &str) -> String {
        let letters = text_letters(text);
        let mut out = String::with_capacity(text.len());
        let mut copied = 0;
        let mut at = 0;
        while at < letters.len() {
            // What is replaced is skipped: names do not overlap.
            if let Some(length) = self.longest_at(&letters, at) {
                out.push_str(&text[copied..letters[at].from]);
                out.push_str(with);
                copied = letters[at + length - 1].to;
                at += length;
            } else {
                at += 1;
            }
        }
        out + &text[copied..]
    }

    /// How many letters of the text from this one on are a name; the longest, because a name may
    /// begin with another one.
    fn longest_at(&self, letters: &[TextLetter], at: usize) -> Option<usize> {
        let first = &letters[at];
        let mut longest = None;
        if first.cut_before {
            // A name may lack its first letters here, so each is tried.
            for name in self.0.values().flatten() {
                longest = longest.max(found_at(letters, at, name));
            }
        } else {
            for name in self.0.get(&first.letter)? {
                longest = longest.max(found_at(letters, at, name));
            }
        }
        longest
    }
}

/// How many letters of the text from this one on are the name, or what a cut has left of it; `None`
/// if it is not here.
fn found_at(letters: &[TextLetter], at: usize, name: &BotName) -> Option<usize> {
    let most_lacking = if letters[at].cut_before { name.len() } else { 1 };
    for lacking in 0..most_lacking {
        let Some(length) = matching(&letters[at..], &name[lacking..]) else { continue };
        // A cut is the end of a word on that side.
        let begins = lacking > 0 || letters[at].begins_word;
        let ends = lacking + length < name.len()
            || letters.get(at + length).is_none_or(|next| next.begins_word || next.separators > 0);
        // Four letters may be inside a word, three have to be at one of its ends, and fewer have
        // to be the whole of it.
        let needed = LONG.saturating_sub(length).min(2);
        if usize::from(begins) + usize::from(ends) >= needed {
            return Some(length);
        }
    }
    None
}

/// How many letters the text has in common with this name: all of them, or those before a cut of
/// the text.
fn matching(letters: &[TextLetter], name: &[NameLetter]) -> Option<usize> {
    for (number, wanted) in name.iter().enumerate() {
        // What follows a cut does not continue what stands before it, so the name may end here.
        if number > 0 && letters[number - 1].cut_behind {
            return Some(number);
        }
        let found = letters.get(number)?;
        let separators = if wanted.begins_word { SEPARATORS } else { 0 };
        if found.letter != wanted.letter || (number > 0 && found.separators > separators) {
            return None;
        }
    }
    Some(name.len())
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '-' | '_' | '.' | '\'')
}

/// Whether the letter is one that words are made of: a digit, or a letter with capitals. In a text
/// of other letters, such as Chinese ones, nothing shows where words end.
fn is_of_word(letter: char) -> bool {
    letter.is_ascii_digit() || letter.is_lowercase() || letter.is_uppercase()
}

fn lower(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

fn name_letters(name: &str) -> BotName {
    let mut letters = Vec::new();
    let mut begins_word = false;
    for letter in name.chars() {
        if is_separator(letter) {
            begins_word = true;
        } else {
            letters.push(NameLetter { letter: lower(letter), begins_word });
            begins_word = false;
        }
    }
    letters
}

fn text_letters(text: &str) -> Vec<TextLetter> {
    let mut letters: Vec<TextLetter> = Vec::with_capacity(text.len());
    // Separators and cuts are no letters of their own: they are counted for the letter that
    // follows.
    let mut before = None;
    let mut separators = 0;
    let mut is_cut = false;
    let mut rest = text.char_indices().peekable();
    while let Some((from, letter)) = rest.next() {
        let next = rest.peek().map(|(_, next)| *next);
        if letter == CUT {
            if let Some(last) = letters.last_mut()
                && separators <= SEPARATORS
            {
                last.cut_behind = true;
            }
            separators = 0;
            is_cut = true;
        } else if is_separator(letter) {
            separators += 1;
        } else {
            let follows_word = before.is_some_and(is_of_word) && is_of_word(letter);
            // `Bot` in `AnnaBot`, and also in `ANNABot`.
            let is_capital = letter.is_uppercase()
                && (before.is_some_and(|previous: char| !previous.is_uppercase())
                    || next.is_some_and(char::is_lowercase));
            letters.push(TextLetter {
                letter: lower(letter),
                from,
                to: from + letter.len_utf8(),
                separators,
                begins_word: !follows_word || is_capital,
                cut_before: is_cut && separators <= SEPARATORS,
                cut_behind: false,
            });
            separators = 0;
            is_cut = false;
        }
        before = Some(letter);
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_people_write_them() {
        let names = ["anna", "wilhelmina-vandenberg", "ada", "al", "anna-lena", "Änne", "小明"];
        let names = BotNames::new(names.map(String::from));
        for (text, expected) in [
            ("AnnaBot annabot xanna anna2 ANNA-x", "*Bot *bot x* *2 *-x"),
            ("anna-lena, AnnaLena and ANNA_LENA.java", "*, * and *.java"),
            ("WilhelminaVandenberg wilhelmina_vandenberg.py", "* *.py"),
            ("wilhelmina and vandenberg", "wilhelmina and vandenberg"),
            ("AdaBot adabot Canada gradable", "*Bot *bot Can* gradable"),
            ("al, AlBot, al2 and also", "*, *Bot, al2 and also"),
            ("änne ÄNNE 小明的", "* * *的"),
            ("/home/wilhelmina-va…", "/home/*…"),
            ("\"x wilhelmina-…\" and w…", "\"x *-…\" and *…"),
            ("…denberg/bot.py: …a", "…*/bot.py: …*"),
            ("wilhelmi…denberg", "*…*"),
            ("nothing to see… here", "nothing to see… here"),
            ("", ""),
            ("…", "…"),
        ] {
            assert_eq!(names.replaced(text, "*"), expected);
        }
    }
}
