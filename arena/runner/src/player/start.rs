//! Starting a bot's process and connecting to it by its carrier.

use std::time::Duration;

use processes::{Launcher, Port, Process, Unconnected};
use settings::Carrier;
use tokio::time::Instant;

use super::LostBot;
use crate::PlannedBot;
use crate::player::line_log::Spoken;
use crate::player::link::{Break, Transport};
use crate::player::trouble::{Gone, TimedTrouble, Trouble};

/// The environment variable with a bot's port.
const PORT: &str = "ABP_PORT";

/// Starts a process and connects to it by its carrier.
pub(super) async fn start(
    launcher: &dyn Launcher,
    bot: &PlannedBot,
    limit: Duration,
) -> Result<(Process, Transport), LostBot> {
    let lost = |trouble: Trouble, stderr: Vec<u8>| LostBot {
        failure: TimedTrouble { trouble, at: Instant::now() },
        stderr,
        spoken: Spoken::default(),
        flush: None,
    };
    let launch = &bot.launch;
    let unspawned = |error| lost(Trouble::Spawn(error), Vec::new());
    if launch.io == Carrier::Pipe {
        let mut process = launcher.launch(&launch.to_process_spec()).map_err(unspawned)?;
        let transport = Transport::of(&mut process).expect("a new process has its pipes");
        return Ok((process, transport));
    }
    let port = Port::open().await.map_err(unspawned)?;
    let mut launch = launch.clone();
    launch.env.push((PORT.to_owned(), port.number().to_string()));
    let mut process = launcher.launch(&launch.to_process_spec()).map_err(unspawned)?;
    process.log_output();
    let trouble = match port.accept(&process, limit).await {
        Ok(stream) => {
            let transport = Transport::over(stream, &process);
            return Ok((process, transport));
        }
        Err(Unconnected::Late) => Trouble::Unconnected(limit),
        Err(Unconnected::Ended) => Trouble::Stillborn {
            gone: Gone { how: Break::Process, exit: process.status() },
            awaited: bot.dialect.hello.hello_ok(),
        },
        Err(Unconnected::System(error)) => Trouble::Spawn(error),
    };
    Err(lost(trouble, process.kill().await.stderr))
}
