//! The real executable with real bots, from outside.

mod faults;
mod main_job;
mod matches;
mod replay;
mod resume;
mod sprt;
mod sprt_git;
mod workshop;
