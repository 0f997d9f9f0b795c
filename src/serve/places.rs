//! The places of the server: a connection has one from its beginning to its end. One that has not shown the token can
//! be from anywhere, so such connections have a small part of the places, and the oldest of the address that has the most of
//! them goes when a new one comes: a browser that asks at once is answered, however many connections wait for nothing.

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::AbortHandle;

/// Of so many places one is for connections that have not shown the token.
const PART: usize = 4;
/// The most connections of one address that have not shown the token: as many as browsers behind one address open at once.
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
    /// The numbers of those that have shown the token.
    admitted: HashSet<u64>,
    /// The connections that have not shown the token, the oldest first.
    waiting: VecDeque<WaitingConnection>,
}

#[derive(Debug)]
struct WaitingConnection {
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
    /// So many places.
    pub fn new(most: usize) -> Places {
        let waiting = (most / PART).max(1);
        Places { admitted: most.saturating_sub(waiting), waiting, taken: Mutex::default() }
    }

    /// Gives a place to a connection from this address; `start` begins to answer it. If there are too many connections
    /// that have not shown the token, another one of them ends.
    pub fn give(self: &Arc<Places>, address: IpAddr, start: impl FnOnce(Place) -> AbortHandle) {
        let address = network(address);
        let mut taken = self.taken();
        taken.given += 1;
        let number = taken.given;
        let gone = taken.one_too_many(address, self.waiting);
        let task = start(Place { number, places: Arc::clone(self) });
        taken.waiting.push_back(WaitingConnection { number, address, task });
        drop(taken);
        gone.inspect(|gone| gone.task.abort());
    }

    fn taken(&self) -> MutexGuard<'_, TakenPlaces> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TakenPlaces {
    /// Takes the place of a connection that ends for a new one from this address, if there are too many.
    fn one_too_many(&mut self, address: IpAddr, most: usize) -> Option<WaitingConnection> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        self.waiting.iter().for_each(|waiting| *counts.entry(waiting.address).or_default() += 1);
        let own = counts.get(&address).copied().unwrap_or_default();
        let from = match own >= OF_ADDRESS {
            true => address,
            false if self.waiting.len() < most => return None,
            // Of addresses that have equally many, the one with the oldest connection.
            false => self.waiting.iter().rev().max_by_key(|waiting| counts[&waiting.address])?.address,
        };
        let index = self.waiting.iter().position(|waiting| waiting.address == from)?;
        self.waiting.remove(index)
    }

    /// Takes a connection out of those that have not shown the token; false if it is not one of them.
    fn leave(&mut self, number: u64) -> bool {
        let index = self.waiting.iter().position(|waiting| waiting.number == number);
        index.and_then(|index| self.waiting.remove(index)).is_some()
    }
}

impl Place {
    /// The connection has shown the token. False if there is no place for another one that has.
    pub fn admit(&self) -> bool {
        let mut taken = self.places.taken();
        if taken.admitted.contains(&self.number) {
            return true;
        }
        if taken.admitted.len() >= self.places.admitted || !taken.leave(self.number) {
            return false;
        }
        taken.admitted.insert(self.number)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        let _ = taken.leave(self.number) || taken.admitted.remove(&self.number);
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
            // Four of the places are for connections that have not shown the token: none runs before all have come.
            ["10.0.0.1", "2001:db8::1", "2001:db8::2", "2001:db8::3", "10.0.0.1", "10.0.0.2"]
                .into_iter()
                .for_each(&mut come);
            for _ in 0..40 {
                yield_now().await;
            }
            let ended: Vec<bool> = tasks.iter().map(AbortHandle::is_finished).collect();
            assert_eq!(ended, [true, true, false, false, false, false]);
            assert_eq!(places.taken().admitted.len(), 4);
        });
    }
}
