//! What all pages see: the page itself, and the updates that follow it, each made once and sent to
//! all.
//!
//! Updates are numbered. The page contains all finished games up to an update, and a browser asks
//! for what came after it. A browser that reads too slowly misses updates and gets the whole state
//! instead, so nothing is kept for it.

use super::running::RunningGame;
use futures_util::{Stream, stream};
use hyper::body::Bytes;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::broadcast::{self, Receiver};
use tokio::time::timeout;

/// Updates that a browser may be behind before it gets the whole state instead.
const BEHIND: usize = 16;
/// Something is sent at least this often, so that a connection that is gone is noticed.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// What is sent if there is nothing new.
pub(super) const NOTHING: Bytes = Bytes::from_static(b":\n\n");
/// Browsers that need the whole state within this time get the same text, so clocks in it may be
/// late by that.
const SHARED: Duration = Duration::from_millis(100);

/// Has a browser load the page anew.
const RELOAD: Bytes = Bytes::from_static(b"data: {\"reload\":true}\n\n");

/// The page and its updates.
#[derive(Debug)]
pub struct Feed {
    state: Mutex<FeedState>,
    updates: broadcast::Sender<FeedUpdate>,
}

/// An update as it is sent.
#[derive(Debug, Clone)]
struct FeedUpdate {
    number: u64,
    text: Bytes,
    /// Whether nothing follows it.
    is_last: bool,
}

#[derive(Debug, Default)]
struct FeedState {
    /// The number of the last update.
    number: u64,
    page: Bytes,
    /// The last update whose games the page contains.
    page_number: u64,
    /// The last update whose games the page before this one contains; browsers may still be loading
    /// that one.
    kept_after: u64,
    /// Whether a browser got the page since it was made.
    page_wanted: bool,
    /// Finished games that came after the page before, as JSON, with the numbers of their updates.
    games: VecDeque<(u64, String)>,
    /// The table as JSON.
    table: String,
    /// What a league says of itself, as JSON.
    league: Option<String>,
    /// The games of the workers.
    running: Vec<Option<RunningGame>>,
    is_over: bool,
    /// The whole state after an update, for browsers that know the games up to it; made once for
    /// all of them.
    whole: Option<WholeState>,
}

/// The whole state as it is sent.
#[derive(Debug)]
struct WholeState {
    /// It has the games after this update.
    after: u64,
    made: Instant,
    update: FeedUpdate,
}

/// What has changed since the last update.
#[derive(Debug, Default)]
pub struct FeedChange {
    /// Games that have ended, as a JSON value.
    pub games: Option<String>,
    /// The table as JSON, if it is another one.
    pub table: Option<String>,
    /// What a league says of itself, if that has changed.
    pub league: Option<LeagueChange>,
    /// The games of the workers as they are now.
    pub running: Vec<Option<RunningGame>>,
    /// Whether nothing follows.
    pub is_over: bool,
}

/// What a league says of itself, as JSON values.
#[derive(Debug)]
pub struct LeagueChange {
    /// All of it, for a browser that knows nothing of it yet.
    pub whole: String,
    /// What has changed, for a browser that knows what was said before.
    pub changed: String,
}

impl Feed {
    /// A feed without updates, whose page has this table.
    pub fn new(page: String, table: String) -> Feed {
        let state = FeedState { page: page.into(), table, ..FeedState::default() };
        Feed { state: Mutex::new(state), updates: broadcast::channel(BEHIND).0 }
    }

    /// Whether a browser follows the updates.
    pub fn is_followed(&self) -> bool {
        self.updates.receiver_count() > 0
    }

    /// The number of the last update.
    pub fn number(&self) -> u64 {
        self.state().number
    }

    /// The bytes of the games that the page does not contain, and whether a browser got it since it
    /// was made.
    pub fn missing_in_page(&self) -> (usize, bool) {
        let state = self.state();
        let mut missing = 0;
        for (number, games) in &state.games {
            if *number > state.page_number {
                missing += games.len();
            }
        }
        (missing, state.page_wanted)
    }

    /// Replaces the page by one with all games up to the last update.
    pub fn replace_page(&self, page: String) {
        let mut state = self.state();
        // A browser that is still loading the page before asks for what came after that one, so
        // its games are kept until the next replacement.
        let before = state.page_number;
        state.games.retain(|(number, _)| *number > before);
        state.page = page.into();
        state.page_number = state.number;
        state.kept_after = before;
        state.page_wanted = false;
        state.whole = None;
    }

    /// Begins with another page and table: all browsers load the page anew. It counts as an update.
    pub fn begin_anew(&self, page: String, table: String) {
        let mut state = self.state();
        state.number += 1;
        state.table = table;
        state.running.clear();
        state.page_number = state.number; // the games before are those of another tournament
        let update = FeedUpdate { number: state.number, text: RELOAD, is_last: true };
        drop(state);
        self.replace_page(page);
        let _ = self.updates.send(update); // fails if no browser follows
    }

