//! A program that serves a page, and what it answers.

use crate::support::{PATIENCE, arbiter, interrupt};
use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// A program that serves a page. It ends when it is dropped.
pub struct Served {
    pub child: Child,
    pub address: SocketAddr,
    pub token: String,
    /// Its further lines on standard error.
    pub stderr: Receiver<String>,
}

impl Served {
    /// Starts `arbiter serve` of this folder.
    pub fn folder(folder: &Path, more: &[&str]) -> Served {
        let mut command = arbiter(&["serve", folder.to_str().unwrap()]);
        command.args(more);
        Served::started(command)
    }

    /// The same, where the program may have so many descriptors.
    pub fn folder_with(folder: &Path, descriptors: u32) -> Served {
        let limited = format!("ulimit -n {descriptors} && exec \"$0\" \"$@\"");
        let program = arbiter(&[]).get_program().to_owned();
        let mut command = Command::new("sh");
        command.args(["-c", &limited]).arg(program).arg("serve").arg(folder);
        Served::started(command)
    }

    /// Starts `arbiter serve` of this folder, where the persons `ann-h` and `bob-h` play each
    /// other; with the tokens of their links.
    pub fn persons(folder: &Path, more: &[&str]) -> (Served, [String; 2]) {
        let mut command =
            arbiter(&["serve", folder.to_str().unwrap(), "--persons", "ann-h", "bob-h"]);
        command.args(more);
        let (served, links) = Served::started_with(command, 2);
        let tokens = [("ann-h", &links[0]), ("bob-h", &links[1])].map(|(name, line)| {
            let url = line.strip_prefix(&format!("{name}: http://{}/", served.address)).unwrap();
            url.strip_suffix('/').unwrap().to_owned()
        });
        (served, tokens)
    }

    fn started(command: Command) -> Served {
        Served::started_with(command, 0).0
    }

    /// Starts a program that prints its URL and this number of further lines.
    fn started_with(mut command: Command, more: usize) -> (Served, Vec<String>) {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut lines: Vec<String> = stdout.lines().map(Result::unwrap).take(1 + more).collect();
        let stderr = lines_of(child.stderr.take().unwrap());
        if lines.is_empty() {
            child.wait().unwrap();
            panic!("it does not serve: {:?}", stderr.iter().collect::<Vec<_>>());
        }
        let url = lines.remove(0);
        (Served::at(child, &url, stderr), lines)
    }

    /// Starts a tournament that serves its page.
    pub fn tournament(config: &Path, more: &[&str]) -> Served {
        Served::playing("tournament", config, more)
    }

    /// Starts a league that serves its page.
    pub fn league(config: &Path, more: &[&str]) -> Served {
        Served::playing("league", config, more)
    }

    fn playing(what: &str, config: &Path, more: &[&str]) -> Served {
        let mut command = arbiter(&[what, config.to_str().unwrap(), "--serve", "127.0.0.1:0"]);
        command.args(more);
        Served::announced(what, command)
    }

    /// Starts this command, which plays and serves a page.
    pub fn announced(what: &str, mut command: Command) -> Served {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = lines_of(child.stderr.take().unwrap());
        let before = format!("the page of the {what}: ");
        let url = stderr.iter().find_map(|line| line.strip_prefix(&*before).map(str::to_owned));
        Served::at(child, &url.unwrap(), stderr)
    }

