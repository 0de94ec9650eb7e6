//! Whatever processes a bot leaves behind, none outlives its game, nor the arena.
#![cfg(target_os = "linux")]

#[path = "processes/killed.rs"]
mod killed;
#[path = "processes/lives.rs"]
mod lives;
#[path = "processes/murders.rs"]
mod murders;
#[path = "processes/place.rs"]
mod place;
#[path = "processes/resources.rs"]
mod resources;
#[path = "processes/rules.rs"]
mod rules;
