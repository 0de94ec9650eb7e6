//! `cargo xtask dist`: what is given to people who have no Rust toolchain.
//!
//! One build with `profile.dist`, linked statically with musl, is packed as an archive, a Debian package, a wheel and an image of a container. Everything lies in
//! `target/packages` in the end, with checksums; what is built for tests lies in `target/packages-quick`.

mod build;
mod dependencies;
mod image;
mod licences;
mod packages;
mod root;
mod sbom;
mod service;
mod twice;

pub(crate) use self::build::need_target;

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{ChoreError, root as workspace, run};

/// The system for which executables are built, unless another one is named.
pub(crate) const TARGET: &str = "x86_64-unknown-linux-musl";

/// What is built besides the default: a worker needs the broker, an event may be posted.
const FEATURES: &str = "nats,webhook";

/// What a build is made for, and from where.
#[derive(Clone, Debug)]
pub(crate) struct Release {
    /// The folder of the workspace.
    pub source: PathBuf,
    /// The system.
    pub target: String,
    /// The version of the workspace.
    pub version: String,
    /// Seconds since 1970 that every file in an archive has: those of the last commit.
    pub epoch: String,
    /// Whether the build is that of `cargo build` without what debuggers need, ready in half the time: for tests.
    pub is_quick: bool,
}

impl Release {
    /// Returns the release of a folder for a system.
    ///
    /// # Errors
    /// When the folder is no clone, or the manifest has no version.
    pub(crate) fn of(source: &Path, target: &str) -> Result<Self, ChoreError> {
        let epoch = crate::shell::output("git log -1 --format=%ct", source)?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Self {
            source: source.to_owned(),
            target: target.to_owned(),
            version,
            epoch: epoch.trim().to_owned(),
            is_quick: false,
        })
    }

    /// Returns the folder for its packages: builds for tests never lie among releases.
    fn out(&self) -> PathBuf {
        workspace().join("target").join(if self.is_quick { "packages-quick" } else { "packages" })
    }

    /// Returns how hard files are compressed, from 1 to 9: hardly, where they are only for tests.
    fn effort(&self, usual: u8) -> u8 {
        if self.is_quick { 1 } else { usual }
    }

    /// Returns what archives are called, and the folder in them.
    pub(crate) fn stem(&self) -> String {
        format!("arena-{}-{}", self.version, self.target)
    }

    /// Returns what the archive is called.
    pub(crate) fn archive(&self) -> String {
        format!("{}.tar.gz", self.stem())
    }
}

/// Builds and packs everything into `target/packages`; with `twice`, builds it once more in another folder and compares the bytes.
///
/// # Errors
/// When a tool fails, or the builds differ.
pub(crate) fn make(target: &str, twice: bool) -> Result<(), ChoreError> {
    let release = Release::of(&workspace(), target)?;
    let out = release.out();
    let stage = build::stage(&release, &out)?;
    packages::archive(&release, &stage, &out)?;
    if target == TARGET {
        packages::debian(&release, &stage, &out)?;
        packages::wheel(&release, &stage, &out)?;
        image::build(&release, &stage, &out)?;
    }
    packages::checksums(&out)?;
    if twice { twice::check(&release, &out) } else { Ok(()) }
}

/// Returns the folder of a quick build of this state of the sources, made where there is none.
fn staged() -> Result<(Release, PathBuf, PathBuf), ChoreError> {
    let release = Release { is_quick: true, ..Release::of(&workspace(), TARGET)? };
    let out = release.out();
    let stage = build::stage(&release, &out)?;
    Ok((release, stage, out))
}

/// Builds the executable as it is shipped, but hardly optimised; it names no folder of this machine and plays in a root that holds nothing but it and
/// an interpreter.
///
/// # Errors
/// When it does not.
pub(crate) fn check(_: &Path, work: &Path) -> Result<(), ChoreError> {
    let (release, stage, out) = staged()?;
    twice::check_paths(&release, &stage)?;
    packages::archive(&release, &stage, &out)?;
    root::check(&stage, &work.join("empty-root"))
}

/// Makes every package of the same executable, installs each as its users do, plays with it and takes it away again.
///
/// # Errors
/// When a package cannot be made, installed, used or removed.
pub(crate) fn check_packages(_: &Path, work: &Path) -> Result<(), ChoreError> {
    let (release, stage, out) = staged()?;
    let deb = packages::debian(&release, &stage, &out)?;
    packages::check_debian(&deb, work)?;
    let wheel = packages::wheel(&release, &stage, &out)?;
    packages::check_wheel(&wheel, &work.join("wheel"))?;
    let image = image::build(&release, &stage, &out)?;
    image::check(&image, &work.join("image"))?;
    packages::checksums(&out)?;
    run("sha256sum --check --quiet SHA256SUMS", &out)
}

/// Empties a folder, or makes it.
fn fresh(folder: &Path) -> Result<(), ChoreError> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Fills in a template of `cargo binstall`.
    fn rendered(template: &str, values: &[(&str, &str)]) -> String {
        let fill = |text: String, (name, value): &(&str, &str)| text.replace(&format!("{{ {name} }}"), value);
        let text = values.iter().fold(template.to_owned(), fill);
        assert!(!text.contains(['{', '}']), "a variable is not known: {text}");
        text
    }

    #[test]
    fn quick_builds_lie_apart_from_releases() {
        let release = Release::of(&workspace(), TARGET).unwrap();
        let quick = Release { is_quick: true, ..release.clone() };
        assert_eq!(release.out(), workspace().join("target/packages"));
        assert!(!quick.out().starts_with(release.out()) && !release.out().starts_with(quick.out()));
    }

    #[test]
    fn binstall_finds_the_archive_and_the_executable_in_it() {
        let line = "cargo metadata --offline --locked --no-deps --format-version 1";
        let metadata: Value =
            serde_json::from_str(&crate::shell::output(line, &workspace()).unwrap()).unwrap();
        let packages = metadata["packages"].as_array().unwrap();
        let package = packages.iter().find(|package| package["name"] == "arena").unwrap();
        let binstall = &package["metadata"]["binstall"];
        let is_executable = |target: &&Value| target["kind"][0] == "bin";
        let executables: Vec<_> =
            package["targets"].as_array().unwrap().iter().filter(is_executable).collect();
        assert_eq!(executables.len(), 1, "every executable of the package must be in the archive");
        let bin = executables[0]["name"].as_str().unwrap();
        for target in build::TARGETS {
            let release = Release::of(&workspace(), target).unwrap();
            assert_eq!(package["version"], release.version);
            let values = [
                ("repo", "https://example.org/arena"),
                ("version", release.version.as_str()),
                ("target", target),
                ("bin", bin),
                ("binary-ext", ""),
            ];
            let text = |key: &str| rendered(binstall[key].as_str().unwrap(), &values);
            let (place, name) = ("https://example.org/arena/releases/download", release.archive());
            assert_eq!(text("pkg-url"), format!("{place}/v{}/{name}", release.version));
            let placed = build::EXECUTABLES.iter().find(|(built, _)| *built == bin).unwrap().1;
            assert_eq!(text("bin-dir"), format!("{}/{placed}", release.stem()));
        }
        assert_eq!(binstall["pkg-fmt"], "tgz");
    }
}
