#!/usr/bin/env python3
"""Checks every fenced code block of the documentation. None may be of an unknown language, and none is taken on trust:

- code (cpp, c, rust, csharp, ...) must stand, line for line, in a file that a test compiles or runs: SOURCES. Those of docs/examples are
  compiled here, and run. `...` within a line stands for anything, a comment that is nothing but `...` for any lines;
- sh: `fracas` and compilers are run, line by line, in a folder like a fresh clone. What takes minutes (scripts, cargo, cmake) must name
  scripts, options, packages, tests, benches and targets that are there;
- pages of bindings/ are shown by the site too: their code is compiled by the test of their folder, which must read the page;
- text: the output of an example or command that ran here. The same wildcards;
- pictures in docs/images/gallery must be what their commands in docs/gallery.md draw.

    code_blocks.py            checks all pages
    code_blocks.py --draw     draws the pictures of docs/gallery.md anew (scripts/pictures calls it)
"""

import glob
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "adapters/README.md", "docs/**/*.md", "bindings/**/*.md"]

# Where code of a language may be cut from, and which test compiles it. docs/examples: this script.
SOURCES = {
    "cpp": [
        "docs/examples/*.cpp", "docs/examples/engines/*.cpp",
        "cpp_examples/**/*.[ch]pp", "adapters/**/*.[ch]pp", "include/fracas.hpp",  # CMake, by scripts/test
    ],
    "c": ["docs/examples/*.c", "include/fracas.h", "tests/capi/*.c"],  # CTest
    "rust": ["README.md", "examples/**/*.rs", "rust_examples/**/*.rs"],  # README.md: a documentation test, by src/lib.rs
    "toml": ["rust_examples/rapier/Cargo.toml"],
    "cmake": ["docs/examples/cmake/*/CMakeLists.txt"],
}

faults, notes = [], []


class Block:
    def __init__(self, page, line, language):
        self.page, self.line, self.language, self.lines = page, line, language, []

    def fault(self, what):
        faults.append(f"{self.page}:{self.line}: {what}")


def blocks_of(page):
    """The fenced blocks of a page, without the indentation of lists and tabs."""
    found, block, indent = [], None, ""
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r"^(\s*)(```+|~~~+)\s*(\S*)", line)
        if block is None and fence:
            indent, block = fence[1], Block(page, number, fence[3])
        elif block is not None and fence and not fence[3]:
            found.append(block)
            block = None
        elif block is not None:
            block.lines.append(line[len(indent):] if line.startswith(indent) else line.lstrip())
    if block is not None:
        block.fault("this block does not end")
    return found


def stands_in(wanted, lines):
    """Whether the lines of a block are lines of a file, one after the other, perhaps farther to the right there."""

    def is_gap(line):
        return re.fullmatch(r"\s*(//|#|--)?\s*\.\.\.\s*", line)

    def same(want, line):
        return re.fullmatch(".+".join(re.escape(part) for part in want.split("...")), line) if "..." in want else want == line

    def follows(k, at, indent):
        while k < len(wanted):
            if is_gap(wanted[k]):
                return any(follows(k + 1, later, indent) for later in range(at, len(lines) + 1))
            line = lines[at] if at < len(lines) else None
            if line is None or not same(wanted[k].rstrip(), (line[indent:] if line.strip() else "").rstrip()) or line[:indent].strip():
                return False
            k, at = k + 1, at + 1
        return True

    first = wanted[0].rstrip()
    for at, line in enumerate(lines):
        indent = len(line) - len(line.lstrip()) - (len(first) - len(first.lstrip()))
        if indent >= 0 and (is_gap(first) or same(first, line[indent:].rstrip())) and follows(0, at, indent):
            return True
    return False


def is_tested_in_its_folder(block):
    """Whether the test of a folder of bindings/ reads this page, to compile what is in it."""
    parts = Path(block.page).parts
    folder = ROOT / parts[0] / parts[1]
    name = f"Documentation~/{parts[-1]}" if "Documentation~" in parts else parts[-1]
    scripts = [folder / "test", *(f for kind in ("py", "sh", "mjs", "js") for f in folder.glob(f"tests/*.{kind}"))]
    return (folder / "test").exists() and any(name in f.read_text(encoding="utf-8") for f in scripts)


