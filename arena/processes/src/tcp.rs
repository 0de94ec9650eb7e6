//! A port to which a process connects instead of using its standard input and output.
//!
//! The port is open on this machine only, for one process, until that has connected. On Linux a connection counts
//! only if its other end belongs to a process of its group; elsewhere the first connection counts.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, timeout_at};

use crate::Process;

/// A port that waits for a process.
pub struct Port {
    listener: TcpListener,
    number: u16,
}

/// Why nobody is connected.
#[derive(Debug)]
pub enum Unconnected {
    /// Nobody connected in time.
    Late,
    /// The process ended before.
    Ended,
    /// The system failed.
    System(io::Error),
}

impl Port {
    /// Opens a port on this machine.
    pub async fn open() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let number = listener.local_addr()?.port();
        Ok(Self { listener, number })
    }

    /// Returns the number of the port.
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// Waits until the process has connected. Connections of strangers are closed.
    pub async fn accept(self, process: &Process, limit: Duration) -> Result<TcpStream, Unconnected> {
        let deadline = Instant::now() + limit;
        let connected = async {
            loop {
                let (stream, peer) = self.listener.accept().await?;
                if is_of_group(process, peer, self.number) {
                    // A line is sent when it is written, not when more has come together.
                    stream.set_nodelay(true)?;
                    return Ok(stream);
                }
            }
        };
        tokio::select! {
            biased;
            connected = timeout_at(deadline, connected) => match connected {
                Ok(connected) => connected.map_err(Unconnected::System),
                Err(_) => Err(Unconnected::Late),
            },
            () = process.ended() => Err(Unconnected::Ended),
        }
    }
}

/// Returns whether the other end of a connection is held by a process of its group. Where the system does not
/// tell, it is taken to be.
fn is_of_group(process: &Process, peer: SocketAddr, port: u16) -> bool {
    let Some(leader) = process.leader() else { return true };
    let Ok(table) = std::fs::read_to_string("/proc/net/tcp") else { return true };
    let Some(socket) = socket(&table, peer.port(), port) else { return false };
    let link = format!("socket:[{socket}]");
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter(|entry| group(&entry.path()) == Some(leader)).any(|entry| {
        let handles = std::fs::read_dir(entry.path().join("fd")).into_iter().flatten().flatten();
        handles
            .filter_map(|handle| std::fs::read_link(handle.path()).ok())
            .any(|to| to.as_os_str() == link.as_str())
    })
}

/// Finds the socket of a connection between two ports of this machine in `/proc/net/tcp`, as the one at the first
/// port sees it.
fn socket(table: &str, from: u16, to: u16) -> Option<u64> {
    let port = |address: &str| u16::from_str_radix(address.rsplit_once(':')?.1, 16).ok();
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<_> = line.split_whitespace().collect();
        let is_it = port(fields.get(1)?)? == from && port(fields.get(2)?)? == to;
        if is_it { fields.get(9)?.parse().ok() } else { None }
    })
}

/// Reads the group of a process.
fn group(process: &std::path::Path) -> Option<i32> {
    let stat = std::fs::read_to_string(process.join("stat")).ok()?;
    // The name in parentheses may hold anything, so the fields are counted from its end: state, parent, group.
    stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_socket_of_a_connection_is_found() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
            0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0\n   \
            1: 0100007F:C000 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 22 1 0 20 4 0 10 -1\n   \
            2: 0100007F:1F90 0100007F:C000 01 00000000:00000000 00:00000000 00000000     0        0 33 1 0 20 4 0 10 -1\n";
        assert_eq!(socket(table, 0xC000, 8080), Some(22));
        assert_eq!(socket(table, 8080, 0xC000), Some(33));
        assert_eq!((socket(table, 1, 2), socket("", 1, 2)), (None, None));
    }
}
