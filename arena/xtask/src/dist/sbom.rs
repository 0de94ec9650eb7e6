//! The bill of materials: CycloneDX 1.5 as JSON (ECMA-424).

use serde_json::{Value, json};

use crate::dist::Release;
use crate::dist::dependencies::Dependency;
use crate::shell::ChoreError;

/// Returns the bill of materials of a release. It has no serial number and the time of the commit, so that it is the same again.
///
/// # Errors
/// When the time of the commit is none.
pub(super) fn text(release: &Release, packages: &[Dependency]) -> Result<String, ChoreError> {
    let time = crate::shell::output(
        &format!("date --utc --date=@{} +%Y-%m-%dT%H:%M:%SZ", release.epoch),
        &release.source,
    )?;
    let components: Vec<Value> =
        packages.iter().filter(|package| !package.is_ours()).map(component).collect();
    let whole = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time.trim(),
            "component": {
                "type": "application",
                "bom-ref": "arena",
                "name": "arena",
                "version": release.version,
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
                "properties": [{"name": "arena:target", "value": release.target}],
            },
        },
        "components": components,
    });
    serde_json::to_string_pretty(&whole)
        .map(|text| text + "\n")
        .map_err(|error| ChoreError(error.to_string()))
}

fn component(package: &Dependency) -> Value {
    let Dependency { name, version, license, sha256, .. } = package;
    let place = format!("pkg:cargo/{name}@{version}");
    json!({
        "type": "library",
        "bom-ref": place,
        "name": name,
        "version": version,
        "purl": place,
        "licenses": [{"expression": license.replace('/', " OR ")}],
        "hashes": [{"alg": "SHA-256", "content": sha256}],
    })
}