    /// Sends an update, if something has changed.
    pub fn publish(&self, change: FeedChange) {
        let now = Instant::now();
        let FeedChange { games, table, league, running, is_over } = change;
        let mut state = self.state();
        let table = table.filter(|table| *table != state.table);
        let mut changed = Vec::new();
        for (slot, game) in running.iter().enumerate() {
            let before = state.running.get(slot).and_then(Option::as_ref);
            if let Some(game) = game {
                changed.extend(game.since(before, slot, now));
            }
        }
        state.running = running;
        let is_same = changed.is_empty() && games.is_none() && table.is_none() && league.is_none();
        if is_same && is_over == state.is_over {
            return;
        }
        state.number += 1;
        state.whole = None;
        state.is_over = is_over;
        let parts = MessageParts {
            running: &changed,
            table: table.as_deref(),
            league: league.as_ref().map(|league| &*league.changed),
            is_over,
        };
        let text = message(state.number, parts, games.iter());
        if let Some(games) = games {
            let number = state.number;
            state.games.push_back((number, games));
        }
        if let Some(table) = table {
            state.table = table;
        }
        if let Some(league) = league {
            state.league = Some(league.whole);
        }
        let update = FeedUpdate { number: state.number, text, is_last: is_over };
        // Not under the lock: a browser that wakes up at once would wait for it.
        drop(state);
        let _ = self.updates.send(update); // fails if no browser follows
    }

    pub(super) fn page(&self) -> Bytes {
        let mut state = self.state();
        state.page_wanted = true;
        state.page.clone()
    }

    /// The updates after the one of this number, as server-sent events: the whole state first.
    pub(super) fn follow(self: Arc<Feed>, from: u64) -> impl Stream<Item = Bytes> {
        let updates = self.updates.subscribe();
        let follower =
            Follower { feed: self, updates, number: from, is_behind: true, is_over: false };
        stream::unfold(follower, Follower::next)
    }

    /// The whole state, for a browser that knows the games up to this update. If the games after it
    /// are not kept, it is told to load the page anew.
    fn whole(&self, from: u64) -> FeedUpdate {
        let mut state = self.state();
        if from < state.kept_after || from > state.number {
            return FeedUpdate { number: state.number, text: RELOAD, is_last: true };
        }
        // Browsers that know different updates share the text if no game came in between. After a
        // burst of games all slow browsers are behind at the same time, and a text for each of them
        // would take the processor from the games.
        let mut after = state.kept_after;
        let mut games = Vec::new();
        for (number, game) in &state.games {
            if *number <= from {
                after = *number;
            } else {
                games.push(game);
            }
        }
        let now = Instant::now();
        if let Some(whole) = &state.whole
            && whole.after == after
            && now.duration_since(whole.made) < SHARED
        {
            return whole.update.clone();
        }
        let mut running = Vec::new();
        for (slot, game) in state.running.iter().enumerate() {
            if let Some(game) = game {
                running.push(game.whole(slot, now));
            }
        }
        let parts = MessageParts {
            running: &running,
            table: Some(&state.table),
            league: state.league.as_deref(),
            is_over: state.is_over,
        };
        let text = message(state.number, parts, games.into_iter());
        let update = FeedUpdate { number: state.number, text, is_last: state.is_over };
        state.whole = Some(WholeState { after, made: now, update: update.clone() });
        update
    }

    fn state(&self) -> MutexGuard<'_, FeedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A browser that follows the updates.
struct Follower {
    feed: Arc<Feed>,
    updates: Receiver<FeedUpdate>,
    /// The last update that it got.
    number: u64,
    /// Whether it needs the whole state.
    is_behind: bool,
    is_over: bool,
}

impl Follower {
    async fn next(mut self) -> Option<(Bytes, Follower)> {
        if self.is_over {
            return None;
        }
        loop {
            let update = if self.is_behind {
                self.is_behind = false;
                self.feed.whole(self.number)
            } else {
                match timeout(KEEP_ALIVE, self.updates.recv()).await {
                    Ok(Ok(update)) if update.number > self.number => update,
                    Ok(Ok(_)) => continue, // it is part of the whole state
                    Ok(Err(broadcast::error::RecvError::Lagged(_))) => {
                        self.updates = self.updates.resubscribe();
                        self.is_behind = true;
                        continue;
                    }
                    Ok(Err(broadcast::error::RecvError::Closed)) => return None,
                    Err(_) => return Some((NOTHING, self)),
                }
            };
            self.number = update.number;
            self.is_over = update.is_last;
            return Some((update.text, self));
        }
    }
}

/// What an update says besides the games that have ended, as JSON.
struct MessageParts<'a> {
    running: &'a [String],
    table: Option<&'a str>,
    league: Option<&'a str>,
    is_over: bool,
}

