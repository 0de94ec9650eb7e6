//! What the arena tells a guard: which program to start, with what, and the ends of the pipes that are the bot's.

use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::num::NonZeroU32;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

use crate::cgroup::{Cgroup, CgroupVersion, Duty, GroupDirectory};
use crate::{ProcessLimits, ProcessSpec};

/// How many bytes say how long a request is.
const HEADER: usize = 4;

/// The longest request that is read, in bytes: more than any system takes as arguments of a program.
const MOST: usize = 16 * 1024 * 1024;

/// What a guard is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GuardRequest {
    /// What is started: with every variable that names its private directory, which the guard adds nothing to.
    pub(super) spec: ProcessSpec,
    /// The private directory, which the guard makes, and removes at the end.
    pub(super) private_dir: PathBuf,
    /// The control group that the guard makes for them, and removes at the end.
    pub(super) cgroup: Option<Cgroup>,
}

/// The ends of the pipes that become a bot's standard input, output and error.
pub(super) type Streams = [OwnedFd; 3];

impl GuardRequest {
    /// Sends the request with the streams of the bot.
    ///
    /// # Errors
    /// When a word holds a NUL byte, or nobody takes the request.
    pub(super) fn send(&self, link: &mut UnixStream, streams: &Streams) -> io::Result<()> {
        let bytes = self.to_bytes()?;
        let borrowed = streams.each_ref().map(AsFd::as_fd);
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !control.push(SendAncillaryMessage::ScmRights(&borrowed)) {
            return Err(io::Error::other("three descriptors do not fit into a message"));
        }
        let sent = sendmsg(&*link, &[IoSlice::new(&bytes)], &mut control, SendFlags::NOSIGNAL)?;
        link.write_all(&bytes[sent..])
    }

    /// Receives a request.
    ///
    /// # Errors
    /// When what comes is none.
    pub(super) fn receive(link: &mut UnixStream) -> io::Result<(Self, Streams)> {
        let mut header = [0; HEADER];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::WAITALL;
        let received = recvmsg(&*link, &mut [IoSliceMut::new(&mut header)], &mut control, flags)?;
        let mut streams = Vec::new();
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                streams.extend(descriptors);
            }
        }
        let malformed = || io::Error::from(io::ErrorKind::InvalidData);
        let length = u32::from_le_bytes(header) as usize;
        if received.bytes != HEADER || length > MOST {
            return Err(malformed());
        }
        let streams = streams.try_into().map_err(|_| malformed())?;
        let mut words = vec![0; length];
        link.read_exact(&mut words)?;
        Ok((Self::from_words(&words).ok_or_else(malformed)?, streams))
    }

    /// Writes the request: its length, then its words, each with a NUL byte after it.
    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; HEADER];
        let (spec, limits) = (&self.spec, &self.spec.limits);
        let figures = [
            limits.memory_kib.unwrap_or(0),
            limits.cpu.map_or(0, |cpu| cpu.as_millis().try_into().unwrap_or(u64::MAX)),
            limits.processes.map_or(0, |count| count.get().into()),
            limits.tasks.unwrap_or(0),
            spec.args.len() as u64,
        ];
        let figures = figures.map(|figure| OsString::from(figure.to_string()));
        let head = [spec.path.as_os_str(), spec.dir.as_os_str(), self.private_dir.as_os_str()];
        let head = head.into_iter().chain(figures.iter().map(OsString::as_os_str));
        let groups = words_of(self.cgroup.as_ref());
        let head = head.chain(groups.iter().map(OsString::as_os_str));
        let args = spec.args.iter().map(OsString::as_os_str);
        let env = spec.env.iter().flat_map(|(name, value)| [name.as_os_str(), value.as_os_str()]);
        for word in head.chain(args).chain(env) {
            if word.as_bytes().contains(&0) {
                let words = "nul byte found in provided data";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
            }
            bytes.extend_from_slice(word.as_bytes());
            bytes.push(0);
        }
        let length = bytes.len() - HEADER;
        let length = u32::try_from(length).ok().filter(|_| length <= MOST);
        let length = length.ok_or_else(|| io::Error::from(io::ErrorKind::ArgumentListTooLong))?;
        bytes[..HEADER].copy_from_slice(&length.to_le_bytes());
        Ok(bytes)
    }

    fn from_words(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_suffix(&[0])?;
        let mut words = bytes.split(|byte| *byte == 0).map(|word| OsString::from_vec(word.to_vec()));
        let [path, dir, private_dir] = [words.next()?, words.next()?, words.next()?].map(PathBuf::from);
        let mut figure = || words.next()?.to_str()?.parse::<u64>().ok();
        let (memory, cpu, processes, tasks) = (figure()?, figure()?, figure()?, figure()?);
        let limits = ProcessLimits {
            memory_kib: (memory > 0).then_some(memory),
            cpu: (cpu > 0).then(|| Duration::from_millis(cpu)),
            processes: NonZeroU32::new(u32::try_from(processes).ok()?),
            tasks: (tasks > 0).then_some(tasks),
        };
        let count = usize::try_from(figure()?).ok()?;
        let mut parts = Duty::ALL.map(|_| None);
        for part in &mut parts {
            *part = part_of([words.next()?, words.next()?, words.next()?])?;
        }
        let cgroup = Cgroup::of(parts);
        let args: Vec<_> = words.by_ref().take(count).collect();
        if args.len() != count {
            return None;
        }
        let mut env = Vec::new();
        while let Some(name) = words.next() {
            env.push((name, words.next()?));
        }
        let spec = ProcessSpec { path, args, dir, env, is_private: false, limits };
        Some(Self { spec, private_dir, cgroup })
    }
}

