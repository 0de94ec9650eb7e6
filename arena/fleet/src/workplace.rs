//! Where a run is played, as the command line says it: a broker, or a private one with workers on this machine.

use std::path::PathBuf;

use diagnostic::Failure;
use tournament_file::Plan;

use crate::Coordinator;
#[cfg(feature = "nats")]
use crate::broker::BrokerError;
use crate::broker::{Broker, BrokerAccess, BrokerRole};
use crate::local::LocalFleet;

/// The most workers that are started on this machine.
const MOST_LOCAL: usize = 1024;

/// What `--workers` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A broker, by its address.
    Broker(String),
    /// A number of workers on this machine, with a broker of their own.
    Local(usize),
}

impl std::str::FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(count) = text.strip_prefix("local:") {
            return match count.parse() {
                Ok(count @ 1..=MOST_LOCAL) => Ok(Self::Local(count)),
                _ => {
                    Err(format!("`{count}` is no number of workers from 1 to {MOST_LOCAL}, as in `local:2`"))
                }
            };
        }
        let is_address = ["nats://", "tls://"].iter().any(|scheme| {
            text.strip_prefix(scheme)
                .is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
        });
        if is_address {
            return Ok(Self::Broker(text.to_owned()));
        }
        Err("it must be the address of a broker, as in `nats://host:4222`, or `local:2`".to_owned())
    }
}

impl BrokerAccess {
    /// Connects in a role.
    ///
    /// # Errors
    /// When that fails, or this arena was built without the broker.
    #[cfg(feature = "nats")]
    pub fn open(&self, role: &BrokerRole) -> Result<Box<dyn Broker>, Failure> {
        let broker = crate::broker::Nats::connect(self, role);
        Ok(Box::new(broker.map_err(|error| failure(&error))?))
    }

    /// Says that this arena was built without the broker.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "nats"))]
    pub fn open(&self, _: &BrokerRole) -> Result<Box<dyn Broker>, Failure> {
        Err(not_built())
    }
}

/// Returns what a failure of the broker means to the user.
#[cfg(feature = "nats")]
pub(crate) fn failure(error: &BrokerError) -> Failure {
    let failure = Failure::new(diagnostic::Exit::Io, vec![diagnostic::Diagnostic::new(error.to_string())]);
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Says that this arena was built without the broker.
#[cfg(not(feature = "nats"))]
pub(crate) fn not_built() -> Failure {
    Failure::usage("this arena was built without NATS, which carries runs to other machines")
        .hint("build it with `cargo build --release --features nats`")
        .hint("`--shard I/N` divides a run among machines without a broker")
}

/// Where a run is played: the broker, and what was started for it.
pub struct Workplace {
    broker: Box<dyn Broker>,
    local: Option<LocalFleet>,
}

impl Workplace {
    /// Connects to the broker, or starts one with workers.
    ///
    /// # Errors
    /// When that fails.
    pub fn open(address: &Address, credentials: Option<PathBuf>) -> Result<Self, Failure> {
        #[cfg(not(feature = "nats"))]
        if let Address::Local(_) = address {
            return Err(not_built());
        }
        let local = match address {
            Address::Broker(_) => None,
            Address::Local(workers) => Some(LocalFleet::start(*workers)?),
        };
        let address = match (&local, address) {
            (Some(local), _) => local.address().to_owned(),
            (None, Address::Broker(address)) => address.clone(),
            (None, Address::Local(_)) => String::new(),
        };
        let role = if local.is_some() { BrokerRole::Private } else { BrokerRole::Coordinator };
        let broker = BrokerAccess { address, credentials }.open(&role)?;
        Ok(Self { broker, local })
    }

    /// Returns what plays a plan here.
    ///
    /// # Errors
    /// As [`Coordinator::new`].
    pub fn coordinator(&self, plan: &Plan) -> Result<Coordinator<'_>, Failure> {
        match &self.local {
            Some(local) => {
                let coordinator = Coordinator::for_this_machine(&*self.broker, plan)?;
                Ok(coordinator.with_own_workers(local.workers()))
            }
            None => Coordinator::new(&*self.broker, plan),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_an_address_or_a_number() {
        assert_eq!("local:4".parse(), Ok(Address::Local(4)));
        assert_eq!("nats://h:4222".parse(), Ok(Address::Broker("nats://h:4222".to_owned())));
        for wrong in ["local:0", "local:", "local:x", "4", "http://h", "nats://", "nats://a b"] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
    }
}
