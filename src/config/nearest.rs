//! Finds the known name that is nearest to an unknown one.

/// Maximum length of a name that is compared: a longer one is no typing error, and a comparison
/// takes time in proportion to the product of the lengths.
const LONGEST: usize = 40;

/// The end of a sentence about an unknown name; empty if no known one is near.
pub(super) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, known) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
}

/// What may have been meant by an unknown name, else all known ones after the words `all`.
pub(super) fn advice(name: &str, all: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{all} {}", known.join(", ")),
    }
}

/// The known name that is nearest to `name`, if any is near: up to a third of its letters may be
/// wrong, missing, added or exchanged with a neighbour. Case does not count, nor `_` against `-`.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = letters(name)?;
    let mut best = None;
    let mut least = usize::MAX;
    for other in known {
        let Some(letters) = letters(other) else { continue };
        let distance = distance(&name, &letters);
        let allowed = (name.len().max(letters.len()) / 3).max(1);
        // A name of which no letter is right is not near, however short it is.
        if distance <= allowed && distance < letters.len() && distance < least {
            best = Some(other);
            least = distance;
        }
    }
    best
}

/// The letters that are compared; `None` if there are too many.
fn letters(name: &str) -> Option<Vec<char>> {
    let mut letters = Vec::new();
    for letter in name.chars().take(LONGEST + 1) {
        if letter == '_' {
            letters.push('-');
        } else {
            letters.extend(letter.to_lowercase());
        }
    }
    if letters.len() > LONGEST { None } else { Some(letters) }
}

/// The least number of letters to insert, remove, replace or exchange with a neighbour (Damerau and
/// Levenshtein, no letter touched twice).
fn distance(a: &[char], b: &[char]) -> usize {
    // Of the table of distances between beginnings of both only the last two rows are needed.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_letters() {
        for (a, b, expected) in [
            ("", "", 0),
            ("abc", "", 3),
            ("", "ab", 2),
            ("games", "gmaes", 1),
            ("kitten", "sitting", 3),
        ] {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(distance(&chars(a), &chars(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_what_is_near_is_suggested() {
        let known = ["games", "rounds", "best-of", "n"];
        for (name, expected) in [
            ("game", Some("games")),
            ("Rounds", Some("rounds")),
            ("best_of", Some("best-of")),
            ("bestof", Some("best-of")),
            ("m", None),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
        assert_eq!(nearest(&"game".repeat(100_000), known), None);
    }
}
