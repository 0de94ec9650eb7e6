//! The real executable with real bots, from outside.

mod adjudication;
mod again;
mod carriers;
mod check;
mod dialogues;
mod directed;
mod doctor;
mod evidence;
mod faults;
mod kits;
mod main_job;
mod matches;
mod protocol;
mod replay;
mod resume;
mod sprt;
mod sprt_git;
mod workshop;
