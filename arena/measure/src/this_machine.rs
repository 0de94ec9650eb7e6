//! What results were played on, in a line.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::thread;

use protocol::printable;

/// Returns the system, the processor where the system tells, and how many of its threads may be used.
pub fn describe_machine() -> String {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or_else(String::new, |(_, name)| format!(", {}", printable(name.trim())));
    format!("{OS} {ARCH}{model}, {processors} threads")
}
