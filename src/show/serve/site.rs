//! What the server answers: the page, its updates, and the games of persons, behind the gate.

use super::authors::{AuthorRequest, Authors};
use super::feed::{Feed, KEEP_ALIVE, NOTHING, event};
use super::gate::{AdmittedPath, Gate};
use super::places::Place;
use futures_util::{Stream, StreamExt, stream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, Limited, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue,
    LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::convert::Infallible;
use std::fs::File;
use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// The most bytes of the body of a request. The text of a position has up to 4,000, some of which
/// take two in JSON.
const BODY_BYTES: usize = 16 << 10;
/// The most time for the body of a request.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The most bytes of an Atom feed.
const ATOM_BYTES: u64 = 4 << 20;

/// Headers of every answer, beside the policy.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

pub(super) type SiteBody = UnsyncBoxBody<Bytes, Infallible>;

/// Games of persons, as browsers ask for them. A call may wait for the rules of a custom game.
pub trait PersonGames: Send + Sync {
    /// The names of the bots that can be played against.
    fn opponents(&self) -> Vec<String>;

    /// Begins a game as the body of a request asks for it, and returns its number.
    ///
    /// # Errors
    /// A sentence for the person.
    fn begin(&self, request: &[u8]) -> Result<u64, String>;

    /// Takes an answer of the person in the game of this number.
    ///
    /// # Errors
    /// A sentence for the person.
    fn answer(&self, game: u64, request: &[u8]) -> Result<(), String>;

    /// The state of the game of this number, as JSON, whenever it changes. A receiver is a browser
    /// that is there.
    fn follow(&self, game: u64) -> Option<watch::Receiver<String>>;
}

/// Games of two persons, whose seats have the numbers 0 and 1. A call may wait for the rules of a
/// custom game.
pub trait SeatGames: Send + Sync {
    /// Takes what the person at a seat says.
    ///
    /// # Errors
    /// A sentence for the person.
    fn answer(&self, seat: usize, request: &[u8]) -> Result<(), String>;

    /// The state of the games as JSON for the person at a seat, whenever it changes. A receiver is
    /// a browser that is there.
    fn follow(&self, seat: usize) -> watch::Receiver<String>;
}

/// What is behind the gate.
pub(super) struct Site {
    pub gate: Gate,
    pub feed: Arc<Feed>,
    pub policy: HeaderValue,
    pub games: Option<Arc<dyn PersonGames>>,
    pub seats: Option<Arc<dyn SeatGames>>,
    pub authors: Option<Authors>,
    /// The Atom feed of a league: a file that may not be there.
    pub atom: PathBuf,
}

/// What a request asks for that has shown a secret.
enum Admitted<'a> {
    /// A path behind a token.
    Page(AdmittedPath<'a>),
    /// Something of an author.
    Author(&'a Authors, AuthorRequest<'a>),
}

impl Site {
    /// Answers a request; `local` is the address of this end of its connection, which has this
    /// place. What is not served has an answer without a body.
    pub async fn answer(
        &self,
        request: Request<Incoming>,
        local: SocketAddr,
        place: &Place,
    ) -> Response<SiteBody> {
        let (head, body) = request.into_parts();
        let admitted = self.admitted(&head, local);
        // A connection that has not shown a secret ends with this answer, and so does one that has
        // and finds all places for such taken.
        let client = self.gate.client(&head, place.peer());
        let is_at_end = admitted.is_none() || !place.admit(client);
        let answer = match admitted {
            Some(_) if is_at_end => Some(of_status(StatusCode::SERVICE_UNAVAILABLE)),
            Some(Admitted::Page(wanted)) => self.serve(&head, wanted, body).await,
            Some(Admitted::Author(authors, wanted)) => authors.serve(&head, wanted, body).await,
            None => self.gate.led_once(&head, local).and_then(redirection),
        };
        let mut answer = answer.unwrap_or_else(|| of_status(StatusCode::NOT_FOUND));
        let policy = answer.headers_mut().entry(CONTENT_SECURITY_POLICY);
        policy.or_insert_with(|| self.policy.clone());
        if is_at_end {
            answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        answer.headers_mut().extend(HEADERS.map(|(name, value)| (Some(name), value)));
        answer
    }

    /// What a request asks for, if it has shown a secret.
    fn admitted<'a>(&'a self, head: &'a Parts, local: SocketAddr) -> Option<Admitted<'a>> {
        if let Some(authors) = &self.authors
            && let Some((address, path)) = self.gate.author(head, local)
            && authors.knows(address)
        {
            return Some(Admitted::Author(authors, AuthorRequest { address, path }));
        }
        self.gate.admitted(head, local).map(Admitted::Page)
    }

    /// Serves what is at a path behind a token: the page, its updates, and games of persons. `None`
    /// if there is nothing.
    async fn serve(
        &self,
        head: &Parts,
        admitted: AdmittedPath<'_>,
        body: Incoming,
    ) -> Option<Response<SiteBody>> {
        let AdmittedPath { path, seat } = admitted;
        match (&head.method, path) {
            (&Method::GET, "") => Some(whole("text/html; charset=utf-8", self.feed.page())),
            (&Method::GET, "events") => {
                let from = last_update(head)?;
                Some(events(Arc::clone(&self.feed).follow(from)))
            }
            (&Method::GET, "feed.xml") => {
                let file = self.atom.clone();
                let text = spawn_blocking(move || atom_text(&file)).await.ok()??;
                Some(whole("application/atom+xml; charset=utf-8", text))
            }
            (method, path) if path.starts_with("seat") => {
                self.serve_seat(method, path, seat, body).await
            }
            (&Method::POST, "play") => {
                let games = Arc::clone(self.games.as_ref()?);
                let wanted = body_of(body).await?;
                let begun = beside(move || games.begin(&wanted)).await;
                Some(outcome(begun.map(|game| format!("{{\"game\":{game}}}"))))
            }
            (method, path) => {
                let games = Arc::clone(self.games.as_ref()?);
                let path = path.strip_prefix("play/")?;
                match (method, path.strip_suffix("/events")) {
                    (&Method::GET, Some(game)) => {
                        Some(events(states(games.follow(number(game)?)?)))
                    }
                    (&Method::POST, None) => {
                        let game = number(path)?;
                        let typed = body_of(body).await?;
                        let taken = beside(move || games.answer(game, &typed)).await;
                        Some(outcome(taken.map(|()| "{}".to_owned())))
                    }
                    _ => None,
                }
            }
        }
    }

    /// Serves a game of two persons: which of them a browser is, if it is one, and what that one
    /// sees and says.
    async fn serve_seat(
        &self,
        method: &Method,
        path: &str,
        seat: Option<usize>,
        body: Incoming,
    ) -> Option<Response<SiteBody>> {
        let seats = Arc::clone(self.seats.as_ref()?);
        match (method, path) {
            (&Method::GET, "seat") => {
                let seat = serde_json::json!({ "seat": seat }).to_string();
                Some(whole("application/json", seat))
            }
            (&Method::GET, "seat/events") => Some(events(states(seats.follow(seat?)))),
            (&Method::POST, "seat") => {
                let seat = seat?;
                let said = body_of(body).await?;
                let taken = beside(move || seats.answer(seat, &said)).await;
                Some(outcome(taken.map(|()| "{}".to_owned())))
            }
            _ => None,
        }
    }
}

/// The Atom feed, if there is one. What is no regular file does not lead elsewhere, and nobody waits
/// for it.
fn atom_text(file: &Path) -> Option<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(CWD, file, flags, Mode::empty()).ok()?);
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = Vec::new();
    file.take(ATOM_BYTES).read_to_end(&mut text).ok()?;
    Some(text)
}

