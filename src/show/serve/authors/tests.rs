//! The routes of authors, by requests to a server.

use super::super::{
    ChallengeForm, Feed, Server, ServerAddress, ServerSetup, UploadLimits, is_same_secret,
};
use super::*;
use std::io::{Read, Seek};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::sync_channel;

const ADDRESS: &str = "0123456789012345678901234567890123456789";
/// What takes as long as the test wants.
const SLOW: &str = "9999999999999999999999999999999999999999";

/// Takes every upload but those called `bad`, and says what it had.
struct Taken;

impl Uploads for Taken {
    fn limits(&self) -> UploadLimits {
        UploadLimits { bytes: 300_000, time: Duration::from_secs(600) }
    }

    fn knows(&self, address: &str) -> bool {
        [ADDRESS, SLOW].iter().any(|known| is_same_secret(known, address))
    }

    fn page(&self, _: &str) -> io::Result<Option<String>> {
        Ok(Some("<html><body><h1>ann</h1></body></html>".to_owned()))
    }

    fn log(&self, _: &str, name: &str) -> Option<Vec<u8>> {
        (name == "ann~bob.1.pgn").then(|| b"[Event]".to_vec())
    }

    fn begin(&self, _: &str) -> Result<File, UploadRefusal> {
        Ok(tempfile::tempfile().unwrap())
    }

    fn take(
        &self,
        address: &str,
        mut upload: File,
        name: Option<&str>,
    ) -> Result<String, UploadRefusal> {
        assert_eq!(address, ADDRESS);
        let mut content = Vec::new();
        upload.rewind().unwrap();
        upload.read_to_end(&mut content).unwrap();
        let sum: u64 = content.iter().map(|byte| u64::from(*byte)).sum();
        match name {
            Some("bad") => {
                Err(UploadRefusal::new(RefusalKind::Unacceptable, "a<b>: a symbolic link"))
            }
            Some("often") => {
                let kind = RefusalKind::TooOften(Duration::from_secs(89));
                Err(UploadRefusal::new(kind, "twenty within an hour"))
            }
            name => Ok(format!("taken: {name:?}, {} bytes, sum {sum}", content.len())),
        }
    }

    fn take_back(&self, _: &str) -> Result<String, UploadRefusal> {
        Ok("version 3 plays again".to_owned())
    }

    fn challenge_form(&self, _: &str) -> Option<ChallengeForm> {
        let opponents = vec!["bob".to_owned()];
        Some(ChallengeForm { opponents, waiting: None, used_up: None })
    }

    fn challenge(&self, _: &str, opponent: &str) -> Result<String, UploadRefusal> {
        if opponent != "bob" {
            return Err(UploadRefusal::new(RefusalKind::Unacceptable, "no bot of this name"));
        }
        Ok("ann plays bob next".to_owned())
    }
}

/// A server with these authors, and its host.
fn served() -> (Server, SocketAddr) {
    let address = ServerAddress::listen("127.0.0.1:0").unwrap();
    let feed = Arc::new(Feed::new("page".to_owned(), "{}".to_owned()));
    let (pace, _) = sync_channel(1);
    let setup = ServerSetup {
        token: None,
        address,
        feed,
        policy: "default-src 'none'".to_owned(),
        games: None,
        seats: None,
        uploads: Some(Arc::new(Taken)),
        public: Some("https://bots.example.org/cup/".to_owned()),
        atom: PathBuf::new(),
        pace,
    };
    let server = Server::start(setup).unwrap();
    let host = server.url().strip_prefix("http://").unwrap().to_owned();
    let host = host.split_once('/').unwrap().0.parse().unwrap();
    (server, host)
}

