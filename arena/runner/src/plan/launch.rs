//! The start of a bot's process.

use processes::{ProcessLimits, ProcessSpec};

use crate::Launch;

/// The environment variables of every bot besides the arena's own and those of its entry: output that is not held back, if the
/// language supports that, and UTF-8.
const ENVIRONMENT: [(&str, &str); 4] =
    [("PYTHONUNBUFFERED", "1"), ("PYTHONIOENCODING", "utf-8"), ("LC_ALL", "C.UTF-8"), ("ABP", "1")];

impl Launch {
    /// Returns the program with everything that its process needs: the prefix, if there is one, and the environment variables
    /// of every bot.
    #[must_use]
    pub fn to_process_spec(&self) -> ProcessSpec {
        let own = std::iter::once(self.program.clone().into_os_string()).chain(self.args.iter().cloned());
        let mut words = self.prefix.iter().cloned().chain(own);
        let own = self.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let quota = &self.quota;
        ProcessSpec {
            path: words.next().unwrap_or_default().into(),
            args: words.collect(),
            dir: self.dir.clone(),
            env: ENVIRONMENT
                .into_iter()
                .chain(own)
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            is_private: self.is_private,
            limits: ProcessLimits {
                memory_kib: quota.memory.map(|memory| memory.0),
                cpu: quota.cpu,
                processes: quota.processes,
                tasks: quota.tasks(),
            },
        }
    }
}