/// What a person asks for, on a thread beside the event loop: the rules of a custom game may have
/// to say something to it, and the other connections do not wait for them.
async fn beside<T: Send + 'static>(
    ask: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    spawn_blocking(ask).await.unwrap_or_else(|error| Err(error.to_string()))
}

/// The last update that a browser has: as it says when it connects again, else as its page says.
fn last_update(head: &Parts) -> Option<u64> {
    match head.headers.get("last-event-id") {
        Some(id) => number(id.to_str().ok()?),
        None => number(head.uri.query()?.strip_prefix("from=")?),
    }
}

/// A number in decimal digits.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The body of a request; `None` if it is too long or does not come.
pub(super) async fn body_of(body: Incoming) -> Option<Bytes> {
    let body = timeout(BODY_TIME, Limited::new(body, BODY_BYTES).collect()).await;
    Some(body.ok()?.ok()?.to_bytes())
}

/// The states of a game of a person, until the server forgets it; the page closes the stream when
/// the game is over.
fn states(mut states: watch::Receiver<String>) -> impl Stream<Item = Bytes> {
    states.mark_changed(); // the first state is sent at once
    stream::unfold(states, |mut states| async move {
        let text = match timeout(KEEP_ALIVE, states.changed()).await {
            Ok(changed) => {
                changed.ok()?;
                event(0, &states.borrow_and_update())
            }
            Err(_) => NOTHING,
        };
        Some((text, states))
    })
}

pub(super) fn of_status(status: StatusCode) -> Response<SiteBody> {
    let mut response = Response::new(Full::default().boxed_unsync());
    *response.status_mut() = status;
    response
}

/// Leads a browser to another path.
pub(super) fn redirection(to: String) -> Option<Response<SiteBody>> {
    let mut response = of_status(StatusCode::SEE_OTHER);
    response.headers_mut().insert(LOCATION, HeaderValue::try_from(to).ok()?);
    Some(response)
}

pub(super) fn whole(kind: &'static str, body: impl Into<Bytes>) -> Response<SiteBody> {
    let mut response = Response::new(Full::new(body.into()).boxed_unsync());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// The answer to what a person wants: JSON, or a sentence why it cannot be done.
fn outcome(done: Result<String, String>) -> Response<SiteBody> {
    match done {
        Ok(json) => whole("application/json", json),
        Err(why) => {
            let mut response = whole("text/plain; charset=utf-8", why);
            *response.status_mut() = StatusCode::CONFLICT;
            response
        }
    }
}

fn events(events: impl Stream<Item = Bytes> + Send + 'static) -> Response<SiteBody> {
    let frames = events.map(|text| Ok(Frame::data(text)));
    let mut response = Response::new(StreamBody::new(frames).boxed_unsync());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // nginx would keep updates back until it has a few kilobytes.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