    fn at(child: Child, url: &str, stderr: Receiver<String>) -> Served {
        let (address, token) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let token = token.strip_suffix('/').unwrap().to_owned();
        assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{url}");
        Served { child, address: address.parse().unwrap(), token, stderr }
    }

    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }

    pub fn connect(&self) -> TcpStream {
        self.connect_from(Ipv4Addr::LOCALHOST)
    }

    /// A connection from this address of the machine: all of 127.0.0.0/8 are its own.
    pub fn connect_from(&self, from: Ipv4Addr) -> TcpStream {
        // Without the flag, servers that other tests start inherit hundreds of connections, until
        // they have no descriptors left.
        let flags = SocketFlags::CLOEXEC;
        let socket = socket_with(AddressFamily::INET, SocketType::STREAM, flags, None).unwrap();
        bind(&socket, &SocketAddr::from((from, 0))).unwrap();
        connect(&socket, &self.address).unwrap();
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The answer to a request of these bytes, to its end.
    pub fn raw(&self, request: &str) -> Answer {
        Answer::read(&mut self.ask(request))
    }

    fn ask(&self, request: &str) -> BufReader<TcpStream> {
        let mut stream = self.connect();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(request.as_bytes());
        BufReader::new(stream)
    }

    pub fn get(&self, path: &str, headers: &str) -> Answer {
        self.raw(&format!("GET {} HTTP/1.1\r\n{headers}\r\n", path.replace("TOKEN", &self.token)))
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        Answer::read(&mut self.begin_post(path, body))
    }

    /// A request whose answer is read later.
    pub fn begin_post(&self, path: &str, body: &str) -> BufReader<TcpStream> {
        let (host, token, length) = (self.address, &self.token, body.len());
        self.ask(&format!(
            "POST /{token}/{path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
    }

    pub fn page(&self) -> Answer {
        self.get("/TOKEN/", &format!("Host: {}\r\n", self.address))
    }

    /// The updates at this path.
    pub fn events(&self, path: &str) -> Events {
        self.try_events(path).unwrap_or_else(|head| panic!("{head}"))
    }

    /// The same, asked for from this address of the machine.
    pub fn events_from(&self, from: Ipv4Addr, path: &str) -> Events {
        self.ask_for_events(self.connect_from(from), path).unwrap_or_else(|head| panic!("{head}"))
    }

    /// The updates at this path, or the head of an answer that has none.
    pub fn try_events(&self, path: &str) -> Result<Events, String> {
        self.ask_for_events(self.connect(), path)
    }

    fn ask_for_events(&self, mut stream: TcpStream, path: &str) -> Result<Events, String> {
        let request =
            format!("GET /{}/{path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.token, self.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let head = head_of(&mut reader);
        let is_there = head.starts_with("http/1.1 200 ") && head.contains("text/event-stream");
        if is_there { Ok(Events(Chunks { reader, left: 0 })) } else { Err(head) }
    }

    /// Asks for an end.
    pub fn signal(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", interrupt(), &pid]).status().unwrap().success());
    }

    /// Asks for an end, and returns the exit status.
    pub fn interrupt(&mut self) -> Option<i32> {
        self.signal();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    lines
}

/// The head of an answer, in small letters.
fn head_of(reader: &mut impl BufRead) -> String {
    let mut head = String::new();
    while reader.read_line(&mut head).unwrap_or_default() > 0 && !head.ends_with("\r\n\r\n") {}
    head.to_ascii_lowercase()
}

/// An answer of the server.
#[derive(Debug)]
pub struct Answer {
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn read(reader: &mut impl BufRead) -> Answer {
        let head = head_of(reader);
        let length = head
            .split_once("content-length: ")
            .map_or("0", |(_, rest)| rest.split("\r\n").next().unwrap());
        let mut body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        Answer { head, body: String::from_utf8(body).unwrap() }
    }

    pub fn status(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }
}

/// A body in chunks.
struct Chunks {
    reader: BufReader<TcpStream>,
    left: usize,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            let mut line = String::new();
            self.reader.read_line(&mut line)?;
            if line == "\r\n" {
                line.clear();
                self.reader.read_line(&mut line)?;
            }
            self.left = usize::from_str_radix(line.trim(), 16).unwrap_or_default();
        }
        let most = buffer.len().min(self.left);
        let count = self.reader.read(&mut buffer[..most])?;
        self.left -= count;
        Ok(count)
    }
}

/// Updates.
pub struct Events(Chunks);

impl Events {
    pub fn stream(&self) -> &TcpStream {
        self.0.reader.get_ref()
    }
}

impl Iterator for Events {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            if self.0.read(&mut byte).unwrap() == 0 {
                return None;
            }
            line.push(byte[0]);
            if byte == *b"\n" {
                let text = String::from_utf8(std::mem::take(&mut line)).unwrap();
                if let Some(data) = text.strip_prefix("data: ") {
                    return Some(serde_json::from_str(data).unwrap());
                }
            }
        }
    }
}
