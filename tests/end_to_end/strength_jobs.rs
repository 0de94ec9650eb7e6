//! The step for workflows (`arena/packaging/ci/action.yml`) and the job for GitLab (`gitlab.yml` beside it), run as their servers would.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_yaml::{Mapping, Value};

use crate::sprt_git::{Repository, STRONG, WEAK};
use crate::workshop::{Ended, executable};

const SCRIPT: &str = include_str!("../../arena/packaging/ci/strength.sh");
const EXAMPLE: &str = include_str!("../../arena/docs/examples/strength.yml");
const PAGE: &str = include_str!("../../arena/docs/sprt-in-ci.md");
/// What is played in most of these tests.
const INPUTS: [(&str, &str); 4] = [
    ("run", "python3 bot.py"),
    ("build", "python3 -m py_compile bot.py"),
    ("game", "farook fanorona:size=5x5"),
    ("tc", "nodes 100"),
];

/// The same for the job of GitLab, which plays the executable under test.
static GITLAB: LazyLock<[(&str, &str); 4]> = LazyLock::new(|| {
    [
        ("ARENA_EXECUTABLE", executable()),
        ("ARENA_RUN", "python3 bot.py"),
        ("ARENA_GAME", "farook"),
        ("ARENA_TC", "nodes 100"),
    ]
});

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn yaml(name: &str) -> Value {
    let text = fs::read_to_string(root().join(name)).expect("the file is there");
    serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn mapping(value: &Value) -> &Mapping {
    value.as_mapping().expect("a mapping")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// A build server with a repository: every job starts with a fresh clone, and what jobs keep outlives them.
struct Server {
    repository: Repository,
    /// The number of jobs so far.
    jobs: usize,
    /// The keys of what was kept, in order; it lies in `kept/N`.
    kept: Vec<String>,
    /// The branch that is checked out.
    branch: &'static str,
    /// The branch into which it is to be merged, if the job is one of a pull request.
    target: Option<&'static str>,
    /// Whether the clone has the last commit only.
    is_shallow: bool,
}

/// How a job ended.
struct Job {
    ended: Ended,
    outputs: BTreeMap<String, String>,
    summary: String,
}

impl Server {
    /// A server whose repository has a bot on `main` and another one on the branch `change`.
    fn new(base: &str, new: &str) -> Self {
        let repository = Repository::new(base);
        repository.git(&["switch", "--quiet", "--create", "change"]);
        repository.commit(new);
        // The sources that come with the action, in a copy that no other test writes to.
        let scripts = repository.workshop.path("action/arena/packaging/ci");
        fs::create_dir_all(&scripts).expect("a folder");
        fs::write(scripts.join("strength.sh"), SCRIPT).expect("the folder takes a file");
        let (branch, target) = ("change", Some("main"));
        Self { repository, jobs: 0, kept: Vec::new(), branch, target, is_shallow: true }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.repository.workshop.path(name)
    }

    /// Begins a job: everything of the last one is gone, and the branch is cloned anew.
    fn check_out(&mut self) {
        self.jobs += 1;
        let clone = self.path("workspace");
        if clone.exists() {
            fs::remove_dir_all(&clone).expect("the last clone goes");
        }
        let source = format!("file://{}", self.path("repository").display());
        let depth = if self.is_shallow { "--depth=1" } else { "--no-single-branch" };
        self.repository.git(&[
            "clone",
            "--quiet",
            depth,
            "--branch",
            self.branch,
            &source,
            &clone.to_string_lossy(),
        ]);
    }

    /// Runs a script in the clone as the server does, with these variables.
    fn run(&self, script: &str, variables: &BTreeMap<String, String>) -> Ended {
        let file = self.repository.workshop.write("step.sh", script);
        let words = ["--noprofile", "--norc", "-eo", "pipefail", &file.to_string_lossy()];
        let mut command = self.repository.workshop.command("bash", &words);
        command.current_dir(self.path("workspace")).env("GIT_CONFIG_GLOBAL", "/dev/null");
        for name in
            ["GITHUB_BASE_REF", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"]
        {
            command.env_remove(name);
        }
        Ended::new(command.envs(variables).output().expect("bash starts"))
    }

    /// Runs the step of `action.yml` with these inputs, as GitHub's runner does.
    fn action(&mut self, given: &[(&str, &str)]) -> Job {
        self.action_with(given, &[])
    }

    fn action_with(&mut self, given: &[(&str, &str)], variables: &[(&str, &str)]) -> Job {
        self.check_out();
        let action = yaml("arena/packaging/ci/action.yml");
        let declared = mapping(&action["inputs"]);
        for (name, _) in given {
            assert!(declared.contains_key(*name), "`{name}` is no input of action.yml");
        }
        let mut context: BTreeMap<String, String> = [
            ("runner.os", "Linux".to_owned()),
            ("runner.arch", "X64".to_owned()),
            ("github.ref_name", "12/merge".to_owned()),
            ("github.run_id", format!("{:03}", self.jobs)),
            ("github.run_attempt", "1".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        for (name, input) in declared {
            let name = text(name);
            let given = given.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
            let value = given.or_else(|| input["default"].as_str()).unwrap_or_default();
            context.insert(format!("inputs.{name}"), value.to_owned());
        }
        let (output, summary) = (self.path("output.txt"), self.path("summary.md"));
        for file in [&output, &summary] {
            fs::write(file, "").expect("the folder takes a file");
        }
        let mut ended: Option<Ended> = None;
        for step in action["runs"]["steps"].as_sequence().expect("steps") {
            let is_always = step["if"].as_str() == Some("always()");
            if ended.as_ref().is_some_and(|ended| ended.code != 0) && !is_always {
                continue;
            }
            if let Some(uses) = step["uses"].as_str() {
                let with = |key: &str| substituted(text(&step["with"][key]), &context);
                match uses {
                    "actions/cache/restore@v4" => self.bring_back(&with("path"), &with("restore-keys")),
                    "actions/cache/save@v4" => self.keep(&with("path"), with("key")),
                    _ => panic!("this test does not know `{uses}`"),
                }
                continue;
            }
            assert_eq!(step["shell"], "bash", "steps of an action name their shell");
            let run = text(&step["run"]);
            assert!(!run.contains("${{"), "inputs come as variables, not into the text of a script: {run}");
            let mut environment: BTreeMap<String, String> = mapping(&step["env"])
                .iter()
                .map(|(name, value)| (text(name).to_owned(), substituted(text(value), &context)))
                .collect();
            let mut set = |name: &str, value: &str| environment.insert(name.to_owned(), value.to_owned());
            set("GITHUB_ACTION_PATH", &self.path("action/arena/packaging/ci").to_string_lossy());
            set("GITHUB_OUTPUT", &output.to_string_lossy());
            set("GITHUB_STEP_SUMMARY", &summary.to_string_lossy());
            self.target.map(|target| set("GITHUB_BASE_REF", target));
            for (name, value) in variables {
                set(name, value);
            }
            ended = Some(self.run(run, &environment));
            let written = fs::read_to_string(&output).expect("outputs");
            for (name, value) in written.lines().filter_map(|line| line.split_once('=')) {
                context.insert(format!("steps.{}.outputs.{name}", text(&step["id"])), value.to_owned());
            }
        }
        let outputs = mapping(&action["outputs"]).iter();
        let outputs = outputs
            .map(|(name, output)| (text(name).to_owned(), substituted(text(&output["value"]), &context)));
        let ended = ended.expect("the action has a step that runs");
        let job =
            Job { outputs: outputs.collect(), summary: self.repository.workshop.read("summary.md"), ended };
        assert_eq!(job.outputs["exit-code"], job.ended.code.to_string(), "{}", job.ended.stderr);
        assert_eq!(job.ended.stdout.contains("::error title=arena sprt::"), job.ended.code != 0);
        assert!(Path::new(&job.outputs["junit"]).is_file() && Path::new(&job.outputs["summary"]).is_file());
        job
    }

    /// Runs the job of `gitlab.yml` as GitLab's runner does, with these variables besides those that the server sets.
    fn gitlab(&mut self, job: &Value, variables: &[(&str, &str)]) -> Ended {
        self.check_out();
        let slugs = [("$CI_JOB_NAME_SLUG", "strength"), ("$CI_COMMIT_REF_SLUG", self.branch)];
        let key = |value: &Value| {
            let key = slugs.iter().fold(text(value).to_owned(), |key, (name, slug)| key.replace(name, slug));
            assert!(!key.contains('$'), "this test does not know `{key}`");
            key
        };
        let caches: Vec<_> = job["cache"].as_sequence().expect("a list of caches").iter().collect();
        let path = |cache: &Value| {
            let paths = cache["paths"].as_sequence().expect("paths");
            assert!(paths.len() == 1 && cache["when"] == "always", "{cache:?}");
            text(&paths[0]).trim_end_matches('/').to_owned()
        };
        for cache in caches.iter().filter(|cache| cache["policy"] != "push") {
            let others = cache["fallback_keys"].as_sequence().into_iter().flatten();
            let mut keys = std::iter::once(&cache["key"]).chain(others).map(key);
            if let Some(found) = keys.find_map(|key| self.kept.iter().rposition(|kept| *kept == key)) {
                self.copy(
                    &self.path("kept").join(found.to_string()),
                    &self.path("workspace").join(path(cache)),
                );
            }
        }
        let target = self.target.map(|target| ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", target));
        let variables = variables.iter().copied().chain(target);
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let ended = self.run(text(&job["script"][0]), &variables);
        for cache in caches {
            let key = key(&cache["key"]);
            // What was kept under the key is replaced.
            self.kept.iter_mut().filter(|kept| **kept == key).for_each(String::clear);
            self.keep(&path(cache), key);
        }
        ended
    }

    fn copy(&self, from: &Path, to: &Path) {
        let words = ["-a", &from.to_string_lossy(), &to.to_string_lossy()];
        Ended::new(self.repository.workshop.command("cp", &words).output().expect("cp starts")).expect(0);
    }

    fn keep(&mut self, path: &str, key: String) {
        assert!(!self.kept.contains(&key), "a key is used once");
        fs::create_dir_all(self.path("kept")).expect("a folder");
        self.copy(&self.path("workspace").join(path), &self.path("kept").join(self.kept.len().to_string()));
        self.kept.push(key);
    }

    fn bring_back(&self, path: &str, prefixes: &str) {
        let newest = |prefix: &str| self.kept.iter().rposition(|key| key.starts_with(prefix));
        if let Some(found) = prefixes.lines().find_map(newest) {
            self.copy(&self.path("kept").join(found.to_string()), &self.path("workspace").join(path));
        }
    }

    /// Counts the entries of a folder of what the last job left whose names end so.
    fn count(&self, folder: &str, end: &str) -> usize {
        let entries = fs::read_dir(self.path("workspace/.arena-ci").join(folder)).expect("a folder");
        entries
            .filter(|entry| entry.as_ref().expect("an entry").file_name().to_string_lossy().ends_with(end))
            .count()
    }
}

/// Puts values into `${{ … }}`; one that is not known fails the test.
fn substituted(text: &str, context: &BTreeMap<String, String>) -> String {
    let mut parts = text.split("${{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |done, part| {
        let (name, rest) = part.split_once("}}").expect("an expression ends");
        let name = name.trim();
        let is_step = name.starts_with("steps.play.outputs.");
        let value = context.get(name).map(String::as_str).or(is_step.then_some(""));
        done + value.unwrap_or_else(|| panic!("this test does not know `{name}`")) + rest
    })
}

/// These inputs, and the executable under test.
fn with<'a>(inputs: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [inputs, &[("executable", executable())]].concat()
}

#[test]
fn a_weaker_bot_fails_the_pull_request() {
    let mut server = Server::new(STRONG, WEAK);
    let job = server.action(&with(&INPUTS));
    assert_eq!(job.ended.code, 1, "{}", job.ended.stderr);
    assert_eq!(job.outputs["verdict"], "failed");
    let summary = &job.summary;
    assert!(
        summary.starts_with("Is new weaker than base by less than 100 normalized Elo, if at all?\n\n"),
        "{summary}"
    );
    let [new, base] =
        ["change", "main"].map(|name| server.repository.git(&["rev-parse", "--short=12", name]));
    for part in [
        "\n**No: the test has failed.",
        "| LLR | -",
        "| pairs | ",
        "| Elo, naive | ",
        "| Elo, median-unbiased | ",
        "on time)",
        "| machine | ",
        "farook (nodes 100), fanorona size=5x5 (nodes 100)",
        &format!("new is {}; base is {}", new.trim(), base.trim()),
    ] {
        assert!(summary.contains(part), "{part}: {summary}");
    }
    assert_eq!(fs::read_to_string(&job.outputs["summary"]).expect("a file"), *summary);
    let junit = fs::read_to_string(&job.outputs["junit"]).expect("a file");
    assert!(junit.contains("failures=\"1\"") && junit.contains("<property name=\"new.digest\""), "{junit}");
    assert!(Path::new(&job.outputs["directory"]).join("report.html").is_file());
}

#[test]
fn a_stronger_bot_passes_in_the_example_of_the_page() {
    let mut server = Server::new(WEAK, STRONG);
    let example: Value = serde_yaml::from_str(EXAMPLE).expect("the example is YAML");
    let steps = example["jobs"]["strength"]["steps"].as_sequence().expect("steps");
    let step = steps
        .iter()
        .find(|step| text(&step["uses"]).starts_with("OWNER/arena/arena/packaging/ci@"))
        .expect("our step");
    let inputs: Vec<_> =
        mapping(&step["with"]).iter().map(|(name, value)| (text(name), text(value))).collect();
    let job = server.action(&with(&inputs));
    assert_eq!(job.ended.code, 0, "{}", job.ended.stderr);
    assert_eq!(job.outputs["verdict"], "passed");
    assert!(job.summary.contains("\n**Yes: the test is passed."), "{}", job.summary);
    let junit = fs::read_to_string(&job.outputs["junit"]).expect("a file");
    assert!(junit.contains("failures=\"0\" errors=\"0\" skipped=\"0\""), "{junit}");
}

#[test]
fn a_test_without_a_verdict_continues_in_a_fresh_clone() {
    let mut server = Server::new(WEAK, STRONG);
    let inputs =
        [&INPUTS[..2], &[("game", "farook"), ("tc", "nodes 100"), ("flags", "--max-pairs\n2\n")]].concat();
    let first = server.action(&with(&inputs));
    assert_eq!(first.ended.code, 3, "{}", first.ended.stderr);
    assert_eq!(first.outputs["verdict"], "no-verdict");
    assert_eq!(first.ended.stderr.matches("building ").count(), 2, "{}", first.ended.stderr);
    let games =
        |job: &Job| record::read(Path::new(&job.outputs["directory"])).expect("a journal").games.len();
    assert_eq!(games(&first), 4);
    // A job whose input has an error leaves the test as it is.
    let wrong = [&with(&inputs)[..], &[("flags", "--no-such-flag")]].concat();
    let wrong: Vec<_> =
        wrong.into_iter().filter(|(name, value)| *name != "flags" || value.contains("such")).collect();
    assert_eq!(server.action(&wrong).ended.code, 2);
    // Another runner: the builds and the games are those of the first one, and the time that is allowed may differ.
    let again = server.action(&[&with(&inputs)[..], &[("max-time", "30m")]].concat());
    assert_eq!(again.ended.code, 3, "{}", again.ended.stderr);
    assert!(!again.ended.stderr.contains("building "), "{}", again.ended.stderr);
    assert_eq!((games(&again), &again.outputs["directory"]), (4, &first.outputs["directory"]));
    // Another commit: its own games, the build of the base again, and nothing of the commit before.
    server.repository.commit(&format!("{STRONG}\n"));
    let third = server.action(&with(&inputs));
    assert_eq!(third.ended.stderr.matches("building ").count(), 1, "{}", third.ended.stderr);
    assert_ne!(third.outputs["directory"], first.outputs["directory"]);
    assert_eq!((server.count("builds", ".built"), server.count("results", "")), (2, 1));
    // Of a push, the commit is compared with the one before it.
    (server.target, server.is_shallow) = (None, false);
    let push = server.action(&with(&inputs));
    assert_eq!(push.ended.code, 3, "{}", push.ended.stderr);
    let before = server.repository.git(&["rev-parse", "--short=12", "HEAD^"]);
    assert!(push.summary.contains(&format!("base is {}", before.trim())), "{}", push.summary);
}

#[test]
fn wrong_input_is_named_in_the_summary_with_exit_code_2() {
    let mut server = Server::new(WEAK, STRONG);
    let cases: [(&str, &str, &[&str]); 9] = [
        ("game", "chess-3", &["there is an error in the input", "unknown game `chess-3`"]),
        ("game", "", &["no game is named"]),
        ("run", "", &["nothing says how the bot of a commit is run"]),
        ("tc", "soon", &["`soon`"]),
        ("build", "echo almost; exit 7", &["cannot be built: exit status: 7", "almost"]),
        ("base", "git:nowhere", &["`git:nowhere` is no commit of this repository"]),
        ("flags", "--no-such-flag", &["--no-such-flag"]),
        ("directory", "sub", &["there is no directory `sub`"]),
        ("executable", "./no-arena", &["`./no-arena` is no executable", "the input `executable`"]),
    ];
    for (name, value, parts) in cases {
        let inputs: Vec<_> = with(&INPUTS).into_iter().filter(|(given, _)| *given != name).collect();
        let job = server.action(&[&inputs[..], &[(name, value)]].concat());
        assert_eq!(job.ended.code, 2, "{name}: {}", job.ended.stderr);
        assert_eq!(job.outputs["verdict"], "error");
        for part in parts {
            assert!(job.summary.contains(part), "{name}: {part}: {}", job.summary);
        }
        let junit = fs::read_to_string(&job.outputs["junit"]).expect("a file");
        assert!(junit.contains("errors=\"1\""), "{junit}");
    }
}

#[test]
fn the_arena_comes_from_an_archive_or_is_built_once() {
    let mut server = Server::new(WEAK, STRONG);
    let inputs =
        [&INPUTS[..2], &[("game", "farook"), ("tc", "nodes 100"), ("flags", "--max-pairs=1")]].concat();
    // Like the archives of a release, with a script instead of the executable, which a debug build makes large.
    fs::create_dir_all(server.path("release/arena-1/bin")).expect("a folder");
    let wrapper = format!("#!/bin/sh\nexec '{}' \"$@\"\n", executable());
    let executable = server.repository.workshop.write("release/arena-1/bin/arena", &wrapper);
    fs::set_permissions(executable, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode");
    let archive = server.path("arena-1.tar.gz").to_string_lossy().into_owned();
    let shell = |line: &str| {
        let mut command = server.repository.workshop.command("sh", &["-c", line]);
        Ended::new(command.output().expect("sh starts")).expect(0).stdout
    };
    shell("tar -czf arena-1.tar.gz -C release arena-1");
    let sha256 = shell("sha256sum arena-1.tar.gz")[..64].to_owned();
    let told = |sha256| [&inputs[..], &[("archive", archive.as_str()), ("sha256", sha256)]].concat();
    assert_eq!(server.action(&told(&sha256)).ended.code, 3);
    let other = server.action(&told("00ff"));
    assert!(other.ended.code == 2 && other.summary.contains("wants 00ff"), "{}", other.summary);
    // From the sources that came with the action, by a `cargo` that only notes what it was asked for.
    fs::create_dir(server.path("tools")).expect("a folder");
    let cargo = format!(
        "#!/bin/sh\necho \"$@\" >> '{}'\nwhile [ \"$1\" != --root ]; do shift; done\nmkdir -p \"$2/bin\"\ncp '{}' \"$2/bin/arena\"\n",
        server.path("asked.txt").display(),
        server.path("release/arena-1/bin/arena").display(),
    );
    let cargo = server.repository.workshop.write("tools/cargo", &cargo);
    fs::set_permissions(cargo, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode");
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", server.path("tools").display());
    let source = server.path("release").to_string_lossy().into_owned();
    for inputs in [inputs.clone(), inputs.clone(), [&inputs[..], &[("source", source.as_str())]].concat()] {
        let job = server.action_with(&inputs, &[("PATH", &path)]);
        assert_eq!(job.ended.code, 3, "{}", job.ended.stderr);
    }
    let asked = server.repository.workshop.read("asked.txt");
    let asked: Vec<_> = asked.lines().collect();
    assert_eq!(asked.len(), 2, "the second job took what the first one had built: {asked:?}");
    assert!(
        asked[0].starts_with(&format!(
            "install --locked --force --path {} --root ",
            server.path("action").display()
        )),
        "{asked:?}"
    );
    assert!(asked[1].contains(&format!("--path {source} ")), "{asked:?}");
}

#[test]
fn the_job_for_gitlab_holds_the_same_script() {
    const TEMPLATE: &str = "arena/packaging/ci/gitlab.yml";
    let written = fs::read_to_string(root().join(TEMPLATE)).expect("the template");
    let (head, _) = written.split_once("    - |\n").expect("the script is a block");
    let indented =
        SCRIPT.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("      {line}\n") });
    let whole = format!("{head}    - |\n{}", indented.collect::<String>());
    if std::env::var_os("ARENA_BLESS").is_some_and(|value| value == "1") {
        fs::write(root().join(TEMPLATE), &whole).expect("the template can be written");
    }
    assert!(
        written == whole,
        "{TEMPLATE} holds another script than strength.sh: `cargo xtask bless` writes it"
    );
    let job = &yaml(TEMPLATE)[".arena-strength"];
    let mut server = Server::new(STRONG, WEAK);
    let ended = server.gitlab(job, &*GITLAB).expect(1);
    assert!(ended.stdout.contains("**No: the test has failed."), "{}", ended.stdout);
    // What the server shows is there.
    let paths = job["artifacts"]["paths"].as_sequence().expect("paths").iter();
    for path in paths.chain([&job["artifacts"]["reports"]["junit"]]) {
        assert!(server.path("workspace").join(text(path)).exists(), "{path:?}");
    }
}

#[test]
fn the_job_for_gitlab_takes_what_its_branch_kept_and_a_new_branch_what_another_one_kept() {
    let job = &yaml("arena/packaging/ci/gitlab.yml")[".arena-strength"];
    let mut server = Server::new(WEAK, STRONG);
    server.repository.git(&["switch", "--quiet", "--create", "other", "main"]);
    server.repository.commit(&format!("{STRONG}\n"));
    let variables = [&GITLAB[..], &[("ARENA_BUILD", "true"), ("ARENA_FLAGS", "--max-pairs=2")]].concat();
    let built = |server: &mut Server, branch| {
        server.branch = branch;
        let ended = server.gitlab(job, &variables).expect(3);
        ended.stderr.matches("building ").count()
    };
    assert_eq!(built(&mut server, "change"), 2);
    // The base was built by the job of the other branch.
    assert_eq!(built(&mut server, "other"), 1);
    for branch in ["change", "other", "change"] {
        assert_eq!(built(&mut server, branch), 0, "{branch}");
        let journals = server.count("results", "");
        assert_eq!(journals, 1, "{branch}");
    }
}

#[test]
fn the_page_names_every_input_with_its_default() {
    let action = yaml("arena/packaging/ci/action.yml");
    let inputs = mapping(&action["inputs"]);
    let rows: Vec<_> =
        PAGE.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | `ARENA_")).collect();
    assert_eq!(rows.len(), inputs.len() - 1, "every input but `name` is a variable of the script too");
    for (name, row) in rows {
        let input = &inputs.get(name).unwrap_or_else(|| panic!("`{name}` is no input"));
        let variable = name.to_uppercase().replace('-', "_");
        assert!(row.starts_with(&format!("{variable}` | ")), "{row}");
        assert!(SCRIPT.contains(&format!("ARENA_{variable}")), "the script does not read ARENA_{variable}");
        let default = input["default"].as_str().map(|default| format!("`{default}`"));
        assert!(default.is_none_or(|default| row.contains(&default)), "{name}: {row}");
    }
    for name in ["`name`", "`verdict`", "`exit-code`", "`directory`", "`summary`", "`junit`"] {
        assert!(PAGE.contains(name), "the page does not name {name}");
    }
}
