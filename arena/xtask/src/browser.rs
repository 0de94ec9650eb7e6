//! The pages of a run in a real browser.

use std::fs;
use std::path::Path;

use crate::shell::{Fault, root, run};

/// Chromium is a package of Debian, as Node is.
const NEED_CHROMIUM: &str = "command -v chromium > /dev/null || apt-get install --yes --no-install-recommends chromium || \
                             { echo 'install the Debian package chromium' >&2; exit 1; }";

/// Every game, some of them in other sizes, with names that a page might take for markup.
const TOURNAMENT: &str = "\
name: browser & co
games:
  - farook
  - faust
  - { game: faust, options: { size: 4 } }
  - frenzy
  - 2-frenzy
  - sophia
  - { game: sophia, options: { size: 6, swap: on } }
  - fanorona
  - { game: fanorona, options: { size: 5x5 } }
rounds: 1
tc: 10+0.1
bots:
  - { name: '<img src=x onerror=alert(1)>', builtin: random }
  - { name: greedy, builtin: greedy }
  - { name: '</script><script>alert(2)</script>', builtin: random }
";

/// A tournament that goes on while its live page is looked at; its bots can be played against.
const LASTING: &str = "\
name: cup
games: [farook, fanorona]
bots:
  - { name: '<img src=x onerror=alert(1)>', builtin: greedy }
  - { name: random, builtin: random }
rounds: 3000
tc: movetime 30ms
concurrency: 1
out: runs/cup
";

/// A run that goes on for as long as it is looked at.
const WATCHED: &str = "\
name: watch
games:
  - farook
  - 2-frenzy
  - { game: fanorona, options: { size: 5x5 } }
rounds: 1000
tc: movetime 300ms
margin: 5s
concurrency: 2
out: runs/watch
bots:
  - { name: '<img src=x onerror=alert(1)>', builtin: random }
  - { name: thinker, builtin: alphabeta }
";

/// Plays a small tournament of all games and looks at its page, follows a run by the files of `arena report --watch`, then by
/// the pages of `arena serve`, where games are played by hand; pictures are left in `browser/pictures`.
pub(crate) fn check(arena: &Path, work: &Path) -> Result<(), Fault> {
    run(NEED_CHROMIUM, work)?;
    let folder = work.join("browser");
    fs::create_dir_all(folder.join("watched"))?;
    fs::create_dir_all(folder.join("served"))?;
    fs::write(folder.join("browser.yaml"), TOURNAMENT)?;
    fs::write(folder.join("watched/watch.yaml"), WATCHED)?;
    fs::write(folder.join("served/cup.yaml"), LASTING)?;
    let arena = arena.display();
    run(&format!("'{arena}' run browser.yaml --out run"), &folder)?;
    let folder = folder.display();
    run(&format!("node tests/browser/report.mjs '{arena}' '{folder}/run' '{folder}/pictures'"), &root())?;
    run(&format!("node tests/browser/watch.mjs '{arena}' '{folder}/watched' '{folder}/pictures'"), &root())?;
    run(&format!("node tests/browser/serve.mjs '{arena}' '{folder}/served' '{folder}/pictures'"), &root())
}
