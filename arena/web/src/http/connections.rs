//! Connections: a bounded number of them. No client may hold more than a share, or keep a silent one.
//!
//! A new connection at the limit takes the place of the connection that has been quiet for the longest time: no
//! request of it is being answered. Where none is quiet, a few places are left, for requests that bring the token.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// How many connections there are at most.
const MOST: usize = 128;

/// How many of them are only for requests that bring the token.
const KEPT: usize = 16;

/// How many connections an address may have.
const MOST_OF_ONE: usize = 64;

/// The connections of a server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections(Arc<Mutex<ConnectionList>>);

#[derive(Debug, Default)]
struct ConnectionList {
    /// In the order in which they came.
    list: BTreeMap<u64, OpenConnection>,
    next: u64,
}

/// A connection as the list has it.
#[derive(Debug)]
struct OpenConnection {
    address: IpAddr,
    /// How many requests are being answered.
    busy: usize,
    /// Since when it is quiet, in the count of arrivals.
    quiet_since: u64,
    /// Dropped when it has to leave.
    _stay: oneshot::Sender<()>,
}

/// A connection, until this is dropped.
#[derive(Debug)]
pub(crate) struct ClientConnection {
    connections: Connections,
    number: u64,
    /// Whether it takes only requests that bring the token.
    pub is_kept: bool,
}

/// A request that is being answered, until this is dropped.
#[derive(Debug)]
pub(crate) struct BusyConnection {
    connections: Connections,
    number: u64,
}

/// Resolves when a connection has to leave.
pub(crate) type LeaveNotice = oneshot::Receiver<()>;

impl Connections {
    /// Takes a connection from this address in; `None` where there is none.
    pub(crate) fn enter(&self, address: IpAddr) -> Option<(ClientConnection, LeaveNotice)> {
        let address = network(address);
        let mut list = self.lock();
        let mut is_kept = false;
        if list.count(address) >= MOST_OF_ONE {
            list.dismiss(address)?;
        } else if list.list.len() >= MOST - KEPT
            && list.heaviest().is_none_or(|it| list.dismiss(it).is_none())
        {
            is_kept = true;
            if list.list.len() >= MOST {
                return None;
            }
        }
        let (stay, notice) = oneshot::channel();
        let number = list.tick();
        let connection = OpenConnection { address, busy: 0, quiet_since: number, _stay: stay };
        list.list.insert(number, connection);
        Some((ClientConnection { connections: self.clone(), number, is_kept }, notice))
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionList> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionList {
    fn tick(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn count(&self, address: IpAddr) -> usize {
        self.list.values().filter(|connection| connection.address == address).count()
    }

    fn quiet(&self) -> impl Iterator<Item = (&u64, &OpenConnection)> {
        self.list.iter().filter(|(_, connection)| connection.busy == 0)
    }

    /// Returns the address with most connections among those that have a quiet one.
    fn heaviest(&self) -> Option<IpAddr> {
        self.quiet().map(|(_, connection)| connection.address).max_by_key(|address| self.count(*address))
    }

    /// Sends the connection of an address away that has been quiet for the longest time; `None` where none is.
    fn dismiss(&mut self, address: IpAddr) -> Option<()> {
        let quiet = self.quiet().filter(|(_, connection)| connection.address == address);
        let number = *quiet.min_by_key(|(_, connection)| connection.quiet_since)?.0;
        self.list.remove(&number).map(drop)
    }
}

impl ClientConnection {
    /// Notes that a request is being answered.
    pub(crate) fn work(&self) -> BusyConnection {
        if let Some(connection) = self.connections.lock().list.get_mut(&self.number) {
            connection.busy += 1;
        }
        BusyConnection { connections: self.connections.clone(), number: self.number }
    }
}

impl Drop for ClientConnection {
    fn drop(&mut self) {
        self.connections.lock().list.remove(&self.number);
    }
}

impl Drop for BusyConnection {
    fn drop(&mut self) {
        let mut list = self.connections.lock();
        let now = list.tick();
        if let Some(connection) = list.list.get_mut(&self.number) {
            connection.busy -= 1;
            connection.quiet_since = now;
        }
    }
}

/// Returns what counts as one address: who has one address of version 6 has 2^64 of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u8) -> IpAddr {
        [10, 0, 0, n].into()
    }

    fn fill(connections: &Connections, n: u8, count: usize) -> Vec<(ClientConnection, LeaveNotice)> {
        (0..count).map(|_| connections.enter(address(n)).expect("a place")).collect()
    }

    fn stays(notice: &mut LeaveNotice) -> bool {
        matches!(notice.try_recv(), Err(oneshot::error::TryRecvError::Empty))
    }

    #[test]
    fn the_silent_ones_of_an_address_make_room_for_its_next_one() {
        let connections = Connections::default();
        let mut silent = fill(&connections, 1, MOST_OF_ONE);
        let busy = silent[0].0.work();
        let (_next, mut notice) = connections.enter(address(1)).expect("a place");
        assert!(stays(&mut notice) && stays(&mut silent[0].1) && !stays(&mut silent[1].1));
        drop(busy);
        // It was heard of last.
        fill(&connections, 1, 5);
        assert!(stays(&mut silent[0].1));
    }

    #[test]
    fn nobody_has_more_than_a_share_and_others_get_in() {
        let connections = Connections::default();
        let list = fill(&connections, 1, MOST_OF_ONE);
        let _busy: Vec<_> = list.iter().map(|(connection, _)| connection.work()).collect();
        assert!(connections.enter(address(1)).is_none());
        assert!(!connections.enter(address(2)).expect("a place").0.is_kept);
    }

    #[test]
    fn who_is_alone_stays_when_many_come_from_elsewhere() {
        let connections = Connections::default();
        let (_alone, mut notice) = connections.enter(address(9)).expect("a place");
        let mut held = Vec::new();
        for n in 1..=8 {
            held.extend(fill(&connections, n, 40));
        }
        assert!(stays(&mut notice) && connections.lock().list.len() <= MOST);
    }

    #[test]
    fn the_last_places_are_for_the_token() {
        let connections = Connections::default();
        let list: Vec<_> = [1, 2].into_iter().flat_map(|n| fill(&connections, n, 56)).collect();
        let busy: Vec<_> = list.iter().map(|(connection, _)| connection.work()).collect();
        let mut kept = Vec::new();
        for _ in 0..KEPT {
            let (connection, _) = connections.enter(address(3)).expect("a place");
            assert!(connection.is_kept);
            kept.push((connection.work(), connection));
        }
        assert!(connections.enter(address(3)).is_none());
        drop((busy, list, kept));
        assert!(connections.lock().list.is_empty());
        assert!(!connections.enter(address(3)).expect("a place").0.is_kept);
    }

    #[test]
    fn a_network_of_version_6_is_one_address() {
        let parse = |text: &str| text.parse::<IpAddr>().expect("an address");
        assert_eq!(network(parse("2001:db8:1:2:3::4")), network(parse("2001:db8:1:2::")));
        assert_ne!(network(parse("2001:db8:1:3::")), network(parse("2001:db8:1:2::")));
        assert_eq!(network(parse("::ffff:10.0.0.1")), address(1));
    }
}
