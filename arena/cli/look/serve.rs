//! `arena serve [DIR]`: runs as pages for browsers, live while they are played.
//!
//! Everything is read from the run's directory: the journal, `live.json` and, for orders, `control.sock`. A run neither
//! knows nor waits for it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use crate::own_games_arguments::OwnGamesArguments;
use clap::Args;
use diagnostic::{Exit, Failure, output, say};
use tournament_file::Confinement;
use web::{OfferedOpponents, Server};

/// The arguments of `arena serve`.
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
    /// Give up the token of earlier servers of this directory for a new one
    #[arg(long, requires = "allow_actions")]
    new_token: bool,
    #[command(flatten)]
    own_games: OwnGamesArguments,
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
        let catalogue = self.own_games.catalogue()?;
        let opponents = OfferedOpponents {
            bots: &self.bots,
            file: self.file.as_deref(),
            confinement: &self.confinement,
            renews_token: self.new_token,
        };
        let server = Server {
            directory: &self.directory,
            address: SocketAddr::new(self.bind, self.port),
            hosts: &self.hosts,
            catalogue: &catalogue,
            actions: self.allow_actions.then_some(opponents),
        };
        server.run(|address, token| self.greet(address, token))
    }

    fn greet(&self, address: SocketAddr, token: Option<&str>) -> Result<(), Failure> {
        let suffix = token.map_or_else(String::new, |token| format!("#token={token}"));
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
