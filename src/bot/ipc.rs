//! Messages between the referee, a bot's warden, and the exec stage that becomes the bot.
//!
//! The channel is a stream socket. The started process finds it on its standard input and makes it
//! close-on-exec, so that the bot does not get it. Downward goes one line, the policy, with the read end of the
//! bot's standard input; upward go lines, each a [`Report`]. End of file, seen from below, means that the
//! process above has ended. (On the command line the policy could be read by every process of the machine.)

use super::Usage;
use super::system::{RECEIVE_FLAGS, SEND_FLAGS, close_on_exec};
use crate::game::{DiskUsage, Exit, LimitExceeded, Tasks};
use crate::sandbox::Policy;
use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, SendAncillaryBuffer, SendAncillaryMessage, recvmsg, sendmsg,
};
use std::fmt;
use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// What a warden reports to the referee, and the exec stage to the warden: one line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Report {
    /// The bot's program runs.
    Started(Started),
    /// The bot's program cannot be run, and why.
    Unstartable(String),
    /// Something in arbiter failed.
    Broken(String),
    /// The bot exceeded a limit and is killed for it.
    Over(LimitExceeded),
    /// The bot's program has ended.
    Ended(Exit),
    /// Processes of the bot that could not be killed: pid and name of each.
    Left(String),
    /// No process of the bot is left; what they used.
    Gone(Usage),
}

/// A bot's program that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Started {
    /// Its pid.
    pub pid: u32,
    /// The pid of pid 1 of its pid namespace, if it has one.
    pub init: Option<u32>,
    /// The folder of its control group in cgroup v2, if it has one and may start processes. A bot of one
    /// process needs none: nothing of it can resume it, and its own clock tells its processor time.
    pub group: Option<PathBuf>,
}

impl fmt::Display for Started {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pid, self.init.unwrap_or_default())?;
        self.group.iter().try_for_each(|folder| write!(f, " {}", folder.display()))
    }
}

impl FromStr for Started {
    type Err = ();

    fn from_str(text: &str) -> Result<Started, ()> {
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok()).ok_or(());
        let mut words = text.splitn(3, ' ');
        let (pid, init) = (number(words.next())?, number(words.next())?);
        Ok(Started { pid, init: (init > 0).then_some(init), group: words.next().map(PathBuf::from) })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Report::Started(started) => write!(f, "started {started}"),
            Report::Unstartable(why) => write!(f, "unstartable {}", why.replace('\n', " ")),
            Report::Broken(what) => write!(f, "broken {}", what.replace('\n', " ")),
            Report::Over(LimitExceeded::Output) => f.write_str("over output"),
            Report::Over(LimitExceeded::Memory(bytes)) => write!(f, "over memory {bytes}"),
            Report::Over(LimitExceeded::Scratch(DiskUsage { bytes, files })) => {
                write!(f, "over scratch {bytes} {files}")
            }
            Report::Over(LimitExceeded::Tasks(Tasks { processes, threads })) => {
                write!(f, "over tasks {processes} {threads}")
            }
            Report::Ended(Exit::Status(status)) => write!(f, "ended status {status}"),
            Report::Ended(Exit::Signal(signal)) => write!(f, "ended signal {signal}"),
            Report::Left(processes) => write!(f, "left {}", processes.replace('\n', " ")),
            Report::Gone(usage) => {
                write!(f, "gone {} {} {}", usage.user.as_micros(), usage.system.as_micros(), usage.peak_kib)
            }
        }
    }
}

impl FromStr for Report {
    type Err = ();

    fn from_str(line: &str) -> Result<Report, ()> {
        let (word, rest) = line.split_once(' ').ok_or(())?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| ());
        Ok(match word {
            "started" => Report::Started(rest.parse()?),
            "left" => Report::Left(rest.to_owned()),
            "unstartable" => Report::Unstartable(rest.to_owned()),
            "broken" => Report::Broken(rest.to_owned()),
            "over" => {
                let (what, value) = rest.split_once(' ').unwrap_or((rest, ""));
                Report::Over(match what {
                    "output" => LimitExceeded::Output,
                    "memory" => LimitExceeded::Memory(number(value)?),
                    "scratch" => {
                        let (bytes, files) = value.split_once(' ').ok_or(())?;
                        LimitExceeded::Scratch(DiskUsage { bytes: number(bytes)?, files: number(files)? })
                    }
                    "tasks" => {
                        let (processes, threads) = value.split_once(' ').ok_or(())?;
                        let number = |text: &str| text.parse().map_err(|_| ());
                        LimitExceeded::Tasks(Tasks {
                            processes: number(processes)?,
                            threads: number(threads)?,
                        })
                    }
                    _ => return Err(()),
                })
            }
            "ended" => {
                let (how, value) = rest.split_once(' ').ok_or(())?;
                let value = value.parse().map_err(|_| ())?;
                Report::Ended(match how {
                    "status" => Exit::Status(value),
                    "signal" => Exit::Signal(value),
                    _ => return Err(()),
                })
            }
            "gone" => {
                let mut fields = rest.split(' ').map(number);
                let mut next = || fields.next().ok_or(())?;
                Report::Gone(Usage {
                    user: Duration::from_micros(next()?),
                    system: Duration::from_micros(next()?),
                    peak_kib: next()?,
                })
            }
            _ => return Err(()),
        })
    }
}

