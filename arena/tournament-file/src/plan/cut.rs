//! A plan of which one of several arenas plays a part.

use std::path::PathBuf;

use diagnostic::Failure;

use crate::flags::shard::Shard;
use crate::plan::Plan;

impl Plan {
    /// Leaves of the plan what one shard plays, in a directory of its own.
    ///
    /// # Errors
    /// When results decide what is played: shards do not know each other's.
    pub fn cut(&mut self, shard: Shard) -> Result<(), Failure> {
        if !self.config.is_decided_beforehand() {
            let what = match &self.config.schedule {
                Some(schedule) => format!("schedule: {}", schedule.goal),
                None => format!("format: {}", self.config.format),
            };
            let message = format!("`{what}` cannot be played in shards: results decide what is played next");
            let hint = "leave `--shard` out, or play a round robin, a gauntlet or a list";
            return Err(Failure::usage(message).hint(hint));
        }
        let mut out = self.out.clone().into_os_string();
        out.push(format!(".shard-{}", shard.to_string().replace('/', "-of-")));
        self.out = PathBuf::from(out);
        self.shard = Some(shard);
        Ok(())
    }
}
