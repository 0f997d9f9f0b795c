//! Which requests are answered: those that know the token, and come to the address that is served,
//! not to another name that leads to it.

use super::places::Client;
use super::token::Token;
use hyper::Method;
use hyper::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::http::request::Parts;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};

/// Decides which requests are answered.
#[derive(Debug)]
pub(super) struct Gate {
    token: Token,
    /// Those of the persons at the seats of a game.
    seats: Vec<Token>,
    /// A token that leads to the page once.
    once: Mutex<Option<Token>>,
    /// The host that the user asked to serve on, with the port that is served.
    asked: String,
    /// What browsers see if the server is behind a proxy.
    public: Option<PublicUrl>,
}

/// The URL of the server for browsers, behind a proxy.
#[derive(Debug)]
struct PublicUrl {
    /// As `Origin` has it: without a path.
    origin: String,
    /// As `Host` has it.
    host: String,
    /// The path without its first slash; empty, or it ends with a slash.
    prefix: String,
}

impl PublicUrl {
    /// Reads `https://HOST/` or `https://HOST/PATH/`.
    fn parse(url: &str) -> Option<PublicUrl> {
        let (scheme, rest) = url.split_once("://")?;
        let (host, prefix) = rest.split_once('/')?;
        // A browser leaves out the usual port.
        let usual = if scheme == "https" { ":443" } else { ":80" };
        let host = host.strip_suffix(usual).unwrap_or(host).to_ascii_lowercase();
        let origin = format!("{scheme}://{host}");
        Some(PublicUrl { origin, host, prefix: prefix.to_owned() })
    }

    /// The path behind the prefix, which a proxy may have left out.
    fn path<'a>(&self, path: &'a str) -> &'a str {
        path.strip_prefix(&self.prefix).unwrap_or(path)
    }
}

/// What a request asks for that has shown a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AdmittedPath<'a> {
    /// The path behind the token.
    pub path: &'a str,
    /// The seat of the person whose token it is.
    pub seat: Option<usize>,
}

/// Where a request comes from, as its `Origin` says; from elsewhere none is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestOrigin {
    /// A page of this server, or no page.
    Own,
    /// The browser does not say.
    Hidden,
}

impl Gate {
    /// Lets requests pass that know the token and name the address of their connection, or the host
    /// that the user named, with this port.
    pub fn new(token: Token, asked: &str, port: u16) -> Gate {
        let asked = format!("{asked}:{port}");
        Gate { token, seats: Vec::new(), once: Mutex::new(None), asked, public: None }
    }

    /// Also lets requests pass that know a token of these seats.
    pub fn with_seats(self, seats: Vec<Token>) -> Gate {
        Gate { seats, ..self }
    }

    /// Also lets requests pass that a proxy at this URL passes on; `None` if it is no URL.
    pub fn behind(self, url: &str) -> Option<Gate> {
        Some(Gate { public: Some(PublicUrl::parse(url)?), ..self })
    }

