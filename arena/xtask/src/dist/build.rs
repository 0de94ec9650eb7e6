//! The executables, and the folder that every package is made of.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::dist::{Release, dependencies, fresh, licences, sbom};
use crate::shell::{ChoreError, need, output, run};

/// The compiler's part for a target comes with the toolchain.
const NEED_TARGET: &str = "rustup target list --installed | grep --quiet --line-regexp TARGET || rustup target add TARGET || \
    { echo 'the toolchain has no TARGET: `rustup target add TARGET` adds it' >&2; exit 1; }";

/// The systems for which executables are built.
pub(super) const TARGETS: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];

/// What Cargo builds, and where it lies in a package.
pub(super) const EXECUTABLES: [(&str, &str); 2] = [("arena", "bin/arena"), ("chess", "bin/arena-chess")];

/// What Cargo is told for a quick build: hardly a game is played with it, so what computes goes without the optimisation that it has in
/// other builds for tests.
const QUICK: &str = "--config profile.dev.debug=false --config profile.dev.package.rules.opt-level=0 \
    --config profile.dev.package.stats.opt-level=0 --config profile.dev.package.formats.opt-level=0 \
    --config profile.dev.package.wasmi.opt-level=0 --config profile.dev.package.kit.opt-level=0 \
    --config profile.dev.package.protocol.opt-level=0";

/// The C compiler of a target, and the packages of Debian that have it.
fn compiler(target: &str) -> Result<(&'static str, &'static str), ChoreError> {
    match target {
        "x86_64-unknown-linux-musl" => Ok(("musl-gcc", "musl-tools")),
        // It compiles for the system's own library, but what is compiled uses none of it; Rust's own linker links.
        "aarch64-unknown-linux-musl" => {
            Ok(("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"))
        }
        _ => Err(ChoreError(format!("`{target}` is not built: {} are", TARGETS.join(" and ")))),
    }
}

/// Returns the line that adds a target to the toolchain where it is missing, and names it where that fails.
pub(crate) fn need_target(target: &str) -> String {
    NEED_TARGET.replace("TARGET", target)
}

/// Builds the executables of a release. Folders of this machine are replaced in what the compilers write, so that the bytes are the same
/// wherever it is built.
///
/// # Errors
/// When the compiler is missing or fails.
pub(super) fn executables(release: &Release, target_folder: &Path) -> Result<PathBuf, ChoreError> {
    let Release { source, target, epoch, .. } = release;
    let (cc, packages) = compiler(target)?;
    run(&need_target(target), source)?;
    need(&[cc], &[packages])?;
    let home = env::var_os("HOME").map_or_else(PathBuf::new, PathBuf::from);
    let cargo = env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let places = [(source.as_path(), "/arena"), (cargo.as_path(), "/cargo"), (target_folder, "/target")];
    // The last that fits counts: the target folder lies within the source.
    let rust = places.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).join("\u{1f}");
    let c = places.map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display())).join(" ");
    let under = target.replace('-', "_");
    let linker = if target.starts_with("aarch64") {
        format!("export CARGO_TARGET_{}_LINKER=rust-lld; ", under.to_uppercase())
    } else {
        String::new()
    };
    let (profile, folder) = if release.is_quick { (QUICK, "debug") } else { ("--profile dist", "dist") };
    let commit = output("git rev-parse HEAD", source)?;
    let commit = commit.trim();
    let line = format!(
        "{linker}export CC_{under}={cc} CFLAGS_{under}='{c}' CARGO_ENCODED_RUSTFLAGS='{rust}' SOURCE_DATE_EPOCH={epoch} \
         ARENA_COMMIT={commit}; \
         cargo build --locked --quiet {profile} --target {target} --target-dir '{}' --package arena --bin arena \
         --package chess-rules --bin chess --features arena/nats,arena/webhook",
        target_folder.display()
    );
    run(&line, source)?;
    Ok(target_folder.join(target).join(folder))
}

/// Builds the executables and lays out everything that packages hold: executables, licences, bill of materials, completions, manual pages.
///
/// # Errors
/// When something cannot be built or written.
pub(super) fn stage(release: &Release, out: &Path) -> Result<PathBuf, ChoreError> {
    let target_folder = release.source.join("target");
    // A folder of its own, where it waits for no other build and no other waits for it.
    let quick = target_folder.join("quick");
    let built = executables(release, if release.is_quick { &quick } else { &target_folder })?;
    let stage = out.join(release.stem());
    fresh(&stage)?;
    for folder in ["bin", "share/man/man1", "share/doc"] {
        fs::create_dir_all(stage.join(folder))?;
    }
    for (from, to) in EXECUTABLES {
        fs::copy(built.join(from), stage.join(to))?;
        if release.is_quick {
            run(&format!("strip '{}'", stage.join(to).display()), &release.source)?;
        }
    }
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
        fs::copy(release.source.join(file), stage.join("share/doc").join(file))?;
    }
    fs::copy(release.source.join("arena/docs/CHANGELOG.md"), stage.join("share/doc/CHANGELOG.md"))?;
    let packages = dependencies::of(release)?;
    fs::write(stage.join("share/doc/THIRD-PARTY.txt"), licences::text(&packages)?)?;
    fs::write(stage.join("share/doc/sbom.cdx.json"), sbom::text(release, &packages)?)?;
    // What the executable says of itself is the same for every system: one that runs here is asked.
    let asked = if release.target.starts_with(env::consts::ARCH) {
        stage.join("bin/arena")
    } else {
        run("cargo build --locked --quiet --bin arena", &release.source)?;
        target_folder.join("debug").join("arena")
    };
    let asked = asked.display();
    for (shell, file) in [
        ("bash", "share/bash-completion/completions/arena"),
        ("zsh", "share/zsh/site-functions/_arena"),
        ("fish", "share/fish/vendor_completions.d/arena.fish"),
    ] {
        let path = stage.join(file);
        fs::create_dir_all(path.parent().unwrap_or(&stage))?;
        run(&format!("'{asked}' completions {shell} > '{}'", path.display()), &release.source)?;
    }
    run(
        &format!("'{asked}' man '{}' 2> /dev/null", stage.join("share/man/man1").display()),
        &release.source,
    )?;
    Ok(stage)
}
