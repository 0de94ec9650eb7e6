//! `arena completions SHELL`: what a shell needs to complete the words of this program.

use clap::Args;
use clap_complete::Shell;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;

use crate::help;

/// The arguments of `arena completions`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: `arena completions bash > ~/.local/share/bash-completion/completions/arena`, \
                        `arena completions fish > ~/.config/fish/completions/arena.fish`; for zsh write `_arena` into a \
                        directory of `$fpath`."
)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Arguments {
    /// Prints the completions.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let mut bytes = Vec::new();
        clap_complete::generate(self.shell, &mut help::command(), "arena", &mut bytes);
        output::print(&String::from_utf8_lossy(&bytes))?;
        Ok(Exit::Done)
    }
}
