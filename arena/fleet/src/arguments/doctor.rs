//! `arena doctor --nats`: whether a broker that runs can carry runs, and who may do what on it.

use std::path::PathBuf;

use diagnostic::{Exit, Failure, output};

use crate::broker::Finding;
use crate::{Address, BrokerAccess};

/// The flags of `arena doctor` that look at a broker instead of this machine.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct BrokerCheckFlags {
    /// Look at the broker at this address instead: its version, storage, limits, and what you may do there
    #[arg(long, value_name = "ADDRESS")]
    nats: Option<Address>,
    /// The file of credentials for the broker
    #[arg(long, value_name = "FILE", requires = "nats")]
    creds: Option<PathBuf>,
}

impl BrokerCheckFlags {
    /// Looks at a broker where the flags say so; `None` where they do not. Ends with 1 where something is to be changed.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub fn run(&self) -> Result<Option<Exit>, Failure> {
        let Some(address) = &self.nats else { return Ok(None) };
        let Address::Broker(address) = address else {
            return Err(Failure::usage("`--nats` looks at a broker that runs, as in `nats://host:4222`"));
        };
        let access = BrokerAccess { address: address.clone(), credentials: self.creds.clone() };
        let findings = examine(&access)?;
        let mut text = String::new();
        for Finding { subject, fact, advice } in &findings {
            text += &format!("{subject:<12} {fact}\n");
            if let Some(line) = advice {
                text += &format!("{:<12} {line}\n", "  fix:");
            }
        }
        output::print(&text)?;
        let is_fit = findings.iter().all(|finding| finding.advice.is_none());
        Ok(Some(if is_fit { Exit::Done } else { Exit::No }))
    }
}

#[cfg(not(feature = "nats"))]
fn examine(_: &BrokerAccess) -> Result<Vec<Finding>, Failure> {
    Err(crate::workplace::not_built())
}

#[cfg(feature = "nats")]
fn examine(access: &BrokerAccess) -> Result<Vec<Finding>, Failure> {
    use crate::broker::{BrokerRole, Nats};
    let role = access.worker().map_or(BrokerRole::Coordinator, BrokerRole::Worker);
    let nats = Nats::open(access, &role).map_err(|error| crate::workplace::failure(&error))?;
    Ok(nats.examine(&role))
}
