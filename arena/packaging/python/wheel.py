"""Makes a wheel of executables that are built already: STAGE VERSION EPOCH OUT. The same input gives the same bytes."""

import base64, hashlib, sys, time, zipfile
from pathlib import Path

# A static executable runs with either library of C.
TAG = "py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"
NAME = "arena_harness"

METADATA = """\
Metadata-Version: 2.3
Name: arena-harness
Version: {version}
Summary: A tournament harness for bots that play abstract board games: the command `arena`.
License-Expression: MIT OR Apache-2.0
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{readme}"""

WHEEL = "Wheel-Version: 1.0\nGenerator: arena xtask\nRoot-Is-Purelib: false\n"


def main(stage, version, epoch, out):
    info = f"{NAME}-{version}.dist-info"
    files = []
    for path in sorted((stage / "bin").iterdir()):
        files.append((f"{NAME}-{version}.data/scripts/{path.name}", path.read_bytes(), 0o755))
    for path in sorted((stage / "share" / "doc").iterdir()):
        if path.name.startswith(("LICENSE", "THIRD-PARTY")):
            files.append((f"{info}/licenses/{path.name}", path.read_bytes(), 0o644))
        elif path.name.startswith("sbom"):
            files.append((f"{info}/sboms/{path.name}", path.read_bytes(), 0o644))
    readme = (stage / "share" / "doc" / "README.md").read_text(encoding="utf-8")
    # Links and pictures of the README lead into the repository.
    readme = readme.split("\n## ", 1)[0].split("\n<img", 1)[0]
    metadata = METADATA.format(version=version, readme=readme)
    tags = [f"py3-none-{platform}" for platform in TAG.rsplit("-", 1)[1].split(".")]
    files.append((f"{info}/METADATA", metadata.encode(), 0o644))
    files.append((f"{info}/WHEEL", (WHEEL + "".join(f"Tag: {tag}\n" for tag in tags)).encode(), 0o644))
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data, _ in files) + f"{info}/RECORD,,\n"
    files.append((f"{info}/RECORD", record.encode(), 0o644))
    when = time.gmtime(int(epoch))[:6]
    with zipfile.ZipFile(out / f"{NAME}-{version}-{TAG}.whl", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16, 3
            wheel.writestr(entry, data)


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))
