//! What authors get and send: their page with a form, and uploads, behind an address that is a
//! secret of their own.
//!
//! ```text
//! GET  a/ADDRESS          the page         PUT  a/ADDRESS/bot.zip   curl -T bot.zip …/a/ADDRESS/
//! GET  a/ADDRESS/x.pgn    a log of it      POST a/ADDRESS           a form, or the bytes alone
//!                                          POST a/ADDRESS/back      takes the newest one back
//!                                          POST a/ADDRESS/challenge plays a chosen opponent next
//! ```
//!
//! A body goes into a file while it arrives. Only so many arrive at a time, and few of one author:
//! a slow sender keeps nobody else waiting.

use super::challenge::{challenge_part, opponent_in};
use super::form::FormFile;
use super::site::{SiteBody, body_of, of_status, redirection, whole};
use super::uploads::{RefusalKind, UploadRefusal, Uploads};
use arbiter_cup::report::escape::xml;
use arbiter_game::clock::duration_text;
use arbiter_game::settings::size_text;
use http_body_util::{BodyExt, Limited};
use hyper::body::{Body, Incoming};
use hyper::header::{
    ACCEPT, CONTENT_ENCODING, CONTENT_RANGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, EXPECT,
    HeaderValue, RETRY_AFTER,
};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

/// The most bodies that arrive at a time, and those of one author.
const BODIES: usize = 16;
const BODIES_OF_AUTHOR: usize = 2;
/// After this long there is probably a place for another body.
const PAUSE: Duration = Duration::from_secs(5);
/// Bytes that are kept until they are written.
const BUFFER: usize = 256 << 10;
/// A sender that gets its answer before it has sent everything may not read it: so this much of
/// what it still sends is read, and for this long.
const DISCARDED: usize = 64 << 20;
const DISCARD_TIME: Duration = Duration::from_secs(10);

/// The policy of what an author gets: a page without a script, with a form.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'",
);
/// What is above the sentence of an answer for a browser.
const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta name=\"robots\" content=\"noindex, nofollow\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
    <title>Handing in</title>\n\
    <style>:root { color-scheme: light dark } \
    body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; \
    padding: 0 1rem; overflow-wrap: anywhere }</style>\n</head>\n<body>\n";
const FOOT: &str = "</body>\n</html>\n";

/// Authors, and which of them are sending something.
pub(super) struct Authors {
    uploads: Arc<dyn Uploads>,
    /// The number of bodies of each author that are arriving.
    arriving: Mutex<HashMap<String, usize>>,
}

/// The request of an author.
#[derive(Debug, Clone, Copy)]
pub(super) struct AuthorRequest<'a> {
    pub address: &'a str,
    /// The path behind the address, with its first slash; or nothing.
    pub path: &'a str,
}

/// The place of an upload, until it is taken or refused.
struct BodyPlace<'a> {
    authors: &'a Authors,
    address: &'a str,
}

impl Authors {
    pub fn new(uploads: Arc<dyn Uploads>) -> Authors {
        Authors { uploads, arriving: Mutex::default() }
    }

    pub fn knows(&self, address: &str) -> bool {
        self.uploads.knows(address)
    }

