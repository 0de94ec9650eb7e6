//! Which meetings tell most, and how many it takes.

pub(crate) mod evidence;
pub(crate) mod next_meetings;
pub(crate) mod table_plan;