    /// The URL of the page.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.asked, self.token)
    }

    /// The URLs of the page for the persons at the seats.
    pub fn seat_urls(&self) -> Vec<String> {
        self.seats.iter().map(|seat| format!("http://{}/{seat}/", self.asked)).collect()
    }

    /// The URL of the page of the author at this address, for browsers.
    pub fn author_url(&self, address: &str) -> String {
        match &self.public {
            Some(PublicUrl { origin, prefix, .. }) => format!("{origin}/{prefix}a/{address}"),
            None => format!("http://{}/a/{address}", self.asked),
        }
    }

    /// A URL that leads to the page once. Other accounts can read the arguments of a command, so a
    /// browser is started with this one: if another account is faster, the user's browser shows
    /// nothing, and so it is noticed.
    pub fn url_for_once(&self, token: Token) -> String {
        let url = format!("http://{}/{token}/", self.asked);
        *self.once.lock().unwrap_or_else(PoisonError::into_inner) = Some(token);
        url
    }

    /// The path of the page, if this is the path of the URL that leads to it once.
    pub fn led_once(&self, head: &Parts, local: SocketAddr) -> Option<String> {
        if head.method != Method::GET {
            return None;
        }
        let path = self.own_path(head, local)?.strip_suffix('/')?;
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        once.take_if(|token| token.is(path))?;
        Some(format!("/{}/", self.token))
    }

    /// What a request asks for: its path behind the token, as it was sent, and the seat whose token
    /// it is. `None` if the request is refused. `local` is the address of this end of its
    /// connection.
    pub fn admitted<'a>(&self, head: &'a Parts, local: SocketAddr) -> Option<AdmittedPath<'a>> {
        let (token, path) = self.own_path(head, local)?.split_once('/')?;
        let mut seat = None;
        // All are compared, so how long it takes tells nothing.
        for (number, known) in self.seats.iter().enumerate() {
            if known.is(token) {
                seat = Some(number);
            }
        }
        (self.token.is(token) || seat.is_some()).then_some(AdmittedPath { path, seat })
    }

    /// What the request of an author asks for: their address, and the path behind it with its first
    /// slash. Whether it is an address is not known yet.
    ///
    /// A form on a page without a referrer hides its origin. That is right here: another site does
    /// not know the address, and who knows it may hand in. Browsers that say where a form was are
    /// taken at their word.
    pub fn author<'a>(&self, head: &'a Parts, local: SocketAddr) -> Option<(&'a str, &'a str)> {
        let (path, origin) = self.addressed(head, local)?;
        if origin == RequestOrigin::Hidden {
            match header(&head.headers, HeaderName::from_static("sec-fetch-site")) {
                Header::Missing | Header::Once("same-origin") => {}
                Header::Once(_) | Header::Unusable => return None,
            }
        }
        let path = path.strip_prefix("a/")?;
        Some(path.split_at(path.find('/').unwrap_or(path.len())))
    }

    /// Whether it is behind a proxy.
    pub fn is_behind_proxy(&self) -> bool {
        self.public.is_some()
    }

    /// The client that a request from this address counts for. A proxy appends the address of its own
    /// client; everything before that can be forged.
    pub fn client(&self, head: &Parts, peer: IpAddr) -> Client {
        let Header::Once(host) = header(&head.headers, HOST) else { return Client::Address(peer) };
        if self.public_at(host).is_none() {
            return Client::Address(peer);
        }
        let forwarded = head.headers.get_all("x-forwarded-for").iter().next_back();
        let forwarded = forwarded.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let last = forwarded.rsplit(',').next().unwrap_or_default().trim();
        // Some proxies add the port.
        let with_port = last.parse::<SocketAddr>().map(|address| address.ip());
        match last.parse().or(with_port) {
            Ok(address) => Client::Address(address),
            Err(_) => Client::Proxy,
        }
    }

    /// The URL behind a proxy, if this is its host.
    fn public_at(&self, host: &str) -> Option<&PublicUrl> {
        self.public.as_ref().filter(|public| public.host.eq_ignore_ascii_case(host))
    }

    /// The path of a request that does not hide its origin.
    fn own_path<'a>(&self, head: &'a Parts, local: SocketAddr) -> Option<&'a str> {
        match self.addressed(head, local)? {
            (path, RequestOrigin::Own) => Some(path),
            (_, RequestOrigin::Hidden) => None,
        }
    }

    /// The path of a request to the address that is served, without its first slash.
    ///
    /// A page of another site can make a browser send requests here. If the site has its own name
    /// lead to this address, `Host` has that name; else `Origin` has it, where the browser sends
    /// one.
    fn addressed<'a>(
        &self,
        head: &'a Parts,
        local: SocketAddr,
    ) -> Option<(&'a str, RequestOrigin)> {
        let Header::Once(host) = header(&head.headers, HOST) else { return None };
        let public = self.public_at(host);
        if public.is_none() && !self.is_served(host, local) {
            return None;
        }
        let origin = match header(&head.headers, ORIGIN) {
            // A browser leaves it out of requests for a page itself.
            Header::Missing => RequestOrigin::Own,
            Header::Once("null") => RequestOrigin::Hidden,
            Header::Once(origin) => {
                let is_own = match public {
                    Some(public) => public.origin == origin,
                    None => origin.strip_prefix("http://") == Some(host),
                };
                if !is_own {
                    return None;
                }
                RequestOrigin::Own
            }
            Header::Unusable => return None,
        };
        // A whole URL instead of a path is for a proxy.
        let path = if head.uri.authority().is_none() { head.uri.path() } else { "" };
        let path = path.strip_prefix('/')?;
        Some((public.map_or(path, |public| public.path(path)), origin))
    }

    /// Whether this is the address that is served, as `Host` names it.
    fn is_served(&self, host: &str, local: SocketAddr) -> bool {
        let port = local.port();
        // A browser leaves out the usual port.
        let full = if port == 80 && !host.ends_with(":80") {
            format!("{host}:80")
        } else {
            host.to_owned()
        };
        let loopback =
            [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
        let is_loopback = local.ip().to_canonical().is_loopback() && loopback.contains(&full);
        let own = SocketAddr::new(local.ip().to_canonical(), port).to_string();
        is_loopback || full == own || full.eq_ignore_ascii_case(&self.asked)
    }
}

