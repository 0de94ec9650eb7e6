//! Control groups: the kernel itself holds all processes of a bot together to their limits, counts what they use, and
//! ends them at once.
//!
//! [`ControlGroups`] are the places where this process may make groups, in version 2 of the interface before version 1,
//! for each [`Duty`] by itself. A [`Cgroup`] is the group of one process of a bot: its guard makes it, enters it for the
//! moment in which the bot starts, and removes it. Nothing is promised here that the system does not have: without a
//! group a guard looks at its bot's processes alone.

#[cfg(not(target_os = "linux"))]
mod absent;
#[cfg(target_os = "linux")]
mod duty;
#[cfg(target_os = "linux")]
mod group;
#[cfg(target_os = "linux")]
mod hierarchy;
#[cfg(target_os = "linux")]
mod own;
mod places;
#[cfg(all(test, target_os = "linux"))]
mod tests;

#[cfg(not(target_os = "linux"))]
pub use self::absent::{control_groups, leave_control_groups};
#[cfg(target_os = "linux")]
pub(crate) use self::duty::{CgroupVersion, Duty};
#[cfg(target_os = "linux")]
pub(crate) use self::group::{Cgroup, GroupDirectory};
#[cfg(target_os = "linux")]
pub(crate) use self::own::new_group;
#[cfg(target_os = "linux")]
pub use self::own::{control_groups, leave_control_groups};
pub use self::places::ControlGroups;