    /// Serves what an author asks for; `None` if there is nothing.
    pub async fn serve(
        &self,
        head: &Parts,
        request: AuthorRequest<'_>,
        body: Incoming,
    ) -> Option<Response<SiteBody>> {
        let AuthorRequest { address, path } = request;
        let mut response = match (&head.method, path) {
            (&Method::GET | &Method::HEAD, "") => self.page(address).await,
            // Its links and forms are relative.
            (&Method::GET | &Method::HEAD, "/") => redirection(format!("../{address}"))?,
            (&Method::GET | &Method::HEAD, path) => {
                self.log(address, path.strip_prefix('/')?).await?
            }
            (&Method::POST, "/back") => {
                let uploads = Arc::clone(&self.uploads);
                let author = address.to_owned();
                let back = beside(move || uploads.take_back(&author)).await;
                answer(head, request, back, StatusCode::OK)
            }
            (&Method::POST, "/challenge") => {
                let asked = self.challenge(address, body).await;
                answer(head, request, asked, StatusCode::ACCEPTED)
            }
            (&Method::POST, "" | "/") => {
                let taken = self.take(head, address, None, body).await;
                answer(head, request, taken, StatusCode::CREATED)
            }
            (&Method::PUT, path) => {
                let name = path.strip_prefix('/').unwrap_or_default();
                let taken = match decoded(name) {
                    Some(name) => {
                        let name = Some(name).filter(|name| !name.is_empty());
                        self.take(head, address, name, body).await
                    }
                    None => {
                        let why = "the name of the file in the address is not UTF-8; rename it";
                        Err(UploadRefusal::new(RefusalKind::Unacceptable, why))
                    }
                };
                answer(head, request, taken, StatusCode::CREATED)
            }
            _ => return None,
        };
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, POLICY);
        Some(response)
    }

    /// The page of an author with a form above it.
    async fn page(&self, address: &str) -> Response<SiteBody> {
        let uploads = Arc::clone(&self.uploads);
        let author = address.to_owned();
        let read = spawn_blocking(move || {
            let form = uploads.challenge_form(&author);
            Ok((uploads.page(&author)?, form))
        });
        let (page, challenge) = match read.await.map_err(io::Error::other).flatten() {
            Ok(read) => read,
            Err(error) => {
                tracing::error!("the page of an author: {error}");
                return of_status(StatusCode::INTERNAL_SERVER_ERROR);
            }
        };
        let page = page
            .unwrap_or_else(|| format!("{HEAD}<p>Nothing is known of this bot yet.</p>\n{FOOT}"));
        let mut forms = upload_form(address, self.uploads.limits().bytes);
        if let Some(challenge) = challenge {
            forms += &challenge_part(address, &challenge);
        }
        // A page without a body has no such tag, and begins with it.
        let (before, after) = match page.find("<body>") {
            Some(at) => page.split_at(at + "<body>".len()),
            None => ("", &*page),
        };
        whole("text/html; charset=utf-8", format!("{before}\n{forms}{after}"))
    }

    /// Asks for a pair of games against the opponent that the body names.
    async fn challenge(&self, address: &str, body: Incoming) -> Result<String, UploadRefusal> {
        let opponent = body_of(body).await.and_then(|body| opponent_in(&body));
        let Some(opponent) = opponent else {
            return Err(unacceptable("name one bot, as in `curl -d opponent=NAME`".to_owned()));
        };
        let uploads = Arc::clone(&self.uploads);
        let author = address.to_owned();
        beside(move || uploads.challenge(&author, &opponent)).await
    }

    /// The log of this name.
    async fn log(&self, address: &str, name: &str) -> Option<Response<SiteBody>> {
        let uploads = Arc::clone(&self.uploads);
        let author = address.to_owned();
        let name = decoded(name)?;
        let log = spawn_blocking(move || uploads.log(&author, &name)).await.ok()??;
        Some(whole("text/plain; charset=utf-8", log))
    }

    /// Takes an upload, from the first byte of its body to its place among the submissions.
    async fn take(
        &self,
        head: &Parts,
        address: &str,
        name: Option<String>,
        mut body: Incoming,
    ) -> Result<String, UploadRefusal> {
        let arrived = match self.place(address) {
            Ok(place) => {
                let arrived = self.receive(head, address, name, &mut body).await;
                arrived.map(|arrived| (arrived, place))
            }
            Err(refusal) => Err(refusal),
        };
        // The place is kept until the upload is taken.
        let ((upload, file_name), _place) = match arrived {
            Ok(arrived) => arrived,
            Err(refusal) => {
                // With this header a sender waits for the answer before it sends.
                if refusal.kind != RefusalKind::TooSlow && !head.headers.contains_key(EXPECT) {
                    discard(body).await;
                }
                return Err(refusal);
            }
        };
        let uploads = Arc::clone(&self.uploads);
        let author = address.to_owned();
        beside(move || uploads.take(&author, upload, file_name.as_deref())).await
    }

    /// Receives the body of an upload into a file. Returns it with its name.
    async fn receive(
        &self,
        head: &Parts,
        address: &str,
        name: Option<String>,
        body: &mut Incoming,
    ) -> Result<(File, Option<String>), UploadRefusal> {
        let limits = self.uploads.limits();
        let deadline = Instant::now() + limits.time;
        for header in [CONTENT_RANGE, CONTENT_ENCODING] {
            if head.headers.contains_key(&header) {
                let why = format!("send the whole file as it is, without the header {header}");
                return Err(unacceptable(why));
            }
        }
        if body.size_hint().lower() > limits.bytes {
            return Err(too_large(limits.bytes));
        }
        let uploads = Arc::clone(&self.uploads);
        let author = address.to_owned();
        let mut file = beside(move || uploads.begin(&author)).await?;
        let kind = head.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let mut form = match head.method {
            Method::POST => kind.and_then(FormFile::of),
            _ => None,
        };
        let mut received: u64 = 0;
        let mut buffer = Vec::new();
        loop {
            let Ok(frame) = timeout_at(deadline, body.frame()).await else {
                let most = duration_text(limits.time);
                let why = format!("the upload did not arrive within {most}; send it again");
                return Err(UploadRefusal::new(RefusalKind::TooSlow, why));
            };
            let frame = match frame {
                None => break,
                Some(Ok(frame)) => frame,
                Some(Err(_)) => {
                    let why = "the upload broke off; send it again"; // probably nobody reads it
                    return Err(UploadRefusal::new(RefusalKind::Unacceptable, why));
                }
            };
            let Ok(bytes) = frame.into_data() else { continue };
            received += bytes.len() as u64;
            if received > limits.bytes {
                return Err(too_large(limits.bytes));
            }
            match &mut form {
                Some(form) => form.take(&bytes, &mut buffer).map_err(unacceptable)?,
                None => buffer.extend_from_slice(&bytes),
            }
            if buffer.len() >= BUFFER {
                (file, buffer) = beside(move || written(file, buffer)).await?;
            }
        }
        let (file, _) = beside(move || written(file, buffer)).await?;
        let name = match form {
            Some(form) => Some(form.finish().map_err(unacceptable)?),
            None => name,
        };
        Ok((file, name))
    }

    /// A place for an upload of this author.
    fn place<'a>(&'a self, address: &'a str) -> Result<BodyPlace<'a>, UploadRefusal> {
        let mut arriving = self.arriving();
        if arriving.get(address).is_some_and(|own| *own >= BODIES_OF_AUTHOR) {
            let why = "other uploads of yours are still arriving; wait for them";
            return Err(UploadRefusal::new(RefusalKind::Busy(PAUSE), why));
        }
        if arriving.values().sum::<usize>() >= BODIES {
            let why = "too many uploads are arriving; send it again in some seconds";
            return Err(UploadRefusal::new(RefusalKind::Busy(PAUSE), why));
        }
        *arriving.entry(address.to_owned()).or_default() += 1;
        Ok(BodyPlace { authors: self, address })
    }

    fn arriving(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.arriving.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for BodyPlace<'_> {
    fn drop(&mut self) {
        let mut arriving = self.authors.arriving();
        if let Some(own) = arriving.get_mut(self.address) {
            *own -= 1;
        }
        arriving.retain(|_, own| *own > 0);
    }
}

