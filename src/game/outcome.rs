//! How a game ended, with the words of docs/reference/gamelog.md, Outcome and termination.

use arbiter_rules::own::OwnReason;
use arbiter_rules::text::{Word, words};
use arbiter_rules::{Ending, Game, Position, Reason, Side};

words! {
    /// What a bot did wrong. If several faults hold at once, the first in this order counts
    /// (docs/reference/gamelog.md, When several things hold at once); `NoStart` is last because it
    /// is judged before the game and never competes.
    Fault {
        /// No answer within the time and the margin.
        Timeout = "timeout",
        /// More memory than the match allows.
        MemoryLimit = "memory-limit",
        /// More processes or threads than the match allows.
        ProcessLimit = "process-limit",
        /// More output for one ply than the match allows.
        OutputLimit = "output-limit",
        /// The program ended.
        Crash = "crash",
        /// Output that is no text of the protocol, or a closed standard output.
        Protocol = "protocol",
        /// An answer that is no legal ply.
        IllegalMove = "illegal-move",
        /// The bot did not get ready.
        NoStart = "no-start",
    }
}

impl Fault {
    /// Whether only the side on move can commit it, so that a log can be checked for it.
    pub fn is_of_side_on_move(self) -> bool {
        matches!(self, Fault::Timeout | Fault::IllegalMove)
    }
}

/// Why a game was aborted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Abort {
    /// The referee or a launcher failed, or the run was interrupted.
    Broken,
    /// The rules of a custom game fail.
    Rules,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub enum Outcome {
    /// An ending by the rules of the game: a win, a suicide or a draw.
    Rules(Ending),
    /// The same in a custom game, for a reason that no game of arbiter has. It has its word with
    /// it, because an outcome is printed where no rules are at hand.
    Own { winner: Option<Side>, reason: OwnReason },
    /// A side gave up, without a fault.
    Resigned(Side),
    /// The position occurred as often as the match allows: a draw.
    Repetition,
    /// The game is as long as the match allows: a draw.
    MaxPlies,
    /// A side broke a rule of the match and lost.
    Forfeit(Side, Fault),
    /// Neither bot got ready: both lost, so the game counts and nobody scores.
    NeitherStarted,
    /// Aborted through neither side's fault; the game gives no points.
    Aborted(Abort),
}

impl Outcome {
    /// The ending of a position by the rules of its game; `None` if the game goes on.
    pub fn by_rules(position: &Position) -> Option<Outcome> {
        let ending = position.ending()?;
        Some(match position.own_reason() {
            Some(reason) => Outcome::Own { winner: ending.winner, reason },
            None => Outcome::Rules(ending),
        })
    }

    /// The side that won; `None` for a draw or an aborted game.
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Rules(Ending { winner, .. }) | Outcome::Own { winner, .. } => winner,
            Outcome::Resigned(loser) | Outcome::Forfeit(loser, _) => Some(!loser),
            Outcome::Repetition | Outcome::MaxPlies => None,
            Outcome::NeitherStarted | Outcome::Aborted(_) => None,
        }
    }

    /// The side that lost; `None` for a draw, an aborted game, and one that both lost.
    pub fn loser(self) -> Option<Side> {
        Some(!self.winner()?)
    }

    /// Whether this side lost; both did if neither started.
    pub fn has_lost(self, side: Side) -> bool {
        self == Outcome::NeitherStarted || self.loser() == Some(side)
    }

    /// The side that lost by the rules of the game, and not by giving up or a forfeit.
    pub fn loser_by_rules(self) -> Option<Side> {
        match self {
            Outcome::Rules(_) | Outcome::Own { .. } => self.loser(),
            Outcome::Resigned(_) | Outcome::Forfeit(..) => None,
            Outcome::Repetition | Outcome::MaxPlies => None,
            Outcome::NeitherStarted | Outcome::Aborted(_) => None,
        }
    }

    /// The `Outcome` tag: `win`, `suicide`, `draw`, `forfeit` or `aborted`.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Rules(Ending { reason: Reason::Suicide, winner: Some(_) }) => "suicide",
            Outcome::Rules(Ending { winner: Some(_), .. })
            | Outcome::Own { winner: Some(_), .. }
            | Outcome::Resigned(_) => "win",
            Outcome::Rules(Ending { winner: None, .. })
            | Outcome::Own { winner: None, .. }
            | Outcome::Repetition
            | Outcome::MaxPlies => "draw",
            Outcome::Forfeit(..) | Outcome::NeitherStarted => "forfeit",
            Outcome::Aborted(_) => "aborted",
        }
    }

    /// The `Termination` tag: the reason.
    pub fn termination(&self) -> &str {
        match self {
            Outcome::Rules(ending) => ending.reason.word(),
            Outcome::Own { reason, .. } => reason.word(),
            Outcome::Resigned(_) => "resign",
            Outcome::Repetition => "repetition",
            Outcome::MaxPlies => "max-plies",
            Outcome::Forfeit(_, fault) => fault.word(),
            Outcome::Aborted(Abort::Broken) => "aborted",
            Outcome::NeitherStarted => Fault::NoStart.word(),
            Outcome::Aborted(Abort::Rules) => "rules",
        }
    }

    /// The `Result` tag: White's score as PGN writes it.
    pub fn result(self, game: &Game) -> GameResult {
        match (self, self.winner()) {
            // PGN has no result by which both sides lose.
            (Outcome::NeitherStarted | Outcome::Aborted(_), _) => GameResult::Unknown,
            (_, None) => GameResult::Draw,
            (_, Some(side)) if side == game.white() => GameResult::White,
            (_, Some(_)) => GameResult::Black,
        }
    }

    /// The outcome of these three tags; `None` if they contradict each other.
    pub fn from_tags(
        game: &Game,
        result: GameResult,
        outcome: &str,
        termination: &str,
    ) -> Option<Outcome> {
        let winner = match result {
            GameResult::White => Some(game.white()),
            GameResult::Black => Some(!game.white()),
            GameResult::Draw | GameResult::Unknown => None,
        };
        let read = match (outcome, termination, winner) {
            ("win", "resign", Some(winner)) => Outcome::Resigned(!winner),
            ("draw", "repetition", None) => Outcome::Repetition,
            ("draw", "max-plies", None) => Outcome::MaxPlies,
            ("aborted", "aborted", None) => Outcome::Aborted(Abort::Broken),
            // Versions before 1.0 wrote `aborted` where neither bot started.
            ("aborted", "no-start", None) if result == GameResult::Unknown => {
                return Some(Outcome::NeitherStarted);
            }
            ("forfeit", "no-start", None) => Outcome::NeitherStarted,
            ("aborted", "rules", None) => Outcome::Aborted(Abort::Rules),
            ("forfeit", word, Some(winner)) => Outcome::Forfeit(!winner, Fault::named(word)?),
            (_, word, winner) => match Reason::named(word) {
                // `word` assumes that a suicide has a winner.
                Some(Reason::Suicide) if winner.is_none() => return None,
                Some(reason) => Outcome::Rules(Ending { winner, reason }),
                None if game.asks_rules() => {
                    Outcome::Own { winner, reason: OwnReason::named(word)? }
                }
                None => return None,
            },
        };
        // The tags go together if they are those of the outcome that was read.
        (read.word() == outcome && read.result(game) == result).then_some(read)
    }
}

