//! An image of a container with nothing but the executables, made without a network and without a daemon.

use std::path::{Path, PathBuf};

use crate::dist::{Release, fresh};
use crate::shell::{ChoreError, need, run};

/// Makes the image as a layout of OCI in an archive, which `podman load`, `skopeo copy oci-archive:` and registries take.
///
/// # Errors
/// When it cannot be made.
pub(super) fn build(release: &Release, stage: &Path, out: &Path) -> Result<PathBuf, ChoreError> {
    // It lays images out as the specification of OCI says.
    need(&["umoci"], &["umoci"])?;
    let (name, time) = (format!("arena-{}-oci.tar", release.version), &release.epoch);
    let line = format!(
        "set -e; rm -rf image image-root; mkdir -p image-root/bin image-root/usr/share/doc/arena image-root/tmp image-root/work; chmod 1777 image-root/tmp image-root/work; \
         cp '{stage}'/bin/* image-root/bin/; cp '{stage}'/share/doc/* image-root/usr/share/doc/arena/; \
         find image-root -exec touch --no-dereference --date=@{time} {{}} +; when=$(date --utc --date=@{time} +%Y-%m-%dT%H:%M:%SZ); \
         umoci init --layout image; umoci new --image image:{version}; umoci insert --rootless --image image:{version} --history.created \"$when\" image-root /; \
         umoci config --image image:{version} --config.entrypoint /bin/arena --config.workingdir /work --config.env PATH=/bin --config.env HOME=/tmp \
         --config.label org.opencontainers.image.licenses='MIT OR Apache-2.0' --config.label org.opencontainers.image.version={version} \
         --created \"$when\" --history.created \"$when\"; umoci gc --layout image; \
         tar --create --format=gnu --sort=name --mtime=@{time} --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --file '{name}' --directory image .; rm -rf image image-root",
        stage = stage.display(),
        version = release.version,
    );
    run(&line, out)?;
    Ok(out.join(name))
}

/// Unpacks the image as a container engine does and plays in it.
///
/// # Errors
/// When something of that fails.
pub(super) fn check(image: &Path, folder: &Path) -> Result<(), ChoreError> {
    fresh(folder)?;
    let line = format!(
        "set -e; mkdir layout; tar --extract --file '{}' --directory layout; umoci unpack --image layout:{} bundle; \
         grep -q '\"/bin/arena\"' bundle/config.json; mkdir -p bundle/rootfs/proc bundle/rootfs/dev; touch bundle/rootfs/dev/null; \
         unshare --mount --pid --fork bash -c 'mount -t proc proc bundle/rootfs/proc && mount --bind /dev/null bundle/rootfs/dev/null && \
         exec env -i PATH=/bin HOME=/tmp $(command -v chroot) bundle/rootfs /bin/arena match greedy random --game farook --rounds 1 --tc \"nodes 100\"' > match.txt; \
         grep -q '2 games played' match.txt; chmod -R u+w bundle",
        image.display(),
        env!("CARGO_PKG_VERSION"),
    );
    run(&line, folder)
}