/// Returns a control group as a request has it: for each duty the version, the directory, and the one of the guard; three
/// empty words where there is none.
fn words_of(cgroup: Option<&Cgroup>) -> Vec<OsString> {
    let part = |duty: Duty| cgroup.and_then(|cgroup| cgroup.parts()[duty as usize].as_ref());
    let words = |part: Option<&GroupDirectory>| match part {
        None => [OsString::new(), OsString::new(), OsString::new()],
        Some(part) => [part.version.to_string().into(), part.dir.clone().into(), part.home.clone().into()],
    };
    Duty::ALL.into_iter().flat_map(|duty| words(part(duty))).collect()
}

/// Reads the directory of a duty, if there is one; `None` where the words are none of a request.
fn part_of([version, dir, home]: [OsString; 3]) -> Option<Option<GroupDirectory>> {
    let version = match version.to_str()? {
        "" => return Some(None),
        "v1" => CgroupVersion::One,
        "v2" => CgroupVersion::Two,
        _ => return None,
    };
    Some(Some(GroupDirectory { version, dir: dir.into(), home: home.into() }))
}

#[cfg(test)]
mod tests {
    use std::io::pipe;

    use super::*;

    fn request(args: &[&str], env: &[(&str, &str)]) -> GuardRequest {
        let limits = ProcessLimits { cpu: Some(Duration::from_secs(3)), ..ProcessLimits::default() };
        let spec = ProcessSpec {
            args: args.iter().map(Into::into).collect(),
            env: env.iter().map(|(name, value)| (name.into(), value.into())).collect(),
            limits,
            ..ProcessSpec::new("/bin/x", "/a dir")
        };
        GuardRequest { spec, private_dir: "/tmp/private".into(), cgroup: None }
    }

    #[test]
    fn a_request_arrives_with_its_streams() {
        let (mut arena, mut guard) = UnixStream::pair().expect("a pair");
        let (mut reader, writer) = pipe().expect("a pipe");
        let streams =
            [OwnedFd::from(writer), pipe().expect("a pipe").0.into(), pipe().expect("a pipe").0.into()];
        let part = GroupDirectory { version: CgroupVersion::Two, dir: "/a group".into(), home: "/".into() };
        let cgroup = Cgroup::of([Some(part), None, None, None]);
        let sent = GuardRequest { cgroup, ..request(&["", "a b", "\n"], &[("A", ""), ("B", "x=y")]) };
        sent.send(&mut arena, &streams).expect("it is sent");
        drop(streams);
        let (received, [writer, ..]) = GuardRequest::receive(&mut guard).expect("it arrives");
        assert_eq!(received, sent);
        std::fs::File::from(writer).write_all(b"hello").expect("the pipe is open");
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("the pipe ends");
        assert_eq!(text, "hello");
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let (mut arena, mut guard) = UnixStream::pair().expect("a pair");
        arena.write_all(&[3, 0, 0, 0, b'a', 0, 0]).expect("it is sent");
        assert!(GuardRequest::receive(&mut guard).is_err());
        assert!(request(&["a\0b"], &[]).to_bytes().is_err());
        let words = |count: &str, rest: &str| {
            format!("p\0d\0r\x000\x000\x000\x000\0{count}\0{}{rest}", "\0".repeat(12)).into_bytes()
        };
        assert_eq!(GuardRequest::from_words(&words("1", "one\0")).expect("a request").spec.args, ["one"]);
        assert_eq!(GuardRequest::from_words(&words("2", "only one\0")), None);
        assert_eq!(GuardRequest::from_words(&words("0", "name\0")), None);
    }
}
