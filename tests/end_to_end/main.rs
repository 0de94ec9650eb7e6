//! The real executable with real bots, from outside.

mod faults;
mod kits;
mod main_job;
mod matches;
mod replay;
mod resume;
mod sprt;
mod workshop;