def check_code(block):
    for file in (f for pattern in SOURCES[block.language] for f in sorted(glob.glob(pattern, root_dir=ROOT, recursive=True))):
        if stands_in(block.lines, (ROOT / file).read_text(encoding="utf-8").splitlines()):
            return file
    where = " ".join(SOURCES[block.language])
    block.fault(f"this {block.language} stands in no file that a test compiles; put it into docs/examples, or cut it from: {where}")
    return None


# The C and C++ examples ---------------------------------------------------------------------------------------------


def built(name):
    """The folder of a dev or release build that has this file: the newer one."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    found = [target / kind / name for kind in ("debug", "release") if (target / kind / name).exists()]
    if not found:
        sys.exit(f"{name} is not built; run: cargo build -p fracas-capi -p fracas-cli")
    return max(found, key=lambda path: path.stat().st_mtime).parent


STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def compile_and_run(source, folder):
    """Its output, or None."""
    program = folder / source.stem
    library = built("libfracas.so")
    compiler = ["c++", "-std=c++17"] if source.suffix == ".cpp" else ["cc", "-std=c99"]
    command = [*compiler, *STRICT, "-I", str(ROOT / "include"), str(source), "-o", str(program), "-pthread",
               "-L", str(library), "-lfracas", f"-Wl,-rpath,{library}"] # as docs/start/cpp.md says
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode != 0:
        faults.append(f"{source.relative_to(ROOT)} does not compile:\n{made.stderr}")
        return None
    ran = subprocess.run([str(program)], cwd=folder, capture_output=True, text=True, timeout=60)
    if ran.returncode != 0:
        faults.append(f"{source.relative_to(ROOT)} ends with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def check_against_engine(source):
    """Compiled with the flags of the engine's adapter, as CMake has them; not run."""
    for target in (f"adapter_{source.stem}", f"adapter_{source.stem}_objects"):
        flags = ROOT / "out/cmake/adapters/CMakeFiles" / f"{target}.dir/flags.make"
        if flags.exists():
            break
    else:
        notes.append(f"skipped: {source.relative_to(ROOT)}: the adapter is not built in out/cmake")
        return
    text = flags.read_text()
    values = [v for key in ("DEFINES", "INCLUDES", "FLAGS") for v in re.findall(rf"^CXX_{key} = (.*)$", text, re.M)]
    words = [w for value in values for w in shlex.split(value)]
    words = [w for w in words if not w.startswith(("-Winvalid-pch", "-O"))]
    made = subprocess.run(["c++", "-fsyntax-only", *words, "-std=c++17", "-Wno-unused", str(source)], capture_output=True, text=True)
    if made.returncode != 0:
        faults.append(f"{source.relative_to(ROOT)} does not compile:\n{made.stderr}")


def check_cmake(file):
    """Configured as a project beside a clone; nothing is built."""
    if not shutil.which("cmake"):
        notes.append(f"skipped: {file}: cmake is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / file, folder)
        (Path(folder) / "fracas").symlink_to(ROOT)
        (Path(folder) / "main.cpp").write_text("int main() {}\n")
        made = subprocess.run(["cmake", "-S", folder, "-B", f"{folder}/build"], capture_output=True, text=True)
        if made.returncode != 0:
            faults.append(f"{file} cannot be configured:\n{made.stdout}{made.stderr}")


# Command lines ------------------------------------------------------------------------------------------------------


def fresh_clone(folder):
    """What commands may use of a clone, without what they write."""
    folder = Path(folder)
    for name in ("include", "samples", "cpp_examples"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "docs/images/gallery").mkdir(parents=True)
    (folder / "docs/examples").symlink_to(ROOT / "docs/examples")
    (folder / "target").mkdir()
    (folder / "target/release").symlink_to(built("libfracas.so"))
    return folder


def run_line(line, folder):
    path = f"{built('fracas')}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": path}, timeout=120)


RUN = {"fracas", "c++", "cc", "python3"}  # and programs that these made: ./name
_names = {}


def cargo_names():
    """What cargo lines may name: packages, and targets by kind."""
    if not _names: # filled at once: threads look at it
        ask = ["cargo", "metadata", "--no-deps", "--format-version", "1", "--offline"]
        packages = json.loads(subprocess.run(ask, cwd=ROOT, capture_output=True, text=True, check=True).stdout)["packages"]
        names = {t: {p["name"] for p in packages} for t in ("-p", "--package", "--exclude")}
        names["--features"] = {f for p in packages for f in p["features"]}
        for kind in ("test", "bench", "example", "bin"):
            names["--" + kind] = {t["name"] for p in packages for t in p["targets"] if kind in t["kind"]}
        _names.update(names)
    return _names


