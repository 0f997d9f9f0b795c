//! The channel between the referee, a bot's warden and the second stage that becomes the bot.
//!
//! It is a stream socket on standard input of the started stage, close-on-exec from there on, so that a bot never
//! has it. Downward goes one byte that carries the read end of the bot's standard input; upward go lines. Its
//! end of file, seen from below, means that the stage above is gone.

use super::Usage;
use super::system::{HANDING_ON, TAKING, close_on_exec};
use crate::game::LimitExceeded;
use crate::game::{DiskUsage, Exit, Tasks};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, SendAncillaryBuffer, SendAncillaryMessage, recvmsg, sendmsg,
};
use std::fmt;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::str::FromStr;
use std::time::Duration;

/// What a warden reports, one a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Report {
    /// The bot's program runs, with this process id; and pid 1 of its pid namespace, if it has one.
    Started(u32, Option<u32>),
    /// The bot's program cannot be run: why.
    Unstartable(String),
    /// Something of ours failed: what.
    Broken(String),
    /// The bot had too much of something, and is being ended for it or was.
    Over(LimitExceeded),
    /// The bot's program has ended.
    Ended(Exit),
    /// Processes of the bot that could not be ended: number and name of each.
    Left(String),
    /// Nothing of the bot is left; what it used.
    Gone(Usage),
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Report::Started(pid, None) => write!(f, "started {pid}"),
            Report::Started(pid, Some(init)) => write!(f, "started {pid} {init}"),
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
            "started" => {
                let number = |text: &str| text.parse().map_err(|_| ());
                match rest.split_once(' ') {
                    Some((pid, init)) => Report::Started(number(pid)?, Some(number(init)?)),
                    None => Report::Started(number(rest)?, None),
                }
            }
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

/// Hands a descriptor down the channel.
pub(super) fn send_descriptor(channel: impl AsFd, descriptor: impl AsFd) -> io::Result<()> {
    let descriptors = [descriptor.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    rustix::io::retry_on_intr(|| sendmsg(&channel, &[IoSlice::new(b"i")], &mut ancillary, HANDING_ON))?;
    Ok(())
}

/// Takes the descriptor that the stage above hands down; it is close-on-exec.
pub(super) fn receive_descriptor(channel: impl AsFd) -> io::Result<OwnedFd> {
    let mut byte = [0];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    rustix::io::retry_on_intr(|| {
        recvmsg(&channel, &mut [IoSliceMut::new(&mut byte)], &mut ancillary, TAKING)
    })?;
    let messages = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
        _ => None,
    });
    let mut descriptors = messages.flatten();
    let gone = || io::Error::new(io::ErrorKind::UnexpectedEof, "the stage above is gone");
    close_on_exec(descriptors.next().ok_or_else(gone)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    #[test]
    fn reports_are_read_as_they_are_written() {
        let usage = Usage { user: Duration::from_micros(7), system: Duration::from_secs(3), peak_kib: 4096 };
        for report in [
            Report::Started(77, None),
            Report::Started(77, Some(76)),
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
            "started 1 x",
            "what 1",
            "over x 1",
            "over tasks 1",
        ] {
            assert_eq!(line.parse::<Report>(), Err(()), "{line}");
        }
    }

    #[test]
    fn a_descriptor_goes_down_the_channel() {
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