/// An update as a server-sent event.
fn message<'a>(
    number: u64,
    parts: MessageParts<'_>,
    games: impl Iterator<Item = &'a String>,
) -> Bytes {
    let MessageParts { running, table, league, is_over } = parts;
    let games: Vec<&str> = games.map(String::as_str).collect();
    let running = running.join(",");
    let games = games.join(",");
    let table = table.map(|table| format!(",\"table\":{table}")).unwrap_or_default();
    let league = league.map(|league| format!(",\"league\":{league}")).unwrap_or_default();
    let json = format!(
        "{{\"running\":[{running}],\"games\":[{games}],\"over\":{is_over}{table}{league}}}"
    );
    event(number, &json)
}

/// A JSON text as a server-sent event. Between its values it may have line ends, which would end
/// the event.
pub(super) fn event(number: u64, json: &str) -> Bytes {
    format!("id: {number}\ndata: {}\n\n", json.replace(['\n', '\r'], " ")).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::StreamExt;
    use tokio::runtime::Builder;

    fn games(text: &str) -> FeedChange {
        FeedChange { games: Some(text.to_owned()), ..FeedChange::default() }
    }

    /// The next text of a stream that has one.
    fn next(stream: &mut (impl Stream<Item = Bytes> + Unpin)) -> Option<String> {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let text = runtime.block_on(stream.next())?;
        Some(String::from_utf8(text.to_vec()).unwrap())
    }

    #[test]
    fn a_browser_that_is_too_slow_gets_the_whole_state_and_misses_no_game() {
        let feed = Arc::new(Feed::new("page".to_owned(), "{}".to_owned()));
        let mut browser = Box::pin(Arc::clone(&feed).follow(0));
        let whole = "id: 0\ndata: {\"running\":[],\"games\":[],\"over\":false,\"table\":{}}\n\n";
        assert_eq!(next(&mut browser).unwrap(), whole);
        feed.publish(FeedChange::default());
        feed.publish(games("1"));
        let first = "id: 1\ndata: {\"running\":[],\"games\":[1],\"over\":false}\n\n";
        assert_eq!(next(&mut browser).unwrap(), first, "nothing is sent without a change");
        for number in 2..40 {
            feed.publish(games(&number.to_string()));
        }
        let all: Vec<String> = (2..40).map(|number: u32| number.to_string()).collect();
        let late = next(&mut browser).unwrap();
        assert!(late.starts_with("id: 39\ndata: {"), "{late}");
        assert!(late.contains(&format!("\"games\":[{}]", all.join(","))), "{late}");
        let table = Some("{\n\"a\": 1}".to_owned());
        feed.publish(FeedChange { table, is_over: true, ..FeedChange::default() });
        assert!(next(&mut browser).unwrap().contains("\"over\":true,\"table\":{ \"a\": 1}"));
        assert_eq!(next(&mut browser), None);
    }

    #[test]
    fn a_follower_gets_what_changed_in_a_league_and_a_new_one_gets_all_of_it() {
        let feed = Arc::new(Feed::new("page".to_owned(), "{}".to_owned()));
        let mut early = Box::pin(Arc::clone(&feed).follow(0));
        assert!(!next(&mut early).unwrap().contains("league"), "it is none");
        let league = LeagueChange { whole: "[1,2]".to_owned(), changed: "[2]".to_owned() };
        feed.publish(FeedChange { league: Some(league), ..FeedChange::default() });
        assert!(next(&mut early).unwrap().ends_with(",\"league\":[2]}\n\n"));
        let mut late = Box::pin(Arc::clone(&feed).follow(0));
        assert!(next(&mut late).unwrap().ends_with(",\"league\":[1,2]}\n\n"));
    }

    #[test]
    fn a_browser_whose_games_are_not_kept_loads_the_page_anew() {
        let feed = Arc::new(Feed::new("page".to_owned(), "{}".to_owned()));
        feed.publish(games("1"));
        assert_eq!((feed.missing_in_page(), feed.page()), ((1, false), Bytes::from("page")));
        assert_eq!(feed.missing_in_page(), (1, true));
        let mut early = Box::pin(Arc::clone(&feed).follow(0));
        assert!(next(&mut early).unwrap().contains("\"games\":[1]"));
        feed.replace_page("newer".to_owned());
        assert_eq!((feed.missing_in_page(), feed.page()), ((0, false), Bytes::from("newer")));
        let mut slow = Box::pin(Arc::clone(&feed).follow(0));
        assert!(
            next(&mut slow).unwrap().contains("\"games\":[1]"),
            "it was still loading the page before"
        );
        feed.replace_page("newest".to_owned());
        for from in [0, 2] {
            let mut late = Box::pin(Arc::clone(&feed).follow(from));
            assert_eq!(next(&mut late).unwrap(), "data: {\"reload\":true}\n\n");
            assert_eq!(next(&mut late), None);
        }
        feed.publish(games("2"));
        assert!(next(&mut early).unwrap().contains("\"games\":[2]"), "who followed needs no page");
        feed.begin_anew("other".to_owned(), "{}".to_owned());
        assert!(next(&mut early).unwrap().contains("reload"));
    }
}
