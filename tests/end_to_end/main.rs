//! The real executable with real bots, from outside.

mod again;
mod carriers;
mod check;
mod dialogues;
mod directed;
mod evidence;
mod faults;
mod kits;
mod main_job;
mod matches;
mod protocol;
mod replay;
mod resume;
mod setup;
mod shards;
mod sprt;
mod sprt_git;
mod workshop;