def texts(*patterns):
    return "\n".join((ROOT / f).read_text(encoding="utf-8") for p in patterns for f in glob.glob(p, root_dir=ROOT, recursive=True))


def check_words(words, block):
    """A command line that is too expensive to run."""
    program, rest = words[0], words[1:]
    ours = rest[: rest.index("--")] if "--" in rest else rest
    if program.startswith("scripts/"):
        if not os.access(ROOT / program, os.X_OK):
            block.fault(f"there is no {program}")
            return
        known = texts(program, "cpp_examples/demo/*.cpp", "benches/peers/src/**/*.rs", "benches/peers/*.rs", "benches/trust/src/**/*.rs")
        for word in rest:
            if word.startswith("--") and word not in known and f'"{word[2:]}"' not in known:
                block.fault(f"{program} knows no {word}")
    elif program == "cargo":
        for option, value in zip(ours, ours[1:] + [""]):
            if option == "--path" and not (ROOT / value / "Cargo.toml").exists():
                block.fault(f"there is no package in {value}")
            elif option in cargo_names() and value not in cargo_names()[option]:
                block.fault(f"cargo knows no {option} {value}")
    elif program in ("cmake", "ctest"):
        lists = texts("CMakeLists.txt", "*/CMakeLists.txt", "tests/*/CMakeLists.txt", "cpp_examples/**/CMakeLists.txt")
        for option in rest:
            name = re.match(r"-D(FRACAS_\w+)", option)
            if name and name[1] not in lists:
                block.fault(f"CMake knows no {name[1]}")
        for option, value in zip(rest, rest[1:]):
            if option in ("-R", "--target") and re.sub(r"_[^_]*$", "", value.strip("^$")) not in lists:
                block.fault(f"there is no {value} in CMake's files")
    elif program == "fracas":
        known = subprocess.run([built("fracas") / "fracas", rest[0], "--help"], capture_output=True, text=True).stdout
        for word in rest[1:]:
            if word.startswith("-") and not re.search(rf"(?<!\S){word}\b", known):
                block.fault(f"fracas {rest[0]} knows no {word}")
    elif program.startswith("bindings/"):
        if not os.access(ROOT / program, os.X_OK):
            block.fault(f"there is no {program}")
    elif program.startswith("out/cmake/"):
        if Path(program).name not in texts("cpp_examples/**/CMakeLists.txt", "tests/*/CMakeLists.txt"):
            block.fault(f"CMake makes no {program}")
    else:
        block.fault(f"nothing checks the command {program}; teach docs/tests/code_blocks.py, or run it")


def check_commands(blocks):
    """The sh blocks of one page, which share a folder. Returns what the commands printed."""
    said = []
    with tempfile.TemporaryDirectory() as name:
        folder = fresh_clone(name)
        for block in blocks:
            for line in "\n".join(block.lines).replace("\\\n", " ").splitlines():
                words = shlex.split(line, comments=True)
                while words and re.match(r"^\w+=", words[0]):
                    words.pop(0) # variables
                if not words:
                    continue
                # Pages of bindings/ name files of a game, which are not here.
                if words[0] not in RUN and not words[0].startswith("./") or block.page.startswith("bindings/"):
                    check_words(words, block)
                # The command's own tests run those of the README (cli/tests/readme.rs).
                elif block.page != "README.md":
                    ran = run_line(line, folder)
                    said.append(ran.stdout)
                    if ran.returncode != 0:
                        block.fault(f"`{line.strip()}` ends with {ran.returncode}: {ran.stderr.strip()}")
        for drawn in sorted((folder / "docs/images/gallery").glob("*.png")):
            compare_pictures(drawn, ROOT / "docs/images/gallery" / drawn.name)
        if any(block.page == "docs/gallery.md" for block in blocks):
            for kept in (ROOT / "docs/images/gallery").glob("*.png"):
                if not (folder / "docs/images/gallery" / kept.name).exists():
                    faults.append(f"no command of docs/gallery.md draws docs/images/gallery/{kept.name}")
    return said


# Pictures -----------------------------------------------------------------------------------------------------------


