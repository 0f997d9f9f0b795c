//! The places of the server: a connection has one from its beginning to its end. One that has not
//! shown the token can be from anywhere, so such connections have a small part of the places, and
//! the oldest of the address that has the most of them goes when a new one comes: a browser that
//! asks at once is answered, however many connections wait for nothing. The same holds for those
//! that have shown the token, but for a browser whose own address has the most: it is refused.

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

/// The places, and who has them.
#[derive(Debug)]
pub(super) struct Places {
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
    address: IpAddr,
    task: AbortHandle,
}

/// The place of a connection; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    number: u64,
    places: Arc<Places>,
}

impl Places {
    /// This many places.
    pub fn new(most: usize) -> Places {
        let waiting = (most / PART).max(1);
        Places { admitted: most.saturating_sub(waiting).max(1), waiting, taken: Mutex::default() }
    }

    /// Gives a place to a connection from this address; `start` begins to answer it. If there are
    /// too many connections that have not shown the token, another one of them ends.
    pub fn give(self: &Arc<Places>, address: IpAddr, start: impl FnOnce(Place) -> AbortHandle) {
        let address = network(address);
        let mut taken = self.taken();
        taken.given += 1;
        let number = taken.given;
        let gone = match taken.waiting.crowded_address(address, self.waiting) {
            Some(crowded) => taken.waiting.take_oldest(crowded),
            None => None,
        };
        let task = start(Place { number, places: Arc::clone(self) });
        taken.waiting.0.push_back(Connection { number, address, task });
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
    /// How many connections each address has.
    fn counts(&self) -> HashMap<IpAddr, usize> {
        let mut counts = HashMap::new();
        for connection in &self.0 {
            *counts.entry(connection.address).or_default() += 1;
        }
        counts
    }

    /// The address whose oldest connection has to end for a new one from this address, if there are
    /// too many.
    fn crowded_address(&self, new: IpAddr, most: usize) -> Option<IpAddr> {
        let counts = self.counts();
        if counts.get(&new).is_some_and(|&own| own >= OF_ADDRESS) {
            return Some(new);
        }
        if self.0.len() < most {
            return None;
        }
        // Of addresses that have equally many, the one with the oldest connection: `max_by_key`
        // returns the last maximum, so the oldest comes last.
        let crowded = self.0.iter().rev().max_by_key(|connection| counts[&connection.address])?;
        Some(crowded.address)
    }

    /// Takes out the oldest connection of an address.
    fn take_oldest(&mut self, address: IpAddr) -> Option<Connection> {
        let index = self.0.iter().position(|connection| connection.address == address)?;
        self.0.remove(index)
    }

    /// Takes out the connection of this number, if it is one of them.
    fn take(&mut self, number: u64) -> Option<Connection> {
        let index = self.0.iter().position(|connection| connection.number == number)?;
        self.0.remove(index)
    }
}

impl Place {
    /// The connection has shown the token. False if there is no place for another one that has.
    pub fn admit(&self) -> bool {
        let mut taken = self.places.taken();
        if taken.admitted.0.iter().any(|connection| connection.number == self.number) {
            return true;
        }
        let Some(connection) = taken.waiting.take(self.number) else { return false };
        let crowded = taken.admitted.crowded_address(connection.address, self.places.admitted);
        let own = taken.admitted.counts().get(&connection.address).copied().unwrap_or_default();
        if crowded == Some(connection.address) && own < OF_ADDRESS {
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
            let places = Arc::new(Places::new(16));
            let mut tasks = Vec::new();
            let mut come = |from: &str| {
                places.give(from.parse().unwrap(), |place| {
                    let task = tokio::spawn(async move {
                        place.admit();
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
}