/// A header of a request.
enum Header<'a> {
    Missing,
    Once(&'a str),
    /// It occurs several times, or is not text.
    Unusable,
}

fn header(headers: &HeaderMap, name: HeaderName) -> Header<'_> {
    let mut values = headers.get_all(name).iter();
    let Some(first) = values.next() else { return Header::Missing };
    match (first.to_str(), values.next()) {
        (Ok(first), None) => Header::Once(first),
        _ => Header::Unusable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    /// What the request of an author asks for, at a gate behind this URL.
    fn author(public: &str, path: &str, headers: &[(&str, &str)]) -> Option<String> {
        let gate = Gate::new(Token::random().unwrap(), "127.0.0.1", 81).behind(public).unwrap();
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        let (address, rest) = gate.author(&head, "127.0.0.1:81".parse().unwrap())?;
        Some(format!("{address} {rest}"))
    }

    #[test]
    fn authors_come_through_a_proxy_with_its_prefix_or_without() {
        let at = |path: &str, headers: &[(&str, &str)]| {
            author("https://Bots.example.org:443/cup/", path, headers)
        };
        let host = ("host", "bots.example.org");
        for (path, asked) in [
            ("/cup/a/f00", Some("f00 ")),
            ("/a/f00", Some("f00 ")),
            ("/a/f00/", Some("f00 /")),
            ("/a/f00/bot.zip", Some("f00 /bot.zip")),
            ("/cup/f00", None),
            ("/a", None),
        ] {
            assert_eq!(at(path, &[host]).as_deref(), asked, "{path}");
        }
        for (headers, is_answered) in [
            (&[host, ("origin", "https://bots.example.org")][..], true),
            (&[host, ("origin", "null")], true),
            (&[host, ("origin", "null"), ("sec-fetch-site", "same-origin")], true),
            (&[("host", "127.0.0.1:81")], true),
            (&[("host", "127.0.0.1:81"), ("origin", "http://127.0.0.1:81")], true),
            (&[host, ("origin", "http://bots.example.org")], false),
            (&[host, ("origin", "https://evil.example")], false),
            (&[host, ("origin", "null"), ("sec-fetch-site", "cross-site")], false),
            (&[host, ("origin", "null"), ("sec-fetch-site", "same-site")], false),
            (&[("host", "evil.example")], false),
            (&[("host", "127.0.0.1:81"), ("origin", "https://bots.example.org")], false),
            (&[], false),
        ] {
            assert_eq!(at("/a/f00", headers).is_some(), is_answered, "{headers:?}");
        }
        let gate = Gate::new(Token::random().unwrap(), "127.0.0.1", 81);
        assert_eq!(gate.author_url("f00"), "http://127.0.0.1:81/a/f00");
        let gate = gate.behind("https://bots.example.org/cup/").unwrap();
        assert_eq!(gate.author_url("f00"), "https://bots.example.org/cup/a/f00");
    }

    #[test]
    fn a_proxy_says_whose_a_request_is() {
        let gate = Gate::new(Token::random().unwrap(), "127.0.0.1", 81);
        let gate = gate.behind("https://bots.example.org/").unwrap();
        let own: IpAddr = "127.0.0.1".parse().unwrap();
        for (host, forwarded, client) in [
            ("bots.example.org", &["203.0.113.5"][..], Some("203.0.113.5")),
            ("Bots.example.org", &["1.2.3.4, 203.0.113.5"], Some("203.0.113.5")),
            ("bots.example.org", &["1.2.3.4", "2001:db8::5"], Some("2001:db8::5")),
            ("bots.example.org", &["203.0.113.5:4001"], Some("203.0.113.5")),
            ("bots.example.org", &["[2001:db8::5]:4001"], Some("2001:db8::5")),
            ("bots.example.org", &[], None),
            ("bots.example.org", &["1.2.3.4, somebody"], None),
            ("127.0.0.1:81", &["1.2.3.4"], Some("127.0.0.1")),
        ] {
            let mut request = Request::builder().uri("/").header("host", host);
            for value in forwarded {
                request = request.header("x-forwarded-for", *value);
            }
            let (head, ()) = request.body(()).unwrap().into_parts();
            let expected = match client {
                Some(address) => Client::Address(address.parse().unwrap()),
                None => Client::Proxy,
            };
            assert_eq!(gate.client(&head, own), expected, "{host} {forwarded:?}");
        }
    }

    /// Whether a request of this path and these headers passes a gate of `asked` at the address
    /// `local`.
    fn admits(asked: &str, local: &str, path: &str, headers: &[(&str, &str)]) -> Option<String> {
        let token = Token::random().unwrap();
        let local: SocketAddr = local.parse().unwrap();
        let gate = Gate::new(token.clone(), asked, local.port());
        let mut request = Request::builder().uri(path.replace("TOKEN", &token.to_string()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        Some(gate.admitted(&head, local)?.path.to_owned())
    }

    #[test]
    fn requests_know_the_token_and_the_address() {
        let at = |path: &str, headers: &[(&str, &str)]| {
            admits("127.0.0.1", "127.0.0.1:81", path, headers)
        };
        let own = [("host", "127.0.0.1:81")];
        assert_eq!(at("/TOKEN/", &own).as_deref(), Some(""));
        assert_eq!(at("/TOKEN/events?from=1", &own).as_deref(), Some("events"));
        assert_eq!(
            at("/TOKEN/../x%2e", &own).as_deref(),
            Some("../x%2e"),
            "a path is not resolved"
        );
        for path in [
            "/",
            "/TOKEN",
            "//TOKEN/",
            "/x/",
            "/x/TOKEN/",
            "/../TOKEN/",
            "http://127.0.0.1:81/TOKEN/",
        ] {
            assert_eq!(at(path, &own), None, "{path}");
        }
        for host in ["localhost:81", "[::1]:81"] {
            assert!(at("/TOKEN/", &[("host", host)]).is_some(), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:82",
            "evil.example:81",
            "127.0.0.1:81.evil.example",
            "10.0.0.1:81",
        ] {
            assert!(at("/TOKEN/", &[("host", host)]).is_none(), "{host}");
        }
        assert!(at("/TOKEN/", &[]).is_none());
        assert!(at("/TOKEN/", &[own[0], own[0]]).is_none());
    }

    #[test]
    fn one_url_leads_to_the_page_once() {
        let local: SocketAddr = "127.0.0.1:81".parse().unwrap();
        let gate = Gate::new(Token::random().unwrap(), "127.0.0.1", 81);
        let led = |url: &str| {
            let path = url.strip_prefix("http://127.0.0.1:81").unwrap();
            let request = Request::builder().uri(path).header("host", "127.0.0.1:81");
            let (head, ()) = request.body(()).unwrap().into_parts();
            let admitted = gate.admitted(&head, local).map(|admitted| admitted.path);
            assert_eq!(admitted, (url == gate.url()).then_some(""));
            gate.led_once(&head, local)
        };
        assert_eq!(led("http://127.0.0.1:81//"), None);
        let once = gate.url_for_once(Token::random().unwrap());
        assert_eq!(led(&gate.url()), None);
        assert_eq!(led(&once), Some(gate.url().replace("http://127.0.0.1:81", "")));
        assert_eq!(led(&once), None);
    }

    #[test]
    fn another_origin_is_refused() {
        let at = |origin: &str| {
            admits(
                "localhost",
                "127.0.0.1:81",
                "/TOKEN/",
                &[("host", "localhost:81"), ("origin", origin)],
            )
        };
        assert!(at("http://localhost:81").is_some());
        for origin in [
            "null",
            "",
            "https://localhost:81",
            "http://127.0.0.1:81",
            "http://localhost",
            "http://evil",
        ] {
            assert!(at(origin).is_none(), "{origin}");
        }
    }

    #[test]
    fn an_address_that_was_asked_for_is_served() {
        let at = |host: &str| {
            admits("Arena.local", "[::ffff:192.168.1.5]:80", "/TOKEN/", &[("host", host)])
        };
        for host in ["arena.local", "arena.local:80", "192.168.1.5", "192.168.1.5:80"] {
            assert!(at(host).is_some(), "{host}");
        }
        for host in ["localhost", "127.0.0.1", "192.168.1.6", "arena.local:8080"] {
            assert!(at(host).is_none(), "{host}");
        }
    }
}
