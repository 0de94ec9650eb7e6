//! The real executable with real bots, from outside.

mod again;
mod carriers;
mod check;
mod check_faults;
mod check_script;
mod dialogues;
mod directed;
mod evidence;
mod faults;
mod flush;
mod kits;
mod main_job;
mod matches;
mod protocol;
mod replay;
mod resume;
mod sprt;
mod sprt_git;
mod workshop;
