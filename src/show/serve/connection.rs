//! One connection: a reader or writer that takes too long is gone.

use super::places::Place;
use super::site::Site;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Sleep, sleep};

/// The most time for the head of a request, from the beginning of the connection or the end of the
/// last answer.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The most bytes of a request's head.
const HEAD_BYTES: usize = 16 << 10;
/// The most lines of a request's head.
const HEAD_LINES: usize = 64;
/// A browser that takes nothing for this long is gone.
const STALL: Duration = Duration::from_secs(60);

/// Answers the requests of a connection, until it is closed or the server ends.
pub(super) async fn answer_all(
    stream: TcpStream,
    place: Place,
    site: Arc<Site>,
    mut ends: watch::Receiver<bool>,
) {
    let Ok(local) = stream.local_addr() else { return };
    let _ = stream.set_nodelay(true); // without it updates come later
    let place = Arc::new(place);
    let service = service_fn(move |request: Request<Incoming>| {
        let site = Arc::clone(&site);
        let place = Arc::clone(&place);
        async move { Ok::<_, Infallible>(site.answer(request, local, &place).await) }
    });
    let io = TokioIo::new(ImpatientStream { stream, stalled: None });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEAD_LINES)
        .serve_connection(io, service);
    let mut connection = pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return, // an error is the browser's: it is gone or sends no HTTP
        _ = ends.wait_for(|ends| *ends) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// A stream whose writing fails if the other end takes nothing for a while.
struct ImpatientStream {
    stream: TcpStream,
    /// The end of the other end's time, while writing waits for it.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl ImpatientStream {
    /// The result of an attempt to write, unless it waits for too long.
    fn within_time<T>(
        &mut self,
        context: &mut Context<'_>,
        attempt: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if attempt.is_ready() {
            self.stalled = None;
            return attempt;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALL)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for ImpatientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for ImpatientStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.within_time(context, attempt)
    }

    // Without it a text that goes to all browsers would be copied for each of them.
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        texts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write_vectored(context, texts);
        self.within_time(context, attempt)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let attempt = Pin::new(&mut self.stream).poll_flush(context);
        self.within_time(context, attempt)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let attempt = Pin::new(&mut self.stream).poll_shutdown(context);
        self.within_time(context, attempt)
    }
}
