//! The real executable with real bots, from outside.

mod dialogues;
mod check;
mod faults;
mod main_job;
mod matches;
mod replay;
mod resume;
mod sprt;
mod workshop;
