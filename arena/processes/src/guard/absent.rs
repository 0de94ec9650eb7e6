//! Where there are no guards.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;

use tokio::time::Instant;

use crate::ExceededLimit;

/// There is no guard to be forgotten.
pub(crate) fn forget_guard(_number: Option<u32>, _is_done: bool) {}

/// The arena's end of the link to a guard: there is none.
#[derive(Debug)]
pub(crate) struct GuardLink(Infallible);

impl GuardLink {
    pub(crate) fn ended(&self) -> Pin<Box<dyn Future<Output = ()>>> {
        match self.0 {}
    }

    pub(crate) fn status(&self) -> Option<String> {
        match self.0 {}
    }

    pub(crate) fn is_lost(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn excess(&self) -> Option<ExceededLimit> {
        match self.0 {}
    }

    pub(crate) fn stops(&self) -> u32 {
        match self.0 {}
    }

    pub(crate) fn freeze(&self, _is_frozen: bool) {
        match self.0 {}
    }

    pub(crate) fn restart_cpu_count(&self) {
        match self.0 {}
    }

    pub(crate) fn cut(&self) {
        match self.0 {}
    }

    pub(crate) async fn drain(&mut self, _deadline: Instant) {
        match self.0 {}
    }
}
