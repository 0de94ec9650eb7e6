//! Reports of made-up journals.

mod sample;

mod files;
mod laws;
mod tables;
mod trial;
