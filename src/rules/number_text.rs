//! Whole numbers as text: their one form, and their order as texts, in which the plies of games
//! with numbered squares are listed.

/// Whether a text is a whole number: digits, no sign, no leading zero.
pub(super) fn is_number(text: &str) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text == "0" || !text.starts_with('0'))
}

/// The numbers below `count`, in the order of their texts: 0, 1, 10, 11, …, 2, 20, ….
pub(super) fn numbers_as_text(count: usize) -> impl Iterator<Item = usize> {
    std::iter::successors((count > 0).then_some(0), move |&number| next_as_text(number, count))
}

/// The number below `count` whose text follows that of this one.
fn next_as_text(number: usize, count: usize) -> Option<usize> {
    // Its text with a 0 behind it comes next; 0 itself has no such continuation.
    if number == 0 || number * 10 < count {
        return Some((number * 10).max(1)).filter(|&next| next < count);
    }
    // Otherwise the last digit that can grow does so, and those behind it go.
    let mut number = number;
    while number % 10 == 9 || number + 1 >= count {
        number /= 10;
        if number == 0 {
            return None;
        }
    }
    Some(number + 1)
}

/// Numbers below 1,000 sorted as text, at most `N`; for few numbers of many, which need not be
/// looked for.
pub(super) fn sorted_as_text<const N: usize>(
    numbers: impl Iterator<Item = usize>,
) -> impl Iterator<Item = usize> {
    let mut sorted = [0; N];
    let mut count = 0;
    for number in numbers {
        sorted[count] = number as u16;
        count += 1;
    }
    // As if all had three digits, the shorter one first.
    sorted[..count].sort_unstable_by_key(|&number| match number {
        0..10 => (number * 100, 1),
        10..100 => (number * 10, 2),
        _ => (number, 3),
    });
    sorted.into_iter().take(count).map(usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_the_order_of_their_texts() {
        for count in 0..600 {
            let mut sorted: Vec<usize> = (0..count).collect();
            sorted.sort_by_key(usize::to_string);
            assert_eq!(numbers_as_text(count).collect::<Vec<_>>(), sorted);
            assert_eq!(sorted_as_text::<600>(0..count).collect::<Vec<_>>(), sorted);
        }
    }
}
