//! `arena serve [DIR]`: runs as pages for browsers, live while they go on.
//!
//! Everything is read from the run's directory: the journal, `live.json` and, for orders, `control.sock`. A run neither
//! knows nor waits for it.

mod feed;
mod guard;
mod http;
mod listen;
mod places;
mod play;
mod routes;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tournament_file::Confinement;

use self::feed::Feeds;
use self::guard::{Hosts, Token};
use self::play::{Hall, Roster};
use self::routes::{Actions, Site};
use crate::showing::Library;

/// The folder, within the one that is served, in which games are kept that are played by hand.
const BY_HAND: &str = "by-hand";

/// What `arena serve` is told.
#[derive(Debug, Args)]
#[command(
    after_help = "The pages can be read by everybody who reaches the address: that is this machine alone, unless `--bind` says \
                        more. arena/docs/serving.md has more."
)]
pub(crate) struct Arguments {
    /// The directory of a run, or a directory with several of them
    #[arg(value_name = "DIR", default_value = "results")]
    directory: PathBuf,
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 8642)]
    port: u16,
    /// The address of this machine at which it can be reached
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// A name under which browsers may ask for it, besides `localhost` and addresses; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Let those who know a token, which is printed, pause, resume and stop runs and change their concurrency, and play by
    /// hand against bots of this machine
    #[arg(long)]
    allow_actions: bool,
    /// A bot that can be played against, besides the built-in ones; may be repeated
    #[arg(long = "bot", value_name = "NAME=CMD", requires = "allow_actions")]
    bots: Vec<String>,
    /// The bots of this tournament file can be played against, too
    #[arg(long, value_name = "FILE", requires = "allow_actions")]
    file: Option<PathBuf>,
    #[command(flatten)]
    confinement: Confinement,
}

impl Arguments {
    /// Serves until it is interrupted.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        if !self.allow_actions && !self.confinement.is_empty() {
            return Err(Failure::usage("`--sandbox` and `--limits` are about bots that are played against")
                .hint("`--allow-actions` has them be started"));
        }
        let library = Library::open(&self.directory, self.allow_actions)?;
        let actions = self.allow_actions.then(|| self.actions()).transpose()?;
        let hall = actions.as_ref().map(|actions| Arc::clone(&actions.hall));
        let (interrupt, interrupted) = oneshot::channel();
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
            .map_err(|error| Failure::io("failed to listen to signals", &error))?;
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                if signals.forever().next().is_some() {
                    // Nobody is left to be told when the server has ended.
                    let _ = interrupt.send(());
                }
            })
            .map_err(|error| Failure::io("failed to start a thread", &error))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::io("failed to begin to serve", &error))?;
        let ended = runtime.block_on(async {
            let listener = self.listen().await?;
            let address = listener
                .local_addr()
                .map_err(|error| Failure::io("failed to learn the own address", &error))?;
            self.greet(address, actions.as_ref().map(|actions| &actions.token))?;
            let hosts = Hosts::new(&self.hosts);
            let site = Arc::new(Site::new(library, Feeds::new(), hosts, actions));
            tokio::select! {
                () = listen::serve(listener, site) => {}
                _ = interrupted => {}
            }
            Ok(Exit::Interrupted)
        });
        // What is still being worked out is not waited for.
        runtime.shutdown_background();
        if let Some(hall) = hall {
            hall.end();
        }
        ended
    }

    fn actions(&self) -> Result<Actions, Failure> {
        let roster = Roster::read(&self.bots, self.file.as_deref(), self.confinement.clone())?;
        let hall = Arc::new(Hall::new(roster, self.directory.join(BY_HAND)));
        Ok(Actions { token: Token::random()?, hall })
    }

    async fn listen(&self) -> Result<TcpListener, Failure> {
        let address = SocketAddr::new(self.bind, self.port);
        TcpListener::bind(address).await.map_err(|error| {
            let failure = Failure::io(format!("failed to listen at {address}"), &error);
            match error.kind() {
                std::io::ErrorKind::AddrInUse => failure.hint(
                    "something else listens there: `--port` takes another one, `--port 0` any that is free",
                ),
                std::io::ErrorKind::AddrNotAvailable => {
                    failure.hint("`--bind` takes an address of this machine; `0.0.0.0` is all of them")
                }
                std::io::ErrorKind::PermissionDenied => failure.hint("ports below 1024 belong to the system"),
                _ => failure,
            }
        })
    }

    fn greet(&self, address: SocketAddr, token: Option<&Token>) -> Result<(), Failure> {
        let suffix = token.map_or_else(String::new, |token| format!("#token={}", token.words()));
        output::print(&format!("http://{address}/{suffix}\n"))?;
        let directory = output::path(&self.directory);
        say(&format!("serving `{directory}`, Ctrl-C ends it"));
        if token.is_some() {
            say(
                "who has this address can steer the runs, and play against bots of this machine: keep it to yourself",
            );
        }
        if !address.ip().is_loopback() {
            say("everybody who reaches this machine can read the pages");
        }
        Ok(())
    }
}
