//! The executable in a root that holds nothing but it and an interpreter for bots.

use std::fs;
use std::path::Path;

use crate::dist::fresh;
use crate::shell::{ChoreError, need, run};

/// The interpreter of Debian with its libraries and modules; the shell of the test stays outside.
const INTERPRETER: &str = "set -e; \
    real=$(readlink --canonicalize /usr/bin/python3); mkdir -p root/bin root/usr/lib root/lib64 root/tmp root/proc root/dev root/work; \
    cp \"$real\" root/bin/python3; ldd \"$real\" | grep --only-matching '/[^ ]*' | xargs --replace cp --parents --dereference {} root; \
    cp -r /usr/lib/$(basename \"$real\") root/usr/lib/; rm -rf root/usr/lib/python3*/test; touch root/dev/null";

/// The bot of the README.
const BOT: &str = "\
import random, sys

for line in sys.stdin:
    word, *rest = line.split() or [\"\"]
    if word == \"ugi\":       print(\"protocol 1\\nplays *\\nwant legal\\nugiok\")
    elif word == \"game\":    random.seed(line)
    elif word == \"isready\": print(\"readyok\")
    elif word == \"legal\":   legal = rest
    elif word == \"go\":      print(\"bestmove\", random.choice(legal))
    elif word == \"quit\":    break
    sys.stdout.flush()
";

/// Plays the quickstart of the README in an empty root, checks the bot, makes a report, and has `arena doctor` say which levels of the sandbox hold
/// there.
///
/// # Errors
/// When something of that fails.
pub(super) fn check(stage: &Path, folder: &Path) -> Result<(), ChoreError> {
    fresh(folder)?;
    need(&["/usr/bin/python3"], &["python3"])?;
    run(INTERPRETER, folder)?;
    for name in ["arena", "arena-chess"] {
        fs::copy(stage.join("bin").join(name), folder.join("root/bin").join(name))?;
    }
    fs::write(folder.join("root/work/mine.py"), BOT)?;
    // A root of its own, with the processes and the empty device that every system has.
    let inside = |words: &str| {
        format!(
            "unshare --mount --pid --fork bash -c 'mount -t proc proc root/proc && mount --bind /dev/null root/dev/null && \
             exec env -i PATH=/bin HOME=/tmp $(command -v chroot) root /bin/arena {words}'"
        )
    };
    let line = |words: &str, rest: &str| format!("{} {rest}", inside(words));
    run(
        &line(
            "match greedy \"python3 work/mine.py\" --game fanorona:size=5x5",
            "> match.txt && grep -q \"2 games played\" match.txt",
        ),
        folder,
    )?;
    run(
        &line("check --quick -- python3 work/mine.py", "> check.txt && grep -q \"^ok 1 \" check.txt"),
        folder,
    )?;
    run(
        &line(
            "run --rounds 1 --tc \"movetime 5ms\" --out work/run",
            "> run.txt && test -s root/work/run/report.html",
        ),
        folder,
    )?;
    run(&line("new bot --lang python work/first", "&& test -s root/work/first/tournament.yaml"), folder)?;
    run(&line("doctor --concurrency 1", "> doctor.txt; grep -e sandbox -e limits doctor.txt"), folder)?;
    run("test $(grep -c ^sandbox doctor.txt) -ge 3", folder)
}