def pixels(path):
    """Width, and the bytes of all rows, of a PNG of eight bits a channel."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", chunk[:10])
            assert depth == 8 and colours in (2, 6), "fracas render writes RGB or RGBA"
        elif kind == b"IDAT":
            packed += chunk
        at += 12 + length
    step = 3 if colours == 2 else 4
    raw, size = zlib.decompress(packed), width * step
    rows, above = [], bytearray(size)
    for y in range(height):
        kind, row = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for x in range(size if kind else 0):
            a, b, c = (row[x - step] if x >= step else 0), above[x], (above[x - step] if x >= step else 0)
            if kind == 4:
                p = a + b - c
                guess = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            else:
                guess = (0, a, b, (a + b) // 2)[kind]
            row[x] = (row[x] + guess) & 255
        rows.append(row)
        above = row
    return width, b"".join(rows)


def compare_pictures(drawn, kept):
    if not kept.exists():
        faults.append(f"{kept.relative_to(ROOT)} is not there; run scripts/pictures")
    elif drawn.read_bytes() != kept.read_bytes(): # another version of the compressor makes other bytes of the same picture
        (width, ours), (kept_width, theirs) = pixels(drawn), pixels(kept)
        off = sum(abs(a - b) > 8 for a, b in zip(ours, theirs)) if width == kept_width and len(ours) == len(theirs) else len(ours)
        if off > len(ours) // 200: # other processors round otherwise, at edges
            share = 100 * off / len(ours)
            faults.append(f"{kept.relative_to(ROOT)} is not what its command draws: {share:.1f} % of it differ; run scripts/pictures")


def draw():
    (ROOT / "docs/images/gallery").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = fresh_clone(name)
        for block in blocks_of("docs/gallery.md"):
            if block.language == "sh":
                for line in "\n".join(block.lines).replace("\\\n", " ").splitlines():
                    ran = run_line(line, folder)
                    if ran.returncode != 0:
                        sys.exit(f"docs/gallery.md:{block.line}: {line}: {ran.stderr}")
        for picture in sorted((folder / "docs/images/gallery").glob("*.png")):
            shutil.copy(picture, ROOT / "docs/images/gallery")
            print(f"written         docs/images/gallery/{picture.name} ({picture.stat().st_size / 1000:.0f} kB)")


def main():
    if "--draw" in sys.argv:
        return draw()
    start = time.monotonic()
    found = {page for pattern in PAGES for page in glob.glob(pattern, root_dir=ROOT, recursive=True)}
    pages = sorted(page for page in found if "node_modules" not in page)
    blocks = [block for page in pages for block in blocks_of(page)]
    cut = {}
    for block in blocks:
        if block.page.startswith("bindings/") and block.language not in ("", "sh"):
            if not is_tested_in_its_folder(block):
                block.fault("no test of its folder reads this page")
        elif block.language in SOURCES and block.lines:
            file = check_code(block)
            cut[file] = cut.get(file, 0) + 1
        elif block.language not in ("sh", "text") or not block.lines:
            known = ", ".join([*SOURCES, "sh", "text"])
            block.fault(f"a block of language {block.language or 'none'!r} is checked by nothing; there are: {known}")

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        examples = sorted(p for p in (ROOT / "docs/examples").glob("*.c*") if p.suffix in (".c", ".cpp"))
        runs = [pool.submit(compile_and_run, source, Path(folder)) for source in examples]
        engines = [pool.submit(check_against_engine, source) for source in sorted((ROOT / "docs/examples/engines").glob("*.cpp"))]
        commands = [pool.submit(check_commands, [b for b in blocks if b.page == page and b.language == "sh"]) for page in pages]
        configured = [pool.submit(check_cmake, f) for f in sorted(glob.glob("docs/examples/cmake/*/CMakeLists.txt", root_dir=ROOT))]
        outputs = [run.result() or "" for run in runs] + [said for done in commands for said in done.result()]
        for done in engines + configured:
            done.result()
    for block in blocks:
        if block.language != "text" or block.page.startswith("bindings/"):
            continue
        if not any(stands_in(block.lines, said.splitlines()) for said in outputs):
            block.fault("no example and no command printed this")

    for source in examples + sorted((ROOT / "docs/examples/engines").glob("*.cpp")):
        if str(source.relative_to(ROOT)) not in cut:
            faults.append(f"{source.relative_to(ROOT)} is shown nowhere")
    for line in notes + faults:
        print(line)
    counts = {language: sum(b.language == language for b in blocks) for language in [*SOURCES, "sh", "text"]}
    print(f"code blocks: {len(blocks)} in {len(pages)} pages ({', '.join(f'{n} {k}' for k, n in counts.items() if n)}), "
          f"{len(faults)} wrong, {time.monotonic() - start:.0f} s")
    return 1 if faults else 0


sys.exit(main())
