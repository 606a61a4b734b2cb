#!/usr/bin/env python3
"""What the library is made of: the licences of everything that is linked in, and a bill of materials (CycloneDX 1.5).

    packages/materials.py [--target TRIPLE] [--cargo CARGO] [--rustc RUSTC] SHARE
    packages/materials.py --write      lists what is linked in anew, in packages/linked_in.txt: after a change of the dependencies
    packages/materials.py --check      whether that list is right; both ask cargo, which may have to download crates

The first writes SHARE/licenses/fracas/crates/NAME-VERSION/ and SHARE/doc/fracas/fracas.cdx.json, the same bytes every time. The bill has the date
SOURCE_DATE_EPOCH, if that is set. Nothing is downloaded: what it looks at is what building the library needed.
"""
import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11: the bill has no checksums
    tomllib = None

IS_LICENCE = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)


def output(*command):
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    if ran.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed: the bill of materials and the licences need what the library was built from")
    return ran.stdout


STUB = """[package]
name = "materials"
version = "0.0.0"
edition = "2021"
[lib]
path = "lib.rs"
[workspace]
[dependencies]
"""


LIST = Path("packages/linked_in.txt")
HEAD = """# What is linked into the library: name, version, and the processors if it is not on all. Written by packages/materials.py --write.
# Checked in, since cargo wants to have every crate of the workspace before it tells, those of engines and tests too.
"""
TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-gnu", "x86_64-pc-windows-msvc", "aarch64-apple-darwin",
           "wasm32-unknown-unknown"]


def processor(target):
    return target.split("-")[0]


def list_by_cargo(cargo):
    """The text of the list."""
    on = {}
    for target in TARGETS:
        lines = output(cargo, "tree", "--locked", "--quiet", "--package", "fracas-capi", "--target", target, "--edges", "normal,no-proc-macro",
                       "--prefix", "none", "--format", "{p}").splitlines()
        for name, version, *rest in map(str.split, lines):
            if not any(word.startswith("(/") for word in rest):  # those of this workspace
                on.setdefault((name, version.removeprefix("v")), set()).add(target)
    text = HEAD
    for (name, version), targets in sorted(on.items()):
        processors = sorted({processor(target) for target in targets})
        if targets != {target for target in TARGETS if processor(target) in processors}:
            sys.exit(f"{name} {version} is linked in on {sorted(targets)}: teach packages/linked_in.txt systems beside processors")
        text += " ".join([name, version, *(processors if len(targets) < len(TARGETS) else [])]) + "\n"
    return text


def linked_in(target):
    """(name, version) of the crates that are linked into the library."""
    locked = {(p["name"], p["version"]) for p in locked_packages()}
    crates = []
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, version, *processors = line.split()
        if locked and (name, version) not in locked:
            sys.exit(f"{LIST} has {name} {version}, and Cargo.lock has not: run packages/materials.py --write")
        if not processors or processor(target) in processors:
            crates.append((name, version))
    return crates


def manifests(cargo, crates, target):
    """What the manifests of crates say, by (name, version), and where they are: asked of a package that needs these and nothing else. Without
    their features, which may name crates that are not here."""
    exact = [f'c{k} = {{ package = "{name}", version = "={version}", default-features = false }}' for k, (name, version) in enumerate(crates)]
    with tempfile.TemporaryDirectory() as folder:
        stub = Path(folder) / "Cargo.toml"
        stub.write_text(STUB + "\n".join(exact) + "\n", encoding="utf-8")
        (Path(folder) / "lib.rs").touch()
        shutil.copy("Cargo.lock", folder)
        # From this folder: its configuration of cargo counts, such as vendored sources.
        told = output(cargo, "metadata", "--quiet", "--offline", "--manifest-path", stub, "--format-version", "1", "--filter-platform", target)
    return {(p["name"], p["version"]): p for p in json.loads(told)["packages"]}


def own(key):
    return re.search(rf'^{key} = "(.*)"', Path("Cargo.toml").read_text(), re.MULTILINE)[1]


def own_version():
    return own("version")


def locked_packages():
    return tomllib.loads(Path("Cargo.lock").read_text())["package"] if tomllib else []


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
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("share", type=Path, nargs="?")
    args = parser.parse_args()
    if args.write or args.check:
        text = list_by_cargo(args.cargo)
        if args.write:
            LIST.write_text(text, encoding="utf-8", newline="\n")
        elif text != LIST.read_text(encoding="utf-8"):
            sys.exit(f"{LIST} is not what cargo says: run packages/materials.py --write")
        return
    if not args.share:
        parser.error("a folder to write to is needed")
    target = args.target or re.search(r"^host: (.*)$", output(args.rustc, "--version", "--verbose"), re.MULTILINE)[1]

    linked = linked_in(target)
    packages = manifests(args.cargo, linked, target)
    sums = {(p["name"], p["version"]): p["checksum"] for p in locked_packages() if "checksum" in p}
    crates = args.share / "licenses/fracas/crates"
    shutil.rmtree(crates, ignore_errors=True)

    def keep(name, version, files):
        (crates / f"{name}-{version}").mkdir(parents=True)
        for file in files:
            shutil.copyfile(file, crates / f"{name}-{version}" / file.name)

    components = []
    for name, version in linked:
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

    subject = f"pkg:cargo/fracas@{own_version()}"
    about = {"component": {"type": "library", "bom-ref": subject, "name": "fracas", "version": own_version(), "purl": subject,
                           "licenses": [{"expression": own("license")}]},
             "properties": [{"name": "target", "value": target}]}
    if "SOURCE_DATE_EPOCH" in os.environ:
        date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
        about["timestamp"] = date.strftime("%Y-%m-%dT%H:%M:%SZ")
    bill = args.share / "doc/fracas/fracas.cdx.json"
    bill.parent.mkdir(parents=True, exist_ok=True)
    bill.write_text(json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": about, "components": components},
                               indent=1) + "\n", encoding="utf-8", newline="\n")


main()
