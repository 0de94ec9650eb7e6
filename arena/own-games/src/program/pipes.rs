//! The ends of a process's pipes, which nobody waits for longer than he wants.

#[cfg(not(unix))]
pub(super) use self::other::Pipes;
#[cfg(unix)]
pub(super) use self::unix::Pipes;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::fd::OwnedFd;
    use std::time::Duration;

    use processes::Process;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use rustix::io::Errno;

    /// The ends of a process's pipes.
    #[derive(Debug)]
    pub(in super::super) struct Pipes {
        /// `None` once it is closed.
        input: Option<OwnedFd>,
        output: OwnedFd,
    }

    impl Pipes {
        pub(in super::super) fn new(process: &mut Process) -> io::Result<Self> {
            let (input, output) = process.take_pipes().ok_or(io::ErrorKind::BrokenPipe)?;
            let (input, output) = (input.into_owned_fd()?, output.into_owned_fd()?);
            for pipe in [&input, &output] {
                fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
            }
            Ok(Self { input: Some(input), output })
        }

        pub(in super::super) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
            let input = self.input.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(rustix::io::write(input, bytes)?)
        }

        pub(in super::super) fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
            Ok(rustix::io::read(&self.output, bytes)?)
        }

        pub(in super::super) fn close_input(&mut self) {
            self.input = None;
        }

        /// Waits until something can be read, or written where `writes`, or an end has been closed; for no longer than
        /// `left`.
        pub(in super::super) fn wait(&self, writes: bool, left: Duration) -> io::Result<()> {
            let mut ends = vec![PollFd::new(&self.output, PollFlags::IN)];
            ends.extend(self.input.as_ref().filter(|_| writes).map(|it| PollFd::new(it, PollFlags::OUT)));
            let left = Timespec::try_from(left).map_err(|_| io::ErrorKind::InvalidInput)?;
            match poll(&mut ends, Some(&left)) {
                Ok(_) | Err(Errno::INTR) => Ok(()),
                Err(error) => Err(error.into()),
            }
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;
    use std::time::Duration;

    use processes::Process;

    /// Pipes that nobody can wait for here: rules are modules on this system.
    #[derive(Debug)]
    pub(in super::super) enum Pipes {}

    impl Pipes {
        pub(in super::super) fn new(_process: &mut Process) -> io::Result<Self> {
            Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "rules that are a program need Linux or macOS; on this system, rules are modules",
            ))
        }

        pub(in super::super) fn write(&self, _bytes: &[u8]) -> io::Result<usize> {
            match *self {}
        }

        pub(in super::super) fn read(&self, _bytes: &mut [u8]) -> io::Result<usize> {
            match *self {}
        }

        pub(in super::super) fn close_input(&mut self) {
            match *self {}
        }

        pub(in super::super) fn wait(&self, _writes: bool, _left: Duration) -> io::Result<()> {
            match *self {}
        }
    }
}
