//! The recipes by which workers are started on many machines: their words are those of the arena, and their scripts run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_yaml::Value;

use crate::workshop::{Ended, Workshop};

fn recipe(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("arena/packaging").join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(recipe(name)).expect("the recipe is there")
}

/// Fails unless these words start a worker: it goes on to the broker, which is not there.
fn assert_starts(workshop: &Workshop, words: &[String]) {
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let mut command = workshop.arena(&words);
    let ended = Ended::new(command.env("ARENA_BROKER", "nats://127.0.0.1:1").output().expect("it starts"));
    let told = &ended.stderr;
    // A key that is there is read only by an arena that knows brokers.
    let gets_there = ["built without NATS", "no broker answers", "cannot be read"];
    assert!(gets_there.iter().any(|text| told.contains(text)), "{words:?}: {told}");
}

/// Returns the manifest with its one container.
fn manifest(name: &str) -> (Value, Value) {
    let manifest: Value = serde_yaml::from_str(&text(name)).expect("a recipe is YAML");
    let containers = &manifest["spec"]["template"]["spec"]["containers"];
    let containers = containers.as_sequence().expect("a list");
    assert_eq!(containers.len(), 1, "{name}");
    let container = containers[0].clone();
    (manifest, container)
}

fn strings(list: &Value) -> Vec<String> {
    list.as_sequence().expect("a list").iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
}

/// The words with which the container begins, which those of a pod follow.
fn entry_point() -> Vec<String> {
    let file = text("container/Containerfile");
    let line = file.lines().find_map(|line| line.strip_prefix("ENTRYPOINT ")).expect("it has an entry point");
    let words: Vec<String> = serde_json::from_str(line).expect("a list of words");
    assert_eq!(words[0], "arena");
    words[1..].to_vec()
}

#[test]
fn the_container_starts_a_worker_and_ends_it_as_the_arena_is_ended() {
    let workshop = Workshop::new();
    // The directory is one of the container.
    let words = entry_point();
    let own = workshop.path("worker").display().to_string();
    let words: Vec<_> =
        words.into_iter().map(|word| if word.starts_with('/') { own.clone() } else { word }).collect();
    assert_starts(&workshop, &words);
    let file = text("container/Containerfile");
    assert!(file.lines().any(|line| line == "STOPSIGNAL SIGTERM"));
    let known = ["FROM", "COPY", "RUN", "USER", "WORKDIR", "VOLUME", "STOPSIGNAL", "ENTRYPOINT"];
    for line in file.lines().filter(|line| !line.starts_with([' ', '#']) && !line.is_empty()) {
        assert!(known.iter().any(|word| line.starts_with(word)), "{line}");
    }
}

#[test]
fn the_manifests_of_kubernetes_start_workers() {
    let workshop = Workshop::new();
    for (name, kind) in [("kubernetes/deployment.yaml", "Deployment"), ("kubernetes/job.yaml", "Job")] {
        let (manifest, container) = manifest(name);
        assert_eq!(manifest["kind"], Value::from(kind), "{name}");
        let pod = &manifest["spec"]["template"]["spec"];
        // As long as the unit of systemd and the container give it.
        assert_eq!(pod["terminationGracePeriodSeconds"], Value::from(600), "{name}");
        let mut words = entry_point();
        words.extend(strings(&container["args"]));
        let index = words.iter().map(|word| word.replace("$(JOB_COMPLETION_INDEX)", "2"));
        let words: Vec<_> = index
            .map(|word| match word.strip_prefix('/') {
                Some(path) => workshop.path(&path.replace('/', "-")).display().to_string(),
                None => word,
            })
            .collect();
        assert!(words.iter().all(|word| !word.contains("$(")), "{words:?}");
        assert_starts(&workshop, &words);
        // Every directory that a container mounts is a volume of the pod, and every variable it names is set.
        let volumes: Vec<_> =
            pod["volumes"].as_sequence().expect("a list").iter().map(|volume| &volume["name"]).collect();
        for mount in container["volumeMounts"].as_sequence().expect("a list") {
            assert!(volumes.contains(&&mount["name"]), "{name}: {mount:?}");
        }
        let variables: Vec<_> = container["env"].as_sequence().expect("a list").iter().collect();
        assert!(variables.iter().any(|variable| variable["name"] == Value::from("ARENA_BROKER")), "{name}");
    }
    let (deployment, _) = manifest("kubernetes/deployment.yaml");
    let labels = &deployment["spec"]["template"]["metadata"]["labels"];
    assert_eq!(&deployment["spec"]["selector"]["matchLabels"], labels);
}

#[test]
fn the_script_of_slurm_starts_the_worker_of_its_task() {
    let workshop = Workshop::new();
    let script = recipe("slurm/workers.slurm").display().to_string();
    let checked = Command::new("sh").args(["-n", &script]).status().expect("a shell");
    assert!(checked.success());
    if let Ok(found) = Command::new("shellcheck").arg(&script).output() {
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stdout));
    }
    // An `arena` in `PATH` that says with which words it is started.
    let stub = workshop.write("arena", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&stub, fs::Permissions::from_mode(0o755)).expect("its mode");
    }
    let path = format!("{}:{}", stub.parent().expect("a folder").display(), env!("PATH"));
    let mut command = workshop.command("sh", &[&script]);
    command.env("PATH", &path).env("SLURM_ARRAY_TASK_ID", "7").env("SLURM_TMPDIR", workshop.path("tmp"));
    let without = Ended::new(command.env_remove("ARENA_BROKER").output().expect("a shell"));
    assert!(without.stderr.contains("set it to the address of the broker"), "{}", without.stderr);
    let with = command.env("ARENA_BROKER", "nats://127.0.0.1:1").output().expect("a shell");
    let words: Vec<_> = Ended::new(with).expect(0).stdout.lines().map(str::to_owned).collect();
    assert!(words.contains(&"keys/w7.key".to_owned()), "{words:?}");
    assert_starts(&workshop, &words);
    let signal = "#SBATCH --signal=B:TERM@600";
    assert!(text("slurm/workers.slurm").lines().any(|line| line == signal));
}
