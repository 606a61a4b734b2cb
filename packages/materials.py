#!/usr/bin/env python3
"""What the library is made of: the licences of everything that is linked in, and a bill of materials (CycloneDX 1.5).

    packages/materials.py [--target TRIPLE] [--cargo CARGO] [--rustc RUSTC] SHARE

Writes SHARE/licenses/fracas/crates/NAME-VERSION/ and SHARE/doc/fracas/fracas.cdx.json, the same bytes every time. The bill has the date
SOURCE_DATE_EPOCH, if that is set.
"""
import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11: the bill has no checksums
    tomllib = None

IS_LICENCE = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout


def linked_in(cargo, target):
    """(name, version) of the crates that are linked into the library. `cargo metadata` would add what other members ask for."""
    lines = output(cargo, "tree", "--package", "fracas-capi", "--target", target, "--edges", "normal,no-proc-macro", "--prefix", "none",
                   "--format", "{p}").splitlines()
    return sorted({(name, version.removeprefix("v")) for name, version, *_ in map(str.split, lines)} - {("fracas-capi", own_version())})


def own_version():
    return re.search(r'^version = "(.*)"', Path("Cargo.toml").read_text(), re.MULTILINE)[1]


def checksums():
    if not tomllib:
        return {}
    packages = tomllib.loads(Path("Cargo.lock").read_text())["package"]
    return {(p["name"], p["version"]): p["checksum"] for p in packages if "checksum" in p}


def licence_files(folder):
    return sorted(f for f in folder.iterdir() if IS_LICENCE.match(f.name) and f.is_file() and f.suffix != ".rs")


def standard_library(rustc):
    """The version of Rust's own library, and the files that tell its licences and those of the crates in it."""
    version = re.search(r"^release: (.*)$", output(rustc, "--version", "--verbose"), re.MULTILINE)[1]
    docs = Path(output(rustc, "--print", "sysroot").strip()) / "share/doc"
    files = [docs / "rust/COPYRIGHT-library.html", *sorted(docs.glob("libstd-rust*/copyright"))]  # of rustup; of Debian
    return version, [f for f in files if f.is_file()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", default="")
    parser.add_argument("--cargo", default="cargo")
    parser.add_argument("--rustc", default="rustc")
    parser.add_argument("share", type=Path)
    args = parser.parse_args()
    target = args.target or re.search(r"^host: (.*)$", output(args.rustc, "--version", "--verbose"), re.MULTILINE)[1]

    metadata = json.loads(output(args.cargo, "metadata", "--format-version", "1", "--filter-platform", target))
    packages = {(p["name"], p["version"]): p for p in metadata["packages"]}
    sums = checksums()
    crates = args.share / "licenses/fracas/crates"
    shutil.rmtree(crates, ignore_errors=True)

    def keep(name, version, files):
        (crates / f"{name}-{version}").mkdir(parents=True)
        for file in files:
            shutil.copyfile(file, crates / f"{name}-{version}" / file.name)

    components = []
    for name, version in linked_in(args.cargo, target):
        if name == "fracas":
            continue  # the subject of the bill
        package = packages[name, version]
        spdx = (package["license"] or "").replace("/", " OR ")  # crates of before 2018 write it so
        files = licence_files(Path(package["manifest_path"]).parent)
        if not files and not spdx:
            sys.exit(f"the crate {name} {version} has no file with its licence, and does not name it in its manifest: it must not be linked in")
        if files:
            keep(name, version, files)
        component = {"type": "library", "bom-ref": f"pkg:cargo/{name}@{version}", "name": name, "version": version,
                     "purl": f"pkg:cargo/{name}@{version}",
                     "licenses": [{"expression": spdx} if spdx else {"license": {"name": "as in its licence files"}}]}
        if (name, version) in sums:
            component["hashes"] = [{"alg": "SHA-256", "content": sums[name, version]}]
        components.append(component)

    version, files = standard_library(args.rustc)
    if files:
        keep("rust-std", version, files)
    components.append({"type": "library", "bom-ref": f"rust-std@{version}", "name": "rust-std", "version": version,
                       "description": "The standard library of Rust", "licenses": [{"expression": "MIT OR Apache-2.0"}]})

    own = own_version()
    about = {"component": {"type": "library", "bom-ref": f"pkg:cargo/fracas@{own}", "name": "fracas", "version": own,
                           "purl": f"pkg:cargo/fracas@{own}", "licenses": [{"expression": packages["fracas", own]["license"]}]},
             "properties": [{"name": "target", "value": target}]}
    if "SOURCE_DATE_EPOCH" in os.environ:
        date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
        about["timestamp"] = date.strftime("%Y-%m-%dT%H:%M:%SZ")
    bill = args.share / "doc/fracas/fracas.cdx.json"
    bill.parent.mkdir(parents=True, exist_ok=True)
    bill.write_text(json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": about, "components": components},
                               indent=1) + "\n", encoding="utf-8", newline="\n")


main()
