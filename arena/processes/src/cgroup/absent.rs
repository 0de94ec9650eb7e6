//! Where there are no control groups.

use std::sync::OnceLock;

use super::places::ControlGroups;

/// Returns that there are none.
#[must_use]
pub fn control_groups() -> &'static ControlGroups {
    static NONE: OnceLock<ControlGroups> = OnceLock::new();
    NONE.get_or_init(ControlGroups::none)
}

/// There is nothing to be undone.
pub const fn leave_control_groups() {}
