//! Packages of one staged folder: an archive, a package of Debian, a wheel.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dist::{Release, fresh, service};
use crate::shell::{ChoreError, need, run};

/// Packs the folder as an archive; the same folder gives the same bytes.
///
/// # Errors
/// When it cannot be written.
pub(super) fn archive(release: &Release, stage: &Path, out: &Path) -> Result<PathBuf, ChoreError> {
    let stem = release.stem();
    let file = out.join(release.archive());
    let line = format!(
        "chmod -R u=rwX,go=rX '{stem}' && tar --create --format=gnu --sort=name --mtime=@{} --owner=0 --group=0 --numeric-owner '{stem}' | gzip --no-name -{} > '{}'",
        release.epoch,
        release.effort(9),
        file.display()
    );
    run(&line, stage.parent().unwrap_or(out))?;
    Ok(file)
}

/// Makes the package of Debian: executables, manual pages, completions, the worker as a unit of systemd.
///
/// # Errors
/// When it cannot be made.
pub(super) fn debian(release: &Release, stage: &Path, out: &Path) -> Result<PathBuf, ChoreError> {
    need(&["dpkg-deb"], &["dpkg"])?;
    let tree = out.join("deb");
    fresh(&tree)?;
    let packaging = release.source.join("arena/packaging");
    let (from, files) = (stage.display(), packaging.display());
    let line = format!(
        "set -e; mkdir -p DEBIAN usr/share/doc usr/lib/systemd/system usr/share/lintian/overrides etc/arena; cp -r '{from}/bin' usr/bin; \
         cp -r '{from}/share/man' '{from}/share/bash-completion' '{from}/share/fish' usr/share/; mkdir -p usr/share/zsh; \
         cp -r '{from}/share/zsh/site-functions' usr/share/zsh/vendor-completions; \
         cp -r '{from}/share/doc' usr/share/doc/arena; rm usr/share/doc/arena/LICENSE-*; mv usr/share/doc/arena/CHANGELOG.md usr/share/doc/arena/NEWS.md; \
         sed -e 's/@VERSION@/{version}/' -e \"s/@DATE@/$(LC_ALL=C date --utc --date=@{epoch} --rfc-email)/\" '{files}/debian/changelog' > usr/share/doc/arena/changelog; \
         cp '{files}/debian/copyright' usr/share/doc/arena/copyright; cp '{files}/debian/lintian-overrides' usr/share/lintian/overrides/arena; \
         cp '{files}/systemd/arena-worker@.service' usr/lib/systemd/system/; cp '{files}/systemd/worker.env' etc/arena/worker.env; \
         gzip --no-name -9 usr/share/doc/arena/changelog usr/share/doc/arena/NEWS.md usr/share/man/man1/*.1 usr/share/doc/arena/THIRD-PARTY.txt; \
         sed -e 's/@VERSION@/{version}/' -e \"s/@SIZE@/$(du --summarize --apparent-size --block-size=1024 usr etc | awk '{{sum += $1}} END {{print sum}}')/\" '{files}/debian/control' > DEBIAN/control; \
         echo /etc/arena/worker.env > DEBIAN/conffiles; \
         find usr etc -type f ! -path 'etc/*' -print0 | LC_ALL=C sort --zero-terminated | xargs -0 md5sum > DEBIAN/md5sums; chmod -R u=rwX,go=rX .; chmod 0640 etc/arena/worker.env",
        version = release.version,
        epoch = release.epoch,
    );
    run(&line, &tree)?;
    let file = out.join(format!("arena_{}_amd64.deb", release.version));
    run(
        &format!(
            "SOURCE_DATE_EPOCH={} dpkg-deb --root-owner-group -Zxz -z{} --build '{}' '{}' > /dev/null",
            release.epoch,
            release.effort(6),
            tree.display(),
            file.display()
        ),
        out,
    )?;
    fs::remove_dir_all(&tree)?;
    Ok(file)
}

/// Holds a package of Debian to the policy, installs it, plays with it, starts its worker and purges it: nothing of it is left.
///
/// # Errors
/// When something of that fails.
pub(super) fn check_debian(deb: &Path, work: &Path) -> Result<(), ChoreError> {
    need(&["lintian"], &["lintian"])?;
    let used = use_debian(deb, work);
    run("dpkg --purge arena > /dev/null", work)?;
    used?;
    run(
        "! command -v /usr/bin/arena && ! test -e /etc/arena/worker.env && ! dpkg --status arena 2> /dev/null",
        work,
    )
}

/// Installs a package of Debian and uses what it brings.
fn use_debian(deb: &Path, work: &Path) -> Result<(), ChoreError> {
    let deb = deb.display();
    run(&format!("lintian --fail-on error,warning --tag-display-limit 0 --allow-root '{deb}'"), work)?;
    let line = format!(
        "set -e; dpkg --install '{deb}' > /dev/null; cd '{}'; rm -rf deb-run; \
         /usr/bin/arena match greedy random --game farook --rounds 1 --tc 'nodes 100' > deb.txt; grep -q '2 games played' deb.txt; \
         /usr/bin/arena check-game --quick --games 2 -- /usr/bin/arena-chess > /dev/null; \
         test -s /usr/share/bash-completion/completions/arena; test -s /usr/share/man/man1/arena-run.1.gz; \
         test -s /usr/share/man/man1/arena-worker.1.gz",
        work.display()
    );
    run(&line, work)?;
    service::check(work)
}

/// Makes the wheel: the executables, and what pip needs to know.
///
/// # Errors
/// When it cannot be made.
pub(super) fn wheel(release: &Release, stage: &Path, out: &Path) -> Result<PathBuf, ChoreError> {
    let script = release.source.join("arena/packaging/python/wheel.py");
    let line = format!(
        "python3 '{}' '{}' {} {} '{}'",
        script.display(),
        stage.display(),
        release.version,
        release.epoch,
        out.display()
    );
    run(&line, out)?;
    let names = fs::read_dir(out)?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut wheels = names.filter(|path| path.extension().is_some_and(|extension| extension == "whl"));
    wheels.next().ok_or_else(|| ChoreError("there is no wheel".to_owned()))
}

/// Installs the wheel with pip in a fresh environment and plays the quickstart with a bot in Python.
///
/// # Errors
/// When something of that fails.
pub(super) fn check_wheel(wheel: &Path, folder: &Path) -> Result<(), ChoreError> {
    fresh(folder)?;
    let line = format!(
        "set -e; python3 -m venv venv; venv/bin/pip install --quiet --no-index --disable-pip-version-check '{}'; export PATH=\"$PWD/venv/bin:$PATH\"; \
         test \"$(command -v arena)\" = \"$PWD/venv/bin/arena\"; arena new bot --lang python first-bot; cd first-bot; \
         arena run tournament.yaml --rounds 1 --tc 'movetime 50ms' --out results > ../run.txt; grep -q 'No game was lost by a fault.' results/report.txt; \
         arena check-game --quick --games 2 -- arena-chess > /dev/null; cd ..; venv/bin/pip uninstall --quiet --yes arena-harness; test ! -e venv/bin/arena",
        wheel.display()
    );
    run(&line, folder)
}

/// Writes the checksums of all packages.
///
/// # Errors
/// When they cannot be written.
pub(super) fn checksums(out: &Path) -> Result<(), ChoreError> {
    run(
        "rm -f SHA256SUMS; find . -maxdepth 1 -type f ! -name .sums -printf '%P\\n' | LC_ALL=C sort | xargs sha256sum > .sums && mv .sums SHA256SUMS && cat SHA256SUMS",
        out,
    )
}
