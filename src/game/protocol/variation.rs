//! What `arbiter check` changes in the native dialect, to see how a bot reacts: unknown lines, a
//! game without a clock, a refused answer, input that ends without `quit`.

/// A change in the messages to a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Variation {
    /// Nothing is changed.
    #[default]
    Plain,
    /// Lines whose first word the protocol does not have, before `start` and in each turn.
    UnknownLines,
    /// The bot is told that there is no clock. The referee has one, so that the game ends even if
    /// the bot never answers.
    NoClock,
    /// The first answer to its second question is refused, even if it is legal, and the bot is
    /// asked again.
    Refusal,
    /// Its input ends without `quit`.
    NoQuit,
}

/// The reason that [`Variation::Refusal`] gives.
pub(super) const REFUSED: &str =
    "this answer is refused to see how the bot goes on; any legal move is right";

/// Lines that no version of the protocol has.
const UNKNOWN_OF_START: &str = "weather sunny 21\n";
const UNKNOWN_OF_TURN: &str = "spectators 3 a1 b2\n";

impl Variation {
    /// Changes the start block, which begins at this offset of `out`.
    pub(super) fn change_start(self, out: &mut String, from: usize) {
        match self {
            Variation::Plain | Variation::Refusal | Variation::NoQuit => {}
            Variation::UnknownLines => insert_before(out, from, "start\n", UNKNOWN_OF_START),
            Variation::NoClock => {
                for line in out.split_off(from).split_inclusive('\n') {
                    if line.starts_with("time first ") || line.starts_with("limit wall ") {
                        continue;
                    }
                    out.push_str(if line.starts_with("time ") { "time none\n" } else { line });
                }
            }
        }
    }

    /// Changes the turn block, which begins at this offset of `out`.
    pub(super) fn change_turn(self, out: &mut String, from: usize) {
        match self {
            Variation::Plain | Variation::Refusal | Variation::NoQuit => {}
            Variation::UnknownLines => {
                insert_before(out, from, "since", UNKNOWN_OF_TURN);
                insert_before(out, from, "go\n", UNKNOWN_OF_TURN);
            }
            Variation::NoClock => {
                for line in out.split_off(from).split_inclusive('\n') {
                    if !line.starts_with("clock ") {
                        out.push_str(line);
                    }
                }
            }
        }
    }
}

/// Inserts a line before the first line that begins so, other than that at `from`.
fn insert_before(out: &mut String, from: usize, beginning: &str, line: &str) {
    let before = out[from..].find(&format!("\n{beginning}"));
    out.insert_str(before.map_or(out.len(), |at| from + at + 1), line);
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "size 8\ntime 1000 50\ntime first 2000\nlimit margin 20\nstart\n";
    const TURN: &str = "turn 1\nsince\nclock 1000 1000\nboard\n..\nmoves a0\ngo\n";

    fn changed(variation: Variation) -> [String; 2] {
        let (mut start, mut turn) = (format!("quit\n{START}"), format!("first B\n{TURN}"));
        variation.change_start(&mut start, 5);
        variation.change_turn(&mut turn, 8);
        [start[5..].to_owned(), turn[8..].to_owned()]
    }

    #[test]
    fn each_variation_changes_its_own_lines() {
        for plain in [Variation::Plain, Variation::Refusal, Variation::NoQuit] {
            assert_eq!(changed(plain), [START, TURN]);
        }
        assert_eq!(
            changed(Variation::NoClock),
            [
                "size 8\ntime none\nlimit margin 20\nstart\n",
                "turn 1\nsince\nboard\n..\nmoves a0\ngo\n"
            ]
        );
        let [start, turn] = changed(Variation::UnknownLines);
        assert_eq!(start.replace(UNKNOWN_OF_START, ""), START);
        assert_eq!(turn.replace(UNKNOWN_OF_TURN, ""), TURN);
        assert!(start.ends_with(&format!("{UNKNOWN_OF_START}start\n")), "{start}");
        assert!(turn.ends_with(&format!("moves a0\n{UNKNOWN_OF_TURN}go\n")), "{turn}");
        assert!(turn.starts_with(&format!("turn 1\n{UNKNOWN_OF_TURN}since\n")), "{turn}");
    }
}
