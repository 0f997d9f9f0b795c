//! The server: a thread with an event loop of its own, so that browsers take nothing from the games but
//! processor time, and of that little.

use super::connection::answer_all;
use super::feed::{Feed, event};
use super::gate::Gate;
use super::places::{Place, Places};
use super::token::Token;
use futures_util::{Stream, StreamExt, stream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, Limited, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use nix::time::{ClockId, clock_gettime};
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// The most connections at a time.
const CONNECTIONS: usize = 4096;
/// The most bytes of the body of a request.
const BODY_BYTES: usize = 1024;
/// The most time for the body of a request.
const BODY_TIME: Duration = Duration::from_secs(10);
/// The least time between two updates.
const PACE: Duration = Duration::from_millis(100);
/// Sending updates takes at most about this part (1/n) of the time of one core; with many browsers they come
/// less often.
const SHARE: u32 = 25;
/// At its end the server waits this long for browsers to take the last update.
const END_TIME: Duration = Duration::from_secs(2);

/// Headers of every answer, beside the policy.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

type SiteBody = UnsyncBoxBody<Bytes, Infallible>;

/// Games of persons, as browsers ask for them.
pub trait PersonGames: Send + Sync {
    /// Begins a game as the body of a request asks for it; returns its number, or why there is none.
    ///
    /// # Errors
    /// A sentence for the person.
    fn begin(&self, request: &[u8]) -> Result<u64, String>;

    /// Takes an answer of the person in the game of this number.
    ///
    /// # Errors
    /// A sentence for the person.
    fn answer(&self, game: u64, request: &[u8]) -> Result<(), String>;

    /// The state of the game of this number, as JSON, whenever it changes. A receiver is a browser that is
    /// there.
    fn follow(&self, game: u64) -> Option<watch::Receiver<String>>;
}

/// An address that is listened on. Connections wait until a server begins.
pub struct ServerAddress {
    listener: TcpListener,
    host: String,
    local: SocketAddr,
}

impl ServerAddress {
    /// Begins to listen on a host and port; port 0 is a free one.
    ///
    /// # Errors
    /// The address cannot be listened on.
    pub fn listen(address: &str) -> io::Result<ServerAddress> {
        let (host, _) = address.rsplit_once(':').ok_or_else(|| io::Error::other("write HOST:PORT"))?;
        let addresses: Vec<SocketAddr> = address.to_socket_addrs()?.collect();
        let listener = TcpListener::bind(&*addresses)?;
        listener.set_nonblocking(true)?;
        let local = listener.local_addr()?;
        Ok(ServerAddress { listener, host: host.to_owned(), local })
    }

    /// Whether only this machine reaches it.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.local.ip().to_canonical().is_loopback()
    }
}

/// What is served.
pub struct ServerSetup {
    /// Where to serve.
    pub address: ServerAddress,
    /// The page and its updates.
    pub feed: Arc<Feed>,
    /// The content security policy of the page.
    pub policy: String,
    /// Games of persons, if there are any.
    pub games: Option<Arc<dyn PersonGames>>,
    /// Gets a value whenever the next update may be sent.
    pub pace: SyncSender<()>,
}

/// A running server. When it is dropped, it ends as soon as browsers have got what was sent to them, at the latest
/// after two seconds.
pub struct Server {
    site: Arc<Site>,
    ends: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server.
    ///
    /// # Errors
    /// The system gives no random bytes for the token, or no thread.
    pub fn start(setup: ServerSetup) -> io::Result<Server> {
        let ServerSetup { address, feed, policy, games, pace } = setup;
        let ServerAddress { listener, host, local } = address;
        let gate = Gate::new(Token::random()?, &host, local.port());
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (ends, ended) = watch::channel(false);
        let policy = HeaderValue::try_from(policy).map_err(io::Error::other)?;
        let site = Arc::new(Site { gate, feed, policy, games });
        let served = Arc::clone(&site);
        let thread = thread::Builder::new().name("serve".to_owned()).spawn(move || {
            runtime.block_on(async move {
                tokio::spawn(keep_pace(pace));
                match tokio::net::TcpListener::from_std(listener) {
                    Ok(listener) => accept(listener, served, ended).await,
                    Err(error) => tracing::error!("the server: {error}"),
                }
            });
        })?;
        Ok(Server { site, ends, thread: Some(thread) })
    }

    /// The URL of the page, with the token.
    #[must_use]
    pub fn url(&self) -> String {
        self.site.gate.url()
    }

    /// Another URL, which leads to the page once: for the arguments of a command, which other accounts can
    /// read.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn url_for_once(&self) -> io::Result<String> {
        Ok(self.site.gate.url_for_once(Token::random()?))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.ends.send(true); // fails if the thread has ended
        let _ = self.thread.take().map(JoinHandle::join); // its panic has been printed
    }
}

