//! A headless Chromium with a fresh profile, driven through chromedriver (WebDriver, W3C).

use super::processes::wait_for;
use super::shared::Shared;
use super::{has, skip, which};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// The commands of the browser and its driver: those of Debian, then those of other systems.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--window-size=1280,1000",
];

/// The most drivers that are started until one has a port.
const DRIVERS: u32 = 10;

/// How long the driver may take for an answer, on a busy machine too. A test with a page that hangs
/// fails then, and the others have their turns.
const LONGEST_ANSWER: Duration = Duration::from_secs(120);

/// A key as WebDriver names it.
pub const ENTER: char = '\u{e007}';
pub const ESCAPE: char = '\u{e00c}';
pub const LEFT: char = '\u{e012}';
pub const UP: char = '\u{e013}';
pub const RIGHT: char = '\u{e014}';
pub const DOWN: char = '\u{e015}';
pub const HOME: char = '\u{e011}';
pub const END: char = '\u{e010}';

/// A window without anything that earlier ones have stored. It is closed when it is dropped.
///
/// All running tests share two browsers, which take seconds to start, and use each one at a time.
pub struct Browser {
    session: Arc<Session>,
    _turn: MutexGuard<'static, ()>,
}

/// A browser and its driver. They end when this is dropped.
struct Session {
    driver: Child,
    port: u16,
    id: String,
    /// Its first window, which stays.
    window: Value,
    /// Profile and downloads.
    folder: TempDir,
}

impl Browser {
    /// Opens a window. None if there is no Chromium or no chromedriver; then it is said what is not
    /// tested.
    pub fn open(otherwise: &str) -> Option<Browser> {
        static SESSIONS: [(Shared<Session>, Mutex<()>); 2] =
            [const { (Shared::new(), Mutex::new(())) }; 2];
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let Some(browser) = BROWSERS.iter().find_map(|name| which(name)) else {
            skip(&format!("chromium is not installed: {otherwise}"));
            return None;
        };
        if !has("chromedriver", otherwise) {
            return None;
        }
        let (shared, turn) = &SESSIONS[NEXT.fetch_add(1, Ordering::Relaxed) % SESSIONS.len()];
        // While it waits for its turn, the browser does not end, but a test may replace it.
        let waiting = shared.get(|| Session::start(&browser));
        let turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut session = shared.get(|| Session::start(&browser));
        drop(waiting);
        let mut window = session.new_window();
        if window.is_err() {
            // An earlier test has left a browser that hangs or has crashed.
            session = shared.replace(|| Session::start(&browser));
            window = session.new_window();
        }
        session.post("window", &json!({ "handle": window.unwrap()["handle"] }));
        // Pages have the same size whatever window the system opens.
        session.post("window/rect", &json!({ "width": 1280, "height": 1000 }));
        let opened = Browser { session, _turn: turn };
        // What earlier ones have left. Pages that are served have each an origin of its own.
        let files = json!({ "origin": "file://", "storageTypes": "all" });
        opened.devtools("Storage.clearDataForOrigin", &files);
        opened.console();
        Some(opened)
    }

    /// Opens an address, and waits until it is loaded.
    pub fn go(&self, address: &str) {
        self.session.post("url", &json!({ "url": address }));
    }

    /// Runs a function body in the page, and returns its value. If it is a promise, waits for it.
    pub fn run(&self, body: &str) -> Value {
        self.session.post("execute/sync", &json!({ "script": body, "args": [] }))
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let body = format!("return !!({expression});");
        wait_for(expression, || self.run(&body).as_bool().filter(|&holds| holds));
    }

