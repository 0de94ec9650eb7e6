//! `arena report --watch`: the pages of runs as files, while these go on and afterwards.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::process::Signal;
use serde_json::Value;

use crate::resume::{signal, wait_for_games};
use crate::serving::CUP;
use crate::workshop::{Ended, Workshop, chaos, wait_until};

/// Returns the files below a directory, sorted.
fn files(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            // What is being written goes away again.
            } else if path.extension().is_none_or(|end| end != "arena-new") {
                found.push(path.strip_prefix(directory).expect("it lies there").display().to_string());
            }
        }
    }
    found.sort();
    found
}

/// Returns what stands in a picture; null where there is none yet.
pub(crate) fn picture(workshop: &Workshop, path: &str) -> Value {
    let text = fs::read_to_string(workshop.path(path)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn short_cup(workshop: &Workshop) {
    workshop.write("cup.yaml", &CUP.replace("4000", "1"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
}

#[test]
fn the_pages_of_a_run_change_while_it_goes_on_and_end_with_it() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let mut run = workshop.start(&["run", "cup.yaml"]);
    wait_for_games(&workshop, "runs/cup", 2);
    let watch = workshop.start(&["report", "runs/cup", "--watch", "--to", "public"]);
    // Between two games there is none to be seen.
    let mut first = Value::Null;
    let has_game = || {
        first = picture(&workshop, "public/picture.json");
        first["picture"]["games"][0].is_object()
    };
    assert!(wait_until(has_game), "{first}");
    assert_eq!((&first["ended"], &first["late"]), (&false.into(), &0.into()));
    assert_eq!(first["picture"]["stage"], "running");
    let game = &first["picture"]["games"][0];
    assert!(game["view"]["letters"].is_string() && game["clocks"].is_array(), "{game}");
    let is_later = |next: &Value| next["picture"]["latest"] != first["picture"]["latest"];
    assert!(wait_until(|| is_later(&picture(&workshop, "public/picture.json"))));
    assert!(wait_until(|| workshop.path("public/report.html").is_file()));

    let second = workshop.run(&["report", "runs/cup", "--watch", "--to", "public"]).expect(2);
    assert!(second.stderr.contains("another arena writes its pages to `public`"), "{}", second.stderr);

    workshop.run(&["ctl", "runs/cup", "stop"]).expect(0);
    assert_eq!(run.wait().expect("it ends").code(), Some(130));
    Ended::new(watch.wait_with_output().expect("it ends")).expect(0);
    let last = picture(&workshop, "public/picture.json");
    assert_eq!((&last["ended"], &last["picture"]["stage"]), (&true.into(), &"stopped".into()));
    assert_eq!(workshop.read("public/report.html"), workshop.read("runs/cup/report.html"));
    let page = workshop.read("public/index.html");
    assert!(page.contains("content=\"default-src 'none'; script-src 'self'"), "{page}");
    let found = files(&workshop.path("public"));
    let pages: Vec<_> = found.iter().filter(|name| !name.starts_with("assets/")).collect();
    assert_eq!(pages, ["index.html", "picture.json", "report.html"]);
    for script in found.iter().filter(|name| name.ends_with(".js")) {
        let text = workshop.read(&format!("public/{script}"));
        for import in text.split(" from './").skip(1) {
            let name = import.split('\'').next().expect("a name");
            assert!(found.contains(&format!("assets/{name}")), "{script} imports {name}");
        }
    }
}

#[test]
fn several_runs_have_a_list_and_an_interruption_is_told() {
    let workshop = Workshop::new();
    short_cup(&workshop);
    let noisy = format!(
        "games: [farook]\nbots:\n  - {{name: random, builtin: random}}\n  - {{name: bad, cmd: {}}}\n\
         tc: 120+1\nout: runs/a noise\n",
        chaos("escapes")
    );
    workshop.write("noisy.yaml", &noisy);
    workshop.run(&["run", "noisy.yaml"]).expect(0);
    let words = workshop.read("runs/a noise/faults/1.txt");
    assert!(words.contains("on stderr"), "{words}");
    let watch = workshop.start(&["report", "runs", "--watch", "--to", "public"]);
    let pages = ["public/runs/cup/report.html", "public/runs/a noise/report.html"];
    assert!(wait_until(|| pages.iter().all(|page| workshop.path(page).is_file())));
    let rows = picture(&workshop, "public/picture.json")["picture"].clone();
    assert_eq!(rows[0][0], "a noise");
    assert_eq!(rows[0][1], "runs/a%20noise/index.html");
    assert_eq!((&rows[1][0], &rows[1][2]), (&"cup".into(), &"finished".into()));
    assert!(workshop.read("public/index.html").contains("href=\"runs/cup/index.html\""));
    assert!(workshop.read("public/runs/cup/index.html").contains("href=\"../../index.html\""));
    for file in files(&workshop.path("public")) {
        assert!(!workshop.read(&format!("public/{file}")).contains("on stderr"), "{file}");
    }

    fs::remove_dir_all(workshop.path("runs/a noise")).expect("it can be removed");
    assert!(wait_until(|| !workshop.path("public/runs/a noise").exists()));
    signal(&watch, Signal::INT);
    Ended::new(watch.wait_with_output().expect("it ends")).expect(130);
    assert_eq!(picture(&workshop, "public/picture.json")["ended"], true);

    // What is there is ours, and becomes the pages of one run.
    workshop.run(&["report", "runs/cup", "--watch", "--to", "public"]).expect(0);
    assert!(!workshop.path("public/runs").exists());
    assert_eq!(picture(&workshop, "public/picture.json")["picture"]["stage"], "finished");
}

#[test]
fn with_a_delay_nothing_is_told_before_its_time() {
    const DELAY: Duration = Duration::from_secs(3);
    let workshop = Workshop::new();
    short_cup(&workshop);
    let journal = workshop.path("runs/cup/journal.jsonl");
    // However long the machine took since: the run ends now.
    let ended = SystemTime::now();
    let file = fs::File::options().append(true).open(&journal).expect("a journal");
    file.set_modified(ended).expect("it takes a time");
    let mut watch = workshop.start(&["report", "runs/cup", "--watch", "--to", "public", "--delay", "3"]);
    let is_told = || {
        let told = picture(&workshop, "public/picture.json");
        workshop.path("public/report.html").exists() || told["picture"]["stage"] == "finished"
    };
    assert!(wait_until(|| {
        let is_told = is_told();
        // What was found before this look at the clock was there before its time.
        assert!(!is_told || ended.elapsed().is_ok_and(|since| since >= DELAY), "told too early");
        is_told
    }));
    assert_eq!(watch.wait().expect("it ends").code(), Some(0));
    assert!(ended.elapsed().expect("a past") >= DELAY);
    assert_eq!(picture(&workshop, "public/picture.json")["late"], 3);
}

#[test]
fn a_directory_of_somebody_else_is_refused() {
    let workshop = Workshop::new();
    short_cup(&workshop);
    let refused = workshop.run(&["report", "runs/cup", "--watch", "--to", "runs/cup"]).expect(2).stderr;
    assert!(refused.contains("holds something else than pages of a run"), "{refused}");
    let refused = workshop.run(&["report", "runs/cup", "--watch", "--to", "cup.yaml"]).expect(2).stderr;
    assert!(refused.contains("is no directory"), "{refused}");
    workshop.run(&["report", "runs/cup", "--watch"]).expect(2);
    workshop.run(&["report", "runs/cup", "--delay", "3"]).expect(2);
    let refused = workshop.run(&["report", "runs/gone", "--watch", "--to", "public"]).expect(2).stderr;
    assert!(refused.contains("there is no directory") && !workshop.path("public").exists(), "{refused}");
}
