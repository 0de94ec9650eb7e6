//! Builds of entries, confined as the bots are.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::getuid;

use crate::intake::{SHELL, SHELL_BOT, hand_in, table};
use crate::workshop::Workshop;

/// Tries what a build must not do, and keeps what came of it.
const HOSTILE: &str = r#"name: hostile
build: |
  cat "@/people/.ssh/id" > stolen || true
  echo planted > "@/planted" || true
  echo more >> "@/people/.ssh/id" || true
  chmod 600 "@/people/.ssh/id" || true
  python3 -c "import socket; socket.create_connection(('127.0.0.1', #)); open('called', 'w')" || true
  echo own > "$HOME/own" && touch built && chmod +x built
run: [sh, bot.sh]
"#;

/// Takes a hostile entry in at a level, and returns what its build has come to: stolen, planted, changed, called, opened.
#[cfg(unix)]
fn harm(level: &str) -> Option<[bool; 5]> {
    use std::net::TcpListener;
    use std::os::unix::fs::PermissionsExt as _;

    let workshop = Workshop::new();
    // Whoever builds as another user has to come here.
    fs::set_permissions(workshop.path(""), fs::Permissions::from_mode(0o755)).expect("it is opened");
    let secret = workshop.path("people/.ssh/id");
    fs::create_dir_all(secret.parent().expect("a folder")).expect("a folder");
    fs::write(&secret, "secret").expect("a file");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o644)).expect("it is set");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let entry = workshop.path("entries/hostile");
    fs::create_dir_all(&entry).expect("a folder");
    let text = HOSTILE.replace('@', &workshop.path("").display().to_string()).replace('#', &port.to_string());
    fs::write(entry.join("bot.yaml"), text).expect("a file");
    fs::write(entry.join("bot.sh"), SHELL_BOT).expect("a file");
    let words = ["intake", "entries", "--game", "farook", "--quick", "--margin", "20s", "--sandbox", level];
    let ended = workshop.run(&words);
    if ended.code == 2 {
        // Nothing is built with less than was asked for.
        assert!(ended.stderr.contains("builds cannot be confined at"), "{}", ended.stderr);
        assert!(!workshop.path("intake/entries/hostile").exists());
        return None;
    }
    assert_eq!(ended.code, 0, "{}{}", ended.stderr, workshop.read("intake/feedback/hostile.md"));
    assert_eq!(ended.stderr.contains("builds: contest"), level == "contest", "{}", ended.stderr);
    let built = workshop.path("intake/entries/hostile");
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    // What the build has made can be read by whoever plays it.
    assert_eq!(mode(&built.join("bot.sh")) & 0o444, 0o444);
    Some([
        fs::read(built.join("stolen")).is_ok_and(|text| !text.is_empty()),
        workshop.path("planted").exists(),
        fs::read(&secret).ok().as_deref() != Some(b"secret") || mode(&secret) != 0o644,
        listener.set_nonblocking(true).and_then(|()| listener.accept()).is_ok(),
        built.join("called").exists(),
    ])
}

#[test]
#[cfg(target_os = "linux")]
fn a_build_does_no_harm_where_it_is_confined() {
    // What is refused below has to be possible at all.
    assert_eq!(harm("none"), Some([true; 5]));
    let confined = harm("contest");
    println!("judged: that a confined build does no harm: {}", confined.is_some());
    assert_eq!(confined.unwrap_or_default(), [false; 5]);
}

#[test]
#[cfg(target_os = "linux")]
fn ordinary_builds_succeed_where_they_are_confined() {
    use std::os::unix::fs::PermissionsExt as _;

    const ENTRIES: [(&str, &str, &str, &str, &str, &str); 4] = [
        (
            "c",
            "cc",
            "cc -O1 -o bot bot.c && chmod +x bot && touch bot",
            "[./bot]",
            "bot.c",
            include_str!("../../bots/c/random_bot.c"),
        ),
        (
            "java",
            "javac",
            "javac RandomBot.java",
            "[java, RandomBot]",
            "RandomBot.java",
            include_str!("../../bots/java/RandomBot.java"),
        ),
        (
            "go",
            "go",
            "go build -o bot bot.go",
            "[./bot]",
            "bot.go",
            include_str!("../../bots/go/random_bot.go"),
        ),
        (
            "rust",
            "rustc",
            "rustc --edition 2021 -o bot bot.rs",
            "[./bot]",
            "bot.rs",
            include_str!("../../bots/rust/random_bot.rs"),
        ),
    ];
    let workshop = Workshop::new();
    fs::set_permissions(workshop.path(""), fs::Permissions::from_mode(0o755)).expect("it is opened");
    // A toolchain that lies in a closed home is none for a user of the build's own.
    let is_open = |path: &PathBuf| {
        path.canonicalize().is_ok_and(|path| {
            path.ancestors()
                .all(|part| fs::metadata(part).is_ok_and(|part| part.permissions().mode() & 0o001 != 0))
        })
    };
    let is_by_another = getuid().is_root();
    let path = env::var_os("PATH").unwrap_or_default();
    let (mut entries, mut closed) = (vec!["sh"], Vec::new());
    hand_in(&workshop.path("entries"), &SHELL, 0);
    for (name, tool, build, run, file, text) in &ENTRIES {
        let found: Vec<_> =
            env::split_paths(&path).map(|folder| folder.join(tool)).filter(|tool| tool.is_file()).collect();
        if found.is_empty() {
            continue;
        }
        let folder = workshop.path("entries").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        let manifest = format!("name: {name}\ntools: [{tool}]\nbuild: {build}\nrun: {run}\n");
        fs::write(folder.join("bot.yaml"), manifest).expect("a file");
        fs::write(folder.join(file), text).expect("a file");
        let is_usable = !is_by_another || found.iter().any(is_open);
        if is_usable { &mut entries } else { &mut closed }.push(name);
    }
    let words =
        ["intake", "entries", "--game", "farook", "--quick", "--margin", "20s", "--sandbox", "contest"];
    let ended = workshop.run(&words);
    if ended.code == 2 {
        println!("judged: that builds are refused where they cannot be confined");
        assert!(ended.stderr.contains("builds cannot be confined at"), "{}", ended.stderr);
        return;
    }
    println!("judged: confined builds of {entries:?}; that nobody may use what builds {closed:?}");
    assert_eq!(ended.code, i32::from(!closed.is_empty()), "{}", ended.stderr);
    assert_eq!(table(&workshop.read("intake/intake.csv")).len(), entries.len() + closed.len());
    for name in closed {
        let told = workshop.read(&format!("intake/feedback/{name}.md"));
        assert!(told.contains("may not use what lies in"), "{told}");
    }
}
