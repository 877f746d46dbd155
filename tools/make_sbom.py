#!/usr/bin/env python3
"""Writes the software bill of materials of a release (CycloneDX 1.6, JSON): the parts that its binaries contain, with
versions, licences and checksums of their sources, and the files of the release with theirs.

    tools/make_sbom.py FOLDER OUT.cdx.json          FOLDER: the files of the release (tools/release.sh)

Versions are those of cmake/Bundled.cmake and viewer/package-lock.json; nothing else is asked.
"""
import argparse
import hashlib
import json
import os
import re
import uuid
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
POOL = "https://deb.debian.org/debian/pool/main"
# name: (licence as SPDX identifier, or as a name; archive in cmake/Bundled.cmake; purpose)
PARTS = {
    "KLU": ("LGPL-2.1-or-later", "SUITESPARSE", "LU with pivoting of unsymmetric systems"),
    "BTF": ("LGPL-2.1-or-later", "SUITESPARSE", "part of KLU"),
    "COLAMD": ("BSD-3-Clause", "SUITESPARSE", "part of KLU"),
    "AMD": ("BSD-3-Clause", "SUITESPARSE", "orderings"),
    "qhull": ("Qhull", "QHULL", "convex hulls"),
    "jansson": ("MIT", "JANSSON", "scene files and JSON output"),
    "HDF5": ("HDF5", "HDF5", "FCLIB files and trajectories"),
    "libxml2": ("MIT", "XML", "URDF and MJCF files"),
}
SPDX = {"LGPL-2.1-or-later", "BSD-3-Clause", "Qhull", "MIT"}  # identifiers of the list; others are names
FULL = tuple(PARTS) + ("three", "h5wasm")
# the files of a release, by their names: their parts
CONTENTS = [
    (r"linux-x86_64\.tar\.xz$", FULL + ("musl",)),
    (r"^voussoir-[\d.]+-.*\.whl$", FULL),
    (r"^voussoir_small-.*\.whl$", ("qhull", "jansson")),
    (r"^voussoir_.*\.deb$", ("three", "h5wasm")),
]


def licence(name):
    return [{"license": {"id" if name in SPDX else "name": name}}]


def archives():
    """URL, version and SHA-256 of each archive of cmake/Bundled.cmake."""
    text = (ROOT / "cmake" / "Bundled.cmake").read_text(encoding="utf-8")
    found = {}
    for name, pool, file, digest in re.findall(r"bundled_archive\((\w+)\s+(\S+)\s+(\S+)\s+([0-9a-f]{64})\)", text):
        found[name] = (f"{POOL}/{pool}/{file.replace('+', '%2B')}", re.match(r"[^_]+_([\d.]*\d)", file).group(1), digest)
    return found


def component(name, version, licence_name, purpose, **more):
    return {"type": "library", "bom-ref": name, "name": name, "version": version, "description": purpose,
            "licenses": licence(licence_name), "purl": f"pkg:generic/{name.lower()}@{version}", **more}


def linked():
    """What is compiled into binaries."""
    sources = archives()
    for name, (licence_name, archive, purpose) in PARTS.items():
        url, version, digest = sources[archive]
        reference = {"type": "source-distribution", "url": url, "hashes": [{"alg": "SHA-256", "content": digest}]}
        yield component(name, version, licence_name, purpose, externalReferences=[reference])
    lock = json.loads((ROOT / "viewer" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, licence_name, purpose in (("three", "MIT", "the viewer's rendering"),
                                        ("h5wasm", "NIST and HDF5", "the viewer's reader of HDF5 files")):
        entry = lock[f"node_modules/{name}"]
        yield component(name, entry["version"], licence_name, purpose, purl=f"pkg:npm/{name}@{entry['version']}",
                        externalReferences=[{"type": "distribution", "url": entry["resolved"]}])
    yield component("musl", musl_version(), "MIT", "the C library of the static binary")


def musl_version():
    """Of the installed package, which is linked."""
    status = Path("/var/lib/dpkg/status")
    text = status.read_text(encoding="utf-8") if status.exists() else ""
    found = re.search(r"^Package: musl\n(?:.+\n)*?Version: (\S+)", text, re.M)
    return found.group(1) if found else "unknown"


def files(folder):
    """The files of the release, with what they contain."""
    for path in sorted(folder.iterdir()):
        if not path.is_file() or not path.name.endswith((".tar.xz", ".whl", ".deb")):
            continue
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        parts = next((parts for pattern, parts in CONTENTS if re.search(pattern, path.name)), ())
        yield {"type": "file", "bom-ref": path.name, "name": path.name, "hashes": [{"alg": "SHA-256", "content": digest}],
               "licenses": licence("BSD-3-Clause")}, parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    version = re.search(r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
    released = list(files(arguments.folder))
    used = {name for _, parts in released for name in parts}
    components = [part for part in linked() if part["name"] in used]
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    content = json.dumps([file for file, _ in released], sort_keys=True)
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "bom-ref": "voussoir", "name": "voussoir", "version": version,
                          "licenses": licence("BSD-3-Clause"), "purl": f"pkg:generic/voussoir@{version}"},
        },
        "components": components + [file for file, _ in released],
        "dependencies": [{"ref": "voussoir", "dependsOn": sorted(used)}]
        + [{"ref": file["bom-ref"], "dependsOn": sorted(parts)} for file, parts in released],
    }
    arguments.out.write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