/// Allows an update as often as the time that the last ones took allows it.
async fn keep_pace(pace: SyncSender<()>) {
    let mut before = processor_time();
    let mut pause = PACE;
    loop {
        sleep(pause).await;
        let now = processor_time();
        pause = PACE.max(now.saturating_sub(before) * SHARE);
        before = now;
        let _ = pace.try_send(()); // an update that is still being made needs no other one
    }
}

/// The processor time that this thread has used.
fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}

/// Takes connections until the server ends.
async fn accept(listener: tokio::net::TcpListener, site: Arc<Site>, mut ends: watch::Receiver<bool>) {
    let places = Arc::new(Places::new(most_connections()));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = ends.wait_for(|ends| *ends) => break,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, from)) => places.give(from.ip(), |place| {
                connections.spawn(answer_all(stream, place, Arc::clone(&site), ends.clone()))
            }),
            Err(_) => sleep(PACE).await, // the browser is gone already, or descriptors are short
        }
    }
    let _ = timeout(END_TIME, async { while connections.join_next().await.is_some() {} }).await;
}

/// The most connections: half of the descriptors that the process may have are left to the games.
fn most_connections() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let descriptors = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    CONNECTIONS.min(descriptors / 2)
}

/// What is behind the gate.
pub(super) struct Site {
    gate: Gate,
    feed: Arc<Feed>,
    policy: HeaderValue,
    games: Option<Arc<dyn PersonGames>>,
}

impl Site {
    /// Answers a request; `local` is the address of this end of its connection, which has this place. What is not
    /// served has an answer without a body.
    pub async fn answer(
        &self,
        request: Request<Incoming>,
        local: SocketAddr,
        place: &Place,
    ) -> Response<SiteBody> {
        let (head, body) = request.into_parts();
        let admitted = self.gate.admitted(&head, local);
        let is_at_end = admitted.is_none() || !place.admit();
        let answer = match admitted {
            Some(_) if is_at_end => Some(of_status(StatusCode::SERVICE_UNAVAILABLE)),
            Some(path) => self.serve(&head, path, body).await,
            None => self.gate.led_once(&head, local).and_then(|page| {
                let mut response = of_status(StatusCode::SEE_OTHER);
                response.headers_mut().insert(LOCATION, HeaderValue::try_from(page).ok()?);
                Some(response)
            }),
        };
        let mut answer = answer.unwrap_or_else(|| of_status(StatusCode::NOT_FOUND));
        answer.headers_mut().insert(CONTENT_SECURITY_POLICY, self.policy.clone());
        if is_at_end {
            answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        answer.headers_mut().extend(HEADERS.map(|(name, value)| (Some(name), value)));
        answer
    }

    /// Serves what is at a path behind the token: the page, its updates, and games of persons. None if there
    /// is nothing.
    async fn serve(&self, head: &Parts, path: &str, body: Incoming) -> Option<Response<SiteBody>> {
        match (&head.method, path) {
            (&Method::GET, "") => Some(whole("text/html; charset=utf-8", self.feed.page())),
            (&Method::GET, "events") => {
                let from = last_update(head)?;
                Some(events(Arc::clone(&self.feed).follow(from)))
            }
            (&Method::POST, "play") => {
                let games = self.games.as_ref()?;
                Some(outcome(games.begin(&body_of(body).await?).map(|game| format!("{{\"game\":{game}}}"))))
            }
            (method, path) => {
                let games = self.games.as_ref()?;
                let path = path.strip_prefix("play/")?;
                match (method, path.strip_suffix("/events")) {
                    (&Method::GET, Some(game)) => Some(events(states(games.follow(number(game)?)?))),
                    (&Method::POST, None) => {
                        let game = number(path)?;
                        Some(outcome(games.answer(game, &body_of(body).await?).map(|()| "{}".to_owned())))
                    }
                    _ => None,
                }
            }
        }
    }
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

/// The body of a request; none if it is too long or does not come.
async fn body_of(body: Incoming) -> Option<Bytes> {
    let body = timeout(BODY_TIME, Limited::new(body, BODY_BYTES).collect()).await;
    Some(body.ok()?.ok()?.to_bytes())
}

/// The states of a game of a person, until the server forgets it; the page closes the stream when the game is over.
fn states(mut states: watch::Receiver<String>) -> impl Stream<Item = Bytes> {
    states.mark_changed();
    stream::unfold(states, |mut states| async move {
        states.changed().await.ok()?;
        let state = event(0, &states.borrow_and_update());
        Some((state, states))
    })
}

fn of_status(status: StatusCode) -> Response<SiteBody> {
    let mut response = Response::new(Full::default().boxed_unsync());
    *response.status_mut() = status;
    response
}

fn whole(kind: &'static str, body: impl Into<Bytes>) -> Response<SiteBody> {
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
    response
}