/// Does what waits for files on a thread beside the event loop.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, UploadRefusal> + Send + 'static,
) -> Result<T, UploadRefusal> {
    let done = spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(UploadRefusal::new(RefusalKind::Failed, error.to_string())))
}

/// Writes these bytes, and clears them.
fn written(mut file: File, mut buffer: Vec<u8>) -> Result<(File, Vec<u8>), UploadRefusal> {
    match file.write_all(&buffer) {
        Ok(()) => {
            buffer.clear();
            Ok((file, buffer))
        }
        Err(error) => {
            tracing::error!("an upload cannot be written: {error}");
            let why = "the server cannot keep the upload now; tell the organiser";
            Err(UploadRefusal::new(RefusalKind::Failed, why))
        }
    }
}

/// Reads what a refused sender still sends.
async fn discard(body: Incoming) {
    let mut body = Limited::new(body, DISCARDED);
    let deadline = Instant::now() + DISCARD_TIME;
    while let Ok(Some(Ok(_))) = timeout_at(deadline, body.frame()).await {}
}

fn unacceptable(why: String) -> UploadRefusal {
    UploadRefusal::new(RefusalKind::Unacceptable, why)
}

fn too_large(most: u64) -> UploadRefusal {
    let most = size_text(most);
    let why = format!("the upload is larger than {most}; leave out what the bot does not need");
    UploadRefusal::new(RefusalKind::TooLarge, why)
}

