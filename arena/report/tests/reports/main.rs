//! Reports of made-up journals.

mod sample;

mod compare;
mod course;
mod files;
mod laws;
mod live;
mod machines;
mod outcome;
mod rate;
mod seats;
mod tables;
mod trial;
mod void;
