//! The kits of bots in many languages: written by `arena new bot`, built, and played against each other.

mod games;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use catalogue::{Kit, Part};

use crate::shell::{ChoreError, need, root, run, run_all};

pub(crate) use crate::kits::games::check_games;

/// How many bots sit at a table.
const AT_A_TABLE: usize = 4;

/// How many bots are checked at once: the tests of time need a processor each.
const AT_ONCE: usize = 2;

/// The levels of the sandbox at which every kit has to play; `strict` is refused on many machines.
const LEVELS: [&str; 2] = ["basic", "contest"];

/// Where the programs of kits are that every user can open.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// One pair of games for each kit.
const QUICKLY: &str = "--format gauntlet --seeds perl --games farook --rounds 1";

/// What a tournament says when no bot has forfeited a game.
const NO_FORFEIT: &str = "No game was lost by a fault.";

/// Writes every kit into a folder below `work`, builds it, plays its own tournament, and then two leagues: one of
/// all `random` bots and one of all `greedy` ones; the `random` bots again at levels of the sandbox. A game lost by a
/// fault is an error.
pub(crate) fn check(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    let kits = catalogue::kits();
    install()?;
    let arena = arena.display();
    let folder = work.join("kits");
    fs::create_dir_all(&folder)?;
    for kit in &kits {
        let name = &kit.manifest.name;
        run(&format!("'{arena}' new bot --lang '{name}' '{name}'"), &folder)?;
        let own = folder.join(name);
        for line in kit.build() {
            run(&line, &own)?;
        }
        run(&format!("'{arena}' run tournament.yaml --rounds 1 > table.txt"), &own)?;
        expect_no_forfeit(&own.join("results"))?;
    }
    let check = |kit: &Kit, part: Part| {
        let line = format!("'{arena}' check --quick -- {}", kit.manifest.run(part).join(" "));
        (line, folder.join(&kit.manifest.name))
    };
    run_all(kits.iter().flat_map(|kit| Part::ALL.map(|part| check(kit, part))).collect(), AT_ONCE)?;
    for part in Part::ALL {
        let name = part.name();
        fs::write(folder.join(format!("{name}.yaml")), league(&kits, part))?;
        run(&format!("'{arena}' run {name}.yaml > {name}.txt"), &folder)?;
        expect_no_forfeit(&folder.join(name))?;
    }
    fs::write(folder.join("tables.yaml"), tables(&kits))?;
    run(&format!("'{arena}' run tables.yaml > tables.txt"), &folder)?;
    expect_no_forfeit(&folder.join("tables"))?;
    for level in LEVELS {
        let name = format!("random-{level}");
        run(
            &format!(
                "PATH={PATH} '{arena}' run random.yaml {QUICKLY} --sandbox {level} --out {name} > {name}.txt"
            ),
            &folder,
        )?;
        expect_no_forfeit(&folder.join(name))?;
    }
    println!("{} kits are built and play without a fault, confined too", kits.len());
    Ok(())
}

/// Installs what the kits are built and run with.
///
/// # Errors
/// Names the packages where that is not allowed.
pub(crate) fn install() -> Result<(), ChoreError> {
    let kits = catalogue::kits();
    let [tools, packages] =
        [|kit: &Kit| kit.manifest.tools.clone(), |kit: &Kit| kit.manifest.packages.clone()]
            .map(|part| kits.iter().flat_map(part).collect::<Vec<_>>());
    need(&tools, &packages)
}

/// Checks the types of what is written in Python for engines and games, with the virtual environment of `work`.
pub(crate) fn check_types(work: &Path) -> Result<(), ChoreError> {
    run(
        "{ test -x venv/bin/pip || python3 -m venv venv; } && venv/bin/pip install --quiet --disable-pip-version-check mypy==2.4.1",
        work,
    )?;
    let folder = work.display();
    let line =
        format!("'{folder}/venv/bin/mypy' --strict --cache-dir '{folder}/mypy' abp search_bot.py tests");
    run(&line, &root().join("bots").join("python"))?;
    games::check_types(work)
}

/// Returns the head of a tournament: its name, and one bot of each kit, each run in the folder of its kit.
fn bots(name: &str, kits: &[Kit], part: Part) -> String {
    let mut text = format!("name: kits {name}\nbots:\n");
    for kit in kits {
        let name = &kit.manifest.name;
        let words: Vec<_> = kit.manifest.run(part).iter().map(|word| format!("'{word}'")).collect();
        let _ = writeln!(text, "  - {{name: {name}, dir: {name}, cmd: [{}]}}", words.join(", "));
    }
    text
}

/// Returns the tournament in which the `random` bots sit at tables of four, each bot at one of them: four games a table.
fn tables(kits: &[Kit]) -> String {
    let mut text = bots("tables", kits, Part::Random);
    let names: Vec<_> = kits.iter().map(|kit| kit.manifest.name.as_str()).collect();
    // The last table is filled up with the first bots.
    let tables = names.chunks(AT_A_TABLE).map(|table| {
        let more = names.iter().copied().filter(|name| !table.contains(name));
        let table: Vec<_> = table.iter().copied().chain(more).take(AT_A_TABLE).collect();
        format!("[{}]", table.join(", "))
    });
    let _ = writeln!(
        text,
        "format: list\nmatches: [{}]\ngames: [{{game: 2-frenzy, options: {{players: 4, max-turns: 60}}}}]\n\
         rounds: 1\ntc: 60+1\nconcurrency: 2\nout: tables",
        tables.collect::<Vec<_>>().join(", ")
    );
    text
}

/// Returns the tournament of one bot of each kit: each meets four others in every game and in both seats.
fn league(kits: &[Kit], part: Part) -> String {
    let mut text = bots(part.name(), kits, part);
    text.push_str(
        "format: swiss\nrounds: 4\ngames: [farook, {game: fanorona, options: {size: 5x5}}, {game: faust, options: {size: 4}}]\n",
    );
    let _ = writeln!(text, "tc: 60+1\nconcurrency: 2\nout: {}", part.name());
    text
}

fn expect_no_forfeit(results: &Path) -> Result<(), ChoreError> {
    let report = fs::read_to_string(results.join("report.txt"))?;
    if report.contains(NO_FORFEIT) {
        return Ok(());
    }
    let faults = report.find("Games lost by faults").map_or("", |start| &report[start..]);
    Err(ChoreError(format!("{}: {faults}", results.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_sits_at_a_table_of_four() {
        let text = tables(&catalogue::kits());
        let matches = text.lines().find_map(|line| line.strip_prefix("matches: ")).expect("a list");
        let tables: Vec<Vec<&str>> =
            matches.trim_matches(['[', ']']).split("], [").map(|table| table.split(", ").collect()).collect();
        assert!(tables.iter().all(|table| table.len() == AT_A_TABLE), "{matches}");
        for kit in catalogue::kits() {
            let name = kit.manifest.name.as_str();
            assert!(tables.iter().flatten().any(|sitter| *sitter == name), "{name}: {matches}");
        }
    }

    #[test]
    fn a_league_runs_each_bot_in_the_folder_of_its_kit() {
        let text = league(&catalogue::kits(), Part::Greedy);
        assert!(text.contains("{name: go, dir: go, cmd: ['./greedy_bot']}"), "{text}");
        assert!(
            text.contains("{name: kotlin, dir: kotlin, cmd: ['java', '-jar', 'greedy_bot.jar']}"),
            "{text}"
        );
    }
}
