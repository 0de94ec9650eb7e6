//! Which meetings are most informative, and how many are needed.

pub(crate) mod evidence;
pub(crate) mod next_meetings;
pub(crate) mod table_plan;
