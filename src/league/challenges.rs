//! "Play me against X now": pairs that authors ask for by their links, a few a day.

use super::board::SharedBoard;
use super::uploads::Pace;
use arbiter_rank::league::AskError;
use arbiter_show::serve::{ChallengeForm, RefusalKind, UploadRefusal};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const DAY: Duration = Duration::from_hours(24);

/// The pairs that authors ask for. How often each did is not kept when arbiter ends.
pub struct Challenges {
    board: SharedBoard,
    /// The most of an author within a day; 0 for none at all.
    most: u32,
    pace: Mutex<Pace>,
}

impl Challenges {
    pub fn new(board: SharedBoard, most: u32) -> Challenges {
        Challenges { board, most, pace: Mutex::new(Pace::new(DAY)) }
    }

    /// What the author of the bot of this public name may ask for; `None` if that is nothing.
    pub fn form(&self, bot: &str) -> Option<ChallengeForm> {
        if self.most == 0 {
            return None;
        }
        let board = self.board.lock();
        let opponents = board.opponents(bot)?;
        let waiting = board.asked_by(bot);
        drop(board);
        let wait = self.pace().wait(bot, self.most, Instant::now());
        Some(ChallengeForm {
            opponents,
            waiting,
            used_up: wait.map(|time| used_up(self.most, time)),
        })
    }

    /// Has the bot of this public name play this opponent next. Returns a sentence for its author.
    ///
    /// # Errors
    /// They do not play; what is refused does not count.
    pub fn ask(&self, bot: &str, opponent: &str) -> Result<String, UploadRefusal> {
        if self.most == 0 {
            let why = "in this league authors do not choose opponents";
            return Err(UploadRefusal::new(RefusalKind::Impossible, why));
        }
        // Held until it is counted: an author may ask twice at the same moment.
        let mut pace = self.pace();
        let now = Instant::now();
        if let Some(time) = pace.wait(bot, self.most, now) {
            let why = used_up(self.most, time);
            return Err(UploadRefusal::new(RefusalKind::TooOften(time), why));
        }
        let before = self.board.lock().ask(bot, opponent).map_err(|error| {
            let kind = match error {
                AskError::Itself | AskError::NoOpponent => RefusalKind::Unacceptable,
                AskError::DoesNotPlay | AskError::StillWaits => RefusalKind::Impossible,
            };
            UploadRefusal::new(kind, error.to_string())
        })?;
        let _ = pace.count(bot, self.most, now); // there is room for it
        let when = match before {
            0 => "next".to_owned(),
            1 => "after another pair that was asked for".to_owned(),
            before => format!("after {before} other pairs that were asked for"),
        };
        Ok(format!(
            "{bot} plays {opponent} {when}: two games, as soon as running ones have ended; the \
             queue on the page of the league shows it"
        ))
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to an author who has asked for all pairs of a day.
fn used_up(most: u32, time: Duration) -> String {
    let minutes = time.as_secs() / 60 + 1;
    let wait = if minutes < 120 {
        format!("{minutes} minutes")
    } else {
        format!("{} hours", minutes.div_ceil(60))
    };
    format!("an author can ask for {most} pairs within 24 hours; the next time is in {wait}")
}

#[cfg(test)]
pub mod tests {
    use super::super::board::Board;
    use super::*;
    use arbiter_cup::tournament::Entrant;
    use arbiter_game::content::Content;
    use arbiter_game::openings::Openings;
    use arbiter_play::arena::{GameSource, NextGame, Person, PlayerSpec};
    use arbiter_rules::Ruleset;
    use std::collections::{BTreeMap, HashMap};

    /// A board with the bots `ann`, `bob` and `carl`.
    pub fn board() -> SharedBoard {
        let start = Ruleset::named("gekitai", "").unwrap().start();
        let mut board = Board::new(Openings::start(start), HashMap::new());
        for (number, name) in (0..).zip(["ann", "bob", "carl"]) {
            let content = Content::default();
            let entrant =
                Entrant::new(name.to_owned(), String::new(), &content, BTreeMap::new(), None);
            board.join(&entrant, number, PlayerSpec::Person(Person::new(|_| {}).0));
        }
        SharedBoard::new(board)
    }

    #[test]
    fn an_author_asks_for_so_many_pairs_a_day_one_at_a_time() {
        let board = board();
        let challenges = Challenges::new(board.clone(), 2);
        let refused = |opponent| challenges.ask("ann", opponent).unwrap_err();
        for opponent in ["ann", "dora", ""] {
            assert_eq!(refused(opponent).kind, RefusalKind::Unacceptable);
        }
        assert_eq!(challenges.form("dora"), None);
        let said = challenges.ask("ann", "carl").unwrap();
        assert!(said.starts_with("ann plays carl next: two games"), "{said}");
        assert_eq!(refused("bob").kind, RefusalKind::Impossible, "one at a time");
        let later = challenges.ask("bob", "ann").unwrap();
        assert!(later.contains("after another pair"), "{later}");
        let form = challenges.form("ann").unwrap();
        assert_eq!(
            (&*form.opponents.join(" "), form.waiting.as_deref()),
            ("bob carl", Some("carl"))
        );
        let next = board.lock().next_pairs(1);
        assert_eq!(next, [(["ann", "carl"].map(str::to_owned), "asked for by ann".to_owned())]);
        // The two begin; what was refused did not count.
        assert!(matches!(board.clone().next(), NextGame::Play(_)));
        assert_eq!(challenges.form("ann").unwrap().waiting, None);
        challenges.ask("ann", "bob").unwrap();
        board.lock().leave("bob");
        let often = refused("carl");
        assert!(matches!(often.kind, RefusalKind::TooOften(_)));
        assert!(often.why.contains("2 pairs within 24 hours; the next time is in 24 hours"));
        assert!(challenges.form("ann").unwrap().used_up.is_some());
        assert_eq!(challenges.form("bob"), None, "it does not play");
    }

    #[test]
    fn a_league_may_have_none() {
        let challenges = Challenges::new(board(), 0);
        assert_eq!(challenges.form("ann"), None);
        assert_eq!(challenges.ask("ann", "bob").unwrap_err().kind, RefusalKind::Impossible);
    }
}
