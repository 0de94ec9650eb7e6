//! The real executable with real bots, from outside.

mod again;
mod carriers;
mod check;
mod dialogues;
mod directed;
mod evidence;
mod faults;
mod interruptions;
mod kits;
mod main_job;
mod matches;
mod protocol;
mod replay;
mod resume;
mod sprt;
mod sprt_git;
mod withdrawals;
mod workshop;
