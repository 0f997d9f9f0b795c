//! The places of the server: a connection has one from its beginning to its end. One that has not
//! shown the token can be from anywhere, so such connections have a small part of the places, and
//! the oldest of the address that has the most of them goes when a new one comes: a browser that
//! asks at once is answered, however many connections wait for nothing. The same holds for those
//! that have shown the token, but for a browser whose own address has the most: it is refused.
//!
//! All connections of a proxy have one address. So behind one no connection is counted by its
//! address before its request says for whom it is passed on. A proxy keeps connections and passes
//! on requests of others by them; then they are counted for these.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::AbortHandle;

/// One of this many places is for connections that have not shown the token.
const PART: usize = 4;
/// The most connections of one address, before they have shown the token and after that: as many as
/// browsers behind one address open at once. A whole class knows the token, so it keeps nobody from
/// taking all places.
const OF_ADDRESS: usize = 128;

/// Whose a connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Client {
    /// That of a browser with this address.
    Address(IpAddr),
    /// That of a proxy, which does not say for whom.
    Proxy,
}

/// The places, and who has them.
#[derive(Debug)]
pub(super) struct Places {
    /// Whether connections come from a proxy.
    are_proxied: bool,
    /// The most connections that have shown the token.
    admitted: usize,
    /// The most other connections.
    waiting: usize,
    taken: Mutex<TakenPlaces>,
}

#[derive(Debug, Default)]
struct TakenPlaces {
    /// The number of places that were ever given.
    given: u64,
    /// The connections that have shown the token.
    admitted: Connections,
    /// The connections that have not shown the token.
    waiting: Connections,
}

/// Connections, the oldest first.
#[derive(Debug, Default)]
struct Connections(VecDeque<Connection>);

#[derive(Debug)]
struct Connection {
    number: u64,
    client: Client,
    task: AbortHandle,
}

/// The place of a connection; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    number: u64,
    /// The address of the other end.
    peer: IpAddr,
    places: Arc<Places>,
}

impl Places {
    /// This many places, behind a proxy or not.
    pub fn new(most: usize, are_proxied: bool) -> Places {
        let waiting = (most / PART).max(1);
        Places { are_proxied, admitted: admitted_of(most), waiting, taken: Mutex::default() }
    }

    /// Gives a place to a connection from this address; `start` begins to answer it. If there are
    /// too many connections that have not shown the token, another one of them ends.
    pub fn give(self: &Arc<Places>, peer: IpAddr, start: impl FnOnce(Place) -> AbortHandle) {
        let client = if self.are_proxied { Client::Proxy } else { Client::Address(network(peer)) };
        let mut taken = self.taken();
        taken.given += 1;
        let number = taken.given;
        let gone = match taken.waiting.crowded_client(client, self.waiting) {
            Some(crowded) => taken.waiting.take_oldest(crowded),
            None => None,
        };
        let task = start(Place { number, peer, places: Arc::clone(self) });
        taken.waiting.0.push_back(Connection { number, client, task });
        // Not under the lock, which a task that ends takes to give up its place.
        drop(taken);
        if let Some(gone) = gone {
            gone.task.abort();
        }
    }

    fn taken(&self) -> MutexGuard<'_, TakenPlaces> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connections {
    /// How many connections each client has.
    fn counts(&self) -> HashMap<Client, usize> {
        let mut counts = HashMap::new();
        for connection in &self.0 {
            *counts.entry(connection.client).or_default() += 1;
        }
        counts
    }

    /// The client whose oldest connection has to end for a new one of this client, if there are too
    /// many.
    fn crowded_client(&self, new: Client, most: usize) -> Option<Client> {
        let counts = self.counts();
        if new != Client::Proxy && counts.get(&new).is_some_and(|&own| own >= OF_ADDRESS) {
            return Some(new);
        }
        if self.0.len() < most {
            return None;
        }
        // Of clients that have equally many, the one with the oldest connection: `max_by_key`
        // returns the last maximum, so the oldest comes last.
        let crowded = self.0.iter().rev().max_by_key(|connection| counts[&connection.client])?;
        Some(crowded.client)
    }

    /// Takes out the oldest connection of a client.
    fn take_oldest(&mut self, client: Client) -> Option<Connection> {
        let index = self.0.iter().position(|connection| connection.client == client)?;
        self.0.remove(index)
    }

    /// Takes out the connection of this number, if it is one of them.
    fn take(&mut self, number: u64) -> Option<Connection> {
        let index = self.0.iter().position(|connection| connection.number == number)?;
        self.0.remove(index)
    }
}

