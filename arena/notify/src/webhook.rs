//! Telling an address by HTTP.

use std::time::Duration;

/// Posts a line of JSON, and waits for an answer until the deadline.
///
/// # Errors
/// Says in words why it cannot have arrived; never the path of the address, which is often a secret.
#[cfg(feature = "webhook")]
pub(crate) fn post(url: &str, line: &str, deadline: Duration) -> Result<(), String> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(deadline))
        .max_redirects(0)
        .user_agent(concat!("arena/", env!("CARGO_PKG_VERSION")))
        .build()
        .into();
    match agent.post(url).header("content-type", "application/json").send(line) {
        Ok(answer) if answer.status().is_redirection() => {
            Err(format!("{} answered with status {}, a redirection", host(url), answer.status().as_u16()))
        }
        Ok(_) => Ok(()),
        Err(ureq::Error::StatusCode(status)) => Err(format!("{} answered with status {status}", host(url))),
        Err(ureq::Error::Timeout(_)) => Err(format!("{} did not answer within {deadline:?}", host(url))),
        Err(error) => Err(format!("{} cannot be told: {}", host(url), error.to_string().replace(url, "it"))),
    }
}

/// Returns the host of an address.
#[cfg(feature = "webhook")]
fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("`{}`", authority.rsplit('@').next().unwrap_or_default())
}

/// Says that there are no webhooks here: addresses are refused before a run.
///
/// # Errors
/// Always.
#[cfg(not(feature = "webhook"))]
pub(crate) fn post(_: &str, _: &str, _: Duration) -> Result<(), String> {
    Err("this executable was built without webhooks".to_owned())
}
