//! What subjects, queues and keys of a broker are called.

/// What the queues of results begin with; the run follows after a full stop.
pub const RESULTS: &str = "results";

/// Stands for every worker of a run.
pub const ANY: &str = "*";

/// The key that is written whenever files were removed from the broker.
pub const REMOVALS: &str = "removals";

/// Returns the subject on which a worker of a run signals.
#[must_use]
pub fn signals(run: &str, worker: &str) -> String {
    format!("signals.{run}.{worker}")
}

/// Returns the queue in which a worker of a run leaves its results.
#[must_use]
pub fn results(run: &str, worker: &str) -> String {
    format!("{RESULTS}.{run}.{worker}")
}

/// Returns the subject of the orders to one worker.
#[must_use]
pub fn to_worker(run: &str, worker: &str) -> String {
    format!("orders.{run}.{worker}")
}

/// Returns the key of a run.
#[must_use]
pub fn run_key(run: &str) -> String {
    format!("run.{run}")
}

/// Returns the key by which a coordinator claims a run.
#[must_use]
pub fn claim_key(run: &str) -> String {
    format!("claim.{run}")
}

/// Returns a name that nobody else has.
pub(crate) fn random() -> String {
    let mut bytes = [0; 16];
    // Where the system has no randomness, the time and the process tell names apart.
    if getrandom::fill(&mut bytes).is_err() {
        let text = format!("{:?} {}", jiff::Timestamp::now(), std::process::id());
        return crate::wire::digest_of(text.as_bytes());
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
