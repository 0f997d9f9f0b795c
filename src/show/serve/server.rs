//! The server: a thread with an event loop of its own, so that browsers take nothing from the games
//! but processor time, and of that little.

use super::authors::Authors;
use super::connection::answer_all;
use super::feed::Feed;
use super::gate::Gate;
use super::places::{Places, admitted_of};
use super::site::{PersonGames, SeatGames, Site};
use super::token::Token;
use super::uploads::Uploads;
use hyper::header::HeaderValue;
use nix::time::{ClockId, clock_gettime};
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
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
/// The least time between two updates.
const PACE: Duration = Duration::from_millis(100);
/// Sending updates takes at most about this part (1/n) of the time of one core; with many browsers
/// they come less often.
const SHARE: u32 = 25;
/// At its end the server waits this long for browsers to take the last update.
const END_TIME: Duration = Duration::from_secs(2);

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
        let Some((host, _)) = address.rsplit_once(':') else {
            return Err(io::Error::other("write HOST:PORT"));
        };
        let addresses: Vec<SocketAddr> = address.to_socket_addrs()?.collect();
        let listener = TcpListener::bind(&*addresses)?;
        listener.set_nonblocking(true)?;
        let local = listener.local_addr()?;
        Ok(ServerAddress { listener, host: host.to_owned(), local })
    }

    /// Whether only this machine reaches it.
    pub fn is_loopback(&self) -> bool {
        self.local.ip().to_canonical().is_loopback()
    }
}

pub struct ServerSetup {
    /// Where to serve.
    pub address: ServerAddress,
    /// Digits for the token of the page; `None` for another one at each start.
    pub token: Option<String>,
    /// The page and its updates.
    pub feed: Arc<Feed>,
    /// The content security policy of the page.
    pub policy: String,
    /// Games of persons, if there are any.
    pub games: Option<Arc<dyn PersonGames>>,
    /// Games of two persons, if there are any.
    pub seats: Option<Arc<dyn SeatGames>>,
    /// Authors and what they hand in, if they can.
    pub uploads: Option<Arc<dyn Uploads>>,
    /// The URL for browsers if the server is behind a proxy, ending with `/`.
    pub public: Option<String>,
    /// The Atom feed of a league: a file that may not be there.
    pub atom: PathBuf,
    /// Gets a value whenever the next update may be sent.
    pub pace: SyncSender<()>,
}

/// A running server. When it is dropped, it ends as soon as browsers have got what was sent to
/// them, at the latest after two seconds.
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
        let ServerSetup { feed, policy, games, seats, uploads, public, atom, pace, .. } = setup;
        let ServerAddress { listener, host, local } = setup.address;
        let token = match setup.token {
            Some(digits) => Token::derived(&digits),
            None => Token::random()?,
        };
        let mut gate = Gate::new(token, &host, local.port());
        if seats.is_some() {
            gate = gate.with_seats(vec![Token::random()?, Token::random()?]);
        }
        if let Some(url) = public {
            gate = gate
                .behind(&url)
                .ok_or_else(|| io::Error::other(format!("{url}: write https://HOST/PATH/")))?;
        }
        // Made here and not on the thread, so that an error is the caller's.
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (ends, ended) = watch::channel(false);
        let policy = HeaderValue::try_from(policy).map_err(io::Error::other)?;
        let authors = uploads.map(Authors::new);
        let site = Arc::new(Site { gate, feed, policy, games, seats, authors, atom });
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
    pub fn url(&self) -> String {
        self.site.gate.url()
    }

    /// The URLs of the page for the two persons, if there are games of theirs.
    pub fn seat_urls(&self) -> Vec<String> {
        self.site.gate.seat_urls()
    }

    /// The URL of the page of the author at this address.
    pub fn author_url(&self, address: &str) -> String {
        self.site.gate.author_url(address)
    }

    /// Another URL, which leads to the page once: for the arguments of a command, which other
    /// accounts can read.
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
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // a panic of it has been printed
        }
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
async fn accept(
    listener: tokio::net::TcpListener,
    site: Arc<Site>,
    mut ends: watch::Receiver<bool>,
) {
    let places = Arc::new(Places::new(most_connections(), site.gate.is_behind_proxy()));
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

/// The most browsers that can follow a page of this process at a time.
pub fn most_readers() -> usize {
    admitted_of(most_connections())
}

/// The most connections: half of the descriptors that the process may have are left to the games.
fn most_connections() -> usize {
    match rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
        Some(limit) => CONNECTIONS.min(usize::try_from(limit / 2).unwrap_or(CONNECTIONS)),
        None => CONNECTIONS,
    }
}