/// The answer to an author: a sentence, for a browser with a way back to the page.
fn answer(
    head: &Parts,
    request: AuthorRequest<'_>,
    done: Result<String, UploadRefusal>,
    good: StatusCode,
) -> Response<SiteBody> {
    let mut wait = None;
    let (status, sentence) = match done {
        Ok(sentence) => (good, sentence),
        Err(UploadRefusal { kind, why }) => {
            let status = match kind {
                RefusalKind::Unacceptable => StatusCode::UNPROCESSABLE_ENTITY,
                RefusalKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
                RefusalKind::TooSlow => StatusCode::REQUEST_TIMEOUT,
                RefusalKind::TooOften(time) => {
                    wait = Some(time);
                    StatusCode::TOO_MANY_REQUESTS
                }
                RefusalKind::Busy(time) => {
                    wait = Some(time);
                    StatusCode::SERVICE_UNAVAILABLE
                }
                RefusalKind::Impossible => StatusCode::CONFLICT,
                RefusalKind::Failed => StatusCode::INTERNAL_SERVER_ERROR,
            };
            (status, why)
        }
    };
    let mut accepted = head.headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut response = if accepted.any(|kinds| kinds.contains("text/html")) {
        let text = xml(&sentence);
        let up = if request.path.is_empty() { "" } else { "../" };
        let link = format!("<a href=\"{up}{}\">Back to the page of the bot</a>", request.address);
        let page = format!("{HEAD}<p role=\"status\">{text}</p>\n<p>{link}</p>\n{FOOT}");
        whole("text/html; charset=utf-8", page)
    } else {
        whole("text/plain; charset=utf-8", sentence + "\n")
    };
    *response.status_mut() = status;
    if let Some(wait) = wait {
        let seconds = wait.as_secs() + 1; // not before it is over
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

/// The form above the page of an author. Its paths are relative to that of the page.
fn upload_form(address: &str, most: u64) -> String {
    let most = size_text(most);
    format!(
        "<form method=\"post\" action=\"{address}/\" enctype=\"multipart/form-data\">\n\
         <p><label for=\"file\">Hand in a new version: a .zip, .tar or .tar.gz with the folder of \
         the bot, or its only file; at most {most}. It replaces all files of the version \
         before.</label></p>\n\
         <p><input type=\"file\" id=\"file\" name=\"file\" required> <button>Hand in</button></p>\n\
         </form>\n\
         <details><summary>Take the newest version back</summary>\n\
         <form method=\"post\" action=\"{address}/back\">\n\
         <p>The version before plays again. <button>Take back</button></p>\n\
         </form></details>\n"
    )
}

/// A part of a path without `%XX`; `None` if it is not UTF-8 then.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if let Some(byte) = escaped_byte(rest) {
            bytes.push(byte);
            rest = &rest[3..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

/// The byte of a `%XX` that a text begins with.
fn escaped_byte(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = *text else { return None };
    let high = char::from(high).to_digit(16)?;
    let low = char::from(low).to_digit(16)?;
    u8::try_from(high * 16 + low).ok()
}

#[cfg(test)]
mod tests;