/// The answer to a request with this first line, these headers and this body.
fn answer_to(host: SocketAddr, line: &str, headers: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    let length = body.len();
    let head = format!(
        "{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\
         {headers}\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_file_arrives_by_curl_and_by_the_form() {
    let (_server, host) = served();
    let content = vec![7; 290_000];
    let said = "290000 bytes, sum 2030000";
    let put = answer_to(host, &format!("PUT /a/{ADDRESS}/my%20bot.zip"), "", &content);
    assert!(put.starts_with("HTTP/1.1 201 "), "{put}");
    assert!(put.ends_with(&format!("\r\n\r\ntaken: Some(\"my bot.zip\"), {said}\n")), "{put}");
    let raw = answer_to(host, &format!("POST /a/{ADDRESS}"), "", &content);
    assert!(raw.ends_with(&format!("taken: None, {said}\n")), "{raw}");
    let mut form =
        b"--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.py\"\r\n\r\n".to_vec();
    form.extend_from_slice(&content);
    form.extend_from_slice(b"\r\n--B--\r\n");
    let browser = "Content-Type: multipart/form-data; boundary=B\r\nAccept: text/html,*/*\r\n\
        Origin: null\r\nSec-Fetch-Site: same-origin\r\n";
    let sent = answer_to(host, &format!("POST /a/{ADDRESS}/"), browser, &form);
    assert!(sent.starts_with("HTTP/1.1 201 ") && sent.contains("text/html"), "{sent}");
    assert!(sent.contains(&format!("taken: Some(&quot;x.py&quot;), {said}</p>")), "{sent}");
    assert!(sent.contains(&format!("<a href=\"../{ADDRESS}\">")), "{sent}");
    let back = answer_to(host, &format!("POST /a/{ADDRESS}/back"), "", b"");
    assert!(back.starts_with("HTTP/1.1 200 ") && back.ends_with("version 3 plays again\n"));
    let asked = answer_to(host, &format!("POST /a/{ADDRESS}/challenge"), "", b"opponent=bob");
    assert!(asked.starts_with("HTTP/1.1 202 ") && asked.ends_with("ann plays bob next\n"));
}

#[test]
fn the_page_of_an_author_has_a_form_and_no_script() {
    let (server, host) = served();
    assert_eq!(server.author_url("f00"), "https://bots.example.org/cup/a/f00");
    let page = answer_to(host, &format!("GET /a/{ADDRESS}"), "", b"");
    assert!(page.contains(&format!("action=\"{ADDRESS}/\"")), "{page}");
    assert!(page.find("<form").unwrap() < page.find("<h1>ann").unwrap(), "{page}");
    assert!(page.contains("<option>bob</option>"), "{page}");
    for header in [
        "content-security-policy: default-src 'none'; style-src 'unsafe-inline'; form-action",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
    ] {
        assert!(page.to_lowercase().contains(header), "{header}: {page}");
    }
    let moved = answer_to(host, &format!("GET /a/{ADDRESS}/"), "", b"");
    assert!(moved.contains(&format!("location: ../{ADDRESS}\r\n")), "{moved}");
    let log = answer_to(host, &format!("GET /a/{ADDRESS}/ann~bob.1.pgn"), "", b"");
    assert!(log.ends_with("[Event]"), "{log}");
}

#[test]
fn what_is_refused_says_why_and_what_is_unknown_says_nothing() {
    let (_server, host) = served();
    let large = vec![0; 300_001];
    let html = "Accept: text/html\r\n";
    for (line, headers, body, status, said) in [
        ("PUT /a/ADDRESS/bad", "", &b"x"[..], "422", "a<b>: a symbolic link\n"),
        ("PUT /a/ADDRESS/bad", html, b"x", "422", ">a&lt;b&gt;: a symbolic link</p>"),
        ("PUT /a/ADDRESS/often", "", b"x", "429", "retry-after: 90\r\n"),
        ("PUT /a/ADDRESS/x", "", &large, "413", "the upload is larger than 300000B"),
        ("PUT /a/ADDRESS/%ff", "", b"x", "422", "not UTF-8"),
        (
            "POST /a/ADDRESS",
            "Content-Type: multipart/form-data; boundary=B\r\n",
            b"x",
            "422",
            "no file",
        ),
        ("POST /a/ADDRESS/challenge", "", b"opponent=carl", "422", "no bot of this name"),
        ("POST /a/ADDRESS/challenge", "", b"", "422", "name one bot"),
        ("GET /a/ADDRESS/challenge", "", b"", "404", ""),
        ("DELETE /a/ADDRESS", "", b"", "404", ""),
        ("GET /a/ADDRESS/x.pgn", "", b"", "404", ""),
        ("GET /a/ADDRESS/back", "", b"", "404", ""),
        ("POST /a/ADDRESS/bot.py", "", b"x", "404", ""),
        ("PUT /a/0123/bot.py", "", b"x", "404", ""),
        ("PUT /a/ADDRESS0/bot.py", "", b"x", "404", ""),
        ("GET /a/", "", b"", "404", ""),
        ("PUT /a/ADDRESS/x", "Origin: https://evil.example\r\n", b"x", "404", ""),
        ("PUT /a/ADDRESS/x", "Host: evil.example\r\n", b"x", "404", ""),
        ("POST /a/ADDRESS/back", "Origin: null\r\nSec-Fetch-Site: cross-site\r\n", b"", "404", ""),
        (
            "POST /a/ADDRESS/challenge",
            "Origin: null\r\nSec-Fetch-Site: cross-site\r\n",
            b"opponent=bob",
            "404",
            "",
        ),
    ] {
        let got = answer_to(host, &line.replace("ADDRESS", ADDRESS), headers, body);
        assert!(got.starts_with(&format!("HTTP/1.1 {status} ")), "{line}: {got}");
        assert!(got.contains(said), "{line}: {got}");
        assert!(status != "404" || got.ends_with("\r\n\r\n"), "{line}: {got}");
    }
}

#[test]
fn an_author_who_sends_slowly_keeps_nobody_else_waiting() {
    let (_server, host) = served();
    let mut slow = Vec::new();
    for _ in 0..BODIES_OF_AUTHOR {
        let mut stream = TcpStream::connect(host).unwrap();
        let head = format!(
            "PUT /a/{SLOW}/x HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\
            Expect: 100-continue\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut asked = [0; 12];
        stream.read_exact(&mut asked).unwrap(); // the body is waited for
        assert_eq!(&asked, b"HTTP/1.1 100");
        slow.push(stream);
    }
    let third = answer_to(host, &format!("PUT /a/{SLOW}/x"), "", b"x");
    assert!(third.starts_with("HTTP/1.1 503 ") && third.contains("retry-after"), "{third}");
    let other = answer_to(host, &format!("PUT /a/{ADDRESS}/x"), "", b"x");
    assert!(other.starts_with("HTTP/1.1 201 "), "{other}");
}