/// Sends a policy and the read end of a bot's standard input to the bot's warden.
pub(super) fn send_order(channel: &UnixStream, policy: &Policy, input: impl AsFd) -> io::Result<()> {
    let text = format!("{policy}\n");
    let descriptors = [input.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    let text = text.as_bytes();
    let sent = retry_on_intr(|| sendmsg(channel, &[IoSlice::new(text)], &mut ancillary, SEND_FLAGS))?;
    let mut channel = channel;
    channel.write_all(&text[sent..])
}

/// Receives the policy and the descriptor that the referee sends; the descriptor is close-on-exec.
///
/// # Errors
/// The referee has ended, receiving fails, or the text is no policy.
pub(super) fn receive_order(mut channel: &File) -> io::Result<(Policy, OwnedFd)> {
    let mut text = vec![0; 1 << 16];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let received =
        retry_on_intr(|| recvmsg(channel, &mut [IoSliceMut::new(&mut text)], &mut ancillary, RECEIVE_FLAGS))?;
    let messages = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
        _ => None,
    });
    let input = messages.flatten().next();
    let mut end = received.bytes;
    while text[..end].last() != Some(&b'\n') {
        if end == text.len() {
            text.resize(2 * end, 0);
        }
        match channel.read(&mut text[end..]) {
            Ok(0) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the referee has ended")),
            Ok(more) => end += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let policy = std::str::from_utf8(&text[..end - 1]).ok().and_then(|text| text.parse().ok());
    let (policy, input) = policy.zip(input).ok_or(io::ErrorKind::InvalidData)?;
    Ok((policy, close_on_exec(input)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Sandbox;
    use std::thread;

    #[test]
    fn a_printed_report_parses_to_the_same_report() {
        let usage = Usage { user: Duration::from_micros(7), system: Duration::from_secs(3), peak_kib: 4096 };
        for report in [
            Report::Started(Started { pid: 77, init: None, group: None }),
            Report::Started(Started { pid: 77, init: Some(76), group: None }),
            Report::Started(Started { pid: 77, init: None, group: Some("/a group/bot-1-0".into()) }),
            Report::Left("78 (python3), 79 (a b)".into()),
            Report::Unstartable("no such file".into()),
            Report::Broken("a b c".into()),
            Report::Over(LimitExceeded::Memory(1 << 40)),
            Report::Over(LimitExceeded::Scratch(DiskUsage { bytes: 1 << 40, files: 7 })),
            Report::Over(LimitExceeded::Tasks(Tasks { processes: 2, threads: 70 })),
            Report::Ended(Exit::Status(3)),
            Report::Ended(Exit::Signal(11)),
            Report::Gone(usage),
        ] {
            assert_eq!(report.to_string().parse(), Ok(report));
        }
        for line in [
            "",
            "gone",
            "gone 1 2",
            "gone 1 2 x",
            "ended",
            "ended by 3",
            "started x",
            "started 1",
            "started 1 x",
            "what 1",
            "over x 1",
            "over tasks 1",
        ] {
            assert_eq!(line.parse::<Report>(), Err(()), "{line}");
        }
    }

    #[test]
    fn an_order_of_any_length_is_sent_and_received() {
        let (above, below) = UnixStream::pair().unwrap();
        let below = File::from(OwnedFd::from(below));
        for paths in [0, 1, 10_000] {
            let (reader, mut writer) = io::pipe().unwrap();
            let mut policy = Policy::new(Sandbox::Strict);
            policy.hidden = (0..paths).map(|path| format!("/a folder/of bots/{path}").into()).collect();
            let sent = thread::scope(|scope| {
                // A long one does not fit into the channel, so it is read meanwhile.
                let sender = scope.spawn(|| send_order(&above, &policy, &reader));
                let received = receive_order(&below);
                sender.join().unwrap().unwrap();
                received.unwrap()
            });
            drop(reader);
            let (received, input) = sent;
            assert_eq!(received, policy);
            writer.write_all(b"hello").unwrap();
            drop(writer);
            assert_eq!(io::read_to_string(File::from(input)).unwrap(), "hello");
        }
        (&above).write_all(b"strict play").unwrap(); // the referee ends in the middle of one
        drop(above);
        assert!(receive_order(&below).is_err());
    }

    #[test]
    fn text_that_is_no_policy_is_an_error() {
        let (mut above, below) = UnixStream::pair().unwrap();
        let below = File::from(OwnedFd::from(below));
        above.write_all(b"strict play colour=1\n").unwrap();
        assert_eq!(receive_order(&below).unwrap_err().kind(), io::ErrorKind::InvalidData);
        above.write_all(b"strict play\n").unwrap(); // without a descriptor
        assert_eq!(receive_order(&below).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
