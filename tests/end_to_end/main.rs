//! The real executable with real bots, from outside.

mod adjudication;
mod again;
mod carriers;
mod check;
mod check_faults;
mod check_script;
mod dialogues;
mod directed;
mod doctor;
mod evidence;
mod faults;
mod flush;
mod formats;
mod kits;
mod main_job;
mod matches;
mod openings;
mod protocol;
mod replay;
mod resume;
mod setup;
mod shards;
mod sprt;
mod sprt_git;
mod withdrawals;
mod workshop;
