//! Puts the script of the report together from its modules. A form that is not understood fails the build.

// The same text is a module of the crate, whose tests look at it.
#[path = "src/script/modules.rs"]
mod modules;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), String> {
    println!("cargo::rerun-if-changed=assets");
    println!("cargo::rerun-if-changed=src/script/modules.rs");
    let folder =
        Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?).join("assets");
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "js") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            texts.insert(name, fs::read_to_string(&path).map_err(|error| error.to_string())?);
        }
    }
    // Every script is read, those of the served pages too: their parts are found by their imports.
    let mut imports = "&[".to_owned();
    for (name, text) in &texts {
        let module =
            modules::Module::read(text).map_err(|error| format!("arena/page/assets/{name}, {error}"))?;
        let files: Vec<_> = module.imports.iter().map(|(file, _)| *file).collect();
        imports.push_str(&format!("({name:?}, &{files:?} as &[&str]), "));
    }
    imports.push(']');
    let script = modules::bundle("main.js", &|name: &str| texts.get(name).map(String::as_str))
        .map_err(|error| format!("arena/page/assets/{error}"))?;
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?);
    fs::write(out.join("imports.rs"), imports).map_err(|error| error.to_string())?;
    fs::write(out.join("report.js"), script).map_err(|error| error.to_string())
}
