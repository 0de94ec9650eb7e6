//! Systems without sockets in directories: a run takes no orders from outside there.

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::SocketError;
use crate::order::ControlOrder;

/// Stands for the socket, which there is not.
#[derive(Debug)]
pub(crate) struct Socket {}

impl Socket {
    /// Would open the socket of a run's directory.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn open(_: &Path) -> io::Result<Self> {
        Err(unsupported())
    }

    /// Would answer clients.
    pub(crate) fn serve(&mut self, _: impl FnMut(ControlOrder) -> Result<String, String>) {}
}

/// Would send an order to the run in a directory.
///
/// # Errors
/// Always.
pub fn ask(_: &Path, _: &ControlOrder) -> Result<String, SocketError> {
    Err(SocketError::NoAnswer(unsupported()))
}

fn unsupported() -> io::Error {
    io::Error::new(
        ErrorKind::Unsupported,
        "orders need a socket in the directory of the run, which this system lacks",
    )
}
