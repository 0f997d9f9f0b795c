//! Messages between the referee, a bot's warden, and the exec stage that becomes the bot.
//!
//! The channel is a stream socket. The started process finds it on its standard input and makes it
//! close-on-exec, so that the bot does not get it. Downward goes one byte with the read end of the bot's
//! standard input; upward go lines, each a [`Report`]. End of file, seen from below, means that the process
//! above has ended.

use super::Usage;
use super::system::{RECEIVE_FLAGS, SEND_FLAGS, close_on_exec};
use crate::game::{DiskUsage, Exit, LimitExceeded, Tasks};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, SendAncillaryBuffer, SendAncillaryMessage, recvmsg, sendmsg,
};
use std::fmt;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
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

/// Sends a descriptor to the process below.
pub(super) fn send_descriptor(channel: impl AsFd, descriptor: impl AsFd) -> io::Result<()> {
    let descriptors = [descriptor.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    rustix::io::retry_on_intr(|| sendmsg(&channel, &[IoSlice::new(b"i")], &mut ancillary, SEND_FLAGS))?;
    Ok(())
}

/// Receives the descriptor that the process above sends; it is close-on-exec.
///
/// # Errors
/// The process above has ended, or receiving fails.
pub(super) fn receive_descriptor(channel: impl AsFd) -> io::Result<OwnedFd> {
    let mut byte = [0];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    rustix::io::retry_on_intr(|| {
        recvmsg(&channel, &mut [IoSliceMut::new(&mut byte)], &mut ancillary, RECEIVE_FLAGS)
    })?;
    let messages = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
        _ => None,
    });
    let mut descriptors = messages.flatten();
    let gone = || io::Error::new(io::ErrorKind::UnexpectedEof, "the process above has ended");
    close_on_exec(descriptors.next().ok_or_else(gone)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

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
    fn a_descriptor_is_sent_and_received() {
        let (above, below) = UnixStream::pair().unwrap();
        let (reader, mut writer) = io::pipe().unwrap();
        send_descriptor(&above, &reader).unwrap();
        drop(reader);
        let mut received = std::fs::File::from(receive_descriptor(&below).unwrap());
        writer.write_all(b"hello").unwrap();
        drop(writer);
        let mut text = String::new();
        received.read_to_string(&mut text).unwrap();
        assert_eq!(text, "hello");
        drop(above);
        assert!(receive_descriptor(&below).is_err());
    }
}
