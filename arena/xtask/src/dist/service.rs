//! The worker as a service of systemd: the unit that the package of Debian brings, with that package installed.

use std::fs;
use std::path::Path;

use crate::dist::fresh;
use crate::shell::{ChoreError, need, run};

/// Where the package has its unit.
const UNIT: &str = "/usr/lib/systemd/system/arena-worker@.service";
/// The instance that is tried.
const NAME: &str = "arena-worker-1";
/// The page that says how it is given a key.
const PAGE: &str = include_str!("../../../docs/installing.md");
/// Has systemd read the unit, and the unit with the lines for a key. It warns of keys and values that it does not know, and ends with 0. A
/// misspelt key shows that it reads what is added.
const VERIFY: &str = "set -eu; part=/etc/systemd/system/arena-worker@1.service.d; trap 'rm -rf \"$part\"' EXIT; \
    verify() { local code=0 said; said=$(systemd-analyze verify --man=no arena-worker@1.service 2>&1) || code=$?; printf '%s\n' \"$said\"; \
    [ $code = 0 ] && ! grep -q arena-worker <<< \"$said\"; }; verify; mkdir -p \"$part\"; \
    sed 's/^LoadCredential/LoadedCredential/' key.conf > \"$part/key.conf\"; ! verify || exit 1; cp key.conf \"$part/key.conf\"; verify";
/// Starts the worker as systemd would.
const SCRIPT: &str = include_str!("service.sh");

/// What the unit says of how the worker is started.
#[derive(Debug, Default, PartialEq, Eq)]
struct Service {
    /// The command line.
    start: String,
    /// Variables and their values.
    environment: String,
    /// The signal that ends it.
    signal: String,
}

impl Service {
    /// Reads the section `[Service]` of a unit for the first instance.
    ///
    /// # Errors
    /// When it has a setting that the script does not imitate.
    fn of(unit: &str) -> Result<Self, ChoreError> {
        let mut service = Self::default();
        let section = unit.lines().skip_while(|line| *line != "[Service]").skip(1);
        let settings =
            section.take_while(|line| !line.starts_with('[')).filter(|line| !line.starts_with('#'));
        for line in settings.filter(|line| !line.is_empty()) {
            let line = line.replace("%i", "1");
            let unknown = || ChoreError(format!("service.sh imitates no `{line}`: add it there"));
            let (key, value) = line.split_once('=').ok_or_else(unknown)?;
            let expected = match key {
                "ExecStart" => {
                    value.clone_into(&mut service.start);
                    continue;
                }
                "Environment" => {
                    value.clone_into(&mut service.environment);
                    continue;
                }
                "KillSignal" => {
                    value.clone_into(&mut service.signal);
                    continue;
                }
                // How long, how often and in which control group: only a systemd that runs the machine does that.
                "Type" | "KillMode" | "TimeoutStopSec" | "Restart" | "RestartSec" | "Delegate" => continue,
                "EnvironmentFile" => "/etc/arena/worker.env",
                "StateDirectory" | "CacheDirectory" => NAME,
                "WorkingDirectory" => "/var/lib/arena-worker-1",
                "ProtectSystem" => "strict",
                "DynamicUser" | "ProtectHome" | "PrivateTmp" | "NoNewPrivileges" => "yes",
                _ => return Err(unknown()),
            };
            if value != expected {
                return Err(unknown());
            }
        }
        Ok(service)
    }
}

/// Returns the lines that the page adds to the unit for a key.
fn key_lines() -> &'static str {
    let block = PAGE.split_once("```ini\n").and_then(|(_, rest)| rest.split_once("```"));
    block.map_or("", |(lines, _)| lines)
}

/// Has systemd read the installed unit, and starts the worker with what it says: with its command line, variables and directories, by a
/// user without rights, without new privileges, with a file system that is read-only but for its directories. The worker plays a run.
///
/// # Errors
/// When systemd finds something to say of the unit, or the worker does not play or does not end.
pub(super) fn check(work: &Path) -> Result<(), ChoreError> {
    need(&["systemd-analyze", "nats-server"], &["systemd", "nats-server"])?;
    fs::write(work.join("key.conf"), key_lines())?;
    run(VERIFY, work)?;
    let service = Service::of(&fs::read_to_string(UNIT)?)?;
    let folder = work.join("service");
    fresh(&folder)?;
    let script = folder.join("service.sh");
    fs::write(&script, SCRIPT)?;
    let Service { start, environment, signal } = service;
    let line = format!(
        "NAME={NAME} START='{start}' SET='{environment}' SIGNAL={signal} WORK='{}' bash '{}'",
        folder.display(),
        script.display()
    );
    run(&line, work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::root;

    #[test]
    fn the_unit_has_no_setting_that_is_not_tried() {
        let unit = fs::read_to_string(root().join("arena/packaging/systemd/arena-worker@.service")).unwrap();
        let service = Service::of(&unit).unwrap();
        assert!(service.start.starts_with("/usr/bin/arena worker "), "{service:?}");
        assert!(service.environment.contains("HOME=/var/lib/arena-worker-1"), "{service:?}");
        assert_eq!(service.signal, "SIGTERM");
        assert!(key_lines().starts_with("[Service]\nLoadCredential="), "{}", key_lines());
        for (from, to) in [("PrivateTmp=yes", "PrivateTmp=no"), ("Delegate=yes", "PrivateNetwork=yes")] {
            let error = Service::of(&unit.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(to), "{error}");
        }
    }
}
