//! The server: runs as pages for browsers, live while they are in progress.
//!
//! Everything is read from the run's directory: the journal, `live.json` and, for orders, `control.sock`. A run neither
//! knows nor waits for it.

mod connect;
mod continuation;
mod routes;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use diagnostic::{Exit, Failure, say};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tournament_file::Confinement;

use self::continuation::Continuation;
use self::routes::{Actions, Site};
use crate::http::feed::Feeds;
use crate::http::guard::Hosts;
use crate::http::token_file::{state_folder, token_of};
use crate::interruption::on_interruption;
use crate::runs::RunIndex;
use crate::tables::{OfferedBots, OpenTables};

/// The folder, within the one that is served, in which games are kept that are played by hand.
const BY_HAND: &str = "by-hand";

/// What is served, where, and to whom.
#[derive(Debug)]
pub struct Server<'a> {
    /// The directory of a run, or a directory with several of them.
    pub directory: &'a Path,
    /// The address to listen at; port 0 takes any that is free.
    pub address: SocketAddr,
    /// The names under which browsers may ask for it, besides `localhost` and addresses.
    pub hosts: &'a [String],
    /// The games of one's own that were named: only these programs are started.
    pub catalogue: &'a rules::Catalogue,
    /// What those may do who know the token, if there is one.
    pub actions: Option<OfferedOpponents<'a>>,
}

/// The bots of this machine that can be played against where actions are allowed.
#[derive(Debug)]
pub struct OfferedOpponents<'a> {
    /// Bots besides the built-in ones, `NAME=CMD` each.
    pub bots: &'a [String],
    /// A tournament file whose bots are known by their names.
    pub file: Option<&'a Path>,
    /// How bots are confined.
    pub confinement: &'a Confinement,
    /// Whether the token of earlier servers of the directory is given up for a new one.
    pub renews_token: bool,
}

impl Server<'_> {
    /// Serves until it is interrupted. `greet` is told the address that it listens at, and the token of those who may act.
    ///
    /// # Errors
    /// When there is nothing to serve, when it cannot listen there, and what `greet` returns.
    pub fn run(
        &self,
        greet: impl FnOnce(SocketAddr, Option<&str>) -> Result<(), Failure>,
    ) -> Result<Exit, Failure> {
        let actions = self.actions.as_ref().map(|opponents| self.begin(opponents)).transpose()?;
        let open_tables = actions.as_ref().map(|actions| Arc::clone(&actions.open_tables));
        let known = open_tables.as_ref().map_or(self.catalogue, |tables| tables.offered().catalogue());
        let run_index = RunIndex::open(self.directory, self.actions.is_some(), known.clone())?;
        let (interrupt, interrupted) = oneshot::channel();
        on_interruption(move || {
            // Nobody is left to be told when the server has ended.
            let _ = interrupt.send(());
        })?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::io("failed to begin to serve", &error))?;
        let ended = runtime.block_on(async {
            let listener = self.listen().await?;
            let address = listener
                .local_addr()
                .map_err(|error| Failure::io("failed to learn the own address", &error))?;
            greet(address, actions.as_ref().map(|actions| actions.token.words()))?;
            let hosts = Hosts::new(self.hosts);
            let site = Arc::new(Site::new(run_index, Feeds::new(), hosts, actions));
            tokio::select! {
                () = connect::serve(listener, site) => {}
                _ = interrupted => {}
            }
            Ok(Exit::Interrupted)
        });
        // What is still being worked out is not waited for.
        runtime.shutdown_background();
        if let Some(open_tables) = open_tables {
            open_tables.end();
        }
        ended
    }

    fn begin(&self, opponents: &OfferedOpponents<'_>) -> Result<Actions, Failure> {
        let offered = OfferedBots::read(
            opponents.bots,
            opponents.file,
            self.catalogue.clone(),
            opponents.confinement.clone(),
        )?;
        let continuation = opponents.file.zip(offered.run_directory()).and_then(|(file, directory)| {
            let [file, directory] = [file, directory].map(|path| std::path::absolute(path).ok());
            Some(Continuation { file: file?, directory: directory? })
        });
        let open_tables = Arc::new(OpenTables::new(offered, self.directory.join(BY_HAND)));
        let state = state_folder();
        let (token, unkept) = token_of(self.directory, state.as_deref(), opponents.renews_token)?;
        if let Some(words) = unkept {
            say(&format!("the token ends with the server, because it cannot be kept: {words}"));
        }
        Ok(Actions { token, open_tables, continuation })
    }

    async fn listen(&self) -> Result<TcpListener, Failure> {
        let address = self.address;
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
}
