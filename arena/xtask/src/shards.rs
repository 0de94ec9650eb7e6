//! The recipes for shards, as they stand in `arena/docs/examples/`: GNU parallel, and an array job of Slurm on a cluster of
//! one machine that is set up for it, without systemd and without rights but those of the user.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::shell::{ChoreError, executable, need, root, run};

/// The tournament of the recipes; bots limited by nodes play the same games in any shard.
const CUP: &str = "name: cup\ngames: [farook]\nbots: [{builtin: greedy}, {builtin: random}, {builtin: alphabeta}]\n\
                   rounds: 4\ntc: nodes 200\nout: cup\n";

/// How long the cluster may take to come up, and the job to be done.
const LIMIT: Duration = Duration::from_secs(120);

/// Does the same with an arena and a folder of its own.
pub(crate) fn check_alone() -> Result<(), ChoreError> {
    let root = root();
    let work = root.join("target").join("recipes");
    check(&executable("arena")?, &work)
}

/// Plays a tournament by each recipe and compares its table with that of one arena.
pub(crate) fn check(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    let programs = ["parallel", "slurmctld", "slurmd", "sbatch", "munged"];
    need(&programs, &["parallel", "slurm-wlm", "munge"])?;
    let folder = work.join("shards");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for name in ["bin", "whole", "parallel", "slurm"] {
        fs::create_dir_all(folder.join(name))?;
    }
    // The recipes find the arena where a user has it: in `PATH`.
    run(&format!("ln -s '{}' bin/arena", arena.display()), &folder)?;
    let path = format!("PATH='{}':\"$PATH\"", folder.join("bin").display());
    let examples = root().join("arena/docs/examples");
    for name in ["whole", "parallel", "slurm"] {
        fs::write(folder.join(name).join("cup.yaml"), CUP)?;
    }
    run(&format!("{path} arena run cup.yaml > table.txt"), &folder.join("whole"))?;
    run(&format!("{path} sh '{}/shards-parallel.sh'", examples.display()), &folder.join("parallel"))?;
    compare(&folder, "parallel")?;

    // The name of a socket is short: a deep folder would not do.
    let own = env::temp_dir().join(format!("arena-cluster-{}", process::id()));
    let cluster = Cluster::start(&own)?;
    let slurm = folder.join("slurm");
    let conf = cluster.configuration.display();
    let seconds = LIMIT.as_secs();
    let job = format!("timeout {seconds} sbatch --wait '{}/shards.slurm'", examples.display());
    let told = run(&format!("export SLURM_CONF='{conf}' {path}; {job}"), &slurm);
    if told.is_err() {
        // What explains it.
        run(&format!("tail -n 20 slurm-*.out '{}'/*.log || true", own.display()), &slurm)?;
    }
    told?;
    run(&format!("{path} arena merge cup.shard-*-of-4 -o cup"), &slurm)?;
    compare(&folder, "slurm")
}

/// Compares the tables of a merged run with those of the run by one arena.
fn compare(folder: &Path, name: &str) -> Result<(), ChoreError> {
    run(&format!("diff whole/cup/crosstable.csv {name}/cup/crosstable.csv"), folder)
}

/// The daemons of a cluster of one machine. Dropped, they are ended.
struct Cluster {
    /// The file that says where it is.
    configuration: PathBuf,
    /// Its folder, which goes with it.
    folder: PathBuf,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start(folder: &Path) -> Result<Self, ChoreError> {
        for name in ["state", "spool", "munge"] {
            fs::create_dir_all(folder.join(name))?;
        }
        // Programs for administrators lie where users do not look.
        let setup = "umask 077; dd if=/dev/urandom of=munge/key bs=1024 count=1 status=none; chmod 700 munge; \
                     { uname -n | cut -d. -f1; id -un; nproc; } > facts";
        run(setup, folder)?;
        let facts = fs::read_to_string(folder.join("facts"))?;
        let [host, user, cores] = facts.lines().collect::<Vec<_>>()[..] else {
            return Err(ChoreError(format!("this machine does not say what it is: {facts:?}")));
        };
        let configuration = folder.join("slurm.conf");
        fs::write(&configuration, Self::text(folder, [host, user, cores], [port()?, port()?]))?;
        let mut cluster = Self { configuration, folder: folder.to_owned(), daemons: Vec::new() };
        let at = folder.display();
        cluster.daemon(
            folder,
            &format!(
                "munged --foreground --force --socket='{at}/munge/socket' --key-file='{at}/munge/key' \
                 --pid-file='{at}/munge/pid' --log-file='{at}/munge/munged.log' --seed-file='{at}/munge/seed'"
            ),
        )?;
        cluster.wait_for(folder, "test -S munge/socket")?;
        cluster.daemon(folder, "slurmctld -D")?;
        cluster.daemon(folder, &format!("slurmd -D -N '{host}'"))?;
        cluster.wait_for(folder, "timeout 10 sinfo --noheader --format=%t 2> sinfo.txt | grep -qx idle")?;
        Ok(cluster)
    }

    /// Returns the configuration: no control groups, no accounting, everything in one folder.
    fn text(folder: &Path, [host, user, cores]: [&str; 3], [controller, node]: [u16; 2]) -> String {
        let at = folder.display();
        format!(
            "ClusterName=one\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n\
             AuthType=auth/munge\nAuthInfo=socket={at}/munge/socket\nCredType=cred/munge\nMpiDefault=none\n\
             ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nSwitchType=switch/none\n\
             JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
             SchedulerType=sched/builtin\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nReturnToService=2\n\
             SlurmctldPort={controller}\nSlurmdPort={node}\n\
             SlurmctldPidFile={at}/slurmctld.pid\nSlurmdPidFile={at}/slurmd.pid\n\
             SlurmctldLogFile={at}/slurmctld.log\nSlurmdLogFile={at}/slurmd.log\n\
             SlurmdSpoolDir={at}/spool\nStateSaveLocation={at}/state\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN\n\
             PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP\n"
        )
    }

    fn daemon(&mut self, folder: &Path, line: &str) -> Result<(), ChoreError> {
        println!("$ {line} &");
        let line = format!("PATH=\"$PATH:/usr/sbin:/sbin\"; exec {line}");
        let mut command = Command::new("bash");
        command.args(["-c", &line]).current_dir(folder).env("SLURM_CONF", &self.configuration);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.daemons.push(command.spawn()?);
        Ok(())
    }

    /// Waits until a line of bash succeeds.
    fn wait_for(&self, folder: &Path, line: &str) -> Result<(), ChoreError> {
        let deadline = Instant::now() + LIMIT;
        while Instant::now() < deadline {
            let mut command = Command::new("bash");
            command.args(["-c", line]).current_dir(folder).env("SLURM_CONF", &self.configuration);
            if command.stdin(Stdio::null()).status()?.success() {
                return Ok(());
            }
            thread::park_timeout(Duration::from_millis(200));
        }
        run("tail -n 20 *.log munge/*.log", folder)?;
        Err(ChoreError(format!("the cluster did not come up: `{line}` failed for {} s", LIMIT.as_secs())))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            // Asked to end, they end what they have started.
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
            let deadline = Instant::now() + Duration::from_secs(10);
            while Instant::now() < deadline && matches!(daemon.try_wait(), Ok(None)) {
                thread::park_timeout(Duration::from_millis(50));
            }
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Returns a port that nobody uses now.
fn port() -> Result<u16, ChoreError> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
