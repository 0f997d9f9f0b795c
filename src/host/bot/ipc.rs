//! Messages between the referee, a bot's warden, and the exec stage that becomes the bot.
//!
//! The channel is a stream socket. The started process finds it on its standard input and makes it
//! close-on-exec, so that the bot does not get it. Downward goes one line, the policy, with the
//! read end of the bot's standard input; upward go lines, each a [`Report`]. End of file, seen from
//! below, means that the process above has ended. (On the command line the policy could be read by
//! every process of the machine.)

use super::Usage;
use super::system::{RECEIVE_FLAGS, SEND_FLAGS, close_on_exec};
use crate::sandbox::Policy;
use arbiter_game::{Exit, LimitExceeded};
use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, SendAncillaryBuffer, SendAncillaryMessage, recvmsg,
    sendmsg,
};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

/// What a warden reports to the referee, and the exec stage to the warden: one line each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Started {
    pub pid: u32,
    /// The pid of the bot behind it, if it is an adapter beside one.
    pub behind: Option<u32>,
    /// The pid of pid 1 of its pid namespace, if it has one.
    pub init: Option<u32>,
    /// The folder of its control group in cgroup v2, if it has one and may start processes. A bot
    /// that may not needs none, also behind an adapter: nothing of it can resume it, and the clocks
    /// of its processes tell their processor time.
    pub group: Option<PathBuf>,
}

impl Report {
    /// The report as a line, with its newline.
    pub fn line(&self) -> String {
        // Only a path that is not UTF-8 is an error, and control groups are read as text.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// The report of a line.
    ///
    /// # Errors
    /// It is none.
    pub fn read(line: &str) -> serde_json::Result<Report> {
        serde_json::from_str(line)
    }
}

/// Sends a policy and the read end of a bot's standard input to the bot's warden.
pub(super) fn send_order(
    channel: &UnixStream,
    policy: &Policy,
    input: impl AsFd,
) -> io::Result<()> {
    let mut text = serde_json::to_vec(policy)?;
    text.push(b'\n');
    let descriptors = [input.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    let sent =
        retry_on_intr(|| sendmsg(channel, &[IoSlice::new(&text)], &mut ancillary, SEND_FLAGS))?;
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
    let received = retry_on_intr(|| {
        recvmsg(channel, &mut [IoSliceMut::new(&mut text)], &mut ancillary, RECEIVE_FLAGS)
    })?;
    let mut input = None;
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(mut descriptors) = message
            && input.is_none()
        {
            input = descriptors.next();
        }
    }
    let mut end = received.bytes;
    while text[..end].last() != Some(&b'\n') {
        if end == text.len() {
            text.resize(2 * end, 0);
        }
        match channel.read(&mut text[end..]) {
            Ok(0) => {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the referee has ended"));
            }
            Ok(more) => end += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let policy = serde_json::from_slice(&text[..end])?;
    let input = input.ok_or(io::ErrorKind::InvalidData)?;
    Ok((policy, close_on_exec(input)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::FolderAccess;
    use arbiter_game::Sandbox;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::thread;

    #[test]
    fn a_report_is_one_line() {
        let why = "no such\nfile \u{1b}".to_owned();
        let line = Report::Unstartable(why.clone()).line();
        assert_eq!(line.find('\n'), Some(line.len() - 1));
        assert_eq!(Report::read(&line).unwrap(), Report::Unstartable(why));
        assert!(Report::read("").is_err() && Report::read("gone 1 2 3").is_err());
    }

    #[test]
    fn an_order_of_any_length_is_sent_and_received() {
        let (above, below) = UnixStream::pair().unwrap();
        let below = File::from(OwnedFd::from(below));
        for paths in [0, 1, 10_000] {
            let (reader, mut writer) = io::pipe().unwrap();
            let mut policy = Policy::new(Sandbox::Strict);
            let odd = OsStr::from_bytes(b"/a b/%41/=\n\xff\x00x");
            policy.folder = FolderAccess::Files(odd.into());
            policy.scratch = odd.into();
            policy.hidden = (0..paths).map(|path| Path::new(odd).join(path.to_string())).collect();
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
        above.write_all(b"strict play\n").unwrap();
        assert_eq!(receive_order(&below).unwrap_err().kind(), io::ErrorKind::InvalidData);
        above
            .write_all(
                &[&serde_json::to_vec(&Policy::new(Sandbox::Strict)).unwrap()[..], b"\n"].concat(),
            )
            .unwrap(); // without a descriptor
        assert_eq!(receive_order(&below).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
