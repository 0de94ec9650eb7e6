//! Bots of commits: every worker builds them itself, once, and says so where it cannot.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::{Running, Site, told};

/// How the commits are built: the bot is there only afterwards, and the build fails where there is a file `broken` in the site.
const BUILD: &str = "test ! -e SITE/broken && cp bot.txt bot.py";

impl Site {
    /// Makes a repository of two commits in the folder `repository`.
    fn repository(&self) {
        let repository = self.path().join("repository");
        fs::create_dir(&repository).expect("a folder");
        let git = |words: &[&str]| {
            let mut command = Command::new("git");
            command.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(words);
            command.current_dir(&repository).env("GIT_CONFIG_GLOBAL", "/dev/null");
            assert!(command.env("GIT_CONFIG_SYSTEM", "/dev/null").status().expect("git").success());
        };
        git(&["init", "--quiet", "--initial-branch=main"]);
        let fast = crate::SLOW.replace("time.sleep(0.02)", "pass").replace("plays *", "plays *\\ncan nodes");
        for version in ["one", "two"] {
            fs::write(repository.join("bot.txt"), format!("# {version}\n{fast}")).expect("a file");
            git(&["add", "--all"]);
            git(&["commit", "--quiet", "--message", version]);
        }
        // A build runs as a user of its own, where the arena is root.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(self.path(), fs::Permissions::from_mode(0o711)).expect("its mode");
        }
    }

    /// Has the second commit play the first.
    fn test_commits(&self, out: &str, workers: &[&str]) -> Command {
        let site = self.path().display().to_string();
        let (build, out) = (BUILD.replace("SITE", &site), format!("{site}/{out}"));
        let words = [
            "sprt",
            "--new",
            "git:HEAD",
            "--base",
            "git:HEAD~1",
            "--run",
            "python3 bot.py",
            "--build",
            &build,
            "--builds",
            "../builds",
            "--game",
            "farook",
            "--tc",
            "nodes 10",
            "--elo0",
            "0",
            "--elo1",
            "5",
            "--max-pairs",
            "6",
            "--out",
            &out,
        ];
        let mut command = self.arena(&words.iter().chain(workers).copied().collect::<Vec<_>>());
        command.current_dir(self.path().join("repository"));
        command
    }

    fn builder(&self, name: &str) -> Running {
        let (address, directory) = (self.address("p1"), self.path().join(name));
        let mut worker =
            self.arena(&["worker", &address, "--name", name, "--concurrency", "1", "--sandbox", "basic"]);
        let log = fs::File::create(self.path().join(format!("{name}.log"))).expect("a log");
        worker.arg("--directory").arg(directory).stderr(log).stdout(Stdio::null());
        Running(worker.spawn().expect("a worker"))
    }

    /// Returns when each build of a worker was done.
    fn builds(&self, name: &str) -> Vec<(String, std::time::SystemTime)> {
        let entries = fs::read_dir(self.path().join(name).join("builds")).into_iter().flatten().flatten();
        let done = entries.filter(|entry| entry.path().extension().is_some_and(|it| it == "built"));
        let mut builds: Vec<_> = done
            .map(|entry| {
                let built = entry.path().with_extension("").join("bot.py");
                let when = built.metadata().and_then(|meta| meta.modified()).expect("a time");
                (entry.file_name().to_string_lossy().into_owned(), when)
            })
            .collect();
        builds.sort();
        builds
    }
}

fn ended(command: &mut Command) -> Output {
    command.output().expect("it runs")
}

#[test]
fn commits_are_built_once_by_every_worker_and_told_where_they_cannot_be() {
    let site = Site::new();
    site.repository();
    let _broker = site.broker();
    let address = site.address("p1");
    let flags = ["--workers", address.as_str()];
    let workers = ["a", "b"].map(|name| site.builder(name));
    let first = ended(&mut site.test_commits("first", &flags));
    assert_eq!(site.games("first").len(), 12, "{}\n{}", told(&first), site.log("a"));
    let before = ["a", "b"].map(|name| site.builds(name));
    assert!(before.iter().any(|builds| builds.len() == 2), "{before:?}\n{}", told(&first));
    // The builds of the coordinator are in another place, and the archives are not what they were built from.
    for game in site.games("first") {
        assert!(game.failed.is_none() && game.worker.is_some(), "{}", told(&first));
    }
    // The next run finds them.
    let again = ended(&mut site.test_commits("again", &flags));
    assert_eq!(site.games("again").len(), 12, "{}", told(&again));
    for (name, before) in ["a", "b"].iter().zip(before) {
        let after = site.builds(name);
        assert!(before.iter().all(|build| after.contains(build)), "{before:?} {after:?}");
    }
    // What was built here need not be what can be built there.
    drop(workers);
    fs::write(site.path().join("broken"), "").expect("a file");
    let _other = site.builder("other");
    let mut run = site.test_commits("broken-run", &flags);
    let log = fs::File::create(site.path().join("broken-run.log")).expect("a log");
    let mut run = Running(run.stdout(Stdio::null()).stderr(log).spawn().expect("a run"));
    site.wait_for("broken-run", "worker other: cannot play this run: bot `new`: commit");
    site.wait_for("broken-run", "cannot be built on this machine: `test ! -e");
    // It has built them before.
    let _again = site.builder("a");
    run.0.wait().expect("it ends");
    assert_eq!(site.games("broken-run").len(), 12, "{}", site.log("broken-run"));
    let names: Vec<_> =
        site.games("broken-run").into_iter().filter_map(|game| Some(game.worker?.name)).collect();
    assert!(names.iter().all(|name| name != "other"), "{names:?}");
}