words! {
    /// The result of a game as PGN writes it: White's score.
    GameResult {
        /// `1-0`
        White = "1-0",
        /// `0-1`
        Black = "0-1",
        /// `1/2-1/2`
        Draw = "1/2-1/2",
        /// `*`
        Unknown = "*",
    }
}

impl GameResult {
    /// The result with this text.
    pub fn named(text: &str) -> Option<GameResult> {
        Word::named(text)
    }

    /// The result as titles, lists, filters and pages show it, with the score of the side that
    /// moves first in front. In `loa` that is PGN's Black.
    ///
    /// ```
    /// use arbiter_game::GameResult;
    /// use arbiter_rules::Game;
    /// let result = GameResult::named("0-1").unwrap();
    /// assert_eq!(result.of_first_side(&Game::Loa).word(), "1-0");
    /// assert_eq!(result.of_first_side(&Game::Gekitai).word(), "0-1");
    /// ```
    pub fn of_first_side(self, game: &Game) -> GameResult {
        match (self, game.white()) {
            (GameResult::White, Side::Second) => GameResult::Black,
            (GameResult::Black, Side::Second) => GameResult::White,
            (result, _) => result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_read_from_its_tags() {
        let winners = [None, Some(Side::First), Some(Side::Second)];
        let mut all = vec![
            Outcome::Repetition,
            Outcome::MaxPlies,
            Outcome::Aborted(Abort::Broken),
            Outcome::NeitherStarted,
            Outcome::Aborted(Abort::Rules),
        ];
        all.extend(Side::BOTH.map(Outcome::Resigned));
        all.extend(
            Side::BOTH
                .iter()
                .flat_map(|&side| Fault::ALL.map(|fault| Outcome::Forfeit(side, fault))),
        );
        all.extend(Reason::ALL.iter().flat_map(|&reason| {
            winners
                .into_iter()
                .filter(move |winner| reason != Reason::Suicide || winner.is_some())
                .map(move |winner| Outcome::Rules(Ending { winner, reason }))
        }));
        for game in Game::ALL {
            for &outcome in &all {
                let read = Outcome::from_tags(
                    &game,
                    outcome.result(&game),
                    outcome.word(),
                    outcome.termination(),
                );
                assert_eq!(read, Some(outcome));
            }
        }
    }

    #[test]
    fn tags_that_do_not_go_together_are_no_outcome() {
        for (result, outcome, termination) in [
            (GameResult::White, "draw", "repetition"),
            (GameResult::Draw, "win", "connected"),
            (GameResult::Draw, "suicide", "suicide"),
            (GameResult::Draw, "draw", "suicide"),
            (GameResult::White, "win", "suicide"),
            (GameResult::Unknown, "draw", "simultaneous"),
            (GameResult::White, "aborted", "aborted"),
            (GameResult::White, "forfeit", "connected"),
            (GameResult::White, "win", "checkmate"),
        ] {
            assert_eq!(
                Outcome::from_tags(&Game::Loa, result, outcome, termination),
                None,
                "{termination}"
            );
        }
    }
}