    /// Presses keys, one after the other.
    pub fn press(&self, keys: &str) {
        let press = |key: char| {
            ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() }))
        };
        let actions: Vec<Value> = keys.chars().flat_map(press).collect();
        self.session.post(
            "actions",
            &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }),
        );
    }

    /// Sends a command of the Chrome DevTools protocol.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.session.devtools(command, parameters)
    }

    /// The folder for downloads.
    pub fn downloads(&self) -> std::path::PathBuf {
        let folder = self.session.folder.path().join("downloads");
        self.devtools(
            "Browser.setDownloadBehavior",
            &json!({ "behavior": "allow", "downloadPath": folder, "eventsEnabled": false }),
        );
        folder
    }

    /// What the console has had since the last call: errors of scripts, refusals of the policy,
    /// messages.
    pub fn console(&self) -> Vec<String> {
        let entries = self.session.post("se/log", &json!({ "type": "browser" }));
        entries
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["message"].as_str().unwrap().to_owned())
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // If it fails, so did the test before.
        let Session { id, window, .. } = &*self.session;
        let first = json!({ "handle": window });
        let _ = self.session.exchange("DELETE", &format!("/session/{id}/window"), &Value::Null);
        let _ = self.session.exchange("POST", &format!("/session/{id}/window"), &first);
    }
}

impl Session {
    /// Starts this browser.
    fn start(browser: &Path) -> Session {
        let (driver, port) =
            (0..DRIVERS).find_map(|_| start_driver()).expect("chromedriver finds no port");
        let folder = tempfile::tempdir().unwrap();
        let mut started = Session { driver, port, id: String::new(), window: Value::Null, folder };
        let profile =
            format!("--user-data-dir={}", started.folder.path().join("profile").display());
        let flags: Vec<&str> = FLAGS.into_iter().chain([&*profile]).collect();
        let capabilities = json!({
            "goog:chromeOptions": { "binary": browser, "args": flags },
            "goog:loggingPrefs": { "browser": "ALL" },
            "unhandledPromptBehavior": "ignore",
        });
        let made = started.request(
            "POST",
            "/session",
            &json!({ "capabilities": { "alwaysMatch": capabilities } }),
        );
        started.id = made["sessionId"].as_str().unwrap().to_owned();
        started.window =
            started.request("GET", &format!("/session/{}/window", started.id), &Value::Null);
        started
    }

    fn new_window(&self) -> Result<Value, String> {
        let path = format!("/session/{}/window/new", self.id);
        self.try_request("POST", &path, &json!({ "type": "window" }))
    }

    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    fn post(&self, command: &str, parameters: &Value) -> Value {
        self.request("POST", &format!("/session/{}/{command}", self.id), parameters)
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_request(method, path, body).unwrap()
    }

    fn try_request(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        match self.exchange(method, path, body) {
            Err(error) => Err(format!("{method} {path} {body:.300}: {error}")),
            Ok(answer) if !answer["value"]["error"].is_null() => {
                Err(format!("{method} {path} {body:.300}: {answer:#}"))
            }
            Ok(answer) => Ok(answer["value"].clone()),
        }
    }

    /// A command of WebDriver: HTTP, one connection for each.
    fn exchange(&self, method: &str, path: &str, body: &Value) -> std::io::Result<Value> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(LONGEST_ANSWER))?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes())?;
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            // This also runs while a panic is unwinding, where a second one would abort all tests.
            if let Some(text) = line.strip_prefix("content-length:") {
                length = text.trim().parse().map_err(std::io::Error::other)?;
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer)?;
        Ok(serde_json::from_slice(&answer)?)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The driver ends the browser; killed first, it would leave it.
        let _ = self.exchange("DELETE", &format!("/session/{}", self.id), &Value::Null);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Starts a driver, and returns it with its port. It takes a free port of one protocol (IPv4, IPv6)
/// and then wants the same one of the other: if that is taken, it ends, and there is none.
fn start_driver() -> Option<(Child, u16)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let port = lines.find_map(|line| {
        line.unwrap().split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
    });
    let Some(port) = port else {
        let _ = driver.wait();
        return None;
    };
    // It writes more later, which must not block it.
    std::thread::spawn(move || for _ in lines {});
    Some((driver, port))
}

/// The address of a file.
pub fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}