impl Place {
    /// The address of the other end of the connection.
    pub fn peer(&self) -> IpAddr {
        self.peer
    }

    /// The connection has shown the token in a request of this client. False if there is no place
    /// for another one that has.
    pub fn admit(&self, mut client: Client) -> bool {
        if let Client::Address(address) = &mut client {
            *address = network(*address);
        }
        let mut taken = self.places.taken();
        let admitted = taken.admitted.0.iter().find(|one| one.number == self.number);
        if admitted.is_some_and(|connection| connection.client == client) {
            return true;
        }
        let connection = taken.waiting.take(self.number);
        let connection = connection.or_else(|| taken.admitted.take(self.number));
        let Some(mut connection) = connection else { return false };
        connection.client = client;
        let crowded = taken.admitted.crowded_client(client, self.places.admitted);
        let own = taken.admitted.counts().get(&client).copied().unwrap_or_default();
        let has_too_many = client != Client::Proxy && own >= OF_ADDRESS;
        if crowded == Some(client) && !has_too_many {
            taken.waiting.0.push_back(connection); // until it has its answer
            return false;
        }
        let gone = match crowded {
            Some(crowded) => taken.admitted.take_oldest(crowded),
            None => None,
        };
        taken.admitted.0.push_back(connection);
        drop(taken);
        if let Some(gone) = gone {
            gone.task.abort();
        }
        true
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        let _ = taken.waiting.take(self.number).or_else(|| taken.admitted.take(self.number));
    }
}

/// How many of these places are for connections that have shown the token.
pub(super) fn admitted_of(most: usize) -> usize {
    most.saturating_sub((most / PART).max(1)).max(1)
}

/// The network that a client chooses its address from: of IPv6 the first 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;
    use tokio::runtime::Builder;
    use tokio::task::yield_now;

    #[test]
    fn the_oldest_of_the_address_with_the_most_connections_goes() {
        Builder::new_current_thread().build().unwrap().block_on(async {
            let places = Arc::new(Places::new(16, false));
            let mut tasks = Vec::new();
            let mut come = |from: &str| {
                let from: IpAddr = from.parse().unwrap();
                places.give(from, |place| {
                    let task = tokio::spawn(async move {
                        place.admit(Client::Address(from));
                        let _place = place;
                        pending::<()>().await;
                    });
                    tasks.push(task.abort_handle());
                    task.abort_handle()
                });
            };
            // Four of the places are for connections that have not shown the token: none runs
            // before all have come.
            ["10.0.0.1", "2001:db8::1", "2001:db8::2", "2001:db8::3", "10.0.0.1", "10.0.0.2"]
                .into_iter()
                .for_each(&mut come);
            for _ in 0..40 {
                yield_now().await;
            }
            let ended: Vec<bool> = tasks.iter().map(AbortHandle::is_finished).collect();
            assert_eq!(ended, [true, true, false, false, false, false]);
            assert_eq!(places.taken().admitted.0.len(), 4);
        });
    }

    #[test]
    fn a_proxy_has_places_for_all_readers_and_each_of_them_for_a_part() {
        Builder::new_current_thread().build().unwrap().block_on(async {
            let places = Arc::new(Places::new(4096, true));
            let proxy: IpAddr = "127.0.0.1".parse().unwrap();
            let mut tasks = Vec::new();
            let mut come = |client: Client| {
                places.give(proxy, |place| {
                    let task = tokio::spawn(async move {
                        assert_eq!(place.peer(), proxy);
                        assert!(place.admit(Client::Proxy), "it was of another client before");
                        assert!(place.admit(client));
                        let _place = place;
                        pending::<()>().await;
                    });
                    tasks.push(task.abort_handle());
                    task.abort_handle()
                });
            };
            for number in 0..500_u16 {
                let [high, low] = number.to_be_bytes();
                come(Client::Address(IpAddr::from([10, 0, high, low])));
            }
            for _ in 0..300 {
                come(Client::Proxy);
            }
            for _ in 0..150 {
                come(Client::Address("10.9.9.9".parse().unwrap()));
            }
            for _ in 0..200 {
                yield_now().await;
            }
            let ended = tasks.iter().filter(|task| task.is_finished()).count();
            assert_eq!(ended, 150 - OF_ADDRESS);
            assert!(tasks[..800].iter().all(|task| !task.is_finished()));
        });
    }
}
